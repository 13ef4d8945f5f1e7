"""Alpha-beta for every game without chance: negamax, iterative deepening, a transposition table, move ordering.

Knuth and Moore, "An Analysis of Alpha-Beta Pruning" (1975), with the sign flipped only where the side to
move changes, because a turn may take several steps. A leaf is judged for the seat at the root throughout,
so that evaluations need not be antisymmetric. Depth counts turns; a node is one ``play``.

There are two sides: the seat at the root, with its team, and all others. With three or four seats this is
the *paranoid* reduction (Sturtevant and Korf, "On Pruning Techniques for Multi-Player Games", 2000): the
others are taken to have nothing in mind but to harm the seat at the root.

Where a game names the steps worth a look (``candidates``), only these are searched, and nothing is proven: a
forced win is one against the answers looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ai.evaluation import Weights, candidates, evaluate, is_quiet
from ai.limits import WIN, WIN_BOUND, Limit
from ai.search.deepening import INFINITY, LIVE_FIELDS, STEPS_A_TURN, Deepening
from game.kernel import compiled, subroutine
from game.kernels import State, allied, can_repeat, is_over, key, mover, payoff, play, repetition_payoff
from game.rules import Rules, legal_steps

MOST_DEPTH = 128  # turns

_BUFFER = 1 << 15  # steps waiting on the path of one search
_HISTORY = 1 << 12  # step codes, folded
_PATH = 1 << 10

REPETITION_SCORE = WIN / 10.0
"""For a repetition that decides the game: more than any evaluation, and never taken for a proof."""

EXACT, LOWER, UPPER = 1, 2, 3
RESOLVED = 4

WORKSPACE = np.dtype(
    (
        np.record,
        [
            *LIVE_FIELDS,
            ("prefers_wins", np.int64),
            ("buffer_limit", np.int64),  # where the buffer is too full for another turn
            ("age", np.int64),  # the search's number: older entries of the table are replaced first
            ("uses_older", np.int64),  # whether it may use them: not where "depth 2" is to mean just that
            ("path_start", np.int64),  # path[:path_start] came twice before: once more is a draw
            ("path", np.int64, (_PATH,)),
            ("killers", np.int64, (MOST_DEPTH, 2)),
            ("history", np.int64, (2, _HISTORY)),
            ("buffer", np.int64, (_BUFFER,)),
            ("order", np.int64, (_BUFFER,)),
        ],
    )
)
"""All that one search writes to, as one record: it passes through compiled calls as a single pointer."""

ENTRY = np.dtype(
    [
        ("key", np.int64),
        ("score", np.float64),
        ("step", np.int32),
        ("depth", np.int8),
        ("bound", np.int8),  # EXACT, LOWER or UPPER, plus RESOLVED where no evaluation had a part in it
        ("age", np.int16),
    ]
)
TABLE_BITS = 20
"""The table holds 2**20 positions, 24 MiB, unless asked otherwise."""


@subroutine
def slot(position: int, size: int) -> int:
    """Where the table of *size* (a power of two) keeps the position with that key."""
    mixed = position ^ (position >> 29)
    mixed = mixed * 0x2545F4914F6CDD1D
    return (mixed >> 32 ^ mixed) & (size - 1)


@subroutine
def comes_again(position: int, work: Any, path_end: int) -> bool:
    """Whether the position stands on the search's path, or came twice before the search began."""
    for index in range(path_end):
        if work.path[index] == position:
            return True
    return False


@subroutine
def order_steps(work: Any, base: int, end: int, turn: int, side: int, table_step: int) -> None:
    """Rate the steps ``buffer[base:end]``: the table's first, then killers, then by their history."""
    buffer, order, history = work.buffer, work.order, work.history
    first_killer, second_killer = work.killers[turn, 0], work.killers[turn, 1]
    for index in range(base, end):
        step = buffer[index]
        if step == table_step:
            order[index] = 1 << 60
        elif step == first_killer:
            order[index] = 1 << 59
        elif step == second_killer:
            order[index] = 1 << 58
        else:
            order[index] = history[side, step & (_HISTORY - 1)]


