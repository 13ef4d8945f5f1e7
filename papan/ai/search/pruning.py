"""What a search leaves out that is limited by time or nodes: it looks less far where little is to be expected.

Each rule is a bit, so that what it is worth can be measured by playing with and without it. None can make a forced win
or loss of what is none: near such scores they don't apply, and what they leave out counts as judged. A search to a
fixed depth applies none.

Null move, futility, few steps and probes ask whether a position is better or worse than a number, so they apply where a
search does, and that is nearly everywhere: its windows hold no score. Which positions and steps they suit, a game's
evaluation says: ``can_pass``, ``standing``, ``exchange``, ``is_quiet`` and its ``Selectivity``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from papan.ai.evaluation import Weights, can_pass, is_quiet, standing
from papan.ai.evaluation.accumulator import judged
from papan.ai.limits import WIN_BOUND
from papan.ai.search.ordering import KILLER
from papan.ai.search.table import UPPER, bound_of, depth_of, probe
from papan.game.kernel import subroutine
from papan.game.rules import State

NULL_MOVE = 1
"""Where passing is good enough, a real step is better still (Goetsch and Campbell, "Experiments with the Null-Move
Heuristic", 1990)."""
QUIESCENCE = 2
"""Beyond the horizon captures are looked at, and nothing else: ``quiescence``."""
REDUCTIONS = 4
"""Steps that are tried late are looked at the less far the later they are tried, and the deeper the search; without it,
two turns less. For games whose captures are looked at beyond the horizon, or whose ``Selectivity`` says so: others
judge best at one kind of depth."""
FUTILITY = 8
"""Near the horizon, quiet steps are left out where a position is so bad that none can mend it, and all steps where it
is so good that none need be tried (Heinz, "Extended Futility Pruning", 1998)."""
LATE_STEPS = 16
"""Near the horizon, quiet steps that are tried late are left out."""
FORCED_WINS = 32
"""At the horizon, and at the root before anything else, wins are looked for that a game's ``pressing`` steps force."""
SINGLE_REPLY = 64
"""Where forced wins are looked for, a step that is the only one to look at costs no turn: behind it, one more is."""
PROBCUT = 128
"""Where a position looks much better or worse than what matters, and a search that looks less far finds so too, that is
believed (Buro, "ProbCut: An Effective Selective Extension of the Alpha-Beta Algorithm", 1995)."""
SINGULAR = 256
"""A step that the table remembers is looked at a turn further where all others turn out much worse (*singular
extensions*: Anantharaman, Campbell and Hsu, "Singular Extensions: Adding Selectivity to Brute-Force Searching", 1990);
where these are good enough as well, nothing more is looked at (*multi-cut*: Björnsson and Marsland, 1999)."""
ALL_RULES = (
    NULL_MOVE | QUIESCENCE | REDUCTIONS | FUTILITY | LATE_STEPS | FORCED_WINS | SINGLE_REPLY | PROBCUT | SINGULAR
)

LATE = 4
"""How many steps of a position are tried in full."""
IIR_DEPTH = 4
"""Turns before the horizon, from which on it pays to look a turn less far where the table remembers no step: the next
search finds one there (*internal iterative reductions*, which Schröder brought up with his program Rebel)."""
ROUND = 2
"""Turns of both sides: after so many less, the same side has the last word, which evaluations make much of."""
FUTILITY_DEPTH = 5
"""Turns before the horizon, from which on steps are left out."""
PROBCUT_DEPTH, PROBCUT_LESS = 4, 4
"""Turns before the horizon, from which on it pays to probe, and how many turns less a probe looks ahead."""
SINGULAR_DEPTH, SINGULAR_SLACK = 7, 3
"""Turns before the horizon, from which on it pays to compare the remembered step with the others, and how many turns
less far it may have been looked at."""
EVERY_STEP = 1 << 30

_DEPTHS, _NUMBERS = 32, 64
_FIRST_REDUCED = 3  # depth, and number of a step
_STEEPNESS = 2.0
_TELLING = 8192
"""A history that makes a turn's difference to how far a step is looked at."""


def _reduction(depth: int, number: int) -> int:
    if depth < _FIRST_REDUCED or number < _FIRST_REDUCED:
        return 0
    return min(int(0.3 + math.log(depth) * math.log(number) / _STEEPNESS), depth - 2)


TURNS_LESS = np.array([[_reduction(depth, number) for number in range(_NUMBERS)] for depth in range(_DEPTHS)], np.int64)
"""Turns to look less far, by depth and number of the step."""


@subroutine
def reduction(work: Any, index: int, number: int, depth: int, floor: float) -> int:
    """The number of turns to look less far behind the step ``buffer[index]``, the *number*-th one tried.

    None where a win or loss is in sight.
    """
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
    """The turns to look ahead after a pass of the seat to act, the pass included; 0 where it is not to pass."""
    if work.pruning & NULL_MOVE == 0 or is_after_pass != 0 or depth <= ROUND or not can_pass(state):
        return 0
    return max(1, depth - (ROUND + 1 if depth <= 3 * ROUND else 2 * ROUND))


@subroutine
def probcut_bound(
    state: State, side: int, depth: int, alpha: float, beta: float, weights: Weights, work: Any, accumulator: Any
) -> tuple[int, float]:
    """Whether a search of *state* that looks less far may settle the matter, and by which bound.

    1 and what it must come to, -1 and what it may come to at most, or 0.
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
    """Whether it is to be asked what a position is worth without the step that the table remembers, and the bound.

    If the others are worth no more than that, the step stands out.

    :param turn: turns from the root; at most twice as many are looked ahead as were asked for.
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
    state: State, side: int, depth: int, alpha: float, beta: float, is_after_pass: int, weights: Weights, work: Any
) -> tuple[bool, float, int, int]:
    """What can be left out of a search of *state*, at the start of a turn, for *side*, which is to act.

    Whether all can be, because the position is clearly good enough, and the score if so; the turns to look ahead after
    a pass, or 0; and how many steps to try before quiet ones are left out.
    """
    look = null_move_depth(state, depth, is_after_pass, work)
    is_near = work.margin > 0.0 and depth <= FUTILITY_DEPTH and is_quiet(state)
    if look == 0 and not is_near:
        return False, 0.0, 0, EVERY_STEP
    margin = depth * work.margin
    worth = standing(state, int(work.root_seat), weights)
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
