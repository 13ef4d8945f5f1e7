"""Santorini on graphs: Geissler's variants, on any graph of up to 126 nodes.

"A Mathematical Analysis of the Game of Santorini" (2020), section 4.1, defines them. The ordinary game, ``4W_P4H_TWUS``
on ``grid:5x5``, is one of them; ``names`` explains the letters and the graphs. A turn is a move along an edge, one
level up at most, and then a block: on a node from which the worker could have come. Nodes with a worker and nodes of
the maximum height, which are closed, are no targets of moves or builds: the last level is like a dome. With tower wins,
moving onto a node one level below that wins at once; a seat that can't move has lost. After a move there is always the
node just left to build on.

Seat 1 places all its workers and then seat 2 does; shared workers are placed by turns, one a turn. Then the next seat
begins play.

A step is one integer: its kind, then the origin of a move, then the target of the move, build or placement.
``3-5`` moves, ``+7`` builds, so ``3-5+7`` is a turn; ``3,12`` places two workers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from papan.game.base.sentences import say, say_number
from papan.game.base.untrusted import quoted, whole_number
from papan.game.game import OptionError
from papan.game.kernel import inlined, subroutine
from papan.game.kernel.bits import cells_of as nodes_of
from papan.game.kernel.bits import hashed, lowest, popcount, write_bits
from papan.game.rules import Ending, PositionError, is_over, key, mover, moves, payoff, play, reason_number
from papan.game.rules.santorini_graph.board import (
    BUILD,
    BUILDING,
    BUILDS_BEHIND,
    MOVE,
    MOVES_FREELY,
    MOVING,
    NODE_MASK,
    ORIGIN_SHIFT,
    PLACE,
    PLACING,
    REACHED_TOP,
    SEATS,
    SHARED,
    TOWER_WINS,
    begin_turn,
    building_sites,
    destinations,
    height,
    next_to_place,
    nodes_after,
    nodes_before,
    share,
    state_of,
    workers_of,
)
from papan.game.rules.santorini_graph.board import State as State
from papan.game.rules.santorini_graph.board import move_step as move_step
from papan.game.rules.santorini_graph.board import step_parts as step_parts
from papan.game.rules.santorini_graph.names import MOST_MOVES, Graph, Variant, read_board, read_variant
from papan.game.rules.santorini_graph.wide import WideState as WideState

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
    # The graph and the variant are left out: they are the same throughout a match.
    return hashed(
        state.ones,
        state.twos,
        state.fours,
        state.eights,
        state.workers,
        state.others,
        state.active | state.origin,  # exactly one of them has a worker: that tells them apart
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
    """A step in the notation of the module's docstring."""
    kind, origin, target = step_parts(step)
    if kind == PLACE:
        is_further = workers_of(state, state.seat) and not state.rules & SHARED
        return f",{target}" if is_further else str(target)
    return f"{origin}-{target}" if kind == MOVE else f"+{target}"


def cells(state: State, step: int) -> tuple[int, ...]:
    """The nodes to point at: the worker's and its target's, or the one to build or place on."""
    kind, origin, target = step_parts(step)
    return (origin, target) if kind == MOVE else (target,)


# -------------------------------------------------------------------------------------- position texts


def game_of(options: Mapping[str, str]) -> tuple[Graph, Variant]:
    """The graph and the variant that *options* name.

    :raises OptionError: they name none, or don't go together.
    """
    variant = read_variant(options["variant"])
    graph = read_board(options["board"], variant.is_directed)
    if variant.workers > graph.nodes:
        board = options["board"]
        raise OptionError.saying(
            "The {workers} workers of {variant} have no room on the {nodes} nodes of {board}.",
            workers=variant.workers,
            variant=options["variant"],
            nodes=graph.nodes,
            board=board,
        )
    most = _most_moves(graph, variant)
    if most > MOST_MOVES:
        raise OptionError.saying(
            "The workers of {variant} could have up to {moves} moves on {board}; there is room for {most}.",
            variant=options["variant"],
            moves=most,
            board=options["board"],
            most=MOST_MOVES,
        )
    return graph, variant


