"""The window without anybody before it: the frozen program's test of itself, and the window's figures."""

from __future__ import annotations

import gc
import math
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from papan.ai.players import HUMAN
from papan.game.catalogue import GALLERY
from papan.game.facts import Game
from papan.game.match import Match
from papan.game.rules import CHANCE, mover
from papan.ui.scenes.hand_over import HandOver
from papan.ui.scenes.message import Message
from papan.ui.window.program import Program

SIZE = (1280, 800)
EASY, HARD = "minimax:easy", "minimax:hard"
FRAME_SECONDS = 1 / 60
_PATIENCE = 120.0
"""Seconds of this process on a processor for one computer move of a program that must compile it first.

Its frames take a few hundredths of a processor. So a move that never comes ends the wait within an hour, and what else
the machine does makes no difference.
"""
_CLOSING_PATIENCE = 1200.0
"""Seconds for what is being compiled as the window closes: it can't be interrupted."""
_THINKING_SECONDS = 8.0
_IDLE_SECONDS = 4.0


class RehearsalError(Exception):
    """The program does not work as it should; the message says what went wrong."""


def test_program(games: Iterable[Game] | None = None) -> None:
    """Open the window, have the computer play one move of each of *games* at its table, and quit.

    :param games: those of the gallery for None.
    :raises RehearsalError: something went wrong.
    :raises papan.ui.window.display.NoDisplay: there is no display.
    """
    program = Program(size=SIZE)
    program.app.slices.painting_seconds = math.inf  # each frame is whole, so that nothing of it is left out
    try:
        _frames(program, 3)
        _check_scene(program, "The home screen")
        for game in GALLERY.values() if games is None else games:
            match = program.start_match(game, [EASY] * game.seats[0]).match
            _until_computer_has_played(program, match)
    finally:
        close_in_order(program)


def look_around(game: Game) -> None:
    """Open the window, look at the home screen and at a table of *game*, where persons sit, and quit.

    :raises RehearsalError: something went wrong.
    :raises papan.ui.window.display.NoDisplay: there is no display.
    """
    program = Program(size=SIZE)
    program.app.slices.painting_seconds = math.inf  # each frame is whole, so that nothing of it is left out
    try:
        _look_at_home(program)
        program.start_match(game, [HUMAN] * game.seats[0])
        _frames(program, 3)
        _check_scene(program, game.title)
    finally:
        close_in_order(program)


def _look_at_home(program: Program) -> None:
    """Show the home screen until all of it is drawn."""
    _frames(program, 3)
    while program.app.scene is not None and program.app.scene.is_animating:
        _frames(program, 1)
    _frames(program, 1)
    _check_scene(program, "The home screen")


def _check_scene(program: Program, name: str) -> None:
    if isinstance(program.app.scene, Message) and not isinstance(program.app.scene, HandOver):
        raise RehearsalError(f"{name}: something went wrong:\n{program.app.diagnostics()}")


def _frames(program: Program, number: int) -> None:
    for _ in range(number):
        program.app.step(FRAME_SECONDS)


def _until_computer_has_played(program: Program, match: Match) -> None:
    title = match.game.title
    deadline = time.process_time() + _PATIENCE
    while all(mover(state) == CHANCE for state in match.states[:-1]):
        if time.process_time() > deadline:
            raise RehearsalError(f"{title}: no computer move within {_PATIENCE:g} seconds of a processor.")
        _frames(program, 1)
        _check_scene(program, title)
        time.sleep(FRAME_SECONDS)


# ---------------------------------------------------------------------------------------------- figures


def time_first_frame() -> dict[str, Any]:
    """The moment of the first frame on the screen, in seconds of the clock that tells the time of day.

    And what the process had taken of a processor by then, in seconds: that owes nothing to what else the machine does.
    """
    program = Program(size=SIZE)
    shown: list[dict[str, float]] = []
    program.app.after_first_frame.insert(
        0, lambda: shown.append({"first_frame_at": time.time(), "processor_seconds": time.process_time()})
    )
    program.app.after_first_frame.append(program.app.quit)
    program.run()
    return shown[0]


def watch_table(game: Game) -> dict[str, Any]:
    """The costs of the table of *game*: frame times while the computer thinks and while the analysis runs, memory,
    and the share of a processor while idle.

    Frame times are in seconds; memory is in MiB, or None where the system doesn't tell it; the idle share is
    of one processor.
    """
    program = Program(size=SIZE)
    match = program.start_match(game, [HARD] * game.seats[0]).match
    _until_computer_has_played(program, match)
    times = _frame_times(program, _THINKING_SECONDS)
    memory = memory_in_use()
    studying = _frame_times_studying(program, game)
    program.start_match(game, [HUMAN] * game.seats[0])
    _frames(program, 60)
    return {
        "frame_times": times,
        "frame_times_studying": studying,
        "memory": memory,
        "idle_share": _idle_share(program),
    }


def _frame_times_studying(program: Program, game: Game) -> list[float]:
    """Frame times while the analyst studies a position before a person; none where it may see nothing."""
    settings = program.app.settings
    settings.analysis = True
    table = program.start_match(game, [HUMAN, *[EASY] * (game.seats[0] - 1)], {"first": "1"})
    deadline = time.process_time() + _PATIENCE
    while not table.analysis.has_lines and time.process_time() < deadline:
        _frames(program, 1)
        time.sleep(FRAME_SECONDS)
    times = _frame_times(program, _THINKING_SECONDS / 2)
    settings.analysis = False
    program.app.pop(table)
    program.analyst.close(_CLOSING_PATIENCE)  # what it compiles would keep the window from closing in order
    return times


def close_in_order(program: Program) -> None:
    """Close the window of *program*, whatever is not saved, once nothing is being compiled: the process goes on."""
    while len(program.app.scenes) > 1:
        program.app.pop()
    program.thinker.close(_CLOSING_PATIENCE)
    program.analyst.close(_CLOSING_PATIENCE)
    for worker in program.services.workers:
        worker.close(_CLOSING_PATIENCE)
    program.app.quit_at_once()
    program.run()
    gc.unfreeze()  # what was there when all had been loaded: this program goes, and the process stays


def _frame_times(program: Program, seconds: float) -> list[float]:
    """The seconds that each frame took, at 60 a second for some time, whether anything changed or not."""
    app, times = program.app, []
    deadline = time.perf_counter() + seconds
    while (started := time.perf_counter()) < deadline:
        app.invalidate()
        app.step(FRAME_SECONDS)
        times.append(time.perf_counter() - started)
        time.sleep(max(0.0, FRAME_SECONDS - times[-1]))
    return times


def _idle_share(program: Program) -> float:
    """The share of a processor that the window's own loop takes while nothing happens; it is closed afterwards."""
    shares: list[float] = []
    started, used = time.perf_counter(), time.process_time()

    def stop() -> None:
        shares.append((time.process_time() - used) / (time.perf_counter() - started))
        program.app.quit()

    threading.Timer(_IDLE_SECONDS, lambda: program.app.call_soon(stop)).start()
    program.run()
    return shares[0]


def memory_in_use() -> float | None:
    """The memory of this process now, in MiB; the most it ever held where only that is known; else None."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        import resource

        return pages * resource.getpagesize() / 2**20
    except (OSError, ImportError):
        pass
    if sys.platform == "darwin":
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return None
