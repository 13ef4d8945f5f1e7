"""Outlines of shapes, as points to draw."""

from __future__ import annotations

import math
from collections.abc import Sequence

from papan.ui.drawing.canvas import Point

_ARC_PARTS = 16
"""How many straight parts a round corner is drawn in."""


def polar(centre: Point, distance: float, angle: float) -> Point:
    """The point at *distance* from *centre*, *angle* in degrees clockwise from the right."""
    return (
        centre[0] + distance * math.cos(math.radians(angle)),
        centre[1] + distance * math.sin(math.radians(angle)),
    )


def star_points(centre: Point, radius: float, waist: float = 0.46) -> list[Point]:
    """A star with five points, one of them up; its inner corners lie at *waist* of its *radius*."""
    return [polar(centre, radius * (waist if turn % 2 else 1.0), 36 * turn - 90) for turn in range(10)]


def hexagon_points(centre: Point, radius: float) -> list[Point]:
    """A hexagon with a corner up; its corners lie at *radius* from its middle."""
    return [polar(centre, radius, 60 * corner - 90) for corner in range(6)]


def offset_points(corners: Sequence[Point], by: float) -> list[Point]:
    """The corners of a convex polygon with each side moved outwards, or inwards by a negative length; clockwise."""
    found = []
    for before, corner, after in zip((corners[-1], *corners[:-1]), corners, (*corners[1:], corners[0]), strict=True):
        into, out_of = _way(before, corner), _way(corner, after)
        turn = into[0] * out_of[1] - into[1] * out_of[0]
        found.append(
            (
                corner[0] + by * (into[0] - out_of[0]) / turn,
                corner[1] + by * (into[1] - out_of[1]) / turn,
            )
        )
    return found


def rounded_points(corners: Sequence[Point], radius: float) -> list[Point]:
    """The outline of a convex polygon with round corners; *corners* clockwise."""
    found = []
    inner = offset_points(corners, -radius)
    for before, corner, after in zip((inner[-1], *inner[:-1]), inner, (*inner[1:], inner[0]), strict=True):
        into, out_of = _way(before, corner), _way(corner, after)
        start = math.degrees(math.atan2(into[1], into[0])) - 90
        turned = (math.degrees(math.atan2(out_of[1], out_of[0])) - 90 - start) % 360
        found += [polar(corner, radius, start + turned * index / _ARC_PARTS) for index in range(_ARC_PARTS + 1)]
    return found


def _way(start: Point, end: Point) -> Point:
    """The direction from *start* to *end*, of length 1."""
    length = math.dist(start, end)
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length
