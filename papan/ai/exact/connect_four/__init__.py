"""Connect Four, solved: the exact score of any position, and of each of its steps.

The compiled search decides whether a score reaches a bound. Bisection, step by step, gives the exact score (Pascal
Pons, "Solving Connect 4: how to build a perfect AI", 2015). The first discs take longest, so they have an opening book.

Internal scores are on Pons' scale, see ``null_window``; ``shared_score`` and ``native_score`` convert.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import cast

import numpy as np

from papan.ai.evaluation.connect_four import threats_of
from papan.ai.exact import MIB, ExactSearcher, Interrupted, Measure, set_limit
from papan.ai.exact.connect_four.null_window import (
    CELL_RATES,
    CELLS,
    LATE_BITS,
    WORKSPACE,
    between,
    bound,
    exact_score,
    remember,
    table_key,
)
from papan.ai.limits import WIN, Analysis, Line, own_turns, win_distance
from papan.ai.openings import Book
from papan.ai.search import Query
from papan.game.base.assets import ASSETS
from papan.game.base.large_arrays import large_array
from papan.game.base.sentences import figures, say
from papan.game.kernel.arrays import new_record
from papan.game.kernel.bits import popcount
from papan.game.kernel.clock import NEVER, clock_seconds
from papan.game.rules import State as AnyState
from papan.game.rules import is_over, key, legal_steps, play
from papan.game.rules.connect_four import BOTTOM, COLUMNS, FULL, HEIGHT, State, four_in_a_row

IS_SOLVED = True

ASSET = "books/connect-four.book"
BOOK_FILE = ASSETS.folder / ASSET

MEMORY = 8
"""MiB of the table, by default."""
_ENTRY_BYTES = 8

LINE_NODES = 200_000
"""The most nodes to follow a step of known score to the end of the game."""

QUICK_DISCS = 9
"""Positions with this many discs are nearly always solved, with every step, within two seconds."""


def shared_score(native: int, discs: int) -> float:
    """Convert *native*, a score on Pons' scale of a position with *discs* discs, to the scale of all searches.

    >>> from papan.ai.limits import WIN
    >>> WIN - shared_score(18, 6), shared_score(-17, 7) + WIN
    (1.0, 2.0)
    """
    if native == 0:
        return 0.0
    stones = CELLS // 2 + 1 - abs(native)  # of the winner when four are completed
    if native > 0:
        return WIN - (2 * (stones - discs // 2) - 1)
    return 2 * (stones - (discs + 1) // 2) - WIN


def native_score(score: float, discs: int) -> int:
    """The score on Pons' scale, the inverse of ``shared_score``.

    >>> native_score(shared_score(-3, 20), 20)
    -3
    """
    distance = win_distance(score)
    if distance is None:
        return 0
    if distance > 0:
        return CELLS // 2 + 1 - ((distance + 1) // 2 + discs // 2)
    return -distance // 2 + (discs + 1) // 2 - (CELLS // 2 + 1)


def book_key(state: State) -> int:
    """The key of *state* in a book, the same for its mirror image."""
    return table_key(key(state), popcount(state.mine | state.theirs))


def book_discs(book: Book) -> int:
    """The most discs that a position in *book* has."""
    height = (1 << HEIGHT) - 1
    columns = [book.keys >> column * HEIGHT & height for column in range(COLUMNS)]
    # In a key the highest bit of each column stands above its discs.
    return int(sum(np.frexp(column)[1] - 1 for column in columns).max()) if len(book) else 0


@cache
def bundled_book() -> Book:
    """The bundled book; empty if there is none, or if it is damaged, which is logged.

    It has its own checksum, as users may extend it.
    """
    book = ASSETS.open(ASSET, lambda path: Book.read(path, "connect-four"), compare=False)
    return Book() if book is None else book


def can_solve(state: AnyState) -> bool:
    """Whether *state* can be solved within about two seconds: it has discs enough, or the book knows its steps."""
    position = cast(State, state)
    if popcount(position.mine | position.theirs) >= QUICK_DISCS:
        return True
    choice = _Choice(position, legal_steps(position, COLUMNS), bundled_book())
    return all(choice.lower[step] == choice.upper[step] for step in choice.steps)


def measure(state: AnyState, score: float) -> Measure:
    """The measure of a proven *score*: Pons' score, and which disc of the winner completes four."""
    native = native_score(score, popcount(state.mine | state.theirs))
    distance = win_distance(score)
    if distance is None:
        return Measure(0, say("nobody completes four"), None)
    disc = CELLS // 2 + 1 - abs(native)
    words = say("{score}: four with disc {disc} of the winner's", score=figures(native, "+d"), disc=disc)
    return Measure(native, words, own_turns(distance))


def wins_at_once(state: State) -> bool:
    """Whether the seat to move has four in a row with its next disc."""
    discs = state.mine | state.theirs
    return threats_of(state.mine) & ~discs & discs + BOTTOM & FULL != 0


