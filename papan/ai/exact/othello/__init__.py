"""Othello's end game, solved: the final difference in discs, for any move or for all of them.

See ``search`` for how. Scores are in discs, empty cells going to the winner; ``shared_score`` puts them on the scale of
all searches, where a win by more discs is better.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

from papan.ai.evaluation.othello import bundled_weights, plain_weights
from papan.ai.exact import MIB, ExactSearcher, Interrupted, Measure, analysis_by, set_limit, shuffled_steps
from papan.ai.exact.othello.search import ENTRY, WORKSPACE, find, promise, solve
from papan.ai.limits import WIN, Analysis, Line
from papan.ai.search import Query
from papan.game.base.large_arrays import large_array
from papan.game.base.sentences import figures, say
from papan.game.kernel.arrays import new_record
from papan.game.kernel.bits import popcount
from papan.game.kernel.clock import clock_seconds
from papan.game.rules import State as AnyState
from papan.game.rules import is_over, legal_steps, mover, play
from papan.game.rules.othello import CELLS, MOST_STEPS, PASS, State

IS_SOLVED = False
MEMORY = 16
"""MiB of the table, by default."""

MOST_EMPTY = 18
"""With this many empty cells a position is solved within about two seconds; most are in a fifth of one."""

_MARGIN_SHARE = 256.0
"""A disc counts this part of a turn, so that the largest margin is less than half of one."""


def can_solve(state: AnyState) -> bool:
    return empty_cells(state) <= MOST_EMPTY


def empty_cells(state: AnyState) -> int:
    return CELLS - popcount(state.mine | state.theirs)


def shared_score(discs: int, empty: int) -> float:
    """The score, on the scale of all searches, of a result *discs* ahead with *empty* cells left to fill.

    All wins count as that many turns away; more discs count slightly more.

    >>> shared_score(20, 12) > shared_score(2, 12) > shared_score(0, 12) > shared_score(-64, 12)
    True
    """
    if discs == 0:
        return 0.0
    result = WIN - empty if discs > 0 else empty - WIN
    return result + discs / _MARGIN_SHARE


def margin(score: float) -> int:
    """The discs ahead by a proven *score* of this solver.

    >>> margin(shared_score(-6, 9)), margin(shared_score(64, 18)), margin(0.0)
    (-6, 64, 0)
    """
    return round(math.modf(score)[0] * _MARGIN_SHARE)


def measure(state: AnyState, score: float) -> Measure:
    """The measure of a proven *score* in discs, empty cells going to the winner; the time to the end does not count."""
    discs = margin(score)
    return Measure(discs, say("{number} discs", number=figures(discs, "+d") if discs else "0"), None)


class Exact(ExactSearcher):
    """Solves end games. Its table stays true for all positions, and is kept from one to the next."""

    def __init__(self, memory: int | None = None) -> None:
        """:param memory: MiB of the table, rounded down to a power of two; default: ``MEMORY``."""
        entries = max(memory or MEMORY, 1) * MIB // ENTRY.itemsize
        self._table = large_array(1 << (entries.bit_length() - 1), ENTRY)
        self._work = new_record(WORKSPACE)
        learned = bundled_weights()
        self._weights = plain_weights() if learned is None else learned
        self._live: Analysis | None = None
        self._is_prepared = False

    def forget(self) -> None:
        """Empty the table, so that a measurement starts afresh."""
        self._table["empty"] = 0

    def prepare(self, state: AnyState) -> None:
        if not self._is_prepared:  # takes milliseconds to compute
            solve.prepare(state, 0, 0, self._table, self._weights, self._work)
            self._is_prepared = True

    def live(self) -> Analysis | None:
        """The best of the steps that are settled; None before the first is."""
        return self._live

    def answer(self, query: Query) -> Analysis:
        """As any ``Searcher``: the step with the most discs ahead. A limit of depth is ignored.

        It first finds out who wins, then by how much. Where a limit ends it, the analysis is not proven: it names the
        best settled step, or one that is known to win, with the score of the least win.
        """
        position, lines = cast(State, query.state), query.lines
        self.prepare(position)
        started = clock_seconds()
        steps = shuffled_steps(query, MOST_STEPS)
        afters = {step: play(position, step) for step in steps}
        steps.sort(key=lambda step: promise(afters[step].mine, afters[step].theirs), reverse=True)
        empty = empty_cells(position)
        self._work.root_empty = empty
        self._live = None
        settled: dict[int, int] = {}
        variations: dict[int, tuple[int, ...]] = {}
        is_proven = False
        winning: int | None = None
        set_limit(self._work, query)
        try:
            if lines == 1:
                winning = self._winning(position, steps)
                steps.sort(key=lambda step: step != winning)
            self._settle(position, steps, lines, settled)
            is_proven = True
            for step in _best(settled, lines):
                variations[step] = (step, *self._variation(play(position, step), -settled[step]))
        except Interrupted:
            pass
        told = [
            Line(step, shared_score(settled[step], empty), variations.get(step, (step,)), is_proven=True)
            for step in _best(settled, lines)
        ]
        told += [
            Line(step, shared_score(1, empty) if step == winning else 0.0, (step,))
            for step in steps
            if step not in settled and not is_proven
        ]
        return analysis_by(told, query, started, self.nodes, empty, is_proven)

    def _winning(self, state: State, steps: Sequence[int]) -> int | None:
        """The first of *steps* that wins, or None if none does; raises Interrupted."""
        for step in steps:
            if self._ask(play(state, step), 0, 1) > 0:
                score = shared_score(1, empty_cells(state))
                self._live = Analysis(step, score, int(mover(state)), nodes=self.nodes, principal_variation=(step,))
                return step
        return None

    def _settle(self, state: State, steps: Sequence[int], lines: int, settled: dict[int, int]) -> None:
        """Find the exact scores of the best *lines* of *steps*, or of all for 0.

        :param settled: receives the score of each step, in discs, once it is known.
        :raises Interrupted: before all are.
        """
        for step in steps:
            after = play(state, step)
            floor = -CELLS
            if lines and len(settled) >= lines:
                floor = sorted(settled.values(), reverse=True)[lines - 1]
                if floor == CELLS or self._ask(after, floor, floor + 1) <= floor:
                    continue
            settled[step] = self._ask(after, floor, CELLS)
            best = max(settled, key=lambda known: settled[known])
            score = shared_score(settled[best], empty_cells(state))
            self._live = Analysis(best, score, int(mover(state)), nodes=self.nodes, principal_variation=(best,))

    def _ask(self, after: State, alpha: int, beta: int) -> int:
        """The score of *after* for the seat that has just moved; exact if between *alpha* and *beta*.

        :raises Interrupted: it has not been found.
        """
        score = -int(solve(after, -beta, -alpha, self._table, self._weights, self._work))
        if self._work.stop:
            raise Interrupted
        return score

    def _variation(self, state: State, score: int) -> list[int]:
        """Both sides' best play from *state*, of that exact *score*, to the end of the game; raises Interrupted."""
        steps: list[int] = []
        while not is_over(state):
            step = self._step_worth(state, score)
            steps.append(step)
            state, score = play(state, step), -score
        return steps

    def _step_worth(self, state: State, score: int) -> int:
        steps = legal_steps(state, MOST_STEPS)
        known = int(find(state.mine, state.theirs, self._table))
        first = int(self._table[known].step) if known >= 0 else PASS
        steps.sort(key=lambda step: step != first)
        for step in steps[:-1]:
            if self._ask(play(state, step), score - 1, score) >= score:
                return step
        return steps[-1]


def _best(settled: dict[int, int], lines: int) -> list[int]:
    """The best *lines* steps, or all for 0, best first."""
    return sorted(settled, key=lambda step: settled[step], reverse=True)[: lines or None]
