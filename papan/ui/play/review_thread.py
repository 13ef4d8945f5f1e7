"""The thread on which a match is reviewed, beside the window; its findings are read once a frame."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING

from papan.game.match import Match

if TYPE_CHECKING:
    from papan.ai.review import Review, Reviewer

log = logging.getLogger(__name__)

_THREAD = "reviewer"


class ReviewThread:
    """Reviews one match; ``review`` is how far it has come. All methods are for the window's thread."""

    def __init__(self, match: Match) -> None:
        """:param match: must not change any more."""
        self.trouble = ""
        """Why there is no review, or no more of it, in a sentence."""
        self.has_begun = False
        self._match = match
        self._reviewer: Reviewer | None = None
        self._is_stopped = False
        self._thread = threading.Thread(target=self._work, name=_THREAD, daemon=True)

    def start(self) -> None:
        """Begin to review."""
        self.has_begun = True
        self._thread.start()

    @property
    def review(self) -> Review | None:
        """The review so far; None while there is nothing yet."""
        return self._reviewer.review if self._reviewer is not None else None

    @property
    def is_working(self) -> bool:
        """Whether more may be found."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Stop within milliseconds; only a compilation can't be interrupted."""
        self._is_stopped = True
        if self._reviewer is not None:
            self._reviewer.stop()

    def _work(self) -> None:
        from papan.ai.review import Reviewer, ReviewError

        try:
            self._reviewer = Reviewer(self._match)
            if not self._is_stopped:
                self._reviewer.run(self._stop_if_told)
        except ReviewError as error:
            self.trouble = str(error)
        except Exception as error:
            log.exception("A match can't be reviewed")
            self.trouble = f"{type(error).__name__}: {error}"

    def _stop_if_told(self, review: Review) -> None:
        """Pass on a ``stop`` that came before the reviewer had begun."""
        if self._is_stopped and self._reviewer is not None:
            self._reviewer.stop()


def is_reviewing(patience: float) -> bool:
    """Whether any review still goes on after *patience* seconds: one that compiles can't be interrupted."""
    deadline = time.perf_counter() + patience
    for thread in threading.enumerate():
        if thread.name == _THREAD:
            thread.join(max(0.0, deadline - time.perf_counter()))
            if thread.is_alive():
                return True
    return False
