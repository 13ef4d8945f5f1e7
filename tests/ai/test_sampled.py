"""Searching sampled deals: limits, stopping, and what is added up."""

from __future__ import annotations

import threading
import time

import pytest

from ai.evaluation import STANDARD, evaluation_of
from ai.limits import WIN, Analysis, Limit, Line
from ai.search.alphabeta import AlphaBeta
from ai.search.sampled import Sampled, _promise
from game.catalogue import GAMES
from game.kernels import observe
from game.match import Match
from game.rules import legal_steps

GAME = GAMES["catur-jawa"]


@pytest.fixture
def match() -> Match:
    match = Match.new(GAME, ["a", "b"], {"first": "1"}, seed=6)
    for _ in range(5):
        match.play(match.legal_steps()[len(match.steps)])
    return match


def search(guesses: int = 8) -> Sampled:
    return Sampled(AlphaBeta(GAME.rules, evaluation_of(GAME).WEIGHTS[STANDARD], table_bits=12), guesses)


class TestLimits:
    def test_depth(self, match: Match) -> None:
        analysis = search().analyse(observe(match.state, match.mover), Limit(depth=2), seed=3)
        assert analysis.step in legal_steps(match.state)
        assert (analysis.depth, analysis.seat) == (2, match.mover)
        assert analysis == Analysis(
            **{**vars(search().analyse(match.state, Limit(depth=2), seed=3)), "seconds": analysis.seconds}
        )

    def test_time(self, match: Match) -> None:
        searcher = search()
        searcher.prepare(match.state)
        started = time.perf_counter()
        analysis = searcher.analyse(match.state, Limit(time=0.2))
        assert time.perf_counter() - started < 0.8
        assert analysis.depth >= 1 and analysis.nodes > 0

    def test_nodes(self, match: Match) -> None:
        analysis = search().analyse(match.state, Limit(nodes=4000))
        assert 1000 < analysis.nodes < 6000

    def test_only_some_steps_can_be_looked_at(self, match: Match) -> None:
        steps = legal_steps(match.state)[3:5]
        searcher = AlphaBeta(GAME.rules, evaluation_of(GAME).WEIGHTS[STANDARD], table_bits=12)
        assert searcher.analyse(match.state, Limit(depth=2), only=steps).step in steps


class TestStopping:
    def test_from_another_thread(self, match: Match) -> None:
        searcher = search()
        searcher.prepare(match.state)
        timer = threading.Timer(0.2, searcher.stop)
        timer.start()
        started = time.perf_counter()
        analysis = searcher.analyse(match.state, Limit(time=60))
        assert time.perf_counter() - started < 2
        assert analysis.step in legal_steps(match.state)
        assert searcher.live() is not None

    def test_before_it_has_begun(self, match: Match) -> None:
        analysis = search().analyse(match.state, Limit(time=60), is_cancelled=lambda: True)
        assert analysis.step in legal_steps(match.state)


class TestAddingUp:
    def judged(self, *scores: float) -> list[Line]:
        return [Line(1, score) for score in scores]

    def test_a_win_in_one_deal_is_not_worth_a_win_in_all(self) -> None:
        assert _promise(self.judged(WIN - 3, WIN - 3)) == WIN - 3
        assert _promise(self.judged(WIN - 3, 10.0)) == 505.0
        assert _promise(self.judged(3 - WIN, 5 - WIN)) == 4 - WIN
        assert _promise(self.judged(WIN - 3, 3 - WIN)) == 0.0
        assert _promise([]) == 0.0

    def test_more_wins_are_better_than_a_better_position(self) -> None:
        assert _promise(self.judged(WIN - 3, WIN - 3, 0)) > _promise(self.judged(WIN - 1, 300, 300))
