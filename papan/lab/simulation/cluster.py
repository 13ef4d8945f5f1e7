"""Batches on the workers of a dask.distributed scheduler (Rocklin, "Dask: Parallel Computation with Blocked algorithms
and Task Scheduling", 2015), which are other processes, here or on other machines.

A task is a handful of batches, as many as take a worker ``TASK_SECONDS``: so the scheduler has little to do however
quick the batches are. Only what is plain data travels: the plan and the numbers of batches to a worker, and counts
back. A worker that is killed loses the tasks that it had, and the scheduler gives them to others; what is counted does
not depend on who plays a batch.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from papan.game.base.foreign import quoted, shortened
from papan.game.base.sentences import Sentence, say
from papan.lab.simulation.batches import batch
from papan.lab.simulation.counts import Counts
from papan.lab.simulation.plan import Plan, PlanError, check_here
from papan.lab.simulation.running import PoolError

if TYPE_CHECKING:
    from distributed import Client, Future

TASK_SECONDS = 2.0
"""How long a task should take a worker."""
MOST_BATCHES = 512
"""Batches in a task, at most."""
TASKS_A_THREAD = 2
"""One that is played, and one that waits for it, so that no worker waits for this process."""
ROUND = 0.05
"""Seconds for which finished tasks are waited for, so that several are fetched, and written down, at once."""
LOOK_EVERY = 1.0
"""Seconds after which the workers are counted anew."""
FINISHED = "finished"
"""What dask calls a task of which there is a result."""
TLS = "tls"
"""How addresses begin where connections are encrypted."""
CONNECTING_SECONDS = 10.0
CLOSING_SECONDS = 1.0
WORKERLESS_SECONDS = 60.0
"""How long a scheduler may be without workers."""
MOST_DEATHS = 3
"""Times that a task may end several workers, each time as often as the scheduler allows, before it is given up."""


@dataclass(frozen=True)
class Security:
    """The files that prove who is who where a connection is encrypted (TLS); without any, dask's own settings hold."""

    ca_file: str | None = None
    """Certificates of those who are believed."""
    certificate: str | None = None
    """This side's certificate."""
    key: str | None = None
    """The key to it."""

    @property
    def is_given(self) -> bool:
        return any((self.ca_file, self.certificate, self.key))


