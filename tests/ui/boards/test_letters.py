"""What is written on boards can be read where it stands, on every board, in every theme."""

from __future__ import annotations

import pygame
import pytest

from dev.pictures.measuring import LEAST_CONTRAST, Contrasts
from papan.game.catalogue import GALLERY
from papan.game.facts import Game
from papan.ui.boards import Picture, board_of
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import THEMES, theme_of

DIAGRAM = pygame.Rect(0, 0, 330, 270)
"""As large as a picture on a page of rules."""
TABLES = [pygame.Rect(0, 0, 480, 480), pygame.Rect(0, 0, 700, 640)]


def faint_letters(game: Game, theme: str, area: pygame.Rect, *, is_explained: bool) -> list[str]:
    """What is written on the board of *game* with too little contrast."""
    paint = Painter(theme_of(theme))
    paint.witness = contrasts = Contrasts()
    view = board_of(game, paint)
    view.is_still = view.is_explained = is_explained
    view.layout(area)
    surface = pygame.Surface(area.size)
    surface.fill(paint.theme.background)
    view.draw(surface, Picture(view.sample()))
    return [str(standing) for standing in contrasts.found if standing.contrast < LEAST_CONTRAST]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", list(GALLERY.values()), ids=lambda game: game.name)
class TestOnBoards:
    def test_of_diagrams(self, game: Game, theme: str) -> None:
        assert faint_letters(game, theme, DIAGRAM, is_explained=True) == []

    def test_of_tables(self, game: Game, theme: str) -> None:
        for area in TABLES:
            assert faint_letters(game, theme, area, is_explained=False) == []
