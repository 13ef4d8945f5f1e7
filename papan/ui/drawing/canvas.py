"""Crisp vector drawing: drawn several times too large, then scaled down."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
import pygame

from papan.game.base.large_arrays import large_array
from papan.ui.drawing.theme import Colour

Point = tuple[float, float]

_MOST_SAMPLED_PIXELS = 6_000_000
"""No canvas is sampled beyond this many pixels: large boards need fewer samples than small icons."""
_LARGE = 1 << 18
"""The number of pixels from which a surface is large."""
_FORMAT: Literal["BGRA", "ARGB"] = "BGRA" if sys.byteorder == "little" else "ARGB"
"""Of a surface with SRCALPHA: the order of its bytes."""
_BOX_PASSES = 3
_BOX_SHARE = 0.35
"""Three box blurs of this share of a radius look as a Gaussian one, in a quarter of the time."""
_ARC_STEP = 0.5
"""How far the straight pieces of a curve may lie off the true one, in sampled pixels."""


class Canvas:
    """A transparent picture to draw on, in units of one's own.

    Its samples are premultiplied by their opacity, so that shadows, translucent colours and edges mix rightly.

    :param size: of the finished picture, in pixels.
    :param unit: how many pixels one unit is; icons draw in a grid of 20, boards in pixels (1).
    """

    def __init__(self, size: tuple[int, int], unit: float = 1.0) -> None:
        self.size = max(1, size[0]), max(1, size[1])
        pixels = self.size[0] * self.size[1]
        self.samples = max(2, min(4, math.isqrt(_MOST_SAMPLED_PIXELS // pixels)))
        self._unit = unit * self.samples
        self._surface = _blank((self.size[0] * self.samples, self.size[1] * self.samples))
        self._blurred: pygame.Surface | None = None
        """What lies below, at its real size."""

    def picture(self) -> pygame.Surface:
        """The picture at its real size, with straight alpha: blit it as any other."""
        return _with_straight_alpha(self._at_real_size())

    def _at_real_size(self) -> pygame.Surface:
        drawn = pygame.transform.smoothscale(self._surface, self.size)
        if self._blurred is None:
            return drawn
        together = self._blurred.copy()
        together.blit(drawn, (0, 0), special_flags=pygame.BLEND_PREMULTIPLIED)
        return together

    # ------------------------------------------------------------------------------------- filled

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        """A filled polygon."""
        sampled, box = self._sampled(points)
        self._paint(
            box,
            colour,
            lambda surface, ink, at: pygame.draw.polygon(surface, ink, [(x - at[0], y - at[1]) for x, y in sampled]),
        )

    def _sampled(self, points: Sequence[Point]) -> tuple[list[Point], pygame.Rect]:
        """*points* in samples, and the box around them.

        pygame fills a polygon up to and with its right and lower edge: a sample too much, taken off here.
        """
        xs, ys = [x * self._unit for x, _ in points], [y * self._unit for _, y in points]
        left, top = min(xs), min(ys)
        wide, high = max(xs) - left, max(ys) - top
        across = max(0.0, wide - 1) / wide if wide else 1.0
        down = max(0.0, high - 1) / high if high else 1.0
        sampled = [(left + (x - left) * across, top + (y - top) * down) for x, y in zip(xs, ys, strict=True)]
        box = pygame.Rect(math.floor(left), math.floor(top), math.ceil(wide) + 2, math.ceil(high) + 2)
        return sampled, box

    def circle(self, centre: Point, radius: float, colour: Colour) -> None:
        """A filled circle."""
        self.ellipse(centre, radius, radius, colour)

    def ellipse(self, centre: Point, radius_x: float, radius_y: float, colour: Colour) -> None:
        """A filled ellipse with upright axes."""
        self.polygon(self.arc_points(centre, radius_x, 0, 360, radius_y), colour)

    def rounded_rect(self, rect: Sequence[float], radius: float, colour: Colour) -> None:
        """A filled rectangle (x, y, width, height) with round corners."""
        self.polygon(self.rounded_points(rect, radius), colour)

    # --------------------------------------------------------------------------------------- lines

    def line(
        self, points: Sequence[Point], width: float, colour: Colour, closed: bool = False, dash: float = 0.0
    ) -> None:
        """A line through *points* with round ends and joints; *dash* is the length of a dash and of a gap."""
        path = [*points, points[0]] if closed else list(points)
        if dash:
            for piece in _dashes(path, dash):
                self.line(piece, width, colour)
            return
        half = width / 2
        xs, ys = [x for x, _ in path], [y for _, y in path]
        corner = ((min(xs) - half) * self._unit - 1, (min(ys) - half) * self._unit - 1)
        far = ((max(xs) + half) * self._unit + 1, (max(ys) + half) * self._unit + 1)
        box = pygame.Rect(math.floor(corner[0]), math.floor(corner[1]), 0, 0)
        box.size = math.ceil(far[0]) - box.x + 1, math.ceil(far[1]) - box.y + 1

        def stroke(surface: pygame.Surface, ink: Colour, at: tuple[int, int]) -> None:
            sampled = [(x * self._unit - at[0], y * self._unit - at[1]) for x, y in path]
            thickness = max(0.5, half * self._unit - 0.5)  # pygame draws both edges
            for start, end in pairwise(sampled):
                _draw_thick(surface, ink, start, end, thickness)
            for point in sampled:
                pygame.draw.circle(surface, ink, point, thickness)

        self._paint(box, colour, stroke)

    def ring(self, centre: Point, radius: float, width: float, colour: Colour, dash: float = 0.0) -> None:
        """A circle's line of *width*, its middle at *radius*."""
        self.arc(centre, radius, 0, 360, width, colour, dash)

    def arc(
        self, centre: Point, radius: float, start: float, end: float, width: float, colour: Colour, dash: float = 0.0
    ) -> None:
        """A part of a circle, in degrees clockwise from the right."""
        self.line(self.arc_points(centre, radius, start, end), width, colour, dash=dash)

    def outline(self, rect: Sequence[float], radius: float, width: float, colour: Colour, dash: float = 0.0) -> None:
        """The line of a rectangle with round corners, all of it inside *rect*."""
        x, y, w, h = rect
        inner = (x + width / 2, y + width / 2, w - width, h - width)
        self.line(self.rounded_points(inner, max(0.0, radius - width / 2)), width, colour, closed=True, dash=dash)

    # ------------------------------------------------------------------------------------- shading

    def gradient(self, points: Sequence[Point], top: Colour, bottom: Colour) -> None:
        """A polygon whose colour runs from *top* to *bottom*."""
        sampled, box = self._sampled(points)
        layer = _blank(box.size)
        drawn = pygame.draw.polygon(layer, (255, 255, 255, 255), [(x - box.x, y - box.y) for x, y in sampled])
        strip = pygame.Surface((1, 2), pygame.SRCALPHA)
        strip.set_at((0, 0), _premultiplied(top))
        strip.set_at((0, 1), _premultiplied(bottom))
        shades = pygame.transform.smoothscale(strip, drawn.size, _blank(drawn.size))
        layer.blit(shades, drawn, special_flags=pygame.BLEND_RGBA_MULT)
        self._surface.blit(layer, box, special_flags=pygame.BLEND_PREMULTIPLIED)

    def cut(self, centre: Point, radius: float) -> None:
        """Cut a round hole."""
        sampled, _box = self._sampled(self.arc_points(centre, radius, 0, 360))
        pygame.draw.polygon(self._surface, (0, 0, 0, 0), sampled)

    def blur(self, radius: float) -> None:
        """Blur all that has been drawn so far, as for a shadow; no hole is cut into it any more.

        What is soft needs no samples: unless it is hardly blurred, it goes on at its real size.
        """
        box = max(1, round(radius * self._unit * _BOX_SHARE))
        boxes = _boxes(_BOX_PASSES * _variance(box) / self.samples**2)
        if not boxes:
            for _pass in range(_BOX_PASSES):
                self._surface = pygame.transform.box_blur(self._surface, box)
            return
        blurred = self._at_real_size()
        for box in boxes:
            blurred = pygame.transform.box_blur(blurred, box)
        self._blurred = blurred
        self._surface.fill((0, 0, 0, 0))

    # --------------------------------------------------------------------------------------- paths

    def arc_points(
        self, centre: Point, radius: float, start: float, end: float, radius_y: float | None = None
    ) -> list[Point]:
        """Points along a part of a circle or ellipse, in degrees clockwise from the right."""
        high = radius if radius_y is None else radius_y
        sampled = max(1.0, max(radius, high) * self._unit)
        step = math.degrees(2 * math.acos(max(-1.0, 1 - _ARC_STEP / 2 / sampled)))
        count = max(2, math.ceil(abs(end - start) / step))
        angles = [math.radians(start + (end - start) * index / count) for index in range(count + 1)]
        return [(centre[0] + radius * math.cos(angle), centre[1] + high * math.sin(angle)) for angle in angles]

    def rounded_points(self, rect: Sequence[float], radius: float) -> list[Point]:
        """The outline of a rectangle (x, y, width, height) with round corners."""
        x, y, w, h = rect
        r = max(0.0, min(radius, w / 2, h / 2))
        if not r:
            return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        corners = (
            ((x + w - r, y + r), -90),
            ((x + w - r, y + h - r), 0),
            ((x + r, y + h - r), 90),
            ((x + r, y + r), 180),
        )
        return [point for centre, start in corners for point in self.arc_points(centre, r, start, start + 90)]

    def _paint(
        self, box: pygame.Rect, colour: Colour, draw: Callable[[pygame.Surface, Colour, tuple[int, int]], object]
    ) -> None:
        """Draw at once where *colour* is opaque; else over what is there, in a picture of its own."""
        ink = _premultiplied(colour)
        if ink[3] == 255:
            draw(self._surface, ink, (0, 0))
            return
        box = box.clip(self._surface.get_rect())
        if box.w and box.h:
            layer = _blank(box.size)
            draw(layer, ink, box.topleft)
            self._surface.blit(layer, box, special_flags=pygame.BLEND_PREMULTIPLIED)


