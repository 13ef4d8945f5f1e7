"""Setting up gomoku: a stone of either colour on any cell."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import say
from papan.game.rules.gomoku import State, is_on_board, stones, with_stones
from papan.game.rules.gomoku import name_of as cell_name
from papan.game.setup import Brush, Setting


def brushes(state: State) -> Sequence[Brush]:
    """A stone of either colour."""
    return Brush(0, say("Black stone")), Brush(1, say("White stone"))


def put(state: State, code: int, cell: int) -> State:
    """*state* with a stone of the seat *code* on *cell*."""
    if not is_on_board(state, cell):
        return state
    sets = [stones(state, seat) & ~(1 << cell) for seat in range(2)]
    sets[code] |= 1 << cell
    return with_stones(state, *sets)


def name_of(state: State, cell: int) -> str:
    """What *cell* is called."""
    return cell_name(cell)


def standing(state: State, cell: int) -> Sequence[int]:
    """The stone on *cell*, if there is one."""
    return [seat for seat in range(2) if stones(state, seat) >> cell & 1]


def taken(state: State, cell: int) -> State:
    """*state* with *cell* empty."""
    black, white = (stones(state, seat) & ~(1 << cell) for seat in range(2))
    return with_stones(state, black, white)


def cleared(state: State) -> State:
    """No stone at all."""
    return with_stones(state, 0, 0)


def settings(state: State) -> Sequence[Setting]:
    """Nothing: the number of stones says who is to move."""
    return ()


def changed(state: State, name: str, value: str) -> State:
    """*state*: there is nothing to change."""
    return state


def note(state: State) -> str:
    """Why nobody can choose who is to move."""
    return say("Whose turn it is follows from the number of stones.")
