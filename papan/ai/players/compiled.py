"""Players as data for compiled code, which plays games by the million.

It plays at random, by ``appraise``, or by alpha-beta to a fixed depth where nothing is hidden and there is no chance.
All other players run in Python, game by game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation import NO_ENDINGS, Weights, candidates, leaves_steps_out
from papan.ai.evaluation.accumulator import accumulator as new_accumulator
from papan.ai.evaluation.accumulator import gather
from papan.ai.limits import UNPROVEN, WIN_BOUND
from papan.ai.players.situations import GreedyPlayer, Player, SearchingPlayer
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.deepening import INFINITY, STEPS_A_TURN
from papan.ai.search.negamax import BUFFER, MOST_DEPTH, NULL_WINDOW, WORKSPACE, Search, score_of_step
from papan.ai.search.parallel import MARKS
from papan.ai.search.repetition import begin_path_of
from papan.ai.search.table import AGES, new_table
from papan.ai.search.threat_space import write_others
from papan.game.kernel import subroutine
from papan.game.kernel.arrays import new_record
from papan.game.kernel.rng import RandomState, below, mix
from papan.game.rules import Rules, State, can_repeat, canonical_key, mover

RANDOM, GREEDY, SEARCHING = range(3)

KIND, DEPTH, PREFERS_WINS, FIRST_WEIGHT, END_OF_WEIGHTS = range(5)
"""The columns of ``settings``."""


class CompiledPlayer(NamedTuple):
    """A player as data, for compiled code."""

    kind: int
    """RANDOM, GREEDY or SEARCHING."""
    weights: tuple[float, ...] = ()
    depth: int = 0
    prefers_wins: bool = True


def compiled_player(player: Player) -> CompiledPlayer | None:
    """The data of *player*; None if it can only run in Python."""
    if isinstance(player, GreedyPlayer):
        return (
            CompiledPlayer(RANDOM) if player.weights is None else CompiledPlayer(GREEDY, tuple(player.weights.tolist()))
        )
    if isinstance(player, SearchingPlayer) and player.depth_asked is not None and type(player.search) is AlphaBeta:
        search = player.search
        return CompiledPlayer(SEARCHING, tuple(search.weights.tolist()), player.depth_asked, search.prefers_wins)
    return None


def settings_of(players: Sequence[CompiledPlayer]) -> NDArray[np.int64]:
    """A row for each player: its kind, its depth, whether it prefers wins, and the range of its weights."""
    ends = np.cumsum([len(player.weights) for player in players])
    return np.array(
        [
            (player.kind, player.depth, player.prefers_wins, end - len(player.weights), end)
            for player, end in zip(players, ends, strict=True)
        ],
        np.int64,
    )


def weights_of(players: Sequence[CompiledPlayer]) -> NDArray[np.float64]:
    return np.array([weight for player in players for weight in player.weights], np.float64)


TABLE_BITS = 17
"""The table of searches holds 2**17 positions, 3 MiB."""
_NO_LIMIT = np.iinfo(np.int64).max


class Workspace(NamedTuple):
    work: Any
    table: Any
    marks: Any
    endings: Any
    accumulator: Any


def workspace(rules: Rules, state: State) -> Workspace:
    work = new_record(WORKSPACE)
    work.is_exact = 1
    work.table_depth = MOST_DEPTH + 1 if can_repeat(state) else 1  # else scores would depend on earlier searches
    work.node_limit = work.look_at = _NO_LIMIT
    work.buffer_limit = BUFFER - rules.MOST_STEPS * (STEPS_A_TURN + 1)
    work.leaves_steps_out = leaves_steps_out(state)
    work.sees_symmetry = canonical_key.implementation(type(state)).function is not canonical_key.default
    marks = np.zeros(1, MARKS)[0]
    return Workspace(work, new_table(TABLE_BITS), marks, NO_ENDINGS, new_accumulator(state))


@subroutine
def searching_step(
    state: State, player: int, settings: Any, weights: Any, history: Any, keys: Any, past: int,
    random: RandomState, work: Any, table: Any, marks: Any, endings: Any, accumulator: Any,
) -> int:  # fmt: skip
    """The step that a SEARCHING player takes for the seat to act in *state*; between equal ones *random* decides.

    :param player: its row in *settings*, by ``settings_of``; *weights* are by ``weights_of``.
    :param history: rows for the *past* states so far, where positions can repeat; *keys* are theirs.
    :param work: this to *table* and the following are a ``Workspace``; None where no player looks ahead: then no search
        is compiled.
    """
    if work is None:
        return -1
    own_weights = weights[settings[player, FIRST_WEIGHT] : settings[player, END_OF_WEIGHTS]]
    steps = work.buffer
    end = candidates(state, steps, 0)
    if end == 1:
        return int(steps[0])
    for index in range(end - 1, 0, -1):
        other = below(random, index + 1)
        steps[index], steps[other] = steps[other], steps[index]
    path_end = begin_path_of(state, history, keys, past, work) if can_repeat(state) else 0
    step, _ = first_of_best(
        state, end, settings[player, DEPTH], settings[player, PREFERS_WINS], path_end, own_weights,
        work, table, marks, endings, accumulator,
    )  # fmt: skip
    return step


@subroutine
def first_of_best(
    state: State, end: int, most_depth: int, prefers_wins: int, path_end: int, weights: Weights,
    work: Any, table: Any, marks: Any, endings: Any, accumulator: Any,
) -> tuple[int, float]:  # fmt: skip
    """The step of ``work.buffer[:end]`` that a search *most_depth* turns ahead finds best, and its score.

    Of equal ones it is the first, in the order left by the searches to lesser depths: each brings forward the steps
    that it found better than all before.

    :param path_end: the end of the path, which has the earlier states and *state*.
    """
    work.root_seat, work.prefers_wins = mover(state), prefers_wins
    work.age = (work.age + 1) % AGES
    work.salt = mix(int(work.age) + 1) >> 1
    work.killers[:] = -1  # the history stays: it only orders steps, and clearing it takes as long as a short search
    gather(state, accumulator)
    search = Search(work, table, marks, endings, weights, accumulator)
    depth, is_doubtful, best = 1, work.leaves_steps_out != 0, -INFINITY
    while depth <= most_depth:
        work.horizon_leaves = 0
        best = best_first(state, end, depth, path_end, search)
        if work.stop != 0:
            break
        if is_doubtful and best <= -UNPROVEN:
            is_doubtful, known = False, end
            end = write_others(state, 0, known, work, accumulator)
            if end > known:
                continue
        depth += 1
        if work.horizon_leaves == 0 or (prefers_wins != 0 and abs(best) >= WIN_BOUND):
            break
    return int(work.buffer[0]), best


@subroutine
def best_first(state: State, end: int, depth: int, path_end: int, search: Search) -> float:
    """Search all of ``buffer[:end]``, the steps of *state*, to one *depth*; return the score of the best.

    Those that were better than all before come first, the best at the head; if stopped, the order stays.
    """
    work = search.work
    steps, improved, others, base = work.buffer, end, 2 * end, 3 * end
    best, better, rest = -INFINITY, 0, 0
    for index in range(end):
        step = int(steps[index])
        ceiling = INFINITY if index == 0 else best + NULL_WINDOW
        score = score_of_step(state, step, depth, best, ceiling, base, path_end, search)
        if index > 0 and score > best:
            score = score_of_step(state, step, depth, best, INFINITY, base, path_end, search)
        if work.stop != 0:
            return best
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
    return best
