"""The thinker: tickets, stale answers, errors, the least thinking time."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace

import pytest

from papan.ai.engines import NoMove
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
        self.was_cancelled: list[bool] = []
        """Whether each choice was cancelled, at its end."""

    def prepare(self, state: State) -> None: ...

    def prepare_rest(self, state: State) -> None: ...

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = lambda: False) -> Analysis:
        self.calls += 1
        self.has_begun.set()
        self.was_stopped.wait(self.seconds)
        self.was_cancelled.append(is_cancelled())
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
        assert wait_for(lambda: player.was_cancelled, "its end") == [True]
        wait_for(lambda: not thinker._answers.empty(), "its answer")
        assert thinker.poll() is None
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

    def test_a_player_that_is_gone_is_not_compiled(self, thinker: Thinker, caplog: pytest.LogCaptureFixture) -> None:
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
        assert 2 not in prepared and not caplog.records

    @pytest.mark.parametrize(
        ("error", "said", "level"),
        [
            (ValueError("no such luck"), "ValueError: no such luck", "ERROR"),
            (NoMove("It gave no move."), "It gave no move.", "WARNING"),
        ],
    )
    def test_an_error_becomes_a_message_and_the_thread_lives_on(
        self, thinker: Thinker, caplog: pytest.LogCaptureFixture, error: Exception, said: str, level: str
    ) -> None:
        thinker.ask(Sleeper(1, error=error), SITUATION)
        answer = wait_for_answer(thinker)
        assert answer and answer.analysis is None and answer.error == said
        assert answer.failure is (NoMove if level == "WARNING" else None)
        assert [record.levelname for record in caplog.records] == [level]
        thinker.ask(Sleeper(3), SITUATION)
        answer = wait_for_answer(thinker)
        assert answer and answer.analysis and answer.analysis.step == 3


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The clock of thinkers, which stands at 100 s until a test sets it."""
    clock = SimpleNamespace(perf_counter=lambda: 100.0)
    monkeypatch.setattr("papan.ai.thinking.thinker.time", clock)
    return clock


def test_there_is_no_least_thinking_time_unless_it_is_asked_for(thinker: Thinker, clock: SimpleNamespace) -> None:
    thinker.ask(Sleeper(1), SITUATION)
    assert wait_for_answer(thinker), "while the clock stands still"
    found = Sleeper(2)
    thinker.ask(found, SITUATION, least_seconds=5.0)
    wait_for(lambda: found.calls, "the search")
    for clock.perf_counter in (lambda: 100.0, lambda: 104.9):
        assert thinker.poll() is None
    clock.perf_counter = lambda: 105.0
    assert wait_for_answer(thinker)


def test_an_answer_that_was_held_back_goes_with_its_question(thinker: Thinker, clock: SimpleNamespace) -> None:
    thinker.ask(Sleeper(1), SITUATION, least_seconds=5.0)
    wait_for(lambda: not thinker._answers.empty(), "the first answer")
    assert thinker.poll() is None
    thinker.withdraw()
    clock.perf_counter = lambda: 110.0
    second = Sleeper(2, seconds=PATIENCE)
    ticket = thinker.ask(second, SITUATION)
    assert thinker.poll() is None
    second.was_stopped.set()
    assert wait_for_answer(thinker).ticket == ticket


class SlowCompiler(Sleeper):
    """A player that takes long to compile, and says whether it was asked in plain Python."""

    def __init__(self) -> None:
        super().__init__(5)
        self.may_finish = threading.Event()
        self.is_compiled = False
        self.was_plain: list[bool] = []

    def prepare(self, state: State) -> None:
        self.may_finish.wait(PATIENCE)
        self.is_compiled = True

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = lambda: False) -> Analysis:
        self.was_plain.append(is_plain())
        return super().choose(situation, is_cancelled)


