"""Santorini on small graphs, by an atlas: who wins from every start, and while workers are being placed.

``make`` made the bundled atlas; ``papan tables santorini-graph`` makes it anew, and compares it with df-pn. It does not
know how soon a game is won. With all workers on the board the atlas says who wins; a search finds the winning turns,
which takes milliseconds on so few nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.ai.exact import Measure, analysis_by, shuffled_steps
from papan.ai.exact.santorini_graph.asking import FULL, Asker, slot_of
from papan.ai.exact.santorini_graph.atlas import (
    VARIANTS,
    Atlas,
    empty_board,
    fewest_nodes,
    known_atlas,
    number_of_nimbers,
    worker_sets,
)
from papan.ai.exact.santorini_graph.atlas import keep_tables as keep_tables
from papan.ai.exact.santorini_graph.atlas import own_file as own_file
from papan.ai.exact.santorini_graph.graphs import MOST_NODES, Edges, code_of, connected_graphs, graph_of
from papan.ai.exact.santorini_graph.nimbers import Nimbers
from papan.ai.limits import UNTIMED_WIN, WIN, Analysis, Limit, Line, own_turns, win_distance
from papan.ai.search import Query, Searcher
from papan.game.base.sentences import Sentence, SentenceError, figures, say
from papan.game.catalogue import find
from papan.game.kernel import compiled
from papan.game.kernel.clock import clock_seconds
from papan.game.rules import State, is_over, key, legal_steps, mover, moves, payoff, play
from papan.game.rules import State as AnyState
from papan.game.rules.santorini_graph import MOST_STEPS
from papan.game.rules.santorini_graph.board import BUILDING, PLACING, SEATS, SHARED, begin_turn
from papan.game.rules.santorini_graph.names import Variant, read_variant

IS_SOLVED = False
WON_NOW = WIN - 1
PROOF_MEMORY, PROOF_NODES = 64, 20_000_000
"""MiB and nodes of the proofs to compare the atlas with."""


def can_solve(state: AnyState) -> bool:
    """Whether the atlas covers *state*: a small connected graph in one of its variants, with nothing built."""
    return known_atlas().covers(state)


def measure(state: AnyState, score: float) -> Measure:
    """The measure of a proven *score*: by the atlas, with the turns only where the next one ends the game."""
    distance = win_distance(score)
    words = say("by the atlas of small graphs")
    return Measure(None, words, None if distance is None else own_turns(distance))


def is_impartial(state: AnyState) -> bool:
    """As ``Impartial`` says: the seats share all workers."""
    return bool(state.rules & SHARED)


def nimber(state: AnyState, limit: Limit, memory: int | None = None) -> int | None:
    """As ``Impartial`` says: by the atlas, else by trying all plays."""
    if not is_over(state) and known_atlas().has_nimber(state):
        return known_atlas().nimber(state)
    return Nimbers().nimber(state, limit, memory)


class Exact(Searcher):
    """Looks starts up and tries turns, too quickly to need ``stop``."""

    def __init__(self, memory: int | None = None, atlas: Atlas | None = None) -> None:
        """:param memory: ignored: the atlas has a fixed size."""
        self._atlas = atlas

    def prepare(self, state: AnyState) -> None:
        Decider().prepare(state)

    def stop(self) -> None: ...

    def answer(self, query: Query) -> Analysis:
        """As any ``Searcher``; limits are ignored. Positions that the atlas does not cover are not proven.

        A lost seat takes the turn, or places the worker, that leaves the other seat the fewest winning steps.
        """
        state, started = query.state, clock_seconds()
        atlas = known_atlas() if self._atlas is None else self._atlas
        steps = shuffled_steps(query, MOST_STEPS)
        is_known, decider = atlas.covers(state), Decider()
        if is_known:
            is_won = atlas.is_won if state.phase == PLACING else decider.is_won
            has_lost = not atlas.is_won(state)
            found = [_best_of(state, step, is_won, has_lost) for step in steps]
            found.sort(key=lambda tried: tried[:2], reverse=True)
        else:
            found = [_Tried(0.0, 0, (step,)) for step in steps]
        told = [Line(line[0], score, line, is_proven=is_known) for score, _, line in found]
        return analysis_by(told, query, started, len(steps) + decider.positions, 1, is_known)


class _Tried(NamedTuple):
    """The outcome of a step; the greater the better."""

    score: float
    escapes: int
    """Minus the number of the other seat's winning steps, if it wins; else 0."""
    line: tuple[int, ...]
    """The step and its build."""


