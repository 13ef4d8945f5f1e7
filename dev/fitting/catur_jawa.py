"""Fits Catur Jawa's standard weights: ``python -m dev.fitting.catur_jawa``; the weights are printed.

The games are of two seats that see all cards, as a search of a deal does; ``dev.fitting`` says how it is done.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from dev import fitting
from papan.ai.evaluation import STANDARD
from papan.ai.evaluation.catur_jawa import FEATURES, PAIRS, WEIGHTS
from papan.game.rules import catur_jawa

SCALE = 120.0
"""The score that stands for a winning chance of 73 % to one who sees all cards: a player is less certain."""

NOISE = 40.0
"""How much what a card promises is blurred by."""

MOST_RANDOM = 10
"""Cards at random at most, to begin with."""

LEFT_OUT = (PAIRS,)
"""Hardly better with it (by 0.001), and slower: windows say as much."""


def play_games(games: int, seed: int) -> tuple[fitting.Array, fitting.Array]:
    return fitting.play_games(
        lambda random: catur_jawa.start({}, random),
        4 * catur_jawa.MOST_STEPS,
        WEIGHTS[STANDARD],
        len(FEATURES),
        NOISE,
        MOST_RANDOM,
        games,
        seed,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=6_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    features, results = play_games(asked.games, asked.seed)
    fitting.fit(features, results, WEIGHTS[STANDARD], SCALE, FEATURES, LEFT_OUT)


if __name__ == "__main__":
    main()
