"""Games for PettingZoo: what it asks of environments, teams, hidden cards, the text of a position."""

from __future__ import annotations

import itertools
from pathlib import Path
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from papan.ai.observation import observation_of, planes_for
from papan.game.catalogue import BUILT_IN, GAMES
from papan.game.game import OptionError
from papan.game.kernel.rng import random_state
from papan.game.rules import IllegalStep, guess
from papan.lab.environment import aec
from tests.rivals import rival

EVERY_GAME = pytest.mark.parametrize("name", BUILT_IN)


@pytest.fixture
def pettingzoo() -> ModuleType:
    """The package's own tests of environments."""
    rival("pettingzoo.test")
    return rival("pettingzoo")


def play_out(environment: Any, seed: int) -> dict[str, float]:
    """Play at random to the end; returns what each agent got."""
    environment.reset(seed=seed)
    random, got = Random(seed), dict.fromkeys(environment.possible_agents, 0.0)
    for agent in environment.agent_iter():
        observation, reward, is_over, _, _ = environment.last()
        got[agent] += reward
        environment.step(None if is_over else random.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    return got


class TestWhatPettingZooAsks:
    @pytest.mark.filterwarnings("ignore::UserWarning")  # it knows by name which environments have masks
    @pytest.mark.filterwarnings("ignore::DeprecationWarning")  # in its own modules
    @EVERY_GAME
    def test_its_api(self, name: str, pettingzoo: ModuleType) -> None:
        pettingzoo.test.api_test(aec(name), num_cycles=300)

    @EVERY_GAME
    def test_its_seeds(self, name: str, pettingzoo: ModuleType) -> None:
        pettingzoo.test.seed_test(lambda: aec(name), num_cycles=100)

    @EVERY_GAME
    def test_its_benchmark(
        self, name: str, pettingzoo: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Which goes on for five seconds, of a clock that runs fast."""
        clock = SimpleNamespace(time=itertools.count(0.0, 0.1).__next__)
        benchmark = pettingzoo.test.performance_benchmark
        monkeypatch.setitem(benchmark.__globals__, "time", clock)
        benchmark(aec(name))
        assert "turns per second" in capsys.readouterr().out


@pytest.mark.usefixtures("pettingzoo")
class TestAgents:
    @EVERY_GAME
    def test_they_get_their_payoffs(self, name: str) -> None:
        environment = aec(name)
        got = play_out(environment, 4)
        ending = environment.one_game.match.ending
        assert ending is not None and tuple(got.values()) == pytest.approx(ending.payoffs)
        assert environment.agents == [], "after the end nobody acts"

    @EVERY_GAME
    def test_seat_0_acts_first_except_in_cifra(self, name: str) -> None:
        """As docs/environments.md says."""
        environment = aec(name)
        first = set()
        for seed in range(6):
            environment.reset(seed=seed)
            first.add(environment.agent_selection)
        assert first == {"seat_1" if name == "cifra" else "seat_0"}
        sentence = "Seat 0 acts first, except in CIFRA,\n  where seat 1 first chooses a side and a colour."
        assert sentence in (Path(__file__).parents[3] / "docs" / "environments.md").read_text(encoding="utf-8")

    def test_teams_share_what_they_get(self) -> None:
        games = [play_out(aec("santorini", seats=4, teams="yes"), seed) for seed in range(3)]
        assert all(got["seat_0"] == got["seat_2"] == -got["seat_1"] == -got["seat_3"] != 0.0 for got in games)

    def test_only_the_one_that_acts_may_do_something(self) -> None:
        environment = aec("catur-jawa", seats=4)
        environment.reset(seed=1)
        assert environment.agents == environment.possible_agents == [f"seat_{seat}" for seat in range(4)]
        masks = [environment.observe(agent)["action_mask"].any() for agent in environment.agents]
        assert masks == [True, False, False, False]
        environment = aec("santorini", gods="none")
        environment.reset()
        environment.step(int(np.flatnonzero(environment.last()[0]["action_mask"])[0]))
        assert environment.agent_selection == "seat_0", "one that acts again keeps its turn"

    def test_an_action_that_is_refused_says_why(self) -> None:
        environment = aec("connect-four")
        environment.reset()
        for _ in range(6):
            environment.step(2)
        with pytest.raises(IllegalStep, match="Column 3 is full"):
            environment.step(2)
        assert environment.agent_selection == "seat_0" and len(environment.one_game.match.steps) == 6


@pytest.mark.usefixtures("pettingzoo")
class TestGames:
    def test_a_seed_settles_all_that_follow(self) -> None:
        first, second = aec("2048"), aec("2048")
        assert len({self.next_start(first) for _ in range(20)}) > 5, "they differ without one"
        assert [play_out(first, 3), *(self.next_start(first) for _ in range(3))] == [
            play_out(second, 3),
            *(self.next_start(second) for _ in range(3)),
        ]

    def next_start(self, environment: Any) -> str:
        environment.reset()
        text: str = environment.one_game.text()
        return text

    def test_options_are_words(self) -> None:
        assert aec("gomoku", size=19).one_game.match.options["size"] == "19"
        with pytest.raises(OptionError, match="no option 'gods'"):
            aec("gomoku", gods="none")


@pytest.mark.usefixtures("pettingzoo")
class TestWhatIsHidden:
    def test_neither_agents_nor_the_text_show_it(self) -> None:
        environment = aec("catur-jawa", seats=3)
        environment.reset(seed=2)
        state = environment.one_game.match.state
        seen = environment.observe("seat_1")["observation"]
        observation = observation_of(GAMES["catur-jawa"])
        others = [guess(state, 1, random_state(number)) for number in range(20)]
        assert len({other.hands for other in others}) > 10
        assert all(np.array_equal(planes_for(observation, other, 1), seen) for other in others)
        environment = aec("catur-jawa", render_mode="ansi")
        environment.reset(seed=2)
        assert str(environment.render()).endswith(" 1 ???,??? ???????????????,???????????????")


@pytest.mark.usefixtures("pettingzoo")
@pytest.mark.parametrize(
    ("game", "given", "actions", "text"),
    [
        ("cifra", {"mode": "king", "render_mode": "ansi"}, [2], "/side south"),
        ("connect-four", {"render_mode": "ansi"}, [0, 1, 0, 1, 0, 1, 0], "121212 1"),
    ],
    ids=["a turn that goes on", "the end"],
)
def test_the_text(game: str, given: dict[str, str], actions: list[int], text: str) -> None:
    environment: Any = aec(game, **given)
    environment.reset(seed=1)
    for action in actions:
        environment.step(action)
    assert str(environment.render()).endswith(text)
