"""The rates that follow from what was counted, with their intervals: by player, by seat, and of games as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from papan.lab.intervals import mean_interval, wilson
from papan.lab.simulation.counts import DRAWN, LOST, WON, Counts


@dataclass(frozen=True)
class Rate:
    """How it went for a player on all its seats, or on a seat for all who sat there."""

    won: int
    drawn: int
    lost: int
    payoff: Fraction
    """The sum of what was paid."""
    squares: Fraction

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def win_rate(self) -> float:
        """The share of games that were won; 0 of none."""
        return self.won / self.games if self.games else 0.0

    @property
    def win_interval(self) -> tuple[float, float]:
        """Wilson's interval for it, at 95 %."""
        return wilson(self.win_rate, self.games)

    @property
    def mean_payoff(self) -> float:
        """What a game paid in the mean."""
        return float(self.payoff / self.games) if self.games else 0.0

    @property
    def payoff_interval(self) -> tuple[float, float]:
        """The interval for it, at 95 %."""
        if not self.games:
            return mean_interval(0.0, 0.0, 0)
        variance = self.squares / self.games - (self.payoff / self.games) ** 2
        return mean_interval(self.mean_payoff, float(variance), self.games)


def by_player(counts: Counts) -> list[Rate]:
    """The rate of each player, on all its seats."""
    places = range(len(counts.results))
    return [_together(counts, [(player, seat) for seat in places]) for player in places]


def by_seat(counts: Counts) -> list[Rate]:
    """The rate of each seat, whoever sat there."""
    places = range(len(counts.results))
    return [_together(counts, [(player, seat) for player in places]) for seat in places]


def by_player_and_seat(counts: Counts) -> list[list[Rate]]:
    """By player, the rate on each seat."""
    places = range(len(counts.results))
    return [[_together(counts, [(player, seat)]) for seat in places] for player in places]


def _together(counts: Counts, places: Sequence[tuple[int, int]]) -> Rate:
    won, drawn, lost = (sum(counts.results[p][s][outcome] for p, s in places) for outcome in (WON, DRAWN, LOST))
    payoff = sum((counts.payoffs[p][s] for p, s in places), Fraction(0))
    squares = sum((counts.squares[p][s] for p, s in places), Fraction(0))
    return Rate(won, drawn, lost, payoff, squares)
