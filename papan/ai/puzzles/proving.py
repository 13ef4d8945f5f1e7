"""Prove whether a side forces a win, by solver, retrograde analysis or df-pn; ``finding`` asks about each turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from papan.ai.exact import exact_of
from papan.ai.limits import Limit, win_distance
from papan.ai.proof import SolverSetting, make_depth_first
from papan.ai.puzzles.closure import Closure
from papan.ai.search import PlayedTurn, all_turns
from papan.game.game import Game
from papan.game.kernel.rng import random_state
from papan.game.rules import (
    CHANCE,
    Rules,
    State,
    can_repeat,
    guess,
    is_over,
    mover,
    payoff,
    play,
    repetition_payoff,
    seats,
)

if TYPE_CHECKING:
    from papan.ai.proof.result import Proof
    from papan.ai.search import Searcher

MEMORY = 64
"""MiB for a solver's table."""
MOST_TURNS = 1500
"""A position with more turns is skipped."""
_GUESSES = 8


class ProvenValue(NamedTuple):
    """Proven bounds of a position's value for one of two sides: 1 win, 0 draw, -1 loss."""

    least: int
    most: int
    plies: int = 0
    """Turns of both sides to the end, if known; for df-pn those of its line."""

    @property
    def is_won(self) -> bool:
        return self.least == 1

    @property
    def is_lost(self) -> bool:
        return self.most == -1

    @property
    def is_not_won(self) -> bool:
        """Whether the side is proved not to force a win."""
        return self.most <= 0

    @property
    def is_not_lost(self) -> bool:
        """Whether the other side is proved not to force a win."""
        return self.least >= 0


OPEN = ProvenValue(-1, 1)


def hides_nothing(state: State) -> bool:
    """Whether every seat's view determines *state*."""
    return all(
        guess(state, seat, random_state(number)) == state
        for seat in range(int(seats(state)))
        for number in range(_GUESSES)
    )


def whole_turns(rules: Rules, state: State) -> list[PlayedTurn]:
    """The turns of the seat to act, one for each resulting state; [] above ``MOST_TURNS``."""
    found: dict[State, PlayedTurn] = {}
    for turn in all_turns(rules, PlayedTurn((state,))):
        found.setdefault(turn.states[-1], turn)
        if len(found) > MOST_TURNS:
            return []
    return list(found.values())


class Prover:
    """Proves values of open positions of one game. One thread at a time, except for ``stop``."""

    def __init__(self, game: Game, memory: float = MEMORY) -> None:
        """:param memory: MiB for each solver's table."""
        self._game = game
        self._memory = memory
        self._exact_module = exact_of(game)
        self._exact: Searcher | None = None
        self._solver = make_depth_first(game, SolverSetting(memory=memory, is_open=True))
        self._closure = Closure(game.rules.MOST_STEPS)
        self._is_stopped = False
        self.nodes = 0
        """Steps that solvers have played so far."""

    def stop(self) -> None:
        self._is_stopped = True
        self._solver.stop()
        self._closure.stop()
        if self._exact is not None:
            self._exact.stop()

    def is_listed(self, state: State) -> bool:
        """Whether the positions reachable from *state*, which is not over, can be listed."""
        return self._listed(state, 0) is not None

    def prove(self, state: State, seat: int, nodes: int) -> ProvenValue:
        """The worth of *state* to *seat*, with *nodes* nodes for each of the two questions.

        Where *seat* is proved to force no win, the other question is skipped.
        """
        won = self.prove_win(state, seat, nodes)
        return won if won.is_won or won.is_not_won else self.prove_loss(state, seat, nodes)

    def prove_win(self, state: State, seat: int, nodes: int) -> ProvenValue:
        known = self._known(state, seat, nodes)
        if known is not None:
            return known
        self._solver.begin(state, seat)
        proof = self._run(nodes)
        if proof.result == "proved":
            return ProvenValue(1, 1, self._turns(state, proof))
        return ProvenValue(-1, 0) if proof.result == "disproved" else OPEN

    def prove_loss(self, state: State, seat: int, nodes: int) -> ProvenValue:
        least, most, plies = self.prove_win(state, 1 - seat, nodes)
        return ProvenValue(-most, -least, plies)

    def wins_within(self, state: State, seat: int, turns: int, nodes: int, lets_reply: bool = False) -> bool | None:
        """Whether *seat* forces a win in *turns* own turns, the current one included; None if *nodes* run out.

        :param lets_reply: whether a win by the other side's reply to the last turn counts.
        """
        if is_over(state):
            return bool(payoff(state, seat) > 0.0)
        if turns < 0 or (turns == 0 and not (lets_reply and int(mover(state)) != seat)):
            return False
        self._solver.begin(state, seat)
        self._solver.limit_turns(turns, lets_reply)
        proof = self._run(nodes)
        return proof.result == "proved" if proof.is_proof else None

    def _known(self, state: State, seat: int, nodes: int) -> ProvenValue | None:
        if is_over(state):
            result = payoff(state, seat)
            value = int(result > 0.0) - int(result < 0.0)
            return ProvenValue(value, value)
        return self._solved(state, seat, nodes) or self._listed(state, seat)

    def _solved(self, state: State, seat: int, nodes: int) -> ProvenValue | None:
        module = self._exact_module
        if module is None or self._is_stopped or not module.can_solve(state):
            return None
        if self._exact is None:
            self._exact = module.Exact(int(self._memory))
        analysis = self._exact.analyse(state, Limit(nodes=max(nodes, 1)))
        self.nodes += analysis.nodes
        if not analysis.is_proven:
            return None
        score = analysis.score if analysis.seat == seat else -analysis.score
        value = int(score > 0.0) - int(score < 0.0)
        return ProvenValue(value, value, abs(win_distance(score) or 0))

    def _listed(self, state: State, seat: int) -> ProvenValue | None:
        """By listing all reachable positions, for games that can repeat.

        Where a rule of repetition makes wins, it would find only wins, as df-pn does.
        """
        if self._is_stopped or self._exact_module is not None or not can_repeat(state):
            return None
        if repetition_payoff.implementation(type(state)).function is not repetition_payoff.default:
            return None
        value = self._closure.value(state)
        if value is None:
            return None
        if value == 0:
            return ProvenValue(0, 0)
        result = 1 if (value > 0) == (seat == 0) else -1
        return ProvenValue(result, result, abs(value) - 1)

    def _run(self, nodes: int) -> Proof:
        proof = self._solver.run(Limit(nodes=max(nodes, 1)), lambda: self._is_stopped)
        self.nodes += proof.nodes
        return proof

    def _turns(self, state: State, proof: Proof) -> int:
        number, seat = 0, None
        for step in proof.line:
            if int(mover(state)) not in (seat, CHANCE):
                number, seat = number + 1, int(mover(state))
            state = play(state, step)
        return number
