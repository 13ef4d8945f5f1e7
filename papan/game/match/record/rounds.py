"""Rounds: in each, every seat acts once, or is skipped."""

from __future__ import annotations

from typing import NamedTuple

from papan.game.rules import CHANCE

SKIPPED = "..."
"""What stands for a seat that did not act before another one did."""


class Round(NamedTuple):
    """Which round of a match is being played, and who acted last in it."""

    number: int
    seat: int

    def then(self, seat: int) -> Round:
        """The round after a turn of *seat*: a new one if the seat, or one after it, has acted. Chance has none."""
        if seat == CHANCE:
            return self
        return Round(self.number + (seat <= self.seat), seat)


BEFORE_FIRST_ROUND = Round(0, 99)
"""As if a seat after every other had just acted, so that any turn begins round 1."""
