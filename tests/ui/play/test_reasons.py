"""Reasons without a picture: which decisions may be seen, who judges them, and weights that a person chooses."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from papan.ai.evaluation import evaluation_of
from papan.ai.thinking.thinker import Worker
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import mover, observe
from papan.ui.play.reasons import Reasons, can_explain, decisions_seen
from papan.ui.play.reviewed_match import ReviewedMatch
from tests.ui.matches import played
from tests.waiting import PATIENCE, wait_for


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker("reasons")
    yield worker
    assert worker.close(PATIENCE)


def a_match(game: str, *seats: str, steps: int = 9) -> Match:
    return played(game, *seats, seed=2, steps=steps)


def answered(reasons: Reasons) -> None:
    wait_for(reasons.tick, "the answer")


class TestDecisions:
    def test_it_begins_with_the_last_one_of_who_can_say_why(self, worker: Worker) -> None:
        match = a_match("connect-four", "human", "minimax:easy")
        reasons = Reasons(ReviewedMatch(match), worker)
        assert reasons.seat == 1 and reasons.index == 7 and reasons.played == match.steps[7]
        assert reasons.judge is not None and reasons.judge.name == "minimax:easy"

    def test_else_with_the_last_one_and_whoever_weighs_most(self, worker: Worker) -> None:
        reasons = Reasons(ReviewedMatch(a_match("checkers", "human", "human")), worker)
        assert reasons.index == 9 and reasons.played is None
        assert reasons.judge is not None and reasons.judge.name == "minimax:medium"

    def test_one_goes_from_decision_to_decision(self, worker: Worker) -> None:
        reasons = Reasons(ReviewedMatch(a_match("connect-four", "human", "human")), worker, index=3)
        assert reasons.index == 3
        for places, index in ((-1, 2), (-9, 0), (99, 9)):
            reasons.go(places)
            assert reasons.index == index
        answered(reasons)

    def test_chance_decides_nothing(self) -> None:
        reviewed = ReviewedMatch(a_match("2048", "human"))
        assert all(int(mover(reviewed.states[index])) == 0 for index in decisions_seen(reviewed))

    def test_a_game_that_names_no_terms_is_not_explained(self, monkeypatch: pytest.MonkeyPatch) -> None:
        match = a_match("connect-four", "human", "human")
        assert can_explain(match.game, match.state)
        monkeypatch.delattr(evaluation_of(match.game), "TERMS")
        assert not can_explain(match.game, match.state)


class TestHidden:
    """Cards that are hidden stay so."""

    def test_only_the_viewers_own_decisions_are_seen(self) -> None:
        match = a_match("catur-jawa", "human", "heuristic", steps=14)
        for viewer in (0, 1):
            reviewed = ReviewedMatch(match, viewer)
            seen = decisions_seen(reviewed)
            assert seen and all(int(mover(match.states[index])) == viewer for index in seen)
        assert not decisions_seen(ReviewedMatch(match))

    def test_what_the_others_hold_changes_no_term(self, worker: Worker) -> None:
        match = a_match("catur-jawa", "human", "heuristic", steps=14)
        reviewed = ReviewedMatch(match, 0)
        reasons = Reasons(reviewed, worker)
        index = reasons.index
        assert index is not None
        reasons.ask()
        answered(reasons)
        assert reasons.answer is not None
        asked = reasons.inquiry
        other = match.dealt_anew(index, 0)
        assert observe(other.state, 0) == observe(match.states[index], 0)
        again = Reasons(ReviewedMatch(other, 0), worker, index=0)
        again.ask()
        answered(again)
        assert again.answer is not None and asked.answer is not None
        assert again.answer.why.candidates == asked.answer.why.candidates


class TestWeights:
    def test_the_position_is_answered_by_them_and_again_as_it_was(self, worker: Worker) -> None:
        reasons = Reasons(ReviewedMatch(a_match("connect-four", "human", "human", steps=1)), worker)
        reasons.choose_judge("minimax:easy")
        answered(reasons)
        assert reasons.answer is not None
        before = reasons.answer
        reasons.weigh("in_centre", -4.0)
        answered(reasons)
        assert reasons.weights == {"in_centre": -4.0}
        assert reasons.answer.why.weights[2] == -4.0 and reasons.answer.usual == before.usual
        assert {one.step for one in reasons.answer.why.best} != before.usual
        reasons.reset_weights()
        answered(reasons)
        assert not reasons.weights and reasons.answer.why.candidates == before.why.candidates

    def test_a_weight_put_back_by_hand_is_no_other_one(self, worker: Worker) -> None:
        reasons = Reasons(ReviewedMatch(a_match("connect-four", "human", "human")), worker)
        reasons.weigh("threats", 3.0)
        reasons.weigh("threats", 6.0)
        assert not reasons.weights

    def test_each_judge_keeps_its_own(self, worker: Worker) -> None:
        reasons = Reasons(ReviewedMatch(a_match("checkers", "human", "human")), worker)
        reasons.weigh("men", 1.0)
        reasons.choose_judge("minimax:easy")
        assert not reasons.weights
        reasons.choose_judge("minimax:medium")
        assert reasons.weights == {"men": 1.0}

    def test_the_player_stays_as_it_is(self, worker: Worker) -> None:
        weights = dict(evaluation_of(GAMES["checkers"]).WEIGHTS)
        reasons = Reasons(ReviewedMatch(a_match("checkers", "human", "human")), worker)
        reasons.weigh("men", -100.0)
        answered(reasons)
        assert dict(evaluation_of(GAMES["checkers"]).WEIGHTS) == weights
