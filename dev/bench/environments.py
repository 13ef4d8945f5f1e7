"""How many steps a second learners make in 1,024 games at once, beside the environments of two other programs.

PettingZoo (Terry et al., "PettingZoo: Gym for Multi-Agent Reinforcement Learning", 2021) and OpenSpiel (Lanctot et al.,
"OpenSpiel: A Framework for Reinforcement Learning in Games", 2019) are driven from Python as their own examples do it.
Where one is installed, it is measured in turn with ours, and a multiple of its speed is what is asked for; where one is
not, the figure says so. Actions are legal ones drawn at random, and drawing them is part of what is measured.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from statistics import median
from typing import Any

import numpy as np

from dev.bench.figures import Measurement
from papan.game.game import Game
from papan.lab.environments.vector import VectorEnvironment

RUNS = 3
RUN_SECONDS = 1.0
NUMBER = 1024
TIMES = 20.0
"""How many times the steps of each of the others are asked for."""

ENVIRONMENT_STEPS = "environment steps"
Chunk = Callable[[], int]
"""Takes some steps, and tells how many."""


def measures(game: Game, command: Sequence[str]) -> Iterator[tuple[str, Callable[[], list[Measurement]]]]:
    """The measurements of *game*, if it can be shown to learners: what each is called, and what takes it."""
    if game.parts.observation:
        yield ENVIRONMENT_STEPS, lambda: compare_steps(game)


def compare_steps(game: Game) -> list[Measurement]:
    """Our steps a second and those of the others that there are: medians of runs that take turns."""
    installed = {name for name, (module, _) in RIVALS.get(game.name, {}).items() if find_spec(module)}
    missing = sorted(RIVALS.get(game.name, {}).keys() - installed)
    chunks = {"": own_chunk(game)} | {name: RIVALS[game.name][name][1]() for name in sorted(installed)}
    speeds: dict[str, list[float]] = {name: [] for name in chunks}
    for _ in range(RUNS):
        for name, chunk in chunks.items():
            speeds[name].append(steps_per_second(chunk))
    theirs = {name: median(speeds[name]) for name in sorted(installed)}
    asked = TIMES * max(theirs.values()) if theirs else None
    note = f"not compared, not installed: {', '.join(missing)}" if missing else ""
    return [
        Measurement(ENVIRONMENT_STEPS, game.name, median(speeds[""]), "steps/s", asked, note),
        *(Measurement(f"{ENVIRONMENT_STEPS}, {name}", game.name, speed, "steps/s") for name, speed in theirs.items()),
    ]


def steps_per_second(chunk: Chunk) -> float:
    """The speed of *chunk*, called again and again for ``RUN_SECONDS``."""
    steps, started = 0, time.perf_counter()
    while (seconds := time.perf_counter() - started) < RUN_SECONDS:
        steps += chunk()
    return steps / seconds


def own_chunk(game: Game) -> Chunk:
    """A step in each of 1,024 games of *game*, in one thread."""
    environment = VectorEnvironment(game, NUMBER)

    def take() -> int:
        environment.step(environment.random_actions())
        return NUMBER

    take()  # compiles
    return take


def pettingzoo_chunk() -> Chunk:
    """A game of PettingZoo's classic Connect Four."""
    import pettingzoo

    environment = pettingzoo.make("aec", "classic/connect_four_v3")

    def take() -> int:
        environment.reset()
        steps = 0
        for _ in environment.agent_iter():
            observation, _, is_over, _, _ = environment.last()
            if is_over:
                return steps
            environment.step(random.choice(np.flatnonzero(observation["action_mask"]).tolist()))
            steps += 1
        return steps

    return take


def openspiel_chunk() -> Chunk:
    """A step in each of 1,024 games of Connect Four in OpenSpiel's vector of environments."""
    from open_spiel.python.rl_agent import StepOutput
    from open_spiel.python.rl_environment import Environment
    from open_spiel.python.vector_env import SyncVectorEnv

    environments = SyncVectorEnv([Environment("connect_four") for _ in range(NUMBER)])
    shown: list[Any] = environments.reset()

    def take() -> int:
        nonlocal shown
        chosen = [random.choice(each.observations["legal_actions"][each.current_player()]) for each in shown]
        shown, _, _, _ = environments.step([StepOutput(action, None) for action in chosen], reset_if_done=True)
        return NUMBER

    return take


RIVALS: Mapping[str, Mapping[str, tuple[str, Callable[[], Chunk]]]] = {
    "connect-four": {
        "PettingZoo": ("pettingzoo", pettingzoo_chunk),
        "OpenSpiel": ("open_spiel", openspiel_chunk),
    }
}
"""By game, the others: the module that is there where one is installed, and what makes its steps."""
