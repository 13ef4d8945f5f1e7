"""The line that says what is expected of whom."""

from __future__ import annotations

import pygame
import pytest

from papan.ui.widgets.status_line import StatusLine, StatusView
from tests.ui.hands import Hands, Shelf

ROOM = pygame.Rect(100, 100, 300, 64)
LONG = "Player 1 won: all cards are played, and the best line is worth 18"


def rows_of_ink(hands: Hands, request: str, detail: str = "") -> int:
    """How many lines of text are drawn for these words."""
    view = StatusView(hands.app.theme.seats[0], request, detail)
    shelf = Shelf(hands.app, lambda: StatusLine(lambda: view))
    hands.show(shelf)
    shelf.widgets.all[0].place(ROOM)
    hands.app.invalidate()
    hands.frames(2)
    words = hands.app.surface.subsurface(ROOM.move(58, 0).clip(ROOM))
    ground = words.get_at((0, 0))
    inked = [any(words.get_at((x, y)) != ground for x in range(words.get_width())) for y in range(words.get_height())]
    return sum(here and not before for before, here in zip([False, *inked], inked, strict=False))


@pytest.mark.parametrize(
    ("request_words", "detail", "rows"),
    [("You won", "", 1), (LONG, "", 2), (LONG + ", " + LONG, "", 2), (LONG, "Once more?", 2)],
)
def test_a_request_takes_the_room_that_no_detail_needs(
    hands: Hands, request_words: str, detail: str, rows: int
) -> None:
    assert rows_of_ink(hands, request_words, detail) == rows
