"""Black and white discs and stones, drawn: what the boards of Othello and gomoku have in common.

Black and white may not stand out from a panel beside the board: there a seat has a grey or a bone colour that does, and
its shape, which is engraved in its stones as well.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import pygame

from papan.ui.drawing.canvas import Canvas, Point
from papan.ui.drawing.paint import Painter, draw_shape
from papan.ui.drawing.theme import Colour, SeatStyle, Shape, Theme, contrast, mix, rgb, with_opacity

StoneKind = Literal["disc", "stone"]
"""Flat and of two colours, as in Othello, or domed, as in gomoku."""

_BLACK: Colour = (0, 0, 0)
_WHITE: Colour = (255, 255, 255)
_SMALLEST_WITH_SHAPE = 9
"""A radius in pixels from which there is room for the seat's shape."""
_SHADES = 24
_ROOM = 1.24
"""Half of a picture's side, in radii: room for the shadow."""
_GREYS = (0.35, 0.45, 0.55)


@dataclass(frozen=True)
class StoneLook:
    """The colours of one side."""

    light: Colour
    body: Colour
    rim: Colour
    mark: Colour


@lru_cache(maxsize=8)
def looks_of(theme: Theme) -> tuple[StoneLook, StoneLook]:
    """The colours of black and of white in *theme*."""
    stone = theme.stone
    if not theme.shadow:  # high contrast: a black stone has a white line around it
        return StoneLook(rgb("#303030"), rgb("#101010"), _WHITE, _WHITE), StoneLook(_WHITE, _WHITE, _BLACK, _BLACK)
    dim = 0.06 if theme.is_dark else 0.0
    white = mix(stone.top, _BLACK, dim)
    return (
        StoneLook(rgb("#57524B"), rgb("#2A2724"), rgb("#191715"), rgb("#8B8378")),
        StoneLook(
            mix(white, _WHITE, 0.7), white, mix(stone.right, rgb("#8E6A3F"), 0.35), mix(stone.right, _BLACK, 0.25)
        ),
    )


@lru_cache(maxsize=16)
def stone_style(theme: Theme, is_black: bool, shape: Shape) -> SeatStyle:
    """The colour and the shape by which the seat of the black or of the white stones is told apart beside the board."""
    if not is_black:
        bone = theme.stone.top if theme.is_dark else mix(theme.stone.right, theme.wood.deep, 0.25)
        ink = theme.ink if theme.is_dark else mix(theme.second, theme.ink, 0.2)
        return SeatStyle(bone, ink, shape, _BLACK if not theme.shadow else rgb("#2A2724"))
    if not theme.is_dark:
        return SeatStyle(rgb("#2A2724"), theme.ink, shape)
    grey = mix(theme.panel, theme.ink, 0.42)
    mark = max((_BLACK, _WHITE), key=lambda ink: contrast(ink, grey))
    return SeatStyle(grey, mix(theme.second, theme.ink, 0.4), shape, mark)


def stone_picture(paint: Painter, kind: StoneKind, is_black: bool, shape: Shape, radius: float) -> pygame.Surface:
    """The picture of a disc or a stone, with its shadow; its middle is that of the face."""
    side = 2 * math.ceil(radius * _ROOM) + 2

    def draw(canvas: Canvas) -> None:
        middle = (side / 2, side / 2)
        looks = looks_of(paint.theme)
        look, under = looks if is_black else looks[::-1]
        if paint.theme.shadow:
            for grown, opacity in ((1.1, 0.1), (1.05, 0.12), (1.0, 0.16)):
                canvas.circle((middle[0], middle[1] + radius * 0.12), radius * grown, with_opacity(_BLACK, opacity))
        if kind == "disc":
            _draw_disc(canvas, middle, radius, look, under, shape)
        else:
            _draw_stone(canvas, middle, radius, look, shape)

    return paint.drawn_picture((kind, is_black, shape, radius), (side, side), draw)


def _draw_disc(canvas: Canvas, centre: Point, radius: float, look: StoneLook, under: StoneLook, shape: Shape) -> None:
    """A flat disc; below its front edge the other colour of its back can be seen."""
    x, y = centre
    canvas.circle((x, y + radius * 0.09), radius, under.rim)
    canvas.circle((x, y + radius * 0.075), radius * 0.98, under.body)
    canvas.circle(centre, radius, look.rim)
    canvas.gradient(canvas.arc_points(centre, radius * 0.96, 0, 360), look.light, look.body)
    canvas.circle((x, y + radius * 0.015), radius * 0.8, mix(look.body, look.light, 0.35))
    canvas.gradient(canvas.arc_points((x, y + radius * 0.03), radius * 0.78, 0, 360), look.body, look.light)
    if radius >= _SMALLEST_WITH_SHAPE:
        draw_shape(canvas, shape, (x, y + radius * 0.02), radius * 0.24, look.mark)


def _draw_stone(canvas: Canvas, centre: Point, radius: float, look: StoneLook, shape: Shape) -> None:
    """A domed stone, lit from the upper left."""
    x, y = centre
    canvas.circle(centre, radius, look.rim)
    inner = radius - max(0.8, radius * 0.05)
    for shade in range(_SHADES):
        share = shade / (_SHADES - 1)
        middle = (x - radius * 0.3 * share, y - radius * 0.34 * share)
        canvas.circle(middle, inner * (1 - share * 0.94), mix(look.body, look.light, share**1.6))
    if radius >= _SMALLEST_WITH_SHAPE:
        draw_shape(canvas, shape, centre, radius * 0.24, look.mark)
