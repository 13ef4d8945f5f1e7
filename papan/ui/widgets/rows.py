"""What lists of rows have in common."""

from __future__ import annotations

import pygame


def index_after(key: int, index: int, number: int, page: int) -> int | None:
    """The row to which *key* leads from the row *index* of *number*, perhaps beyond the ends; None if it leads nowhere.

    :param page: so many rows are seen at once.
    """
    return {
        pygame.K_UP: index - 1,
        pygame.K_DOWN: index + 1,
        pygame.K_PAGEUP: index - page,
        pygame.K_PAGEDOWN: index + page,
        pygame.K_HOME: 0,
        pygame.K_END: number - 1,
    }.get(key)
