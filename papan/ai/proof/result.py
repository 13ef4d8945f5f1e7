"""The result of a solver: whether the goal can be forced, and the effort to find out."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np

from papan.ai.limits import Limit, watchdog
from papan.ai.proof.numbers import AND, OR
from papan.game.kernel import subroutine
from papan.game.kernel.arrays import new_record
from papan.game.rules import CHANCE, State, achieved, allied, key, mover, seats

Result = Literal["proved", "disproved", "concluded win", "concluded not-win", "out"]
"""``proved`` and ``disproved`` are certain; ``concluded`` results are likely by the numbers, and may be wrong."""

Reason = Literal["", "nodes", "time", "memory", "stopped", "running", "repetitions", "hidden"]
"""The limit reached, or another reason for no result; ``repetitions``: it can't judge repeated positions; ``hidden``:
numbers are means over what is hidden."""


@dataclass(frozen=True)
class Branch:
    step: int
    pn: float
    dn: float
    chance: float | None = None
    value: int = 0
    """1 if the goal is proved after this step, -1 if it is disproved, 0 if that is open."""


@dataclass(frozen=True)
class Proof:
    method: str
    result: Result
    seat: int
    """The seat with the goal."""
    reason: Reason = ""
    """The reason, if the result is ``out``."""
    pn: float = 1.0
    """The proof number, in the method's own units: 0 if the goal is proved, infinite if it is disproved."""
    dn: float = 1.0
    """The disproof number, likewise."""
    chance: float | None = None
    """The probability-based proof number, if the method is PPNS."""
    nodes: int = 0
    """Steps played to generate the nodes of the tree."""
    playouts: int = 0
    iterations: int = 0
    """Nodes that were expanded."""
    seconds: float = 0.0
    line: tuple[int, ...] = ()
    """The expected steps: after a proof a way to the goal, after a disproof one that resists long."""
    branches: tuple[Branch, ...] = ()
    """The steps at the root."""
    deals: int = 1
    """The deals of hidden things that the numbers are means of."""

    @property
    def is_proof(self) -> bool:
        """Whether the result is certain, one way or the other."""
        return self.result in ("proved", "disproved")

    @property
    def step(self) -> int | None:
        """The best step at the root, as far as known."""
        return self.line[0] if self.line else None


class Solver(Protocol):
    """Finds out whether a goal can be forced, in slices if need be.

    One thread runs it; only ``stop`` and ``live`` may be called from another one meanwhile.
    """

    def prepare(self, state: State) -> None:
        """Compile its kernels for this type of state, or load them from the cache."""

    def begin(self, state: State, seat: int | None = None, goal: int = 0, came_twice: tuple[int, ...] = ()) -> None:
        """Forget the last state, and set the state to solve.

        :param seat: the seat with the goal; default: the seat to act.
        :param goal: the goal to force; 0 to win the game, a draw being no win.
        :param came_twice: keys of positions that end the game if they come once more.
        """

    def run(self, limit: Limit, is_cancelled: Callable[[], bool] = lambda: False) -> Proof:
        """Continue until a result or the *limit*: its nodes count from ``begin`` on, its time from now.

        Several runs give the same numbers as a single one.

        :param is_cancelled: polled once at the start; later ``stop`` must be called.
        """

    def stop(self) -> None:
        """End ``run`` within 20 ms; it can be run again."""

    def live(self) -> Proof:
        """The progress so far."""

    @property
    def memory(self) -> int:
        """The bytes that its tree or table takes at most."""


MEBIBYTE = 1 << 20

MOST_PATH = 1 << 12
"""Steps from the root to a leaf."""
_MOST_TWICE = 1 << 12

STOPPED, OUT_OF_TIME = 1, 2
OUT_OF_NODES, OUT_OF_MEMORY = 1, 2
_REASONS: dict[int, Reason] = {OUT_OF_NODES: "nodes", OUT_OF_MEMORY: "memory"}

PATH_FIELDS: list[tuple[Any, ...]] = [
    ("stop", np.int64),  # set from another thread, or by the clock, to end the run
    ("out", np.int64),  # set by the run if it can't continue
    ("nodes", np.int64),
    ("node_limit", np.int64),
    ("playouts", np.int64),
    ("iterations", np.int64),
    ("seat", np.int64),
    ("goal", np.int64),
    ("chance_side", np.int64),
    ("path_start", np.int64),  # keys[:path_start] came twice before the root
    ("keys", np.int64, (_MOST_TWICE + MOST_PATH,)),  # then the root and the states to the current node
]
"""The first fields of every solver's workspace."""


