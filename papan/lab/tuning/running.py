"""Generation after generation of games, each written down, with the curve that tells whether anything is learned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from random import Random
from typing import Any, NamedTuple

from papan.ai.players import make_weighing
from papan.game.base.sentences import say
from papan.game.facts import SEATS, Game
from papan.game.match import Match
from papan.lab.arena import ADDED, OpeningSeeds, Tally, openings, play_pair
from papan.lab.journal import Entry, Journal, JournalError
from papan.lab.tuning.genetic import Genetic
from papan.lab.tuning.methods import Method, State, Values
from papan.lab.tuning.spsa import Spsa
from papan.lab.tuning.weights import Tuned, TuningError

KIND, VERSION = "Papan tuning", 1
MEMORY = 2
"""MiB for each search: a few turns need no more."""
_NAMES = ("new", "old")
_CHECK_SEED, _FINAL_SEED, _GENERATION_SEED = 500_000_000, 600_000_000, 1_000_000
"""Far from each other, so that no opening is met twice."""


@dataclass(frozen=True)
class Plan:
    """All that the weights depend on that are found after so many generations."""

    game: str
    game_version: int
    options: tuple[tuple[str, str], ...]
    weights: str
    """The name of the weights, or what they were."""
    over: tuple[str, ...]
    before: tuple[float, ...]
    method: str
    population: int
    meetings: int
    """Others that each meets in a generation, or openings of a generation's match."""
    check: int
    """Openings from which each generation's answer meets the weights before."""
    depth: int
    turns: int
    seed: int
    opening_seeds: OpeningSeeds = ADDED
    """How the seeds of openings follow from the seed; older journals don't say it."""

    def as_data(self) -> dict[str, Any]:
        """The plan as JSON has it."""
        return asdict(self)


class Generation(NamedTuple):
    """What is known after a generation, the first being 1; before it, 0."""

    number: int
    state: State
    answer: list[float]
    check: tuple[int, int, int]
    """Wins, draws and losses of the answer against the weights before."""

    @property
    def tally(self) -> Tally:
        """The check, with its score."""
        return Tally(*self.check)


class Tuning:
    """A tuning on its way."""

    def __init__(self, game: Game, tuned: Tuned, plan: Plan, journal: Journal) -> None:
        """Goes on where *journal* ends.

        :raises JournalError: it is damaged.
        :raises TuningError: the game can't be tuned, or has too few openings.
        """
        if 2 not in game.seats:
            raise TuningError(say("{game} is not for two players: there is nobody to win against.", game=game.title))
        self._game, self._tuned, self._plan, self._journal = game, tuned, plan, journal
        self._method = _method(tuned, plan)
        self._check_starts = self._starts(plan.check, _CHECK_SEED)
        self.generations = [Generation(0, self._method.begin(tuned.values, self._random(0)), tuned.values, (0, 0, 0))]
        """All generations so far."""
        for number, entry in enumerate(journal.entries(), start=1):
            self.generations.append(_read(number, entry))

    def run(self, generations: int, threads: int, tell: Callable[[Generation], None] = lambda _: None) -> None:
        """Go on until there are so many *generations*.

        :param threads: games at a time: what is found does not depend on it.
        :param tell: told of each new generation, once it is in the journal.
        :raises OutputError: the journal can't be written.
        """
        with ThreadPoolExecutor(threads) as pool:
            while len(self.generations) <= generations:
                found = self._next(self.generations[-1], pool)
                self._journal.add(found._asdict())
                self.generations.append(found)
                tell(found)

    def final(self, number: int, threads: int) -> Tally:
        """What the last answer has of the weights before, from so many openings that were not played yet.

        :raises TuningError: there are too few.
        """
        starts, answer = self._starts(number, _FINAL_SEED), self.generations[-1].answer
        total = Tally()
        with ThreadPoolExecutor(threads) as pool:
            for tally in pool.map(lambda start: self._meet(answer, self._tuned.values, start), starts):
                total.add(tally)
        return total

    def _next(self, last: Generation, pool: ThreadPoolExecutor) -> Generation:
        number = last.number + 1
        starts = self._starts(self._method.openings, number * _GENERATION_SEED)
        duels = self._method.duels(last.state, last.number, self._random(number))
        tallies = pool.map(lambda duel: self._meet(duel.one, duel.other, starts[duel.opening]), duels)
        scores = [tally.score for tally in tallies]
        state = self._method.learn(last.state, last.number, scores, self._random(number))
        answer = self._method.answer(state)
        total = Tally()
        for tally in pool.map(lambda start: self._meet(answer, self._tuned.values, start), self._check_starts):
            total.add(tally)
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
            raise TuningError(
                say(
                    "There are only {number} openings of {turns} turns: ask for longer ones.",
                    number=len(found),
                    turns=plan.turns,
                )
            )
        return found

    def _random(self, generation: int) -> Random:
        return Random(f"{self._plan.seed} {generation}")


def _method(tuned: Tuned, plan: Plan) -> Method:
    if plan.method == "ga":
        return Genetic(tuned.spreads, plan.population, plan.meetings)
    return Spsa(tuned.spreads, plan.meetings)


def _read(number: int, entry: Entry) -> Generation:
    """The generation that *entry* of a journal tells of."""
    try:
        if entry["number"] != number:
            raise ValueError
        state = [[float(value) for value in vector] for vector in entry["state"]]
        answer = [float(value) for value in entry["answer"]]
        wins, draws, losses = (int(count) for count in entry["check"])
    except (KeyError, TypeError, ValueError):
        raise JournalError(
            say("Line {number} of the tuning's file is no generation: is it damaged?", number=number + 1)
        ) from None
    return Generation(number, state, answer, (wins, draws, losses))
