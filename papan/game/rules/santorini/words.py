"""Santorini's sentences for people: why a step is refused, what a step is, what is expected, how it ended."""

from __future__ import annotations

from typing import Literal

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
from papan.game.rules.wording import possessive

_KINDS = {
    PICKING: (PICK,),
    PLACING: (PLACE,),
    MOVING: (MOVE,),
    MOVING_AGAIN: (MOVE, DONE),
    BUILDING: (BUILD, DOME),
    BUILDING_AGAIN: (BUILD, DONE),
}
_OTHER_PHASE = {
    PICKING: "A god is to be picked first.",
    PLACING: "Both workers are to be placed first.",
    MOVING: "A worker is to be moved first.",
    MOVING_AGAIN: "A worker may move now, or you are done with moving.",
    BUILDING: "The worker that moved is to build now.",
    BUILDING_AGAIN: "The worker may build once more, or you are done with building.",
}


_ENDINGS = {REACHED_TOP: "reached level 3", WENT_DOWN: "moved down two levels", STUCK: "no move left"}


def ending(state: State) -> Ending:
    """Why the finished game *state* is over."""
    return Ending(tuple(payoff(state, seat) for seat in range(state.seats)), _ENDINGS[state.phase])


# ----------------------------------------------------------------------------------------- refusals


def refusal(state: State, step: int) -> str:
    """Which rule forbids *step*."""
    kind, origin, target = step_parts(step)
    if is_over(state):
        return f"The game is over: {_ENDINGS[state.phase]}."
    is_early_build = kind == BUILD and _may_build_first(state)
    if kind not in _kinds(state) and not is_early_build:
        return _OTHER_PHASE[state.phase]
    if kind == PICK:
        if target not in range(1, len(GODS)):
            return "There is no such god."
        return f"{GODS[target].title} is not on offer in this game, or another seat has already picked that god."
    if kind == DONE:
        return "Without moving there would be no cell to build on." if state.phase == MOVING else "That is no step."
    if target >= CELLS or origin >= CELLS:
        return "There is no such cell: cells are a1 to e5."
    if kind == PLACE:
        return f"There is another worker on {cell_name(target)} already."
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
        return _refusal_of_worker(state, cell) or f"Your worker on {cell_name(cell)} can't move anywhere."
    return refusal(state, move_step(cells[0], cell))


def _refusal_of_worker(state: State, cell: int) -> str:
    """Why the seat to act has no worker on *cell* to move, or "" if it has."""
    side = side_at(state, cell)
    if side is None:
        return f"There is no worker on {cell_name(cell)}."
    if side != side_of(state, state.seat):
        return f"The worker on {cell_name(cell)} belongs to {_owner(state, side)}; it is seat {state.seat + 1}'s turn."
    return ""


def _owner(state: State, side: int) -> str:
    return f"seat {side + 1}" if state.sides == state.seats else f"seats {side + 1} and {side + 1 + TEAMS}"


def _refusal_of_move(state: State, origin: int, target: int) -> str:
    here, there = cell_name(origin), cell_name(target)
    god = god_of(state, state.seat)
    no_worker = _refusal_of_worker(state, origin)
    if no_worker:
        return no_worker
    if origin == target:
        return f"The worker on {here} has to leave its cell."
    if state.active and not state.active >> origin & 1:
        return f"The worker on {here} can't move now: in this turn it is the other one's move."
    is_walking = state.phase == MOVING_AGAIN and god == HERMES
    if not is_walking and not int(NEIGHBOURS[origin]) >> target & 1:
        if god == HERMES:
            return f"{there} can't be reached from {here} without going up or down, and it is not next to it."
        return f"{there} is not next to {here}: a worker moves to one of the eight cells around it."
    if state.domes >> target & 1:
        return f"There is a dome on {there}: no worker can stand there."
    if is_walking:
        return f"{there} can't be reached from {here} without going up or down, past nobody."
    climb = height(state, target) - height(state, origin)
    if too_high(state, origin, True) >> target & 1:
        return f"{there} is {climb} levels higher than {here}: a worker climbs one level at most."
    if climb > 0 and state.phase == MOVING and state.active:
        return f"{there} is higher than {here}: who builds before moving may not move up."
    if climb > 0 and is_bound(state, state.seat):
        return f"{there} is higher than {here}: Athena moved up, so nobody else may in this turn."
    if state.marked >> target & 1:
        return f"On {there} the turn began: Artemis' worker may not go back."
    return _refusal_of_taken_cell(state, origin, target)


