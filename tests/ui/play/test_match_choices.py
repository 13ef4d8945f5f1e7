"""What is chosen for a match: what was chosen last comes back, and what makes no sense any more does not."""

from __future__ import annotations

import pytest

from papan.ai.players import HUMAN, PlayerChoice
from papan.ai.players.levels import PLAYER_LEVELS
from papan.game.catalogue import GAMES
from papan.game.game import OptionError
from papan.game.rules import PositionError
from papan.ui.play.match_choices import MatchChoices

OFFERED = [
    PlayerChoice(HUMAN, "You", "a person"),
    *(PlayerChoice(step.player, step.title, step.line) for step in PLAYER_LEVELS[:-1]),
    PlayerChoice("level:8,time=3", "Dragon", "plays at full strength, 3 s per move"),
    PlayerChoice("random", "Random", "any legal step"),
]


def choices(game: str = "santorini", **kept: object) -> MatchChoices:
    return MatchChoices(GAMES[game], OFFERED, kept, "level:3")


class TestPlayers:
    def test_a_person_plays_the_usual_opponent(self) -> None:
        assert choices().players == [HUMAN, "level:3", "level:3", "level:3"]
        assert choices("2048").players == [HUMAN]
        assert MatchChoices(GAMES["othello"], OFFERED, {}, "gone").players == [HUMAN, "random"]

    def test_a_level_is_the_same_whatever_time_it_has(self) -> None:
        assert choices(players=["level:8", "level:8,time=10"]).players[:2] == ["level:8,time=3"] * 2

    def test_others_may_be_offered_later(self) -> None:
        chosen = choices(players=["level:2", "random", HUMAN])
        chosen.offer([PlayerChoice(HUMAN, "Anda", ""), PlayerChoice("level:2,time=5", "Semut", "")])
        assert chosen.players[:3] == ["level:2,time=5", "level:2,time=5", HUMAN]
        assert chosen.choice("level:2,time=5").label == "Semut"

    def test_the_cards_are_about_the_first_computer(self) -> None:
        assert choices().seat_to_choose == 1
        assert choices(players=["level:1", HUMAN]).seat_to_choose == 0
        assert choices(players=[HUMAN, HUMAN]).seat_to_choose == 1
        assert choices("2048").seat_to_choose == 0

    def test_persons_are_told_apart_by_those_before_them(self) -> None:
        chosen = choices(players=[HUMAN, "level:1", HUMAN])
        assert [chosen.persons_before(seat) for seat in (0, 2)] == [0, 1]


class TestOptions:
    def test_what_is_not_as_usual(self) -> None:
        chosen = choices()
        assert chosen.unusual_options == []
        assert chosen.set_option("gods", "seeds"), "the same god twice is usual there"
        assert [option.name for option in chosen.unusual_options] == ["gods"]
        assert not chosen.set_option("same", "no")
        assert chosen.options["same"] == "no"  # regression: it went back to what is usual
        assert [option.name for option in chosen.unusual_options] == ["gods", "same"]

    def test_who_starts_is_one_of_the_seats(self) -> None:
        chosen = choices(seats=3, options={"first": "3"})
        assert [*chosen.values_of(GAMES["santorini"].options["first"])] == ["random", "1", "2", "3"]
        assert chosen.complete_options()["first"] == "3"
        chosen.seats = 2
        assert chosen.complete_options()["first"] == "random"
        assert chosen.complete_options()["seats"] == "2"

    def test_what_was_chosen_comes_back(self) -> None:
        chosen = choices(seats=4, options={"gods": "none"}, clock="180+2", players=["random", HUMAN])
        again = choices(**chosen.kept())
        assert (again.seats, again.options, again.time_control, again.players) == (
            4, chosen.options, "180+2", ["random", HUMAN, "level:3", "level:3"],
        )  # fmt: skip

    def test_a_wrong_option_is_told(self) -> None:
        chosen = choices("connect-four")
        chosen.options["first"] = "never"
        with pytest.raises(OptionError, match="first can be"):
            chosen.complete_options()


class TestAPosition:
    def test_it_says_who_starts_and_how_many_play(self) -> None:
        chosen = MatchChoices(GAMES["connect-four"], OFFERED, {"options": {"first": "2"}}, "level:1", "445", {})
        assert chosen.options["first"] == "1" and chosen.seats == 2
        assert chosen.values_of(GAMES["connect-four"].options["first"]) == {}
        assert chosen.kept()["options"]["first"] == "random", "who starts was not chosen"

    def test_what_is_none_is_refused(self) -> None:
        with pytest.raises(PositionError):
            MatchChoices(GAMES["connect-four"], OFFERED, {}, "level:1", "9", {})
