"""A table learns Connect Four on three columns of three cells by playing itself, 1,024 games at once.

Q-learning (Watkins, "Learning from Delayed Rewards", 1989) where the seat to move next is the other one, whose gain is
a loss. Run ``python examples/learning/learn.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from small_connect_four import CELLS, GAME, SIZE

from papan.lab.environment import VectorEnvironment

GAMES = 1024
RATE, CURIOSITY = 0.2, 0.3
Table = NDArray[np.float64]
"""What each action is worth to the seat to act, 1 for a win: by the number of a position."""


def numbers(observations: NDArray[np.uint8]) -> NDArray[np.int64]:
    """A number for each position: the cells as digits, 1 for a disc of the seat, 2 for one of the other seat."""
    cells = observations.reshape(len(observations), 2, CELLS)
    return np.asarray((cells[:, 0] + 2 * cells[:, 1]) @ 3 ** np.arange(CELLS))


def learn(steps: int, seed: int = 0) -> Table:
    """The table after *steps* of all games."""
    environment, random = VectorEnvironment(GAME, GAMES, seed=seed), np.random.default_rng(seed)
    table, every = np.zeros((3**CELLS, SIZE)), np.arange(GAMES)
    observations, masks = environment.reset()
    for _ in range(steps):
        positions, movers = numbers(observations), environment.movers
        best = np.where(masks, table[positions], -np.inf).argmax(axis=1)
        actions = np.where(random.random(GAMES) < CURIOSITY, environment.random_actions(), best)
        observations, rewards, dones, masks = environment.step(actions)
        others_best = np.where(masks, table[numbers(observations)], -np.inf).max(axis=1)
        worth = rewards[every, movers] - np.where(dones, 0.0, others_best)
        table[positions, actions] += RATE * (worth - table[positions, actions])
    return table


def against_random(table: Table, seat: int, steps: int = 100, seed: int = 1) -> float:
    """What *table* gets a game as *seat* against legal steps at random: 1 if it always wins, -1 if it always loses."""
    environment = VectorEnvironment(GAME, GAMES, seed=seed)
    observations, masks = environment.reset()
    got, games = 0.0, 0
    for _ in range(steps):
        best = np.where(masks, table[numbers(observations)], -np.inf).argmax(axis=1)
        actions = np.where(environment.movers == seat, best, environment.random_actions())
        observations, rewards, dones, masks = environment.step(actions)
        got, games = got + float(rewards[:, seat].sum()), games + int(dones.sum())
    return got / games


def results(table: Any) -> str:
    """How *table* does from both seats, in words."""
    return ", ".join(f"{against_random(table, seat):+.2f} a game as player {seat + 1}" for seat in range(2))


if __name__ == "__main__":
    print(f"Before learning, against random steps: {results(np.zeros((3**CELLS, SIZE)))}")
    print(f"After learning: {results(learn(2000))}")
