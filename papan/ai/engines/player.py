"""An engine as a player, started when first needed, and checking an engine."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from papan.ai.engines import EngineError, IllegalTurn, NoMove, RefusedCommand, Resignation
from papan.ai.engines.client import EngineClient, Question, protocol_class, question
from papan.ai.engines.dialect import dialects_of
from papan.ai.engines.entries import Entry
from papan.ai.engines.process import Cancelled, Process, never
from papan.ai.evaluation import evaluation_of
from papan.ai.limits import WIN, Analysis
from papan.ai.players import Past, Situation, situation
from papan.game.base.sentences import alternatives, figures, joined, say
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import State, legal_steps, mover, seats


@dataclass(frozen=True)
class _Plan:
    """The remaining steps of a turn, for the match with this past."""

    past: Past
    rest: tuple[int, ...]
    left: int
    """The number of steps left of the expected line, *rest* included."""
    analysis: Analysis


class EnginePlayer:
    def __init__(self, entry: Entry, game: Game) -> None:
        self.entry = entry
        self._game = game
        spoken = dialects_of(game)[entry.protocol]
        self._dialect = spoken.called(entry.notation) or spoken
        self._unit = self._dialect.unit or evaluation_of(game).SCALE
        self._lock = threading.Lock()
        self._asking: EngineClient | None = None
        self._question: Question | None = None
        self._last: Question | None = None
        """The previous question, if the engine has it."""
        self._since = 0.0
        self._plan: _Plan | None = None

    def start(self, is_cancelled: Callable[[], bool] = never) -> str:
        """Start the engine if it is not running; returns the name that it reports.

        :raises EngineError: it can't be started or doesn't speak its protocol.
        :raises Cancelled: *is_cancelled* returned true; the engine is ended.
        """
        with self._lock:
            if self._asking is None or not self._asking.process.can_answer:
                self._drop()
                self._asking = self._start(is_cancelled)
            self._asking.process.is_cancelled = is_cancelled
            return self._asking.name

    def _start(self, is_cancelled: Callable[[], bool]) -> EngineClient:
        entry = self.entry
        process = Process(entry.in_sentences, entry.command, entry.folder)
        process.is_cancelled = is_cancelled
        weakref.finalize(self, process.end_soon).atexit = False  # at exit all are ended together
        asking = protocol_class(entry.protocol)(self._game, self._dialect, process, entry.settings)
        try:
            asking.greet(time.monotonic() + entry.patience)
        except (EngineError, Cancelled):
            process.is_cancelled = never
            process.end_soon()
            raise
        return asking

    def press(self, button: str, is_cancelled: Callable[[], bool] = never) -> None:
        """Press the option *button* and wait until the engine is ready again; errors as of ``start``."""
        self.start(is_cancelled)
        assert self._asking is not None
        self._asking.press(button, time.monotonic() + self.entry.patience)

    def close(self) -> None:
        """End the engine, and wait for its exit."""
        with self._lock:
            if self._asking is not None:
                self._asking.process.end(self._asking.leaving)
            self._asking = None

    def prepare(self, state: State) -> None:
        """The first question starts the program, and can be cancelled."""

    def prepare_rest(self, state: State) -> None: ...

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = never) -> Analysis:
        """Return its step, or the next step of its turn.

        :raises NoMove: it says that there is no move.
        :raises Resignation: it resigns.
        :raises EngineError: it forfeits; the next question restarts it.
        """
        past = situation.past
        if past is None or int(seats(situation.state)) != 2:
            raise EngineError.saying(
                "{engine} plays only games for two without hidden cards.", engine=self.entry.in_sentences
            )
        plan, self._plan = self._plan, None
        if plan is not None and plan.past == past:
            return self._go_on(plan)
        posed = question(past, situation.state, self.entry.limit.within(situation.seconds))
        try:
            self.start(is_cancelled)
            steps = self._ask(posed)
        except Cancelled:
            return Analysis(legal_steps(situation.state, self._game.rules.MOST_STEPS)[0], 0.0, situation.seat)
        except (NoMove, Resignation):
            raise  # the engine is fine
        except EngineError:
            self._drop()
            raise
        analysis = self._analysis(posed, tuple(steps))
        return self._go_on(_Plan(past, tuple(steps), len(analysis.principal_variation), analysis))

    def _ask(self, posed: Question) -> list[int]:
        asking, entry = self._asking, self.entry
        assert asking is not None
        asking.process.forget()
        self._since = time.monotonic()
        self._question = posed
        seconds = entry.patience if posed.limit.time is None else posed.limit.time + entry.grace
        deadline = self._since + seconds
        is_new = self._last is None or not posed.follows(self._last)
        self._last = posed
        try:
            try:
                asking.pose(posed, max(deadline, self._since + entry.patience) if is_new else deadline)
            except Cancelled:
                self._drop()  # it got only a part of the position
                raise
            return asking.answer(posed, time.monotonic() + seconds if is_new else deadline)
        finally:
            self._question = None
            asking.process.is_cancelled = never  # breaks a reference cycle

    def _go_on(self, plan: _Plan) -> Analysis:
        step, *rest = plan.rest
        if rest:
            past = replace(plan.past, steps=(*plan.past.steps, step))
            self._plan = _Plan(past, tuple(rest), plan.left - 1, plan.analysis)
        line = plan.analysis.principal_variation
        return replace(plan.analysis, step=step, principal_variation=line[len(line) - plan.left :])

    def _drop(self) -> None:
        """End the engine; the next question restarts it."""
        asking, self._asking = self._asking, None
        self._last = None
        if asking is not None:
            asking.process.end_soon()

    def stop(self) -> None:
        """Make it answer now, if its protocol allows."""
        asking = self._asking
        if asking is not None and self._question is not None and asking.can_stop:
            asking.stop()

    def live(self) -> Analysis | None:
        asking, posed = self._asking, self._question
        if asking is None or posed is None or not asking.findings.line:
            return None
        line = asking.line_of(posed.state)
        return self._analysis(posed, line) if line else None

    def _analysis(self, posed: Question, steps: tuple[int, ...]) -> Analysis:
        """Its findings for the turn *steps*, on our scale."""
        asking = self._asking
        assert asking is not None
        found = asking.findings
        line = asking.line_of(posed.state)
        score = 0.0
        if found.turns_to_end is not None:
            score = WIN - found.turns_to_end if found.turns_to_end > 0 else -WIN - found.turns_to_end
        elif found.score is not None:
            score = found.score * self._unit
        return Analysis(
            steps[0],
            score,
            int(mover(posed.state)),
            found.depth,
            found.nodes,
            seconds=time.monotonic() - self._since,
            principal_variation=line if line[: len(steps)] == steps else steps,
        )


_SEED = 1


class EngineCheck(NamedTuple):
    name: str
    """The name that it reports, or ""."""
    step: str
    """Its first step, in the game's notation."""
    seconds: float
    """With its start."""

    def in_words(self, entry: Entry) -> str:
        seconds = figures(self.seconds, ".1f")
        return say(
            "{name} answered {step} after {seconds} s.", name=self.name or entry.name, step=self.step, seconds=seconds
        )


