"""What a canvas has recorded, drawn several times too large and scaled down: band by band, so that it can be paused.

A band and its samples stay in the processor's cache. Lengths are samples, colours premultiplied by their opacity.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
import pygame

from papan.game.base.large_arrays import large_array

Ink = tuple[int, int, int, int]
Place = tuple[int, int]
"""A sample's place."""

Memory = Any
"""A ``numpy`` array of bytes."""
Painting = Generator[None, None, pygame.Surface]
"""The making of a picture, which can be paused after each of its parts; it returns the picture."""

BOX_PASSES = 3
"""So many box blurs look as a Gaussian one, in a quarter of the time."""
_BAND = 1 << 18
"""Samples of a band: a few milliseconds of work."""
_SOFT_BAND = 1 << 16
"""The same where something in it is blurred, which takes several times as long."""
_LEAST_ROWS = 8
_PART = 64
"""Small shapes drawn at once: a few milliseconds of work."""
_EFFORT_SAMPLES = 1 << 14
"""Filling so many samples takes as long as beginning a shape."""
_FEW_CORNERS = 32
"""And so do so many corners of a polygon."""
_BLURRED = 1 << 16
"""The number of pixels that are blurred at once."""
_MEMORY = 4 * _BAND
"""Bytes of a band of the usual size."""
_MOST_FREE = 9
"""So many blocks of that size are kept for reuse: the bands of three pictures."""
_LARGE = 1 << 18
"""The number of pixels from which a surface is large."""
_FORMAT: Literal["BGRA", "ARGB"] = "BGRA" if sys.byteorder == "little" else "ARGB"
"""Of a surface with SRCALPHA: the order of its bytes."""


def finished(painting: Painting) -> pygame.Surface:
    """The picture that *painting* makes, without a pause."""
    while True:
        try:
            next(painting)
        except StopIteration as end:
            picture: pygame.Surface = end.value
            return picture


def blank(size: tuple[int, int]) -> pygame.Surface:
    """A transparent surface. A large one, which is soon gone, leaves no hole in the heap."""
    if size[0] * size[1] < _LARGE:
        return pygame.Surface(size, pygame.SRCALPHA)
    return pygame.image.frombuffer(large_array(4 * size[0] * size[1], np.uint8), size, _FORMAT)


class Polygon:
    """A polygon whose corners are samples: those that *points* lie in."""

    def __init__(self, points: Sequence[tuple[float, float]]) -> None:
        self.places = floored(points)
        rows = [y for _, y in self.places]
        self.top, self.bottom = min(rows), max(rows)
        """Its first and its last row."""

    @property
    def shapes(self) -> float:
        """The effort of drawing it, in polygons of few corners."""
        return 1 + len(self.places) / _FEW_CORNERS

    def seen_from(self, place: Place) -> list[Place]:
        """Its corners as seen from *place*."""
        left, top = place
        return [(x - left, y - top) for x, y in self.places]


def floored(points: Sequence[tuple[float, float]]) -> list[Place]:
    """The samples that *points* lie in."""
    return [(math.floor(x), math.floor(y)) for x, y in points]


class Band:
    """Some rows of the samples, with two sheets of the same size to draw on.

    Their memory is reused from band to band and from picture to picture: allocating it takes longer than drawing a
    small picture.
    """

    _free: ClassVar[list[Memory]] = []

    def __init__(self, size: tuple[int, int]) -> None:
        self._memory: list[Memory] = []
        self._surface = self._undrawn(size)
        self._sheets = [self._undrawn(size) for _number in range(2)]
        self.rows = pygame.Rect(0, 0, 0, 0)
        """The rows, as a rectangle of the whole picture's samples."""
        self.samples = self._surface

    @classmethod
    @contextmanager
    def of(cls, size: tuple[int, int]) -> Iterator[Band]:
        """Yield a band; its memory is free afterwards."""
        band = cls(size)
        try:
            yield band
        finally:
            band.release()

    def _undrawn(self, size: tuple[int, int]) -> pygame.Surface:
        """A surface with anything on it."""
        count = 4 * size[0] * size[1]
        if count > _MEMORY:
            return blank(size)
        memory = self._free.pop() if self._free else large_array(_MEMORY, np.uint8)
        self._memory.append(memory)
        return pygame.image.frombuffer(memory[:count], size, _FORMAT)

    def release(self) -> None:
        """Free its memory for other bands."""
        self._free.extend(self._memory[: _MOST_FREE - len(self._free)])
        self._memory.clear()

    def begin(self, rows: pygame.Rect) -> None:
        """Go on with *rows*, still transparent."""
        self.rows = rows
        self.samples = self._surface.subsurface((0, 0, *rows.size))
        self.samples.fill((0, 0, 0, 0))

    def sheet(self, size: tuple[int, int], number: int = 0) -> pygame.Surface:
        """A transparent sheet of *size*, which is no larger than the band."""
        sheet = self._sheets[number].subsurface((0, 0, *size))
        sheet.fill((0, 0, 0, 0))
        return sheet

    def lay(self, sheet: pygame.Surface, at: Place) -> None:
        """Lay *sheet* with its corner *at* a sample of the whole picture over what is there."""
        self.samples.blit(sheet, (at[0], at[1] - self.rows.y), special_flags=pygame.BLEND_PREMULTIPLIED)


