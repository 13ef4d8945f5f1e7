"""``python -m dev.elements`` measures what a screen reader costs: processor milliseconds a frame, by scene and game.

The first tree of a scene is made once, when a screen reader or the scene comes; then only what has changed is told.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import click
import pygame

from dev.pictures.__main__ import drawing
from dev.scenery import STOPS, fill_library, go_to, settle
from papan.game.base.sentences import figures
from papan.game.catalogue import GALLERY
from papan.lab.printing import numbers, table, texts
from papan.self_test import FRAME_SECONDS
from papan.ui.scenes import Scene
from papan.ui.window.screen_reader import ScreenReader

SCENES = ("home", "new game", "resumed table", "review", "puzzles", "library", "settings")
_FRAMES = 60


class _Adapter:
    def update_if_active(self, factory: Callable[[], Any]) -> None:
        factory()


class Timed(ScreenReader):
    """A screen reader that keeps the time of each frame."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds: list[float] = []

    def open(self, window: pygame.Window) -> None:
        import accesskit

        self._kit, self._adapter = accesskit, _Adapter()
        self.begin()

    def show(self, scene: Scene, notice: str) -> None:
        started = time.process_time()
        super().show(scene, notice)
        self.seconds.append(time.process_time() - started)


@click.command()
def elements() -> None:
    """Print the milliseconds of the first tree and of later frames."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    reader = Timed()
    rows: list[list[str]] = []
    with drawing(screen_reader=reader) as program:
        fill_library(program, 3)
        for game in GALLERY.values():
            for name in SCENES:
                reader.begin()
                reader.seconds.clear()
                go_to(program, STOPS[name], game)
                settle(program, 2.0, 0.1)
                first = max(reader.seconds)
                reader.seconds.clear()
                for _frame in range(_FRAMES):
                    program.app.invalidate()
                    program.app.step(FRAME_SECONDS, [])
                later, many = median(reader.seconds), len(reader.elements)
                rows.append([name, game.name, figures(1000 * first, ".1f"), figures(1000 * later, ".2f"), str(many)])
    table([*texts("scene", "game"), *numbers("first", "later", "elements")], rows)


if __name__ == "__main__":
    elements()
