"""Alpha-beta for every game without chance: ``negamax``, ever deeper, on one thread or several.

Threads share one transposition table (``parallel``): the others skip positions that one has searched, or is searching.
The first thread gives the answer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation import (
    NO_ENDINGS,
    UNKNOWN_SELECTIVITY,
    Selectivity,
    WeightValues,
    essential,
    forcing,
    leaves_steps_out,
)
from papan.ai.evaluation.accumulator import accumulator as new_accumulator
from papan.ai.evaluation.accumulator import has_accumulator, pressing, regather
from papan.ai.limits import UNPROVEN, WIN, WIN_BOUND, Limit, Line
from papan.ai.search.deepening import INFINITY, STEPS_A_TURN, Deepening
from papan.ai.search.negamax import BUFFER, LAST_PLY, MOST_DEPTH, NULL_WINDOW, WORKSPACE, root_score, write_candidates
from papan.ai.search.parallel import MARKS, WORTH_SHARING, Team
from papan.ai.search.pruning import ALL_RULES, FORCED_WINS, QUIESCENCE, REDUCTIONS, SINGLE_REPLY, TURNS_LESS
from papan.ai.search.repetition import CameTwice, begin_path
from papan.ai.search.table import AGES, TABLE_BITS, new_table
from papan.ai.search.threat_space import LEAF_TURNS, ROOT_SHARE, root_defences, shortest_forced_win
from papan.game.base.large_arrays import touch
from papan.game.kernel import is_plain
from papan.game.kernel.arrays import array_of, new_record
from papan.game.kernel.clock import NEVER
from papan.game.kernel.rng import mix
from papan.game.rules import NO_COUNTER, Rules, State, canonical_key, mover, steps_to_draw

COST_OF_LOOKING_UP = 0.9
"""The cost of looking a position up and storing it, in nodes."""
_ROUND = 4  # turns until the two sides can transpose moves
_SAMPLE = 1000  # positions before a verdict

_FIRST_ASPIRED = 4  # depths before the next one's score is predicted

IMAGES_DEPTH = 3
"""A search to this depth that has met no mirror images stops looking for them, as the root is not symmetric.

They pay there alone. Nodes and processor time with them, as shares of those without: from connect-four's start, 16
turns ahead, 0.58 and 0.83; othello's, 10 turns ahead, 0.46 and 0.48; xiangqi's, 6 turns ahead, 0.65 and 0.7. From a
turn or more later on they would cost up to a tenth.
"""

_MASK64 = (1 << 64) - 1
_TURNS_LESS: list[list[int]] = TURNS_LESS.tolist()
"""For Python, which reads lists faster than arrays."""


@dataclass
class _Thread:
    """Everything that one thread of a search writes besides the table."""

    work: Any
    accumulator: NDArray[Any] | None = None
    """The game's accumulator, as an array of one, once a search has started."""

    def __post_init__(self) -> None:
        self.works = array_of(self.work)


