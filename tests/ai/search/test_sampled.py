"""Searching sampled deals: limits, stopping, and what is added up."""

from __future__ import annotations

import math
import threading
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.ai.evaluation import STANDARD, evaluation_of
from papan.ai.limits import WIN, Analysis, Limit
from papan.ai.search import Query
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.sampled import FINALISTS, Sampled, mean_score
from papan.game.catalogue import GAMES
from papan.game.kernel.rng import random_state
from papan.game.match import Match
from papan.game.rules import guess, legal_steps, observe

GAME = GAMES["catur-jawa"]


@pytest.fixture
def match() -> Match:
    match = Match.new(GAME, ["a", "b"], {"first": "1"}, seed=6)
    for _ in range(5):
        match.play(match.legal_steps()[len(match.steps)])
    return match


MANY = 10**10
"""Nodes of more hours than anybody waits."""


def search(guesses: int = 8) -> Sampled:
    evaluation = evaluation_of(GAME)
    return Sampled(AlphaBeta(GAME.rules, evaluation.WEIGHTS[STANDARD], table_bits=12), evaluation.SCALE, guesses)


class TestLimits:
    def test_depth(self, match: Match) -> None:
        analysis = search().analyse(observe(match.state, match.mover), Limit(depth=2), seed=3)
        assert analysis.step in legal_steps(match.state)
        assert (analysis.depth, analysis.seat) == (2, match.mover)
        assert analysis == replace(search().analyse(match.state, Limit(depth=2), seed=3), seconds=analysis.seconds)

    def test_nodes_time_and_before_it_has_begun(self, match: Match) -> None:
        assert 1000 < search().analyse(match.state, Limit(nodes=4000)).nodes < 6000
        timed = search().analyse(match.state, Limit(time=0.1))
        assert timed.depth >= 1 and timed.nodes > 0
        cancelled = search().analyse(match.state, Limit(time=60), is_cancelled=lambda: True)
        assert cancelled.step in legal_steps(match.state)

    def test_a_stop_from_another_thread(self, match: Match) -> None:
        searcher = search()
        searcher.prepare(match.state)
        threading.Timer(0.1, searcher.stop).start()
        analysis = searcher.analyse(match.state, Limit(nodes=MANY))
        assert analysis.nodes < MANY and analysis.step in legal_steps(match.state)
        assert searcher.live() is not None


class TestDepths:
    def test_steps_are_judged_in_every_deal(self, match: Match) -> None:
        """One turn ahead nothing is left out: what is found is the mean over the deals, worked out one by one."""
        seen = observe(match.state, match.mover)
        found = search().analyse(seen, Limit(depth=1), seed=5, lines=0)
        evaluation = evaluation_of(GAME)
        scores: dict[int, list[float]] = {}
        for number in range(8):
            alphabeta = AlphaBeta(GAME.rules, evaluation.WEIGHTS[STANDARD], table_bits=12)
            deal = guess(seen, match.mover, random_state(5, number))
            for line in alphabeta.analyse(deal, Limit(depth=1), lines=0).lines:
                scores.setdefault(line.step, []).append(line.score)
        assert {line.step: line.score for line in found.lines} == pytest.approx(
            {step: mean_score(judged, evaluation.SCALE) for step, judged in scores.items()}
        )

    def test_a_turn_further_only_the_best_steps_are_looked_at(self, match: Match) -> None:
        first = search().analyse(match.state, Limit(depth=1), lines=0).lines
        counted = Counting()
        Sampled(counted, evaluation_of(GAME).SCALE).analyse(match.state, Limit(depth=3))
        assert [depth for depth, _ in counted.asked] == [1] * 8 + [2] * 8 + [3] * 8
        number = max(FINALISTS, len(first) // 4)
        assert {steps for depth, steps in counted.asked if depth == 2} == {tuple(line.step for line in first[:number])}
        assert {len(steps) for depth, steps in counted.asked if depth == 3} == {FINALISTS}

    def test_a_depth_counts_once_half_of_the_deals_are_searched(self, match: Match) -> None:
        def depth_after(calls: int) -> int:
            search = Sampled(Counting(calls), evaluation_of(GAME).SCALE)
            return search.analyse(match.state, Limit(depth=3)).depth

        assert [depth_after(calls) for calls in (1, 8, 11, 12, 16, 19, 20, 24)] == [1, 1, 1, 2, 2, 2, 3, 3]

    def test_a_search_that_begins_deeper_finds_the_same(self, match: Match) -> None:
        scores = []
        for first_depth in (1, 3):
            alphabeta = AlphaBeta(GAME.rules, evaluation_of(GAME).WEIGHTS[STANDARD], table_bits=12)
            found = alphabeta.answer(Query(match.state, Limit(depth=3), lines=0), first_depth)
            assert found.depth == 3
            scores.append({line.step: line.score for line in found.lines})
        assert scores[0] == scores[1]

    def test_a_search_that_begins_deeper_says_if_it_was_stopped(self, match: Match) -> None:
        alphabeta = AlphaBeta(GAME.rules, evaluation_of(GAME).WEIGHTS[STANDARD], table_bits=12)
        assert alphabeta.answer(Query(match.state, Limit(depth=4, nodes=50), lines=0), first_depth=4).depth == 3


class Counting(AlphaBeta):
    """Alpha-beta that notes what it is asked, and is stopped after so many calls."""

    def __init__(self, calls: int = 1000) -> None:
        super().__init__(GAME.rules, evaluation_of(GAME).WEIGHTS[STANDARD], table_bits=12)
        self.calls = calls
        self.asked: list[tuple[int | None, tuple[int, ...]]] = []

    def answer(self, query: Query, first_depth: int = 1) -> Analysis:
        self.asked.append((query.limit.depth, tuple(query.only)))
        is_over = len(self.asked) > self.calls
        return super().answer(replace(query, is_cancelled=lambda: is_over or query.is_cancelled()), first_depth)


class TestAddingUp:
    def test_a_win_in_one_deal_is_not_worth_a_win_in_all(self) -> None:
        assert mean_score([WIN - 3, WIN - 3], 100.0) == WIN - 3
        assert mean_score([3 - WIN, 5 - WIN], 100.0) == 4 - WIN
        assert mean_score([WIN - 3, 3 - WIN], 100.0) == 0.0
        assert mean_score([WIN - 3, 0.0], 100.0) == pytest.approx(100.0 * math.log(3))  # 75 %
        assert mean_score([-WIN, *[0.0] * 7], 100.0) == pytest.approx(100.0 * math.log(7 / 9))

    def test_more_wins_are_better_than_a_better_position(self) -> None:
        assert mean_score([WIN - 3, WIN - 3, 0], 100.0) > mean_score([WIN - 1, 100, 100], 100.0)

    @given(st.lists(st.floats(-500, 500), min_size=1, max_size=8))
    def test_it_lies_between_the_least_and_the_highest(self, scores: list[float]) -> None:
        assert min(scores) - 1e-6 <= mean_score(scores, 100.0) <= max(scores) + 1e-6
