"""How well others are foreseen: ``python -m dev.adaptation FILE OPPONENT …``; what it finds is printed.

*FILE* is what ``papan train`` keeps of Catur Jawa.

Somebody who plays Catur Jawa by its heuristic meets each *OPPONENT* in the same matches four times, and a ``Follower``
looks on through its eyes: one that takes each to play well and to hold any cards, one whose beliefs about hands follow
the match, one whose models of how the opponent plays begin anew with each match as well, and one that keeps them. What
counts is how likely the replies were that came, and the hands that the opponent really held.
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
    """How likely what came was thought to be, as mean logarithms."""

    replies: list[float]
    """For each reply."""
    hands: list[float]
    """For each time that it was one's own turn after a reply."""


def weights_of(file: Path) -> Vector:
    """The weights that the training *file* keeps."""
    plan = read_head(file, KIND, VERSION)["plan"]
    weights: Vector = kept(file, plan, NETWORK, float(plan["promise"]))[1].weights
    return weights


def watch(weights: Vector, opponent: str, way: str, matches: int, seed: int) -> Foresight:
    """What a follower foresees in *matches*, one after the other, by one of WAYS."""
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
    """Play *match*; returns for each turn of the first seat how likely the other's hand was thought to be."""
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
