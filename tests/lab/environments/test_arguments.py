"""What callers hand to environments: anything at all is taken as it is meant, or refused in a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

from papan.game.rules import key
from papan.lab import environment
from papan.lab.environment import VectorEnvironment, aec, single
from tests.rivals import rival

NAN = float("nan")


class Unshowable:
    """An object that fails whatever is asked of it."""

    def __repr__(self) -> str:
        raise RuntimeError

    def __index__(self) -> int:
        raise RuntimeError

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError


NO_WHOLE_NUMBERS: list[Any] = [
    1.5, 1.0, NAN, float("inf"), -0.0, 1j, Fraction(1), "1", "x", b"1", "", "٣", True, False, np.True_, np.float32(1),
    np.datetime64(1, "s"), [], [1], (1,), {}, {1: 1}, {1}, object(), int, len, Unshowable(), np.array([1]),
    np.array(1.0), np.array(True), np.array(None), np.zeros((2, 2), np.int64), "\x1b[31m\n", range(2),
]  # fmt: skip
BEYOND: list[Any] = [-1, 2**63, 2**64, -(2**63) - 1, 10**30, 10**5000, np.int64(-1), np.int8(-5), np.uint64(2**64 - 1)]
JUNK = [*NO_WHOLE_NUMBERS, None, *BEYOND]


def each_of(name: str, values: list[Any]) -> pytest.MarkDecorator:
    """A test with each of *values*, which are called by their types: some can't be written."""
    return pytest.mark.parametrize(name, values, ids=lambda value: type(value).__name__)


def refusal_of(call: Callable[[], object]) -> str:
    """The sentence that refuses what *call* hands over."""
    with pytest.raises((ValueError, TypeError)) as refused:
        call()
    sentence = str(refused.value)
    assert re.fullmatch(r"[A-Z].{10,}\.", sentence), sentence
    assert sentence.isprintable() and len(sentence) < 300
    return sentence


@pytest.fixture
def both() -> tuple[Any, Any]:
    """A game of Connect Four that has begun, for all seats and for one."""
    rival("pettingzoo")
    seats, one = aec("connect-four"), single("connect-four")
    seats.reset(seed=1)
    one.reset(seed=1)
    return seats, one


class TestActions:
    """What is refused has changed nothing."""

    @each_of("action", [*NO_WHOLE_NUMBERS, None])
    def test_no_whole_number_is_refused_by_all(self, action: Any, both: tuple[Any, Any]) -> None:
        for one_of in both:
            before = key(one_of.one_game.match.state)
            assert "An action must be a whole number, not " in refusal_of(partial(one_of.step, action))
            assert key(one_of.one_game.match.state) == before

    @each_of("action", [*BEYOND, 7])
    def test_a_number_that_there_is_not(self, action: int, both: tuple[Any, Any]) -> None:
        seats, one = both
        assert "There is no action" in refusal_of(lambda: seats.step(action))
        _, reward, _, _, info = one.step(action)
        assert (reward, info["is_legal"]) == (0.0, False)

    @pytest.mark.parametrize("action", [3, np.int8(3), np.uint64(3), np.array(3), np.array(3, ">i4")])
    def test_whole_numbers_of_all_types(self, action: Any, both: tuple[Any, Any]) -> None:
        seats, one = both
        seats.step(action)
        assert seats.one_game.match.steps == [3] and one.step(action)[4]["is_legal"]


class TestManyActions:
    @pytest.fixture
    def environment(self) -> Iterator[VectorEnvironment]:
        """Two games, which stand afterwards as they stood."""
        environment = VectorEnvironment("connect-four", 2)
        before = [environment.state(0), environment.state(1)]
        yield environment
        assert [environment.state(0), environment.state(1)] == before

    @each_of("actions", [each for each in JUNK if not isinstance(each, range)])
    def test_anything_else(self, environment: VectorEnvironment, actions: Any) -> None:
        refusal_of(lambda: environment.step(actions))

    @each_of("action", JUNK)
    def test_anything_else_among_them(self, environment: VectorEnvironment, action: Any) -> None:
        refusal_of(lambda: environment.step([0, action]))
        refusal_of(lambda: environment.step((action, 0)))

    @pytest.mark.parametrize("kind", ["?", "f4", "f8", "c16", "O", "U1", "S1", "M8[s]", "m8[s]", "V4", "i4,i4"])
    def test_arrays_of_other_types(self, environment: VectorEnvironment, kind: str) -> None:
        refusal_of(lambda: environment.step(np.zeros(2, kind)))

    @each_of("index", [*JUNK, 2])
    def test_states_of_games_that_there_are_not(self, environment: VectorEnvironment, index: Any) -> None:
        refusal_of(lambda: environment.state(index))

    @pytest.mark.parametrize("shape", [(), (0,), (1,), (3,), (2, 1), (1, 2), (2, 2)])
    def test_arrays_of_other_shapes(self, environment: VectorEnvironment, shape: tuple[int, ...]) -> None:
        assert "one action for each of the 2 games" in refusal_of(lambda: environment.step(np.zeros(shape, np.int64)))

    @pytest.mark.parametrize("action", [np.uint64(2**64 - 1), np.uint64(2**63), np.uint8(255), np.int8(-128)])
    def test_numbers_are_said_as_they_are(self, environment: VectorEnvironment, action: Any) -> None:
        actions = np.array([0, action], action.dtype)
        assert f"The action {action} is not legal in game 1: they are 0 to 6" in refusal_of(
            lambda: environment.step(actions)
        )


