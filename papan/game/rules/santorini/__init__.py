"""Santorini: climb the towers that all seats build; a seat that moves up onto level 3 wins.

The rules are those of the published game, with the phases of Kelvin and Lukas, "Mean End Analysis Decision Making
Model in Santorini Board Game" (undated).

A turn is a move and a build by the same worker; a worker steps up one level at most; gods add to that. Two, three or
four seats, or two teams of two. A seat that can't complete a turn is out; the last one left wins. Only turns that can
be completed are offered. With ``gods=paper``, as in Kelvin and Lukas's table, Apollo may also change places if he can't
build afterwards, and is stuck. ``board`` has the state, ``powers`` the gods' powers, ``position`` the position text.

A step is one integer: its kind, then the cell of its worker, then the target cell of the move, build or placement, or
the number of a god. A turn's steps in notation:

- ``b3-c3+d4`` moves and builds, ``b3-c3`` wins, ``b3,d3`` places workers, ``apollo`` picks a god. ``+`` raises a tower
  by one, which on level 3 is the dome for all; ``b3-c3^d4`` is Atlas' dome below level 3.
- ``~`` declines a god's second move or build, and is written only where that is possible: ``b3-c3-d3+d4`` and
  ``b3-c3~+d4`` are Artemis', ``b3-c3+d4+d5`` and ``b3-c3+d4~`` Demeter's, ``b3-c3+d4+d4`` is Hephaestus'.
- ``b3+c4-c3+d4``: Prometheus' worker on b3 builds, moves and builds.
- ``b3-e1,d4-a5+b5``: both of Hermes' workers walk, and one builds; ``b3-e1~+d1``: one walks; ``~+d1``: none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Literal

from papan.game.base.sentences import say
from papan.game.game import OptionError
from papan.game.kernel import inlined, subroutine
from papan.game.kernel.bits import hashed, lowest, popcount, write_bits
from papan.game.kernel.rng import RandomState, drawn_bit
from papan.game.rules import (
    Ending,
    ModelView,
    allied,
    deal,
    is_over,
    key,
    mover,
    moves,
    payoff,
    play,
    reason_number,
    seats,
)
from papan.game.rules.santorini.board import (
    BOARD,
    BUILD,
    BUILDING,
    BUILDING_AGAIN,
    CELL_MASK,
    CELLS,
    DOME,
    DOME_HEIGHT,
    DONE,
    FEWEST_SEATS,
    KIND_MASK,
    MOVE,
    MOVING,
    MOVING_AGAIN,
    NEIGHBOURS,
    NOTHING,
    ORIGIN_SHIFT,
    PICK,
    PICKING,
    PLACE,
    PLACING,
    REACHED_TOP,
    STUCK,
    TEAMS,
    WENT_DOWN,
    WORKERS,
    all_workers,
    cell_name,
    cells_around,
    god_of,
    height,
    pack_workers,
    seat_after,
    side_at,
    side_of,
    workers_of,
)
from papan.game.rules.santorini.board import State as State
from papan.game.rules.santorini.board import move_step as move_step
from papan.game.rules.santorini.board import step_parts as step_parts
from papan.game.rules.santorini.gods import (
    APOLLO,
    ARTEMIS,
    ATHENA,
    ATLAS,
    DEMETER,
    GOD_BITS,
    GOD_SETS,
    GODS,
    HEPHAESTUS,
    HERMES,
    MINOTAUR,
    PAN,
    PROMETHEUS,
    REPEATS,
    STRANDING,
    god_numbers,
    gods_on_offer,
)
from papan.game.rules.santorini.position import parse as parse
from papan.game.rules.santorini.position import text as text
from papan.game.rules.santorini.powers import (
    BEYOND,
    after_passing_on,
    building_sites,
    can_complete_turn,
    can_stay,
    destinations,
    early_sites,
    is_bound,
    is_stranded,
    next_destinations,
    next_sites,
    too_high,
    wins_by,
)
from papan.game.rules.santorini.turns import readings, turns_of

MOST_STEPS = WORKERS * CELLS  # more than Hermes' workers have on an empty board
PHASES: Mapping[str, Sequence[str]] = {
    say("pick god"): ("pick god", "place worker", "move"),
    say("place worker"): ("place worker", "move"),
    say("move"): ("move", "move again", "build"),
    say("move again"): ("build",),
    say("build"): ("build again", "move"),
    say("build again"): ("move",),
}
SET_UP_PHASES = ("pick god", "place worker")
MODEL_PHASES: Mapping[str, Sequence[str]] = {
    "who first": ("pick god",),
    "pick god": ("pick god", "place worker"),
    "place worker": ("place worker", "move"),
    "move": ("move", "build", "win"),
    "build": ("build", "move"),
    "win": (),
}
"""Kelvin and Lukas's figure 2. Here an option settles the first player, or chance before the first state."""
PERFT_COUNTS_ENDED_GAMES = True
DONE_SIGN = "~"
MAY_DECLINE = 1 << MOVING_AGAIN | 1 << BUILDING_AGAIN
"""The phases in which a seat may decline, as bits."""


