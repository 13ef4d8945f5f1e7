"""The results of a simulation as JSON data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from papan.lab.printing import made_by
from papan.lab.simulation.counts import DRAWN, LOST, WON, Counts
from papan.lab.simulation.games import SAMPLE
from papan.lab.simulation.plan import Plan
from papan.lab.statistics import mean_interval, wilson


def facts(plan: Plan, counts: Counts) -> dict[str, Any]:
    """The *counts* of at least one game of *plan* as JSON data."""
    return {
        "game": plan.game,
        "options": dict(plan.options),
        "seed": plan.seed,
        "games": counts.games,
        "players": [
            {
                "player": name,
                **_rate_facts(rate),
                "seats": [_rate_facts(on_seat) for on_seat in on_seats],
            }
            for name, rate, on_seats in zip(plan.players, by_player(counts), by_player_and_seat(counts), strict=True)
        ],
        "seats": [_rate_facts(rate) for rate in by_seat(counts)],
        "games_without_a_winner": counts.undecided,
        "turns_a_game": counts.turns / counts.games,
        "steps_a_game": counts.steps / counts.games,
        "legal_steps_a_choice": counts.branching,
        "legal_steps_counted_in_one_game_of": SAMPLE,
        "reasons": dict(counts.reasons.most_common()),
        "counts": counts.as_data(),
    }


def answer(plan: Plan, counts: Counts) -> dict[str, Any]:
    """The *facts* with the command that reproduces them, for callers outside commands."""
    return {**facts(plan, counts), **made_by("simulate", plan.words, plan.seed)}


def _rate_facts(rate: Rate) -> dict[str, Any]:
    return {
        "games": rate.games,
        "won": rate.won,
        "drawn": rate.drawn,
        "lost": rate.lost,
        "win_rate": rate.win_rate,
        "win_interval_95": list(rate.win_interval),
        "mean_payoff": rate.mean_payoff,
        "payoff_interval_95": list(rate.payoff_interval),
    }


@dataclass(frozen=True)
class Rate:
    """The results of a player in all seats, or of a seat for all players."""

    won: int
    drawn: int
    lost: int
    payoff: Fraction
    """The sum of payoffs."""
    squares: Fraction

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def win_rate(self) -> float:
        """The share of games won; 0 without games."""
        return self.won / self.games if self.games else 0.0

    @property
    def win_interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the win rate."""
        return wilson(self.win_rate, self.games)

    @property
    def mean_payoff(self) -> float:
        """The mean payoff of a game."""
        return float(self.payoff / self.games) if self.games else 0.0

    @property
    def payoff_interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean payoff."""
        if not self.games:
            return mean_interval(0.0, 0.0, 0)
        variance = self.squares / self.games - (self.payoff / self.games) ** 2
        return mean_interval(self.mean_payoff, float(variance), self.games)


def by_player(counts: Counts) -> list[Rate]:
    """The results of each player, in all seats."""
    places = range(len(counts.results))
    return [_together(counts, [(player, seat) for seat in places]) for player in places]


def by_seat(counts: Counts) -> list[Rate]:
    """The results of each seat, for all players."""
    places = range(len(counts.results))
    return [_together(counts, [(player, seat) for player in places]) for seat in places]


def by_player_and_seat(counts: Counts) -> list[list[Rate]]:
    """The results by player and seat."""
    places = range(len(counts.results))
    return [[_together(counts, [(player, seat)]) for seat in places] for player in places]


def _together(counts: Counts, places: Sequence[tuple[int, int]]) -> Rate:
    won, drawn, lost = (sum(counts.results[p][s][outcome] for p, s in places) for outcome in (WON, DRAWN, LOST))
    payoff = sum((counts.payoffs[p][s] for p, s in places), Fraction(0))
    squares = sum((counts.squares[p][s] for p, s in places), Fraction(0))
    return Rate(won, drawn, lost, payoff, squares)
