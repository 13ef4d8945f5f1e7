"""Plans of tournaments, and who meets whom."""

from __future__ import annotations

from collections import Counter

import pytest

from papan.ai.players import PlayerError
from papan.game.facts import OptionError
from papan.lab.tournament.plan import PlanError, encounters, rotations, starts_of
from tests.lab.tournament.playing import plan


class TestEncounters:
    def test_everybody_meets_everybody_in_every_round(self) -> None:
        met = Counter(encounter.group for encounter in encounters(plan("random", "random", "random", games=6)))
        assert met == {(0, 1): 3, (0, 2): 3, (1, 2): 3}

    def test_groups_are_as_large_as_the_match(self) -> None:
        asked = plan("random", "random", "random", "random", game="catur-jawa", games=3, options={"seats": "3"})
        assert [encounter.group for encounter in encounters(asked)] == [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]

    def test_everybody_has_each_seat_once(self) -> None:
        orders = list(rotations((5, 6, 7, 8)))
        assert all(sorted(seat) == [5, 6, 7, 8] for seat in zip(*orders, strict=True))


class TestOpenings:
    def test_there_is_one_for_each_time_that_all_have_had_all_seats(self) -> None:
        assert len(starts_of(plan("random", "random", games=10))) == 5

    def test_there_may_be_fewer(self) -> None:
        asked = plan("random", "random", games=10, different_openings=2)
        assert len(starts_of(asked)) == 2 and asked.rounds == 5

    def test_cards_are_dealt_to_as_many_as_play(self) -> None:
        starts = starts_of(plan("random", "random", "random", game="catur-jawa", games=3, options={"seats": "3"}))
        assert [len(start.seats) for start in starts] == [3]


class TestRefusals:
    def test_too_few_players(self) -> None:
        with pytest.raises(PlanError, match="1 player can't fill the 2 seats of Connect Four"):
            plan("random")

    def test_a_game_for_one(self) -> None:
        with pytest.raises(PlanError, match="2048 is a one-player game"):
            plan("random", "random", game="2048")

    def test_games_that_leave_somebody_without_a_side(self) -> None:
        with pytest.raises(PlanError, match="played 2 times with seats exchanged, so 5 games are not possible"):
            plan("random", "random", games=5)

    def test_more_openings_than_are_played(self) -> None:
        with pytest.raises(PlanError, match="4 games can begin from at most 2 openings, not 3"):
            plan("random", "random", games=4, different_openings=3)

    def test_more_openings_than_there_are(self) -> None:
        with pytest.raises(PlanError, match="Only 7 openings of 1 turns"):
            starts_of(plan("random", "random", games=16, turns=1))

    def test_a_player_that_is_none(self) -> None:
        with pytest.raises(PlayerError):
            plan("random", "nobody")

    def test_seats_that_the_game_has_not(self) -> None:
        with pytest.raises(OptionError):
            plan("random", "random", game="catur-jawa", options={"seats": "7"})
