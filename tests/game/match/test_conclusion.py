"""Conclusions: resignations, agreed draws and fallen flags, in matches, records and the library, in every game."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from papan.game.catalogue import GALLERY, GAMES
from papan.game.match import Match
from papan.game.match.conclusion import Conclusion, read_conclusion
from papan.game.match.library import FILE_NAME
from papan.game.match.record import RecordError, read, write
from papan.game.rules import CHANCE, IllegalStep, allied
from tests.game.match.keeping import Keeping
from tests.game.match.test_turn import FakeTable, controller

MANY = [name for name, game in GALLERY.items() if max(game.seats) > 1]
RESIGNED, AGREED, TIME = Conclusion("resigned", 1), Conclusion("agreed"), Conclusion("time", 0)
ALL = (RESIGNED, AGREED, TIME)


def begun(name: str, steps: int = 5, seats: int | None = None) -> Match:
    """A match after some random steps."""
    game = GAMES[name]
    match = Match.new(game, ["human"] * (seats or game.seats[0]), {"first": "1"}, seed=4)
    random = Random(2)
    for _ in range(steps):
        match.play(match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps()))
    assert match.ending is None
    return match


class TestMatches:
    @pytest.mark.parametrize("name", MANY)
    @pytest.mark.parametrize("conclusion", ALL)
    def test_a_match_ends_and_can_be_taken_up_again(self, name: str, conclusion: Conclusion) -> None:
        match = begun(name)
        state, legal = match.state, match.legal_steps()
        match.conclude(conclusion)
        assert match.ending and match.ending.reason == conclusion.reason and match.legal_steps() == []
        with pytest.raises(IllegalStep, match="over"):
            match.play(legal[0])
        with pytest.raises(IllegalStep, match="over"):
            match.conclude(conclusion)
        assert match.up_to(len(match.steps)).ending == match.ending
        assert match.up_to(len(match.steps) - 1).ending is None
        match.reopen()
        assert match.ending is None and match.state == state and match.legal_steps() == legal

    @pytest.mark.parametrize("name", MANY)
    def test_who_resigns_loses_with_its_allies_and_the_others_win(self, name: str) -> None:
        for seats in GAMES[name].seats:
            match = begun(name, 3, seats)
            match.conclude(Conclusion("resigned", 0))
            assert match.ending
            for seat in range(seats):
                assert match.ending.outcome(seat) == ("lost" if allied(match.state, 0, seat) else "won")

    def test_a_step_taken_back_takes_the_conclusion_with_it(self) -> None:
        match = begun("connect-four")
        match.conclude(RESIGNED)
        match.undo()
        assert match.ending is None and match.conclusion is None and len(match.steps) == 4
        match.redo()
        assert match.ending is None

    def test_what_was_undone_is_forgotten(self) -> None:
        match = begun("connect-four")
        match.undo()
        match.conclude(AGREED)
        assert not match.can_redo and match.ending and match.ending.winners == ()

    def test_what_can_not_be_is_refused(self) -> None:
        with pytest.raises(IllegalStep, match="for one"):
            begun("2048").conclude(Conclusion("resigned", 0))
        match = begun("connect-four")
        with pytest.raises(IllegalStep, match="no seat 3"):
            match.conclude(Conclusion("resigned", 2))
        assert match.ending is None


class TestRecords:
    @pytest.mark.parametrize("name", MANY)
    @pytest.mark.parametrize("conclusion", ALL)
    @pytest.mark.parametrize("steps", [0, 4, 5])
    def test_they_are_written_and_read(self, name: str, conclusion: Conclusion, steps: int) -> None:
        match = begun(name, steps)
        match.conclude(conclusion)
        again = read(write(match))
        assert again.conclusion == conclusion and again.ending == match.ending
        assert list(again.steps) == list(match.steps) and write(again) == write(match)

    def test_a_result_that_does_not_go_with_it_is_refused(self) -> None:
        match = begun("connect-four")
        match.conclude(RESIGNED)
        with pytest.raises(RecordError, match="result is given as '0-1'"):
            read(write(match).replace("1-0", "0-1"))

    def test_a_seat_that_is_not_there_is_refused_with_its_line(self) -> None:
        match = begun("connect-four")
        match.conclude(RESIGNED)
        with pytest.raises(RecordError, match=r"Line \d+: There is no seat 7"):
            read(write(match).replace("seat 2 resigned", "seat 7 resigned"))

    def test_a_reason_of_the_rules_concludes_nothing(self) -> None:
        assert read_conclusion("four in a row") is None and read_conclusion("seat 0 resigned") is None
        assert read_conclusion("seat 99 resigned") is None
        match = begun("connect-four")
        with pytest.raises(RecordError, match="not over"):
            text = write(match).replace('[Result "*"]', '[Result "1-0"]\n[Reason "four in a row"]')
            read(text.rstrip()[:-1] + "1-0\n")


class TestLibrary:
    @pytest.mark.parametrize("conclusion", ALL)
    def test_they_are_kept_and_taken_back(self, tmp_path: Path, conclusion: Conclusion) -> None:
        library = Keeping(tmp_path / FILE_NAME)
        match = begun("santorini")
        number = library.begin(match)
        match.conclude(conclusion)
        library.save(number, match)
        assert library.unfinished() == []
        [summary] = library.recent(5)
        assert summary.ending == match.ending
        again = library.load(number)
        assert again.conclusion == conclusion and again.ending == match.ending
        match.reopen()
        library.save(number, match)
        assert library.recent(5) == [] and library.load(number).ending is None
        library.close()


class TestTurns:
    def test_a_resignation_ends_everything_and_is_taken_back(self) -> None:
        c = controller((True, False))
        c.point(3)
        assert c.due == "thinking"
        c.conclude(Conclusion("resigned", 0))
        assert c.due == "over" and isinstance(c._table, FakeTable) and c._table.withdrawn == 1
        c.conclude(Conclusion("resigned", 1))
        assert c.match.conclusion == Conclusion("resigned", 0)
        assert c.can_undo
        c.undo()
        assert c.due == "thinking" and list(c.match.steps) == [3]

    def test_a_fallen_flag_is_final(self) -> None:
        c = controller((True, True))
        c.point(3)
        c.conclude(Conclusion("time", 1))
        assert c.due == "over" and not c.can_undo
        c.undo()
        assert c.match.ending is not None
