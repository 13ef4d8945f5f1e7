"""Pruning, reductions and extensions: steps that a search skips, or searches less or more deeply.

Each rule is a bit, so that play with and without it can be compared. Only searches limited by time or nodes apply them.
None turns anything else into a forced win or loss: near such scores they don't apply, and skipped steps count as
evaluated.

Null move, futility, late step pruning and ProbCut apply in null windows, which is nearly everywhere.
A game's evaluation says which positions and steps they suit: ``can_pass``, ``standing``, ``exchange``, ``is_quiet`` and
its ``Selectivity``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from papan.ai.evaluation import Weights, can_pass, is_quiet
from papan.ai.evaluation.accumulator import judged, stood
from papan.ai.limits import WIN_BOUND
from papan.ai.search.ordering import KILLER
from papan.ai.search.table import UPPER, bound_of, depth_of, probe
from papan.game.kernel import subroutine
from papan.game.rules import State

NULL_MOVE = 1
"""If passing is good enough, a real step is better still (Goetsch and Campbell, "Experiments with the Null-Move
Heuristic", 1990).
"""
QUIESCENCE = 2
"""Quiescence search beyond the horizon: captures only."""
REDUCTIONS = 4
"""Late step reductions that grow with the number of the step and with the depth; without it, two turns less. For games
with a quiescence search, or whose ``Selectivity`` says so: other evaluations are best at depths of one parity."""
FUTILITY = 8
"""Futility pruning near the horizon: a position too bad for quiet steps skips these, and one that is already good
enough skips all (Heinz, "Extended Futility Pruning", 1998).
"""
LATE_STEPS = 16
"""Late step pruning near the horizon: quiet steps that come late are left out."""
FORCED_WINS = 32
"""Threat-space search, at the horizon and first of all at the root: wins that a game's ``pressing`` steps force."""
SINGLE_REPLY = 64
"""Single-reply extension, in games with forced wins: the only step to try is searched one turn further."""
PROBCUT = 128
"""ProbCut: where a position looks much better or worse than the window, a shallower search that confirms it is enough
(Buro, "ProbCut: An Effective Selective Extension of the Alpha-Beta Algorithm", 1995)."""
SINGULAR = 256
"""The table's step is searched a turn further where all others turn out much worse (*singular
extensions*: Anantharaman, Campbell and Hsu, "Singular Extensions: Adding Selectivity to Brute-Force Searching", 1990);
if these are good enough as well, the position is cut off (*multi-cut*: Björnsson and Marsland, 1999).
"""
ALL_RULES = (
    NULL_MOVE | QUIESCENCE | REDUCTIONS | FUTILITY | LATE_STEPS | FORCED_WINS | SINGLE_REPLY | PROBCUT | SINGULAR
)

LATE = 4
"""Steps of a position to try in full depth."""
IIR_DEPTH = 4
"""At least this many turns before the horizon a position without a table step is searched a turn less deeply, as the
next iteration finds one there (*internal iterative reductions*, by Schröder for his program Rebel).
"""
ROUND = 2
"""Turns of both sides: with this many fewer, the same side moves last, on which evaluations depend much."""
FUTILITY_DEPTH = 5
"""The most turns before the horizon for pruning steps."""
PROBCUT_DEPTH, PROBCUT_LESS = 4, 4
"""The least turns before the horizon for ProbCut, and the reduction of its search in turns."""
SINGULAR_DEPTH, SINGULAR_SLACK = 7, 3
"""The least turns before the horizon for singular extensions, and the turns that the table's entry may be
shallower.
"""
EVERY_STEP = 1 << 30

_DEPTHS, _NUMBERS = 32, 64
_FIRST_REDUCED = 3  # depth, and number of a step
_STEEPNESS = 2.0
_TELLING = 8192
"""The history that changes a reduction by a turn."""


def _reduction(depth: int, number: int) -> int:
    if depth < _FIRST_REDUCED or number < _FIRST_REDUCED:
        return 0
    return min(int(0.3 + math.log(depth) * math.log(number) / _STEEPNESS), depth - 2)


TURNS_LESS = np.array([[_reduction(depth, number) for number in range(_NUMBERS)] for depth in range(_DEPTHS)], np.int64)
"""Reductions in turns, by depth and number of the step."""


@subroutine
def reduction(work: Any, index: int, number: int, depth: int, floor: float) -> int:
    """The reduction in turns of the step ``buffer[index]``, the *number*-th one tried; 0 near a win or loss."""
    if work.is_exact != 0 or work.order[index] >= KILLER or abs(floor) >= WIN_BOUND:
        return 0
    if work.pruning & REDUCTIONS != 0:
        less = int(TURNS_LESS[min(depth, _DEPTHS - 1), min(number, _NUMBERS - 1)])
        rating = int(work.order[index])
        if less > 0 and abs(rating) < KILLER:
            less -= int(rating / _TELLING)
        return max(0, min(less, depth - 2))
    return ROUND if number >= LATE and depth > ROUND + 1 else 0


@subroutine
def null_move_depth(state: State, depth: int, is_after_pass: int, work: Any) -> int:
    """The turns to look ahead after a null move, itself included; 0 for no null move."""
    if work.pruning & NULL_MOVE == 0 or is_after_pass != 0 or depth <= ROUND or not can_pass(state):
        return 0
    return max(1, depth - (ROUND + 1 if depth <= 3 * ROUND else 2 * ROUND))


@subroutine
def probcut_bound(
    state: State, side: int, depth: int, alpha: float, beta: float, weights: Weights, work: Any, accumulator: Any
) -> tuple[int, float]:
    """The bound that a shallower search of *state* must reach for ProbCut.

    Returns 1 and the least score, -1 and the greatest score, or 0 where ProbCut does not apply.
    """
    if work.probcut == 0.0 or work.pruning & PROBCUT == 0 or depth < PROBCUT_DEPTH or not is_quiet(state):
        return 0, 0.0
    worth = judged(state, int(work.root_seat), weights, accumulator)
    if side != 0:
        worth = -worth
    if worth >= beta:
        return 1, beta + work.probcut
    if worth <= alpha:
        return -1, alpha - work.probcut
    return 0, 0.0


@subroutine
def singular_bound(table: Any, position: int, depth: int, turn: int, beta: float, work: Any) -> tuple[bool, float]:
    """Whether to test a position's table step for a singular extension, and the bound for all others.

    If these are worth no more than the bound, the step is singular.

    :param turn: turns from the root; extensions double the depth at most.
    """
    is_too_deep = depth < SINGULAR_DEPTH or turn + depth > 2 * work.root_depth
    if work.singular == 0.0 or work.pruning & SINGULAR == 0 or work.is_exact != 0 or is_too_deep:
        return False, 0.0
    facts, score = probe(table, position)
    if facts == 0 or bound_of(facts) == UPPER or depth_of(facts) < depth - SINGULAR_SLACK or beta <= -WIN_BOUND:
        return False, 0.0
    return abs(score) < WIN_BOUND, score - depth * work.singular


@subroutine
def futility(
    state: State, side: int, depth: int, alpha: float, beta: float, is_after_pass: int,
    weights: Weights, work: Any, accumulator: Any,
) -> tuple[bool, float, int, int]:  # fmt: skip
    """The pruning that the static score of *state*, where *side* begins a turn, allows.

    Returns whether the position is clearly good enough, and its score if so; the turns to look ahead after a null move,
    or 0; and the number of steps to try before skipping quiet ones.
    """
    look = null_move_depth(state, depth, is_after_pass, work)
    is_near = work.margin > 0.0 and depth <= FUTILITY_DEPTH and is_quiet(state)
    if look == 0 and not is_near:
        return False, 0.0, 0, EVERY_STEP
    margin = depth * work.margin
    worth = stood(state, int(work.root_seat), weights, accumulator)
    if side != 0:
        worth = -worth
    if worth < beta:
        look = 0
    if not is_near:
        return False, 0.0, look, EVERY_STEP
    if work.pruning & FUTILITY != 0 and worth - margin >= beta:
        work.horizon_leaves += 1
        return True, worth, 0, EVERY_STEP
    if work.pruning & FUTILITY != 0 and worth + margin <= alpha:
        return False, 0.0, look, 1
    return False, 0.0, look, LATE + depth * depth if work.pruning & LATE_STEPS != 0 else EVERY_STEP
