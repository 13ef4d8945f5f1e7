"""CIFRA's three types of states, and the first state of a game."""

from __future__ import annotations

from papan.game.rules.cifra.board import DASH, LARGE
from papan.game.rules.cifra.large import LargeState
from papan.game.rules.cifra.small import RankedState, State

STATES = (State, RankedState, LargeState)
AnyState = State | RankedState | LargeState

# No tiles and no pieces, nothing chosen.
_EMPTY = State._make([0] * len(State._fields))
_EMPTY_RANKED = RankedState._make([0] * len(RankedState._fields))
_EMPTY_LARGE = LargeState._make([0] * len(LargeState._fields))


def new_state(size: int, mode: int, white_tiles: tuple[int, int]) -> AnyState:
    """The state before play with these tiles, in two parts: seat 1 chooses his side next."""
    lower, upper = white_tiles
    if size == LARGE:
        return _EMPTY_LARGE._replace(white_tiles=lower, upper_white_tiles=upper, to_move=1, mode=mode)
    if mode == DASH:
        return _EMPTY._replace(white_tiles=lower, to_move=1)
    return _EMPTY_RANKED._replace(white_tiles=lower, to_move=1, mode=mode)