class TestTheCompiler:
    def test_the_answer_waits_for_it_and_that_is_told(self, thinker: Thinker, clock: SimpleNamespace) -> None:
        player = SlowCompiler()
        player.seconds = PATIENCE
        assert not thinker.is_preparing and thinker.preparing_seconds == 0 and thinker.live() is None
        thinker.ask(player, SITUATION)
        assert not player.has_begun.wait(0.2) and thinker.poll() is None
        assert thinker.is_preparing and thinker.live() is None
        clock.perf_counter = lambda: 103.5
        assert thinker.preparing_seconds == 3.5
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
        is_ready = threading.Event()
        monkeypatch.setattr(player, "prepare", lambda _state: is_ready.wait(PATIENCE))
        thinker.ask(player, situation(match))
        assert has_begun.wait(PATIENCE)
        assert not thinker.is_preparing, "it thinks"
        is_ready.set()
        answer = wait_for_answer(thinker)
        assert answer.analysis and answer.analysis.depth < 8, "level 4's, not that of the plain search"

    @pytest.mark.parametrize("is_withdrawn", [False, True])
    @pytest.mark.parametrize("is_late", [False, True])
    def test_without_one_a_player_is_stopped_after_a_second_and_a_half(
        self, thinker: Thinker, monkeypatch: pytest.MonkeyPatch, is_late: bool, is_withdrawn: bool
    ) -> None:
        given: list[float] = []

        @contextmanager
        def watchdog(seconds: float, action: Callable[[], None]) -> Iterator[Callable[[], bool]]:
            given.append(seconds)
            if is_late:
                action()
            yield lambda: is_late

        monkeypatch.setattr("papan.ai.thinking.thinker.lacks_compiler", lambda: True)
        monkeypatch.setattr("papan.ai.thinking.thinker.watchdog", watchdog)
        player = Sleeper(5, seconds=PATIENCE if is_late or is_withdrawn else 0.0)
        thinker.ask(player, SITUATION)
        assert player.has_begun.wait(PATIENCE)
        if is_withdrawn:
            thinker.withdraw()
        wait_for(lambda: player.was_cancelled, "its end")
        assert given == [1.5] and player.was_cancelled == [is_late or is_withdrawn]

    def test_a_question_withdrawn_while_it_compiles_holds_nobody_up(self, thinker: Thinker) -> None:
        ready, slow = Sleeper(3), SlowCompiler()
        thinker.ask(ready, SITUATION)
        assert wait_for_answer(thinker)
        thinker.ask(slow, SITUATION)
        ticket = thinker.ask(ready, SITUATION)
        assert wait_for_answer(thinker).ticket == ticket and not slow.is_compiled and slow.calls == 0
        slow.may_finish.set()

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

    def test_of_matches_that_may_begin_the_one_expected_last_is_compiled(
        self, thinker: Thinker, caplog: pytest.LogCaptureFixture
    ) -> None:
        compiled: list[str] = []
        begun, may_finish, finished = threading.Event(), threading.Event(), threading.Event()

        class Named(Sleeper):
            def prepare(self, state: State) -> None:
                compiled.append(f"player {self.step}")
                begun.set()
                may_finish.wait(PATIENCE)

        def invalid() -> list[tuple[Named, State]]:
            raise ValueError("no such option")

        thinker.expect(lambda: [(Named(1), SITUATION.state)])
        assert begun.wait(PATIENCE)
        thinker.expect(lambda: [(Named(2), SITUATION.state)])
        thinker.expect(lambda: [(Named(3), SITUATION.state), (Named(4), SITUATION.state)])
        may_finish.set()
        wait_for(lambda: len(compiled) == 3, "the players expected last")
        assert compiled == ["player 1", "player 3", "player 4"]
        thinker.expect(invalid)
        thinker._compiler.submit(finished.set)
        assert finished.wait(PATIENCE) and not [record for record in caplog.records if record.levelname == "ERROR"]

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

    def test_end_a_search_that_goes_on(self) -> None:
        thinker, player = Thinker(), Sleeper(1, seconds=PATIENCE)
        thinker.ask(player, SITUATION)
        assert player.has_begun.wait(PATIENCE)
        assert thinker.close(PATIENCE) and player.was_cancelled == [True]

    @pytest.mark.parametrize(("took", "left"), [(0.25, 0.75), (1.5, 0.0)])
    @pytest.mark.parametrize("ended", [{"thinker", "compiler"}, {"thinker"}, {"compiler"}])
    def test_share_a_second_to_end_in(
        self, clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, took: float, left: float, ended: set[str]
    ) -> None:
        waited: list[tuple[str, float, bool]] = []

        def close(worker: Worker, patience: float, *, at_once: bool = False) -> bool:
            waited.append((worker._name, patience, at_once))
            clock.perf_counter = lambda: 100.0 + took
            return worker._name in ended

        monkeypatch.setattr(Worker, "close", close)
        assert Thinker().close() == (len(ended) == 2)
        assert waited == [("thinker", 1.0, False), ("compiler", left, True)]


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker("worker at work")
    yield worker
    assert worker.close(PATIENCE)


def keep_busy(worker: Worker) -> threading.Event:
    """Let *worker* do a job, which it has begun, until the event is set."""
    begun, may_go_on = threading.Event(), threading.Event()

    def job() -> None:
        begun.set()
        may_go_on.wait(PATIENCE)

    worker.submit(job)
    assert begun.wait(PATIENCE)
    return may_go_on


class TestJobs:
    def test_are_done_in_order_by_one_thread(self, worker: Worker) -> None:
        done: list[tuple[int, str]] = []
        for number in range(5):
            worker.submit(partial(lambda number: done.append((number, threading.current_thread().name)), number))
        assert worker.close(PATIENCE)
        assert done == [(number, "worker at work") for number in range(5)]

    def test_the_most_urgent_is_next_and_the_usual_urgency_is_zero(self, worker: Worker) -> None:
        done: list[str] = []
        may_go_on = keep_busy(worker)
        worker.submit(partial(done.append, "later"), 0.5)
        worker.submit(partial(done.append, "zero"), 0.0)
        worker.submit(partial(done.append, "usual"))
        worker.submit(partial(done.append, "zero again"), 0.0)
        worker.submit(partial(done.append, "urgent"), -0.5)
        may_go_on.set()
        assert worker.close(PATIENCE)
        assert done == ["urgent", "zero", "usual", "zero again", "later"]

    def test_that_wait_are_left_undone_where_it_ends_at_once(self) -> None:
        done: list[int] = []
        worker = Worker("worker")
        may_go_on = keep_busy(worker)
        [thread] = [thread for thread in threading.enumerate() if thread.name == "worker"]
        worker.submit(partial(done.append, 1))
        assert not worker.close(0.0, at_once=True) and worker.close(0.0, at_once=True), "it is closed already"
        may_go_on.set()
        thread.join(PATIENCE)
        assert not thread.is_alive() and done == []

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
