"""The icons: vector drawings with lines of 1.7 units on a grid of 20."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from papan.ui.drawing.canvas import Canvas
from papan.ui.drawing.theme import Colour

ICON_GRID = 20
STROKE = 1.7

Icon = Callable[[Canvas, Colour], None]

_Path = list[tuple[float, float]]


def _lines(*paths: _Path) -> Icon:
    def draw(canvas: Canvas, ink: Colour) -> None:
        for path in paths:
            canvas.line(path, STROKE, ink)

    return draw


def _rays(canvas: Canvas, ink: Colour, inner: float, outer: float, count: int = 8) -> None:
    for index in range(count):
        angle = 2 * math.pi * index / count
        x, y = math.cos(angle), math.sin(angle)
        canvas.line([(10 + x * inner, 10 + y * inner), (10 + x * outer, 10 + y * outer)], STROKE, ink)


def _gear(canvas: Canvas, ink: Colour) -> None:
    canvas.ring((10, 10), 3.1, STROKE, ink)
    _rays(canvas, ink, 6.0, 7.7)


def _undo(canvas: Canvas, ink: Colour) -> None:
    canvas.line([(6.4, 4.2), (3.4, 7.4), (6.4, 10.6)], STROKE, ink)
    arc = canvas.arc_points((12.2, 11.6), 4.2, -90, 90)
    canvas.line([(3.6, 7.4), *arc, (9.2, 15.8)], STROKE, ink)


def _redo(canvas: Canvas, ink: Colour) -> None:
    canvas.line([(13.6, 4.2), (16.6, 7.4), (13.6, 10.6)], STROKE, ink)
    arc = canvas.arc_points((7.8, 11.6), 4.2, -90, -270)
    canvas.line([(16.4, 7.4), *arc, (10.8, 15.8)], STROKE, ink)


def _hint(canvas: Canvas, ink: Colour) -> None:
    bulb = canvas.arc_points((10, 8), 5.0, 125, 415)
    canvas.line([(8.0, 14.2), (8.0, 13.0), *bulb, (12.0, 13.0), (12.0, 14.2)], STROKE, ink, closed=True)
    canvas.line([(8.5, 17.2), (11.5, 17.2)], STROKE, ink)


def _eye(canvas: Canvas, ink: Colour) -> None:
    upper = canvas.arc_points((10, 14.1), 9.0, 207.5, 332.5)
    lower = canvas.arc_points((10, 5.9), 9.0, 27.5, 152.5)
    canvas.line([*upper, *lower], STROKE, ink, closed=True)
    canvas.ring((10, 10), 2.3, STROKE, ink)


def _help(canvas: Canvas, ink: Colour) -> None:
    hook = canvas.arc_points((10, 7.3), 2.9, 185, 400)
    canvas.line([*hook, (10, 10.6), (10, 12.0)], STROKE, ink)
    canvas.circle((10, 15.3), 1.15, ink)


def _speaker(canvas: Canvas, ink: Colour) -> None:
    body: _Path = [(3.2, 8.0), (5.6, 8.0), (9.4, 4.8), (9.4, 15.2), (5.6, 12.0), (3.2, 12.0)]
    canvas.line(body, STROKE, ink, closed=True)


def _sound(canvas: Canvas, ink: Colour) -> None:
    _speaker(canvas, ink)
    canvas.arc((9.4, 10), 3.6, -40, 40, STROKE, ink)
    canvas.arc((9.4, 10), 6.6, -42, 42, STROKE, ink)


def _sound_off(canvas: Canvas, ink: Colour) -> None:
    _speaker(canvas, ink)
    canvas.line([(12.8, 7.8), (17.2, 12.2)], STROKE, ink)
    canvas.line([(17.2, 7.8), (12.8, 12.2)], STROKE, ink)


def _play(canvas: Canvas, ink: Colour) -> None:
    canvas.line([(6.6, 4.8), (14.8, 10), (6.6, 15.2)], STROKE, ink, closed=True)


def _step(canvas: Canvas, ink: Colour) -> None:
    canvas.line([(5.0, 5.0), (12.2, 10), (5.0, 15.0)], STROKE, ink, closed=True)
    canvas.line([(15.4, 5.0), (15.4, 15.0)], STROKE, ink)


def _pause(canvas: Canvas, ink: Colour) -> None:
    canvas.line([(7.2, 5.0), (7.2, 15.0)], STROKE * 1.25, ink)
    canvas.line([(12.8, 5.0), (12.8, 15.0)], STROKE * 1.25, ink)


def _stop(canvas: Canvas, ink: Colour) -> None:
    canvas.outline((4.9, 4.9, 10.2, 10.2), 1.8, STROKE, ink)


def _copy(canvas: Canvas, ink: Colour) -> None:
    canvas.outline((7.0, 7.0, 10.0, 10.0), 2.2, STROKE, ink)
    canvas.line([(4.6, 12.6), (3.9, 12.0), (3.9, 4.6), (4.6, 3.9), (12.0, 3.9), (12.6, 4.6)], STROKE, ink)


def _trash(canvas: Canvas, ink: Colour) -> None:
    canvas.line([(3.8, 5.8), (16.2, 5.8)], STROKE, ink)
    canvas.line([(7.6, 5.6), (8.0, 3.4), (12.0, 3.4), (12.4, 5.6)], STROKE, ink)
    canvas.line([(5.4, 6.0), (6.1, 16.6), (13.9, 16.6), (14.6, 6.0)], STROKE, ink)
    canvas.line([(8.5, 9.2), (8.5, 13.4)], STROKE, ink)
    canvas.line([(11.5, 9.2), (11.5, 13.4)], STROKE, ink)


def _people(canvas: Canvas, ink: Colour) -> None:
    canvas.ring((10, 6.6), 3.0, STROKE, ink)
    canvas.line([(4.4, 16.6), *canvas.arc_points((10, 17.0), 5.6, 184, 356), (15.6, 16.6)], STROKE, ink)


def _computer(canvas: Canvas, ink: Colour) -> None:
    canvas.outline((2.9, 3.9, 14.2, 9.8), 1.8, STROKE, ink)
    canvas.line([(6.8, 16.6), (13.2, 16.6)], STROKE, ink)
    canvas.line([(10, 13.8), (10, 16.4)], STROKE, ink)


def _warning(canvas: Canvas, ink: Colour) -> None:
    canvas.line([(10, 3.4), (17.2, 16.0), (2.8, 16.0)], STROKE, ink, closed=True)
    canvas.line([(10, 8.0), (10, 11.2)], STROKE, ink)
    canvas.circle((10, 13.5), 1.0, ink)


def _info(canvas: Canvas, ink: Colour) -> None:
    canvas.ring((10, 10), 6.8, STROKE, ink)
    canvas.line([(10, 9.6), (10, 13.2)], STROKE, ink)
    canvas.circle((10, 6.8), 1.05, ink)


def _library(canvas: Canvas, ink: Colour) -> None:
    canvas.line([(4.4, 4.0), (4.4, 16.0)], STROKE, ink)
    canvas.line([(8.2, 4.0), (8.2, 16.0)], STROKE, ink)
    canvas.line([(11.8, 4.4), (15.4, 15.8)], STROKE, ink)


def _folder(canvas: Canvas, ink: Colour) -> None:
    tab: _Path = [(2.8, 5.0), (7.6, 5.0), (9.4, 7.0), (17.2, 7.0), (17.2, 15.6), (2.8, 15.6)]
    canvas.line(tab, STROKE, ink, closed=True)


def _file(canvas: Canvas, ink: Colour) -> None:
    canvas.line([(4.8, 2.8), (11.6, 2.8), (15.2, 6.4), (15.2, 17.2), (4.8, 17.2)], STROKE, ink, closed=True)
    canvas.line([(7.6, 9.6), (12.4, 9.6)], STROKE, ink)
    canvas.line([(7.6, 13.0), (12.4, 13.0)], STROKE, ink)


def _board(canvas: Canvas, ink: Colour) -> None:
    canvas.outline((3.4, 3.4, 13.2, 13.2), 2.2, STROKE, ink)
    canvas.line([(10.0, 3.6), (10.0, 16.4)], STROKE, ink)
    canvas.line([(3.6, 10.0), (16.4, 10.0)], STROKE, ink)
    canvas.circle((6.7, 6.7), 1.3, ink)
    canvas.circle((13.3, 13.3), 1.3, ink)


def _chart(canvas: Canvas, ink: Colour) -> None:
    canvas.line([(3.4, 3.6), (3.4, 16.4), (16.8, 16.4)], STROKE, ink)
    canvas.line([(6.2, 12.6), (9.4, 8.6), (12.0, 10.8), (16.2, 5.4)], STROKE, ink)


def _analysis(canvas: Canvas, ink: Colour) -> None:
    canvas.ring((8.8, 8.8), 5.4, STROKE, ink)
    canvas.line([(12.8, 12.8), (16.8, 16.8)], STROKE, ink)
    canvas.line([(6.4, 10.6), (8.3, 8.2), (9.6, 9.4), (11.4, 6.9)], STROKE, ink)


def _flag(canvas: Canvas, ink: Colour) -> None:
    canvas.line([(5.0, 17.0), (5.0, 3.4)], STROKE, ink)
    canvas.line([(5.0, 4.0), (15.4, 4.0), (12.8, 7.6), (15.4, 11.2), (5.0, 11.2)], STROKE, ink)


def _turn(canvas: Canvas, ink: Colour) -> None:
    canvas.outline((7.2, 7.2, 5.6, 5.6), 1.0, STROKE, ink)
    for start, head in ((190, [(15.2, 2.6), (16.0, 6.2), (12.5, 6.6)]), (10, [(4.8, 17.4), (4.0, 13.8), (7.5, 13.4)])):
        canvas.arc((10, 10), 7.2, start, start + 130, STROKE, ink)
        canvas.line(head, STROKE, ink)


def _swap(canvas: Canvas, ink: Colour) -> None:
    canvas.line([(3.6, 7.0), (16.2, 7.0), (13.2, 4.0)], STROKE, ink)
    canvas.line([(16.4, 13.0), (3.8, 13.0), (6.8, 16.0)], STROKE, ink)


def _more(canvas: Canvas, ink: Colour) -> None:
    for x in (4.6, 10, 15.4):
        canvas.circle((x, 10), 1.5, ink)


ICONS: Mapping[str, Icon] = {
    "back": _lines([(12.2, 4.6), (7.2, 10), (12.2, 15.4)]),
    "previous": _lines([(12.2, 4.6), (7.2, 10), (12.2, 15.4)]),
    "next": _lines([(7.8, 4.6), (12.8, 10), (7.8, 15.4)]),
    "first": _lines([(14.2, 4.6), (9.2, 10), (14.2, 15.4)], [(5.6, 4.8), (5.6, 15.2)]),
    "last": _lines([(5.8, 4.6), (10.8, 10), (5.8, 15.4)], [(14.4, 4.8), (14.4, 15.2)]),
    "up": _lines([(4.6, 12.6), (10, 7.4), (15.4, 12.6)]),
    "down": _lines([(5.4, 8.0), (10, 12.4), (14.6, 8.0)]),
    "check": _lines([(4.4, 10.6), (8.2, 14.4), (15.6, 6.2)]),
    "close": _lines([(5, 5), (15, 15)], [(15, 5), (5, 15)]),
    "plus": _lines([(10, 4.2), (10, 15.8)], [(4.2, 10), (15.8, 10)]),
    "minus": _lines([(4.2, 10), (15.8, 10)]),
    "undo": _undo,
    "redo": _redo,
    "hint": _hint,
    "eye": _eye,
    "gear": _gear,
    "help": _help,
    "sound": _sound,
    "sound off": _sound_off,
    "play": _play,
    "pause": _pause,
    "step": _step,
    "stop": _stop,
    "copy": _copy,
    "board": _board,
    "trash": _trash,
    "person": _people,
    "computer": _computer,
    "warning": _warning,
    "info": _info,
    "library": _library,
    "folder": _folder,
    "file": _file,
    "chart": _chart,
    "bars": _lines([(4.6, 16.2), (4.6, 10.4)], [(10, 16.2), (10, 3.8)], [(15.4, 16.2), (15.4, 7.4)]),
    "analysis": _analysis,
    "flag": _flag,
    "swap": _swap,
    "turn": _turn,
    "more": _more,
    "save": _lines(
        [(10, 3.2), (10, 12.2)],
        [(6.2, 8.8), (10, 12.6), (13.8, 8.8)],
        [(3.6, 12.6), (3.6, 16.4), (16.4, 16.4), (16.4, 12.6)],
    ),
}
