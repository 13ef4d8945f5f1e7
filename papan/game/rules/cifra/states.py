"""CIFRA's three types of states in one place, and how a game begins in one of them."""

from __future__ import annotations

from papan.game.rules.cifra.board import DASH, LARGE
from papan.game.rules.cifra.large import LargeState
from papan.game.rules.cifra.small import RankedState, State

STATES = (State, RankedState, LargeState)
AnyState = State | RankedState | LargeState


def new_state(size: int, mode: int, white_tiles: tuple[int, int]) -> AnyState:
    """The state before play with these tiles, in two parts: seat 1 is to choose his side."""
    lower, upper = white_tiles
    if size == LARGE:
        return LargeState(lower, upper, 0, 0, 0, 0, 1, 0, 0, 0, mode, 0, 0, 0, 0, 0, 0, 0, 0)
    return State(lower, 0, 0, 1, 0, 0, 0) if mode == DASH else RankedState(lower, 0, 0, 1, 0, 0, 0, mode, 0, 0, 0)
