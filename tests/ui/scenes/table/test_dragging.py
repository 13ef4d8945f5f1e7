"""Pieces that are dragged over the board, by the mouse, in every game in which pieces move."""

from __future__ import annotations

from random import Random

import pygame
import pytest

from papan.game.rules import CHANCE
from papan.ui.boards import Picture
from papan.ui.scenes.table import TableScene
from papan.ui.widgets.board import BoardWidget
from tests.ui.at_table import AtTable

MOVING = ["santorini", "santorini-graph", "cifra", "catur-jawa", "checkers", "xiangqi"]


@pytest.fixture
def window(window: AtTable) -> AtTable:
    window.app.settings.animation = "off"
    return window


def two_cells(table: TableScene) -> list[tuple[int, ...]]:
    """The cells of the legal steps that take two."""
    match = table.match
    found = {match.rules.cells(match.state, step) for step in match.legal_steps()}
    return sorted(cells for cells in found if len(cells) == 2)


def where_pieces_move(window: AtTable, game: str) -> tuple[TableScene, tuple[int, ...]]:
    """A table at which a piece can be moved, and from where to where."""
    table = window.sit_down(game, "human", "human")
    random = Random(5)
    while not two_cells(table):
        match = table.match
        match.play(match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps()))
    table.session.take_screen()
    if type(window.app.scene) is not TableScene:
        window.app.pop()
    table.session.turn._leave()
    table.session.turn._arrive()
    window.frames(2)
    if window.app.scene is not table:
        window.press(pygame.K_RETURN)
    return table, two_cells(table)[0]


def drawn(window: AtTable) -> bytes:
    window.app.invalidate()
    window.frames()
    return pygame.image.tobytes(window.app.surface, "RGB")


@pytest.mark.parametrize("game", MOVING)
class TestEveryGame:
    def test_a_drag_plays_what_two_clicks_would_and_puts_back_beside_the_board(
        self, window: AtTable, game: str
    ) -> None:
        table, (start, end) = where_pieces_move(window, game)
        before, view = len(table.match.steps), table.view
        window.drag(view.cell_rect(start).center, (3, 300), (2, 400))
        assert table.picture().chosen is None and len(table.match.steps) == before
        window.drag(view.cell_rect(start).center, view.cell_rect(end).center)
        assert len(table.match.steps) >= before + 1 or table.session.turn.pointed == (start, end)
        if len(table.match.steps) > before:
            assert table.match.rules.cells(table.match.states[before], table.match.steps[before]) == (start, end)

    def test_the_piece_follows_the_mouse(self, window: AtTable, game: str) -> None:
        table, (start, _end) = where_pieces_move(window, game)
        board = window.widget_as("board", BoardWidget)
        at = table.view.cell_rect(start).center
        window.move(at)
        window.event(pygame.MOUSEBUTTONDOWN, pos=at, button=1, touch=False)
        assert table.picture().chosen == start
        lifted = drawn(window)
        seen: list[Picture] = []
        draw = board.view.draw

        def see(surface: pygame.Surface, picture: Picture) -> None:
            seen.append(picture)
            draw(surface, picture)

        board.view.draw = see  # type: ignore[method-assign]
        to = (at[0] + 30, at[1] - 45)
        window.event(pygame.MOUSEMOTION, pos=to, rel=(0, 0), buttons=(1, 0, 0), touch=False)
        assert drawn(window) != lifted
        assert seen[-1].is_carried and seen[-1].carried == (30, -45)
        window.event(pygame.MOUSEMOTION, pos=to, rel=(0, 0), buttons=(0, 0, 0), touch=False)
        window.frames()
        assert not seen[-1].is_carried and table.picture().chosen == start

    def test_clicks_lift_and_put_back_and_what_they_lift_can_be_dragged(self, window: AtTable, game: str) -> None:
        table, (start, end) = where_pieces_move(window, game)
        steps = len(table.match.steps)
        for chosen in (start, None, start):
            window.click_cell(start)
            assert table.picture().chosen == chosen
        window.drag(table.view.cell_rect(start).center, table.view.cell_rect(end).center)
        assert len(table.match.steps) > steps or table.session.turn.pointed == (start, end)


def test_where_it_can_not_go_it_stays_lifted_and_says_why(window: AtTable) -> None:
    table, (start, _end) = where_pieces_move(window, "checkers")
    others = set(range(32)) - {cells[-1] for cells in two_cells(table)} - {cells[0] for cells in two_cells(table)}
    steps = len(table.match.steps)
    window.drag(table.view.cell_rect(start).center, table.view.cell_rect(min(others)).center)
    assert len(table.match.steps) == steps and table.picture().chosen == start
    assert table.foot.view().is_refusal