def _best_of(state: AnyState, step: int, is_won: Callable[[AnyState], bool], has_lost: bool) -> _Tried:
    """The outcome of *step* with the best build after it.

    :param is_won: whether a position is won by its seat to act.
    :param has_lost: every step of the seat to act loses.
    """
    seat, after = int(mover(state)), play(state, step)
    if is_over(after):
        return _Tried(WON_NOW if payoff(after, seat) > 0.0 else -UNTIMED_WIN, 0, (step,))
    if after.phase == BUILDING:
        tried = (_best_of(after, build, is_won, has_lost) for build in legal_steps(after, MOST_STEPS))
        best = max(tried, key=lambda one: one[:2])
        return best._replace(line=(step, *best.line))
    is_own = int(mover(after)) == seat
    if not has_lost and is_won(after) == is_own:
        return _Tried(UNTIMED_WIN, 0, (step,))
    escapes = 0 if is_own or not has_lost else -_winning_steps(after, is_won)
    return _Tried(-UNTIMED_WIN, escapes, (step,))


def _winning_steps(state: AnyState, is_won: Callable[[AnyState], bool]) -> int:
    """The number of steps of the seat to act that keep a win."""
    seat = int(mover(state))
    afters = [play(state, step) for step in legal_steps(state, MOST_STEPS)]
    return sum(
        payoff(after, seat) > 0.0 if is_over(after) else is_won(after) == (int(mover(after)) == seat)
        for after in afters
    )


# ---------------------------------------------------------------------------------- making tables

SIZE = say("nodes")


tables = known_atlas


def make_tables(size: int, tell: Callable[[str], None]) -> tuple[Atlas, Sentence]:
    """The atlas of *size* nodes, and a sentence about it; raises AtlasError if it can't be made."""
    made = make(size, tell)
    entries = sum(len(made.places(nodes)) for nodes in sizes(made))
    return made, say(
        "{graphs} graphs, {entries} starts and empty boards",
        graphs=figures(len(made.graphs)),
        entries=figures(entries),
    )


def sizes(tables: Atlas) -> range:
    return range(FEWEST_NODES, tables.most_nodes + 1)


def places(tables: Atlas, size: int) -> range:
    """The indices of entries of graphs with *size* nodes."""
    return tables.places(size)


def position_at(tables: Atlas, size: int, place: int) -> AnyState | None:
    """The position at a *place*, or None where the game is over before it begins."""
    state = tables.entry(size, place).state
    return None if is_over(state) else state


def comparer(tables: Atlas) -> Callable[[AnyState], tuple[bool, bool]]:
    """Return a function that says whether the atlas is right about a position, and whether df-pn proved it anew."""
    from papan.ai.proof import SolverSetting, make_solver  # imports solvers, which import exact solvers

    solver = make_solver("dfpn", find("santorini-graph"), SolverSetting(memory=PROOF_MEMORY))

    def compare(state: AnyState) -> tuple[bool, bool]:
        solver.begin(state)
        proof = solver.run(Limit(nodes=PROOF_NODES))
        answers = {
            tables.is_won(state),
            tables.nimber(state) != 0 if tables.has_nimber(state) else tables.is_won(state),
        }
        return not proof.is_proof or answers == {proof.result == "proved"}, proof.is_proof

    return compare


FEWEST_NODES = 2


class AtlasError(SentenceError, ValueError):
    """There can be no such atlas; the message is a sentence that says why."""


def won_starts(variant: Variant, graph: Edges, decider: Decider) -> list[bool]:
    """Whether the seat to act wins, for each of ``worker_sets`` on *graph*.

    :param decider: only used for *variant* on *graph*.
    """
    sets = np.array(worker_sets(len(graph), variant.workers, variant.is_shared), np.int64)
    return decider.won_starts(empty_board(variant, graph), sets[:, 0].copy(), sets[:, 1].copy())