class Cluster:
    """The workers of one scheduler."""

    def __init__(self, address: str, security: Security | None = None) -> None:
        """Connects to the scheduler at *address*, such as ``tcp://192.168.1.2:8786``, and waits until it has a worker.

        :raises PoolError: dask is not installed, nobody answers, or there are no workers.
        """
        self._address = address
        self._client = _connected(address, security or Security())
        self.tasks = 0
        """How many were given away so far."""
        self._threads = 0
        self._counted = self._had_workers = time.monotonic()
        try:
            while not self.count_threads():
                time.sleep(ROUND)
        except PoolError:
            self.close()
            raise

    def close(self) -> None:
        """Leave the scheduler; tasks that it still has are dropped."""
        self._client.close(timeout=CLOSING_SECONDS)

    def run(self, plan: Plan, numbers: Iterable[int]) -> Iterator[Mapping[int, Counts]]:
        tasks = _Tasks(plan, numbers)
        under_way: dict[Future, Sequence[int]] = {}
        finished: SimpleQueue[Future] = SimpleQueue()
        while True:
            while len(under_way) < TASKS_A_THREAD * self._threads and (task := tasks.next(self._threads)):
                with self._talking():
                    future = self._client.submit(play, plan.as_data(), task, pure=False)
                self.tasks += 1
                under_way[future] = task
                future.add_done_callback(finished.put)
            if not under_way and self._threads:
                return
            done = _all_of(finished)
            if played := [future for future in done if future.status == FINISHED]:
                yield self._fetch(tasks, played)
            for future in done:
                task = under_way.pop(future)
                if future.status != FINISHED:
                    self._see_failure(tasks, task, future)
            if time.monotonic() - self._counted > LOOK_EVERY:
                self.count_threads()

    def _fetch(self, tasks: _Tasks, done: Sequence[Future]) -> Mapping[int, Counts]:
        """What came of the tasks *done*."""
        with self._talking():
            answers = self._client.gather(done)
        for answer in answers:
            tasks.note(answer["seconds"], len(answer["counts"]))
        return {number: Counts.from_data(counts) for answer in answers for number, counts in answer["counts"]}

    def _see_failure(self, tasks: _Tasks, task: Sequence[int], future: Future) -> None:
        """See to *task*, which failed as *future*: if its workers were killed it is to be done again.

        :raises PoolError: it would fail again.
        """
        with self._talking():
            error = future.exception()
        if type(error).__name__ != "KilledWorker" or not tasks.again(task):
            raise PoolError(self._words(error))

    def count_threads(self) -> int:
        """Count the threads of all workers anew; returns how many there are.

        :raises PoolError: the scheduler is gone, or has had no workers for long.
        """
        with self._talking():
            self._threads = sum(self._client.nthreads().values())
        self._counted = now = time.monotonic()
        if self._threads:
            self._had_workers = now
        elif now - self._had_workers > WORKERLESS_SECONDS:
            raise PoolError(
                say(
                    "The scheduler at {address} has no workers: start some with {command}.",
                    address=quoted(self._address),
                    command=f"'dask worker {shortened(self._address)}'",
                )
            )
        return self._threads

    @contextmanager
    def _talking(self) -> Iterator[None]:
        """:raises PoolError: meanwhile the scheduler is lost."""
        from distributed.client import FutureCancelledError

        try:
            yield
        except (OSError, TimeoutError, FutureCancelledError, RuntimeError) as error:
            raise PoolError(self._lost) from error
        if self._client.status != "running":
            raise PoolError(self._lost)

    @property
    def _lost(self) -> str:
        return say(
            "The scheduler at {address} is gone. What was counted is kept: the same command goes on.",
            address=quoted(self._address),
        )

    def _words(self, error: BaseException | None) -> str:
        """What to say of a task that failed for *error*."""
        if isinstance(error, PlanError):
            return say("A worker can't play this: {reason}", reason=str(error))
        if isinstance(error, ModuleNotFoundError):
            return say("A worker has no {name}: install there what is installed here.", name=str(error.name))
        if type(error).__name__ == "KilledWorker":
            return say("A batch was given up, since its worker was killed again and again: does it have enough memory?")
        return say("A worker failed: {error}", error=f"{type(error).__name__}: {shortened(str(error))}")


class _Tasks:
    """The batches that are still to be given away, in tasks of the right size."""

    def __init__(self, plan: Plan, numbers: Iterable[int]) -> None:
        self._batches = plan.batches
        self._numbers = iter(numbers)
        self._again: list[Sequence[int]] = []
        self._deaths: dict[Sequence[int], int] = {}
        self._batch_seconds = TASK_SECONDS  # so that the first tasks are of one batch
        self._next = 0

    def next(self, threads: int) -> Sequence[int]:
        """The next task; empty when all are given away. Towards the end tasks are small, so that all end together."""
        if self._again:
            return self._again.pop()
        fair = (self._batches - self._next) // (2 * max(threads, 1))
        size = max(1, min(round(TASK_SECONDS / self._batch_seconds), fair, MOST_BATCHES))
        task = tuple(islice(self._numbers, size))
        self._next = task[-1] + 1 if task else self._batches
        return task

    def note(self, seconds: float, batches: int) -> None:
        """Take it that *batches* took a worker so many *seconds*."""
        self._batch_seconds = max(seconds / batches, TASK_SECONDS / MOST_BATCHES)

    def again(self, task: Sequence[int]) -> bool:
        """Give away *task*, which has ended workers, once more; False if that was done often enough."""
        self._deaths[task] = self._deaths.get(task, 0) + 1
        self._again.append(task)
        return self._deaths[task] < MOST_DEATHS


