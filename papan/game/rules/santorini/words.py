"""Santorini's sentences for people: why a step is refused, what a step is, what is expected, how it ended."""

from __future__ import annotations

from typing import Literal

from papan.game.base.sentences import say
from papan.game.kernel.bits import lowest
from papan.game.rules import Ending, is_over, payoff
from papan.game.rules.santorini.board import (
    BUILD,
    BUILDING,
    BUILDING_AGAIN,
    CELLS,
    DOME,
    DOME_HEIGHT,
    DONE,
    MOVE,
    MOVING,
    MOVING_AGAIN,
    NEIGHBOURS,
    PICK,
    PICKING,
    PLACE,
    PLACING,
    REACHED_TOP,
    STUCK,
    TEAMS,
    WENT_DOWN,
    State,
    all_workers,
    cell_name,
    cells_around,
    god_of,
    height,
    move_step,
    side_at,
    side_of,
    step_parts,
    workers_of,
)
from papan.game.rules.santorini.gods import (
    APOLLO,
    ARTEMIS,
    ATLAS,
    DEMETER,
    GODS,
    HEPHAESTUS,
    HERMES,
    MINOTAUR,
    PAN,
    PROMETHEUS,
)
from papan.game.rules.santorini.powers import early_sites, is_bound, too_high, wins_by

_KINDS = {
    PICKING: (PICK,),
    PLACING: (PLACE,),
    MOVING: (MOVE,),
    MOVING_AGAIN: (MOVE, DONE),
    BUILDING: (BUILD, DOME),
    BUILDING_AGAIN: (BUILD, DONE),
}
_OTHER_PHASE = {
    PICKING: say("A god is to be picked first."),
    PLACING: say("Both workers are to be placed first."),
    MOVING: say("A worker is to be moved first."),
    MOVING_AGAIN: say("A worker may move now, or you are done with moving."),
    BUILDING: say("The worker that moved is to build now."),
    BUILDING_AGAIN: say("The worker may build once more, or you are done with building."),
}


_ENDINGS = {REACHED_TOP: say("reached level 3"), WENT_DOWN: say("moved down two levels"), STUCK: say("no move left")}


def ending(state: State) -> Ending:
    """Why the finished game *state* is over."""
    return Ending(tuple(payoff(state, seat) for seat in range(state.seats)), _ENDINGS[state.phase])


# ----------------------------------------------------------------------------------------- refusals


def refusal(state: State, step: int) -> str:
    """Which rule forbids *step*."""
    kind, origin, target = step_parts(step)
    if is_over(state):
        return say("The game is over: {reason}.", reason=_ENDINGS[state.phase])
    is_early_build = kind == BUILD and _may_build_first(state)
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
            else say("That is no step.")
        )
    if target >= CELLS or origin >= CELLS:
        return say("There is no such cell: cells are a1 to e5.")
    if kind == PLACE:
        return say("There is another worker on {target} already.", target=cell_name(target))
    if kind == MOVE:
        return _refusal_of_move(state, origin, target)
    return _refusal_of_early_build(state, origin, target) if is_early_build else _refusal_of_build(state, kind, target)


def _kinds(state: State) -> tuple[int, ...]:
    """The kinds of steps that there are in this phase."""
    has_hermes = state.phase == MOVING and god_of(state, state.seat) == HERMES
    return (MOVE, DONE) if has_hermes else _KINDS[state.phase]


def _may_build_first(state: State) -> bool:
    return bool(state.phase == MOVING and not state.active and god_of(state, state.seat) == PROMETHEUS)


def refusal_at(state: State, cells: tuple[int, ...]) -> str:
    """Which rule forbids moving from ``cells[0]`` to ``cells[1]``, or using the one cell of *cells*."""
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
                "{there} can't be reached from {here} without going up or down, and it is not next to it.",
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
            "{there} can't be reached from {here} without going up or down, past nobody.", there=there, here=here
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
        return say("{there} is higher than {here}: who builds before moving may not move up.", there=there, here=here)
    if climb > 0 and is_bound(state, state.seat):
        return say(
            "{there} is higher than {here}: Athena moved up, so nobody else may in this turn.", there=there, here=here
        )
    if state.marked >> target & 1:
        return say("On {there} the turn began: Artemis' worker may not go back.", there=there)
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
    return say("The worker could not move after it, as it then may not move up.")


def _refusal_of_site(state: State, target: int) -> str:
    """Why nobody can build on *target*, or ""."""
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
    return say("On level 3 a dome is what is built next anyway: +{there}.", there=there)


# -------------------------------------------------------------------------------------- descriptions


def describe(state: State, step: int) -> tuple[str, str]:
    """A god with its power, a move with what comes of it, a block or a dome with what it does."""
    kind, origin, target = step_parts(step)
    if kind == PICK:
        return GODS[target].title, GODS[target].power
    if kind == PLACE:
        return say("Place a worker on {target}", target=cell_name(target)), ""
    if kind == DONE:
        if state.phase == BUILDING_AGAIN:
            return say("Done"), say("Build no more and end the turn.")
        return say("Done"), say("Move no more and build.") if state.phase == MOVING_AGAIN else say(
            "Move nobody and build."
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
    """What a legal move from *origin* does to the worker on *target*: ``swap``, ``push``, or "" if there is none."""
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
    """What the seat to act is to do in this phase."""
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
            return say("Walk the other worker, or done"), say("As far as it can get on its level.")
        return say("Move again, or done"), say("Not back to where the turn began.")
    if state.active:
        return say("Now move this worker"), say("Not up, as it has built; then it builds again.")
    detail = say("Athena moved up: you can't in this turn.") if is_bound(state, state.seat) else ""
    if chosen is None:
        return say("Choose a worker to move"), detail or say("Moving up onto level 3 wins.")
    return say("Choose where it moves"), detail or _MOVE_PROMPTS.get(
        god, say("To a cell around it, one level up at most.")
    )


def seat_power(state: State, seat: int) -> str:
    """What the seat's god may do; nothing for a mortal."""
    return GODS[god_of(state, seat)].power if god_of(state, seat) else ""


def seat_note(state: State, seat: int) -> tuple[str, str]:
    """The seat's god and its power; of a seat that is out, that; nothing for a mortal."""
    god = GODS[god_of(state, seat)]
    title = god.title if god_of(state, seat) else ""
    if state.out >> seat & 1:
        return title, say("out of the game")
    if state.climbed >> seat & 1:
        return title, say("others can't move up")
    return title, god.gist if title else ""
