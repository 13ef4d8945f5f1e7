"""Tournaments on their way: threads, breaks, tests that end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from papan.game.kernel.clock import PROCESSOR, WALL, chosen_clock, why_no_processor_clock
from papan.lab.journal import Journal, JournalError
from papan.lab.tournament.plan import Plan, starts_of
from papan.lab.tournament.playing import Played
from papan.lab.tournament.rating import SequentialTest
from papan.lab.tournament.results import Results
from papan.lab.tournament.running import JOURNAL, ChosenTest, resume, run
from tests.lab.tournament.playing import plan


def journal_of(path: Path | None, asked: Plan) -> Journal[Plan, Played | ChosenTest]:
    return Journal(path, JOURNAL, asked.as_data())


def records(found: Results) -> list[str]:
    return [game.record for game in found.games]


class Interrupted(Exception):
    """As good as a kill."""


class TestRunning:
    ASKED = plan("random", "minimax:depth=2", "mcts:sims=20", games=6)

    def run(self, threads: int = 1, test: SequentialTest | None = None) -> Results:
        found = Results(self.ASKED, test)
        run(self.ASKED, starts_of(self.ASKED), journal_of(None, self.ASKED), found, threads)
        return found

    def test_all_is_played_and_the_number_of_threads_does_not_matter(self) -> None:
        found = self.run()
        assert len(found.games) == 18 and records(found) == records(self.run(threads=3))

    @pytest.mark.skipif(why_no_processor_clock() is not None, reason="no fine clock of a thread's own")
    def test_the_clock_is_the_plan_s(self) -> None:
        asked = replace(plan("random", "random"), clock=PROCESSOR)
        clocks: list[str] = []
        run(
            asked, starts_of(asked), journal_of(None, asked), Results(asked), 2, lambda _: clocks.append(chosen_clock())
        )
        assert set(clocks) == {PROCESSOR} and chosen_clock() == WALL

    def test_a_test_that_is_over_ends_its_pair(self) -> None:
        test = SequentialTest(-900.0, -800.0, 0.49, 0.49)
        found, threaded = self.run(test=test), self.run(threads=3, test=test)
        assert len(found.games) < 18 and found.tests == threaded.tests and records(found) == records(threaded)


class TestBreaks:
    ASKED = plan("random", "minimax:depth=1", games=12)

    def test_what_is_finished_is_not_played_again(self, tmp_path: Path) -> None:
        starts, file = starts_of(self.ASKED), tmp_path / "results"
        whole = Results(self.ASKED)
        run(self.ASKED, starts, journal_of(None, self.ASKED), whole)

        def break_off(played: Played) -> None:
            if played.encounter.round == 2:
                raise Interrupted

        with pytest.raises(Interrupted):
            run(self.ASKED, starts, journal_of(file, self.ASKED), Results(self.ASKED), on_played=break_off)
        with file.open("ab") as half:
            half.write(b'{"group": [0, 1], "rou')
        again, found, told = journal_of(file, self.ASKED), Results(self.ASKED), list[Played]()
        resume(again, found)
        assert 0 < len(found.games) < 12
        run(self.ASKED, starts, again, found, on_played=told.append)
        assert len(told) < 6 and records(found) == records(whole)

    def test_entries_that_make_no_sense_are_refused(self, tmp_path: Path) -> None:
        journal = journal_of(tmp_path / "results", self.ASKED)
        journal.add({"nonsense": 1})
        with pytest.raises(JournalError, match=r"Line 2 of '.*results' is damaged: "):
            resume(journal, Results(self.ASKED))
