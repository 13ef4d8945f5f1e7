"""The counts of simulated games, which add up to the same totals in any order, and their rates as JSON data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from papan.game.base.typed import FaultError, Whole
from papan.lab.printing import made_by
from papan.lab.simulation.plan import Plan
from papan.lab.statistics import mean_interval, wilson

SAMPLE = 16
"""Legal steps are counted in one of this many games, as listing them costs as much as playing."""

WON, DRAWN, LOST = range(3)
"""The result for a seat: its payoff is positive, zero or negative."""

LONGEST_REASON = 200
"""The longest reason for the end of a game, in characters."""

Table = list[list[list[int]]]
"""Games by player, seat and result."""


@dataclass
class Counts:
    """Counts of games. Sums of payoffs are fractions, as sums of floats depend on the order."""

    games: int = 0
    undecided: int = 0
    """Games without a winner."""
    turns: int = 0
    """Turns of seats, without chance."""
    steps: int = 0
    """Steps of seats and of chance."""
    choices: int = 0
    """Choices of seats in the games whose legal steps were counted."""
    legal_steps: int = 0
    """Legal steps at these choices."""
    results: Table = field(default_factory=list)
    payoffs: list[list[Fraction]] = field(default_factory=list)
    """Sums of payoffs by player and seat."""
    squares: list[list[Fraction]] = field(default_factory=list)
    """Sums of squared payoffs."""
    reasons: Counter[str] = field(default_factory=Counter)
    """Games by the reason for their end."""

    @classmethod
    def of_seats(cls, seats: int) -> Counts:
        """Empty counts for games of *seats* seats."""
        return cls(
            results=[[[0] * 3 for _ in range(seats)] for _ in range(seats)],
            payoffs=[[Fraction(0)] * seats for _ in range(seats)],
            squares=[[Fraction(0)] * seats for _ in range(seats)],
        )

    @property
    def branching(self) -> float:
        """The mean number of legal steps at a choice."""
        return self.legal_steps / self.choices if self.choices else 0.0

    def check(self, seats: int) -> None:
        """Check that the totals are consistent, for games of *seats* seats."""
        tables = (self.results, self.payoffs, self.squares)
        if any(len(table) != seats or any(len(row) != seats for row in table) for table in tables):
            raise FaultError.saying("its tables and the plan differ in their number of players")
        sums = [[sum(cell) for cell in row] for row in self.results]
        if any(sum(row) != self.games for row in (*sums, *zip(*sums, strict=True))):
            raise FaultError.saying("its results do not add up to {games} games", games=self.games)
        if sum(self.reasons.values()) != self.games:
            raise FaultError.saying("its reasons do not add up to {games} games", games=self.games)
        if not all(reason.isprintable() and len(reason) <= LONGEST_REASON for reason in self.reasons):
            raise FaultError.saying("a reason is too long, or has unprintable characters")
        if not self.turns <= self.steps >= self.choices <= self.legal_steps:
            raise FaultError.saying("it has more turns or choices than fit in {steps} steps", steps=self.steps)
        won = sum(cell[WON] for row in self.results for cell in row)
        decided = self.games - self.undecided
        if not 0 <= decided <= won <= decided * seats:
            raise FaultError.saying("impossible number of games without a winner: {games}", games=self.undecided)
        for player, row in enumerate(self.results):
            for seat, cell in enumerate(row):
                paid, square = self.payoffs[player][seat], self.squares[player][seat]
                if paid * paid > square * sum(cell) or (not square) != (not cell[WON] + cell[LOST]):
                    raise FaultError.saying("impossible payoff for these games: {paid}", paid=str(paid))

    def add(self, other: Counts) -> None:
        for name in _NUMBERS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for player, row in enumerate(other.results):
            for seat, cell in enumerate(row):
                for outcome, number in enumerate(cell):
                    self.results[player][seat][outcome] += number
                self.payoffs[player][seat] += other.payoffs[player][seat]
                self.squares[player][seat] += other.squares[player][seat]
        self.reasons.update(other.reasons)

    def count_result(self, player: int, seat: int, payoff: float) -> None:
        self.results[player][seat][WON if payoff > 0 else LOST if payoff < 0 else DRAWN] += 1
        self.payoffs[player][seat] += Fraction(payoff)
        self.squares[player][seat] += Fraction(payoff) ** 2

    def as_data(self) -> dict[str, Any]:
        """The counts as JSON data, which ``CountsData`` reads."""
        return {
            **{name: getattr(self, name) for name in _NUMBERS},
            "results": self.results,
            "payoffs": [[str(paid) for paid in row] for row in self.payoffs],
            "squares": [[str(paid) for paid in row] for row in self.squares],
            "reasons": dict(sorted(self.reasons.items())),
        }


_Paid = Annotated[str, Meta(pattern=r"\A-?[0-9]{1,100}(/0*[1-9][0-9]{0,99})?\Z")]
"""A fraction. The pattern excludes texts such as "1e999999999", on which ``Fraction`` would compute for ever."""
_Square = Annotated[str, Meta(pattern=r"\A[0-9]{1,100}(/0*[1-9][0-9]{0,99})?\Z")]


class CountsData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``Counts`` in JSON."""

    games: Whole
    undecided: Whole
    turns: Whole
    steps: Whole
    choices: Whole
    legal_steps: Whole
    results: list[list[tuple[Whole, Whole, Whole]]]
    payoffs: list[list[_Paid]]
    squares: list[list[_Square]]
    reasons: dict[str, Whole]

    @property
    def counts(self) -> Counts:
        return Counts(
            **{name: getattr(self, name) for name in _NUMBERS},
            results=[[list(cell) for cell in row] for row in self.results],
            payoffs=[[Fraction(paid) for paid in row] for row in self.payoffs],
            squares=[[Fraction(paid) for paid in row] for row in self.squares],
            reasons=Counter(self.reasons),
        )


_NUMBERS = ("games", "undecided", "turns", "steps", "choices", "legal_steps")


def facts(plan: Plan, counts: Counts) -> dict[str, Any]:
    """The *counts* of at least one game of *plan* as JSON data."""
    return {
        "game": plan.game,
        "options": plan.options,
        "seed": plan.seed,
        "games": counts.games,
        "players": [
            {"player": name, **_rate_facts(rate), "seats": [_rate_facts(on_seat) for on_seat in on_seats]}
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
        **{name: getattr(rate, name) for name in ("games", "won", "drawn", "lost", "win_rate")},
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
        return self.won / self.games if self.games else 0.0

    @property
    def win_interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the win rate."""
        return wilson(self.win_rate, self.games)

    @property
    def mean_payoff(self) -> float:
        return float(self.payoff / self.games) if self.games else 0.0

    @property
    def payoff_interval(self) -> tuple[float, float]:
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
    places = range(len(counts.results))
    return [[_together(counts, [(player, seat)]) for seat in places] for player in places]


def _together(counts: Counts, places: Sequence[tuple[int, int]]) -> Rate:
    won, drawn, lost = (sum(counts.results[p][s][outcome] for p, s in places) for outcome in (WON, DRAWN, LOST))
    payoff = sum((counts.payoffs[p][s] for p, s in places), Fraction(0))
    squares = sum((counts.squares[p][s] for p, s in places), Fraction(0))
    return Rate(won, drawn, lost, payoff, squares)
