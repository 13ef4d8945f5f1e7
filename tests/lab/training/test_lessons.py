"""What a network learns from the game's solver."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from papan.ai.exact.connect_four import Exact
from papan.ai.learning.learner import GAMES as PLAYED
from papan.ai.learning.learner import STOP, Knowledge, best_step, new_knowledge
from papan.ai.learning.network import Network
from papan.ai.limits import WIN, Limit
from papan.game.catalogue import GAMES
from papan.game.kernel.rng import random_state, skip_streams
from papan.game.rules import is_over, legal_steps, moves, play
from papan.game.rules.connect_four import parse
from papan.lab.training.lessons import Lessons, lessons_of, result
from papan.lab.training.plan import SUPERVISED, Plan, form_of, subject_of

GAME = GAMES["connect-four"]
ENDING = "44444432233221155512255"  # 19 cells are empty
WHOLE, NAME = subject_of(GAME, {}, None)
SUBJECT = replace(WHOLE, start=parse(ENDING, {}))


def taught(exploration: float = 0.2) -> tuple[Lessons, Knowledge]:
    network = SUBJECT.network
    plan = Plan(
        GAME.name, GAME.version, (), NAME, form_of(network), SUPERVISED, 0.3, 1.0, exploration, 0.0, 1
    )  # fmt: skip
    knowledge = new_knowledge(network)
    lessons = lessons_of(SUBJECT, plan, knowledge)
    lessons.prepare()
    return lessons, knowledge


def test_it_keeps_what_the_solver_says_can_be_had() -> None:
    lessons, knowledge = taught()
    lessons.learn(400, random_state(1))
    assert lessons.report[PLAYED] == 400
    network = SUBJECT.network
    assert isinstance(network, Network)
    solver, buffer, random = Exact(), np.zeros(64, np.int64), Random(1)
    right = by_chance = number = 0.0
    for _ in range(60):
        state = SUBJECT.start
        for _ in range(random.randrange(8)):
            if not is_over(state):
                state = play(state, random.choice(legal_steps(state)))
        if is_over(state):
            continue
        scores = {line.step: np.sign(line.score) for line in solver.analyse(state, Limit(time=600.0), lines=0).lines}
        most = max(scores.values())
        step, _ = best_step(state, network.layout, knowledge.weights, buffer, moves(state, buffer, 0))
        number += 1
        right += scores[step] == most
        by_chance += sum(score == most for score in scores.values()) / len(scores)
    assert number >= 45 and right >= 0.95 * number > 1.1 * by_chance


def test_shares_learn_what_the_whole_would() -> None:
    whole, parts = taught(), taught()
    whole[0].learn(12, random_state(3))
    for first, number in ((0, 5), (5, 7)):
        streams = random_state(3)
        skip_streams(streams, first)
        parts[0].learn(number, streams)
    assert whole[1].weights.any() and (whole[1].weights == parts[1].weights).all()


def test_a_learner_that_is_stopped_begins_no_game() -> None:
    lessons, knowledge = taught()
    lessons.report[STOP] = 1.0
    lessons.learn(3, random_state(1))
    assert lessons.report[PLAYED] == 0 and not knowledge.weights.any()


@pytest.mark.parametrize("score", [WIN - 1, WIN - 30, 0.0, 5 - WIN, 4 - WIN])
def test_sooner_is_more_and_the_sign_is_that_of_the_result(score: float) -> None:
    assert np.sign(result(score)) == np.sign(score)
    assert result(WIN - 1) >= result(score) >= result(4 - WIN)
