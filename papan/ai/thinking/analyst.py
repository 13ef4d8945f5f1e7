"""Analyse the current position of a match in the background, deeper and deeper, while the user watches.

A thread searches in time slices of growing length; the search keeps its table, so each slice continues the last one.
After each slice it publishes a ``Report``, which the window fetches when it draws. The study of a position ends when
its value is proven or after a minute; findings on other positions are dropped.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Literal
from weakref import ReferenceType, ref

from papan.ai.limits import Analysis, Limit, Line, win_distance
from papan.ai.players import Situation, make_searcher
from papan.ai.proof import SolverSetting, make_solver
from papan.ai.proof.result import Proof, Solver
from papan.ai.search import Searcher
from papan.ai.thinking.thinker import Worker
from papan.game.game import Game
from papan.game.kernel import plainly
from papan.game.rules import State, legal_steps

log = logging.getLogger(__name__)

SEARCHER = "minimax:time=1"
"""The player whose search studies positions: it deepens, as not every game's Hard does."""
SOLVER = "pns"
SOLVER_MEMORY = 24
"""MiB of its tree: 0.8 million nodes."""
MOST_SECONDS = 60.0
ALL_STEPS_SECONDS = 1.0
"""In slices up to this length every step gets its exact score; in longer ones only the best few."""
BEST_STEPS = 4
"""Steps with exact scores in longer slices."""

_FIRST_SLICE = 0.06
_LONGEST_SLICE = 4.0
_GROWTH = 1.8
_FEW_STEPS = 10  # so few always get exact scores
_PROOF_SHARE = 0.3
"""The solver's time on top, as a share of a slice."""
_UNSEEN_SECONDS = 2.0
"""The study pauses when no report was fetched for this long."""
_LOOK_INTERVAL = 0.05
_LOADING_SECONDS = 0.3
"""How long to wait for kernels before plain Python thinks meanwhile: those in the cache are loaded by then."""
_SOLVER_JOINS = 0.3
"""Seconds: the length of the first slice with the solver."""

Stage = Literal["preparing", "thinking", "done"]


@dataclass(frozen=True)
class Report:
    """The findings on a position so far; scores are for the seat to act."""

    situation: Situation
    stage: Stage = "preparing"
    lines: tuple[Line, ...] = ()
    """Best first."""
    bounded: frozenset[int] = frozenset()
    """Steps of ``lines`` whose score is only an upper bound."""
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    proof: Proof | None = None
    """A solver's progress in proving that the seat to act wins."""
    error: str = ""

    @property
    def best(self) -> Line | None:
        return self.lines[0] if self.lines else None

    @property
    def is_proven(self) -> bool:
        return bool(self.lines) and self.lines[0].is_proven

    @property
    def win_distance(self) -> int | None:
        """Turns of both sides to the forced win (positive) or loss (negative) of the seat to act; None if neither."""
        return win_distance(self.lines[0].score) if self.lines else None


def solver_of(game: Game) -> Solver | None:
    """The solver for *game*; None with chance or hidden cards."""
    if game.has_chance or game.has_hidden_information:
        return None
    return make_solver(SOLVER, game, SolverSetting(SOLVER_MEMORY))


