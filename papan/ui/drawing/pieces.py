"""Pictures of pieces on boards: where they stand, faint, on their way, and their soft shadows."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pygame

from papan.ui.drawing.canvas import Canvas, Point
from papan.ui.drawing.samples import Painting
from papan.ui.drawing.theme import Colour, with_opacity

GHOST_OPACITY = 0.588
"""Of a piece that is shown where it could be put."""
_BLACK: Colour = (0, 0, 0)


def put(surface: pygame.Surface, piece: pygame.Surface, centre: Point) -> None:
    """Draw *piece* with its middle at *centre*."""
    surface.blit(piece, piece.get_rect(center=(round(centre[0]), round(centre[1]))))


def faint_piece(piece: pygame.Surface, opacity: float) -> pygame.Surface:
    """A copy of *piece* that can be seen through: a ghost where it could be, or what is fading away."""
    shown = piece.copy()
    shown.set_alpha(round(255 * opacity))
    return shown


def scaled_piece(piece: pygame.Surface, scale: float, opacity: float = 1.0) -> pygame.Surface:
    """A copy of a square *piece* in another size, and faint where *opacity* is below 1."""
    shown = pygame.transform.smoothscale(piece, (max(1, round(piece.get_width() * scale)),) * 2)
    shown.set_alpha(round(255 * opacity))
    return shown


def arriving_piece(piece: pygame.Surface, progress: float, *, larger: float, opacity: float) -> pygame.Surface:
    """*piece* on its way from the hand to the board, smaller and clearer with *progress*.

    :param larger: by how much it is larger at first, as a share of its size.
    :param opacity: its opacity at first.
    """
    if progress >= 1:
        return piece
    return scaled_piece(piece, 1 + larger * (1 - ease_in_out(progress)), min(1.0, opacity + progress))


def ease_in_out(progress: float) -> float:
    """*progress* from 0 to 1 with a gentle start and a gentle end: Hermite's cubic polynomial."""
    return progress * progress * (3 - 2 * progress)


def interpolate(start: tuple[float, float], end: tuple[float, float], share: float) -> tuple[float, float]:
    """The point, or size, at *share* of the way from *start* to *end*."""
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def ease_out_back(progress: float) -> float:
    """A scale that grows from nothing, goes a little beyond 1, and ends there."""
    left = progress - 1
    return 1 + 2.7 * left**3 + 1.7 * left**2


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
