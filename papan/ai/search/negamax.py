"""One search of alpha-beta, for every game without chance: principal-variation search with a transposition table.

Knuth and Moore, "An Analysis of Alpha-Beta Pruning" (1975), with the sign flipped only where the side to
move changes, because a turn may take several steps. A leaf is judged for the seat at the root throughout,
so that evaluations need not be antisymmetric. Depth counts turns; a node is one ``play``.

All but the first step of a position are only asked whether they are better, by a window that holds no score
(Marsland and Campbell, "Parallel Search of Strongly Ordered Game Trees", 1982), and searched again where they
are. A search to a fixed depth finds the exact minimax value at that depth. One that is limited by time or nodes
looks less far behind steps that are tried late, and again in full where one of them turns out well, it leaves out
what is hardly worth a look (``pruning``), and it uses what earlier searches have found. Neither can make a forced win
or loss of what is none.

There are two sides: the seat at the root, with its team, and all others. With three or four seats this is
the *paranoid* reduction (Sturtevant and Korf, "On Pruning Techniques for Multi-Player Games", 2000): the
others are taken to have nothing in mind but to harm the seat at the root.

Where a game names the steps worth a look (``candidates``), only these are searched. Who loses by all of them may have
another step, so that counts as ``UNPROVEN`` and not as a loss, until every step has been looked at that might help:
those that touch what the winner threatens (``further_defences``); in a search to a fixed depth all others, each of
which counts for ``UNPROVEN`` at most, so that it finds the value of one tree, whatever its windows.

Where a game has tables of endings (``turns_to_end``), a search that is not to a fixed depth takes their word for a
position, as long as the rules let it: a draw is always one, a win where it comes before a draw counter could run out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.ai.evaluation import NOT_LISTED, Weights, evaluate, is_quiet, passed, turns_to_end
from papan.ai.evaluation.accumulator import judged, note, options, unnote
from papan.ai.limits import UNPROVEN, WIN, WIN_BOUND
from papan.ai.search.deepening import INFINITY, LIVE_FIELDS, STEPS_A_TURN
from papan.ai.search.forced import LEAF_NODES, PROOF_FIELDS, are_all_answers, forced_win, further_defences, write_others
from papan.ai.search.ordering import (
    KILLER,
    MOST_PLIES,
    ORDERING_FIELDS,
    bring_forward,
    learn_cutoff,
    next_step,
    remember_cutoff,
    sort_steps,
)
from papan.ai.search.pruning import (
    EVERY_STEP,
    LESS,
    ONLY_ANSWERS,
    QUIESCENCE,
    REDUCTIONS,
    UNKNOWN,
    bound_for_others,
    bound_to_probe,
    foresee,
    reduction,
)
from papan.ai.search.quiescence import settle, won_or_lost
from papan.ai.search.repetition import PATH_FIELDS, REPETITION_SCORE, comes_back
from papan.ai.search.sharing import SHARED_DEPTH, clear_mark, is_marked, mark_of, put_off, set_mark
from papan.ai.search.stopping import look as look_at_limits
from papan.ai.search.table import (
    EXACT,
    LOWER,
    RESOLVED,
    UPPER,
    age_of,
    bound_of,
    depth_of,
    is_resolved,
    keep,
    look_up,
    orientation_of,
    pack,
    step_of,
)
from papan.game.kernel import compiled, subroutine
from papan.game.rules import (
    State,
    allied,
    can_repeat,
    canonical_key,
    is_over,
    key,
    mover,
    play,
    steps_to_draw,
)

MOST_DEPTH = 128  # turns

BUFFER = 1 << 15  # steps waiting on the path of one search
LAST_PLY = MOST_PLIES - STEPS_A_TURN - 2
_LINE = 48  # steps of a principal variation

NULL_WINDOW = 1e-6
"""The width of a window for a yes or no. Should a score lie within, then it is exact."""

WORKSPACE = np.dtype(
    (
        np.record,
        [
            *LIVE_FIELDS,
            ("shares", np.int64),  # whether other threads search the same
            ("prefers_wins", np.int64),
            ("buffer_limit", np.int64),  # where the buffer is too full for another turn
            ("age", np.int64),  # the search's number: older entries of the table are replaced first
            ("salt", np.int64),  # combined with keys, so that what other searches kept is found only where it holds
            ("is_exact", np.int64),  # whether "depth 2" is to mean just that
            ("win_turns", np.int64),  # turns from the horizon in which a forced win is looked for; 0 for not at all
            ("pruning", np.int64),  # the rules of ``pruning`` that apply, as bits
            ("passed_at", np.int64),  # the ply that a pass has led to
            ("left_out", np.int64),  # one more than the step that the next position is searched without; 0 for none
            ("root_depth", np.int64),  # turns that the search of the root is to look ahead
            ("last_ply", np.int64),  # where the path is too long for another turn
            ("asks_tables", np.int64),  # whether tables of endings are asked
            ("has_come_twice", np.int64),  # whether any position ends the game if it comes once more
            ("steps_to_draw", np.int64),  # at the root, what the draw counter leaves
            ("margin", np.float64),  # what a position may be worth more than its captures promise
            ("probe", np.float64),  # by how much a search that looks less far must be past what matters
            ("singular", np.float64),  # for each turn, by how much a step must be better than all others
            ("sees_symmetry", np.int64),  # whether positions are looked up by their canonical keys
            (
                "keeps_last_turn",
                np.int64,
            ),  # whether positions in the last turn before the horizon are kept in the table
            ("last_turns", np.int64),  # such positions
            ("last_turns_known", np.int64),  # those of them that the table knew
            ("images_known", np.int64),  # positions that the table knew as their mirror images
            ("leaves_steps_out", np.int64),  # whether the game names the steps worth a look
            *PATH_FIELDS,
            *PROOF_FIELDS,
            ("line_length", np.int64, (MOST_PLIES,)),
            ("line", np.int32, (MOST_PLIES, _LINE)),  # the best line found from each step of the path on
            *ORDERING_FIELDS,
            ("buffer", np.int64, (BUFFER,)),
            ("order", np.int64, (BUFFER,)),
        ],
    )
)
"""All that one thread of a search writes to, as one record: it passes through compiled calls as a single pointer."""


@subroutine
def ending_score(state: State, turn: int, weights: Weights, work: Any) -> float:
    """The score for the root's side of the finished game *state*, *turn* turns from the root."""
    if work.prefers_wins == 0:
        judged: float = evaluate(state, int(work.root_seat), weights)
        return judged
    return won_or_lost(state, turn, work)


