"""A session: persons, a real thinker and a library together, without a window."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from papan.ai.limits import Analysis
from papan.ai.players import Player, Situation, make_player
from papan.ai.thinker import Thinker
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import State
from papan.ui.play.session import Session, Thinking
from tests.game.match.keeping import Keeping
from tests.ui.at_table import Told
from tests.waiting import PATIENCE, wait_for


@pytest.fixture
def thinker() -> Iterator[Thinker]:
    thinker = Thinker()
    yield thinker
    assert thinker.close(PATIENCE)


def session_of(
    thinker: Thinker,
    *seats: str,
    library: Keeping | None = None,
    least_thinking_seconds: float = 0.0,
    make: Callable[..., Player] = make_player,
) -> Session:
    match = Match.new(GAMES["connect-four"], seats, {"first": "1"}, seed=5)
    kept = library.desk.begin(match) if library else None
    session = Session(match, thinker, kept, least_thinking_seconds=lambda: least_thinking_seconds, make=make)
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


class TestKeeping:
    @pytest.fixture
    def library(self, home: Path) -> Iterator[Keeping]:
        library = Keeping()
        yield library
        library.close()

    def test_every_step_is_handed_to_the_library(self, thinker: Thinker, library: Keeping) -> None:
        session = session_of(thinker, "human", "human", library=library)
        session.point(3)
        assert session.showing and session.standing and session.standing.waiting_since is not None
        library.desk.work()
        assert session.standing.waiting_since is None and session.standing.committed == 1
        [summary] = library.unfinished()
        assert list(library.load(summary.id).steps) == [3]

    def test_what_fails_is_written_later_and_the_game_goes_on(self, thinker: Thinker, library: Keeping) -> None:
        session = session_of(thinker, "human", "human", library=library)
        library.desk.work()
        with closing(sqlite3.connect(library.path)) as other:
            other.execute("BEGIN IMMEDIATE")
            for column in (3, 3):
                session.point(column)
                session.finish_showing()
            library.desk.work()
            assert (
                session.standing
                and session.standing.trouble == "The library can't be written: another program is using it."
            )
            session.point(3)
        library.desk.work()
        [summary] = library.unfinished()
        assert list(library.load(summary.id).steps) == [3, 3, 3] and session.trouble is None

    def test_an_untouched_match_is_forgotten(self, thinker: Thinker, library: Keeping) -> None:
        session = session_of(thinker, "human", "human", library=library)
        library.desk.work()
        session.close()
        library.desk.work()
        assert library.unfinished() == []


class TestTwoWindows:
    """Two sessions over one file, each with a desk of its own, as in two programs."""

    @pytest.fixture
    def here(self, home: Path) -> Iterator[Keeping]:
        library = Keeping()
        yield library
        library.close()

    @pytest.fixture
    def there(self, here: Keeping) -> Iterator[Keeping]:
        library = Keeping()
        yield library
        library.close()

    def opened(self, thinker: Thinking, library: Keeping) -> Session:
        [summary] = library.unfinished()
        match, stored, is_taken = library.open(summary.id, library.desk.name)
        session = Session(match, thinker, library.desk.resume(match, stored, is_taken=is_taken))
        session.begin()
        return session

    @pytest.fixture
    def playing(self, thinker: Thinker, here: Keeping) -> Session:
        session = session_of(thinker, "human", "human", library=here)
        session.point(3)
        session.finish_showing()
        here.desk.work()
        return session

    def test_the_second_only_watches(self, thinker: Thinker, playing: Session, there: Keeping) -> None:
        watching = self.opened(thinker, there)
        assert watching.is_watching and not playing.is_watching
        watching.point(5)
        watching.undo()
        watching.redo()
        watching.ask_hint()
        watching.go_on()
        assert list(watching.match.steps) == [3] and watching.is_watching and not watching.is_hinting
        assert not watching.turn.can_undo and not watching.turn.targets()

    def test_no_computer_thinks_where_a_match_is_watched(self, here: Keeping, there: Keeping) -> None:
        told = Told()
        match = Match.new(GAMES["connect-four"], ["human", "minimax:easy"], {"first": "1"}, seed=5)
        session = Session(match, told, here.desk.begin(match))
        session.begin()
        session.point(3)
        session.finish_showing()
        here.desk.work()
        assert len(told.asked) == 1
        watching = self.opened(told, there)
        watching.tick()
        assert watching.is_watching and len(told.asked) == 1

    def test_it_follows_live(self, thinker: Thinker, here: Keeping, playing: Session, there: Keeping) -> None:
        watching = self.opened(thinker, there)
        playing.point(4)
        here.desk.work()
        there.desk.work()
        assert watching.tick() and watching.showing is not None and watching.showing.step == 4
        watching.finish_showing()
        assert list(watching.match.steps) == [3, 4] and watching.is_watching
        playing.undo()
        here.desk.work()
        there.desk.work()
        watching.tick()
        assert list(watching.match.steps) == [3] and list(watching.match.all_steps) == [3, 4]

    def test_play_here_takes_the_match_over(
        self, thinker: Thinker, here: Keeping, playing: Session, there: Keeping
    ) -> None:
        watching = self.opened(thinker, there)
        watching.play_here()
        there.desk.work()
        watching.tick()
        assert not watching.is_watching and watching.turn.due == "choosing"
        watching.point(6)
        there.desk.work()
        playing.point(0)
        here.desk.work()
        playing.tick()
        assert playing.is_watching and list(playing.match.steps) == [3, 6]
        assert playing.standing and playing.standing.unsaved == 1
        [summary] = here.unfinished()
        assert list(here.load(summary.id).all_steps) == [3, 6]

    def test_a_window_that_does_nothing_notices_by_its_heartbeat(
        self, thinker: Thinker, here: Keeping, playing: Session, there: Keeping, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        watching = self.opened(thinker, there)
        watching.play_here()
        there.desk.work()
        monkeypatch.setattr("papan.game.match.library.desk.HEARTBEAT_SECONDS", 0.0)
        here.desk.work()
        playing.tick()
        assert playing.is_watching and playing.standing and playing.standing.unsaved == 0

    def test_once_it_is_left_anybody_may_go_on(
        self, thinker: Thinker, here: Keeping, playing: Session, there: Keeping
    ) -> None:
        playing.close()
        here.desk.work()
        other = self.opened(thinker, there)
        assert not other.is_watching and other.turn.due == "choosing"

    def test_the_same_window_comes_back_before_its_leaving_is_stored(
        self, thinker: Thinker, here: Keeping, playing: Session
    ) -> None:
        playing.close()
        again = self.opened(thinker, here)
        assert not again.is_watching
        again.point(1)
        here.desk.work()
        again.tick()
        assert not again.is_watching and again.standing and again.standing.waiting_since is None
        [summary] = here.unfinished()
        assert list(here.load(summary.id).steps) == [3, 1]

    def test_both_open_it_at_once(self, thinker: Thinker, here: Keeping, playing: Session, there: Keeping) -> None:
        playing.close()
        here.desk.work()
        one, other = self.opened(thinker, here), self.opened(thinker, there)
        one.point(1)
        other.point(2)
        there.desk.work()
        here.desk.work()
        one.tick()
        assert one.is_watching and not other.is_watching and list(one.match.steps) == [3, 2]

    @pytest.mark.parametrize("hours", [-48.0, 48.0])
    def test_a_clock_that_was_set_mixes_nothing(
        self,
        thinker: Thinker,
        here: Keeping,
        playing: Session,
        there: Keeping,
        monkeypatch: pytest.MonkeyPatch,
        hours: float,
    ) -> None:
        now = time.time() + 3600 * hours
        monkeypatch.setattr(time, "time", lambda: now)
        other = self.opened(thinker, there)
        assert not other.is_watching, "by this clock nobody has been heard of for days"
        other.point(6)
        there.desk.work()
        playing.point(0)
        here.desk.work()
        playing.tick()
        assert playing.is_watching and list(playing.match.steps) == [3, 6]

    def test_what_is_dropped_elsewhere_is_kept_where_it_is_played(self, here: Keeping, playing: Session) -> None:
        [summary] = here.unfinished()
        with closing(sqlite3.connect(here.path)) as other, other:
            other.execute("DELETE FROM matches")
            other.execute("DELETE FROM steps")
        playing.point(4)
        here.desk.work()
        [again] = here.unfinished()
        assert again.id > summary.id and list(here.load(again.id).steps) == [3, 4]
