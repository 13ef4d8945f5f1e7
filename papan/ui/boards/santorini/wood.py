"""Santorini's wooden board: four planks around sunken tiles, thick edges, coordinates, a soft shadow."""

from __future__ import annotations

from collections.abc import Iterator

import pygame

from papan.game.rules.santorini.board import CELLS, COLUMNS, SIZE
from papan.ui.boards.santorini.art import Art, Sprite, above_shadow, rhombus
from papan.ui.boards.santorini.geometry import FRAME, Geometry
from papan.ui.drawing.antialiasing import Painting
from papan.ui.drawing.canvas import Canvas, Point
from papan.ui.drawing.pieces import interpolate
from papan.ui.drawing.theme import WHITE, TextStyle, mix, with_opacity

_MARGIN = 0.5
"""The margin around the board for its shadow, in halves of a cell's width."""
_SHADOW_BLUR, _SHADOW_DROP = 0.42, 0.16
_SHADOW_STRENGTH = 2.6
"""The opacity of the shadow, relative to a panel's."""
SMALLEST_WITH_COORDINATES = 34
"""Half of a cell's width, in design pixels."""
_SMALLEST_WITH_LARGER_LETTERS = 52
_COORDINATES_CONTRAST = 11.0
"""The contrast with the plank's mean colour, as its grain is much darker."""
_PLANK_TONES = (0.0, 0.10, 0.0, 0.05)
_GRAIN = ((0.27, 0.05, 0.62), (0.5, 0.30, 0.93), (0.76, 0.10, 0.48))
"""The lines of the grain: the position across a plank, and the start and end along it."""