GODS_TO_DEAL, PLACES_TO_DEAL = range(2)
"""The facts of the kernel ``deal``, in the order of ``to_deal``."""


# ------------------------------------------------------------------------------------------- kernels


@inlined
def write_first_moves(state: State, buffer: list[int], base: int) -> int:
    """Write the steps that a turn can begin with."""
    god = god_of(state, state.seat)
    workers = workers_of(state, state.seat)
    while workers:
        cell = lowest(workers)
        workers &= workers - 1
        base = write_bits(destinations(state, state.seat, cell), MOVE | cell << ORIGIN_SHIFT, buffer, base)
        if god == PROMETHEUS:
            base = write_bits(early_sites(state, cell), BUILD | cell << ORIGIN_SHIFT, buffer, base)
    if can_stay(state):
        buffer[base] = DONE
        base += 1
    return base


@mover.of(State)
def _mover(state: State) -> int:
    return state.seat


@seats.of(State)
def _seats(state: State) -> int:
    return state.seats


@allied.of(State)
def _allied(state: State, seat: int, other: int) -> bool:
    return side_of(state, seat) == side_of(state, other)


@moves.of(State)
@inlined
def _moves(state: State, buffer: list[int], base: int) -> int:
    phase = state.phase
    if phase == MOVING and state.active == 0:
        return write_first_moves(state, buffer, base)
    if phase == PICKING:
        kind, targets = PICK, state.offer & ~REPEATS
    elif phase == PLACING:
        kind, targets = PLACE, BOARD & ~all_workers(state)
    elif phase == BUILDING:
        kind, targets = BUILD, building_sites(state)
    elif phase == BUILDING_AGAIN:
        kind, targets = BUILD, next_sites(state)
    elif phase < REACHED_TOP:
        cell = lowest(state.active)
        kind, targets = MOVE | cell << ORIGIN_SHIFT, next_destinations(state, cell)
    else:
        return base
    base = write_bits(targets, kind, buffer, base)
    if phase == BUILDING and god_of(state, state.seat) == ATLAS:
        base = write_bits(targets & ~state.level_3, DOME, buffer, base)
    if MAY_DECLINE >> phase & 1:
        buffer[base] = DONE
        base += 1
    return base


@subroutine
def make_room(state: State, origin: int, target: int) -> tuple[int, int]:
    """``State.workers`` and ``State.more_workers`` after the god's power displaces the worker on *target*, if any.

    It goes to *origin* for Apollo, and for Minotaur to the cell behind *target*.
    """
    workers, more_workers = state.workers, state.more_workers
    end = 1 << target
    room = origin if god_of(state, state.seat) == APOLLO else int(BEYOND[origin, target])
    change = end | 1 << room
    if (workers | workers >> CELLS) & end:
        workers ^= change if workers & end else change << CELLS
    else:
        more_workers ^= change if more_workers & end else change << CELLS
    return workers, more_workers


