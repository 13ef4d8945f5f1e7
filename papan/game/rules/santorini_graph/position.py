"""The position text of Santorini on graphs: one line for any start of a turn.

``<heights>/<seat to act>/<workers>/<workers>``: one digit for each node's height, in their order; seat 1 or 2; the
nodes of the first and of the second seat's workers, ``6,8/16,18``. Where workers are shared there is one list of
them. While workers are placed, the lists are as short as they are. Graph and variant are options, and stand beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from papan.game.base.sentences import say, say_number
from papan.game.base.untrusted import quoted, whole_number
from papan.game.game import OptionError
from papan.game.kernel.bits import cells_of as nodes_of
from papan.game.kernel.bits import popcount
from papan.game.rules import PositionError
from papan.game.rules.santorini_graph.board import (
    BUILDING,
    MOVING,
    PLACING,
    REACHED_TOP,
    SEATS,
    SHARED,
    State,
    begin_turn,
    height,
    share,
    state_of,
    workers_of,
)
from papan.game.rules.santorini_graph.names import MOST_MOVES, Graph, Variant, read_board, read_variant


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
    """No fewer than a seat can ever choose among."""
    own = variant.workers if variant.is_shared else variant.workers // SEATS
    free = graph.nodes - variant.workers
    edges = sorted((min(ends.bit_count(), free) for ends in graph.edges), reverse=True)
    return sum(edges[:own])


def text(state: State) -> str:
    """The position text of *state*.

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

    :raises PositionError: what is wrong, and where.
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
    """The bitboard of the workers that *field* lists, where others stand on *taken*."""
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
    """Refuse numbers of workers, as *placed*, that no placing leads to where the seat is the one to act."""
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
