"""The one thread of the program that writes to the library."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

from papan.game.base.database import Opened
from papan.game.match.library.desk import LONGEST_PAUSE, Desk
from papan.game.match.library.schema import open_library

log = logging.getLogger(__name__)


class LibraryWriter(Desk):
    """A desk whose work is done in a thread, which starts when there is something to do for the first time.

    Nothing of it keeps the caller waiting, but for ``flush`` and ``close``.
    """

    def __init__(
        self,
        path: Path | None = None,
        *,
        open_file: Callable[[Path], Opened] = open_library,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        """See ``Desk``."""
        super().__init__(path, open_file=open_file, tell=tell)
        self._news = threading.Condition()  # held for a few assignments, never while the file is used
        self._is_stirred = False
        self._is_ending = False
        self._thread: threading.Thread | None = None

    def flush(self, patience: float) -> bool:
        """Wait at most *patience* seconds until all is done that was asked for; returns whether it is."""
        deadline = time.monotonic() + patience
        with self._news:
            while not self.is_idle and self._thread is not None and self._thread.is_alive():
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                self._news.wait(left)
        return self.is_idle

    def close(self, patience: float) -> bool:
        """End the thread, after at most *patience* seconds for what is not done; returns whether it has ended."""
        deadline = time.monotonic() + patience
        self.flush(patience)
        with self._news:
            self._is_ending = True
            self._news.notify_all()
        if self._thread is None:
            return True
        self._thread.join(max(0.0, deadline - time.monotonic()) + patience)
        return not self._thread.is_alive()

    def _stir(self) -> None:
        with self._news:
            self._is_stirred = True
            if self._thread is None and not self._is_ending:
                self._thread = threading.Thread(target=self._run, name="library", daemon=True)
                self._thread.start()
            self._news.notify_all()

    def _run(self) -> None:
        rest: float | None = None
        while True:
            with self._news:
                if not self._is_stirred and not self._is_ending:
                    self._news.wait(rest)
                if self._is_ending:
                    break
                self._is_stirred = False
            rest = self._attempt()
            with self._news:
                self._news.notify_all()
        try:
            self.end()
        except Exception:
            log.exception("Closing the library went wrong")

    def _attempt(self) -> float:
        """Work; a mistake of the program must not end the thread, for then nothing would be kept any more."""
        try:
            return self.work()
        except Exception:
            log.exception("Keeping the matches went wrong")
            return LONGEST_PAUSE
