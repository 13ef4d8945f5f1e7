"""How checkers presents itself: men and kings for the editor; captures and crownings as motifs."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import say, say_number
from papan.game.kernel.bits import popcount
from papan.game.presentation import Brush, Feat, Setting, turn_setting
from papan.game.rules import mover
from papan.game.rules.checkers.board import COLOURS, QUIET_TURNS, State, bit_of, pieces_of

_NAMES = (say("Black man"), say("Black king"), say("White man"), say("White king"))


def brushes(state: State) -> Sequence[Brush]:
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
    return str(cell + 1)


def standing(state: State, cell: int) -> Sequence[int]:
    piece = 1 << bit_of(cell)
    is_king = bool(state.kings & piece)
    return [2 * seat + is_king for seat, pieces in enumerate((state.black, state.white)) if pieces & piece]


def taken(state: State, cell: int) -> State:
    others = ~(1 << bit_of(cell))
    return state._replace(black=state.black & others, white=state.white & others, kings=state.kings & others, jumper=0)


def cleared(state: State) -> State:
    return state._replace(black=0, white=0, kings=0, jumper=0, quiet=0)


def settings(state: State) -> Sequence[Setting]:
    counter = Setting("quiet", say("Turns without progress"), str(state.quiet), most=QUIET_TURNS)
    return [turn_setting(COLOURS, state.to_move), counter]


def changed(state: State, name: str, value: str) -> State:
    return state._replace(to_move=int(value)) if name == "turn" else state._replace(quiet=int(value))


# ------------------------------------------------------------------------------------------- motifs

_KING = 1.5
"""A king is worth more than one piece captured, and less than two."""


def feats(states: Sequence[State], steps: Sequence[int], who: str) -> Sequence[Feat]:
    before, after, found = states[0], states[-1], []
    seat = int(mover(before))
    captured = popcount(pieces_of(before, 1 - seat)) - popcount(pieces_of(after, 1 - seat))
    if captured:
        found.append(
            Feat(
                captured,
                say_number(
                    "{who} can now capture a piece.", "{who} can now capture {count} pieces.", captured, who=who
                ),
                say_number(
                    "{who} could have captured a piece.", "{who} could have captured {count} pieces.", captured, who=who
                ),
            )
        )
    if popcount(after.kings & pieces_of(after, seat)) > popcount(before.kings & pieces_of(before, seat)):
        square = (steps[-1] & 31) + 1
        found.append(
            Feat(
                _KING,
                say("{who} can now get a king on {square}.", who=who, square=square),
                say("{who} could have got a king on {square}.", who=who, square=square),
            )
        )
    return found
