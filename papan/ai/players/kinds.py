"""Players of the plainest kinds: those that rate single steps, and those that play what a search finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation import WeightValues, appraise
from papan.ai.exact import Finishing
from papan.ai.limits import Analysis, Limit, Line
from papan.ai.openings import Openings
from papan.ai.players.situations import Situation
from papan.ai.search import Searcher, never
from papan.game.rules import Rules, State, is_over, legal_steps, mover, play


class GreedyPlayer:
    """Takes the step that ``appraise`` rates highest, ties at random; without weights any step at all."""

    def __init__(self, rules: Rules, weights: WeightValues | None) -> None:
        self._rules = rules
        self._weights = None if weights is None else np.array(weights, np.float64)

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """The weights that it rates steps by; None where any step will do."""
        return self._weights

    def prepare(self, state: State) -> None:
        """Nothing: it plays in plain Python."""

    def prepare_rest(self, state: State) -> None:
        """Nothing."""

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = never) -> Analysis:
        steps = legal_steps(situation.state, self._rules.MOST_STEPS)
        worth = [0.0] * len(steps)
        if self._weights is not None:
            worth = [float(appraise(situation.state, step, self._weights)) for step in steps]
        best = max(worth)
        chosen = Random(situation.seed).choice(
            [step for step, value in zip(steps, worth, strict=True) if value == best]
        )
        return Analysis(chosen, best, situation.seat, principal_variation=(chosen,))

    def stop(self) -> None:
        """Nothing to stop."""

    def live(self) -> Analysis | None:
        return None


class PlayerWithSearch:
    """What players have in common that look ahead with a search, each time within one limit."""

    def __init__(self, rules: Rules, search: Searcher, limit: Limit) -> None:
        self._rules = rules
        self._search = search
        self._limit = limit

    @property
    def search(self) -> Searcher:
        """The search that it looks ahead with."""
        return self._search

    @property
    def limit(self) -> Limit:
        """The limit of a search."""
        return self._limit

    def prepare(self, state: State) -> None:
        self._search.prepare(state)
        if self._limit.time is not None and self._limit.depth is None:
            self._search.touch()

    def allowed(self, situation: Situation) -> Limit:
        """Its limit, within what the clock leaves it."""
        if situation.most_seconds is None:
            return self._limit.within(situation.seconds)
        return self._limit.within(situation.most_seconds, usual=situation.seconds)

    def stop(self) -> None:
        self._search.stop()

    def live(self) -> Analysis | None:
        return self._search.live()


class SearchingPlayer(PlayerWithSearch):
    """Plays what a search finds within its limit.

    A turn of several steps is thought over once, where it isn't a depth that was asked for: what the search expects
    of its own seat is played as long as nothing comes between.
    """

    def __init__(
        self,
        rules: Rules,
        search: Searcher,
        limit: Limit,
        depth_asked: int | None = None,
        openings: Openings | None = None,
    ) -> None:
        """:param depth_asked: the turns to look ahead, where that is all that was asked for: a limit of time, if there
        is one, is only to keep nobody waiting.
        :param openings: by which it begins.
        """
        super().__init__(rules, search, limit)
        self.depth_asked = depth_asked
        self._openings = openings
        self._turn: tuple[State | None, float] = None, 0.0
        """The state that the last step leads to, if it is in the same turn, and the seconds that the turn has taken."""
        self._expected: tuple[State, Analysis] | None = None
        """The state that the last step leads to, and what is to be played there, in the same turn."""

    def prepare_rest(self, state: State) -> None:
        if isinstance(self._search, Finishing):
            self._search.prepare_solver(state)

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = never) -> Analysis:
        state = situation.state
        if self._expected is not None and self._expected[0] == state:
            found = self._expected[1]
        elif (by_book := self._by_book(situation)) is not None:
            found = by_book
        else:
            limit = self.allowed(situation)
            if limit.depth is None and state == self._turn[0]:
                limit = limit.after(self._turn[1])
            if limit.depth is None and len(legal_steps(state, self._rules.MOST_STEPS)) == 1:
                limit = Limit(depth=1)  # nothing to decide
            found = self._search.analyse(
                state, limit, situation.came_twice, seed=situation.seed, is_cancelled=is_cancelled
            )
        after = play(state, found.step)
        is_over_with = is_over(after) or mover(after) != found.seat
        taken = self._turn[1] if state == self._turn[0] else 0.0
        self._turn = (None, 0.0) if is_over_with else (after, taken + found.seconds)
        self._expected = None if self._limit.depth is not None else _rest_of_turn(state, found)
        return found

    def _by_book(self, situation: Situation) -> Analysis | None:
        """What its book says; nothing where positions come again, of which a book doesn't know."""
        if self._openings is None or situation.came_twice:
            return None
        return self._openings.choose(situation.state, situation.seed)


def _rest_of_turn(state: State, found: Analysis) -> tuple[State, Analysis] | None:
    """The state after the step of *found*, and what is expected there; None where another is to act, or nothing is."""
    expected = found.principal_variation[1:]
    after = play(state, found.step)
    if not expected or is_over(after) or mover(after) != found.seat:
        return None
    line = Line(expected[0], found.score, expected, found.is_proven)
    rest = replace(found, step=line.step, principal_variation=expected, nodes=0, simulations=0, seconds=0.0)
    return after, replace(rest, lines=(line,))
