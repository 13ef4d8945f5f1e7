"""The lists of turns, at the table and in the review: also matches of a thousand rounds."""

from __future__ import annotations

import pygame
import pytest

from papan.ui.drawing.theme import Colour, SeatStyle
from papan.ui.widgets.base import Widget
from papan.ui.widgets.turn_lists import Entry, JudgedTurn, JudgedTurns, TurnList
from tests.ui.hands import Hands, Shelf

STYLE = SeatStyle((200, 60, 40), (20, 20, 20), "circle")
TURN = "e2e4"


class Written:
    """Where things were written, and what was cut."""

    def __init__(self) -> None:
        self.rects: list[tuple[str, pygame.Rect]] = []
        self.cut: list[str] = []

    def will_be_written(self, surface: pygame.Surface, text: str, rect: pygame.Rect, ink: Colour) -> None:
        pass

    def is_written(self, surface: pygame.Surface, text: str, rect: pygame.Rect) -> None:
        self.rects.append((text, rect))

    def is_cut(self, text: str, shown: str) -> None:
        self.cut.append(text)


def at_the_table(rounds: int) -> TurnList:
    turns = TurnList(2, lambda seat: ("You", STYLE))
    turns.show_turns([Entry(seat, TURN) for _ in range(rounds) for seat in range(2)], 2 * rounds)
    return turns


def in_the_review(rounds: int) -> JudgedTurns:
    turns = JudgedTurns(2, lambda turn: None, lambda seat: STYLE)
    turns.show_turns([JudgedTurn(seat, TURN) for _ in range(rounds) for seat in range(2)])
    return turns


@pytest.mark.parametrize("rounds", [9, 188, 1288])
@pytest.mark.parametrize("make", [at_the_table, in_the_review])
def test_numbers_of_rounds_are_whole_and_stand_clear_of_the_turns(hands: Hands, make, rounds: int) -> None:  # type: ignore[no-untyped-def]
    turns: Widget = make(rounds)
    hands.show(Shelf(hands.app, lambda: turns))
    turns.place(pygame.Rect(20, 20, 330, 300))
    if isinstance(turns, JudgedTurns):
        turns.choose(2 * rounds)
    written = Written()
    hands.app.paint.witness = written
    turns.draw(hands.app.surface)
    hands.app.paint.witness = None
    numbers = [rect for text, rect in written.rects if text.endswith(".")]
    assert f"{rounds}." in [text for text, _rect in written.rects] and not written.cut
    first = min(rect.x for text, rect in written.rects if text == TURN)
    assert all(rect.right <= first - 3 for rect in numbers)
