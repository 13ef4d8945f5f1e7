"""Santorini: climb the towers that both sides build; whoever moves up onto level 3 wins (seed 000).

A turn is a move and a build by the same worker; a worker steps up one level at most. A seat that can't
complete a turn has lost, and only turns that can be completed are offered. ``santorini_board`` has the
state and the geometry, ``santorini_position`` the position text.

A step is one integer: its kind, then for a move the cell left, then the cell gone to, built on or placed
on; the number of a god stands where the cell does. Turn notation: ``b3-c3+d4`` moves and builds, ``b3-c3``
wins, ``b3,d3`` places workers, ``apollo`` picks a god. ``+`` raises a tower by one, which on level 3 is
the dome for everybody; ``b3-c3^d4`` is Atlas' dome below level 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from game.bits import lowest, popcount
from game.kernel import subroutine
from game.kernels import is_over, key, mover, moves, payoff, play
from game.rules import Ending
from game.santorini_board import (
    APOLLO,
    ATLAS,
    BOARD,
    BUILDING,
    CELLS,
    DOME_HEIGHT,
    GOD_BITS,
    GOD_SETS,
    GODS,
    MOVING,
    NEIGHBOURS,
    PICKING,
    PLACING,
    REACHED_TOP,
    REPEATS,
    SEATS,
    STUCK,
    WORKERS,
    State,
    all_workers,
    begin_turn,
    building_sites,
    cell_name,
    destinations,
    god_numbers,
    god_of,
    gods_on_offer,
    height,
    next_seat,
    too_high,
    wins_by,
    worker_owner,
    workers_of,
)
from game.santorini_position import parse, text

__all__ = [
    "BUILD",
    "DOME",
    "MOST_STEPS",
    "MOVE",
    "PERFT_COUNTS_ENDED_GAMES",
    "PHASES",
    "PICK",
    "PLACE",
    "State",
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

MOST_STEPS = CELLS  # placing the first worker
PHASES = {
    "pick god": ("pick god", "place worker", "move"),
    "place worker": ("place worker", "move"),
    "move": ("build",),
    "build": ("move",),
}
PERFT_COUNTS_ENDED_GAMES = True

# The kind of a step, and below it five bits for the cell that a move leaves and five for the other cell.
ORIGIN_SHIFT = 5
CELL_MASK = (1 << ORIGIN_SHIFT) - 1
KIND_SHIFT = 2 * ORIGIN_SHIFT
KIND_MASK = -1 << KIND_SHIFT
MOVE, BUILD, DOME, PLACE, PICK = (kind << KIND_SHIFT for kind in range(5))
KINDS_OF_PHASE = {PICKING: (PICK,), PLACING: (PLACE,), MOVING: (MOVE,), BUILDING: (BUILD, DOME)}

MASK63 = (1 << 63) - 1
HASH_SEED = 0x243F6A8885A308D3  # the first digits of pi
HASH_FACTOR = 6364136223846793005  # the multiplier of Knuth's MMIX generator


# ------------------------------------------------------------------------------------------- kernels


@subroutine
def write_steps(buffer: list[int], base: int, kind: int, targets: int) -> int:
    """Write a step of *kind* to each cell of *targets* into ``buffer[base:]``; returns the index after the last."""
    while targets:
        buffer[base] = kind | lowest(targets)
        base += 1
        targets &= targets - 1
    return base


@mover.of(State)
def _mover(state: State) -> int:
    return state.seat


@moves.of(State)
def _moves(state: State, buffer: list[int], base: int) -> int:
    if state.phase == MOVING:
        own = workers_of(state, state.seat)
        while own:
            cell = lowest(own)
            base = write_steps(buffer, base, MOVE | cell << ORIGIN_SHIFT, destinations(state, state.seat, cell))
            own &= own - 1
    elif state.phase == BUILDING:
        sites = building_sites(state)
        base = write_steps(buffer, base, BUILD, sites)
        if god_of(state, state.seat) == ATLAS:
            base = write_steps(buffer, base, DOME, sites & ~state.level_3)
    elif state.phase == PLACING:
        base = write_steps(buffer, base, PLACE, BOARD & ~all_workers(state))
    elif state.phase == PICKING:
        base = write_steps(buffer, base, PICK, state.offer & ~REPEATS)
    return base


@play.of(State)
def _play(state: State, step: int) -> State:
    level_1, level_2, level_3, domes = state.level_1, state.level_2, state.level_3, state.domes
    workers, seat, gods, offer, missing = state.workers, state.seat, state.gods, state.offer, state.missing
    active = 0
    phase = MOVING
    kind = step & KIND_MASK
    target = step & CELL_MASK
    cell = 1 << target
    if kind == MOVE:
        origin = step >> ORIGIN_SHIFT & CELL_MASK
        change = cell | 1 << origin
        if all_workers(state) >> target & 1:  # Apollo: the opponent's worker goes the other way
            workers ^= change | change << CELLS
        else:
            workers ^= change << (CELLS * seat)
        if wins_by(state, origin, target):
            phase = REACHED_TOP
        else:
            phase = BUILDING
            active = cell
    elif kind == BUILD:
        domes |= cell & level_3
        level_3 |= cell & level_2
        level_2 |= cell & level_1
        level_1 |= cell
        seat = next_seat(seat)
    elif kind == DOME:
        missing |= (DOME_HEIGHT - 1 - height(state, target)) << (2 * target)
        level_1, level_2, level_3, domes = level_1 | cell, level_2 | cell, level_3 | cell, domes | cell
        seat = next_seat(seat)
    elif kind == PLACE:
        workers |= cell << (CELLS * seat)
        if popcount(workers) < SEATS * WORKERS:
            phase = PLACING
        if popcount(workers) % WORKERS == 0:
            seat = next_seat(seat)
    else:
        gods |= target << (GOD_BITS * seat)
        seat = next_seat(seat)
        if seat != 0:
            phase = PICKING
            offer = offer if offer & REPEATS else offer & ~cell
        else:
            phase = MOVING if workers else PLACING
            offer = 0
    after = State(level_1, level_2, level_3, domes, workers, active, seat, phase, gods, offer, missing)
    return begin_turn(after) if phase == MOVING else after


@is_over.of(State)
def _is_over(state: State) -> bool:
    return state.phase >= REACHED_TOP


@payoff.of(State)
def _payoff(state: State, seat: int) -> float:
    return 1.0 if (seat == state.seat) == (state.phase == REACHED_TOP) else -1.0


@key.of(State)
def _key(state: State) -> int:
    # 63 bits, so that compiled and plain arithmetic agree; fields that share a word don't overlap in it.
    small = state.seat | state.phase << 2 | state.gods << 5 | state.offer << 21
    hashed = HASH_SEED
    for word in (
        state.active | small << CELLS,
        state.level_3 | state.domes << CELLS,
        state.level_1 | state.level_2 << CELLS,
        state.workers,
    ):
        hashed = (hashed ^ word) * HASH_FACTOR & MASK63
        hashed ^= hashed >> 32
    return hashed


# --------------------------------------------------------------------------------------- for people


def start(options: Mapping[str, str], random: Random) -> State:
    """The empty board; what the options leave to chance, gods or places, is dealt by *random*."""
    gods = GOD_SETS[options["gods"]]
    may_repeat = options["same"] == "yes"
    picked: list[int] = []
    if gods and options["pick"] == "random":
        picked = random.choices(gods, k=SEATS) if may_repeat else random.sample(gods, SEATS)
    workers = 0
    if options["placement"] == "random":
        for index, cell in enumerate(random.sample(range(CELLS), SEATS * WORKERS)):
            workers |= 1 << (cell + CELLS * (index % SEATS))
    if gods and not picked:
        return State(0, 0, 0, 0, workers, 0, 0, PICKING, 0, gods_on_offer(options["gods"], may_repeat, []), 0)
    return State(0, 0, 0, 0, workers, 0, 0, MOVING if workers else PLACING, god_numbers(picked), 0, 0)


def move_step(origin: int, target: int) -> int:
    """The step that moves the worker on *origin* to *target*."""
    return MOVE | origin << ORIGIN_SHIFT | target


def step_parts(step: int) -> tuple[int, int, int]:
    """A step's kind, the cell that a move leaves, and the other cell (or the god)."""
    return step & KIND_MASK, step >> ORIGIN_SHIFT & CELL_MASK, step & CELL_MASK


