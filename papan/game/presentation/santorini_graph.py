"""Presentation of Santorini on graphs: pieces for the editor; climbs, threats, closed nodes, moves left as motifs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from papan.game.base.sentences import say, say_number
from papan.game.kernel.bits import cells_of
from papan.game.presentation import URGENT, Brush, Example, Motif, Page, Section, Setting, player_names, turn_setting
from papan.game.rules import PositionError, is_over, mover
from papan.game.rules.santorini_graph import board

_HEIGHTS = board.SEATS
"""Codes below this one are seats, for their workers; from it on, heights."""


def brushes(state: board.State) -> Sequence[Brush]:
    if state.rules & board.SHARED:
        workers = [Brush(0, say("Worker"))]
    else:
        workers = [Brush(seat, say("Worker of player {number}", number=seat + 1)) for seat in range(board.SEATS)]
    heights = [Brush(_HEIGHTS + level, say("Level {level}", level=level), 1) for level in range(1, state.top)]
    return [*workers, *heights, Brush(_HEIGHTS + state.top, say("Closed node"), 1)]


def put(state: board.State, code: int, cell: int) -> board.State:
    """*state* with a worker on the node *cell*, or a tower of that height."""
    is_manned = (state.workers | state.others) >> cell & 1
    is_closed = board.height(state, cell) == state.top
    if (code < _HEIGHTS and is_closed) or (code == _HEIGHTS + state.top and is_manned):
        raise PositionError.saying("No worker can stand on a closed node: node {node} can't be both.", node=cell)
    if code >= _HEIGHTS:
        return _settled(_with_height(state, cell, code - _HEIGHTS))
    rest = ~(1 << cell)
    boards = [state.workers & rest, state.others & rest]
    boards[code] |= 1 << cell
    return _settled(board.with_boards(state, workers=boards[0], others=boards[1]))


def name_of(state: board.State, cell: int) -> str:
    return say("Node {number}", number=cell)


def standing(state: board.State, cell: int) -> Sequence[int]:
    boards = (state.workers | state.others,) if state.rules & board.SHARED else (state.workers, state.others)
    found = [seat for seat, workers in enumerate(boards) if workers >> cell & 1]
    high = board.height(state, cell)
    return [*found, *([_HEIGHTS + high] if high else [])]


def taken(state: board.State, cell: int) -> board.State:
    rest = ~(1 << cell)
    if (state.workers | state.others) >> cell & 1:
        return _settled(board.with_boards(state, workers=state.workers & rest, others=state.others & rest))
    return _settled(_with_height(state, cell, max(board.height(state, cell) - 1, 0)))


def cleared(state: board.State) -> board.State:
    return _settled(board.with_boards(state._replace(seat=0), **dict.fromkeys(board.BITBOARDS, 0)))


def settings(state: board.State) -> Sequence[Setting]:
    return [turn_setting(player_names(board.SEATS), state.seat)]


def changed(state: board.State, name: str, value: str) -> board.State:
    return _settled(state._replace(seat=int(value)))


def _with_height(state: board.State, node: int, level: int) -> board.State:
    planes = [
        plane & ~(1 << node) | (level >> digit & 1) << node
        for digit, plane in enumerate((state.ones, state.twos, state.fours, state.eights))
    ]
    return board.with_boards(state, ones=planes[0], twos=planes[1], fours=planes[2], eights=planes[3])


def _settled(state: board.State) -> board.State:
    """*state* at the start of a turn."""
    return board.with_boards(state._replace(phase=board.MOVING), active=0, origin=0)


_CLOSED = 100  # more than any level
_TRAPPED, _FEW, _DENIED, _STEP, _FEWER, _MORE, _ROOM, _ALONE, _LEFT, _CALM = (
    20.0, 3.0, 0.6, 0.4, 0.5, 0.3, 0.25, 0.2, 0.1, 0.05,
)  # fmt: skip
_MOST_FEW = 2


def motifs(states: Sequence[board.State], steps: Sequence[int], who: str) -> Iterator[Motif]:
    before, after, seat = states[0], states[-1], int(mover(states[0]))
    if before.phase == board.PLACING:
        yield from _places(before, after)
    if before.phase != board.MOVING:
        return
    closes = False
    for state, step in zip(states, steps, strict=False):
        kind, origin, target = board.step_parts(step)
        level = board.height(state, target)
        if kind == board.MOVE and board.height(state, origin) < level < state.top - 1:
            yield Motif(
                level,
                say("{who} can now climb to level {level} on node {node}.", who=who, level=level, node=target),
                say("{who} could have climbed to level {level} on node {node}.", who=who, level=level, node=target),
                say("climbs to level {level} on node {node}", level=level, node=target),
            )
        if kind == board.BUILD and level == state.top - 1 and _could_win_on(state, 1 - seat, target):
            closes = True
            yield Motif(
                _CLOSED if _winning_nodes(after, 1 - seat) else 1.2 * URGENT,
                say("{who} can now close node {node}.", who=who, node=target),
                say("{who} could have closed node {node}.", who=who, node=target),
                say("closes node {node} before the opponent climbs it", node=target),
            )
    if is_over(after):
        return
    if before.rules & board.SHARED == 0:
        yield from _wins(before, after, closes=closes)
        yield from _build(before, after, board.step_parts(steps[-1])[2])
    yield from _moves(before, after)


def _places(before: board.State, after: board.State) -> Iterator[Motif]:
    """Where workers are placed."""
    new = cells_of((after.workers | after.others) & ~(before.workers | before.others))
    node = max(new, key=lambda one: _degree(after, one))
    does = say_number(
        "puts a worker on node {node}, which leads to {count} node",
        "puts a worker on node {node}, which leads to {count} nodes",
        _degree(after, node),
        node=node,
    )
    yield Motif(_LEFT, does=does)


def _degree(state: board.State, node: int) -> int:
    """The number of nodes that *node* leads to."""
    return int(board.nodes_after(state, node)).bit_count()


def _could_win_on(state: board.State, seat: int, node: int) -> bool:
    """Whether a worker of *seat* can move to *node* to win."""
    if state.rules & board.TOWER_WINS == 0 or state.rules & board.SHARED:
        return False
    return any(board.destinations(state, worker) >> node & 1 for worker in cells_of(board.workers_of(state, seat)))


def _winning_nodes(state: board.State, seat: int) -> set[int]:
    """The nodes where *seat* could win if it were to move."""
    return {node for node in range(state.nodes) if board.height(state, node) == state.top - 1} & {
        node for node in range(state.nodes) if _could_win_on(state, seat, node)
    }


def _wins(before: board.State, after: board.State, *, closes: bool) -> Iterator[Motif]:
    """Own and the opponent's ways to win next."""
    seat = int(mover(before))
    new = sorted(_winning_nodes(after, seat) - _winning_nodes(before, seat))
    if len(new) > 1:
        yield Motif(URGENT, does=say("threatens to win on nodes {node} and {other}", node=new[0], other=new[1]))
    elif new:
        yield Motif(URGENT, does=say("threatens to win on node {node}", node=new[0]))
    could, can = (_winning_nodes(state, 1 - seat) for state in (before, after))
    if not can:
        yield Motif(_CALM, does=say("leaves no opponent a winning move"))
    if could - can and not closes:
        does = say("keeps the opponent from winning on node {node}", node=min(could - can))
        yield Motif(_CLOSED if can else 1.2 * URGENT, does=does)


