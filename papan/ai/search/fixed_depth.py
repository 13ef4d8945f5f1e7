"""Alpha-beta to a fixed depth without a function that calls itself: for players in games that compiled code plays.

``negamax`` is a function that calls itself, which only Python can call. Here the path of the search is kept in arrays, so
that compiled code can ask for a step in the middle of a game. Scores, repetitions and leaves are those of ``negamax``,
and so is the step that is chosen: the same turn-by-turn deepening decides between steps of equal worth. What is left out
is the transposition table. It would know positions of other games, and then what is found could depend on them.

Scores are for the side of the seat at the root throughout: its seats choose the greatest, all others the least.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.ai.evaluation import Weights, candidates
from papan.ai.limits import WIN_BOUND
from papan.ai.search.deepening import INFINITY, STEPS_A_TURN
from papan.ai.search.negamax import BUFFER, PATH, begin_turn, ending_score
from papan.ai.search.ordering import MOST_PLIES, ORDERING_FIELDS, next_step, remember_cutoff
from papan.game.kernel import subroutine
from papan.game.kernel.rng import RandomState, below
from papan.game.kernel.rows import get_state, put_state
from papan.game.rules import Rules, State, allied, can_repeat, is_over, key, mover, play

_LEVELS = [
    (name, np.int64, (MOST_PLIES,))
    for name in (
        "seat",  # that is to act
        "side",  # 0 for the root's, 1 for the others'
        "depth",  # turns to look ahead, the one that the seat is in included
        "turn",  # turns from the root
        "path_end",
        "base",  # where its steps begin in the buffer
        "end",
        "next",  # the step to try next
    )
]

WORKSPACE = np.dtype(
    (
        np.record,
        [
            ("root_seat", np.int64),
            ("prefers_wins", np.int64),
            ("horizon_leaves", np.int64),
            ("buffer_limit", np.int64),  # where the buffer is too full for another turn
            ("path", np.int64, (PATH,)),  # keys of positions that came twice before, and of those on the path
            *_LEVELS,
            ("alpha", np.float64, (MOST_PLIES,)),
            ("beta", np.float64, (MOST_PLIES,)),
            ("best", np.float64, (MOST_PLIES,)),
            *ORDERING_FIELDS,
            ("buffer", np.int64, (BUFFER,)),
            ("order", np.int64, (BUFFER,)),
        ],
    )
)
"""All that a search writes to but the states of its path, which are rows of their own."""


def workspace(rules: Rules) -> Any:
    """A new workspace for searches of a game with these *rules*."""
    work = np.zeros(1, WORKSPACE).view(np.recarray)[0]
    work.buffer_limit = BUFFER - rules.MOST_STEPS * (STEPS_A_TURN + 1)
    return work


@subroutine
def enter(
    after: State, player: int, depth: int, turn: int, ply: int, base: int, path_end: int, weights: Weights, work: Any
) -> tuple[bool, float, int, int, int]:
    """Whether the search ends with *after*, its score if so; and else the depth to look, the turn and the path's end.

    :param player: who took the step that led to it.
    """
    if is_over(after):
        return True, ending_score(after, turn + 1, weights, work), depth, turn, path_end
    if mover(after) != player:
        side = 0 if allied(after, int(work.root_seat), player) else 1
        is_leaf, judged, depth = begin_turn(after, side, depth - 1, turn + 1, ply, base, path_end, weights, work)
        if is_leaf:
            return True, judged if side == 0 else -judged, depth, turn, path_end
        path_end += 1 if can_repeat(after) else 0
        turn += 1
    return False, 0.0, depth, turn, path_end


@subroutine
def open_level(
    state: State, ply: int, depth: int, turn: int, path_end: int, base: int, alpha: float, beta: float,
    work: Any, rows: Any,
) -> None:  # fmt: skip
    """Have the search look at *state*, *ply* steps behind the root's."""
    put_state(state, rows, ply)
    seat = mover(state)
    work.seat[ply] = seat
    work.side[ply] = 0 if allied(state, int(work.root_seat), seat) else 1
    work.depth[ply], work.turn[ply], work.path_end[ply] = depth, turn, path_end
    work.base[ply] = work.next[ply] = base
    work.end[ply] = candidates(state, work.buffer, base)
    work.alpha[ply], work.beta[ply] = alpha, beta
    work.best[ply] = -INFINITY if work.side[ply] == 0 else INFINITY