class Stroke(Protocol):
    """Something recorded that can be drawn again for every band it reaches into."""

    @property
    def box(self) -> pygame.Rect:
        """The rectangle outside which nothing is drawn."""

    @property
    def shapes(self) -> float:
        """How many shapes there are to fill, each of few corners."""

    def draw(self, band: Band) -> None:
        """Draw its part of *band*."""


@dataclass
class Fill:
    """Polygons and circles of one ink, which lies as deep where they overlap."""

    box: pygame.Rect
    ink: Ink
    polygons: list[Polygon] = field(default_factory=list)
    circles: list[tuple[Place, float]] = field(default_factory=list)

    @property
    def shapes(self) -> float:
        return len(self.circles) + sum(polygon.shapes for polygon in self.polygons)

    def draw(self, band: Band) -> None:
        """Draw at once where the ink is opaque; else over what is there, by a sheet of its own."""
        if self.ink[3] == 255:
            self._fill(band.samples, band.rows.topleft)
            return
        part = self.box.clip(band.rows)
        if part.w and part.h:
            sheet = band.sheet(part.size)
            self._fill(sheet, part.topleft)
            band.lay(sheet, part.topleft)

    def _fill(self, surface: pygame.Surface, at: Place) -> None:
        top, bottom = at[1], at[1] + surface.get_height()
        for polygon in self.polygons:
            if polygon.top < bottom and polygon.bottom >= top:
                pygame.draw.polygon(surface, self.ink, polygon.seen_from(at))
        for (x, y), radius in self.circles:
            if y - radius <= bottom and y + radius >= top:
                pygame.draw.circle(surface, self.ink, (x - at[0], y - at[1]), radius)


@dataclass
class Hole:
    """A polygon where nothing is left of what was recorded before it."""

    box: pygame.Rect
    polygon: Polygon

    @property
    def shapes(self) -> float:
        return self.polygon.shapes

    def draw(self, band: Band) -> None:
        """Take away what is there."""
        pygame.draw.polygon(band.samples, (0, 0, 0, 0), self.polygon.seen_from(band.rows.topleft))