@subroutine
def turns_ahead(state: State, depth: int, turn: int, ply: int, base: int, work: Any) -> int:
    """The turns to look ahead from where a turn begins: *depth*, or one more at the horizon, if *state* is not quiet.

    0 where it is to be judged.
    """
    if depth == 0 and not is_quiet(state):
        depth = 1
    return 0 if turn == MOST_DEPTH or base > work.buffer_limit or ply > LAST_PLY else depth


@subroutine
def judged_leaf(
    state: State, player: int, alpha: float, beta: float, turn: int, base: int, weights: Weights, work: Any, kept: Any
) -> float:
    """The score of *state*, at the horizon, for the root's side: that of a forced win where one is found.

    :param player: who took the step that led to it, to whom *alpha* and *beta* refer.
    """
    root_seat, seat = int(work.root_seat), mover(state)
    worth: float = judged(state, root_seat, weights, kept)
    most_turns = int(work.win_turns)
    if most_turns > 0:
        own = worth if allied(state, root_seat, seat) else -worth
        needed = beta if allied(state, player, seat) else -alpha
        if own < needed:
            limit = work.nodes + LEAF_NODES
            turns = forced_win(state, seat, most_turns, limit, base, work, kept)
            if turns > 0:
                won = WIN - turn - turns
                return won if allied(state, root_seat, seat) else -won
    work.horizon_leaves += 1
    return worth


@subroutine
def foretold(state: State, turn: int, endings: Any, work: Any) -> tuple[bool, float]:
    """Whether tables of endings tell for certain how *state* ends, at the start of a turn; its score for the root side.

    A win needs no repetition, but could be spoilt by one of a position that came twice before the search; after any
    progress since then, no such position can come.

    :param turn: turns from the root.
    """
    turns = turns_to_end(state, endings)
    if turns == NOT_LISTED:
        return False, 0.0
    if turns == 0:
        return True, 0.0
    left = steps_to_draw(state)
    if abs(turns) > left or (work.has_come_twice != 0 and left + turn <= work.steps_to_draw):
        return False, 0.0
    won = WIN - (turn + turns) if turns > 0 else (turn - turns) - WIN
    return True, won if allied(state, int(work.root_seat), mover(state)) else -won


