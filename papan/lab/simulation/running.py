"""Running a plan: which batches are left, who plays them, what is kept of them.

Where batches are run is a ``Pool``: here threads of this process; anything else that takes a plan, which is plain data,
and the numbers of batches, and brings their counts in any order, will do as well.
"""

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
    """Where batches are run."""

    def run(self, plan: Plan, numbers: Iterable[int]) -> Iterator[Mapping[int, Counts]]:
        """Run the batches *numbers* of *plan*; yield those that are finished with their counts, in any order.

        *numbers* are asked for as there is somebody to play them: there may be more than fit into memory.

        :raises PoolError: they can't be run.
        """


class Threads:
    """Threads of this process: compiled games run without Python's global lock."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._made: list[Batches] = []
        self._is_stopped = False

    def stop(self) -> None:
        """Have ``run`` end, from any thread: what is being played is given up, and not counted."""
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
                # One more for each thread, so that none waits for this one.
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
    """The numbers of the batches that are finished, in little memory: nearly all are below the first that is not."""

    def __init__(self) -> None:
        self.first_open = 0
        self._beyond: set[int] = set()

    def add(self, number: int) -> bool:
        """Count the batch *number* as finished; whether it was not before."""
        if number < self.first_open or number in self._beyond:
            return False
        self._beyond.add(number)
        while self.first_open in self._beyond:
            self._beyond.remove(self.first_open)
            self.first_open += 1
        return True

    def open_below(self, end: int) -> Iterator[int]:
        """The numbers below *end* that were not finished when this was asked."""
        beyond = set(self._beyond)
        return (number for number in range(self.first_open, end) if number not in beyond)


def run(plan: Plan, store: Store, pool: Pool, tell: Callable[[Counts], None] = lambda counts: None) -> Counts:
    """Play what *store* does not hold of *plan* yet, by *pool*; returns the counts of all.

    :param tell: told the counts so far, once at the beginning and after each batch: what is drawn of them does not
        depend on how many batches are done by the time somebody looks.
    :raises OutputError: what was counted can't be written.
    :raises PoolError: *pool* can't go on.
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
    """How many games were played since the beginning, and how many a second."""

    def __init__(self, games: int) -> None:
        self._games = games
        self._began = time.perf_counter()
        self._before: int | None = None
        self._done = 0

    def tell(self, counts: Counts) -> None:
        """Note what is counted by now; the first time, what was counted before."""
        if self._before is None:
            self._began = time.perf_counter()
            self._before = counts.games
        self._done = counts.games

    @property
    def seconds(self) -> float:
        """Since the first batch was begun."""
        return time.perf_counter() - self._began

    @property
    def rate(self) -> float:
        """Games a second, those left out that had been played before."""
        played = self._done - (self._before or 0)
        return played / self.seconds if played else 0.0

    @property
    def share(self) -> float:
        """Of all games those that are played."""
        return self._done / self._games

    @property
    def seconds_left(self) -> float | None:
        """Until all are played; None where nothing tells."""
        return (self._games - self._done) / self.rate if self.rate else None
