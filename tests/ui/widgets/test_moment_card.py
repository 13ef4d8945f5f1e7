"""A moment of a match on a card: what is said of it where there is little room."""

from __future__ import annotations

import pygame
import pytest

from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.ui.boards import Picture, board_of
from papan.ui.widgets.cards import MomentCard
from tests.ui.hands import Hands, Shelf

CAPTIONS = ("Turn 12\n2 ?", "12.\n2 ?")


@pytest.fixture
def card(hands: Hands) -> MomentCard:
    game = GAMES["connect-four"]
    card = MomentCard(board_of(game, hands.app.paint), lambda: None, name="moment")
    hands.show(Shelf(hands.app, lambda: card))
    card.place(pygame.Rect(20, 20, 120, 160))
    card.show_moment(Picture(Match.new(game, ["", ""]).state), *CAPTIONS)
    return card


def test_the_first_caption_that_fits_is_said(card: MomentCard) -> None:
    room = card.paint.width("Turn 12", "small")
    assert card.caption(room) == CAPTIONS[0]
    assert card.caption(room - 1) == CAPTIONS[1]
    assert card.caption(1) == CAPTIONS[1], "and the shortest where none does"


def test_who_listens_is_told_the_first(card: MomentCard) -> None:
    card.place(pygame.Rect(20, 20, 30, 160))
    assert card.utterance().startswith("Turn 12. 2 ?")
