"""Anti-aliased vector drawing by supersampling; and outlines of shapes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

import pygame

from papan.ui.drawing import antialiasing
from papan.ui.drawing.theme import Colour

Point = tuple[float, float]

_MOST_SAMPLED_PIXELS = 6_000_000
"""The most samples of a canvas: large boards need fewer samples a pixel than small icons."""
_BOX_SHARE = 0.35
"""The radius of box blurs that look like a Gaussian blur, as a share of its radius."""
_ARC_STEP = 0.5
"""The most that a polyline may deviate from the curve, in samples."""
_ARC_PARTS = 16
"""The number of straight parts of a round corner."""


class Canvas:
    """A transparent picture that records shapes and paints them at the end.

    Its samples are premultiplied by opacity, so that shadows, translucent colours and edges mix correctly.

    :param size: of the finished picture, in pixels.
    :param unit: the pixels of one unit of length; icons use a grid of 20 units, boards use pixels (1).
    """

    def __init__(self, size: tuple[int, int], unit: float = 1.0) -> None:
        self.size = max(1, size[0]), max(1, size[1])
        pixels = self.size[0] * self.size[1]
        self.samples = max(2, min(4, math.isqrt(_MOST_SAMPLED_PIXELS // pixels)))
        self._unit = unit * self.samples
        self._layers = [antialiasing.Layer()]

    @property
    def middle(self) -> Point:
        """The middle of the picture, in pixels."""
        return self.size[0] / 2, self.size[1] / 2

    def picture(self) -> pygame.Surface:
        """The finished picture, with straight alpha."""
        return antialiasing.finished(self.painting())

    def painting(self) -> antialiasing.Painting:
        """Paint the ``picture`` as a generator that can be paused."""
        picture: pygame.Surface | None = None
        for layer in self._layers:
            picture = yield from layer.painting(self.size, self.samples, picture)
        assert picture is not None
        for rows in antialiasing.bands(self.size, self.samples):
            antialiasing.straighten(picture.subsurface(rows))
            yield
        return picture

    def polygon(self, points: Sequence[Point], colour: Colour) -> None:
        sampled, box = self._sampled(points)
        self._record(antialiasing.Fill(box, _premultiplied(colour), [sampled]))

    def _sampled(self, points: Sequence[Point]) -> tuple[antialiasing.Polygon, pygame.Rect]:
        """*points* in samples, and the box around them.

        pygame fills a polygon including its right and lower edge, one sample too much, which is subtracted here.
        """
        xs, ys = [x * self._unit for x, _ in points], [y * self._unit for _, y in points]
        left, top = min(xs), min(ys)
        wide, high = max(xs) - left, max(ys) - top
        across = max(0.0, wide - 1) / wide if wide else 1.0
        down = max(0.0, high - 1) / high if high else 1.0
        sampled = [(left + (x - left) * across, top + (y - top) * down) for x, y in zip(xs, ys, strict=True)]
        box = pygame.Rect(math.floor(left), math.floor(top), math.ceil(wide) + 2, math.ceil(high) + 2)
        return antialiasing.Polygon(sampled), box

    def circle(self, centre: Point, radius: float, colour: Colour) -> None:
        self.ellipse(centre, radius, radius, colour)

    def ellipse(self, centre: Point, radius_x: float, radius_y: float, colour: Colour) -> None:
        self.polygon(self.arc_points(centre, radius_x, 0, 360, radius_y), colour)

    def rounded_rect(self, rect: Sequence[float], radius: float, colour: Colour) -> None:
        self.polygon(self.rounded_points(rect, radius), colour)

    def line(
        self, points: Sequence[Point], width: float, colour: Colour, closed: bool = False, dash: float = 0.0
    ) -> None:
        """A line through *points* with round caps and joins; *dash* is the length of dashes and gaps, 0 for none."""
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

        thickness = max(0.5, half * self._unit - 0.5)  # pygame draws both edges
        sampled = [(x * self._unit, y * self._unit) for x, y in path]
        pieces = [
            antialiasing.Polygon(_thick(start, end, thickness)) for start, end in pairwise(sampled) if start != end
        ]
        self._record(
            antialiasing.Fill(
                box, _premultiplied(colour), pieces, [(place, thickness) for place in antialiasing.floored(sampled)]
            )
        )

    def ring(self, centre: Point, radius: float, width: float, colour: Colour, dash: float = 0.0) -> None:
        """A circle's line of *width*, centred on *radius*."""
        self.arc(centre, radius, 0, 360, width, colour, dash)

    def arc(
        self, centre: Point, radius: float, start: float, end: float, width: float, colour: Colour, dash: float = 0.0
    ) -> None:
        """An arc, in degrees clockwise from the right."""
        self.line(self.arc_points(centre, radius, start, end), width, colour, dash=dash)

    def outline(self, rect: Sequence[float], radius: float, width: float, colour: Colour, dash: float = 0.0) -> None:
        """The outline of a rectangle with round corners, inside *rect*."""
        x, y, w, h = rect
        inner = (x + width / 2, y + width / 2, w - width, h - width)
        self.line(self.rounded_points(inner, max(0.0, radius - width / 2)), width, colour, closed=True, dash=dash)

    def gradient(self, points: Sequence[Point], top: Colour, bottom: Colour) -> None:
        """A polygon whose colour runs from *top* to *bottom*."""
        sampled, box = self._sampled(points)
        self._record(antialiasing.Gradient(box, sampled, _premultiplied(top), _premultiplied(bottom)))

    def cut(self, centre: Point, radius: float) -> None:
        sampled, box = self._sampled(self.arc_points(centre, radius, 0, 360))
        self._record(antialiasing.Hole(box, sampled))

    def blur(self, radius: float) -> None:
        """Blur everything drawn so far, as for a shadow; later holes do not affect it.

        A strong blur is done at the real size, since it needs no supersampling.
        """
        box = max(1, round(radius * self._unit * _BOX_SHARE))
        boxes = _boxes(antialiasing.BOX_PASSES * _variance(box) / self.samples**2)
        if boxes:
            self._layers[-1].boxes = boxes
            self._layers.append(antialiasing.Layer())
        else:
            everywhere = pygame.Rect(0, 0, self.size[0] * self.samples, self.size[1] * self.samples)
            self._record(antialiasing.Softening(everywhere, box))

    def arc_points(
        self, centre: Point, radius: float, start: float, end: float, radius_y: float | None = None
    ) -> list[Point]:
        """Points along an arc of a circle or ellipse, in degrees clockwise from the right."""
        high = radius if radius_y is None else radius_y
        sampled = max(1.0, max(radius, high) * self._unit)
        step = math.degrees(2 * math.acos(max(-1.0, 1 - _ARC_STEP / 2 / sampled)))
        count = max(2, math.ceil(abs(end - start) / step))
        x, y = centre
        return [(x + radius * right, y + high * down) for right, down in _directions(start, end, count)]

    def rounded_points(self, rect: Sequence[float], radius: float) -> list[Point]:
        """The outline of a rectangle (x, y, width, height) with round corners."""
        x, y, w, h = rect
        r = max(0.0, min(radius, w / 2, h / 2))
        if not r:
            return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        middles = ((x + w - r, y + r), (x + w - r, y + h - r), (x + r, y + h - r), (x + r, y + r))
        starts = (-90, 0, 90, 180)
        corners = zip(middles, starts, strict=True)
        return [point for middle, start in corners for point in self.arc_points(middle, r, start, start + 90)]

    def _record(self, stroke: antialiasing.Stroke) -> None:
        self._layers[-1].strokes.append(stroke)