@inlined
def after_moving(state: State, origin: int, target: int) -> State:
    """*state* after the move of a worker from *origin* to *target*."""
    seat, god, side = state.seat, god_of(state, state.seat), side_of(state, state.seat)
    workers, more_workers, climbed = state.workers, state.more_workers, state.climbed
    start, end = 1 << origin, 1 << target
    if all_workers(state) & end:
        workers, more_workers = make_room(state, origin, target)
    if side < TEAMS:
        workers ^= (start | end) << (CELLS * side)
    else:
        more_workers ^= (start | end) << (CELLS * (side - TEAMS))
    phase, active, marked = BUILDING, end, 0
    if wins_by(state, seat, origin, target):
        phase, active = REACHED_TOP if state.level_3 & end else WENT_DOWN, 0
    elif god == ARTEMIS and state.phase == MOVING:
        phase, marked = MOVING_AGAIN, start
    elif god == HERMES and height(state, origin) == height(state, target):
        others = workers_of(state, seat) & ~start
        if state.phase == MOVING:
            phase, active = MOVING_AGAIN, others
        else:
            active = others | end
    elif god == ATHENA and height(state, target) > height(state, origin):
        climbed |= 1 << seat
    return state._replace(
        workers=workers, more_workers=more_workers, active=active, marked=marked, phase=phase, climbed=climbed
    )


@inlined
def after_building(state: State, kind: int, origin: int, target: int) -> State:
    """*state* after a block or, if *kind* is ``DOME``, a dome on *target*; *origin* is Prometheus' worker."""
    level_1, level_2, level_3, domes, missing = state.level_1, state.level_2, state.level_3, state.domes, state.missing
    seat, phase, active, marked, climbed = state.seat, MOVING, 0, 0, state.climbed
    cell = 1 << target
    if kind == DOME:
        missing |= (DOME_HEIGHT - 1 - height(state, target)) << (2 * target)
        level_1, level_2, level_3, domes = level_1 | cell, level_2 | cell, level_3 | cell, domes | cell
    else:
        domes |= cell & level_3
        level_3 |= cell & level_2
        level_2 |= cell & level_1
        level_1 |= cell
    god = god_of(state, seat)
    if state.phase == MOVING:
        active = 1 << origin
    elif state.phase == BUILDING and (god == DEMETER or (god == HEPHAESTUS and level_3 & cell == 0)):
        phase, active, marked = BUILDING_AGAIN, state.active, cell
    else:
        seat = seat_after(state, seat)
        climbed &= ~(1 << seat)
    return state._replace(
        level_1=level_1, level_2=level_2, level_3=level_3, domes=domes, missing=missing,
        active=active, marked=marked, seat=seat, phase=phase, climbed=climbed,
    )  # fmt: skip


@subroutine
def after_declining(state: State) -> State:
    """*state* after its seat has declined."""
    seat, phase, active, climbed = state.seat, BUILDING, state.active, state.climbed
    if state.phase == BUILDING_AGAIN:
        seat, phase, active = seat_after(state, seat), MOVING, 0
        climbed &= ~(1 << seat)
    elif god_of(state, seat) == HERMES:
        active = workers_of(state, seat)
    return state._replace(active=active, marked=0, seat=seat, phase=phase, climbed=climbed)


@subroutine
def after_setting_up(state: State, kind: int, target: int) -> State:
    """*state* after a god has been picked or a worker placed."""
    workers, more_workers, gods, offer = state.workers, state.more_workers, state.gods, state.offer
    seat, phase = state.seat, state.phase
    if kind == PLACE:
        if seat < TEAMS:
            workers |= 1 << (target + CELLS * seat)
        else:
            more_workers |= 1 << (target + CELLS * (seat - TEAMS))
        if popcount(workers) + popcount(more_workers) == WORKERS * (seat + 1):
            seat += 1
        last = state.sides  # a team's first seat places its workers
    else:
        gods |= target << (GOD_BITS * seat)
        offer = offer if offer & REPEATS else offer & ~(1 << target)
        seat += 1
        last = state.seats
    if seat == last:
        seat, offer = 0, 0
        phase = MOVING if workers else PLACING
    return state._replace(workers=workers, more_workers=more_workers, seat=seat, phase=phase, gods=gods, offer=offer)


