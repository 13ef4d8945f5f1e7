"""Alpha-beta to a fixed depth without a function that calls itself: for players in games that compiled code plays.

``negamax`` is a function that calls itself, which only Python can call. Here the path of the search is kept in arrays,
so that compiled code can ask for a step in the middle of a game. Scores, repetitions and leaves are those of
``negamax``, and so is the step that is chosen: the same turn-by-turn deepening decides between steps of equal worth.
Windows, order and table are the same too.

Scores are for the side of the seat at the root throughout: its seats choose the greatest, all others the least. The
table only saves work. Where positions repeat, what it holds would depend on the way there: such games do without.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.ai.evaluation import Weights, candidates, leaves_steps_out
from papan.ai.evaluation.accumulator import accumulator, gather, judged, note, options, unnote
from papan.ai.limits import UNPROVEN, WIN_BOUND
from papan.ai.search.deepening import INFINITY, STEPS_A_TURN
from papan.ai.search.forced import are_all_answers, write_others
from papan.ai.search.negamax import (
    BUFFER,
    NULL_WINDOW,
    consult,
    ending_score,
    from_table,
    identify,
    turns_ahead,
)
from papan.ai.search.ordering import MOST_PLIES, ORDERING_FIELDS, bring_forward, next_step, remember_cutoff
from papan.ai.search.repetition import PATH_FIELDS, begin_path_of, comes_back
from papan.ai.search.table import AGES, EXACT, LOWER, RESOLVED, UPPER, keep, new_table, pack
from papan.game.kernel import subroutine
from papan.game.kernel.arrays import get_state, new_record, put_state, state_rows
from papan.game.kernel.rng import RandomState, below, mix
from papan.game.rules import (
    Rules,
    State,
    allied,
    can_repeat,
    canonical_key,
    is_over,
    mover,
    play,
    steps_to_draw,
)

TABLE_BITS = 17
"""The table holds 2**17 positions, 3 MiB."""

_LEVELS = [
    (name, np.int64, (MOST_PLIES,))
    for name in (
        "seat",  # that is to act
        "side",  # 0 for the root's, 1 for the others'
        "depth",  # turns to look ahead, the one that the seat is in included
        "turn",  # turns from the root
        "path_end",
        "first",  # where its steps begin in the buffer
        "end",
        "next",  # the step to try next
        "unrated",  # the first that was not brought forward
        "scouts",  # whether the step tried last was only asked whether it is better
        "repeats",  # whether it is to be tried again, by the whole window
        "best_step",
        "leaves_before",
        "position",  # by which the table knows it
        "orientation",
        "keeps",  # whether the table is to know of it
        "is_doubtful",  # whether steps may have been left out
        "are_others",  # whether steps are being tried that were left out at first
    )
]
_WINDOWS = [(name, np.float64, (MOST_PLIES,)) for name in ("alpha", "beta", "best", "first_alpha", "first_beta")]

WORKSPACE = np.dtype(
    (
        np.record,
        [
            ("stop", np.int64),  # set from outside: what is searched is not wanted any more
            ("root_seat", np.int64),
            ("prefers_wins", np.int64),
            ("horizon_leaves", np.int64),
            ("buffer_limit", np.int64),  # where the buffer is too full for another turn
            ("age", np.int64),  # the search's number: what others have kept is not found
            ("salt", np.int64),
            ("is_exact", np.int64),
            ("sees_symmetry", np.int64),
            ("last_turns", np.int64),
            ("last_turns_known", np.int64),
            ("images_known", np.int64),
            ("leaves_steps_out", np.int64),
            *PATH_FIELDS,
            *_LEVELS,
            *_WINDOWS,
            *ORDERING_FIELDS,
            ("buffer", np.int64, (BUFFER,)),
            ("order", np.int64, (BUFFER,)),
        ],
    )
)
"""All that a search writes to but its table, and the states of its path, which are rows of their own."""


class Workspace(NamedTuple):
    """The memory of searches, one at a time."""

    work: Any
    """A record of type ``WORKSPACE``."""
    table: Any
    rows: Any
    kept: Any
    """The game's accumulator."""


