"""What all that scrolls has in common: how far keys move it, and the bar that says where one is."""

from __future__ import annotations

import pygame

from papan.ui.drawing.paint import Painter

BAR = 5
STEP = 60
"""For an arrow key or a notch of the wheel, in the sketches' pixels."""
_SHORTEST_BAR = 30


def amount_of_key(key: int, step: int, page: int, full: int) -> int | None:
    """By how much *key* scrolls, in real pixels; None for a key that doesn't.

    :param step: of an arrow key.
    :param page: the height of what is seen at once.
    :param full: the height of all that there is to see.
    """
    page = max(step, page - step)
    return {
        pygame.K_UP: -step,
        pygame.K_DOWN: step,
        pygame.K_PAGEUP: -page,
        pygame.K_PAGEDOWN: page,
        pygame.K_SPACE: page,
        pygame.K_HOME: -full,
        pygame.K_END: full,
    }.get(key)


def thumb_of(strip: pygame.Rect, full: int, top: int, paint: Painter) -> pygame.Rect:
    """The part of *strip*, as high as what is seen, that stands for what is seen when it is scrolled to *top*."""
    height = max(paint.theme.px(_SHORTEST_BAR), strip.h * strip.h // max(1, full))
    return pygame.Rect(strip.x, strip.y + (strip.h - height) * top // max(1, full - strip.h), strip.w, height)
