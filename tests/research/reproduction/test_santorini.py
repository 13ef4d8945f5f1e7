"""Gods against each other: where they start, and what is made of who won."""

from __future__ import annotations

import pytest

from papan.game.rules import mover, santorini
from papan.game.rules.santorini.board import workers_of
from papan.game.rules.santorini.gods import APOLLO, ATLAS, MORTAL, PAN
from papan.research.reproduction import santorini_gods
from papan.research.reproduction.experiment import Found
from papan.research.reproduction.santorini_gods import Meeting, Played, findings, games_of, meetings, start
from tests.research.reproduction.asking import asked_of, row_of

ASKED = asked_of(santorini_gods.EXPERIMENT, 0.02)


class TestStarts:
    def test_both_games_of_a_meeting_start_from_the_same_cells(self) -> None:
        meeting = Meeting("drawn", APOLLO, PAN, 0)
        one, other = (start(meeting, ASKED, first, second).state for first, second in meeting.sides)
        assert one.workers == other.workers and one.workers.bit_count() == 4
        assert (one.gods & 15, one.gods >> 4) == (APOLLO, PAN) and (other.gods & 15, other.gods >> 4) == (PAN, APOLLO)

    def test_rounds_differ_and_whoever_meets_itself_plays_once(self) -> None:
        found = {start(Meeting("drawn", APOLLO, PAN, number), ASKED, APOLLO, PAN).state for number in range(20)}
        assert len(found) == 20
        assert Meeting("drawn", PAN, PAN, 0).sides == ((PAN, PAN),)
        assert sum(len(one.sides) for one in meetings(ASKED)) == 2 * (11 + 2 * 55)

    def test_by_choice_only_the_first_worker_is_drawn(self) -> None:
        state = start(Meeting("chosen", MORTAL, ATLAS, 3), ASKED, MORTAL, ATLAS).state
        assert santorini.phase(state) == "place worker" and mover(state) == 0
        assert workers_of(state, 0).bit_count() == 1 and workers_of(state, 1) == 0


class TestFindings:
    @pytest.fixture
    def found(self) -> Found:
        """Pan wins all, and where Pan does not play, the first player does."""
        return {
            one.name: [
                {"won": first == PAN or second != PAN} for first, second in one.sides
            ]
            for one in meetings(asked_of(santorini_gods.EXPERIMENT, 0.1))
        }  # fmt: skip

    def test_the_one_that_wins_all_is_worth_most(self, found: Found) -> None:
        games = games_of(Meeting("drawn", APOLLO, PAN, 0), found)
        assert games == [Played(APOLLO, PAN, False), Played(PAN, APOLLO, True)]
        assert [game.points(PAN) for game in games] == [1, 1] and [game.points(APOLLO) for game in games] == [0, 0]
        tables = findings(asked_of(santorini_gods.EXPERIMENT, 0.1), found)
        worth = {
            row.case: float(row.ours or 0.0)
            for row in tables.tables[0].rows
            if str(row.measure).endswith("workers drawn")
        }
        assert len(worth) == 10 and worth["Pan"] == max(worth.values()) > 400
        assert all(abs(elo) < 1e-6 for god, elo in worth.items() if god != "Pan"), "all others are even"
        row = row_of(tables, "Apollo – Pan", "won by the former, %, workers placed by choice")
        assert (row.ours, row.number) == (0.0, 10)
        row = row_of(tables, "Atlas against itself", "won by the first player, %, workers drawn")
        assert (row.ours, row.number) == (100.0, 5)


def test_games_are_played_to_their_ends() -> None:
    asked = asked_of(santorini_gods.EXPERIMENT, 0.02, {"nodes": "100"})
    pieces = [piece for [*stage] in santorini_gods.stages(asked) for piece in stage if "apollo pan" in piece.name]
    assert [piece.name for piece in pieces] == ["drawn apollo pan 0", "chosen apollo pan 0"]
    for piece in pieces:
        games = santorini_gods.compute(piece, asked, {})
        assert len(games) == 2 and all(isinstance(game["won"], bool) for game in games)
        assert games == santorini_gods.compute(piece, asked, {}), "the same again"
