"""Running a plan: playing the batches that are left, on threads or a cluster, and storing their counts."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import msgspec

from papan.game.base.sentences import say
from papan.game.base.typed import FaultError, Whole, converted
from papan.lab.files import data_place
from papan.lab.journal import Form, Journal
from papan.lab.simulation.batches import Batches, StoppedError, batch, batches_of
from papan.lab.simulation.counts import Counts, CountsData
from papan.lab.simulation.plan import Plan, PlanError, check_here
from papan.lab.workers import AnswerError, Call, Seconds, UnfitWorkerError, Workers, answer_as


class Pool(Protocol):
    """Runs batches: on threads of this process, or on a cluster."""

    def run(self, plan: Plan, numbers: Iterable[int]) -> Iterator[Mapping[int, Counts]]:
        """Run the batches *numbers* of *plan*; yield the counts of finished ones, in any order.

        *numbers* is consumed lazily: there may be more than fit into memory.

        :raises PoolError: they can't be run.
        """


class Threads:
    """Threads of this process: compiled games run without Python's global lock."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._made: list[Batches] = []
        self._is_stopped = False

    def stop(self) -> None:
        """End ``run``, from any thread; unfinished batches are not counted."""
        self._is_stopped = True
        for batches in list(self._made):
            batches.stop()

    def run(self, plan: Plan, numbers: Iterable[int]) -> Iterator[Mapping[int, Counts]]:
        waiting = iter(numbers)
        executor = ThreadPoolExecutor(self._jobs, "simulation")
        own = threading.local()

        def play(number: int) -> Counts:
            if not hasattr(own, "batches"):
                own.batches = batches_of(plan)
                self._made.append(own.batches)
            if self._is_stopped:
                raise StoppedError
            batches: Batches = own.batches
            return batches.play(number)

        try:
            under_way: dict[Future[Counts], int] = {}
            while True:
                # One batch in reserve for each thread, so that none waits for this thread.
                for number in islice(waiting, 2 * self._jobs - len(under_way)):
                    under_way[executor.submit(play, number)] = number
                if not under_way:
                    return
                done = wait(under_way, return_when=FIRST_COMPLETED).done
                yield {under_way.pop(future): future.result() for future in done}
        except StoppedError:
            return
        finally:
            self.stop()
            executor.shutdown(cancel_futures=True)


class Finished:
    """The numbers of finished batches, stored compactly: nearly all are below the first unfinished one."""

    def __init__(self) -> None:
        self.first_open = 0
        self._beyond: set[int] = set()

    def add(self, number: int) -> bool:
        """Mark the batch *number* as finished; return whether it was not before."""
        if number < self.first_open or number in self._beyond:
            return False
        self._beyond.add(number)
        while self.first_open in self._beyond:
            self._beyond.remove(self.first_open)
            self.first_open += 1
        return True

    def open_below(self, end: int) -> Iterator[int]:
        """The numbers below *end* that are unfinished at the time of the call."""
        beyond = set(self._beyond)
        return (number for number in range(self.first_open, end) if number not in beyond)


def run(
    plan: Plan, store: Journal[Plan, Batch], pool: Pool, tell: Callable[[Counts], None] = lambda counts: None
) -> Counts:
    """Play the batches of *plan* that *store* lacks, in *pool*; return the counts of all.

    :param tell: called with the counts so far, at the start and after each batch.
    :raises OutputError: the counts can't be written.
    :raises PoolError: *pool* can't continue.
    """
    total = Counts.of_seats(len(plan.players))
    finished = Finished()
    for found in store.entries():
        if finished.add(found.batch):
            total.add(found.counts.counts)
    tell(total)
    for played in pool.run(plan, finished.open_below(plan.batches)):
        keep(store, played)
        for number, counts in played.items():
            finished.add(number)
            total.add(counts)
            tell(total)
    return total


class Clock:
    """The progress and speed of a simulation."""

    def __init__(self, games: int) -> None:
        self._games = games
        self._began = time.perf_counter()
        self._before: int | None = None
        self._done = 0

    def tell(self, counts: Counts) -> None:
        """Update the progress; the first call sets the starting point."""
        if self._before is None:
            self._began = time.perf_counter()
            self._before = counts.games
        self._done = counts.games

    @property
    def seconds(self) -> float:
        """Seconds since the first batch started."""
        return time.perf_counter() - self._began

    @property
    def rate(self) -> float:
        """Games a second in this run."""
        played = self._done - (self._before or 0)
        return played / self.seconds if played else 0.0

    @property
    def share(self) -> float:
        return self._done / self._games

    @property
    def seconds_left(self) -> float | None:
        """Estimated seconds until all are played; None if unknown."""
        return (self._games - self._done) / self.rate if self.rate else None


TASK_SECONDS = 2.0
MOST_BATCHES = 512


class Cluster:
    """A pool that runs batches on *workers*; a task is as many as take a worker about ``TASK_SECONDS``.

    So the scheduler's load stays low. A worker gets the plan and the numbers of batches, and returns counts.
    """

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
    if [number for number, _ in answer.counts] != [*task]:
        raise AnswerError(say("it belongs to other batches"))
    found = {number: data.counts for number, data in answer.counts}
    try:
        for number, counts in found.items():
            _check_batch(plan, number, counts)
    except FaultError as error:
        raise AnswerError(str(error)) from None
    return found


def _check_batch(plan: Plan, number: int, counts: Counts) -> None:
    if number >= plan.batches or counts.games != len(plan.games_of(number)):
        raise FaultError.saying("there is no such batch in the plan")
    counts.check(len(plan.players))


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
        return play, (asdict(self._plan), task)

    def note(self, seconds: float, batches: int) -> None:
        self._batch_seconds = max(seconds / batches, TASK_SECONDS / MOST_BATCHES)


def play(data: Mapping[str, Any], numbers: Sequence[int]) -> Mapping[str, Any]:
    """Play the batches *numbers* of the plan in *data*; runs on a worker.

    Returns JSON data: the ``counts`` by batch, and the ``seconds`` that they took.

    :raises UnfitWorkerError: this worker would play differently.
    """
    try:
        plan = converted(data, Plan)
        check_here(plan)
    except PlanError as error:
        raise UnfitWorkerError(str(error)) from None
    began = time.perf_counter()
    counts = [(number, batch(plan, number).as_data()) for number in numbers]
    return {"counts": counts, "seconds": time.perf_counter() - began}


class Batch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    batch: Whole
    counts: CountsData


JOURNAL: Form[Plan, Batch] = Form(
    "simulation",
    1,
    plan=Plan,
    entry=Batch,
    checks=lambda plan: lambda found: _check_batch(plan, found.batch, found.counts.counts),
    passes_over_damage=True,
)


def usual_place(plan: Plan) -> Path:
    """The default file for the results of *plan* until it is finished."""
    return data_place("simulations") / f"{plan.digest}.jsonl"


def open_store(plan: Plan, path: Path, *, only_reads: bool = False) -> Journal[Plan, Batch]:
    """The journal of *plan* in the file *path*: a line for each finished batch. For errors see ``Journal``.

    A kill loses only the unfinished batches. Damaged lines are skipped, and their batches played again.
    """
    return Journal(path, JOURNAL, plan, only_reads=only_reads)


def keep(store: Journal[Plan, Batch], played: Mapping[int, Counts]) -> None:
    """Write the counts of batches, by their numbers."""
    store.add(*({"batch": number, "counts": counts.as_data()} for number, counts in played.items()))
