"""The cards of seats: what gives way to what where there is little room."""

from __future__ import annotations

import pygame
import pytest

from papan.game.rules import Outcome
from papan.ui.drawing.theme import Colour, SeatStyle
from papan.ui.widgets.player_cards import SeatCard, SeatView
from tests.ui.hands import Hands, Shelf

STYLE = SeatStyle((200, 60, 40), (20, 20, 20), "circle")
LONG = "seven discs are left in the box"


class Written:
    """What was written on a card, and what of it was cut."""

    def __init__(self, hands: Hands, width: int, note: str, outcome: Outcome | None, score: str = "") -> None:
        self.rects: dict[str, pygame.Rect] = {}
        self.cut: list[str] = []
        card = SeatCard(0, SeatView(STYLE, "You", note, outcome=outcome, score=score))
        hands.show(Shelf(hands.app, lambda: card))
        card.place(pygame.Rect(20, 20, width, 90))
        hands.app.paint.witness = self
        card.draw(hands.app.surface)
        hands.app.paint.witness = None

    def will_be_written(self, surface: pygame.Surface, text: str, rect: pygame.Rect, ink: Colour) -> None:
        """It is told of again."""

    def is_written(self, surface: pygame.Surface, text: str, rect: pygame.Rect) -> None:
        self.rects[text] = rect.copy()

    def is_cut(self, text: str, shown: str) -> None:
        self.cut.append(text)


class TestOutcome:
    @pytest.mark.parametrize("score", ["", "63"])
    def test_stands_in_the_middle_where_there_is_room(self, hands: Hands, score: str) -> None:
        written = Written(hands, 400, LONG, "won", score)
        assert abs(written.rects["won"].centery - 65) <= 2 and not written.cut

    @pytest.mark.parametrize("note", [LONG, f"{LONG}\n{LONG}"])
    def test_stands_beside_the_name_where_a_line_needs_the_room(self, hands: Hands, note: str) -> None:
        written = Written(hands, 300, note, "won")
        assert abs(written.rects["won"].centery - written.rects["You"].centery) <= 2 and not written.cut
        assert written.rects[LONG].right > written.rects["won"].left

    def test_of_a_game_that_goes_on_there_is_none(self, hands: Hands) -> None:
        assert set(Written(hands, 300, LONG, None).rects) == {"You", LONG}
