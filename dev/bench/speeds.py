"""Benchmarks of rules, searches, solvers and learning environments in one thread, compared with other programs.

OpenSpiel (Lanctot et al., "OpenSpiel: A Framework for Reinforcement Learning in Games", 2019) and PettingZoo (Terry et
al., "PettingZoo: Gym for Multi-Agent Reinforcement Learning", 2021) are driven as their own examples do it. If one is
installed, its runs alternate with ours, and the target is a multiple of its speed.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import fmean, median
from typing import Any

import numpy as np

from dev.bench.figures import (
    FRESH_PROCESS_SECONDS,
    Asked,
    FreshProcessError,
    Measurement,
    asked_of_fresh_process,
    measurement_of,
    middles,
    starts,
)
from papan.ai.exact import exact_of, is_solved
from papan.ai.limits import Limit
from papan.ai.players import SearchingPlayer, make_player, situation
from papan.ai.proof import METHODS, SolverSetting, make_solver
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.negamax import MOST_DEPTH
from papan.ai.thinking.thinker import Thinker
from papan.game.base.protocols import offers
from papan.game.game import Game
from papan.game.kernel.rng import random_state
from papan.game.match import Match
from papan.game.perft import perft
from papan.game.playout import playouts
from papan.game.rules import State, goal_of, is_over, legal_steps, play
from papan.lab.arena import opening
from papan.lab.book import BookSource
from papan.lab.environments.vector import VectorEnvironment

RUNS, COLD_RUNS = 5, 3
RUN_SECONDS = 0.5  # of a run that repeats something
SEARCH_SECONDS = 1.0  # of a search, and of a solver

RANDOM_GAMES, PERFT, SEARCH, SIMULATIONS = "random games", "perft", "search", "simulations"
ENVIRONMENT_STEPS = "environment steps"
FIRST_MOVE, NEXT_FIRST_MOVE = "first computer move, no kernels kept", "first computer move, kernels kept"

ASKED: Asked = {
    (RANDOM_GAMES, "santorini"): 150_000,
    (RANDOM_GAMES, "connect-four"): 3_000_000,
    (RANDOM_GAMES, "cifra"): 120_000,
    (RANDOM_GAMES, "othello"): 100_000,
    (RANDOM_GAMES, "checkers"): 80_000,
    (RANDOM_GAMES, "gomoku"): 60_000,
    (RANDOM_GAMES, "2048"): 50_000,
    (RANDOM_GAMES, "xiangqi"): 2_000,
    (RANDOM_GAMES, "catur-jawa"): 60_000,
    (f"{RANDOM_GAMES}, two random gods", "santorini"): 50_000,
    (SEARCH, "santorini"): 3_000_000,
    (FIRST_MOVE, None): 5.0,
    ("solver, middle", "connect-four"): 10.0,
}


def measures(game: Game, command: Sequence[str]) -> Iterator[tuple[str, Callable[[], list[Measurement]]]]:
    """The names of the measurements of *game*, and the functions that take them.

    :param command: starts this program in a fresh process.
    """
    for words, options in {"": None, **OTHER_SETUPS.get(game.name, {})}.items():
        name = f"{RANDOM_GAMES}{words}"
        yield name, partial(_one, game, name, partial(random_games, game, options), "games/s")
    yield PERFT, partial(_one, game, PERFT, partial(perft_leaves, game), "leaves/s")
    yield SEARCH, lambda: search_speed(game)
    if game.name in THREADED:
        yield "two threads", lambda: two_threads(game)
    yield "first computer move", lambda: first_moves(game, command)
    yield SIMULATIONS, lambda: compare_speeds(game)
    for stage, turns in STAGES.items() if is_solved(game) else ():
        yield f"solver, {stage}", partial(_exact_speed, game, stage, turns)
    if not game.has_hidden_information:
        for method in SOLVERS:
            name = f"solver, {METHODS[method]}"
            yield name, partial(_one, game, name, partial(solver_nodes, game, method), "nodes/s")
    if game.parts.observation:
        yield ENVIRONMENT_STEPS, lambda: compare_steps(game)


def _one(game: Game, name: str, measure: Callable[[], float], unit: str) -> list[Measurement]:
    return [measurement_of(ASKED, name, game.name, measure(), unit)]


PLACEMENTS = 32  # random starts for random games, as chance may deal before the first turn
OTHER_SETUPS: dict[str, dict[str, dict[str, str]]] = {
    "santorini": {", two random gods": {"gods": "simple", "pick": "random", "placement": "random"}},
}
"""Further options, by their names, to measure random games with as well."""


def random_games(game: Game, options: Mapping[str, str] | None = None) -> float:
    """Random games a second, uniform over the legal steps, from random starts with *options*."""
    states = [match.state for match in starts(game, PLACEMENTS, options)]
    buffer = np.empty(game.rules.MOST_STEPS, np.int64)
    luck = random_state(0)

    def run(games: int) -> float:
        started = time.perf_counter()
        for state in states:
            playouts(state, games, buffer, luck)
        return len(states) * games / (time.perf_counter() - started)

    run(1)
    speed = run(50)
    games = max(1, round(speed * RUN_SECONDS / len(states)))
    return median(run(games) for _ in range(RUNS))


def perft_leaves(game: Game) -> float:
    """Leaves a second of perft from the start, at the first depth that takes long enough.

    In a short game, at the last depth with more leaves than the one before.
    """
    state = starts(game, 1)[0].state
    perft(game.rules, state, 1)
    depth, seconds, leaves = 0, 0.0, 0
    while seconds < RUN_SECONDS / 4:
        deeper, lasted = _timed_perft(game, state, depth + 1)
        if deeper <= leaves:
            break
        depth, seconds, leaves = depth + 1, lasted, deeper
    return median([leaves / seconds, *(leaves / _timed_perft(game, state, depth)[1] for _ in range(RUNS - 1))])


def _timed_perft(game: Game, state: State, depth: int) -> tuple[int, float]:
    started = time.perf_counter()
    leaves = perft(game.rules, state, depth)
    return leaves, time.perf_counter() - started


THREADED = ("santorini", "connect-four", "othello")
"""The games to compare a search on two threads with one on one thread in."""
DEPTH_SECONDS = 0.3
POLL_SECONDS = 1 / 60


def search_speed(game: Game) -> list[Measurement]:
    """Nodes a second of searches from the middle of the opening, without those that ended early with a proof."""
    speeds = []
    for position in middles(game, 4 * RUNS):
        player = make_player(f"minimax:time={SEARCH_SECONDS:g}", game)
        player.prepare(position.state)
        analysis = player.choose(situation(position))
        if analysis.seconds > SEARCH_SECONDS / 2:
            speeds.append(analysis.nodes / analysis.seconds)
        if len(speeds) == RUNS:
            break
    return [measurement_of(ASKED, SEARCH, game.name, median(speeds), "nodes/s")] if speeds else []


def two_threads(game: Game) -> list[Measurement]:
    """The speedup by a second thread: in nodes a second, in time to the same depth, and in nodes to that depth.

    The depth is the first that takes one thread ``DEPTH_SECONDS``. On a busy machine, nodes are more reliable than
    time: those of a single thread, divided by those of the busier one of two threads.
    """
    speeds: list[float] = []
    times: list[float] = []
    shares: list[float] = []
    for position in middles(game, 4 * RUNS):
        if len(times) == RUNS:
            break
        make_player("minimax:depth=1", game).prepare(position.state)
        for depth in range(1, MOST_DEPTH):
            alone = make_player(f"minimax:depth={depth}", game).choose(situation(position))
            if alone.seconds >= DEPTH_SECONDS or alone.is_proven:
                break
        if alone.is_proven:
            continue
        player = make_player(f"minimax:depth={depth},threads=2", game)
        together = player.choose(situation(position))
        assert isinstance(player, SearchingPlayer)
        if isinstance(player.search, AlphaBeta):
            shares.append(alone.nodes / max(player.search.nodes_by_thread))
        times.append(alone.seconds / together.seconds)
        speeds.append(together.nodes / together.seconds / (alone.nodes / alone.seconds))
    if not times:
        return []
    return [
        Measurement("two threads, nodes/s to those of one", game.name, median(speeds), "times"),
        Measurement("two threads, speed to the same depth to that of one", game.name, median(times), "times"),
        Measurement("two threads, speed by nodes to that of one", game.name, median(shares), "times"),
    ]


def time_of_first_move(game: Game) -> float:
    """Seconds until the window's thinker has a computer's first step, including compilation or loading."""
    started = time.perf_counter()
    position = opening(starts(game, 1)[0])
    thinker = Thinker()
    thinker.ask(make_player("minimax:easy", game), situation(position))
    while (answer := thinker.poll()) is None:
        time.sleep(POLL_SECONDS)
    seconds = time.perf_counter() - started
    if answer.error:
        raise FreshProcessError(answer.error)
    thinker.close(FRESH_PROCESS_SECONDS)  # compiled kernels are kept for the next process
    return seconds


def first_moves(game: Game, command: Sequence[str]) -> list[Measurement]:
    cold, warm = [], []
    for _ in range(COLD_RUNS):
        with tempfile.TemporaryDirectory() as home:
            words = [*command, "bench", "first-move", game.name]
            cold.append(asked_of_fresh_process(words, Path(home))["seconds"])
            warm.append(asked_of_fresh_process(words, Path(home))["seconds"])
    return [
        measurement_of(ASKED, FIRST_MOVE, game.name, median(cold), "s"),
        measurement_of(ASKED, NEXT_FIRST_MOVE, game.name, median(warm), "s"),
    ]


EXPLORATION = 2.0  # OpenSpiel's ``uct_c``, as its own examples have it
TREE_MEBIBYTES = 1000
TRIAL_SIMULATIONS = 20
OPENSPIEL_TIMES: dict[str, tuple[str, float]] = {
    "connect-four": ("connect_four", 5.0),
    "othello": ("othello", 5.0),
    "checkers": ("checkers", 5.0),
    "gomoku": ("gomoku", 3.0),
    "xiangqi": ("xiangqi", 5.0),
}
"""OpenSpiel's name of the game, and the target as a multiple of its simulations a second."""


