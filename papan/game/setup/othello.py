"""Setting up Othello: a disc of either colour on any cell."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import say
from papan.game.rules.othello import BLACK, COLOURS, WHITE, State, discs
from papan.game.rules.othello import name_of as cell_name
from papan.game.setup import Brush, Setting, turn_setting


def _with(black: int, white: int, seat: int) -> State:
    return State(black, white, seat) if seat == BLACK else State(white, black, seat)


def brushes(state: State) -> Sequence[Brush]:
    """A disc of either colour."""
    return Brush(BLACK, say("Black disc")), Brush(WHITE, say("White disc"))


def put(state: State, code: int, cell: int) -> State:
    """*state* with a disc of the seat *code* on *cell*."""
    black, white = (discs(state, seat) & ~(1 << cell) | (seat == code) << cell for seat in (BLACK, WHITE))
    return _with(black, white, state.to_move)


def name_of(state: State, cell: int) -> str:
    """What *cell* is called."""
    return cell_name(cell)


def standing(state: State, cell: int) -> Sequence[int]:
    """The disc on *cell*, if there is one."""
    return [seat for seat in (BLACK, WHITE) if discs(state, seat) >> cell & 1]


def taken(state: State, cell: int) -> State:
    """*state* with *cell* empty."""
    return state._replace(mine=state.mine & ~(1 << cell), theirs=state.theirs & ~(1 << cell))


def cleared(state: State) -> State:
    """No disc at all."""
    return state._replace(mine=0, theirs=0)


def settings(state: State) -> Sequence[Setting]:
    """Who is to move."""
    return [turn_setting(COLOURS, state.to_move)]


def changed(state: State, name: str, value: str) -> State:
    """*state* with another seat to move."""
    return _with(discs(state, BLACK), discs(state, WHITE), int(value))


def note(state: State) -> str:
    """Nothing is left to the text."""
    return ""
