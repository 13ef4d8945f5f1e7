"""Situations that players get, the protocol of players, and whether a computer agrees to a draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation import STANDARD, WeightValues, appraise, evaluate, evaluation_of, winning_chance
from papan.ai.limits import Analysis, Limit, Line
from papan.ai.openings import Openings
from papan.ai.search import Searcher, never
from papan.ai.search.repetition import come_twice
from papan.game.base.sentences import SentenceError
from papan.game.kernel import plainly
from papan.game.kernel.rng import mix
from papan.game.match import Match
from papan.game.rules import CHANCE, Rules, State, is_over, legal_steps, mover, observe, play

EVEN = 0.52
"""Above this winning chance a computer plays on."""
BEHIND = 0.4
"""Below this winning chance it takes a draw at any time."""
LEAST_TURNS = 10
"""Turns of each seat before it takes a draw in an even game."""


class PlayerError(SentenceError, ValueError):
    """There is no such player; the message lists the players."""


@dataclass(frozen=True)
class Past:
    """The history of a match, for engines, which get moves instead of positions."""

    options: Mapping[str, str]
    start: State
    steps: tuple[int, ...]


@dataclass(frozen=True)
class Situation:
    """Everything that a player gets when it is to act: the view of its seat."""

    state: State
    seat: int
    seed: int
    """For its random choices: the same situation gives the same step."""
    came_twice: tuple[int, ...] = ()
    """Keys of positions that end the game if they come once more."""
    past: Past | None = None
    """None if the game hides something."""
    seconds: float | None = None
    """Its time for the move, if a clock runs."""
    most_seconds: float | None = None
    """Its maximum for a difficult move; None for ``seconds``."""


def situation(match: Match) -> Situation:
    seed = int(mix((match.seed * 0x10001 + len(match.steps)) & 0xFFFFFFFFFFFFFFFF))
    past = None if match.game.has_hidden_information else Past(match.options, match.states[0], tuple(match.steps))
    return Situation(observe(match.state, match.mover), match.mover, seed, come_twice(match.states), past)


class Player(Protocol):
    """A computer player of one game. ``stop`` and ``live`` may be called from another thread."""

    def prepare(self, state: State) -> None:
        """Compile the functions that it needs first for this type of state."""

    def prepare_rest(self, state: State) -> None:
        """Compile the functions that it needs later in the game."""

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = ...) -> Analysis:
        """Return its step for *situation*; any step after ``stop`` or once *is_cancelled* returns true."""

    def stop(self) -> None:
        """Make ``choose`` return at once."""

    def live(self) -> Analysis | None:
        """The progress of ``choose``, if known."""


def agrees_to_draw(match: Match, seat: int, last: Analysis | None) -> bool:
    """Whether the computer in *seat* takes a draw now.

    :param last: its last search, from its point of view, or None.
    """
    game = match.game
    has_searched = last is not None and (last.depth > 0 or last.simulations > 0)
    if last is not None and has_searched:
        score = last.score
    else:
        weights = np.array(evaluation_of(game).WEIGHTS[STANDARD], np.float64)
        score = float(evaluate(observe(match.state, seat), seat, weights))
    chance = winning_chance(score, float(evaluation_of(game).SCALE))
    turns = sum(turn.seat != CHANCE for turn in match.turns())
    if chance < BEHIND:
        return has_searched or turns > 0  # at the start only the order of seats is known
    return chance <= EVEN and turns >= LEAST_TURNS * len(match.seats)


class GreedyPlayer:
    """Takes the step that ``appraise`` rates highest, ties at random; without weights a random step."""

    def __init__(self, rules: Rules, weights: WeightValues | None) -> None:
        self._rules = rules
        self.weights: NDArray[np.float64] | None = None if weights is None else np.array(weights, np.float64)

    def prepare(self, state: State) -> None: ...

    def prepare_rest(self, state: State) -> None: ...

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = never) -> Analysis:
        steps = legal_steps(situation.state, self._rules.MOST_STEPS)
        worth = [0.0] * len(steps)
        if self.weights is not None:
            worth = [float(appraise(situation.state, step, self.weights)) for step in steps]
        best = max(worth)
        chosen = Random(situation.seed).choice(
            [step for step, value in zip(steps, worth, strict=True) if value == best]
        )
        return Analysis(chosen, best, situation.seat, principal_variation=(chosen,))

    def stop(self) -> None: ...

    def live(self) -> Analysis | None:
        return None


class PlayerWithSearch:
    def __init__(self, rules: Rules, search: Searcher, limit: Limit) -> None:
        self._rules = rules
        self.search = search
        self.limit = limit
        self.make_plain: Callable[[], PlayerWithSearch] | None = None
        """Makes a player for ``choose_plainly``; None if no depth limits the searches."""
        self._plain: PlayerWithSearch | None = None

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = never) -> Analysis:
        raise NotImplementedError

    def choose_plainly(self, situation: Situation, is_cancelled: Callable[[], bool]) -> Analysis | None:
        """Search in plain Python, before the compiler is ready, for what ``choose`` finds, however long it takes.

        :returns: None if time alone limits the search, or if it was cancelled.
        """
        if self.make_plain is None:
            return None
        if self._plain is None:
            self._plain = self.make_plain()
        with plainly():
            found = self._plain.choose(replace(situation, seconds=None, most_seconds=None), is_cancelled)
        return None if is_cancelled() else found

    def stop_plainly(self) -> None:
        """Make ``choose_plainly`` return at once, where it is cancelled."""
        if self._plain is not None:
            self._plain.stop()

    def prepare(self, state: State) -> None:
        self.search.prepare(state)
        if self.limit.time is not None and self.limit.depth is None:
            self.search.touch()

    def allowed(self, situation: Situation) -> Limit:
        """Its limit within the time left on the clock."""
        if situation.most_seconds is None:
            return self.limit.within(situation.seconds)
        return self.limit.within(situation.most_seconds, usual=situation.seconds)

    def stop(self) -> None:
        self.search.stop()
        self.stop_plainly()

    def live(self) -> Analysis | None:
        return self.search.live()


class SearchingPlayer(PlayerWithSearch):
    """Plays the best step of a search. Without a depth limit, a turn of several steps is searched once."""

    def __init__(
        self,
        rules: Rules,
        search: Searcher,
        limit: Limit,
        depth_asked: int | None = None,
        openings: Openings | None = None,
    ) -> None:
        """:param depth_asked: the depth, where the player's name sets no other limit."""
        super().__init__(rules, search, limit)
        self.depth_asked = depth_asked
        self._openings = openings
        self._turn: tuple[State | None, float] = None, 0.0
        """The state after the last step, if its turn continues, and the turn's seconds so far."""
        self._expected: tuple[State, Analysis] | None = None
        """The state after the last step, if its turn continues, and the analysis for it."""

    def prepare_rest(self, state: State) -> None:
        self.search.prepare_rest(state)

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = never) -> Analysis:
        state = situation.state
        if self._expected is not None and self._expected[0] == state:
            found = self._expected[1]
        elif (
            self._openings is not None
            and not situation.came_twice
            and (by_book := self._openings.choose(state, situation.seed))
        ):  # a book ignores repetitions
            found = by_book
        else:
            limit = self.allowed(situation)
            if limit.depth is None and state == self._turn[0]:
                limit = limit.after(self._turn[1])
            if limit.depth is None and len(legal_steps(state, self._rules.MOST_STEPS)) == 1:
                limit = Limit(depth=1)  # nothing to decide
            found = self.search.analyse(
                state, limit, situation.came_twice, seed=situation.seed, is_cancelled=is_cancelled
            )
        after = play(state, found.step)
        is_over_with = is_over(after) or mover(after) != found.seat
        taken = self._turn[1] if state == self._turn[0] else 0.0
        self._turn = (None, 0.0) if is_over_with else (after, taken + found.seconds)
        self._expected = None if self.limit.depth is not None else _rest_of_turn(state, found)
        return found


def _rest_of_turn(state: State, found: Analysis) -> tuple[State, Analysis] | None:
    """The state after the step of *found*, and the expected rest; None at the end of the turn or line."""
    expected = found.principal_variation[1:]
    after = play(state, found.step)
    if not expected or is_over(after) or mover(after) != found.seat:
        return None
    line = Line(expected[0], found.score, expected, found.is_proven)
    rest = replace(found, step=line.step, principal_variation=expected, nodes=0, simulations=0, seconds=0.0)
    return after, replace(rest, lines=(line,))
