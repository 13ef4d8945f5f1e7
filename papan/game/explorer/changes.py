"""What changes on the board from position to position of a game, and a search for positions in that, in compiled code.

A game is a list of **changes**, 16 bits each: ``cell << 4 | content``. From an empty board on, those before each
position end with that of ``SIDE_CELL``, whose content is the seat to move, plus 1.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.game.kernel import compiled
from papan.game.rules import BoardRows, State, content_at, mover, play

CONTENT_BITS = 4
SIDE_CELL = 511
"""A cell beyond all boards; it has the highest number."""
SLOTS = (SIDE_CELL + 1) << CONTENT_BITS
"""The changes that there can be."""
_SIDE = SIDE_CELL << CONTENT_BITS
_PLAIN_GAMES = 20
"""Games that plain Python replays sooner than the compiler is ready."""
_NO_SEAT = -2


@compiled
def write_changes(state: State, steps: Any, number: int, cells: Any, contents: Any, changes: Any) -> int:
    """Write the changes before the position at the start of each turn, and after the last; return their number.

    :param steps: *number* legal steps from *state*.
    :param cells: the cells of the board.
    :param contents: space for their contents.
    :param changes: space for the changes of every position.
    """
    count, seat = 0, _NO_SEAT
    for index in range(len(cells)):
        contents[index] = 0
    for index in range(number + 1):
        if index == number or mover(state) != seat:
            seat = mover(state)
            for place in range(len(cells)):
                cell = int(cells[place])
                content = content_at(state, cell)
                if content != int(contents[place]):
                    contents[place] = content
                    changes[count] = cell << CONTENT_BITS | content
                    count += 1
            changes[count] = _SIDE + seat + 1
            count += 1
        if index < number:
            state = play(state, int(steps[index]))
    return count


@compiled
def scan(
    changes: Any, ends: Any, chosen: Any, values: Any, missing: int, ones: int, highs: int, board: Any, turns: Any
) -> None:
    """Write the number of turns to the first position of each game that fits one of the images of a pattern.

    For each image, a part of a number counts the constraints that the position doesn't meet; subtracting 1 from each
    part borrows its highest bit where that is none.

    :param ends: the index after the last change of each game.
    :param chosen: whether to look at each game.
    :param values: what each content of each cell adds to the number.
    :param missing: the number for an empty board.
    :param ones, highs: the lowest and the highest bit of each part.
    :param board: space for the last change of each cell.
    :param turns: left as it is for games without such a position.
    """
    first = 0
    for game in range(len(ends)):
        last = int(ends[game])
        if chosen[game]:
            for cell in range(len(board)):
                board[cell] = cell << CONTENT_BITS
            number, counted = missing, 0
            for place in range(first, last):
                change = int(changes[place]) & (SLOTS - 1)
                cell = change >> CONTENT_BITS
                number += int(values[change]) - int(values[int(board[cell])])
                board[cell] = change
                if change >= _SIDE:
                    if (number - ones) & ~number & highs:
                        turns[game] = counted
                        break
                    counted += 1
        first = last


class Changes:
    """Replays games one after the other: the first ones in plain Python, many in compiled code."""

    def __init__(self, board_of: Callable[[State], BoardRows]) -> None:
        """:param board_of: returns the board of a state."""
        self._board_of = board_of
        self._start: State = None
        self._cells = self._contents = np.empty(0, np.int64)
        self._space = np.empty(0, np.uint16)
        self._games = 0

    def of(self, state: State, steps: NDArray[np.int64]) -> NDArray[np.uint16]:
        """The changes as of ``write_changes``."""
        self._games += 1
        if state != self._start:
            board = self._board_of(state)
            self._start, self._cells = state, np.array([*board.given, *chain(*board.rows)], np.int64)
            self._contents = np.empty_like(self._cells)
        needed = (len(steps) + 1) * (len(self._cells) + 1)
        if len(self._space) < needed:
            self._space = np.empty(2 * needed, np.uint16)
        run = write_changes.function if self._games <= _PLAIN_GAMES else write_changes
        return self._space[: run(state, steps, len(steps), self._cells, self._contents, self._space)].copy()