class _Proving:
    """A solver that works in slices and is compiled in its own thread."""

    def __init__(self, solver: Solver, compiler: Worker) -> None:
        self.solver = solver
        self._compiler = compiler
        self.is_settled = False
        """Whether it is finished: proven, disproven, or out of memory."""
        self._situation: Situation | None = None
        self._has_begun = False
        self._compiled: set[type] = set()
        self._compiling: threading.Event | None = None

    def begin(self, situation: Situation) -> None:
        """Begin *situation*, unless it was begun last."""
        if situation != self._situation:
            self._situation = situation
            self.is_settled = self._has_begun = False

    def advance(self, seconds: float, is_cancelled: Callable[[], bool], *, wait: bool) -> Proof | None:
        """Continue for *seconds*; None if finished or not compiled yet.

        :param wait: whether to spend the seconds waiting for the compiler.
        """
        assert self._situation is not None
        if self.is_settled or not self._is_ready(self._situation.state, seconds if wait else 0.0):
            return None
        if not self._has_begun:
            self.solver.begin(self._situation.state, came_twice=self._situation.came_twice)
            self._has_begun = True
        proof = self.solver.run(Limit(time=seconds), is_cancelled)
        self.is_settled = proof.result != "out" or proof.reason in ("memory", "repetitions")
        return proof

    def _is_ready(self, state: State, patience: float) -> bool:
        if type(state) in self._compiled:
            return True
        if self._compiling is None:
            self._compiling = threading.Event()
            self._compiler.submit(partial(_compile, ref(self), state, self._compiling))
        if self._compiling.wait(patience):
            self._compiling = None
        return type(state) in self._compiled

    def compile(self, state: State) -> None:
        try:
            self.solver.prepare(state)
        except Exception:
            log.exception("A solver can't be compiled")
            self.is_settled = True
        else:
            self._compiled.add(type(state))


def _compile(known: ReferenceType[_Proving], state: State, done: threading.Event) -> None:
    proving = known()
    if proving is not None:  # else another game is studied by now
        proving.compile(state)
    done.set()


def _compile_search(searcher: Searcher, state: State, compiled: Future[None]) -> None:
    try:
        searcher.prepare(state)
    except Exception as error:
        compiled.set_exception(error)
    else:
        compiled.set_result(None)


@dataclass(eq=False)
class _Study:
    game: Game
    situation: Situation
    report: Report
    is_withdrawn: bool = False
    searcher: Searcher | None = None  # once they are ready
    proving: _Proving | None = None
    nodes: int = 0
    """In earlier slices."""

    def withdraw(self) -> None:
        self.is_withdrawn = True
        if self.searcher:
            self.searcher.stop()
        if self.proving:
            self.proving.solver.stop()


