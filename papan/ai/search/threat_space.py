"""Wins that are forced step by step: each leaves the other side few answers, and each answer loses.

Allis, van den Herik and Huntjens, "Go-Moku and Threat-Space Search" (1994), without its heuristic part: it tries all
answers that a proof needs (``answers``), and for the winner only steps that leave few (``pressing``). In gomoku these
are fours, and the win is one "by continuous fours". So a win found is proved; if none is found, nothing is known.

It can also prove a loss that is only likely, as all ``candidates`` lose: if the side would lose by force after a pass,
only steps that touch that forced win can help (``defences``). Allis calls these the answers to a threat that is no
four; Wu and Lin, "Relevance-Zone-Oriented Proof Search for Connect6" (2010), prove wins by the same argument.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.ai.evaluation import passed
from papan.ai.evaluation.accumulator import PASS, answers, defences, note, pressing, unnote
from papan.ai.search.deepening import look_at_limits
from papan.game.kernel import compiled, subroutine
from papan.game.rules import State, can_repeat, is_over, mover, payoff, play

FEW = 4
"""Positions with more answers than this are not searched."""
LEAF_NODES = 60
"""Nodes of a search for a forced win at a leaf."""
LEAF_TURNS = 17
ROOT_NODES = 30_000
ROOT_TURNS = 61
"""Nodes, and turns of both sides, of the search for a forced win at the root, before anything else."""
ROOT_SHARE = 0.25
"""The largest part of a search's nodes or time for that."""
PASS_NODES = 1_000
"""Nodes of the search for a forced win after a pass of a side that seems lost."""
MOST_PROOF = 1 << 10
"""The most steps of a forced win to note."""

PROOF_FIELDS: list[tuple[Any, ...]] = [
    ("proof", np.int64, (MOST_PROOF,)),  # steps of the forced win found: the winner's, and ~step for each answer
    ("proof_length", np.int64),  # the number of these steps
]


@subroutine
def is_spent(node_limit: int, work: Any) -> bool:
    """Whether to end the search for a forced win: at *node_limit*, or with the whole search."""
    if work.nodes >= work.look_at:
        look_at_limits(work)
    return bool(work.nodes >= node_limit or work.stop != 0)


@subroutine
def forced_win(state: State, seat: int, turns: int, node_limit: int, base: int, work: Any, accumulator: Any) -> int:
    """The number of turns of both sides that *seat* needs for a certain win of *state*; 0 if no win is found.

    :param turns: the most turns of the win.
    :param node_limit: nodes of *work* at which the search ends.
    :param base: ``work.buffer[base:]`` is free.
    """
    if turns < 1 or base > work.buffer_limit or can_repeat(state):
        return 0
    attacks = mover(state) == seat
    if attacks:
        end = pressing(state, work.buffer, base, accumulator)
    else:
        end = answers(state, work.buffer, base, accumulator)
        if end - base > FEW:
            return 0
    longest = 0
    for index in range(base, end):
        step = int(work.buffer[index])
        after = play(state, step)
        work.nodes += 1
        if is_spent(node_limit, work):
            return 0
        found = 0
        if is_over(after):
            found = 1 if payoff(after, seat) > 0.0 else 0
        elif turns > 1 and mover(after) != mover(state):
            note(state, step, accumulator)
            found = forced_win(after, seat, turns - 1, node_limit, end, work, accumulator)
            found += 1 if found > 0 else 0
            unnote(state, step, accumulator)
        if attacks and found > 0:
            return found
        if not attacks and found == 0:
            return 0
        longest = max(longest, found)
    return longest


