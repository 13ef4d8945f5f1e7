"""The program's icon at each size: a small wooden board with the four seats' shapes.

``python -m dev.icon`` writes the bundled PNG files.
"""

from __future__ import annotations

from pathlib import Path

import pygame

from papan.game.base.places import bundled_file
from papan.ui.drawing.canvas import Canvas
from papan.ui.drawing.paint import draw_shape
from papan.ui.drawing.theme import LIGHT, mix, with_opacity

FOLDER = bundled_file("assets", "icon")
SIZES = (16, 24, 32, 48, 64, 128, 256, 512, 1024)

_UNITS = 64.0
_EDGE = 2.5  # of transparency around the board
_FRAME = 5.0
_GAP = 2.2
_THICK = 2.2  # of the board, seen at its lower edge
_SMALLEST_WITH_DETAIL = 48


def picture(size: int) -> pygame.Surface:
    canvas = Canvas((size, size), size / _UNITS)
    wood = LIGHT.wood
    has_detail = size >= _SMALLEST_WITH_DETAIL
    side = _UNITS - 2 * _EDGE
    if has_detail:
        canvas.rounded_rect((_EDGE, _EDGE + 1.5, side, side), 13, with_opacity((60, 40, 10), 0.35))
        canvas.blur(2.5)
    canvas.rounded_rect((_EDGE, _EDGE, side, side), 13, wood.deep)
    lit = canvas.rounded_points((_EDGE, _EDGE, side, side - _THICK), 13)
    canvas.gradient(lit, mix(wood.top, (255, 255, 255), 0.15), wood.edge)
    cell = (side - _THICK - 2 * _FRAME - _GAP) / 2
    left, top = (_UNITS - 2 * cell - _GAP) / 2, _EDGE + _FRAME
    for index, seat in enumerate(LIGHT.seats):
        row, column = divmod(index, 2)
        box = (left + column * (cell + _GAP), top + row * (cell + _GAP), cell, cell)
        canvas.rounded_rect(box, 5, mix(wood.cell, (255, 255, 255), 0.35))
        centre = (box[0] + cell / 2, box[1] + cell / 2)
        if has_detail:
            draw_shape(canvas, seat.shape, (centre[0], centre[1] + 1.0), cell * 0.31, with_opacity(wood.deep, 0.35))
        draw_shape(canvas, seat.shape, centre, cell * 0.31, seat.colour)
    return canvas.picture()


def write_all(folder: Path = FOLDER) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for size in SIZES:
        pygame.image.save(picture(size), folder / f"papan-{size}.png")


if __name__ == "__main__":
    write_all()
