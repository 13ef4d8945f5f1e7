"""How Othello presents itself: discs for the editor; corners and lost mobility as motifs."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import say, say_number
from papan.game.kernel.bits import popcount
from papan.game.presentation import Brush, Feat, Setting, turn_setting
from papan.game.rules import is_over
from papan.game.rules.othello import BLACK, CELLS, COLOURS, SIZE, WHITE, State, discs, playable_cells
from papan.game.rules.othello import name_of as cell_name


def _with(black: int, white: int, seat: int) -> State:
    return State(black, white, seat) if seat == BLACK else State(white, black, seat)


def brushes(state: State) -> Sequence[Brush]:
    return Brush(BLACK, say("Black disc")), Brush(WHITE, say("White disc"))


def put(state: State, code: int, cell: int) -> State:
    black, white = (discs(state, seat) & ~(1 << cell) | (seat == code) << cell for seat in (BLACK, WHITE))
    return _with(black, white, state.to_move)


def name_of(state: State, cell: int) -> str:
    return cell_name(cell)


def standing(state: State, cell: int) -> Sequence[int]:
    return [seat for seat in (BLACK, WHITE) if discs(state, seat) >> cell & 1]


def taken(state: State, cell: int) -> State:
    return state._replace(mine=state.mine & ~(1 << cell), theirs=state.theirs & ~(1 << cell))


def cleared(state: State) -> State:
    return state._replace(mine=0, theirs=0)


def settings(state: State) -> Sequence[Setting]:
    return [turn_setting(COLOURS, state.to_move)]


def changed(state: State, name: str, value: str) -> State:
    return _with(discs(state, BLACK), discs(state, WHITE), int(value))


# ------------------------------------------------------------------------------------------- motifs

CORNERS = (0, SIZE - 1, CELLS - SIZE, CELLS - 1)
_PASS, _CORNER = 1, 2
_FEW = 3
"""So few moves are a word worth: the other side may soon have to give something away."""


def feats(states: Sequence[State], steps: Sequence[int], who: str) -> Sequence[Feat]:
    found, after = [], states[-1]
    if steps[-1] in CORNERS:
        cell = cell_name(steps[-1])
        found.append(
            Feat(
                _CORNER,
                say("{who} can now take the corner {cell}.", who=who, cell=cell),
                say("{who} could have taken the corner {cell}.", who=who, cell=cell),
            )
        )
    number, colour = popcount(playable_cells(after.mine, after.theirs)), COLOURS[after.to_move]
    if 0 < number <= _FEW:
        found.append(
            Feat(
                _PASS - number / (_FEW + 1),
                say_number(
                    "{who} can now leave {colour} only one move.",
                    "{who} can now leave {colour} only {count} moves.",
                    number,
                    who=who,
                    colour=colour,
                ),
                say_number(
                    "{who} could have left {colour} only one move.",
                    "{who} could have left {colour} only {count} moves.",
                    number,
                    who=who,
                    colour=colour,
                ),
            )
        )
    if not is_over(after) and not number:
        found.append(
            Feat(
                _PASS,
                say("{who} can now leave {colour} without a move.", who=who, colour=colour),
                say("{who} could have left {colour} without a move.", who=who, colour=colour),
            )
        )
    return found
