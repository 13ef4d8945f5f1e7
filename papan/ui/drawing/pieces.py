"""Pictures of pieces on a surface: where they stand, faint where they only could be, on their way from the hand."""

from __future__ import annotations

import pygame

from papan.ui.drawing.canvas import Point
from papan.ui.drawing.motion import ease_in_out

GHOST_OPACITY = 0.588
"""Of a piece that is shown where it could be put."""


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
