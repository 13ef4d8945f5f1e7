"""Othello's games as positions, and positions as what its patterns are fitted by."""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.ai.evaluation.othello.patterns import (
    EMPTY,
    OWN_MOVES,
    PLACES,
    THEIR_MOVES,
    WIDTH,
    fill,
    moves_of,
    phase_of,
)
from papan.game.kernel import compiled
from papan.game.kernel.room import zeros
from papan.game.rules import play
from papan.game.rules.othello import State


@compiled
def write_positions(state: State, steps: Any, count: int, positions: Any) -> None:
    """The positions from *state* on, one for each of *count* steps and one more.

    :param positions: a row each: the discs of the seat to move, the other's, and which seat that is.
    """
    for number in range(count + 1):
        positions[number, 0] = state.mine
        positions[number, 1] = state.theirs
        positions[number, 2] = state.to_move
        if number < count:
            state = play(state, int(steps[number]))


@compiled
def read_patterns(positions: Any, places: Any, phases: Any) -> None:
    """Which weights of a block each position asks for, and its phase, a row for each."""
    for row in range(len(positions)):
        mine, theirs = int(positions[row, 0]), int(positions[row, 1])
        filled = zeros(np.int16, WIDTH)
        fill(filled, mine, theirs)
        for place in range(PLACES):
            places[row, place] = int(EMPTY[place]) + int(filled[place])
        places[row, PLACES] = OWN_MOVES + moves_of(mine, theirs)
        places[row, PLACES + 1] = THEIR_MOVES + moves_of(theirs, mine)
        phases[row] = phase_of(mine, theirs)
