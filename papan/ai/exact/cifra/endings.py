"""CIFRA's endings: every position that can still come is listed, and its value found from the ends backwards.

Retrograde analysis (Ströhlein, 1970; Thompson, "Retrograde analysis of certain endgames", 1986) of what is within reach
of one position on one board: the tiles differ from match to match, so no table could be made beforehand. Positions are
found breadth first and kept in a hash table, with what each leads to. A position is lost where all it leads to is won
for the opponent, and won where something it leads to is lost; what is neither in the end is a draw.

Draw counters are left out, and a position that comes again counts for nothing by itself: who wins by the shortest way
never needs one twice, and who can't win by any way is not helped by going in circles. The caller looks whether the
counter lets the shortest way come to its end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.ai.search.pace import look_at_limits
from papan.ai.search.table import numbered
from papan.game.kernel import compiled, kernel, subroutine
from papan.game.kernel.arrays import record_type
from papan.game.rules import is_over, key, mover, moves, payoff, play
from papan.game.rules.cifra.large import LargeState
from papan.game.rules.cifra.large_rays import PART_CELLS
from papan.game.rules.cifra.small import RankedState, State
from papan.game.rules.cifra.states import AnyState

WORDS = {State: 1, RankedState: 3, LargeState: 12}
"""How many words hold the pieces of a state."""

UNKNOWN, DRAWN = 0, 1 << 14
"""Values beside these: n for a win in n - 1 turns, and -n for a loss."""

NUMBERS_BETWEEN_LOOKS = 1024
"""Positions between two looks at the time, where each is only a number."""

WORKSPACE = record_type(
    ("stop", np.int64),  # set from another thread to end the work
    ("nodes", np.int64),
    ("node_limit", np.int64),
    ("look_at", np.int64),  # nodes at which the limits are looked at again
    ("deadline", np.int64),  # when the work has to end
    ("positions", np.int64),  # how many have been found
    ("edges", np.int64),
    ("done", np.int64),  # how many of them have been followed
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
    """The number of *state*, which is new or not; -1 where there is no room."""
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
    """Find all that can come after the positions that are there, and what each leads to; ends are valued.

    Returns early if stopped, or with ``is_full`` where *edges* or room for positions is short: it can be called again.

    :param state: one on the same board, in the same mode.
    :param draws: keys of positions that are drawn when they come.
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
    """The same edges by where they lead: ``backward[first_back[n]:first_back[n + 1]]`` lead to n."""
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
