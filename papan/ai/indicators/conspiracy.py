"""The single conspiracy number: how hard a position makes it to reach a score of at least a threshold T.

Song and Iida, "Using Single Conspiracy Number for Long Term Position Evaluation" (2019), as in Primanita,
Khalid and Iida (2021), equations 5 to 8, with m the value of a node for one seat:

- a finished game: 0 if m >= T, else infinity;
- a leaf: 0 if m >= T, else 1;
- MAX, where the seat or its team is to act: the least number of the children;
- MIN, where another seat or chance is: the sum of the children's numbers.

The tree is full-width and two turns deep by default; chance takes no turn. A win is worth ``WIN``, a loss ``-WIN``, a
draw 0; in a game for one seat its evaluation counts to the end. With T = ``WIN`` it is the proof number, with T below
every value 0.

With growing depth (Primanita, Khalid and Iida, figure 3) the number may show a near threshold before the minimax value.

In a long game T is multiplied by 2**n at each milestone, in 2048 each new largest tile (equation 10). The first T is
``THRESHOLD`` of the game's evaluation.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

import numpy as np

from papan.ai.evaluation import CONSPIRACY, STANDARD, Weights, evaluate, evaluation_of, milestone
from papan.ai.limits import WIN, Limit
from papan.ai.search import Searcher
from papan.game.game import Game
from papan.game.kernel import compiled, subroutine
from papan.game.kernel.arrays import new_record, record_type
from papan.game.rules import CHANCE, State, allied, is_over, mover, moves, observe, payoff, play, seats

TURNS = 2
"""The default depth of the tree."""
MOST_TURNS = 6
DOUBLINGS = 1.0
"""n, which the paper leaves open: after a milestone everything is about twice as large."""
_STEPS_A_TURN = 32  # more than any turn takes: only memory for the buffer depends on it

WORKSPACE = record_type(("stop", np.int64), ("nodes", np.int64), ("seat", np.int64))


@subroutine
def final_value(state: State, seat: int, weights: Weights) -> float:
    """m of the finished game *state* for *seat*."""
    if seats(state) == 1:
        judged: float = evaluate(state, seat, weights)
        return judged
    won: float = payoff(state, seat)
    return WIN if won > 0.0 else -WIN if won < 0.0 else 0.0


@compiled
def conspiracy(
    state: State,
    player: int,
    depth: int,
    base: int,
    threshold: float,
    bound: float,
    weights: Weights,
    buffer: Any,
    work: Any,
) -> float:
    """The single conspiracy number of *state* for ``work.seat``; exact if it is below *bound*, else at least *bound*.

    :param player: the seat, or CHANCE, that took the step which led to *state*.
    :param depth: turns to look ahead, including *player*'s own, or the one that chance has followed.
    :param base: ``buffer[base:]`` is free.
    """
    work.nodes += 1
    own = int(work.seat)
    if is_over(state):
        return 0.0 if final_value(state, own, weights) >= threshold else np.inf
    seat = mover(state)
    if seat not in (player, CHANCE):
        depth -= 1
        if depth == 0:
            return 0.0 if evaluate(state, own, weights) >= threshold else 1.0
    end = moves(state, buffer, base)
    is_max = seat != CHANCE and allied(state, own, seat)
    number = bound if is_max else 0.0
    for index in range(base, end):
        after = play(state, int(buffer[index]))
        left = number if is_max else bound - number
        found = conspiracy(after, seat, depth, end, threshold, left, weights, buffer, work)
        if work.stop != 0:
            return 0.0
        if not is_max:
            number += found
            if number >= bound:
                break
        elif found < number:
            number = found
            if number == 0.0:
                break
    return number


class Conspiracy:
    """Single conspiracy numbers of one game. One thread at a time, except for ``stop``."""

    def __init__(self, game: Game, turns: int = TURNS, threshold: float | None = None) -> None:
        """:param turns: how deep the tree is.
        :param threshold: T before any milestone; default: the game's own.
        """
        evaluation = evaluation_of(game)
        self._turns = turns
        self.first_threshold = float(evaluation.THRESHOLD if threshold is None else threshold)
        """T before any milestone."""
        weights = evaluation.WEIGHTS
        self._weights = np.array(weights.get(CONSPIRACY, weights[STANDARD]), np.float64)
        self._buffer = np.empty(game.rules.MOST_STEPS * _STEPS_A_TURN * (2 * turns + 1), np.int64)
        self._work = new_record(WORKSPACE)

    def threshold(self, state: State) -> float:
        """T for *state*: the first one, and 2**n times as much for each milestone passed."""
        return float(self.first_threshold * 2.0 ** (DOUBLINGS * milestone(state)))

    def prepare(self, state: State) -> None:
        conspiracy.prepare(state, 0, 0, 0, 0.0, inf, self._weights, self._buffer, self._work)

    def number(
        self,
        state: State,
        seat: int,
        threshold: float | None = None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> float:
        """The single conspiracy number of *state*, at the start of a turn, for *seat*; infinity is ``math.inf``.

        The papers use the number of the side to move, for which the root is MAX; for other seats it is MIN.

        :param threshold: T for this position; default: by ``threshold``.
        :param is_cancelled: polled once at the start; later ``stop`` must be called.
        """
        work = self._work
        work.stop, work.nodes, work.seat = 0, 0, seat
        if is_cancelled():
            self.stop()
        wanted = self.threshold(state) if threshold is None else threshold
        # One turn more, as the turn that ends at the root belongs to no seat.
        player, depth = CHANCE - 1, self._turns + 1
        return float(conspiracy(state, player, depth, 0, float(wanted), inf, self._weights, self._buffer, work))

    def numbers(self, state: State, is_cancelled: Callable[[], bool] = lambda: False) -> tuple[float, ...]:
        return tuple(self.number(state, seat, None, is_cancelled) for seat in range(int(seats(state))))

    @property
    def nodes(self) -> int:
        """Positions visited for the last number."""
        return int(self._work.nodes)

    def stop(self) -> None:
        """End the running computation; its result is meaningless."""
        self._work.stop = 1


class AtDepth(NamedTuple):
    """The figures of a position by a tree of one depth, for each seat."""

    depth: int
    """In turns."""
    values: tuple[float, ...]
    """The minimax value in the evaluation's units; of several sides maxⁿ's, with chance expectimax's."""
    numbers: tuple[float, ...]
    """The single conspiracy number: with the seat to act as MAX for itself, as MIN for others."""


