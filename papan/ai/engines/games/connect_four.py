"""Connect Four among UCI programs of many variants, such as Fairy-Stockfish: ``cfour``, where a turn is ``P@d1``.

The cell has its file and rank; White, with capitals, begins. A position is written as in chess, with the discs that
are left in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from papan.ai.engines.dialect import Dialect
from papan.game.base.untrusted import quoted
from papan.game.match.notation import parse_turn
from papan.game.rules import NotationError, PositionError, Rules, State
from papan.game.rules.connect_four import COLUMNS, HEIGHT, ROWS, parse, text
from papan.game.rules.connect_four import State as Discs

_DROP = re.compile(r"P@([a-g])([1-6])")
_BOARD = re.compile(r"([Pp1-7]{1,7}(?:/[Pp1-7]{1,7}){5})(?:\[[Pp]*\])? ([wb])(?: .*)?")
_FILES = "abcdefg"
_EACH = COLUMNS * ROWS // 2
"""Discs of a seat."""


def _height(state: Discs, column: int) -> int:
    """The number of discs in *column*."""
    return ((state.mine | state.theirs) >> column * HEIGHT & (1 << ROWS) - 1).bit_count()


def _write(rules: Rules, state: State, steps: Sequence[int]) -> str:
    assert isinstance(state, Discs)
    return f"P@{_FILES[steps[0]]}{_height(state, steps[0]) + 1}"


def _read(rules: Rules, state: State, turn: str) -> list[int]:
    assert isinstance(state, Discs)
    found = _DROP.fullmatch(turn)
    if not found:
        raise NotationError.saying("{text} is not a turn: write P@ and the cell, as P@d1.", text=quoted(turn))
    column = _FILES.index(found[1])
    steps = parse_turn(rules, state, str(column + 1))
    if int(found[2]) != _height(state, column) + 1:
        raise NotationError.saying("{text}: the disc does not fall there.", text=quoted(turn))
    return steps


def _write_position(columns: str) -> str:
    state = parse(columns, {})
    number = len(columns)
    white, black = (state.mine, state.theirs) if number % 2 == 0 else (state.theirs, state.mine)
    rows = []
    for row in reversed(range(ROWS)):
        bits = [1 << column * HEIGHT + row for column in range(COLUMNS)]
        cells = "".join("P" if white & bit else "p" if black & bit else " " for bit in bits)
        rows.append(re.sub(" +", lambda empty: str(len(empty[0])), cells))
    left = "P" * (_EACH - white.bit_count()) + "p" * (_EACH - black.bit_count())
    return f"{'/'.join(rows)}[{left}] {'wb'[number % 2]} - - 0 {number // 2 + 1}"


def _read_position(position: str) -> str:
    found = _BOARD.fullmatch(position)
    rows = [re.sub("[1-7]", lambda empty: " " * int(empty[0]), row) for row in found[1].split("/")] if found else []
    if not found or [len(row) for row in rows] != [COLUMNS] * ROWS:
        raise _not_a_board(position)
    cells = [(disc, 1 << column * HEIGHT + row) for row in range(ROWS) for column, disc in enumerate(rows[-1 - row])]
    white, black = (sum(bit for disc, bit in cells if disc == one) for one in "Pp")
    number = (white | black).bit_count()
    if found[2] != "wb"[number % 2]:
        raise _not_a_board(position)
    return text(Discs(white, black) if number % 2 == 0 else Discs(black, white))


def _not_a_board(position: str) -> PositionError:
    return PositionError.saying(
        "{text} is not a board of 6 rows and the side to move, which follows from the discs.", text=quoted(position)
    )


DIALECTS: Mapping[str, Dialect] = {
    "uci": Dialect(
        _write,
        _read,
        _write_position,
        _read_position,
        settings=lambda options: {"UCI_Variant": "cfour"},
        options=lambda settings: {},
        programs=("Fairy-Stockfish",),
    )
}
