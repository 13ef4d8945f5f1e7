"""What is learned, compared with what is known."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest

from papan.ai.exact.connect_four import Exact
from papan.ai.learning.connect_four import networks
from papan.ai.learning.learner import GAMES as PLAYED
from papan.ai.learning.learner import (
    STEPS,
    Knowledge,
    Memory,
    best_step,
    correct,
    learn_from_game,
    network_worth,
    new_knowledge,
    trace_length,
    worth_after,
)
from papan.ai.learning.network import Network, network_value, stage
from papan.ai.learning.twenty48 import networks as learning_networks
from papan.ai.limits import Limit
from papan.ai.observation import observation_of
from papan.game.catalogue import GAMES
from papan.game.kernel import plainly
from papan.game.kernel.rng import next_stream, random_state
from papan.game.rules import CHANCE, State, chance, is_over, legal_steps, mover, moves, play
from papan.game.rules.connect_four import parse
from papan.game.rules.twenty48.board import board_cells, board_of
from tests.ai.learning.training import begun, learned

TWENTY48, CONNECT_FOUR = GAMES["2048"], GAMES["connect-four"]
OPTIMUM = 66.9641494571
"""The best mean on the smallest board: tests/game/rules/test_twenty48.py finds it, too."""

STARTS = [
    (board_of({first: one, second: other}, 2), (0.9, 0.1)[one - 1] * (0.9, 0.1)[other - 1] / 6)
    for first in board_cells(2)
    for second in board_cells(2)
    for one in (1, 2)
    for other in (1, 2)
    if first < second
]


def mean_of(network: Network, weights: np.ndarray) -> float:
    """The exact mean of what a game pays whoever always takes the step that leaves most."""
    buffer = np.zeros(64, np.int64)

    @cache
    def rest(state: State) -> float:
        """What is still to come, of a state with a score of 0."""
        if is_over(state):
            return 0.0
        if mover(state) == CHANCE:
            return sum(chance(state, step) * rest(play(state, step)) for step in legal_steps(state))
        step, _ = best_step(state, network.layout, weights, buffer, moves(state, buffer, 0))
        after = play(state, step)
        return float(after.score) + rest(after._replace(score=0))

    return sum(share * rest(state) for state, share in STARTS)


@pytest.mark.parametrize("trace", [0.0, 0.5])
def test_the_smallest_board_is_played_nearly_perfectly_and_promised_what_it_brings(trace: float) -> None:
    """2048 on two by two cells, which is solved."""
    start, network = begun(TWENTY48, {"size": "2"})
    weights = learned(TWENTY48, start, network, 20_000, trace=trace).weights
    assert mean_of(network, weights) == pytest.approx(OPTIMUM, rel=0.01)
    assert mean_of(network, new_knowledge(network).weights) < 0.95 * OPTIMUM
    buffer = np.zeros(64, np.int64)
    promised = sum(
        share * best_step(state, network.layout, weights, buffer, moves(state, buffer, 0))[1] for state, share in STARTS
    )
    assert trace or promised == pytest.approx(OPTIMUM, rel=0.02)


class TestRestarts:
    """Games whose last stage is played several times; Connect Four's stages are even and odd numbers of discs."""

    ODD, EVEN = "44444432233221155512255", "444444322332211555122556"

    def learned_from(self, text: str, restarts: int) -> tuple[Memory, Knowledge]:
        """The learner's memory, and what a small network has learned of 50 games."""
        start = parse(text, {})
        network = networks(start)["40x8"]
        memory = Memory.new(network, CONNECT_FOUR.rules.MOST_STEPS, 0.0)
        observation_of(CONNECT_FOUR)
        found = learned(CONNECT_FOUR, start, network, 50, exploration=0.2, restarts=restarts, memory=memory)
        return memory, found

    def test_there_are_as_many_games_and_more_of_the_last_stage(self) -> None:
        (once, _), (often, _) = (self.learned_from(self.EVEN, restarts) for restarts in (0, 9))
        assert once.report[PLAYED] == often.report[PLAYED] == 50
        # The next step is of the first stage again, so that a restart is one step.
        assert often.report[STEPS] - 9 * 50 == pytest.approx(once.report[STEPS], rel=0.2)

    def test_a_game_that_ends_in_its_first_stage_is_played_once(self) -> None:
        (once, known), (often, same) = (self.learned_from(self.ODD, restarts) for restarts in (0, 9))
        assert (once.report == often.report).all() and (known.weights == same.weights).all() and known.weights.any()


class TestLaterStages:
    STATE = board_of({0: 14, 1: 13, 2: 12, 3: 9, 4: 7, 5: 3, 9: 1}, 4, 300_000)

    def final(self, *, is_likened: bool) -> State:
        """How a game from there ends that learns something of its own."""
        network = learning_networks(self.STATE)["5x4"]
        knowledge, memory = new_knowledge(network), Memory.new(network, TWENTY48.rules.MOST_STEPS, 0.0)
        knowledge.weights[:] = np.random.default_rng(1).normal(0.0, 10.0, network.size)
        settings = np.array([1.0, 0.0, 0.0, 0.0, is_likened])
        random, streams = random_state(0), random_state(1)
        next_stream(streams, random)
        with plainly():
            final, entered = learn_from_game(
                self.STATE, network.layout, settings, *knowledge, memory.places, memory.viewers, memory.buffer,
                memory.report, random, 0,
            )  # fmt: skip
        assert stage(entered) == 1 and is_over(final)
        return final

    def test_are_played_as_they_are_or_as_if_they_were_like_the_first(self) -> None:
        finals = [self.final(is_likened=is_likened) for is_likened in (False, True, False)]
        assert finals[0] == finals[2] != finals[1]


