"""Running a plan: playing the batches that are left in a ``Pool``, and storing their counts."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import Protocol

from papan.lab.simulation.batches import Batches, StoppedError, batches_of
from papan.lab.simulation.counts import Counts
from papan.lab.simulation.plan import Plan
from papan.lab.simulation.store import Store


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


def run(plan: Plan, store: Store, pool: Pool, tell: Callable[[Counts], None] = lambda counts: None) -> Counts:
    """Play the batches of *plan* that *store* lacks, in *pool*; return the counts of all.

    :param tell: called with the counts so far, at the start and after each batch.
    :raises OutputError: the counts can't be written.
    :raises PoolError: *pool* can't continue.
    """
    total = Counts.of_seats(len(plan.players))
    finished = Finished()
    for number, counts in store.finished():
        if finished.add(number):
            total.add(counts)
    tell(total)
    for played in pool.run(plan, finished.open_below(plan.batches)):
        store.keep(played)
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
        """The share of games played."""
        return self._done / self._games

    @property
    def seconds_left(self) -> float | None:
        """Estimated seconds until all are played; None if unknown."""
        return (self._games - self._done) / self.rate if self.rate else None