@subroutine
def identify(state: State, depth: int, work: Any) -> tuple[int, int]:
    """The key by which the table knows *state*, and which way round the board then lies."""
    if work.sees_symmetry != 0 and depth >= SYMMETRY_DEPTH:
        least, orientation = canonical_key(state)
        return least ^ int(work.salt), orientation
    return key(state) ^ int(work.salt), 0


SYMMETRY_DEPTH = 2
"""So many turns before the horizon mirror images are no longer looked for: a search from there costs less."""


@subroutine
def from_table(score: float, turn: int) -> float:
    """A score of the table, whose distance to a win counts from its own position, with that counted from the root."""
    if score >= WIN_BOUND:
        return score - turn
    return score + turn if score <= -WIN_BOUND else score


@subroutine
def is_deep_enough(facts: int, depth: int, work: Any) -> bool:
    """Whether the table's entry holds for a search *depth* turns ahead."""
    if work.is_exact != 0:
        return depth_of(facts) == depth or (is_resolved(facts) and depth_of(facts) < depth)
    return depth_of(facts) >= depth or is_resolved(facts)


@subroutine
def decides(bound: int, score: float, alpha: float, beta: float) -> bool:
    """Whether a *score* of which *bound* is known settles the matter between *alpha* and *beta*."""
    return bound == EXACT or (bound == LOWER and score >= beta) or (bound == UPPER and score <= alpha)


@subroutine
def consult(
    table: Any, position: int, orientation: int, depth: int, turn: int, left: int, alpha: float, beta: float, work: Any
) -> tuple[bool, float, int]:
    """Whether the table settles the matter, the score if so, and otherwise the step that it remembers, or -1.

    :param left: turns before a draw counter ends the game: a win that takes more is none, wherever it was one.
    """
    facts, score = look_up(table, position)
    if depth == 1:
        work.last_turns += 1
    if facts == 0:
        return False, 0.0, -1
    is_of_another_past = abs(score) == REPETITION_SCORE and age_of(facts) != work.age
    if is_of_another_past or (abs(score) >= WIN_BOUND and WIN - abs(score) > left):
        return False, 0.0, step_of(facts) if orientation_of(facts) == orientation else -1
    score = from_table(score, turn)
    if is_deep_enough(facts, depth, work) and decides(bound_of(facts), score, alpha, beta):
        if depth == 1:
            work.last_turns_known += 1
        if orientation_of(facts) != orientation:
            work.images_known += 1
        if not is_resolved(facts):
            work.horizon_leaves += 1
        return True, score, -1
    return False, 0.0, step_of(facts) if orientation_of(facts) == orientation else -1


@subroutine
def remember_line(work: Any, ply: int, step: int) -> None:
    """*step* is the best so far, *ply* steps from the root: the best line is it and the line found behind it."""
    length = min(int(work.line_length[ply + 1]), _LINE - 1)
    work.line[ply, 0] = step
    for index in range(length):
        work.line[ply, index + 1] = work.line[ply + 1, index]
    work.line_length[ply] = length + 1


@subroutine
def is_minor(after: State, index: int, work: Any) -> bool:
    """Whether the step ``buffer[index]``, which leads to *after*, is a quiet one, and so is what follows."""
    return work.order[index] < KILLER and is_quiet(after)