def try_engine(entry: Entry, is_cancelled: Callable[[], bool] = never) -> EngineCheck:
    """Start the engine of *entry*, let it find a turn, and end it; raises EngineError if it fails."""
    game = GAMES[entry.game]
    match = Match.new(game, ["", ""], {"first": "1"}, _SEED)
    player = EnginePlayer(entry, game)
    started = time.monotonic()
    try:
        step = _turn_of(player, match, is_cancelled)
        check = EngineCheck(player.start(), game.rules.notation(match.states[0], step), time.monotonic() - started)
        for _turn in range(1, protocol_class(entry.protocol).turns_to_try):
            _turn_of(player, match, is_cancelled)
        return check
    except (IllegalTurn, RefusedCommand) as error:
        hints = [say("Perhaps it plays another game than {game}.", game=game.title)]
        if programs := dialects_of(game)[entry.protocol].programs:
            named = alternatives(programs)
            hints.append(say("{game} needs a program such as {programs}.", game=game.title, programs=named))
        raise type(error)(joined([str(error), *hints])) from None
    finally:
        player.close()


def _turn_of(player: EnginePlayer, match: Match, is_cancelled: Callable[[], bool]) -> int:
    """Play the turn that *player* chooses, and return its first step."""
    chosen = [player.choose(situation(match), is_cancelled).step]
    if is_cancelled():
        raise EngineError.saying("{engine} was not tested: the test was cancelled.", engine=player.entry.in_sentences)
    seat = match.mover
    match.play(chosen[0])
    while match.ending is None and match.mover == seat:
        match.play(player.choose(situation(match), is_cancelled).step)
    return chosen[0]


def press_button(entry: Entry, button: str, is_cancelled: Callable[[], bool] = never) -> None:
    """Start the engine of *entry*, press its option *button*, and end it; errors as of ``EnginePlayer.start``."""
    player = EnginePlayer(entry, GAMES[entry.game])
    try:
        player.press(button, is_cancelled)
    finally:
        player.close()
