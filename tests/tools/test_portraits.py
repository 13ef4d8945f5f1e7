"""Pictures for the documents: which games are drawn, and in what position."""

from __future__ import annotations

import pytest

from papan.game.catalogue import GAMES
from papan.tools.portraits import TURNS, chosen_games, middle_game


class TestGames:
    def test_those_that_are_named_in_this_order(self) -> None:
        assert chosen_games(["othello", "connect-four"]) == [GAMES["othello"], GAMES["connect-four"]]

    def test_all_of_the_gallery_without_a_name(self) -> None:
        assert chosen_games([]) == [game for game in GAMES.values() if game.in_gallery]

    def test_a_name_that_is_none_is_refused(self, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit):
            chosen_games(["chess"])
        assert "there is no table of 'chess': choose from santorini" in capsys.readouterr().err


def test_the_person_is_to_act_in_the_middle_of_a_game() -> None:
    match = middle_game(GAMES["othello"])
    assert not match.ending and match.mover == 0 and len(match.turns()) >= TURNS