def _blank(size: tuple[int, int]) -> pygame.Surface:
    """A transparent surface. A large one, which is soon gone, leaves no hole in the heap."""
    if size[0] * size[1] < _LARGE:
        return pygame.Surface(size, pygame.SRCALPHA)
    return pygame.image.frombuffer(large_array(4 * size[0] * size[1], np.uint8), size, _FORMAT)


def _variance(box: int) -> float:
    """The variance of a box blur that reaches *box* pixels to either side."""
    return ((2 * box + 1) ** 2 - 1) / 12


def _boxes(variance: float) -> list[int]:
    """How far the box blurs reach that have this *variance* together, as nearly as can be; none for hardly any."""
    boxes: list[int] = []
    for passes in range(_BOX_PASSES, 0, -1):
        left = max(0.0, variance - sum(map(_variance, boxes)))
        boxes.append(round((math.sqrt(12 * left / passes + 1) - 1) / 2))
    return [box for box in boxes if box]


def _premultiplied(colour: Colour) -> tuple[int, int, int, int]:
    alpha = colour[3] if len(colour) == 4 else 255
    red, green, blue = (round(part * alpha / 255) for part in colour[:3])
    return red, green, blue, alpha


def _draw_thick(surface: pygame.Surface, colour: Colour, start: Point, end: Point, half: float) -> None:
    length = math.dist(start, end)
    if not length:
        return
    across = ((end[1] - start[1]) / length * half, (start[0] - end[0]) / length * half)
    corners = [
        (start[0] + across[0], start[1] + across[1]),
        (end[0] + across[0], end[1] + across[1]),
        (end[0] - across[0], end[1] - across[1]),
        (start[0] - across[0], start[1] - across[1]),
    ]
    pygame.draw.polygon(surface, colour, corners)


