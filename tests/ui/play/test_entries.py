"""The list of matches by its filters and orders; the choices for a new match come back."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path

import pytest

from papan.ai.players import HUMAN, PlayerChoice
from papan.ai.players.levels import PLAYER_LEVELS
from papan.game.catalogue import GAMES
from papan.game.game import OptionError
from papan.game.match.library import Origin, Summary
from papan.game.rules import Ending, PositionError
from papan.online.letterbox import Letterbox
from papan.ui.play.entries import ORDERS, Entry, MatchFilter, Wording, filter_entries
from papan.ui.play.match_choices import MatchChoices
from tests.online.test_letters import MATCH_ID, four, sent

NOW = datetime.datetime(2026, 11, 18, 15, 0, tzinfo=datetime.UTC)  # a Wednesday
WON, LOST, DRAW = Ending((1.0, -1.0), "x"), Ending((-1.0, 1.0), "x"), Ending((0.0, 0.0), "x")


def summary(
    number: int,
    game: str = "connect-four",
    seats: tuple[str, ...] = ("human", "random"),
    ending: Ending | None = None,
    *,
    hours: float = 0.0,
    turns: int | None = 10,
    name: str = "",
    origin: Origin | None = None,
) -> Summary:
    when = NOW - datetime.timedelta(hours=hours)
    mover = None if ending else 0
    return Summary(number, game, seats, 3, mover, ending, when, name, turns, origin, origin is not None)


SUMMARIES = [
    summary(1, ending=WON, hours=1, turns=7),
    summary(2, "othello", ("minimax:hard", "human"), WON, hours=16, turns=60, name="The corner"),
    summary(3, ending=DRAW, hours=60, turns=42),
    summary(4, "santorini", ("human", "human"), LOST, hours=24 * 20, turns=30),
    summary(5, hours=24 * 400, turns=5),
    summary(6, "2048", ("human",), Ending((3124.0,), "x"), hours=2, turns=None),
    summary(7, "no-such-game", ("a", "b"), WON, hours=3),
]


def listed(wanted: MatchFilter, summaries: list[Summary] | None = None, *unfolded: int) -> list[Entry]:
    wording = Wording()
    entries = [wording.entry(one) for one in SUMMARIES if not summaries] or [wording.entry(o) for o in summaries or ()]
    return filter_entries(entries, wanted, frozenset(unfolded), NOW)


def numbers(wanted: MatchFilter) -> list[int]:
    return sorted(entry.id for entry in listed(wanted))


class TestFilters:
    @pytest.mark.parametrize(
        ("wanted", "expected"),
        [
            (MatchFilter(), [1, 2, 3, 4, 5, 6, 7]),
            (MatchFilter(text="four"), [1, 3, 5]),
            (MatchFilter(text="FOUR won"), [1]),
            (MatchFilter(text="corner"), [2]),
            (MatchFilter(text="hard"), [2]),
            (MatchFilter(text="nobody"), []),
            (MatchFilter(text="no-such"), [7]),
            (MatchFilter(text="3,124"), [6]),
            (MatchFilter(game="connect-four"), [1, 3, 5]),
            (MatchFilter(result="unfinished"), [5]),
            (MatchFilter(result="finished"), [1, 2, 3, 4, 6, 7]),
            (MatchFilter(result="won"), [1]),
            (MatchFilter(result="lost"), [2]),
            (MatchFilter(result="draw"), [3]),
            (MatchFilter(result="seat 1"), [1, 2, 7]),
            (MatchFilter(result="seat 2"), [4]),
            (MatchFilter(period="today"), [1, 6, 7]),
            (MatchFilter(period="week"), [1, 2, 3, 6, 7]),
            (MatchFilter(period="month"), [1, 2, 3, 6, 7]),
            (MatchFilter(period="year"), [1, 2, 3, 4, 6, 7]),
            (MatchFilter(turns="-20"), [1, 5, 7]),
            (MatchFilter(turns="42"), [3]),
            (MatchFilter(turns="30-60"), [2, 3, 4]),
            (MatchFilter(turns="43-"), [2]),
            (MatchFilter(turns="?"), [1, 2, 3, 4, 5, 6, 7]),
            (MatchFilter(game="connect-four", result="won", period="today", turns="7"), [1]),
        ],
    )
    def test_each(self, wanted: MatchFilter, expected: list[int]) -> None:
        assert numbers(wanted) == expected


class TestOrders:
    @pytest.mark.parametrize(
        ("order", "expected"),
        [
            ("newest", [1, 6, 7, 2, 3, 4, 5]),
            ("oldest", [5, 4, 3, 2, 7, 6, 1]),
            ("game", [6, 1, 3, 5, 7, 2, 4]),
            ("longest", [2, 3, 4, 7, 1, 5, 6]),
            ("shortest", [6, 5, 1, 7, 4, 3, 2]),
        ],
    )
    def test_each(self, order: str, expected: list[int]) -> None:
        assert [entry.id for entry in listed(MatchFilter(order=order))] == expected

    def test_there_is_a_case_for_each(self) -> None:
        assert len(ORDERS) == 5


class TestWords:
    def test_of_each_kind(self) -> None:
        found = {entry.id: (entry.title, entry.players, entry.result, entry.outcome) for entry in listed(MatchFilter())}
        assert found == {
            1: ("Connect Four", "You against Random", "won", "won"),
            2: ("The corner", "Hard against You", "lost", "lost"),
            3: ("Connect Four", "You against Random", "draw", "draw"),
            4: ("Santorini", "Player 1 against Player 2", "Player 2 won", "over"),
            5: ("Connect Four", "You against Random", "your move", "unfinished"),
            6: ("2048", "You", "3,124 points", "over"),
            7: ("no-such-game", "a against b", "a won", "over"),
        }


class TestVariations:
    ROWS = (
        summary(1, hours=5),
        summary(2, hours=3, origin=Origin(1, 6)),
        summary(3, hours=4, origin=Origin(1, 2)),
        summary(4, hours=1, origin=Origin(2, 8), ending=WON),
        summary(5, hours=2, origin=Origin(99, 1)),
        summary(6, hours=6, origin=Origin(6, 1)),
    )

    def rows(self, *unfolded: int, wanted: MatchFilter | None = None) -> list[tuple[int, int, int]]:
        return [
            (entry.id, entry.depth, entry.branches)
            for entry in listed(wanted or MatchFilter(), list(self.ROWS), *unfolded)
        ]

    def test_are_folded_away(self) -> None:
        assert self.rows() == [(5, 0, 0), (1, 0, 2), (6, 0, 0)]

    def test_stand_below_their_match_where_they_part(self) -> None:
        assert self.rows(1) == [(5, 0, 0), (1, 0, 2), (3, 1, 0), (2, 1, 1), (6, 0, 0)]
        assert self.rows(1, 2) == [(5, 0, 0), (1, 0, 2), (3, 1, 0), (2, 1, 1), (4, 2, 0), (6, 0, 0)]

    def test_one_whose_match_is_not_listed_stands_by_itself(self) -> None:
        assert self.rows(1, wanted=MatchFilter(result="won")) == [(4, 0, 0)]

    def test_a_circle_hides_nothing_for_ever(self) -> None:
        circle = [summary(1, origin=Origin(2, 1)), summary(2, origin=Origin(1, 1)), summary(3)]
        assert [(entry.id, entry.branches) for entry in listed(MatchFilter(), circle)] == [(3, 0), (1, 1)]


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
        again = choices(**chosen.to_settings())
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
        assert chosen.to_settings()["options"]["first"] == "random", "who starts was not chosen"

    def test_what_is_none_is_refused(self) -> None:
        with pytest.raises(PositionError):
            MatchChoices(GAMES["connect-four"], OFFERED, {}, "level:1", "9", {})


class TestLetters:
    """What a match by letter waits for, by the last letter."""

    @pytest.mark.parametrize(
        ("letter", "steps", "mover", "ending", "expected"),
        [
            ("", 1, 1, None, "your move is not sent yet"),
            ("", 0, 0, None, "your move"),
            ("3", 1, 1, None, "to move"),
            ("34", 3, 1, None, "your move is not sent yet"),
            ("34", 2, 0, None, "your move"),
            ("34", 1, 1, None, "a letter has come"),
            ("34", 2, None, Ending((-1.0, 1.0), "seat 1 resigned"), "your move is not sent yet"),
            ("34", 3, None, WON, "your move is not sent yet"),
            ("34", 2, None, WON, "won"),
        ],
    )
    def test_by_steps(
        self, tmp_path: Path, letter: str, steps: int, mover: int | None, ending: Ending | None, expected: str
    ) -> None:
        letterbox = Letterbox(tmp_path)
        if letter:
            last = four(letter, (len(letter) - 1) % 2)
            letterbox._keep(last, sent(last))
        match = replace(
            summary(9, seats=("human", "letter"), ending=ending), letters=MATCH_ID, steps=steps, mover=mover
        )
        assert Wording(letterbox).entry(match).result.endswith(expected)