@play.of(State)
@inlined
def _play(state: State, step: int) -> State:
    kind = step & KIND_MASK
    origin = step >> ORIGIN_SHIFT & CELL_MASK
    target = step & CELL_MASK
    if kind == MOVE:
        after = after_moving(state, origin, target)
        if after.phase == MOVING_AGAIN and next_destinations(after, lowest(after.active)) == 0:
            after = after_declining(after)
        if after.may_strand and is_stranded(after):
            after = after_passing_on(after._replace(phase=MOVING, active=0))
    elif kind == DONE:
        after = after_declining(state)
    elif kind >= PLACE:  # or to pick a god
        after = after_setting_up(state, kind, target)
    else:
        after = after_building(state, kind, origin, target)
        if after.phase == BUILDING_AGAIN and next_sites(after) == 0:
            after = after_declining(after)
    while after.phase == MOVING and after.active == 0 and not can_complete_turn(after):
        after = after_passing_on(after)
    return after


@is_over.of(State)
def _is_over(state: State) -> bool:
    return state.phase >= REACHED_TOP


@payoff.of(State)
def _payoff(state: State, seat: int) -> float:
    is_of_this_side = side_of(state, seat) == side_of(state, state.seat)
    if state.phase != STUCK:
        return 1.0 if is_of_this_side else -1.0
    return -1.0 if is_of_this_side or state.out >> seat & 1 else 1.0


@reason_number.of(State)
def _reason_number(state: State) -> int:
    return state.phase


@deal.of(State)
def _deal(state: State, facts: Any, random: RandomState) -> State:
    gods, on_offer = state.gods, int(facts[GODS_TO_DEAL]) & ~REPEATS
    if on_offer:
        gods = 0
        for seat in range(state.seats):
            god = drawn_bit(on_offer, random)
            gods |= god << (GOD_BITS * seat)
            if not facts[GODS_TO_DEAL] & REPEATS:
                on_offer &= ~(1 << god)
    workers, more_workers = state.workers, state.more_workers
    if facts[PLACES_TO_DEAL]:
        workers, more_workers, free = 0, 0, BOARD
        for index in range(state.sides * WORKERS):
            cell = drawn_bit(free, random)
            free &= ~(1 << cell)
            side = index % state.sides
            if side < TEAMS:
                workers |= 1 << (cell + CELLS * side)
            else:
                more_workers |= 1 << (cell + CELLS * (side - TEAMS))
    return state._replace(workers=workers, more_workers=more_workers, gods=gods)


@key.of(State)
def _key(state: State) -> int:
    # Fields that share a word don't overlap in it.
    table = state.seat | state.phase << 2 | state.gods << 6 | state.climbed << 22 | state.out << 26
    table |= (state.seats - FEWEST_SEATS) << 30 | (state.sides - FEWEST_SEATS) << 32 | state.may_strand << 34
    return hashed(
        state.active | table << CELLS,
        state.level_3 | state.domes << CELLS,
        state.level_1 | state.level_2 << CELLS,
        state.workers,
        state.marked | state.offer << CELLS,
        state.more_workers,
    )


# --------------------------------------------------------------------------------------- for people


def start(options: Mapping[str, str], random: Random) -> State:
    """The empty board; *random* deals the gods or places that the options leave to chance.

    :raises OptionError: teams of other than four seats, or fewer gods than seats that must have different ones.
    """
    number = int(options["seats"])
    has_teams = options["teams"] == "yes"
    gods = GOD_SETS[options["gods"]]
    may_repeat = options["same"] == "yes"
    if has_teams and number != 2 * TEAMS:
        raise OptionError.saying("Teams are for four players, not for {number}: leave teams=no.", number=number)
    if gods and not may_repeat and len(gods) < number:
        raise OptionError.saying(
            "gods={option} has {gods} gods for {number} players: with same=yes two can share one.",
            option=options["gods"],
            gods=len(gods),
            number=number,
        )
    sides = TEAMS if has_teams else number
    picked: list[int] = []
    if gods and options["pick"] == "random":
        picked = random.choices(gods, k=number) if may_repeat else random.sample(gods, number)
    boards = [0] * sides
    if options["placement"] == "random":
        for index, cell in enumerate(random.sample(range(CELLS), sides * WORKERS)):
            boards[index % sides] |= 1 << cell
    workers, more_workers = pack_workers(boards)
    offer = 0
    phase = MOVING if workers else PLACING
    if gods and not picked:
        phase, offer = PICKING, gods_on_offer(options["gods"], may_repeat, [])
    return NOTHING._replace(
        workers=workers, more_workers=more_workers, phase=phase, gods=god_numbers(picked), offer=offer,
        seats=number, sides=sides, may_strand=int(options["gods"] == STRANDING),
    )  # fmt: skip


