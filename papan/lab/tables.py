"""Tables that positions are looked up in: who can make them, and whether what they say is true."""

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
"""Where there are no more places than this, all are compared."""


class TableSource(Protocol):
    """An exact solver's module that looks up what was found beforehand."""

    @property
    def SIZE(self) -> Sentence:  # noqa: N802 - a constant of a module
        """What tables are counted by: pieces, or nodes."""

    def own_file(self) -> Path:
        """Where tables lie that a person has made."""

    def tables(self) -> Any:
        """The tables in use."""

    def make_tables(self, size: int, tell: Callable[[str], None]) -> tuple[Any, Sentence]:
        """The tables of all positions up to a size, and what they have, in words.

        :param tell: told what is being solved.
        :raises ValueError: they can't be made; the message is a sentence that says why.
        """

    def keep_tables(self, tables: Any, file: IO[bytes]) -> None:
        """Write tables to a file."""

    def sizes(self, tables: Any) -> range:
        """The sizes of the positions that *tables* have."""

    def places(self, tables: Any, size: int) -> range:
        """Where *tables* have positions of exactly that size."""

    def position_at(self, tables: Any, size: int, place: int) -> State | None:
        """The position at a *place*, or None where there is none that can be played on."""

    def comparer(self, tables: Any) -> Callable[[State], tuple[bool, bool]]:
        """What tells of a position whether *tables* are right, and whether it was solved anew, without them."""


@dataclass
class Checked:
    """What was compared of positions of one size."""

    size: int
    positions: int = 0
    solved: int = 0
    """How many of them were solved anew."""
    wrong: list[str] = field(default_factory=list)
    """Position texts."""


def table_source(game: Game) -> TableSource | None:
    """Who makes tables for *game*; None if nobody does."""
    solver = exact_of(game)
    return solver if offers(solver, TableSource) else None


def check(game: Game, source: TableSource, tables: Any, sample: int, seed: int) -> Iterator[Checked]:
    """Compare positions of each size that *tables* have: all where there are few, or a *sample*."""
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
    """The positions to compare; where it is all, the last first, as what can come of them is most of the others."""
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
