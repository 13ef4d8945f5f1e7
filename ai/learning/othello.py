"""Othello's games against itself: positions for its patterns to be fitted to."""

from __future__ import annotations

from typing import Any

from ai.evaluation import Weights, evaluate
from ai.evaluation.othello_patterns import FRONTIER, MOBILITY, PLACES, TO_MOVE, numbers, patterns, phase_of
from game.bits import popcount
from game.kernel import compiled
from game.kernels import is_over, moves, play
from game.othello import CELLS, State
from game.rng import RandomState, below

_WON = 1e5


@compiled
def play_itself(
    state: State, until: int, random_turns: int, noise: float, weights: Weights, random: RandomState, buffer: Any, game: Any
) -> int:
    """Play from *state* on, two turns ahead, until *until* cells are empty; returns how many positions *game* has got.

    :param random_turns: so many turns are played at random first.
    :param noise: what steps promise is blurred by up to so much.
    :param buffer: room for two lists of steps.
    :param game: an array of three columns: discs of the seat to move, the other's, and the seat, for each position.
    """
    count = 0
    while not is_over(state) and CELLS - popcount(state.mine | state.theirs) > until:
        end = moves(state, buffer, 0)
        step = int(buffer[below(random, end)])
        if count >= random_turns:
            best = -2 * _WON
            for index in range(end):
                after = play(state, int(buffer[index]))
                worst = _WON
                if is_over(after):
                    own, others = popcount(after.theirs), popcount(after.mine)
                    worst = _WON - 1 if own > others else (1 - _WON if own < others else 0.0)
                else:
                    last = moves(after, buffer, end)
                    for answer in range(end, last):
                        answered = play(after, int(buffer[answer]))
                        if is_over(answered):
                            own, others = popcount(answered.mine), popcount(answered.theirs)
                            value = _WON if own > others else (-_WON if own < others else 0.0)
                        else:
                            value = evaluate(answered, state.to_move, weights)
                        worst = min(worst, value)
                worst += noise * below(random, 1 << 16) / (1 << 16)
                if worst > best:
                    best = worst
                    step = int(buffer[index])
        game[count, 0] = state.mine
        game[count, 1] = state.theirs
        game[count, 2] = state.to_move
        count += 1
        state = play(state, step)
    if not is_over(state):
        game[count, 0] = state.mine
        game[count, 1] = state.theirs
        game[count, 2] = state.to_move
        count += 1
    return count


@compiled
def read_patterns(positions: Any, places: Any, measured: Any, phases: Any) -> None:
    """What ``patterns``, ``numbers`` and ``phase_of`` say of each position, written into one row each."""
    for row in range(len(positions)):
        mine, theirs = int(positions[row, 0]), int(positions[row, 1])
        column = 0
        for index in patterns(mine, theirs):
            places[row, column] = index
            column += 1
        mobility, frontier = numbers(mine, theirs)
        measured[row, 0] = mobility
        measured[row, 1] = frontier
        phases[row] = phase_of(mine, theirs)
