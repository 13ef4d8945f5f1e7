"""Batches on the workers of a scheduler.

A task is a handful of batches, as many as take a worker ``TASK_SECONDS``: so the scheduler has little to do however
quick the batches are. The plan and the numbers of batches go to a worker, and counts come back.
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
"""How long a task should take a worker."""
MOST_BATCHES = 512
"""Batches in a task, at most."""


class Cluster:
    """Where batches are run: *workers*."""

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
    """What comes of a task."""

    counts: list[tuple[int, CountsData]]
    """By the number of each of its batches."""
    seconds: Seconds


def _checked(plan: Plan, task: Sequence[int], answer: Answer) -> Mapping[int, Counts]:
    """What was counted in the batches *task* of *plan*.

    :raises AnswerError: *answer* can't be right.
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
    """The batches that are still to be given away, in tasks of the right size."""

    def __init__(self, plan: Plan, numbers: Iterable[int]) -> None:
        self._plan = plan
        self._numbers = iter(numbers)
        self._batch_seconds = TASK_SECONDS  # so that the first tasks are of one batch
        self._next = 0

    def next(self, threads: int) -> tuple[int, ...] | None:
        """The next task; None when all are given away. Towards the end tasks are small, so that all end together."""
        fair = (self._plan.batches - self._next) // (2 * max(threads, 1))
        size = max(1, min(round(TASK_SECONDS / self._batch_seconds), fair, MOST_BATCHES))
        task = tuple(islice(self._numbers, size))
        self._next = task[-1] + 1 if task else self._plan.batches
        return task or None

    def call_of(self, task: tuple[int, ...]) -> tuple[Call, Sequence[Any]]:
        return play, (self._plan.as_data(), task)

    def note(self, seconds: float, batches: int) -> None:
        """Take it that *batches* took a worker so many *seconds*."""
        self._batch_seconds = max(seconds / batches, TASK_SECONDS / MOST_BATCHES)


def play(data: Mapping[str, Any], numbers: Sequence[int]) -> Mapping[str, Any]:
    """What a worker does: the batches *numbers* of the plan of which ``as_data`` made *data*.

    Returns plain data: the ``counts`` by batch, and the ``seconds`` that they took.

    :raises UnfitWorkerError: the worker would play it otherwise.
    """
    try:
        plan = Plan.from_data(data)
        check_here(plan)
    except PlanError as error:
        raise UnfitWorkerError(str(error)) from None
    began = time.perf_counter()
    counts = [(number, batch(plan, number).as_data()) for number in numbers]
    return {"counts": counts, "seconds": time.perf_counter() - began}
