"""A line that was not played, to be walked through as a match is: it begins in one, and never changes it."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.match import Match
from papan.game.rules import CHANCE, IllegalStep
from papan.ui.play.reviewed_match import ReviewedMatch


def line_of(reviewed: ReviewedMatch, turn: int, steps: Sequence[int]) -> ReviewedMatch:
    """The line of *steps* that begins after *turn* of a match, as far as it is legal and makes whole turns.

    Its start is the position after *turn*; what chance brings is left out, and ends it.
    """
    match = reviewed.match
    start = reviewed.states[reviewed.stops[turn].end]
    line = Match(match.game, match.seats, match.options, match.seed, start, match.date)
    whole = 0
    for step in steps:
        if line.ending or line.mover == CHANCE:
            break
        seat = line.mover
        try:
            line.play(step)
        except IllegalStep:
            break
        if line.ending or line.mover != seat:
            whole = len(line.steps)
    return ReviewedMatch(line.up_to(whole), reviewed.viewer, is_open=reviewed.is_open)
