"""Drawings for xiangqi: the lined board with its river and palaces, the discs, and pictures for them.

Red's discs are of light wood and black's of dark wood, so that colour is not the only difference. All colours derive
from the theme. Lengths are shares of a cell unless noted; a cell is the square around a point.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import pygame

from papan.game.rules.xiangqi.board import (
    ADVISOR,
    CANNON,
    CHARIOT,
    ELEPHANT,
    FILES,
    GENERAL,
    HALF_RANKS,
    HORSE,
    RANKS,
    SOLDIER,
)
from papan.ui.drawing.canvas import Canvas, Point
from papan.ui.drawing.fonts import XIANGQI_FONT, font_in, font_of_weight
from papan.ui.drawing.theme import BLACK, WHITE, Colour, Theme, mix, rgb, with_opacity

DISC_RADIUS = 0.43
DISC_HEIGHT = 0.07
CHARACTERS = (
    {GENERAL: "帥", ADVISOR: "仕", ELEPHANT: "相", HORSE: "傌", CHARIOT: "俥", CANNON: "炮", SOLDIER: "兵"},
    {GENERAL: "將", ADVISOR: "士", ELEPHANT: "象", HORSE: "馬", CHARIOT: "車", CANNON: "砲", SOLDIER: "卒"},
)
"""The characters of red's and black's pieces, all different."""
RIVER_WORDS = ("楚河", "漢界")
"""The river of Chu and the border of Han."""

_LINE = 0.026
SMALLEST_CHARACTER = 6
"""In pixels."""
_CHARACTER = 1.2
"""The size of a character on a disc, in radii."""
_CHARACTER_ALONE = 1.5
"""The size of a character without a ring."""
_RING = 0.84
"""The radius of the ring around a character, in radii."""
_SMALLEST_RADIUS_WITH_RING = 14
_SMALLEST_CELL_WITH_ANGLES = 24
"""In pixels."""
_CROSS_PLACES = ((1, 2), (7, 2), (0, 3), (2, 3), (4, 3), (6, 3), (8, 3))
"""The files and ranks of red's cannons and soldiers at the start, marked by small angles."""


@dataclass(frozen=True)
class DiscLook:
    light: Colour
    body: Colour
    shade: Colour
    side: Colour
    rim: Colour
    ink: Colour


@dataclass(frozen=True)
class Palette:
    frame_light: Colour
    frame: Colour
    frame_deep: Colour
    face_light: Colour
    face: Colour
    line: Colour
    word: Colour
    number: Colour
    check: Colour
    discs: tuple[DiscLook, DiscLook]
    """Red's and black's."""


@lru_cache(maxsize=8)
def palette_of(theme: Theme) -> Palette:
    if not theme.shadow:
        return _plain_palette(theme)
    wood = theme.wood
    dim = 0.07 if theme.is_dark else 0.0
    face, frame, line = mix(wood.cell, rgb("#E9C892"), 0.35), mix(wood.edge, rgb("#7B4A26"), 0.6), rgb("#3B2211")
    if wood.grain < 1:  # of paper or stone
        face, frame, line = wood.cell, mix(wood.edge, wood.deep, 0.5), mix(wood.deep, BLACK, 0.4)
    line = mix(face, line, 0.72)
    boxwood = mix(rgb("#F5E6C8"), BLACK, dim)
    return Palette(
        frame_light=mix(frame, WHITE, 0.18),
        frame=frame,
        frame_deep=mix(frame, BLACK, 0.4),
        face_light=mix(face, WHITE, 0.12),
        face=face,
        line=line,
        word=mix(face, line, 0.62),
        number=mix(frame, WHITE, 0.78),
        check=rgb("#D23B2A"),
        discs=(
            DiscLook(
                light=mix(boxwood, WHITE, 0.6),
                body=boxwood,
                shade=mix(boxwood, rgb("#BD9863"), 0.45),
                side=mix(boxwood, rgb("#7A5630"), 0.7),
                rim=mix(boxwood, rgb("#8C6A3E"), 0.75),
                ink=rgb("#A81F15"),
            ),
            DiscLook(*map(rgb, ["#6A5546", "#493930", "#362922", "#1E1612", "#241B16", "#F6E9D0"])),
        ),
    )


def _plain_palette(theme: Theme) -> Palette:
    """The colours in high contrast: black discs with a white outline, and coloured ones with black on them."""
    red, wood = theme.seats[0].colour, theme.wood
    discs = DiscLook(red, red, red, BLACK, WHITE, BLACK), DiscLook(BLACK, BLACK, BLACK, BLACK, WHITE, WHITE)
    frame, face = (wood.deep, wood.deep, wood.line), (wood.cell, wood.cell)
    return Palette(*frame, *face, line=wood.line, word=wood.line, number=WHITE, check=rgb("#FFD83D"), discs=discs)


def draw_frame(canvas: Canvas, rect: tuple[float, float, float, float], border: float, palette: Palette) -> None:
    x, y, wide, high = rect
    corner = border * 0.7
    canvas.rounded_rect((x, y + border * 0.14, wide, high), corner, palette.frame_deep)
    canvas.gradient(canvas.rounded_points(rect, corner), palette.frame_light, palette.frame)
    canvas.outline(rect, corner, max(1.0, border * 0.06), with_opacity(palette.frame_deep, 0.6))
    inner = (x + border, y + border, wide - 2 * border, high - 2 * border)
    lip = max(1.0, border * 0.09)
    around = (inner[0] - lip, inner[1] - lip, inner[2] + 2 * lip, inner[3] + 2 * lip)
    canvas.rounded_rect(around, lip, palette.frame_deep)
    canvas.gradient(canvas.rounded_points(inner, lip), palette.face_light, palette.face)