def workspace(rules: Rules, state: State) -> Workspace:
    """New memory for searches of the game that *state* is of."""
    work = new_record(WORKSPACE)
    work.buffer_limit = BUFFER - rules.MOST_STEPS * (STEPS_A_TURN + 1)
    work.is_exact = 1
    work.leaves_steps_out = leaves_steps_out(state)
    work.sees_symmetry = canonical_key.implementation(type(state)).function is not canonical_key.default
    return Workspace(work, new_table(TABLE_BITS), state_rows(state, MOST_PLIES), accumulator(state))


@subroutine
def enter(
    after: State, player: int, depth: int, turn: int, ply: int, base: int, path_end: int, weights: Weights,
    work: Any, kept: Any,
) -> tuple[bool, float, int, int, int]:  # fmt: skip
    """Whether the search ends with *after*, its score if so; and else the depth to look, the turn and the path's end.

    :param player: who took the step that led to it.
    """
    if is_over(after):
        return True, ending_score(after, turn + 1, weights, work), depth, turn, path_end
    if mover(after) != player:
        is_again, paid = comes_back(after, path_end, path_end, work)
        if is_again:
            return True, paid if allied(after, int(work.root_seat), player) else -paid, depth, turn, path_end
        depth = turns_ahead(after, depth - 1, turn + 1, ply, base, work)
        if depth == 0:
            work.horizon_leaves += 1
            return True, judged(after, int(work.root_seat), weights, kept), depth, turn, path_end
        path_end += 1 if can_repeat(after) else 0
        turn += 1
    return False, 0.0, depth, turn, path_end


@subroutine
def open_level(
    state: State, ply: int, depth: int, turn: int, path_end: int, base: int, alpha: float, beta: float,
    work: Any, table: Any, rows: Any, kept: Any,
) -> tuple[bool, float]:  # fmt: skip
    """Have the search look at *state*, *ply* steps behind the root's; or whether the table knows its score, and which.

    :param alpha: a score that is no greater, or no less than *beta*, need not be exact.
    """
    seat = mover(state)
    side = 0 if allied(state, int(work.root_seat), seat) else 1
    table_step = -1
    if not can_repeat(state):
        position, orientation = identify(state, depth, work)
        low, high = (alpha, beta) if side == 0 else (-beta, -alpha)
        left = steps_to_draw(state)
        is_settled, known, table_step = consult(table, position, orientation, depth, turn, left, low, high, work)
        if is_settled:
            return True, known if side == 0 else -known
        work.position[ply], work.orientation[ply] = position, orientation
        work.keeps[ply] = 1
    else:
        work.keeps[ply] = 0
    put_state(state, rows, ply)
    work.seat[ply], work.side[ply] = seat, side
    work.depth[ply], work.turn[ply], work.path_end[ply] = depth, turn, path_end
    end = options(state, work.buffer, base, kept)
    is_known = table_step >= 0 and bring_forward(work, base, end, table_step)
    work.first[ply] = work.next[ply] = base
    work.unrated[ply] = base + 1 if is_known else base
    work.end[ply] = end
    work.scouts[ply] = work.repeats[ply] = work.are_others[ply] = 0
    work.is_doubtful[ply] = work.leaves_steps_out
    work.alpha[ply] = work.first_alpha[ply] = alpha
    work.beta[ply] = work.first_beta[ply] = beta
    work.best[ply] = -INFINITY if side == 0 else INFINITY
    work.best_step[ply] = -1
    work.leaves_before[ply] = work.horizon_leaves
    return False, 0.0


@subroutine
def doubts(state: State, ply: int, work: Any, kept: Any) -> bool:
    """Whether *state*, at *ply*, seems lost, and steps that were left out are to be tried as well: see ``negamax``."""
    is_first, first, end = work.side[ply] == 0, int(work.first[ply]), int(work.end[ply])
    best, alpha = (work.best[ply], work.alpha[ply]) if is_first else (-work.best[ply], -work.beta[ply])
    work.is_doubtful[ply] = 0
    if best > -WIN_BOUND or are_all_answers(state, first, end, work, kept):
        return False
    if alpha >= -UNPROVEN:
        work.horizon_leaves += 1
        work.best[ply] = -UNPROVEN if is_first else UNPROVEN
        return False
    work.end[ply] = write_others(state, first, end, work, kept)
    work.unrated[ply], work.are_others[ply] = end, 1
    if is_first:
        work.beta[ply] = min(float(work.beta[ply]), -UNPROVEN)
    else:
        work.alpha[ply] = max(float(work.alpha[ply]), UNPROVEN)
    return True


