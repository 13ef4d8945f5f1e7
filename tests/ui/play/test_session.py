"""A session: persons, a real thinker and a library together, without a window."""

from __future__ import annotations

import sqlite3
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from papan.ai.engines import EngineError, NoMove, Resignation
from papan.ai.limits import Analysis
from papan.ai.players import Player, PlayerWithSearch, SearchSetting, Situation, families, make_player
from papan.ai.players.families import Family
from papan.ai.search import Searcher
from papan.ai.thinking.thinker import Thinker
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.match import Conclusion, Match
from papan.game.match.clock import TAG
from papan.game.match.library import replay
from papan.game.match.library.writer import HEARTBEAT_SECONDS
from papan.game.rules import NOBODY, State, observe
from papan.ui.play.session import Session
from tests.game.kernel import letters
from tests.game.match.keeping import Keeping
from tests.game.match.test_clock import Time
from tests.game.match.test_turn import BEFORE_A_WIN, WINNING_STEP
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


def play(session: Session, *columns: int) -> None:
    """Point at *columns*; each step is shown at once."""
    for column in columns:
        session.point(column)
        session.finish_showing()


def before_a_win() -> Match:
    """A match of Santorini that ``WINNING_STEP`` wins."""
    options = {"first": "1", "gods": "none"}
    return Match.new(GAMES["santorini"], ["human", "human"], options, seed=1, position=BEFORE_A_WIN)


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
        started = time.perf_counter()  # before the session, which asks the computer as soon as it is made
        session = session_of(thinker, "random", "human", least_thinking_seconds=0.3)
        run(session, lambda: len(session.match.steps) == 1)
        assert time.perf_counter() - started >= 0.29

    def test_a_frame_tells_whether_anything_has_changed(self) -> None:
        told = Told()
        session = session_of(told, "human", "minimax:easy")
        play(session, 3)
        assert not session.tick()
        told.tell(4)
        assert session.tick() and not session.tick()

    def test_computers_that_go_on_play_for_good(self) -> None:
        told = Told()
        session = session_of(told, "minimax:easy", "random")
        session.pause()
        assert session.turn.due == "paused" and not told.is_thinking
        session.go_on()
        for column in (3, 4, 5):
            told.tell(column)
            session.tick()
            session.finish_showing()
        assert list(session.match.steps) == [3, 4, 5] and session.turn.due == "thinking"
        assert not session.turn.is_paused

    def test_whoever_may_be_asked_is_prepared_and_answers_without_delay(self) -> None:
        told = Told()
        match = Match.new(GAMES["connect-four"], ["human", "minimax:easy"], {"first": "1"}, seed=5)
        session = Session(match, told)
        assert told.prepared == [match.state] * 2, "the computer, and the one that gives hints"
        session.begin()
        play(session, 3)
        assert told.least_seconds == [0.0] and session.outlook == 0 and session.turn.due == "thinking"

    def test_players_share_the_window_s_memory(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made: list[bool] = []

        def make_search(family: Family, game: Game, setting: SearchSetting) -> Searcher:
            made.append(setting.is_compact)
            return families.make_search(family, game, setting)

        monkeypatch.setattr("papan.ai.players.make_search", make_search)
        Session(Match.new(GAMES["connect-four"], ["human", "minimax:depth=1"], seed=5), Told())
        assert made == [True, True]

    def test_the_wait_for_the_compiler_is_told(self) -> None:
        told = Told()
        session = session_of(told, "minimax:easy", "human")
        assert not session.is_preparing and session.preparing_seconds == 0
        told.preparing_seconds = 2.5
        assert session.is_preparing and session.preparing_seconds == 2.5

    def test_a_table_that_is_left_asks_nobody_and_holds_no_player(self) -> None:
        told = Told()
        players = weakref.WeakSet[Failing]()

        def make(name: str, game: Game) -> Failing:
            players.add(player := Failing(error=False))
            return player

        session = session_of(told, "minimax:easy", "human", make=make)
        assert told.is_thinking and len(players) == 2
        session.abandons = True  # means nothing without a library
        session.close()
        assert not told.is_thinking and not players
        session.pause()
        session.ask_hint()
        assert len(told.asked) == 1 and not session.is_hinting

    def test_the_cells_of_the_last_turn_are_those_of_its_steps(self) -> None:
        match = Match.new(GAMES["santorini"], ["human", "human"], {"first": "1", "gods": "none"}, seed=1)
        session = Session(match, Told())
        seen = [session.last_cells]
        for _ in range(8):
            match.play(match.legal_steps()[0])
            seen.append(session.last_cells)
        places, move = [(0, 1), (2, 3)], (0, 5)  # a1-a2+a1
        assert seen == [(), (), places[0], places[0], places[1], places[1], move, move, (2, 6, 0)]

    def test_the_turn_that_wins_is_shown_as_the_last(self) -> None:
        match = before_a_win()
        session = Session(match, Told())
        match.play(WINNING_STEP)
        assert match.ending and session.last_cells == (8, 7)


class TestTakingBackWhileAStepIsShown:
    def test_a_persons_step_is_taken_back_at_once(self) -> None:
        session = session_of(Told(), "human", "human")
        session.point(3)
        session.undo()
        assert session.showing is None and session.turn.due == "choosing" and not session.match.steps

    def test_what_was_taken_back_is_played_again(self) -> None:
        session = session_of(Told(), "human", "human")
        session.point(3)
        session.undo()
        session.redo()
        assert session.showing is None and session.turn.due == "choosing" and list(session.match.steps) == [3]

    def test_who_resigns_sees_the_end_at_once(self) -> None:
        session = session_of(Told(), "human", "human")
        session.point(3)
        session.conclude(Conclusion("resigned", 1))
        assert session.showing is None and session.turn.due == "over"

    def test_where_nothing_can_be_taken_back_the_match_goes_on(self) -> None:
        told = Told()
        session = session_of(told, "minimax:easy", "human")
        told.tell(3)
        session.tick()
        session.undo()
        assert session.showing is not None
        session.finish_showing()
        assert session.turn.due == "choosing"

    def test_where_nothing_can_be_played_again_the_match_goes_on(self) -> None:
        session = session_of(Told(), "human", "human")
        session.point(3)
        session.redo()
        assert session.showing is not None
        session.finish_showing()
        assert session.turn.due == "choosing"


class TestWhileItThinks:
    @pytest.fixture
    def thinking(self, thinker: Thinker) -> Session:
        session = session_of(thinker, "human", "minimax:time=60")
        session.point(3)
        run(session, lambda: bool((live := session.live()) and live.nodes > 1000))
        return session

    def test_a_hint_is_refused_and_undo_takes_back_the_persons_own_step_at_once(self, thinking: Session) -> None:
        thinking.ask_hint()
        assert not thinking.can_hint and not thinking.is_hinting and thinking.turn.due == "thinking"
        thinking.undo()
        assert not thinking.match.steps and thinking.turn.due == "choosing"
        time.sleep(0.1)
        assert not thinking.tick() and not thinking.match.steps

    def test_undo_withdraws_the_question(self) -> None:
        told = Told()
        session = session_of(told, "human", "minimax:easy")
        play(session, 3)
        assert told.is_thinking
        session.undo()
        assert not told.is_thinking

    def test_a_new_game_gets_its_own_answers_only(self, thinking: Session, thinker: Thinker) -> None:
        thinking.close()
        other = session_of(thinker, "minimax:depth=1", "human")
        run(other, lambda: len(other.match.steps) == 1)
        assert len(thinking.match.steps) == 1


class TestHints:
    def test_a_hint_is_shown_and_touches_nothing(self, thinker: Thinker) -> None:
        session = session_of(thinker, "human", "human")
        play(session, 0, 6, 0, 6, 0)
        session.ask_hint()
        assert session.is_hinting
        run(session, lambda: session.hint is not None)
        assert session.hint == 0 and not session.is_hinting  # stops four in a column
        assert len(session.match.steps) == 5 and session.turn.due == "choosing"
        session.point(session.hint)
        assert session.hint is None

    @pytest.mark.parametrize("act", ["point", "choose", "undo", "redo", "go_on", "conclude"])
    def test_whatever_is_done_a_hint_that_is_sought_is_withdrawn(self, act: str) -> None:
        told = Told()
        session = session_of(told, "human", "human")
        for _ in range(2):
            play(session, 3)
        session.undo()
        session.ask_hint()
        session.ask_hint()
        assert told.is_thinking and session.is_hinting and len(told.asked) == 1
        acts: dict[str, Callable[[], object]] = {
            "point": lambda: session.point(3),
            "choose": lambda: session.choose(3),
            "undo": session.undo,
            "redo": session.redo,
            "go_on": session.go_on,
            "conclude": lambda: session.conclude(Conclusion("agreed")),
        }
        acts[act]()
        assert not told.is_thinking and not session.is_hinting

    def hinted(self, *line: int, match: Match | None = None) -> Session:
        """A session in which the steps of *line* are hinted."""
        told = Told()
        match = match or Match.new(letters.GAME, ["human"] * letters.SEATS, {"first": "1"}, seed=5)
        session = Session(match, told, make=lambda name, game: Failing(error=False))
        session.begin()
        session.ask_hint()
        told.tell(*line)
        assert session.tick() and session.hint == line[0] and session.hinted is not None
        assert session.hinted[0].step == line[0] and session.hinted[1] == match.state
        return session

    def choose(self, session: Session, *steps: int) -> list[int | None]:
        """Choose *steps*; return the hint after each."""
        hints = []
        for step in steps:
            session.choose(step)
            session.finish_showing()
            hints.append(session.hint)
        return hints

    def test_a_hint_goes_on_through_the_turn_while_it_is_followed(self) -> None:
        a, b, ab, stop = letters.A, letters.B, letters.AB, letters.STOP
        session = self.hinted(a, b, ab, stop, a)
        assert self.choose(session, a, b, ab, stop) == [b, ab, stop, None] and session.hinted is None
        assert self.choose(self.hinted(a, stop), a, b, stop) == [stop, None, None]
        assert self.choose(self.hinted(a, b, stop), b, b) == [None, None]
        assert self.choose(self.hinted(a, b), a, b) == [b, None], "no more is known"
        assert self.choose(self.hinted(a), a) == [None]

    def test_a_hint_does_not_wait_for_the_compiler(self, thinker: Thinker, monkeypatch: pytest.MonkeyPatch) -> None:
        is_compiled = threading.Event()
        monkeypatch.setattr(PlayerWithSearch, "prepare", lambda _self, _state: is_compiled.wait(PATIENCE))
        session = session_of(thinker, "human", "human")
        session.ask_hint()
        run(session, lambda: session.hint is not None)
        is_compiled.set()

    def test_a_position_has_one_hint(self) -> None:
        told = Told()
        session = session_of(told, "human", "human")
        session.ask_hint()
        told.tell(2)
        session.tick()
        play(session, 4)
        session.undo()
        assert session.hint is None
        session.ask_hint()
        assert session.hint == 2 and not session.is_hinting and len(told.asked) == 1

    def test_a_hint_says_what_a_deeper_analysis_says(self) -> None:
        session = self.hinted(letters.A, letters.B)  # at depth 0
        session.consider(Analysis(letters.B, 1.0, 0, depth=4, principal_variation=(letters.B, letters.STOP)))
        assert session.hint == letters.B and session.hinted is not None and session.hinted[0].depth == 4
        session.consider(Analysis(letters.A, 1.0, 0, depth=3))
        assert session.hint == letters.B, "it is less deep"
        session.consider(Analysis(letters.A, 1.0, 0, depth=1, is_proven=True))
        assert session.hint == letters.A, "it is proven"

    def test_an_analysis_gives_no_hint_unasked_but_the_next_one(self) -> None:
        told = Told()
        session = session_of(told, "human", "human")
        session.consider(Analysis(5, 1.0, 0, depth=4))
        assert session.hint is None
        session.ask_hint()
        assert session.hint == 5 and not told.asked

    def test_nothing_is_hinted_after_a_win(self) -> None:
        match = before_a_win()
        session = self.hinted(WINNING_STEP, 0, match=match)
        assert self.choose(session, WINNING_STEP) == [None] and match.ending

    def test_choosing_a_piece_leaves_the_hint(self) -> None:
        match = Match.new(GAMES["checkers"], ["human", "human"], {"first": "1"}, position="B:W18,32:B1,14")
        session = self.hinted(438, match=match)
        assert session.point(13) is None and session.turn.due == "completing" and session.hint == 438
        assert session.point(0) == match.rules.refusal_at(match.state, (13, 0)) and session.hint == 438
        session.point(22)
        assert len(match.steps) == 1 and session.hint is None

    def test_paused_computers_can_be_given_one(self) -> None:
        told = Told()
        session = session_of(told, "minimax:easy", "random")
        assert not session.can_hint, "they think"
        session.pause()
        session.ask_hint()
        told.tell(3)
        session.tick()
        assert session.hint == 3 and not session.match.steps and session.last_analysis == {}
        session.conclude(Conclusion("agreed"))
        assert not session.can_hint and session.hint is None


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
    def test_a_hint_that_fails_is_a_message_and_the_person_goes_on(self) -> None:
        told = Told()
        session = session_of(told, "human", "human")
        session.ask_hint()
        told.fail("out of ideas")
        session.tick()
        assert session.trouble is not None and "out of ideas" in session.trouble
        assert session.turn.due == "choosing" and not session.is_hinting

    @pytest.mark.parametrize(
        ("failure", "trouble"),
        [
            (None, "The computer could not think: It left."),
            (EngineError, "It left. This would be a forfeit; the match is unchanged."),
            (NoMove, "It left. The rules allow a move here, so the match is unchanged."),
            (Resignation, None),
        ],
    )
    def test_an_engine_s_failure_in_words(self, failure: type[EngineError] | None, trouble: str | None) -> None:
        told = Told()
        session = session_of(told, "human", "minimax:easy")
        session.ask_hint()
        told.fail("It left.", failure)
        assert session.tick() and session.turn.due == "choosing" and session.match.ending is None
        assert session.trouble == (trouble or "It left. This would be a forfeit; the match is unchanged.")
        session.trouble = None
        play(session, 3)
        told.fail("It left.", failure)
        assert session.tick() and session.trouble == trouble and list(session.match.steps) == [3]
        assert session.turn.due == ("paused" if trouble else "over")
        assert session.match.conclusion == (None if trouble else Conclusion("resigned", 1))

    @pytest.mark.parametrize("error", [True, False])
    def test_a_failing_player_is_a_message_and_the_match_is_untouched(self, thinker: Thinker, error: bool) -> None:
        session = session_of(thinker, "human", "x", make=lambda name, game: Failing(error))
        session.point(3)
        run(session, lambda: session.trouble is not None)
        assert session.turn.due == "paused" and list(session.match.steps) == [3]
        session.undo()
        assert session.turn.due == "choosing"


class TestHiddenHands:
    """Catur Jawa: what is shown is what whoever has the screen may see."""

    def at_cards(self, *seats: str) -> tuple[Session, Told]:
        told = Told()
        session = Session(Match.new(GAMES["catur-jawa"], seats, {"first": "1"}, seed=5), told)
        session.begin()
        return session, told

    def play(self, session: Session) -> None:
        session.choose(session.match.legal_steps()[0])
        session.finish_showing()

    def sees(self, session: Session, seat: int) -> bool:
        """Whether what *seat* sees, and nothing else, is shown."""
        return session.viewer == seat and session.visible_state(session.match.state) == observe(
            session.match.state, seat
        )

    def test_two_persons_pass_the_screen(self) -> None:
        session, _told = self.at_cards("human", "human")
        for seat in (0, 1, 0):
            assert session.passes_to == seat and self.sees(session, NOBODY) and not session.can_hint
            session.take_screen()
            assert session.passes_to is None and self.sees(session, seat) and session.can_hint
            self.play(session)

    def test_hiding_the_hands_asks_who_is_there(self) -> None:
        session, told = self.at_cards("human", "human")
        session.take_screen()
        session.ask_hint()
        session.point(min(session.turn.targets()))
        assert session.turn.due == "completing" and session.passes_to is None and session.can_hint
        session.hide_hands()
        assert session.passes_to == 0 and self.sees(session, NOBODY) and session.turn.due == "choosing"
        assert not told.is_thinking and not session.is_hinting

    def test_nothing_is_hidden_where_all_see_all(self) -> None:
        session = session_of(told := Told(), "human", "human")
        session.ask_hint()
        session.hide_hands()
        assert told.is_thinking and session.is_hinting

    def test_one_person_keeps_it(self) -> None:
        session, told = self.at_cards("minimax:easy", "human")
        assert self.sees(session, 1) and not session.can_hint
        told.tell(session.match.legal_steps()[0])
        session.tick()
        session.finish_showing()
        assert session.passes_to is None and self.sees(session, 1) and session.can_hint

    def test_a_computer_between_two_persons_does_not_get_it(self) -> None:
        session, told = self.at_cards("human", "minimax:easy", "human")
        session.take_screen()
        self.play(session)
        assert session.turn.due == "thinking" and session.passes_to is None and self.sees(session, 0)
        told.tell(session.match.legal_steps()[0])
        session.tick()
        session.finish_showing()
        assert session.passes_to == 2 and self.sees(session, NOBODY)

    def test_nobody_s_hand_is_shown_where_computers_play(self) -> None:
        session, _told = self.at_cards("minimax:easy", "random")
        session.pause()
        assert self.sees(session, NOBODY) and not session.can_hint, "a hint would tell what is hidden"

    def test_what_hides_nothing_is_not_passed_on(self) -> None:
        session = session_of(Told(), "human", "human")
        assert session.passes_to is None and session.can_hint
        assert session.visible_state(session.match.state) == session.match.state


class TestTheClock:
    """By a time that only the test moves."""

    @pytest.fixture
    def time(self) -> Time:
        return Time()

    def by_clock(
        self, time: Time, *seats: str, game: Game = GAMES["connect-four"], control: str = "300+5", **more: Any
    ) -> tuple[Session, Told]:
        options = {"first": "1", "gods": "none"} if game.name == "santorini" else {"first": "1"}
        match = Match.new(game, seats, options, seed=5)
        match.tags[TAG] = control
        told = Told()
        session = Session(match, told, make=lambda name, game: Failing(error=False), now=time, **more)
        session.begin()
        return session, told

    def runs(self, session: Session, *, is_seen: bool = True) -> int | None:
        """The seat whose clock runs after a frame."""
        assert session.clock is not None
        session.tick(is_seen=is_seen)
        return session.clock.running

    def left(self, session: Session) -> tuple[float, ...]:
        assert session.clock is not None
        return session.clock.left

    def test_it_runs_for_the_one_who_is_to_act_while_the_board_is_seen(self, time: Time) -> None:
        session, told = self.by_clock(time, "human", "minimax:easy")
        assert not session.tick() and self.runs(session) == 0 and self.runs(session, is_seen=False) is None
        session.point(3)
        assert self.runs(session) is None, "the step is shown"
        session.finish_showing()
        told.preparing_seconds = 1.0
        assert self.runs(session) is None, "it waits for the compiler"
        told.preparing_seconds = 0.0
        assert self.runs(session) == 1
        session.pause()
        assert self.runs(session) is None
        session.undo()
        assert session.turn.due == "choosing" and self.runs(session) is None, "still paused"
        session.go_on()
        assert self.runs(session) == 0
        session.conclude(Conclusion("agreed"))
        assert self.runs(session) is None

    def test_it_runs_until_the_turn_is_confirmed(self, time: Time) -> None:
        session, _told = self.by_clock(time, "human", "human", confirms_turns=lambda: True)
        for seat in (0, 1, 0):
            assert self.runs(session) == seat
            play(session, 3)
            assert session.turn.due == "confirming" and self.runs(session) == seat
            session.turn.confirm()

    def test_it_stands_while_the_screen_is_passed_on(self, time: Time) -> None:
        session, _told = self.by_clock(time, "human", "human", game=GAMES["catur-jawa"])
        assert self.runs(session) is None
        session.take_screen()
        assert self.runs(session) == 0

    def test_a_game_for_one_player_has_none_and_unknown_words_are_none(self, time: Time) -> None:
        assert self.by_clock(time, "human", game=GAMES["2048"])[0].clock is None
        assert self.by_clock(time, "human", "human", control="?")[0].clock is None

    def test_who_runs_out_of_time_has_lost(self, time: Time) -> None:
        session, _told = self.by_clock(time, "human", "human", control="1+0")
        for _ in range(2):
            assert not session.tick()
            time.seconds += 0.5
        assert session.tick() and session.match.conclusion == Conclusion("time", 0) and not session.tick()

    def test_a_turn_brings_the_increment_to_who_played_it(self, time: Time) -> None:
        session, _told = self.by_clock(time, "human", "human", game=GAMES["santorini"])
        seen = []
        for _ in range(6):
            session.choose(session.match.legal_steps()[0])
            session.finish_showing()
            seen.append(self.left(session))
        assert seen == [(300, 300), (305, 300), (305, 300), (305, 305), (305, 305), (310, 305)]

    def test_chance_gets_none(self, time: Time) -> None:
        session, _told = self.by_clock(time, "human", "human", "human", game=letters.GAME)
        for _ in range(letters.SEATS):
            session.choose(letters.STOP)
            session.finish_showing()
        session.finish_showing()
        assert len(session.match.steps) == 4 and self.left(session) == (305, 305, 305)

    def test_a_turn_s_time_is_new_with_each_turn_and_after_undoing(self, time: Time) -> None:
        session, _told = self.by_clock(time, "human", "human", control="1/30")
        session.tick()
        time.seconds += 0.5
        session.point(3)
        session.tick()
        assert self.left(session) == (30, 30)
        session.finish_showing()
        session.tick()
        time.seconds += 0.5
        session.tick()
        assert self.left(session) == (30, 29.5)
        session.undo()
        assert self.left(session) == (30, 30)

    @pytest.mark.parametrize(("least", "delay"), [(10.0, 7.4925), (0.5, 0.5)])
    def test_a_computer_is_told_what_it_may_use_and_shows_its_move_within_it(
        self, time: Time, least: float, delay: float
    ) -> None:
        _session, told = self.by_clock(
            time, "minimax:easy", "human", control="300+0", least_thinking_seconds=lambda: least
        )
        [asked] = told.asked
        assert asked.seconds == pytest.approx(7.4925) and asked.most_seconds == pytest.approx(3 * 7.4925)
        assert told.least_seconds == pytest.approx([delay])


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
            play(session, 3, 3)
            library.desk.work()
            assert (
                session.standing
                and session.standing.trouble == "The library can't be written: another program is using it."
            )
            session.point(3)
        library.desk.work()
        [summary] = library.unfinished()
        assert list(library.load(summary.id).steps) == [3, 3, 3] and session.trouble is None

    def test_it_is_on_its_way_for_a_quarter_of_a_second(
        self, thinker: Thinker, library: Keeping, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        session = session_of(thinker, "human", "human", library=library)
        session.point(3)
        assert session.standing is not None and session.standing.waiting_since is not None
        began = session.standing.waiting_since
        now = [began]
        monkeypatch.setattr("papan.ui.play.session.time", SimpleNamespace(monotonic=lambda: now[-1]))
        assert session.is_being_saved
        now.append(began + 0.2)
        assert session.is_being_saved
        now.append(began + 0.25)
        assert not session.is_being_saved, "what takes long is waited for no more"
        now.append(began)
        library.desk.work()
        assert not session.is_being_saved

    def test_a_frame_of_a_match_that_is_saved_leaves_the_step_that_is_shown(
        self, thinker: Thinker, library: Keeping
    ) -> None:
        session = session_of(thinker, "human", "human", library=library)
        session.point(3)
        assert not session.tick() and session.showing is not None and session.showing.step == 3

    def test_its_number_is_that_of_the_library(self, thinker: Thinker, library: Keeping) -> None:
        assert session_of(thinker, "human", "human").number is None
        session = session_of(thinker, "human", "human", library=library)
        assert session.number is None, "not yet"
        session.point(3)
        library.desk.work()
        [summary] = library.unfinished()
        assert session.number == summary.id

    def test_one_that_another_match_continues_is_forgotten(self, thinker: Thinker, library: Keeping) -> None:
        session = session_of(thinker, "human", "human", library=library)
        session.point(3)
        library.desk.work()
        assert len(library.unfinished()) == 1
        session.abandons = True
        session.close()
        library.desk.work()
        assert library.unfinished() == []

    def test_what_fails_is_not_waited_for(
        self, thinker: Thinker, library: Keeping, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("papan.ui.play.session.SAVING_SECONDS", PATIENCE)
        session = session_of(thinker, "human", "human", library=library)
        library.desk.work()
        session.point(3)
        with closing(sqlite3.connect(library.path)) as other:
            other.execute("BEGIN IMMEDIATE")
            library.desk.work()
        assert session.standing and session.standing.trouble and not session.is_being_saved

    def test_without_a_library_nothing_is_on_its_way(self, thinker: Thinker) -> None:
        session = session_of(thinker, "human", "human")
        session.point(3)
        assert session.standing is None and not session.is_being_saved

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

    def opened(self, thinker: Thinker, library: Keeping) -> Session:
        [summary] = library.unfinished()
        stored, is_taken = library.find(summary.id, library.desk.name)
        match = replay(stored)
        session = Session(match, thinker, library.desk.resume(match, stored, is_taken=is_taken))
        session.begin()
        return session

    @pytest.fixture
    def playing(self, thinker: Thinker, here: Keeping) -> Session:
        session = session_of(thinker, "human", "human", library=here)
        play(session, 3)
        here.desk.work()
        return session

    def test_the_second_only_watches(self, thinker: Thinker, playing: Session, there: Keeping) -> None:
        watching = self.opened(thinker, there)
        assert watching.is_watching and not playing.is_watching
        watching.point(5)
        watching.undo()
        watching.redo()
        watching.ask_hint()
        watching.pause()
        assert not watching.turn.is_paused
        watching.go_on()
        assert list(watching.match.steps) == [3] and watching.is_watching and not watching.is_hinting
        assert not watching.turn.can_undo and not watching.turn.targets()

    def test_no_computer_thinks_where_a_match_is_watched(self, here: Keeping, there: Keeping) -> None:
        told = Told()
        match = Match.new(GAMES["connect-four"], ["human", "minimax:easy"], {"first": "1"}, seed=5)
        session = Session(match, told, here.desk.begin(match))
        session.begin()
        play(session, 3)
        here.desk.work()
        assert len(told.asked) == 1
        watching = self.opened(told, there)
        watching.tick()
        assert watching.is_watching and len(told.asked) == 1

    def test_a_flag_that_falls_elsewhere_ends_nothing_here(
        self, thinker: Thinker, here: Keeping, there: Keeping
    ) -> None:
        match = Match.new(GAMES["connect-four"], ["human", "human"], {"first": "1"}, seed=5)
        match.tags[TAG] = "300+5"
        session = Session(match, thinker, here.desk.begin(match))
        session.begin()
        session.point(3)
        here.desk.work()
        watching = self.opened(thinker, there)
        assert watching.clock is not None
        watching.tick()
        assert watching.clock.running is None
        watching.clock.set((0.0, 300.0))
        assert not watching.tick() and watching.match.ending is None

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
        playing.undo()
        here.desk.work()
        there.desk.work()
        assert watching.tick() and not watching.tick()
        assert not watching.match.steps and watching.showing is None

    def test_other_steps_than_before_are_not_shown_as_one_more(
        self, thinker: Thinker, here: Keeping, playing: Session, there: Keeping
    ) -> None:
        watching = self.opened(thinker, there)
        playing.undo()
        play(playing, 5, 6)
        here.desk.work()
        there.desk.work()
        assert watching.tick() and watching.showing is None and list(watching.match.steps) == [5, 6]

    def test_what_the_rules_refuse_is_followed_no_more(
        self, thinker: Thinker, playing: Session, there: Keeping
    ) -> None:
        watching = self.opened(thinker, there)
        watching.tick()
        with closing(sqlite3.connect(there.path)) as other, other:
            other.execute("INSERT INTO steps SELECT id, 1, 'h8' FROM matches")
            other.execute("UPDATE matches SET revision = revision + 1")
        there.desk.work()
        assert watching.tick()
        assert watching.trouble is not None and "can't be followed" in watching.trouble and "h8" in watching.trouble
        assert watching.standing is None and list(watching.match.steps) == [3]
        assert there.desk.work() == HEARTBEAT_SECONDS, "it is not followed any more"
        assert not watching.tick() and there.desk.is_idle
        watching.play_here()
        assert watching.is_watching, "nothing is left to be taken over"

    def test_play_here_means_nothing_where_it_is_played(self, here: Keeping, playing: Session) -> None:
        playing.play_here()
        assert here.desk.is_idle and not playing.is_watching

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
        assert playing.is_watching and list(playing.match.steps) == [3, 6] and playing.showing is None
        assert playing.standing and playing.standing.unsaved == 1
        [summary] = here.unfinished()
        assert list(here.load(summary.id).all_steps) == [3, 6]

    def test_the_other_window_s_last_step_is_not_shown_to_the_one_who_takes_over(
        self, thinker: Thinker, here: Keeping, playing: Session, there: Keeping
    ) -> None:
        watching = self.opened(thinker, there)
        watching.tick()
        playing.point(4)
        here.desk.work()
        watching.play_here()
        there.desk.work()
        assert watching.tick() and not watching.tick()
        assert list(watching.match.steps) == [3, 4] and watching.showing is None and watching.turn.due == "choosing"

    def test_who_loses_a_match_loses_its_hint_and_who_takes_it_over_prepares(
        self, here: Keeping, there: Keeping
    ) -> None:
        told, other = Told(), Told()
        session = session_of(told, "human", "human", library=here)
        play(session, 3)
        here.desk.work()
        session.ask_hint()
        watching = self.opened(other, there)
        watching.tick()
        assert other.prepared == [] and session.is_hinting
        watching.play_here()
        there.desk.work()
        watching.tick()
        assert other.prepared == [watching.match.state], "the one that gives hints"
        session.choose(3)
        session.finish_showing()
        session.ask_hint()
        assert session.is_hinting
        here.desk.work()
        assert session.tick() and session.is_watching
        assert not told.is_thinking and not session.is_hinting

    def test_a_match_that_is_gone_can_be_taken_over(self, thinker: Thinker, playing: Session, there: Keeping) -> None:
        watching = self.opened(thinker, there)
        watching.tick()
        with closing(sqlite3.connect(there.path)) as other, other:
            other.execute("DELETE FROM matches")
            other.execute("DELETE FROM steps")
        watching.play_here()
        there.desk.work()
        assert watching.tick() and watching.turn.due == "choosing" and not watching.tick()

    def test_a_window_that_does_nothing_notices_by_its_heartbeat(
        self, thinker: Thinker, here: Keeping, playing: Session, there: Keeping, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        watching = self.opened(thinker, there)
        watching.play_here()
        there.desk.work()
        monkeypatch.setattr("papan.game.match.library.writer.HEARTBEAT_SECONDS", 0.0)
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
