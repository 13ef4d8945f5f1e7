"""Textures of felt and of wood, laid on a finished picture band by band: the same on every machine, at any size.

High contrast stays plain: there whoever draws leaves them out.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
import pygame

from papan.ui.drawing.samples import Painting
from papan.ui.drawing.theme import Colour

_SEED = 7
_ROWS = 48
"""The rows of pixels that are worked on between two pauses."""
_PILE = (0.55, 0.45)
"""Of felt: the shares of single fibres, and of tufts two pixels wide."""
_RINGS = ((2.0, 0.5), (5.375, 0.3), (13.0, 0.2))
"""Of wood: how many annual rings there are to a unit, from broad bands to fine lines, and how much each counts."""
_BENDS = ((0.06, 1.0, 0.12), (0.17, 2.4, 0.04), (0.43, 4.1, 0.012))
"""How the rings bend along the grain: waves to a unit, where they begin, how far they go aside in units."""
_REACH, _FINE = 8, 256
"""After so many units the rings come again, each unit in so many places."""
_FIBRE = 0.25
"""How much of the grain is single fibres rather than rings."""

Array = Any
"""A ``numpy`` array of shades."""


def felt_painting(picture: pygame.Surface, area: pygame.Rect, strength: float) -> Painting:
    """The laying of felt's pile on *area* of *picture*; *strength* is how far its shades differ, of 255."""
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
    """The laying of straight grain on *area* of *picture*.

    :param unit: the pixels of about two broad rings.
    :param dark: the colour of the late wood; *strength* is the most of it that a ring has, 0 to 1.
    :param is_upright: whether the grain runs up and down, else across.
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
    """How dark wood is, 0 to 1, at places across the grain, ``_FINE`` of them to a unit, from end to end."""
    at = np.arange(_REACH * _FINE) / _FINE
    rings = np.zeros(len(at))
    for number, weight in _RINGS:
        rings += weight * (0.5 + 0.5 * np.sin(math.tau * number * at + 1.7 * number)) ** 3
    fibre = 0.5 + 0.5 * np.sin(math.tau * 31.0 * at + 3.0 * np.sin(math.tau * 7.0 * at))
    mottled = 0.75 + 0.25 * np.sin(math.tau * at / _REACH)
    return (mottled * ((1 - _FIBRE) * rings + _FIBRE * fibre * rings)).astype(np.float32)


def _shade(picture: pygame.Surface, rows: pygame.Rect, change: Array) -> None:
    """Add *change* to the colours of *rows*."""
    pixels = pygame.surfarray.pixels3d(picture)[rows.x : rows.right, rows.y : rows.bottom]
    pixels[:] = np.clip(pixels + change, 0, 255).astype(np.uint8)
