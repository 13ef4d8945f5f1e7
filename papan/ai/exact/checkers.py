"""Checkers' endings from endgame tables: the value of every step where few pieces are left.

``make`` made the bundled tables; ``papan tables checkers`` makes them anew, and compares them. A forced win is won in
the fewest turns, a lost position held as long as possible.

Tables are made from the ends of the game backwards, one pair of slices after the other: retrograde analysis (Ströhlein,
1970; for checkers Lake, Schaeffer and Lu, "Solving Large Retrograde-Analysis Problems Using a Network of Workstations",
1994). A slice and the one with the sides exchanged lead to each other by moves that capture and crown nothing, and
otherwise only to finished slices. Positions whose moves are captures are valued at once. Then come the turns to the
end, n = 1, 2, 3 …: a position is won in n where a move leads to one lost in n - 1, and lost in n where all lead to ones
won in n - 1 at most. Each pass tries only positions with a move to one just valued, or with a man that may be crowned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from papan.ai.evaluation import evaluate, turns_to_end
from papan.ai.evaluation.checkers import CLASSICAL, WEIGHTS, endings
from papan.ai.evaluation.checkers.tables import (
    DRAWN,
    MAN_SQUARES,
    MOST_PIECES,
    PIECES_END,
    SLICE_START,
    Table,
    exchanged,
    most_pieces,
    place_of,
    slice_size,
    slices,
)
from papan.ai.evaluation.checkers.tables import keep_tables as keep_tables
from papan.ai.evaluation.checkers.tables import own_file as own_file
from papan.ai.exact import analysis_by, shuffled_steps
from papan.ai.limits import WIN, Analysis, Line
from papan.ai.search import Query, Searcher
from papan.game.base.large_arrays import large_array
from papan.game.base.sentences import Sentence, SentenceError, say
from papan.game.kernel import compiled, subroutine
from papan.game.kernel.arrays import get_state, put_state, state_rows
from papan.game.kernel.bits import lowest, popcount
from papan.game.kernel.clock import clock_seconds
from papan.game.rules import State as AnyState
from papan.game.rules import is_over, key, legal_steps, mover, moves, payoff, play, steps_to_draw
from papan.game.rules.checkers import MOST_STEPS
from papan.game.rules.checkers.board import BOARD, SQUARES, START, State, bit_of, can_act, must_capture

IS_SOLVED = False
MOST_LISTED = 500_000
"""The most positions to list when one is valued without the tables."""


def can_solve(state: AnyState) -> bool:
    """Whether the tables have *state*."""
    pieces = popcount(state.black | state.white)
    return pieces <= MOST_PIECES and pieces <= most_pieces(endings())


def turns_of(state: State, table: Table) -> int:
    """Turns to the end: n for a win of the seat to act, -n for a loss, 0 for a draw. *state* is not over.

    Unlike ``turns_to_end`` it allows the middle of a turn, whose rest counts as one, and positions with captures to
    make.
    """
    if not state.jumper and not must_capture(state):
        return int(turns_to_end(state, table))
    return turns_by_moves(state, table)


def turns_by_moves(state: State, table: Table) -> int:
    """As ``turns_of``, from the successors of *state*."""
    return max((turns_after(state, play(state, step), table) for step in legal_steps(state, MOST_STEPS)), key=_promise)


def turns_after(state: State, after: State, table: Table) -> int:
    """As ``turns_of`` for the seat to act in *state*, whose next step leads to *after*."""
    if after.to_move == state.to_move:
        return turns_of(after, table)
    if is_over(after):
        return 1 if payoff(after, state.to_move) > 0.0 else DRAWN
    turns = turns_of(after, table)
    return DRAWN if turns == DRAWN else 1 - turns if turns < 0 else -1 - turns


def _promise(turns: int) -> float:
    """A sort key, higher is better: short wins, then draws, then losses, long ones first."""
    return 0.0 if turns == DRAWN else 1.0 / turns


class Exact(Searcher):
    """Looks endings up, too quickly to need ``stop``."""

    def __init__(self, memory: int | None = None, table: Table | None = None) -> None:
        """:param memory: ignored: the tables have a fixed size."""
        self._table = table
        self._weights: Any = np.array(WEIGHTS[CLASSICAL], np.float64)

    def prepare(self, state: AnyState) -> None: ...

    def stop(self) -> None: ...

    def answer(self, query: Query) -> Analysis:
        """As any ``Searcher``; limits are ignored. Among draws it names the step that looks best."""
        state, started = query.state, clock_seconds()
        table = endings() if self._table is None else self._table
        steps = shuffled_steps(query, MOST_STEPS)
        found = [self._line(query, step, table) for step in steps]
        found.sort(key=lambda line: (line.score, self._look(state, line.step)), reverse=True)
        is_proven = found[0].is_proven and (found[0].score > 0.0 or all(line.is_proven for line in found))
        told = [self._continued(state, line, table) for line in found[: query.lines or None]]
        return analysis_by(told, query, started, len(steps), len(told[0].principal_variation), is_proven)

    def _look(self, state: State, step: int) -> float:
        """The evaluation of *step*: among draws it is better to be ahead."""
        after = play(state, step)
        return 0.0 if is_over(after) else float(evaluate(after, int(mover(state)), self._weights))

    def _line(self, query: Query, step: int, table: Table) -> Line:
        """The line of *step*; not proven where the draw counter or a third repetition may come before the end."""
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
        """*line* extended: the winner takes the shortest way, the loser the longest; draws are not extended."""
        if line.score == 0.0:
            return line
        steps, here = [line.step], play(state, line.step)
        while not is_over(here):
            afters = {step: play(here, step) for step in legal_steps(here, MOST_STEPS)}
            promises = {step: _promise(turns_after(here, after, table)) for step, after in afters.items()}
            steps.append(max(promises, key=lambda step: promises[step]))
            here = afters[steps[-1]]
        return replace(line, principal_variation=tuple(steps))


# ---------------------------------------------------------------------------------- making tables

SIZE = say("pieces")


tables = endings


def make_tables(size: int, tell: Callable[[str], None]) -> tuple[Table, Sentence]:
    """The tables of all endings with up to *size* pieces, and a sentence about them.

    :raises TablesError: they can't be made.
    """

    def note(one: Sequence[int], turns: int) -> None:
        tell(say("men: {men}, kings: {kings}", men=one[0] + one[2], kings=one[1] + one[3]))
        longest.append(turns)

    longest: list[int] = []
    made = make(size, note)
    return made, say("{number} places, the longest ending takes {turns} turns", number=len(made), turns=max(longest))


def sizes(tables: Table) -> range:
    return range(2, most_pieces(tables) + 1)


def comparer(tables: Table) -> Callable[[State], tuple[bool, bool]]:
    """Return a function that says whether *tables* are right about a position, and whether it was valued without them.

    A position's value must agree with those of its successors: if all do, all are right. Unless there are too many, all
    positions that can follow it are listed and valued as well.
    """
    from papan.ai.puzzles.closure import Closure  # imports solvers, which import exact solvers

    closure = Closure(MOST_STEPS, MOST_LISTED)

    def compare(state: State) -> tuple[bool, bool]:
        turns = turns_of(state, tables)
        is_right = turns_by_moves(state, tables) == turns
        value = closure.value(state)
        if value is None:
            return is_right, False
        number = max(abs(value) - 1, 0)  # a value has one more than the turns
        return is_right and turns == (number if (value > 0) == (mover(state) == 0) else -number), True

    return compare


ENDED = 254
"""While tables are made: the seat to move has lost already, in 0 turns, which would read as a draw."""
MOST_TURNS = 250
WAITING, CROWNS = 1, 2
"""Marks of positions: to value next; to value in each pass."""
BEFORE_CROWN = sum(1 << bit_of(square) for square in range(SQUARES - 8, SQUARES - 4))

_WAYS = 256  # continuations of a turn's captures, with room to spare


class TablesError(SentenceError, ValueError):
    """The tables can't be made; the message is a sentence that says why."""


