"""Calibration of probability-based proof numbers: their predicted chances, compared with what solvers prove.

Primanita, Khalid and Iida (2021) stop a search when the number is near 0 or 1, and take that for a result. The
comparison is a reliability diagram: Murphy and Winkler, "Reliability of Subjective Probability Forecasts of
Precipitation and Temperature" (1977).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from statistics import fmean
from typing import NamedTuple

from papan.ai.limits import Limit
from papan.ai.players import Player, situation
from papan.ai.proof import SolverSetting, make_solver
from papan.ai.proof.chance import ProofChance
from papan.ai.proof.claims import Conditions, conditions_of
from papan.ai.proof.deals import MOST_DEALS
from papan.ai.proof.result import Solver
from papan.game.base.protocols import offers
from papan.game.game import SEATS, Game
from papan.game.match import Match
from papan.game.rules import CHANCE, Enumerating, State, mover, observe

BINS = 10
TRUTH_NODES = 5_000_000
"""Nodes after which a position counts as undecided."""
_MOST_TRIES = 50
"""Random games tried for each position, as games may end too early."""


class Prediction(NamedTuple):
    """One position: the predicted chance of the seat to move, and the proved result."""

    position: str
    number: float
    """The probability-based proof number."""
    is_win: bool
    """Whether a win is proved; otherwise it is disproved."""
    conditions: Conditions | None = None
    share: float | None = None
    """Where cards are hidden: the exact share of deals, by their probability, in which a win is proved."""

    @property
    def outcome(self) -> float:
        """What the number predicts: 1 for a win, 0 for none, or ``share``."""
        return float(self.is_win) if self.share is None else self.share


class Bin(NamedTuple):
    """Positions with similar numbers."""

    low: float
    high: float
    positions: int
    mean: float
    share: float
    """Share of won positions, or the mean of their shares."""


@dataclass(frozen=True)
class Calibration:
    """All positions, with bins and errors."""

    predictions: tuple[Prediction, ...]
    unsettled: int = 0
    """Positions that the solver could not decide."""

    @property
    def bins(self) -> list[Bin]:
        """The positions by their numbers, in ``BINS`` bins of equal width, without empty bins."""
        found = []
        for place in range(BINS):
            own = [one for one in self.predictions if min(int(one.number * BINS), BINS - 1) == place]
            if own:
                share = fmean(one.outcome for one in own)
                mean = fmean(one.number for one in own)
                found.append(Bin(place / BINS, (place + 1) / BINS, len(own), mean, share))
        return found

    @property
    def brier(self) -> float:
        """The mean squared error: 0 for perfect predictions, 0.25 for always predicting one half (Brier, 1950)."""
        return fmean((one.number - one.outcome) ** 2 for one in self.predictions)

    @property
    def base(self) -> float:
        """The share of won positions; always predicting it has a Brier score of base · (1 − base)."""
        return fmean(one.outcome for one in self.predictions)

    @property
    def error(self) -> float:
        """The expected calibration error: the mean |share − mean| of the bins, weighted by positions."""
        return sum(one.positions * abs(one.share - one.mean) for one in self.bins) / len(self.predictions)


def random_position(
    game: Game, options: dict[str, str], turns: int, random: Random, player: Player | None = None
) -> State | None:
    """A position after *turns* turns that is not over; None if none was found.

    :param player: plays for every seat; default: random steps.
    """
    number = next((one for one in game.seats if str(one) == options.get(SEATS)), game.seats[0])
    for _try in range(_MOST_TRIES):
        match = Match.new(game, [""] * number, options, random.getrandbits(32))
        while not match.ending and len(match.turns()) < turns:
            if player is None or match.mover == CHANCE:
                match.play(random.choice(match.legal_steps()))
            else:
                match.play(player.choose(situation(match)).step)
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
    player: Player | None = None,
) -> Calibration:
    """Compare PPNS's numbers, from trees of *nodes* nodes, with proofs, for random positions after *turns* turns.

    :param player: plays these turns; default: random steps.
    :raises papan.ai.proof.SolverError: the game can't be solved.
    :raises ValueError: random games do not last that long.
    """
    random = Random(seed)
    predictions: list[Prediction] = []
    unsettled = 0
    is_open = game.has_hidden_information and offers(game.rules, Enumerating)
    truth = make_solver("dfpn", game, SolverSetting(seed=seed, is_open=is_open))
    chance = ProofChance(game, nodes, seed)
    while len(predictions) + unsettled < positions:
        state = random_position(game, options, turns, random, player)
        if state is None:
            raise ValueError(turns)
        found = _share(game, truth, chance, state, nodes) if is_open else _proved(game, options, truth, chance, state)
        if found is None:
            unsettled += 1
        else:
            predictions.append(found)
        said(len(predictions) + unsettled)
    return Calibration(tuple(predictions), unsettled)


def _proved(game: Game, options: dict[str, str], truth: Solver, chance: ProofChance, state: State) -> Prediction | None:
    """The prediction for *state*, beside the proof; None if *truth* can't decide it."""
    truth.begin(state)
    proof = truth.run(Limit(nodes=TRUTH_NODES))
    if not proof.is_proof:
        return None
    conditions = conditions_of(game, options, state, proof.seat)
    return Prediction(conditions.position, chance.number(state), proof.result == "proved", conditions)


def _share(game: Game, truth: Solver, chance: ProofChance, state: State, nodes: int) -> Prediction | None:
    """The same where cards are hidden: every deal is decided; None if they are too many, or one can't be.

    :param nodes: of the tree of each deal.
    """
    deals = game.rules.deals(state, int(mover(state)), MOST_DEALS) if offers(game.rules, Enumerating) else None
    won = 0
    for deal, weight in deals or ():
        truth.begin(deal)
        proof = truth.run(Limit(nodes=TRUTH_NODES))
        if not proof.is_proof:
            return None
        won += weight * (proof.result == "proved")
    if not deals:
        return None
    share = won / sum(weight for _, weight in deals)
    sight = game.rules.text(observe(state, int(mover(state))))
    return Prediction(sight, chance.number(state, nodes=nodes * len(deals)), share == 1.0, share=share)
