"""Whether a computer agrees to a draw: by what its own search found last, else by the game's evaluation."""

from __future__ import annotations

import numpy as np

from papan.ai.evaluation import STANDARD, evaluate, evaluation_of, winning_chance
from papan.ai.limits import Analysis
from papan.game.match import Match
from papan.game.rules import CHANCE, observe

EVEN = 0.52
"""The winning chance from which on a computer plays on."""
BEHIND = 0.4
"""The winning chance below which it takes a draw at any time."""
LEAST_TURNS = 10
"""The turns of each seat that an even game must have had: before, there is everything to play for."""


def agrees_to_draw(match: Match, seat: int, last: Analysis | None) -> bool:
    """Whether the computer in *seat* takes a draw as *match* stands.

    :param last: what it found when it chose its last step, from its own point of view; None where it has found nothing.
    """
    game = match.game
    has_searched = last is not None and last.depth > 0
    if last is not None and has_searched:
        score = last.score
    else:
        weights = np.array(evaluation_of(game).WEIGHTS[STANDARD], np.float64)
        score = float(evaluate(observe(match.state, seat), seat, weights))
    chance = winning_chance(score, float(evaluation_of(game).SCALE))
    turns = sum(turn.seat != CHANCE for turn in match.turns())
    if chance < BEHIND:
        return has_searched or turns > 0  # that another seat begins is all that is known at first
    return chance <= EVEN and turns >= LEAST_TURNS * len(match.seats)
