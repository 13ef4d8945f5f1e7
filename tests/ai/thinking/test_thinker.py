"""The thinker: tickets, stale answers, errors, the least thinking time."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace

import pytest

from papan.ai.limits import Analysis
from papan.ai.players import PlayerWithSearch, Situation, make_player, situation
from papan.ai.thinking.thinker import Answer, Thinker, Worker
from papan.game.catalogue import GAMES
from papan.game.kernel import is_plain
from papan.game.match import Match
from papan.game.rules import State
from tests.waiting import PATIENCE, wait_for

SITUATION = Situation(state=None, seat=0, seed=1)


class Sleeper:
    """A player that thinks until it is stopped or its time is over."""

    def __init__(self, step: int, seconds: float = 0.0, error: Exception | None = None) -> None:
        self.step, self.seconds, self.error = step, seconds, error
        self.was_stopped = threading.Event()
        self.has_begun = threading.Event()
        self.calls = 0

    def prepare(self, state: State) -> None: ...

    def prepare_rest(self, state: State) -> None: ...

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = lambda: False) -> Analysis:
        self.calls += 1
        self.has_begun.set()
        self.was_stopped.wait(self.seconds)
        if self.error:
            raise self.error
        return Analysis(self.step, 0.0, situation.seat)

    def stop(self) -> None:
        self.was_stopped.set()

    def live(self) -> Analysis | None:
        return Analysis(self.step, 1.0, 0, depth=3)


@pytest.fixture
def thinker() -> Iterator[Thinker]:
    thinker = Thinker()
    yield thinker
    assert thinker.close(PATIENCE)


def wait_for_answer(thinker: Thinker) -> Answer:
    return wait_for(thinker.poll, "the answer")


class TestAnswers:
    def test_carry_the_ticket_and_come_once(self, thinker: Thinker) -> None:
        ticket = thinker.ask(Sleeper(4), SITUATION)
        assert thinker._question is not None
        answer = wait_for_answer(thinker)
        assert answer and answer.ticket == ticket and answer.analysis and answer.analysis.step == 4
        assert thinker.poll() is None and thinker._question is None

    def test_to_withdrawn_questions_are_dropped(self, thinker: Thinker) -> None:
        player = Sleeper(4, seconds=PATIENCE)
        thinker.ask(player, SITUATION)
        assert player.has_begun.wait(PATIENCE)
        thinker.withdraw()
        assert player.was_stopped.is_set()
        assert thinker._question is None
        ticket = thinker.ask(Sleeper(5), SITUATION)
        assert wait_for_answer(thinker).ticket == ticket, "the next one that comes is the next one's"

    def test_a_new_question_replaces_the_old_one(self, thinker: Thinker) -> None:
        old = Sleeper(1, seconds=PATIENCE)
        thinker.ask(old, SITUATION)
        assert old.has_begun.wait(PATIENCE)
        thinker.ask(Sleeper(2), SITUATION)
        answer = wait_for_answer(thinker)
        assert answer.analysis and answer.analysis.step == 2
        assert old.was_stopped.is_set()
        assert thinker.poll() is None

    def test_an_answer_that_came_before_the_next_question_is_not_its_answer(self, thinker: Thinker) -> None:
        first, second = Sleeper(1), Sleeper(2, seconds=PATIENCE)
        stale = thinker.ask(first, SITUATION)
        assert first.has_begun.wait(PATIENCE)
        wait_for(lambda: not thinker._answers.empty(), "the first answer")
        ticket = thinker.ask(second, SITUATION)
        assert second.has_begun.wait(PATIENCE)
        assert ticket != stale and thinker.poll() is None
        second.was_stopped.set()
        assert wait_for_answer(thinker).ticket == ticket

    def test_a_question_withdrawn_before_its_turn_is_never_thought_about(self, thinker: Thinker) -> None:
        busy, waiting, last = Sleeper(1, seconds=PATIENCE), Sleeper(2), Sleeper(3)
        thinker.ask(busy, SITUATION)
        assert busy.has_begun.wait(PATIENCE)
        heard, busy.was_stopped = busy.was_stopped, threading.Event()  # deaf to being stopped
        thinker.ask(waiting, SITUATION)
        thinker.withdraw()
        thinker.ask(last, SITUATION)
        heard.set()
        answer = wait_for_answer(thinker)
        assert answer.analysis and answer.analysis.step == 3
        assert waiting.calls == 0

    def test_a_player_that_nobody_else_knows_any_more_is_not_kept(self, thinker: Thinker) -> None:
        player = Sleeper(4)
        thinker.ask(player, SITUATION)
        assert wait_for_answer(thinker)
        known = weakref.ref(player)
        del player
        wait_for(lambda: known() is None, "its end")

    def test_a_player_that_is_gone_is_not_compiled(self, thinker: Thinker) -> None:
        prepared: list[int] = []
        may_go_on = threading.Event()

        class Slow(Sleeper):
            def prepare(self, state: State) -> None:
                prepared.append(self.step)
                may_go_on.wait(PATIENCE)

        kept, left, last = Slow(1), Slow(2), Slow(3)
        for player in (kept, left, last):
            thinker.prepare(player, SITUATION.state)
        del player, left
        may_go_on.set()
        wait_for(lambda: 3 in prepared, "the last one")
        assert 2 not in prepared

    def test_an_error_becomes_a_message_and_the_thread_lives_on(self, thinker: Thinker) -> None:
        thinker.ask(Sleeper(1, error=ValueError("no such luck")), SITUATION)
        answer = wait_for_answer(thinker)
        assert answer and answer.analysis is None and answer.error == "ValueError: no such luck"
        thinker.ask(Sleeper(3), SITUATION)
        answer = wait_for_answer(thinker)
        assert answer and answer.analysis and answer.analysis.step == 3


def test_there_is_no_least_thinking_time_unless_it_is_asked_for(
    thinker: Thinker, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(perf_counter=lambda: 100.0)
    monkeypatch.setattr("papan.ai.thinking.thinker.time", clock)
    thinker.ask(Sleeper(1), SITUATION)
    assert wait_for_answer(thinker), "while the clock stands still"
    found = Sleeper(2)
    thinker.ask(found, SITUATION, least_seconds=5.0)
    wait_for(lambda: found.calls, "the search")
    for clock.perf_counter in (lambda: 100.0, lambda: 104.9):
        assert thinker.poll() is None
    clock.perf_counter = lambda: 105.0
    assert wait_for_answer(thinker)


class SlowCompiler(Sleeper):
    """A player that takes long to compile, and says whether it was asked in plain Python."""

    def __init__(self) -> None:
        super().__init__(5)
        self.may_finish = threading.Event()
        self.was_plain: list[bool] = []

    def prepare(self, state: State) -> None:
        self.may_finish.wait(PATIENCE)

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = lambda: False) -> Analysis:
        self.was_plain.append(is_plain())
        return super().choose(situation, is_cancelled)


class TestTheCompiler:
    def test_the_answer_waits_for_it_and_that_is_told(self, thinker: Thinker) -> None:
        player = SlowCompiler()
        player.seconds = PATIENCE
        assert not thinker.is_preparing and thinker.preparing_seconds == 0
        thinker.ask(player, SITUATION)
        assert not player.has_begun.wait(0.2) and thinker.poll() is None
        assert thinker.is_preparing and thinker.live() is None
        assert 0 < thinker.preparing_seconds < thinker.preparing_seconds, "it goes on"
        player.may_finish.set()
        assert player.has_begun.wait(PATIENCE)
        assert not thinker.is_preparing and thinker.preparing_seconds == 0 and thinker.live() is not None
        assert player.was_plain == [False]

    def test_without_one_the_answer_comes_in_plain_python(
        self, thinker: Thinker, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("papan.ai.thinking.thinker.lacks_compiler", lambda: True)
        player = SlowCompiler()
        player.may_finish.set()
        thinker.ask(player, SITUATION)
        assert wait_for_answer(thinker)
        assert player.was_plain == [True]

    def test_a_small_search_answers_in_plain_python_before_it_is_ready(
        self, thinker: Thinker, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game = GAMES["connect-four"]
        match = Match.new(game, ["a", "b"], seed=1)
        player, twin = make_player("level:4", game), make_player("level:4", game)
        is_ready = threading.Event()
        monkeypatch.setattr(player, "prepare", lambda _state: is_ready.wait(PATIENCE))
        thinker.ask(player, situation(match))
        answer = wait_for_answer(thinker)
        is_ready.set()
        assert answer.analysis and answer.analysis.step == twin.choose(situation(match)).step

    def test_when_it_is_ready_first_the_plain_search_is_cut_and_does_not_count(
        self, thinker: Thinker, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        game = GAMES["connect-four"]
        match = Match.new(game, ["a", "b"], seed=1)
        player = make_player("level:4", game)
        assert isinstance(player, PlayerWithSearch)
        endless = make_player(f"minimax:depth=40,time={PATIENCE:.0f}", game)
        assert isinstance(endless, PlayerWithSearch)
        has_begun, begin = threading.Event(), endless.choose

        def choose(told: Situation, is_cancelled: Callable[[], bool] = lambda: False) -> Analysis:
            has_begun.set()
            return begin(told, is_cancelled)

        monkeypatch.setattr(endless, "choose", choose)
        monkeypatch.setattr(player, "make_plain", lambda: endless)
        monkeypatch.setattr(player, "prepare", lambda _state: has_begun.wait(PATIENCE))
        thinker.ask(player, situation(match))
        answer = wait_for_answer(thinker)
        assert answer.analysis and answer.analysis.depth < 8, "level 4's, not that of the plain search"

    def test_what_is_for_later_in_a_game_waits_for_what_is_wanted_now(self, thinker: Thinker) -> None:
        done: list[str] = []
        begun, may_finish, finished = threading.Event(), threading.Event(), threading.Event()

        class Named(Sleeper):
            def __init__(self, name: str) -> None:
                super().__init__(1)
                self.name = name

            def prepare(self, state: State) -> None:
                begun.set()
                may_finish.wait(PATIENCE)
                done.append(self.name)

            def prepare_rest(self, state: State) -> None:
                done.append(f"rest of {self.name}")
                if len(done) == 4:
                    finished.set()

        players = [Named("one"), Named("other")]  # kept: players that nobody holds are forgotten
        thinker.prepare(players[0], SITUATION.state)
        assert begun.wait(PATIENCE)
        thinker.prepare(players[1], SITUATION.state)
        may_finish.set()
        assert finished.wait(PATIENCE)
        assert done == ["one", "other", "rest of one", "rest of other"]

    def test_a_player_that_cannot_be_compiled_is_an_error_in_words(
        self, thinker: Thinker, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        player = Sleeper(1)

        def fail(_: State) -> None:
            raise RuntimeError("no compiler")

        monkeypatch.setattr(player, "prepare", fail)
        thinker.ask(player, SITUATION)
        answer = wait_for_answer(thinker)
        assert answer and answer.error == "RuntimeError: no compiler"


def test_live_figures_of_a_real_player_grow_and_closing_ends_it_while_it_thinks() -> None:
    thinker = Thinker()
    game = GAMES["checkers"]
    match = Match.new(game, ["a", "b"], seed=1)
    player = make_player(f"minimax:depth=40,time={PATIENCE:.0f}", game)
    player.prepare(match.state)
    thinker.ask(player, situation(match))

    def look() -> bool:
        live = thinker.live()
        return live is not None and live.depth >= 4 and live.nodes > 1000

    wait_for(look, "a figure of the fourth turn")
    assert thinker.close(PATIENCE)


class TestTheThreads:
    def test_do_not_keep_the_program_from_ending(self, thinker: Thinker) -> None:
        thinker.ask(Sleeper(1), SITUATION)
        mine = [thread for thread in threading.enumerate() if thread.name in ("thinker", "compiler")]
        assert len(mine) >= 2 and all(thread.daemon for thread in mine)

    def test_one_that_is_busy_is_told_of(self) -> None:
        thinker, player = Thinker(), SlowCompiler()
        thinker.prepare(player, SITUATION.state)
        assert not thinker.close(0.0)
        player.may_finish.set()
        assert thinker.close(PATIENCE)


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker("worker at work")
    yield worker
    assert worker.close(PATIENCE)


class TestJobs:
    def test_are_done_in_order_by_one_thread(self, worker: Worker) -> None:
        done: list[tuple[int, str]] = []
        for number in range(5):
            worker.submit(partial(lambda number: done.append((number, threading.current_thread().name)), number))
        assert worker.close(PATIENCE)
        assert done == [(number, "worker at work") for number in range(5)]

    def test_that_fail_end_nothing(self, worker: Worker, caplog: pytest.LogCaptureFixture) -> None:
        done: list[int] = []
        worker.submit(lambda: done[3])
        worker.submit(lambda: done.append(1))
        assert worker.close(PATIENCE)
        assert done == [1] and "A job in the background failed" in caplog.text

    def test_are_not_kept(self, worker: Worker) -> None:
        class Job:
            def __call__(self) -> None: ...

        job = Job()
        known = weakref.ref(job)
        worker.submit(job)
        del job
        wait_for(lambda: known() is None, "its end")


def test_a_thread_begins_with_the_first_job() -> None:
    before = threading.active_count()
    worker = Worker("worker")
    assert threading.active_count() == before and worker.close(0.0)
