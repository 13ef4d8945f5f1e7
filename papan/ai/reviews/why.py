"""Why this move: what a player that judges by few named terms makes of each candidate, and what other weights would.

A greedy player rates single steps. One that looks ahead judges the position at the end of the line that it expects
after each step; where chance comes between, the mean of all positions that it may lead to. So the terms of a candidate
add up to its score. A player that sees only its own cards is told no more here (``papan.ai.players.situations``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from papan.ai.evaluation import STANDARD, Greedy, Searching, appraise, evaluate, evaluation_of, is_quiet
from papan.ai.evaluation.terms import Term, Traced, added, counted, terms_of, traced, weighed
from papan.ai.limits import WIN, WIN_BOUND, Limit, win_distance
from papan.ai.players.levels import level_setting, step_of
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.deepening import Deepening
from papan.ai.search.expectimax import Expectimax
from papan.game.facts import Game
from papan.game.rules import CHANCE, Rules, State, allied, chance, is_over, legal_steps, mover, payoff, play, seats

MOST_CHANCE_DEPTH = 2
"""Turns ahead that are explained where chance acts: each has all its outcomes looked at in plain Python."""
SHOWN = 24
"""So many of the best candidates are told with their terms, unless more are asked for."""
_SAME = 1e-6
"""Sums that differ by less, on the scale of their own size, are the same."""
_TABLE_BITS = 16
"""Of the search's table: what is looked up there ends a line before its end, so that the rest has to be found."""


class End(NamedTuple):
    """Where the line of a candidate leads."""

    state: State
    turns: int = 0
    """How many turns end before it."""


class Judge(NamedTuple):
    """A player whose judgement can be explained."""

    name: str
    """As players are called."""
    weights: str
    """The name of its weights."""
    depth: int | None
    """Turns that it looks ahead; None where it rates single steps."""
    prefers_wins: bool = True


def judges(game: Game, state: State) -> list[Judge]:
    """The players of *game* that judge positions like *state* by few named terms: its own, then the usual ones.

    Of the usual ones, each way to judge once. Where cards are hidden, those that rate single steps by what they see.
    """
    evaluation = evaluation_of(game)
    named = {name for name, weights in evaluation.WEIGHTS.items() if terms_of(evaluation, state, weights)}
    found = [
        Judge(name, own.weights, own.depth if isinstance(own, Searching) else None, _prefers_wins(own))
        for name, own in evaluation.PLAYERS.items()
        if isinstance(own, (Greedy, Searching)) and own.weights in named
    ]
    for name, level in evaluation.LEVELS.items():
        if level.depth is not None and level.weights in named:
            found.append(Judge(f"minimax:{name}", level.weights, level.depth))
    if STANDARD in named and not any(judge.weights == STANDARD for judge in found):
        depth = max(level.depth or 1 for level in evaluation.LEVELS.values())
        depth = min(depth, MOST_CHANCE_DEPTH) if game.has_chance else depth
        found.append(Judge(f"minimax:depth={depth}", STANDARD, depth))
    return [judge for judge in found if _can_tell(judge, game)]


def _prefers_wins(own: Greedy | Searching) -> bool:
    return not isinstance(own, Searching) or own.prefers_wins


def _can_tell(judge: Judge, game: Game) -> bool:
    if judge.depth is None:
        return True
    return not game.has_hidden_information and not (game.has_chance and judge.depth > MOST_CHANCE_DEPTH)


@dataclass(frozen=True)
class Candidate:
    """A step to choose from, and what speaks for it."""

    step: int
    line: tuple[str, ...]
    """The notations of the turns that are expected, its own first, of several steps as it may be."""
    score: float
    """For the seat to act, in the evaluation's units; beyond ``WIN_BOUND`` a forced win."""
    counts: tuple[float, ...] = ()
    """What each term counts; empty where the game is decided, or the score comes about in another way."""
    additions: tuple[float, ...] = ()
    """What each term adds to the score: what it counts, times its weight."""
    rest: float = 0.0
    """What the score has besides, whatever the weights, such as the points made so far."""

    @property
    def win_distance(self) -> int | None:
        """In how many turns it wins (positive) or loses (negative); None if neither."""
        return win_distance(self.score)