class TestTwoSeats:
    """The end of a game of Connect Four, against its solver."""

    ENDING = "44444432233221155512255"  # 19 cells are empty

    def test_an_ending_is_judged_as_the_solver_judges_it(self) -> None:
        start = parse(self.ENDING, {})
        _, network = begun(CONNECT_FOUR, {})
        weights = learned(CONNECT_FOUR, start, network, 8_000, trace=0.5, exploration=0.2).weights
        solver, buffer, random = Exact(), np.zeros(64, np.int64), Random(1)
        right = number = 0
        for _ in range(30):
            state = start
            for _ in range(random.randrange(6)):
                if not is_over(state):
                    state = play(state, random.choice(legal_steps(state)))
            if is_over(state):
                continue
            step, _ = best_step(state, network.layout, weights, buffer, moves(state, buffer, 0))
            found = solver.analyse(state, Limit(time=600.0), lines=0)
            scores = {line.step: np.sign(line.score) for line in found.lines}
            number += 1
            right += scores[step] == max(scores.values())
        assert number >= 25 and right >= 0.9 * number

    def test_what_wins_at_once_is_worth_more_than_any_promise(self) -> None:
        _, network = begun(CONNECT_FOUR, {})
        state = parse("112233", {})
        weights = np.full(network.size, -1.0, np.float32)  # the other seat is thought to be lost everywhere
        buffer = np.zeros(64, np.int64)
        assert best_step(state, network.layout, weights, buffer, moves(state, buffer, 0)) == (3, 1.0)

    def test_a_promise_counts_for_the_other_seat_with_the_sign_turned(self) -> None:
        _, network = begun(CONNECT_FOUR, {})
        state = parse("44", {})
        weights = np.random.default_rng(1).normal(0.0, 0.002, network.size).astype(np.float32)
        value = network_value(state, network.layout, weights, 0)
        assert 0.0 < abs(value) < 0.9
        assert [worth_after(state, seat, network.layout, weights) for seat in (0, 1)] == [value, -value]


class TestRates:
    def test_corrections_that_agree_are_taken_whole_and_those_that_waver_less_and_less(self) -> None:
        places = np.array([[3, 5]])
        weights, sums, totals = (np.zeros(8, np.float32) for _ in range(3))
        correct(places, 0, 4.0, 0.5, weights, sums, totals)
        assert (weights[3], sums[3], totals[3]) == (2.0, 4.0, 4.0)
        correct(places, 0, -4.0, 0.5, weights, sums, totals)
        assert (weights[3], sums[3], totals[3]) == (0.0, 0.0, 8.0)
        correct(places, 0, -4.0, 0.5, weights, sums, totals)  # wavering: nothing is learned now
        assert (weights[3], sums[3], totals[3]) == (0.0, -4.0, 12.0)
        correct(places, 0, -4.0, 0.5, weights, sums, totals)
        assert weights[3] == pytest.approx(-2.0 / 3.0)
        assert (weights == weights[5]).sum() == 2 and not weights[[0, 1, 2, 4, 6, 7]].any()

    def test_a_trace_ends_where_little_is_left(self) -> None:
        assert [trace_length(trace) for trace in (0.0, 0.05, 0.1, 0.5, 0.9)] == [1, 1, 2, 4, 22]


def test_everything_is_thought_to_be_worth_the_promise_at_first() -> None:
    start, network = begun(TWENTY48, {"size": "2"})
    weights = new_knowledge(network, promise=500.0).weights
    after = play(start, legal_steps(start)[0])
    assert worth_after(after, 0, network.layout, weights) == pytest.approx(500.0 + after.score, rel=1e-4)


class TestRepeatability:
    @pytest.mark.parametrize("trace", [0.0, 0.5])
    def test_the_same_seed_gives_the_same_weights_and_another_one_others(self, trace: float) -> None:
        start, network = begun(TWENTY48, {"size": "2"})

        def run(seed: int) -> Knowledge:
            return learned(TWENTY48, start, network, 300, seed=seed, trace=trace)

        one, again, other = run(1), run(1), run(2)
        assert all((mine == theirs).all() for mine, theirs in zip(one, again, strict=True))
        assert (one.weights != other.weights).any()

    @pytest.mark.parametrize(
        ("name", "options", "exploration"), [("2048", {"size": "2"}, 0.0), ("connect-four", {}, 0.1)]
    )
    def test_plain_python_learns_the_same(self, name: str, options: dict[str, str], exploration: float) -> None:
        game = GAMES[name]
        start, network = begun(game, options)

        def run() -> Knowledge:
            return learned(game, start, network, 6, trace=0.5, exploration=exploration)

        compiled = run()
        with plainly():
            plain = run()
        assert compiled.totals.any()
        assert all((mine == theirs).all() for mine, theirs in zip(compiled, plain, strict=True))

    def test_a_search_of_one_step_asks_the_same(self) -> None:
        start, network = begun(TWENTY48, {"size": "2"})
        weights = learned(TWENTY48, start, network, 100).weights
        after = play(start, legal_steps(start)[0])
        assert network_worth(after, 0, network.layout, weights) == worth_after(after, 0, network.layout, weights)
