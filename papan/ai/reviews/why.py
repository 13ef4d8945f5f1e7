""" "Why this move?": the addition of each term to the score of each candidate, with these or other weights.

A greedy player rates single steps. One that looks ahead evaluates the position after the line that it expects from each
step; with chance, the mean of all positions that the line may lead to. So a candidate's terms add up to its score. A
player that sees only its own cards sees no more here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, NamedTuple

import numpy as np

from papan.ai.evaluation import STANDARD, Greedy, Searching, appraise, evaluate, evaluation_of, is_quiet
from papan.ai.evaluation.terms import Term, Traced, added, counted, terms_of, traced, weighed
from papan.ai.limits import WIN, WIN_BOUND, Limit, win_distance
from papan.ai.players.levels import level_setting, player_level_of
from papan.ai.search import PlayedTurn, all_turns, turns_along
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.deepening import Deepening
from papan.ai.search.expectimax import Expectimax
from papan.game.game import Game
from papan.game.rules import CHANCE, State, allied, chance, is_over, legal_steps, mover, payoff, play, seats

MOST_CHANCE_DEPTH = 2
"""Depth that is explained where chance acts: all outcomes are visited in plain Python."""
SHOWN = 24
"""The number of candidates with terms, by default."""
_SAME = 1e-6
"""The relative difference of sums that count as equal."""
_TABLE_BITS = 16
"""Of the search's table. Small, as table hits cut lines short, and the rest must be found."""


class End(NamedTuple):
    state: State
    turns: int = 0
    """Turns that end before it."""


class Judge(NamedTuple):
    """A player whose evaluation can be explained."""

    name: str
    weights: str
    """Their name."""
    depth: int | None
    """None if it rates single steps."""
    prefers_wins: bool = True


def judges(game: Game, state: State) -> list[Judge]:
    """The players of *game* whose evaluation of positions like *state* has named terms: its own, then the usual ones.

    Where cards are hidden, only those that rate single steps.
    """
    evaluation = evaluation_of(game)
    named = {name for name, weights in evaluation.WEIGHTS.items() if terms_of(evaluation, state, weights)}
    found = []
    for name, own in evaluation.PLAYERS.items():
        if isinstance(own, Searching) and own.weights in named:
            found.append(Judge(name, own.weights, own.depth, own.prefers_wins))
        elif isinstance(own, Greedy) and own.weights in named:
            found.append(Judge(name, own.weights, None))
    for name, level in evaluation.LEVELS.items():
        if level.depth is not None and level.weights in named:
            found.append(Judge(f"minimax:{name}", level.weights, level.depth))
    if STANDARD in named and not any(judge.weights == STANDARD for judge in found):
        depth = max(level.depth or 1 for level in evaluation.LEVELS.values())
        depth = min(depth, MOST_CHANCE_DEPTH) if game.has_chance else depth
        found.append(Judge(f"minimax:depth={depth}", STANDARD, depth))
    most_depth = 0 if game.has_hidden_information else MOST_CHANCE_DEPTH if game.has_chance else inf
    return [judge for judge in found if judge.depth is None or judge.depth <= most_depth]


@dataclass(frozen=True)
class Candidate:
    """A step to choose from."""

    step: int
    line: tuple[str, ...]
    """The turns expected, its own first."""
    score: float
    """For the seat to act, in the evaluation's units; beyond ``WIN_BOUND`` a forced win."""
    steps: tuple[int, ...] = ()
    """The steps of the line."""
    counts: tuple[float, ...] = ()
    """What each term counts; () where the terms don't add up to the score, as in decided games."""
    additions: tuple[float, ...] = ()
    """Count times weight, for each term."""
    rest: float = 0.0
    """The part of the score without weights, such as points made so far."""

    @property
    def win_distance(self) -> int | None:
        return win_distance(self.score)


