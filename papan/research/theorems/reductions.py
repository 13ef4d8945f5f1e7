"""Reductions of quantified boolean formulas to Santorini on graphs: Geissler (2020), chapter 6, and undirected ones.

The first player of each game wins exactly if the formula is true. The code follows the text of the chapter;
``docs/theorems.md`` lists the readings where it is ambiguous. The players choose the variables' values in a chain of
*diamonds*, each with a node for either value between a top and a bottom. Then the second player chooses a clause, and
the first player one of its literals. ``gadgets`` explains the undirected graphs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from papan.game.rules.santorini_graph.names import MOST_NODES
from papan.research.theorems.formulas import Formula, FormulaError
from papan.research.theorems.gadgets import KNOWN_ARCS

FIRST, SECOND = range(2)
TOWER_HEIGHT = 4
"""The maximum height with tower wins, as in the thesis' ``1W_I4H_TWD*S``; any height from 2 on works."""


class Position(NamedTuple):
    """A position of Santorini on graphs, with names of its nodes."""

    options: dict[str, str]
    text: str
    names: tuple[str, ...]
    """Each node's role: ``x1`` and ``-x1`` of the diamond from ``top1`` to ``bottom1``, ``clause2`` …"""


class _Drawing:
    """A graph, built node by node."""

    def __init__(self, level: int = 0) -> None:
        """:param level: the level of nodes that are given none."""
        self.names: list[str] = []
        self.levels: list[int] = []
        self.edges: dict[tuple[int, int], None] = {}
        self._level = level

    def node(self, name: str, *before: int, level: int | None = None) -> int:
        """Add a node, with edges from the nodes *before*, and return it."""
        self.names.append(name)
        self.levels.append(self._level if level is None else level)
        for start in before:
            self.edge(start, len(self.names) - 1)
        return len(self.names) - 1

    def chain(self, name: str, length: int, start: int) -> int:
        """Add a chain of *length* nodes after *start* and return its end; *start* for length 0 or less."""
        for number in range(1, length + 1):
            start = self.node(f"{name}.{number}", start)
        return start

    def edge(self, start: int, end: int) -> None:
        self.edges[start, end] = None

    def undirected(self, variant: str, keeps_edges: bool = False) -> Position:
        """This graph with the arc of ``KNOWN_ARCS`` in place of each edge, and the worker on node 0.

        :param keeps_edges: keep an edge that is the only one to its end. With the stipulation and no tower wins, nobody
            can go back there: whoever comes to its end comes from its start, which is closed then.
        """
        arc = KNOWN_ARCS[variant]
        drawing = _Drawing(int(arc.levels[arc.entry]))
        for name in self.names:
            drawing.node(name)
        before = Counter(end for _start, end in self.edges)
        for start, end in self.edges:
            if keeps_edges and before[end] == 1:
                drawing.edge(start, end)
                continue
            place = {arc.entry: start, arc.exit: end}
            for node, level in enumerate(arc.levels):
                if node not in place:
                    name = f"{self.names[start]} to {self.names[end]}.{node}"
                    place[node] = drawing.node(name, level=int(level))
            for first, second in arc.edges():
                drawing.edge(place[first], place[second])
        return drawing.position(variant, 0)

    def position(self, variant: str, *workers: int) -> Position:
        """The position with the first seat to act.

        :param workers: nodes: one for each seat of a partizan variant, or of the one shared worker.

        :raises FormulaError: there are too many nodes.
        """
        if len(self.names) > MOST_NODES:
            raise FormulaError.saying(
                "The formula is too large: its graph has {nodes} nodes, but a board has at most {most}.",
                nodes=len(self.names),
                most=MOST_NODES,
            )
        board = "edges:" + ",".join(f"{start}-{end}" for start, end in self.edges)
        text = "/".join(("".join(map(str, self.levels)), "1", *map(str, workers)))
        return Position({"variant": variant, "board": board}, text, tuple(self.names))


def _diamond(drawing: _Drawing, variable: int, top: int, values: dict[int, int]) -> int:
    """Add a diamond below *top*, put the nodes of its literals into *values*, and return its bottom."""
    for literal in (variable, -variable):
        values[literal] = drawing.node(f"{'-' * (literal < 0)}x{variable}", top)
    return drawing.node(f"bottom{variable}", values[variable], values[-variable])


def _shared_worker(formula: Formula, builds_anywhere: bool, between: int, level: int = 0) -> _Drawing:
    """The reduction for one worker that both seats move, and starts on node 0.

    :param builds_anywhere: without the building stipulation. The seat that moves to a bottom chooses a value by
        building on it, and the nodes before a value are doubled.
    :param between: nodes between a literal's own node and the value's.
    """
    drawing = _Drawing(level)
    values: dict[int, int] = {}
    end = drawing.node("start")
    mover = FIRST  # at the end so far

    def go_on(name: str, wanted: int) -> int:
        """Add a node that the seat *wanted* moves from, after a buffer node if the parity requires it."""
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
    return drawing


