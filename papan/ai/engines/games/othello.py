"""Othello among programs: cells in capitals, ``PA`` or ``pass`` for a pass, positions as in the game format GGF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from papan.ai.engines.dialect import Dialect
from papan.game.base.untrusted import quoted
from papan.game.match.notation import parse_turn
from papan.game.rules import PositionError, Rules, State
from papan.game.rules.othello import CELLS, PASS

_OURS, _THEIRS = "XO-", "*O-"


def _write(rules: Rules, state: State, steps: Sequence[int], pass_word: str) -> str:
    return pass_word if steps[0] == PASS else rules.notation(state, steps[0]).upper()


def _read(rules: Rules, state: State, text: str) -> list[int]:
    cell = text.lower()
    return parse_turn(rules, state, "pass" if cell in ("pa", "ps", "pass", "--") else cell)


def _write_board(text: str) -> str:
    """``8``, the cells, and the side to move, as GGF's property BO has them."""
    return "8 " + text.translate(str.maketrans(_OURS, _THEIRS))


def _read_board(text: str) -> str:
    size, *rest = text.split()
    signs = "".join(rest).translate(str.maketrans(_THEIRS, _OURS))
    if size != "8" or len(signs) != CELLS + 1:
        raise PositionError.saying("{text} is not a board of 8 rows with the side to move.", text=quoted(text))
    return f"{signs[:CELLS]} {signs[CELLS:]}"


_of_programs = partial(
    Dialect,
    read=_read,
    write_position=_write_board,
    read_position=_read_board,
    settings=lambda options: {},
    options=lambda settings: {},
    unit=1.0,
    programs=("Edax",),
)
DIALECTS: Mapping[str, Dialect] = {
    "nboard": _of_programs(partial(_write, pass_word="PA")),
    "gtp": _of_programs(partial(_write, pass_word="pass")),
}
