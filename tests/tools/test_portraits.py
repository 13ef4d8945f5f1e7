"""Pictures for the documents: which games are drawn, and in what position."""

from __future__ import annotations

from dataclasses import replace

import pytest

from papan.game.catalogue import GALLERY, GAMES, HOUSE
from papan.tools.portraits import TURNS, chosen_games, middle_game


class TestGames:
    def test_those_that_are_named_in_this_order(self) -> None:
        assert chosen_games(["othello", "connect-four"]) == [GAMES["othello"], GAMES["connect-four"]]

    def test_all_of_the_house_without_a_name(self, monkeypatch: pytest.MonkeyPatch) -> None:
        guest = replace(GAMES["othello"], name="guest")
        monkeypatch.setattr("papan.tools.portraits.GALLERY", {**GALLERY, "guest": guest})
        assert chosen_games([]) == [game for game in HOUSE.values() if game.in_gallery]
        assert chosen_games(["guest"]) == [guest]

    def test_a_name_that_is_none_is_refused(self, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit):
            chosen_games(["chess"])
        assert "there is no table of 'chess': choose from santorini" in capsys.readouterr().err


def test_the_person_is_to_act_in_the_middle_of_a_game() -> None:
    match = middle_game(GAMES["othello"])
    assert not match.ending and match.mover == 0 and len(match.turns()) >= TURNS
