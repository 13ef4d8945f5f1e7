"""The search of an engine server in its own thread, one position at a time."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from papan.ai.exact import Finishing
from papan.ai.limits import Analysis, Limit, Line
from papan.ai.players import PlayerError, SearchingPlayer, make_player, make_searcher, situation
from papan.ai.search import Searcher
from papan.game.game import Game
from papan.game.kernel import plainly
from papan.game.kernel.compile_process import compiles_since
from papan.game.match import Match
from papan.game.rules import State

log = logging.getLogger(__name__)

PLAIN_SHARE = 0.5
"""The share of the time for a turn after which a search no longer waits for the compiler."""
_PLAIN_END = 0.9
"""The share of that time after which a search in plain Python is stopped, as that takes some milliseconds."""
READY_SECONDS = 2.0
"""How long a client waits for the compiler to hear that we are ready: some give up after 3 s, others after 10 s."""
TELLING_SECONDS = 0.05
"""The interval of progress reports."""
_LEAST_SECONDS = 0.01


@dataclass(frozen=True)
class Finding:
    match: Match
    """A copy."""
    analysis: Analysis
    seconds: float
    steps: tuple[int, ...] = ()
    """The turn to play, once the search has ended."""

    @property
    def lines(self) -> tuple[Line, ...]:
        """The best steps, best first; those that were not judged are left out."""
        found = self.analysis
        if not found.lines:
            return (Line(found.step, found.score, found.principal_variation or (found.step,), found.is_proven),)
        if found.depth > 0:
            return found.lines
        return tuple(line for line in found.lines if line.is_proven) or found.lines[:1]  # a solver's, interrupted


@dataclass
class _Task:
    match: Match
    limit: Limit
    tell: Callable[[Finding], None]
    then: Callable[[Finding], None]
    lines: int
    only: tuple[tuple[int, ...], ...]
    """The turns to choose from; empty for all."""
    may_answer: threading.Event
    search: Searcher
    started: float
    """By ``time.monotonic``."""
    is_dropped: bool = False
    is_stopped: bool = False
    until: float = math.inf
    """The time, by ``time.monotonic``, when it is to be stopped."""

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    def choices(self, match: Match) -> list[int]:
        """The steps to choose from in *match*, which is the task's or goes on within the turn; empty for all."""
        played = tuple(match.steps[len(self.match.steps) :])
        number = len(played)
        return sorted({turn[number] for turn in self.only if len(turn) > number and turn[:number] == played})


@dataclass
class _Compiling:
    """The compilation of a search for a type of state; the solver's comes after it."""

    search: threading.Event = field(default_factory=threading.Event)
    """Set once the search is compiled."""
    solver: threading.Event = field(default_factory=threading.Event)
    started: float = field(default_factory=time.monotonic)

    def work(self, search: Searcher, state: State) -> None:
        try:
            search.prepare(state)
            search.touch()
            self.search.set()
            search.prepare_rest(state)
        except Exception:
            log.exception("The search can't be compiled")  # it says so again once it is used
        finally:
            self.search.set()
            self.solver.set()


