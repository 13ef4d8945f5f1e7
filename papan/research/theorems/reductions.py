"""Reductions of quantified boolean formulas to Santorini on directed graphs: Geissler (2020), chapter 6.

The first player of each game wins exactly if the formula is true. The text of the chapter is followed; where it leaves
something open, ``docs/theorems.md`` says which reading is taken. A chain of *diamonds*, a node for either value between
a top and a bottom, has the variables' values chosen; then the second player chooses a clause and the first player one
of its literals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from papan.game.rules.santorini_graph.names import MOST_NODES
from papan.research.theorems.formulas import Formula, FormulaError

FIRST, SECOND = range(2)
TOWER_HEIGHT = 4
"""The maximum height with tower wins, as in the thesis' ``1W_I4H_TWD*S``; any from 2 on will do."""


class Position(NamedTuple):
    """A position of Santorini on graphs, and what its nodes stand for."""

    options: dict[str, str]
    text: str
    names: tuple[str, ...]
    """For each node what it is: ``x1`` and ``-x1`` of the diamond from ``top1`` to ``bottom1``, ``clause2`` …"""


class _Drawing:
    """A directed graph as it is drawn, node by node."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.edges: dict[tuple[int, int], None] = {}

    def node(self, name: str, *before: int) -> int:
        """A new node, to which edges lead from those *before*."""
        self.names.append(name)
        for start in before:
            self.edge(start, len(self.names) - 1)
        return len(self.names) - 1

    def chain(self, name: str, length: int, start: int) -> int:
        """The end of a chain of so many new nodes after *start*; *start* itself where there are none."""
        for number in range(1, length + 1):
            start = self.node(f"{name}.{number}", start)
        return start

    def edge(self, start: int, end: int) -> None:
        self.edges[start, end] = None

    def position(self, variant: str, *workers: int, level: int = 0) -> Position:
        """The first seat to act, with the *workers* of a partizan variant's two seats, or the one that both move.

        :raises FormulaError: there are too many nodes.
        """
        if len(self.names) > MOST_NODES:
            raise FormulaError.saying(
                "The formula is too large: its graph has {nodes} nodes, but a board has at most {most}.",
                nodes=len(self.names),
                most=MOST_NODES,
            )
        board = "edges:" + ",".join(f"{start}-{end}" for start, end in self.edges)
        text = "/".join((str(level) * len(self.names), "1", *map(str, workers)))
        return Position({"variant": variant, "board": board}, text, tuple(self.names))


def _diamond(drawing: _Drawing, variable: int, top: int, values: dict[int, int]) -> int:
    """The bottom of the diamond below *top*; *values* gets the nodes of the literals."""
    for literal in (variable, -variable):
        values[literal] = drawing.node(f"{'-' * (literal < 0)}x{variable}", top)
    return drawing.node(f"bottom{variable}", values[variable], values[-variable])


def _shared_worker(formula: Formula, builds_anywhere: bool, between: int, variant: str, level: int = 0) -> Position:
    """The reduction for one worker that both seats move.

    :param builds_anywhere: without the building stipulation: whoever moves to a bottom builds on either value and so
        chooses it, and the nodes before a value are doubled.
    :param between: nodes from a literal's own node to the value's.
    """
    drawing = _Drawing()
    values: dict[int, int] = {}
    start = end = drawing.node("start")
    mover = FIRST  # at the end so far

    def go_on(name: str, wanted: int) -> int:
        """A node after the end where the seat *wanted* is to move: a buffer node switches the parity."""
        nonlocal end, mover
        if mover == wanted:
            end, mover = drawing.node(f"buffer of {name}", end), 1 - mover
        end, mover = drawing.node(name, end), 1 - mover
        return end

    for variable, is_universal in enumerate(formula.universal, 1):
        chooser = SECOND if is_universal else FIRST
        top = go_on(f"top{variable}", 1 - chooser if builds_anywhere else chooser)
        end = _diamond(drawing, variable, top, values)
    choice = go_on("choice", SECOND)
    for number, literals in enumerate(formula.clauses, 1):
        clause = drawing.node(f"clause{number}", choice)
        for literal in literals:
            _path_to_value(drawing, clause, literal, values[literal], between, builds_anywhere)
    return drawing.position(variant, start, level=level)


def _path_to_value(drawing: _Drawing, clause: int, literal: int, value: int, between: int, is_doubled: bool) -> None:
    """A literal's own node after *clause*, and a path of nodes *between* it and the *value*."""
    name = f"{drawing.names[clause]}:{literal}"
    end = drawing.node(name, clause)
    end = drawing.chain(name, between - is_doubled, end)
    ends = [drawing.node(f"{name} {side}", end) for side in ("left", "right")] if is_doubled else [end]
    for last in ends:
        drawing.edge(last, value)


def geography(formula: Formula) -> Position:
    """Figure 6.2, Lichtenstein and Sipser's reduction to geography, ``1W_I1H_NTWD*S``: what is chosen is built on."""
    return _shared_worker(formula, False, 0, "1W_I1H_NTWD*S")


