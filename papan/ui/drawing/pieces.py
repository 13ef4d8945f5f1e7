"""Pictures of pieces: placing, fading, animating and shading them; discs and stones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import pygame

from papan.ui.drawing.antialiasing import Painting
from papan.ui.drawing.canvas import Canvas, Point, turned_points
from papan.ui.drawing.paint import Painter, draw_shape
from papan.ui.drawing.theme import BLACK, WHITE, Colour, SeatStyle, Shape, Theme, contrast, mix, rgb, with_opacity
from papan.ui.texts import N_

GHOST_OPACITY = 0.588
"""The opacity of a piece shown where it could be placed."""


def put(surface: pygame.Surface, piece: pygame.Surface, centre: Point) -> None:
    surface.blit(piece, piece.get_rect(center=(round(centre[0]), round(centre[1]))))


def faint_piece(piece: pygame.Surface, opacity: float) -> pygame.Surface:
    """A translucent copy of *piece*."""
    shown = piece.copy()
    shown.set_alpha(round(255 * opacity))
    return shown


def scaled_piece(piece: pygame.Surface, scale: float, opacity: float = 1.0) -> pygame.Surface:
    """A scaled copy of a square *piece*, translucent if *opacity* is below 1."""
    shown = pygame.transform.smoothscale(piece, (max(1, round(piece.get_width() * scale)),) * 2)
    shown.set_alpha(round(255 * opacity))
    return shown


def arriving_piece(piece: pygame.Surface, progress: float, *, larger: float, opacity: float) -> pygame.Surface:
    """*piece* arriving on the board, smaller and more opaque with *progress*.

    :param larger: the extra size at the start, as a share of its size.
    :param opacity: its opacity at the start.
    """
    if progress >= 1:
        return piece
    return scaled_piece(piece, 1 + larger * (1 - ease_in_out(progress)), min(1.0, opacity + progress))


def ease_in_out(progress: float) -> float:
    """*progress* from 0 to 1 with a smooth start and end: the cubic smoothstep."""
    return progress * progress * (3 - 2 * progress)


def interpolate(start: tuple[float, float], end: tuple[float, float], share: float) -> tuple[float, float]:
    """The point, or size, at *share* of the way from *start* to *end*."""
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def ease_out_back(progress: float) -> float:
    """A scale that grows from 0, overshoots 1 a little, and ends at 1."""
    left = progress - 1
    return 1 + 2.7 * left**3 + 1.7 * left**2


def soft_shadow_painting(
    size: tuple[int, int], rect: Sequence[float], corner: float, opacity: float, softness: float
) -> Painting:
    """Paint the shadow of a rounded rectangle, blurred over *softness* pixels, on a picture of *size*.

    It is blurred at a small size and then scaled up.
    """
    shrink = max(1, round(softness))
    small = Canvas((math.ceil(size[0] / shrink), math.ceil(size[1] / shrink)), 1 / shrink)
    small.rounded_rect(rect, corner, with_opacity(BLACK, opacity))
    small.blur(softness)
    full = (small.size[0] * shrink, small.size[1] * shrink)
    picture = yield from small.painting()
    yield
    scaled = pygame.transform.smoothscale(picture, full)
    yield
    return scaled.subsurface((0, 0, *size)).copy()


def shadowed_painting(
    canvas: Canvas, rect: Sequence[float], corner: float, opacity: float, softness: float
) -> Painting:
    """Paint *canvas* on the ``soft_shadow_painting`` of a rounded rectangle."""
    yield
    picture = yield from soft_shadow_painting(canvas.size, rect, corner, opacity, softness)
    yield
    drawn = yield from canvas.painting()
    picture.blit(drawn, (0, 0))
    yield
    return picture


StoneKind = Literal["disc", "stone", "flat"]
"""With a rounded edge and two colours, as in Othello; domed, as in gomoku; or one colour without any light."""

STONE_STYLES: Mapping[str, str] = {"stone": N_("Stones"), "disc": N_("Discs"), "flat": N_("Flat")}
"""The styles of stones, of which each is a ``StoneKind``."""


def stone_kind(style: str) -> StoneKind:
    """The kind that the *style*, one of ``STONE_STYLES``, stands for."""
    return "disc" if style == "disc" else "flat" if style == "flat" else "stone"


_SMALLEST_WITH_SHAPE = 9
"""The least radius in pixels of a stone with the seat's shape on it."""
_SHADES = 24
SHELLS = 4
"""The number of variants of gomoku's white shell stones."""
_SHELL_ARCS = 7
_SMALLEST_WITH_SHELL = 11
_ROOM = 1.42
"""Half of a picture's side, in radii, with space for the shadow."""


@dataclass(frozen=True)
class StoneLook:
    light: Colour
    body: Colour
    rim: Colour
    mark: Colour


@lru_cache(maxsize=8)
def looks_of(theme: Theme) -> tuple[StoneLook, StoneLook]:
    """The colours of black and white stones in *theme*."""
    stone = theme.stone
    if not theme.shadow:  # high contrast: a black stone has a white outline
        return StoneLook(rgb("#303030"), rgb("#101010"), WHITE, WHITE), StoneLook(WHITE, WHITE, BLACK, BLACK)
    dim = 0.06 if theme.is_dark else 0.0
    white = mix(stone.top, BLACK, dim)
    return (
        StoneLook(rgb("#57524B"), rgb("#2A2724"), rgb("#191715"), rgb("#8B8378")),
        StoneLook(mix(white, WHITE, 0.7), white, mix(stone.right, rgb("#8E6A3F"), 0.35), mix(stone.right, BLACK, 0.25)),
    )


