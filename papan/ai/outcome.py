"""The exact worth of a position: who wins and how soon, or the score, and every turn that achieves it.

It is found by the game's exact solver where that can solve the position. Else df-pn proves who wins, then finds the
least number of the winner's own turns: a win is proved within that number and disproved within one less. A turn is one
of the best if it achieves the same; if no seat wins, if it is proved not to lose.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import isclose

from papan.ai.exact import ExactModule, Measure, exact_of, measure_of
from papan.ai.limits import Limit, watchdog
from papan.ai.proof.claims import Value
from papan.ai.proof.dfpn import MOST_HORIZON
from papan.ai.puzzles.proving import MEMORY, OPEN, ProvenValue, Prover, whole_turns
from papan.ai.search import Searcher
from papan.game.game import Game
from papan.game.rules import State, mover, repetition_payoff, seats

_NODES = 10**15
_SAME = 1e-9
"""Relative rounding error of chance means."""


@dataclass(frozen=True)
class Choice:
    steps: tuple[int, ...]
    is_best: bool
    measure: Measure | None = None
    """None where it is only known whether the turn is one of the best."""
    value: Value | None = None
    line: tuple[int, ...] = ()
    """The expected steps, its own first, as far as known."""


@dataclass(frozen=True)
class Outcome:
    """The exact worth of a position."""

    seat: int
    """The seat to act; the outcome is from its view."""
    value: Value
    measure: Measure
    choices: tuple[Choice, ...]
    """The seat's turns, best first."""
    is_complete: bool
    """Whether it is known of every turn whether it is one of the best."""
    nodes: int = 0
    seconds: float = 0.0
    least_turns: int = 0
    """A lower bound of the winner's turns, where the measure has none."""

    @property
    def says_all(self) -> bool:
        """Whether it is known how soon, or by how much, a seat wins."""
        if self.value in ("draw", "points"):
            return True
        return self.measure.number is not None or self.measure.turns is not None

    @property
    def best(self) -> tuple[Choice, ...]:
        return tuple(choice for choice in self.choices if choice.is_best)


def value_of(score: float, state: State) -> Value:
    """The meaning of a proven *score* of *state*."""
    if seats(state) == 1:
        return "points"
    return "win" if score > 0.0 else "loss" if score < 0.0 else "draw"


@dataclass
class Assessor:
    """Finds outcomes of one game, one at a time; only ``stop`` may be called from another thread."""

    game: Game
    memory: int | None = None
    """MiB for each table; the solvers' usual amounts for None."""
    _stop: Callable[[], None] | None = field(default=None, init=False)
    _is_stopped: bool = field(default=False, init=False)

    def stop(self) -> None:
        """Stop for good."""
        self._is_stopped = True
        if self._stop:
            self._stop()

    def assess(
        self, state: State, limit: Limit, came_twice: Sequence[int] = (), known: ProvenValue = OPEN
    ) -> Outcome | None:
        """The worth of *state*, not over and at the start of a turn; None where *limit* is too small.

        df-pn is for games of two seats without chance and hidden cards, and where *came_twice* is empty.

        :param came_twice: keys of positions that end the game if they come once more.
        :param known: the value already proved for the seat to act; df-pn then finds how soon.
        """
        module = self.exact_module(state) if known == OPEN else None
        if module is not None:
            return self._solved(module, state, limit, came_twice)
        if self.game.has_chance or self.game.has_hidden_information or seats(state) != 2 or came_twice:
            return None
        return self._proved(state, limit, known)

    def exact_module(self, state: State) -> ExactModule | None:
        """The game's exact solver, if it can solve *state*, however long that takes."""
        module = exact_of(self.game)
        return module if module is not None and (module.IS_SOLVED or module.can_solve(state)) else None

    def _solved(self, module: ExactModule, state: State, limit: Limit, came_twice: Sequence[int]) -> Outcome | None:
        solver: Searcher = module.Exact(self.memory)
        self._stop = solver.stop
        analysis = solver.analyse(state, limit, came_twice, 0, lambda: self._is_stopped, lines=0)
        if not analysis.is_proven:
            return None
        choices = [
            Choice(
                (line.step,),
                line.is_proven and isclose(line.score, analysis.score, rel_tol=_SAME),
                measure_of(module, state, line.score) if line.is_proven else None,
                value_of(line.score, state) if line.is_proven else None,
                line.principal_variation,
            )
            for line in analysis.lines
        ]
        return Outcome(
            analysis.seat,
            value_of(analysis.score, state),
            measure_of(module, state, analysis.score),
            tuple(sorted(choices, key=lambda choice: not choice.is_best)),
            all(line.is_proven for line in analysis.lines),
            analysis.nodes,
            analysis.seconds,
        )

    def _proved(self, state: State, limit: Limit, known: ProvenValue) -> Outcome | None:
        prover = Prover(self.game, self.memory or MEMORY)
        self._stop = prover.stop
        if self._is_stopped:
            return None
        started = time.perf_counter()
        question = _Question(self.game, prover, state, limit.nodes or _NODES)
        with watchdog(limit.time, prover.stop):
            found = question.answer(known)
        if found is None:
            return None
        value, turns, least_turns, choices, is_complete = found
        return Outcome(
            question.seat,
            value,
            Measure(None, None, turns),
            tuple(sorted(choices, key=lambda choice: not choice.is_best)),
            is_complete,
            prover.nodes,
            time.perf_counter() - started,
            least_turns,
        )


