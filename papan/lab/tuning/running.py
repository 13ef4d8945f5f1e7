"""The weights to tune, and running a tuning: generations of games, each in the journal with its check match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from itertools import count
from math import isclose
from random import Random
from typing import Annotated, Any, Literal, Protocol

import msgspec
from msgspec import Meta

from papan.ai.evaluation import evaluation_of
from papan.ai.evaluation.terms import Features
from papan.ai.players import make_weighing
from papan.game.base.protocols import offers
from papan.game.base.sentences import SentenceError
from papan.game.base.typed import FaultError, Figure, Pairs, Positive, Whole
from papan.game.base.untrusted import decimal_number, quoted
from papan.game.game import SEATS, Game
from papan.game.match import Match
from papan.lab.arena import ADDED, OpeningSeeds, Tally, openings, play_pair
from papan.lab.journal import Form, Journal
from papan.lab.tuning.methods import Genetic, Method, Spsa, Values, mean

MEMORY = 2
"""MiB for each search, enough for a few turns."""
_NAMES = ("new", "old")
_CHECK_SEED, _FINAL_SEED, _GENERATION_SEED = 500_000_000, 600_000_000, 1_000_000
"""Far apart, so that no opening occurs twice."""


@dataclass(frozen=True)
class Plan:
    """Everything that determines the weights after a number of generations."""

    game: str
    game_version: Whole
    options: Pairs
    weights: str
    """The name of the starting weights, or the weights themselves."""
    over: Annotated[tuple[str, ...], Meta(min_length=1)]
    before: tuple[Figure, ...]
    method: Literal["ga", "spsa"]
    population: Positive
    meetings: Positive
    """Opponents of each individual in a generation, or openings of a generation's match."""
    check: Positive
    """Openings of the match of each generation's answer against the starting weights."""
    depth: Positive
    turns: Whole
    seed: int
    opening_seeds: OpeningSeeds = ADDED
    """How the seeds of openings follow from the seed; missing in older journals."""


class Generation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The state after a generation, counted from 1; number 0 is the initial state."""

    number: Whole
    state: list[list[Figure]]
    answer: list[Figure]
    check: tuple[Whole, Whole, Whole]
    """Wins, draws and losses of the answer against the starting weights."""

    @property
    def tally(self) -> Tally:
        return Tally(*self.check)


def _checks(plan: Plan) -> Callable[[Generation], None]:
    numbers, size = count(1), plan.population if plan.method == "ga" else 1

    def check(found: Generation) -> None:
        right = next(numbers)
        if found.number != right:
            raise FaultError.saying("its number is {number}, not {right}", number=found.number, right=right)
        if len(found.state) != size or any(len(one) != len(plan.over) for one in (*found.state, found.answer)):
            raise FaultError.saying("it and the plan differ in their number of weights")
        # Python's versions round sums differently.
        near = partial(isclose, rel_tol=1e-6, abs_tol=1e-9)
        if not all(map(near, found.answer, mean(found.state))):
            raise FaultError.saying("its weights are not the mean of its population")
        if sum(found.check) != 2 * plan.check:
            raise FaultError.saying(
                "its check match has {games} games, not {right}", games=sum(found.check), right=2 * plan.check
            )

    return check


JOURNAL: Form[Plan, Generation] = Form("Papan tuning", 1, plan=Plan, entry=Generation, checks=_checks)


class Tuning:
    def __init__(self, game: Game, tuned: Tuned, plan: Plan, journal: Journal[Plan, Generation]) -> None:
        """Continue from *journal*.

        :raises JournalError: it is damaged.
        :raises TuningError: the game can't be tuned, or has too few openings.
        """
        if 2 not in game.seats:
            raise TuningError.saying("{game} is not for two players, so its weights can't be tuned.", game=game.title)
        self._game, self._tuned, self._plan, self._journal = game, tuned, plan, journal
        self._method: Method = (
            Genetic(tuned.spreads, plan.population, plan.meetings)
            if plan.method == "ga"
            else Spsa(tuned.spreads, plan.meetings)
        )
        self._check_starts = self._starts(plan.check, _CHECK_SEED)
        self.generations = [Generation(0, self._method.begin(tuned.values, self._random(0)), tuned.values, (0, 0, 0))]
        self.generations.extend(journal.entries())

    def run(self, generations: int, threads: int, tell: Callable[[Generation], None] = lambda _: None) -> None:
        """Continue until *generations* generations.

        :param threads: games at the same time; the result does not depend on it.
        :param tell: called with each new generation, once it is in the journal.
        """
        with ThreadPoolExecutor(threads) as pool:
            while len(self.generations) <= generations:
                found = self._next(self.generations[-1], pool)
                self._journal.add(found)
                self.generations.append(found)
                tell(found)

    def final(self, number: int, threads: int) -> Tally:
        """The last answer's result against the starting weights, from *number* new openings."""
        starts, answer = self._starts(number, _FINAL_SEED), self.generations[-1].answer
        with ThreadPoolExecutor(threads) as pool:
            return self._against_start(answer, starts, pool)

    def _against_start(self, answer: Values, starts: Sequence[Match], pool: ThreadPoolExecutor) -> Tally:
        return Tally.sum(pool.map(lambda start: self._meet(answer, self._tuned.values, start), starts))

    def _next(self, last: Generation, pool: ThreadPoolExecutor) -> Generation:
        number = last.number + 1
        starts = self._starts(self._method.openings, number * _GENERATION_SEED)
        duels = self._method.duels(last.state, last.number, self._random(number))
        tallies = pool.map(lambda duel: self._meet(duel.one, duel.other, starts[duel.opening]), duels)
        scores = [tally.score for tally in tallies]
        state = self._method.learn(last.state, last.number, scores, self._random(number))
        answer = self._method.answer(state)
        total = self._against_start(answer, self._check_starts, pool)
        return Generation(number, state, answer, (total.wins, total.draws, total.losses))

    def _meet(self, one: Values, other: Values, start: Match) -> Tally:
        players = [
            make_weighing(self._tuned.vector(values), self._game, self._plan.depth, MEMORY) for values in (one, other)
        ]
        return play_pair(start, _NAMES, players)

    def _starts(self, number: int, offset: int) -> Sequence[Match]:
        options = dict(self._plan.options)
        if SEATS in self._game.options:
            options[SEATS] = "2"
        seed, plan = self._plan.seed + offset, self._plan
        found = openings(self._game, number, options, seed, plan.turns, opening_seeds=plan.opening_seeds)
        if len(found) < number:
            number, turns = len(found), plan.turns
            raise TuningError.saying(
                "There are only {number} openings of {turns} turns: ask for longer ones.",
                number=number,
                turns=turns,
            )
        return found

    def _random(self, generation: int) -> Random:
        return Random(f"{self._plan.seed} {generation}")


