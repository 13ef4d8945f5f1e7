"""Running a training: games on several threads, saved and evaluated at intervals."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np

from papan.ai.evaluation import STANDARD, evaluation_of
from papan.ai.learning.learner import GAMES, STOP, Memory, network_worth, new_knowledge, play_games
from papan.ai.learning.network import Form as NetworkForm
from papan.ai.learning.network import Network, Vector
from papan.ai.learning.views import Views
from papan.ai.limits import Limit
from papan.ai.players import SearchingPlayer, make_player
from papan.ai.players.families import suited
from papan.ai.search import Searcher
from papan.ai.search.deepening import OneStep
from papan.game.base.typed import FaultError, Figure, Positive
from papan.game.game import Game
from papan.game.kernel.rng import random_state, skip_streams
from papan.game.rules import State
from papan.lab.arena import Tally, openings, play_match, play_pair, replayed
from papan.lab.journal import Form, Journal, JournalError
from papan.lab.statistics import mean_interval, wilson
from papan.lab.training.keeping import begun_with, keep, kept
from papan.lab.training.lessons import Lessons, lessons_of
from papan.lab.training.plan import Course, Plan, Planned, Subject

_ROUNDING = 1e-9
_MOMENT = 0.2
"""Seconds between two progress reports."""
_A_WHILE = 0.5
"""Seconds that a thread's share of games should take."""