def to_deal(options: Mapping[str, str]) -> tuple[int, int]:
    """The gods to be dealt, in the format of ``State.offer``, or 0; and whether to place the workers."""
    is_dealt = GOD_SETS[options["gods"]] and options["pick"] == "random"
    offer = gods_on_offer(options["gods"], options["same"] == "yes", []) if is_dealt else 0
    return offer, int(options["placement"] == "random")


def model_view(states: Sequence[State], steps: Sequence[int], is_open: bool, position: str = "") -> ModelView:
    """The view of Kelvin and Lukas's model: six parts, with workers named as they were placed, and operators."""
    from papan.game.rules.santorini.model import view  # imports these rules

    return view(states, steps, position)


def phase(state: State) -> str:
    """The phase's name, which is Kelvin and Lukas's except for "again"; a game ends in the phase ``move``."""
    return "move" if is_over(state) else _PHASE_NAMES[state.phase]


_PHASE_NAMES = dict(zip((PICKING, PLACING, MOVING, MOVING_AGAIN, BUILDING, BUILDING_AGAIN), PHASES, strict=True))


def notation(state: State, step: int) -> str:
    """A step in the notation of the module's docstring."""
    kind, origin, target = step_parts(step)
    if kind == PICK:
        return GODS[target].name
    if kind == DONE:
        return DONE_SIGN
    if kind == PLACE:
        return ("," if workers_of(state, state.seat) else "") + cell_name(target)
    sign = {MOVE: "-", BUILD: "+", DOME: "^"}[kind]
    if state.phase == MOVING and not state.active:
        return cell_name(origin) + sign + cell_name(target)
    if kind == MOVE and god_of(state, state.seat) == HERMES:
        return f",{cell_name(origin)}-{cell_name(target)}"
    return sign + cell_name(target)


def foreign_turns(state: State, text: str) -> Sequence[Sequence[int]]:
    """A turn as engines and players write it, such as ``C4>B4^B5`` or ``C4 B4 B5``; see ``turns.readings``."""
    found: dict[object, Sequence[int]] = {}
    for actions in readings(text) if not is_over(state) else ():
        for steps in turns_of(state, actions):
            after: object = state
            for step in steps:
                after = play(after, step)
            found.setdefault(after, steps)
    return list(found.values())


def cells(state: State, step: int) -> tuple[int, ...]:
    """The worker and its target at the start of a turn, else the one cell; gods and "done" are chosen by name."""
    kind, origin, target = step_parts(step)
    if kind in (PICK, DONE):
        return ()
    is_first = state.phase == MOVING and not state.active
    return (origin, target) if is_first else (target,)


# ---------------------------------------------------------------------------------------- for people: sentences


_KINDS = {
    PICKING: (PICK,),
    PLACING: (PLACE,),
    MOVING: (MOVE,),
    MOVING_AGAIN: (MOVE, DONE),
    BUILDING: (BUILD, DOME),
    BUILDING_AGAIN: (BUILD, DONE),
}
_OTHER_PHASE = {
    PICKING: say("Pick a god first."),
    PLACING: say("Place both workers first."),
    MOVING: say("Move a worker first."),
    MOVING_AGAIN: say("A worker may move now, or you are done with moving."),
    BUILDING: say("Now build with the worker that moved."),
    BUILDING_AGAIN: say("The worker may build once more, or you are done with building."),
}


_ENDINGS = {REACHED_TOP: say("reached level 3"), WENT_DOWN: say("moved down two levels"), STUCK: say("no move left")}


def ending(state: State) -> Ending:
    return Ending(tuple(payoff(state, seat) for seat in range(state.seats)), _ENDINGS[state.phase])


# ----------------------------------------------------------------------------------------- refusals


