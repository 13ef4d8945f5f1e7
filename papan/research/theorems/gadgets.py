"""One-way gadgets for one shared worker on undirected graphs: their definition, a check, and a search for them.

A gadget is a connected graph with levels and two ports that are not adjacent, its *entry* and its *exit*. Only ports
have edges to the rest of the board. A fresh port is on the highest level that does not win; a port one level higher,
closed or with tower wins on the level that wins, is *used*.

The worker stands on a port, and the seat to act moves it into the gadget. When a seat arrives on the other port, the
next seat moves on outside, and then the port's *value* says whether the seat that arrived wins; or it moves back into
the gadget. A gadget is **one-way** if

- from the exit, the seat to act loses, whatever the entry's value, and if the entry is used;
- from the entry, it wins with one value of a fresh exit and loses with the other, and it always wins or always loses
  if the exit is used.

It is an **arc** if it wins from the entry exactly if arriving wins, and loses if the exit is used.

Without the building stipulation the check asks for more, which suffices but may not be necessary. In each case, the
seat that is to win must do so although the other seat may also build outside when it arrives (then only moving back
helps), and wins if it arrives on a port for the second time, or while a port that was left is not used. It may itself
arrive only for the first time, with all such ports used, and then builds inside. Where the other seat has left its
first port fresh, it may step back there and build inside: the other seat is to act there again, and has one way less.
The other port must be as it was, and from there the gadget must then be lost, with the first port used.

**Arcs in place of the edges of a directed graph make a position that is won exactly if geography is.** Take the seat
that wins geography. At a node where it is to act, it enters the arc to a winning node. At a node where the other seat
is to act, all arcs lose for that seat: forwards to a lost or used node, backwards, and back into the last one. Nodes
that were left are used, so a gadget that was passed is cut off (with tower wins, stepping onto a used port ends the
game), and values follow geography's recursion. Geography is PSPACE-complete (Lichtenstein and Sipser 1980, "GO is
polynomial-space hard"), so an arc proves its variant PSPACE-hard. Every turn builds, so the game is in PSPACE. With all
levels and the maximum height one higher it is the same game.

Without the building stipulation, whenever a seat is to act on a port that it did not return to, all other visited ports
are used. A gadget with a fresh port is untouched, or it was stepped back in; then its first port is used or is the
worker's, and it is lost for the other seat from either port, which the winner never needs. Once the other seat has
built outside, returned to a port, or arrived with a fresh port behind it, the winner wins inside that gadget, with no
further arrival or step back.

Choice and clause gadgets (Hearn and Demaine 2009, "Games, Puzzles, and Computation", chapter 5) need no search of their
own: nodes with several arcs are both, as in geography. Conversely, a gadget with more ports, of which all but two are
used, would be one-way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.ai.exact.santorini_graph.asking import ENTRY, FULL, Asker, slot_of
from papan.ai.exact.santorini_graph.graphs import Edges, automorphisms
from papan.game.base.sentences import SentenceError
from papan.game.kernel import compiled, inlined, subroutine
from papan.game.kernel.bits import hashed, lowest
from papan.game.rules import State, is_over, key, mover, moves, payoff, play
from papan.game.rules.santorini_graph import after_building
from papan.game.rules.santorini_graph.board import (
    BUILDS_BEHIND,
    MOVING,
    TOWER_WINS,
    begin_turn,
    height,
    level_in_reach,
    nodes_after,
    nodes_before,
    nodes_up_to,
    open_nodes,
    state_of,
)
from papan.game.rules.santorini_graph.names import Graph, Variant, read_board, read_variant

MOST_HEIGHT = 4
"""Levels below this have two binary digits."""
LOSING, WINNING, USED = range(3)
"""A port's value for the seat that arrives, or used."""
ARC = 1
KINDS = (ARC, 2, 3, 4)
"""The kinds of one-way gadgets: 1, plus 1 if the seat to act at the entry wins with a losing exit instead of a winning
one, plus 2 if it wins with a used exit; 0 is no gadget."""

Numbers = NDArray[np.int64]


class OneWay(NamedTuple):
    """A one-way gadget."""

    board: str
    levels: str
    """A digit for each node."""
    entry: int
    exit: int

    def edges(self) -> list[tuple[int, int]]:
        """The edges, each once."""
        pairs = (text.split("-") for text in self.board.removeprefix("edges:").split(","))
        return [(int(start), int(end)) for start, end in pairs]


