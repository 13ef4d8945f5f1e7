"""Write certificates: df-pn proves a claim, and its table gives the step wherever the strategy has a choice.

Of the steps that the table has as decided, the strategy takes one to a state that the walk has visited, which costs
nothing more, or else the one with the least effort. Where the table has lost the entries, a second df-pn proves that
position anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from papan.ai.limits import Limit
from papan.ai.proof import SolverSetting, make_depth_first
from papan.ai.proof.certificate import MOST_CHOICES, MOST_STATES, Certificate, CertificateError, Claim
from papan.ai.proof.dfpn import INFINITE, find, table_key
from papan.ai.proof.verifying import Question, Walk, Walked
from papan.ai.puzzles.closure import Closure
from papan.game.game import Game
from papan.game.kernel import compiled
from papan.game.rules import State, achieved, can_repeat, is_over, legal_steps, moves, payoff, play, seats

_AGAIN_MEMORY = 64
_AGAIN_NODES = 20_000_000
"""For one position whose entries the table has lost."""


@compiled
def rated(state: State, seat: int, goal: int, good: int, table: Any, again: Any, steps: Any, efforts: Any) -> int:
    """Write the legal steps of *state* into *steps*, and the effort of each into *efforts*; returns their number.

    An effort is 0 where the step decides at once, above 0 where a table has it as decided for the strategy's side, and
    -1 for any other.

    :param good: 1 if that side is to force the goal, -1 if it is to prevent it.
    """
    count = moves(state, steps, 0)
    for index in range(count):
        after = play(state, int(steps[index]))
        efforts[index] = -1
        value = achieved(after, seat, goal)
        if value != 0:
            if value == good:
                efforts[index] = 0
            continue
        position = table_key(after)
        for number in range(2):
            known = table if number == 0 else again
            found = find(known, position)
            if found >= 0 and efforts[index] < 0:
                entry = known[found]
                # A disproof that depends on a repetition has a pn above INFINITE, and its own key.
                is_good = entry.pn == 0 if good > 0 else (entry.dn == 0 and entry.pn <= INFINITE)
                if is_good:
                    efforts[index] = 1 + entry.effort
    return int(count)


class Certifier:
    def __init__(self, game: Game, memory: float | None = None, chance: Literal["and", "or"] = "and") -> None:
        """:param memory: MiB of the table; default: df-pn's usual amount."""
        self._game, self._chance = game, chance
        self.solver = make_depth_first(game, SolverSetting(memory=memory, chance=chance))
        self._again = make_depth_first(game, SolverSetting(memory=_AGAIN_MEMORY, chance=chance))
        self._closure = Closure(game.rules.MOST_STEPS)
        self._steps = np.empty(game.rules.MOST_STEPS, np.int64)
        self._efforts = np.empty(game.rules.MOST_STEPS, np.int64)

    def claim(
        self, state: State, seat: int, goal: int, limit: Limit, tell: Callable[[int], None] = lambda states: None
    ) -> tuple[Claim, Walked]:
        """The proved claim about *seat* and *goal* in *state*, with a strategy, and the walk of that strategy.

        :param tell: called now and then with the number of positions of the strategy so far.
        :raises CertificateError: nothing is proved within *limit*, or it yields no strategy.
        """
        self.solver.begin(state, seat, goal)
        proof = self.solver.run(limit)
        if not proof.is_proof:
            raise CertificateError.saying(
                "df-pn has proved nothing within the limit, so there is nothing to write down."
            )
        question = Question(seat, goal, self._chance == "or", proof.result == "proved")
        self._again.begin(state, seat, goal)
        choices: list[int] = []

        def choose(state: State, steps: Sequence[int], may_go_to: Callable[[State], bool]) -> int:
            step = self._chosen(state, question, walk.height, may_go_to)
            choices.append(steps.index(step))
            if len(choices) > MOST_CHOICES:
                raise CertificateError.saying("The strategy has too many choices.")
            return step

        walk = Walk(self._game.rules, question, choose, MOST_STATES, tell)
        walked = walk.run(state)
        return Claim(seat, goal, question.is_forced, question.chance_helps, choices), walked

    def _chosen(
        self, state: State, question: Question, met: dict[State, int], may_go_to: Callable[[State], bool]
    ) -> int:
        """The step to play in *state*; raises CertificateError if none is known to be good."""
        step = self._best_known(state, question, met, may_go_to)
        if step is None and can_repeat(state):
            step = self._listed(state, question)
        if step is None:
            # The position itself is decided, but the table has lost the entries of its steps.
            self._again.begin(state, question.seat, question.goal)
            self._again.run(Limit(nodes=_AGAIN_NODES))
            step = self._best_known(state, question, met, may_go_to)
        if step is None:
            raise CertificateError.saying(
                "No strategy can be made of the proof: one of its positions could not be decided again."
            )
        return step

    def _listed(self, state: State, question: Question) -> int | None:
        """A step by listing all reachable positions, if they are few: df-pn decides cycles only by their paths."""
        if question.goal or seats(state) != 2:
            return None
        ranked = []
        for step in legal_steps(state, self._game.rules.MOST_STEPS):
            after = play(state, step)
            value = payoff(after, 0) if is_over(after) else self._closure.value(after)
            if value is None:
                return None
            own = value if question.seat == 0 else -value
            if own > 0.0 if question.is_forced else own <= 0.0:
                ranked.append((abs(own), step))
        return min(ranked)[1] if ranked else None

    def _best_known(
        self, state: State, question: Question, met: dict[State, int], may_go_to: Callable[[State], bool]
    ) -> int | None:
        good = 1 if question.is_forced else -1
        tables = self.solver.table, self._again.table
        count = rated(state, question.seat, question.goal, good, *tables, self._steps, self._efforts)
        known = [
            (int(effort), int(step))
            for effort, step in zip(self._efforts[:count].tolist(), self._steps[:count].tolist(), strict=True)
            if effort >= 0
        ]
        for effort, step in sorted(known):
            if effort == 0:
                return step
        reached = [(effort, step, play(state, step)) for effort, step in sorted(known)]
        for _, step, after in reached:
            if after in met and may_go_to(after):
                return step
        return next((step for _, step, after in reached if may_go_to(after)), None)


def certificate_of(game: Game, options: dict[str, str], state: State, claims: Sequence[Claim]) -> Certificate:
    return Certificate(game.name, game.version, options, game.rules.text(state), claims)