def refusal(state: State, step: int) -> str:
    kind, origin, target = step_parts(step)
    if is_over(state):
        return say("The game is over: {reason}.", reason=_ENDINGS[state.phase])
    may_build_first = state.phase == MOVING and not state.active and god_of(state, state.seat) == PROMETHEUS
    is_early_build = kind == BUILD and may_build_first
    if kind not in _kinds(state) and not is_early_build:
        return _OTHER_PHASE[state.phase]
    if kind == PICK:
        if target not in range(1, len(GODS)):
            return say("There is no such god.")
        return say(
            "{god} is not on offer in this game, or another seat has already picked that god.", god=GODS[target].title
        )
    if kind == DONE:
        return (
            say("Without moving there would be no cell to build on.")
            if state.phase == MOVING
            else say("That is not a step.")
        )
    if target >= CELLS or origin >= CELLS:
        return say("There is no such cell: cells are a1 to e5.")
    if kind == PLACE:
        return say("There is another worker on {target} already.", target=cell_name(target))
    if kind == MOVE:
        return _refusal_of_move(state, origin, target)
    return _refusal_of_early_build(state, origin, target) if is_early_build else _refusal_of_build(state, kind, target)


def _kinds(state: State) -> tuple[int, ...]:
    """The kinds of steps in this phase."""
    has_hermes = state.phase == MOVING and god_of(state, state.seat) == HERMES
    return (MOVE, DONE) if has_hermes else _KINDS[state.phase]


def refusal_at(state: State, cells: tuple[int, ...]) -> str:
    if is_over(state):
        return refusal(state, MOVE)
    kind, cell = _KINDS[state.phase][0], cells[-1]
    if kind != MOVE:
        return refusal(state, kind | cell)
    if state.active:
        return refusal(state, move_step(lowest(state.active), cell))
    if len(cells) == 1:
        return _refusal_of_worker(state, cell) or say(
            "Your worker on {cell} can't move anywhere.", cell=cell_name(cell)
        )
    return refusal(state, move_step(cells[0], cell))


def _refusal_of_worker(state: State, cell: int) -> str:
    """Why the seat to act has no worker on *cell* to move, or "" if it has."""
    side = side_at(state, cell)
    if side is None:
        return say("There is no worker on {cell}.", cell=cell_name(cell))
    if side != side_of(state, state.seat):
        return say(
            "The worker on {cell} belongs to {owner}; it is seat {mover}'s turn.",
            cell=cell_name(cell),
            owner=_owner(state, side),
            mover=state.seat + 1,
        )
    return ""


def _owner(state: State, side: int) -> str:
    return (
        say("seat {seat}", seat=side + 1)
        if state.sides == state.seats
        else say("seats {seat} and {partner}", seat=side + 1, partner=side + 1 + TEAMS)
    )


def _refusal_of_move(state: State, origin: int, target: int) -> str:
    here, there = cell_name(origin), cell_name(target)
    god = god_of(state, state.seat)
    no_worker = _refusal_of_worker(state, origin)
    if no_worker:
        return no_worker
    if origin == target:
        return say("The worker on {here} has to leave its cell.", here=here)
    if state.active and not state.active >> origin & 1:
        return say("The worker on {here} can't move now: in this turn it is the other one's move.", here=here)
    is_walking = state.phase == MOVING_AGAIN and god == HERMES
    if not is_walking and not int(NEIGHBOURS[origin]) >> target & 1:
        if god == HERMES:
            return say(
                "{there} is not next to {here}, and no level path leads there.",
                there=there,
                here=here,
            )
        return say(
            "{there} is not next to {here}: a worker moves to one of the eight cells around it.", there=there, here=here
        )
    if state.domes >> target & 1:
        return say("There is a dome on {there}: no worker can stand there.", there=there)
    if is_walking:
        return say(
            "{there} can't be reached from {here}: the way must stay level and can't go through other workers.",
            there=there,
            here=here,
        )
    climb = height(state, target) - height(state, origin)
    if too_high(state, origin, True) >> target & 1:
        return say(
            "{there} is {climb} levels higher than {here}: a worker climbs one level at most.",
            there=there,
            climb=climb,
            here=here,
        )
    if climb > 0 and state.phase == MOVING and state.active:
        return say("{there} is higher than {here}: a worker that has built can't move up.", there=there, here=here)
    if climb > 0 and is_bound(state, state.seat):
        return say(
            "{there} is higher than {here}: Athena moved up, so nobody else may in this turn.", there=there, here=here
        )
    if state.marked >> target & 1:
        return say("The turn began on {there}: Artemis' worker can't go back there.", there=there)
    return _refusal_of_taken_cell(state, origin, target)