def _dashes(path: Sequence[Point], dash: float) -> Iterable[list[Point]]:
    """The pieces of *path* that are drawn: as many whole dashes as fit, with equal gaps."""
    lengths = [math.dist(start, end) for start, end in pairwise(path)]
    total = sum(lengths)
    if not total:
        return
    period = total / max(1, round(total / (2 * dash)))
    piece: list[Point] = []
    travelled = 0.0
    for start, end, length in zip(path, path[1:], lengths, strict=False):
        if not length:
            continue
        turns = {0.0, length}
        first = math.ceil(travelled / (period / 2))
        turns.update(
            turn * period / 2 - travelled for turn in range(first, math.floor((travelled + length) / (period / 2)) + 1)
        )
        marks = sorted(mark for mark in turns if 0 <= mark <= length)
        for near, far in pairwise(marks):
            drawn = ((travelled + (near + far) / 2) % period) < period / 2
            points = [
                (start[0] + (end[0] - start[0]) * mark / length, start[1] + (end[1] - start[1]) * mark / length)
                for mark in (near, far)
            ]
            if drawn:
                piece = piece or [points[0]]
                piece.append(points[1])
            elif piece:
                yield piece
                piece = []
        travelled += length
    if piece:
        yield piece


def _with_straight_alpha(surface: pygame.Surface) -> pygame.Surface:
    """*surface*, premultiplied, as ordinary blits want it: only the half-transparent pixels change."""
    alpha = pygame.surfarray.pixels_alpha(surface)
    partly = (alpha > 0) & (alpha < 255)
    if partly.any():
        colours = pygame.surfarray.pixels3d(surface)
        share = alpha[partly].astype(np.uint16)[:, None]
        colours[partly] = np.minimum(255, colours[partly].astype(np.uint16) * 255 // share).astype(np.uint8)
        del colours
    del alpha
    return surface
