"""Santorini on small graphs, looked up: who wins from every start, and from every board on which workers are placed.

The atlas that comes with the program is made by ``making``; ``papan tables santorini-graph`` makes it anew, and
compares it with df-pn. It does not know how soon a game is won. Where workers are on the board the atlas says who wins,
and which of the winner's turns do is found by trying plays, which takes milliseconds on so few nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import IO, NamedTuple

from papan.ai.exact import Measure
from papan.ai.exact.santorini_graph.atlas import Atlas, keep_atlas, known_atlas, own_file
from papan.ai.exact.santorini_graph.making import FEWEST_NODES, Decider, make
from papan.ai.limits import UNTIMED_WIN, WIN, Analysis, Limit, Line, own_turns, win_distance
from papan.ai.search import Query, Searcher
from papan.game.base.sentences import Sentence, figures, say
from papan.game.catalogue import find
from papan.game.kernel.clock import clock_seconds
from papan.game.rules import State as AnyState
from papan.game.rules import is_over, legal_steps, mover, payoff, play
from papan.game.rules.santorini_graph import MOST_STEPS
from papan.game.rules.santorini_graph.board import BUILDING, PLACING

__all__ = [
    "IS_SOLVED", "SIZE", "Exact", "can_solve", "comparer", "keep_tables", "make_tables", "measure", "own_file",
    "places", "position_at", "sizes", "tables",
]  # fmt: skip

IS_SOLVED = False
WON_NOW = WIN - 1
PROOF_MEMORY, PROOF_NODES = 64, 20_000_000
"""MiB and nodes of the proofs that the atlas is compared with."""


def can_solve(state: AnyState) -> bool:
    """Whether the atlas covers *state*: a small connected graph in one of its variants, on which nothing is built."""
    return known_atlas().covers(state)


def measure(state: AnyState, score: float) -> Measure:
    """A proven *score*: that it is the atlas' word, and in how many turns where the next one ends the game."""
    distance = win_distance(score)
    words = say("by the atlas of small graphs")
    return Measure(None, words, None if distance is None else own_turns(distance))


class Exact(Searcher):
    """Looks starts up, and tries turns. There is nothing to stop."""

    def __init__(self, memory: int | None = None, atlas: Atlas | None = None) -> None:
        """:param memory: nothing that it could use: the atlas is as large as it is.
        :param atlas: another than the one that comes with the program.
        """
        self._atlas = atlas

    def prepare(self, state: AnyState) -> None:
        Decider().prepare(state)

    def stop(self) -> None:
        """It has answered already."""

    def live(self) -> Analysis | None:
        """Nothing is known before all is."""
        return None

    def answer(self, query: Query) -> Analysis:
        """As any ``Searcher``; limits have no meaning for it. Nothing is proven of what the atlas does not cover.

        Who has lost takes the turn, or places the worker, after which the fewest steps of the other seat win.
        """
        state, started = query.state, clock_seconds()
        atlas = known_atlas() if self._atlas is None else self._atlas
        steps = list(query.only) or legal_steps(state, MOST_STEPS)
        Random(query.seed).shuffle(steps)
        is_known, decider = atlas.covers(state), Decider()
        if is_known:
            is_won = atlas.is_won if state.phase == PLACING else decider.is_won
            has_lost = not atlas.is_won(state)
            found = [_best_of(state, step, is_won, has_lost) for step in steps]
            found.sort(key=lambda tried: tried[:2], reverse=True)
        else:
            found = [_Tried(0.0, 0, (step,)) for step in steps]
        told = [Line(line[0], score, line, is_proven=is_known) for score, _, line in found[: query.lines or None]]
        best = told[0]
        return Analysis(
            best.step,
            best.score,
            int(mover(state)),
            depth=int(is_known),
            nodes=len(steps) + decider.positions,
            seconds=clock_seconds() - started,
            principal_variation=best.principal_variation,
            is_proven=is_known,
            lines=tuple(told),
        )


class _Tried(NamedTuple):
    """What comes of a step: the greater the better."""

    score: float
    escapes: int
    """Less than 0 by the steps of the other seat that win, where it wins."""
    line: tuple[int, ...]
    """The step, and the build that belongs to it."""


def _best_of(state: AnyState, step: int, is_won: Callable[[AnyState], bool], has_lost: bool) -> _Tried:
    """What the seat to act gets by *step*, and by the best build after it.

    :param is_won: tells of each position that can come whether the seat to act wins it.
    :param has_lost: the seat to act has lost, whatever it does.
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
    """How many steps of the seat to act keep a win."""
    seat = int(mover(state))
    afters = [play(state, step) for step in legal_steps(state, MOST_STEPS)]
    return sum(
        payoff(after, seat) > 0.0 if is_over(after) else is_won(after) == (int(mover(after)) == seat)
        for after in afters
    )


# ---------------------------------------------------------------------------------- for who makes tables

SIZE = say("nodes")
"""What the atlas is counted by."""


def tables() -> Atlas:
    """The atlas in use."""
    return known_atlas()


def make_tables(size: int, tell: Callable[[str], None]) -> tuple[Atlas, Sentence]:
    """The atlas of so many nodes, and what it has, in words.

    :param tell: told what is being solved.
    :raises ValueError: it can't be made; the message is a sentence that says why.
    """
    made = make(size, tell)
    entries = sum(len(made.places(nodes)) for nodes in sizes(made))
    return made, say(
        "{graphs} graphs, {entries} starts and empty boards",
        graphs=figures(len(made.graphs)),
        entries=figures(entries),
    )


def keep_tables(tables: Atlas, file: IO[bytes]) -> None:
    """Write the atlas to a file."""
    keep_atlas(tables, file)


def sizes(tables: Atlas) -> range:
    """The numbers of nodes of its graphs."""
    return range(FEWEST_NODES, tables.most_nodes + 1)


def places(tables: Atlas, size: int) -> range:
    """Where the atlas has entries of graphs with so many nodes."""
    return tables.places(size)


def position_at(tables: Atlas, size: int, place: int) -> AnyState | None:
    """The position at a *place*, or None where the game is over before it begins."""
    state = tables.entry(size, place).state
    return None if is_over(state) else state


def comparer(tables: Atlas) -> Callable[[AnyState], tuple[bool, bool]]:
    """What tells whether the atlas is right about a position, and whether it was proved anew, by df-pn."""
    from papan.ai.proof import SolverSetting, make_solver  # solvers know exact solvers, too

    solver = make_solver("dfpn", find("santorini-graph"), SolverSetting(memory=PROOF_MEMORY))

    def compare(state: AnyState) -> tuple[bool, bool]:
        solver.begin(state)
        proof = solver.run(Limit(nodes=PROOF_NODES))
        return not proof.is_proof or tables.is_won(state) == (proof.result == "proved"), proof.is_proof

    return compare
