"""Iterative deepening, turn by turn, until a limit or until another iteration would be useless; and one-step search.

Another thread can watch and stop it.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from papan.ai.evaluation import Weights, WeightValues, as_vector, evaluate
from papan.ai.limits import UNPROVEN, WIN, WIN_BOUND, Analysis, Limit, Line
from papan.ai.search import Query, Searcher
from papan.game.kernel import compiled, is_plain, subroutine
from papan.game.kernel.arrays import array_of, new_record, record_type
from papan.game.kernel.clock import NEVER, clock, clock_seconds, time_after
from papan.game.rules import Rules, State, is_over, legal_steps, mover, payoff, play, seats

INFINITY = 2.0 * WIN
STEPS_A_TURN = 32
"""More steps than any turn takes."""

LIVE_FIELDS: list[tuple[str, type]] = [
    ("stop", np.int64),  # set from another thread to end the search
    ("nodes", np.int64),
    ("node_limit", np.int64),
    ("look_at", np.int64),  # the number of nodes at the next check of limits
    ("deadline", np.int64),  # the time to end, by ``papan.game.kernel.clock``
    ("horizon_leaves", np.int64),  # leaves scored by the evaluation: none means an exact result
    ("root_seat", np.int64),
    ("depth", np.int64),  # depth searched completely
]
"""The first fields of every search's workspace: a record that compiled calls pass as a single pointer."""


