"""Computing the pieces of an experiment: on threads of this process, or on the workers of a scheduler."""

from __future__ import annotations

import json
import time
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from typing import Any, NamedTuple, Protocol

from papan.game.base.sentences import say
from papan.game.base.typed import FaultError, converted
from papan.game.base.version import VERSION
from papan.lab.workers import AnswerError, Call, Seconds, UnfitWorkerError, Workers, answer_as
from papan.research.reproduction.experiment import Asked, Experiment, Found, Piece, find


class Done(NamedTuple):
    """The result of a piece."""

    piece: str
    """The piece's name."""
    found: Any
    """JSON data."""
    seconds: float
    """Processor time."""


class Pool(Protocol):
    """Computes pieces."""

    def run(
        self, experiment: Experiment, asked: Asked, stage: Sequence[Piece], found: Found
    ) -> Generator[Done, None, None]:
        """Compute the independent pieces *stage*; yield finished ones, in any order.

        :param found: the results of the stages before.
        :raises papan.lab.workers.PoolError: they can't be computed.
        """


def compute(experiment: Experiment, piece: Piece, asked: Asked, found: Found, *, is_alone: bool) -> Done:
    """Compute *piece* in this thread.

    :param is_alone: whether it is the only piece of its stage, and so may start threads.
    """
    clock = time.process_time if is_alone else time.thread_time
    began = clock()
    answer = json.loads(json.dumps(experiment.compute(piece, asked, found)))
    return Done(piece.name, answer, clock() - began)


class Threads:
    """Threads of this process: compiled code runs without Python's global lock."""

    def __init__(self, jobs: int) -> None:
        """:param jobs: pieces at the same time."""
        self._jobs = jobs

    def run(
        self, experiment: Experiment, asked: Asked, stage: Sequence[Piece], found: Found
    ) -> Generator[Done, None, None]:
        executor = ThreadPoolExecutor(self._jobs, "reproduction")
        try:
            waiting: list[Future[Done]] = [
                executor.submit(compute, experiment, piece, asked, found, is_alone=len(stage) == 1) for piece in stage
            ]
            for future in as_completed(waiting):
                yield future.result()
        finally:
            executor.shutdown(wait=False, cancel_futures=True)


class Cluster:
    """The workers of a scheduler, here or on other machines; a task is one piece."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    def run(
        self, experiment: Experiment, asked: Asked, stage: Sequence[Piece], found: Found
    ) -> Generator[Done, None, None]:
        for finished in self._workers.carry_out(_Stage(experiment, asked, stage, found)):
            for name, given in finished:
                piece, answer, seconds = answer_as(given, tuple[str, Any, Seconds])
                if piece != name:
                    raise AnswerError(say("it belongs to another work item"))
                yield Done(piece, _checked(answer, experiment), seconds)


def _checked(answer: Any, experiment: Experiment) -> Any:
    """A worker's *answer* to a piece of *experiment*, as read from JSON.

    :raises AnswerError: it is not JSON data, or not of the experiment's type.
    """
    try:
        found = json.loads(json.dumps(answer, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        raise AnswerError(say("it cannot be written as JSON")) from None
    try:
        converted(found, experiment.answer)
    except FaultError as error:
        raise AnswerError(str(error)) from None
    return found


class _Stage:
    """The pieces of a stage still to be assigned."""

    def __init__(self, experiment: Experiment, asked: Asked, stage: Sequence[Piece], found: Found) -> None:
        self._plan = {
            "experiment": experiment.name,
            "scale": asked.scale,
            "seed": asked.seed,
            "readings": dict(asked.readings),
            "program": VERSION,
            "is_alone": len(stage) == 1,
        }
        self._found = dict(found)
        self._pieces = {piece.name: piece for piece in stage}
        self._names = iter(self._pieces)

    def next(self, threads: int) -> str | None:
        return next(self._names, None)

    def call_of(self, task: str) -> tuple[Call, Sequence[Any]]:
        return compute_there, (self._plan, task, dict(self._pieces[task].facts), self._found)


def compute_there(plan: Mapping[str, Any], name: str, facts: Mapping[str, Any], found: Found) -> tuple[str, Any, float]:
    """Compute the piece *name* of the experiment in *plan*; runs on a worker. Returns a ``Done`` as a plain tuple.

    :raises UnfitWorkerError: this worker has another version of the program.
    """
    if plan["program"] != VERSION:
        raise UnfitWorkerError.saying(
            "It has version {version} of the program, not {other}.", version=VERSION, other=str(plan["program"])
        )
    asked = Asked(plan["scale"], plan["seed"], plan["readings"])
    return tuple(compute(find(plan["experiment"]), Piece(name, facts), asked, found, is_alone=plan["is_alone"]))
