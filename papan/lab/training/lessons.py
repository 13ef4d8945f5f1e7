"""One thread's games: which compiled code learns a plan's network, and in what room."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation import STANDARD, as_vector, evaluation_of
from papan.ai.learning import hidden, learner
from papan.ai.learning.learner import Knowledge
from papan.ai.learning.views import Views
from papan.game.kernel.rng import RandomState, random_state
from papan.lab.training.plan import SUPERVISED, Plan, Subject


class Lessons:
    """Games from which a thread learns, one share after the other."""

    def __init__(self, subject: Subject, plan: Plan, knowledge: Knowledge) -> None:
        self._subject, self._plan, self._knowledge = subject, plan, knowledge
        network, most_steps = subject.network, subject.game.rules.MOST_STEPS
        self._evaluation = evaluation_of(subject.game)  # has the kernel that a teacher judges by
        self._memory: learner.Memory | hidden.Memory = (
            hidden.Memory.new(network, most_steps)
            if isinstance(network, Views)
            else learner.Memory.new(network, most_steps, plan.trace)
        )

    @property
    def report(self) -> NDArray[np.float64]:
        """What ``papan.ai.learning.learner`` says that it holds."""
        report: NDArray[np.float64] = self._memory.report
        return report

    def prepare(self) -> None:
        """Compile what learns, or load it from the cache."""
        if isinstance(self._memory, hidden.Memory):
            hidden.learn_games.prepare(*self._arguments(0, random_state(0)))
        else:
            learner.learn_games.prepare(*self._arguments(0, random_state(0)))

    def learn(self, games: int, streams: RandomState) -> None:
        """Learn from so many *games*, whose random numbers *streams* numbers."""
        if isinstance(self._memory, hidden.Memory):
            hidden.learn_games(*self._arguments(games, streams))
        else:
            learner.learn_games(*self._arguments(games, streams))

    def _arguments(self, games: int, streams: RandomState) -> tuple[Any, ...]:
        subject, memory = self._subject, self._memory
        begun = subject.start, subject.facts, games
        room = memory.buffer, memory.report, memory.random, streams
        if isinstance(memory, hidden.Memory):
            is_taught = self._plan.method == SUPERVISED
            teacher = as_vector(self._evaluation.WEIGHTS[STANDARD]) if is_taught else np.zeros(0)
            return (
                *begun,
                self._plan.settings,
                *self._knowledge,
                teacher,
                memory.places,
                memory.notes,
                memory.values,
                *room,
            )
        assert not isinstance(subject.network, Views)
        layout = subject.network.layout
        return *begun, layout, self._plan.settings, *self._knowledge, memory.places, memory.viewers, *room
