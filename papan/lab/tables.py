"""Tables of endings: who can make them, and whether what they say is true.

Positions are compared in two ways. What the moves lead to must come to the same: if that holds of every position, all
are right. And all that can come of a position is listed and valued by ``papan.ai.puzzles.closure``, which knows nothing
of tables, where that is not too much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import IO, Any, Protocol, runtime_checkable

from papan.ai.exact import exact_of
from papan.ai.puzzles.closure import Closure
from papan.game.facts import Game
from papan.game.rules import State, mover

EXHAUSTIVE = 4096
"""Where there are no more places than this, all are compared."""
MOST_LISTED = 500_000
"""Positions that are listed at most to value one."""


@runtime_checkable
class TableSource(Protocol):
    """An exact solver's module that looks up what was found beforehand."""

    def own_file(self) -> Path:
        """Where tables lie that a person has made."""

    def endings(self) -> Any:
        """The tables in use."""

    def make(self, pieces: int, on_slice: Callable[[Sequence[int], int], None] = ...) -> Any:
        """The tables of all endings with up to so many *pieces*.

        :param on_slice: told what is done, and the most turns that an ending takes so far.
        :raises ValueError: they can't be made; the message is a sentence that says why.
        """

    def keep_endings(self, endings: Any, file: IO[bytes]) -> None:
        """Write tables to a file."""

    def most_pieces(self, endings: Any) -> int:
        """Of how many pieces tables are; 0 where there are none."""

    def places(self, pieces: int) -> range:
        """Where tables have positions with exactly so many *pieces*."""

    def position_at(self, place: int) -> State | None:
        """The position at a *place*, or None where there is none that can be played on."""

    def turns_of(self, state: State, table: Any) -> int:
        """In how many turns *state* is won by the seat to act, n, or lost, -n; 0 for a draw."""

    def turns_by_moves(self, state: State, table: Any) -> int:
        """As ``turns_of``, by what the steps of *state* lead to."""


@dataclass
class Checked:
    """What was compared of positions with so many pieces."""

    pieces: int
    positions: int = 0
    listed: int = 0
    """How many of them were also valued by listing all that can come."""
    wrong: list[str] = field(default_factory=list)
    """Position texts."""


def table_source(game: Game) -> TableSource | None:
    """Who makes tables of the endings of *game*; None if nobody does."""
    solver = exact_of(game)
    return solver if isinstance(solver, TableSource) else None


def check(game: Game, source: TableSource, table: Any, sample: int, seed: int) -> Iterator[Checked]:
    """Compare positions of each number of pieces that the *table* has: all where there are few, or a *sample*."""
    random = Random(seed)
    closure = Closure(game.rules.MOST_STEPS, MOST_LISTED)
    for pieces in range(2, source.most_pieces(table) + 1):
        found = Checked(pieces)
        for state in _positions(source, pieces, sample, random):
            turns = source.turns_of(state, table)
            found.positions += 1
            is_right = source.turns_by_moves(state, table) == turns
            value = closure.value(state)
            if value is not None:
                found.listed += 1
                is_right = is_right and _of_mover(value, state) == turns
            if not is_right:
                found.wrong.append(game.rules.text(state))
        yield found


def _positions(source: TableSource, pieces: int, sample: int, random: Random) -> Iterator[State]:
    """The positions to compare; where it is all, the last first, as what can come of them is most of the others."""
    places = source.places(pieces)
    if len(places) <= EXHAUSTIVE:
        yield from (state for place in places[::-1] if (state := source.position_at(place)) is not None)
        return
    left = sample
    while left:
        state = source.position_at(random.choice(places))
        if state is not None:
            left -= 1
            yield state


def _of_mover(value: int, state: State) -> int:
    """The turns to the end for the seat to act, of a *value* of ``Closure``, which has one more."""
    if value == 0:
        return 0
    return abs(value) - 1 if (value > 0) == (mover(state) == 0) else 1 - abs(value)
