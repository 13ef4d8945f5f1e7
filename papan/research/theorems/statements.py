"""The statements of Geissler (2020), section 4.2, on small graphs: each case decided by trying every play.

Left acts first. A case is a starting position or, for statements on the first seat to build to a height, a position
after such a turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from papan.ai.exact.santorini_graph.graphs import board_of, connected_graphs
from papan.game.rules import State, is_over, legal_steps, mover, play, santorini_graph
from papan.game.rules.santorini_graph.names import read_variant
from papan.research.theorems.deciding import Explorer
from papan.research.theorems.small_cases import geography, starts, stated_starts, winning_starts


class Case(NamedTuple):
    """A position that a statement covers."""

    position: str
    """The variant, the board and the position text."""
    holds: bool


def _named(variant: str, board: str, state: State) -> str:
    return f"{variant} {board} {santorini_graph.text(state)}"


def _undirected_boards(nodes: int) -> Iterator[str]:
    return map(board_of, connected_graphs(nodes))


# ------------------------------------------------------------------------------- who builds first loses


def first_to_build_up(variant: str, board: str, nodes: int) -> Iterator[Case]:
    """The positions after each turn that is the first to build to height m − 1: whether the other seat then wins."""
    top = str(read_variant(variant).height - 1)
    explorer = Explorer()
    known: set[State] = set()
    waiting = list(starts(variant, board, nodes))
    while waiting:
        state = waiting.pop()
        if state in known or is_over(state):
            continue
        known.add(state)
        for after in _after_a_turn(state):
            if is_over(after):
                continue
            if top in santorini_graph.text(after).partition("/")[0]:
                yield Case(_named(variant, board, after), explorer.outcome(after).is_won)
            else:
                waiting.append(after)


def _after_a_turn(state: State) -> Iterator[State]:
    seat = mover(state)
    within = [state]
    while within:
        for after in (play(one, step) for one in [within.pop()] for step in legal_steps(one)):
            if is_over(after) or mover(after) != seat:
                yield after
            else:
                within.append(after)


def _left_loses(variant: str, board: str, nodes: int) -> Iterator[Case]:
    explorer = Explorer()
    for start in starts(variant, board, nodes):
        yield Case(_named(variant, board, start), not explorer.outcome(start).is_won)


def statement_1(nodes: int) -> Iterator[Case]:
    """nW_I mH_TW U S_FM: the first to build to height m − 1 loses, unless workers fill the graph."""
    for workers in (1, 2):
        for height in (2, 3):
            for board in _undirected_boards(nodes) if workers < nodes else ():
                yield from first_to_build_up(f"{workers}W_I{height}H_TWUS_FM", board, nodes)


def statement_2(nodes: int) -> Iterator[Case]:
    """nW_I 2H_TW U S on any graph: Left, who builds first, loses."""
    for workers in range(1, min(nodes, 4)):
        for board in _undirected_boards(nodes):
            yield from _left_loses(f"{workers}W_I2H_TWUS", board, nodes)


def statement_3(nodes: int) -> Iterator[Case]:
    """On complete graphs: Left loses nW_P 2H_TW U S, and the first to build to m − 1 loses nW_P mH_TW U S_FM."""
    board = f"complete:{nodes}"
    for workers in range(2, min(nodes, 5), 2):
        yield from _left_loses(f"{workers}W_P2H_TWUS", board, nodes)
        for height in (2, 3):
            yield from first_to_build_up(f"{workers}W_P{height}H_TWUS_FM", board, nodes)


# ------------------------------------------------------------------------------- directed cycles, paths


def wins_on_cycle(nodes: int, height: int, has_tower_wins: bool) -> bool:
    """Whether, by statement 4, Left wins with one shared worker on a one-way cycle."""
    if has_tower_wins:
        return height % 2 == 0 and nodes % 2 == 1
    return height % 2 == 0 or nodes % 2 == 0


def statement_4(nodes: int, heights: Sequence[int], has_tower_wins: bool) -> Iterator[Case]:
    """1W_I mH D S on a one-way cycle: parity decides."""
    for height in heights:
        variant = f"1W_I{height}H_{'' if has_tower_wins else 'N'}TWDS"
        start = next(starts(variant, f"cycle:{nodes}", nodes))
        stated = wins_on_cycle(nodes, height, has_tower_wins)
        yield Case(_named(variant, f"cycle:{nodes}", start), Explorer().outcome(start).is_won == stated)


def statement_5(nodes: int, height: int, has_tower_wins: bool) -> Iterator[Case]:
    """2W_P mH D S on a one-way cycle: Right's winning start nodes, counted from 1."""
    variant = f"2W_P{height}H_{'' if has_tower_wins else 'N'}TWDS"
    wins, stated = winning_starts(nodes, height, has_tower_wins), stated_starts(nodes, height)
    for node in range(2, nodes + 1):
        yield Case(f"{variant} cycle:{nodes} {node}", (node in wins) == (node in stated))


