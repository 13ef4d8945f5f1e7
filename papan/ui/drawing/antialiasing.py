"""Supersampling: paints the shapes recorded by a canvas at a multiple of the size, and scales the result down.

It works in bands of rows, which fit into the processor's cache and between which it can be paused. Lengths are in
samples; colours are premultiplied by opacity.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
import pygame

from papan.game.base.large_arrays import large_array

Ink = tuple[int, int, int, int]
Place = tuple[int, int]
"""A sample's column and row."""

Memory = Any
"""A ``numpy`` array of bytes."""
Painting = Generator[None, None, pygame.Surface]
"""A generator that paints a picture, can be paused between its parts, and returns the picture."""

BOX_PASSES = 3
"""This many box blurs look like a Gaussian blur, in a quarter of the time."""
_BAND = 1 << 18
"""The samples of a band: a few milliseconds of work."""
_SOFT_BAND = 1 << 16
"""The samples of a band with blurring, which takes several times as long."""
_LEAST_ROWS = 8
_PART = 64
"""Small shapes drawn between two pauses: a few milliseconds of work."""
_EFFORT_SAMPLES = 1 << 14
"""Filling this many samples takes as long as the overhead of a shape."""
_FEW_CORNERS = 32
"""So does drawing this many corners of a polygon."""
_BLURRED = 1 << 16
"""The number of pixels blurred between two pauses."""
_MEMORY = 4 * _BAND
"""The bytes of a band of the usual size."""
_MOST_FREE = 9
"""The most blocks of that size kept for reuse: the bands of three pictures."""
_LARGE = 1 << 18
"""The least number of pixels of a large surface."""
_FORMAT: Literal["BGRA", "ARGB"] = "BGRA" if sys.byteorder == "little" else "ARGB"
"""The byte order of a surface with SRCALPHA."""


def finished(painting: Painting) -> pygame.Surface:
    """Run *painting* to its end without a pause; return the picture."""
    while True:
        try:
            next(painting)
        except StopIteration as end:
            picture: pygame.Surface = end.value
            return picture


def blank(size: tuple[int, int]) -> pygame.Surface:
    """A transparent surface; a large one is allocated so that it does not fragment the heap."""
    if size[0] * size[1] < _LARGE:
        return pygame.Surface(size, pygame.SRCALPHA)
    return pygame.image.frombuffer(large_array(4 * size[0] * size[1], np.uint8), size, _FORMAT)


class Polygon:
    """A polygon whose corners are the samples that contain *points*."""

    def __init__(self, points: Sequence[tuple[float, float]]) -> None:
        self.places = floored(points)
        rows = [y for _, y in self.places]
        self.top, self.bottom = min(rows), max(rows)
        """The first and last row."""

    @property
    def shapes(self) -> float:
        """The effort of drawing it, in simple shapes."""
        return 1 + len(self.places) / _FEW_CORNERS

    def seen_from(self, place: Place) -> list[Place]:
        """Its corners relative to *place*."""
        left, top = place
        return [(x - left, y - top) for x, y in self.places]


def floored(points: Sequence[tuple[float, float]]) -> list[Place]:
    """The samples that contain *points*."""
    return [(math.floor(x), math.floor(y)) for x, y in points]


class Band:
    """Some rows of samples, with two scratch surfaces of the same size.

    Their memory is reused for further bands and pictures: allocating it takes longer than drawing a small picture.
    """

    _free: ClassVar[list[Memory]] = []

    def __init__(self, size: tuple[int, int]) -> None:
        self._memory: list[Memory] = []
        self._surface = self._undrawn(size)
        self._sheets = [self._undrawn(size) for _number in range(2)]
        self.rows = pygame.Rect(0, 0, 0, 0)
        """The band's rectangle in the whole picture's samples."""
        self.samples = self._surface

    @classmethod
    @contextmanager
    def of(cls, size: tuple[int, int]) -> Iterator[Band]:
        """Yield a band, and release its memory afterwards."""
        band = cls(size)
        try:
            yield band
        finally:
            band.release()

    def _undrawn(self, size: tuple[int, int]) -> pygame.Surface:
        count = 4 * size[0] * size[1]
        if count > _MEMORY:
            return blank(size)
        memory = self._free.pop() if self._free else large_array(_MEMORY, np.uint8)
        self._memory.append(memory)
        return pygame.image.frombuffer(memory[:count], size, _FORMAT)

    def release(self) -> None:
        self._free.extend(self._memory[: _MOST_FREE - len(self._free)])
        self._memory.clear()

    def begin(self, rows: pygame.Rect) -> None:
        """Move on to *rows*, all transparent."""
        self.rows = rows
        self.samples = self._surface.subsurface((0, 0, *rows.size))
        self.samples.fill((0, 0, 0, 0))

    def sheet(self, size: tuple[int, int], number: int = 0) -> pygame.Surface:
        """A transparent scratch surface of *size*, at most the band's."""
        sheet = self._sheets[number].subsurface((0, 0, *size))
        sheet.fill((0, 0, 0, 0))
        return sheet

    def lay(self, sheet: pygame.Surface, at: Place) -> None:
        """Blend *sheet* over the band, its corner *at* a sample of the whole picture."""
        self.samples.blit(sheet, (at[0], at[1] - self.rows.y), special_flags=pygame.BLEND_PREMULTIPLIED)


