"""Geissler (2020), section 7.2: how much deeper alpha-beta looks than minimax with as many nodes.

Alpha-beta visits at least about the square root of minimax's nodes, if the best steps come first (Knuth and Moore, "An
Analysis of Alpha-Beta Pruning", 1975), so that it looks at most twice as deep: the sentence of the thesis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import Any, TypedDict

import numpy as np

from papan.ai.evaluation import STANDARD, Weights, as_vector, evaluate, evaluation_of
from papan.ai.limits import WIN, Limit
from papan.ai.players import make_searcher
from papan.game.base.sentences import Sentence, say
from papan.game.base.typed import Whole
from papan.game.catalogue import find
from papan.game.game import Game
from papan.game.kernel import compiled
from papan.game.perft import STEPS_A_TURN
from papan.game.rules import State, is_over, mover, moves, payoff, play
from papan.lab.arena import ADDED, openings
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Found, Piece, Table

GAMES = ("santorini", "santorini-graph", "cifra", "connect-four", "checkers", "othello", "gomoku", "xiangqi")
POSITIONS, TURNS = 50, 6
"""Positions of each game, after this many random turns."""
MINIMAX, ALPHA_BETA, SEARCH = "minimax", "alpha-beta", "search"
METHODS: Mapping[str, Sentence] = {
    ALPHA_BETA: say("alpha-beta, steps as the rules list them"),
    SEARCH: say("the program's search to a fixed depth"),
}
WEIGHTS = {"santorini": "classical", "gomoku": "classical"}
"""The weights that judge where the standard ones are a network, for which minimax takes ten times as long."""
TWICE = 2.0
READINGS: Mapping[str, Sequence[str]] = {"nodes": ("10000000",), "game": ("all", *GAMES)}


@compiled
def value(
    state: State, seat: int, depth: int, alpha: float, beta: float, prunes: bool, weights: Weights, buffer: Any,
    base: int, counted: Any,
) -> float:  # fmt: skip
    """The minimax value of *state* to *seat*, *depth* turns deep; ``counted[0]`` counts nodes down from the most.

    :param prunes: whether steps that can't change the value are left out.
    :param buffer: ``buffer[base:]`` is free to use.
    """
    counted[0] -= 1
    if is_over(state):
        return WIN * payoff(state, seat)
    if depth == 0:
        return evaluate(state, seat, weights)
    if counted[0] < 0:
        return 0.0
    own = mover(state)
    end = moves(state, buffer, base)
    best = -2.0 * WIN if own == seat else 2.0 * WIN
    for index in range(base, end):
        after = play(state, int(buffer[index]))
        left = depth if mover(after) == own and not is_over(after) else depth - 1
        found = value(after, seat, left, alpha, beta, prunes, weights, buffer, end, counted)
        if own == seat:
            best = max(best, found)
            alpha = max(alpha, best)
        else:
            best = min(best, found)
            beta = min(beta, best)
        if prunes and alpha >= beta:
            break
    return best


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    return [Piece.every("{game} {number}", number=range(asked.count(POSITIONS)), game=asked.chosen("game", GAMES))]


class Counted(TypedDict):
    """The nodes of each method to *depth* turns, the most that minimax can look within its nodes."""

    depth: Whole
    nodes: dict[str, Whole]


def compute(piece: Piece, asked: Asked, found: Found) -> dict[str, Any]:
    name = piece.facts["game"]
    game = find(name)
    seed = asked.draw("position", name, piece.facts["number"])
    state = openings(game, 1, game.complete_options({}), seed, TURNS, opening_seeds=ADDED)[0].state
    most, depth, nodes = asked.number("nodes"), 0, 1
    while (more := count(game, state, depth + 1, most, prunes=False)) is not None and more > nodes:
        depth, nodes = depth + 1, more
    player = f"minimax:{WEIGHTS[name]},depth={depth}" if name in WEIGHTS else f"minimax:depth={depth}"
    search = make_searcher(player, game).analyse(state, Limit(depth=depth))
    cut = count(game, state, depth, most, prunes=True)
    return {"depth": depth, "nodes": {MINIMAX: nodes, ALPHA_BETA: cut, SEARCH: search.nodes}}


def count(game: Game, state: State, depth: int, most: int, *, prunes: bool) -> int | None:
    """The nodes below *state*, *depth* turns deep, itself included; None for more than *most*."""
    weights = as_vector(evaluation_of(game).WEIGHTS[WEIGHTS.get(game.name, STANDARD)])
    buffer = np.empty(game.rules.MOST_STEPS * (STEPS_A_TURN * depth + 1), np.int64)
    left = np.array([most], np.int64)
    value(state, int(mover(state)), depth, -2.0 * WIN, 2.0 * WIN, prunes, weights, buffer, 0, left)
    return most - int(left[0]) if left[0] >= 0 else None


def findings(asked: Asked, found: Found) -> Findings:
    deeper = Table(say("How much deeper than minimax, with as many nodes: log nodes of minimax / log nodes"))
    counts = Table(say("Nodes to the same depth"), ",.0f")
    for name in asked.chosen("game", GAMES):
        known = [found[f"{name} {number}"] for number in range(asked.count(POSITIONS))]
        counts.mean(name, say("depth, in turns"), None, [one["depth"] for one in known])
        counts.mean(name, say("minimax"), None, [one["nodes"][MINIMAX] for one in known])
        for method, words in METHODS.items():
            counts.mean(name, words, None, [one["nodes"][method] for one in known])
            ratios = [log(one["nodes"][MINIMAX]) / log(one["nodes"][method]) for one in known if one["depth"]]
            deeper.mean(name, words, TWICE, ratios)
    return Findings([deeper, counts])


EXPERIMENT = Experiment(
    "alpha-beta",
    "Geissler (2020)",
    say("Section 7.2: alpha-beta looks twice as deep"),
    say("twenty minutes on one processor"),
    stages,
    compute,
    findings,
    READINGS,
    selecting=("game",),
    notes=lambda asked: (
        say(
            "From {turns} random turns; as deep as minimax looks with {nodes} nodes.",
            turns=TURNS,
            nodes=asked.readings["nodes"],
        ),
        say("Twice is the best case: the best steps come first. The program's search also remembers positions."),
    ),
    answer=Counted,
)