def _most_moves(graph: Graph, variant: Variant) -> int:
    """An upper bound of a seat's moves."""
    own = variant.workers if variant.is_shared else variant.workers // SEATS
    free = graph.nodes - variant.workers
    edges = sorted((min(ends.bit_count(), free) for ends in graph.edges), reverse=True)
    return sum(edges[:own])


def text(state: State) -> str:
    """The position text of *state*: ``<heights>/<seat to act>/<workers>/<workers>``.

    One digit for each node's height, in their order; seat 1 or 2; the nodes of the first and of the second seat's
    workers, ``6,8/16,18``. Shared workers have one list. While workers are placed, the lists are shorter. Graph and
    variant are options, and not part of it.

    :raises PositionError: *state* is within a turn, or after a move that won: neither is the start of a turn.
    """
    if state.phase == REACHED_TOP:
        raise PositionError.saying("The game was won within a turn: a position text is for the start of a turn.")
    is_shared = bool(state.rules & SHARED)
    own = popcount(workers_of(state, state.seat))
    if state.phase == BUILDING or (state.phase == PLACING and own and not is_shared):
        raise PositionError.saying("A turn is going on: a position text is for the start of a turn.")
    digits = "".join(str(height(state, node)) for node in range(state.nodes))
    boards = (state.workers,) if is_shared else (state.workers, state.others)
    return "/".join((digits, str(state.seat + 1), *(",".join(map(str, nodes_of(board))) for board in boards)))


def parse(text: str, options: Mapping[str, str]) -> State:
    """The state that *text* describes, under *options*.

    >>> parse("0110/2/3", {"variant": "1W_I2H_NTWUS", "board": "path:4"}).seat
    1
    """
    try:
        graph, variant = game_of(options)
    except OptionError as error:
        raise PositionError(str(error)) from error
    fields = text.split("/")
    lists = 1 if variant.is_shared else SEATS
    if len(fields) != 2 + lists:
        wanted = say("the workers") if variant.is_shared else say("each seat's workers")
        raise PositionError.saying(
            "{text} has {parts} between slashes instead of {expected}: the heights, the seat to act, and {workers}.",
            text=quoted(text),
            parts=say_number("{count} part", "{count} parts", len(fields)),
            expected=2 + lists,
            workers=wanted,
        )
    heights = _parse_heights(fields[0], graph, variant)
    if fields[1] not in ("1", "2"):
        raise PositionError.saying("The seat to act is {field}; it can be 1 or 2.", field=quoted(fields[1]))
    seat = int(fields[1]) - 1
    boards = [0, 0]
    for index, field in enumerate(fields[2:]):
        boards[index] = _parse_workers(field, heights, boards[0], variant)
    is_placing = sum(map(popcount, boards)) < variant.workers
    position: State = state_of(graph, variant, heights, (boards[0], boards[1]), seat, PLACING if is_placing else MOVING)
    _check_numbers(position, [popcount(board) for board in boards[:lists]], any(heights))
    if not is_placing:
        position = begin_turn(position)
    return position


def _parse_heights(digits: str, graph: Graph, variant: Variant) -> list[int]:
    if len(digits) != graph.nodes:
        raise PositionError.saying(
            "The heights {digits} are {number} digits instead of {nodes}, one for each node.",
            digits=quoted(digits),
            number=len(digits),
            nodes=graph.nodes,
        )
    heights = []
    for node, digit in enumerate(digits):
        if digit not in "0123456789" or int(digit) > variant.height:
            raise PositionError.saying(
                "The height of node {node} is {digit}; it can be 0 to {height}.",
                node=node,
                digit=quoted(digit),
                height=variant.height,
            )
        heights.append(int(digit))
    return heights