def phase(state: State) -> str:
    """The phase by its name in the seed; a game ends in the phase ``move``."""
    return "move" if is_over(state) else tuple(PHASES)[state.phase]


def notation(state: State, step: int) -> str:
    """A step as the module's docstring shows it."""
    kind, origin, target = step_parts(step)
    if kind == PICK:
        return GODS[target].name
    if kind == MOVE:
        return f"{cell_name(origin)}-{cell_name(target)}"
    if kind == PLACE:
        return ("," if workers_of(state, state.seat) else "") + cell_name(target)
    return ("^" if kind == DOME else "+") + cell_name(target)


def cells(state: State, step: int) -> tuple[int, ...]:
    """From and to for a move, else the one cell; a god is picked by name."""
    kind, origin, target = step_parts(step)
    if kind == MOVE:
        return origin, target
    return () if kind == PICK else (target,)


def refusal(state: State, step: int) -> str:
    """Which rule forbids *step*."""
    kind, origin, target = step_parts(step)
    if is_over(state):
        return f"The game is over: {ending(state).reason}."
    if kind not in KINDS_OF_PHASE[state.phase]:
        return {
            PICKING: "A god is to be picked first.",
            PLACING: "Both workers are to be placed first.",
            MOVING: "A worker is to be moved first.",
            BUILDING: "The worker that moved is to build now.",
        }[state.phase]
    if kind == PICK:
        if target not in range(1, len(GODS)):
            return "There is no such god."
        return f"{GODS[target].title} is not on offer in this game, or another seat has already picked that god."
    if target >= CELLS or (kind == MOVE and origin >= CELLS):
        return "There is no such cell: cells are a1 to e5."
    if kind == MOVE:
        return _refusal_of_move(state, origin, target)
    if kind == PLACE:
        return f"There is another worker on {cell_name(target)} already."
    return _refusal_of_build(state, kind, target)


