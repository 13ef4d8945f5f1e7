"""The slides "CIFRA CODE25" (undated), the listing of minimax: the cost of its cut-off rule.

The listing takes the last move whose value equals the best so far. For a move that was cut off, that value is only a
bound, and the move may be worse. The listing also breaks before it stores a move, but only inside the tree, where no
move is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, TypedDict

import numpy as np

from papan.ai.evaluation import Weights, WeightValues, evaluate, evaluation_of
from papan.ai.puzzles.proving import whole_turns
from papan.game.base.sentences import say
from papan.game.base.typed import Figure, Whole
from papan.game.catalogue import find
from papan.game.kernel import compiled
from papan.game.rules import Rules, State, is_over, mover, moves, play
from papan.lab.arena import ADDED, openings
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Found, Piece, Table

POSITIONS = 1000
TURNS = (4, 8, 12, 16, 20)
"""Random turns before a position, used in turn."""
DEPTH = 3
"""The search depth in turns of the slides' hard level, which evaluates by h2."""
WEIGHTS = "h2"


@compiled
def listed_value(
    state: State, seat: int, player: int, depth: int, alpha: float, beta: float, prunes: int, base: int,
    weights: Weights, buffer: Any,
) -> float:  # fmt: skip
    """The listing's value of *state* for *seat*: its minimax value, or a bound for it outside *alpha* and *beta*.

    :param player: the seat that took the step which led to *state*.
    :param depth: turns to look ahead, including the current one of *player*.
    :param prunes: 0 for an exact search without cut-offs.
    :param base: ``buffer[base:]`` is free.
    """
    acting = mover(state)
    if acting != player:
        depth -= 1
    if depth == 0 or is_over(state):
        judged: float = evaluate(state, seat, weights)
        return judged
    end = moves(state, buffer, base)
    best = -inf if acting == seat else inf
    for index in range(base, end):
        after = play(state, int(buffer[index]))
        value = listed_value(after, seat, acting, depth, alpha, beta, prunes, end, weights, buffer)
        if acting == seat:
            best = max(best, value)
            alpha = max(alpha, value)
        else:
            best = min(best, value)
            beta = min(beta, value)
        if prunes != 0 and beta <= alpha:
            break
    return best


class Chosen:
    """The listing's choice in *state*, compared with the best turn."""

    def __init__(self, rules: Rules, state: State, weights: WeightValues, depth: int = DEPTH) -> None:
        seat, vector = int(mover(state)), np.array(weights, np.float64)
        buffer = np.empty(rules.MOST_STEPS * 2 * (depth + 1), np.int64)
        alpha, chosen = -inf, 0
        self.values: list[float] = []
        """The value of each turn."""
        for number, turn in enumerate(whole_turns(rules, state)):
            after = turn.states[-1]
            listed = listed_value(after, seat, seat, depth, alpha, inf, 1, 0, vector, buffer)
            alpha = max(alpha, listed)
            if listed == alpha:
                chosen = number
            self.values.append(listed_value(after, seat, seat, depth, -inf, inf, 0, 0, vector, buffer))
        self.loss = max(self.values) - self.values[chosen]
        """How much worse the listing's turn is than the best."""


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    return [[Piece(f"{number}", {"position": number}) for number in range(asked.count(POSITIONS))]]


class Listed(TypedDict):
    """The result for a position."""

    turns: Whole
    loss: Figure


def compute(piece: Piece, asked: Asked, found: Found) -> dict[str, float]:
    number, game = piece.facts["position"], find("cifra")
    turns = TURNS[number % len(TURNS)]
    options, seed = game.complete_options({}), asked.draw("position", number)
    state = openings(game, 1, options, seed, turns, opening_seeds=ADDED)[0].state
    chosen = Chosen(game.rules, state, evaluation_of(game).WEIGHTS[WEIGHTS])
    return {"turns": len(chosen.values), "loss": chosen.loss}


def findings(asked: Asked, found: Found) -> Findings:
    positions = [found[f"{number}"] for number in range(asked.count(POSITIONS))]
    losses = [position["loss"] for position in positions if position["loss"] > 0.0]
    table = Table(say("Moves of the listing"), ",.2f")
    table.share("hard", say("another move than its own best, % of positions"), 0.0, len(losses), len(positions))
    table.mean("hard", say("loss, if it is another"), 0.0, losses)
    table.mean("hard", say("moves to choose from"), None, [position["turns"] for position in positions])
    return Findings([table])


EXPERIMENT = Experiment(
    "cifra-listing",
    "CIFRA CODE25 (undated)",
    say("The listing of minimax"),
    say("a minute on one processor"),
    stages,
    compute,
    findings,
    notes=lambda asked: (
        say("Positions are of dash on 5 × 5, after 4 to 20 random turns. What moves are worth is of the same depth."),
        say("By h2 a piece or a goal counts for 2 to 10."),
    ),
    answer=Listed,
)
