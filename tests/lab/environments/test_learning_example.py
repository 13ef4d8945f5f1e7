"""The example of a learner, ``examples/learning``, and the small game that it learns."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from papan.game.catalogue import GAMES
from papan.game.rules import PositionError
from papan.testing import CHECKS
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def example() -> Iterator[Callable[[str], ModuleType]]:
    """Imports a module of the example by its name, as a program in its folder does."""
    folder = str(ROOT / "examples" / "learning")
    sys.path.insert(0, folder)
    yield importlib.import_module
    sys.path.remove(folder)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_game_keeps_all_promises(
    check: Callable[[Any], None], example: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = example("small_connect_four").GAME
    monkeypatch.setitem(GAMES, game.name, game)  # records are read by it
    check(game)


def test_what_is_no_position_of_the_game(example: Callable[[str], Any]) -> None:
    for text, number in (("1111", 4), ("4", 1), ("123123123", 8)):
        with pytest.raises(PositionError, match=f"Character {number}"):
            example("small_connect_four").parse(text, {})


class TestTheLearner:
    def test_it_beats_steps_at_random_from_both_seats(self, example: Callable[[str], Any]) -> None:
        learn = example("learn")
        table = learn.learn(1000)
        untaught = np.zeros_like(table)
        for seat in range(2):
            assert learn.against_random(table, seat) > max(0.7, learn.against_random(untaught, seat) + 0.2)

    def test_it_learns_the_same_from_the_same_seed(self, example: Callable[[str], Any]) -> None:
        learn = example("learn")
        assert np.array_equal(learn.learn(20, seed=3), learn.learn(20, seed=3))
        assert not np.array_equal(learn.learn(20, seed=3), learn.learn(20, seed=4))

    def test_positions_have_numbers_of_their_own(self, example: Callable[[str], Any]) -> None:
        shown = np.zeros((3, 2, 3, 3), np.uint8)
        shown[1, 0, 0, 0] = shown[2, 1, 0, 0] = 1
        assert example("learn").numbers(shown).tolist() == [0, 1, 2]