def refusal_at(state: State, cells: tuple[int, ...]) -> str:
    """Which rule forbids moving from ``cells[0]`` to ``cells[1]``, or using the one cell of *cells*."""
    if is_over(state) or state.phase != MOVING:
        return refusal(state, KINDS_OF_PHASE.get(state.phase, (MOVE,))[0] | cells[-1])
    if len(cells) == 1:
        stuck = f"Your worker on {cell_name(cells[0])} can't move anywhere."
        return _refusal_of_worker(state, cells[0]) or stuck
    return refusal(state, move_step(cells[0], cells[1]))


def _refusal_of_worker(state: State, cell: int) -> str:
    """Why the seat to act has no worker on *cell* to move, or "" if it has."""
    owner = worker_owner(state, cell)
    if owner is None:
        return f"There is no worker on {cell_name(cell)}."
    if owner != state.seat:
        return f"The worker on {cell_name(cell)} belongs to seat {owner + 1}; it is seat {state.seat + 1}'s turn."
    return ""


def _refusal_of_move(state: State, origin: int, target: int) -> str:
    here, there = cell_name(origin), cell_name(target)
    other = worker_owner(state, target)
    no_worker = _refusal_of_worker(state, origin)
    if no_worker:
        return no_worker
    if origin == target:
        return f"The worker on {here} has to leave its cell."
    if not int(NEIGHBOURS[origin]) >> target & 1:
        return f"{there} is not next to {here}: a worker moves to one of the eight cells around it."
    if state.domes >> target & 1:
        return f"There is a dome on {there}: no worker can stand there."
    if too_high(state, origin) >> target & 1:
        climb = height(state, target) - height(state, origin)
        return f"{there} is {climb} levels higher than {here}: a worker climbs one level at most."
    if other == state.seat:
        return f"Your other worker stands on {there}."
    if god_of(state, state.seat) != APOLLO:
        return f"A worker of seat {(other or 0) + 1} stands on {there}: only Apollo changes places."
    return f"After changing places with {there} the worker would have no cell to build on."


def _refusal_of_build(state: State, kind: int, target: int) -> str:
    here, there = cell_name(lowest(state.active)), cell_name(target)
    if state.active >> target & 1:
        return f"The worker itself stands on {there}: it builds on a cell next to it."
    if not int(NEIGHBOURS[lowest(state.active)]) >> target & 1:
        return f"{there} is not next to {here}, where the worker that moved stands."
    if all_workers(state) >> target & 1:
        return f"There is a worker on {there}."
    if state.domes >> target & 1:
        return f"There is a dome on {there}: nothing can be built on it."
    if kind == DOME and god_of(state, state.seat) != ATLAS:
        return "Only Atlas can build a dome before level 3."
    return f"On level 3 a dome is what is built next anyway: +{there}."


def describe(state: State, step: int) -> tuple[str, str]:
    """A god with its power, a move with what comes of it, a block or a dome with what it does."""
    kind, origin, target = step_parts(step)
    if kind == PICK:
        return GODS[target].title, GODS[target].power
    if kind == PLACE:
        return f"Place a worker on {cell_name(target)}", ""
    if kind == MOVE:
        outcome = ""
        if wins_by(state, origin, target):
            outcome = "Reaches level 3 and wins."
        elif worker_owner(state, target) is not None:
            outcome = "Changes places with the opponent's worker."
        return f"Move {cell_name(origin)} to {cell_name(target)}", outcome
    if kind == DOME or height(state, target) == DOME_HEIGHT - 1:
        return "Dome", "Nobody can stand or build there any more."
    return "Block", f"The tower will be {height(state, target) + 1} high."


def prompt(state: State, chosen: int | None) -> tuple[str, str]:
    """What the seat to act is to do in this phase."""
    if is_over(state):
        return "The game is over", ""
    if state.phase == PICKING:
        return "Choose a god", "Its power is yours for the whole game."
    if state.phase == PLACING:
        if workers_of(state, state.seat):
            return "Place your second worker", "Any free cell will do."
        return "Place your first worker", "Any free cell will do; cells in the middle reach further."
    if state.phase == BUILDING:
        if god_of(state, state.seat) == ATLAS:
            return "Build next to your worker", "A block, or by Atlas' power a dome at any level."
        return "Build next to your worker", "One level up; on level 3, a dome."
    if chosen is None:
        return "Choose a worker to move", "Moving up onto level 3 wins."
    if god_of(state, state.seat) == APOLLO:
        return "Choose where it moves", "One level up at most; by Apollo's power also onto an opponent's worker."
    return "Choose where it moves", "To a cell around it, one level up at most."


def seat_note(state: State, seat: int) -> tuple[str, str]:
    """The seat's god and its power; nothing for a mortal."""
    god = GODS[god_of(state, seat)]
    return (god.title, god.gist) if god_of(state, seat) else ("", "")


def ending(state: State) -> Ending:
    """Why the finished game *state* is over."""
    reason = "no move left" if state.phase == STUCK else "reached level 3"
    return Ending(tuple(payoff(state, seat) for seat in range(SEATS)), reason)