class Deepening(Searcher):
    """A searcher for one game, one search at a time."""

    most_depth: int
    """Turns that it can look ahead."""
    _leaves_none_out = True
    """Whether the search tries all steps, so that a search to all ends of the game is exact."""

    def __init__(self, rules: Rules, weights: WeightValues, workspace: np.dtype[Any]) -> None:
        """:param workspace: the type of its record, which begins with ``LIVE_FIELDS``."""
        self._rules = rules
        self._weights = as_vector(weights)
        self._work = new_record(workspace)
        # The same again, where speed matters: a record's fields are slow to read from Python.
        works = array_of(self._work)
        self._stops, self._leaves = works["stop"], works["horizon_leaves"]
        self._prepared: set[type] = set()
        self._pace = Pace(Limit())
        self._is_asked_of_all = True  # or of certain steps of the root
        self._is_for_one = False
        self._lines: tuple[Line, ...] = ()  # never changed, only replaced: another thread may be reading it

    @abstractmethod
    def prepare(self, state: State) -> None:
        """Compile the search for this type of state, or load it from the cache."""

    def _begin(self, state: State, limit: Limit, came_twice: Sequence[int]) -> None:
        """Prepare a search of *state*."""

    def _steps(self, state: State) -> list[int]:
        return legal_steps(state, self._rules.MOST_STEPS)

    @abstractmethod
    def _search(self, state: State, step: int, depth: int, best: float) -> float:
        """The score, for the seat at the root, of the *step* of *state*, which is the root.

        :param depth: turns to look ahead, the root's included.
        :param best: the best score so far; a score that is not better need not be exact.
        """

    def _is_decided(self, score: float) -> bool:
        """Whether *score*, the best of all steps, can't change at a greater depth."""
        return not self._is_for_one and abs(score) >= WIN_BOUND

    def _is_exact(self) -> bool:
        """Whether the search since ``horizon_leaves`` was reset reached all ends of the game."""
        return not self._leaves[0]

    def _variation(self) -> tuple[int, ...]:
        """The expected steps after the state searched last, as far as known."""
        return ()

    def _nodes(self) -> int:
        """The nodes of the current or last search."""
        return int(self._work.nodes)

    def stop(self) -> None:
        self._work.stop = 1

    def live(self) -> Analysis | None:
        """The progress of the current search; None before its first step has been searched."""
        lines, work = self._lines, self._work
        if not lines:
            return None
        is_won = lines[0].is_proven and lines[0].score >= WIN_BOUND
        return Analysis.of(lines, int(work.root_seat), depth=int(work.depth), nodes=self._nodes(), is_proven=is_won)

    def answer(self, query: Query, first_depth: int = 1) -> Analysis:
        """As any ``Searcher``.

        Stopped in the middle of a depth, it answers with the best steps of that depth so far; further ``lines``
        are of the depth before.

        :param first_depth: the first depth in turns; the answer's depth is one less if it is not finished.
        """
        state, limit = query.state, query.limit
        self._pace = Pace(limit)
        if type(state) not in self._prepared:
            self.prepare(state)
            if not is_plain():
                self._prepared.add(type(state))
            self._pace = Pace(limit)  # compiling does not count as search
        steps = list(query.only) or self._steps(state)
        self._is_asked_of_all = not query.only
        self._is_for_one = seats(state) == 1
        Random(query.seed).shuffle(steps)
        work = self._work
        self._begin(state, limit, query.came_twice)
        self._lines = ()
        work.root_seat = int(mover(state))
        work.stop, work.nodes, work.look_at, work.depth = 0, 0, 0, first_depth - 1
        work.node_limit = limit.nodes if limit.nodes is not None else np.iinfo(np.int64).max
        if query.is_cancelled():
            self.stop()
        started = clock_seconds()
        most_depth = min(limit.depth or self.most_depth, self.most_depth)
        is_proven = self._deepen(state, steps, range(first_depth, most_depth + 1), query.lines or len(steps))
        if not self._lines:
            self._lines = (Line(steps[0], 0.0, (steps[0],)),)
        found = self.live()
        assert found
        return replace(found, seconds=clock_seconds() - started, is_proven=is_proven or found.is_proven)

    def _deepen(self, state: State, steps: list[int], depths: range, wanted: int) -> bool:
        """Search *steps* to each of *depths*, and publish the *wanted* best; returns whether the best is proven."""
        settled: dict[int, Line] = {}
        pace = self._pace
        for depth in depths:
            # Depth 1 always completes: it takes a millisecond, and without it there is no answer.
            self._work.deadline = pace.deadline if self._work.depth > 0 else NEVER
            pace.begin()
            leaves = self._search_all(state, steps, depth, wanted, settled)
            if leaves is None:
                return False
            pace.end(self._lines[0].score)
            self._work.depth = depth
            self._work.horizon_leaves = leaves
            if leaves == 0 or all(line.step in settled for line in self._lines):
                return self._is_decided(self._lines[0].score) or (self._leaves_none_out and self._is_exact())
            if not pace.may_go_on:
                return False
        return False

    def _in_turn(self, steps: Sequence[int], depth: int) -> Iterable[int]:
        """The root's *steps* in the order to search them; ``steps`` may change meanwhile."""
        return list(steps)

    def _search_all(
        self, state: State, steps: list[int], depth: int, wanted: int, settled: dict[int, Line]
    ) -> int | None:
        """Search all *steps* to one *depth*, in order, and bring the best to the front.

        Returns the number of leaves scored by the evaluation, or None if stopped. Final lines are kept in *settled*,
        and not searched again.
        """
        found: list[Line] = []
        leaves = 0
        waiting = {line.step: line for line in self._lines}
        for step in self._in_turn(steps, depth):
            floor = found[-1].score if len(found) == wanted else -INFINITY
            line = settled.get(step)
            if line is None:
                self._leaves[0] = 0
                score = self._search(state, step, depth, floor)
                if self._stops[0]:
                    if found and found[0].score <= -WIN_BOUND:
                        # The best step so far is lost: any other one, even if worse at the depth before, is better.
                        seen = max((self._lines or found)[0].score, -UNPROVEN)
                        others = tuple(waiting.values()) or (Line(step, seen, (step,)),)
                        self._lines = (*others, *found)[:wanted]
                    return None
                self._pace.of_use()
                leaves += int(self._leaves[0])
                if score > floor:
                    is_decided = self._is_decided(score)
                    is_proven = bool(is_decided or (self._leaves_none_out and self._is_exact()))
                    line = Line(step, score, (step, *self._variation()), is_proven)
                    if is_decided:
                        settled[step] = line
            waiting.pop(step, None)
            if line is None or line.score <= floor:
                continue
            found.insert(bisect_right(found, -line.score, key=lambda line: -line.score), line)
            del found[wanted:]
            steps.remove(step)
            steps.insert(0, step)
            if found[0].score > -WIN_BOUND:
                self._lines = (*found, *waiting.values())[:wanted]
        for line in reversed(found):
            steps.remove(line.step)
            steps.insert(0, line.step)
        self._lines = tuple(found)
        return leaves


