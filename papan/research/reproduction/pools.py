"""Computing the pieces of an experiment: on threads of this process, or on the workers of a scheduler."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any, NamedTuple

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


class Stage(NamedTuple):
    """Independent pieces of an experiment."""

    experiment: Experiment
    asked: Asked
    pieces: Sequence[Piece]
    found: Found
    """The results of the stages before."""

    def compute(self, piece: Piece) -> Done:
        return compute(self.experiment, piece, self.asked, self.found, is_alone=len(self.pieces) == 1)


Pool = Callable[[Stage], Generator[Done, None, None]]
"""Computes the pieces of a stage and yields finished ones, in any order; raises ``PoolError`` if it can't."""


def compute(experiment: Experiment, piece: Piece, asked: Asked, found: Found, *, is_alone: bool) -> Done:
    """Compute *piece* in this thread.

    :param is_alone: whether it is the only piece of its stage, and so may start threads.
    """
    clock = time.process_time if is_alone else time.thread_time
    began = clock()
    answer = json.loads(json.dumps(experiment.compute(piece, asked, found)))
    return Done(piece.name, answer, clock() - began)


def threads(jobs: int) -> Pool:
    """A pool of *jobs* threads of this process: compiled code runs without Python's global lock."""

    def run(stage: Stage) -> Generator[Done, None, None]:
        executor = ThreadPoolExecutor(jobs, "reproduction")
        try:
            for done in as_completed([executor.submit(stage.compute, piece) for piece in stage.pieces]):
                yield done.result()
        finally:
            executor.shutdown(wait=False, cancel_futures=True)

    return run


def cluster(workers: Workers) -> Pool:
    """A pool of the *workers* of a scheduler, here or on other machines; a task is one piece."""

    def run(stage: Stage) -> Generator[Done, None, None]:
        for finished in workers.carry_out(_Tasks(stage)):
            for name, given in finished:
                piece, answer, seconds = answer_as(given, tuple[str, Any, Seconds])
                if piece != name:
                    raise AnswerError(say("it belongs to another work item"))
                yield Done(piece, _checked(answer, stage.experiment), seconds)

    return run


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


class _Tasks:
    """The pieces of a stage still to be assigned."""

    def __init__(self, stage: Stage) -> None:
        asked = stage.asked
        self._plan = {
            "experiment": stage.experiment.name,
            "scale": asked.scale,
            "seed": asked.seed,
            "readings": dict(asked.readings),
            "program": VERSION,
            "is_alone": len(stage.pieces) == 1,
        }
        self._found = dict(stage.found)
        self._pieces = {piece.name: piece for piece in stage.pieces}
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