@compiled
def negamax(
    state: State,
    player: int,
    depth: int,
    alpha: float,
    beta: float,
    turn: int,
    ply: int,
    base: int,
    path_end: int,
    weights: Weights,
    table: Any,
    marks: Any,
    endings: Any,
    work: Any,
    kept: Any,
) -> float:
    """The score of *state* for the side of *player*, who just took the step that led to it.

    It is exact if it lies between *alpha* and *beta*, and a bound otherwise.

    :param depth: turns to look ahead, the one that *player* is in included; at least 1.
    :param turn: turns from the root.
    :param ply: steps from the root's.
    :param base: ``work.buffer[base:]`` is free.
    :param path_end: ``work.path[:path_end]`` holds the keys that must not come again.
    :param marks: what the threads of the search are looking at.
    :param kept: what the game keeps of *state*, and of nothing else once this is over.
    """
    work.nodes += 1
    work.line_length[ply] = 0
    if work.nodes >= work.look_at:
        look_at_limits(work)
    side = 0 if allied(state, int(work.root_seat), player) else 1
    if is_over(state):
        won = ending_score(state, turn + 1, weights, work)
        return won if side == 0 else -won
    seat = mover(state)
    sign = 1.0
    if seat != player:
        if work.asks_tables != 0:
            is_known, worth = foretold(state, turn + 1, endings, work)
            if is_known:
                return worth if side == 0 else -worth
        is_again, paid = comes_back(state, path_end, path_end, work)
        if is_again:
            return paid
        if depth == 1 and work.pruning & QUIESCENCE != 0 and work.is_exact == 0:
            if (0 if allied(state, int(work.root_seat), seat) else 1) != side:
                return -settle(state, -beta, -alpha, turn + 1, ply, base, path_end + 1, weights, work)
            return settle(state, alpha, beta, turn + 1, ply, base, path_end + 1, weights, work)
        depth = turns_ahead(state, depth - 1, turn + 1, ply, base, work)
        if depth == 0:
            worth = judged_leaf(state, player, alpha, beta, turn + 1, base, weights, work, kept)
            return worth if side == 0 else -worth
        path_end += 1 if can_repeat(state) else 0
        turn += 1
        next_side = 0 if allied(state, int(work.root_seat), seat) else 1
        if next_side != side:
            side = next_side
            sign = -1.0
            alpha, beta = -beta, -alpha
    position, orientation, table_step = 0, 0, -1
    left_out = int(work.left_out) - 1
    work.left_out = 0
    uses_table = left_out < 0 and (depth > 1 or work.keeps_last_turn != 0)
    if uses_table:
        position, orientation = identify(state, depth, work)
        is_settled, known, table_step = consult(
            table, position, orientation, depth, turn, steps_to_draw(state), alpha, beta, work
        )
        if is_settled:
            return sign * known
    to_try, look = EVERY_STEP, 0
    # A turn begins, and what is asked is whether it is better or worse than a number.
    is_yes_or_no = beta - alpha < 2.0 * NULL_WINDOW and abs(alpha) < WIN_BOUND
    foresees = seat != player and work.is_exact == 0 and is_yes_or_no
    if foresees:
        is_good, worth, look, to_try = foresee(state, side, depth, alpha, beta, ply, weights, work)
        if is_good:
            return sign * worth
    if look > 0:
        work.passed_at = ply + 1
        there = passed(state)
        score = negamax(
            there, seat, look, alpha, beta, turn, ply + 1, base, path_end, weights, table, marks, endings, work, kept
        )
        work.passed_at = -1
        if work.stop != 0:
            return 0.0
        if score >= beta:
            work.horizon_leaves += 1
            return sign * min(score, WIN_BOUND - 1.0)
    if foresees:
        way, bound = bound_to_probe(state, side, depth, alpha, beta, weights, work, kept)
        if way != 0:
            low = bound - NULL_WINDOW if way > 0 else bound
            score = negamax(
                state, seat, max(1, depth - LESS), low, low + NULL_WINDOW, turn, ply, base, path_end,
                weights, table, marks, endings, work, kept,
            )  # fmt: skip
            if work.stop != 0:
                return 0.0
            if (way > 0 and score >= low + NULL_WINDOW) or (way < 0 and score <= low):
                work.horizon_leaves += 1
                return sign * (beta if way > 0 else alpha)
    leaves_before, past_before = work.horizon_leaves, work.rests_on_past
    learns = work.pruning & REDUCTIONS != 0 and work.is_exact == 0
    end = options(state, work.buffer, base, kept)
    if end == base + 1 and work.pruning & ONLY_ANSWERS != 0 and work.is_exact == 0:
        depth += 1
    elif learns and table_step < 0 and depth >= UNKNOWN:
        depth -= 1
    unrated = base + 1 if table_step >= 0 and bring_forward(work, base, end, table_step) else base
    first_depth = depth
    if unrated > base and end > base + 1:
        asks_others, low = bound_for_others(table, position, depth, turn, beta, work)
        if asks_others:
            work.left_out = table_step + 1
            score = negamax(
                state, seat, depth // 2, low, low + NULL_WINDOW, turn, ply, end, path_end,
                weights, table, marks, endings, work, kept,
            )  # fmt: skip
            if work.stop != 0:
                return 0.0
            if score <= low:
                first_depth += 1
            elif low >= beta:
                work.horizon_leaves += 1
                return sign * beta
            # That says how far to look, and has no part in the score.
            work.horizon_leaves, work.rests_on_past, work.line_length[ply] = leaves_before, past_before, 0
    best, best_step, floor = -INFINITY, -1, alpha
    is_doubtful, most = work.leaves_steps_out != 0 and left_out < 0, INFINITY
    is_wide, is_whole = beta - alpha > 2.0 * NULL_WINDOW, True
    shares, until, index = work.shares != 0 and depth >= SHARED_DEPTH and uses_table, end, base
    while True:
        if index == end:
            if best > -WIN_BOUND or not is_doubtful:
                break
            # It seems lost, but not all steps may have been looked at.
            is_doubtful, turns = False, 0
            if are_all_answers(state, base, end, work, kept):
                break
            if alpha < -UNPROVEN and work.is_exact != 0:
                end, most = write_others(state, base, end, work, kept), -UNPROVEN
                beta = min(beta, most)
                unrated, until = index, end
                continue
            if alpha < -UNPROVEN and seat != player:
                end, turns = further_defences(state, base, end, work, kept)
            if turns == 0:
                work.horizon_leaves += 1
                best = -UNPROVEN
                break
            best = max(best, turn + turns - WIN)
            floor = max(floor, best)
            if best >= beta:
                break
            unrated, until = index, end
            continue
        if index == until:  # what another thread was at comes last, and may be known by now
            shares, until = False, end
            is_settled, known, _ = consult(
                table, position, orientation, depth, turn, steps_to_draw(state), alpha, beta, work
            )
            if is_settled:
                return sign * known
            sort_steps(work, index, end)
        step = int(work.buffer[index])
        if is_whole:
            step = next_step(state, work, index, unrated, until, ply, side, weights, kept)
        if step == left_out:
            index += 1
            continue
        mark = 0
        if shares and index > base:
            mark = mark_of(position, step, depth)
            if is_marked(marks, mark):
                until -= 1
                put_off(work, index, until)
                continue
        index += 1
        after = play(state, step)
        number = index - 1 - base
        if number >= to_try and index > unrated and best > -WIN_BOUND and is_minor(after, index - 1, work):
            is_whole = False
            continue
        if mark != 0:
            set_mark(marks, mark)
        full = first_depth if number == 0 else depth
        ceiling, look = beta, full
        if number > 0:
            ceiling = min(beta, floor + NULL_WINDOW)
            look -= reduction(work, index - 1, number, depth, floor)
        note(state, step, kept)
        while True:
            score = negamax(
                after, seat, look, floor, ceiling, turn, ply + 1, end, path_end,
                weights, table, marks, endings, work, kept,
            )  # fmt: skip
            if work.stop != 0 or score <= floor or (look == full and (ceiling == beta or score >= beta)):
                break
            if look == full:
                ceiling = beta
            look = full
        unnote(state, step, kept)
        if mark != 0:
            clear_mark(marks, mark)
        if work.stop != 0:
            return 0.0
        score = min(score, most)
        if score > best:
            best, best_step = score, step
            if best > floor:
                floor = best
                if is_wide:
                    remember_line(work, ply, step)
            if best >= beta:
                if learns:
                    learn_cutoff(work, unrated, index - 1, ply, side, depth)
                else:
                    remember_cutoff(work, step, ply, side, depth)
                break
    if not is_whole:
        work.horizon_leaves += 1
        best = max(best, alpha)
    if uses_table:
        bound = LOWER if best >= beta else (EXACT if best > alpha else UPPER)
        bound += RESOLVED if work.horizon_leaves == leaves_before else 0
        if work.rests_on_past != past_before:
            depth = 0  # on another path it may be worth something else: only the step is of use
        keep(table, position, pack(best_step, depth, bound, orientation, int(work.age)), from_table(best, -turn))
    return sign * best