@lru_cache(maxsize=64)
def _directions(start: float, end: float, count: int) -> tuple[Point, ...]:
    """Points of the unit circle from *start* to *end* degrees, in *count* steps."""
    angles = [math.radians(start + (end - start) * index / count) for index in range(count + 1)]
    return tuple((math.cos(angle), math.sin(angle)) for angle in angles)


def _variance(box: int) -> float:
    """The variance of a box blur with radius *box*."""
    return ((2 * box + 1) ** 2 - 1) / 12


def _boxes(variance: float) -> list[int]:
    """The radii of the box blurs that together have about this *variance*; none if it is small."""
    boxes: list[int] = []
    for passes in range(antialiasing.BOX_PASSES, 0, -1):
        left = max(0.0, variance - sum(map(_variance, boxes)))
        boxes.append(round((math.sqrt(12 * left / passes + 1) - 1) / 2))
    return [box for box in boxes if box]


def _premultiplied(colour: Colour) -> antialiasing.Ink:
    alpha = colour[3] if len(colour) == 4 else 255
    red, green, blue = (round(part * alpha / 255) for part in colour[:3])
    return red, green, blue, alpha


def _thick(start: Point, end: Point, half: float) -> list[Point]:
    """The corners of a straight line with half width *half*."""
    length = math.dist(start, end)
    x, y = (end[1] - start[1]) / length * half, (start[0] - end[0]) / length * half
    return [(at[0] + side * x, at[1] + side * y) for side, at in ((1, start), (1, end), (-1, end), (-1, start))]


