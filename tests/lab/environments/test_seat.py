"""Games for Gymnasium: one seat's view, with all others inside."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from papan.game.catalogue import BUILT_IN
from papan.lab.environment import single
from tests.rivals import rival

EVERY_GAME = pytest.mark.parametrize("name", BUILT_IN)


@pytest.fixture(autouse=True)
def gymnasium() -> ModuleType:
    return rival("gymnasium")


def first_legal(planes: Any, mask: Any, random: Any) -> int:
    return int(np.flatnonzero(mask)[0])


@pytest.mark.filterwarnings("ignore:.*does not having a spec")
@pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes")
@EVERY_GAME
def test_what_gymnasium_asks(name: str) -> None:
    rival("gymnasium.utils.env_checker").check_env(single(name))


def play_out(environment: Any, seed: int) -> float:
    """Play legal actions at random to the end; returns what that brought."""
    _, info = environment.reset(seed=seed)
    environment.action_space.seed(seed)
    brought, is_over = 0.0, False
    while not is_over:
        _, reward, is_over, _, info = environment.step(environment.action_space.sample(info["action_mask"]))
        brought += reward
    return brought


class TestRewards:
    @pytest.mark.parametrize("seat", [0, 1])
    @pytest.mark.parametrize("name", ["connect-four", "p-tree", "santorini"])
    def test_they_are_the_payoff_of_the_seat(self, name: str, seat: int) -> None:
        environment = single(name, seat)
        for seed in range(5):
            brought = play_out(environment, seed)
            ending = environment.one_game.match.ending
            assert ending is not None and brought == ending.payoffs[seat]

    def test_of_2048_they_come_as_points_are_scored(self) -> None:
        environment = single("2048", size=3)
        _, info = environment.reset(seed=1)
        rewards = []
        is_over = False
        while not is_over:
            _, reward, is_over, _, info = environment.step(int(info["action_mask"].argmax()))
            rewards.append(reward)
        assert sum(rewards) == environment.one_game.match.state.score and sum(reward > 0 for reward in rewards) > 3


class TestOtherSeats:
    def test_they_play_until_it_is_the_learners_turn_or_the_end(self) -> None:
        environment = single("connect-four", seat=1, opponent=first_legal)
        planes, info = environment.reset(seed=1)
        assert planes[1, 0, 0] == 1 and planes.sum() == 1 and info["action_mask"].all()
        planes, *result = environment.step(3)
        assert planes[0, 0, 3] == planes[1, 1, 0] == 1 and planes.sum() == 3
        results = [result[:2], *(list(environment.step(action)[1:3]) for action in (4, 6))]
        assert results == [[0.0, False], [0.0, False], [-1.0, True]]
        with pytest.raises(ValueError, match="The seat must be from 0 to 0, not 1"):
            single("2048", seat=1)

    @pytest.mark.parametrize(("choice", "error"), [(2.0, TypeError), (None, TypeError), (9, ValueError)])
    def test_what_they_choose_is_checked(self, choice: Any, error: type[Exception]) -> None:
        choices = iter([choice, 3, 3])
        environment = single("connect-four", opponent=lambda planes, mask, random: next(choices))
        environment.reset(seed=1)
        with pytest.raises(error, match=r"The opponent's action|There is no action 9"):
            environment.step(0)
        planes, _, _, _, info = environment.step(1)
        assert info["is_legal"] and (planes[0, 0, 0], planes[1, 0, 3], planes[0, 0, 1], planes[1, 1, 3]) == (1, 1, 1, 1)


class TestAnActionThatIsNotLegal:
    def test_it_changes_nothing(self) -> None:
        environment = single("connect-four", opponent=first_legal)
        environment.reset(seed=1)
        for _ in range(3):
            before, *_ = environment.step(0)
        after, reward, is_over, _, info = environment.step(0)
        assert np.array_equal(after, before) and (reward, is_over, info["is_legal"]) == (0.0, False, False)
        environment = single("p-tree", depth=1)
        environment.reset(seed=1)
        for is_legal in (True, False):  # the first ends the game
            _, reward, is_over, _, info = environment.step(0)
            assert is_over and info["is_legal"] == is_legal
        assert reward == 0.0


def test_the_text_is_shown() -> None:
    environment = single("2048", render_mode="ansi", size=2, start="22")
    environment.reset(seed=1)
    assert environment.render().endswith(" 0")
