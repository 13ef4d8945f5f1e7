"""How far probability-based proof numbers are to be believed: their chances beside what solvers prove.

Primanita, Khalid and Iida (2021) stop a search where the number is near 0 or 1, and take that for a result. A
reliability diagram shows how often those who are told a chance are right: Murphy and Winkler, "Reliability of
Subjective Probability Forecasts of Precipitation and Temperature" (1977).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from statistics import fmean
from typing import NamedTuple

from papan.ai.limits import Limit
from papan.ai.proof import SolverSetting, make_solver
from papan.ai.proof.chance import ProofChance
from papan.ai.proof.claims import Conditions, conditions_of
from papan.game.game import SEATS, Game
from papan.game.match import Match
from papan.game.rules import State

BINS = 10
TRUTH_NODES = 5_000_000
"""Nodes after which a position counts as unsettled."""
_MOST_TRIES = 50
"""Random games for each position wanted, before it is given up: a game may end sooner than it is to be asked about."""


class Told(NamedTuple):
    """One position: what was told of its seat to act, and what is true."""

    position: str
    number: float
    """The probability-based proof number."""
    is_win: bool
    """Whether a win is proved; else it is disproved."""
    conditions: Conditions | None = None
    """All that this depends on."""


class Bin(NamedTuple):
    """Positions of about the same number."""

    low: float
    high: float
    positions: int
    mean: float
    """Of the numbers."""
    share: float
    """Of positions that are won."""


@dataclass(frozen=True)
class Calibration:
    """All positions, and what follows from them."""

    told: tuple[Told, ...]
    unsettled: int = 0
    """How many more the solver could not settle within its nodes."""

    @property
    def bins(self) -> list[Bin]:
        """The positions by their numbers, in ``BINS`` parts of the same width; none for parts without any."""
        found = []
        for place in range(BINS):
            own = [one for one in self.told if min(int(one.number * BINS), BINS - 1) == place]
            if own:
                share = fmean(float(one.is_win) for one in own)
                mean = fmean(one.number for one in own)
                found.append(Bin(place / BINS, (place + 1) / BINS, len(own), mean, share))
        return found

    @property
    def brier(self) -> float:
        """The mean square of what the numbers are off: 0 for truth, 0.25 for who always says one half (Brier, 1950)."""
        return fmean((one.number - one.is_win) ** 2 for one in self.told)

    @property
    def base(self) -> float:
        """The share of all positions that are won: who always says it has a Brier score of base · (1 − base)."""
        return fmean(float(one.is_win) for one in self.told)

    @property
    def error(self) -> float:
        """The mean distance of a bin's share from its numbers, weighed by positions: the expected calibration error."""
        return sum(one.positions * abs(one.share - one.mean) for one in self.bins) / len(self.told)


def random_position(game: Game, options: dict[str, str], turns: int, random: Random) -> State | None:
    """A position after so many random turns, in which the game goes on; None where none was found."""
    number = next((one for one in game.seats if str(one) == options.get(SEATS)), game.seats[0])
    for _try in range(_MOST_TRIES):
        match = Match.new(game, [""] * number, options, random.getrandbits(32))
        while not match.ending and len(match.turns()) < turns:
            match.play(random.choice(match.legal_steps()))
        if not match.ending:
            return match.state
    return None


def calibrate(
    game: Game,
    options: dict[str, str],
    turns: int,
    positions: int,
    nodes: int,
    seed: int,
    said: Callable[[int], object] = lambda done: None,
) -> Calibration:
    """What PPNS tells of random positions after *turns* turns, from trees of so many *nodes*, and what is true.

    :raises papan.ai.proof.SolverError: the game can't be solved.
    :raises ValueError: games of it do not last so long.
    """
    random = Random(seed)
    told: list[Told] = []
    unsettled = 0
    truth, chance = make_solver("dfpn", game, SolverSetting(seed=seed)), ProofChance(game, nodes, seed)
    while len(told) + unsettled < positions:
        state = random_position(game, options, turns, random)
        if state is None:
            raise ValueError(turns)
        truth.begin(state)
        proof = truth.run(Limit(nodes=TRUTH_NODES))
        if proof.is_proof:
            conditions = conditions_of(game, options, state, proof.seat)
            told.append(Told(conditions.position, chance.number(state), proof.result == "proved", conditions))
        else:
            unsettled += 1
        said(len(told) + unsettled)
    return Calibration(tuple(told), unsettled)
