"""Soft shadows, as several boards and their pieces cast them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pygame

from papan.ui.drawing.canvas import Canvas
from papan.ui.drawing.samples import Painting
from papan.ui.drawing.theme import Colour, with_opacity

_BLACK: Colour = (0, 0, 0)


def soft_shadow_painting(
    size: tuple[int, int], rect: Sequence[float], corner: float, opacity: float, softness: float
) -> Painting:
    """The painting of the shadow of a rounded rectangle, blurred over *softness* pixels, alone on a picture of *size*.

    A soft picture needs few pixels: it is blurred when small, and then scaled up.
    """
    shrink = max(1, round(softness))
    small = Canvas((math.ceil(size[0] / shrink), math.ceil(size[1] / shrink)), 1 / shrink)
    small.rounded_rect(rect, corner, with_opacity(_BLACK, opacity))
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
    """The painting of *canvas* above the ``soft_shadow_painting`` of a rounded rectangle."""
    yield
    picture = yield from soft_shadow_painting(canvas.size, rect, corner, opacity, softness)
    yield
    drawn = yield from canvas.painting()
    picture.blit(drawn, (0, 0))
    yield
    return picture