def make(nodes: int, tell: Callable[[str], None] = lambda words: None) -> Atlas:
    """The atlas of all connected graphs with up to *nodes* nodes, or a variant's limit in ``VARIANTS``.

    :raises AtlasError: there can be none of that many nodes.
    """
    if not FEWEST_NODES <= nodes <= MOST_NODES:
        raise AtlasError.saying(
            "An atlas of {nodes} nodes can't be made: it must be {fewest} to {most}.",
            nodes=nodes,
            fewest=FEWEST_NODES,
            most=MOST_NODES,
        )
    codes = sorted(code_of(graph) for size in range(FEWEST_NODES, nodes + 1) for graph in connected_graphs(size))
    graphs = {size: [graph for graph in map(graph_of, codes) if len(graph) == size] for size in range(nodes + 1)}
    variants, blocks, nimbers = {}, [np.zeros(0, np.uint8)], [np.zeros(0, np.uint8)]
    for name, most in VARIANTS.items():
        variant = read_variant(name)
        sizes = range(fewest_nodes(variant), min(most, nodes) + 1)
        if not sizes:
            continue
        variants[name] = sizes[-1]
        for size in sizes:
            tell(say("{variant}, {nodes} nodes", variant=name, nodes=size))
            bits = [bit for graph in graphs[size] for bit in won_starts(variant, graph, Decider())]
            blocks.append(np.packbits(np.array(bits, np.bool_)))
            if number_of_nimbers(variant, size):
                sets = np.array(worker_sets(size, variant.workers, is_shared=True), np.int64)[:, 0].copy()
                nimbers += [Nimbers().of_starts(empty_board(variant, graph), sets) for graph in graphs[size]]
    return Atlas(variants, np.array(codes, np.uint64), np.concatenate(blocks), np.concatenate(nimbers))


_LOST, _WON = 1, 2
"""Answers of ``decide``; 0 is none."""

Sets = NDArray[np.int64]
"""Bitboards of nodes."""


class Decider(Asker):
    """Searches until it is known who wins."""

    def is_won(self, state: State) -> bool:
        if is_over(state):
            return bool(payoff(state, mover(state)) > 0)
        return self._ask(decide, state) == _WON

    def won_starts(self, empty: State, own: Sets, others: Sets) -> list[bool]:
        """Whether the seat to act wins, for each start that can follow the board *empty*.

        :param own: the first seat's or shared workers in each start; *others*: the second seat's.
        """
        self._ask(decide, empty)
        found = np.zeros(len(own), np.bool_)
        unknown = look_up(empty._replace(seat=first_to_move(empty)), own, others, self._table, found)
        assert not unknown, "a start can't come of the empty board"
        answers: list[bool] = found.tolist()
        return answers

    def prepare(self, state: State) -> None:
        decide.prepare(state, self._table, self._facts, self._buffer, 0)


@compiled
def decide(state: State, table: Any, facts: Any, buffer: Any, base: int) -> int:
    """``_WON`` if the mover of *state* can force a win, ``_LOST`` if not, ``FULL`` if the table is.

    While workers are placed it tries every way, so that the table then has all starts. ``buffer[base:]`` is free to
    use. Positions with the same key are confused; keys have 63 bits.
    """
    position = key(state)
    known = int(table[slot_of(position, table)].answer)
    if known != 0:
        return known
    if facts[0] * 2 >= len(table):
        return FULL
    seat = mover(state)
    found = _LOST
    end = moves(state, buffer, base)
    for index in range(base, end):
        after = play(state, int(buffer[index]))
        if is_over(after):
            wins = payoff(after, seat) > 0
        else:
            answer = decide(after, table, facts, buffer, end)
            if answer == FULL:
                return answer
            wins = (answer == _WON) == (mover(after) == seat)
        if wins:
            found = _WON
            if state.phase != PLACING:
                break
    slot = slot_of(position, table)
    table[slot].key, table[slot].answer = position, found
    facts[0] += 1
    return found


def first_to_move(empty: State) -> int:
    """The seat to act once all workers are placed."""
    return int(empty.number) % SEATS if empty.rules & SHARED else 0


@compiled
def look_up(empty: State, own: Any, others: Any, table: Any, found: Any) -> int:
    """Write to *found* whether the seat to act wins each start, by ``decide``; returns how many are missing."""
    unknown = 0
    for index in range(len(own)):
        start = begin_turn(empty._replace(workers=int(own[index]), others=int(others[index])))
        if is_over(start):
            found[index] = payoff(start, mover(start)) > 0
            continue
        answer = int(table[slot_of(key(start), table)].answer)
        found[index] = answer == _WON
        unknown += answer == 0
    return unknown
