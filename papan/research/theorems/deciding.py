"""The winners of small positions of Santorini on graphs: by a solver, or by trying all plays."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from papan.ai.exact.santorini_graph.asking import FULL, Asker, slot_of
from papan.ai.limits import Limit
from papan.ai.proof import SolverSetting, make_solver
from papan.game.base.sentences import SentenceError
from papan.game.catalogue import find
from papan.game.kernel import compiled
from papan.game.rules import State, is_over, key, mover, moves, payoff, play, santorini_graph
from papan.research.theorems.formulas import Formula, FormulaError, is_true
from papan.research.theorems.reductions import Position, reduced

NODES = 50_000_000
"""The node limit of a proof."""
_MEMORY = 128


class UndecidedError(SentenceError, ValueError):
    """A position was not decided; the message is a sentence that says why."""


class Solved:
    """The solver df-pn for many positions, one after another."""

    def __init__(self) -> None:
        self._solver = make_solver("dfpn", find("santorini-graph"), SolverSetting(memory=_MEMORY))
        self.nodes = 0
        """The total of all proofs so far."""

    def first_wins(self, position: Position) -> bool:
        """Whether the first player can force a win of *position*.

        :raises UndecidedError: ``NODES`` nodes do not suffice.
        """
        state = santorini_graph.parse(position.text, position.options)
        if is_over(state):
            return False  # the seat to act is stuck
        self._solver.begin(state)
        proof = self._solver.run(Limit(nodes=NODES))
        self.nodes += proof.nodes
        if proof.result == "out":
            raise UndecidedError.saying("{nodes} nodes were not enough to decide the position.", nodes=NODES)
        return proof.result == "proved"


class Agreement(NamedTuple):
    """The result of comparing a reduction with a formula evaluator."""

    formulas: int
    """The number of formulas decided."""
    true: int
    largest: int
    """The number of nodes of the largest graph."""
    differ: tuple[Formula, ...]
    """The formulas that the reduction fails on, in the order tried."""
    nodes: int
    """The total number of nodes that the solver generated."""
    too_large: int
    """The number of formulas left out, because their graphs have too many nodes."""


def compare(
    gadget: str, formulas: Iterable[Formula], as_printed: bool = False, tell: Callable[[int], None] = lambda done: None
) -> Agreement:
    """Decide each of *formulas* both by evaluating it, and by solving the position that *gadget* reduces it to.

    :param tell: called with the number of formulas tried so far.
    :raises UndecidedError: a position was not decided.
    """
    solved = Solved()
    count = true = largest = too_large = 0
    differ = []
    for done, formula in enumerate(formulas, 1):
        try:
            position = reduced(gadget, formula, as_printed)
        except FormulaError:
            too_large += 1
            continue
        count += 1
        largest = max(largest, len(position.names))
        value = is_true(formula)
        true += value
        if solved.first_wins(position) != value:
            differ.append(formula)
        tell(done)
    return Agreement(count, true, largest, tuple(differ), solved.nodes, too_large)


class Outcome(NamedTuple):
    """The result of trying all plays of a position."""

    is_won: bool
    """Whether the seat to act can force a win."""
    longest: int
    """The turns of the longest game."""


class Explorer(Asker):
    """Tries every play of positions to its end."""

    @property
    def most_turns(self) -> int:
        """The most turns that a seat had to choose among in any play so far."""
        return int(self._facts[1])

    def outcome(self, state: State) -> Outcome:
        """The result of trying all plays of *state*."""
        if is_over(state):
            return Outcome(bool(payoff(state, mover(state)) > 0), 0)
        answer = self._ask(explore, state)
        return Outcome(bool(answer & 1), answer >> 1)


@compiled
def explore(state: State, table: Any, facts: Any, buffer: Any, base: int) -> int:
    """Twice the turns of the longest game from *state* on, plus 1 if its mover wins; ``FULL`` if the table is full.

    ``buffer[base:]`` is free. Positions with equal keys, of 63 bits, count as one.
    """
    position = key(state)
    known = int(table[slot_of(position, table)].answer)
    if known != 0:
        return known
    if facts[0] * 2 >= len(table):
        return FULL
    seat = mover(state)
    end = moves(state, buffer, base)
    is_won, longest, turns = False, 0, 0
    for index in range(base, end):
        after = play(state, int(buffer[index]))
        if is_over(after):
            is_won = is_won or payoff(after, seat) > 0
            longest = max(longest, 1)
            turns += 1
            continue
        answer = explore(after, table, facts, buffer, end)
        if answer == FULL:
            return answer
        if mover(after) == seat:
            is_won = is_won or answer & 1 == 1
            longest = max(longest, answer >> 1)
            turns += moves(after, buffer, end) - end
        else:
            is_won = is_won or answer & 1 == 0
            longest = max(longest, 1 + (answer >> 1))
            turns += 1
    facts[1] = max(facts[1], turns)
    slot = slot_of(position, table)
    table[slot].key, table[slot].answer = position, 2 * longest + is_won
    facts[0] += 1
    return int(2 * longest + is_won)
