"""CIFRA's endings, solved: with few pieces left, every reachable position is listed and valued.

Results are kept, so that later positions of the same ending are only looked up. A forced win is won in the fewest
turns, a lost position held as long as possible.

Retrograde analysis (Ströhlein, 1970; Thompson, "Retrograde analysis of certain endgames", 1986) of the positions
reachable from one position on one board: tiles differ from match to match, so no table can be made beforehand.
Positions are found breadth first and kept in a hash table with their successors. A position is lost if all successors
are won for the opponent, and won if one is lost for the opponent; the rest are draws.

Draw counters and repetitions are ignored: the shortest win repeats no position, and a seat without a win gains nothing
by repeating. ``Exact`` checks whether the counter leaves time for the shortest win.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, factorial
from typing import Any

import numpy as np

from papan.ai.exact import MIB, ExactSearcher, analysis_by, set_limit, shuffled_steps
from papan.ai.limits import WIN, Analysis, Line
from papan.ai.search import Query
from papan.ai.search.deepening import look_at_limits
from papan.ai.search.table import number_of, numbered
from papan.game.base.large_arrays import large_array
from papan.game.kernel import compiled, kernel, subroutine
from papan.game.kernel.arrays import new_record, record_type
from papan.game.kernel.clock import NEVER, clock_seconds
from papan.game.rules import is_over, key, legal_steps, mover, moves, payoff, play
from papan.game.rules.cifra import MOST_STEPS
from papan.game.rules.cifra.board import (
    DASH,
    KING,
    MOVING,
    QUIET_TURNS,
    count_goals,
    count_living,
    living_pieces,
    mode_of,
    ranked_pieces,
    size_of,
    whole,
)
from papan.game.rules.cifra.large import LargeState
from papan.game.rules.cifra.large_rays import PART_CELLS
from papan.game.rules.cifra.small import RankedState, State
from papan.game.rules.cifra.states import AnyState

IS_SOLVED = False
MEMORY = 256
"""MiB for positions and their successors, by default."""

_EDGES = 16  # successors of a position, at first; more on demand
_POSITION_BYTES = 36  # besides its words and edges
_MOST_POSITIONS = 200_000
"""About a second of work."""


def can_solve(state: AnyState) -> bool:
    """Whether so few pieces are left that *state* is solved within about two seconds."""
    return state.stage == MOVING and most_positions(state) <= _MOST_POSITIONS


def most_positions(state: AnyState) -> int:
    """An upper bound of the positions that can follow *state*, which is in play."""
    size = size_of(state)
    far_row_cells = [size - count_goals(state, seat) for seat in range(2)]
    ways = [[0, 0], [0, 0]]  # by seat: with living pieces, and without
    for seat in range(2):
        count = count_living(state, seat)
        for left in range(count + 1):
            for home in range(min(count - left, far_row_cells[seat]) + 1):
                chosen = comb(size * (size - 1), left) * comb(far_row_cells[seat], home)
                ways[seat][left == 0] += chosen * _orders(state, seat, count, left, home)
    (first, first_gone), (second, second_gone) = ways
    # A side without living pieces has ended the game: the last pieces stood as they did one move before.
    return 2 * first * second + first_gone * second + first * second_gone


def _orders(state: AnyState, seat: int, count: int, left: int, home: int) -> int:
    """The number of ways for different pieces to stand on the same cells."""
    if mode_of(state) == DASH:
        return 1
    if mode_of(state) == KING:
        has_king = bool(whole(living_pieces, state, seat) & whole(ranked_pieces, state, 0))
        return left + home + 1 if has_king else 1
    return comb(count, left + home) * factorial(left + home)


@dataclass
class _Ending:
    """All positions that can follow some position."""

    like: AnyState
    draws: frozenset[int]
    keys: Any
    slots: Any
    values: Any

    def value(self, state: AnyState) -> int | None:
        """The value of *state* for the seat to move (see ``UNKNOWN``); None if it is not in the ending."""
        same = (state.white_tiles, state.white_seat, mode_of(state), size_of(state))
        like = self.like
        if same != (like.white_tiles, like.white_seat, mode_of(like), size_of(like)):
            return None
        number = int(number_of(int(key(state)), self.keys, self.slots))
        return None if number < 0 else int(self.values[number])


class Exact(ExactSearcher):
    """Solves endings of CIFRA. It keeps the last one for later moves."""

    def __init__(self, memory: int | None = None) -> None:
        """:param memory: MiB that an ending may take; ``MEMORY`` for None."""
        self._memory = max(memory or MEMORY, 1) * MIB
        self._work = new_record(WORKSPACE)
        self._ending: _Ending | None = None
        self._prepared: set[type] = set()

    def forget(self) -> None:
        self._ending = None

    def prepare(self, state: AnyState) -> None:
        if type(state) in self._prepared:  # takes milliseconds to compute
            return
        words, longs, ints = np.zeros((1, 1), np.int64), np.zeros(1, np.int64), np.zeros(1, np.int32)
        values = np.zeros(1, np.int16)
        begin.prepare(state, words, longs, ints, self._work)
        follow.prepare(state, longs, words, longs, ints, ints, ints, values, longs, self._work)
        turn_round.prepare(ints, ints, ints, ints, self._work)
        value_all.prepare(ints, ints, ints, values, ints, ints, self._work)
        number_of.prepare(0, longs, ints)
        self._prepared.add(type(state))

    def answer(self, query: Query) -> Analysis:
        """As any ``Searcher``. Where a limit or the memory ends it, nothing is proven, and the step is arbitrary."""
        state = query.state
        self.prepare(state)
        started = clock_seconds()
        steps = shuffled_steps(query, MOST_STEPS)
        set_limit(self._work, query)
        ending = self._solved(state, [play(state, step) for step in steps], frozenset(query.came_twice))
        found = [Line(step, 0.0, (step,)) if ending is None else self._line(ending, state, step) for step in steps]
        found.sort(key=lambda line: line.score, reverse=True)
        best = found[0]
        is_proven = best.is_proven and (best.score > 0.0 or all(line.is_proven for line in found))
        return analysis_by(found, query, started, self.nodes, len(best.principal_variation), is_proven)

    def _solved(self, state: AnyState, after: Sequence[AnyState], draws: frozenset[int]) -> _Ending | None:
        """The ending of *after*, the successors of *state*; None if it is too large or was stopped."""
        kept = self._ending
        if kept is not None and kept.draws == draws and all(kept.value(one) is not None for one in after):
            return kept
        self._ending = None  # first: there may be no room for both
        if state.stage != MOVING:
            return None
        self._ending = self._solve(state, after, draws)
        return self._ending

    def _solve(self, state: AnyState, after: Sequence[AnyState], draws: frozenset[int]) -> _Ending | None:
        work = self._work
        width = WORDS[type(state)]
        room = self._memory // (_POSITION_BYTES + 8 * width + 8 * _EDGES)
        room = max(min(most_positions(state), room), 1)
        words, keys = large_array(room * width, np.int64).reshape(room, width), large_array(room, np.int64)
        slots = large_array(1 << (2 * room - 1).bit_length(), np.int32)
        values, first_edge = large_array(room, np.int16), large_array(room + 1, np.int32)
        edges = large_array(room * _EDGES // 4 + MOST_STEPS, np.int32)
        buffer = np.zeros(MOST_STEPS, np.int64)
        drawn = np.array(sorted(draws), np.int64)
        work.positions, work.done, work.edges = 0, 0, 0
        for one in after:
            if begin(one, words, keys, slots, work) < 0:
                return None
        while True:
            follow(state, drawn, words, keys, slots, first_edge, edges, values, buffer, work)
            if work.stop:
                return None
            if not work.is_full:
                break
            if work.positions >= room or 2 * edges.nbytes > self._memory // 3:
                return None
            fewer, edges = edges, large_array(2 * len(edges), np.int32)
            edges[: len(fewer)] = fewer
        del words
        work.node_limit = NEVER  # all positions are known; no more steps are played
        count, links = int(work.positions), int(work.edges)
        first_back, backward = np.zeros(count + 2, np.int32), np.zeros(links, np.int32)
        turn_round(first_edge, edges, first_back, backward, work)
        left, queue = np.zeros(count, np.int32), np.zeros(count, np.int32)
        if not work.stop:
            value_all(first_edge, first_back, backward, values, left, queue, work)
        if work.stop:
            return None
        return _Ending(state, draws, keys[:count].copy(), slots, values[:count].copy())

    def _line(self, ending: _Ending, state: AnyState, step: int) -> Line:
        """The line of *step*; not proven where the draw counter may run out before the end."""
        after = play(state, step)
        value = ending.value(after)
        if value is None or value in (UNKNOWN, DRAWN):
            return Line(step, 0.0, (step,), is_proven=value is not None)
        turns = abs(value)
        if after.quiet + turns - 2 >= QUIET_TURNS:
            return Line(step, 0.0, (step,))
        score = WIN - turns if value < 0 else turns - WIN
        return Line(step, score, (step, *self._continuation(ending, after)), is_proven=True)

    def _continuation(self, ending: _Ending, state: AnyState) -> list[int]:
        """The steps from *state*, which is not drawn: the winner takes the shortest way, the loser the longest."""
        steps: list[int] = []
        while not is_over(state):
            value = ending.value(state)
            assert value is not None
            wanted = 1 - value if value > 0 else -1 - value
            for step in legal_steps(state, MOST_STEPS):
                after = play(state, step)
                if ending.value(after) == wanted:
                    break
            steps.append(step)
            state = after
        return steps


WORDS = {State: 1, RankedState: 3, LargeState: 12}
"""The number of words for the pieces of a state."""

UNKNOWN, DRAWN = 0, 1 << 14
"""Values besides these: n for a win in n - 1 turns, and -n for a loss."""

NUMBERS_BETWEEN_LOOKS = 1024
"""Positions between two checks of the time, in passes over position numbers."""

WORKSPACE = record_type(
    ("stop", np.int64),  # set from another thread to end the work
    ("nodes", np.int64),
    ("node_limit", np.int64),
    ("look_at", np.int64),  # the number of nodes at the next check of limits
    ("deadline", np.int64),  # the time to end
    ("positions", np.int64),  # positions found
    ("edges", np.int64),
    ("done", np.int64),  # positions followed
    ("is_full", np.int64),  # there was no room for all
)


@kernel
def write_pieces(state: AnyState, words: Any, row: int) -> None:
    """Write the pieces of *state*, and who is to move, into a row of words."""
    raise NotImplementedError


@kernel
def with_pieces(state: AnyState, words: Any, row: int) -> AnyState:
    """*state* with the pieces and the mover of a row; the draw counter is 0."""
    raise NotImplementedError


_SHIFT = 25
_MASK = (1 << _SHIFT) - 1


@write_pieces.of(State)
def _write(state: State, words: Any, row: int) -> None:
    words[row, 0] = state.first | state.second << _SHIFT | state.to_move << 2 * _SHIFT


@with_pieces.of(State)
def _with(state: State, words: Any, row: int) -> State:
    word = int(words[row, 0])
    return state._replace(first=word & _MASK, second=word >> _SHIFT & _MASK, to_move=word >> 2 * _SHIFT, quiet=0)


@write_pieces.of(RankedState)
def _write_ranked(state: RankedState, words: Any, row: int) -> None:
    words[row, 0] = state.first | state.second << _SHIFT | state.to_move << 2 * _SHIFT
    words[row, 1] = state.ones | state.twos << _SHIFT
    words[row, 2] = state.fours


@with_pieces.of(RankedState)
def _with_ranked(state: RankedState, words: Any, row: int) -> RankedState:
    word, ranks = int(words[row, 0]), int(words[row, 1])
    return state._replace(
        first=word & _MASK, second=word >> _SHIFT & _MASK, to_move=word >> 2 * _SHIFT, quiet=0,
        ones=ranks & _MASK, twos=ranks >> _SHIFT, fours=int(words[row, 2]),
    )  # fmt: skip


@write_pieces.of(LargeState)
def _write_large(state: LargeState, words: Any, row: int) -> None:
    words[row, 0] = state.first | state.to_move << PART_CELLS
    words[row, 1] = state.upper_first
    words[row, 2] = state.second
    words[row, 3] = state.upper_second
    words[row, 4] = state.ones
    words[row, 5] = state.upper_ones
    words[row, 6] = state.twos
    words[row, 7] = state.upper_twos
    words[row, 8] = state.fours
    words[row, 9] = state.upper_fours
    words[row, 10] = state.eights
    words[row, 11] = state.upper_eights


@with_pieces.of(LargeState)
def _with_large(state: LargeState, words: Any, row: int) -> LargeState:
    first = int(words[row, 0])
    return state._replace(
        first=first & (1 << PART_CELLS) - 1, upper_first=int(words[row, 1]),
        second=int(words[row, 2]), upper_second=int(words[row, 3]),
        to_move=first >> PART_CELLS, quiet=0,
        ones=int(words[row, 4]), upper_ones=int(words[row, 5]),
        twos=int(words[row, 6]), upper_twos=int(words[row, 7]),
        fours=int(words[row, 8]), upper_fours=int(words[row, 9]),
        eights=int(words[row, 10]), upper_eights=int(words[row, 11]),
    )  # fmt: skip


@subroutine
def add(state: AnyState, words: Any, keys: Any, slots: Any, work: Any) -> int:
    """The number of *state*, old or new; -1 if there is no room."""
    known = work.positions
    number = numbered(key(state), keys, slots, work)
    if work.positions > known:
        write_pieces(state, words, number)
    return number


@compiled
def begin(state: AnyState, words: Any, keys: Any, slots: Any, work: Any) -> int:
    """Add a position to follow."""
    return add(state, words, keys, slots, work)


@compiled
def follow(
    state: AnyState,
    draws: Any,
    words: Any,
    keys: Any,
    slots: Any,
    first_edge: Any,
    edges: Any,
    values: Any,
    buffer: Any,
    work: Any,
) -> None:
    """Find all positions that can follow those present, and their edges; finished ones are valued.

    Returns early if stopped, or with ``is_full`` where *edges* or room for positions is short: it can be called again.

    :param state: a state on the same board, in the same mode.
    :param draws: keys of positions that count as drawn.
    :param first_edge: ``edges[first_edge[n]:first_edge[n + 1]]`` are the numbers that n leads to.
    """
    work.is_full = 0
    while work.done < work.positions:
        number = work.done
        if work.nodes >= work.look_at:
            look_at_limits(work)
        if work.stop != 0:
            return
        here = with_pieces(state, words, number)
        edge = int(first_edge[number])
        values[number] = UNKNOWN
        is_drawn = False
        for index in range(len(draws)):
            if draws[index] == keys[number]:
                is_drawn = True
        if is_over(here):
            won = payoff(here, mover(here))
            values[number] = 1 if won > 0.0 else (-1 if won < 0.0 else DRAWN)
        elif is_drawn:
            values[number] = DRAWN
        else:
            count = moves(here, buffer, 0)
            if edge + count > len(edges):
                work.is_full = 1
                return
            for index in range(count):
                reached = add(play(here, int(buffer[index])), words, keys, slots, work)
                if reached < 0:
                    work.is_full = 1
                    return
                edges[edge] = reached
                edge += 1
            work.nodes += count
        first_edge[number + 1] = edge
        work.done = number + 1
    work.edges = first_edge[work.positions]


@compiled
def turn_round(first_edge: Any, edges: Any, first_back: Any, backward: Any, work: Any) -> None:
    """Reverse the edges: ``backward[first_back[n]:first_back[n + 1]]`` lead to n."""
    for number in range(work.positions):
        if number % NUMBERS_BETWEEN_LOOKS == 0:
            look_at_limits(work)
        if work.stop != 0:
            return
        for index in range(first_edge[number], first_edge[number + 1]):
            first_back[edges[index] + 2] += 1
    for number in range(work.positions):
        first_back[number + 2] += first_back[number + 1]
    for number in range(work.positions):
        if number % NUMBERS_BETWEEN_LOOKS == 0:
            look_at_limits(work)
        if work.stop != 0:
            return
        for index in range(first_edge[number], first_edge[number + 1]):
            reached = edges[index]
            backward[first_back[reached + 1]] = number
            first_back[reached + 1] += 1


@compiled
def value_all(first_edge: Any, first_back: Any, backward: Any, values: Any, left: Any, queue: Any, work: Any) -> None:
    """Give every position that leads to a forced end its value; those left UNKNOWN are draws.

    :param left: room for a number for each position, as *queue*.
    """
    end = 0
    for number in range(work.positions):
        left[number] = first_edge[number + 1] - first_edge[number]
        if values[number] == 1 or values[number] == -1:
            queue[end] = number
            end += 1
    start = 0
    while start < end:
        if start % NUMBERS_BETWEEN_LOOKS == 0:
            look_at_limits(work)
        if work.stop != 0:
            return
        number = queue[start]
        start += 1
        value = int(values[number])
        for index in range(first_back[number], first_back[number + 1]):
            before = backward[index]
            if values[before] == UNKNOWN:
                left[before] -= 1
                if value < 0:
                    values[before] = 1 - value
                elif left[before] == 0:
                    values[before] = -1 - value
                if values[before] != UNKNOWN:
                    queue[end] = before
                    end += 1