@subroutine
def close_level(ply: int, work: Any, table: Any) -> float:
    """The score of the position at *ply*, whose steps have been looked at as far as need be."""
    side, depth, turn = int(work.side[ply]), int(work.depth[ply]), int(work.turn[ply])
    score = float(work.best[ply])
    if work.alpha[ply] >= work.beta[ply]:
        remember_cutoff(work, int(work.buffer[work.next[ply] - 1]), ply, side, depth)
    if work.keeps[ply] != 0:
        low, high, best = float(work.first_alpha[ply]), float(work.first_beta[ply]), score
        if side != 0:
            low, high, best = -high, -low, -best
        bound = LOWER if best >= high else (EXACT if best > low else UPPER)
        bound += RESOLVED if work.horizon_leaves == work.leaves_before[ply] else 0
        facts = pack(int(work.best_step[ply]), depth, bound, int(work.orientation[ply]), int(work.age))
        keep(table, int(work.position[ply]), facts, from_table(best, -turn))
    return score


@subroutine
def count_in(score: float, ply: int, work: Any) -> None:
    """Have the position at *ply* know what the step that was tried last leads to."""
    step = work.buffer[work.next[ply] - 1]
    if work.are_others[ply] != 0:
        score = min(score, -UNPROVEN) if work.side[ply] == 0 else max(score, UNPROVEN)
    if work.side[ply] == 0:
        if score > work.best[ply]:
            work.best[ply], work.best_step[ply] = score, step
            work.alpha[ply] = max(float(work.alpha[ply]), score)
    elif score < work.best[ply]:
        work.best[ply], work.best_step[ply] = score, step
        work.beta[ply] = min(float(work.beta[ply]), score)


@subroutine
def take(score: float, ply: int, work: Any) -> None:
    """Count the score of the step tried last in, or have it tried again where it has only been shown to be better."""
    is_better = work.alpha[ply] < score < work.beta[ply]
    if work.scouts[ply] != 0 and is_better:
        work.repeats[ply] = 1
    else:
        count_in(score, ply, work)


@subroutine
def next_try(state: State, ply: int, weights: Weights, work: Any, kept: Any) -> tuple[int, float, float]:
    """The step of *state*, which is at *ply*, to try there, and the window for it."""
    side, index = int(work.side[ply]), int(work.next[ply])
    alpha, beta = float(work.alpha[ply]), float(work.beta[ply])
    work.scouts[ply] = 0
    if work.repeats[ply] != 0:
        work.repeats[ply] = 0
        return int(work.buffer[index - 1]), alpha, beta
    step = next_step(state, work, index, int(work.unrated[ply]), int(work.end[ply]), ply, side, weights, kept)
    work.next[ply] = index + 1
    if index > work.first[ply] and beta - alpha > NULL_WINDOW:
        work.scouts[ply] = 1
        if side == 0:
            beta = alpha + NULL_WINDOW
        else:
            alpha = beta - NULL_WINDOW
    return step, alpha, beta