class WoodenBoard:
    """Draws the board at the size of *geometry*, in the style of *art*."""

    def __init__(self, art: Art, geometry: Geometry) -> None:
        self.art = art
        self.geometry = geometry
        self.theme = art.theme
        self.unit = art.unit
        self.reach = geometry.frame_reach
        pad = geometry.px(_MARGIN)
        self.middle = self.reach[0] + pad, self.reach[1] + pad

    def sprite(self, has_coordinates: bool) -> Sprite:
        size = 2 * self.middle[0], 2 * self.middle[1] + self.geometry.thickness

        def paint() -> Painting:
            canvas = Canvas(size)
            yield from self._drawing_wood(canvas)
            yield
            wood = yield from canvas.painting()
            if has_coordinates:
                yield from self._writing_coordinates(wood)
            return (yield from above_shadow(wood, self._shadow(size)))

        key = ("santorini board", self.unit, self.geometry.quarters, has_coordinates)
        return Sprite(self.art.paint.pictures.painted(key, paint), self.middle, pygame.BLEND_PREMULTIPLIED)

    def _shadow(self, size: tuple[int, int]) -> Painting:
        below = self.geometry.thickness + self.unit * _SHADOW_DROP
        shape = rhombus((self.middle[0], self.middle[1] + below), self.reach[0] * 0.97, self.reach[1] * 0.97)
        opacity = min(1.0, self.theme.shadow * _SHADOW_STRENGTH)
        return self.art.shadow(size, shape, opacity, self.unit * _SHADOW_BLUR)

    def _drawing_wood(self, canvas: Canvas) -> Iterator[None]:
        wood, unit = self.theme.wood, self.unit
        outer = rhombus(self.middle, *self.reach)
        share = SIZE / (SIZE + FRAME)
        inner = rhombus(self.middle, self.reach[0] * share, self.reach[1] * share)
        self._draw_edges(canvas, outer)
        for index, tone in enumerate(_PLANK_TONES):
            following = (index + 1) % 4
            plank = [outer[index], outer[following], inner[following], inner[index]]
            canvas.polygon(plank, mix(wood.top, wood.edge, tone))
            self._draw_grain(canvas, plank, index)
            yield
        seam = with_opacity(wood.line, 1.0 if self.art.has_strong_lines else 0.5)
        for start, end in zip(outer, inner, strict=True):
            canvas.line([start, end], max(0.6, unit * 0.012), seam)
        canvas.polygon(inner, mix(wood.top, wood.line, 0.32))
        for cell in range(CELLS):
            self._draw_tile(canvas, cell)
            yield
        bevel = mix(wood.top, WHITE, 0.14 if self.theme.is_dark else 0.35)
        canvas.line([outer[3], outer[2], outer[1]], max(0.8, unit * 0.022), bevel)

    def _draw_edges(self, canvas: Canvas, outer: list[Point]) -> None:
        wood, thick = self.theme.wood, self.geometry.thickness
        _, right, front, left = outer
        canvas.polygon(outer, wood.top)
        for corner, lit, dark in (
            (left, wood.edge, mix(wood.edge, wood.deep, 0.55)),
            (right, mix(wood.edge, wood.deep, 0.75), wood.deep),
        ):
            for colour, depth in ((dark, thick), (lit, thick * 0.8)):
                canvas.polygon([corner, front, (front[0], front[1] + depth), (corner[0], corner[1] + depth)], colour)

    def _draw_grain(self, canvas: Canvas, plank: list[Point], index: int) -> None:
        if self.art.has_strong_lines:
            return
        ink = with_opacity(self.theme.wood.line, 0.22)
        for line, (across, near, far) in enumerate(_GRAIN):
            shares = (near, far) if (index + line) % 2 else (1 - near, 1 - far)
            first, last = interpolate(plank[0], plank[3], across), interpolate(plank[1], plank[2], across)
            path = [interpolate(first, last, share) for share in shares]
            canvas.line(path, max(0.5, self.unit * 0.012), ink)

    def _draw_tile(self, canvas: Canvas, cell: int) -> None:
        """Draw a sunken tile: shaded upper edges, lit lower ones."""
        wood, geometry = self.theme.wood, self.geometry
        x, y = geometry.base(cell)
        at = x - geometry.middle[0] + self.middle[0], y - geometry.middle[1] + self.middle[1]
        fill = wood.cell if (cell % SIZE + cell // SIZE) % 2 == 0 else wood.other_cell
        back, right, front, left = rhombus(at, *geometry.top_reach(0))
        canvas.polygon([back, right, front, left], fill)
        dark, light = mix(fill, wood.line, 0.75), mix(fill, WHITE, 0.10 if self.theme.is_dark else 0.30)
        if self.art.has_strong_lines:
            dark = light = wood.line
        line = max(0.8, self.unit * 0.02)
        canvas.line([left, back, right], line, dark)
        canvas.line([right, front, left], line, light)

    def _writing_coordinates(self, picture: pygame.Surface) -> Iterator[None]:
        """Write letters on the left front plank and numbers on the right one, or vice versa on a turned board."""
        plank = FRAME / 4  # the middle of the plank, in cells from its inner edge
        wanted = self.theme.second if self.theme.is_dark else self.theme.wood.deep
        is_large = self.unit >= self.theme.px(_SMALLEST_WITH_LARGER_LETTERS)
        style: TextStyle = "small strong" if is_large else "tiny"
        for index in range(SIZE):
            across = round((index + 0.5 - plank - SIZE) * self.unit)
            towards = round((index + 0.5 + plank) * self.geometry.half_height)
            for place, x in ((index, across), ((SIZE - index) * SIZE - 1, -across)):
                yield
                text = self._coordinate(place, is_left=x < 0)
                middle = round(self.middle[0] + x), round(self.middle[1] + towards)
                ink = self.art.paint.ink_at(picture, text, middle, style, wanted, least=_COORDINATES_CONTRAST)
                letters = self.art.paint.text_picture(text, style, ink)
                at = letters.get_rect(center=middle)
                self.art.paint.stamp(picture, letters, at, text, ink)

    def _coordinate(self, place: int, *, is_left: bool) -> str:
        """The coordinate on the left or right front plank next to *place*."""
        row, column = divmod(self.geometry.cell_in_place(place), SIZE)
        return COLUMNS[column] if is_left == (self.geometry.quarters % 2 == 0) else str(row + 1)
