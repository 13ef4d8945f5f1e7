"""Pictures that one test has painted serve the next: painting them anew took most of the time of the window's tests."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable

import pygame

from papan.ui.drawing.antialiasing import Painting
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.pictures import PictureStore

_PAINTED = PictureStore(most_bytes=192 * 2**20)
"""By theme, chosen looks of boards, and key."""


class SharedPictures(PictureStore):
    """The pictures of one window, which takes those that another one has painted, unless it paints in slices."""

    def __init__(self, paint: Painter) -> None:
        super().__init__()
        self._paint = paint

    def painted(self, key: Hashable, begin: Callable[[], Painting]) -> pygame.Surface:
        if (found := self._found(key)) is not None:
            return found
        everywhere = (self._paint.theme, tuple(self._paint.board_styles.items()), key)
        known = _PAINTED._found(everywhere) if self._deadline == math.inf else None
        if known is not None:
            return self._store(key, known)
        return _PAINTED._store(everywhere, super().painted(key, begin))


def share_pictures(paint: Painter) -> None:
    paint.pictures = SharedPictures(paint)


def paint_anew() -> None:
    """Forget what other tests have painted, for a test that watches a picture being painted."""
    _PAINTED.clear()
