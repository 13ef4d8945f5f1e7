"""Rounds rarely used weights of a shipped n-tuple network: ``python -m dev.rounding GAME``.

The tool plays games one step ahead by the shipped weights, and counts how often each weight is looked up: in the
positions after each legal step, and after each further step that follows a random outcome. An error of a weight matters
in proportion to these visits, so a weight's unit grows with the inverse root of them; weights rounded to 0 are left
out. Afterwards run ``python -m dev.digests``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation import STANDARD, evaluate, evaluation_of
from papan.ai.learning.bundled import asset_of
from papan.ai.learning.network import Network, familiar, learning_of, note_places, stage
from papan.ai.learning.weight_files import (
    KIND,
    KNOWN,
    VERSION,
    WEIGHTS,
    bits_of,
    read_head,
    read_kept,
    read_weights,
    write_arrays,
)
from papan.game.base.assets import ASSETS
from papan.game.catalogue import GAMES
from papan.game.kernel import compiled, subroutine
from papan.game.kernel.rng import RandomState, random_state
from papan.game.playout import random_step
from papan.game.rules import CHANCE, State, is_over, mover, moves, play
from papan.lab.files import whole_file
from papan.lab.printing import show

FINEST = 20
"""Weights with so many visits keep their unit."""
FACTORS = (3, 9, 81)
"""Multiples of the unit; odd ones, so that rounding in two steps is as good as in one."""
RESTARTS = 20
"""How often a game that reaches a later stage is played again from there, for few games get there."""
LATER = 3
"""What a visit in a later stage counts for: searching players get there more often."""


@subroutine
def count(state: State, layout: Any, places: Any, visits: Any) -> None:
    note_places(state, layout, places, 0)
    for index in range(places.shape[1]):
        visits[places[0, index]] += 1


@compiled
def watch(
    state: State, layout: Any, weights: Any, visits: Any, places: Any, buffers: Any, random: RandomState, restarts: int
) -> int:
    """Play a game from *state* and count into *visits*; return the games played.

    :param restarts: how many more to play from the first position of a later stage.
    """
    begun, has_begun, games = state, False, 0
    while True:
        if is_over(state):
            games += 1
            if not has_begun or games > restarts:
                return games
            state = begun
            continue
        if mover(state) == CHANCE:
            state = play(state, random_step(state, buffers[0], random))
            continue
        seen = familiar(state)
        if not has_begun and stage(seen) > 0:
            begun, has_begun = state, True
        seat, best, chosen = mover(seen), -np.inf, 0
        for index in range(moves(seen, buffers[0], 0)):
            after = play(seen, int(buffers[0, index]))
            value = evaluate(after, seat, weights)
            if value > best:
                best, chosen = value, int(buffers[0, index])
            if is_over(after):
                continue
            count(after, layout, places, visits)
            if mover(after) == CHANCE:
                further = familiar(play(after, random_step(after, buffers[1], random)))
                for other in range(0 if is_over(further) else moves(further, buffers[1], 0)):
                    count(play(further, int(buffers[1, other])), layout, places, visits)
        state = play(state, chosen)


def rounded(values: NDArray[np.int16], visits: NDArray[Any]) -> NDArray[np.int16]:
    """*values* as multiples of a factor that grows with the inverse root of *visits*."""
    factors = np.full(len(values), FACTORS[-1], np.float32)
    for factor in (*FACTORS[-2::-1], 1):
        least = FINEST * FACTORS[0] / factor**2 if factor > 1 else FINEST
        factors[visits >= least] = factor
    return (np.rint(values / factors) * factors).astype(np.int16)


def round_shipped(game_name: str, games: int, seed: int = 5) -> int:
    """Round the shipped weights of the game; return the bytes of their file."""
    game = GAMES[game_name]
    learning = learning_of(game)
    assert learning is not None and isinstance(learning.NETWORK, Network), "an n-tuple network"
    network, place = learning.NETWORK, ASSETS.folder / asset_of(game)
    standard = np.array(evaluation_of(game).WEIGHTS[STANDARD], np.float64)
    weights = read_weights(place, network, standard)
    visits, places = np.zeros(network.size, np.uint32), np.zeros((1, network.placements), np.int64)
    start, buffers = game.rules.start(game.complete_options({}), Random(1)), np.zeros((2, 256), np.int64)
    for number in range(games):
        random = random_state(seed, number)
        watch(start, network.layout, weights, visits, places, buffers, random, RESTARTS)
    visits[network.entries :] *= LATER
    bits, kept = read_kept(place, network.size, {WEIGHTS: np.int16})
    known = np.unpackbits(bits, count=network.size).view(np.bool_)
    values = rounded(kept[WEIGHTS], visits[known])
    known[known] = values != 0
    head = read_head(place, KIND, VERSION)
    with whole_file(place) as file:
        write_arrays(file, head, {KNOWN: bits_of(known), WEIGHTS: values[values != 0]}, compressed=True)
    return place.stat().st_size


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("game", choices=[game.name for game in GAMES.values() if game.parts.learning])
    parser.add_argument("--games", type=int, default=400, help="games to count visits in; default: 400")
    asked = parser.parse_args(arguments)
    show(f"{asked.game}: {round_shipped(asked.game, asked.games)} bytes")


if __name__ == "__main__":
    main()
