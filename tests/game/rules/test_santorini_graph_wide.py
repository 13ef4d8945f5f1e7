"""Santorini on graphs of two words: compiled as plain, worth the same as on one word, played and looked at."""

from __future__ import annotations

import itertools
from random import Random

import numpy as np
import pytest

from papan.ai.evaluation import evaluate, evaluation_of
from papan.ai.limits import Limit
from papan.ai.observation import observation_of
from papan.ai.players import make_player, situation
from papan.ai.proof import make_solver
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.perft import perft
from papan.game.presentation import santorini_graph as setup
from papan.game.rules import State, key, mover, santorini_graph
from papan.game.rules.santorini_graph import State as NarrowState
from papan.game.rules.santorini_graph import WideState, parse
from papan.game.rules.santorini_graph.names import read_board
from papan.testing.kernels import Case, compare, contract_kernels

GAME = GAMES["santorini-graph"]
VARIANTS = ("4W_P4H_TWUS", "2W_I3H_NTWU*S", "2W_P3H_TWUS_FM", "4W_P2H_NTWDS", "1W_I2H_TWD*S")
SPREAD = (0, 61, 62, 63, 64, 100, 125, 30)
"""Where the nodes of a small board are on a large one, in both words."""


def positions(variant: str, seed: int) -> list[State]:
    """The states of a random game on 8 × 9 nodes, from the start of a turn at which heights differ."""
    random = Random(seed)
    match = Match.new(GAME, ["", ""], {"variant": variant, "board": "grid:8x9"}, seed)
    while not match.ending and len(match.steps) < 120:
        match.play(random.choice(match.legal_steps()))
    return list(match.states)


@pytest.mark.parametrize("variant", VARIANTS)
def test_compiled_kernels_say_what_plain_ones_say(variant: str) -> None:
    evaluation_of(GAME)
    observation_of(GAME)
    random = Random(1)
    states = positions(variant, 2)
    options = {"variant": variant, "board": "grid:8x9"}
    for index in sorted(random.sample(range(len(states)), min(len(states), 8))):
        begins_turn = index == 0 or mover(states[index - 1]) != mover(states[index])
        case = Case(GAME, states[index], begins_turn, random, options, index == 0)
        assert isinstance(case.state, WideState)
        for kernel in contract_kernels():
            compare(kernel, case)


def both(variant: str, text: str, edges: list[tuple[int, int]]) -> tuple[State, State]:
    """A position on eight nodes, and the same with these spread over two words."""
    heights, seat, *workers = text.split("/")
    board = "edges:" + ",".join(f"{one}-{other}" for one, other in edges)
    wide_board = "edges:" + ",".join(f"{SPREAD[one]}-{SPREAD[other]}" for one, other in edges)
    digits = ["0"] * 126
    for node, level in enumerate(heights):
        digits[SPREAD[node]] = level
    lists = [",".join(str(SPREAD[int(node)]) for node in own.split(",")) for own in workers]
    wide_text = "/".join(("".join(digits), seat, *lists))
    narrow = parse(text, {"variant": variant, "board": board})
    wide = parse(wide_text, {"variant": variant, "board": wide_board})
    assert isinstance(narrow, NarrowState) and isinstance(wide, WideState)
    return narrow, wide


@pytest.mark.parametrize(
    ("variant", "workers"),
    [("2W_P3H_TWUS", "0/5"), ("2W_P2H_NTWDS", "1/6"), ("2W_I3H_NTWU*S", "0,4"), ("4W_P3H_TWUS_FM", "0,1/5,6")],
)
def test_a_board_is_worth_the_same_spread_over_two_words(variant: str, workers: str) -> None:
    random = Random(5)
    cycle = [(node, (node + 1) % 8) for node in range(8)]
    for _ in range(3):
        chords = random.sample([pair for pair in itertools.combinations(range(8), 2) if pair not in cycle], 4)
        narrow, wide = both(
            variant, f"{'01' * 4}/1/{workers}", [*cycle, *(chord for chord in chords if chord != (0, 7))]
        )
        assert perft(santorini_graph, narrow, 3) == perft(santorini_graph, wide, 3)
        proofs = []
        for state in (narrow, wide):
            solver = make_solver("dfpn", GAME)
            solver.begin(state)
            proofs.append(solver.run(Limit(nodes=3_000_000)).result)
        assert proofs[0] == proofs[1] != "out"


def test_the_evaluation_is_antisymmetric_and_sees_a_win() -> None:
    weights = np.array(evaluation_of(GAME).WEIGHTS["standard"])
    narrow, wide = both("2W_P3H_TWUS", "01200000/1/1/5", [(node, (node + 1) % 8) for node in range(8)])
    assert evaluate(wide, 0, weights) == -evaluate(wide, 1, weights) > 500
    assert evaluate(narrow, 0, weights) > 500


def test_keys_tell_positions_apart() -> None:
    states = positions("4W_P4H_TWUS", 3)
    assert len({int(key(state)) for state in states}) == len(set(states)) == len(states)


def test_computers_play_on_large_grids() -> None:
    match = Match.new(GAME, ["", ""], {"variant": "4W_P4H_TWUS", "board": "grid:9x9"}, 1)
    assert match.state.nodes == read_board("grid:9x9").nodes
    players = [make_player(name, GAME) for name in ("minimax:nodes=500", "mcts:sims=10")]
    for _ in range(12):
        match.play(players[match.mover].choose(situation(match)).step)
    assert len(match.turns()) == 6


def test_positions_are_set_up() -> None:
    wide = parse("0" * 72 + "/1/0/70", {"variant": "2W_P3H_TWUS", "board": "grid:8x9"})
    changed = setup.put(setup.put(setup.taken(wide, 70), 1, 64), 4, 71)
    assert santorini_graph.text(changed) == "0" * 71 + "2/1/0/64"
    assert setup.standing(changed, 64) == [1] and setup.standing(changed, 71) == [4]
    assert setup.cleared(changed).workers == 0 == setup.cleared(changed).twos
