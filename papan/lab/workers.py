"""Work on the workers of a dask.distributed scheduler (Rocklin, "Dask: Parallel Computation with Blocked algorithms
and Task Scheduling", 2015), which are other processes, here or on other machines.

Only what is plain data travels. A worker that is killed loses the tasks that it had, and the scheduler gives them to
others: so what comes of a task must not depend on who does it.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar
from urllib.parse import urlsplit

from msgspec import Meta

from papan.game.base.foreign import UnreadableError, quoted, read_file, shortened
from papan.game.base.sentences import Sentence, say, unended
from papan.game.base.typed import FaultError, converted

if TYPE_CHECKING:
    from distributed import Client, Future

TASKS_A_THREAD = 2
"""One that is done, and one that waits for it, so that no worker waits for this process."""
_OTHER_HOST = (62, 64)
"""OpenSSL's numbers of a certificate that is for another name, and for another address."""
_MOST_CERTIFICATE = 1 << 20
"""Bytes of a file with certificates."""
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
FIRST_WORKER_SECONDS = 10.0
"""How long a scheduler's first worker is waited for."""
WORKERLESS_SECONDS = 60.0
"""How long a scheduler may be without workers once it had some: others may be on their way."""
MOST_DEATHS = 3
"""Times that a task may end several workers, each time as often as the scheduler allows, before it is given up."""

T = TypeVar("T", bound=Hashable)
A = TypeVar("A")


class PoolError(Exception):
    """Work can't be done where it was to be, or not any more; the message is a sentence that says why."""


class AnswerError(PoolError):
    """A worker has sent what can't be right; nothing of it is to be counted."""

    def __init__(self, reason: str) -> None:
        """:param reason: what is wrong, as a part of a sentence."""
        super().__init__(
            say(
                "A worker sent an invalid answer, which was discarded: {reason}.",
                reason=shortened(reason),
            )
        )


class UnfitWorkerError(Exception):
    """A worker would do a task otherwise than it would be done here; the message is a sentence that says why."""


Seconds = Annotated[float, Meta(ge=0, le=1e9)]


def answer_as(given: Any, kind: type[A]) -> A:
    """What a worker has *given*, as a *kind* of plain data.

    :raises AnswerError: it is none.
    """
    try:
        return converted(given, kind)
    except FaultError as error:
        raise AnswerError(str(error)) from None


Call = Callable[..., Any]
"""What a worker does: a function that it finds in its module, of plain data."""


class Tasks(Protocol[T]):
    """What is to be given away."""

    def next(self, threads: int) -> T | None:
        """The next task, where there are so many *threads* to do it; None when all are given away."""

    def call_of(self, task: T) -> tuple[Call, Sequence[Any]]:
        """What a worker calls for *task*, and with what."""


@dataclass(frozen=True)
class Security:
    """The files that prove who is who where a connection is encrypted (TLS); without any, dask's own settings hold."""

    ca_file: str | None = None
    """Certificates of those who are believed."""
    certificate: str | None = None
    """This side's certificate."""
    key: str | None = None
    """Private key of the client certificate."""
    host: str | None = None
    """The name that the scheduler's certificate is for, where that is another than the address has."""

    @property
    def is_given(self) -> bool:
        return any((self.ca_file, self.certificate, self.key, self.host))


class Workers:
    """The workers of one scheduler."""

    def __init__(self, address: str, security: Security | None = None, patience: float = FIRST_WORKER_SECONDS) -> None:
        """Connects to the scheduler at *address*, such as ``tcp://192.168.1.2:8786``, and waits until it has a worker.

        :param patience: for so many seconds.
        :raises PoolError: dask is not installed, nobody answers, or there are no workers.
        """
        self._address = address
        self._client = _connected(address, security or Security())
        self.tasks = 0
        """How many were given away so far."""
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
        """Leave the scheduler; tasks that it still has are dropped."""
        self._client.close(timeout=CLOSING_SECONDS)

    def carry_out(self, tasks: Tasks[T]) -> Iterator[Sequence[tuple[T, Any]]]:
        """Have all *tasks* done; yield those that are finished with what came of them, in any order.

        :raises PoolError: they can't be done.
        """
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
        """What came of the tasks *done*.

        :raises AnswerError: it can't be read here.
        """
        try:
            return list(self._client.gather(done))
        except (OSError, TimeoutError, RuntimeError):
            raise
        except Exception as error:
            raise AnswerError(_named(error)) from None

    def _give_away(self, tasks: Tasks[T], task: T, finished: SimpleQueue[Future]) -> Future:
        """Have a worker do *task*; what comes of it is put into *finished*."""
        function, given = tasks.call_of(task)
        with self._talking():
            future = self._client.submit(function, *given, pure=False)
        self.tasks += 1
        future.add_done_callback(finished.put)
        return future

    def _see_failure(self, future: Future, *, is_last: bool) -> None:
        """See why the task of *future* failed: if its workers were killed it can be done again, unless that *is_last*.

        :raises PoolError: it would fail again.
        """
        with self._talking():
            error = future.exception()
        if type(error).__name__ != "KilledWorker" or is_last:
            raise PoolError(_words(error))

    def count_threads(self) -> int:
        """Count the threads of all workers anew; returns how many there are.

        :raises PoolError: the scheduler is gone, or has had no workers for long.
        """
        with self._talking():
            self._threads = sum(self._client.nthreads().values())
        self._counted = now = time.monotonic()
        if self._threads:
            self._had_workers, self._patience = now, WORKERLESS_SECONDS
        elif now - self._had_workers > self._patience:
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
            "The scheduler at {address} is gone. The results so far are saved: the same command continues.",
            address=quoted(self._address),
        )


def _words(error: BaseException | None) -> str:
    """What to say of a task that failed for *error*."""
    if isinstance(error, UnfitWorkerError):
        return say("A worker can't do this: {reason}", reason=shortened(str(error)))
    if isinstance(error, ModuleNotFoundError):
        return say("A worker lacks {name}: install the same packages there as here.", name=shortened(str(error.name)))
    if type(error).__name__ == "KilledWorker":
        return say("A task was given up because its worker was killed again and again: does it have enough memory?")
    return say("A worker failed: {error}", error=_named(error))


def _named(error: BaseException | None) -> str:
    """The name of *error*, which may be anything, and what it says."""
    try:
        said = str(error)
    except Exception:
        said = "?"
    return shortened(f"{type(error).__name__}: {said}")


def _connected(address: str, security: Security) -> Client:
    """A connection to the scheduler at *address*.

    :raises PoolError: dask is not installed, or nobody answers there.
    """
    try:
        import distributed
    except ImportError:
        raise PoolError(
            say(
                "A cluster needs {library}: install it with {command}.",
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
        if getattr(error.__cause__, "verify_code", None) in _OTHER_HOST:  # the packed program has no module ssl
            name = security.host or urlsplit(address).hostname or ""
            reason = say(
                "its certificate is not valid for {name}; give the host name in it with --tls-host", name=quoted(name)
            )
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
        raise ValueError(say("an address looks like tcp://192.168.1.2:8786 or tls://192.168.1.2:8786"))
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
        raise ValueError(say("certificates need an address that begins with tls://"))
    has_files = any(files.values())
    for file in filter(None, files.values()):  # OpenSSL would wait for a pipe, and read a device for ever
        try:
            read_file(Path(file), _MOST_CERTIFICATE)
        except UnreadableError as error:
            raise ValueError(unended(str(error))) from None

    class Proofs(distributed.Security):  # type: ignore[misc]
        """Which see that who answers is whom the certificate names; dask believes everybody that the authority does."""

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