def draw_lines(canvas: Canvas, origin: Point, side: float, palette: Palette) -> None:
    """Draw the lines: nine files interrupted by the river, ten ranks, two palaces, and the angles.

    :param origin: the upper left corner of the upper left cell.
    """
    width = max(1.0, side * _LINE)

    def at(file: float, rank: float) -> Point:
        return origin[0] + (file + 0.5) * side, origin[1] + (rank + 0.5) * side

    last_file, last_rank = FILES - 1, RANKS - 1
    for rank in range(RANKS):
        canvas.line([at(0, rank), at(last_file, rank)], width, palette.line)
    for file in range(FILES):
        is_edge = file in (0, last_file)
        for start, end in [(0, last_rank)] if is_edge else [(0, HALF_RANKS - 1), (HALF_RANKS, last_rank)]:
            canvas.line([at(file, start), at(file, end)], width, palette.line)
    for top in (0, last_rank - 2):
        canvas.line([at(3, top), at(5, top + 2)], width, palette.line)
        canvas.line([at(5, top), at(3, top + 2)], width, palette.line)
    gap = 0.11
    wide, high = (last_file + 2 * gap) * side, (last_rank + 2 * gap) * side
    canvas.outline((*at(-gap, -gap), wide, high), 0, 2 * width, palette.line)
    for file, rank in _CROSS_PLACES if side >= _SMALLEST_CELL_WITH_ANGLES else ():
        _draw_angles(canvas, at(file, rank), file, side, palette.line)
        _draw_angles(canvas, at(file, last_rank - rank), file, side, palette.line)


def _draw_angles(canvas: Canvas, point: Point, file: int, side: float, ink: Colour) -> None:
    near, far, width = side * 0.08, side * 0.2, max(0.8, side * _LINE * 0.8)
    for right in (-1, 1):
        if not 0 <= file + right < FILES:
            continue
        for down in (-1, 1):
            x, y = point[0] + right * near, point[1] + down * near
            reach = far - near
            canvas.line([(x + right * reach, y), (x, y), (x, y + down * reach)], width, ink)


def draw_river(canvas: Canvas, origin: Point, side: float, palette: Palette) -> None:
    middle = origin[1] + RANKS * side / 2
    width, ink = max(1.0, side * 0.03), with_opacity(palette.word, 0.55)
    for row, (start, end) in enumerate(((1.2, 7.8), (0.8, 8.2), (1.2, 7.8))):
        y = middle + (row - 1) * side * 0.22
        steps = 64
        xs = [origin[0] + (start + (end - start) * step / steps) * side for step in range(steps + 1)]
        rises = [side * 0.05 * (1, -1)[step // 2 % 2] * (step % 2) for step in range(steps + 1)]
        wave = [(x, y + rise) for x, rise in zip(xs, rises, strict=True)]
        canvas.line(wave, width, ink)


def draw_disc(canvas: Canvas, base: Point, radius: float, height: float, look: DiscLook) -> Point:
    """Draw a disc seen from above and a little from the front; return the middle of its face."""
    x, y = base
    face = (x, y - height)
    line = max(1.0, radius * 0.05)
    canvas.circle(base, radius, look.side)
    canvas.polygon([(x - radius, y), (x - radius, face[1]), (x + radius, face[1]), (x + radius, y)], look.side)
    canvas.circle(face, radius, look.rim)
    canvas.gradient(canvas.arc_points(face, radius - line, 0, 360), look.light, look.shade)
    canvas.gradient(canvas.arc_points(face, radius * 0.93, 0, 360), mix(look.body, look.light, 0.35), look.body)
    if radius >= _SMALLEST_RADIUS_WITH_RING:
        canvas.ring(face, radius * _RING, max(1.0, radius * 0.055), look.ink)
    return face


def draw_flat_disc(canvas: Canvas, base: Point, radius: float, height: float, look: DiscLook) -> Point:
    """Draw a disc of one colour with a rim; return its middle."""
    face = (base[0], base[1] - height / 2)
    canvas.circle(face, radius, look.rim)
    canvas.circle(face, radius - max(1.0, radius * 0.06), look.body)
    return face


def character(text: str, height: float, ink: Colour) -> pygame.Surface:
    """A picture of *text*, cropped to its ink, because characters are not centred in their lines."""
    size = max(SMALLEST_CHARACTER, round(height))
    font = font_in(XIANGQI_FONT, size) or font_of_weight("Bold", size)
    glyphs = font.render(text, True, ink)
    return glyphs.subsurface(glyphs.get_bounding_rect())


def disc_character(seat: int, kind: int, radius: float, ink: Colour, *, has_ring: bool = True) -> pygame.Surface:
    """The picture of a piece's character, as large as its disc allows."""
    share = _CHARACTER if has_ring and radius >= _SMALLEST_RADIUS_WITH_RING else _CHARACTER_ALONE
    return character(CHARACTERS[seat][kind], radius * share, ink)


@dataclass(frozen=True)
class Pen:
    """Draws on a disc in coordinates relative to the disc's middle."""

    canvas: Canvas
    middle: Point
    size: float
    """One unit of these coordinates, in the canvas's units."""
    ink: Colour
    ground: Colour
    """The colour of the disc's face."""

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
