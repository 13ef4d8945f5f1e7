"""One thread's training games, by the method and network of the plan, with its work arrays."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation import STANDARD, as_vector, evaluation_of
from papan.ai.exact import exact_of
from papan.ai.learning import hidden, learner
from papan.ai.learning.learner import EXPLORATION, GAMES, STEPS, STOP, Knowledge
from papan.ai.learning.network import Network
from papan.ai.learning.views import Views
from papan.ai.limits import Limit, win_distance
from papan.ai.search import Query
from papan.game.kernel.rng import RandomState, below, next_stream, random_state
from papan.game.rules import State, is_over, key, legal_steps, mover, play
from papan.lab.training.plan import SUPERVISED, Plan, Subject

LATER = 0.99
"""The discount of a result per step: wins should come soon, and losses late."""

REHEARSALS = 64
"""Earlier positions learned again after each game; learning takes a thousandth of the time of solving."""
_MOST_KEPT = 100_000
"""Solved positions kept for rehearsal, and because early positions recur."""
_TICKETS = 1 << 30


class Lessons(Protocol):
    """The training games of one thread."""

    report: NDArray[np.float64]
    """Progress, as defined in ``papan.ai.learning.learner``."""

    def prepare(self) -> None:
        """Compile the kernels, or load them from the cache."""

    def learn(self, games: int, streams: RandomState) -> None:
        """Learn from *games* games, which take their random states from *streams*."""


def lessons_of(subject: Subject, plan: Plan, knowledge: Knowledge) -> Lessons:
    """The lessons of *plan*, which correct *knowledge* in place."""
    network = subject.network
    if isinstance(network, Views):
        return _with_views(subject, network, plan, knowledge)
    return (_BySolver if plan.method == SUPERVISED else _by_itself)(subject, network, plan, knowledge)


class _Compiled:
    """Games in compiled code, by the kernel *learn_games* with its arguments *after* the number of games."""

    def __init__(self, subject: Subject, learn_games: Any, after: tuple[Any, ...], report: NDArray[np.float64]) -> None:
        self._kernel, self._before, self._after = learn_games, (subject.start, subject.facts), after
        self.report = report

    def prepare(self) -> None:
        self._kernel.prepare(*self._before, 0, *self._after, random_state(0))

    def learn(self, games: int, streams: RandomState) -> None:
        self._kernel(*self._before, games, *self._after, streams)


def _by_itself(subject: Subject, network: Network, plan: Plan, knowledge: Knowledge) -> Lessons:
    """Temporal-difference learning from self-play."""
    memory = learner.Memory.new(network, subject.game.rules.MOST_STEPS, plan.trace)
    after = (
        network.layout, plan.settings, *knowledge, memory.places, memory.viewers,
        memory.buffer, memory.report, memory.random,
    )  # fmt: skip
    return _Compiled(subject, learner.learn_games, after, memory.report)


def _with_views(subject: Subject, network: Views, plan: Plan, knowledge: Knowledge) -> Lessons:
    """Learning with hidden cards: from self-play, or from results of games of the hand-made evaluation."""
    evaluation = evaluation_of(subject.game)  # registers the teacher's evaluation kernel
    teacher = as_vector(evaluation.WEIGHTS[STANDARD]) if plan.method == SUPERVISED else np.zeros(0)
    memory = hidden.Memory.new(network, subject.game.rules.MOST_STEPS)
    after = (
        plan.settings, *knowledge, teacher, memory.places, memory.notes, memory.values,
        memory.buffer, memory.report, memory.random,
    )  # fmt: skip
    return _Compiled(subject, hidden.learn_games, after, memory.report)


class _Solved(NamedTuple):
    """A position, and the values of its legal steps, in order, for the seat to act."""

    state: State
    worths: NDArray[np.float64]


class _BySolver:
    """Learning from the game's exact solver, which gives the value of each step of each position met.

    The network plays against the solver, so that it learns the positions that its own play leads to (DAgger: Ross,
    Gordon and Bagnell, "A reduction of imitation learning and structured prediction to no-regret online learning",
    2011). Seats are random, and the solver chooses at random among equally good steps.
    """

    def __init__(self, subject: Subject, network: Network, plan: Plan, knowledge: Knowledge) -> None:
        module = exact_of(subject.game)
        assert module is not None
        self._subject, self._solver = subject, module.Exact()
        self._kept: dict[int, _Solved] = {}
        self._all: list[_Solved] = []  # the same, in their order
        self._memory = learner.Memory.new(network, subject.game.rules.MOST_STEPS, 0.0)
        self._exploration = float(plan.settings[EXPLORATION])
        self._after = (
            network.layout, plan.settings, *knowledge, self._memory.places, self._memory.buffer,
        )  # fmt: skip
        self.report = self._memory.report

    def prepare(self) -> None:
        self._solver.prepare(self._subject.start)
        learner.learn_position.prepare(self._subject.start, np.zeros(0), *self._after)

    def learn(self, games: int, streams: RandomState) -> None:
        for _ in range(games):
            if self.report[STOP]:
                return
            next_stream(streams, self._memory.random)
            if self._learn_from_game():
                self.report[GAMES] += 1

    def _learn_from_game(self) -> bool:
        """Play and learn from one game; return whether it was played to the end."""
        state, random = self._subject.start, self._memory.random
        own = below(random, self._subject.seats)
        while not is_over(state):
            if self.report[STOP]:
                return False
            solved = self._solved(state)
            steps = legal_steps(state, self._subject.game.rules.MOST_STEPS)
            step = int(learner.learn_position(*solved, *self._after))
            if below(random, _TICKETS) < self._exploration * _TICKETS:
                step = steps[below(random, len(steps))]
            elif mover(state) != own:
                best = np.flatnonzero(solved.worths == solved.worths.max())
                step = steps[best[below(random, len(best))]]
            state = play(state, step)
            self.report[STEPS] += 1
        for _ in range(REHEARSALS):
            learner.learn_position(*self._all[below(random, len(self._all))], *self._after)
        return True

    def _solved(self, state: State) -> _Solved:
        name = key(state)
        found = self._kept.get(name)
        if found is None:
            if len(self._all) >= _MOST_KEPT:
                self._kept.clear()
                self._all.clear()
            lines = self._solver.answer(Query(state, Limit(), lines=0, is_followed=False)).lines
            scores = {line.step: line.score for line in lines}
            steps = legal_steps(state, self._subject.game.rules.MOST_STEPS)
            found = _Solved(state, np.array([result(scores[step]) for step in steps]))
            self._kept[name] = found
            self._all.append(found)
        return found


def result(score: float) -> float:
    """The value of a step with the exact *score*, from −1 to 1.

    >>> from papan.ai.limits import WIN
    >>> result(0.0), result(WIN - 2), result(1 - WIN)
    (0.0, 0.9801, -0.99)
    """
    distance = win_distance(score)
    if distance is None:
        return 0.0
    worth = LATER ** abs(distance)
    return worth if distance > 0 else -worth
