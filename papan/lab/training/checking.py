"""Evaluating a network: its score alone, or against a fixed opponent."""

from __future__ import annotations

import numpy as np

from papan.ai.evaluation import STANDARD, evaluation_of
from papan.ai.learning.learner import Memory, network_worth, play_games
from papan.ai.learning.network import Form, Network, Vector
from papan.ai.learning.views import Views
from papan.ai.limits import Limit
from papan.ai.players import SearchingPlayer, make_player
from papan.ai.players.families import suited
from papan.ai.search import Searcher
from papan.ai.search.deepening import OneStep
from papan.game.game import Game
from papan.game.kernel.rng import random_state
from papan.game.match import Match
from papan.game.rules import State
from papan.lab.arena import Tally, openings, play_match, play_pair
from papan.lab.statistics import mean_interval, wilson
from papan.lab.training.plan import Course, Subject

OPENING_TURNS = 2
"""Random turns before the network meets its opponent."""
_SALT = 500_000_000
"""Separates the evaluation's seeds from those of the training games."""

Found = tuple[int, float, tuple[float, float]]
"""Games, the score, and its 95 % interval."""


def searcher(game: Game, network: Form, weights: Vector) -> Searcher:
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
    return _alone(subject, weights, course, seed) if subject.seats == 1 else _met(subject, weights, course, seed)


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


def _met(subject: Subject, weights: Vector, course: Course, seed: int) -> Found:
    game = subject.game
    if subject.seats > 2:
        return _among(subject, weights, course, seed)
    starts = openings(
        game, (course.check + 1) // 2, subject.options, seed + _SALT, OPENING_TURNS, 2, course.opening_seeds
    )
    names = ("network", course.opponent)
    search = searcher(game, subject.network, weights)
    players = [SearchingPlayer(game.rules, search, Limit(depth=1), 1), make_player(course.opponent, game)]
    total = Tally()
    for start in starts:
        total.add(play_pair(start, names, players))
    return total.games, total.score, total.interval


def _among(subject: Subject, weights: Vector, course: Course, seed: int) -> Found:
    """Games of three and four seats: the network has each seat in turn, and the opponent all others."""
    game, seats = subject.game, subject.seats
    search = SearchingPlayer(game.rules, searcher(game, subject.network, weights), Limit(depth=1), 1)
    opponent = make_player(course.opponent, game)
    number = -(-course.check // seats)
    starts = openings(game, number, subject.options, seed + _SALT, OPENING_TURNS, seats, course.opening_seeds)
    points, games = 0.0, 0
    for start in starts:
        for own in range(seats):
            match = Match.new(game, [""] * seats, start.options, start.seed)
            for step in start.steps:
                match.play(step)
            play_match(match, [search if seat == own else opponent for seat in range(seats)])
            assert match.ending is not None
            points += (match.ending.payoffs[own] + 1.0) / 2.0
            games += 1
    share = points / games if games else 0.5
    return games, share, wilson(share, games)
