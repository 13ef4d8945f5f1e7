"""Whole games by finger: what SDL sends of the first one, its own events and those of a mouse; lists, long presses."""

from __future__ import annotations

from random import Random
from typing import Any

import pygame
import pytest

from papan.ui.scenes.table import TableScene
from papan.ui.widgets.base import Widget
from papan.ui.window.touch import LONG_SECONDS, Touch
from tests.ui.at_table import AtTable
from tests.ui.hands import FRAME

Point = tuple[int, int]


class Finger:
    """A finger on a touch screen, through the queue of events, as the system's are."""

    def __init__(self, window: AtTable) -> None:
        self.window = window
        self.seconds = 0.0
        window.app._touch = Touch(lambda: self.seconds)

    def _post(self, finger: int, mouse: int, at: Point, **facts: Any) -> None:
        width, height = self.window.app.window.size
        place: dict[str, Any] = {"x": at[0] / width, "y": at[1] / height, "dx": 0.0, "dy": 0.0}
        pygame.event.post(pygame.event.Event(finger, touch_id=1, finger_id=0, pressure=1.0, **place))
        pygame.event.post(pygame.event.Event(mouse, pos=at, touch=True, **facts))
        self.window.app.step(FRAME)

    def down(self, at: Point) -> None:
        self._post(pygame.FINGERMOTION, pygame.MOUSEMOTION, at, rel=(0, 0), buttons=(0, 0, 0))
        self._post(pygame.FINGERDOWN, pygame.MOUSEBUTTONDOWN, at, button=1)

    def move(self, at: Point) -> None:
        self._post(pygame.FINGERMOTION, pygame.MOUSEMOTION, at, rel=(1, 1), buttons=(1, 0, 0))

    def up(self, at: Point) -> None:
        self._post(pygame.FINGERUP, pygame.MOUSEBUTTONUP, at, button=1)
        self.window.frames(3)

    def tap(self, at: Point) -> None:
        """A tap, which trembles a little."""
        self.down(at)
        self.move((at[0] + 2, at[1] + 1))
        self.up((at[0] + 2, at[1] + 1))

    def drag(self, start: Point, by: Point) -> None:
        self.down(start)
        for part in range(1, 9):
            self.move((start[0] + by[0] * part // 8, start[1] + by[1] * part // 8))
        self.up((start[0] + by[0], start[1] + by[1]))

    def hold(self, widget: Widget) -> None:
        self.down(widget.rect.center)
        self.seconds += LONG_SECONDS
        self.window.frames(round(LONG_SECONDS / FRAME) + 2)


def play_by_taps(finger: Finger, table: TableScene, most: int) -> None:
    match, random = table.match, Random(3)
    while match.ending is None and len(match.steps) < most:
        played, step = len(match.steps), random.choice(match.legal_steps())
        cells = match.rules.cells(match.state, step)
        for cell in cells[len(table.session.turn.pointed) :]:
            if len(match.steps) == played:
                finger.tap(table.view.cell_rect(cell).center)
        finger.window.until(lambda before=played: len(match.steps) > before)  # type: ignore[misc]
        finger.window.frames(2)


@pytest.mark.parametrize(("game", "most"), [("connect-four", 42), ("checkers", 60), ("xiangqi", 30)])
def test_a_game_by_taps_a_list_that_scrolls_and_a_long_press(window: AtTable, game: str, most: int) -> None:
    window.app.settings.animation = "off"
    table, finger = window.sit_down(game, "human", "human"), Finger(window)
    play_by_taps(finger, table, most)
    assert table.match.ending is not None or len(table.match.steps) >= most
    turns = table.turns.list
    assert turns.is_visible and turns.top == turns._lowest_top > 0
    before = turns.top
    finger.drag(turns.rect.center, (0, 40))
    assert turns.top == before - 40
    finger.drag(turns.rect.center, (3, -20))
    assert turns.top == before - 20
    steps, more = len(table.match.steps), window.widget("more")
    finger.hold(more)
    assert table.widgets._is_explaining and table.widgets._tooltip_for is more
    finger.up(more.rect.center)
    assert table.widgets.popup is None and len(table.match.steps) == steps, "it told what it does, and did nothing"
    finger.tap(more.rect.center)
    assert table.widgets.popup is not None


def test_a_piece_is_dragged(window: AtTable) -> None:
    window.app.settings.animation = "off"
    table, finger = window.sit_down("checkers", "human", "human"), Finger(window)
    origin, target = (
        table.view.cell_rect(cell).center for cell in table.match.rules.cells(table.match.state, 9 << 5 | 13)
    )
    finger.drag(origin, (target[0] - origin[0], target[1] - origin[1]))
    assert len(table.match.steps) == 1