def facts(plan: Plan, generations: Sequence[Generation], final: Tally | None = None) -> dict[str, Any]:
    """The *generations* of *plan*, counted from 1, and the *final* match as JSON data."""
    curve = [
        {
            "generation": one.number,
            "weights": dict(zip(plan.over, one.answer, strict=True)),
            **_score_facts(one.tally),
        }
        for one in generations
    ]
    return {**asdict(plan), "generations": curve, "final": None if final is None else _score_facts(final)}


def _score_facts(tally: Tally) -> dict[str, Any]:
    return {"score": tally.score, "interval_95": list(tally.interval), "games": tally.games}


class TuningError(SentenceError, ValueError):
    """Weights can't be tuned; the message is a sentence that says why."""


class HasFeatures(Protocol):
    """An evaluation whose weights belong to named features."""

    @property
    def FEATURES(self) -> Features:  # noqa: N802 - a constant of a module
        """The features, in the order of the weights."""


@dataclass(frozen=True)
class Tuned:
    """The weights to tune, by feature name, and the whole vector."""

    names: tuple[str, ...]
    features: Features
    before: tuple[float, ...]
    """The whole vector before tuning."""

    @property
    def values(self) -> list[float]:
        """The selected weights before tuning."""
        return [self.before[self.features.index(name)] for name in self.names]

    @property
    def spreads(self) -> list[float]:
        """The size of a noticeable change of each weight: its own size, or the smallest other one if it is 0."""
        sizes = [abs(value) for value in self.values]
        least = min((size for size in sizes if size), default=1.0)
        return [size or least for size in sizes]

    def vector(self, values: Sequence[float]) -> list[float]:
        """The whole vector with the selected weights set to *values*."""
        found = list(self.before)
        for name, value in zip(self.names, values, strict=True):
            found[self.features.index(name)] = value
        return found


def tuned_weights(game: Game, text: str, over: Sequence[str]) -> Tuned:
    """The weights *text* of *game*, with the features *over* selected.

    :param text: the name of weights, or weights: ``heights=3,distance=1``.
    :param over: empty for all features whose weight is not 0.
    :raises TuningError: there are no such weights or features.
    """
    evaluation = evaluation_of(game)
    if not offers(evaluation, HasFeatures):
        raise TuningError.saying("The weights of {game} have no feature names.", game=game.title)
    features = evaluation.FEATURES
    before = _written(game, text, features) if "=" in text else _named(game, text, features)
    for name in over:
        _check_feature(game, name, features)
    if len(set(over)) < len(over):
        raise TuningError.saying("A feature is named twice.")
    names = tuple(over) or tuple(name for name, weight in zip(features, before, strict=True) if weight)
    if not names:
        raise TuningError.saying(
            "The weights {name} of {game} are all 0: name the features to tune.", name=quoted(text), game=game.title
        )
    return Tuned(names, features, before)


def _named(game: Game, name: str, features: Features) -> tuple[float, ...]:
    known = evaluation_of(game).WEIGHTS
    if name not in known:
        raise TuningError.saying(
            "{game} has no weights {name}; choose from {known}.",
            game=game.title,
            name=quoted(name),
            known=", ".join(known),
        )
    before = tuple(float(weight) for weight in known[name])
    if len(features) != len(before):
        raise TuningError.saying(
            "The weights {name} of {game} have no feature names.", name=quoted(name), game=game.title
        )
    return before


def _written(game: Game, text: str, features: Features) -> tuple[float, ...]:
    found: dict[str, float] = {}
    for part in text.split(","):
        name, _, number = part.partition("=")
        _check_feature(game, name, features)
        value = decimal_number(number.removeprefix("-"))
        if value is None:
            told = quoted(number)
            raise TuningError.saying("The weight of {name} must be a number, not {text}.", name=name, text=told)
        found[name] = -value if number.startswith("-") else value
    return features.weights(**found)


def _check_feature(game: Game, name: str, features: Features) -> None:
    if name not in features:
        raise TuningError.saying(
            "{game} has no feature {name}; choose from {known}.",
            game=game.title,
            name=quoted(name),
            known=", ".join(features),
        )
