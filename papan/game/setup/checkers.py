"""Setting up checkers: men and kings on the dark squares."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import say
from papan.game.rules.checkers.board import COLOURS, QUIET_TURNS, State, bit_of
from papan.game.setup import Brush, Setting, turn_setting

_NAMES = (say("Black man"), say("Black king"), say("White man"), say("White king"))


def brushes(state: State) -> Sequence[Brush]:
    """A man or a king of either colour."""
    return [Brush(code, name, code // 2) for code, name in enumerate(_NAMES)]


def put(state: State, code: int, cell: int) -> State:
    """*state* with the piece *code* on *cell*: 0 and 1 are Black's man and king, 2 and 3 White's."""
    seat, is_king = divmod(code, 2)
    piece = 1 << bit_of(cell)
    rest = taken(state, cell)
    return rest._replace(
        black=rest.black | (piece if seat == 0 else 0),
        white=rest.white | (piece if seat == 1 else 0),
        kings=rest.kings | (piece if is_king else 0),
    )


def name_of(state: State, cell: int) -> str:
    """The number of the square."""
    return str(cell + 1)


def standing(state: State, cell: int) -> Sequence[int]:
    """The piece on *cell*, if there is one."""
    piece = 1 << bit_of(cell)
    is_king = bool(state.kings & piece)
    return [2 * seat + is_king for seat, pieces in enumerate((state.black, state.white)) if pieces & piece]


def taken(state: State, cell: int) -> State:
    """*state* with *cell* empty."""
    others = ~(1 << bit_of(cell))
    return state._replace(black=state.black & others, white=state.white & others, kings=state.kings & others, jumper=0)


def cleared(state: State) -> State:
    """No piece at all."""
    return state._replace(black=0, white=0, kings=0, jumper=0, quiet=0)


def settings(state: State) -> Sequence[Setting]:
    """Who is to move, and the draw counter."""
    counter = Setting("quiet", say("Turns without progress"), str(state.quiet), most=QUIET_TURNS)
    return [turn_setting(COLOURS, state.to_move), counter]


def changed(state: State, name: str, value: str) -> State:
    """*state* with another seat to move, or another draw counter."""
    return state._replace(to_move=int(value)) if name == "turn" else state._replace(quiet=int(value))


def note(state: State) -> str:
    """Nothing is left to the text."""
    return ""
