"""Games by the thousand: each of them is a match, step by step."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from papan.ai.observation import action_of, observation_of, planes_for, step_of
from papan.game.catalogue import BUILT_IN, GAMES
from papan.game.game import OptionError, PartError, Parts
from papan.game.kernel import Compiled, plainly
from papan.game.kernel.digest import digest_of
from papan.game.match import Match
from papan.game.rules import CHANCE, NO_COUNTER, State, is_over, key, legal_steps, play, seats
from papan.lab.environments import vector
from papan.lab.environments.vector import Step, VectorEnvironment, begin_games, draw_actions, step_games

Array = NDArray[Any]

NUMBER = 3
STEPS = 120
OTHER_FORMS = [
    ("santorini", {"seats": "3", "pick": "random", "placement": "random"}),
    ("santorini", {"seats": "4", "teams": "yes", "gods": "seeds"}),
    ("santorini-graph", {"variant": "4W_I4H_TWUS", "board": "cycle:12"}),
    ("cifra", {"mode": "king"}),
    ("cifra", {"mode": "sum", "size": "9"}),
    ("catur-jawa", {"seats": "4"}),
    ("gomoku", {"size": "19", "exact": "yes"}),
    ("2048", {"size": "2"}),
    ("p-tree", {"branching": "8", "depth": "3"}),
]
ALL_FORMS: list[tuple[str, dict[str, str]]] = [*((name, {}) for name in BUILT_IN), *OTHER_FORMS]
FORMS = pytest.mark.parametrize(("name", "options"), ALL_FORMS)


class Follower:
    """One game of an environment, followed by a match that keeps to all rules."""

    def __init__(self, environment: VectorEnvironment, index: int) -> None:
        self.environment, self.index = environment, index
        self.match = self.begun()
        self.got = np.zeros(environment.seats)

    def begun(self) -> Match:
        """A match that begins as the game stands."""
        environment = self.environment
        names = [str(seat) for seat in range(environment.seats)]
        return Match(environment.game, names, environment.options, 0, environment.state(self.index))

    def follow(self, action: int, step: Step) -> None:
        """Play *action*, and compare all that *step* tells of the game."""
        self.match.play(step_of(self.match.state, action))
        after = self.environment.state(self.index)
        if not self.match.ending and self.match.mover == CHANCE:
            outcomes = {outcome: play(self.match.state, outcome) for outcome in self.match.legal_steps()}
            has_ended = step.dones[self.index]
            drawn = (each for each, state in outcomes.items() if (is_over(state) if has_ended else state == after))
            self.match.play(next(drawn))
        self.got += step.rewards[self.index]
        assert bool(step.dones[self.index]) == (self.match.ending is not None)
        if self.match.ending:
            assert self.got.tolist() == list(self.match.ending.payoffs)
            self.got[:] = 0.0
            self.match = self.begun()
        self.compare(step.observations, step.masks, after)

    def compare(self, observations: Array, masks: Array, state: State) -> None:
        """Compare what is shown of the game."""
        assert state == self.match.state
        seat = self.match.mover
        assert self.environment.movers[self.index] == seat
        shown = planes_for(observation_of(self.environment.game), state, seat)
        assert np.array_equal(observations[self.index], shown)
        actions = sorted(action_of(state, step) for step in self.match.legal_steps())
        assert np.flatnonzero(masks[self.index]).tolist() == actions


@FORMS
def test_each_game_is_a_match(name: str, options: dict[str, str]) -> None:
    environment = VectorEnvironment(name, NUMBER, options, seed=3)
    observations, masks = environment.reset()
    followers = [Follower(environment, index) for index in range(NUMBER)]
    for follower in followers:
        follower.compare(observations, masks, environment.state(follower.index))
    for _ in range(STEPS):
        actions = environment.random_actions()
        step = environment.step(actions)
        for follower in followers:
            follower.follow(int(actions[follower.index]), step)


def run(environment: VectorEnvironment, steps: int = 40) -> list[Array]:
    """All that an environment tells of some random steps."""
    told: list[Array] = [environment.movers]
    for _ in range(steps):
        told += [*environment.step(environment.random_actions()), environment.movers]
    return told


def are_same(first: list[Array], second: list[Array]) -> bool:
    return all(np.array_equal(*pair) for pair in zip(first, second, strict=True))


class TestSeeds:
    @pytest.mark.parametrize("name", ["2048", "catur-jawa", "connect-four"])
    def test_the_same_seed_is_the_same_run(self, name: str) -> None:
        runs = [run(VectorEnvironment(name, 20, seed=seed)) for seed in (5, 5, 6, None, None)]
        assert are_same(runs[0], runs[1])
        assert not any(are_same(*pair) for pair in itertools.combinations(runs[1:], 2))

    def test_a_reset_with_a_seed_begins_the_run_anew(self) -> None:
        environment = VectorEnvironment("2048", 20, seed=5)
        first = run(environment)
        environment.reset()
        assert not are_same(run(environment), first)
        environment.reset(5)
        assert are_same(run(environment), first)

    def test_games_are_not_each_others_copies(self) -> None:
        observations, _ = VectorEnvironment("2048", 20).reset()
        assert len({planes.tobytes() for planes in observations}) > 10

    @pytest.mark.parametrize("threads", [2, 7])
    def test_threads_change_nothing(self, threads: int) -> None:
        many = VectorEnvironment("2048", 20, seed=5, threads=threads)
        assert are_same(run(many), run(VectorEnvironment("2048", 20, seed=5)))

    @pytest.mark.parametrize("name", ["2048", "catur-jawa", "checkers"])
    def test_plain_python_does_the_same(self, name: str) -> None:
        compiled = run(VectorEnvironment(name, 4, seed=5))
        with plainly():
            assert are_same(run(VectorEnvironment(name, 4, seed=5)), compiled)


@pytest.mark.parametrize("function", [begin_games, step_games, draw_actions])
def test_what_is_compiled_can_be_kept(function: Compiled[..., Any]) -> None:
    states = {type(VectorEnvironment(name, 1, options).state(0)) for name, options in ALL_FORMS}
    assert len({digest_of(function, [state]) for state in states}) == len(states) > 10


class TestActionsThatAreRefused:
    def test_one_that_is_not_legal_whatever_is_done_to_what_was_handed_out(self) -> None:
        environment = VectorEnvironment("connect-four", 2)
        for _ in range(6):
            masks = environment.step([0, 1]).masks
        masks[:] = 1
        before = [environment.state(index) for index in range(2)]
        with pytest.raises(ValueError, match="The action 1 is not legal in game 1"):
            environment.step([1, 1])
        assert [environment.state(index) for index in range(2)] == before


class TestRepetitions:
    """What only the past tells is looked at by the rules of a match, in Python."""

    SHUFFLE = ("a0a1", "a9a8", "a1a0", "a8a9")

    def step_by_notation(self, environment: VectorEnvironment, notation: str) -> Step:
        """The step that *notation* is in the first game; in the second, the first that is legal."""
        chosen = []
        for index in range(2):
            state = environment.state(index)
            steps = legal_steps(state)
            named = {environment.game.rules.notation(state, step): step for step in steps}
            chosen.append(action_of(state, named[notation] if index == 0 else steps[0]))
        return environment.step(chosen)

    def test_a_third_repetition_ends_that_game_only_and_the_next_has_a_past_of_its_own(self) -> None:
        environment = VectorEnvironment("xiangqi", 2)
        start = key(environment.state(0))
        told = [self.step_by_notation(environment, notation) for notation in self.SHUFFLE * 2]
        assert [step.dones.tolist() for step in told] == [[False, False]] * 7 + [[True, False]]
        assert told[-1].rewards.tolist() == [[0.0, 0.0]] * 2
        assert key(environment.state(0)) == start and key(environment.state(1)) != start
        again = [self.step_by_notation(environment, notation).dones[0] for notation in self.SHUFFLE * 2]
        assert np.flatnonzero(again).tolist() == [7]

    def test_games_that_may_go_on_for_ever_are_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(vector, "steps_to_draw", lambda state: NO_COUNTER)
        with pytest.raises(PartError, match="Checkers can't be vectorised: no draw counter"):
            VectorEnvironment("checkers", 1)


class TestWhatCanNotBe:
    def test_a_game_or_an_option_that_there_is_not(self) -> None:
        with pytest.raises(OptionError, match="no game 'chess'"):
            VectorEnvironment("chess")
        with pytest.raises(OptionError, match="no option 'gods'"):
            VectorEnvironment("connect-four", 1, {"gods": "none"})

    @pytest.mark.parametrize(("number", "threads"), [(0, 1), (1, 0)])
    def test_no_games_or_nobody_to_play_them(self, number: int, threads: int) -> None:
        with pytest.raises(ValueError, match=r"The number of (games|threads) must be from 1 to \d+, not 0"):
            VectorEnvironment("connect-four", number, threads=threads)

    def test_a_game_that_shows_nothing(self) -> None:
        blind = dataclasses.replace(GAMES["connect-four"], parts=Parts("papan.game.rules.connect_four"))
        with pytest.raises(PartError, match="Connect Four can't be shown to learners"):
            VectorEnvironment(blind, 1)


def test_as_many_seats_as_asked() -> None:
    environment = VectorEnvironment("catur-jawa", 2, {"seats": "3"})
    assert environment.seats == seats(environment.state(0)) == 3
    assert environment.step(environment.random_actions()).rewards.shape == (2, 3)
