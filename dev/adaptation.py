"""How well others are foreseen: ``python -m dev.adaptation FILE OPPONENT …``; what it finds is printed.

*FILE* is a file of ``papan train`` for Catur Jawa.

A heuristic player of Catur Jawa meets each *OPPONENT* in the same matches four times, and a ``Follower`` watches with
the player's information. The first follower assumes good play and any cards. The second updates its beliefs about hands
during the match. The third also models how the opponent plays, anew in each match; the fourth keeps its models. The
measures are the likelihoods of the actual replies, and of the opponent's actual hands.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from papan.ai.learning.catur_jawa import NETWORK
from papan.ai.learning.network import Vector
from papan.ai.learning.weight_files import read_head
from papan.ai.players import Player, make_player, situation
from papan.ai.search.adaptive import Follower
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import observe
from papan.game.rules.catur_jawa.board import hand_of
from papan.lab.arena import hashed_seeds
from papan.lab.printing import show
from papan.lab.statistics import mean_interval
from papan.lab.training.keeping import KIND, VERSION, kept

GAME = GAMES["catur-jawa"]
OWN = "heuristic"
WAYS = ("neither", "beliefs", "models anew", "models kept")


class Foresight(NamedTuple):
    """Predicted log-likelihoods of what happened."""

    replies: list[float]
    """One for each reply."""
    hands: list[float]
    """One for each turn of the follower's seat: the opponent's hand."""


def weights_of(file: Path) -> Vector:
    """The weights in the training *file*."""
    plan = read_head(file, KIND, VERSION)["plan"]
    weights: Vector = kept(file, plan, NETWORK, float(plan["promise"]))[1].weights
    return weights


def watch(weights: Vector, opponent: str, way: str, matches: int, seed: int) -> Foresight:
    """Watch *matches* matches with a follower of the kind *way*, one of WAYS."""
    found = Foresight([], [])
    follower: Follower | None = None
    players = [make_player(OWN, GAME), make_player(opponent, GAME)]
    for own in islice(hashed_seeds(seed), matches):
        if follower is None or way != "models kept":
            follower = Follower(
                GAME.rules, weights, 0, NETWORK.most,
                believes=way != "neither", learns=way.startswith("models"),
            )  # fmt: skip
        follower.told.clear()
        match = Match.new(GAME, [OWN, opponent], {"first": "1"}, own)
        found.hands.extend(_looked_on(match, players, follower))
        found.replies.extend(follower.told)
    return found


def _looked_on(match: Match, players: Sequence[Player], follower: Follower) -> list[float]:
    """Play *match*; return the predicted log-likelihood of the other's hand at each turn of the first seat."""
    hands: list[float] = []
    while not match.ending:
        seat = match.mover
        if seat == 0:
            follower.follow(observe(match.state, 0), 0)
            belief = follower.belief(1)
            chance = float(belief.chances[belief.hands == hand_of(match.state, 1)].sum())
            hands.append(math.log(max(chance, 1e-12)))
        step = players[seat].choose(situation(match)).step
        if seat == 0:
            follower.takes(observe(match.state, 0), step)
        match.play(step)
    return hands


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("opponents", nargs="+", metavar="OPPONENT")
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    weights = weights_of(asked.file)
    for opponent in asked.opponents:
        for way in WAYS:
            found = watch(weights, opponent, way, asked.matches, asked.seed)
            show(f"{opponent:16} {way:12} replies {_words(found.replies)}  hands {_words(found.hands)}")


def _words(logarithms: Sequence[float]) -> str:
    mean, number = float(np.mean(logarithms)), len(logarithms)
    low, high = mean_interval(mean, float(np.var(logarithms, ddof=1)), number)
    return f"{mean:.3f} ({low:.3f} to {high:.3f}) of {number}"


if __name__ == "__main__":
    main()
