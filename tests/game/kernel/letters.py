"""A game for tests, with all that makes notation hard: silent steps, ambiguous turns, chance, three seats.

In its turn a seat writes letters and then, in silence, stops. As ``ab`` can be written in one step or in
two, and counts differently, the turn ``ab`` is ambiguous. After three letters a seat can only stop; after
``z`` the seat that would be next is passed over. Chance acts after the third seat. Four rounds are a game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from papan.game.game import Game, Parts
from papan.game.kernel import int64, state
from papan.game.rules import CHANCE, Ending, PositionError, chance, is_over, key, mover, moves, payoff, play
from papan.game.rules.one_click import as_step, by_notation, nothing_to_note

SEATS = 3
ROUNDS = 4
A, B, AB, Z, STOP, HEADS, TAILS = range(7)
NOTATIONS = ("a", "b", "ab", "z", "", "heads", "tails")
MOST_STEPS = 5
PHASES: Mapping[str, Sequence[str]] = {"write": ("write", "flip"), "flip": ("write",)}
PERFT_COUNTS_ENDED_GAMES = True

GAME = Game("letters", "Letters", "Write and stop", Parts("tests.game.kernel.letters"), seats=(SEATS,), has_chance=True)


@state
class State(NamedTuple):
    seat: int64
    """SEATS where chance is to act."""
    round: int64
    letters: int64
    """Written in this turn."""
    passes_over: int64
    score: int64


@mover.of(State)
def _mover(state: State) -> int:
    return CHANCE if state.seat == SEATS else state.seat


@moves.of(State)
def _moves(state: State, buffer: list[int], base: int) -> int:
    if is_over(state):
        return base
    first, last = (A, STOP) if state.letters < 3 else (STOP, STOP)
    if state.seat == SEATS:
        first, last = HEADS, TAILS
    for step in range(first, last + 1):
        buffer[base] = step
        base += 1
    return base


@play.of(State)
def _play(state: State, step: int) -> State:
    if step >= HEADS:
        return State(0, state.round + 1, 0, 0, state.score + step)
    if step < STOP:
        passes_over = 1 if step == Z else state.passes_over
        return State(state.seat, state.round, state.letters + 1, passes_over, 2 * state.score + step + 1)
    return State(min(state.seat + 1 + state.passes_over, SEATS), state.round, 0, 0, state.score)


@is_over.of(State)
def _is_over(state: State) -> bool:
    return state.round >= ROUNDS


@payoff.of(State)
def _payoff(state: State, seat: int) -> float:
    return 1.0 if state.score % SEATS == seat else -0.5


@key.of(State)
def _key(state: State) -> int:
    return hash(tuple(state))


@chance.of(State)
def _chance(state: State, step: int) -> float:
    return 0.75 if step == HEADS else 0.25


def start(options: Mapping[str, str], random: Random) -> State:
    return State(0, 0, 0, 0, 0)


def notation(state: State, step: int) -> str:
    return NOTATIONS[step]


def phase(state: State) -> str:
    return "flip" if state.seat == SEATS else "write"


def cells(state: State, step: int) -> tuple[int, ...]:
    return ()


def refusal(state: State, step: int) -> str:
    return f"Step {step} can't be taken now."


def prompt(state: State, chosen: int | None) -> tuple[str, str]:
    return "Write", ""


refusal_at = as_step(refusal)
describe = by_notation(notation)
seat_note = nothing_to_note


def ending(state: State) -> Ending:
    return Ending(tuple(payoff(state, seat) for seat in range(SEATS)), "all is written")


def text(state: State) -> str:
    return f"{state.seat}/{state.round}/{state.score}"


def parse(text: str, options: Mapping[str, str]) -> State:
    found = re.fullmatch(r"([0-3])/([0-4])/([0-9]{1,40})", text)
    if not found:
        raise PositionError(f"'{text}' is not a seat, a round and a score.")
    return State(int(found[1]), int(found[2]), 0, 0, int(found[3]))