class Analyst:
    """One thread that studies one position at a time. All methods are for the thread that made it."""

    def __init__(
        self,
        make: Callable[[Game], Searcher] = lambda game: make_searcher(SEARCHER, game, compact=True),
        make_solver: Callable[[Game], Solver | None] = solver_of,
        most_seconds: float = MOST_SECONDS,
    ) -> None:
        """
        :param make: makes the search for a game, in the background.
        :param make_solver: makes the solver for a game, or None.
        """
        self._make = make
        self._make_solver = make_solver
        self._most_seconds = most_seconds
        self._wake = threading.Condition()
        self._wanted: _Study | None = None
        self._begun: _Study | None = None
        self._last: Report | None = None
        self._looked_at = 0.0  # the time of the last call of ``report``
        self._is_closed = False
        self._is_released = False
        self._compiler, self._prover = Worker("preparer"), Worker("prover")
        self._thread: threading.Thread | None = None
        self._tools: tuple[Game, Searcher, _Proving | None] | None = None  # belongs to the thread

    def study(self, game: Game, situation: Situation) -> None:
        """Study *situation*, which is not over, and nothing else; the last one studied is resumed."""
        if self._is_closed or (self._wanted and self._wanted.situation == situation):
            return
        self.rest()
        last = self._last
        known = last if last and last.situation == situation else Report(situation)
        study = _Study(game, situation, replace(known, error=""), nodes=known.nodes)
        self._looked_at = time.perf_counter()
        with self._wake:
            self._wanted = study
            self._wake.notify()
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="analyst", daemon=True)
            self._thread.start()

    def rest(self) -> None:
        """Pause; findings are kept until another position is studied."""
        study = self._wanted
        if study is None:
            return
        with self._wake:
            self._wanted = None
            self._last = study.report
        study.withdraw()

    def release(self) -> None:
        """Pause, and free all memory."""
        self.rest()
        with self._wake:
            self._last = None
            self._is_released = True
            self._wake.notify()

    @property
    def is_resting(self) -> bool:
        return self._wanted is None

    @property
    def is_busy(self) -> bool:
        return self._wanted is not None and self._wanted.report.stage != "done"

    def report(self) -> Report | None:
        """The report on the current or last position. Call it once a second at least, or the study pauses."""
        self._looked_at = time.perf_counter()
        study = self._wanted
        if study is None:
            return self._last
        report = study.report
        if report.stage != "thinking":
            return report
        live = study.searcher.live() if study.searcher else None
        return replace(report, nodes=max(report.nodes, study.nodes + live.nodes)) if live else report

    def close(self, patience: float = 1.0) -> bool:
        """End the thread; returns whether it ended within *patience* seconds. A compilation can't be interrupted."""
        self.rest()
        with self._wake:
            self._is_closed = True
            self._wake.notify()
        if self._thread:
            self._thread.join(patience)
            if self._thread.is_alive():
                return False
        return self._compiler.close(patience) and self._prover.close(patience)

    def _work(self) -> None:
        while self._do_next():
            pass

    def _do_next(self) -> bool:
        """Study the next position, or free everything; False once it is closed."""
        with self._wake:
            self._wake.wait_for(lambda: self._is_closed or self._is_released or self._wanted not in (None, self._begun))
            if self._is_closed:
                self._tools = self._begun = self._wanted = None
                return False
            if self._is_released:
                self._is_released = False
                self._tools = self._begun = None
                return True
            study = self._begun = self._wanted
        assert study is not None
        try:
            self._think(study)
        except Exception as error:
            log.exception("A position can't be studied")
            self._publish(study, stage="done", error=f"{type(error).__name__}: {error}")
        return True

    def _publish(self, study: _Study, **news: object) -> None:
        """Update the study's report by *news*, unless it is withdrawn."""
        with self._wake:
            if not study.is_withdrawn:
                study.report = replace(study.report, **news)  # type: ignore[arg-type]

    def _think(self, study: _Study) -> None:
        state = study.situation.state
        if self._tools is None or self._tools[0] is not study.game:
            self._tools = None  # frees those of the last game
            solver = self._make_solver(study.game)
            proving = _Proving(solver, self._prover) if solver else None
            self._tools = study.game, self._make(study.game), proving
        _game, searcher, proving = self._tools
        steps = legal_steps(state)
        self._think_plainly(study, searcher, steps)
        if study.is_withdrawn:
            return
        if proving:
            proving.begin(study.situation)
        study.searcher, study.proving = searcher, proving
        self._publish(study, stage="thinking")
        wants_all = True
        for seconds in _slices(study.report.seconds, self._most_seconds):
            while time.perf_counter() - self._looked_at > _UNSEEN_SECONDS and not study.is_withdrawn:
                time.sleep(_LOOK_INTERVAL)
            started = time.perf_counter()
            study.nodes = study.report.nodes
            wants_all = len(steps) <= _FEW_STEPS or (wants_all and seconds <= ALL_STEPS_SECONDS)
            found = _search(searcher, study, steps, Limit(time=seconds), 0 if wants_all else BEST_STEPS)
            took = time.perf_counter() - started
            if study.is_withdrawn:
                return
            report = study.report
            nodes = study.nodes + found.nodes
            self._publish(study, **_news(report, found), nodes=nodes, seconds=report.seconds + took)
            has_no_more = found.is_proven or took < seconds / 2  # it ends early only if nothing is left to find
            if not has_no_more:
                if seconds >= _SOLVER_JOINS:
                    self._prove(study, seconds * _PROOF_SHARE)
            elif not self._prove(study, seconds, alone=True):
                break
            if study.is_withdrawn:
                return
        self._publish(study, stage="done")

    def _think_plainly(self, study: _Study, searcher: Searcher, steps: Sequence[int]) -> None:
        """Study in plain Python until *searcher* is compiled, or the study is withdrawn."""
        compiled: Future[None] = Future()
        self._compiler.submit(partial(_compile_search, searcher, study.situation.state, compiled))
        if wait([compiled], _LOADING_SECONDS).not_done:
            plain = study.searcher = self._make(study.game)
            compiled.add_done_callback(lambda _: plain.stop())
            self._publish(study, stage="thinking")
            with plainly():
                for seconds in _slices(0.0, inf):
                    if compiled.done() or study.is_withdrawn:
                        break
                    study.nodes = study.report.nodes
                    found = _search(plain, study, steps, Limit(time=seconds), 0)
                    self._publish(study, **_news(study.report, found), nodes=study.nodes + found.nodes)
        if not study.is_withdrawn:
            compiled.result()

    def _prove(self, study: _Study, seconds: float, *, alone: bool = False) -> bool:
        """Run the solver for *seconds*; returns whether it may find more.

        :param alone: whether the search has nothing more to do.
        """
        proving = study.proving
        if proving is None or study.report.is_proven or study.is_withdrawn:
            return False
        proof = proving.advance(seconds, lambda: study.is_withdrawn, wait=alone)
        if proof is not None:
            self._publish(study, proof=proof, seconds=study.report.seconds + seconds)
        return not proving.is_settled