def tower_wins(formula: Formula) -> Position:
    """Section 6.3: what was left is a level to climb to and win; a buffer node switches the parity."""
    return _shared_worker(formula, False, 1, f"1W_I{TOWER_HEIGHT}H_TWD*S", TOWER_HEIGHT - 2)


def without_stipulation(formula: Formula) -> Position:
    """Figure 6.4, ``1W_I1H_NTWDS``: buffers for the parity, and doubled nodes before each value."""
    return _shared_worker(formula, True, 2, "1W_I1H_NTWDS")


# ----------------------------------------------------------------------------------------- a worker each


def _two_chains(drawing: _Drawing, formula: Formula, values: dict[int, int]) -> tuple[list[int], list[int]]:
    """The start and the end of each seat's chain of diamonds, which take the same number of moves.

    The chains have floors. The first seat chooses on one before the second does, so a variable is on the first floor
    that is after those of its own seat, and not before those of the other that come before it in the prefix.
    """
    floors: list[dict[int, int]] = [{}, {}]
    floor = [0, 0]
    for variable, is_universal in enumerate(formula.universal, 1):
        seat = SECOND if is_universal else FIRST
        floor[seat] = max(floor[seat] + 1, floor[FIRST] if is_universal else floor[SECOND] + 1)
        floors[seat][floor[seat]] = variable
    starts, ends = [], []
    for seat in (FIRST, SECOND):
        end = drawing.node(f"start of seat {seat + 1}")
        starts.append(end)
        for number in range(1, max(floor) + 1):
            top = drawing.node(f"top of seat {seat + 1}.{number}", end)
            variable = floors[seat].get(number, 0)
            end = _diamond(drawing, variable, top, values) if variable else drawing.chain("wait", 2, top)
        ends.append(end)
    return starts, ends


def partizan(formula: Formula) -> Position:
    """Figure 6.3, ``2W_P1H_NTWD*S``: the second worker goes through all clauses but one and then to an escape node."""
    drawing = _Drawing()
    values: dict[int, int] = {}
    starts, (first, second) = _two_chains(drawing, formula, values)
    first = drawing.chain("delay", len(formula.clauses) - 1, first)
    clauses = [drawing.node(f"clause{number}", first, second) for number in range(1, len(formula.clauses) + 1)]
    escape = drawing.node("escape", *clauses)
    for clause, literals in zip(clauses, formula.clauses, strict=True):
        for other in clauses:
            if other != clause:
                drawing.edge(clause, other)
        for literal in literals:
            drawing.edge(clause, values[-literal])
    assert escape
    return drawing.position("2W_P1H_NTWD*S", *starts)


def partizan_without_stipulation(formula: Formula) -> Position:
    """Figure 6.5, ``2W_P1H_NTWDS``: the second worker builds on all clauses but one as it passes, and escapes.

    Chains are as long as the thesis says, by the number n of clauses: n − 1 nodes of delay, n − 1 from which clauses
    are built on, n − 1 to escape, n − 2 to a literal, the last of them doubled.
    """
    drawing = _Drawing()
    values: dict[int, int] = {}
    starts, (first, second) = _two_chains(drawing, formula, values)
    number = len(formula.clauses)
    first = drawing.chain("delay", number - 1, first)
    clauses = [drawing.node(f"clause{index}", first) for index in range(1, number + 1)]
    for index in range(1, number):
        second = drawing.node(f"deletion.{index}", second, *clauses)
    drawing.chain("escape", number - 1, second)
    for clause, literals in zip(clauses, formula.clauses, strict=True):
        for literal in literals:
            name = f"{drawing.names[clause]}:{literal}"
            end = drawing.chain(name, number - 3, clause)
            sides = [drawing.node(f"{name} {side}", end) for side in ("left", "right")] if number > 2 else [end]
            for side in sides:
                drawing.edge(side, values[literal])
    return drawing.position("2W_P1H_NTWDS", *starts)


class Gadget(NamedTuple):
    """A reduction of the thesis."""

    reduce: Callable[[Formula], Position]
    fewest_clauses: int = 1
    """From so many clauses on the reduction is right as it is printed; a clause repeated makes up for missing ones."""


GADGETS: Mapping[str, Gadget] = {
    "geography": Gadget(geography),
    "tower-wins": Gadget(tower_wins),
    "directed": Gadget(without_stipulation),
    "partizan-geography": Gadget(partizan, 2),
    "partizan": Gadget(partizan_without_stipulation, 3),
}
"""By name, in the order of the chapter."""


def reduced(name: str, formula: Formula, as_printed: bool = False) -> Position:
    """The position that *formula* comes to by the gadget called *name*.

    :param as_printed: by the letter of the thesis; otherwise clauses are repeated where its chains are too short.
    :raises FormulaError: the graph is too large.
    """
    gadget = GADGETS[name]
    missing = 0 if as_printed else max(0, gadget.fewest_clauses - len(formula.clauses))
    return gadget.reduce(formula._replace(clauses=formula.clauses + formula.clauses[-1:] * missing))
