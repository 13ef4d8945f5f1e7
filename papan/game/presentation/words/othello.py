"""Turns of Othello in words."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import Sentence, joined, say, say_number
from papan.game.kernel.bits import popcount
from papan.game.rules.othello import PASS, State, discs_turned_by, name_of


def turn_words(states: Sequence[State], steps: Sequence[int]) -> Sentence:
    """The cell and the number of discs turned over."""
    state, step = states[0], steps[0]
    if step == PASS:
        return say("Passes")
    turned = popcount(discs_turned_by(state, step))
    return say_number("{cell}, turns {count} disc", "{cell}, turns {count} discs", turned, cell=name_of(step))


def words_in_sentence(states: Sequence[State], steps: Sequence[int]) -> Sentence:
    """The cell alone."""
    return say("Pass") if steps[0] == PASS else joined([name_of(steps[0])])