@subroutine
def count_in(score: float, ply: int, work: Any) -> None:
    """Have the position at *ply* know what one of its steps leads to."""
    if work.side[ply] == 0:
        work.best[ply] = max(float(work.best[ply]), score)
        work.alpha[ply] = max(float(work.alpha[ply]), score)
    else:
        work.best[ply] = min(float(work.best[ply]), score)
        work.beta[ply] = min(float(work.beta[ply]), score)


@subroutine
def score_after(
    after: State, depth: int, floor: float, base: int, path_end: int, weights: Weights, work: Any, rows: Any
) -> float:
    """The score of *after*, to which a step of the root leads: exact if greater than *floor*.

    :param depth: turns to look ahead, the root's included.
    """
    is_leaf, score, depth, turn, path_end = enter(
        after, int(work.root_seat), depth, 0, 0, base, path_end, weights, work
    )
    if is_leaf:
        return score
    open_level(after, 0, depth, turn, path_end, base, floor, INFINITY, work, rows)
    ply = 0
    while True:
        index, side = int(work.next[ply]), int(work.side[ply])
        is_refuted = work.alpha[ply] >= work.beta[ply]
        if is_refuted or index == work.end[ply]:
            if is_refuted:
                remember_cutoff(work, int(work.buffer[index - 1]), ply, side, int(work.depth[ply]))
            score = float(work.best[ply])
            ply -= 1
            if ply < 0:
                return score
            count_in(score, ply, work)
            continue
        end = int(work.end[ply])
        step = next_step(work, index, int(work.base[ply]), end, ply, side)
        work.next[ply] = index + 1
        now = play(get_state(after, rows, ply), step)
        is_leaf, score, depth, turn, path_end = enter(
            now, int(work.seat[ply]), int(work.depth[ply]), int(work.turn[ply]), ply + 1, end,
            int(work.path_end[ply]), weights, work,
        )  # fmt: skip
        if is_leaf:
            count_in(score, ply, work)
        else:
            open_level(
                now, ply + 1, depth, turn, path_end, end, float(work.alpha[ply]), float(work.beta[ply]), work, rows
            )
            ply += 1


@subroutine
def first_of_best(
    state: State, end: int, most_depth: int, prefers_wins: int, path_end: int, weights: Weights, work: Any, rows: Any
) -> tuple[int, float]:
    """The step of ``work.buffer[:end]`` that a search *most_depth* turns ahead finds best, and its score.

    Of equal ones it is the first, in the order that the searches to lesser depths leave: each brings forward what it
    found better than all before.

    :param path_end: ``work.path[:path_end]`` holds the keys that must not come again, that of *state* among them.
    """
    work.root_seat, work.prefers_wins = mover(state), prefers_wins
    work.killers[:] = -1
    work.history[:] = 0
    steps, improved, others = work.buffer, end, 2 * end
    base = 3 * end
    best = -INFINITY
    for depth in range(1, most_depth + 1):
        work.horizon_leaves = 0
        best, better, rest = -INFINITY, 0, 0
        for index in range(end):
            step = int(steps[index])
            score = score_after(play(state, step), depth, best, base, path_end, weights, work, rows)
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
        if work.horizon_leaves == 0 or (prefers_wins != 0 and abs(best) >= WIN_BOUND):
            break
    return int(steps[0]), best


@subroutine
def searched_step(
    state: State, depth: int, prefers_wins: int, weights: Weights, keys: Any, past: int, random: RandomState,
    work: Any, rows: Any,
) -> int:  # fmt: skip
    """The step that alpha-beta finds best, *depth* turns ahead; between equal ones *random* decides.

    :param keys: ``keys[:past]`` are those of the game's positions up to *state*, where positions can repeat.
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
        path_end = write_positions_twice_there(keys, past, work)
        work.path[path_end] = key(state)
        path_end += 1
    step, _ = first_of_best(state, end, depth, prefers_wins, path_end, weights, work, rows)
    return step


@subroutine
def write_positions_twice_there(keys: Any, past: int, work: Any) -> int:
    """Write those of ``keys[:past]`` that are there at least twice, once each, to the path; returns how many."""
    found = 0
    for index in range(past):
        earlier = 0
        for other in range(index):
            earlier += 1 if keys[other] == keys[index] else 0
        if earlier == 1 and found < PATH // 2:
            work.path[found] = keys[index]
            found += 1
    return found