@subroutine
def bring_best_forward(work: Any, index: int, end: int) -> int:
    """Swap the best rated of the steps from *index* on to the front, and return it."""
    buffer, order = work.buffer, work.order
    best = index
    for other in range(index + 1, end):
        if order[other] > order[best]:
            best = other
    step = buffer[best]
    if best != index:
        buffer[best] = buffer[index]
        buffer[index] = step
        order[best] = order[index]
    return int(step)


@subroutine
def remember_cutoff(work: Any, step: int, turn: int, side: int, depth: int) -> None:
    """A step that refuted its position is tried early elsewhere."""
    if work.killers[turn, 0] != step:
        work.killers[turn, 1] = work.killers[turn, 0]
        work.killers[turn, 0] = step
    work.history[side, step & (_HISTORY - 1)] += depth * depth


@subroutine
def ending_score(state: State, turn: int, weights: Weights, work: Any) -> float:
    """The score for the root's side of the finished game *state*, *turn* turns from the root."""
    if work.prefers_wins == 0:
        judged: float = evaluate(state, int(work.root_seat), weights)
        return judged
    won: float = payoff(state, int(work.root_seat))
    if won > 0.0:
        return WIN - turn
    return turn - WIN if won < 0.0 else 0.0


@subroutine
def from_table(score: float, turn: int) -> float:
    """A score as kept, counted from its own position, counted from the root instead."""
    if score >= WIN_BOUND:
        return score - turn
    return score + turn if score <= -WIN_BOUND else score


@subroutine
def decides(entry: Any, turn: int, alpha: float, beta: float) -> bool:
    """Whether what the table has kept settles a score between *alpha* and *beta*, *turn* turns from the root."""
    known = from_table(entry.score, turn)
    bound = entry.bound & 3
    return bool(bound == EXACT or (bound == LOWER and known >= beta) or (bound == UPPER and known <= alpha))


@subroutine
def keep(entry: Any, position: int, score: float, step: int, depth: int, bound: int, age: int) -> None:
    """Write an entry of the table."""
    entry.key = position
    entry.score = score
    entry.step = step
    entry.depth = depth
    entry.bound = bound
    entry.age = age


@compiled
def negamax(
    state: State,
    player: int,
    depth: int,
    alpha: float,
    beta: float,
    turn: int,
    base: int,
    path_end: int,
    weights: Weights,
    table: Any,
    work: Any,
) -> float:
    """The score of *state* for the side of *player*, who just took the step that led to it.

    It is exact if it lies between *alpha* and *beta*, and a bound otherwise.

    :param depth: turns to look ahead, the one that *player* is in included; at least 1.
    :param turn: turns from the root.
    :param base: ``work.buffer[base:]`` is free.
    :param path_end: ``work.path[:path_end]`` holds the keys that must not come again.
    """
    work.nodes += 1
    if work.nodes >= work.node_limit:
        work.stop = 1
    side = 0 if allied(state, int(work.root_seat), player) else 1
    if is_over(state):
        won = ending_score(state, turn + 1, weights, work)
        return won if side == 0 else -won
    seat = mover(state)
    position = key(state)
    sign = 1.0
    if seat != player:
        if can_repeat(state):
            if comes_again(position, work, path_end):
                return REPETITION_SCORE * repetition_payoff(state)
            work.path[path_end] = position
            path_end += 1
        depth -= 1
        turn += 1
        if depth == 0 and not is_quiet(state):
            depth = 1
        if depth == 0 or turn == MOST_DEPTH or base > work.buffer_limit:
            work.horizon_leaves += 1
            judged: float = evaluate(state, int(work.root_seat), weights)
            return judged if side == 0 else -judged
        next_side = 0 if allied(state, int(work.root_seat), seat) else 1
        if next_side != side:
            side = next_side
            sign = -1.0
            alpha, beta = -beta, -alpha
    entry = table[slot(position, len(table))]
    is_known = entry.key == position and entry.bound != 0 and (entry.age == work.age or work.uses_older != 0)
    if is_known and entry.depth >= depth and decides(entry, turn, alpha, beta):
        if entry.bound < RESOLVED:
            work.horizon_leaves += 1
        return sign * from_table(entry.score, turn)
    leaves_before = work.horizon_leaves
    end = candidates(state, work.buffer, base)
    order_steps(work, base, end, turn, side, int(entry.step) if is_known else -1)
    best, best_step, floor = -INFINITY, -1, alpha
    for index in range(base, end):
        step = bring_best_forward(work, index, end)
        score = negamax(play(state, step), seat, depth, floor, beta, turn, end, path_end, weights, table, work)
        if work.stop != 0:
            return 0.0
        if score > best:
            best, best_step = score, step
            if best > floor:
                floor = best
            if best >= beta:
                remember_cutoff(work, step, turn, side, depth)
                break
    if entry.key == position or entry.age != work.age or entry.depth <= depth:
        bound = LOWER if best >= beta else (EXACT if best > alpha else UPPER)
        if work.horizon_leaves == leaves_before:
            bound += RESOLVED
        keep(entry, position, from_table(best, -turn), best_step, depth, bound, int(work.age))
    return sign * best


