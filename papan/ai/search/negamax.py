"""One search of alpha-beta, for every game without chance: principal-variation search with a transposition table.

Knuth and Moore, "An Analysis of Alpha-Beta Pruning" (1975), with the sign flipped only where the side to
move changes, because a turn may take several steps. A leaf is judged for the seat at the root throughout,
so that evaluations need not be antisymmetric. Depth counts turns; a node is one ``play``.

All but the first step of a position are searched with a null window, and again where they are better (Marsland and
Campbell, "Parallel Search of Strongly Ordered Game Trees", 1982). A search to a fixed depth finds the exact minimax
value at that depth. One limited by time or nodes reduces, prunes and extends (``pruning``), and uses the table of
earlier searches. Neither turns anything else into a forced win or loss.

There are two sides: the seat at the root, with its team, and all others. With three or four seats this is the
*paranoid* reduction (Sturtevant and Korf, "On Pruning Techniques for Multi-Player Games", 2000): all others are assumed
to play against the seat at the root.

Where a game has ``candidates``, only these are searched. A loss by all of them counts as
``UNPROVEN`` until the other steps that might help have been searched: those that touch the winner's threat
(``further_defences``). A search to a fixed depth searches all others, each for ``UNPROVEN`` at most, so that the value
does not depend on the windows.

Where a game has tables of endings (``turns_to_end``), a search without a fixed depth takes its scores from them:
draws always, wins where they come before a draw counter could run out.

At the horizon a *quiescence search* judges a position only once the captures in it are done (Shannon, "Programming a
Computer for Playing Chess", 1950; Harris, "The Heuristic Search and the Game of Chess", 1975). The seat to act may
*stand pat*, at the evaluation's score, or capture; captures that lose material by exchange are left out, and so are
those too small to matter. In a position that is not quiet, such as check, every step is tried and standing pat is not
allowed; a position that came twice in the match ends the line there too.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from papan.ai.evaluation import (
    NOT_LISTED,
    Weights,
    candidates,
    evaluate,
    forcing,
    is_quiet,
    passed,
    standing,
    turns_to_end,
)
from papan.ai.evaluation.accumulator import judged, note, options, unnote
from papan.ai.limits import UNPROVEN, WIN, WIN_BOUND
from papan.ai.search.deepening import INFINITY, LIVE_FIELDS, STEPS_A_TURN, look_at_limits
from papan.ai.search.ordering import (
    EVERYTHING,
    EXCHANGE_UNITS,
    KILLER,
    MOST_PLIES,
    ORDERING_FIELDS,
    bring_best_forward,
    bring_forward,
    learn_cutoff,
    next_step,
    rate_exchanges,
    remember_cutoff,
    sort_steps,
)
from papan.ai.search.parallel import SHARED_DEPTH, clear_mark, defer, is_marked, mark_of, set_mark
from papan.ai.search.pruning import (
    EVERY_STEP,
    IIR_DEPTH,
    PROBCUT_LESS,
    QUIESCENCE,
    REDUCTIONS,
    SINGLE_REPLY,
    futility,
    probcut_bound,
    reduction,
    singular_bound,
)
from papan.ai.search.repetition import PATH_FIELDS, comes_back
from papan.ai.search.table import EXACT, LOWER, RESOLVED, UPPER, from_table, identify, pack, probe_table, store
from papan.ai.search.threat_space import (
    LEAF_NODES,
    PROOF_FIELDS,
    are_all_answers,
    forced_win,
    further_defences,
    write_others,
)
from papan.game.kernel import compiled, inlined, subroutine
from papan.game.kernel.arrays import record_type
from papan.game.rules import State, allied, can_repeat, is_over, mover, moves, payoff, play, steps_to_draw

MOST_DEPTH = 128  # turns

BUFFER = 1 << 15  # steps waiting on the path of one search
LAST_PLY = MOST_PLIES - STEPS_A_TURN - 2
_LINE = 48  # steps of a principal variation

NULL_WINDOW = 1e-6
"""The width of a null window. A score inside is exact."""

FRAME = record_type(
    ("turn", np.int64),  # turns from the root
    ("start", np.int64),  # buffer[start:] is free
    ("path_end", np.int64),  # path[:path_end] holds the keys that must not come again
    ("begins_turn", np.int64),  # whether a turn starts at the position
    ("is_after_pass", np.int64),  # whether a pass led to it
    ("excluded", np.int64),  # one more than the step that is not searched; 0 for none
)
"""The record of one ply: further input to the search of a position, besides depth and window."""

WORKSPACE = record_type(
    *LIVE_FIELDS,
    ("shares", np.int64),  # whether other threads take part in the search
    ("prefers_wins", np.int64),
    ("buffer_limit", np.int64),  # the end of the buffer's space for another turn
    ("age", np.int64),  # the search's number: older entries of the table are replaced first
    ("salt", np.int64),  # combined with keys, so that entries of other searches are found only where they hold
    ("is_exact", np.int64),  # whether "depth 2" has to mean exactly that
    ("win_turns", np.int64),  # turns from the horizon to search for a forced win; 0 for not at all
    ("pruning", np.int64),  # the rules of ``pruning`` that apply, as bits
    ("root_depth", np.int64),  # the depth of the root's search, in turns
    ("last_ply", np.int64),  # the end of the path's space for another turn
    ("asks_tables", np.int64),  # whether to use endgame tables
    ("has_come_twice", np.int64),  # whether any position ends the game if it comes once more
    ("steps_to_draw", np.int64),  # at the root, the steps left by the draw counter
    ("margin", np.float64),  # futility margin: a position's worth above its captures
    ("probcut", np.float64),  # ProbCut margin
    ("singular", np.float64),  # singular extension margin for each turn looked ahead
    ("sees_symmetry", np.int64),  # whether to look positions up by their canonical keys
    ("table_depth", np.int64),  # the least turns before the horizon for storing positions in the table
    ("last_turns", np.int64),  # positions looked up in the last turn before the horizon
    ("last_turns_known", np.int64),  # those of them that the table had
    ("images_known", np.int64),  # positions that the table had as their mirror images
    ("leaves_steps_out", np.int64),  # whether the game has ``candidates``
    ("stack", FRAME, (MOST_PLIES,)),
    *PATH_FIELDS,
    *PROOF_FIELDS,
    ("line_length", np.int64, (MOST_PLIES,)),
    ("line", np.int32, (MOST_PLIES, _LINE)),  # the best line found from each step of the path
    *ORDERING_FIELDS,
    ("buffer", np.int64, (BUFFER,)),
    ("order", np.int64, (BUFFER,)),
)
"""Everything that one thread of a search writes, as one record, passed through compiled calls as a single pointer."""


class Search(NamedTuple):
    """The memory of one thread's search."""

    work: Any
    """A record of type ``WORKSPACE``."""
    table: Any
    marks: Any
    """The positions and steps that the threads are searching."""
    endings: Any
    weights: Weights
    accumulator: Any
    """Follows the position in the search."""


