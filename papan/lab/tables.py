"""Lookup tables of solved positions: making and checking them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import IO, Any, Protocol

from papan.ai.exact import exact_of
from papan.game.base.protocols import offers
from papan.game.base.sentences import Sentence
from papan.game.game import Game
from papan.game.rules import State

EXHAUSTIVE = 4096
"""Up to this many places, all are checked."""


class TableSource(Protocol):
    """An exact solver's module with lookup tables."""

    @property
    def SIZE(self) -> Sentence:  # noqa: N802 - a constant of a module
        """The unit of size: pieces, or nodes."""

    def own_file(self) -> Path:
        """The file of the user's own tables."""

    def tables(self) -> Any:
        """The tables in use."""

    def make_tables(self, size: int, tell: Callable[[str], None]) -> tuple[Any, Sentence]:
        """The tables of all positions up to a size, and a description.

        :param tell: called with the part being solved.
        :raises ValueError: they can't be made; the message is a sentence that says why.
        """

    def keep_tables(self, tables: Any, file: IO[bytes]) -> None:
        """Write tables to a file."""

    def sizes(self, tables: Any) -> range:
        """The sizes of the positions in *tables*."""

    def places(self, tables: Any, size: int) -> range:
        """The places of positions of exactly that size in *tables*."""

    def position_at(self, tables: Any, size: int, place: int) -> State | None:
        """The position at a *place*; None if there is none, or it is over."""

    def comparer(self, tables: Any) -> Callable[[State], tuple[bool, bool]]:
        """A function of a position that returns whether *tables* are right, and whether it was solved without them."""


@dataclass
class Checked:
    """The result of checking positions of one size."""

    size: int
    positions: int = 0
    solved: int = 0
    """Positions solved without the tables."""
    wrong: list[str] = field(default_factory=list)
    """Position texts."""


def table_source(game: Game) -> TableSource | None:
    """The module that makes tables for *game*, or None."""
    solver = exact_of(game)
    return solver if offers(solver, TableSource) else None


def check(game: Game, source: TableSource, tables: Any, sample: int, seed: int) -> Iterator[Checked]:
    """Check positions of each size in *tables*: all if there are few, otherwise a *sample*."""
    random = Random(seed)
    compare = source.comparer(tables)
    for size in source.sizes(tables):
        found = Checked(size)
        for state in _positions(source, tables, size, sample, random):
            is_right, is_solved = compare(state)
            found.positions += 1
            found.solved += is_solved
            if not is_right:
                found.wrong.append(game.rules.text(state))
        yield found


def _positions(source: TableSource, tables: Any, size: int, sample: int, random: Random) -> Iterator[State]:
    """The positions to check; if all, in reverse, as most others follow from the last ones."""
    places = source.places(tables, size)
    if len(places) <= EXHAUSTIVE:
        states = (source.position_at(tables, size, place) for place in places[::-1])
        yield from (state for state in states if state is not None)
        return
    left = sample
    while left:
        state = source.position_at(tables, size, random.choice(places))
        if state is not None:
            left -= 1
            yield state
