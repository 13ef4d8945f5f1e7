"""Batches on the workers of a scheduler.

A task is as many batches as take a worker about ``TASK_SECONDS``, which keeps the scheduler's load low. A worker gets
the plan and the numbers of batches, and returns counts.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import msgspec

from papan.game.base.sentences import say
from papan.lab.simulation.batches import batch
from papan.lab.simulation.counts import Counts, CountsData
from papan.lab.simulation.plan import Plan, PlanError, check_here
from papan.lab.workers import AnswerError, Call, Seconds, UnfitWorkerError, Workers, answer_as

TASK_SECONDS = 2.0
"""The target duration of a task."""
MOST_BATCHES = 512
"""Batches in a task, at most."""


class Cluster:
    """A pool that runs batches on *workers*."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    def run(self, plan: Plan, numbers: Iterable[int]) -> Iterator[Mapping[int, Counts]]:
        tasks = _Tasks(plan, numbers)
        for finished in self._workers.carry_out(tasks):
            played: dict[int, Counts] = {}
            for task, given in finished:
                answer = answer_as(given, Answer)
                tasks.note(answer.seconds, len(task))
                played.update(_checked(plan, task, answer))
            yield played


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a task."""

    counts: list[tuple[int, CountsData]]
    """By batch number."""
    seconds: Seconds


def _checked(plan: Plan, task: Sequence[int], answer: Answer) -> Mapping[int, Counts]:
    """The counts in *answer* to the batches *task* of *plan*.

    :raises AnswerError: *answer* is impossible.
    """
    if [number for number, _ in answer.counts] != [*task]:
        raise AnswerError(say("it belongs to other batches"))
    found = {number: data.counts for number, data in answer.counts}
    for number, counts in found.items():
        if counts.games != len(plan.games_of(number)):
            raise AnswerError(say("there is no such batch in the plan"))
        try:
            counts.check(len(plan.players))
        except ValueError as error:
            raise AnswerError(str(error)) from None
    return found


class _Tasks:
    """The batches still to be assigned, in tasks of the right size."""

    def __init__(self, plan: Plan, numbers: Iterable[int]) -> None:
        self._plan = plan
        self._numbers = iter(numbers)
        self._batch_seconds = TASK_SECONDS  # the first tasks have one batch
        self._next = 0

    def next(self, threads: int) -> tuple[int, ...] | None:
        """The next task; None when all are assigned. Tasks get smaller towards the end, so that all finish together."""
        fair = (self._plan.batches - self._next) // (2 * max(threads, 1))
        size = max(1, min(round(TASK_SECONDS / self._batch_seconds), fair, MOST_BATCHES))
        task = tuple(islice(self._numbers, size))
        self._next = task[-1] + 1 if task else self._plan.batches
        return task or None

    def call_of(self, task: tuple[int, ...]) -> tuple[Call, Sequence[Any]]:
        return play, (self._plan.as_data(), task)

    def note(self, seconds: float, batches: int) -> None:
        """Record that *batches* batches took *seconds* seconds."""
        self._batch_seconds = max(seconds / batches, TASK_SECONDS / MOST_BATCHES)


def play(data: Mapping[str, Any], numbers: Sequence[int]) -> Mapping[str, Any]:
    """Play the batches *numbers* of the plan in *data*; runs on a worker.

    Returns JSON data: the ``counts`` by batch, and the ``seconds`` that they took.

    :raises UnfitWorkerError: this worker would play differently.
    """
    try:
        plan = Plan.from_data(data)
        check_here(plan)
    except PlanError as error:
        raise UnfitWorkerError(str(error)) from None
    began = time.perf_counter()
    counts = [(number, batch(plan, number).as_data()) for number in numbers]
    return {"counts": counts, "seconds": time.perf_counter() - began}