class Sets(NamedTuple):
    """All sets of squares where each group of pieces can stand, as bitboards in the order of their ranks."""

    own_men: Any
    their_men: Any
    own_kings: Any
    their_kings: Any


@cache
def _sets(size: int, squares: int, first: int) -> Any:
    chosen = sorted(combinations(range(squares), size), key=lambda one: one[::-1])
    return np.array([sum(1 << bit_of(first + square) for square in one) for one in chosen], np.int64)


def sets_of(one: Sequence[int]) -> Sets:
    own_men, own_kings, their_men, their_kings = one
    return Sets(
        _sets(own_men, MAN_SQUARES, 0),
        _sets(their_men, MAN_SQUARES, SQUARES - MAN_SQUARES),
        _sets(own_kings, SQUARES, 0),
        _sets(their_kings, SQUARES, 0),
    )


@subroutine
def state_at(place: int, sets: Sets) -> State:
    """The position at a *place* of a slice, Black to move; an empty board where sets of squares overlap."""
    kings = len(sets.their_kings)
    their_kings = int(sets.their_kings[place % kings])
    place //= kings
    kings = len(sets.own_kings)
    own_kings = int(sets.own_kings[place % kings])
    place //= kings
    men = len(sets.their_men)
    their_men, own_men = int(sets.their_men[place % men]), int(sets.own_men[place // men])
    meets = own_men & their_men | (own_men | their_men) & (own_kings | their_kings) | own_kings & their_kings
    if meets != 0:
        return State(0, 0, 0, 0, 0, 0)
    return State(own_men | own_kings, their_men | their_kings, own_kings | their_kings, 0, 0, 0)


@subroutine
def kept_turns(state: State, endings: Any) -> int:
    """The tables' value of *state*, at the start of a turn: ``ENDED`` where the seat to move has lost already."""
    if state.black == 0 or state.white == 0:
        return ENDED
    return int(np.int64(endings[place_of(state)]))


@subroutine
def better(best: int, after: int) -> int:
    """The better of *best*, -1 for none, and a move to a position that the tables value *after*: turns from before it.

    A draw is 0.
    """
    turns = 1 if after == ENDED else (after + 1 if after != DRAWN else DRAWN)
    if best < 0 or turns & 1 > best & 1:
        return turns
    if turns & 1 < best & 1:
        return best
    if turns & 1 != 0:
        return min(turns, best)
    return DRAWN if turns == DRAWN or best == DRAWN else max(turns, best)


@subroutine
def value_now(state: State, endings: Any, rows: Any, buffer: Any) -> int:
    """The value of *state*, at the start of a turn and not over, from the known values of its successors."""
    put_state(state, rows, 0)
    waiting, best = 1, -1
    while waiting > 0:
        waiting -= 1
        here = get_state(state, rows, waiting)
        for index in range(moves(here, buffer, 0)):
            after = play(here, int(buffer[index]))
            if after.jumper != 0:
                put_state(after, rows, waiting)
                waiting += 1
            else:
                best = better(best, kept_turns(after, endings))
    return best


@compiled
def begin(endings: Any, start: int, first: int, end: int, sets: Sets, marks: Any, rows: Any, buffer: Any) -> int:
    """Value the positions of a slice that are over or whose moves are captures, and mark those that may crown a man.

    :param start: the start of the pair of slices.
    :returns: the greatest number of turns among them.
    """
    most = 0
    for place in range(first, end):
        state = state_at(place - first, sets)
        if state.black == 0:
            continue
        if not can_act(state):
            endings[place] = ENDED
        elif must_capture(state):
            endings[place] = value_now(state, endings, rows, buffer)
            most = max(most, int(endings[place]))
        elif state.black & ~state.kings & BEFORE_CROWN != 0:
            marks[place - start] = CROWNS
    return most


@subroutine
def mark_before(state: State, start: int, marks: Any) -> None:
    """Mark the positions with a move to *state*, Black to move, that captures and crowns nothing."""
    empty = BOARD & ~(state.black | state.white)
    for distance in (4, 5, -4, -5):
        movers = state.white if distance > 0 else state.white & state.kings
        origins = (movers << distance if distance > 0 else movers >> -distance) & empty
        while origins != 0:
            origin = lowest(origins)
            origins &= origins - 1
            path = 1 << origin | 1 << (origin - distance)
            kings = state.kings ^ path if state.kings >> (origin - distance) & 1 != 0 else state.kings
            before = State(state.black, state.white ^ path, kings, 1, 0, 0)
            if not must_capture(before):
                marks[place_of(before) - start] |= WAITING


@compiled
def look_back(endings: Any, start: int, first: int, end: int, sets: Sets, marks: Any, turns: int) -> None:
    """Mark the positions before those of a slice that end in *turns* turns."""
    wanted = ENDED if turns == 0 else turns
    for place in range(first, end):
        if endings[place] == wanted:
            mark_before(state_at(place - first, sets), start, marks)


@compiled
def value(endings: Any, start: int, first: int, end: int, sets: Sets, marks: Any, turns: int, buffer: Any) -> int:
    """Value the marked positions of a slice that end in *turns* turns; returns their number."""
    found = 0
    for place in range(first, end):
        mark = int(marks[place - start])
        if mark == 0 or endings[place] != DRAWN:
            continue
        marks[place - start] = mark & CROWNS
        state = state_at(place - first, sets)
        best = -1
        for index in range(moves(state, buffer, 0)):
            after = kept_turns(play(state, int(buffer[index])), endings)
            # Values found later are only known to be this large or larger.
            best = better(best, DRAWN if after >= turns and after != ENDED else after)
        if best == turns:
            endings[place] = turns
            found += 1
    return found


@compiled
def leave_out_captures(endings: Any, first: int, end: int, sets: Sets) -> None:
    """Replace the value of each position of a slice with captures to make by the one before it."""
    for place in range(first, end):
        state = state_at(place - first, sets)
        if place > 0 and (state.black == 0 or must_capture(state) or not can_act(state)):
            endings[place] = endings[place - 1]


def make(pieces: int, on_slice: Callable[[Sequence[int], int], None] = lambda one, turns: None) -> Table:
    """The tables of all endings with up to *pieces* pieces.

    :param on_slice: called after each pair of slices with one of them and the greatest number of turns so far.
    :raises TablesError: an ending takes more turns than a byte holds, or there can't be tables of that many pieces.
    """
    if not 2 <= pieces <= MOST_PIECES:
        raise TablesError.saying(
            "Tables of {pieces} pieces can't be made: it must be 2 to {most}.", pieces=pieces, most=MOST_PIECES
        )
    endings: Table = large_array(int(PIECES_END[pieces]), np.uint8)
    longest = 0
    for number in range(2, pieces + 1):
        for one in slices(number):
            if one == max(one, exchanged(one)):
                longest = _make_pair(endings, one, longest)
                on_slice(one, longest)
    for number in range(2, pieces + 1):
        for one in slices(number):
            first = int(SLICE_START[one])
            leave_out_captures(endings, first, first + slice_size(*one), sets_of(one))
    return endings


def _make_pair(endings: Table, one: tuple[int, int, int, int], longest: int) -> int:
    """Value a slice and the one with the sides exchanged; returns the greatest number of turns so far.

    :param longest: the greatest number of turns before.
    """
    pair = [(int(SLICE_START[each]), slice_size(*each), sets_of(each)) for each in sorted({one, exchanged(one)})]
    start = pair[0][0]
    marks = np.zeros(sum(size for _, size, _ in pair), np.uint8)
    rows, buffer = state_rows(START, _WAYS), np.zeros(MOST_STEPS, np.int64)
    for first, size, sets in pair:
        longest = max(longest, begin(endings, start, first, first + size, sets, marks, rows, buffer))
    turns, last = 0, longest + 1
    while turns <= last:
        turns += 1
        if turns > MOST_TURNS:
            raise TablesError.saying("An ending takes more than {most} turns.", most=MOST_TURNS)
        for first, size, sets in pair:
            look_back(endings, start, first, first + size, sets, marks, turns - 1)
        for first, size, sets in pair:
            if value(endings, start, first, first + size, sets, marks, turns, buffer):
                longest, last = max(longest, turns), max(last, turns)
    return longest


def places(tables: Table, size: int) -> range:
    """The indices of positions with exactly *size* pieces."""
    return range(int(PIECES_END[size - 1]), int(PIECES_END[size]))


def position_at(tables: Table, size: int, place: int) -> State | None:
    """The position at a *place*, Black to move; None where sets of squares overlap or it is over."""
    for one in slices(size):
        within = place - int(SLICE_START[one])
        if 0 <= within < slice_size(*one):
            state = state_at(within, sets_of(one))
            return state if can_act(state) and state.black and state.white else None
    return None