def play(data: Mapping[str, Any], numbers: Sequence[int]) -> Mapping[str, Any]:
    """What a worker does: the batches *numbers* of the plan of which ``as_data`` made *data*.

    Returns plain data: the ``counts`` by batch, and the ``seconds`` that they took.

    :raises PlanError: the worker would play it otherwise.
    """
    plan = Plan.from_data(data)
    check_here(plan)
    began = time.perf_counter()
    counts = [(number, batch(plan, number).as_data()) for number in numbers]
    return {"counts": counts, "seconds": time.perf_counter() - began}


def _connected(address: str, security: Security) -> Client:
    """A connection to the scheduler at *address*.

    :raises PoolError: dask is not installed, or nobody answers there.
    """
    try:
        import distributed
    except ImportError:
        raise PoolError(
            say(
                "For a cluster, {library} is needed: install it with {command}.",
                library="dask",
                command="'pip install distributed'",
            )
        ) from None
    _hush()
    try:
        host, port = _host_and_port(address)
        proofs = _proofs(address, security)
        # Where nobody is, or somebody who speaks otherwise, a client would try for long.
        socket.create_connection((host, port), CONNECTING_SECONDS).close()
        asyncio.run(_greet(address, proofs))
        return distributed.Client(address, timeout=CONNECTING_SECONDS, set_as_default=False, security=proofs)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        reason: str = next((said for said in error.args if isinstance(said, Sentence)), "")
        if not reason:
            reason = shortened(getattr(error, "strerror", None) or str(error.__cause__ or error)).strip().rstrip(".")
        raise PoolError(
            say(
                "No scheduler answers at {address}: {reason}.",
                address=quoted(address),
                reason=reason or type(error).__name__,
            )
        ) from None


async def _greet(address: str, proofs: Any) -> None:
    """Exchange greetings with the scheduler at *address*.

    :raises OSError: it does not answer as one does.
    """
    from distributed.comm import connect

    greeted = await asyncio.wait_for(connect(address, **proofs.get_connection_args("client")), CONNECTING_SECONDS)
    await greeted.close()


def _host_and_port(address: str) -> tuple[str, int]:
    """Where *address* is.

    :raises ValueError: it is none.
    """
    found = urlsplit(address)
    if found.scheme not in ("tcp", TLS) or not found.hostname or not found.port:
        raise ValueError(say("an address is such as tcp://192.168.1.2:8786 or tls://192.168.1.2:8786"))
    return found.hostname, found.port


def _proofs(address: str, security: Security) -> Any:
    """*security* as dask has it, or what dask's own settings say.

    :raises OSError: a file can't be read, or is no certificate or key.
    :raises ValueError: a file is missing.
    """
    import distributed

    files = {
        "tls_ca_file": security.ca_file,
        "tls_client_cert": security.certificate,
        "tls_client_key": security.key,
    }
    is_encrypted = urlsplit(address).scheme == TLS
    if security.is_given and not is_encrypted:
        raise ValueError(say("certificates are for an address that begins with tls://"))
    proofs = distributed.Security(**({"require_encryption": True, **files} if security.is_given else {}))
    if is_encrypted and proofs.get_connection_args("client").get("ssl_context") is None:
        raise ValueError(say("tls:// needs --tls-ca-file, --tls-cert and --tls-key"))
    return proofs


def _all_of(finished: SimpleQueue[Future]) -> Sequence[Future]:
    """The tasks that end within a ``ROUND``; none, if none does."""
    try:
        done = [finished.get(timeout=ROUND)]
    except Empty:
        return []
    while not finished.empty():
        done.append(finished.get())
    return done


def _hush() -> None:
    """Keep dask from writing to the terminal what is told here in a sentence."""
    for name in ("distributed", "distributed.client", "tornado"):  # those that have levels of their own
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
