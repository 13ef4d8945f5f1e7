"""Benchmarks of the window, in processes that open it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from dev.bench.figures import Asked, Measurement, asked_of_fresh_process, measurement_of
from papan.game.game import Game

RUNS = 5

FIRST_FRAME = "first frame"
FRAME_TIME = "frame time, 99 of 100, while the computer thinks"
STUDY_FRAME_TIME = "frame time, 99 of 100, while the analysis runs"
IDLE_CPU = "processor share while nothing happens"
MEMORY = "memory at the table while the computer thinks"
COLD_FRAME = "own time of the first frame of all: {scene}"
SHOWN = "own time until all of it is shown the first time: {scene}"
WARM_FRAME = "own time of the longest later frame: {scene}"
SCROLLING_FRAME = "frame time, 99 of 100, while the wheel scrolls: {scene}"
REDRAWN_FRAME = "own time, 99 of 100 frames, drawn anew at 1920×1080: {scene}"

SMOOTH = 16.7  # milliseconds: 60 frames a second
ASKED: Asked = {
    (FIRST_FRAME, None): 0.6,
    (FRAME_TIME, None): SMOOTH,
    (STUDY_FRAME_TIME, None): SMOOTH,
    (IDLE_CPU, None): 2.0,
    (MEMORY, None): 400,
}


def measure(games: Sequence[Game], command: Sequence[str], tell: Callable[[str], None]) -> list[Measurement]:
    """Measure the window in processes that *command* starts."""
    with tempfile.TemporaryDirectory() as home:

        def ask(what: str, *names: str) -> dict[str, Any]:
            return asked_of_fresh_process([*command, "bench", what, *names], Path(home))

        tell(FIRST_FRAME)
        first_frames = []
        for _ in range(1 + RUNS):
            started = time.time()
            first_frames.append(ask("first-frame")["first_frame_at"] - started)
        figures = [measurement_of(ASKED, FIRST_FRAME, None, median(first_frames[1:]), "s")]
        for game in games:
            tell(f"{game.title}: the table")
            seen = [ask("watch", "table", game.name) for _ in range(2)][1]
            for name, times in ((FRAME_TIME, "frame_times"), (STUDY_FRAME_TIME, "frame_times_studying")):
                frames = sorted(seen[times])
                figures.append(measurement_of(ASKED, name, game.name, 1000 * frames[len(frames) * 99 // 100], "ms"))
            figures.append(measurement_of(ASKED, IDLE_CPU, game.name, 100 * seen["idle_share"], "%"))
            figures.append(measurement_of(ASKED, MEMORY, game.name, seen["memory"], "MiB"))
            tell(f"{game.title}: the scenes")
            figures += _frames(ask("watch", "scenes", game.name), game.name)
            figures += _smooth(REDRAWN_FRAME, ask("watch", "redrawing", game.name), game.name)
        tell("the scenes that show no game")
        figures += _frames(ask("watch", "scenes"), None)
        figures += _smooth(REDRAWN_FRAME, ask("watch", "redrawing"), None)
        tell("the pages that scroll")
        figures += _smooth(SCROLLING_FRAME, ask("watch", "scrolling"), None)
    return figures


def _frames(seen: Mapping[str, Any], game: str | None) -> Iterator[Measurement]:
    for scene, times in seen.items():
        for figure, kind, asked in ((COLD_FRAME, "cold", 100.0), (SHOWN, "shown", None), (WARM_FRAME, "warm", 33.0)):
            note = times["deed"] if figure is WARM_FRAME else ""
            yield Measurement(figure.format(scene=scene), game, 1000 * times[kind], "ms", asked, note)


def _smooth(figure: str, seen: Mapping[str, Mapping[str, float]], game: str | None) -> Iterator[Measurement]:
    for scene, times in seen.items():
        yield Measurement(figure.format(scene=scene), game, 1000 * times["most"], "ms", SMOOTH)
