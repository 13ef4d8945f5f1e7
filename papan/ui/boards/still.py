"""Positions as arrays of pixels, drawn without a window: the pictures of environments for machine learning."""

from __future__ import annotations

import logging
import threading
from functools import cache

import numpy as np
import pygame
from numpy.typing import NDArray

from papan.game.game import Game
from papan.game.rules import State
from papan.ui.boards import BoardError, Picture, board_of
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import theme_of

log = logging.getLogger(__name__)

_AIR = 0.04
"""The margin, as a share of the side."""
_THEME = "light"
_drawing = threading.Lock()
"""Held while a picture is drawn, as the painter's caches are for one thread at a time."""


def still(game: Game, state: State, text: str, side: int) -> NDArray[np.uint8]:
    """The board of *game* at *state*: *side* rows by *side* columns by red, green and blue.

    :param text: shown of a game without a board that can be drawn.
    """
    with _drawing:
        pygame.font.init()
        paint = _painter()
        surface = pygame.Surface((side, side), depth=24)
        surface.fill(paint.theme.background)
        area = surface.get_rect().inflate(-2 * round(_AIR * side), -2 * round(_AIR * side))
        if not (game.in_gallery and _is_drawn(game, state, surface, area)):
            surface.fill(paint.theme.background)
            most = max(1, area.height // paint.line_height("text"))
            paint.paragraph(surface, text or game.title, area, most_lines=most)
        pixels = np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8)
    return pixels.reshape(side, side, 3).copy()


@cache
def _painter() -> Painter:
    return Painter(theme_of(_THEME))


def _is_drawn(game: Game, state: State, surface: pygame.Surface, area: pygame.Rect) -> bool:
    try:
        board = board_of(game, _painter())
        board.is_still = True
        board.layout(area)
        board.draw(surface, Picture(state))
    except BoardError as error:
        log.warning("%s", error)
        return False
    except Exception:  # any error of a plugin's board
        log.exception("The board of %s can't be drawn", game.title)
        return False
    return True
