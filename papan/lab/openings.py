"""Making opening books of games whose openings can't be solved: by searches, where that tells most.

Drop-out expansion (Lincke, "Strategies for the Automatic Construction of Opening Books", 2001): of all positions at the
book's rim that one is looked at next to which the least remarkable play leads. Each turn costs 1, and so does a
``DEAR`` part of the evaluation's ``SCALE`` that a step on the way there is worse than the best; so the lines that both
sides play well become the longest. A search finds the best few steps of the position, and what each leaves is in the
book from then on. What positions are worth is backed up from the rim as the book is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
"""So many steps of a position are looked at, the best ones."""
DEAR = 16.0
"""Units that cost as much as a turn."""
_WRITTEN = 50
"""The book is written after so many positions: what a journal has of those is looked at again after a kill."""


class Child(NamedTuple):
    """What a step leads to, and what it is worth to the seat that takes it."""

    key: int
    state: State
    is_same_side: bool
    """Whether the seat that took the step goes on."""


class OpeningMaker:
    """Grows the book of one game."""

    def __init__(self, start: State, most_steps: int, scale: float, search: Searcher, growing: Growing) -> None:
        """:param start: what all openings begin with.
        :param most_steps: the rules' ``MOST_STEPS``.
        :param scale: the ``SCALE`` of the evaluation that *search* judges by.
        """
        self._start, self._most_steps, self._scale, self._search = start, most_steps, scale, search
        self.growing = growing
        self._steps: dict[int, Sequence[Child]] = {}
        """By key, what all steps of a position lead to."""
        self._looked_at: set[int] | None = None
        """The positions whose best steps have been looked for; None before it is known which those are."""

    def make(self, positions: int, nodes: int, on_position: Callable[[int], bool]) -> None:
        """Look at so many more *positions*, each by a search of so many *nodes*.

        :param on_position: told after each how many have been looked at, and says whether to go on.
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
        """Search *state*, and note what its best steps leave."""
        found = self._search.answer(Query(state, Limit(nodes=nodes), lines=LINES, is_followed=False))
        for line in found.lines:
            after = play(state, line.step)
            if not is_over(after):
                score = max(-MOST, min(MOST, round(line.score * UNITS / self._scale)))
                note(key_of(after), score if mover(after) == mover(state) else -score)
        assert self._looked_at is not None
        self._looked_at.add(key_of(state))

    def _children(self, key: int, state: State) -> Sequence[Child]:
        """What the steps from *state*, whose key is given, lead to in the book."""
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
        """What each position that the book leads to is worth to the seat to act, backed up from its rim.

        A position at the rim is worth what a search said or, where another way through the book goes on from it, more.
        """
        worth: dict[int, int] = {}
        path: set[int] = set()
        looked_at: set[int] = set() if self._looked_at is None else self._looked_at

        def visit(key: int, state: State) -> int:
            if key in worth:
                return worth[key]
            own = self.growing.scores.get(key)
            if key in path:  # it came again: what a search said of it has to do
                return 0 if own is None else own
            path.add(key)
            best = max(
                (_value(child, visit(child.key, child.state)) for child in self._children(key, state)), default=None
            )
            path.discard(key)
            if best is not None and self._looked_at is None and (own is None or best >= own):
                looked_at.add(key)  # a book that was written has it so
            if best is None:
                worth[key] = own or 0
            else:
                worth[key] = best if own is None or key in looked_at else max(own, best)
            return worth[key]

        visit(key_of(self._start), self._start)
        self._looked_at = looked_at
        return worth

    def _next(self, worth: dict[int, int]) -> State | None:
        """The position at the rim that costs least to get to; None if there is none."""
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
            for child, loss in _losses(children, worth):
                heappush(waiting, (cost + 1.0 + loss / DEAR, next(order), child.key, child.state))
        return None


def _value(child: Child, worth: int) -> int:
    """What a step is worth to the seat that takes it, where what it leads to has that *worth*."""
    return worth if child.is_same_side else -worth


def _losses(children: Sequence[Child], worth: dict[int, int]) -> Iterator[tuple[Child, int]]:
    """How much worse each of *children* is, for the seat that chooses, than the best."""
    values = [_value(child, worth[child.key]) for child in children]
    for child, value in zip(children, values, strict=True):
        yield child, max(values) - value


def opening_maker(game: Game, path: Path | None, memory: int) -> OpeningMaker:
    """The maker of the book of *game*, in the file *path* or where the program looks for it.

    :param memory: MiB of the search's table.
    :raises BookError: the file is no book of the game, or can't be read.
    """
    evaluation = evaluation_of(game)
    family = families_of(game)["minimax"]
    weights = evaluation.WEIGHTS[STANDARD]
    search = make_search(family, game, SearchSetting(Limit(), weights, memory))
    start = game.rules.start({}, Random(0))
    growing = Growing(path or ASSETS.folder / asset_of(game), game.name)
    return OpeningMaker(start, game.rules.MOST_STEPS, float(evaluation.SCALE), search, growing)
