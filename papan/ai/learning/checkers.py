"""Checkers' games of a player against itself, as positions with what a search and the end of the game made of them."""

from __future__ import annotations

from typing import Any

from papan.ai.evaluation import NOT_LISTED, Weights, turns_to_end
from papan.ai.search.fixed_depth import first_of_best
from papan.game.kernel import compiled
from papan.game.kernel.rng import RandomState, below
from papan.game.rules import is_over, key, moves, payoff, play
from papan.game.rules.checkers.board import State, must_capture

MOST_QUIET = 30
"""A game with so many turns without a capture or a man's move is left off as a draw."""


@compiled
def play_and_judge(
    state: State,
    random_turns: int,
    depth: int,
    weights: Weights,
    endings: Any,
    random: RandomState,
    work: Any,
    table: Any,
    rows: Any,
    positions: Any,
    scores: Any,
) -> tuple[int, float]:
    """Play from *state* on, and write down the positions in which nothing is to be captured.

    The tables of endings end the game as soon as they have a position.

    :param random_turns: so many turns are played at random first.
    :param work: with *table* and *rows* a ``Workspace`` of ``fixed_depth``.
    :param positions: a row each: the pieces of Black and of White, the kings, and who is to move.
    :param scores: what a search *depth* turns ahead makes of each, for the seat to move.
    :returns: how many were written, and what the first seat gets in the end.
    """
    count, turns = 0, 0
    while not is_over(state) and count < len(positions) and state.quiet < MOST_QUIET:
        end = moves(state, work.buffer, 0)
        step = int(work.buffer[below(random, end)])
        if turns >= random_turns:
            if state.jumper == 0:
                known = turns_to_end(state, endings)
                if known != NOT_LISTED:
                    won = 0.0 if known == 0 else (1.0 if (known > 0) == (state.to_move == 0) else -1.0)
                    return count, won
            for index in range(end - 1, 0, -1):
                other = below(random, index + 1)
                work.buffer[index], work.buffer[other] = work.buffer[other], work.buffer[index]
            work.path[0] = key(state)
            step, score = first_of_best(state, end, depth, 1, 1, weights, work, table, rows)
            if state.jumper == 0 and not must_capture(state):
                positions[count, 0], positions[count, 1] = state.black, state.white
                positions[count, 2], positions[count, 3] = state.kings, state.to_move
                scores[count] = score
                count += 1
        seat = state.to_move
        state = play(state, step)
        turns += 1 if state.to_move != seat else 0
    result = 0.0
    if is_over(state):
        result = payoff(state, 0)
    return count, result
