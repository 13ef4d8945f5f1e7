"""The formulation of CIFRA as a search problem in the slides "CIFRA CODE25" (undated), part 3.

It is for study, not for speed; the kernels have the rules. Rows and columns are the slides' ``row`` and ``col``, from 0
on: row 0 is row 1 of the board, home of the first player, who walks *down* to the last row. Column 0 is column a.

The slides keep the tiles outside the matrix, and know the mode dash only. Their ``winner()`` names none where a side
has brought all its pieces home without being ahead; the rules then look at the goals, and at the pieces left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from papan.game.base.sentences import SentenceError
from papan.game.rules import ModelView, is_over, legal_steps
from papan.game.rules.cifra.board import (
    CHOOSING_SIDE,
    COLOURS,
    DASH,
    MOVING,
    NEUTRAL_CELLS,
    cell_bits,
    count_goals,
    far_row,
    mode_of,
    pieces_of,
    size_of,
    white_tiles_of,
    whole,
)
from papan.game.rules.cifra.states import AnyState

WHITE, BLUE, EMPTY = "(255, 255, 255)", "(0, 0, 255)", "0"
"""The values of a cell of the matrix: the colour of its piece, or none."""
COST = 1


class NoModelError(SentenceError, ValueError):
    """The slides have no such position; the message is a sentence."""


def view(state: AnyState) -> ModelView:
    """The view of *state*: see ``Modelled.model_view``."""
    if mode_of(state) != DASH:
        raise NoModelError.saying("The slides have the mode dash only.")
    size, is_moving = size_of(state), state.stage == MOVING
    board = [[_piece(state, row * size + col) for col in range(size)] for row in range(size)]
    turn = _colour(state, state.to_move) if is_moving else None
    phase = "move" if is_moving else "choose side" if state.stage == CHOOSING_SIDE else "choose colour"
    goals, left = ([_counted(state, colour)[kind] for colour in COLOURS] for kind in range(2))
    names = [f"{colour}_{kind}" for kind in ("goal", "left") for colour in COLOURS]
    facts: dict[str, Any] = {"phase": phase, "turn": turn, "board": board, "winner": winner(state)}
    facts |= dict(zip(names, [*goals, *left], strict=True))
    calls = operators(state) if is_moving and not is_over(state) else []
    parts: list[tuple[str, str]] = [
        ("phase", phase),
        ("board", _matrix(board)),
        ("tiles", _matrix([[_tile(state, row * size + col) for col in range(size)] for row in range(size)])),
        ("turn", {None: "None", "white": WHITE, "blue": BLUE}[turn]),
        *((name, str(facts[name])) for name in names),
        ("winner()", str(facts["winner"])),
        ("preconditions", f"0 <= row < {size} and 0 <= col < {size}, and the walk's rules"),
        ("", "get_piece(row, col) == 0, or its color != turn and goal == False"),
        ("effects", "pieces[piece.row][piece.col], pieces[row][col] = pieces[row][col], pieces[piece.row][piece.col]"),
        ("cost", f"{COST} a step"),
    ]
    return ModelView(parts, [_call_in_words(one) for one in calls], {**facts, "moves": calls})


def winner(state: AnyState) -> str | None:
    """The slides' ``winner()``: ``WHITE``, ``BLUE`` or None."""
    (white_goal, white_left), (blue_goal, blue_left) = (_counted(state, colour) for colour in COLOURS)
    if state.stage != MOVING:
        return None
    if (white_goal > blue_goal and white_left == white_goal) or blue_left <= 0:
        return "WHITE"
    if (blue_goal > white_goal and blue_left == blue_goal) or white_left <= 0:
        return "BLUE"
    return None


def operators(state: AnyState) -> list[dict[str, Any]]:
    """The applicable operators: each one's name, piece, target, precondition, effects and cost."""
    size, bits, seat = size_of(state), cell_bits(state), int(state.to_move)
    found: list[dict[str, Any]] = []
    for step in legal_steps(state):
        (row0, col0), (row, col) = divmod(step >> bits, size), divmod(step & (1 << bits) - 1, size)
        target = row * size + col
        is_capture = bool(whole(pieces_of, state, 1 - seat) >> target & 1)
        effects = ["move", *["capture"] * is_capture, *["goal"] * bool(whole(far_row, state, seat) >> target & 1)]
        down, right = (row > row0) - (row < row0), (col > col0) - (col < col0)
        names = [{-1: "up", 1: "down"}.get(down), {-1: "left", 1: "right"}.get(right)]
        found.append(
            {
                "name": "-".join(name for name in names if name),
                "piece": [row0, col0],
                "row": row,
                "col": col,
                "precondition": "adversary, not goal" if is_capture else "empty",
                "effects": effects,
                "cost": COST,
            }
        )
    return found


def _call_in_words(call: Mapping[str, Any]) -> str:
    (row, col), effects = call["piece"], ", ".join(call["effects"])
    move = f"{call['name']}: move(pieces[{row}][{col}], {call['row']}, {call['col']})"
    return f"{move}; target {call['precondition']}; effects {effects}; cost {call['cost']}"


def _colour(state: AnyState, seat: int) -> str:
    return COLOURS[seat != state.white_seat]


def _counted(state: AnyState, colour: str) -> tuple[int, int]:
    """The goal pieces of *colour*, and all of its pieces left, goals too."""
    if state.stage != MOVING:
        return 0, 0
    seat = int(state.white_seat) if colour == COLOURS[0] else 1 - int(state.white_seat)
    return int(count_goals(state, seat)), whole(pieces_of, state, seat).bit_count()


def _piece(state: AnyState, cell: int) -> str:
    if state.stage == MOVING:
        for seat in range(2):
            if whole(pieces_of, state, seat) >> cell & 1:
                return WHITE if _colour(state, seat) == COLOURS[0] else BLUE
    return EMPTY


def _tile(state: AnyState, cell: int) -> str:
    if cell in NEUTRAL_CELLS[size_of(state)]:
        return "N"
    return "W" if whole(white_tiles_of, state) >> cell & 1 else "B"


def _matrix(rows: Sequence[Sequence[str]]) -> str:
    width = max(len(entry) for row in rows for entry in row)
    return "\n".join("[" + ", ".join(entry.rjust(width) for entry in row) + "]" for row in rows)
