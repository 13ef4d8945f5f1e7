"""Making opening books of games that can't be solved, by searching the most relevant positions.

Drop-out expansion (Lincke, "Strategies for the Automatic Construction of Opening Books", 2001): the next position to
search is the leaf of the book with the lowest cost. Each turn on the way costs 1, and each ``DEAR`` units that a step
is worse than the best cost 1 more, so lines that both sides play well become the longest. A search finds the best few
steps of the position, whose results enter the book. Scores are backed up from the leaves when the book is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

from papan.ai.evaluation import STANDARD, evaluation_of
from papan.ai.limits import Limit
from papan.ai.openings import MOST, UNITS, asset_of, key_of
from papan.ai.players.families import SearchSetting, families_of, make_search
from papan.ai.search import Query, Searcher
from papan.game.base.assets import ASSETS
from papan.game.game import Game
from papan.game.rules import State, is_over, legal_steps, mover, play
from papan.lab.book import Growing

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
    """Grows the book of one game."""

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
        """Search *state*, and store the scores after its best steps."""
        found = self._search.answer(Query(state, Limit(nodes=nodes), lines=LINES, is_followed=False))
        for line in found.lines:
            after = play(state, line.step)
            if not is_over(after):
                score = max(-MOST, min(MOST, round(line.score * UNITS / self._scale)))
                note(key_of(after), score if mover(after) == mover(state) else -score)
        assert self._looked_at is not None
        self._looked_at.add(key_of(state))

    def _children(self, key: int, state: State) -> Sequence[Child]:
        """The children of *state* that are in the book."""
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
    :raises BookError: the file is not a book of the game, or can't be read.
    """
    evaluation = evaluation_of(game)
    family = families_of(game)["minimax"]
    weights = evaluation.WEIGHTS[STANDARD]
    search = make_search(family, game, SearchSetting(Limit(), weights, memory))
    start = game.rules.start({}, Random(0))
    growing = Growing(path or ASSETS.folder / asset_of(game), game.name)
    return OpeningMaker(start, game.rules.MOST_STEPS, float(evaluation.SCALE), search, growing)