PIT = OneWay("edges:0-3,1-4,2-4,3-4", "22210", 1, 0)
KNOWN_ARCS: Mapping[str, OneWay] = {
    "1W_I3H_NTWU*S": PIT,
    "1W_I3H_TWU*S": OneWay("edges:0-4,1-2,1-3,2-4,3-4", "11100", 1, 0),
    "1W_I4H_TWU*S": PIT,
    "1W_I1H_NTWUS": OneWay("edges:0-7,1-2,1-3,2-4,2-5,3-4,3-6,4-7,5-6,5-7,6-7", "00000000", 0, 1),
    "1W_I2H_NTWUS": OneWay("edges:0-3,1-2,1-4,2-6,3-5,3-6,4-5,4-6,5-6", "1111110", 0, 1),
    "1W_I3H_NTWUS": OneWay("edges:0-3,1-5,2-4,2-5,3-4,3-5,4-5", "220200", 0, 1),
    "1W_I3H_TWUS": OneWay("edges:0-3,1-5,2-6,3-5,4-6,4-7,5-7,6-7", "21100001", 2, 1),
}
"""An arc of each variant. Who enters ``PIT`` by the exit gets to leave its node 4, and can't: all around is higher."""


class VariantError(SentenceError, ValueError):
    """A variant has no such gadgets; the message is a sentence that says why."""


def port_level(variant: Variant) -> int:
    """The level of a fresh port."""
    return variant.height - 1 - variant.has_tower_wins


class Checker(Asker):
    """Checks gadgets of one variant."""

    def __init__(self, name: str) -> None:
        """:raises VariantError: the variant *name* has several workers, or towers too high, or no level for ports."""
        super().__init__()
        self.variant = read_variant(name)
        self.level = port_level(self.variant)
        if self.variant.workers != 1 or not 0 <= self.level < self.variant.height <= MOST_HEIGHT:
            raise VariantError.saying(
                "There are no gadgets for {variant}: it must have one worker and a height of up to {most}, with tower "
                "wins at least 2.",
                variant=name,
                most=MOST_HEIGHT,
            )

    def kind(self, gadget: OneWay) -> int:
        """The kind of *gadget*, whose ports must have the level of ports; 0 if it is not one-way."""
        graph = read_board(gadget.board, self.variant.is_directed)
        levels = np.array([[int(level)] for level in gadget.levels], np.int64)
        return int(self._kinds(graph, gadget.entry, gadget.exit, levels)[0])

    def found(self, graph: Edges) -> tuple[int, list[tuple[int, str, int, int]]]:
        """All gadgets on *graph* up to symmetry.

        :returns: the number of candidates; kind, levels, entry and exit of those that are one-way.
        """
        count, some = 0, []
        for start, end, levels in candidates(graph, self.level, self.variant.height):
            kinds = self._kinds(Graph(len(graph), graph), start, end, levels)
            count += len(kinds)
            for index in np.flatnonzero(kinds).tolist():
                some.append((int(kinds[index]), "".join(map(str, levels[:, index])), start, end))
        return count, some

    def _kinds(self, graph: Graph, start: int, end: int, levels: Numbers) -> Numbers:
        """The kind for each column of *levels*, which has a row for each node."""
        empty = state_of(graph, self.variant, [0] * graph.nodes, (1 << start, 0), 0, MOVING)
        weights, won = won_alone(graph, self.variant)
        bits = 1 << np.arange(graph.nodes)
        ones, twos = bits @ (levels & 1), bits @ (levels >> 1)
        kinds = np.zeros(levels.shape[1], np.int64)
        self._table[:] = 0
        self._facts[0] = done = 0
        while done < len(kinds):
            work = Work(weights, won, self._table, self._facts, self._buffer)
            done = int(classify(empty, start, end, ones, twos, kinds, done, work))
            if done < len(kinds):
                self._table = np.zeros(4 * len(self._table), ENTRY)
                self._facts[0] = 0
        return kinds


@lru_cache(maxsize=1)
def won_alone(graph: Graph, variant: Variant) -> tuple[Numbers, Numbers]:
    """Who wins if *graph* is the whole board.

    :returns: for each bitboard of nodes, what a level more on them adds to the index of levels; for each index, the
        nodes from which the seat to act wins: in the row of each node if that is a losing port, and in a last row
        without ports.
    """
    weights, digits = indices(variant.height + 1, graph.nodes)
    empty = state_of(graph, variant, [0] * graph.nodes, (1, 0), 0, MOVING)
    won = np.zeros((graph.nodes + 1, digits.shape[1]), np.int64)
    solve(empty, -1, weights, digits, won[-1])
    won[:-1] = won[-1]
    for port in range(graph.nodes):
        solve(empty, port, weights, digits, won[port])
    return weights, won


@lru_cache(maxsize=1)
def indices(base: int, nodes: int) -> tuple[Numbers, Numbers]:
    """What each bitboard of nodes adds to the index of levels; for each index, the three binary digits as bitboards."""
    places = np.arange(nodes)
    weights = (np.arange(1 << nodes)[:, None] >> places & 1) @ base**places
    levels = np.arange(base**nodes)[:, None] // base**places % base
    return weights, np.array([(levels >> digit & 1) @ (1 << places) for digit in range(3)])


