"""Functions for games with one click a step; a game's module takes the suitable ones, such as::

PHASES, phase = one_phase("drop")
cells = same_cell
refusal_at = as_step(refusal)
describe = by_notation(notation)
seat_note = nothing_to_note
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from papan.game.base.sentences import say
from papan.game.rules import State


def one_phase(name: str = say("play")) -> tuple[Mapping[str, Sequence[str]], Callable[[State], str]]:
    """``PHASES`` and ``phase`` of a game that is always in the phase *name*, which users see."""

    def phase(state: State) -> str:
        """There is only one phase."""
        return name

    return {name: (name,)}, phase


def same_cell(state: State, step: int) -> tuple[int, ...]:
    """``cells`` of a game whose steps have their cells' numbers."""
    return (step,)


def as_step(refusal: Callable[[State, int], str]) -> Callable[[State, tuple[int, ...]], str]:
    """``refusal_at`` of a game whose steps have their cells' numbers, by its ``refusal``."""

    def refusal_at(state: State, cells: tuple[int, ...]) -> str:
        """The rule that forbids the step ``cells[0]``."""
        return refusal(state, cells[0])

    return refusal_at


def by_notation(notation: Callable[[State, int], str]) -> Callable[[State, int], tuple[str, str]]:
    """``describe`` of a game whose steps are called by their notation and need no explanation."""

    def describe(state: State, step: int) -> tuple[str, str]:
        """A step by its notation."""
        return notation(state, step), ""

    return describe


def nothing_to_note(state: State, seat: int) -> tuple[str, str]:
    """``seat_note`` of a game with nothing to say about a seat."""
    return "", ""