def _targets(state: board.State, seat: int) -> dict[int, int]:
    """Bitboards of the nodes that each worker of *seat* could move to if it were to move, by its node."""
    return {worker: board.destinations(state, worker) for worker in cells_of(board.workers_of(state, seat))}


def _build(before: board.State, after: board.State, node: int) -> Iterator[Motif]:
    """What the block on *node* is good for."""
    seat, level = int(mover(before)), board.height(after, node)
    old = level - 1
    theirs, had = _targets(after, 1 - seat), _targets(before, 1 - seat)
    is_theirs = any(nodes >> node & 1 for nodes in theirs.values())
    own = _targets(after, seat)
    up = [worker for worker, nodes in own.items() if nodes >> node & 1 and board.height(after, worker) < level]
    if not is_theirs and old > 0 and any(nodes >> node & 1 for nodes in had.values()):
        yield Motif(_DENIED * old, does=say("raises node {node} out of the opponent's reach", node=node))
    elif up:
        does = say("builds a step up to level {level} on node {node}", level=level, node=node)
        yield Motif(_STEP * level, does=does, holds=lambda line: not line or board.height(line[0], node) == level)
    elif not is_theirs and level < after.top:
        yield Motif(_ALONE, does=say("builds on node {node} out of the opponent's reach", node=node))