@subroutine
def score_after(
    after: State, depth: int, floor: float, ceiling: float, base: int, path_end: int, weights: Weights,
    work: Any, table: Any, rows: Any, kept: Any,
) -> float:  # fmt: skip
    """The score of *after*, to which a step of the root leads: exact if between *floor* and *ceiling*; any if stopped.

    :param depth: turns to look ahead, the root's included.
    """
    root_seat = int(work.root_seat)
    is_leaf, score, depth, turn, path_end = enter(after, root_seat, depth, 0, 0, base, path_end, weights, work, kept)
    if not is_leaf:
        is_leaf, score = open_level(after, 0, depth, turn, path_end, base, floor, ceiling, work, table, rows, kept)
    if is_leaf:
        return score
    ply = 0
    while work.stop == 0:
        end = int(work.end[ply])
        if (work.next[ply] == end and work.repeats[ply] == 0) or work.alpha[ply] >= work.beta[ply]:
            may_doubt = work.is_doubtful[ply] != 0 and work.alpha[ply] < work.beta[ply]
            if may_doubt and doubts(get_state(after, rows, ply), ply, work, kept):
                continue
            score = close_level(ply, work, table)
            if ply == 0:
                return score
            ply -= 1
            unnote(get_state(after, rows, ply), int(work.buffer[work.next[ply] - 1]), kept)
            take(score, ply, work)
            continue
        there = get_state(after, rows, ply)
        step, alpha, beta = next_try(there, ply, weights, work, kept)
        now = play(there, step)
        note(there, step, kept)
        is_leaf, score, depth, turn, path_end = enter(
            now, int(work.seat[ply]), int(work.depth[ply]), int(work.turn[ply]), ply + 1, end,
            int(work.path_end[ply]), weights, work, kept,
        )  # fmt: skip
        if is_leaf:
            unnote(there, step, kept)
            count_in(score, ply, work)
            continue
        is_known, score = open_level(now, ply + 1, depth, turn, path_end, end, alpha, beta, work, table, rows, kept)
        if is_known:
            unnote(there, step, kept)
            take(score, ply, work)
        else:
            ply += 1
    return score


@subroutine
def first_of_best(
    state: State, end: int, most_depth: int, prefers_wins: int, path_end: int, weights: Weights,
    work: Any, table: Any, rows: Any, kept: Any,
) -> tuple[int, float]:  # fmt: skip
    """The step of ``work.buffer[:end]`` that a search *most_depth* turns ahead finds best, and its score.

    Of equal ones it is the first, in the order that the searches to lesser depths leave: each brings forward what it
    found better than all before.

    :param path_end: where the path goes on, which has been begun with what came before, and with *state*.
    """
    work.root_seat, work.prefers_wins = mover(state), prefers_wins
    work.age = (work.age + 1) % AGES
    work.salt = mix(int(work.age) + 1) >> 1
    work.killers[:] = -1
    work.history[:] = 0
    gather(state, kept)
    steps, depth, is_doubtful = work.buffer, 1, work.leaves_steps_out != 0
    best = -INFINITY
    while depth <= most_depth:
        improved, others, base = end, 2 * end, 3 * end
        work.horizon_leaves = 0
        best, better, rest = -INFINITY, 0, 0
        for index in range(end):
            step = int(steps[index])
            after = play(state, step)
            ceiling = INFINITY if index == 0 else best + NULL_WINDOW
            note(state, step, kept)
            score = score_after(after, depth, best, ceiling, base, path_end, weights, work, table, rows, kept)
            if index > 0 and score > best:
                score = score_after(after, depth, best, INFINITY, base, path_end, weights, work, table, rows, kept)
            unnote(state, step, kept)
            if work.stop != 0:
                return int(steps[0]), best
            if score > best:
                best = score
                steps[improved + better] = step
                better += 1
            else:
                steps[others + rest] = step
                rest += 1
        for index in range(better):
            steps[index] = steps[improved + better - 1 - index]
        for index in range(rest):
            steps[better + index] = steps[others + index]
        if is_doubtful and best <= -UNPROVEN:
            is_doubtful, end = False, write_others(state, 0, end, work, kept)
            if end > improved:
                continue
        depth += 1
        if work.horizon_leaves == 0 or (prefers_wins != 0 and abs(best) >= WIN_BOUND):
            break
    return int(steps[0]), best


@subroutine
def searched_step(
    state: State, depth: int, prefers_wins: int, weights: Weights, history: Any, keys: Any, past: int,
    random: RandomState, work: Any, table: Any, rows: Any, kept: Any,
) -> int:  # fmt: skip
    """The step that alpha-beta finds best, *depth* turns ahead; between equal ones *random* decides.

    :param history: rows for the *past* states of the game, *state* as the last, where positions can repeat; *keys* are
        theirs.
    """
    steps = work.buffer
    end = candidates(state, steps, 0)
    if end == 1:
        return int(steps[0])
    for index in range(end - 1, 0, -1):
        other = below(random, index + 1)
        steps[index], steps[other] = steps[other], steps[index]
    path_end = 0
    if can_repeat(state):
        path_end = begin_path_of(state, history, keys, past, work)
    step, _ = first_of_best(state, end, depth, prefers_wins, path_end, weights, work, table, rows, kept)
    return step
