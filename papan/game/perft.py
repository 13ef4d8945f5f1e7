"""Perft: count the sequences of turns of a given length, the standard check of a game's rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.game.kernel import compiled
from papan.game.rules import CHANCE, Rules, State, is_over, mover, moves, play


def perft(rules: Rules, state: State, depth: int) -> int:
    """The number of sequences of steps that make *depth* complete turns from *state*.

    A turn is everything a seat does until another is to act; chance takes no turn. By the game's convention
    ``PERFT_COUNTS_ENDED_GAMES``, a game that ends earlier counts as a leaf or not at all.
    """
    # A turn may take several steps, so the buffer must hold the steps of the path.
    buffer = np.empty(rules.MOST_STEPS * (STEPS_A_TURN * depth + 1), np.int64)
    return int(count_leaves(state, depth, buffer, 0, rules.PERFT_COUNTS_ENDED_GAMES))


STEPS_A_TURN = 32
"""More steps than any turn takes; only memory for the buffer depends on it."""


@compiled
def count_leaves(state: State, depth: int, buffer: Any, base: int, counts_ended: bool) -> int:
    """Leaves below *state* with *depth* turns to go; ``buffer[base:]`` is free to use."""
    if depth == 0:
        return 1
    if is_over(state):
        return 1 if counts_ended else 0
    seat = mover(state)
    end = moves(state, buffer, base)
    leaves = 0
    for index in range(base, end):
        after = play(state, int(buffer[index]))
        stays = seat == CHANCE or (mover(after) == seat and not is_over(after))
        turns_left = depth if stays else depth - 1
        leaves += 1 if turns_left == 0 else count_leaves(after, turns_left, buffer, end, counts_ended)
    return leaves