@lru_cache(maxsize=16)
def stone_style(theme: Theme, is_black: bool, shape: Shape) -> SeatStyle:
    """The style, next to the board, of the seat with the black or the white stones."""
    if not is_black:
        bone = theme.stone.top if theme.is_dark else mix(theme.stone.right, theme.wood.deep, 0.25)
        ink = theme.ink if theme.is_dark else mix(theme.second, theme.ink, 0.2)
        return SeatStyle(bone, ink, shape, BLACK if not theme.shadow else rgb("#2A2724"))
    if not theme.is_dark:
        return SeatStyle(rgb("#2A2724"), theme.ink, shape)
    grey = mix(theme.panel, theme.ink, 0.42)
    mark = max((BLACK, WHITE), key=lambda ink: contrast(ink, grey))
    return SeatStyle(grey, mix(theme.second, theme.ink, 0.4), shape, mark)


def stone_picture(
    paint: Painter, kind: StoneKind, is_black: bool, shape: Shape, radius: float, variant: int = 0
) -> pygame.Surface:
    """The picture of a disc or a stone, with its shadow; centred on the face.

    :param variant: which of ``SHELLS`` a white stone looks like.
    """
    side = 2 * math.ceil(radius * _ROOM) + 2

    def draw(canvas: Canvas) -> None:
        middle = (side / 2, side / 2)
        looks = looks_of(paint.theme)
        look, under = looks if is_black else looks[::-1]
        is_plain = not paint.theme.shadow
        if not is_plain and kind != "flat":
            canvas.circle((middle[0] + radius * 0.03, middle[1] + radius * 0.12), radius, with_opacity(BLACK, 0.42))
            canvas.blur(radius * 0.14)
            canvas.circle((middle[0], middle[1] + radius * 0.05), radius, with_opacity(BLACK, 0.22))
        if kind == "flat":
            _draw_flat(canvas, middle, radius, look, shape)
        elif kind == "disc":
            _draw_disc(canvas, middle, radius, look, under, shape, is_plain)
        else:
            shell = None if is_black or is_plain else variant % SHELLS
            _draw_stone(canvas, middle, radius, look, shape, shell)

    return paint.drawn_picture((kind, is_black, shape, radius, variant), (side, side), draw)


def _draw_disc(
    canvas: Canvas, centre: Point, radius: float, look: StoneLook, under: StoneLook, shape: Shape, is_plain: bool
) -> None:
    """A flat disc with a rounded edge; the other colour of its back is visible below its front edge."""
    x, y = centre
    canvas.circle((x, y + radius * 0.12), radius, under.rim)
    canvas.circle((x, y + radius * 0.1), radius * 0.985, under.body)
    canvas.circle((x, y + radius * 0.05), radius, look.rim)
    canvas.circle(centre, radius, look.rim)
    canvas.gradient(canvas.arc_points(centre, radius * 0.97, 0, 360), look.light, look.body)
    face = mix(look.body, look.light, 0.35)
    canvas.gradient(canvas.arc_points(centre, radius * 0.83, 0, 360), mix(face, look.rim, 0.22), look.light)
    canvas.gradient(canvas.arc_points(centre, radius * 0.79, 0, 360), face, mix(look.body, look.light, 0.6))
    if not is_plain:
        line = max(0.8, radius * 0.05)
        canvas.arc(centre, radius * 0.9, 200, 290, line, with_opacity(WHITE, 0.35))
        canvas.arc(centre, radius * 0.9, 30, 100, line, with_opacity(BLACK, 0.12))
    if radius >= _SMALLEST_WITH_SHAPE:
        draw_shape(canvas, shape, (x, y + radius * 0.02), radius * 0.24, look.mark)


def _draw_flat(canvas: Canvas, centre: Point, radius: float, look: StoneLook, shape: Shape) -> None:
    """One colour, with a thin rim."""
    canvas.circle(centre, radius, look.rim)
    canvas.circle(centre, radius - max(1.0, radius * 0.06), look.body)
    if radius >= _SMALLEST_WITH_SHAPE:
        draw_shape(canvas, shape, centre, radius * 0.24, look.mark)


def _draw_stone(canvas: Canvas, centre: Point, radius: float, look: StoneLook, shape: Shape, shell: int | None) -> None:
    """A domed stone, lit from the upper left: slate is matt, a *shell* has faint growth lines."""
    x, y = centre
    canvas.circle(centre, radius, look.rim)
    inner = radius - max(0.8, radius * 0.05)
    for shade in range(_SHADES):
        share = shade / (_SHADES - 1)
        middle = (x - radius * 0.3 * share, y - radius * 0.34 * share)
        canvas.circle(middle, inner * (1 - share * 0.94), mix(look.body, look.light, share**1.6))
    if shell is not None and radius >= _SMALLEST_WITH_SHELL:
        for path in _shell_arcs(shell):
            arc = [(x + inner * right, y + inner * down) for right, down in path]
            canvas.line(arc, max(0.6, radius * 0.035), with_opacity(look.mark, 0.22))
    if radius >= _SMALLEST_WITH_SHAPE:
        draw_shape(canvas, shape, centre, radius * 0.2, look.mark)


@lru_cache(maxsize=8)
def _shell_arcs(shell: int) -> list[list[Point]]:
    """The growth lines in the unit circle, turned differently for each *shell*."""
    found: list[list[Point]] = []
    for number in range(_SHELL_ARCS):
        offset = -0.78 + 1.5 * number / (_SHELL_ARCS - 1) + 0.05 * math.sin(2.3 * number + shell)
        points = [(along / 16, offset + 0.22 * (along / 16) ** 2) for along in range(-16, 17)]
        inside = [point for point in points if math.hypot(*point) < 0.94]
        if len(inside) > 1:
            found.append(turned_points(inside, 23 + 57 * shell, (0.0, 0.0)))
    return found