def _dashes(path: Sequence[Point], dash: float) -> Iterable[list[Point]]:
    """The dashes of *path*: as many whole ones as fit, with equal gaps."""
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


def polar(centre: Point, distance: float, angle: float) -> Point:
    """The point at *distance* from *centre*, *angle* in degrees clockwise from the right."""
    x, y = distance * math.cos(math.radians(angle)), distance * math.sin(math.radians(angle))
    return centre[0] + x, centre[1] + y


def turned_points(points: Iterable[Point], angle: float, centre: Point, scale: float = 1.0) -> list[Point]:
    """*points* turned about (0, 0) by *angle*, in degrees clockwise, scaled, and moved to *centre*."""
    cosine, sine = scale * math.cos(math.radians(angle)), scale * math.sin(math.radians(angle))
    return [(centre[0] + x * cosine - y * sine, centre[1] + x * sine + y * cosine) for x, y in points]


def star_points(centre: Point, radius: float, waist: float = 0.46) -> list[Point]:
    """A five-pointed star, one point up; its inner corners are at *waist* of its *radius*."""
    return [polar(centre, radius * (waist if turn % 2 else 1.0), 36 * turn - 90) for turn in range(10)]


def arrow_head(start: Point, end: Point, at: float, length: float, half: float) -> list[Point]:
    """The head of an arrow to *end*, its tip *at* this distance from *start*; *half* of its width."""
    right, down = _way(start, end)
    x, y = start[0] + right * at, start[1] + down * at
    back = x - right * length, y - down * length
    sides = [(back[0] - turn * down, back[1] + turn * right) for turn in (half, -half)]
    return [(x, y), *sides]


def hexagon_points(centre: Point, radius: float) -> list[Point]:
    """A hexagon with one corner up, and its corners at *radius*."""
    return [polar(centre, radius, 60 * corner - 90) for corner in range(6)]


def offset_points(corners: Sequence[Point], by: float) -> list[Point]:
    """The corners of a convex clockwise polygon with each side moved outwards (inwards if *by* is negative)."""
    found = []
    for before, corner, after in zip((corners[-1], *corners[:-1]), corners, (*corners[1:], corners[0]), strict=True):
        into, out_of = _way(before, corner), _way(corner, after)
        turn = into[0] * out_of[1] - into[1] * out_of[0]
        x, y = by * (into[0] - out_of[0]) / turn, by * (into[1] - out_of[1]) / turn
        found.append((corner[0] + x, corner[1] + y))
    return found


def rounded_points(corners: Sequence[Point], radius: float) -> list[Point]:
    """The outline of a convex clockwise polygon with round corners."""
    found = []
    inner = offset_points(corners, -radius)
    for before, corner, after in zip((inner[-1], *inner[:-1]), inner, (*inner[1:], inner[0]), strict=True):
        into, out_of = _way(before, corner), _way(corner, after)
        start = math.degrees(math.atan2(into[1], into[0])) - 90
        turned = (math.degrees(math.atan2(out_of[1], out_of[0])) - 90 - start) % 360
        found += [polar(corner, radius, start + turned * index / _ARC_PARTS) for index in range(_ARC_PARTS + 1)]
    return found


def _way(start: Point, end: Point) -> Point:
    """The unit vector from *start* to *end*."""
    length = math.dist(start, end)
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length
