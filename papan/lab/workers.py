"""Running tasks on the workers of a dask.distributed scheduler (Rocklin, "Dask: Parallel Computation with Blocked
algorithms and Task Scheduling", 2015), here or on other machines.

Only plain data travels. If a worker is killed, the scheduler gives its tasks to others, so a task's result must not
depend on the worker.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar
from urllib.parse import urlsplit

from msgspec import Meta

from papan.game.base.sentences import Sentence, SentenceError, say, unended
from papan.game.base.typed import FaultError, converted
from papan.game.base.untrusted import UnreadableError, quoted, read_file, shortened

if TYPE_CHECKING:
    from distributed import Client, Future

TASKS_A_THREAD = 2
"""One running and one in reserve, so that no worker waits for this process."""
_OTHER_HOST = (62, 64)
"""OpenSSL's error numbers for a certificate of another host name or address."""
_MOST_CERTIFICATE = 1 << 20
"""The largest certificate file, in bytes."""
ROUND = 0.05
"""Seconds to wait for finished tasks, so that several are fetched and written at once."""
LOOK_EVERY = 1.0
"""Seconds between two counts of the workers."""
FINISHED = "finished"
"""Dask's status of a task with a result."""
TLS = "tls"
"""The scheme of encrypted addresses."""
CONNECTING_SECONDS = 10.0
CLOSING_SECONDS = 1.0
FIRST_WORKER_SECONDS = 10.0
"""Time limit for a scheduler's first worker."""
WORKERLESS_SECONDS = 60.0
"""How long a scheduler may be without workers after it had some."""
MOST_DEATHS = 3
"""Failures of a task by killed workers, each after the scheduler's own retries, before it is given up."""

T = TypeVar("T", bound=Hashable)
A = TypeVar("A")


class PoolError(SentenceError):
    """A pool can't run work, or can't continue; the message is a sentence that says why."""


class AnswerError(PoolError):
    """A worker sent an invalid answer, which is discarded."""

    def __init__(self, reason: str) -> None:
        """:param reason: what is wrong, as a part of a sentence."""
        super().__init__(
            say("A worker sent an invalid answer, which was discarded: {reason}.", reason=shortened(reason))
        )


class UnfitWorkerError(SentenceError):
    """A worker would compute a task differently; the message is a sentence that says why."""


Seconds = Annotated[float, Meta(ge=0, le=1e9)]


def answer_as(given: Any, kind: type[A]) -> A:
    """A worker's answer *given*, converted to *kind*."""
    try:
        return converted(given, kind)
    except FaultError as error:
        raise AnswerError(str(error)) from None


Call = Callable[..., Any]
"""A module-level function of plain data that a worker calls."""


class Tasks(Protocol[T]):
    """The tasks to assign to workers."""

    def next(self, threads: int) -> T | None:
        """The next task, given the workers' number of *threads*; None when all are assigned."""

    def call_of(self, task: T) -> tuple[Call, Sequence[Any]]:
        """The function that a worker calls for *task*, and its arguments."""


@dataclass(frozen=True)
class Security:
    """The certificates of an encrypted connection (TLS); without any, dask's own settings apply."""

    ca_file: str | None = None
    """Trusted certificate authorities."""
    certificate: str | None = None
    """This side's certificate."""
    key: str | None = None
    """Private key of the client certificate."""
    host: str | None = None
    """The host name in the scheduler's certificate, if it differs from the address."""


