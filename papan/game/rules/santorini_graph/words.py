"""The sentences of Santorini on graphs: why a step is refused, what a step is, what is expected, how it ended."""

from __future__ import annotations

from papan.game.kernel.bits import cells_of as nodes_of
from papan.game.kernel.bits import lowest, popcount
from papan.game.rules import Ending, is_over, payoff
from papan.game.rules.santorini_graph.board import (
    BUILD,
    BUILDING,
    BUILDS_BEHIND,
    MOVE,
    MOVES_FREELY,
    MOVING,
    PLACE,
    PLACING,
    REACHED_TOP,
    SEATS,
    SHARED,
    TOWER_WINS,
    State,
    height,
    move_step,
    nodes_after,
    nodes_before,
    share,
    step_parts,
    workers_of,
)

_KINDS = {PLACING: PLACE, MOVING: MOVE, BUILDING: BUILD}
_OTHER_PHASE = {
    PLACING: "Workers are to be placed first.",
    MOVING: "A worker is to be moved first.",
    BUILDING: "The worker that moved is to build now.",
}


def ending(state: State) -> Ending:
    """Why the finished game *state* is over."""
    reason = f"reached level {state.top - 1}" if state.phase == REACHED_TOP else "no move left"
    return Ending((payoff(state, 0), payoff(state, 1)), reason)


# ----------------------------------------------------------------------------------------- refusals


def refusal(state: State, step: int) -> str:
    """Which rule forbids *step*."""
    kind, origin, target = step_parts(step)
    if is_over(state):
        return f"The game is over: {ending(state).reason}."
    if kind != _KINDS[state.phase]:
        return _OTHER_PHASE[state.phase]
    if max(origin, target) >= state.nodes:
        return f"There is no such node: nodes are 0 to {state.nodes - 1}."
    if kind == PLACE:
        return f"There is another worker on node {target} already."
    return _refusal_of_move(state, origin, target) if kind == MOVE else _refusal_of_build(state, target)


def refusal_at(state: State, cells: tuple[int, ...]) -> str:
    """Which rule forbids moving from ``cells[0]`` to ``cells[1]``, or using the one node of *cells*."""
    if is_over(state):
        return refusal(state, MOVE)
    if state.phase != MOVING:
        return refusal(state, _KINDS[state.phase] | cells[-1])
    if len(cells) == 1:
        return _refusal_of_worker(state, cells[0]) or f"The worker on node {cells[0]} can't move anywhere."
    return refusal(state, move_step(cells[0], cells[1]))


def _refusal_of_worker(state: State, node: int) -> str:
    """Why the seat to act has no worker on *node* to move, or "" if it has."""
    if workers_of(state, state.seat) >> node & 1:
        return ""
    if workers_of(state, 1 - state.seat) >> node & 1:
        return f"The worker on node {node} belongs to seat {SEATS - state.seat}; it is seat {state.seat + 1}'s turn."
    return f"There is no worker on node {node}."


def _refusal_of_move(state: State, origin: int, target: int) -> str:
    no_worker = _refusal_of_worker(state, origin)
    if no_worker:
        return no_worker
    if origin == target:
        return f"The worker on node {origin} has to leave it."
    if not nodes_after(state, origin) >> target & 1:
        if nodes_before(state, origin) >> target & 1:
            return f"The edge between nodes {origin} and {target} is one-way: it leads to node {origin}."
        return f"No edge leads from node {origin} to node {target}."
    if (state.workers | state.others) >> target & 1:
        return f"There is another worker on node {target}."
    if height(state, target) == state.top:
        return f"Node {target} is {state.top} levels high and closed: no worker can stand there."
    climb = height(state, target) - height(state, origin)
    return f"Node {target} is {climb} levels higher than node {origin}: a worker climbs one level at most."


def _refusal_of_build(state: State, target: int) -> str:
    node = lowest(state.active)
    if target == node:
        return f"The worker itself stands on node {node}."
    if state.rules & BUILDS_BEHIND:
        return f"In this variant a worker builds only on the node it has just left, node {lowest(state.origin)}."
    if not nodes_before(state, node) >> target & 1:
        if nodes_after(state, node) >> target & 1:
            return f"The worker can't have come from node {target}: the edge between them leads the other way."
        return f"No edge leads from node {target} to node {node}, where the worker that moved stands."
    if (state.workers | state.others) >> target & 1:
        return f"There is a worker on node {target}."
    return f"Node {target} is {state.top} levels high and closed: nothing can be built on it."


# -------------------------------------------------------------------------------------- descriptions


def describe(state: State, step: int) -> tuple[str, str]:
    """A worker placed, a move with what comes of it, or a block with how high it makes the node."""
    kind, origin, target = step_parts(step)
    if kind == PLACE:
        return f"Place a worker on node {target}", ""
    if kind == MOVE:
        wins = state.rules & TOWER_WINS and height(state, target) == state.top - 1
        return f"Move from node {origin} to node {target}", f"Reaches level {state.top - 1} and wins." if wins else ""
    level = height(state, target) + 1
    closes = level == state.top
    return f"Build on node {target}", "It will be closed." if closes else f"It will be {level} high."


def prompt(state: State, chosen: int | None) -> tuple[str, str]:
    """What the seat to act is to do in this phase."""
    if is_over(state):
        return "The game is over", ""
    if state.phase == PLACING:
        return _prompt_to_place(state)
    if state.phase == BUILDING:
        if state.rules & BUILDS_BEHIND:
            return "Build on the node just left", "In this variant nothing else can be built on."
        return "Build with the worker that moved", "On a free node that it could have come from."
    if chosen is not None:
        height_rule = "at any height" if state.rules & MOVES_FREELY else "one level up at most"
        return "Choose where it moves", f"Along an edge, {height_rule}."
    if state.rules & TOWER_WINS:
        return "Choose a worker to move", f"Moving onto level {state.top - 1} wins; who can't move loses."
    return "Choose a worker to move", "Who can't move loses."


def _prompt_to_place(state: State) -> tuple[str, str]:
    if state.rules & SHARED:
        left = state.number - popcount(state.workers)
        return "Place a worker", f"It will be everybody's; {left} to place." if left > 1 else "It will be everybody's."
    left = share(state) - popcount(workers_of(state, state.seat))
    return "Place a worker", f"{left} to place." if left > 1 else "Any free node will do."


def seat_note(state: State, seat: int) -> tuple[str, str]:
    """On which nodes the seat's workers stand; what is shared belongs to nobody."""
    if state.rules & SHARED:
        return "", "moves any worker"
    nodes = nodes_of(workers_of(state, seat))
    if not nodes:
        return "", ""
    return "", ("worker on " if len(nodes) == 1 else "workers on ") + ", ".join(map(str, nodes))