class AlphaBeta(Deepening):
    """Alpha-beta for one game. It owns the transposition table, which a player keeps from move to move."""

    most_depth = MOST_DEPTH - 1

    def __init__(
        self,
        rules: Rules,
        weights: WeightValues,
        prefers_wins: bool = True,
        table_bits: int = TABLE_BITS,
        threads: int = 1,
        pruning: int = ALL_RULES,
        selectivity: Selectivity = UNKNOWN_SELECTIVITY,
        endings: Callable[[], NDArray[np.uint8]] = lambda: NO_ENDINGS,
    ) -> None:
        """:param table_bits: the table holds two to this power positions, of 24 bytes each.
        :param threads: with more than one, results depend on timing, except for the score at a fixed depth.
        :param pruning: the rules of ``pruning`` for searches without a fixed depth, as bits.
        """
        super().__init__(rules, weights, WORKSPACE)
        self._table = new_table(table_bits)
        self._first = _Thread(self._work)
        self._helpers = [_Thread(new_record(WORKSPACE)) for _ in range(threads - 1)]
        self._threads = (self._first, *self._helpers)
        self._marks = np.zeros(1, MARKS)
        self._team = Team((), -INFINITY)
        self._nodes_before = 0
        self._is_touched = False
        self._is_stopped = False
        self.prefers_wins = prefers_wins
        self._pruning = pruning if prefers_wins else 0
        self._grows = selectivity.grows
        self._read_endings, self._endings = endings, NO_ENDINGS
        for thread in self._threads:
            work = thread.work
            work.prefers_wins = int(prefers_wins)
            work.buffer_limit = BUFFER - rules.MOST_STEPS * STEPS_A_TURN
            work.last_ply, work.margin = LAST_PLY, selectivity.margin
            work.probcut, work.singular = selectivity.probe, selectivity.singular
        self._line, self._line_length = self._work.line, self._work.line_length
        self._path_start = 0
        self._tried = 0  # steps of the root at this depth
        self._scores: list[float] = []  # of the best step at each depth so far
        self._reduces = False  # whether late steps of the root are reduced

    @property
    def weights(self) -> NDArray[np.float64]:
        return self._weights

    @property
    def nodes_by_thread(self) -> tuple[int, ...]:
        """The nodes of each thread in the last search, the first thread's first."""
        return tuple(int(thread.work.nodes) for thread in self._threads)

    def prepare(self, state: State) -> None:
        accumulator = new_accumulator(state)
        root_score.prepare(
            state, 0, 1, 0.0, 0.0, 0, self._weights, self._table, self._marks, self._endings,
            self._first.works, array_of(accumulator),
        )  # fmt: skip
        if has_accumulator(state):
            regather.prepare(state, accumulator)
        if self._presses(state):
            shortest_forced_win.prepare(state, self._work, accumulator)
            root_defences.prepare(state, self._work, accumulator)
        if leaves_steps_out(state):
            write_candidates.prepare(state, np.empty(0, np.int64), 0)

    def _presses(self, state: State) -> bool:
        """Whether the search looks for forced wins in the game of *state*."""
        has_pressing = pressing.implementation(type(state)).function is not pressing.default
        return has_pressing and self._pruning & FORCED_WINS != 0

    def touch(self) -> None:
        if not self._is_touched:
            touch(self._table)
            self._is_touched = True

    def stop(self) -> None:
        self._is_stopped = True  # before the workspaces: see ``_find_forced_win``
        for thread in self._threads:
            thread.work.stop = 1

    def _nodes(self) -> int:
        return sum(int(thread.work.nodes) for thread in self._threads)

    def _begin(self, state: State, limit: Limit, came_twice: Sequence[int]) -> None:
        self._leaves_none_out = not leaves_steps_out(state)
        seat = int(mover(state))
        age = (int(self._work.age) + 1) % AGES
        is_exact = limit.depth is not None
        # Scores hold for the seat at the root and the positions that came twice; exact ones for this search alone.
        salt = int(mix(seat + 1)) ^ (int(mix(age + AGES)) if is_exact else 0)
        for position, note in zip(came_twice, CameTwice.of(came_twice).notes, strict=True):
            salt ^= int(mix((int(position) ^ int(mix(note))) & _MASK64))
        self._scores, self._is_stopped = [], False
        has_images = canonical_key.implementation(type(state)).function is not canonical_key.default
        settles = forcing.implementation(type(state)).function is not forcing.default
        looks_for_wins = not is_exact and self._presses(state)
        pruning = self._pruning if settles else self._pruning & ~QUIESCENCE
        if not settles and not looks_for_wins and not self._grows:
            pruning &= ~REDUCTIONS
        if not looks_for_wins:
            pruning &= ~SINGLE_REPLY
        self._reduces = not is_exact and pruning & REDUCTIONS != 0
        self._endings = self._read_endings()
        left = int(steps_to_draw(state))
        # Without a counter it is unknown whether there was progress since a position came twice.
        asks_tables = (
            len(self._endings) > 0 and self.prefers_wins and not is_exact and not (came_twice and left >= NO_COUNTER)
        )
        for thread in self._threads:
            if thread.accumulator is None:
                thread.accumulator = array_of(new_accumulator(state))
            if has_accumulator(state):
                regather(state, thread.accumulator[0])
            work = thread.work
            work.asks_tables, work.has_come_twice, work.steps_to_draw = int(asks_tables), int(bool(came_twice)), left
            work.pruning = pruning
            work.win_turns = LEAF_TURNS if looks_for_wins else 0
            work.root_seat, work.age, work.is_exact = seat, age, int(is_exact)
            work.salt = salt & (_MASK64 >> 1)
            work.sees_symmetry, work.images_known = int(has_images), 0
            work.leaves_steps_out = int(not self._leaves_none_out)
            work.table_depth, work.last_turns, work.last_turns_known = 1, 0, 0
            work.killers[:] = -1
            work.history[:] //= 8
            self._path_start = begin_path(state, came_twice, work)
            work.stop, work.nodes, work.node_limit = 0, 0, np.iinfo(np.int64).max
            work.look_at, work.deadline, work.shares = 0, NEVER, 0
        self._marks["mark"] = 0
        self._nodes_before = 0

    def _steps(self, state: State) -> list[int]:
        if not leaves_steps_out(state):
            return super()._steps(state)
        buffer = np.empty(self._rules.MOST_STEPS, np.int64)
        return [int(step) for step in buffer[: write_candidates(state, buffer, 0)]]

    def _others(self, state: State, steps: Sequence[int]) -> list[int]:
        """The steps of the root besides *steps*, which may be better if all of these lose."""
        if self._leaves_none_out or not self._is_asked_of_all:
            return []
        buffer = np.empty(self._rules.MOST_STEPS, np.int64)
        known = set(steps)
        return [int(step) for step in buffer[: essential(state, buffer, 0)] if int(step) not in known]

    # ---------------------------------------------------------------------------------------- threads

    def _deepen(self, state: State, steps: list[int], depths: range, wanted: int) -> bool:
        if self._work.win_turns > 0:
            if wanted == 1 and self._find_forced_win(state, steps):
                return True
            self._add_defences(state, steps)
        if not self._helpers or is_plain():
            return super()._deepen(state, steps, depths, wanted)
        for thread in self._threads:
            thread.work.node_limit = max(1, int(self._work.node_limit) // len(self._threads))
        team = self._team = Team([thread.work for thread in self._helpers], -INFINITY)
        running = [
            threading.Thread(target=self._help, args=(state, team, number), daemon=True)
            for number in range(len(self._helpers))
        ]
        for helper in running:
            helper.start()
        try:
            return super()._deepen(state, steps, depths, wanted)
        finally:
            team.close()
            for helper in running:
                helper.join()

    def _add_defences(self, state: State, steps: list[int]) -> None:
        """Add the other steps to *steps* that may defend against a threat to win by force."""
        work = self._work
        if not self._leaves_none_out and self._is_asked_of_all:
            assert self._first.accumulator is not None
            number = root_defences(state, work, self._first.accumulator[0])
            steps += [step for step in work.buffer[:number].tolist() if step not in steps]
            work.stop = int(self._is_stopped)

    def _find_forced_win(self, state: State, steps: Sequence[int]) -> bool:
        """Whether one of *steps* wins by force, as far as found; then it is the answer."""
        work = self._work
        work.deadline = self._pace.in_part(ROOT_SHARE)
        assert self._first.accumulator is not None
        step, turns = shortest_forced_win(state, work, self._first.accumulator[0])
        work.stop = int(self._is_stopped)  # its part of the time is over; the rest is for the search
        if turns == 0 or step not in steps:
            return False
        self._lines = (Line(step, WIN - turns, (step,), is_proven=True),)
        work.depth = turns
        return True

    def _in_turn(self, steps: Sequence[int], depth: int) -> Iterable[int]:
        nodes = self._nodes()
        is_worth_it, self._nodes_before = nodes - self._nodes_before >= WORTH_SHARING, nodes
        if not self._helpers or not is_worth_it or is_plain():
            return list(steps)
        for thread in self._threads:
            work = thread.work
            work.shares = 1
            work.sees_symmetry, work.table_depth = self._work.sees_symmetry, self._work.table_depth
        return self._team.in_turn(steps, depth)

    def _help(self, state: State, team: Team, number: int) -> None:
        thread = self._helpers[number]
        work = thread.work
        while work.nodes < work.node_limit and (task := team.task(number)) is not None:
            if task.joins:
                score = self._score(state, task.step, task.depth, task.floor, thread)
            else:
                score = self._within(state, task.step, task.depth, task.floor, task.floor + NULL_WINDOW, thread)
            team.done(number, task, score > task.floor)

    # ------------------------------------------------------------------------------------------ depths

    def _search_all(
        self, state: State, steps: list[int], depth: int, wanted: int, settled: dict[int, Line]
    ) -> int | None:
        self._tried = 0
        leaves = super()._search_all(state, steps, depth, wanted, settled)
        if leaves is not None and self._lines[0].score <= -UNPROVEN:
            others = self._others(state, steps)
            steps += others
            if others:  # all candidates lose
                leaves = super()._search_all(state, steps, depth, wanted, settled)
        if leaves is not None:
            # The next depths skip what has not paid so far.
            work = self._work
            asked, known, nodes = int(work.last_turns), int(work.last_turns_known), int(work.nodes)
            if depth >= _ROUND and asked > _SAMPLE and known * nodes < asked * asked * COST_OF_LOOKING_UP:
                work.table_depth = 2
            if depth == IMAGES_DEPTH and not int(work.images_known):
                work.sees_symmetry = 0
            self._scores.append(self._lines[0].score)
        return leaves

    def _search(self, state: State, step: int, depth: int, best: float) -> float:
        self._team.floor = best
        self._tried += 1
        return self._score(state, step, depth, best, self._first, self._tried)

    def _score(self, state: State, step: int, depth: int, best: float, thread: _Thread, tried: int = 1) -> float:
        """As ``_search``, on that *thread*; the step is the *tried*-th one."""
        if best > -INFINITY:
            look = depth - self._reduction(depth, tried, best)
            if look < depth:
                score = self._within(state, step, look, best, best + NULL_WINDOW, thread)
                if score <= best:
                    return score
            score = self._within(state, step, depth, best, best + NULL_WINDOW, thread)
            return score if score <= best else self._within(state, step, depth, best, INFINITY, thread)
        low, high = self._aspired()
        score = self._within(state, step, depth, low, high, thread)
        if low < score < high:
            return score
        if score >= high:
            return self._within(state, step, depth, low, INFINITY, thread)
        return self._within(state, step, depth, -INFINITY, INFINITY, thread)

    def _reduction(self, depth: int, tried: int, best: float) -> int:
        """The reduction, in turns, of the *tried*-th step of the root; none with a fixed depth."""
        if not self._reduces or abs(best) >= WIN_BOUND:
            return 0
        by_number = _TURNS_LESS[min(depth, len(_TURNS_LESS) - 1)]
        return max(0, by_number[min(tried, len(by_number)) - 1] - 1)

    def _aspired(self) -> tuple[float, float]:
        """A window for the first step: about its score two turns ago, when the same side had the last word."""
        scores = self._scores
        if len(scores) < _FIRST_ASPIRED or abs(scores[-2]) >= WIN_BOUND:
            return -INFINITY, INFINITY
        margin = abs(scores[-1] - scores[-2]) + abs(scores[-2] - scores[-4]) + NULL_WINDOW
        return scores[-2] - margin, scores[-2] + margin

    def _within(self, state: State, step: int, depth: int, alpha: float, beta: float, thread: _Thread) -> float:
        score = root_score(
            state, step, depth, alpha, beta, self._path_start,
            self._weights, self._table, self._marks, self._endings, thread.works, thread.accumulator,
        )  # fmt: skip
        return float(score)

    def _is_decided(self, score: float) -> bool:
        return self.prefers_wins and abs(score) >= WIN_BOUND

    def _is_exact(self) -> bool:
        return self.prefers_wins and not self._leaves[0]

    def _variation(self) -> tuple[int, ...]:
        return tuple(self._line[0, : self._line_length[0]].tolist())
