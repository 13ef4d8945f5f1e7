"""Pictures of the seven kinds of xiangqi pieces, for players who don't read the characters.

Each has a radius of about one unit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from papan.game.rules.xiangqi.board import ADVISOR, CANNON, CHARIOT, ELEPHANT, GENERAL, HORSE, SOLDIER
from papan.ui.drawing.canvas import Canvas, Point
from papan.ui.drawing.theme import Colour


class Pen:
    """Draws on a disc in coordinates relative to the disc's middle.

    :param size: one unit of these, in the canvas's units.
    :param ground: the colour of the disc's face.
    """

    def __init__(self, canvas: Canvas, middle: Point, size: float, ink: Colour, ground: Colour) -> None:
        self.canvas = canvas
        self.middle = middle
        self.size = size
        self.ink = ink
        self.ground = ground

    def at(self, x: float, y: float) -> Point:
        return self.middle[0] + x * self.size, self.middle[1] + y * self.size

    def fill(self, points: Sequence[Point], colour: Colour | None = None) -> None:
        self.canvas.polygon([self.at(*point) for point in points], colour or self.ink)

    def stroke(self, points: Sequence[Point], width: float, colour: Colour | None = None) -> None:
        """Draw a line with round caps."""
        self.canvas.line([self.at(*point) for point in points], width * self.size, colour or self.ink)

    def round(self, x: float, y: float, across: float, up: float | None = None, colour: Colour | None = None) -> None:
        """Draw a filled ellipse with radii *across* and *up*."""
        high = (across if up is None else up) * self.size
        self.canvas.ellipse(self.at(x, y), across * self.size, high, colour or self.ink)

    def ring(self, x: float, y: float, radius: float, width: float) -> None:
        """Draw a circle's outline."""
        self.canvas.ring(self.at(x, y), radius * self.size, width * self.size, self.ink)

    def bend(self, x: float, y: float, radius: float, start: float, end: float) -> list[Point]:
        """Points on an arc, in degrees clockwise from the right."""
        points = self.canvas.arc_points(self.at(x, y), radius * self.size, start, end)
        return [((px - self.middle[0]) / self.size, (py - self.middle[1]) / self.size) for px, py in points]


def _crown(pen: Pen) -> None:
    pen.fill([(-0.72, 0.42), (-0.9, -0.42), (-0.42, -0.02), (0, -0.72), (0.42, -0.02), (0.9, -0.42), (0.72, 0.42)])
    pen.fill([(-0.72, 0.54), (0.72, 0.54), (0.72, 0.76), (-0.72, 0.76)])
    for x, y in ((-0.9, -0.5), (0, -0.8), (0.9, -0.5)):
        pen.round(x, y, 0.13)


def _fan(pen: Pen) -> None:
    outer = pen.bend(0, 0.62, 1.25, 207, 333)
    inner = pen.bend(0, 0.62, 0.45, 333, 207)
    pen.fill([*outer, *inner])
    for degrees in (232, 257, 283, 308):
        spoke = (pen.bend(0, 0.62, 0.45, degrees, degrees + 1)[0], pen.bend(0, 0.62, 1.12, degrees, degrees + 1)[0])
        pen.stroke(spoke, 0.07, pen.ground)
    for degrees in (207, 232, 257, 283, 308, 333):
        pen.stroke([(0, 0.62), pen.bend(0, 0.62, 0.5, degrees, degrees + 1)[0]], 0.08)
    pen.round(0, 0.64, 0.13)


def _elephant(pen: Pen) -> None:
    for side in (-1, 1):
        pen.round(side * 0.6, -0.22, 0.38, 0.5)
    pen.round(0, -0.22, 0.5, 0.56, pen.ground)
    pen.round(0, -0.24, 0.42, 0.5)
    trunk = [(0, -0.1), (0, 0.45), *[(x, y) for x, y in pen.bend(0.2, 0.5, 0.2, 180, 60)]]
    pen.stroke(trunk, 0.3)
    for side in (-1, 1):
        pen.stroke([(side * 0.32, 0.26), (side * 0.42, 0.5)], 0.12)
        pen.round(side * 0.18, -0.26, 0.07, colour=pen.ground)


def _horse(pen: Pen) -> None:
    pen.fill(
        [
            (-0.55, 0.82), (-0.6, 0.35), (-0.5, -0.15), (-0.25, -0.55), (-0.12, -0.62), (-0.1, -0.95), (0.12, -0.68),
            (0.35, -0.55), (0.5, -0.25), (0.82, 0.1), (0.86, 0.28), (0.7, 0.42), (0.5, 0.32), (0.2, 0.2), (0.16, 0.38),
            (0.42, 0.6), (0.5, 0.82),
        ]
    )  # fmt: skip
    pen.round(0.24, -0.26, 0.08, colour=pen.ground)
    mane = [(-0.2, -0.72), (-0.52, -0.42), (-0.74, 0.02), (-0.82, 0.5)]
    pen.stroke(mane, 0.1)


def _chariot(pen: Pen) -> None:
    pen.fill([(-0.8, -0.72), (-0.62, -0.72), (-0.55, -0.25), (0.5, -0.25), (0.62, 0.02), (-0.72, 0.02)])
    pen.stroke([(0.5, -0.06), (0.95, -0.34)], 0.12)
    pen.round(-0.05, 0.32, 0.62, colour=pen.ground)
    pen.ring(-0.05, 0.32, 0.48, 0.14)
    for across, up in ((0.44, 0.0), (0.22, 0.38), (-0.22, 0.38)):
        pen.stroke([(-0.05 - across, 0.32 - up), (-0.05 + across, 0.32 + up)], 0.08)
    pen.round(-0.05, 0.32, 0.12)


def _cannon(pen: Pen) -> None:
    pen.fill([(-0.88, 0.02), (-0.66, 0.42), (0.92, -0.32), (0.72, -0.74)])
    pen.round(-0.78, 0.24, 0.23)
    pen.stroke([(0.66, -0.82), (0.96, -0.24)], 0.16)
    pen.stroke([(-0.1, 0.4), (-0.85, 0.78)], 0.16)
    pen.round(0.0, 0.36, 0.5, colour=pen.ground)
    pen.ring(0.0, 0.36, 0.36, 0.13)
    pen.stroke([(-0.3, 0.36), (0.3, 0.36)], 0.08)
    pen.stroke([(0, 0.06), (0, 0.66)], 0.08)


def _soldier(pen: Pen) -> None:
    pen.stroke([(0.72, -0.72), (0.72, 0.82)], 0.1)
    pen.fill([(0.72, -1.02), (0.88, -0.62), (0.72, -0.5), (0.56, -0.62)])
    pen.fill([(-0.78, 0.84), (-0.66, 0.28), (-0.42, 0.1), (0.14, 0.1), (0.38, 0.28), (0.5, 0.84)])
    pen.round(-0.14, -0.2, 0.27)
    pen.fill([(-0.72, -0.28), (-0.14, -0.82), (0.44, -0.28)])
    pen.stroke([(-0.42, -0.2), (0.14, -0.2)], 0.05, pen.ground)


PICTURES: dict[int, Callable[[Pen], None]] = {
    GENERAL: _crown,
    ADVISOR: _fan,
    ELEPHANT: _elephant,
    HORSE: _horse,
    CHARIOT: _chariot,
    CANNON: _cannon,
    SOLDIER: _soldier,
}
"""The picture of each kind of piece."""