@dataclass
class Stroke:
    """A recorded drawing operation, drawn once for each band that it touches."""

    box: pygame.Rect

    @property
    def shapes(self) -> float:
        """The effort of drawing it, in simple shapes."""
        return 0.0

    def draw(self, band: Band) -> None:
        """Draw its part of *band*."""


@dataclass
class Fill(Stroke):
    """Polygons and circles of one colour, whose overlaps are not more opaque."""

    ink: Ink
    polygons: list[Polygon] = field(default_factory=list)
    circles: list[tuple[Place, float]] = field(default_factory=list)

    @property
    def shapes(self) -> float:
        return len(self.circles) + sum(polygon.shapes for polygon in self.polygons)

    def draw(self, band: Band) -> None:
        """Draw directly if opaque, else by blending a scratch surface."""
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
class Hole(Stroke):
    """A polygon that erases what was recorded before it."""

    polygon: Polygon

    @property
    def shapes(self) -> float:
        return self.polygon.shapes

    def draw(self, band: Band) -> None:
        pygame.draw.polygon(band.samples, (0, 0, 0, 0), self.polygon.seen_from(band.rows.topleft))


@dataclass
class Gradient(Stroke):
    """A polygon with a vertical gradient."""

    polygon: Polygon
    upper: Ink
    lower: Ink

    @property
    def shapes(self) -> float:
        return self.polygon.shapes

    @cached_property
    def _drawn(self) -> pygame.Rect:
        """The rectangle that the polygon fills, including its right and lower edge."""
        xs, polygon = [x for x, _ in self.polygon.places], self.polygon
        return pygame.Rect(min(xs), polygon.top, max(xs) - min(xs) + 1, polygon.bottom - polygon.top + 1)

    @cached_property
    def _shades(self) -> pygame.Surface:
        ends = pygame.Surface((1, 2), pygame.SRCALPHA)
        ends.set_at((0, 0), self.upper)
        ends.set_at((0, 1), self.lower)
        return pygame.transform.smoothscale(ends, (1, self._drawn.h))

    def draw(self, band: Band) -> None:
        part = self._drawn.clip(band.rows)
        if not part.w or not part.h:
            return
        sheet, shades = band.sheet(part.size), band.sheet(part.size, 1)
        pygame.draw.polygon(sheet, (255, 255, 255, 255), self.polygon.seen_from(part.topleft))
        rows = self._shades.subsurface((0, part.y - self._drawn.y, 1, part.h))
        sheet.blit(pygame.transform.scale(rows, part.size, shades), (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
        band.lay(sheet, part.topleft)


@dataclass
class Softening(Stroke):
    """A blur with radius *reach* of everything recorded before it; ``_drawing`` handles it."""

    reach: int


@dataclass
class Layer:
    """Strokes in drawing order, and the blur applied afterwards, at the real size, to them and the layers below."""

    strokes: list[Stroke] = field(default_factory=list)
    boxes: Sequence[int] = ()
    """The radius of each box blur, in pixels."""

    def painting(self, size: tuple[int, int], samples: int, below: pygame.Surface | None) -> Painting:
        """Paint the layer on *below*, which is modified; each pixel has *samples* × *samples* samples."""
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
    """The bands of a picture of *size*, from the top, each of at most *most* samples unless that is too few rows."""
    height = max(_LEAST_ROWS, most // (size[0] * samples**2))
    return [pygame.Rect(0, top, size[0], min(height, size[1] - top)) for top in range(0, size[1], height)]


def _blurring(picture: pygame.Surface, reach: int) -> Painting:
    """Blur *picture* with a box of radius *reach*, band by band."""
    blurred = blank(picture.get_size())
    for rows in bands(picture.get_size(), 1, _BLURRED):
        around = rows.inflate(0, 2 * reach).clip(picture.get_rect())
        soft = pygame.transform.box_blur(picture.subsurface(around), reach)
        part = pygame.Rect(0, rows.y - around.y, *rows.size)
        blurred.blit(soft, rows, part, special_flags=pygame.BLEND_RGBA_ADD)  # a copy, as the target is transparent
        yield
    return blurred


def _drawing(strokes: Sequence[Stroke], band: Band, height: int) -> Iterator[None]:
    """Draw *strokes* on a *band* of a picture of this *height*, with pauses."""
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
    """Draw *strokes* on *band*, blurred together with the surrounding rows."""
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
    """Convert *surface* from premultiplied to straight alpha; only its translucent pixels change."""
    alpha = pygame.surfarray.pixels_alpha(surface)
    partly = (alpha > 0) & (alpha < 255)
    if partly.any():
        colours = pygame.surfarray.pixels3d(surface)
        share = alpha[partly].astype(np.uint16)[:, None]
        colours[partly] = np.minimum(255, colours[partly].astype(np.uint16) * 255 // share).astype(np.uint8)
