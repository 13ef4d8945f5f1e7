"""Setting up xiangqi: pieces of both sides on any point."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import capitalised, say
from papan.game.rules.xiangqi.board import KIND_NAMES, KINDS, MOST_QUIET, State, cell_name, pieces_of
from papan.game.rules.xiangqi.position import state_of
from papan.game.rules.xiangqi.tables import SEAT_NAMES
from papan.game.setup import Brush, Setting, turn_setting

_KIND_BITS = 3


def _pieces(state: State) -> dict[int, tuple[int, int]]:
    return {cell: (seat, kind) for seat in range(2) for cell, kind in pieces_of(state, seat).items()}


def brushes(state: State) -> Sequence[Brush]:
    """Each kind of piece of either side."""
    return [
        Brush(
            seat << _KIND_BITS | kind,
            capitalised(say("{colour} {piece}", colour=SEAT_NAMES[seat], piece=KIND_NAMES[kind])),
            seat,
        )
        for seat in range(2)
        for kind in KINDS
    ]


def put(state: State, code: int, cell: int) -> State:
    """*state* with the piece *code*, a seat and a kind, on *cell*."""
    pieces = _pieces(state) | {cell: (code >> _KIND_BITS, code & (1 << _KIND_BITS) - 1)}
    return state_of(pieces, state.to_move, state.quiet)


def name_of(state: State, cell: int) -> str:
    """What *cell* is called."""
    return cell_name(cell)


def standing(state: State, cell: int) -> Sequence[int]:
    """The piece on *cell*, if there is one."""
    pieces = _pieces(state)
    return [pieces[cell][0] << _KIND_BITS | pieces[cell][1]] if cell in pieces else []


def taken(state: State, cell: int) -> State:
    """*state* with *cell* empty."""
    pieces = {other: piece for other, piece in _pieces(state).items() if other != cell}
    return state_of(pieces, state.to_move, state.quiet)


def cleared(state: State) -> State:
    """No piece at all."""
    return state_of({}, state.to_move, 0)


def settings(state: State) -> Sequence[Setting]:
    """Who is to move, and the draw counter."""
    counter = Setting("quiet", say("Turns without a capture"), str(state.quiet), most=MOST_QUIET)
    return [turn_setting([capitalised(name) for name in SEAT_NAMES], state.to_move), counter]


def changed(state: State, name: str, value: str) -> State:
    """*state* with another seat to move, or another draw counter."""
    return state._replace(to_move=int(value)) if name == "turn" else state._replace(quiet=int(value))


def note(state: State) -> str:
    """Nothing is left to the text."""
    return ""