@subroutine
def side_of(state: State, work: Any) -> int:
    """``OR`` or ``AND``, the kind of *state*."""
    seat = mover(state)
    if seat == CHANCE:
        return int(work.chance_side)
    return OR if allied(state, int(work.seat), seat) else AND


@subroutine
def comes_again(position: int, work: Any, end: int) -> int:
    """The index of the position in ``work.keys[:end]``, or -1."""
    for index in range(end):
        if work.keys[index] == position:
            return index
    return -1


class Running(Solver, ABC):
    """A solver for one game; see ``papan.ai.proof.result.Solver``."""

    def __init__(self, method: str, workspace: np.dtype[Any], chance: Literal["and", "or"]) -> None:
        """:param chance: whether chance is against the goal ("and") or on its side ("or")."""
        self._method = method
        self._work = new_record(workspace)
        self._work.chance_side = AND if chance == "and" else OR
        self._seconds = 0.0
        self._started: float | None = None
        self._root: State = None
        self._prepared: set[type] = set()

    @abstractmethod
    def _begin(self, state: State, value: int) -> None:
        """Set the root up; *value* is 1 or -1 if it is decided already."""

    @abstractmethod
    def _go(self, state: State) -> None:
        """Search until there is a result or the workspace says stop."""

    @abstractmethod
    def _result(self) -> Result:
        """The result at the root."""

    @abstractmethod
    def _numbers(self) -> tuple[float, float, float | None]:
        """The root's pn and dn and, for PPNS, its chance."""

    @abstractmethod
    def _line(self) -> tuple[int, ...]:
        """The steps from the root that decide it or, while it is open, look best."""

    @abstractmethod
    def _branches(self) -> tuple[Branch, ...]:
        """The numbers of the steps at the root."""

    def begin(self, state: State, seat: int | None = None, goal: int = 0, came_twice: tuple[int, ...] = ()) -> None:
        work = self._work
        if seat is None:
            seat = int(mover(state)) if mover(state) != CHANCE else 0
        if not 0 <= seat < seats(state):
            raise ValueError(f"there is no seat {seat}")
        self._root = state
        self._seconds = 0.0
        work.seat, work.goal = seat, goal
        work.stop, work.out, work.nodes, work.playouts, work.iterations = 0, 0, 1, 0, 0
        before = came_twice[-_MOST_TWICE:]
        work.keys[: len(before)] = before
        work.path_start = len(before)
        work.keys[len(before)] = int(key(state))
        self._begin(state, int(achieved(state, seat, goal)))

    def run(self, limit: Limit, is_cancelled: Callable[[], bool] = lambda: False) -> Proof:
        if type(self._root) not in self._prepared:  # takes milliseconds to compute
            self.prepare(self._root)
            self._prepared.add(type(self._root))
        work = self._work
        work.stop, work.out = 0, 0
        work.node_limit = limit.nodes if limit.nodes is not None else np.iinfo(np.int64).max
        if is_cancelled():
            self.stop()
        self._started = time.perf_counter()
        try:
            with watchdog(limit.time, self._time_is_up):
                self._go(self._root)
        finally:
            self._seconds += time.perf_counter() - self._started
            self._started = None
        return self._proof(_REASONS.get(int(work.out)) or ("time" if work.stop == OUT_OF_TIME else "stopped"))

    def stop(self) -> None:
        self._work.stop = STOPPED

    def live(self) -> Proof:
        return self._proof("running" if self._started is not None else "stopped")

    def _time_is_up(self) -> None:
        self._work.stop = OUT_OF_TIME

    def _proof(self, reason: Reason) -> Proof:
        work = self._work
        result = self._result()
        pn, dn, chance = self._numbers()
        started = self._started
        return Proof(
            self._method,
            result,
            int(work.seat),
            reason if result == "out" else "",
            pn,
            dn,
            chance,
            int(work.nodes),
            int(work.playouts),
            int(work.iterations),
            self._seconds + (time.perf_counter() - started if started is not None else 0.0),
            self._line(),
            self._branches(),
        )