@dataclass
class Gradient:
    """A polygon whose ink runs from one above to one below."""

    box: pygame.Rect
    polygon: Polygon
    upper: Ink
    lower: Ink

    @property
    def shapes(self) -> float:
        return self.polygon.shapes

    @cached_property
    def _drawn(self) -> pygame.Rect:
        """The rectangle that the polygon fills, its right and lower edge included."""
        xs, polygon = [x for x, _ in self.polygon.places], self.polygon
        return pygame.Rect(min(xs), polygon.top, max(xs) - min(xs) + 1, polygon.bottom - polygon.top + 1)

    @cached_property
    def _shades(self) -> pygame.Surface:
        ends = pygame.Surface((1, 2), pygame.SRCALPHA)
        ends.set_at((0, 0), self.upper)
        ends.set_at((0, 1), self.lower)
        return pygame.transform.smoothscale(ends, (1, self._drawn.h))

    def draw(self, band: Band) -> None:
        """Draw over what is there."""
        part = self._drawn.clip(band.rows)
        if not part.w or not part.h:
            return
        sheet, shades = band.sheet(part.size), band.sheet(part.size, 1)
        pygame.draw.polygon(sheet, (255, 255, 255, 255), self.polygon.seen_from(part.topleft))
        rows = self._shades.subsurface((0, part.y - self._drawn.y, 1, part.h))
        sheet.blit(pygame.transform.scale(rows, part.size, shades), (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
        band.lay(sheet, part.topleft)


@dataclass
class Softening:
    """A blur, of *reach* to every side, of all that was recorded before it."""

    box: pygame.Rect
    reach: int
    shapes = 0.0

    def draw(self, band: Band) -> None:
        """Draw nothing: what lies below is blurred while it is alone."""


@dataclass
class Layer:
    """Strokes, one above the other, and by how much they are blurred at their real size, with all that lies below."""

    strokes: list[Stroke] = field(default_factory=list)
    boxes: Sequence[int] = ()
    """How far each box blur reaches, in pixels."""

    def painting(self, size: tuple[int, int], samples: int, below: pygame.Surface | None) -> Painting:
        """The layer on *below*, which may be drawn on, in pixels of *samples* × *samples* samples."""
        picture = blank(size) if below is None else below
        is_soft = any(isinstance(stroke, Softening) for stroke in self.strokes)
        height, parts = size[1] * samples, bands(size, samples, _SOFT_BAND if is_soft else _BAND)
        with Band.of((size[0] * samples, parts[0].h * samples)) as band:
            for rows in parts:
                part = picture.subsurface(rows)
                band.begin(pygame.Rect(0, rows.y * samples, rows.w * samples, rows.h * samples))
                if any(stroke.box.colliderect(band.rows) for stroke in self.strokes):
                    yield from _drawing(self.strokes, band, height)
                    if below is None:
                        pygame.transform.smoothscale(band.samples, rows.size, part)
                    else:
                        drawn = pygame.transform.smoothscale(band.samples, rows.size)
                        part.blit(drawn, (0, 0), special_flags=pygame.BLEND_PREMULTIPLIED)
                yield
        for box in self.boxes:
            picture = yield from _blurring(picture, box)
        return picture


def bands(size: tuple[int, int], samples: int, most: int = _BAND) -> list[pygame.Rect]:
    """The bands in which a picture of *size* is drawn, from the top, of so many samples at *most*, if that can be."""
    height = max(_LEAST_ROWS, most // (size[0] * samples**2))
    return [pygame.Rect(0, top, size[0], min(height, size[1] - top)) for top in range(0, size[1], height)]


def _blurring(picture: pygame.Surface, reach: int) -> Painting:
    """The box blur of *picture* over *reach* pixels, some of its rows after the other."""
    blurred = blank(picture.get_size())
    for rows in bands(picture.get_size(), 1, _BLURRED):
        around = rows.inflate(0, 2 * reach).clip(picture.get_rect())
        soft = pygame.transform.box_blur(picture.subsurface(around), reach)
        part = pygame.Rect(0, rows.y - around.y, *rows.size)
        blurred.blit(soft, rows, part, special_flags=pygame.BLEND_RGBA_ADD)  # onto nothing: it is copied
        yield
    return blurred


def _drawing(strokes: Sequence[Stroke], band: Band, height: int) -> Iterator[None]:
    """The drawing of *strokes* on a *band* of a picture of this *height*, which can be paused."""
    for index in range(len(strokes) - 1, -1, -1):
        softening = strokes[index]
        if isinstance(softening, Softening):
            yield from _drawing_soft(strokes[:index], softening.reach, band, height)
            strokes = strokes[index + 1 :]
            break
    effort = 0.0
    for stroke in strokes:
        if stroke.box.colliderect(band.rows):
            seen = stroke.box.clip(band.rows)
            effort += stroke.shapes + seen.w * seen.h / _EFFORT_SAMPLES
            if effort > _PART:
                yield
                effort = 0.0
            stroke.draw(band)


def _drawing_soft(strokes: Sequence[Stroke], reach: int, band: Band, height: int) -> Iterator[None]:
    """The drawing of *strokes* on *band*, blurred together with what lies around it."""
    around = band.rows.inflate(0, 2 * BOX_PASSES * reach).clip((0, 0, band.rows.w, height))
    with Band.of(around.size) as wider:
        wider.begin(around)
        yield from _drawing(strokes, wider, height)
        soft = wider.samples
        for _pass in range(BOX_PASSES):
            yield
            soft = pygame.transform.box_blur(soft, reach)
    band.lay(soft.subsurface((0, band.rows.y - around.y, *band.rows.size)), band.rows.topleft)


def straighten(surface: pygame.Surface) -> None:
    """Make *surface*, premultiplied, what ordinary blits want: only its half-transparent pixels change."""
    alpha = pygame.surfarray.pixels_alpha(surface)
    partly = (alpha > 0) & (alpha < 255)
    if partly.any():
        colours = pygame.surfarray.pixels3d(surface)
        share = alpha[partly].astype(np.uint16)[:, None]
        colours[partly] = np.minimum(255, colours[partly].astype(np.uint16) * 255 // share).astype(np.uint8)