def _moves(before: board.State, after: board.State) -> Iterator[Motif]:
    """The number of moves that both seats have."""
    seat = int(mover(before))
    theirs, had = _targets(after, 1 - seat), _targets(before, 1 - seat)
    stuck = [worker for worker, nodes in theirs.items() if not nodes and had.get(worker)]
    if stuck:
        yield Motif(_TRAPPED, does=say("traps the worker on node {node}", node=stuck[0]))
    count, before_count = _count(theirs), _count(had)
    does = say_number("leaves the opponent only {count} move", "leaves the opponent only {count} moves", count)
    if count <= _MOST_FEW:
        yield Motif(_FEW, does=does)
    elif count < before_count:
        yield Motif(_FEWER, does=say("cuts the opponent's moves to {count}", count=count))
    if before.rules & board.SHARED:
        yield Motif(
            _LEFT, does=say_number("leaves the opponent {count} move", "leaves the opponent {count} moves", count)
        )
        return
    own = _count(_targets(after, seat))
    if own > count:
        does = say("leaves you {count} moves to the opponent's {other}", count=own, other=count)
        yield Motif(_MORE, does=does)
    moved = cells_of(board.workers_of(after, seat) & ~board.workers_of(before, seat))
    left = cells_of(board.workers_of(before, seat) & ~board.workers_of(after, seat))
    if moved and _degree(after, moved[0]) > _degree(after, left[0]):
        yield Motif(_ALONE, does=say("moves to a node with more neighbours"))
    if own > _count(_targets(before, seat)):
        yield Motif(_ROOM, does=say("gives your workers more ways to move"))


def _count(targets: dict[int, int]) -> int:
    return sum(nodes.bit_count() for nodes in targets.values())


_RING = {"variant": "1W_I2H_NTWDS", "board": "cycle:6"}
_SHARED = {"variant": "2W_I4H_TWUS", "board": "grid:3x3"}
_STUCK = {"variant": "2W_P2H_NTWUS", "board": "path:6"}

PAGE = Page(
    goal="Climb to the level below the top, if the variant has tower wins, or leave your opponent without a move.",
    sections=(
        Section(
            "The board",
            "Towers stand on **nodes**, and workers walk along the **edges** between them. The ordinary board is a "
            "grid whose nodes are joined to the eight around them; there are paths, rings, complete graphs, and "
            "whatever you write yourself: **edges:0-1,1-2,2-0** joins three nodes to a triangle. A board has up to "
            "126 nodes.\n"
            "Each player in turn places all of their workers. Players place shared workers one by one, by turns, and "
            "the next player makes the first move.",
        ),
        Section(
            "A turn",
            "First **move** one of your workers along an edge to a free node, at most **one level up**, or down as "
            "far as you like. Then the same worker **builds** one block on a free node next to it; the node just left "
            "is always one of these.\n"
            "At its greatest height a node has a dome: it is **closed**, to workers and to blocks.",
            Example(
                "0100000110042001231001000/1/8,16/3,22",
                "This worker stands on level 2 and can climb to level 3 on node 17. Node 11 is closed.",
                chosen=16,
            ),
        ),
        Section(
            "The end",
            "With **tower wins** (TW), whoever moves a worker onto a node one level below the greatest height wins "
            "at once. Without them (NTW) you win only by blocking: a player who **can't move** has lost.",
            Example("012110/1/0/4", "Seat 1 can still move to node 1; node 2 is closed for ever.", options=_STUCK),
        ),
        Section(
            "The name of a variant",
            "**4W_P4H_TWUS** is the ordinary game. Its parts are, one after the other:\n"
            "**4W** four workers; **P** each player has half of them, or **I** both players share all workers; **4H** "
            "the greatest height; **TW** tower wins, or **NTW** none; **U** edges lead both ways, or **D** they are "
            "one-way; a star, **U*** or **D***, builds only on the node just left; **S** for Santorini; and **S_FM** "
            "for free movement: a worker climbs to any height that is not closed.",
            Example(
                "012101020/2/1,6",
                "2W_I: both players move both workers, so that every climb helps the other one too.",
                options=_SHARED,
            ),
        ),
        Section(
            "One-way edges",
            "Where edges are one-way, a worker moves **along** the arrows and builds **against** them, on nodes from "
            "which it could have come. On a ring with one worker there is no choice, so you can find the winner by "
            "counting.",
            Example(
                "100000/2/1",
                "The worker came from node 0, where it has just built, and goes on to node 2.",
                options=_RING,
            ),
        ),
    ),
    history=(
        "Carson Geissler described these variants in 2020, in a study of how hard it is to solve Santorini. With one "
        "shared worker, one level, no tower wins and the star it is the old game of geography on a graph."
    ),
)
