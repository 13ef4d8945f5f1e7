"""Drawings of Catur Jawa's cards: faces, backs, decks, and rings and lines around them.

A card has a border in its seat's colour and the seat's shape in two corners. Pictures of cards include a margin for the
shadow: centre them on the card.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pygame

from papan.ui.drawing.antialiasing import Painting
from papan.ui.drawing.canvas import Canvas
from papan.ui.drawing.marks import canvas_around
from papan.ui.drawing.paint import Painter, draw_shape
from papan.ui.drawing.theme import BLACK, Colour, SeatStyle, mix, readable_colour, with_opacity

Size = tuple[int, int]

_SHADOW = 0.12
"""The margin around a card for its shadow, as a share of its width."""
_CORNER = 0.15
_BORDER = 0.055


def _room(size: Size) -> int:
    return max(2, round(size[0] * _SHADOW))


def _body(canvas: Canvas, paint: Painter, size: Size, border: Colour, face: Colour, is_lifted: bool) -> None:
    room, width = _room(size), max(1.0, size[0] * _BORDER)
    corner = size[0] * _CORNER
    if paint.theme.shadow:
        depth, softness, strength = (0.55, 0.4, 1.2) if is_lifted else (0.25, 0.22, 1.0)
        ink = with_opacity(BLACK, min(1.0, paint.theme.shadow * strength * 1.6))
        canvas.rounded_rect((room, room * (1 + depth), *size), corner, ink)
        canvas.blur(room * softness)
    canvas.rounded_rect((room, room, *size), corner, border)
    inner = (room + width, room + width, size[0] - 2 * width, size[1] - 2 * width)
    canvas.rounded_rect(inner, corner - width, face)


_MARK, _MARK_IN = 0.11, 0.195
"""The radius of the shape in two corners, and its distance from them, as shares of the card's width: the shape
distinguishes players for the colour-blind."""


def card_face(paint: Painter, style: SeatStyle, value: int, size: Size, is_lifted: bool = False) -> pygame.Surface:
    """A card of *size* with its *value*; a lifted one has a deeper shadow."""
    room = _room(size)

    def painting() -> Painting:
        canvas = Canvas((size[0] + 2 * room, size[1] + 2 * room))
        _body(canvas, paint, size, style.colour, paint.theme.panel, is_lifted)
        if size[0] > 12:
            mark, corner = size[0] * _MARK, size[0] * _MARK_IN
            for middle in ((corner, corner), (size[0] - corner, size[1] - corner)):
                draw_shape(canvas, style.shape, (room + middle[0], room + middle[1]), mark, style.colour)
        picture = yield from canvas.painting()
        number = paint.bold_picture(str(value), round(size[0] * 0.62), style.ink)
        low = room + size[1] / 2 + size[0] * 0.045
        at = number.get_rect(center=(room + size[0] // 2, round(low)))
        paint.stamp(picture, number, at, str(value), style.ink)
        return picture

    return paint.pictures.painted(("catur jawa face", style, value, size, is_lifted), painting)


def card_back(paint: Painter, style: SeatStyle, size: Size) -> pygame.Surface:
    room = _room(size)

    def draw(canvas: Canvas) -> None:
        _back(canvas, paint, style, size)
        draw_shape(canvas, style.shape, (room + size[0] / 2, room + size[1] / 2), size[0] * 0.17, style.mark)

    return paint.drawn_picture(("catur jawa back", style, size), (size[0] + 2 * room, size[1] + 2 * room), draw)


def _back(canvas: Canvas, paint: Painter, style: SeatStyle, size: Size) -> None:
    room, width = _room(size), size[0]
    _body(canvas, paint, size, mix(style.colour, BLACK, 0.14), style.colour, False)
    inset = room + width * 0.13
    inlay = (inset, inset, width * 0.74, size[1] - width * 0.26)
    canvas.outline(inlay, width * 0.08, max(1.0, width * 0.035), with_opacity(style.mark, 0.55))


def pile(paint: Painter, surface: pygame.Surface, rect: pygame.Rect, style: SeatStyle, cards: int) -> None:
    """Draw a deck of *cards* cards with their number; an outline if there are none."""
    if not cards:
        width = max(1.0, rect.w * 0.04)
        dash = max(3, rect.w * 0.12)
        paint.rounded_rect(surface, rect, None, round(rect.w * _CORNER), line=style.colour, line_width=width, dash=dash)
        return
    room = _room(rect.size)
    layers = 1 + (cards > 1) + (cards > 6)
    offset = max(1, round(rect.w * 0.06))

    def draw(canvas: Canvas) -> None:
        _back(canvas, paint, style, rect.size)

    back = paint.drawn_picture(("catur jawa deck", style), (rect.w + 2 * room, rect.h + 2 * room), draw)
    top = rect
    for layer in range(layers):
        top = rect.move((layers - 1 - layer) * offset - offset, (layer - layers + 1) * -offset // 2)
        surface.blit(back, back.get_rect(center=top.center))
    ink = readable_colour(style.mark, style.colour, 5.0)
    number = paint.bold_picture(str(cards), round(rect.w * 0.5), ink)
    paint.stamp(surface, number, number.get_rect(center=top.center), str(cards), ink)


def chosen_ring(paint: Painter, surface: pygame.Surface, card: pygame.Rect, side: int) -> None:
    width = max(2, round(side * 0.05))
    around = card.inflate(4 * width, 4 * width)
    corner = round(card.w * _CORNER) + 2 * width
    paint.rounded_rect(surface, around, paint.theme.panel, corner, line=paint.theme.legal, line_width=width)


def line_through(paint: Painter, surface: pygame.Surface, centres: Sequence[tuple[int, int]], side: int) -> None:
    corner, points, size = canvas_around(centres, math.ceil(side * 0.62))
    theme = paint.theme

    def draw(canvas: Canvas) -> None:
        for x, y in points:
            half = side * 0.47
            box = (x - half, y - half, 2 * half, 2 * half)
            canvas.outline(box, side * 0.14, max(2.0, side * 0.11), with_opacity(theme.panel, 0.9))
            canvas.outline(box, side * 0.14, max(1.5, side * 0.075), theme.legal)

    surface.blit(paint.drawn_picture(("catur jawa line", tuple(points), side), size, draw), corner)
