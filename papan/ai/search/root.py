"""What Python asks about the root of a search in compiled code: which steps to look at, and what one is worth."""

from __future__ import annotations

from typing import Any

from papan.ai.evaluation import Weights, candidates
from papan.ai.evaluation.accumulator import note, unnote
from papan.ai.search.negamax import negamax
from papan.game.kernel import compiled
from papan.game.rules import State, mover, play


@compiled
def write_candidates(state: State, buffer: Any, base: int) -> int:
    """``candidates``, from Python."""
    return int(candidates(state, buffer, base))


@compiled
def root_score(
    state: State,
    step: int,
    depth: int,
    alpha: float,
    beta: float,
    path_end: int,
    weights: Weights,
    table: Any,
    marks: Any,
    endings: Any,
    works: Any,
    kepts: Any,
) -> float:
    """What *step* is worth to the side of the seat to act in *state*, the root, as ``negamax`` says: asked by Python.

    :param marks, works, kepts: arrays of one, of what has these names there without an s.
    """
    kept = kepts[0]
    works[0].root_depth = depth
    after = play(state, step)
    note(state, step, kept)
    score: float = negamax(
        after, mover(state), depth, alpha, beta, 0, 0, 0, path_end,
        weights, table, marks[0], endings, works[0], kept,
    )  # fmt: skip
    unnote(state, step, kept)
    return score
