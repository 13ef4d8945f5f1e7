"""The thinker: tickets, stale answers, errors, the least thinking time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from papan.ai.limits import Analysis
from papan.ai.players import Situation, make_player, situation
from papan.ai.thinker import Answer, Thinker
from papan.game.catalogue import GAMES
from papan.game.kernel import is_plain
from papan.game.match import Match
from papan.game.rules import State

SITUATION = Situation(state=None, seat=0, seed=1)


class Sleeper:
    """A player that thinks until it is stopped or its time is over."""

    def __init__(self, step: int, seconds: float = 0.0, error: Exception | None = None) -> None:
        self.step, self.seconds, self.error = step, seconds, error
        self.was_stopped = threading.Event()
        self.calls = 0

    def prepare(self, state: State) -> None: ...

    def prepare_rest(self, state: State) -> None: ...

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = lambda: False) -> Analysis:
        self.calls += 1
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
    assert thinker.close(5.0)


def wait_for_answer(thinker: Thinker, seconds: float = 5.0) -> Answer | None:
    deadline = time.perf_counter() + seconds
    while time.perf_counter() < deadline:
        if answer := thinker.poll():
            return answer
        time.sleep(0.002)
    return None


class TestAnswers:
    def test_carry_the_ticket_and_come_once(self, thinker: Thinker) -> None:
        ticket = thinker.ask(Sleeper(4), SITUATION)
        answer = wait_for_answer(thinker)
        assert answer and answer.ticket == ticket and answer.analysis and answer.analysis.step == 4
        assert thinker.poll() is None and not thinker.is_thinking

    def test_to_withdrawn_questions_are_dropped(self, thinker: Thinker) -> None:
        player = Sleeper(4, seconds=30)
        thinker.ask(player, SITUATION)
        time.sleep(0.05)
        thinker.withdraw()
        assert player.was_stopped.is_set()
        assert not thinker.is_thinking
        assert wait_for_answer(thinker, 0.2) is None

    def test_a_new_question_replaces_the_old_one(self, thinker: Thinker) -> None:
        old = Sleeper(1, seconds=30)
        thinker.ask(old, SITUATION)
        time.sleep(0.02)
        thinker.ask(Sleeper(2), SITUATION)
        answer = wait_for_answer(thinker)
        assert answer and answer.analysis and answer.analysis.step == 2
        assert old.was_stopped.is_set()
        assert wait_for_answer(thinker, 0.1) is None

    def test_a_question_withdrawn_before_its_turn_is_never_thought_about(self, thinker: Thinker) -> None:
        busy, waiting = Sleeper(1, seconds=0.2), Sleeper(2)
        thinker.ask(busy, SITUATION)
        time.sleep(0.02)
        busy.was_stopped = threading.Event()  # deaf to being stopped
        thinker.ask(waiting, SITUATION)
        thinker.withdraw()
        time.sleep(0.4)
        assert waiting.calls == 0

    def test_an_error_becomes_a_message_and_the_thread_lives_on(self, thinker: Thinker) -> None:
        thinker.ask(Sleeper(1, error=ValueError("no such luck")), SITUATION)
        answer = wait_for_answer(thinker)
        assert answer and answer.analysis is None and answer.error == "ValueError: no such luck"
        thinker.ask(Sleeper(3), SITUATION)
        answer = wait_for_answer(thinker)
        assert answer and answer.analysis and answer.analysis.step == 3


class TestLeastThinkingTime:
    def test_holds_the_answer_back(self, thinker: Thinker) -> None:
        started = time.perf_counter()
        thinker.ask(Sleeper(1), SITUATION, least_seconds=0.3)
        assert wait_for_answer(thinker)
        assert time.perf_counter() - started >= 0.3

    def test_can_be_hurried(self, thinker: Thinker) -> None:
        started = time.perf_counter()
        thinker.ask(Sleeper(1), SITUATION, least_seconds=30)
        thinker.hurry()
        assert wait_for_answer(thinker)
        assert time.perf_counter() - started < 5


class SlowCompiler(Sleeper):
    """A player that takes long to compile, and says whether it was asked in plain Python."""

    def __init__(self) -> None:
        super().__init__(5)
        self.may_finish = threading.Event()
        self.was_plain: list[bool] = []

    def prepare(self, state: State) -> None:
        self.may_finish.wait(30)

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = lambda: False) -> Analysis:
        self.was_plain.append(is_plain())
        return super().choose(situation, is_cancelled)


class TestTheCompiler:
    def test_a_first_answer_comes_in_plain_python_and_later_ones_compiled(
        self, thinker: Thinker, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
        monkeypatch.setattr("papan.ai.thinker.PATIENCE_WITH_COMPILER", 0.1)
        player = SlowCompiler()
        thinker.ask(player, SITUATION)
        answer = wait_for_answer(thinker)
        assert answer and answer.analysis and answer.analysis.step == 5
        player.may_finish.set()
        time.sleep(0.1)
        thinker.ask(player, SITUATION)
        assert wait_for_answer(thinker)
        assert player.was_plain == [True, False]

    def test_what_is_for_later_in_a_game_waits_for_what_is_wanted_now(self, thinker: Thinker) -> None:
        done: list[str] = []
        begun, may_finish, finished = threading.Event(), threading.Event(), threading.Event()

        class Named(Sleeper):
            def __init__(self, name: str) -> None:
                super().__init__(1)
                self.name = name

            def prepare(self, state: State) -> None:
                begun.set()
                may_finish.wait(30)
                done.append(self.name)

            def prepare_rest(self, state: State) -> None:
                done.append(f"rest of {self.name}")
                if len(done) == 4:
                    finished.set()

        players = [Named("one"), Named("other")]  # kept: players that nobody holds are forgotten
        thinker.prepare(players[0], SITUATION.state)
        assert begun.wait(5)
        thinker.prepare(players[1], SITUATION.state)
        may_finish.set()
        assert finished.wait(5)
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


class TestWithARealPlayer:
    def test_live_figures_grow_and_closing_while_it_thinks_is_quick(self) -> None:
        thinker = Thinker()
        game = GAMES["checkers"]
        match = Match.new(game, ["a", "b"], seed=1)
        player = make_player("minimax:depth=40,time=60", game)
        player.prepare(match.state)
        thinker.ask(player, situation(match))
        deadline = time.perf_counter() + 10
        while time.perf_counter() < deadline:
            live = thinker.live()
            if live and live.depth >= 4 and live.nodes > 1000:
                break
            time.sleep(0.01)
        else:
            pytest.fail("no live figures")
        started = time.perf_counter()
        assert thinker.close(5.0)
        assert time.perf_counter() - started < 0.5
