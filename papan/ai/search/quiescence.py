"""Quiescence search: a position is judged only once the captures in it are done.

Shannon, "Programming a Computer for Playing Chess" (1950); Harris, "The Heuristic Search and the Game of Chess" (1975).
The seat to act may *stand pat*, at the evaluation's score, or capture; captures that lose material by exchange are left
out, and so are those too small to matter. In a position that is not quiet, such as check, every step is tried and
nobody stands pat; a position that came twice in the match before ends the line here too.
"""

from __future__ import annotations

from typing import Any

from papan.ai.evaluation import Weights, forcing, is_quiet, standing
from papan.ai.limits import WIN, WIN_BOUND
from papan.ai.search.ordering import EVERYTHING, EXCHANGE_UNITS, bring_best_forward, rate_exchanges
from papan.ai.search.pace import look_at_limits
from papan.ai.search.repetition import comes_back
from papan.game.kernel import compiled, subroutine
from papan.game.rules import State, allied, is_over, mover, moves, payoff, play


@subroutine
def won_or_lost(state: State, turn: int, work: Any) -> float:
    """The score for the root's side of the finished game *state*, *turn* turns from the root."""
    won: float = payoff(state, int(work.root_seat))
    if won > 0.0:
        return WIN - turn
    return turn - WIN if won < 0.0 else 0.0


@subroutine
def side_of(state: State, seat: int, work: Any) -> int:
    """0 for the side of the seat at the root, 1 for the others."""
    return 0 if allied(state, int(work.root_seat), seat) else 1


@compiled
def quiescence_search(
    state: State, alpha: float, beta: float, turn: int, ply: int, base: int, path_end: int, weights: Weights, work: Any
) -> float:
    """The score of *state*, at the start of a turn, for the side that is to act, once captures are done.

    It is exact if it lies between *alpha* and *beta*, and a bound otherwise.

    :param turn: turns from the root.
    :param ply: steps from the root's.
    :param base: ``work.buffer[base:]`` is free.
    :param path_end: ``work.path[path_end:]`` is free.
    """
    side = side_of(state, mover(state), work)
    work.horizon_leaves += 1
    stands = is_quiet(state)
    best, judged = -2.0 * WIN, 0.0
    if stands or base > work.buffer_limit or ply >= work.last_ply:
        judged = standing(state, int(work.root_seat), weights)
        best = judged if side == 0 else -judged
        judged = best
        if best >= beta or base > work.buffer_limit or ply >= work.last_ply:
            return best
    floor = max(alpha, best)
    end = forcing(state, work.buffer, base) if stands else moves(state, work.buffer, base)
    rate_exchanges(state, work, base, end, weights, floor - judged - work.margin if stands else EVERYTHING)
    for index in range(base, end):
        bring_best_forward(work, index, end)
        worth = work.order[index] / EXCHANGE_UNITS
        if stands and (worth < 0.0 or judged + worth + work.margin <= floor):
            break
        after = play(state, int(work.buffer[index]))
        is_again, paid = False, 0.0
        if not stands and work.has_come_twice != 0:  # captures lead to nothing that was there
            is_again, paid = comes_back(after, int(work.path_start), path_end, work)
        work.nodes += 1
        if work.nodes >= work.look_at:
            look_at_limits(work)
        if is_over(after):
            score = won_or_lost(after, turn + 1, work)
            score = score if side == 0 else -score
        elif is_again:
            score = paid
        elif side_of(after, mover(after), work) == side:
            score = quiescence_search(after, floor, beta, turn + 1, ply + 1, end, path_end + 1, weights, work)
        else:
            score = -quiescence_search(after, -beta, -floor, turn + 1, ply + 1, end, path_end + 1, weights, work)
        if work.stop != 0:
            return 0.0
        if score > best:
            best = score
            floor = max(floor, best)
            if best >= beta:
                break
    # What was left out may be better than all that was looked at, where that loses.
    return best if best > -WIN_BOUND or not stands else judged
