"""Wooden boards, and textures of felt and wood applied to finished pictures; deterministic.

In high contrast, callers leave the textures out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pygame

from papan.ui.drawing.antialiasing import Painting
from papan.ui.drawing.canvas import Canvas, Point, offset_points, rounded_points
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import WHITE, Colour, Theme, mix, with_opacity

_SEED = 7
_ROWS = 48
"""The rows of pixels processed between two pauses."""
_PILE = (0.55, 0.45)
"""Felt: the shares of single fibres and of tufts two pixels wide."""
_RINGS = ((2.0, 0.5), (5.375, 0.3), (13.0, 0.2))
"""Wood: annual rings a unit, from broad bands to fine lines, and their weights."""
_BENDS = ((0.06, 1.0, 0.12), (0.17, 2.4, 0.04), (0.43, 4.1, 0.012))
"""The waves of the rings along the grain: frequency a unit, phase, amplitude in units."""
_REACH, _FINE = 8, 256
"""The period of the rings in units, and the samples a unit."""
_FIBRE = 0.25
"""The share of single fibres in the grain."""

Array = Any
"""A ``numpy`` array of shades."""


def felt_painting(picture: pygame.Surface, area: pygame.Rect, strength: float) -> Painting:
    """Apply a felt texture to *area* of *picture*; *strength* is the deviation of its shades, of 255."""
    for top in range(area.top, area.bottom, _ROWS):
        rows = min(_ROWS, area.bottom - top)
        random = np.random.default_rng((_SEED, top - area.top))
        fibres = random.standard_normal((area.w, rows), dtype=np.float32)
        tufts = random.standard_normal((area.w // 2 + 1, rows // 2 + 1), dtype=np.float32)
        tufts = tufts.repeat(2, axis=0).repeat(2, axis=1)[: area.w, :rows]
        pile = (_PILE[0] * fibres + _PILE[1] * tufts) * np.float32(strength)
        _shade(picture, pygame.Rect(area.x, top, area.w, rows), pile[..., None])
        yield
    return picture


def wood_painting(
    picture: pygame.Surface, area: pygame.Rect, unit: float, dark: Colour, strength: float, *, is_upright: bool = True
) -> Painting:
    """Apply straight wood grain to *area* of *picture*.

    :param unit: the pixels of about two broad rings.
    :param dark: the colour of the late wood; *strength* is its largest share, 0 to 1.
    :param is_upright: whether the grain is vertical.
    """
    ink = np.array(dark[:3], dtype=np.float32)
    shades = _rings() * np.float32(strength)
    first = np.arange(area.w) if is_upright else np.arange(area.h)
    across = first.astype(np.float32) / unit
    along = np.arange(area.h if is_upright else area.w) / unit
    bend = np.zeros(len(along), np.float32)
    for waves, begin, far in _BENDS:
        bend += far * np.sin(math.tau * waves * along + begin).astype(np.float32)
    for top in range(area.top, area.bottom, _ROWS):
        rows = pygame.Rect(area.x, top, area.w, min(_ROWS, area.bottom - top))
        here = slice(top - area.top, top - area.top + rows.h)
        places = across[:, None] + bend[None, here] if is_upright else bend[:, None] + across[None, here]
        shade = shades[(places * _FINE).astype(np.int32) % len(shades)]
        pixels = pygame.surfarray.pixels3d(picture)[rows.x : rows.right, rows.y : rows.bottom]
        change = (ink - pixels) * shade[..., None]
        del pixels
        _shade(picture, rows, change)
        yield
    return picture


@lru_cache(maxsize=1)
def _rings() -> Array:
    """The darkness of wood across the grain, 0 to 1, for one period with ``_FINE`` samples a unit."""
    at = np.arange(_REACH * _FINE) / _FINE
    rings = np.zeros(len(at))
    for number, weight in _RINGS:
        rings += weight * (0.5 + 0.5 * np.sin(math.tau * number * at + 1.7 * number)) ** 3
    fibre = 0.5 + 0.5 * np.sin(math.tau * 31.0 * at + 3.0 * np.sin(math.tau * 7.0 * at))
    mottled = 0.75 + 0.25 * np.sin(math.tau * at / _REACH)
    return (mottled * ((1 - _FIBRE) * rings + _FIBRE * fibre * rings)).astype(np.float32)


def _shade(picture: pygame.Surface, rows: pygame.Rect, change: Array) -> None:
    pixels = pygame.surfarray.pixels3d(picture)[rows.x : rows.right, rows.y : rows.bottom]
    pixels[:] = np.clip(pixels + change, 0, 255).astype(np.uint8)


def wooden_frame(
    paint: Painter, surface: pygame.Surface, outer: pygame.Rect, width: int, corners: Sequence[Point] = ()
) -> None:
    """Draw a wooden board with a frame of *width*, edges lit from above, and a soft shadow.

    :param corners: the convex clockwise polygon of a board that is not a rectangle, relative to *outer*'s corner.
    """
    wood = paint.theme.wood
    radius = max(3, round(width * 1.5))
    reach = max(3, round(width * 1.2))

    def draw(canvas: Canvas) -> None:
        def outline(corner: float, inset: float = 0.0, down: float = 0.0, shorter: float = 0.0) -> Sequence[Point]:
            if not corners:
                wide, high = outer.w - 2 * inset, outer.h - 2 * inset - shorter
                return canvas.rounded_points((reach + inset, reach + inset + down, wide, high), corner)
            share = 1 - shorter / outer.h
            polygon = [(reach + x, reach + y * share) for x, y in offset_points(corners, -inset)]
            return [(x, y + down) for x, y in rounded_points(polygon, corner)]

        if paint.theme.shadow:
            canvas.polygon(outline(radius, down=reach * 0.4), with_opacity((0, 0, 0), paint.theme.shadow))
            canvas.blur(reach * 0.45)
        canvas.polygon(outline(radius), mix(wood.edge, wood.deep, 0.45))
        canvas.gradient(outline(radius, shorter=max(1, width * 0.18)), mix(wood.edge, wood.top, 0.25), wood.edge)
        canvas.polygon(outline(radius * 0.6, inset=width), wood.top)

    size = (outer.w + 2 * reach, outer.h + 2 * reach)
    picture = paint.drawn_picture(("wooden frame", width, tuple(corners)), size, draw)
    surface.blit(picture, (outer.x - reach, outer.y - reach))


def draw_bevelled_frame(canvas: Canvas, rect: Sequence[float], width: float, theme: Theme) -> None:
    """Draw a frame of four planks of *width*, mitred and bevelled, inside *rect*.

    The light comes from the upper left; the frame's side is visible below.
    """
    wood, is_plain = theme.wood, not theme.shadow
    x, y, w, h = rect
    corner, depth, bevel = width * 0.3, max(1.0, width * 0.12), max(1.0, width * 0.14)
    canvas.rounded_rect((x, y + depth, w, h), corner, mix(wood.edge, wood.deep, 0.8))
    canvas.rounded_rect(rect, corner, mix(wood.edge, wood.deep, 0.0 if is_plain else 0.3))
    for start, end, lit in ((0.0, bevel, 0.3), (bevel, width - bevel, 0.0), (width - bevel, width, -0.34)):
        outer, inner = (
            [(x + at, y + at), (x + w - at, y + at), (x + w - at, y + h - at), (x + at, y + h - at)]
            for at in (max(start, corner * 0.3), end)
        )
        for side, light in enumerate((1.0, -0.55, -1.0, 0.55)):
            following = (side + 1) % 4
            plank = [outer[side], outer[following], inner[following], inner[side]]
            tone = lit * light + (0.05 * light if not lit else 0.0)
            body = mix(wood.top, wood.edge, 0.45)
            canvas.polygon(plank, body if is_plain else mix(body, WHITE if tone > 0 else wood.deep, abs(tone)))
    seam = with_opacity(wood.deep, 0.35)
    for right, down in ((0, 0), (1, 0), (1, 1), (0, 1)):
        far = (x + right * w, y + down * h)
        near = (far[0] + (width if not right else -width), far[1] + (width if not down else -width))
        begin = (far[0] + (near[0] - far[0]) * 0.12, far[1] + (near[1] - far[1]) * 0.12)
        canvas.line([begin, near], max(0.7, width * 0.025), seam)
