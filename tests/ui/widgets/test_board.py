"""The board as a widget."""

from __future__ import annotations

import pygame

from papan.game.rules.santorini_graph import State, parse
from papan.ui.boards import Picture
from papan.ui.boards.santorini_graph import Board
from papan.ui.widgets.board import BoardWidget
from tests.ui.boards.drawing import AREA, view_of

ARROWS = (pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_DOWN)
NODES = 31
"""More than the view has in mind before it is told a position."""


def _path() -> State:
    text = "0" * NODES + f"/1/{NODES - 2}/{NODES - 1}"
    return parse(text, {"variant": "2W_P4H_TWUS", "board": f"path:{NODES}"})


def _press_arrows(widget: BoardWidget) -> set[int | None]:
    cursors = set()
    for key in ARROWS:
        widget.key(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0))
        cursors.add(widget.cursor)
    return cursors


def test_nobody_points_at_a_board_before_it_was_seen() -> None:
    pygame.font.init()
    state, pointed = _path(), list[int]()
    widget = BoardWidget(view_of(Board), lambda: Picture(state), pointed.append)
    widget.place(AREA)
    widget.focus_changed()
    widget.cursor = NODES - 1
    assert _press_arrows(widget) == {NODES - 1}
    click = pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=AREA.center, touch=False)
    assert not widget.handle(click) and not pointed
    widget.activate()
    assert not pointed
    widget.draw(pygame.Surface((AREA.right, AREA.bottom)))
    assert len(_press_arrows(widget)) > 1
    click = pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=widget.view.cell_rect(3).center, touch=False)
    assert widget.handle(click) and pointed == [3]
