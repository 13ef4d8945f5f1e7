"""The guided match of Connect Four: drop a disc, four in a row, block what threatens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from papan.game.base.sentences import say
from papan.game.feats.connect_four import threatened_columns
from papan.game.guides import Hint
from papan.game.kernel.bits import popcount
from papan.game.rules.connect_four import COLUMNS, HEIGHT, ROWS, State

_ROWS_OF_FOUR = [
    [(column + step * across) * HEIGHT + row + step * up for step in range(4)]
    for across, up in ((1, 0), (0, 1), (1, 1), (1, -1))
    for column in range(COLUMNS)
    for row in range(ROWS)
    if column + 3 * across < COLUMNS and 0 <= row + 3 * up < ROWS
]
"""The four cells of every row that can be completed."""
_START = 2
"""The discs in a row from which on it is worth a word."""


def _first_disc(state: State, seat: int) -> Sequence[int] | None:
    return () if popcount(state.mine | state.theirs) <= seat else None


def _threat(state: State, seat: int) -> Sequence[int] | None:
    """The columns in which the other seat would win, unless the beginner can win at once."""
    if threatened_columns(State(state.theirs, state.mine)):
        return None
    return threatened_columns(state) or None


def _beginning(state: State, seat: int) -> Sequence[int] | None:
    """The columns in which most of the beginner's longest rows go on, of those that can still be completed."""
    discs = state.mine | state.theirs
    most, columns = _START, Counter[int]()
    for cells in _ROWS_OF_FOUR:
        own = sum(state.mine >> cell & 1 for cell in cells)
        if own < most or any(state.theirs >> cell & 1 for cell in cells):
            continue
        free = [cell for cell in cells if not discs >> cell & 1]
        reached = {cell // HEIGHT for cell in free if not cell % HEIGHT or discs >> (cell - 1) & 1}
        if reached and own > most:
            most, columns = own, Counter()
        columns.update(reached)
    return sorted(column for column, number in columns.items() if number == max(columns.values())) or None


OPTIONS: Mapping[str, str] = {}
HINTS = (
    Hint(say("Drop a disc: click a column, and it falls to the lowest free place."), _first_disc),
    Hint(say("Look out: your opponent can make four in a row here. Drop your disc there first."), _threat),
    Hint(
        say("A good start! Four of your discs in a row win: across, upright or slanting. It can go on here."),
        _beginning,
    ),
)
