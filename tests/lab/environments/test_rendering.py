"""What ``render`` returns: a text or a picture of every game, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from papan.game.catalogue import BUILT_IN, GAMES
from papan.lab.environment import aec, single
from papan.lab.environments.one_game import PICTURE_SIDE
from tests.rivals import rival

EVERY_KIND = pytest.mark.parametrize("kind", [aec, single], ids=["aec", "single"])
SHAPE = (PICTURE_SIDE, PICTURE_SIDE, 3)


@pytest.fixture(autouse=True)
def _libraries() -> None:
    rival("gymnasium")
    rival("pettingzoo")


def act(environment: Any) -> None:
    """Take first legal actions, until there is something to see."""
    for _ in range(10):
        if not environment.one_game.is_over:
            environment.step(environment.one_game.legal_actions()[0])


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *((name, single) for name in BUILT_IN),
        *(pytest.param(name, aec, marks=() if name == "connect-four" else pytest.mark.slow) for name in BUILT_IN),
    ],
)
def test_a_text_and_a_picture_of_every_game(name: str, kind: Callable[..., Any]) -> None:
    check = rival("gymnasium.utils.passive_env_checker").env_render_passive_checker
    for mode in ("ansi", "rgb_array"):
        environment = kind(name, render_mode=mode)
        assert mode in environment.metadata["render_modes"]
        environment.reset(seed=1)
        before = environment.render()
        act(environment)
        after = environment.render()
        if kind is single:
            check(environment)
        if mode == "ansi":
            assert isinstance(before, str) and isinstance(after, str) and before != after
            continue
        for picture in (before, after):
            assert isinstance(picture, np.ndarray) and (picture.shape, picture.dtype) == (SHAPE, np.uint8)
            assert picture.flags.owndata and picture.flags.writeable
            assert len(np.unique(picture @ np.array([1, 256, 65536]))) > 10, "it is not blank"
        assert (before != after).any(), "it shows the position"


@EVERY_KIND
@pytest.mark.parametrize("mode", ["human", "rgb_array_list", "ANSI", "", 3, ["ansi"]])
def test_other_modes_are_refused_also_later(kind: Callable[..., Any], mode: Any) -> None:
    with pytest.raises(ValueError, match=r"^The render mode must be 'ansi', 'rgb_array' or None, not .*\.$"):
        kind("connect-four", render_mode=mode)
    environment = kind("connect-four", render_mode="ansi")
    environment.reset(seed=1)
    environment.render_mode = mode
    with pytest.raises(ValueError, match="The render mode must be"):
        environment.render()


@EVERY_KIND
def test_without_a_mode_it_says_that_nothing_is_rendered(kind: Callable[..., Any]) -> None:
    environment = kind("connect-four")
    environment.reset(seed=1)
    with pytest.warns(UserWarning, match=r"Nothing is rendered without a mode: .*render_mode='ansi' or 'rgb_array'"):
        assert environment.render() is None


@EVERY_KIND
@pytest.mark.parametrize("mode", ["ansi", "rgb_array", None])
def test_before_a_game_there_is_nothing_to_show(kind: Callable[..., Any], mode: str | None) -> None:
    with pytest.raises(ValueError, match="No game has begun yet"):
        kind("connect-four", render_mode=mode).render()


def test_hidden_cards_are_not_drawn() -> None:
    """Two deals that differ in the hands alone look the same."""
    environments: list[Any] = [aec("catur-jawa", render_mode="rgb_array") for _ in range(2)]
    for seed, environment in enumerate(environments):
        environment.reset(seed=seed)
    first, second = environments
    assert first.one_game.match.state != second.one_game.match.state
    assert np.array_equal(first.render(), second.render())


def test_a_game_whose_board_fails_shows_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    board = GAMES["connect-four"].parts.board
    monkeypatch.setattr(f"{board}.Board.draw", lambda *_: 1 / 0)
    environment = aec("connect-four", render_mode="rgb_array")
    environment.reset(seed=1)
    before = environment.render()
    environment.step(3)
    after = environment.render()
    assert before is not None and after is not None and not np.array_equal(before, after)
