"""A session: persons, a real thinker and a library together, without a window."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from papan.ai.limits import Analysis
from papan.ai.players import Player, Situation, make_player
from papan.ai.thinker import Thinker
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.match.library import Library, LibraryError
from papan.game.rules import State
from papan.ui.play.session import Session
from tests.waiting import PATIENCE, wait_for


@pytest.fixture
def thinker() -> Iterator[Thinker]:
    thinker = Thinker()
    yield thinker
    assert thinker.close(PATIENCE)


def session_of(
    thinker: Thinker,
    *seats: str,
    library: Library | None = None,
    least_thinking_seconds: float = 0.0,
    make: Callable[..., Player] = make_player,
) -> Session:
    match = Match.new(GAMES["connect-four"], seats, {"first": "1"}, seed=5)
    session = Session(match, thinker, library, least_thinking_seconds=lambda: least_thinking_seconds, make=make)
    session.begin()
    return session


def run(session: Session, until: Callable[[], bool]) -> None:
    """Frames, with every step shown at once, until something holds."""

    def frame() -> bool:
        session.tick()
        session.finish_showing()
        return until()

    if not until():
        wait_for(frame)


class TestPlaying:
    def test_a_person_and_a_computer_take_turns(self, thinker: Thinker) -> None:
        session = session_of(thinker, "human", "minimax:easy")
        session.point(3)
        assert session.showing is not None
        run(session, lambda: len(session.match.steps) == 2 and session.turn.due == "choosing")
        assert session.last_analysis[1].seat == 1

    def test_two_computers_play_to_the_end(self, thinker: Thinker) -> None:
        session = session_of(thinker, "minimax:easy", "random")
        run(session, lambda: session.turn.due == "over")
        assert session.match.ending

    def test_the_least_thinking_time_is_kept(self, thinker: Thinker) -> None:
        session = session_of(thinker, "random", "human", least_thinking_seconds=0.3)
        started = time.perf_counter()
        run(session, lambda: len(session.match.steps) == 1)
        assert time.perf_counter() - started >= 0.29


class TestWhileItThinks:
    @pytest.fixture
    def thinking(self, thinker: Thinker) -> Session:
        session = session_of(thinker, "human", "minimax:time=60")
        session.point(3)
        run(session, lambda: bool((live := session.live()) and live.nodes > 1000))
        return session

    @pytest.mark.timing
    def test_undo_takes_back_the_persons_own_step_at_once(self, thinking: Session) -> None:
        started = time.perf_counter()
        thinking.undo()
        assert time.perf_counter() - started < 0.1
        assert not thinking.match.steps and thinking.turn.due == "choosing"
        time.sleep(0.1)
        assert not thinking.tick() and not thinking.match.steps

    def test_a_hint_is_refused_and_harmless(self, thinking: Session) -> None:
        assert not thinking.can_hint
        thinking.ask_hint()
        assert not thinking.is_hinting and thinking.turn.due == "thinking"
        thinking.undo()

    def test_a_new_game_gets_its_own_answers_only(self, thinking: Session, thinker: Thinker) -> None:
        thinking.close()
        other = session_of(thinker, "minimax:depth=1", "human")
        run(other, lambda: len(other.match.steps) == 1)
        assert len(thinking.match.steps) == 1

    @pytest.mark.timing
    def test_quitting_is_quick(self, thinking: Session, thinker: Thinker) -> None:
        started = time.perf_counter()
        thinking.close()
        assert thinker.close(PATIENCE)
        assert time.perf_counter() - started < 0.5


class TestHints:
    def test_a_hint_is_shown_and_touches_nothing(self, thinker: Thinker) -> None:
        session = session_of(thinker, "human", "human")
        for column in (0, 6, 0, 6, 0):
            session.point(column)
            session.finish_showing()
        session.ask_hint()
        assert session.is_hinting
        run(session, lambda: session.hint is not None)
        assert session.hint == 0  # stops four in a column
        assert len(session.match.steps) == 5 and session.turn.due == "choosing"
        session.point(session.hint)
        assert session.hint is None

    def test_undo_while_a_hint_is_sought_drops_it(self, thinker: Thinker) -> None:
        session = session_of(thinker, "human", "human")
        session.point(3)
        session.finish_showing()
        session.ask_hint()
        session.undo()
        assert not session.is_hinting
        time.sleep(0.1)
        session.tick()
        assert session.hint is None


class Failing:
    """A player that fails, or answers with an illegal step."""

    def __init__(self, error: bool) -> None:
        self.error = error

    def prepare(self, state: State) -> None: ...

    def prepare_rest(self, state: State) -> None: ...

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = lambda: False) -> Analysis:
        if self.error:
            raise RuntimeError("out of ideas")
        return Analysis(99, 0.0, situation.seat)

    def stop(self) -> None: ...

    def live(self) -> Analysis | None:
        return None


class TestTrouble:
    @pytest.mark.parametrize("error", [True, False])
    def test_a_failing_player_is_a_message_and_the_match_is_untouched(self, thinker: Thinker, error: bool) -> None:
        session = session_of(thinker, "human", "x", make=lambda name, game: Failing(error))
        session.point(3)
        run(session, lambda: session.trouble is not None)
        assert session.turn.due == "paused" and list(session.match.steps) == [3]
        session.undo()
        assert session.turn.due == "choosing"

    def test_a_library_that_fails_is_a_message_and_the_game_goes_on(
        self, thinker: Thinker, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        library = Library()
        session = session_of(thinker, "human", "human", library=library)

        def fail(*_: object) -> None:
            raise LibraryError("The match can't be saved: disk full.")

        monkeypatch.setattr(library, "save", fail)
        session.point(3)
        session.finish_showing()
        assert session.trouble and "disk full" in session.trouble
        session.point(3)
        assert len(session.match.steps) == 2

    def test_every_step_is_in_the_library_before_it_is_shown(self, thinker: Thinker, home: Path) -> None:
        library = Library()
        session = session_of(thinker, "human", "human", library=library)
        session.point(3)
        assert session.showing
        [summary] = library.unfinished()
        assert list(library.load(summary.id).steps) == [3]
