"""The result of a solver: whether the goal can be forced, and what it took to find out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from papan.ai.limits import Limit
from papan.game.rules import State

Result = Literal["proved", "disproved", "concluded win", "concluded not-win", "out"]
"""``proved`` and ``disproved`` are certain; what is ``concluded`` is likely by the numbers, and may be wrong."""

Reason = Literal["", "nodes", "time", "memory", "stopped", "running", "repetitions"]
"""What a solver is out of, or why else it has no result; ``repetitions``: it can't tell where positions come back."""


@dataclass(frozen=True)
class Branch:
    """The numbers of one step at the root."""

    step: int
    pn: float
    dn: float
    chance: float | None = None
    value: int = 0
    """1 where the goal is proved after this step, -1 where it is disproved, 0 where that is open."""


@dataclass(frozen=True)
class Proof:
    """The result of a solver for one state."""

    method: str
    result: Result
    seat: int
    """Whose goal it is."""
    reason: Reason = ""
    """What it is out of, where the result is ``out``."""
    pn: float = 1.0
    """The proof number, in the method's own units: 0 where the goal is proved, infinite where it is disproved."""
    dn: float = 1.0
    """The disproof number, likewise."""
    chance: float | None = None
    """The probability-based proof number, where the method is PPNS."""
    nodes: int = 0
    """Steps played to generate the nodes of the tree."""
    playouts: int = 0
    iterations: int = 0
    """Nodes that were expanded."""
    seconds: float = 0.0
    line: tuple[int, ...] = ()
    """How it goes on by what is known: after a proof a way to the goal, after a disproof one that resists long."""
    branches: tuple[Branch, ...] = ()
    """The steps at the root."""

    @property
    def is_proof(self) -> bool:
        """Whether the result is certain, one way or the other."""
        return self.result in ("proved", "disproved")

    @property
    def step(self) -> int | None:
        """The best step at the root, as far as that is known."""
        return self.line[0] if self.line else None


def _never() -> bool:
    return False


class Solver(Protocol):
    """Finds out whether a goal can be forced, in slices if need be.

    One thread runs it; only ``stop`` and ``live`` may be called from another one meanwhile.
    """

    def prepare(self, state: State) -> None:
        """Compile what it needs for this type of state, or load it from the cache."""

    def begin(self, state: State, seat: int | None = None, goal: int = 0, came_twice: tuple[int, ...] = ()) -> None:
        """Forget what went before, and take on a state.

        :param seat: whose goal it is; the seat to act for None.
        :param goal: the goal to force; 0 to win the game, a draw being no win.
        :param came_twice: keys of positions that end the game if they come once more.
        """

    def run(self, limit: Limit, is_cancelled: Callable[[], bool] = _never) -> Proof:
        """Go on until there is a result, or *limit* is reached: its nodes count from ``begin`` on, its time from now.

        Slice by slice it comes to the same numbers as in one go.

        :param is_cancelled: asked once at the beginning; later ``stop`` must be called.
        """

    def stop(self) -> None:
        """End ``run`` within 20 ms; it can be run again."""

    def live(self) -> Proof:
        """How far it has come."""

    @property
    def memory(self) -> int:
        """The bytes that its tree or table takes at most."""
