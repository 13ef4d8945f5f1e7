"""A learner at work, for tests."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from papan.ai.learning.learner import Knowledge, Memory, learn_games, new_knowledge
from papan.ai.learning.network import Network, learning_of
from papan.ai.observation import observation_of
from papan.game.game import Game
from papan.game.kernel.rng import random_state
from papan.game.match import Match
from papan.game.rules import State, facts_to_deal
from papan.game.rules.catur_jawa import parse


def begun(game: Game, options: Mapping[str, str]) -> tuple[State, Network]:
    """The state that *game* begins with, and the network that usually learns it."""
    observation_of(game)
    state = Match.new(game, [""] * game.seats[0], {**options, "first": "1"}, 0).state
    learning = learning_of(game)
    assert learning is not None
    network = next(iter(learning.networks(state).values()))
    assert isinstance(network, Network)
    return state, network


def learned(
    game: Game,
    start: State,
    network: Network,
    games: int,
    *,
    seed: int = 1,
    trace: float = 0.0,
    exploration: float = 0.0,
    restarts: int = 0,
    is_likened: bool = False,
    memory: Memory | None = None,
    knowledge: Knowledge | None = None,
    first: Mapping[str, str] | None = None,
) -> Knowledge:
    """What *network* has learned from so many *games* from *start* on, beyond the *knowledge* that there was."""
    found = new_knowledge(network) if knowledge is None else knowledge
    memory = memory or Memory.new(network, game.rules.MOST_STEPS, trace)
    facts = facts_to_deal(game.rules, game.complete_options({} if first is None else first))
    settings = np.array([1.0, trace, exploration, restarts, is_likened])
    learn_games(
        start, facts, games, network.layout, settings, *found,
        memory.places, memory.viewers, memory.buffer, memory.report, memory.random, random_state(seed),
    )  # fmt: skip
    return found


def laid(cards: dict[tuple[int, int], str], rest: str) -> State:
    """The position with *cards* by column and row, from 0; *rest* is the end of its text."""
    rows = ["".join(cards.get((x, y), ".") for x in range(9)) for y in reversed(range(9))]
    return parse(f"{'/'.join(rows)} {rest}", {})


def laid_every_way() -> list[State]:
    """One table, mirrored and turned in all eight ways."""
    cards = {(4, 4): "r3", (5, 4): "g5", (6, 4): "r6", (5, 3): "g2", (6, 3): "r7", (6, 2): "r8"}
    found = []
    for way in range(8):
        shown = {(8 - x if way & 1 else x, 8 - y if way & 2 else y): card for (x, y), card in cards.items()}
        shown = {(y, x): card for (x, y), card in shown.items()} if way & 4 else shown
        found.append(laid(shown, "1 379,468 12,13"))
    return found