def wins_on_path(nodes: int, height: int, left: int, right: int) -> bool:
    """Whether, by statement 6, Left wins from node *left* with Right on node *right*, counted from 0.

    At height 1, the further player can move up to the node before the closer player's start, which is built on by
    then; the closer player can move to the end. The player with more moves wins; Left, who moves first, needs one more.
    """
    if height > 1:
        return left < right
    closer, further = nodes - 1 - max(left, right), abs(left - right) - 1
    return further > closer if left < right else closer > further


def statement_6(nodes: int, height: int, has_tower_wins: bool, *, lets_move: bool = False) -> Iterator[Case]:
    """2W_P mH D S on a one-way path: the player further from the end wins; at height 1, distances decide.

    :param lets_move: leave out starts with Left directly behind Right, where Left can't move.
    """
    variant = f"2W_P{height}H_{'' if has_tower_wins else 'N'}TWDS"
    explorer = Explorer()
    for start in starts(variant, f"path:{nodes}", nodes):
        left, right = map(int, santorini_graph.text(start).split("/")[2:])
        if lets_move and right == left + 1:
            continue
        stated = wins_on_path(nodes, height, left, right)
        yield Case(_named(variant, f"path:{nodes}", start), explorer.outcome(start).is_won == stated)


# ------------------------------------------------------------------------------------------- section 6.3


def statements_7_and_8(nodes: int, has_stipulation: bool) -> Iterator[Case]:
    """1W_I 1H_NTW U* S or U S: the first player wins exactly where every maximum matching covers the start."""
    for one in geography(nodes):
        is_won = one.with_stipulation if has_stipulation else one.without_stipulation
        yield Case(f"{one.board} {one.start}", is_won == one.is_covered)


def _towers(has_tower_wins: bool) -> str:
    return "tower wins" if has_tower_wins else "no tower wins"


STATEMENTS: Mapping[str, tuple[Callable[[int], Iterator[Case]], range]] = {
    "1": (statement_1, range(2, 5)),
    "2": (statement_2, range(2, 6)),
    "3": (statement_3, range(3, 6)),
    "4, no tower wins": (partial(statement_4, heights=(1, 2, 3, 4), has_tower_wins=False), range(3, 10)),
    "4, tower wins, height 1": (partial(statement_4, heights=(1,), has_tower_wins=True), range(3, 10)),
    "4, tower wins, heights 2 to 4": (partial(statement_4, heights=(2, 3, 4), has_tower_wins=True), range(3, 10)),
    **{
        f"5, height {height}, {_towers(wins)}": (
            partial(statement_5, height=height, has_tower_wins=wins), range(3, 8)
        )
        for height in (1, 2, 3) for wins in (False, True)
    },
    **{
        f"6, height {height}, {_towers(wins)}": (
            partial(statement_6, height=height, has_tower_wins=wins), range(2, 9)
        )
        for height in (1, 2, 3) for wins in (False, True)
    },
    "6, height 2, no tower wins, Left can move": (
        partial(statement_6, height=2, has_tower_wins=False, lets_move=True), range(2, 9)
    ),
    "6, height 3, tower wins, Left can move": (
        partial(statement_6, height=3, has_tower_wins=True, lets_move=True), range(2, 9)
    ),
    "7": (partial(statements_7_and_8, has_stipulation=True), range(2, 7)),
    "8": (partial(statements_7_and_8, has_stipulation=False), range(2, 7)),
}  # fmt: skip
"""By name: a statement's function from a number of nodes to its cases, and the numbers to try."""
