"""A window that shows a plain scene."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pygame
import pytest

from papan.ui.scenes import Scene
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.shortcuts import Shortcut
from papan.ui.window.app import App
from tests.ui.hands import Hands

collect_ignore = ["screen_reader_client.py"]  # another Python runs it


@pytest.fixture
def plain(hands: Hands) -> Plain:
    scene = Plain(hands.app)
    hands.show(scene)
    return scene


class Plain(Scene):
    """A scene with one button that counts its presses, builds and entries, and can be told to fail."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.presses = 0
        self.fails = ""
        self.seconds: list[float] = []
        self.areas: list[tuple[int, int]] = []
        self.builds = self.entries = 0
        self.was_left = threading.Event()
        self.animates = False

    def _fail_if(self, where: str) -> None:
        if self.fails == where:
            raise RuntimeError(f"failed to {where}")

    def build(self) -> None:
        self.builds += 1
        self._fail_if("build")
        self.button = self.widgets.add(Button("Press", self._press, name="press"))

    def layout(self, area: pygame.Rect) -> None:
        self.areas.append(area.size)
        self.button.place(pygame.Rect(100, 100, 120, 40))

    def _press(self) -> None:
        self._fail_if("press")
        self.presses += 1

    def update(self, seconds: float) -> None:
        self._fail_if("update")
        self.seconds.append(seconds)

    def draw(self, surface: pygame.Surface) -> None:
        self._fail_if("draw")

    @property
    def is_animating(self) -> bool:
        return self.animates

    def enter(self) -> None:
        self.entries += 1

    def leave(self) -> None:
        self.was_left.set()

    def shortcuts(self) -> Sequence[Shortcut]:
        return (Shortcut("P", "press", self._press),)