def compare_speeds(game: Game) -> list[Measurement]:
    """Our simulations a second and, if it is installed and has the game, OpenSpiel's: medians of interleaved runs."""
    match = starts(game, 1)[0]
    simulations_per_second(match, game)  # compiles
    theirs = openspiel(OPENSPIEL_TIMES[game.name][0]) if game.name in OPENSPIEL_TIMES and find_spec("pyspiel") else None
    own_speeds, their_speeds = [], []
    for _ in range(RUNS):
        own_speeds.append(simulations_per_second(match, game))
        if theirs:
            their_speeds.append(theirs())
    if not theirs:
        return [Measurement(SIMULATIONS, game.name, median(own_speeds), "sims/s")]
    speed = median(their_speeds)
    return [
        Measurement(SIMULATIONS, game.name, median(own_speeds), "sims/s", OPENSPIEL_TIMES[game.name][1] * speed),
        Measurement("simulations, OpenSpiel", game.name, speed, "sims/s"),
    ]


def simulations_per_second(match: Match, game: Game) -> float:
    player = make_player(f"mcts:time={RUN_SECONDS:g},solver=0", game)
    player.prepare(match.state)
    analysis = player.choose(situation(match))
    return analysis.simulations / analysis.seconds


def openspiel(name: str) -> Callable[[], float]:
    """A function that measures OpenSpiel's simulations a second once, in its game *name*."""
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