def candidates(graph: Edges, level: int, height: int) -> Iterator[tuple[int, int, Numbers]]:
    """All gadgets on *graph* up to symmetry: entry, exit, and levels, a row for each node and a column for each gadget.

    Ports are on *level*, other nodes below *height*.
    """
    size = len(graph)
    orders = list(automorphisms(graph))
    for start in range(size):
        for end in range(size):
            if start == end or graph[start] >> end & 1:
                continue
            if min((order[start], order[end]) for order in orders) < (start, end):
                continue
            inner = [node for node in range(size) if node not in (start, end)]
            codes = np.arange(height ** len(inner))
            levels = np.full((size, len(codes)), level)
            weights = np.zeros(size, np.int64)
            for place, node in enumerate(inner):
                weights[node] = height**place
                levels[node] = codes // height**place % height
            least = np.ones(len(codes), np.bool_)
            for order in orders:
                if (order[start], order[end]) == (start, end):
                    least &= codes <= weights[list(order)] @ levels
            yield start, end, levels[:, least]


# ------------------------------------------------------------------------------------------- kernels


class Work(NamedTuple):
    """What is known for one graph and pair of ports, and memory."""

    weights: Any
    won: Any
    """As ``won_alone`` returns them."""
    table: Any
    facts: Any
    """The number of filled slots."""
    buffer: Any


@compiled
def solve(empty: State, port: int, weights: Any, digits: Any, won: Any) -> None:
    """Fill *won*, from the highest levels down; if *port* is a node, those levels where it is a fresh port.

    See ``won_alone``.
    """
    is_behind, has_towers = empty.rules & BUILDS_BEHIND != 0, empty.rules & TOWER_WINS != 0
    closed = 0 if port < 0 else 1 << port
    for index in range(len(won) - 1, -1, -1):
        ones, twos, fours = int(digits[0, index]), int(digits[1, index]), int(digits[2, index])
        here = empty._replace(ones=ones, twos=twos, fours=fours)
        if closed != 0 and height(here, port) != fresh_level(here):
            continue
        free = open_nodes(here)
        reaching = free & ~nodes_up_to(here, empty.top - 2) if has_towers else 0
        losing = 0  # nodes from which the next seat loses, after the best block
        rest = 0 if is_behind else free & ~closed
        while rest:
            node = lowest(rest)
            rest &= rest - 1
            sites = nodes_before(here, node) & free
            while sites and losing >> node & 1 == 0:
                losing |= ~int(won[index + int(weights[sites & -sites])]) & 1 << node
                sites &= sites - 1
        winning, rest = 0, free & ~closed
        while rest:
            node = lowest(rest)
            rest &= rest - 1
            if is_behind:
                losing = ~int(won[index + int(weights[1 << node])])
            ends = nodes_after(here, node) & nodes_up_to(here, level_in_reach(here, height(here, node))) & ~closed
            if ends & (losing | reaching):
                winning |= 1 << node
        won[index] = winning


@inlined
def fresh_level(state: State) -> int:
    """The level of a fresh port."""
    level: int = state.top - (2 if state.rules & TOWER_WINS else 1)
    return level


@subroutine
def wins_alone(state: State, port: int, work: Work) -> bool:
    """Whether the seat to act wins if the gadget is the whole board; with *port* ``state.nodes``, without ports."""
    index = work.weights[state.ones] + 2 * work.weights[state.twos] + 4 * work.weights[state.fours]
    return bool(int(work.won[port, index]) & state.workers != 0)


@compiled
def classify(empty: State, entry: int, end: int, ones: Any, twos: Any, kinds: Any, first: int, work: Work) -> int:
    """Write the kind of each gadget from the index *first* on to *kinds*; returns where the table was full.

    :param ones: for each gadget the binary digits of its levels, as bitboards; *twos* likewise.
    """
    for index in range(first, len(ones)):
        gadget = empty._replace(ones=int(ones[index]), twos=int(twos[index]))
        kind = kind_of(gadget, entry, end, work)
        if kind == FULL:
            return index
        kinds[index] = kind
    return len(ones)