_Found = tuple[Value, int | None, int, list[Choice], bool]
"""The value, the winner's turns, their lower bound, the choices, and whether each was proved."""


class _Question:
    """Solves *state* by a *prover* within *nodes* nodes."""

    def __init__(self, game: Game, prover: Prover, state: State, nodes: int) -> None:
        self.seat = int(mover(state))
        self._game, self._prover, self._state, self._nodes = game, prover, state, nodes

    def _left(self) -> int:
        return max(self._nodes - self._prover.nodes, 0)

    def answer(self, known: ProvenValue) -> _Found | None:
        """The result; None where it is not proven who wins."""
        prover, state, seat = self._prover, self._state, self.seat
        # Half of the nodes are reserved for the other question.
        own = prover.prove_win(state, seat, self._left() // 2) if known == OPEN else known
        if own.is_won:
            return self._ended("win", seat)
        theirs = own if own.is_lost or own.is_not_lost else prover.prove_loss(state, seat, self._left())
        if theirs.is_lost:
            return self._ended("loss", 1 - seat)
        has_own_rule = repetition_payoff.implementation(type(state)).function is not repetition_payoff.default
        if not (own.is_not_won and theirs.is_not_lost) or has_own_rule:
            return None
        choices, is_complete = self._choices(self._holds)
        return "draw", None, 0, choices, is_complete

    def _holds(self, after: State) -> bool | None:
        """Whether the seat does not lose *after* its own turn."""
        proven = self._prover.prove_loss(after, self.seat, self._left())
        return True if proven.is_not_lost else False if proven.is_lost else None

    def _ended(self, value: Value, winner: int) -> _Found:
        """The answer where *winner* is proved to win."""
        number = int(winner == self.seat)
        while number <= MOST_HORIZON:
            is_won = self._wins_within(self._state, winner, number)
            if is_won is None:
                break
            if is_won:
                left = number - int(winner == self.seat)
                choices, is_complete = self._choices(partial(self._keeps, value, winner, left))
                return value, number, number, choices, is_complete
            number += 1
        return value, None, number, [], False

    def _wins_within(self, state: State, winner: int, turns: int) -> bool | None:
        return self._prover.wins_within(state, winner, turns, self._left(), lets_reply=True) if self._left() else None

    def _keeps(self, value: Value, winner: int, left: int, after: State) -> bool | None:
        """Whether *winner* still wins *after* a best turn in *left* turns, and not in fewer where that is a loss."""
        if value == "win":
            return self._wins_within(after, winner, left)
        sooner = self._wins_within(after, winner, left - 1)
        return None if sooner is None else not sooner

    def _choices(self, keeps: Callable[[State], bool | None]) -> tuple[list[Choice], bool]:
        """The turns; the best are those for which *keeps* is true of the state after."""
        choices = []
        is_complete = True
        turns = whole_turns(self._game.rules, self._state)
        for turn in turns:
            is_best = keeps(turn.states[-1])
            is_complete = is_complete and is_best is not None
            choices.append(Choice(turn.steps, bool(is_best)))
        return choices, is_complete and bool(turns)
