"""Making opening books of solved games: exact scores of all positions up to some number of turns from the start.

Positions are solved layer by layer, by turns from the start: a position's score bounds those of its children, and
neighbours share the solver's table. Each score is written at once to a journal in the book's folder, so that an
interruption loses at most one position. For games that can't be solved see ``OpeningMaker``.
"""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple, Protocol

from papan.ai.evaluation import STANDARD, evaluation_of
from papan.ai.exact import exact_of
from papan.ai.limits import Limit
from papan.ai.openings import MOST, MOST_BYTES, UNITS, Book, BookError, asset_of, key_of
from papan.ai.players.families import SearchSetting, families_of, make_search
from papan.ai.search import Query, Searcher
from papan.game.base.assets import ASSETS
from papan.game.base.protocols import offers
from papan.game.base.untrusted import UnreadableError, read_file
from papan.game.game import Game
from papan.game.rules import State, is_over, legal_steps, mover, play
from papan.lab.files import only_writer

_RECORD = struct.Struct("<qb")


class OpeningSolver(Protocol):
    """A solver with scores on its own scale, opposite for the two seats."""

    @property
    def nodes(self) -> int: ...

    def forget(self) -> None: ...

    def prepare(self, state: State) -> None: ...

    def score(self, state: State, lower: int | None = None, upper: int | None = None) -> int: ...


class BookSource(Protocol):
    """What a game's module in ``papan/ai/exact/`` offers if its openings can be solved."""

    @property
    def BOOK_FILE(self) -> Path:  # noqa: N802 - a constant of a module
        """The book that the program uses."""

    def book_key(self, state: State) -> int: ...

    def wins_at_once(self, state: State) -> bool: ...

    def Exact(self, memory: int | None = None, book: Book | None = None) -> OpeningSolver: ...  # noqa: N802 - a class


@dataclass
class Layer:
    """Progress of the positions after one number of turns."""

    turns: int
    positions: int
    """Up to symmetry, without immediate wins, which the solver sees at once."""
    solved: int = 0


@dataclass
class _Position:
    state: State
    lower: int | None = None
    """A lower bound of its score, from its parents."""


class Growing:
    """A book being made: its scores, its file, and a journal in the same folder."""

    def __init__(self, path: Path, name: str) -> None:
        """Read the existing book and journal, and lock the book for writing.

        :param name: the game's name.
        :raises BookError: the file is not a book of the game, or can't be read.
        :raises OutputError: another Papan is writing it, or its folder can't be locked.
        """
        self.path, self.name = path, name
        self.journal = path.with_name(path.name + ".journal")
        """The scores found since the book was last written."""
        self.scores: dict[int, int] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        with ExitStack() as held:
            held.enter_context(only_writer(path))
            if os.path.lexists(path):  # not exists(): a link to itself must not count as a new book
                self.scores.update(Book.read(path, name).as_dict())
            found = _read_journal(self.journal)
            self.scores.update(found)
            if found:
                self.write()
            self._held = held.pop_all()

    def close(self) -> None:
        self._held.close()

    @contextmanager
    def noting(self) -> Iterator[Callable[[int, int], None]]:
        """A function that stores the score of a key, here and in the journal at once."""
        with self.journal.open("ab") as journal:

            def note(key: int, score: int) -> None:
                self.scores[key] = score
                journal.write(_RECORD.pack(key, score))
                journal.flush()

            yield note

    def write(self) -> None:
        """Write the whole book, and delete the journal."""
        Book.of(self.scores).write(self.path, self.name)
        self.journal.unlink(missing_ok=True)