class _Choice:
    """The steps of a position, with bounds of their worth to the seat to move."""

    def __init__(self, state: State, steps: Sequence[int], book: Book) -> None:
        self.discs = popcount(state.mine | state.theirs)
        self.children = {step: cast(State, play(state, step)) for step in steps}
        least, most = -((CELLS - self.discs) >> 1), (CELLS - 1 - self.discs) >> 1  # wins and losses at once apart
        self.lower = dict.fromkeys(steps, least)
        self.upper = dict.fromkeys(steps, most)
        for step, child in self.children.items():
            exact = self._known_at_once(child)
            if exact is None and (kept := book.get(book_key(child))) is not None:
                exact = -kept
            if exact is not None:
                self.lower[step] = self.upper[step] = exact
        known = book.get(book_key(state)) if len(steps) == len(legal_steps(state, COLUMNS)) else None
        if known is not None:
            self.cap(known)
        self.steps = sorted(steps, key=self._rate, reverse=True)
        """Best looking first."""

    def _known_at_once(self, child: State) -> int | None:
        """The exact score, for the seat that moved, of *child*, if the game is over or the next disc wins."""
        if four_in_a_row(child.theirs):
            return (CELLS + 1 - self.discs) >> 1
        if self.discs + 1 == CELLS:
            return 0
        return -((CELLS - self.discs) >> 1) if wins_at_once(child) else None

    def _rate(self, step: int) -> tuple[int, int, int]:
        """The sort key of *step*: its known bounds, then the threats it makes."""
        child = self.children[step]
        discs = child.mine | child.theirs
        threats = popcount(threats_of(child.theirs) & ~discs)
        return self.upper[step], threats, int(CELL_RATES[step * HEIGHT]) if step < COLUMNS else 0

    def cap(self, score: int) -> None:
        """Limit the worth of all steps to *score*."""
        for step in self.upper:
            self.upper[step] = min(self.upper[step], score)

    def values(self, step: int) -> tuple[int, int]:
        return self.lower[step], self.upper[step]

    def ranked(self) -> list[int]:
        """The steps, best known worth first."""
        return sorted(self.steps, key=lambda step: (self.lower[step], self.upper[step]), reverse=True)

    def bounds(self, steps: Sequence[int]) -> tuple[int, int]:
        return max(self.lower[step] for step in steps), max(self.upper[step] for step in steps)


def _nearest_zero(lower: int, upper: int) -> int:
    """The score to report for these bounds: a win or a loss if it is certain, else a draw."""
    return max(lower, min(upper, 0))