@inlined
def set_frame(work: Any, ply: int, turn: int, base: int, path_end: int, begins_turn: int) -> None:
    frame = work.stack[ply]
    frame.turn, frame.start, frame.path_end, frame.begins_turn = turn, base, path_end, begins_turn


@inlined
def count_node(work: Any, ply: int) -> None:
    """Count the position at *ply*, and stop the search at its limits."""
    work.nodes += 1
    work.line_length[ply] = 0
    if work.nodes >= work.look_at:
        look_at_limits(work)


@subroutine
def ending_score(state: State, turn: int, weights: Weights, work: Any) -> float:
    """The score for the root's side of the finished game *state*, *turn* turns from the root."""
    if work.prefers_wins == 0:
        judged: float = evaluate(state, int(work.root_seat), weights)
        return judged
    return won_or_lost(state, turn, work)


@subroutine
def turns_ahead(state: State, depth: int, turn: int, ply: int, base: int, work: Any) -> int:
    """The turns to look ahead at the start of a turn: *depth*, or one more at the horizon if *state* is not quiet.

    0 to evaluate it.
    """
    if depth == 0 and not is_quiet(state):
        depth = 1
    return 0 if turn == MOST_DEPTH or base > work.buffer_limit or ply > LAST_PLY else depth


@subroutine
def judged_leaf(state: State, player: int, alpha: float, beta: float, turn: int, base: int, search: Search) -> float:
    """The score of *state*, at the horizon, for the root's side: that of a forced win if one is found.

    :param player: the seat that took the step to it; *alpha* and *beta* are from its view.
    """
    work, accumulator = search.work, search.accumulator
    root_seat, seat = int(work.root_seat), mover(state)
    worth: float = judged(state, root_seat, search.weights, accumulator)
    most_turns = int(work.win_turns)
    if most_turns > 0:
        own = worth if allied(state, root_seat, seat) else -worth
        needed = beta if allied(state, player, seat) else -alpha
        if own < needed:
            limit = work.nodes + LEAF_NODES
            turns = forced_win(state, seat, most_turns, limit, base, work, accumulator)
            if turns > 0:
                won = WIN - turn - turns
                return won if allied(state, root_seat, seat) else -won
    work.horizon_leaves += 1
    return worth


