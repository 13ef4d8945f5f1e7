"""A small game to break: two seats fill a row of five cells, and whoever has two neighbouring cells first wins.

``make`` gives it as its rules say, or with some of its parts replaced by others that keep no promise.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from functools import cache, wraps
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from papan.ai.evaluation import Level, Weights, can_pass, evaluate, exchange, forcing, passed, standing
from papan.ai.learning.network import likened
from papan.ai.observation import Plane, action_of, step_of, write_planes
from papan.game.catalogue import GAMES
from papan.game.game import Game, Parts
from papan.game.kernel import compiler, int64, state, uint64
from papan.game.rules import (
    Ending,
    PositionError,
    canonical_key,
    deal,
    guess,
    is_over,
    key,
    mover,
    moves,
    payoff,
    play,
    reason_number,
)

Make = Callable[[Any], Callable[..., Any]]
"""Makes a part of the game for a class of states."""

CELLS = 5
KERNELS = {
    kernel.name: kernel
    for kernel in (
        *(mover, moves, play, is_over, payoff, key, canonical_key, deal, guess, reason_number),
        *(evaluate, forcing, standing, exchange, can_pass, passed, likened),
        *(write_planes, action_of, step_of),
    )
}


class Row(NamedTuple):
    """A state, whichever of these games it is of: the cells of the first seat and of the other, how many are filled."""

    first: int
    second: int
    turn: int


def plain(function: Callable[..., Any]) -> Make:
    """Decorator: a part that needs no class of states."""

    @wraps(function)
    def made(state_class: Any) -> Callable[..., Any]:
        return function

    return made


def parts_of(state_class: Any) -> dict[str, Callable[..., Any]]:
    """Kernels and functions of the game with that class of state."""

    def _mover(state: Row) -> int:
        return state.turn & 1

    def _moves(state: Row, buffer: NDArray[np.int64], base: int) -> int:
        if not is_over(state):
            for cell in range(CELLS):
                if not (state.first | state.second) >> cell & 1:
                    buffer[base] = cell
                    base += 1
        return base

    def _play(state: Row, step: int) -> Any:
        if state.turn & 1:
            return state_class(state.first, state.second | 1 << step, state.turn + 1)
        return state_class(state.first | 1 << step, state.second, state.turn + 1)

    def _is_over(state: Row) -> bool:
        return state.turn == CELLS or state.first & state.first >> 1 != 0 or state.second & state.second >> 1 != 0

    def _payoff(state: Row, seat: int) -> float:
        own, other = (state.first, state.second) if seat == 0 else (state.second, state.first)
        if own & own >> 1:
            return 1.0
        return -1.0 if other & other >> 1 else 0.0

    def _key(state: Row) -> int:
        return state.first << CELLS | state.second

    def _canonical_key(state: Row) -> tuple[int, int]:
        first, second = 0, 0
        for cell in range(CELLS):
            first |= (state.first >> cell & 1) << CELLS - 1 - cell
            second |= (state.second >> cell & 1) << CELLS - 1 - cell
        here, there = key(state), first << CELLS | second
        return (there, 1) if there < here else (here, 0)

    def _evaluate(state: Row, seat: int, weights: Weights) -> float:
        middle = (state.first >> 2 & 1) - (state.second >> 2 & 1)
        value: float = weights[0] * (middle if seat == 0 else -middle)
        return value

    def _write_planes(state: Row, seat: int, planes: Any) -> None:
        for cell in range(CELLS):
            planes[seat, 0, cell] = state.first >> cell & 1
            planes[1 - seat, 0, cell] = state.second >> cell & 1

    kernels: list[Callable[..., Any]] = [_mover, _moves, _play, _is_over, _payoff, _key, _canonical_key]
    kernels += [_evaluate, _write_planes]
    return {function.__name__.removeprefix("_"): function for function in kernels} | texts_of(state_class)


def texts_of(state_class: Any) -> dict[str, Callable[..., Any]]:
    """The functions that speak to people."""

    def start(options: Mapping[str, str], random: Random) -> Any:
        return state_class(0, 0, 0)

    def notation(state: Row, step: int) -> str:
        return "abcde"[step]

    def ending(state: Row) -> Ending:
        reason = "two neighbouring cells" if payoff(state, 0) else "the row is full"
        return Ending((payoff(state, 0), payoff(state, 1)), reason)

    def text(state: Row) -> str:
        return "".join(
            "x" if state.first >> cell & 1 else "o" if state.second >> cell & 1 else "." for cell in range(5)
        )

    def parse(text: str, options: Mapping[str, str]) -> Any:
        first, second = text.count("x"), text.count("o")
        if not re.fullmatch(r"[xo.]{5}", text) or first - second not in (0, 1):
            raise PositionError(f"'{text}' is not a row of five cells: x and o in turn, x first, or a dot.")
        bits = [sum(1 << cell for cell in range(CELLS) if text[cell] == sign) for sign in "xo"]
        return state_class(bits[0], bits[1], first + second)

    functions: list[Callable[..., Any]] = [start, notation, ending, text, parse]
    return {
        **{function.__name__: function for function in functions},
        "phase": lambda state: "fill",
        "cells": lambda state, step: (step,),
        "refusal": lambda state, step: "The game is over." if is_over(state) else "That cell is not an empty one.",
        "refusal_at": lambda state, cells: "That cell is not an empty one.",
        "describe": lambda state, step: (notation(state, step), ""),
        "prompt": lambda state, chosen: ("Fill a cell", ""),
        "seat_note": lambda state, seat: ("", ""),
    }


def state_class_of(name: str) -> type:
    """A class of states of its own, named so that it is taken for no other."""

    class State(NamedTuple):
        first: uint64
        second: uint64
        turn: int64

    State.__qualname__ = f"state_class_of.{name}"
    return state(State)


@cache
def modules(name: str, **replaced: Make) -> tuple[ModuleType, ModuleType, ModuleType]:
    """The modules of the rules, of the evaluation, and of what learners are shown, whose kernels are registered."""
    state_class = state_class_of(name)
    parts = parts_of(state_class) | {part: made(state_class) for part, made in replaced.items()}
    rules, evaluation = ModuleType(f"tests.dev.{name}"), ModuleType(f"papan.ai.evaluation.{name}")
    for part, function in parts.items():
        if part in KERNELS:
            KERNELS[part].of(state_class)(function)
        else:
            setattr(rules, part, function)
    vars(rules).update(MOST_STEPS=CELLS, PHASES={"fill": ("fill",)}, PERFT_COUNTS_ENDED_GAMES=True, State=state_class)
    levels = {"easy": Level(1), "medium": Level(2), "hard": Level(None)}
    vars(evaluation).update(WEIGHTS={"standard": (1.0,)}, SCALE=1.0, THRESHOLD=1.0, LEVELS=levels, PLAYERS={})
    observation = ModuleType(f"papan.ai.observation.{name}")
    vars(observation).update(ROWS="One row.", ACTIONS="The cells.", board=lambda state: (1, CELLS))
    vars(observation).update(planes=lambda state: (Plane("own"), Plane("the other's")), actions=lambda state: CELLS)
    return rules, evaluation, observation


def make(monkeypatch: pytest.MonkeyPatch, name: str, **replaced: Make) -> Game:
    """The game with some of its parts *replaced*: each is made for the class of its states.

    :param name: no two games may have the same one.
    """
    rules, evaluation, observation = modules(name, **replaced)
    parts = Parts(rules.__name__, evaluation.__name__, observation=observation.__name__)
    game = Game(name, name.capitalize(), "Two in a row", parts, has_hidden_information="guess" in replaced)
    for module in (rules, evaluation, observation):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(GAMES, name, game)  # records are read by it
    # The class of its states is no module's, so what is compiled for it can't be kept.
    monkeypatch.setattr(compiler, "cache_is_writable", lambda: False)
    return game
