"""The icons: vector drawings with lines of 1.7 units on a grid of 20."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from papan.ui.drawing.canvas import Canvas, Point, polar
from papan.ui.drawing.theme import Colour

ICON_GRID = 20
STROKE = 1.7

Icon = Callable[[Canvas, Colour], None]


def _icon(parts: str) -> Icon:
    """The icon of *parts* separated by slashes, each a word and what it needs.

    A ``line``, a ``bold`` line or a closed ``shape`` needs its path: points ``x,y`` and arcs ``x,y,radius,start,end``,
    in degrees clockwise from the right. A ``dot`` needs its middle and radius, a ``box`` its left, top, width, height
    and corner radius.
    """

    def draw(canvas: Canvas, ink: Colour) -> None:
        for part in parts.split(" / "):
            kind, *texts = part.split()
            path = [tuple(map(float, text.split(","))) for text in texts]
            if kind == "dot":
                x, y, radius = path[0]
                canvas.circle((x, y), radius, ink)
            elif kind == "box":
                canvas.outline(path[0][:4], path[0][4], STROKE, ink)
            else:
                points: list[Point] = []
                for x, y, *arc in path:
                    points += canvas.arc_points((x, y), *arc) if arc else [(x, y)]
                canvas.line(points, STROKE * (1.25 if kind == "bold" else 1), ink, closed=kind == "shape")

    return draw


_RAYS = [(polar((10, 10), 6.0, angle), polar((10, 10), 7.7, angle)) for angle in range(0, 360, 45)]
_PARTS = {
    "back": "line 12.2,4.6 7.2,10 12.2,15.4",
    "previous": "line 12.2,4.6 7.2,10 12.2,15.4",
    "next": "line 7.8,4.6 12.8,10 7.8,15.4",
    "first": "line 14.2,4.6 9.2,10 14.2,15.4 / line 5.6,4.8 5.6,15.2",
    "last": "line 5.8,4.6 10.8,10 5.8,15.4 / line 14.4,4.8 14.4,15.2",
    "up": "line 4.6,12.6 10,7.4 15.4,12.6",
    "down": "line 5.4,8 10,12.4 14.6,8",
    "check": "line 4.4,10.6 8.2,14.4 15.6,6.2",
    "close": "line 5,5 15,15 / line 15,5 5,15",
    "plus": "line 10,4.2 10,15.8 / line 4.2,10 15.8,10",
    "minus": "line 4.2,10 15.8,10",
    "undo": "line 6.4,4.2 3.4,7.4 6.4,10.6 / line 3.6,7.4 12.2,11.6,4.2,-90,90 9.2,15.8",
    "redo": "line 13.6,4.2 16.6,7.4 13.6,10.6 / line 16.4,7.4 7.8,11.6,4.2,-90,-270 10.8,15.8",
    "hint": "shape 8,14.2 8,13 10,8,5,125,415 12,13 12,14.2 / line 8.5,17.2 11.5,17.2",
    "eye": "shape 10,14.1,9,207.5,332.5 10,5.9,9,27.5,152.5 / line 10,10,2.3,0,360",
    "search": "line 8.7,8.7,4.7,0,360 / line 12.2,12.2 16.2,16.2",
    "gear": " / ".join(["line 10,10,3.1,0,360", *(f"line {x},{y} {u},{v}" for (x, y), (u, v) in _RAYS)]),
    "help": "line 10,7.3,2.9,185,400 10,10.6 10,12 / dot 10,15.3,1.15",
    "sound": "shape 3.2,8 5.6,8 9.4,4.8 9.4,15.2 5.6,12 3.2,12 / line 9.4,10,3.6,-40,40 / line 9.4,10,6.6,-42,42",
    "sound off": "shape 3.2,8 5.6,8 9.4,4.8 9.4,15.2 5.6,12 3.2,12 / line 12.8,7.8 17.2,12.2 / line 17.2,7.8 12.8,12.2",
    "play": "shape 6.6,4.8 14.8,10 6.6,15.2",
    "pause": "bold 7.2,5 7.2,15 / bold 12.8,5 12.8,15",
    "step": "shape 5,5 12.2,10 5,15 / line 15.4,5 15.4,15",
    "stop": "box 4.9,4.9,10.2,10.2,1.8",
    "copy": "box 7,7,10,10,2.2 / line 4.6,12.6 3.9,12 3.9,4.6 4.6,3.9 12,3.9 12.6,4.6",
    "paste": (
        "line 7.2,4.4 4.6,4.4 3.9,5.1 3.9,16.5 4.6,17.2 15.4,17.2 16.1,16.5 16.1,5.1 15.4,4.4 12.8,4.4 / box "
        "7.2,2.8,5.6,3.4,1.2 / line 10,8.8 10,13.6 / line 7.6,11.4 10,13.8 12.4,11.4"
    ),
    "puzzle": (
        "shape 3.4,6.4 7.2,6.4 9.2,5.4,2,150,390 11.2,6.4 15,6.4 15,9.6 15.6,11.4,1.9,-100,100 15,13.2 15,16.8 3.4,16.8"
    ),
    "flask": (
        "line 8.2,3.4 8.2,8.2 4.2,15.2 4.9,16.6 15.1,16.6 15.8,15.2 11.8,8.2 11.8,3.4 / line 6.8,3.4 13.2,3.4 / "
        "line 6.4,12 13.6,12"
    ),
    "board": (
        "box 3.4,3.4,13.2,13.2,2.2 / line 10,3.6 10,16.4 / line 3.6,10 16.4,10 / dot 6.7,6.7,1.3 / dot 13.3,13.3,1.3"
    ),
    "trash": (
        "line 3.8,5.8 16.2,5.8 / line 7.6,5.6 8,3.4 12,3.4 12.4,5.6 / line 5.4,6 6.1,16.6 13.9,16.6 14.6,6 / "
        "line 8.5,9.2 8.5,13.4 / line 11.5,9.2 11.5,13.4"
    ),
    "person": "line 10,6.6,3,0,360 / line 4.4,16.6 10,17,5.6,184,356 15.6,16.6",
    "speech": "shape 3.4,4.2 16.6,4.2 16.6,13 9.8,13 6.4,16.4 6.4,13 3.4,13",
    "computer": "box 2.9,3.9,14.2,9.8,1.8 / line 6.8,16.6 13.2,16.6 / line 10,13.8 10,16.4",
    "warning": "shape 10,3.4 17.2,16 2.8,16 / line 10,8 10,11.2 / dot 10,13.5,1",
    "info": "line 10,10,6.8,0,360 / line 10,9.6 10,13.2 / dot 10,6.8,1.05",
    "library": "line 4.4,4 4.4,16 / line 8.2,4 8.2,16 / line 11.8,4.4 15.4,15.8",
    "folder": "shape 2.8,5 7.6,5 9.4,7 17.2,7 17.2,15.6 2.8,15.6",
    "file": "shape 4.8,2.8 11.6,2.8 15.2,6.4 15.2,17.2 4.8,17.2 / line 7.6,9.6 12.4,9.6 / line 7.6,13 12.4,13",
    "chart": "line 3.4,3.6 3.4,16.4 16.8,16.4 / line 6.2,12.6 9.4,8.6 12,10.8 16.2,5.4",
    "bars": "line 4.6,16.2 4.6,10.4 / line 10,16.2 10,3.8 / line 15.4,16.2 15.4,7.4",
    "analysis": "line 8.8,8.8,5.4,0,360 / line 12.8,12.8 16.8,16.8 / line 6.4,10.6 8.3,8.2 9.6,9.4 11.4,6.9",
    "flag": "line 5,17 5,3.4 / line 5,4 15.4,4 12.8,7.6 15.4,11.2 5,11.2",
    "swap": "line 3.6,7 16.2,7 13.2,4 / line 16.4,13 3.8,13 6.8,16",
    "turn": (
        "box 7.2,7.2,5.6,5.6,1 / line 10,10,7.2,190,320 / line 15.2,2.6 16,6.2 12.5,6.6 / line 10,10,7.2,10,140 "
        "/ line 4.8,17.4 4,13.8 7.5,13.4"
    ),
    "more": "dot 4.6,10,1.5 / dot 10,10,1.5 / dot 15.4,10,1.5",
    "save": "line 10,3.2 10,12.2 / line 6.2,8.8 10,12.6 13.8,8.8 / line 3.6,12.6 3.6,16.4 16.4,16.4 16.4,12.6",
}
ICONS: Mapping[str, Icon] = {name: _icon(parts) for name, parts in _PARTS.items()}
