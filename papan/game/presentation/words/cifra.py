"""Turns of CIFRA in words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from papan.game.base.sentences import Sentence, capitalised, joined, say
from papan.game.rules.cifra import board, cells
from papan.game.rules.cifra.states import AnyState


def turn_words(states: Sequence[AnyState], steps: Sequence[int]) -> Sentence:
    """The choice of a side and a colour, or the piece with what it takes and where it goes.

    The side is named as on its button: the board turns only then, which gives all cells other names.
    """
    parts = [_parts(*taken) for taken in zip(states, states[1:], steps, strict=False)]
    return capitalised(joined(chain.from_iterable(parts), ", "))


def short_words(states: Sequence[AnyState], steps: Sequence[int]) -> Sentence:
    """The choice of a side and a colour, or the cells of the piece before and after."""
    parts = [_short_part(*taken) for taken in zip(states, steps, strict=False)]
    is_choice = states[0].stage in (board.CHOOSING_SIDE, board.CHOOSING_COLOUR)
    return capitalised(joined(parts, ", ")) if is_choice else joined(parts, ", ")


def _short_part(state: AnyState, step: int) -> Sentence:
    size = board.size_of(state)
    if state.stage == board.CHOOSING_SIDE:
        if step & 1:
            return say("column {column}", column=_side_column(size, step))
        return say("row {row}", row=_side_row(size, step))
    if state.stage == board.CHOOSING_COLOUR:
        return board.COLOURS_IN_WORDS[step]
    origin, target = cells(state, step)
    start, cell = board.cell_name(origin, size), board.cell_name(target, size)
    if board.whole(board.pieces_of, state, 1 - state.to_move) >> target & 1:
        return say("{origin} takes {cell}", origin=start, cell=cell)
    return say("{origin} to {cell}", origin=start, cell=cell)


def _side_column(size: int, step: int) -> str:
    return "abcdefghi"[size - 1 if step == 1 else 0]


def _side_row(size: int, step: int) -> int:
    return 1 if step else size


def _parts(state: AnyState, after: AnyState, step: int) -> list[Sentence]:
    size = board.size_of(state)
    if state.stage == board.CHOOSING_SIDE:
        if step & 1:
            return [say("chooses the side of column {column}", column=_side_column(size, step))]
        return [say("chooses the side of row {row}", row=_side_row(size, step))]
    if state.stage == board.CHOOSING_COLOUR:
        return [say("plays {colour}", colour=board.COLOURS_IN_WORDS[step])]
    origin, target = cells(state, step)
    piece, start, cell = _piece(state, origin), board.cell_name(origin, size), board.cell_name(target, size)
    if board.whole(board.pieces_of, state, 1 - state.to_move) >> target & 1:
        parts = [say("{piece} from {origin} takes the piece on {cell}", piece=piece, origin=start, cell=cell)]
    else:
        parts = [say("{piece} from {origin} to {cell}", piece=piece, origin=start, cell=cell)]
    is_home = board.whole(board.goal_pieces, after, state.to_move) >> target & 1
    return [*parts, say("home")] if is_home else parts


def _piece(state: AnyState, cell: int) -> str:
    if board.mode_of(state) == board.SUM:
        return say("piece {number}", number=board.rank_of(state, cell))
    return say("king") if board.mode_of(state) == board.KING and board.rank_of(state, cell) else say("piece")
