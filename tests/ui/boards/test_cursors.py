"""The keyboard's cursor on every board: it is seen on any ground, and takes nothing of what stands on its cell."""

from __future__ import annotations

import numpy as np
import pygame
import pytest

from dev.scenery import unfinished_match
from papan.game.catalogue import GALLERY
from papan.game.game import Game
from papan.game.presentation import setup_of
from papan.game.rules import State
from papan.ui.boards import BoardView, Picture, board_of
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import THEMES, Colour, contrast, theme_of
from tests.ui.boards.drawing import AREA, drawn
from tests.ui.sharing import share_pictures

LEAST_CONTRAST = 3.0
"""Of what shows where the keyboard is, against what is beside it: WCAG 2.2, 2.4.13 and 1.4.11."""
_STEPS = 14
_MOST_TAKEN = 0.01
"""The most of the middle of what stands on a cell that the cursor changes."""
_MIDDLE = 0.4
"""Its radius, in cells."""
_SOFTENED = 48
"""How much a thin line's colour may be softened by what is beside it, in one part of the colour."""
_MOST_CELLS = 3
_LEAST_OF_A_LINE = 30
"""Pixels of either colour."""
_PIECE = 60
"""How much a piece differs from the bare cell, in one part of a colour: more than its shadow."""
_TOLD_APART = 12


def board(game: Game, theme: str, state: State) -> BoardView:
    paint = Painter(theme_of(theme))
    share_pictures(paint)
    view = board_of(game, paint)
    view.layout(AREA)
    drawn(view, Picture(state))
    return view


def pixels(view: BoardView, picture: Picture) -> np.ndarray:
    return pygame.surfarray.array3d(drawn(view, picture)).astype(np.int16)


def differs(one: np.ndarray, other: np.ndarray, least: int = _TOLD_APART) -> np.ndarray:
    differing: np.ndarray = np.abs(one - other).max(axis=2) > least
    return differing


def _middle_of(rect: pygame.Rect, size: tuple[int, ...]) -> np.ndarray:
    """Which pixels lie in the middle of *rect*, where there is no shadow."""
    across, down = np.ogrid[: size[0], : size[1]]
    middle: np.ndarray = ((across - rect.centerx) / rect.w) ** 2 + ((down - rect.centery) / rect.h) ** 2 <= _MIDDLE**2
    return middle


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", list(GALLERY.values()), ids=lambda game: game.name)
class TestTheCursor:
    def test_takes_nothing_of_what_stands_there(self, game: Game, theme: str) -> None:
        setup = setup_of(game)
        assert setup is not None
        state = unfinished_match(game, 2, _STEPS).state
        view = board(game, theme, state)
        tried = 0
        plain = pixels(view, Picture(state))
        for cell in range(81):
            if not view.is_place(cell) or tried == _MOST_CELLS:
                continue
            try:
                bare = setup.taken(state, cell)
            except (IndexError, KeyError, ValueError):
                continue
            if bare == state or view.cell_rect(cell).h > AREA.h // 2:
                continue
            piece = differs(plain, pixels(view, Picture(bare)), _PIECE)
            rect = view.cell_rect(cell)
            piece &= _middle_of(rect, piece.shape)
            taken = differs(plain, pixels(view, Picture(state, cursor=cell))) & piece
            tried += 1
            share = taken.sum() / max(1, piece.sum())
            assert share <= _MOST_TAKEN, f"cell {cell}: {share:.0%} of what stands there"

    def test_is_drawn_in_two_colours_of_which_one_is_seen_on_any_ground(self, game: Game, theme: str) -> None:
        state = unfinished_match(game, 2, _STEPS).state
        view = board(game, theme, state)
        plain, with_cursor = (pixels(view, Picture(state, cursor=cell)) for cell in (None, view.first_cursor(state)))
        columns, rows = np.nonzero(differs(plain, with_cursor))
        near = with_cursor[columns.min() - 3 : columns.max() + 4, rows.min() - 3 : rows.max() + 4]
        for line in (view.theme.ring, view.theme.ring_ground):
            assert (np.abs(near - np.array(line)).max(axis=2) <= _SOFTENED).sum() >= _LEAST_OF_A_LINE, line


@pytest.mark.parametrize("theme", THEMES)
def test_one_of_the_two_colours_is_seen_on_any_ground(theme: str) -> None:
    tokens = theme_of(theme)
    greys: list[Colour] = [(grey, grey, grey) for grey in range(256)]
    lines = tokens.ring, tokens.ring_ground
    assert min(max(contrast(grey, line) for line in lines) for grey in greys) >= LEAST_CONTRAST
