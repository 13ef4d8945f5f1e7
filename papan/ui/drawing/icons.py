"""The icons: vector drawings with lines of 1.7 units on a grid of 20."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from papan.ui.drawing.canvas import Canvas, Point, polar
from papan.ui.drawing.theme import Colour

ICON_GRID = 20
STROKE = 1.7

Icon = Callable[[Canvas, Colour], None]


class _Arc(NamedTuple):
    """A part of a path: an arc, in degrees clockwise from the right."""

    centre: Point
    radius: float
    start: float = 0
    end: float = 360


def _line(*path: Point | _Arc, closed: bool = False, width: float = STROKE) -> Icon:
    def draw(canvas: Canvas, ink: Colour) -> None:
        points: list[Point] = []
        for part in path:
            points += canvas.arc_points(*part) if isinstance(part, _Arc) else [part]
        canvas.line(points, width, ink, closed=closed)

    return draw


def _ring(centre: Point, radius: float) -> Icon:
    return _line(_Arc(centre, radius))


def _dot(centre: Point, radius: float) -> Icon:
    return lambda canvas, ink: canvas.circle(centre, radius, ink)


def _box(x: float, y: float, wide: float, high: float, corner: float) -> Icon:
    return lambda canvas, ink: canvas.outline((x, y, wide, high), corner, STROKE, ink)


def _icon(*parts: Icon) -> Icon:
    def draw(canvas: Canvas, ink: Colour) -> None:
        for part in parts:
            part(canvas, ink)

    return draw


_SPEAKER = _line((3.2, 8.0), (5.6, 8.0), (9.4, 4.8), (9.4, 15.2), (5.6, 12.0), (3.2, 12.0), closed=True)

ICONS: Mapping[str, Icon] = {
    "back": _line((12.2, 4.6), (7.2, 10), (12.2, 15.4)),
    "previous": _line((12.2, 4.6), (7.2, 10), (12.2, 15.4)),
    "next": _line((7.8, 4.6), (12.8, 10), (7.8, 15.4)),
    "first": _icon(_line((14.2, 4.6), (9.2, 10), (14.2, 15.4)), _line((5.6, 4.8), (5.6, 15.2))),
    "last": _icon(_line((5.8, 4.6), (10.8, 10), (5.8, 15.4)), _line((14.4, 4.8), (14.4, 15.2))),
    "up": _line((4.6, 12.6), (10, 7.4), (15.4, 12.6)),
    "down": _line((5.4, 8.0), (10, 12.4), (14.6, 8.0)),
    "check": _line((4.4, 10.6), (8.2, 14.4), (15.6, 6.2)),
    "close": _icon(_line((5, 5), (15, 15)), _line((15, 5), (5, 15))),
    "plus": _icon(_line((10, 4.2), (10, 15.8)), _line((4.2, 10), (15.8, 10))),
    "minus": _line((4.2, 10), (15.8, 10)),
    "undo": _icon(
        _line((6.4, 4.2), (3.4, 7.4), (6.4, 10.6)),
        _line((3.6, 7.4), _Arc((12.2, 11.6), 4.2, -90, 90), (9.2, 15.8)),
    ),
    "redo": _icon(
        _line((13.6, 4.2), (16.6, 7.4), (13.6, 10.6)),
        _line((16.4, 7.4), _Arc((7.8, 11.6), 4.2, -90, -270), (10.8, 15.8)),
    ),
    "hint": _icon(
        _line((8.0, 14.2), (8.0, 13.0), _Arc((10, 8), 5.0, 125, 415), (12.0, 13.0), (12.0, 14.2), closed=True),
        _line((8.5, 17.2), (11.5, 17.2)),
    ),
    "eye": _icon(
        _line(_Arc((10, 14.1), 9.0, 207.5, 332.5), _Arc((10, 5.9), 9.0, 27.5, 152.5), closed=True),
        _ring((10, 10), 2.3),
    ),
    "search": _icon(_ring((8.7, 8.7), 4.7), _line((12.2, 12.2), (16.2, 16.2))),
    "gear": _icon(
        _ring((10, 10), 3.1),
        *(_line(polar((10, 10), 6.0, angle), polar((10, 10), 7.7, angle)) for angle in range(0, 360, 45)),
    ),
    "help": _icon(_line(_Arc((10, 7.3), 2.9, 185, 400), (10, 10.6), (10, 12.0)), _dot((10, 15.3), 1.15)),
    "sound": _icon(_SPEAKER, _line(_Arc((9.4, 10), 3.6, -40, 40)), _line(_Arc((9.4, 10), 6.6, -42, 42))),
    "sound off": _icon(_SPEAKER, _line((12.8, 7.8), (17.2, 12.2)), _line((17.2, 7.8), (12.8, 12.2))),
    "play": _line((6.6, 4.8), (14.8, 10), (6.6, 15.2), closed=True),
    "pause": _icon(*(_line((x, 5.0), (x, 15.0), width=STROKE * 1.25) for x in (7.2, 12.8))),
    "step": _icon(_line((5.0, 5.0), (12.2, 10), (5.0, 15.0), closed=True), _line((15.4, 5.0), (15.4, 15.0))),
    "stop": _box(4.9, 4.9, 10.2, 10.2, 1.8),
    "copy": _icon(
        _box(7.0, 7.0, 10.0, 10.0, 2.2),
        _line((4.6, 12.6), (3.9, 12.0), (3.9, 4.6), (4.6, 3.9), (12.0, 3.9), (12.6, 4.6)),
    ),
    "paste": _icon(
        _line(
            (7.2, 4.4),
            (4.6, 4.4),
            (3.9, 5.1),
            (3.9, 16.5),
            (4.6, 17.2),
            (15.4, 17.2),
            (16.1, 16.5),
            (16.1, 5.1),
            (15.4, 4.4),
            (12.8, 4.4),
        ),
        _box(7.2, 2.8, 5.6, 3.4, 1.2),
        _line((10, 8.8), (10, 13.6)),
        _line((7.6, 11.4), (10, 13.8), (12.4, 11.4)),
    ),
    "puzzle": _line(
        (3.4, 6.4),
        (7.2, 6.4),
        _Arc((9.2, 5.4), 2.0, 150, 390),
        (11.2, 6.4),
        (15.0, 6.4),
        (15.0, 9.6),
        _Arc((15.6, 11.4), 1.9, -100, 100),
        (15.0, 13.2),
        (15.0, 16.8),
        (3.4, 16.8),
        closed=True,
    ),
    "flask": _icon(
        _line((8.2, 3.4), (8.2, 8.2), (4.2, 15.2), (4.9, 16.6), (15.1, 16.6), (15.8, 15.2), (11.8, 8.2), (11.8, 3.4)),
        _line((6.8, 3.4), (13.2, 3.4)),
        _line((6.4, 12.0), (13.6, 12.0)),
    ),
    "board": _icon(
        _box(3.4, 3.4, 13.2, 13.2, 2.2),
        _line((10.0, 3.6), (10.0, 16.4)),
        _line((3.6, 10.0), (16.4, 10.0)),
        _dot((6.7, 6.7), 1.3),
        _dot((13.3, 13.3), 1.3),
    ),
    "trash": _icon(
        _line((3.8, 5.8), (16.2, 5.8)),
        _line((7.6, 5.6), (8.0, 3.4), (12.0, 3.4), (12.4, 5.6)),
        _line((5.4, 6.0), (6.1, 16.6), (13.9, 16.6), (14.6, 6.0)),
        _line((8.5, 9.2), (8.5, 13.4)),
        _line((11.5, 9.2), (11.5, 13.4)),
    ),
    "person": _icon(_ring((10, 6.6), 3.0), _line((4.4, 16.6), _Arc((10, 17.0), 5.6, 184, 356), (15.6, 16.6))),
    "speech": _line(
        (3.4, 4.2), (16.6, 4.2), (16.6, 13.0), (9.8, 13.0), (6.4, 16.4), (6.4, 13.0), (3.4, 13.0), closed=True
    ),
    "computer": _icon(_box(2.9, 3.9, 14.2, 9.8, 1.8), _line((6.8, 16.6), (13.2, 16.6)), _line((10, 13.8), (10, 16.4))),
    "warning": _icon(
        _line((10, 3.4), (17.2, 16.0), (2.8, 16.0), closed=True), _line((10, 8.0), (10, 11.2)), _dot((10, 13.5), 1.0)
    ),
    "info": _icon(_ring((10, 10), 6.8), _line((10, 9.6), (10, 13.2)), _dot((10, 6.8), 1.05)),
    "library": _icon(_line((4.4, 4.0), (4.4, 16.0)), _line((8.2, 4.0), (8.2, 16.0)), _line((11.8, 4.4), (15.4, 15.8))),
    "folder": _line((2.8, 5.0), (7.6, 5.0), (9.4, 7.0), (17.2, 7.0), (17.2, 15.6), (2.8, 15.6), closed=True),
    "file": _icon(
        _line((4.8, 2.8), (11.6, 2.8), (15.2, 6.4), (15.2, 17.2), (4.8, 17.2), closed=True),
        _line((7.6, 9.6), (12.4, 9.6)),
        _line((7.6, 13.0), (12.4, 13.0)),
    ),
    "chart": _icon(
        _line((3.4, 3.6), (3.4, 16.4), (16.8, 16.4)), _line((6.2, 12.6), (9.4, 8.6), (12.0, 10.8), (16.2, 5.4))
    ),
    "bars": _icon(_line((4.6, 16.2), (4.6, 10.4)), _line((10, 16.2), (10, 3.8)), _line((15.4, 16.2), (15.4, 7.4))),
    "analysis": _icon(
        _ring((8.8, 8.8), 5.4),
        _line((12.8, 12.8), (16.8, 16.8)),
        _line((6.4, 10.6), (8.3, 8.2), (9.6, 9.4), (11.4, 6.9)),
    ),
    "flag": _icon(
        _line((5.0, 17.0), (5.0, 3.4)), _line((5.0, 4.0), (15.4, 4.0), (12.8, 7.6), (15.4, 11.2), (5.0, 11.2))
    ),
    "swap": _icon(_line((3.6, 7.0), (16.2, 7.0), (13.2, 4.0)), _line((16.4, 13.0), (3.8, 13.0), (6.8, 16.0))),
    "turn": _icon(
        _box(7.2, 7.2, 5.6, 5.6, 1.0),
        _line(_Arc((10, 10), 7.2, 190, 320)),
        _line((15.2, 2.6), (16.0, 6.2), (12.5, 6.6)),
        _line(_Arc((10, 10), 7.2, 10, 140)),
        _line((4.8, 17.4), (4.0, 13.8), (7.5, 13.4)),
    ),
    "more": _icon(*(_dot((x, 10), 1.5) for x in (4.6, 10, 15.4))),
    "save": _icon(
        _line((10, 3.2), (10, 12.2)),
        _line((6.2, 8.8), (10, 12.6), (13.8, 8.8)),
        _line((3.6, 12.6), (3.6, 16.4), (16.4, 16.4), (16.4, 12.6)),
    ),
}
