"""Pictures of CIFRA's pieces: on the way, lifted, and at home; with a crown or a number where the mode has ranks."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from papan.ui.boards.cifra.art import (
    PieceLook,
    draw_crown,
    draw_goal_piece,
    draw_number_plate,
    draw_piece,
    draw_plain_goal_piece,
    palette_of,
)
from papan.ui.drawing.canvas import Canvas
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.pieces import shadowed_painting
from papan.ui.drawing.samples import Painting
from papan.ui.drawing.theme import Shape

_FIGURE = 1.02
"""The height of a number's font, of a piece's radius."""
_GOAL_FIGURE = 0.92
_LIFTED = 1.06


@dataclass(frozen=True)
class Piece:
    """All that a picture of a piece depends on, except its size and the theme."""

    colour: int
    """0 white, 1 blue."""
    shape: Shape
    """The seat's."""
    rank: str = ""
    """``K`` for a king, or a number; "" where pieces don't differ, or this one has no rank."""
    is_goal: bool = False
    is_lifted: bool = False


def piece_picture(paint: Painter, piece: Piece, side: int, radius: float) -> pygame.Surface:
    """The picture of *piece*, a cell of *side* and a half wide, its shadow included."""
    return paint.pictures.painted(("cifra piece", piece, side), lambda: _painting(paint, piece, side, radius))


def _painting(paint: Painter, piece: Piece, side: int, radius: float) -> Painting:
    palette = palette_of(paint.theme)
    look = palette.pieces[piece.colour]
    full = round(side * 1.5)
    centre = (full / 2, full / 2)
    canvas = Canvas((full, full))
    if piece.is_goal:
        if piece.rank:
            draw_plain_goal_piece(canvas, centre, radius, look, palette.gold)
            flat = (centre[0], centre[1] + radius * 0.05)
            if piece.rank == "K":
                draw_crown(canvas, flat, radius * 0.54, look, palette.gold, piece.shape)
            else:
                draw_number_plate(canvas, flat, radius * 0.66, look, piece.shape)
        else:
            draw_goal_piece(canvas, centre, radius, look, piece.shape, palette.gold)
        picture = yield from canvas.painting()
        _write(paint, picture, piece, look, radius * _GOAL_FIGURE, round(radius * 0.05))
        return picture
    grown = radius * (_LIFTED if piece.is_lifted else 1)
    if piece.rank:
        draw_piece(canvas, centre, grown, look, None)
        if piece.rank == "K":
            draw_crown(canvas, centre, grown * 0.58, look, palette.gold, piece.shape)
        else:
            draw_number_plate(canvas, centre, grown * 0.7, look, piece.shape)
    else:
        draw_piece(canvas, centre, grown, look, piece.shape)
    fall, softness = (0.5, 0.3) if piece.is_lifted else (0.2, 0.12)
    left, top = full / 2 - radius * (1 - fall * 0.35), full / 2 - radius * (1 - fall)
    under = (left, top, 2 * radius, 2 * radius)
    picture = yield from shadowed_painting(canvas, under, radius, 0.36, radius * softness)
    _write(paint, picture, piece, look, grown * _FIGURE, 0)
    return picture


def _write(paint: Painter, picture: pygame.Surface, piece: Piece, look: PieceLook, height: float, down: int) -> None:
    """Write the number of *piece*, if it has one, with its ink in the middle of *picture*."""
    if not piece.rank.isdigit():
        return
    figure = paint.bold_picture(piece.rank, round(height), look.mark)
    ink = figure.get_bounding_rect()
    middle = picture.get_rect().center
    at = figure.get_rect(topleft=(middle[0] - ink.centerx, middle[1] + down - ink.centery))
    paint.stamp(picture, figure, at, piece.rank, look.mark)