@subroutine
def score_by_tables(state: State, turn: int, endings: Any, work: Any) -> tuple[bool, float]:
    """Whether endgame tables prove the result of *state*, at the start of a turn; its score for the root's side.

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


@inlined
def enter(
    state: State, player: int, ply: int, depth: int, alpha: float, beta: float,
    turn: int, base: int, path_end: int, search: Search,
) -> tuple[bool, float, int]:  # fmt: skip
    """Whether *state* needs no search; its score for the side of *player*, whose step led to it; turns to look ahead.

    If it needs a search, the record of *ply* is filled in.

    :param depth: turns to look ahead, including *player*'s own; at least 1.
    :param base: ``work.buffer[base:]`` is free; *turn* and *path_end* are those of the position before, see ``FRAME``.
    """
    work = search.work
    count_node(work, ply)
    side = side_of(state, player, work)

    # End of the game
    if is_over(state):
        won = ending_score(state, turn + 1, search.weights, work)
        return True, won if side == 0 else -won, 0
    if mover(state) == player:
        set_frame(work, ply, turn, base, path_end, 0)
        return False, 0.0, depth

    # A turn begins: tables of endings, repetition, quiescence search, horizon
    turn += 1
    if work.asks_tables != 0:
        is_known, worth = score_by_tables(state, turn, search.endings, work)
        if is_known:
            return True, worth if side == 0 else -worth, 0
    is_again, paid = comes_back(state, path_end, path_end, work)
    if is_again:
        return True, paid, 0
    if depth == 1 and work.pruning & QUIESCENCE != 0 and work.is_exact == 0:
        if side_of(state, mover(state), work) != side:
            score = -quiescence_search(state, -beta, -alpha, turn, ply, base, path_end + 1, search.weights, work)
            return True, score, 0
        score = quiescence_search(state, alpha, beta, turn, ply, base, path_end + 1, search.weights, work)
        return True, score, 0
    depth = turns_ahead(state, depth - 1, turn, ply, base, work)
    if depth == 0:
        worth = judged_leaf(state, player, alpha, beta, turn, base, search)
        return True, worth if side == 0 else -worth, 0
    set_frame(work, ply, turn, base, path_end + 1 if can_repeat(state) else path_end, 1)
    return False, 0.0, depth


@inlined
def defend(
    state: State, base: int, end: int, turn: int, begins_turn: bool, best: float, alpha: float, search: Search
) -> tuple[int, float, float]:
    """Write the steps that may help if all of ``buffer[base:end]`` lose, the best of them with the score *best*, from
    *end* on.

    Returns the index after the last, the score of the best step so far, and the upper limit of the scores of further
    ones.
    """
    work, accumulator = search.work, search.accumulator
    if are_all_answers(state, base, end, work, accumulator):
        return end, best, INFINITY
    if alpha < -UNPROVEN and work.is_exact != 0:
        return write_others(state, base, end, work, accumulator), best, -UNPROVEN
    if alpha < -UNPROVEN and begins_turn:
        last, turns = further_defences(state, base, end, work, accumulator)
        if turns > 0:
            return last, max(best, turn + turns - WIN), INFINITY
    work.horizon_leaves += 1
    return end, -UNPROVEN, INFINITY


@subroutine
def remember_line(work: Any, ply: int, step: int) -> None:
    """Store the best line from *ply*: *step*, then the line found after it."""
    length = min(int(work.line_length[ply + 1]), _LINE - 1)
    work.line[ply, 0] = step
    for index in range(length):
        work.line[ply, index + 1] = work.line[ply + 1, index]
    work.line_length[ply] = length + 1


@subroutine
def is_minor(after: State, index: int, work: Any) -> bool:
    """Whether the step ``buffer[index]``, which leads to *after*, is quiet, and so are its consequences."""
    return work.order[index] < KILLER and is_quiet(after)


@subroutine
def negamax(state: State, ply: int, depth: int, alpha: float, beta: float, search: Search) -> float:
    """The score of *state*, prepared by ``enter``, for the side of the seat to act.

    It is exact if it lies between *alpha* and *beta*, and a bound otherwise.

    :param ply: steps from the root.
    :param depth: turns to look ahead, including the current one; at least 1.
    """
    work, table, accumulator = search.work, search.table, search.accumulator
    frame = work.stack[ply]
    turn, base, path_end, begins_turn = int(frame.turn), int(frame.start), int(frame.path_end), frame.begins_turn != 0
    excluded, is_after_pass = int(frame.excluded) - 1, int(frame.is_after_pass)
    seat = mover(state)
    side = side_of(state, seat, work)

    # Transposition table probe
    position, orientation, table_step = 0, 0, -1
    uses_table = excluded < 0 and depth >= work.table_depth
    if uses_table:
        position, orientation = identify(state, depth, work)
        left = steps_to_draw(state)
        is_known, known, table_step = probe_table(table, position, orientation, depth, turn, left, alpha, beta, work)
        if is_known:
            return known

    # Futility pruning, in null windows
    to_try, null_depth = EVERY_STEP, 0
    is_yes_or_no = beta - alpha < 2.0 * NULL_WINDOW and abs(alpha) < WIN_BOUND
    prunes = begins_turn and work.is_exact == 0 and is_yes_or_no
    if prunes:
        is_good, worth, null_depth, to_try = futility(
            state, side, depth, alpha, beta, is_after_pass, search.weights, work, accumulator
        )
        if is_good:
            return worth

    # Null move
    if null_depth > 0:
        there = passed(state)
        is_known, score, look = enter(there, seat, ply + 1, null_depth, alpha, beta, turn, base, path_end, search)
        if not is_known:
            work.stack[ply + 1].is_after_pass = 1
            if side_of(there, mover(there), work) == side:
                score = negamax(there, ply + 1, look, alpha, beta, search)
            else:
                score = -negamax(there, ply + 1, look, -beta, -alpha, search)
            work.stack[ply + 1].is_after_pass = 0
        if work.stop != 0:
            return 0.0
        if score >= beta:
            work.horizon_leaves += 1
            return min(score, WIN_BOUND - 1.0)

    # ProbCut
    way, bound = 0, 0.0
    if prunes:
        way, bound = probcut_bound(state, side, depth, alpha, beta, search.weights, work, accumulator)
    if way != 0:
        low = bound - NULL_WINDOW if way > 0 else bound
        count_node(work, ply)
        frame.begins_turn = 0
        score = negamax(state, ply, max(1, depth - PROBCUT_LESS), low, low + NULL_WINDOW, search)
        if work.stop != 0:
            return 0.0
        if (way > 0 and score >= low + NULL_WINDOW) or (way < 0 and score <= low):
            work.horizon_leaves += 1
            return beta if way > 0 else alpha

    # Step generation, single-reply extension, internal iterative reduction
    leaves_before, past_before = work.horizon_leaves, work.rests_on_past
    learns = work.pruning & REDUCTIONS != 0 and work.is_exact == 0
    end = options(state, work.buffer, base, accumulator)
    if end == base + 1 and work.pruning & SINGLE_REPLY != 0 and work.is_exact == 0:
        depth += 1
    elif learns and table_step < 0 and depth >= IIR_DEPTH:
        depth -= 1
    unrated = base + 1 if table_step >= 0 and bring_forward(work, base, end, table_step) else base

    # Singular extension and multi-cut
    first_depth = depth
    if unrated > base and end > base + 1:
        is_asked, low = singular_bound(table, position, depth, turn, beta, work)
        if is_asked:
            count_node(work, ply)
            frame.start, frame.begins_turn, frame.excluded = end, 0, table_step + 1
            score = negamax(state, ply, depth // 2, low, low + NULL_WINDOW, search)
            frame.excluded = 0
            if work.stop != 0:
                return 0.0
            if score <= low:
                first_depth += 1
            elif low >= beta:
                work.horizon_leaves += 1
                return beta
            # That sets the depth only, not the score.
            work.horizon_leaves, work.rests_on_past, work.line_length[ply] = leaves_before, past_before, 0

    best, best_step, floor, most = -INFINITY, -1, alpha, INFINITY
    is_doubtful = work.leaves_steps_out != 0 and excluded < 0
    is_wide, is_whole = beta - alpha > 2.0 * NULL_WINDOW, True
    shares, until, index = work.shares != 0 and depth >= SHARED_DEPTH and uses_table, end, base
    while True:
        # Defences: all steps tried lose, but there may be others
        if index == end:
            if best > -WIN_BOUND or not is_doubtful:
                break
            is_doubtful = False
            end, best, most = defend(state, base, end, turn, begins_turn, best, alpha, search)
            beta, floor = min(beta, most), max(floor, best)
            if index == end or best >= beta:
                break
            unrated, until = index, end

        # ABDADA: steps deferred for another thread come last; the table may have them by now
        if index == until:
            shares, until = False, end
            left = steps_to_draw(state)
            is_known, known, _ = probe_table(table, position, orientation, depth, turn, left, alpha, beta, work)
            if is_known:
                return known
            sort_steps(work, index, end)

        # Step ordering
        step = int(work.buffer[index])
        if is_whole:
            step = next_step(state, work, index, unrated, until, ply, side, search.weights, accumulator)
        if step == excluded:
            index += 1
            continue

        # ABDADA: defer steps that another thread is searching
        mark = 0
        if shares and index > base:
            mark = mark_of(position, step, depth)
            if is_marked(search.marks, mark):
                until -= 1
                defer(work, index, until)
                continue
        index += 1

        # Late step pruning
        after = play(state, step)
        number = index - 1 - base
        if number >= to_try and index > unrated and best > -WIN_BOUND and is_minor(after, index - 1, work):
            is_whole = False
            continue

        # Late step reduction and principal variation search
        full = first_depth if number == 0 else depth
        ceiling, look = beta, full
        if number > 0:
            ceiling = min(beta, floor + NULL_WINDOW)
            look -= reduction(work, index - 1, number, depth, floor)
        if mark != 0:
            set_mark(search.marks, mark)
        note(state, step, accumulator)
        while True:
            is_known, score, left = enter(after, seat, ply + 1, look, floor, ceiling, turn, end, path_end, search)
            if not is_known:
                if side_of(after, mover(after), work) == side:
                    score = negamax(after, ply + 1, left, floor, ceiling, search)
                else:
                    score = -negamax(after, ply + 1, left, -ceiling, -floor, search)
            if work.stop != 0 or score <= floor or (look == full and (ceiling == beta or score >= beta)):
                break
            if look == full:
                ceiling = beta
            look = full
        unnote(state, step, accumulator)
        if mark != 0:
            clear_mark(search.marks, mark)
        if work.stop != 0:
            return 0.0

        # Best step, and cutoff
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

    # Transposition table store
    if uses_table:
        kind = LOWER if best >= beta else (EXACT if best > alpha else UPPER)
        kind += RESOLVED if work.horizon_leaves == leaves_before else 0
        if work.rests_on_past != past_before:
            depth = 0  # on another path its score may differ: only the step is useful
        store(table, position, pack(best_step, depth, kind, orientation, int(work.age)), from_table(best, -turn))
    return best


@inlined
def score_of_step(
    state: State, step: int, depth: int, alpha: float, beta: float, base: int, path_end: int, search: Search
) -> float:
    """The score of *step* from *state*, the root, for the side of the seat to act; see ``negamax``."""
    work = search.work
    work.root_depth = depth
    seat, after = mover(state), play(state, step)
    note(state, step, search.accumulator)
    is_known, score, left = enter(after, seat, 0, depth, alpha, beta, 0, base, path_end, search)
    if not is_known:
        if allied(after, seat, mover(after)):
            score = negamax(after, 0, left, alpha, beta, search)
        else:
            score = -negamax(after, 0, left, -beta, -alpha, search)
    unnote(state, step, search.accumulator)
    return score


@compiled
def root_score(
    state: State, step: int, depth: int, alpha: float, beta: float, path_end: int,
    weights: Weights, table: Any, marks: Any, endings: Any, works: Any, accumulators: Any,
) -> float:  # fmt: skip
    """``score_of_step``, from Python.

    :param marks, works, accumulators: arrays of one.
    """
    search = Search(works[0], table, marks[0], endings, weights, accumulators[0])
    return score_of_step(state, step, depth, alpha, beta, 0, path_end, search)


@compiled
def write_candidates(state: State, buffer: Any, base: int) -> int:
    """``candidates``, from Python."""
    return int(candidates(state, buffer, base))


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


@subroutine
def quiescence_search(
    state: State, alpha: float, beta: float, turn: int, ply: int, base: int, path_end: int, weights: Weights, work: Any
) -> float:
    """The score of *state*, at the start of a turn, for the side to act, after all captures.

    It is exact if it lies between *alpha* and *beta*, and a bound otherwise.

    :param turn: turns from the root; *ply*: steps from the root.
    :param base: ``work.buffer[base:]`` is free, and ``work.path[path_end:]``.
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
        if not stands and work.has_come_twice != 0:  # captures can't repeat a position
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
    # If all steps tried lose, those left out may be better.
    return best if best > -WIN_BOUND or not stands else judged
