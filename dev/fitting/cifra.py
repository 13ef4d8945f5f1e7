"""Fits CIFRA's standard weights: ``python -m dev.fitting.cifra --mode dash``; the weights are printed.

Boards are dealt at random; ``dev.fitting`` says how it is done.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from random import Random

from dev import fitting
from papan.ai.evaluation import STANDARD
from papan.ai.evaluation.cifra import ENTRIES, FEATURES, H1, H3, SCALE, WEIGHTS
from papan.game.rules import State, cifra, legal_steps, play
from papan.game.rules.cifra.board import MODES, MOVING

NOISE = 3.0
"""How much what a move promises is blurred by."""

MOST_RANDOM = 8
"""Moves at random at most, to begin with."""


def play_games(options: dict[str, str], games: int, seed: int) -> tuple[fitting.Array, fitting.Array]:
    def begin(random: Random) -> State:
        state = cifra.start(options, random)
        while state.stage != MOVING:
            state = play(state, random.choice(legal_steps(state)))
        return state

    return fitting.play_games(begin, 4 * cifra.MOST_STEPS, WEIGHTS[STANDARD], ENTRIES, NOISE, MOST_RANDOM, games, seed)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--mode", choices=MODES, default=MODES[0])
    parser.add_argument("--size", choices=("5", "9"), default="5")
    parser.add_argument("--games", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    features, results = play_games({"mode": asked.mode, "size": asked.size}, asked.games, asked.seed)
    block = ENTRIES * MODES.index(asked.mode)
    before = WEIGHTS[STANDARD][block : block + ENTRIES]
    fitting.fit(features, results, before, SCALE, FEATURES, left_out=(H1, H3))


if __name__ == "__main__":
    main()