def _refusal_of_taken_cell(state: State, origin: int, target: int) -> str:
    """Why the worker on *origin* can't go where another one stands."""
    there, god, side = cell_name(target), god_of(state, state.seat), side_at(state, target)
    if side is None:
        return f"{there} can't be entered now."
    if side == side_of(state, state.seat):
        return f"Your other worker stands on {there}."
    if state.active or god not in (APOLLO, MINOTAUR):
        who = f"A worker of {_owner(state, side)} stands on {there}"
        return f"{who}: only Apollo changes places." if god != MINOTAUR else f"{who}."
    if god == MINOTAUR:
        return f"The worker on {there} can't be pushed straight on: the cell behind it is not free."
    return f"After changing places with {there} the worker would have no cell to build on."


def _refusal_of_early_build(state: State, origin: int, target: int) -> str:
    there = cell_name(target)
    no_worker = _refusal_of_worker(state, origin)
    if no_worker:
        return no_worker
    if not int(NEIGHBOURS[origin]) >> target & 1:
        return f"{there} is not next to {cell_name(origin)}, where the worker stands."
    if early_sites(state, origin):
        return _refusal_of_site(state, target) or "After building there the worker could move only up."
    return "The worker could not move after it, as it then may not move up."


def _refusal_of_site(state: State, target: int) -> str:
    """Why nobody can build on *target*, or ""."""
    if all_workers(state) >> target & 1:
        return f"There is a worker on {cell_name(target)}."
    if state.domes >> target & 1:
        return f"There is a dome on {cell_name(target)}: nothing can be built on it."
    return ""


def _refusal_of_build(state: State, kind: int, target: int) -> str:
    there = cell_name(target)
    if state.phase == BUILDING_AGAIN and god_of(state, state.seat) == HEPHAESTUS:
        return f"The second block goes on {cell_name(lowest(state.marked))}, where the first one is."
    if state.active & (state.active - 1) == 0:
        here = cell_name(lowest(state.active))
        if state.active >> target & 1:
            return f"The worker itself stands on {there}: it builds on a cell next to it."
        if not cells_around(state.active) >> target & 1:
            return f"{there} is not next to {here}, where the worker that moved stands."
    elif not cells_around(state.active) >> target & 1:
        return f"{there} is not next to any of your workers."
    no_site = _refusal_of_site(state, target)
    if no_site:
        return no_site
    if state.phase == BUILDING_AGAIN:
        return f"The first block went on {there}: Demeter's second one goes on another cell."
    if kind == DOME and god_of(state, state.seat) != ATLAS:
        return "Only Atlas can build a dome before level 3."
    return f"On level 3 a dome is what is built next anyway: +{there}."


# -------------------------------------------------------------------------------------- descriptions


def describe(state: State, step: int) -> tuple[str, str]:
    """A god with its power, a move with what comes of it, a block or a dome with what it does."""
    kind, origin, target = step_parts(step)
    if kind == PICK:
        return GODS[target].title, GODS[target].power
    if kind == PLACE:
        return f"Place a worker on {cell_name(target)}", ""
    if kind == DONE:
        if state.phase == BUILDING_AGAIN:
            return "Done", "Build no more and end the turn."
        return "Done", "Move no more and build." if state.phase == MOVING_AGAIN else "Move nobody and build."
    if kind == MOVE:
        return f"Move {cell_name(origin)} to {cell_name(target)}", _outcome_of_move(state, origin, target)
    if state.phase == MOVING:
        return f"Build on {cell_name(target)} first", "Then move this worker, but not up, and build again."
    if kind == DOME or height(state, target) == DOME_HEIGHT - 1:
        return "Dome", "Nobody can stand or build there any more."
    return "Block", f"The tower will be {height(state, target) + 1} high."


