"""The window's figures, from processes that open it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
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
GAME_SCENES = (
    "new game", "position editor", "table", "resumed table", "ending", "review", "review figures", "review course",
    "review depth", "why", "exercise", "puzzle", "rules",
    "laboratory",
)  # fmt: skip
"""Scenes that are others for each game; some games lack one."""
OTHER_SCENES = (
    "home", "hand over", "settings", "engines", "about", "statistics", "library", "puzzles", "name dialog",
    "opening files", "saving a file", "keys", "message", "waiting", "paused", "error", "not saved",
)  # fmt: skip
SCENES = (*GAME_SCENES, *OTHER_SCENES)
COLD_FRAME = "own time of the first frame of all: {scene}"
SHOWN = "own time until all of it is shown the first time: {scene}"
WARM_FRAME = "own time of the longest later frame: {scene}"
SCROLLING_FRAME = "frame time, 99 of 100, while the wheel scrolls: {scene}"
REDRAWN_FRAME = "own time, 99 of 100 frames, drawn anew at 1920×1080: {scene}"

ASKED: Asked = {
    (FIRST_FRAME, None): 0.6,
    (FRAME_TIME, None): 16.7,
    (STUDY_FRAME_TIME, None): 16.7,
    (IDLE_CPU, None): 2.0,
    (MEMORY, None): 400,
    **{(COLD_FRAME.format(scene=scene), None): 100.0 for scene in SCENES},
    **{(WARM_FRAME.format(scene=scene), None): 33.0 for scene in SCENES},
    **{(SCROLLING_FRAME.format(scene=scene), None): 16.7 for scene in SCENES},
    **{(REDRAWN_FRAME.format(scene=scene), None): 16.7 for scene in SCENES},
}


def measure(games: Sequence[Game], command: Sequence[str], tell: Callable[[str], None]) -> list[Measurement]:
    """The figures of the window, from processes that open it; parameters as in ``dev.bench.measure``.

    :raises FreshProcessError: there is no display, for example.
    """
    with tempfile.TemporaryDirectory() as home:

        def ask(what: str, *names: str) -> dict[str, Any]:
            return asked_of_fresh_process([*command, "bench", what, *names], Path(home))

        tell(FIRST_FRAME)
        first_frames = [_seconds_to_first_frame(command, Path(home)) for _ in range(1 + RUNS)]
        figures = [measurement_of(ASKED, FIRST_FRAME, None, median(first_frames[1:]), "s")]
        for game in games:
            tell(f"{game.title}: the table")
            seen = [ask("watch-table", game.name) for _ in range(2)][1]
            for name, times in ((FRAME_TIME, "frame_times"), (STUDY_FRAME_TIME, "frame_times_studying")):
                frames = sorted(seen[times])
                figures.append(measurement_of(ASKED, name, game.name, 1000 * frames[len(frames) * 99 // 100], "ms"))
            figures.append(measurement_of(ASKED, IDLE_CPU, game.name, 100 * seen["idle_share"], "%"))
            if seen["memory"] is not None:
                figures.append(measurement_of(ASKED, MEMORY, game.name, seen["memory"], "MiB"))
            tell(f"{game.title}: the scenes")
            figures += _frames(ask("watch-scenes", game.name), game.name)
            figures += _redrawn(ask("watch-redrawing", game.name), game.name)
        tell("the scenes that show no game")
        figures += _frames(ask("watch-scenes"), None)
        figures += _redrawn(ask("watch-redrawing"), None)
        tell("the pages that scroll")
        for scene, times in ask("watch-scrolling").items():
            figures.append(measurement_of(ASKED, SCROLLING_FRAME.format(scene=scene), None, 1000 * times["most"], "ms"))
    return figures


def _frames(seen: Mapping[str, Any], game: str | None) -> list[Measurement]:
    return [
        measurement_of(
            ASKED,
            figure.format(scene=scene),
            game,
            1000 * times[kind],
            "ms",
            times["deed"] if figure is WARM_FRAME else "",
        )
        for scene, times in seen.items()
        for figure, kind in ((COLD_FRAME, "cold"), (SHOWN, "shown"), (WARM_FRAME, "warm"))
    ]


def _redrawn(seen: Mapping[str, Mapping[str, float]], game: str | None) -> list[Measurement]:
    return [
        measurement_of(ASKED, REDRAWN_FRAME.format(scene=scene), game, 1000 * times["most"], "ms")
        for scene, times in seen.items()
    ]


def _seconds_to_first_frame(command: Sequence[str], home: Path) -> float:
    started = time.time()
    shown: float = asked_of_fresh_process([*command, "bench", "first-frame"], home)["first_frame_at"]
    return shown - started