def _path_to_value(drawing: _Drawing, clause: int, literal: int, value: int, between: int, is_doubled: bool) -> None:
    """Add a node for *literal* after *clause*, and a path of *between* nodes from it to *value*."""
    name = f"{drawing.names[clause]}:{literal}"
    end = drawing.node(name, clause)
    end = drawing.chain(name, between - is_doubled, end)
    ends = [drawing.node(f"{name} {side}", end) for side in ("left", "right")] if is_doubled else [end]
    for last in ends:
        drawing.edge(last, value)


def geography(formula: Formula) -> Position:
    """Figure 6.2, Lichtenstein and Sipser's reduction to geography, ``1W_I1H_NTWD*S``: chosen values are built on."""
    return _shared_worker(formula, False, 0).position("1W_I1H_NTWD*S", 0)


def tower_wins(formula: Formula) -> Position:
    """Section 6.3: a player wins by climbing to the node just left; a node before each value switches the parity."""
    return _shared_worker(formula, False, 1, TOWER_HEIGHT - 2).position(f"1W_I{TOWER_HEIGHT}H_TWD*S", 0)


def without_stipulation(formula: Formula) -> Position:
    """Figure 6.4, ``1W_I1H_NTWDS``: buffers for the parity, and doubled nodes before each value."""
    return _shared_worker(formula, True, 2).position("1W_I1H_NTWDS", 0)


def undirected_geography(formula: Formula) -> Position:
    """``geography`` on an undirected graph, ``1W_I3H_NTWU*S``."""
    return _shared_worker(formula, False, 0).undirected("1W_I3H_NTWU*S", keeps_edges=True)


def undirected_tower_wins(formula: Formula) -> Position:
    """``geography`` on an undirected graph, ``1W_I4H_TWU*S``: nodes that were left can't be reached."""
    return _shared_worker(formula, False, 0).undirected("1W_I4H_TWU*S")


def undirected(formula: Formula) -> Position:
    """``geography`` on an undirected graph without the building stipulation, ``1W_I3H_NTWUS``."""
    return _shared_worker(formula, False, 0).undirected("1W_I3H_NTWUS")


def of_directed(edges: Iterable[tuple[int, int]], variant: str) -> Position:
    """Geography from node 0 of the directed graph with these *edges*, as *variant* on an undirected graph.

    :raises FormulaError: the graph is too large.
    """
    drawing = _Drawing()
    drawing.edges = dict.fromkeys(edges)
    for node in range(1 + max(map(max, drawing.edges))):
        drawing.node(f"node{node}")
    return drawing.undirected(variant)


# ----------------------------------------------------------------------------------------- a worker each


def _two_chains(drawing: _Drawing, formula: Formula, values: dict[int, int]) -> tuple[list[int], list[int]]:
    """Add a chain of diamonds for each seat, of equal lengths, and return their starts and their ends.

    The chains have floors, and on each floor the first seat chooses before the second. So a variable gets the first
    floor after its own seat's earlier variables where the other seat's earlier variables are already chosen.
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
    """Figure 6.3, ``2W_P1H_NTWD*S``: the second worker visits all clauses but one, then an escape node."""
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

    Chain lengths are the thesis', for n clauses: n − 1 nodes of delay, n − 1 nodes to build on clauses from, n − 1 to
    escape, and n − 2 to a literal, the last of them doubled.
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
    """A reduction."""

    reduce: Callable[[Formula], Position]
    fewest_clauses: int = 1
    """The printed reduction is right with at least this many clauses; repeating a clause makes up for missing ones."""


GADGETS: Mapping[str, Gadget] = {
    "geography": Gadget(geography),
    "tower-wins": Gadget(tower_wins),
    "directed": Gadget(without_stipulation),
    "partizan-geography": Gadget(partizan, 2),
    "partizan": Gadget(partizan_without_stipulation, 3),
    "undirected-geography": Gadget(undirected_geography),
    "undirected-tower-wins": Gadget(undirected_tower_wins),
    "undirected": Gadget(undirected),
}
"""The reductions by name: the thesis' in the order of the chapter, then ours."""


def reduced(name: str, formula: Formula, as_printed: bool = False) -> Position:
    """The position that the gadget *name* reduces *formula* to.

    :param as_printed: exactly as in the thesis; otherwise the last clause is repeated if there are too few clauses.
    :raises FormulaError: the graph is too large.
    """
    gadget = GADGETS[name]
    missing = 0 if as_printed else max(0, gadget.fewest_clauses - len(formula.clauses))
    return gadget.reduce(formula._replace(clauses=formula.clauses + formula.clauses[-1:] * missing))