SOLVERS = ("pns", "dfpn")
SOLVER_MEMORY = 512
POSITIONS = 100
STAGES = {"middle": range(14, 19), "late middle": range(19, 26), "end": range(30, 37)}
"""The numbers of random turns before a position to solve, by the name of that stage of the game."""
MIB = 8  # of the solver's table: quick to clear


def positions(game: Game, turns: range, number: int = POSITIONS) -> list[State]:
    """*number* random positions after a number of turns in *turns*, where no step ends the game."""
    luck = Random(len(turns) * turns[0])
    found: list[State] = []
    while len(found) < number:
        state = starts(game, 1)[0].state
        for _ in range(luck.choice(turns)):
            following = [play(state, step) for step in legal_steps(state, game.rules.MOST_STEPS)]
            following = [after for after in following if not is_over(after)]
            if not following:
                break
            state = luck.choice(following)
        else:
            if not any(is_over(play(state, step)) for step in legal_steps(state, game.rules.MOST_STEPS)):
                found.append(state)
    return found


def _exact_speed(game: Game, stage: str, turns: range) -> list[Measurement]:
    source = exact_of(game)
    assert offers(source, BookSource), f"{game.title} is not solved from its openings on"
    solver = source.Exact(MIB)
    chosen = positions(game, turns)
    solver.prepare(chosen[0])
    seconds, nodes = [], []
    for state in chosen:
        solver.forget()
        before, started = solver.nodes, time.perf_counter()
        solver.score(state)
        seconds.append(time.perf_counter() - started)
        nodes.append(solver.nodes - before)
    name = f"solver, {stage}"
    return [
        measurement_of(ASKED, name, game.name, 1000 * fmean(seconds), "ms a position"),
        measurement_of(ASKED, f"{name}, nodes", game.name, fmean(nodes), "nodes a position"),
        measurement_of(ASKED, f"{name}, speed", game.name, sum(nodes) / sum(seconds), "nodes/s"),
    ]