class SearchThread:
    """The search of ``minimax`` at full strength. All methods are for one thread."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._memory: int | None = None
        self._threads = 1
        self._player: SearchingPlayer | None = None
        self._plain: Searcher | None = None
        self._compiled: dict[type, _Compiling] = {}
        self._thread: threading.Thread | None = None
        self._task: _Task | None = None

    def configure(self, *, memory: int | None = None, threads: int | None = None) -> None:
        """Set the search's *memory* in MiB and *threads*; None leaves them. Drops the current task.

        :raises papan.ai.players.PlayerError: the game's search can't have that; nothing has changed.
        """
        self.drop()
        before = self._memory, self._threads
        self._memory = memory if memory is not None else self._memory
        self._threads = threads if threads is not None else self._threads
        self._player = None
        self._compiled = {}
        try:
            self._searching_player()
        except PlayerError:
            self._memory, self._threads = before
            raise

    def prepare(self, match: Match) -> None:
        """Load all that the match may need, unless it is thinking.

        Where something must be compiled, that goes on in the background after READY_SECONDS.
        """
        if self.is_thinking:
            return
        compiling = self._compiling(self._searching_player().search, match.state)
        while not compiling.solver.wait(0.01):
            since = compiles_since()
            if since is not None and time.monotonic() > max(since, compiling.started) + READY_SECONDS:
                return

    @property
    def is_compiling(self) -> bool:
        return any(not compiling.solver.is_set() for compiling in self._compiled.values())

    def load(self, match: Match) -> None:
        """Load all data that a search needs, such as tables, so that the first one does not wait for them."""
        if not match.ending:
            with plainly():
                self._plain_search().analyse(situation(match).state, Limit(nodes=1))

    def _plain_search(self) -> Searcher:
        """The search in plain Python, while the other one is compiled: solvers would be too slow."""
        if self._plain is None:
            self._plain = _without_solver(make_searcher("minimax:hard", self._game, compact=True))
        return self._plain

    def _searching_player(self) -> SearchingPlayer:
        if self._player is None:
            numbers = [f"memory={self._memory}"] if self._memory else []
            numbers += [f"threads={self._threads}"] if self._threads > 1 else []
            player = make_player(f"minimax:{','.join(['hard', *numbers])}", self._game)
            assert isinstance(player, SearchingPlayer)
            self._player = player
        return self._player

    @property
    def is_thinking(self) -> bool:
        """Whether it thinks, or holds its answer."""
        return self._thread is not None and self._thread.is_alive()

    def think(
        self,
        match: Match,
        limit: Limit,
        tell: Callable[[Finding], None],
        then: Callable[[Finding], None],
        *,
        waits: bool = False,
        lines: int = 1,
        only: Sequence[tuple[int, ...]] = (),
    ) -> None:
        """Think about *match*, which is not over; drops the current task.

        :param tell: gets progress, in another thread, as *then*.
        :param then: gets the chosen turn, once, unless dropped.
        :param waits: whether *then* waits for ``stop`` or ``end_within``.
        :param only: the turns to choose from; default: all.
        """
        started = time.monotonic()
        self.drop()
        search = self._searching_player().search
        task = _Task(
            match.up_to(len(match.steps)), limit, tell, then, lines, tuple(only), threading.Event(), search, started
        )
        if not waits:
            task.may_answer.set()
        self._task = task
        self._thread = threading.Thread(target=self._work, args=(task,), name="search", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        if self._task is not None:
            self._task.is_stopped = True
            self._task.may_answer.set()
            self._task.search.stop()

    def end_within(self, seconds: float | None) -> None:
        """Let a task that waits answer once its search has ended, within *seconds* unless None."""
        if self._task is not None:
            self._task.until = math.inf if seconds is None else time.monotonic() + seconds
            self._task.may_answer.set()

    def drop(self, patience: float = math.inf) -> bool:
        """End the task without an answer; returns whether it ended within *patience* seconds."""
        task, thread = self._task, self._thread
        self._task = self._thread = None
        if task is None or thread is None:
            return True
        task.is_dropped = True
        task.may_answer.set()
        deadline = time.monotonic() + patience
        while thread.is_alive() and time.monotonic() < deadline:
            task.search.stop()
            thread.join(0.02)
        return not thread.is_alive()

    def finish(self) -> None:
        """End the task with its answer, if it has not answered yet: UCI's clients count one for each ``go``."""
        if self.is_thinking:
            self.stop()
            self.wait()

    def wait(self) -> None:
        if self._thread is not None:
            self._thread.join()

    # --------------------------------------------------------------------------------- in the thread

    def _work(self, task: _Task) -> None:
        has_ended = threading.Event()
        watching = threading.Thread(target=self._watch, args=(task, has_ended), name="watcher", daemon=True)
        watching.start()
        try:
            found = self._find(task)
        except Exception:
            log.exception("The search failed")
            found = self._any_turn(task)
        finally:
            has_ended.set()
            watching.join()
        task.may_answer.wait()
        if not task.is_dropped:
            task.then(found)

    def _find(self, task: _Task) -> Finding:
        state, search = task.match.state, task.search
        compiling = self._compiling(search, state)
        if not self._waits_for(compiling.search, task):
            task.search = self._plain_search()
            if task.limit.time is not None:  # a turn ahead may take longer in plain Python
                task.until = min(task.until, task.started + _PLAIN_END * task.limit.time)
            with plainly():
                return self._found(task)
        may_solve = isinstance(search, Finishing) and search.may_solve(state, task.limit)
        if may_solve and not self._waits_for(compiling.solver, task):
            task.search = _without_solver(search)
        return self._found(task)

    def _compiling(self, search: Searcher, state: State) -> _Compiling:
        compiling = self._compiled.get(type(state))
        if compiling is None:
            compiling = self._compiled[type(state)] = _Compiling()
            threading.Thread(target=compiling.work, args=(search, state), name="compiler", daemon=True).start()
        return compiling

    @staticmethod
    def _waits_for(is_ready: threading.Event, task: _Task) -> bool:
        """Wait for the compiler; returns False once that takes too long for the time to think."""
        while not is_ready.wait(0.01):
            is_late = task.limit.time is not None and task.seconds > PLAIN_SHARE * task.limit.time
            if is_late or task.is_stopped or task.is_dropped:
                return False
        return True

    def _found(self, task: _Task) -> Finding:
        analysis = self._analyse(task, task.match)
        steps = self._whole_turn(task, analysis.principal_variation or (analysis.step,))
        if task.lines > 1:
            analysis = self._with_whole_turns(task, analysis)
        if not task.is_dropped:
            task.tell(Finding(task.match, analysis, task.seconds))
        return Finding(task.match, analysis, task.seconds, steps)

    def _with_whole_turns(self, task: _Task, analysis: Analysis) -> Analysis:
        """*analysis* with lines that begin with a whole turn, so that a client can show each."""
        lines = []
        for line in analysis.lines:
            steps = self._whole_turn(task, line.principal_variation, is_short=True)
            is_longer = len(steps) > len(line.principal_variation)
            lines.append(replace(line, principal_variation=steps) if is_longer else line)
        return replace(analysis, lines=tuple(lines))

    @staticmethod
    def _analyse(task: _Task, match: Match, is_short: bool = False) -> Analysis:
        told, limit = situation(match), task.limit
        if limit.time is not None:
            limit = replace(limit, time=max(_LEAST_SECONDS, limit.time - task.seconds))
        return task.search.analyse(
            told.state,
            Limit(depth=1) if task.is_stopped or is_short else limit,
            told.came_twice,
            seed=told.seed,
            is_cancelled=lambda: task.is_dropped,
            only=task.choices(match),
            lines=task.lines if match is task.match else 1,
        )

    def _whole_turn(self, task: _Task, line: tuple[int, ...], is_short: bool = False) -> tuple[int, ...]:
        """The steps of the turn that *line* begins with; missing ones are searched.

        :param is_short: whether a turn ahead is enough for these.
        """
        match = task.match.up_to(len(task.match.steps))
        seat, before = match.mover, len(match.steps)
        expected = list(line)
        while not match.ending and match.mover == seat and not task.is_dropped:
            if not expected or expected[0] not in (task.choices(match) or match.legal_steps()):
                expected = [self._analyse(task, match, is_short).step]
            match.play(expected.pop(0))
        return tuple(match.steps[before:])

    @staticmethod
    def _any_turn(task: _Task) -> Finding:
        match = task.match.up_to(len(task.match.steps))
        seat, before = match.mover, len(match.steps)
        while not match.ending and match.mover == seat:
            match.play((task.choices(match) or match.legal_steps())[0])
        steps = tuple(match.steps[before:])
        return Finding(task.match, Analysis(steps[0], 0.0, seat), task.seconds, steps)

    @staticmethod
    def _watch(task: _Task, has_ended: threading.Event) -> None:
        """Report progress, and repeat a stop, as a search that is just beginning would miss it."""
        told = 0
        while not has_ended.wait(max(0.001, min(TELLING_SECONDS, task.until - time.monotonic()))):
            if time.monotonic() >= task.until:
                task.is_stopped = True
            if task.is_stopped or task.is_dropped:
                task.search.stop()
                continue
            live = task.search.live()
            if live is not None and live.depth > told and live.principal_variation:
                told = live.depth
                task.tell(Finding(task.match, live, task.seconds))


def _without_solver(search: Searcher) -> Searcher:
    return search.search if isinstance(search, Finishing) else search
