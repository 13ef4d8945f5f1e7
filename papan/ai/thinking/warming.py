"""Compile all games ahead, in a process of the lowest priority that ends with the window.

It takes minutes, once for each version of the program. Kernels are saved one by one, so it can be killed at any time.
"""

from __future__ import annotations

import hashlib
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from papan.ai.players import LEVELS, PlayerError, make_player
from papan.game.base.version import VERSION
from papan.game.game import Game
from papan.game.match import Match

log = logging.getLogger(__name__)

DELAY_SECONDS = 3.0
"""Seconds after the window's start."""
LOWEST_PRIORITY = 19
STAMP = "ready-"
"""The prefix of the file that marks completion."""


class WarmUp:
    def __init__(self, command: Sequence[str], games: Sequence[Game], delay: float = DELAY_SECONDS) -> None:
        """:param command: starts a program that calls ``serve`` for the games named in its arguments.
        :param delay: seconds between ``begin`` and the beginning.
        """
        self._words = [*command, *(game.name for game in games)]
        self._names = [game.name for game in games]
        self._lock = threading.Lock()
        self._is_closed = False
        self._process: subprocess.Popen[bytes] | None = None
        self._timer = threading.Timer(delay, self._start)
        self._timer.daemon = True

    def begin(self) -> None:
        self._timer.start()

    def close(self) -> None:
        self._timer.cancel()
        with self._lock:
            self._is_closed = True
            process = self._process
        if process is not None and process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()

    def _start(self) -> None:
        """Start the process, on the timer's thread: importing the cache takes a third of a second."""
        from papan.game.kernel.cache import cache_is_writable

        if not cache_is_writable() or is_done(self._names):
            return
        with self._lock:
            if self._is_closed:
                return
            try:
                self._process = subprocess.Popen(
                    self._words,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                    creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
                )
            except OSError as error:
                log.warning("Games are not made ready before they are played: %s", error)


def serve(games: Sequence[Game], asking: IO[bytes]) -> None:
    """Compile *games*; exit at once when *asking* is closed."""

    def end() -> None:
        with suppress(OSError, ValueError):
            asking.read()
        os._exit(0)  # the compiler can't be interrupted; saved kernels are whole

    threading.Thread(target=end, daemon=True).start()
    with suppress(AttributeError, OSError):  # not on every system
        os.nice(LOWEST_PRIORITY)
    for game in games:
        make_ready(game)
    _stamp([game.name for game in games]).touch()


def make_ready(game: Game) -> None:
    """Compile all levels of *game*."""
    start = Match.new(game, [""] * game.seats[0], seed=0).state
    for level in LEVELS:
        try:
            player = make_player(f"minimax:{level}", game)
        except PlayerError:  # a plugin without an evaluation
            continue
        player.prepare(start)
        player.prepare_rest(start)


def is_done(names: Iterable[str]) -> bool:
    """Whether the games *names* were compiled, and the cache was not cleared since."""
    return _stamp(names).exists()


def _stamp(names: Iterable[str]) -> Path:
    """The file that marks completion for this version of the program and its libraries."""
    from papan.game.kernel.cache import foundation, kernel_cache_folder

    made_of = f"{VERSION} {foundation()} {sys.version} {sorted(names)}"
    return kernel_cache_folder() / f"{STAMP}{hashlib.sha256(made_of.encode()).hexdigest()[:16]}"
