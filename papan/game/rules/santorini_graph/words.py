"""The sentences of Santorini on graphs: why a step is refused, what a step is, what is expected, how it ended."""

from __future__ import annotations

from papan.game.base.sentences import say, say_number
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
    PLACING: say("Workers are to be placed first."),
    MOVING: say("A worker is to be moved first."),
    BUILDING: say("The worker that moved is to build now."),
}


def ending(state: State) -> Ending:
    """Why the finished game *state* is over."""
    reason = say("reached level {level}", level=state.top - 1) if state.phase == REACHED_TOP else say("no move left")
    return Ending((payoff(state, 0), payoff(state, 1)), reason)


# ----------------------------------------------------------------------------------------- refusals


def refusal(state: State, step: int) -> str:
    """Which rule forbids *step*."""
    kind, origin, target = step_parts(step)
    if is_over(state):
        return say("The game is over: {reason}.", reason=ending(state).reason)
    if kind != _KINDS[state.phase]:
        return _OTHER_PHASE[state.phase]
    if max(origin, target) >= state.nodes:
        return say("There is no such node: nodes are 0 to {last}.", last=state.nodes - 1)
    if kind == PLACE:
        return say("There is another worker on node {target} already.", target=target)
    return _refusal_of_move(state, origin, target) if kind == MOVE else _refusal_of_build(state, target)


def refusal_at(state: State, cells: tuple[int, ...]) -> str:
    """Which rule forbids moving from ``cells[0]`` to ``cells[1]``, or using the one node of *cells*."""
    if is_over(state):
        return refusal(state, MOVE)
    if state.phase != MOVING:
        return refusal(state, _KINDS[state.phase] | cells[-1])
    if len(cells) == 1:
        return _refusal_of_worker(state, cells[0]) or say(
            "The worker on node {node} can't move anywhere.", node=cells[0]
        )
    return refusal(state, move_step(cells[0], cells[1]))


def _refusal_of_worker(state: State, node: int) -> str:
    """Why the seat to act has no worker on *node* to move, or "" if it has."""
    if workers_of(state, state.seat) >> node & 1:
        return ""
    if workers_of(state, 1 - state.seat) >> node & 1:
        return say(
            "The worker on node {node} belongs to seat {owner}; it is seat {mover}'s turn.",
            node=node,
            owner=SEATS - state.seat,
            mover=state.seat + 1,
        )
    return say("There is no worker on node {node}.", node=node)


def _refusal_of_move(state: State, origin: int, target: int) -> str:
    no_worker = _refusal_of_worker(state, origin)
    if no_worker:
        return no_worker
    if origin == target:
        return say("The worker on node {origin} has to leave it.", origin=origin)
    if not nodes_after(state, origin) >> target & 1:
        if nodes_before(state, origin) >> target & 1:
            return say(
                "The edge between nodes {origin} and {target} is one-way: it leads to node {origin}.",
                origin=origin,
                target=target,
            )
        return say("No edge leads from node {origin} to node {target}.", origin=origin, target=target)
    if (state.workers | state.others) >> target & 1:
        return say("There is another worker on node {target}.", target=target)
    if height(state, target) == state.top:
        return say(
            "Node {target} is {top} levels high and closed: no worker can stand there.", target=target, top=state.top
        )
    climb = height(state, target) - height(state, origin)
    return say(
        "Node {target} is {climb} levels higher than node {origin}: a worker climbs one level at most.",
        target=target,
        climb=climb,
        origin=origin,
    )


def _refusal_of_build(state: State, target: int) -> str:
    node = lowest(state.active)
    if target == node:
        return say("The worker itself stands on node {node}.", node=node)
    if state.rules & BUILDS_BEHIND:
        return say(
            "In this variant a worker builds only on the node it has just left, node {node}.", node=lowest(state.origin)
        )
    if not nodes_before(state, node) >> target & 1:
        if nodes_after(state, node) >> target & 1:
            return say(
                "The worker can't have come from node {target}: the edge between them leads the other way.",
                target=target,
            )
        return say(
            "No edge leads from node {target} to node {node}, where the worker that moved stands.",
            target=target,
            node=node,
        )
    if (state.workers | state.others) >> target & 1:
        return say("There is a worker on node {target}.", target=target)
    return say(
        "Node {target} is {top} levels high and closed: nothing can be built on it.", target=target, top=state.top
    )


# -------------------------------------------------------------------------------------- descriptions


def describe(state: State, step: int) -> tuple[str, str]:
    """A worker placed, a move with what comes of it, or a block with how high it makes the node."""
    kind, origin, target = step_parts(step)
    if kind == PLACE:
        return say("Place a worker on node {target}", target=target), ""
    if kind == MOVE:
        wins = state.rules & TOWER_WINS and height(state, target) == state.top - 1
        return say("Move from node {origin} to node {target}", origin=origin, target=target), say(
            "Reaches level {level} and wins.", level=state.top - 1
        ) if wins else ""
    level = height(state, target) + 1
    closes = level == state.top
    return say("Build on node {target}", target=target), say("It will be closed.") if closes else say(
        "It will be {level} high.", level=level
    )


def prompt(state: State, chosen: int | None) -> tuple[str, str]:
    """What the seat to act is to do in this phase."""
    if is_over(state):
        return say("The game is over"), ""
    if state.phase == PLACING:
        return _prompt_to_place(state)
    if state.phase == BUILDING:
        if state.rules & BUILDS_BEHIND:
            return say("Build on the node just left"), say("In this variant nothing else can be built on.")
        return say("Build with the worker that moved"), say("On a free node that it could have come from.")
    if chosen is not None:
        is_free = state.rules & MOVES_FREELY
        return say("Choose where it moves"), (
            say("Along an edge, at any height.") if is_free else say("Along an edge, one level up at most.")
        )
    if state.rules & TOWER_WINS:
        return say("Choose a worker to move"), say(
            "Moving onto level {level} wins; who can't move loses.", level=state.top - 1
        )
    return say("Choose a worker to move"), say("Who can't move loses.")


def _prompt_to_place(state: State) -> tuple[str, str]:
    if state.rules & SHARED:
        left = state.number - popcount(state.workers)
        return say("Place a worker"), say(
            "Both players may move it; {left} left to place.", left=left
        ) if left > 1 else say("Both players may move it.")
    left = share(state) - popcount(workers_of(state, state.seat))
    return say("Place a worker"), say("{left} left to place.", left=left) if left > 1 else say("Any free node will do.")


def seat_note(state: State, seat: int) -> tuple[str, str]:
    """On which nodes the seat's workers stand; what is shared belongs to nobody."""
    if state.rules & SHARED:
        return "", say("moves any worker")
    nodes = nodes_of(workers_of(state, seat))
    if not nodes:
        return "", ""
    return "", say_number("worker on {nodes}", "workers on {nodes}", len(nodes), nodes=", ".join(map(str, nodes)))
