"""The list of matches: filtered by each of its filters, sorted in each order, variations below their match."""

from __future__ import annotations

import datetime

import pytest

from papan.game.match.library import Origin, Summary
from papan.game.rules import Ending
from papan.ui.play.entries import ORDERS, Entry, MatchFilter, Wording, filter_entries

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
