"""Pictures of CIFRA's pieces: on the way, lifted, and at home; with a crown or a number in modes with ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
from papan.ui.drawing.antialiasing import Painting
from papan.ui.drawing.canvas import Canvas
from papan.ui.drawing.marks import Pixel, canvas_around
from papan.ui.drawing.paint import Painter, draw_shape
from papan.ui.drawing.pieces import shadowed_painting
from papan.ui.drawing.theme import SeatStyle, Shape, with_opacity

_FIGURE = 1.02
"""The height of a number's font, as a share of a piece's radius."""
_GOAL_FIGURE = 0.92
_LIFTED = 1.06


@dataclass(frozen=True)
class Piece:
    """The cache key of a piece's picture, apart from its size and the theme."""

    colour: int
    """0 white, 1 blue."""
    shape: Shape
    """The seat's."""
    rank: str = ""
    """``K`` for a king, or a number; "" for no rank."""
    is_goal: bool = False
    is_lifted: bool = False


def piece_picture(paint: Painter, piece: Piece, side: int, radius: float) -> pygame.Surface:
    """The picture of *piece* with its shadow, one and a half cells of *side* wide."""
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
    """Write the number of *piece*, if it has one, in the middle of *picture*."""
    if not piece.rank.isdigit():
        return
    figure = paint.bold_picture(piece.rank, round(height), look.mark)
    ink = figure.get_bounding_rect()
    middle = picture.get_rect().center
    at = figure.get_rect(topleft=(middle[0] - ink.centerx, middle[1] + down - ink.centery))
    paint.stamp(picture, figure, at, piece.rank, look.mark)


def waiting_piece(paint: Painter, surface: pygame.Surface, centre: Pixel, radius: float, style: SeatStyle) -> None:
    """Draw the outline of a piece without a colour yet."""
    line = radius * 0.08
    full = 2 * math.ceil(radius + 2 * line)

    def draw(canvas: Canvas) -> None:
        middle = (full / 2, full / 2)
        canvas.circle(middle, radius + line, with_opacity(paint.theme.panel, 0.8))
        canvas.ring(middle, radius, line, style.colour, dash=radius * 0.24)
        draw_shape(canvas, style.shape, middle, radius * 0.3, style.colour)

    paint.stamp_drawn(surface, centre, ("cifra waiting piece", radius, style), (full, full), draw)


def walk(paint: Painter, surface: pygame.Surface, centres: Sequence[Pixel], is_free: Sequence[bool], side: int) -> None:
    """Draw a walk through the *centres* of cells: a ribbon over free steps, a line with a dot over a paid one."""
    corner, points, size = canvas_around(centres, round(side * 0.2))
    theme = paint.theme
    seam = with_opacity(theme.panel, 0.75)

    def draw(canvas: Canvas) -> None:
        for start, end in _free_runs(is_free):
            ribbon = [points[start], points[end]]
            canvas.line(ribbon, side * 0.25, seam)
            canvas.line(ribbon, side * 0.21, with_opacity(theme.legal, 0.75))
        for step, free in enumerate(is_free):
            if not free:
                here, there = points[step], points[step + 1]
                toll = ((here[0] + there[0]) / 2, (here[1] + there[1]) / 2)
                canvas.line([here, there], side * 0.085, seam)
                canvas.line([here, there], side * 0.045, theme.legal)
                canvas.circle(toll, side * 0.085, theme.legal)
                canvas.circle(toll, side * 0.048, theme.panel)

    surface.blit(paint.drawn_picture(("cifra walk", tuple(points), tuple(is_free)), size, draw), corner)


def _free_runs(is_free: Sequence[bool]) -> list[tuple[int, int]]:
    """The longest runs of free steps: the indices of the first and the last point of each."""
    runs, start = [], 0
    for step, free in enumerate([*is_free, False]):
        if not free:
            if step > start:
                runs.append((start, step))
            start = step + 1
    return runs


def side_label(paint: Painter, text: str, border: int, least_width: int, side: int) -> pygame.Surface:
    """The label of a *side* (0 north, 1 east, 2 south, 3 west) with a pointer towards the board.

    East and west labels are rotated.
    """
    high, pointer = round(border * 0.8), round(border * 0.3)
    width = max(least_width, paint.width(text, "small strong") + 2 * high)
    points_up = side == 2

    def make() -> pygame.Surface:
        label = Canvas((width, high + pointer))
        _draw_label(label, (width, high), pointer, border * 0.06, paint, points_up)
        picture = label.picture()
        at = (width // 2, high // 2 + (pointer if points_up else 0))
        paint.text(picture, text, at, "small strong", anchor="center")
        return pygame.transform.rotate(picture, {1: -90, 3: 90}.get(side, 0))

    return paint.pictures.get(("cifra side", text, border, width, side), make)


def _draw_label(
    canvas: Canvas, size: tuple[int, int], pointer: int, line: float, paint: Painter, points_up: bool
) -> None:
    wide, high = size
    top = pointer if points_up else 0
    line = max(1.5, line)
    base, tip = (top + line, 0) if points_up else (high - line, high + pointer)
    for inset, ink in ((0.0, paint.theme.legal), (line, paint.theme.panel)):
        canvas.rounded_rect((inset, top + inset, wide - 2 * inset, high - 2 * inset), high / 2, ink)
        half = pointer * 1.1 - inset
        end = tip + inset * 1.4 if points_up else tip - inset * 1.4
        canvas.polygon([(wide / 2 - half, base), (wide / 2 + half, base), (wide / 2, end)], ink)