class Workers:
    """The workers of one scheduler."""

    def __init__(self, address: str, security: Security | None = None, patience: float = FIRST_WORKER_SECONDS) -> None:
        """Connect to the scheduler at *address*, such as ``tcp://192.168.1.2:8786``, and wait until it has a worker.

        :param patience: seconds to wait.
        :raises PoolError: dask is not installed, the scheduler does not answer, or it has no workers.
        """
        self._address = address
        self._client = _connected(address, security or Security())
        self.tasks = 0
        """The number of tasks assigned so far."""
        self._threads = 0
        self._patience = patience
        self._counted = self._had_workers = time.monotonic()
        try:
            while not self.count_threads():
                time.sleep(ROUND)
        except PoolError:
            self.close()
            raise

    def close(self) -> None:
        """Disconnect; unfinished tasks are dropped."""
        self._client.close(timeout=CLOSING_SECONDS)

    def carry_out(self, tasks: Tasks[T]) -> Iterator[Sequence[tuple[T, Any]]]:
        """Run all *tasks*; yield finished ones with their results, in any order."""
        under_way: dict[Future, T] = {}
        finished: SimpleQueue[Future] = SimpleQueue()
        again: list[T] = []
        deaths: Counter[T] = Counter()
        while True:
            while len(under_way) < TASKS_A_THREAD * self._threads:
                task = again.pop() if again else tasks.next(self._threads)
                if task is None:
                    break
                under_way[self._give_away(tasks, task, finished)] = task
            if not under_way and self._threads:
                return
            ended = _all_of(finished)
            done = {future: under_way[future] for future in ended if future.status == FINISHED}
            if done:
                with self._talking():
                    answers = self._gathered(list(done))
                yield list(zip(done.values(), answers, strict=True))
            for future in ended:
                task = under_way.pop(future)
                if future.status != FINISHED:
                    deaths[task] += 1
                    self._see_failure(future, is_last=deaths[task] >= MOST_DEATHS)
                    again.append(task)
            if time.monotonic() - self._counted > LOOK_EVERY:
                self.count_threads()

    def _gathered(self, done: list[Future]) -> list[Any]:
        try:
            return list(self._client.gather(done))
        except (OSError, TimeoutError, RuntimeError):
            raise
        except Exception as error:
            raise AnswerError(_named(error)) from None

    def _give_away(self, tasks: Tasks[T], task: T, finished: SimpleQueue[Future]) -> Future:
        """Submit *task*; its future is put into *finished* when it ends."""
        function, given = tasks.call_of(task)
        with self._talking():
            future = self._client.submit(function, *given, pure=False)
        self.tasks += 1
        future.add_done_callback(finished.put)
        return future

    def _see_failure(self, future: Future, *, is_last: bool) -> None:
        """Check why the task of *future* failed: if its workers were killed, it can be repeated unless *is_last*."""
        with self._talking():
            error = future.exception()
        if type(error).__name__ != "KilledWorker" or is_last:
            raise PoolError(_words(error))

    def count_threads(self) -> int:
        """Count and return the threads of all workers.

        :raises PoolError: the scheduler does not answer any more, or has had no workers for too long.
        """
        with self._talking():
            self._threads = sum(self._client.nthreads().values())
        self._counted = now = time.monotonic()
        if self._threads:
            self._had_workers, self._patience = now, WORKERLESS_SECONDS
        elif now - self._had_workers > self._patience:
            raise PoolError.saying(
                "The scheduler at {address} has no workers: start some with {command}.",
                address=quoted(self._address),
                command=f"'dask worker {shortened(self._address)}'",
            )
        return self._threads

    @contextmanager
    def _talking(self) -> Iterator[None]:
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
            "The scheduler at {address} is gone. The results so far are saved: the same command continues.",
            address=quoted(self._address),
        )


def _words(error: BaseException | None) -> str:
    if isinstance(error, UnfitWorkerError):
        return say("A worker can't do this: {reason}", reason=shortened(str(error)))
    if isinstance(error, ModuleNotFoundError):
        return say("A worker lacks {name}: install the same packages there as here.", name=shortened(str(error.name)))
    if type(error).__name__ == "KilledWorker":
        return say("A task was given up because its worker was killed again and again: does it have enough memory?")
    return say("A worker failed: {error}", error=_named(error))