def many(**given: Any) -> VectorEnvironment:
    return VectorEnvironment(**{"game": "connect-four", "number": 1, **given})


def seat(**given: Any) -> Any:
    return single(**{"game": "connect-four", **given})


def seats(**given: Any) -> Any:
    return aec(**{"game": "connect-four", **given})


DOORS: dict[str, Callable[..., Any]] = {"many": many, "seat": seat, "seats": seats}
ALLOWED: dict[tuple[str, str], list[Any]] = {
    ("many", "options"): [None, {}],
    ("many", "seed"): [None, 2**63, np.uint64(2**64 - 1)],
    ("seat", "opponent"): [None, int, len],
    ("seat", "render_mode"): [None],
    ("seats", "render_mode"): [None],
}
"""By door and argument, those of ``JUNK`` that make sense."""
ARGUMENTS = [
    *(("many", name) for name in ("game", "number", "options", "seed", "threads")),
    *(("seat", name) for name in ("game", "seat", "opponent", "render_mode", "size")),
    *(("seats", name) for name in ("game", "render_mode", "size")),
]


def makes_sense(value: Any, allowed: list[Any]) -> bool:
    return any(value is each or (type(value) is type(each) and bool(value == each)) for each in allowed)


@pytest.mark.parametrize(("door", "argument"), ARGUMENTS)
def test_what_environments_are_made_of(door: str, argument: str) -> None:
    rival("pettingzoo")
    make = DOORS[door]
    for value in JUNK:
        if makes_sense(value, ALLOWED.get((door, argument), [])):
            make(**{argument: value})
        else:
            refusal_of(partial(make, **{argument: value}))


@each_of("value", JUNK)
def test_values_and_names_of_options(value: Any) -> None:
    refusal_of(lambda: VectorEnvironment("gomoku", 1, {"size": value}))
    if getattr(type(value), "__hash__", None):
        refusal_of(lambda: VectorEnvironment("gomoku", 1, {value: "1"}))


@pytest.mark.parametrize("kind", ["i1", "u1", "i2", ">i4", "<i8", "u8"])
def test_whole_numbers_of_all_types(kind: str) -> None:
    environment = VectorEnvironment("connect-four", 3)
    actions = np.array([0, 9, 1, 9, 2, 9], kind)[::2]
    actions.flags.writeable = False
    before = environment.step(actions).observations
    assert [int(np.flatnonzero(planes[1, 0])[0]) for planes in before] == [0, 1, 2]
    assert VectorEnvironment("gomoku", 1, {"size": np.array(19, kind)[()]}).options["size"] == "19"


@pytest.mark.parametrize("door", DOORS)
def test_seeds_and_options_of_reset(door: str) -> None:
    rival("pettingzoo")
    environment: Any = DOORS[door]()
    allowed = [None, 2**63, np.uint64(2**64 - 1)]
    for given in JUNK:
        if makes_sense(given, allowed):
            environment.reset(seed=given)
        else:
            refusal_of(partial(environment.reset, seed=given))
        if door == "many":
            continue
        if given is None or isinstance(given, dict):
            environment.reset(options=given)
        else:
            refusal_of(partial(environment.reset, options=given))


@each_of("agent", [*JUNK, "seat_2"])
def test_agents_that_there_are_not(agent: Any, both: tuple[Any, Any]) -> None:
    environment, _ = both
    for ask in (environment.observe, environment.observation_space, environment.action_space):
        assert "they are seat_0, seat_1" in refusal_of(partial(ask, agent))


class TestOrder:
    def test_before_a_game_begins(self) -> None:
        rival("pettingzoo")
        seats, one = aec("connect-four"), single("connect-four")
        calls = [
            lambda: seats.step(0), lambda: seats.last(), lambda: seats.observe("seat_0"), lambda: seats.agent_iter(),
            lambda: one.step(0),
        ]  # fmt: skip
        for call in calls:
            assert "reset begins one" in refusal_of(call)

    def test_after_it_is_over(self) -> None:
        rival("pettingzoo")
        environment: Any = aec("p-tree", depth=1)
        environment.reset()
        environment.step(0)
        for _ in range(2):
            environment.step(None)
        for call in (lambda: environment.step(None), lambda: environment.step(0), environment.last):
            assert "reset begins another" in refusal_of(call)
        assert list(environment.agent_iter()) == []


def test_what_is_missing_is_named_with_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match=r'PettingZoo is not installed: pip install "papan\[learning\]"'):
        environment.aec("connect-four")
    with pytest.raises(ModuleNotFoundError, match="Gymnasium is not installed"):
        environment.single("2048")
    assert environment.VectorEnvironment("connect-four", 1).actions == 7
