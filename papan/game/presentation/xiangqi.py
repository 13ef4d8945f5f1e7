"""How xiangqi presents itself: pieces for the editor; captures and checks as motifs."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import capitalised, say
from papan.game.presentation import Brush, Feat, Setting, turn_setting
from papan.game.rules import is_over, mover
from papan.game.rules.xiangqi.board import (
    ADVISOR,
    CANNON,
    CHARIOT,
    ELEPHANT,
    HORSE,
    KIND_NAMES,
    KINDS,
    MOST_QUIET,
    SOLDIER,
    STEP_SHIFT,
    TARGET_MASK,
    State,
    cell_name,
    in_check,
    kind_at,
    pieces_of,
    seat_at,
)
from papan.game.rules.xiangqi.position import state_of
from papan.game.rules.xiangqi.tables import SEAT_NAMES

_KIND_BITS = 3


def _pieces(state: State) -> dict[int, tuple[int, int]]:
    return {cell: (seat, kind) for seat in range(2) for cell, kind in pieces_of(state, seat).items()}


def brushes(state: State) -> Sequence[Brush]:
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
    return cell_name(cell)


def standing(state: State, cell: int) -> Sequence[int]:
    pieces = _pieces(state)
    return [pieces[cell][0] << _KIND_BITS | pieces[cell][1]] if cell in pieces else []


def taken(state: State, cell: int) -> State:
    pieces = {other: piece for other, piece in _pieces(state).items() if other != cell}
    return state_of(pieces, state.to_move, state.quiet)


def cleared(state: State) -> State:
    return state_of({}, state.to_move, 0)


def settings(state: State) -> Sequence[Setting]:
    counter = Setting("quiet", say("Turns without a capture"), str(state.quiet), most=MOST_QUIET)
    return [turn_setting([capitalised(name) for name in SEAT_NAMES], state.to_move), counter]


def changed(state: State, name: str, value: str) -> State:
    return state._replace(to_move=int(value)) if name == "turn" else state._replace(quiet=int(value))


# ------------------------------------------------------------------------------------------- motifs

_WORTHS = {CHARIOT: 9.0, CANNON: 4.5, HORSE: 4.0, ELEPHANT: 2.0, ADVISOR: 2.0, SOLDIER: 1.0}
"""What the pieces are usually taken to be worth."""
_CHECK = 0.5


def feats(states: Sequence[State], steps: Sequence[int], who: str) -> Sequence[Feat]:
    before, after, found = states[0], states[-1], []
    target = steps[-1] & TARGET_MASK
    if seat_at(before, target) == 1 - int(mover(before)):
        kind = kind_at(before, target)
        piece, cell = KIND_NAMES[kind], cell_name(target)
        found.append(
            Feat(
                _WORTHS.get(kind, 0.0),
                say("{who} can now capture the {piece} on {cell}.", who=who, piece=piece, cell=cell),
                say("{who} could have captured the {piece} on {cell}.", who=who, piece=piece, cell=cell),
            )
        )
    if in_check(after, after.to_move) and not is_over(after):
        origin = cell_name(steps[-1] >> STEP_SHIFT)
        piece = KIND_NAMES[kind_at(after, target)]
        found.append(
            Feat(
                _CHECK,
                say("{who} can now give check with the {piece} from {cell}.", who=who, piece=piece, cell=origin),
                say("{who} could have given check with the {piece} from {cell}.", who=who, piece=piece, cell=origin),
            )
        )
    return found