class Depths:
    """The figures of one position, depth by depth. One at a time; ``stop`` from another thread meanwhile."""

    def __init__(self, game: Game, search: Searcher, state: State, threshold: float | None = None) -> None:
        """:param search: finds the minimax value.
        :param state: not over, at the start of a turn.
        """
        self._game, self._search, self._state = game, search, state
        self._threshold = threshold
        self._conspiracy: Conspiracy | None = None
        self._is_stopped = False

    def stop(self) -> None:
        """End the current computation, and cancel all that would follow."""
        self._is_stopped = True
        self._search.stop()
        if self._conspiracy is not None:
            self._conspiracy.stop()

    def run(self, most: int, said: Callable[[AtDepth], None] = lambda found: None) -> list[AtDepth]:
        """The figures from depth 1 to *most*, or until stopped; *said* gets each."""
        found: list[AtDepth] = []
        self._search.prepare(self._state)
        for depth in range(1, most + 1):
            self._conspiracy = Conspiracy(self._game, depth, self._threshold)
            self._conspiracy.prepare(self._state)
            numbers = self._conspiracy.numbers(self._state, lambda: self._is_stopped)
            values = self._values(depth)
            if self._is_stopped:
                break
            found.append(AtDepth(depth, values, numbers))
            said(found[-1])
        return found

    def _values(self, depth: int) -> tuple[float, ...]:
        """Each seat's minimax value, as the seat to act sees the position."""
        state = self._state
        sight = observe(state, int(mover(state)))
        found = self._search.analyse(sight, Limit(depth=depth), is_cancelled=lambda: self._is_stopped)
        if found.promises:
            return found.promises
        own = found.seat
        return tuple(found.score if allied(state, seat, own) else -found.score for seat in range(int(seats(state))))