class Exact(ExactSearcher):
    """Solves positions of Connect Four. Its table stays true for all positions, and is kept from one to the next.

    A limit of depth is ignored, except that with one a single step needs no search.
    """

    def __init__(self, memory: int | None = None, book: Book | None = None) -> None:
        """:param memory: MiB of the table, rounded down to a power of two; default: ``MEMORY``."""
        entries = max(memory or MEMORY, 1) * MIB // _ENTRY_BYTES
        self._table = large_array(1 << (entries.bit_length() - 1), np.int64)
        self._work = new_record(WORKSPACE)
        self._work.node_limit = self._work.deadline = NEVER
        self._book = book
        self._live: _Choice | None = None
        self._is_prepared = False

    def forget(self) -> None:
        """Empty the table, so that a measurement starts afresh.

        Clears only the part in use: clearing a large table evicts everything else from the processor's cache, and the
        next search pays for that.
        """
        self._table[: len(self._table) if self._work.has_early else 1 << LATE_BITS] = 0
        self._work.has_early = 0

    def prepare(self, state: AnyState) -> None:
        if self._is_prepared:  # takes milliseconds to compute
            return
        bound.prepare(0, 0, 0, self._table, self._work)
        exact_score.prepare(0, 0, 0, 0, self._table, self._work)
        book = self._opened_book()
        remember.prepare(book.keys, book.scores, self._table, self._work)
        self._is_prepared = True

    def _opened_book(self) -> Book:
        if self._book is None:
            self._book = bundled_book()
        return self._book

    def score(self, state: State, lower: int | None = None, upper: int | None = None) -> int:
        """The exact score of *state*, which is not over, on Pons' scale. Without any limit: ``stop`` has no effect.

        :param lower: a known lower bound; ``upper``: a known upper bound.
        """
        least, most = -CELLS if lower is None else lower, CELLS if upper is None else upper
        return exact_score(state.mine, state.mine | state.theirs, least, most, self._table, self._work)

    def live(self) -> Analysis | None:
        """The steps' known bounds so far; None before the first search."""
        choice = self._live
        if choice is None:
            return None
        step = choice.ranked()[0]
        lower, upper = choice.bounds(choice.steps)
        score = shared_score(_nearest_zero(lower, upper), choice.discs)
        return Analysis(step, score, choice.discs & 1, nodes=self.nodes, principal_variation=(step,))

    def answer(self, query: Query) -> Analysis:
        """As any ``Searcher``. Of equally good steps the seed chooses; a lost position is held as long as possible.

        Where a limit ends it, the analysis is not proven, and ``bounds`` has the known bounds.
        """
        started = clock_seconds()
        position, lines = cast(State, query.state), query.lines
        self.prepare(position)
        steps = list(query.only) or legal_steps(position, COLUMNS)
        choice = self._live = _Choice(position, steps, self._opened_book())
        self._work.is_spent = 0
        set_limit(self._work, query)
        if query.limit.depth is not None and len(steps) == 1:
            self.stop()
        self._solve(choice, lines)
        ranked = choice.ranked()
        value = choice.values(ranked[0])
        if value[0] == value[1]:
            best = [step for step in ranked if choice.values(step) == value]
            ranked.insert(0, ranked.pop(ranked.index(Random(query.seed).choice(best))))
        told = tuple(self._line(choice, position, step, query.is_followed) for step in ranked[: lines or None])
        lower, upper = choice.bounds(choice.steps)
        return Analysis(
            ranked[0],
            shared_score(_nearest_zero(lower, upper), choice.discs),
            choice.discs & 1,
            depth=CELLS - choice.discs if lower == upper else 0,
            nodes=self.nodes,
            seconds=clock_seconds() - started,
            principal_variation=told[0].principal_variation,
            is_proven=lower == upper,
            lines=told,
            bounds=(shared_score(lower, choice.discs), shared_score(upper, choice.discs)),
        )

    def _solve(self, choice: _Choice, lines: int) -> None:
        """Settle the best step and those as good, or the best *lines* steps, or all for 0, within the limits."""
        book = self._opened_book()
        if choice.discs < book_discs(book):
            remember(book.keys, book.scores, self._table, self._work)
        unsettled = list(choice.steps)
        try:
            for _ in range(lines or len(unsettled)):
                if not unsettled:
                    return
                unsettled.remove(self._settle(choice, unsettled))
            if lines == 1:
                best, _ = choice.bounds(choice.steps)
                for step in unsettled:
                    self._ask(choice, step, best)
        except Interrupted:
            pass

    def _settle(self, choice: _Choice, steps: Sequence[int]) -> int:
        """Find the best of *steps* and its exact score; raises Interrupted."""
        while True:
            lower, upper = choice.bounds(steps)
            if lower == upper:
                return next(step for step in steps if choice.lower[step] == upper)
            asked = between(lower, upper)
            for step in steps:
                self._ask(choice, step, asked)
                if choice.lower[step] >= asked:
                    break

    def _ask(self, choice: _Choice, step: int, asked: int) -> None:
        """Find out whether *step* is worth at least *asked*; raises Interrupted."""
        if choice.lower[step] >= asked or choice.upper[step] < asked:
            return
        child = choice.children[step]
        work = self._work
        if work.stop or work.is_spent:
            raise Interrupted
        value = -bound(child.mine, child.mine | child.theirs, 1 - asked, self._table, work)
        if work.stop or work.is_spent:
            raise Interrupted
        if value >= asked:
            choice.lower[step] = min(value, choice.upper[step])
        else:
            choice.upper[step] = max(value, choice.lower[step])

    def _line(self, choice: _Choice, state: State, step: int, is_followed: bool) -> Line:
        """The line of *step*, with its continuation if the score is known and *is_followed*."""
        lower, upper = choice.values(step)
        is_known = lower == upper
        return Line(
            step,
            shared_score(_nearest_zero(lower, upper), choice.discs),
            self._variation(state, step, lower) if is_known and is_followed else (step,),
            is_proven=is_known,
            bounds=(shared_score(lower, choice.discs), shared_score(upper, choice.discs)),
        )

    def _variation(self, state: State, step: int, score: int) -> tuple[int, ...]:
        """*step*, of that exact *score*, and both sides' best play after it, as far as that is quickly found."""
        work, book = self._work, self._opened_book()
        limit = int(work.node_limit)
        work.node_limit = min(limit, int(work.nodes) + LINE_NODES)
        variation = [step]
        state = cast(State, play(state, step))
        try:
            while not is_over(state):
                score = -score
                choice = _Choice(state, legal_steps(state, COLUMNS), book)
                step = self._step_worth(choice, score)
                variation.append(step)
                state = choice.children[step]
        except Interrupted:
            pass
        if work.nodes < limit:
            work.is_spent = 0
        work.node_limit = limit
        return tuple(variation)

    def _step_worth(self, choice: _Choice, score: int) -> int:
        """A step that keeps the *score* of its position."""
        choice.cap(score)
        for step in choice.steps[:-1]:
            self._ask(choice, step, score)
            if choice.lower[step] >= score:
                return step
        return choice.steps[-1]