def solver_nodes(game: Game, method: str) -> float:
    """Nodes a second of the solver *method* from the middle of the opening, without runs that ended early.

    If all runs end early, all of them count.
    """
    goals = goal_of(game.rules)
    goal = goals.numbers[-1] if goals else 0  # the hardest; 0 is to win
    speeds: list[float] = []
    short: list[float] = []
    for position in middles(game, 4 * RUNS):
        solver = make_solver(method, game, SolverSetting(memory=SOLVER_MEMORY))
        solver.prepare(position.state)
        solver.begin(position.state, 0, goal)
        proof = solver.run(Limit(time=SEARCH_SECONDS))
        (speeds if proof.seconds > SEARCH_SECONDS / 2 else short).append(proof.nodes / proof.seconds)
        if len(speeds) == RUNS:
            break
    return float(median(speeds or short or [0.0]))


NUMBER = 1024
TIMES = 20.0  # the target as a multiple of the steps of each of the others
Chunk = Callable[[], int]


def compare_steps(game: Game) -> list[Measurement]:
    """Our steps a second and those of the installed others: medians of interleaved runs."""
    installed = {name for name, (module, _) in RIVALS.get(game.name, {}).items() if find_spec(module)}
    missing = sorted(RIVALS.get(game.name, {}).keys() - installed)
    chunks = {"": own_chunk(game)} | {name: RIVALS[game.name][name][1]() for name in sorted(installed)}
    speeds: dict[str, list[float]] = {name: [] for name in chunks}
    for _ in range(RUNS):
        for name, chunk in chunks.items():
            steps, started = 0, time.perf_counter()
            while (seconds := time.perf_counter() - started) < RUN_SECONDS:
                steps += chunk()
            speeds[name].append(steps / seconds)
    theirs = {name: median(speeds[name]) for name in sorted(installed)}
    asked = TIMES * max(theirs.values()) if theirs else None
    note = f"not compared, not installed: {', '.join(missing)}" if missing else ""
    return [
        Measurement(ENVIRONMENT_STEPS, game.name, median(speeds[""]), "steps/s", asked, note),
        *(Measurement(f"{ENVIRONMENT_STEPS}, {name}", game.name, speed, "steps/s") for name, speed in theirs.items()),
    ]


def own_chunk(game: Game) -> Chunk:
    environment = VectorEnvironment(game, NUMBER)

    def take() -> int:
        environment.step(environment.random_actions())
        return NUMBER

    take()  # compiles
    return take


def pettingzoo_chunk() -> Chunk:
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
"""By game, the others by name: the module to look for, and the function that makes its steps."""
