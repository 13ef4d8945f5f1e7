"""Making opening books: the exact scores of all positions up to some number of turns from the start.

Positions are solved layer by layer, those of one turn after those of none, and so on: what a position is worth bounds
its children, and neighbours share the solver's table. Each score is kept in a journal beside the book as soon as it is
known, so that whatever ends the work costs one position at most. Openings that can't be solved are judged:
``papan.lab.openings``.
"""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Protocol

from papan.ai.exact import exact_of
from papan.ai.openings import MOST_BYTES, Book, BookError
from papan.game.base.protocols import offers
from papan.game.base.untrusted import UnreadableError, read_file
from papan.game.game import Game
from papan.game.rules import State, is_over, legal_steps, play
from papan.lab.files import only_writer

_RECORD = struct.Struct("<qb")


class OpeningSolver(Protocol):
    """A searcher that gives scores on its own scale, opposite for the two seats."""

    @property
    def nodes(self) -> int: ...

    def forget(self) -> None: ...

    def prepare(self, state: State) -> None: ...

    def score(self, state: State, lower: int | None = None, upper: int | None = None) -> int: ...


class BookSource(Protocol):
    """The facts and functions of a game's module in ``papan/ai/exact/`` if its openings can be solved."""

    @property
    def BOOK_FILE(self) -> Path:  # noqa: N802 - a constant of a module
        """Where the program looks for its book."""

    def book_key(self, state: State) -> int: ...

    def wins_at_once(self, state: State) -> bool: ...

    def Exact(self, memory: int | None = None, book: Book | None = None) -> OpeningSolver: ...  # noqa: N802 - a class


@dataclass
class Layer:
    """How far the positions of one number of turns have been solved."""

    turns: int
    positions: int
    """Up to symmetry, without those where a win is there to take: the solver sees it at once."""
    solved: int = 0


@dataclass
class _Position:
    state: State
    lower: int | None = None
    """What its parents' scores say that it is worth at least."""


class Growing:
    """The scores of a book that is being made, in its file and in a journal beside it."""

    def __init__(self, path: Path, name: str) -> None:
        """Take up what there is, and keep others from writing it.

        :param name: the game's.
        :raises BookError: the file is no book of the game, or can't be read.
        :raises OutputError: another Papan is writing it, or its folder takes no lock.
        """
        self.path, self.name = path, name
        self.journal = path.with_name(path.name + ".journal")
        """The file of what has been found since the book was last written."""
        self.scores: dict[int, int] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        with ExitStack() as held:
            held.enter_context(only_writer(path))
            if os.path.lexists(path):  # a link in a circle is no new book
                self.scores.update(Book.read(path, name).as_dict())
            found = _read_journal(self.journal)
            self.scores.update(found)
            if found:
                self.write()
            self._held = held.pop_all()

    def close(self) -> None:
        """Let others write the book."""
        self._held.close()

    @contextmanager
    def noting(self) -> Iterator[Callable[[int, int], None]]:
        """What keeps the score of a key, here and at once in the journal."""
        with self.journal.open("ab") as journal:

            def note(key: int, score: int) -> None:
                self.scores[key] = score
                journal.write(_RECORD.pack(key, score))
                journal.flush()

            yield note

    def write(self) -> None:
        """Write the book anew; the journal, whose scores it holds, is not needed any more."""
        Book.of(self.scores).write(self.path, self.name)
        self.journal.unlink(missing_ok=True)


@dataclass
class BookMaker:
    """Solves the openings of a game into a book's file."""

    start: State
    """What all openings begin with."""
    most_steps: int
    """The rules' ``MOST_STEPS``."""
    source: BookSource
    growing: Growing
    memory: int
    """MiB of the solver's table."""

    @property
    def scores(self) -> dict[int, int]:
        """What is known, by key."""
        return self.growing.scores

    def make(self, turns: int, seconds: float | None, on_layer: Callable[[Layer], None]) -> bool:
        """Solve all positions up to so many *turns* from the start, for so many *seconds* at most.

        :param on_layer: told how far a layer has come, after each position.
        :returns: whether all have been solved.
        """
        until = None if seconds is None else time.monotonic() + seconds
        solver = self.source.Exact(self.memory, Book.of(self.scores))
        positions = {0: _Position(self.start)}
        solver.prepare(positions[0].state)
        for turn in range(turns + 1):
            if not self._solve(solver, turn, list(positions.values()), until, on_layer):
                return False
            positions = self._next(positions.values())
        return True

    def _solve(
        self,
        solver: OpeningSolver,
        turn: int,
        positions: Sequence[_Position],
        until: float | None,
        on_layer: Callable[[Layer], None],
    ) -> bool:
        """Solve a layer; False if time is up before."""
        unknown = [(key, position) for key, position in self._lasting(positions) if key not in self.scores]
        total = sum(1 for _ in self._lasting(positions))
        layer = Layer(turn, total, total - len(unknown))
        on_layer(layer)
        with self.growing.noting() as note:
            for key, position in unknown:
                if until is not None and time.monotonic() >= until:
                    break
                note(key, solver.score(position.state, position.lower))
                layer.solved += 1
                on_layer(layer)
        self.growing.write()
        return layer.solved == total

    def _lasting(self, positions: Sequence[_Position]) -> Iterator[tuple[int, _Position]]:
        """Those of *positions* that belong into the book, with their keys."""
        for position in positions:
            if not self.source.wins_at_once(position.state):
                yield self.source.book_key(position.state), position

    def _next(self, positions: Iterable[_Position]) -> dict[int, _Position]:
        """The positions one turn after *positions*, each once up to symmetry, neighbours together."""
        following: dict[int, _Position] = {}
        for position in positions:
            score = self.scores.get(self.source.book_key(position.state))
            for step in legal_steps(position.state, self.most_steps):
                child = play(position.state, step)
                if is_over(child):
                    continue
                found = following.setdefault(self.source.book_key(child), _Position(child))
                if score is not None:
                    found.lower = -score if found.lower is None else max(found.lower, -score)
        return following


def book_maker(game: Game, path: Path | None, memory: int) -> BookMaker | None:
    """The maker of the book of *game*, in the file *path* or where the program looks for it; None if it has none."""
    solver = exact_of(game)
    if not offers(solver, BookSource):
        return None
    start = game.rules.start({}, Random(0))
    return BookMaker(start, game.rules.MOST_STEPS, solver, Growing(path or solver.BOOK_FILE, game.name), memory)


def _read_journal(path: Path) -> dict[int, int]:
    """The scores in a journal, but for a last one that was not written whole."""
    try:
        content = read_file(path, MOST_BYTES) if path.exists() else b""
    except UnreadableError as error:
        raise BookError(str(error)) from error
    whole = len(content) - len(content) % _RECORD.size
    return dict(_RECORD.iter_unpack(content[:whole]))
