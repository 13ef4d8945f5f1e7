"""The analyst: reports that grow, what ends a study, resting, stale findings, errors, proofs."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence

import pytest

from papan.ai.limits import WIN, Analysis, Limit, Line
from papan.ai.players import PlayerError, Situation, make_searcher, situation
from papan.ai.proof.result import Proof
from papan.ai.search import Query, Searcher
from papan.ai.thinking.analyst import Analyst, Report, solver_of
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import State, legal_steps
from tests import waiting
from tests.waiting import PATIENCE

CONNECT_FOUR = GAMES["connect-four"]


def never() -> bool:
    return False


class Fake(Searcher):
    """A search with prepared scores: each time it is asked it has looked a turn further."""

    def __init__(self, scores: Sequence[float] = (3.0, 2.0, 1.0, 0.0, -1.0, -2.0, -3.0)) -> None:
        self.scores = scores
        self.depth = 0
        self.asked: list[tuple[State, Limit, int]] = []
        self.is_proven = False
        self.error: Exception | None = None
        self.waits = threading.Event()
        self.waits.set()
        self.most_depth = 10**6
        """It waits when it has looked so far."""
        self.is_stopped = threading.Event()

    def prepare(self, state: State) -> None: ...

    def answer(self, query: Query) -> Analysis:
        self.asked.append((query.state, query.limit, query.lines))
        if self.error:
            raise self.error
        self.is_stopped.clear()
        if query.is_cancelled():
            self.is_stopped.set()
        while not (self.waits.is_set() and self.depth < self.most_depth) and not self.is_stopped.is_set():
            time.sleep(0.002)
        self.depth += 1
        if not self.is_proven:
            time.sleep(query.limit.time or 0.0)
        rated = [Line(step, score, (step,), self.is_proven) for step, score in enumerate(self.scores)]
        rated = rated[: query.lines or None]
        best = rated[0]
        return Analysis(best.step, best.score, 0, self.depth, 100, lines=tuple(rated), is_proven=self.is_proven)

    def stop(self) -> None:
        self.is_stopped.set()

    def live(self) -> Analysis | None:
        return Analysis(0, 0.0, 0, nodes=7)


class FakeSolver:
    """Needs so many slices for its proof."""

    memory = 0

    def __init__(self, slices: int) -> None:
        self.slices = self.left = slices
        self.begun: list[State] = []
        self.may_compile = threading.Event()
        self.may_compile.set()

    def prepare(self, state: State) -> None:
        self.may_compile.wait(PATIENCE)

    def begin(self, state: State, seat: int | None = None, goal: int = 0, came_twice: tuple[int, ...] = ()) -> None:
        self.begun.append(state)
        self.left = self.slices

    def run(self, limit: Limit, is_cancelled: Callable[[], bool] = never) -> Proof:
        self.left -= 1
        time.sleep(min(limit.time or 0.0, 0.05))
        return Proof("pns", "out" if self.left else "proved", 0, "time", pn=self.left, dn=50)

    def stop(self) -> None: ...

    def live(self) -> Proof:
        return Proof("pns", "out", 0)


def now(game: Game = CONNECT_FOUR, steps: Sequence[int] = ()) -> Situation:
    match = Match.new(game, ["human"] * game.seats[0], seed=1)
    for step in steps:
        match.play(step)
    return situation(match)


@pytest.fixture
def studying() -> Iterator[Callable[..., Analyst]]:
    """Makes an analyst that studies a position, by default the start of Connect Four."""
    made: list[Analyst] = []

    def start(
        search: Searcher,
        solver: FakeSolver | None = None,
        seconds: float = 0.3,
        here: Situation | None = None,
        plain: Searcher | None = None,
    ) -> Analyst:
        searches = iter([search, plain or search])
        made.append(Analyst(lambda game: next(searches, search), lambda game: solver, seconds))
        made[-1].study(CONNECT_FOUR, here or now())
        return made[-1]

    yield start
    for analyst in made:
        assert analyst.close(PATIENCE)


def wait_for(analyst: Analyst, holds: Callable[[Report], bool]) -> Report:
    def look() -> Report | None:
        report = analyst.report()
        return report if report and holds(report) else None

    return waiting.wait_for(look, "the report")


def is_done(report: Report) -> bool:
    return report.stage == "done"


class TestRelease:
    def test_what_was_searched_with_goes_then_and_when_the_analyst_is_closed(self) -> None:
        known: list[weakref.ref[Fake]] = []

        def make(game: Game) -> Fake:
            search = Fake()
            known.append(weakref.ref(search))
            return search

        analyst = Analyst(make, lambda game: None, 0.1)
        for number in (1, 2, 3):
            analyst.study(CONNECT_FOUR, now())
            wait_for(analyst, is_done)
            assert len(known) == number and known[-1]() is not None
            if number < 3:
                analyst.release()
                assert analyst.report() is None
                waiting.wait_for(lambda: known[-1]() is None, "its end")
        assert analyst.close(PATIENCE) and known[-1]() is None

    def test_solvers_that_are_not_wanted_any_more_are_not_compiled(self) -> None:
        may_go_on, begun = threading.Event(), threading.Event()
        prepared: list[str] = []
        known: dict[str, weakref.ref[FakeSolver]] = {}

        class Slow(FakeSolver):
            def __init__(self, name: str) -> None:
                super().__init__(9)
                self.name = name
                known[name] = weakref.ref(self)

            def prepare(self, state: State) -> None:
                prepared.append(self.name)
                begun.set()
                may_go_on.wait(PATIENCE)

        analyst = Analyst(lambda game: Fake(), lambda game: Slow(game.name), 5.0)
        before = threading.active_count()
        for name in ("connect-four", "othello", "gomoku", "checkers"):
            analyst.study(GAMES[name], now(GAMES[name]))
            wait_for(analyst, lambda report: report.seconds > 0.2)
            assert begun.wait(PATIENCE)
        assert threading.active_count() <= before + 3
        analyst.release()
        waiting.wait_for(lambda: known["checkers"]() is None, "its end")
        may_go_on.set()
        assert analyst.close(PATIENCE)
        assert prepared == ["connect-four"]


class TestReports:
    def test_grow_until_the_time_is_over(self, studying: Callable[..., Analyst]) -> None:
        search = Fake()
        search.most_depth = 1
        analyst = studying(search, seconds=0.4)
        first = wait_for(analyst, lambda report: bool(report.lines))
        search.most_depth = 10**6
        last = wait_for(analyst, is_done)
        assert last.depth > first.depth and last.nodes == 100 * last.depth and last.seconds >= 0.4
        assert [line.score for line in last.lines] == [3.0, 2.0, 1.0, 0.0, -1.0, -2.0, -3.0]
        assert first.nodes in (100, 107), "a report does not change once it has been handed out"
        assert not analyst.is_busy
        times = [limit.time for _state, limit, _lines in search.asked if limit.time]
        assert times[:-1] == sorted(times[:-1]) and sum(times) <= 0.41

    def test_add_what_the_search_has_counted_meanwhile(self, studying: Callable[..., Analyst]) -> None:
        search = Fake()
        search.waits.clear()
        analyst = studying(search)
        assert wait_for(analyst, lambda report: report.nodes > 0).nodes == 7

    def test_end_with_a_proof(self, studying: Callable[..., Analyst]) -> None:
        search = Fake([WIN - 3, 0.0])
        search.is_proven = True
        analyst = studying(search, seconds=60)
        report = wait_for(analyst, is_done)
        assert report.is_proven and report.win_distance == 3 and len(search.asked) == 1

    def test_keep_the_steps_that_longer_slices_leave_out_below_the_others(
        self, studying: Callable[..., Analyst], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("papan.ai.thinking.analyst.ALL_STEPS_SECONDS", 0.07)
        monkeypatch.setattr("papan.ai.thinking.analyst._FEW_STEPS", 3)
        search = Fake()
        search.most_depth = 1
        analyst = studying(search, seconds=1.0)
        wait_for(analyst, lambda report: report.depth == 1)
        search.scores = [-1.0, -1.5, -2.0, -2.5, 9.0]  # the rest is no better than that
        search.most_depth = 10**6
        report = wait_for(analyst, is_done)
        assert [asked[2] for asked in search.asked][:2] == [0, 4]
        assert [line.score for line in report.lines] == [-1.0, -1.5, -2.0, -2.5, -2.5, -2.5, -3.0]
        assert report.bounded == {4, 5}

    def test_of_a_search_without_lines_have_the_score_of_each_step(self, studying: Callable[..., Analyst]) -> None:
        class Single(Fake):
            def answer(self, query: Query) -> Analysis:
                step = query.only[0] if query.only else 2
                return Analysis(step, -abs(step - 2.0), 0, 4, 10, principal_variation=(step, 1))

        analyst = studying(Single(), seconds=0.05)
        report = wait_for(analyst, is_done)
        assert report.lines[0].step == 2 and {line.step for line in report.lines} == set(range(7))


class TestBeforeItIsCompiled:
    def test_it_studies_in_plain_python(self, studying: Callable[..., Analyst]) -> None:
        compiled, plain = Fake(), Fake([0.0] * 7)
        compiler = threading.Event()
        compiled.prepare = lambda _: compiler.wait(PATIENCE) and None  # type: ignore[method-assign, assignment]
        analyst = studying(compiled, plain=plain)
        assert wait_for(analyst, lambda report: report.depth > 1).best == Line(0, 0.0, (0,))
        compiled.depth = 50
        compiler.set()
        assert wait_for(analyst, lambda report: report.depth > 50).best == Line(0, 3.0, (0,))
        assert plain.is_stopped.is_set()

    def test_an_error_of_the_compiler_is_told(self, studying: Callable[..., Analyst]) -> None:
        def fail(_: State) -> None:
            raise ValueError("no such instruction")

        compiled = Fake()
        compiled.prepare = fail  # type: ignore[method-assign, assignment]
        assert "no such instruction" in wait_for(studying(compiled), is_done).error


class TestResting:
    def test_stops_the_search_and_keeps_what_was_found(self, studying: Callable[..., Analyst]) -> None:
        search = Fake()
        analyst = studying(search, seconds=60)
        found = wait_for(analyst, lambda report: report.depth >= 2)
        analyst.rest()
        assert search.is_stopped.is_set() and analyst.is_resting and not analyst.is_busy
        kept = analyst.report()
        assert kept and kept.depth >= found.depth
        asked = len(search.asked)
        time.sleep(0.1)
        assert len(search.asked) <= asked + 1, "it goes on although nothing is wanted"
        analyst.study(CONNECT_FOUR, now())
        report = analyst.report()
        assert report and report.depth >= found.depth, "the same position is gone on with"

    def test_another_position_begins_anew_and_old_findings_are_dropped(self, studying: Callable[..., Analyst]) -> None:
        search = Fake()
        analyst = studying(search, seconds=60)
        wait_for(analyst, lambda report: report.depth >= 1)
        search.waits.clear()
        time.sleep(0.05)
        other = now(steps=[3])
        analyst.study(CONNECT_FOUR, other)
        report = analyst.report()
        assert report and report.situation == other and not report.lines
        search.waits.set()
        report = wait_for(analyst, lambda report: bool(report.lines))
        assert report.situation == other

    def test_the_same_position_is_not_begun_twice(self, studying: Callable[..., Analyst]) -> None:
        search = Fake()
        analyst = studying(search, seconds=0.1)
        wait_for(analyst, is_done)
        asked = len(search.asked)
        analyst.study(CONNECT_FOUR, now())
        time.sleep(0.05)
        assert len(search.asked) == asked

    def test_waits_while_nobody_looks_on(
        self, studying: Callable[..., Analyst], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("papan.ai.thinking.analyst._UNSEEN_SECONDS", 0.1)
        monkeypatch.setattr("papan.ai.thinking.analyst._GROWTH", 1.0)
        search = Fake()
        analyst = studying(search, seconds=60)
        time.sleep(0.5)
        asked = len(search.asked)
        time.sleep(0.2)
        assert len(search.asked) <= asked + 1, "the slice that was begun, and no more"
        wait_for(analyst, lambda report: report.depth > asked + 1)

    def test_closing_ends_a_long_slice(self, studying: Callable[..., Analyst]) -> None:
        search = Fake()
        search.waits.clear()
        analyst = studying(search, seconds=60)
        wait_for(analyst, lambda report: report.stage == "thinking")
        assert analyst.close(PATIENCE)
        analyst.study(CONNECT_FOUR, now(steps=[1]))
        assert analyst.is_resting


def test_an_error_is_told_and_the_next_position_is_studied(studying: Callable[..., Analyst]) -> None:
    search = Fake()
    search.error = ValueError("no such luck")
    analyst = studying(search)
    assert wait_for(analyst, is_done).error == "ValueError: no such luck"
    search.error = None
    analyst.study(CONNECT_FOUR, now(steps=[2]))
    assert not wait_for(analyst, lambda report: bool(report.lines)).error


class Quick(Fake):
    """A search that has nothing more to do after a moment, without a proof."""

    def answer(self, query: Query) -> Analysis:
        return Analysis(1, 5.0, 0, 3, 10, lines=(Line(1, 5.0),))


class TestSolver:
    def test_has_its_slices_beside_the_search(self, studying: Callable[..., Analyst]) -> None:
        solver = FakeSolver(1000)
        analyst = studying(Fake(), solver, seconds=0.8)
        report = wait_for(analyst, is_done)
        assert report.proof and 0 < report.proof.pn < 1000 and report.proof.dn == 50
        assert solver.begun == [now().state]

    def test_goes_on_alone_where_the_search_has_no_more_to_do(self, studying: Callable[..., Analyst]) -> None:
        analyst = studying(Quick(), FakeSolver(4), seconds=60)
        report = wait_for(analyst, is_done)
        assert report.proof and report.proof.result == "proved" and report.lines[0].score == 5.0

    def test_is_compiled_beside_the_search(self, studying: Callable[..., Analyst]) -> None:
        solver = FakeSolver(1)
        solver.may_compile.clear()
        analyst = studying(Fake(), solver, seconds=60)
        wait_for(analyst, lambda report: report.depth >= 3)
        assert not solver.begun
        solver.may_compile.set()
        assert wait_for(analyst, lambda report: report.proof is not None)

    def test_takes_on_each_position_once(self, studying: Callable[..., Analyst]) -> None:
        solver = FakeSolver(1000)
        analyst = studying(Fake(), solver, seconds=60)
        for here in (now(), now(steps=[3])):
            analyst.study(CONNECT_FOUR, here)
            wait_for(analyst, lambda report: report.proof is not None)
            analyst.rest()
            analyst.study(CONNECT_FOUR, here)
            time.sleep(0.05)
        assert solver.begun == [now().state, now(steps=[3]).state]

    def test_none_where_it_would_have_to_guess(self) -> None:
        assert solver_of(GAMES["2048"]) is None and solver_of(GAMES["catur-jawa"]) is None
        assert solver_of(CONNECT_FOUR) is not None


class TestSearching:
    """The real search."""

    def test_finds_the_win_and_says_so(self, studying: Callable[..., Analyst]) -> None:
        here = now(steps=[2, 2, 3, 3])  # two ends are open
        analyst = studying(make_searcher("minimax:hard", CONNECT_FOUR), seconds=60, here=here)
        report = wait_for(analyst, is_done)
        assert report.is_proven and report.win_distance == 3
        assert report.lines[0].step in (1, 4)

    def test_looks_at_every_step(self, studying: Callable[..., Analyst]) -> None:
        here = now(steps=[3, 3])
        analyst = studying(make_searcher("minimax:hard", CONNECT_FOUR), seconds=0.2, here=here)
        report = wait_for(analyst, is_done)
        assert {line.step for line in report.lines} == set(legal_steps(here.state))
        scores = [line.score for line in report.lines]
        assert scores == sorted(scores, reverse=True)


def test_only_what_searches_can_study() -> None:
    with pytest.raises(PlayerError, match="does not search"):
        make_searcher("random", CONNECT_FOUR)
