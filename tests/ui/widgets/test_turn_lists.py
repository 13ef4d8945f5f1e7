"""Lists of turns in words or in notation, and their tooltips."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import SeatStyle
from papan.ui.play.turn_names import TurnName
from papan.ui.texts.manner import use_manner
from papan.ui.widgets.turn_lists import Entry, JudgedTurn, JudgedTurns, TurnList
from tests.ui.hands import Hands, Shelf

STYLE = SeatStyle((200, 60, 40), (20, 20, 20), "circle")
SHORT = TurnName("Column 4", "4")
LONG = TurnName("Worker from b3 climbs to c4, builds on c3", "b3-c4+c3", "To c4, on c3")
ENDLESS = TurnName("Worker to b3, " * 9, "b2-b3")


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were drawn."""
    found: list[str] = []
    text = Painter.text

    def noted(paint: Painter, surface: pygame.Surface, words: str, *others: Any, **facts: Any) -> Any:
        found.append(words)
        return text(paint, surface, words, *others, **facts)

    monkeypatch.setattr(Painter, "text", noted)
    return found


def at_the_table(hands: Hands, name: TurnName, height: int = 400) -> TurnList:
    turns = TurnList(2, lambda seat: ("You", STYLE))
    hands.show(Shelf(hands.app, lambda: turns))
    turns.place(pygame.Rect(20, 20, 360, height))
    turns.show_turns([Entry(seat, name) for seat in (0, 1)], 2)
    hands.frames(2)
    return turns


class TestAtTheTable:
    def test_short_words_stand_in_columns(self, hands: Hands, written: list[str]) -> None:
        turns = at_the_table(hands, SHORT)
        assert not turns.has_row_a_turn and written.count("Column 4") >= 2
        hands.move(turns._row_rect(0).center)
        assert turns.explanation == "Column 4 (4)"

    def test_the_opening_stands_beside_the_heading(self, hands: Hands, written: list[str]) -> None:
        turns = at_the_table(hands, SHORT)
        turns.show_turns([Entry(seat, SHORT) for seat in (0, 1)], 2, "Tiger")
        turns.invalidate()
        hands.frames(2)
        assert written.count("Tiger") == 1

    def test_long_words_get_a_row_each_in_a_high_list(self, hands: Hands, written: list[str]) -> None:
        turns = at_the_table(hands, LONG)
        assert turns.has_row_a_turn and LONG.words in written and LONG.notation not in written
        hands.move(turns._row_rect(1).center)
        assert turns.explanation == f"{LONG.words} (b3-c4+c3)"
        hands.move(turns._row_rect(0).center)
        assert turns.explanation == ""  # the heading of the round

    @pytest.mark.parametrize(
        ("name", "height", "shown"), [(LONG, 150, LONG.short), (ENDLESS, 400, ENDLESS.notation)], ids=["low", "endless"]
    )
    def test_without_room_there_are_fewer_words_and_all_in_the_tooltip(
        self, hands: Hands, written: list[str], name: TurnName, height: int, shown: str
    ) -> None:
        turns = at_the_table(hands, name, height)
        assert not turns.has_row_a_turn and shown in written and name.words not in written
        hands.move(turns._row_rect(0).center)
        assert turns.explanation == f"{name.words} ({name.notation})"

    def test_fewer_words_get_a_row_each_rather_than_notation(self, hands: Hands, written: list[str]) -> None:
        name = LONG._replace(short="Worker from b3 to c4, builds on c3")
        turns = at_the_table(hands, name, 150)
        assert turns.has_row_a_turn and name.short in written and name.notation not in written

    def test_who_wants_notation_has_it(self, hands: Hands, written: list[str]) -> None:
        use_manner(in_words=False)
        turns = at_the_table(hands, LONG)
        assert not turns.has_row_a_turn and LONG.notation in written and LONG.words not in written
        hands.move(turns._row_rect(0).center)
        assert turns.explanation == f"{LONG.words} ({LONG.notation})"


@pytest.mark.parametrize(
    ("in_words", "name", "shown"),
    [
        (True, SHORT, "Column 4"),
        (True, LONG, LONG.words),
        (True, ENDLESS._replace(short="Worker to b3"), "Worker to b3"),
        (True, ENDLESS, ENDLESS.notation),
        (False, LONG, LONG.notation),
    ],
)
def test_in_the_review(hands: Hands, written: list[str], in_words: bool, name: TurnName, shown: str) -> None:
    use_manner(in_words=in_words)
    turns = JudgedTurns(2, lambda turn: None, lambda seat: STYLE)
    hands.show(Shelf(hands.app, lambda: turns))
    turns.show_turns([JudgedTurn(seat, name, "??") for seat in (0, 1)])
    turns.place(pygame.Rect(20, 20, 400, 300))
    hands.frames(2)
    assert shown in written
    hands.move(turns.rect_of(2).center)
    assert turns.explanation == f"{name.words} ({name.notation})"
    turns.choose(2)
    assert turns.utterance() == f"Turns, {name.words}, ??"
