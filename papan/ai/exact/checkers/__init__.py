"""Checkers' endings, looked up: what every step leads to is known where few pieces are left.

The tables that come with the program are made by ``making``; ``papan tables checkers`` makes them anew, and compares
them. A forced win is won in the fewest turns, a lost position held as long as can be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import IO, Any

import numpy as np

from papan.ai.evaluation import evaluate, turns_to_end
from papan.ai.evaluation.checkers import CLASSICAL, WEIGHTS, endings
from papan.ai.evaluation.checkers.tables import (
    MOST_PIECES,
    Table,
    keep_endings,
    most_pieces,
    own_file,
    place_of,
    read_endings,
)
from papan.ai.exact.checkers import making
from papan.ai.exact.checkers.making import make
from papan.ai.limits import WIN, Analysis, Line
from papan.ai.search import Query, Searcher
from papan.game.base.sentences import Sentence, say
from papan.game.kernel.bits import popcount
from papan.game.kernel.clock import clock_seconds
from papan.game.rules import State as AnyState
from papan.game.rules import is_over, key, legal_steps, mover, payoff, play, steps_to_draw
from papan.game.rules.checkers import MOST_STEPS
from papan.game.rules.checkers.board import State, must_capture

__all__ = [
    "IS_SOLVED", "MOST_PIECES", "SIZE", "Exact", "can_solve", "comparer", "endings", "keep_endings", "keep_tables",
    "make", "make_tables", "most_pieces", "own_file", "place_of", "places", "position_at", "read_endings", "sizes",
    "tables", "turns_after", "turns_by_moves", "turns_of",
]  # fmt: skip

IS_SOLVED = False
DRAWN = 0
MOST_LISTED = 500_000
"""Positions that are listed at most to value one without the tables."""


def can_solve(state: AnyState) -> bool:
    """Whether so few pieces are left that the tables have *state*."""
    pieces = popcount(state.black | state.white)
    return pieces <= MOST_PIECES and pieces <= most_pieces(endings())


def turns_of(state: State, table: Table) -> int:
    """In how many turns *state* is won by the seat to act, n, or lost, -n; 0 for a draw.

    Unlike ``turns_to_end`` also asked in the middle of a turn, of which the rest counts as one, and where captures are
    to be made. *state* is not over.
    """
    if not state.jumper and not must_capture(state):
        return int(turns_to_end(state, table))
    return turns_by_moves(state, table)


def turns_by_moves(state: State, table: Table) -> int:
    """As ``turns_of``, by what the steps of *state* lead to."""
    return max((turns_after(state, play(state, step), table) for step in legal_steps(state, MOST_STEPS)), key=_promise)


def turns_after(state: State, after: State, table: Table) -> int:
    """As ``turns_of`` for the seat to act in *state*, which comes to *after* by its next step."""
    if after.to_move == state.to_move:
        return turns_of(after, table)
    if is_over(after):
        return 1 if payoff(after, state.to_move) > 0.0 else DRAWN
    turns = turns_of(after, table)
    return DRAWN if turns == DRAWN else 1 - turns if turns < 0 else -1 - turns


def _promise(turns: int) -> float:
    """The more the better: wins by their shortness, losses by their length."""
    return 0.0 if turns == DRAWN else 1.0 / turns


class Exact(Searcher):
    """Looks endings up. There is nothing to stop."""

    def __init__(self, memory: int | None = None, table: Table | None = None) -> None:
        """:param memory: nothing that it could use: the tables are as large as they are.
        :param table: others than those that come with the program.
        """
        self._table = table
        self._weights: Any = np.array(WEIGHTS[CLASSICAL], np.float64)

    def prepare(self, state: AnyState) -> None:
        """Nothing is compiled."""

    def stop(self) -> None:
        """It has answered already."""

    def live(self) -> Analysis | None:
        """Nothing is known before all is."""
        return None

    def answer(self, query: Query) -> Analysis:
        """As any ``Searcher``; limits have no meaning for it. Of several draws the one that looks best is named."""
        state, started = query.state, clock_seconds()
        table = endings() if self._table is None else self._table
        steps = list(query.only) or legal_steps(state, MOST_STEPS)
        Random(query.seed).shuffle(steps)
        found = [self._line(query, step, table) for step in steps]
        found.sort(key=lambda line: (line.score, self._look(state, line.step)), reverse=True)
        is_proven = found[0].is_proven and (found[0].score > 0.0 or all(line.is_proven for line in found))
        told = [self._continued(state, line, table) for line in found[: query.lines or None]]
        best = told[0]
        return Analysis(
            best.step,
            best.score,
            int(mover(state)),
            depth=len(best.principal_variation) if is_proven else 0,
            nodes=len(steps),
            seconds=clock_seconds() - started,
            principal_variation=best.principal_variation,
            is_proven=is_proven,
            lines=tuple(told),
        )

    def _look(self, state: State, step: int) -> float:
        """What the evaluation makes of a *step*: among draws it is better to be ahead."""
        after = play(state, step)
        return 0.0 if is_over(after) else float(evaluate(after, int(mover(state)), self._weights))

    def _line(self, query: Query, step: int, table: Table) -> Line:
        """What *step* promises; not proven where the draw counter or a third repetition may come before the end."""
        state: State = query.state
        after = play(state, step)
        if int(key(after)) in query.came_twice:
            return Line(step, 0.0, (step,), is_proven=True)
        turns = turns_after(state, after, table)
        if turns == DRAWN:
            return Line(step, 0.0, (step,), is_proven=True)
        left = int(steps_to_draw(after))
        is_progress = left >= int(steps_to_draw(state))
        if not is_over(after) and (abs(turns) - 1 > left or (query.came_twice and not is_progress)):
            return Line(step, 0.0, (step,))
        score = WIN - turns if turns > 0 else -turns - WIN
        return Line(step, score, (step,), is_proven=True)

    @staticmethod
    def _continued(state: State, line: Line, table: Table) -> Line:
        """*line* with the shortest way to win for one side and the longest for the other, unless it is a draw."""
        if line.score == 0.0:
            return line
        steps, here = [line.step], play(state, line.step)
        while not is_over(here):
            afters = {step: play(here, step) for step in legal_steps(here, MOST_STEPS)}
            promises = {step: _promise(turns_after(here, after, table)) for step, after in afters.items()}
            steps.append(max(promises, key=lambda step: promises[step]))
            here = afters[steps[-1]]
        return replace(line, principal_variation=tuple(steps))


# ---------------------------------------------------------------------------------- for who makes tables

SIZE = say("pieces")
"""What tables are counted by."""


def tables() -> Table:
    """The tables in use."""
    return endings()


def make_tables(size: int, tell: Callable[[str], None]) -> tuple[Table, Sentence]:
    """The tables of all endings with up to so many pieces, and what they have, in words.

    :param tell: told what is being solved.
    :raises ValueError: they can't be made; the message is a sentence that says why.
    """

    def note(one: Sequence[int], turns: int) -> None:
        tell(say("men: {men}, kings: {kings}", men=one[0] + one[2], kings=one[1] + one[3]))
        longest.append(turns)

    longest: list[int] = []
    made = make(size, note)
    return made, say("{number} places, the longest ending takes {turns} turns", number=len(made), turns=max(longest))


def keep_tables(tables: Table, file: IO[bytes]) -> None:
    """Write tables to a file."""
    keep_endings(tables, file)


def sizes(tables: Table) -> range:
    """The numbers of pieces of the endings that *tables* have."""
    return range(2, most_pieces(tables) + 1)


def places(tables: Table, size: int) -> range:
    """Where *tables* have positions with exactly so many pieces."""
    return making.places(size)


def position_at(tables: Table, size: int, place: int) -> State | None:
    """The position at a *place*, Black to move; None where sets of squares meet or it is over."""
    return making.position_at(place)


def comparer(tables: Table) -> Callable[[State], tuple[bool, bool]]:
    """What tells whether *tables* are right about a position, and whether it was valued without them.

    What the moves lead to must come to the same: if that holds of every position, all are right. Where it is not too
    much, all that can come of a position is listed and valued as well.
    """
    from papan.ai.puzzles.closure import Closure  # it knows of solvers that know exact solvers

    closure = Closure(MOST_STEPS, MOST_LISTED)

    def compare(state: State) -> tuple[bool, bool]:
        turns = turns_of(state, tables)
        is_right = turns_by_moves(state, tables) == turns
        value = closure.value(state)
        if value is None:
            return is_right, False
        return is_right and _of_mover(value, state) == turns, True

    return compare


def _of_mover(value: int, state: State) -> int:
    """The turns to the end for the seat to act, of a *value* of ``Closure``, which has one more."""
    if value == 0:
        return 0
    return abs(value) - 1 if (value > 0) == (mover(state) == 0) else 1 - abs(value)
