"""The position text of 2048: the values row by row from the top, then the score, ``2,0/0,4 0``.

Where chance is to place a tile, the word ``chance`` follows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted
from papan.game.rules import PositionError, legal_steps
from papan.game.rules.twenty48.board import FIELD, LARGEST, State, board_cells, board_of, score_bounds, tile, values_of

_CHANCE_WORD = "chance"


def text(state: State) -> str:
    """The values row by row, then the score, then ``chance`` where a tile is to be placed."""
    values = list(values_of(state).values())
    rows = (values[first : first + state.size] for first in range(0, len(values), state.size))
    board = "/".join(",".join(str(value) for value in row) for row in rows)
    return f"{board} {state.score}" + (f" {_CHANCE_WORD}" if state.awaits_tile else "")


def parse(text: str, options: Mapping[str, str]) -> State:
    """The position *text* on a board of the option ``size``.

    >>> parse("2,0/0,4 0", {"size": "2"}).score
    0

    :raises PositionError: what is wrong, and where.
    """
    size = int(options["size"])
    found = re.fullmatch(rf"(\S+) (0|[1-9][0-9]{{0,8}})( {_CHANCE_WORD})?", text)
    if found is None:
        raise PositionError.saying(
            "A position is the rows, a space and the score, such as '2,0/0,4 0' on a board of size 2."
        )
    rows = found[1].split("/")
    if len(rows) != size:
        raise PositionError.saying(
            "A board of size {size} has {size} rows, separated by '/': there are {number} here.",
            size=size,
            number=len(rows),
        )
    powers: dict[int, int] = {}
    for number, row in enumerate(rows):
        values = row.split(",")
        if len(values) != size:
            raise PositionError.saying(
                "Row {row} has {number} cells, separated by commas, instead of {size}.",
                row=number + 1,
                number=len(values),
                size=size,
            )
        for column, value in enumerate(values):
            powers[FIELD * number + column] = _power(
                value, say("Row {row}, cell {column}", row=number + 1, column=column + 1)
            )
    made = board_of(powers, size, int(found[2]), bool(found[3]))
    _check(made)
    return made


def _power(value: str, where: str) -> int:
    """The power of two that *value* is, 0 for the empty cell ``0``."""
    if value == "0":
        return 0
    for power in range(1, LARGEST + 1):
        if value == str(1 << power):
            return power
    raise PositionError.saying(
        "{where}: {value} is no tile; tiles are 2, 4, 8 … {largest}, and 0 is an empty cell.",
        where=where,
        value=quoted(value),
        largest=1 << LARGEST,
    )


def _check(state: State) -> None:
    """:raises PositionError: no game leads to *state*."""
    powers = [power for cell in board_cells(state.size) if (power := tile(state, cell))]
    if state.awaits_tile and not legal_steps(state):
        raise PositionError.saying("There is no empty cell for chance to place a tile on.")
    if len(powers) < (1 if state.awaits_tile else 2):
        raise PositionError.saying("There are too few tiles: a game begins with two, and slides leave at least one.")
    least, most = score_bounds(state)
    if not least <= state.score <= most or state.score % 4:
        raise PositionError.saying(
            "The score can't be {score}: tiles such as these are worth {least} to {most}, in steps of 4.",
            score=state.score,
            least=least,
            most=most,
        )
