"""The looks that a scene can have: sizes, scales, themes, languages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import pygame

from papan.self_test import FRAME_SECONDS
from papan.ui.drawing.theme import THEMES
from papan.ui.texts import NAMES
from papan.ui.window.program import Program

SIZES = ((1024, 640), (1280, 800))  # of the window, in its own pixels: at a larger scale less has room in it
SCALES = (1.0, 1.5, 2.0)
_FRAMES = 8


@dataclass(frozen=True)
class Look:
    size: tuple[int, int] = SIZES[0]
    scale: float = 1.0
    theme: str = "light"
    language: str = "en"

    def __str__(self) -> str:
        width, height = self.size
        return f"{width}x{height}, {self.scale:.0%}, {self.theme}, {self.language}"

    @property
    def file_name(self) -> str:
        width, height = self.size
        return f"{width}x{height}-{100 * self.scale:.0f}-{self.theme.replace(' ', '-')}-{self.language}"


@dataclass(frozen=True)
class Looks:
    """All that go together of these; by default every look with the usual scale."""

    sizes: Sequence[tuple[int, int]] = SIZES
    scales: Sequence[float] = SCALES[:1]
    themes: Sequence[str] = tuple(THEMES)
    languages: Sequence[str] = tuple(NAMES)

    def of_language(self, language: str) -> Iterator[Look]:
        for size, scale, theme in product(self.sizes, self.scales, self.themes):
            yield Look(size, scale, theme, language)


def put_on(program: Program, look: Look) -> None:
    app = program.app
    app.window.size = look.size
    app.settings.scale, app.settings.theme = look.scale / app.system_scale, look.theme
    app.settings.language = look.language
    app.step(FRAME_SECONDS, [pygame.event.Event(pygame.WINDOWSIZECHANGED, x=app.window.size[0], y=app.window.size[1])])
    app.apply_settings()


def draw_whole(program: Program, frames: int = _FRAMES) -> pygame.Surface:
    """The window of *program* after so many *frames*, all of it anew."""
    for _ in range(frames):
        program.app.step(FRAME_SECONDS, [])
    program.app.invalidate()
    program.app.step(FRAME_SECONDS, [])
    return program.app.surface


def draw_page(program: Program) -> pygame.Surface:
    """The page of the topmost scene of *program* as a whole, however high it is."""
    scene, window = program.app.scene, draw_whole(program, 1)
    if scene is None or scene.is_overlay or scene.widgets.page.is_whole:
        return window
    page = pygame.Surface(scene.widgets.page.area.size, 0, window)
    page.fill(program.app.theme.background)
    scene.draw(page)
    scene.widgets.draw(page)
    return page
