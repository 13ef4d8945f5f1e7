"""Setting up Connect Four: discs are dropped into a column, of any colour, and taken from its top."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import say
from papan.game.kernel.bits import popcount
from papan.game.rules import PositionError
from papan.game.rules.connect_four import BOTTOM, COLUMN, HEIGHT, ROWS, State
from papan.game.setup import Brush, Setting


def _state(first: int, second: int) -> State:
    """The state with the discs of both seats; their number says who is to move."""
    return State(first, second) if popcount(first | second) % 2 == 0 else State(second, first)


def _discs(state: State) -> list[int]:
    return list(state) if popcount(state.mine | state.theirs) % 2 == 0 else [state.theirs, state.mine]


def brushes(state: State) -> Sequence[Brush]:
    """A disc of either player."""
    return Brush(0, say("Disc of player {number}", number=1)), Brush(1, say("Disc of player {number}", number=2))


def put(state: State, code: int, cell: int) -> State:
    """*state* with a disc more in the column *cell*.

    :raises PositionError: the column is full.
    """
    discs = _discs(state)
    filled = discs[0] | discs[1]
    if filled >> (cell * HEIGHT + ROWS - 1) & 1:
        raise PositionError(say("Column {column} is full.", column=cell + 1))
    discs[code] |= (filled + BOTTOM) & ~filled & COLUMN << (cell * HEIGHT)
    return _state(*discs)


def name_of(state: State, cell: int) -> str:
    """The number of the column."""
    return say("Column {number}", number=cell + 1)


def standing(state: State, cell: int) -> Sequence[int]:
    """The discs in the column *cell*, the uppermost first."""
    discs = _discs(state)
    rows = [cell * HEIGHT + row for row in reversed(range(ROWS))]
    return [seat for row in rows for seat in range(2) if discs[seat] >> row & 1]


def taken(state: State, cell: int) -> State:
    """*state* without the uppermost disc of the column *cell*."""
    discs = _discs(state)
    column = (discs[0] | discs[1]) & COLUMN << (cell * HEIGHT)
    top = 1 << column.bit_length() >> 1
    return _state(discs[0] & ~top, discs[1] & ~top)


def cleared(state: State) -> State:
    """The empty board."""
    return State(0, 0)


def settings(state: State) -> Sequence[Setting]:
    """Nothing: the number of discs says who is to move."""
    return ()


def changed(state: State, name: str, value: str) -> State:
    """*state*: there is nothing to change."""
    return state


def note(state: State) -> str:
    """Why nobody can choose who is to move."""
    return say("Whose turn it is follows from the number of discs.")
