"""Connect Four as n-tuple networks see it: a cell is empty, filled, or the next that a disc of its column falls on.

As in Thill, Koch and Konen, "Reinforcement learning with n-tuples on the game Connect-4" (2012): tuples of eight cells,
found by walks at random, and four digits to a cell. The seat to move settles which seat profits from zugzwang, so each
seat has its own tables.
"""

from __future__ import annotations

from collections.abc import Mapping

from papan.ai.learning.network import Network, digit, random_walks, rectangle_symmetries, stage
from papan.game.base.sentences import figures, say
from papan.game.kernel import inlined
from papan.game.kernel.bits import popcount
from papan.game.rules.connect_four import BOTTOM, COLUMNS, HEIGHT, ROWS, State

EMPTY, MINE, THEIRS, NEXT = range(4)
"""The digits."""

LENGTH = 8
_SEED = 4

_NEIGHBOURS = {
    HEIGHT * column + row: [
        HEIGHT * to_column + to_row
        for to_column in range(max(column - 1, 0), min(column + 2, COLUMNS))
        for to_row in range(max(row - 1, 0), min(row + 2, ROWS))
        if (to_column, to_row) != (column, row)
    ]
    for column in range(COLUMNS)
    for row in range(ROWS)
}
"""Cells have the numbers of their bits in a state: column by column from the left, each from the bottom up."""


def _network(number: int) -> Network:
    mirrors = rectangle_symmetries(COLUMNS, ROWS, HEIGHT, across=False, turned=False)  # a column of ours is a row there
    return Network(NEXT + 1, random_walks(_NEIGHBOURS, number, LENGTH, _SEED), mirrors, stages=2)


NETWORK = _network(70)
CHOICES = None
PRACTICE = 1_001_000
STANDING = say(
    "the last {games} against the perfect solver; when it moves first, it wins or draws {share} % of its games "
    "against perfect play",
    games=figures(1_000),
    share=93,
)
LAYOUT = NETWORK.layout
"""As compiled code names it."""

_NETWORKS: Mapping[str, Network] = {"70x8": NETWORK, "40x8": _network(40)}


def networks(state: State) -> Mapping[str, Network]:
    """The same for every game."""
    return _NETWORKS


@digit.of(State)
@inlined
def _digit(state: State, cell: int) -> int:
    mine, theirs = state.mine >> cell & 1, state.theirs >> cell & 1
    falls = (state.mine | state.theirs) + BOTTOM >> cell & 1  # one set bit above each column's discs
    return mine * MINE + theirs * THEIRS + falls * NEXT


@stage.of(State)
def _stage(state: State) -> int:
    return popcount(state.mine | state.theirs) & 1