class AlphaBeta(Deepening):
    """Alpha-beta for one game. It owns the transposition table, which a player keeps from move to move."""

    most_depth = MOST_DEPTH - 1

    def __init__(
        self, rules: Rules, weights: Sequence[float], prefers_wins: bool = True, table_bits: int = TABLE_BITS
    ) -> None:
        """:param table_bits: the table holds two to this power positions, of 24 bytes each."""
        super().__init__(rules, weights, WORKSPACE)
        self._table = np.zeros(1 << table_bits, ENTRY).view(np.recarray)
        self._work.prefers_wins = int(prefers_wins)
        self._work.buffer_limit = _BUFFER - rules.MOST_STEPS * STEPS_A_TURN

    def prepare(self, state: State) -> None:
        negamax.prepare(state, 0, 1, 0.0, 0.0, 0, 0, 0, self._weights, self._table, self._work)

    def _begin(self, state: State, limit: Limit, came_twice: Sequence[int]) -> None:
        work = self._work
        seat = int(mover(state))
        if seat != work.root_seat:
            self._table.bound[:] = 0  # scores are for the seat at the root
        work.root_seat = seat
        work.age = (int(work.age) + 1) % 30_000
        work.uses_older = int(limit.depth is None)
        work.killers[:] = -1
        work.history[:] //= 8
        draws = [*came_twice, int(key(state))][-_PATH + MOST_DEPTH :]
        work.path[: len(draws)] = draws
        work.path_start = len(draws)

    def _steps(self, state: State) -> list[int]:
        buffer = np.empty(self._rules.MOST_STEPS, np.int64)
        return [int(step) for step in buffer[: candidates(state, buffer, 0)]]

    def _deepen(self, state: State, steps: list[int], most_depth: int) -> bool:
        leaves_none_out = candidates.implementation(type(state)).function is candidates.default
        return super()._deepen(state, steps, most_depth) and leaves_none_out

    def _search(self, after: State, depth: int, best: float) -> float:
        work = self._work
        return float(
            negamax(
                after, int(work.root_seat), depth, best, INFINITY, 0, 0, int(work.path_start),
                self._weights, self._table, work,
            )
        )  # fmt: skip

    def _is_decided(self, score: float) -> bool:
        return bool(self._work.prefers_wins) and abs(score) >= WIN_BOUND

    def _is_exact(self) -> bool:
        return bool(self._work.prefers_wins) and self._work.horizon_leaves == 0

    def _principal_variation(self, state: State, step: int) -> tuple[int, ...]:
        """*step* and what the table expects after it, as far as it remembers."""
        variation: list[int] = []
        while len(variation) < MOST_DEPTH:
            variation.append(step)
            state = play(state, step)
            if is_over(state):
                break
            position = int(key(state))
            entry = self._table[slot(position, len(self._table))]
            step = int(entry.step)
            if (
                entry.bound == 0
                or entry.age != self._work.age
                or entry.key != position
                or step not in legal_steps(state, self._rules.MOST_STEPS)
            ):
                break
        return tuple(variation)