WORKSPACE = record_type(*LIVE_FIELDS)


@compiled
def worth_after(state: State, seat: int, weights: Weights) -> float:
    """The worth to *seat* of *state*, after a step."""
    if not is_over(state):
        value: float = evaluate(state, seat, weights)
        return value
    paid: float = payoff(state, seat)
    return paid if seats(state) == 1 else paid * (WIN - 1.0)


class OneStep(Deepening):
    """Evaluates the state after each step. It looks no further, even within a larger limit."""

    most_depth = 1

    def __init__(self, rules: Rules, weights: WeightValues) -> None:
        super().__init__(rules, weights, WORKSPACE)

    def prepare(self, state: State) -> None:
        worth_after.prepare(state, 0, self._weights)

    def _search(self, state: State, step: int, depth: int, best: float) -> float:
        work: Any = self._work
        after = play(state, step)
        work.nodes += 1
        self._leaves[0] += not is_over(after)
        return self._judged(after, int(work.root_seat))

    def _judged(self, after: State, seat: int) -> float:
        return float(worth_after(after, seat, self._weights))


class Pace:
    """The times of one search's iterations, and the time left by its limit.

    The next iteration is expected to take longer than the last by the lesser growth of the last two, and is not started
    if that would be too late. If unused time is lost, the time to its first useful result, its first step, counts; if a
    clock keeps it, the whole iteration.
    """

    def __init__(self, limit: Limit) -> None:
        self._deadline = time_after(limit.time)
        self._is_saving = limit.usual is not None
        self._usual = min(time_after(limit.usual), self._deadline)
        self._began = 0
        self._first: list[int] = []  # nanoseconds to each iteration's first useful result
        self._whole: list[int] = []
        self._scores: list[float] = []

    @property
    def deadline(self) -> int:
        """The time to end the search, on the scale of ``clock``; ``NEVER`` without a limit."""
        return self._deadline

    def in_part(self, part: float) -> int:
        """The end of that *part* of the time left; ``NEVER`` without a limit."""
        now = clock()
        return NEVER if self._usual == NEVER else now + int(part * max(0, self._usual - now))

    @property
    def is_late(self) -> bool:
        return self._deadline != NEVER and clock() >= self._deadline

    def begin(self) -> None:
        self._began = clock()
        del self._first[len(self._whole) :]

    def of_use(self) -> None:
        """Note that the iteration has its first useful result."""
        if len(self._first) == len(self._whole):
            self._first.append(clock() - self._began)

    def end(self, score: float) -> None:
        self.of_use()
        self._whole.append(clock() - self._began)
        self._scores.append(score)

    @property
    def may_go_on(self) -> bool:
        if self._deadline == NEVER and not self._is_saving:
            return True
        if not self._whole:
            return not self.is_late
        if not self._is_saving:
            return clock() + self._expected(self._first) < self._deadline
        until = self._deadline if self._falls else self._usual
        return clock() + self._expected(self._whole) < until

    def _expected(self, times: list[int]) -> int:
        """The least time of the next iteration, where earlier ones took *times*."""
        grown = [later / max(sooner, 1) for sooner, later in zip(times[-3:], times[-2:], strict=False)]
        return int(times[-1] * max(1.0, min(grown, default=1.0)))

    @property
    def _falls(self) -> bool:
        """Whether the last score fell by more than usual from one depth to the next."""
        if len(self._scores) < 3:
            return False
        one, other, last = self._scores[-3:]
        return last < min(one, other) - abs(one - other)


NODES_BETWEEN_LOOKS = 64
"""Nodes between two checks of the clock, which cost as much as a node of the quickest games."""


@subroutine
def look_at_limits(work: Any) -> None:
    """Stop the search of *work* if a limit is reached, and set the next check.

    Call it when ``work.nodes`` has reached ``work.look_at``.
    """
    if work.nodes >= work.node_limit or clock() >= work.deadline:
        work.stop = 1
    work.look_at = min(work.node_limit, work.nodes + NODES_BETWEEN_LOOKS)