def _refusal_of_taken_cell(state: State, origin: int, target: int) -> str:
    """Why the worker on *origin* can't go where another one stands."""
    there, god, side = cell_name(target), god_of(state, state.seat), side_at(state, target)
    if side is None:
        return say("{there} can't be entered now.", there=there)
    if side == side_of(state, state.seat):
        return say("Your other worker stands on {there}.", there=there)
    if state.active or god not in (APOLLO, MINOTAUR):
        if god == MINOTAUR:
            return say("A worker of {owner} stands on {there}.", owner=_owner(state, side), there=there)
        return say(
            "A worker of {owner} stands on {there}: only Apollo changes places.", owner=_owner(state, side), there=there
        )
    if god == MINOTAUR:
        return say("The worker on {there} can't be pushed straight on: the cell behind it is not free.", there=there)
    return say("After changing places with {there} the worker would have no cell to build on.", there=there)


def _refusal_of_early_build(state: State, origin: int, target: int) -> str:
    there = cell_name(target)
    no_worker = _refusal_of_worker(state, origin)
    if no_worker:
        return no_worker
    if not int(NEIGHBOURS[origin]) >> target & 1:
        return say("{there} is not next to {origin}, where the worker stands.", there=there, origin=cell_name(origin))
    if early_sites(state, origin):
        return _refusal_of_site(state, target) or say("After building there the worker could move only up.")
    return say("After building there the worker could not move, because it may not move up.")


def _refusal_of_site(state: State, target: int) -> str:
    """Why no worker can build on *target*, or ""."""
    if all_workers(state) >> target & 1:
        return say("There is a worker on {target}.", target=cell_name(target))
    if state.domes >> target & 1:
        return say("There is a dome on {target}: nothing can be built on it.", target=cell_name(target))
    return ""


def _refusal_of_build(state: State, kind: int, target: int) -> str:
    there = cell_name(target)
    if state.phase == BUILDING_AGAIN and god_of(state, state.seat) == HEPHAESTUS:
        return say("The second block goes on {cell}, where the first one is.", cell=cell_name(lowest(state.marked)))
    if state.active & (state.active - 1) == 0:
        here = cell_name(lowest(state.active))
        if state.active >> target & 1:
            return say("The worker itself stands on {there}: it builds on a cell next to it.", there=there)
        if not cells_around(state.active) >> target & 1:
            return say("{there} is not next to {here}, where the worker that moved stands.", there=there, here=here)
    elif not cells_around(state.active) >> target & 1:
        return say("{there} is not next to any of your workers.", there=there)
    no_site = _refusal_of_site(state, target)
    if no_site:
        return no_site
    if state.phase == BUILDING_AGAIN:
        return say("The first block went on {there}: Demeter's second one goes on another cell.", there=there)
    if kind == DOME and god_of(state, state.seat) != ATLAS:
        return say("Only Atlas can build a dome before level 3.")
    return say("Level 3 gets a dome next anyway: write +{there}.", there=there)


# -------------------------------------------------------------------------------------- descriptions


def describe(state: State, step: int) -> tuple[str, str]:
    kind, origin, target = step_parts(step)
    if kind == PICK:
        return GODS[target].title, GODS[target].power
    if kind == PLACE:
        return say("Place a worker on {target}", target=cell_name(target)), ""
    if kind == DONE:
        if state.phase == BUILDING_AGAIN:
            return say("Done"), say("Stop building and end the turn.")
        return say("Done"), say("Stop moving and build.") if state.phase == MOVING_AGAIN else say(
            "Build without moving."
        )
    if kind == MOVE:
        return say("Move {origin} to {target}", origin=cell_name(origin), target=cell_name(target)), _outcome_of_move(
            state, origin, target
        )
    if state.phase == MOVING:
        return say("Build on {target} first", target=cell_name(target)), say(
            "Then move this worker, but not up, and build again."
        )
    if kind == DOME or height(state, target) == DOME_HEIGHT - 1:
        return say("Dome"), say("Nobody can stand or build there any more.")
    return say("Block"), say("The tower will be {level} high.", level=height(state, target) + 1)