@dataclass(frozen=True)
class Why:
    """What a judge makes of the candidates in one position."""

    judge: Judge
    seat: int
    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    """What each of the terms weighs now."""
    candidates: tuple[Candidate, ...]
    """All that it could do, the best first."""

    @property
    def best(self) -> tuple[Candidate, ...]:
        """Those that it would take, each as likely as any other."""
        top = self.candidates[0].score
        return tuple(one for one in self.candidates if one.score == top)


@dataclass
class Explaining:
    """What one judge makes of one position. It can be asked again and again, by other weights each time."""

    game: Game
    state: State
    """As the seat to act sees it; somebody is to act there."""
    judge: Judge
    came_twice: Sequence[int] = ()
    """Keys of positions that end the game if they come once more."""
    _is_stopped: bool = False
    _search: Deepening | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        evaluation = evaluation_of(self.game)
        self._usual = [float(weight) for weight in evaluation.WEIGHTS[self.judge.weights]]
        self.terms = tuple(terms_of(evaluation, self.state, evaluation.WEIGHTS[self.judge.weights]))
        """The terms that it judges by, with their usual weights."""
        self._seat = int(mover(self.state))

    @property
    def _rules(self) -> Rules:
        return self.game.rules

    def stop(self) -> None:
        """Have what is being answered end at once, from another thread; that answer makes no sense."""
        self._is_stopped = True
        if self._search is not None:
            self._search.stop()

    def answer(self, asked: Mapping[str, float], shown: int = SHOWN, also: int | None = None) -> Why | None:
        """What the judge makes of each candidate where some terms weigh what is *asked*, by name; None if stopped.

        :param shown: how many of the best are told with their terms; 0 for all.
        :param also: a step that is told with its terms, too, however good it is.
        """
        weights = weighed(self.terms, self._usual, asked)
        found = self._rated(weights) if self.judge.depth is None else self._searched(weights)
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

    # ---------------------------------------------------------------------------------- candidates

    def _rated(self, weights: Sequence[float]) -> list[tuple[Candidate, End]]:
        """Each step by itself."""
        state, vector = self.state, np.array(weights, np.float64)
        return [
            (Candidate(step, (self._rules.notation(state, step),), float(appraise(state, step, vector))), End(state))
            for step in legal_steps(state, self._rules.MOST_STEPS)
        ]

    def _searched(self, weights: Sequence[float]) -> list[tuple[Candidate, End]]:
        """Each step with what follows, and the position that this leads to."""
        self._search = search = self._searcher(weights)
        search.prepare(self.state)
        limit = Limit(depth=self.judge.depth)
        if self._is_stopped:
            return []
        analysis = search.analyse(self.state, limit, self.came_twice, lines=0, is_cancelled=lambda: self._is_stopped)
        found = []
        for line in analysis.lines:
            turns, end = self._along(line.principal_variation or (line.step,))
            found.append((Candidate(line.step, turns, line.score), end))
        return found

    def _searcher(self, weights: Sequence[float]) -> Deepening:
        if self.game.has_chance:
            return Expectimax(self._rules, weights, judges_ends=not self.judge.prefers_wins)
        return AlphaBeta(self._rules, weights, self.judge.prefers_wins, table_bits=_TABLE_BITS)

    def _along(self, steps: Sequence[int]) -> tuple[tuple[str, ...], End]:
        """The notations of the turns that *steps* make, and where they lead."""
        turns: list[str] = []
        state, last = self.state, None
        for step in steps:
            seat = int(mover(state))
            if seat != last:
                turns.append("")
            turns[-1] += self._rules.notation(state, step)
            last, state = seat, play(state, step)
        is_in_turn = not is_over(state) and int(mover(state)) == last
        return tuple(turns), End(state, len(turns) - is_in_turn)

    # --------------------------------------------------------------------------------------- terms

    def _explained(self, one: Candidate, end: End, weights: Sequence[float]) -> Candidate:
        """*one* with its terms, where these add up to its score; *end* is where its line leads."""
        if abs(one.score) >= WIN_BOUND:
            return one
        for found in self._judgements(one, end, weights):
            if abs(found.value - one.score) <= _SAME * max(1.0, abs(one.score)):
                counts = counted(self.terms, found)
                additions = added(self.terms, found, weights)
                return replace(one, counts=counts, additions=additions, rest=found.value - sum(additions))
        return one

    def _judgements(self, one: Candidate, end: End, weights: Sequence[float]) -> Iterator[Traced]:
        """What *one* may be judged by: where the search did not tell its line to the end, what ends it in one turn."""
        if self.judge.depth is None:
            yield traced(lambda some: appraise(self.state, one.step, some), weights, self.terms)
        elif self.game.has_chance:
            yield self._mean(play(self.state, one.step), self._seat, self.judge.depth, weights)
        else:
            yield self._judged(end.state, weights)
            for other in self._continued(end.state, self.judge.depth - end.turns, one.score, weights):
                yield self._judged(other, weights)

    def _continued(self, state: State, turns: int, score: float, weights: Sequence[float]) -> Iterator[State]:
        """Where *turns* more may lead to from *state*, which is worth *score*, if both sides take the best ones."""
        assert self._search is not None
        if turns < 1 or self._is_stopped or is_over(state):
            return
        if int(mover(state)) == self._seat:
            end = state
            for step in self._search.analyse(state, Limit(depth=turns)).principal_variation:
                end = play(end, step)
            yield end
        vector = np.array(weights, np.float64)
        for after in _ends_of_turn(self._rules, state, int(mover(state))):
            if self._is_stopped:
                return
            left = turns - 1 if is_over(after) or is_quiet(after) else max(1, turns - 1)  # as searches look further
            if is_over(after) or left == 0:
                if is_over(after) or float(evaluate(after, self._seat, vector)) == score:
                    yield after
            elif int(mover(after)) == self._seat:
                found = self._search.analyse(after, Limit(depth=left))
                if abs(found.score - score) <= _SAME * max(1.0, abs(score)):
                    yield from self._continued(after, left, score, weights)

    def _judged(self, state: State, weights: Sequence[float]) -> Traced:
        """What *state* is worth, where a search ends."""
        if is_over(state) and self.judge.prefers_wins:
            paid = float(payoff(state, self._seat))
            return Traced(paid if int(seats(state)) == 1 else WIN * ((paid > 0.0) - (paid < 0.0)), {})
        return traced(lambda some: evaluate(state, self._seat, some), weights, self.terms)

    def _mean(self, state: State, player: int, depth: int, weights: Sequence[float]) -> Traced:
        """As ``expectimax``: the mean over what chance may bring, and the best of what the seat may do."""
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
        if seat == self._seat and self._search is not None:  # compiled code finds the best one sooner
            return self._mean(play(state, self._search.analyse(state, Limit(depth=depth)).step), seat, depth, weights)
        found = [
            self._mean(play(state, step), seat, depth, weights) for step in legal_steps(state, self._rules.MOST_STEPS)
        ]
        wanted = max if allied(state, self._seat, seat) else min
        return wanted(found, key=lambda one: one.value)


def _ends_of_turn(rules: Rules, state: State, seat: int) -> Iterator[State]:
    """What the rest of the turn that *seat* is in may lead to."""
    for step in legal_steps(state, rules.MOST_STEPS):
        after = play(state, step)
        if is_over(after) or int(mover(after)) != seat:
            yield after
        else:
            yield from _ends_of_turn(rules, after, seat)


def judge_named(game: Game, state: State, name: str) -> Judge | None:
    """The judge that explains the player called *name*: itself, or one that judges by the same weights; or None."""
    known = judges(game, state)
    own: Any = evaluation_of(game).PLAYERS.get(name, name)
    wanted = own if isinstance(own, str) else name
    exact = next((judge for judge in known if judge.name == wanted), None)
    if exact is not None or step_of(wanted) is None:
        return exact
    weights = level_setting(wanted, game).weights
    evaluation = evaluation_of(game)
    return next((judge for judge in known if evaluation.WEIGHTS[judge.weights] is weights), None)
