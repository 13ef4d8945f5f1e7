"""Drives the window without a person, and measures it: first frame, frame times, memory."""

from __future__ import annotations

import gc
import math
import threading
import time
from collections.abc import Mapping
from typing import Any

import psutil

from papan import self_test
from papan.ai.players import HUMAN
from papan.game.game import Game
from papan.ui.window.program import Program

HARD = "minimax:hard"
_THINKING_SECONDS = 8.0
_IDLE_SECONDS = 4.0
LEAST_FRAMES = 20
"""Frames that are timed at the least, however slow the machine."""


def look_around(game: Game) -> None:
    """Open the window, draw the home screen and a table of *game* for persons, and quit."""
    program = Program(size=self_test.SIZE)
    program.app.frame_budget.painting_seconds = math.inf  # complete every frame
    try:
        self_test.draw_frames(program, 3)
        while program.app.scene is not None and program.app.scene.is_animating:
            self_test.draw_frames(program, 1)
        self_test.draw_frames(program, 1)
        self_test.check_scene(program, "The home screen")
        program.start_match(game, [HUMAN] * game.seats[0])
        self_test.draw_frames(program, 3)
        self_test.check_scene(program, game.title)
    finally:
        self_test.close_in_order(program)


def time_first_frame() -> dict[str, Any]:
    """The time of the first frame in seconds since 1970, and the processor seconds used by then."""
    program = Program(size=self_test.SIZE)
    shown: list[dict[str, float]] = []
    program.app.after_first_frame.insert(
        0, lambda: shown.append({"first_frame_at": time.time(), "processor_seconds": time.process_time()})
    )
    program.app.after_first_frame.append(program.app.quit)
    program.run()
    return shown[0]


def watch_table(game: Game) -> dict[str, Any]:
    """Measurements of the table of *game*.

    Frame times, in seconds, while the computer thinks and while the analysis runs; memory in MiB; and the share of one
    processor used while nothing happens.
    """
    program = Program(size=self_test.SIZE)
    match = program.start_match(game, [HARD] * game.seats[0]).match
    self_test.wait_for_computer(program, match)
    times = _frame_times(program, _THINKING_SECONDS)
    memory = memory_in_use()
    studying = _frame_times_studying(program, game)
    program.start_match(game, [HUMAN] * game.seats[0])
    self_test.draw_frames(program, 60)
    return {
        "frame_times": times,
        "frame_times_studying": studying,
        "memory": memory,
        "idle_share": _idle_share(program),
    }


def _frame_times_studying(program: Program, game: Game) -> list[float]:
    """Frame times, in seconds, while the analyst studies a position on a person's turn."""
    settings = program.app.settings
    settings.analysis = True
    table = program.start_match(game, [HUMAN, *[self_test.EASY] * (game.seats[0] - 1)], {"first": "1"})
    deadline = time.process_time() + self_test.MOVE_TIMEOUT
    study = table.analysis.study
    assert study is not None
    while not study.view.lines and time.process_time() < deadline:
        self_test.draw_frames(program, 1)
        time.sleep(self_test.FRAME_SECONDS)
    times = _frame_times(program, _THINKING_SECONDS / 2)
    settings.analysis = False
    program.app.pop(table)
    program.analyst.close(self_test.CLOSING_TIMEOUT)  # its compilations would keep the window from closing in order
    return times


def _frame_times(program: Program, seconds: float) -> list[float]:
    """The seconds that each frame took, with complete redraws, at 60 frames a second, for *seconds* or longer."""
    app, times = program.app, list[float]()
    deadline = time.perf_counter() + seconds
    while (started := time.perf_counter()) < deadline or len(times) < LEAST_FRAMES:
        app.invalidate()
        app.step(self_test.FRAME_SECONDS)
        times.append(time.perf_counter() - started)
        time.sleep(max(0.0, self_test.FRAME_SECONDS - times[-1]))
    return times


def _idle_share(program: Program) -> float:
    """The share of one processor that this process uses while nothing happens; closes the window."""
    shares: list[float] = []
    started, used = time.perf_counter(), time.process_time()

    def stop() -> None:
        shares.append((time.process_time() - used) / (time.perf_counter() - started))
        program.app.quit()

    threading.Timer(_IDLE_SECONDS, lambda: program.app.call_soon(stop)).start()
    program.run()
    return shares[0]


def memory_in_use() -> float:
    """The current memory of this process, in MiB."""
    return float(psutil.Process().memory_info().rss) / 2**20


LONG_SECONDS = 1 / 30  # shorter work is not corrected for stolen time
WORTH_TELLING = 0.005  # the least seconds of garbage collection or stolen time to mention


def stolen_seconds() -> list[float]:
    """The seconds that a virtual machine's host has stolen from each of its processors so far.

    Linux adds them to the time of the thread that would have run.
    """
    return [float(getattr(processor, "steal", 0.0)) for processor in psutil.cpu_times(percpu=True)]


class OwnTime:
    """The processor time of this thread in a ``with`` block, and the part of it for garbage collection.

    In long blocks, it excludes the time that the machine's host stole meanwhile.
    """

    def __init__(self) -> None:
        self._garbage = self._garbage_began = 0.0
        self._stolen = stolen_seconds()
        self._thread = threading.get_ident()
        self._began = time.thread_time()
        self._kept = 0.0
        self.seconds = 0.0
        """The time, after the block."""

    def __enter__(self) -> OwnTime:
        gc.callbacks.append(self._note)
        return self

    def __exit__(self, *failure: object) -> None:
        gc.callbacks.remove(self._note)
        whole = time.thread_time() - self._began
        if whole > LONG_SECONDS:
            kept = [now - then for now, then in zip(stolen_seconds(), self._stolen, strict=True)]
            self._kept = max(kept, default=0.0)
        self.seconds = max(0.0, whole - self._kept)

    def _note(self, phase: str, facts: Mapping[str, int]) -> None:
        if threading.get_ident() != self._thread:
            return
        if phase == "start":
            self._garbage_began = time.thread_time()
        else:
            self._garbage += time.thread_time() - self._garbage_began

    @property
    def words(self) -> str:
        """Notable times for garbage collection and stolen by the host, as a text to append."""
        told = ((self._garbage, "of it for garbage"), (self._kept, "more kept from the processor"))
        return "".join(f", {1000 * seconds:.0f} ms {what}" for seconds, what in told if seconds > WORTH_TELLING)