def _outcome_of_move(state: State, origin: int, target: int) -> str:
    if wins_by(state, state.seat, origin, target):
        went_down = height(state, origin) > height(state, target)
        return "Goes down two levels and wins." if went_down else "Reaches level 3 and wins."
    if side_at(state, target) is None:
        return ""
    if god_of(state, state.seat) == MINOTAUR:
        return "Pushes the opponent's worker straight on."
    return "Changes places with the opponent's worker."


def displacement(state: State, origin: int, target: int) -> Literal["", "swap", "push"]:
    """What a legal move from *origin* does to the worker on *target*: ``swap``, ``push``, or "" if there is none."""
    if side_at(state, target) is None:
        return ""
    return "push" if god_of(state, state.seat) == MINOTAUR else "swap"


_BUILD_PROMPTS = {
    ATLAS: "A block, or by Atlas' power a dome at any level.",
    DEMETER: "One level up; then once more on another cell, if you like.",
    HEPHAESTUS: "One level up; then a second block on the same cell, if you like.",
    HERMES: "One level up; on level 3, a dome. Either worker may build.",
}
_MOVE_PROMPTS = {
    APOLLO: "One level up at most; by Apollo's power also onto an opponent's worker.",
    ARTEMIS: "One level up at most; then once more, if you like.",
    HERMES: "As far as it can get on its level, or one step up or down.",
    MINOTAUR: "One level up at most; by Minotaur's power also onto an opponent's worker, if it can be pushed on.",
    PAN: "One level up at most; going down two levels wins.",
    PROMETHEUS: "One level up at most; or build first, and then move, but not up.",
}


def prompt(state: State, chosen: int | None) -> tuple[str, str]:
    """What the seat to act is to do in this phase."""
    if is_over(state):
        return "The game is over", ""
    god = god_of(state, state.seat)
    if state.phase == PICKING:
        return "Choose a god", "Its power is yours for the whole game."
    if state.phase == PLACING:
        if workers_of(state, state.seat):
            return "Place your second worker", "Any free cell will do."
        return "Place your first worker", "Any free cell will do; cells in the middle reach further."
    if state.phase == BUILDING:
        worker = "either worker" if god == HERMES and state.active & (state.active - 1) else "your worker"
        return f"Build next to {worker}", _BUILD_PROMPTS.get(god, "One level up; on level 3, a dome.")
    if state.phase == BUILDING_AGAIN:
        where = "A second block on the same cell" if god == HEPHAESTUS else "On another cell"
        return "Build again, or done", f"{where}, by {possessive(GODS[god].title)} power; or leave it."
    if state.phase == MOVING_AGAIN:
        if god == HERMES:
            return "Walk the other worker, or done", "As far as it can get on its level."
        return "Move again, or done", "Not back to where the turn began."
    if state.active:
        return "Now move this worker", "Not up, as it has built; then it builds again."
    detail = "Athena moved up: you can't in this turn." if is_bound(state, state.seat) else ""
    if chosen is None:
        return "Choose a worker to move", detail or "Moving up onto level 3 wins."
    return "Choose where it moves", detail or _MOVE_PROMPTS.get(god, "To a cell around it, one level up at most.")


def seat_note(state: State, seat: int) -> tuple[str, str]:
    """The seat's god and its power; of a seat that is out, that; nothing for a mortal."""
    god = GODS[god_of(state, seat)]
    title = god.title if god_of(state, seat) else ""
    if state.out >> seat & 1:
        return title, "out of the game"
    if state.climbed >> seat & 1:
        return title, "others can't move up"
    return title, god.gist if title else ""
