"""Santorini on graphs: Geissler's variants, on any graph of up to 126 nodes.

"A Mathematical Analysis of the Game of Santorini" (2020), section 4.1, defines them.
The ordinary game, ``4W_P4H_TWUS`` on ``grid:5x5``, is one of them; ``names`` says what the letters
mean and which graphs there are. A turn is a move along an edge, one level up at most, and then a block: on a node
from which the worker could have come. Nobody moves to or builds on a worker or a node of the maximum height, which
is closed: the last level is what the dome is elsewhere. Where there are tower wins, moving onto a node one level
below that wins at once; a seat that can't move has lost. After a move there is always the node just left to build on.

Seat 1 places all its workers and then seat 2 does; shared workers are placed by turns, one a turn. Then play goes on
with the next seat.

A step is one integer: its kind, then the node that its worker leaves, then the node gone to, built on or placed on.
``3-5`` moves, ``+7`` builds, so ``3-5+7`` is a turn; ``3,12`` places two workers. ``position`` has
the position text, ``words`` what is said to people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from papan.game.base.sentences import say
from papan.game.kernel import inlined, subroutine
from papan.game.kernel.bits import hashed, lowest, popcount, write_bits
from papan.game.rules import is_over, key, mover, moves, payoff, play, reason_number
from papan.game.rules.santorini_graph.board import (
    BUILD,
    BUILDING,
    MOVE,
    MOVING,
    NODE_MASK,
    ORIGIN_SHIFT,
    PLACE,
    PLACING,
    REACHED_TOP,
    SHARED,
    TOWER_WINS,
    State,
    begin_turn,
    building_sites,
    destinations,
    height,
    move_step,
    next_to_place,
    state_of,
    step_parts,
    workers_of,
)
from papan.game.rules.santorini_graph.names import MOST_MOVES
from papan.game.rules.santorini_graph.position import game_of, parse, text
from papan.game.rules.santorini_graph.wide import WideState
from papan.game.rules.santorini_graph.words import describe, ending, prompt, refusal, refusal_at, seat_note

__all__ = [
    "MOST_STEPS",
    "PERFT_COUNTS_ENDED_GAMES",
    "PHASES",
    "SET_UP_PHASES",
    "State",
    "WideState",
    "cells",
    "describe",
    "ending",
    "move_step",
    "notation",
    "parse",
    "phase",
    "prompt",
    "refusal",
    "refusal_at",
    "seat_note",
    "start",
    "step_parts",
    "text",
]

MOST_STEPS = MOST_MOVES  # no board has as many nodes to place a worker on
PHASES: Mapping[str, Sequence[str]] = {
    say("place worker"): ("place worker", "move"),
    say("move"): ("build",),
    say("build"): ("move",),
}
SET_UP_PHASES = ("place worker",)
PERFT_COUNTS_ENDED_GAMES = True
_PHASE_NAMES = dict(zip((PLACING, MOVING, BUILDING), PHASES, strict=True))


# ------------------------------------------------------------------------------------------- kernels


@mover.of(State, WideState)
def _mover(state: State) -> int:
    return state.seat


@moves.of(State)
def _moves(state: State, buffer: list[int], base: int) -> int:
    if state.phase == MOVING:
        workers = workers_of(state, state.seat)
        while workers:
            node = lowest(workers)
            workers &= workers - 1
            base = write_bits(destinations(state, node), MOVE | node << ORIGIN_SHIFT, buffer, base)
    elif state.phase == BUILDING:
        base = write_bits(building_sites(state), BUILD, buffer, base)
    elif state.phase == PLACING:
        base = write_bits(((1 << state.nodes) - 1) & ~(state.workers | state.others), PLACE, buffer, base)
    return base


@subroutine
def after_placing(state: State, target: int) -> State:
    """*state* with one more worker, on *target*."""
    workers, others, seat = state.workers, state.others, state.seat
    if seat == 0 or state.rules & SHARED:
        workers |= 1 << target
    else:
        others |= 1 << target
    placed = popcount(workers) + popcount(others)
    after = state._replace(workers=workers, others=others, seat=next_to_place(state.rules, state.number, placed))
    if placed == state.number:
        after = begin_turn(after)
    return after


@inlined
def after_moving(state: State, origin: int, target: int) -> State:
    """*state* after the move of a worker from *origin* to *target*."""
    workers, others = state.workers, state.others
    start, end = 1 << origin, 1 << target
    if workers & start:
        workers ^= start | end
    else:
        others ^= start | end
    if state.rules & TOWER_WINS and height(state, target) == state.top - 1:
        return state._replace(workers=workers, others=others, phase=REACHED_TOP)
    return state._replace(workers=workers, others=others, active=end, origin=start, phase=BUILDING)


@inlined
def after_building(state: State, target: int) -> State:
    """*state* with *target* one level higher, and the other seat's turn."""
    carry = 1 << target
    ones = state.ones ^ carry
    carry &= state.ones
    twos = state.twos ^ carry
    carry &= state.twos
    fours = state.fours ^ carry
    carry &= state.fours
    eights = state.eights ^ carry
    built: State = begin_turn(state._replace(ones=ones, twos=twos, fours=fours, eights=eights, seat=1 - state.seat))
    return built


@play.of(State)
@inlined
def _play(state: State, step: int) -> State:
    origin, target = step >> ORIGIN_SHIFT & NODE_MASK, step & NODE_MASK
    if state.phase == MOVING:
        return after_moving(state, origin, target)
    if state.phase == BUILDING:
        return after_building(state, target)
    return after_placing(state, target)


@is_over.of(State, WideState)
def _is_over(state: State) -> bool:
    return state.phase >= REACHED_TOP


@payoff.of(State, WideState)
def _payoff(state: State, seat: int) -> float:
    return 1.0 if (seat == state.seat) == (state.phase == REACHED_TOP) else -1.0


@reason_number.of(State, WideState)
def _reason_number(state: State) -> int:
    return state.phase


@key.of(State)
def _key(state: State) -> int:
    # Neither the graph nor the variant is in it: they are the same throughout a match.
    return hashed(
        state.ones,
        state.twos,
        state.fours,
        state.eights,
        state.workers,
        state.others,
        state.active | state.origin,  # a worker stands on the one and none on the other: that tells them apart
        state.seat << 3 | state.phase,
    )


# --------------------------------------------------------------------------------------- for people


def start(options: Mapping[str, str], random: Random) -> State:
    """The empty board that the options describe.

    :raises OptionError: the board has too few nodes for the variant's workers.
    """
    graph, variant = game_of(options)
    empty: State = state_of(graph, variant, [0] * graph.nodes, (0, 0), 0, PLACING)
    return empty


def phase(state: State) -> str:
    """The phase by its name; a game ends in the phase ``move``."""
    return _PHASE_NAMES.get(state.phase, "move")


def notation(state: State, step: int) -> str:
    """A step as the module's docstring shows it."""
    kind, origin, target = step_parts(step)
    if kind == PLACE:
        is_further = workers_of(state, state.seat) and not state.rules & SHARED
        return f",{target}" if is_further else str(target)
    return f"{origin}-{target}" if kind == MOVE else f"+{target}"


def cells(state: State, step: int) -> tuple[int, ...]:
    """The nodes a person points at: the worker's and its target's, or the one to build or to place on."""
    kind, origin, target = step_parts(step)
    return (origin, target) if kind == MOVE else (target,)