@dataclass(frozen=True)
class Why:
    """A judge's candidates in one position."""

    judge: Judge
    seat: int
    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    """The terms' current weights."""
    candidates: tuple[Candidate, ...]
    """All of them, best first."""

    @property
    def best(self) -> tuple[Candidate, ...]:
        """Those with the top score."""
        top = self.candidates[0].score
        return tuple(one for one in self.candidates if one.score == top)


@dataclass
class Explaining:
    """Explains one position by one judge, repeatedly, with other weights each time."""

    game: Game
    state: State
    """As the seat to act sees it; not over."""
    judge: Judge
    came_twice: Sequence[int] = ()
    """Keys of positions that end the game if they come once more."""
    _is_stopped: bool = False
    _search: Deepening | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        evaluation = evaluation_of(self.game)
        self._usual = [float(weight) for weight in evaluation.WEIGHTS[self.judge.weights]]
        self.terms = tuple(terms_of(evaluation, self.state, evaluation.WEIGHTS[self.judge.weights]))
        """With their usual weights."""
        self._seat, self._rules = int(mover(self.state)), self.game.rules

    def stop(self) -> None:
        """End the running ``answer`` from another thread; its result is meaningless."""
        self._is_stopped = True
        if self._search is not None:
            self._search.stop()

    def answer(self, asked: Mapping[str, float], shown: int = SHOWN, also: int | None = None) -> Why | None:
        """All candidates, where terms have the weights *asked* by name; None if stopped.

        :param shown: how many of the best get terms; 0 for all.
        :param also: another step that gets terms.
        """
        weights = weighed(self.terms, self._usual, asked)
        if self.judge.depth is None:
            vector, found = np.array(weights, np.float64), []
            for step in legal_steps(self.state, self._rules.MOST_STEPS):
                score = float(appraise(self.state, step, vector))
                notation = self._rules.notation(self.state, step)
                found.append((Candidate(step, (notation,), score, (step,)), End(self.state)))
        else:
            found = self._searched(weights)
        if self._is_stopped:
            return None
        found.sort(key=lambda one: -one[0].score)
        told = [
            self._explained(one, end, weights) if not shown or place < shown or one.step == also else one
            for place, (one, end) in enumerate(found)
            if not self._is_stopped
        ]
        current = tuple(asked.get(term.name, term.weight) for term in self.terms)
        return None if self._is_stopped else Why(self.judge, self._seat, self.terms, current, tuple(told))

    def _searched(self, weights: Sequence[float]) -> list[tuple[Candidate, End]]:
        search: Deepening
        if self.game.has_chance:
            search = Expectimax(self._rules, weights, judges_ends=not self.judge.prefers_wins)
        else:
            search = AlphaBeta(self._rules, weights, self.judge.prefers_wins, table_bits=_TABLE_BITS)
        self._search = search
        search.prepare(self.state)
        limit = Limit(depth=self.judge.depth)
        if self._is_stopped:
            return []
        analysis = search.analyse(self.state, limit, self.came_twice, lines=0, is_cancelled=lambda: self._is_stopped)
        found = []
        for line in analysis.lines:
            steps = line.principal_variation or (line.step,)
            turns, end = self._along(steps)
            found.append((Candidate(line.step, turns, line.score, steps), end))
        return found

    def _along(self, steps: Sequence[int]) -> tuple[tuple[str, ...], End]:
        """The notations of the turns that *steps* make, and the end of the line."""
        turns = list(turns_along(self.state, steps))
        end = End(turns[-1].states[-1], sum(turn.is_whole for turn in turns))
        return tuple(turn.notation(self._rules) for turn in turns), end

    def _explained(self, one: Candidate, end: End, weights: Sequence[float]) -> Candidate:
        """*one* with its terms, if they add up to its score."""
        if abs(one.score) >= WIN_BOUND:
            return one
        for found in self._judgements(one, end, weights):
            if abs(found.value - one.score) <= _SAME * max(1.0, abs(one.score)):
                counts = counted(self.terms, found)
                additions = added(self.terms, found, weights)
                return replace(one, counts=counts, additions=additions, rest=found.value - sum(additions))
        return one

    def _judgements(self, one: Candidate, end: End, weights: Sequence[float]) -> Iterator[Traced]:
        """Evaluations that may be the score of *one*, including continuations of a line that was cut short."""
        if self.judge.depth is None:
            yield traced(lambda some: appraise(self.state, one.step, some), weights, self.terms)
        elif self.game.has_chance:
            yield self._mean(play(self.state, one.step), self._seat, self.judge.depth, weights)
        else:
            yield self._judged(end.state, weights)
            for other in self._continued(end.state, self.judge.depth - end.turns, one.score, weights):
                yield self._judged(other, weights)

    def _continued(self, state: State, turns: int, score: float, weights: Sequence[float]) -> Iterator[State]:
        """States *turns* turns of best play after *state*, which is worth *score*."""
        assert self._search is not None
        if turns < 1 or self._is_stopped or is_over(state):
            return
        if int(mover(state)) == self._seat:
            end = state
            for step in self._search.analyse(state, Limit(depth=turns)).principal_variation:
                end = play(end, step)
            yield end
        vector = np.array(weights, np.float64)
        for turn in all_turns(self._rules, PlayedTurn((state,))):
            if self._is_stopped:
                return
            after = turn.states[-1]
            left = turns - 1 if is_over(after) or is_quiet(after) else max(1, turns - 1)  # as searches extend
            if is_over(after) or left == 0:
                if is_over(after) or float(evaluate(after, self._seat, vector)) == score:
                    yield after
            elif int(mover(after)) == self._seat:
                found = self._search.analyse(after, Limit(depth=left))
                if abs(found.score - score) <= _SAME * max(1.0, abs(score)):
                    yield from self._continued(after, left, score, weights)

    def _judged(self, state: State, weights: Sequence[float]) -> Traced:
        if is_over(state) and self.judge.prefers_wins:
            paid = float(payoff(state, self._seat))
            return Traced(paid if int(seats(state)) == 1 else WIN * ((paid > 0.0) - (paid < 0.0)), {})
        return traced(lambda some: evaluate(state, self._seat, some), weights, self.terms)

    def _mean(self, state: State, player: int, depth: int, weights: Sequence[float]) -> Traced:
        """Expectimax in plain Python."""
        if is_over(state) or self._is_stopped:
            return self._judged(state, weights)
        seat = int(mover(state))
        if seat == CHANCE:
            mean = Traced(0.0, {})
            for outcome in legal_steps(state, self._rules.MOST_STEPS):
                after = self._mean(play(state, outcome), seat, depth, weights)
                mean = mean + after * float(chance(state, outcome))
            return mean
        depth -= seat != player
        if depth == 0:
            return self._judged(state, weights)
        if seat == self._seat and self._search is not None:  # faster than trying each
            return self._mean(play(state, self._search.analyse(state, Limit(depth=depth)).step), seat, depth, weights)
        found = [
            self._mean(play(state, step), seat, depth, weights) for step in legal_steps(state, self._rules.MOST_STEPS)
        ]
        wanted = max if allied(state, self._seat, seat) else min
        return wanted(found, key=lambda one: one.value)


def judge_named(game: Game, state: State, name: str) -> Judge | None:
    """The judge that explains the player *name*: itself, one with the same weights, or None."""
    known = judges(game, state)
    own: Any = evaluation_of(game).PLAYERS.get(name, name)
    wanted = own if isinstance(own, str) else name
    exact = next((judge for judge in known if judge.name == wanted), None)
    if exact is not None or player_level_of(wanted) is None:
        return exact
    weights = level_setting(wanted, game).weights
    evaluation = evaluation_of(game)
    return next((judge for judge in known if evaluation.WEIGHTS[judge.weights] is weights), None)
