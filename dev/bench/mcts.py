"""How many simulations a second Monte-Carlo tree search makes from the start of a game, beside OpenSpiel's in C++.

OpenSpiel (Lanctot et al., "OpenSpiel: A Framework for Reinforcement Learning in Games", 2019) is no part of this
program: where its Python package is installed, its search of the same game is measured in turn with ours, with one
random game a simulation, and a multiple of its speed is what is asked for. Where it is not, nothing is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from statistics import median

from dev.bench.figures import Measurement
from dev.bench.starts import starts
from papan.ai.players import make_player, situation
from papan.game.game import Game
from papan.game.match import Match

RUNS = 5
RUN_SECONDS = 0.5
EXPLORATION = 2.0
"""OpenSpiel's ``uct_c``, as its own examples have it."""
TREE_MEBIBYTES = 1000
TRIAL_SIMULATIONS = 20

SIMULATIONS, OPENSPIEL = "simulations", "simulations, OpenSpiel"

TIMES: dict[str, tuple[str, float]] = {
    "connect-four": ("connect_four", 5.0),
    "othello": ("othello", 5.0),
    "checkers": ("checkers", 5.0),
    "gomoku": ("gomoku", 3.0),
    "xiangqi": ("xiangqi", 5.0),
}
"""What OpenSpiel calls the game, and how many times its simulations are asked for."""


def measures(game: Game, command: Sequence[str]) -> Iterator[tuple[str, Callable[[], list[Measurement]]]]:
    """The measurements of *game*: what each is called, and what takes it."""
    yield SIMULATIONS, lambda: compare_speeds(game)


def compare_speeds(game: Game) -> list[Measurement]:
    """Our simulations a second and, where it can be asked, OpenSpiel's: medians of runs that take turns."""
    match = starts(game, 1)[0]
    simulations_per_second(match, game)  # compiles
    theirs = openspiel(TIMES[game.name][0]) if game.name in TIMES and find_spec("pyspiel") else None
    own_speeds, their_speeds = [], []
    for _ in range(RUNS):
        own_speeds.append(simulations_per_second(match, game))
        if theirs:
            their_speeds.append(theirs())
    if not theirs:
        return [Measurement(SIMULATIONS, game.name, median(own_speeds), "sims/s")]
    speed = median(their_speeds)
    return [
        Measurement(SIMULATIONS, game.name, median(own_speeds), "sims/s", TIMES[game.name][1] * speed),
        Measurement(OPENSPIEL, game.name, speed, "sims/s"),
    ]


def simulations_per_second(match: Match, game: Game) -> float:
    """The speed of one search by random games alone, with an empty tree, of the position that *match* stands at."""
    player = make_player(f"mcts:time={RUN_SECONDS:g},solver=0", game)
    player.prepare(match.state)
    analysis = player.choose(situation(match))
    return analysis.simulations / analysis.seconds


def openspiel(name: str) -> Callable[[], float]:
    """A function that measures OpenSpiel's speed, once, in the game that it calls *name*."""
    import pyspiel  # type: ignore[import-not-found, unused-ignore]

    game = pyspiel.load_game(name)
    state = game.new_initial_state()

    def speed(simulations: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, simulations, TREE_MEBIBYTES, False, 1, False)
        started = time.perf_counter()
        bot.mcts_search(state)
        return simulations / (time.perf_counter() - started)

    simulations = max(TRIAL_SIMULATIONS, round(speed(TRIAL_SIMULATIONS) * RUN_SECONDS))
    return lambda: speed(simulations)