def _outcome_of_move(state: State, origin: int, target: int) -> str:
    if wins_by(state, state.seat, origin, target):
        went_down = height(state, origin) > height(state, target)
        return say("Goes down two levels and wins.") if went_down else say("Reaches level 3 and wins.")
    if side_at(state, target) is None:
        return ""
    if god_of(state, state.seat) == MINOTAUR:
        return say("Pushes the opponent's worker straight on.")
    return say("Changes places with the opponent's worker.")


def displacement(state: State, origin: int, target: int) -> Literal["", "swap", "push"]:
    """The effect of a legal move from *origin* on the worker on *target*: ``swap``, ``push``, or "" for none."""
    if side_at(state, target) is None:
        return ""
    return "push" if god_of(state, state.seat) == MINOTAUR else "swap"


_BUILD_PROMPTS = {
    ATLAS: say("A block, or by Atlas' power a dome at any level."),
    DEMETER: say("One level up; then once more on another cell, if you like."),
    HEPHAESTUS: say("One level up; then a second block on the same cell, if you like."),
    HERMES: say("One level up; on level 3, a dome. Either worker may build."),
}
_MOVE_PROMPTS = {
    APOLLO: say("One level up at most; by Apollo's power also onto an opponent's worker."),
    ARTEMIS: say("One level up at most; then once more, if you like."),
    HERMES: say("As far as it can get on its level, or one step up or down."),
    MINOTAUR: say("One level up at most; by Minotaur's power also onto an opponent's worker, if it can be pushed on."),
    PAN: say("One level up at most; going down two levels wins."),
    PROMETHEUS: say("One level up at most; or build first, and then move, but not up."),
}


def prompt(state: State, chosen: int | None) -> tuple[str, str]:
    if is_over(state):
        return say("The game is over"), ""
    god = god_of(state, state.seat)
    if state.phase == PICKING:
        return say("Choose a god"), say("Its power is yours for the whole game.")
    if state.phase == PLACING:
        if workers_of(state, state.seat):
            return say("Place your second worker"), say("Any free cell will do.")
        return say("Place your first worker"), say("Any free cell will do; cells in the middle reach further.")
    if state.phase == BUILDING:
        is_either = god == HERMES and state.active & (state.active - 1)
        name = say("Build next to either worker") if is_either else say("Build next to your worker")
        return name, _BUILD_PROMPTS.get(god, say("One level up; on level 3, a dome."))
    if state.phase == BUILDING_AGAIN:
        if god == HEPHAESTUS:
            return say("Build again, or done"), say(
                "A second block on the same cell, by Hephaestus' power; or leave it."
            )
        return say("Build again, or done"), say("On another cell, by Demeter's power; or leave it.")
    if state.phase == MOVING_AGAIN:
        if god == HERMES:
            return say("Walk the other worker, or done"), say("Any distance on its level.")
        return say("Move again, or done"), say("It can't go back to where the turn began.")
    if state.active:
        return say("Now move this worker"), say("It can't move up because it has built. After moving it builds again.")
    detail = say("Athena moved up: you can't in this turn.") if is_bound(state, state.seat) else ""
    if chosen is None:
        return say("Choose a worker to move"), detail or say("Moving up onto level 3 wins.")
    return say("Choose where it moves"), detail or _MOVE_PROMPTS.get(
        god, say("To a cell around it, one level up at most.")
    )


def seat_power(state: State, seat: int) -> str:
    """The power of the seat's god; "" for a mortal."""
    return GODS[god_of(state, seat)].power if god_of(state, seat) else ""


def seat_note(state: State, seat: int) -> tuple[str, str]:
    god = GODS[god_of(state, seat)]
    title = god.title if god_of(state, seat) else ""
    if state.out >> seat & 1:
        return title, say("out of the game")
    if state.climbed >> seat & 1:
        return title, say("others can't move up")
    return title, god.gist if title else ""