@dataclass
class BookMaker:
    """Solves the openings of a game into a book's file."""

    start: State
    most_steps: int
    source: BookSource
    growing: Growing
    memory: int
    """MiB of the solver's table."""

    @property
    def scores(self) -> dict[int, int]:
        """The known scores, by key."""
        return self.growing.scores

    def make(self, turns: int, seconds: float | None, on_layer: Callable[[Layer], None]) -> bool:
        """Solve all positions up to *turns* turns from the start, for at most *seconds* seconds.

        :param on_layer: called with the layer's progress after each position.
        :returns: whether all are solved.
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
        """Solve a layer; return False if time runs out first."""
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
        """Those of *positions* that belong in the book, with their keys."""
        for position in positions:
            if not self.source.wins_at_once(position.state):
                yield self.source.book_key(position.state), position

    def _next(self, positions: Iterable[_Position]) -> dict[int, _Position]:
        """The positions one turn after *positions*, once each up to symmetry, with neighbours next to each other."""
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
    """The book maker of *game*, for the file *path* or the program's own book; None if the game can't be solved."""
    solver = exact_of(game)
    if not offers(solver, BookSource):
        return None
    start = game.rules.start({}, Random(0))
    return BookMaker(start, game.rules.MOST_STEPS, solver, Growing(path or solver.BOOK_FILE, game.name), memory)


def _read_journal(path: Path) -> dict[int, int]:
    """The scores in a journal, without an incomplete last one."""
    try:
        content = read_file(path, MOST_BYTES) if path.exists() else b""
    except UnreadableError as error:
        raise BookError(str(error)) from error
    whole = len(content) - len(content) % _RECORD.size
    return dict(_RECORD.iter_unpack(content[:whole]))


LINES = 4
"""The number of best steps of a position that enter the book."""
DEAR = 16.0
"""Units of loss that cost as much as a turn."""
_WRITTEN = 50
"""Positions between two writings of the book; after a kill, those since the last are searched again."""


class Child(NamedTuple):
    """The position after a step."""

    key: int
    state: State
    is_same_side: bool
    """Whether the seat that took the step moves again."""


class OpeningMaker:
    """Grows the book of a game that can't be solved, by searching the most relevant positions.

    Drop-out expansion (Lincke, "Strategies for the Automatic Construction of Opening Books", 2001): the next position
    to search is the leaf of the book with the lowest cost. Each turn on the way costs 1, and each ``DEAR`` units that a
    step is worse than the best cost 1 more, so lines that both sides play well become the longest. A search finds the
    best few steps of the position, whose results enter the book. Scores are backed up from the leaves when the book is
    written.
    """

    def __init__(self, start: State, most_steps: int, scale: float, search: Searcher, growing: Growing) -> None:
        """:param most_steps: the rules' ``MOST_STEPS``.
        :param scale: the ``SCALE`` of the evaluation of *search*.
        """
        self._start, self._most_steps, self._scale, self._search = start, most_steps, scale, search
        self.growing = growing
        self._steps: dict[int, Sequence[Child]] = {}
        """The children of positions, by key."""
        self._looked_at: set[int] | None = None
        """The keys of searched positions; None before they are determined."""

    def make(self, positions: int, nodes: int, on_position: Callable[[int], bool]) -> None:
        """Search *positions* more positions, with *nodes* nodes each.

        :param on_position: called with the number searched so far; returns whether to continue.
        """
        self._search.prepare(self._start)
        done, goes_on = 0, True
        while goes_on and done < positions:
            try:
                with self.growing.noting() as note:
                    for _ in range(min(_WRITTEN, positions - done)):
                        state = self._next(self._worth())
                        if state is None:
                            goes_on = False
                            break
                        self._look(state, nodes, note)
                        done += 1
                        goes_on = on_position(done)
                        if not goes_on:
                            break
            finally:
                self.growing.scores.update(self._worth())
                self.growing.write()

    def _look(self, state: State, nodes: int, note: Callable[[int, int], None]) -> None:
        found = self._search.answer(Query(state, Limit(nodes=nodes), lines=LINES, is_followed=False))
        for line in found.lines:
            after = play(state, line.step)
            if not is_over(after):
                score = max(-MOST, min(MOST, round(line.score * UNITS / self._scale)))
                note(key_of(after), score if mover(after) == mover(state) else -score)
        assert self._looked_at is not None
        self._looked_at.add(key_of(state))

    def _children(self, key: int, state: State) -> Sequence[Child]:
        if key not in self._steps:
            found: dict[int, Child] = {}
            for step in legal_steps(state, self._most_steps):
                after = play(state, step)
                if not is_over(after):
                    child = Child(key_of(after), after, mover(after) == mover(state))
                    found.setdefault(child.key, child)
            self._steps[key] = tuple(found.values())
        return [child for child in self._steps[key] if child.key in self.growing.scores]

    def _worth(self) -> dict[int, int]:
        """The scores of all positions in the book for their seat to act, backed up from the leaves.

        A leaf has its search score or, if a transposition continues from it in the book, possibly a higher one.
        """
        worth: dict[int, int] = {}
        path: set[int] = set()
        looked_at: set[int] = set() if self._looked_at is None else self._looked_at

        def visit(key: int, state: State) -> int:
            if key in worth:
                return worth[key]
            own = self.growing.scores.get(key)
            if key in path:  # a repetition: use its search score
                return 0 if own is None else own
            path.add(key)
            best = max(
                (_value(child, visit(child.key, child.state)) for child in self._children(key, state)), default=None
            )
            path.discard(key)
            if best is not None and self._looked_at is None and (own is None or best >= own):
                looked_at.add(key)  # true of searched positions in a written book
            if best is None:
                worth[key] = own or 0
            else:
                worth[key] = best if own is None or key in looked_at else max(own, best)
            return worth[key]

        visit(key_of(self._start), self._start)
        self._looked_at = looked_at
        return worth

    def _next(self, worth: dict[int, int]) -> State | None:
        """The leaf with the lowest cost; None if there is none."""
        order, looked_at = count(), self._looked_at or ()
        waiting: list[tuple[float, int, int, State]] = [(0.0, next(order), key_of(self._start), self._start)]
        seen: set[int] = set()
        while waiting:
            cost, _, key, state = heappop(waiting)
            if key in seen:
                continue
            seen.add(key)
            children = self._children(key, state)
            if key not in looked_at:
                return state
            values = [_value(child, worth[child.key]) for child in children]
            for child, value in zip(children, values, strict=True):
                loss = max(values) - value
                heappush(waiting, (cost + 1.0 + loss / DEAR, next(order), child.key, child.state))
        return None


def _value(child: Child, worth: int) -> int:
    """The value of the step to *child* for the seat that takes it; *worth* is the child's score."""
    return worth if child.is_same_side else -worth


def opening_maker(game: Game, path: Path | None, memory: int) -> OpeningMaker:
    """The book maker of *game*, for the file *path* or the program's own book.

    :param memory: MiB of the search's table.
    """
    evaluation = evaluation_of(game)
    family = families_of(game)["minimax"]
    weights = evaluation.WEIGHTS[STANDARD]
    search = make_search(family, game, SearchSetting(Limit(), weights, memory))
    start = game.rules.start({}, Random(0))
    growing = Growing(path or ASSETS.folder / asset_of(game), game.name)
    return OpeningMaker(start, game.rules.MOST_STEPS, float(evaluation.SCALE), search, growing)
