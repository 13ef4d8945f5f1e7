"""Environments in the middle of a game, copied and pickled, also into other processes."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

from papan.game.catalogue import BUILT_IN, GAMES
from papan.game.game import Game, Parts
from papan.game.match import Match
from papan.lab.environment import VectorEnvironment, aec, single
from tests.rivals import rival

EVERY_GAME = pytest.mark.parametrize("name", BUILT_IN)
COPIES: list[Callable[[Any], Any]] = [copy.deepcopy, lambda environment: pickle.loads(pickle.dumps(environment))]
EVERY_COPY = pytest.mark.parametrize("copied", COPIES, ids=["copied", "pickled"])


@pytest.fixture(autouse=True)
def _libraries() -> None:
    rival("gymnasium")
    rival("pettingzoo")


def played(environment: Any, number: int) -> list[Any]:
    """What *number* first legal actions bring, and the text after each; a game that is over begins anew."""
    seen: list[Any] = []
    for _ in range(number):
        if environment.one_game.is_over:
            environment.reset()
        environment.step(environment.one_game.legal_actions()[0])
        rewards = environment.rewards if hasattr(environment, "rewards") else None
        planes = environment.one_game.planes(0)
        seen.append((environment.one_game.text(), rewards, planes.tobytes(), environment.one_game.mask(0).tobytes()))
    return seen


def stepped(environment: VectorEnvironment, number: int) -> list[bytes]:
    """The arrays of *number* random steps of all games, as bytes."""
    found = (environment.step(environment.random_actions()) for _ in range(number))
    return [array.tobytes() for step in found for array in step]


def begun(kind: Callable[..., Any], name: str) -> Any:
    environment = kind(name)
    environment.reset(seed=5)
    played(environment, 3)
    return environment


class TestOneGame:
    @EVERY_GAME
    @EVERY_COPY
    @pytest.mark.parametrize("kind", [aec, single], ids=["aec", "single"])
    def test_both_go_on_alike_and_apart(
        self, name: str, copied: Callable[[Any], Any], kind: Callable[..., Any]
    ) -> None:
        first = begun(kind, name)
        other, left = copied(first), copied(first)
        text = first.one_game.text()
        assert played(first, 12) == played(other, 12), "chance draws the same, too"
        assert left.one_game.text() == text, "what is played in one is not played in another"
        assert left.one_game.game is GAMES[name], "a game is not copied"

    def test_tree_search_tries_and_leaves_the_position(self) -> None:
        environment = begun(aec, "connect-four")
        before = environment.one_game.text()
        results = set()
        for action in environment.one_game.legal_actions():
            tried = copy.deepcopy(environment)
            tried.step(action)
            results.add(tried.one_game.text())
        assert len(results) == 7 and environment.one_game.text() == before


class TestManyGames:
    @pytest.mark.parametrize("name", ["catur-jawa", "2048", "xiangqi"])
    @pytest.mark.parametrize(("copied", "threads"), [*zip(COPIES, (1, 2), strict=True)], ids=["copied", "pickled"])
    def test_both_go_on_alike_and_apart(self, name: str, copied: Callable[[Any], Any], threads: int) -> None:
        first = VectorEnvironment(name, 3, seed=7, threads=threads)
        stepped(first, 3)
        other, left = copied(first), copied(first)
        states = [first.state(index) for index in range(3)]
        assert stepped(first, 8) == stepped(other, 8)
        assert [left.state(index) for index in range(3)] == states


@pytest.fixture(scope="module")
def processes() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as made:
        yield made


class TestOtherProcesses:
    @EVERY_GAME
    def test_a_game_goes_on_there(self, name: str, processes: ProcessPoolExecutor) -> None:
        for kind in (aec, single):
            environment = begun(kind, name)
            assert processes.submit(played, environment, 6).result() == played(environment, 6)

    def test_many_games_go_on_there(self, processes: ProcessPoolExecutor) -> None:
        environment = VectorEnvironment("2048", 2, seed=3, threads=2)
        stepped(environment, 2)
        assert processes.submit(stepped, environment, 4).result() == stepped(environment, 4)

    def test_a_vector_of_processes(self) -> None:
        """Gymnasium's, of copies of one game in its middle."""
        vector = rival("gymnasium.vector")
        environment = begun(single, "connect-four")
        made = vector.AsyncVectorEnv([partial(copy.deepcopy, environment)] * 2, context="spawn")
        try:
            planes, _infos = made.reset(seed=[1, 2])
            assert planes.shape == (2, *environment.observation_space.shape)
            planes, _rewards, _ends, _cut, infos = made.step(np.array([3, 4]))
            assert planes[0].sum() >= 2 and infos["is_legal"].all()
        finally:
            made.close()


def test_a_game_that_is_not_in_the_catalogue_is_pickled_as_it_is() -> None:
    game = Game("strange", "Strange", "…", Parts("papan.game.rules.connect_four"))
    match = Match.new(game, ["a", "b"], {"first": "1"}, 1)
    match.play(3)
    found = pickle.loads(pickle.dumps(match))
    assert found.game == game and found.steps == [3] and found.rules is match.rules
    found.play(2)
    assert match.steps == [3]