@subroutine
def kind_of(gadget: State, entry: int, end: int, work: Work) -> int:
    """The kind of a gadget; ``FULL`` if the table is."""
    none, start, back = gadget.nodes, gadget._replace(workers=1 << entry), gadget._replace(workers=1 << end)
    if wins_alone(start, none, work) == wins_alone(start, end, work) or wins_alone(back, none, work):
        return 0
    if wins_alone(back, entry, work) or wins_alone(higher(back, entry), none, work):
        return 0
    for value in (USED, WINNING, LOSING):
        answer = is_sure(gadget, end, entry, value, 0, work)
        if answer != 1:
            return answer
    kind = 1
    winner_before = 0
    for value in (WINNING, USED, LOSING):
        winner = 1
        answer = is_sure(gadget, entry, end, value, winner, work)
        if answer == 0:
            winner = 0
            answer = is_sure(gadget, entry, end, value, winner, work)
        if answer != 1:
            return answer
        if value == WINNING:
            kind += 1 - winner
            winner_before = winner
        elif value == USED:
            kind += 2 * winner
        elif winner == winner_before:
            return 0
    return kind


@subroutine
def is_sure(gadget: State, start: int, other: int, value: int, wins: int, work: Work) -> int:
    """1 if it is sure that the seat to act at the port *start* wins, or loses for *wins* 0; ``FULL`` if the table is.

    :param value: of the port *other*.
    """
    here = gadget._replace(workers=1 << start, seat=0, phase=MOVING)
    visited = 1 << start
    if value == USED:
        here = higher(here, other)
        visited |= 1 << other
    here = begin_turn(here)
    if is_over(here):
        return 1 - wins
    returns = 0 if wins else 1 << start
    ports = 1 << start | 1 << other
    return forces(here, ports, value == WINNING, visited, returns, 1 - wins, work, 0)


@subroutine
def higher(state: State, node: int) -> State:
    """*state* with *node* one level higher."""
    built: State = after_building(state, node)._replace(seat=state.seat, phase=state.phase)
    return built


@subroutine
def forces(
    state: State, ports: int, is_winning: bool, visited: int, returns: int, claimant: int, work: Work, base: int
) -> int:
    """1 if the seat *claimant* can force a win, 0 if not, ``FULL`` if the table is.

    *claimant* has no more choice than if the gadget were the whole board, and the other seat no less: so it can't win
    what it loses there. As long as the other seat may lose by arriving, that port is a losing one there, too.

    :param ports: bitboard of the ports; *visited*: those that were left or are used.
    :param is_winning: a seat that arrives on a fresh port wins.
    :param returns: the port that the claimant may step back onto, as a bitboard.
    :param base: ``work.buffer[base:]`` is free.
    """
    table, facts, buffer = work.table, work.facts, work.buffer
    position = hashed(key(state), visited, returns, int(is_winning) << 1 | claimant)
    if state.phase == MOVING:
        losing = state.nodes if is_winning or visited == ports else lowest(ports & ~visited)
        if wins_alone(state, losing, work) != (state.seat == claimant):
            return 0
        known = int(table[slot_of(position, table)].answer)
        if known != 0:
            return known - 1
        if facts[0] * 2 >= len(table):
            return FULL
    is_own = mover(state) == claimant
    found = not is_own
    arrived = state.active & ports
    end = moves(state, buffer, base)
    builds_outside = arrived != 0 and not is_own and state.rules & BUILDS_BEHIND == 0
    count = end + int(builds_outside)
    port_level = fresh_level(state)
    for index in range(base, count):
        after = begin_turn(state._replace(seat=1 - state.seat)) if index == end else play(state, int(buffer[index]))
        if arrived != 0:
            fresh = nodes_up_to(after, port_level)
            are_used = visited & fresh == 0 and visited & ~nodes_up_to(after, port_level + 1) == 0
            is_good = are_used and arrived & visited == 0 and is_winning == is_own and index < end
            if is_own and arrived & returns:
                elsewhere = ports & ~arrived
                was_used = visited & elsewhere != 0
                is_good = nodes_up_to(after, port_level + was_used) & elsewhere != 0
                if is_good and not was_used:
                    later = begin_turn(higher(after._replace(workers=elsewhere), lowest(arrived)))
                    if not is_over(later):
                        is_lost = forces(later, ports, False, ports, 0, claimant, work, count)
                        if is_lost == FULL:
                            return FULL
                        is_good = is_lost == 1
            answer = int(is_good)
            if is_good == is_own and not is_over(after):
                left = visited | arrived if is_own else ports  # after the other seat's, no step counts on a port
                back = returns if is_own else 0
                answer = forces(after, ports, is_winning, left, back, claimant, work, count)
        elif is_over(after):
            answer = 1 if payoff(after, claimant) > 0 else 0
        else:
            answer = forces(after, ports, is_winning, visited, returns, claimant, work, count)
        if answer == FULL:
            return FULL
        if (answer == 1) == is_own:
            found = is_own
            break
    if state.phase == MOVING:
        slot = slot_of(position, table)
        table[slot].key, table[slot].answer = position, (2 if found else 1)
        facts[0] += 1
    return 1 if found else 0
