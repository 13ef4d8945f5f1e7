"""Monte-Carlo search that adapts to those it meets, and what it judges by."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from papan.ai.evaluation import STANDARD, evaluation_of
from papan.ai.learning.catur_jawa import NETWORK
from papan.ai.learning.opponents import habit
from papan.ai.limits import Limit
from papan.ai.players import make_player, situation
from papan.ai.search.adaptive import Adaptive, Follower
from papan.ai.search.mcts_tree import children
from papan.game.catalogue import GAMES
from papan.game.kernel.rng import random_state
from papan.game.match import Match
from papan.game.rules import State, guess, legal_steps, observe, play
from papan.game.rules.catur_jawa import parse
from papan.game.rules.catur_jawa.board import hand_of
from tests.ai.playing import at_random

GAME = GAMES["catur-jawa"]
EVALUATION = evaluation_of(GAME)
BEFORE = np.array(EVALUATION.WEIGHTS[STANDARD], np.float32)
WEIGHTS = np.concatenate([BEFORE, np.random.default_rng(1).normal(0.0, 0.05, NETWORK.size).astype(np.float32)])


def follower(believes: bool = True, by_habit: bool = False) -> Follower:
    return Follower(GAME.rules, WEIGHTS, len(BEFORE), NETWORK.most, believes=believes, by_habit=by_habit)


def adaptive(trust: float = 1.0) -> Adaptive:
    habits = follower(by_habit=True)
    return Adaptive(follower(), habits, GAME.rules, WEIGHTS, EVALUATION.SCALE, trust=trust, memory=8)


def played(search: Adaptive, seats: int, turns: int, seed: int = 3) -> State:
    """The state after so many turns of a match, in which *search* has the first seat and others play at random."""
    match, random = Match.new(GAME, [""] * seats, {"first": "1"}, seed), Random(seed)
    while not match.ending and len(match.steps) < turns:
        if match.mover == 0:
            match.play(search.analyse(observe(match.state, 0), Limit(simulations=20)).step)
        else:
            match.play(random.choice(match.legal_steps()))
    assert not match.ending
    return match.state


class TestSteps:
    """What it plays."""

    @pytest.mark.parametrize("trust", [0.8, 1.0])
    def test_four_in_a_row_is_made_and_proven(self, trust: float) -> None:
        table = f"{'........./' * 4}....r7r8r9..{'/.........' * 4}"
        state = observe(parse(f"{table} 1 123,123 45,45", {}), 0)
        found = adaptive(trust).analyse(state, Limit(simulations=300))
        assert found.step & 127 in (39, 43) and found.is_proven and found.win_distance == 1

    @pytest.mark.parametrize("seats", [2, 3, 4])
    def test_it_sees_nothing_that_is_hidden(self, seats: int) -> None:
        match = at_random(Match.new(GAME, [""] * seats, {"first": "1"}, seats), seats, seats)
        other = guess(match.state, 0, random_state(9))
        assert other != match.state
        answers = [adaptive().analyse(state, Limit(simulations=50)) for state in (match.state, other)]
        assert answers[0].step == answers[1].step and answers[0].score == answers[1].score
        assert answers[0].step in legal_steps(match.state, GAME.rules.MOST_STEPS)
        assert answers[0].simulations == 50

    @pytest.mark.parametrize("limit", [Limit(time=0.01), Limit(nodes=50)], ids=["time", "nodes"])
    def test_what_is_not_counted_by_simulations_ends_it_too(self, limit: Limit) -> None:
        state = observe(Match.new(GAME, [""] * 2, {"first": "1"}, 1).state, 0)
        assert adaptive().analyse(state, limit).step in legal_steps(state, GAME.rules.MOST_STEPS)


class TestFollowing:
    """What it knows of those it meets."""

    @pytest.mark.parametrize("seats", [2, 3, 4])
    def test_one_player_may_have_every_seat(self, seats: int) -> None:
        match, search = Match.new(GAME, [""] * seats, {"first": "1"}, 5), adaptive()
        for _ in range(3 * seats):
            seen = observe(match.state, match.mover)
            match.play(search.analyse(seen, Limit(simulations=20)).step)

    @pytest.mark.parametrize("seats", [2, 3])
    def test_it_takes_in_what_the_table_tells(self, seats: int) -> None:
        search = adaptive()
        state = played(search, seats, 2 * seats)
        search.follower.follow(observe(state, 0), 0)
        assert 1 <= len(search.follower.told) <= 2 * (seats - 1)
        for other in range(1, seats):
            belief = search.follower.belief(other)
            assert belief.chances.sum() == pytest.approx(1.0)
            assert hand_of(state, other) in belief.hands

    def test_models_stay_from_match_to_match_and_beliefs_do_not(self) -> None:
        search = adaptive()
        played(search, 2, 5)
        assert search.follower.models[1].steps == 2
        state = played(search, 2, 1, seed=8)
        assert search.follower.models[1].steps == 2
        search.follower.follow(observe(state, 0), 0)
        played(search, 2, 5, seed=9)
        assert search.follower.models[1].steps == 4

    def test_a_match_that_ended_leaves_no_beliefs(self) -> None:
        """Once the end of one was taken for the beginning of the next."""
        looking = follower()
        table = f"{'........./' * 4}....r7r8r9..{'/.........' * 4}"
        won = observe(parse(f"{table} 1 123,123 45,45", {}), 0)
        looking.follow(won, 0)
        looking.takes(won, next(step for step in legal_steps(won, GAME.rules.MOST_STEPS) if step & 127 == 43))
        begun = observe(Match.new(GAME, ["", ""], {"first": "1"}, 5).state, 0)
        looking.follow(begun, 0)
        other = follower()
        other.follow(begun, 0)
        assert looking.belief(1).hands.tolist() == other.belief(1).hands.tolist()

    def test_who_does_not_believe_takes_every_card_to_be_as_likely(self) -> None:
        match, random = Match.new(GAME, ["", ""], {"first": "1"}, 4), Random(4)
        looking = {believes: follower(believes) for believes in (True, False)}
        for _ in range(4):
            for each in looking.values():
                each.follow(observe(match.state, 0), 0)
            step = random.choice(match.legal_steps())
            for each in looking.values():
                each.takes(observe(match.state, 0), step)
            match.play(step)
            match.play(random.choice(match.legal_steps()))
        seen = observe(match.state, 0)
        for each in looking.values():
            each.follow(seen, 0)
        any_is = follower(False)
        any_is.follow(seen, 0)
        beliefs = [each.belief(1) for each in (looking[True], looking[False], any_is)]
        assert dict(zip(beliefs[1].hands, beliefs[1].chances, strict=True)) == pytest.approx(
            dict(zip(beliefs[2].hands, beliefs[2].chances, strict=True))
        )
        assert beliefs[0].chances.max() > 1.2 * beliefs[1].chances.max()


class TestHabits:
    """Against those who follow the paper's heuristic."""

    @pytest.mark.parametrize("seats", [2, 3])
    @pytest.mark.parametrize(("other", "follows"), [("heuristic", True), ("random", False)])
    def test_they_are_noticed(self, other: str, follows: bool, seats: int) -> None:
        match, met, search = Match.new(GAME, [""] * seats, {"first": "1"}, 11), make_player(other, GAME), adaptive()
        while not match.ending and len(match.steps) < 7 * seats:
            if match.mover == 0:
                assert len(match.steps) > 0 or not search.meets_habits
                match.play(search.analyse(observe(match.state, 0), Limit(simulations=40)).step)
            else:
                match.play(met.choose(situation(match)).step)
        assert search.meets_habits == follows

    def test_half_of_the_others_steps_are_expected(self) -> None:
        state = observe(played(adaptive(), 2, 6), 0)
        shares = []
        for told in (0.0, 30.0):
            search = adaptive()
            search.habits.told.append(told)
            found = search.analyse(state, Limit(simulations=600), lines=0)
            after = play(guess(state, 0, random_state(2)), found.step)
            liked = {step: habit(after, step) for step in legal_steps(after, GAME.rules.MOST_STEPS)}
            visits = visits_below(search, found.step)
            best = sum(visits.get(step, 0) for step in liked if liked[step] == max(liked.values()))
            shares.append(best / sum(visits.values()))
        assert shares[1] > 2.0 * shares[0]


def visits_below(search: Adaptive, step: int) -> dict[int, int]:
    """The visits of each reply to *step*."""
    nodes = search._nodes
    child = next(child for child in children(nodes, 0) if nodes[child].step == step)
    return {int(nodes[reply].step): int(nodes[reply].visits) for reply in children(nodes, child)}