class Point(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A point of the learning curve."""

    games: Positive
    played: Positive
    """Games of the evaluation."""
    score: Figure
    """The mean payoff; with an opponent, the share of points from 0 to 1."""
    interval_95: tuple[Figure, Figure]


def _checks(plan: Planned) -> Callable[[Point], None]:
    last = [0]
    low_end, high_end = (0.0, 1.0) if plan.opponent else (float("-inf"), float("inf"))

    def check(point: Point) -> None:
        if point.games <= last[0]:
            raise FaultError.saying(
                "it was measured after {games} games, but the line before after {last}",
                games=point.games,
                last=last[0],
            )
        last[0] = point.games
        low, high = point.interval_95
        bounds = (low_end, low, point.score, high, high_end)
        if any(one > other + _ROUNDING for one, other in pairwise(bounds)):
            raise FaultError.saying("its score is outside its interval, or not between 0 and 1")

    return check


JOURNAL: Form[Planned, Point] = Form("Papan learning curve", 1, plan=Planned, entry=Point, checks=_checks)


class Training:
    def __init__(
        self,
        subject: Subject,
        plan: Plan,
        course: Course,
        path: Path,
        journal: Journal[Planned, Point],
        begin: Path | None = None,
    ) -> None:
        """Continue the training file *path* if it exists.

        :param begin: the file of starting weights, whose digest is in the plan.
        :raises WeightFileError: a file has another plan, or is damaged.
        :raises JournalError: *journal* is damaged, or ahead of the file.
        """
        self._subject, self._plan, self._course, self._path, self._journal = subject, plan, course, path, journal
        self.games = 0
        """Games learned from so far."""
        if path.exists():
            self.games, self._knowledge = kept(path, plan.as_data(), subject.network, plan.promise)
        elif begin is not None:
            self.games, self._knowledge = begun_with(begin, subject.network, plan.promise)
        else:
            self._knowledge = new_knowledge(subject.network, plan.promise)
        self.curve = list(journal.entries())
        """All evaluations so far."""
        if self.curve and self.curve[-1].games > self.games:
            raise JournalError.saying(
                "The learning curve covers {more} games, but the weights file only {games}: they don't belong "
                "together.",
                more=self.curve[-1].games,
                games=self.games,
            )

    def run(
        self,
        games: int,
        threads: int,
        tell: Callable[[Point], None] = lambda _: None,
        progress: Callable[[int, float], None] = lambda number, speed: None,
    ) -> None:
        """Continue until *games* games.

        :param threads: games at the same time. With more than one, the result depends on timing.
        :param tell: called with each new point of the curve, once it is in the journal.
        :param progress: called with the number of games, and games a second.
        """
        if self.games and (not self.curve or self.curve[-1].games < self.games):
            self._measure(tell)  # the last run ended between writing the two files
        while self.games < games:
            every = self._course.every
            until = min(games, (self.games // every + 1) * every)
            self._learn(until, threads, progress)
            self.games = until
            plan = self._plan
            keep(self._path, plan.as_data(), self.games, self._subject.network, plan.promise, self._knowledge)
            self._measure(tell)

    def _measure(self, tell: Callable[[Point], None]) -> None:
        found = check(self._subject, self._knowledge.weights, self._course, self._plan.seed)
        point = Point(self.games, *found)
        self._journal.add(point)
        self.curve.append(point)
        tell(point)

    def _learn(self, until: int, threads: int, progress: Callable[[int, float], None]) -> None:
        shares = _Shares(self.games, until)
        lessons = [lessons_of(self._subject, self._plan, self._knowledge) for _ in range(threads)]
        lessons[0].prepare()
        started = time.perf_counter()
        with ThreadPoolExecutor(threads) as pool:
            learners = [pool.submit(self._learn_some, shares, lesson) for lesson in lessons]
            try:
                while wait(learners, _MOMENT).not_done:
                    done = sum(int(lesson.report[GAMES]) for lesson in lessons)
                    progress(self.games + done, done / (time.perf_counter() - started))
            finally:
                for lesson in lessons:
                    lesson.report[STOP] = 1.0
            for learner in learners:
                learner.result()

    def _learn_some(self, shares: _Shares, lesson: Lessons) -> None:
        for first, number in shares:
            started = time.perf_counter()
            streams = random_state(self._plan.seed)
            skip_streams(streams, first)
            lesson.learn(number, streams)
            shares.took(number, time.perf_counter() - started)


class _Shares:
    """The games still to learn from, handed to threads as first number and count."""

    def __init__(self, first: int, end: int) -> None:
        self._next, self._end, self._number = first, end, 1
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[tuple[int, int]]:
        while True:
            with self._lock:
                first, number = self._next, min(self._number, self._end - self._next)
                self._next += number
            if not number:
                return
            yield first, number

    def took(self, number: int, seconds: float) -> None:
        """Adapt the size of shares to the time that the last one took."""
        with self._lock:
            self._number = max(1, min(2 * number, int(number * _A_WHILE / max(seconds, 1e-9))))


OPENING_TURNS = 2
"""Random turns before the network meets its opponent."""
_SALT = 500_000_000
"""Separates the evaluation's seeds from those of the training games."""

Found = tuple[int, float, tuple[float, float]]
"""Games, the score, and its 95 % interval."""


def searcher(game: Game, network: NetworkForm, weights: Vector) -> Searcher:
    """A one-step search that evaluates by *network*."""
    if isinstance(network, Views):
        behind = np.concatenate([np.array(evaluation_of(game).WEIGHTS[STANDARD], np.float32), weights])
        return suited(OneStep(game.rules, behind), game)
    return ByNetwork(game, network, weights)


class ByNetwork(OneStep):
    """A one-step search that evaluates by a network."""

    def __init__(self, game: Game, network: Network, weights: Vector) -> None:
        super().__init__(game.rules, weights)
        self._layout = network.layout

    def prepare(self, state: State) -> None:
        network_worth.prepare(state, 0, self._layout, self._weights)

    def _judged(self, after: State, seat: int) -> float:
        return float(network_worth(after, seat, self._layout, self._weights))


def check(subject: Subject, weights: Vector, course: Course, seed: int) -> Found:
    """The score of *weights* in games that are the same in each evaluation, played with a one-step search."""
    if subject.seats == 1:
        return _alone(subject, weights, course, seed)
    game, seats = subject.game, subject.seats
    number = -(-course.check // seats)
    starts = openings(game, number, subject.options, seed + _SALT, OPENING_TURNS, seats, course.opening_seeds)
    search = SearchingPlayer(game.rules, searcher(game, subject.network, weights), Limit(depth=1), 1)
    opponent = make_player(course.opponent, game)
    if seats == 2:
        names = ("network", course.opponent)
        total = Tally.sum(play_pair(start, names, [search, opponent]) for start in starts)
        return total.games, total.score, total.interval
    points = 0.0
    for start in starts:
        for own in range(seats):  # the network has each seat in turn, and the opponent all others
            match = replayed(start, [""] * seats)
            play_match(match, [search if seat == own else opponent for seat in range(seats)])
            assert match.ending is not None
            points += (match.ending.payoffs[own] + 1.0) / 2.0
    games = len(starts) * seats
    share = points / games if games else 0.5
    return games, share, wilson(share, games)


def _alone(subject: Subject, weights: Vector, course: Course, seed: int) -> Found:
    assert isinstance(subject.network, Network)
    memory = Memory.new(subject.network, subject.game.rules.MOST_STEPS, 0.0)
    paid = np.zeros(course.check)
    play_games(
        subject.start, subject.facts, subject.network.layout, weights, paid, memory.buffer, memory.report,
        memory.random, random_state(seed, _SALT),
    )  # fmt: skip
    mean = float(paid.mean())
    variance = float(paid.var(ddof=1)) if len(paid) > 1 else 0.0
    return len(paid), mean, mean_interval(mean, variance, len(paid))
