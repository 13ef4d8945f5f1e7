"""Checks of the texts of a drawn scene: cut off, overlapping, outside the window, or with too little contrast."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pygame

from papan.ui.drawing.theme import Colour, contrast
from papan.ui.scenes import Scene
from papan.ui.window.program import Program

_SHARE_OF_LINE = 0.5
"""The share of a line's height that letters fill, so that close lines do not count as crossing."""
_LEAST_CROSSING = 2


class Fault(NamedTuple):
    """A text that is hard to read."""

    kind: str
    text: str
    other: str = ""
    """The shown part of a cut text, or the text that it crosses."""

    def __str__(self) -> str:
        return f"{self.kind}: {self.text!r}" + (f" / {self.other!r}" if self.other else "")


class Written:
    """A ``Witness`` that records cut texts, and the places of all texts."""

    def __init__(self) -> None:
        self._cut: dict[str, str] = {}
        self._shown: list[str] = []
        self._places: list[tuple[str, pygame.Rect]] = []
        self._size = (0, 0)

    def is_cut(self, text: str, shown: str) -> None:
        if shown not in self._cut or len(text) > len(self._cut[shown]):
            self._cut[shown] = text

    def will_be_written(self, surface: pygame.Surface, text: str, rect: pygame.Rect, ink: Colour) -> None:
        """Ignored; see ``Contrasts``."""

    def is_written(self, surface: pygame.Surface, text: str, rect: pygame.Rect) -> None:
        self._shown.append(text)
        top = surface.get_abs_parent()
        if top.get_size() == self._size and rect.w and text.strip():
            here = rect.move(surface.get_abs_offset())
            clip = surface.get_clip().move(surface.get_abs_offset())
            if clip.size == surface.get_size() or clip.contains(here):  # lists scroll under their edges
                self._places.append((text, here))

    def look_at(self, scene: Scene, surface: pygame.Surface) -> list[Fault]:
        """Draw *scene* on *surface*, and return the faults; texts must fit on the surface."""
        self._shown, self._places, self._size = [], [], surface.get_size()
        scene.draw(surface)
        scene.widgets.draw(surface)
        found = [Fault("cut", self._cut[text], text) for text in self._shown if text in self._cut]
        found += [Fault("beyond", text) for text, rect in self._places if not surface.get_rect().contains(rect)]
        found += self._crossing()
        return list(dict.fromkeys(found))

    def _crossing(self) -> Iterator[Fault]:
        places = sorted(
            ((text, _letters(rect)) for text, rect in self._places), key=lambda place: (place[1].top, place[1].left)
        )
        for number, (text, rect) in enumerate(places):
            for other, beside in places[number + 1 :]:
                if beside.top >= rect.bottom:
                    break
                both = rect.clip(beside)
                if both.w >= _LEAST_CROSSING and both.h >= _LEAST_CROSSING and (text, rect) != (other, beside):
                    yield Fault("crossing", text, other)


def _letters(rect: pygame.Rect) -> pygame.Rect:
    return rect.inflate(0, -round(rect.h * (1 - _SHARE_OF_LINE)))


def faults_of(program: Program, written: Written) -> list[Fault]:
    """The faults of texts of the topmost scene of *program*, whose witness is *written*."""
    scene = program.app.scene
    assert scene is not None
    surface = pygame.Surface(scene.widgets.page.area.size, 0, program.app.surface)
    return written.look_at(scene, surface)


LEAST_CONTRAST = 4.5  # of a text to its background, except in disabled widgets
_WORST_SHARE = 0.1
"""The share of the pixels below a text that may have less contrast: a line, or an edge of the background."""
_LEAST_OPAQUE = 0.8  # the share of the pixels below a text on a picture that must be opaque, or it is not measured
_OPAQUE = 250


class Standing(NamedTuple):
    """A text, and its contrast."""

    contrast: float
    text: str
    ink: Colour
    ground: Colour

    def __str__(self) -> str:
        ink, ground = (f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in (self.ink[:3], self.ground[:3]))
        return f"{self.contrast:.2f}: {self.text!r}, {ink} on {ground}"


class Contrasts:
    """A ``Witness`` that measures the contrast of each text before it is written."""

    def __init__(self) -> None:
        self.found: list[Standing] = []
        self._is_excepted = False

    def is_cut(self, text: str, shown: str) -> None:
        """Ignored."""

    def is_written(self, surface: pygame.Surface, text: str, rect: pygame.Rect) -> None:
        """Ignored: the background is already covered."""

    def will_be_written(self, surface: pygame.Surface, text: str, rect: pygame.Rect, ink: Colour) -> None:
        seen = rect.clip(surface.get_clip()).clip(surface.get_rect())
        if self._is_excepted or not text.strip() or not seen.w or not seen.h:
            return
        ground = _ground(surface.subsurface(seen), ink)
        if ground is not None:
            self.found.append(Standing(contrast(_laid_on(ink, ground), ground), text, ink, ground))

    def look_at(self, program: Program) -> list[Standing]:
        """The texts of the topmost scene of *program*, whose witness this is, the lowest contrast first."""
        app = program.app
        scene = app.scene
        assert scene is not None
        surface = pygame.Surface(app.surface.get_size(), 0, app.surface)
        surface.fill(app.theme.background)
        self.found = []
        app.paint.pictures.clear()  # so that texts on them are written, and measured, again
        scene.draw(surface)
        for widget in scene.widgets.all:
            if widget.is_visible:
                self._is_excepted = not widget.is_enabled
                widget.draw(surface)
        self._is_excepted = False
        return sorted(set(self.found))


def _ground(below: pygame.Surface, ink: Colour) -> Colour | None:
    """The colour *below* a text with the least contrast to *ink*, except in a few pixels; None if it is transparent."""
    pixels = pygame.surfarray.array3d(below).reshape(-1, 3)
    if below.get_flags() & pygame.SRCALPHA:
        is_there = pygame.surfarray.array_alpha(below).reshape(-1) >= _OPAQUE
        if is_there.mean() < _LEAST_OPAQUE:
            return None
        pixels = pixels[is_there]
    grounds, counts = np.unique(pixels.astype(np.int64) @ (1 << 16, 1 << 8, 1), return_counts=True)
    colours: list[Colour] = [(ground >> 16, ground >> 8 & 255, ground & 255) for ground in grounds.tolist()]
    worst = sorted(zip(colours, counts, strict=True), key=lambda one: contrast(_laid_on(ink, one[0]), one[0]))
    seen = 0
    for colour, count in worst:
        seen += int(count)
        if seen > _WORST_SHARE * len(pixels):
            return colour
    return None


def _laid_on(ink: Colour, ground: Colour) -> Colour:
    """The colour of *ink* on *ground*, blended if *ink* is translucent."""
    if len(ink) == 3 or ink[3] == 255:
        return ink
    share = ink[3] / 255
    red, green, blue = (round(a * share + b * (1 - share)) for a, b in zip(ink[:3], ground[:3], strict=True))
    return red, green, blue