def _named(error: BaseException | None) -> str:
    try:
        said = str(error)
    except Exception:
        said = "?"
    return shortened(f"{type(error).__name__}: {said}")


def _connected(address: str, security: Security) -> Client:
    try:
        import distributed
    except ImportError:
        how = "'pip install distributed'"
        raise PoolError.saying(
            "A cluster needs {library}: install it with {command}.", library="dask", command=how
        ) from None
    for name in ("distributed", "distributed.client", "tornado"):  # loggers with their own levels
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # errors are reported as sentences instead
    try:
        host, port = _host_and_port(address)
        proofs = _proofs(address, security)
        # Checked first: a client would keep trying if nothing, or another program, listens there.
        socket.create_connection((host, port), CONNECTING_SECONDS).close()
        asyncio.run(_greet(address, proofs))
        return distributed.Client(address, timeout=CONNECTING_SECONDS, set_as_default=False, security=proofs)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        reason: str = next((said for said in error.args if isinstance(said, Sentence)), "")
        if getattr(error.__cause__, "verify_code", None) in _OTHER_HOST:  # the packed program has no module ssl
            name = security.host or urlsplit(address).hostname or ""
            reason = say(
                "its certificate is not valid for {name}; give the host name in it with --tls-host", name=quoted(name)
            )
        if not reason:
            reason = shortened(getattr(error, "strerror", None) or str(error.__cause__ or error)).strip().rstrip(".")
        reason = reason or type(error).__name__
        raise PoolError.saying(
            "No scheduler answers at {address}: {reason}.", address=quoted(address), reason=reason
        ) from None


async def _greet(address: str, proofs: Any) -> None:
    from distributed.comm import connect

    greeted = await asyncio.wait_for(connect(address, **proofs.get_connection_args("client")), CONNECTING_SECONDS)
    await greeted.close()


def _host_and_port(address: str) -> tuple[str, int]:
    found = urlsplit(address)
    if found.scheme not in ("tcp", TLS) or not found.hostname or not found.port:
        raise ValueError(say("an address looks like tcp://192.168.1.2:8786 or tls://192.168.1.2:8786"))
    return found.hostname, found.port


def _proofs(address: str, security: Security) -> Any:
    """*security* as dask's ``Security``, or dask's own settings."""
    import distributed

    files = {
        "tls_ca_file": security.ca_file,
        "tls_client_cert": security.certificate,
        "tls_client_key": security.key,
    }
    is_encrypted = urlsplit(address).scheme == TLS
    if security != Security() and not is_encrypted:
        raise ValueError(say("certificates need an address that begins with tls://"))
    has_files = any(files.values())
    for file in filter(None, files.values()):  # OpenSSL would hang on a pipe or device
        try:
            read_file(Path(file), _MOST_CERTIFICATE)
        except UnreadableError as error:
            raise ValueError(unended(str(error))) from None

    class Proofs(distributed.Security):  # type: ignore[misc]
        """Checks the host name in the certificate; dask accepts any certificate of the authority."""

        def get_connection_args(self, role: str) -> dict[str, Any]:
            arguments: dict[str, Any] = super().get_connection_args(role)
            if arguments.get("ssl_context") is not None:
                arguments["ssl_context"].check_hostname = True
                if security.host:
                    arguments["server_hostname"] = security.host
            return arguments

    proofs = Proofs(**({"require_encryption": True, **files} if has_files else {}))
    if is_encrypted and proofs.get_connection_args("client").get("ssl_context") is None:
        raise ValueError(say("tls:// needs --tls-ca-file, --tls-cert and --tls-key"))
    return proofs


def _all_of(finished: SimpleQueue[Future]) -> Sequence[Future]:
    """The tasks that end within a ``ROUND``, if any."""
    done: list[Future] = []
    with suppress(Empty):
        done.append(finished.get(timeout=ROUND))
        while True:
            done.append(finished.get_nowait())
    return done