@subroutine
def trace(state: State, seat: int, turns: int, base: int, work: Any, accumulator: Any) -> bool:
    """Add the steps of a win that *seat* forces in *turns* turns to ``work.proof``; returns whether all fit."""
    attacks = mover(state) == seat
    end = pressing(state, work.buffer, base, accumulator) if attacks else answers(state, work.buffer, base, accumulator)
    for index in range(base, end):
        step = int(work.buffer[index])
        after = play(state, step)
        if work.proof_length == MOST_PROOF or work.stop != 0:
            return False
        work.proof[work.proof_length] = step if attacks else ~step
        work.proof_length += 1
        if is_over(after):
            if not attacks or payoff(after, seat) > 0.0:
                return attacks
        else:
            note(state, step, accumulator)
            limit = work.nodes + PASS_NODES
            is_won = not attacks or forced_win(after, seat, turns - 1, limit, end, work, accumulator) > 0
            is_traced = is_won and trace(after, seat, turns - 1, end, work, accumulator)
            unnote(state, step, accumulator)
            if is_won and (attacks or not is_traced):
                return is_traced
        if attacks:
            work.proof_length -= 1
    return not attacks


@subroutine
def is_among(step: int, base: int, end: int, work: Any) -> bool:
    for index in range(base, end):
        if work.buffer[index] == step:
            return True
    return False


@subroutine
def are_all_answers(state: State, base: int, end: int, work: Any, accumulator: Any) -> bool:
    """Whether a seat that loses by all of ``buffer[base:end]`` is lost: other steps need not be tried."""
    for index in range(end, answers(state, work.buffer, end, accumulator)):
        if not is_among(int(work.buffer[index]), base, end, work):
            return False
    return True


@subroutine
def write_others(state: State, base: int, end: int, work: Any, accumulator: Any) -> int:
    """Write all answers that are not among ``buffer[base:end]`` from *end* on; return the index after the last."""
    return drop_known(base, end, answers(state, work.buffer, end, accumulator), work)


@subroutine
def drop_known(base: int, end: int, last: int, work: Any) -> int:
    """Keep the steps of ``buffer[end:last]`` that are not among ``buffer[base:end]``; return the index after them."""
    found = end
    for index in range(end, last):
        step = int(work.buffer[index])
        if not is_among(step, base, end, work):
            work.buffer[found] = step
            found += 1
    return found


@subroutine
def further_defences(state: State, base: int, end: int, work: Any, accumulator: Any) -> tuple[int, int]:
    """Write further steps than ``buffer[base:end]`` that may save the seat to act from *end* on, at its turn's start.

    Returns the index after the last, and the turns of both sides until every other step loses; 0 turns if unknown.
    """
    there = passed(state)
    if mover(there) == mover(state) or is_over(there):
        return end, 0
    note(state, PASS, accumulator)
    work.proof_length = 0
    turns = forced_win(there, mover(there), int(work.win_turns), work.nodes + PASS_NODES, end, work, accumulator)
    is_traced = turns > 0 and trace(there, mover(there), turns, end, work, accumulator)
    unnote(state, PASS, accumulator)
    if not is_traced:
        return end, 0
    last = defences(state, work.proof, int(work.proof_length), work.buffer, end, accumulator)
    return drop_known(base, end, last, work), turns + 1


@compiled
def root_defences(state: State, work: Any, accumulator: Any) -> int:
    """Write the steps that may save the seat to act if it would lose by force after a pass; return their number.

    0 if no such threat is found.
    """
    end, turns = further_defences(state, 0, 0, work, accumulator)
    return int(end) if turns > 0 else 0


@compiled
def shortest_forced_win(state: State, work: Any, accumulator: Any) -> tuple[int, int]:
    """A step of the seat to act that certainly wins, and the turns of both sides that this takes; 0 turns if none."""
    seat = mover(state)
    limit = work.nodes + min(ROOT_NODES, int(ROOT_SHARE * (work.node_limit - work.nodes)))
    end = int(pressing(state, work.buffer, 0, accumulator))  # the default returns the 0 itself, of another type
    for turns in range(1, ROOT_TURNS + 1, 2):
        for index in range(end):
            step = int(work.buffer[index])
            after = play(state, step)
            if is_over(after):
                if payoff(after, seat) > 0.0:
                    return step, 1
            elif turns > 1:
                note(state, step, accumulator)
                found = forced_win(after, seat, turns - 1, limit, end, work, accumulator)
                unnote(state, step, accumulator)
                if found > 0:
                    return step, found + 1
            if is_spent(limit, work):
                return -1, 0
    return -1, 0