def _slices(spent: float, most: float) -> Iterator[float]:
    """The lengths of the slices, in seconds, after *spent* of *most*."""
    seconds = _FIRST_SLICE
    while spent < most:
        yield min(seconds, most - spent)
        spent += seconds
        seconds = min(seconds * _GROWTH, _LONGEST_SLICE)


def _search(searcher: Searcher, study: _Study, steps: Sequence[int], limit: Limit, lines: int) -> Analysis:
    """One slice, whose analysis always has ``lines``."""
    situation = study.situation

    def search(limit: Limit, only: Sequence[int] = (), lines: int = 1) -> Analysis:
        return searcher.analyse(
            situation.state, limit, situation.came_twice, situation.seed, lambda: study.is_withdrawn, only, lines
        )

    found = search(limit, lines=lines)
    if found.lines or study.is_withdrawn:
        return found
    rated = [Line(found.step, found.score, found.principal_variation, found.is_proven)]
    nodes = found.nodes
    for step in steps:
        if step != found.step and not study.is_withdrawn and limit.time:
            one = search(Limit(time=limit.time / len(steps), depth=max(1, found.depth)), [step])
            nodes += one.nodes
            if one.depth or one.is_proven:
                rated.append(Line(step, one.score, one.principal_variation, one.is_proven))
    rated.sort(key=_falling)
    return replace(found, lines=tuple(rated), nodes=nodes)


def _news(report: Report, found: Analysis) -> dict[str, object]:
    """The changes to *report* by *found*; none if its depth is less."""
    if found.depth < report.depth or not found.lines or (found.depth == 0 and not found.is_proven):
        return {}
    known = {line.step: line for line in report.lines}
    worst = min(line.score for line in found.lines)
    exact = [_with_longer_variation(line, known.pop(line.step, line)) for line in found.lines]
    bounded = frozenset(step for step, line in known.items() if line.score >= worst)
    others = (replace(line, score=min(line.score, worst), is_proven=False) for line in known.values())
    # A search that was stopped within a depth mixes two depths, so the lines are sorted again.
    lines = (*sorted(exact, key=_falling), *sorted(others, key=_falling))
    return {"lines": lines, "bounded": bounded, "depth": found.depth}


def _falling(line: Line) -> float:
    return -line.score


def _with_longer_variation(line: Line, known: Line) -> Line:
    """*line* with the longer variation of *known*, as table hits cut variations short."""
    short, long = line.principal_variation, known.principal_variation
    if len(short) < len(long) and long[: len(short)] == short:
        return replace(line, principal_variation=long)
    return line
