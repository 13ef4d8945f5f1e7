"""Turns of Catur Jawa in words."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import Sentence, say
from papan.game.rules.catur_jawa import CELL_BITS, CELL_MASK
from papan.game.rules.catur_jawa.board import State, cell_name, place_of, value_at


def short_words(states: Sequence[State], steps: Sequence[int]) -> Sentence:
    """The card played, and where."""
    return say("{card} on {cell}", card=steps[0] >> CELL_BITS, cell=cell_name(steps[0] & CELL_MASK))


def turn_words(states: Sequence[State], steps: Sequence[int]) -> Sentence:
    """The card played, and the one that it covers; both lie on the table."""
    card, cell = steps[0] >> CELL_BITS, steps[0] & CELL_MASK
    lying = value_at(states[0], place_of(cell))
    if lying:
        return say("{card} covers the {lying} on {cell}", card=card, lying=lying, cell=cell_name(cell))
    return say("{card} on {cell}", card=card, cell=cell_name(cell))
