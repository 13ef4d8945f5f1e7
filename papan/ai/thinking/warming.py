"""Compile all games ahead, in a process of the lowest priority that ends with the window.

It takes minutes, once for each version of the program. Kernels are saved one by one, so it can be killed at any time.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import IO

from papan.ai.players import LEVELS, PlayerError, choices, is_engine, make_player, make_searcher
from papan.game.base.places import KERNELS_VARIABLE
from papan.game.base.version import VERSION
from papan.game.catalogue import GAMES
from papan.game.game import Game, OptionError
from papan.game.kernel import load_compiler
from papan.game.kernel.targets import TARGETS
from papan.game.match import Match
from papan.game.rules import State

log = logging.getLogger(__name__)

DELAY_SECONDS = 3.0
"""Seconds after the window's start."""
LOWEST_PRIORITY = 19
AUTOGROUP = Path("/proc/self/autogroup")
STAMP = "ready-"
"""The prefix of the file that marks completion."""
_NO_WINDOW, _IDLE = (getattr(subprocess, name, 0) for name in ("CREATE_NO_WINDOW", "IDLE_PRIORITY_CLASS"))  # on Windows


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
                    creationflags=_NO_WINDOW | _IDLE,
                )
            except OSError as error:
                log.warning("Games are not made ready before they are played: %s", error)


def serve(games: Sequence[Game], asking: IO[bytes]) -> None:
    """Compile *games* for this very processor, besides what comes with the program; exit at once when *asking* is
    closed.
    """

    def end() -> None:
        with suppress(OSError, ValueError):
            asking.read()
        os._exit(0)  # the compiler can't be interrupted; saved kernels are whole

    threading.Thread(target=end, daemon=True).start()
    with suppress(AttributeError, OSError):  # not on every system
        os.nice(LOWEST_PRIORITY)
    with suppress(OSError):  # Linux weighs sessions first, and this process has one of its own
        AUTOGROUP.write_text(str(LOWEST_PRIORITY))
    if load_compiler():
        from papan.game.kernel.packs import no_pack

        with no_pack():
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


def prepare_everything(game: Game) -> None:
    """Compile what every level, hint, analysis and review of *game* needs, from every kind of start."""
    from papan.ai.indicators.conspiracy import TURNS, Conspiracy
    from papan.ai.reviews.reviewer import searcher_for
    from papan.ai.thinking.analyst import SEARCHER, solver_of

    names = [choice.name for choice in choices(game) if not is_engine(choice.name)]
    for seats, start in _starts(game):
        for name in names:
            with suppress(PlayerError):  # not for so many seats
                player = make_player(name, game, compact=True)
                player.prepare(start)
                player.prepare_rest(start)
        make_searcher(SEARCHER, game, compact=True).prepare(start)
        searcher_for(game, seats, start).prepare(start)
        solver = solver_of(game)
        if solver is not None:
            solver.prepare(start)
        Conspiracy(game, TURNS).prepare(start)


def _starts(game: Game) -> Iterator[tuple[int, State]]:
    """Numbers of seats with a start for each, one for each type of state that an option leads to."""
    for seats in game.seats:
        known = set()
        for chosen in ({}, *({option.name: value} for option in game.options.values() for value in option.values)):
            with suppress(OptionError):  # not for so many seats
                state = Match.new(game, [""] * seats, chosen, seed=0).state
                if type(state) not in known:
                    known.add(type(state))
                    yield seats, state


class PackError(Exception):
    """A kernel pack can't be made; the message says why."""


def build_pack(folder: Path, games: Sequence[Game], target: str, tell: Callable[[str], None]) -> int:
    """Compile *games* for the processor *target* into the new folder *folder*; returns the number of kernels.

    The compiler must not be loaded yet. Each game is compiled in a process of its own, as numba frees no memory.

    :param tell: gets the name of each game that is compiled.
    :raises PackError: a game can't be compiled.
    """
    name, features = TARGETS[target]
    with tempfile.TemporaryDirectory() as made:
        os.environ |= {KERNELS_VARIABLE: made, "NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": features}
        with ProcessPoolExecutor(mp_context=get_context("spawn"), max_tasks_per_child=1) as processes:
            compiling = {processes.submit(_compile_everything, game.name): game for game in games}
            for done in as_completed(compiling):
                tell(compiling[done].title)
                if error := done.exception():
                    processes.shutdown(cancel_futures=True)
                    raise PackError(f"{compiling[done].title}: {error}") from error
        load_compiler()
        from papan.game.kernel.compiler import listed
        from papan.game.kernel.packs import no_pack, write_manifest

        with no_pack(), listed() as places:
            for game in games:
                prepare_everything(game)
        folder.mkdir(parents=True, exist_ok=True)
        for place in places.values():
            if place is not None:
                shutil.move(place, folder / place.name)
        write_manifest(folder)
    return len(places)


def _compile_everything(name: str) -> None:
    from papan.game.kernel.packs import no_pack

    with no_pack():
        prepare_everything(GAMES[name])


def is_done(names: Iterable[str]) -> bool:
    """Whether the games *names* were compiled, and the cache was not cleared since."""
    return _stamp(names).exists()


def _stamp(names: Iterable[str]) -> Path:
    """The file that marks completion for this version of the program and its libraries."""
    from papan.game.kernel.cache import foundation, kernel_cache_folder

    made_of = f"{VERSION} {foundation()} {sys.version} {sorted(names)}"
    return kernel_cache_folder() / f"{STAMP}{hashlib.sha256(made_of.encode()).hexdigest()[:16]}"