def _parse_workers(field: str, heights: Sequence[int], taken: int, variant: Variant) -> int:
    """The bitboard of the workers in *field*, with others on *taken*."""
    board = 0
    for entry in field.split(",") if field else []:
        node, where = whole_number(entry), say("{entry} in {field}", entry=quoted(entry), field=quoted(field))
        if node is None or node < 0:
            raise PositionError.saying("{where} is no node: write numbers with commas between, as in 6,8.", where=where)
        if node >= len(heights):
            raise PositionError.saying("{where}: the nodes are 0 to {last}.", where=where, last=len(heights) - 1)
        if (board | taken) >> node & 1:
            raise PositionError.saying(
                "{where}: there is another worker on node {node} already.", where=where, node=node
            )
        if heights[node] == variant.height:
            raise PositionError.saying(
                "{where}: node {node} is closed, and no worker can stand there.", where=where, node=node
            )
        if variant.has_tower_wins and 0 < heights[node] == variant.height - 1:
            raise PositionError.saying(
                "{where}: whoever moved a worker up to node {node} has won already.", where=where, node=node
            )
        board |= 1 << node
    return board


def _check_numbers(position: State, placed: Sequence[int], is_built: bool) -> None:
    """Refuse numbers of workers, as *placed*, that are impossible with that seat to act."""
    full = share(position)
    if max(placed) > full:
        raise PositionError.saying(
            "There are {workers} workers where there can be {full}.", workers=max(placed), full=full
        )
    if position.phase == MOVING:
        return
    if is_built:
        raise PositionError.saying("Something is built before all workers are placed.")
    if position.rules & SHARED:
        next_seat = placed[0] % SEATS
    else:
        next_seat = int(placed[0] == full)
        if placed != [full * next_seat, 0]:
            raise PositionError.saying(
                "Each seat places {full} workers in one turn, the first seat before the second.", full=full
            )
    if position.seat != next_seat:
        raise PositionError.saying(
            "Seat {next} is the next to place workers, not seat {given}.", next=next_seat + 1, given=position.seat + 1
        )


# ---------------------------------------------------------------------------------------- for people: sentences


_KINDS = {PLACING: PLACE, MOVING: MOVE, BUILDING: BUILD}
_OTHER_PHASE = {
    PLACING: say("Place your workers first."),
    MOVING: say("Move a worker first."),
    BUILDING: say("Now build with the worker that moved."),
}


def ending(state: State) -> Ending:
    reason = say("reached level {level}", level=state.top - 1) if state.phase == REACHED_TOP else say("no move left")
    return Ending((payoff(state, 0), payoff(state, 1)), reason)


# ----------------------------------------------------------------------------------------- refusals


def refusal(state: State, step: int) -> str:
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
    if is_over(state):
        return say("The game is over"), ""
    if state.phase == PLACING:
        return _prompt_to_place(state)
    if state.phase == BUILDING:
        if state.rules & BUILDS_BEHIND:
            return say("Build on the node just left"), say("In this variant nothing else can be built on.")
        return say("Build with the worker that moved"), say("On a free node with an arrow to where the worker stands.")
    if chosen is not None:
        is_free = state.rules & MOVES_FREELY
        return say("Choose where it moves"), (
            say("Along an edge, at any height.") if is_free else say("Along an edge, one level up at most.")
        )
    if state.rules & TOWER_WINS:
        return say("Choose a worker to move"), say(
            "Moving onto level {level} wins. A player who can't move loses.", level=state.top - 1
        )
    return say("Choose a worker to move"), say("A player who can't move loses.")


def _prompt_to_place(state: State) -> tuple[str, str]:
    if state.rules & SHARED:
        left = state.number - popcount(state.workers)
        return say("Place a worker"), say(
            "Both players may move it; {left} left to place.", left=left
        ) if left > 1 else say("Both players may move it.")
    left = share(state) - popcount(workers_of(state, state.seat))
    return say("Place a worker"), say("{left} left to place.", left=left) if left > 1 else say("Any free node will do.")


def seat_note(state: State, seat: int) -> tuple[str, str]:
    if state.rules & SHARED:
        return "", say("moves any worker")
    nodes = nodes_of(workers_of(state, seat))
    if not nodes:
        return "", ""
    return "", say_number("worker on {nodes}", "workers on {nodes}", len(nodes), nodes=", ".join(map(str, nodes)))
