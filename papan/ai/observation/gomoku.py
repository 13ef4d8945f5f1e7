"""Gomoku as planes and actions."""

from __future__ import annotations

from typing import Any

from papan.ai.observation import Plane, action_of, always, paint, step_of, write_planes
from papan.game.rules import mover
from papan.game.rules.gomoku import State
from papan.game.rules.gomoku.board import ROW, WORD, WORDS

ROWS = "Rows are counted from row 1, columns from a."
ACTIONS = "The cells, row by row from a1."
PLANES = (Plane("stones of the seat"), Plane("stones of the other seat"))
planes = always(PLANES)
WORD_ROWS = WORD // ROW


def board(state: State) -> tuple[int, int]:
    return state.size, state.size


def actions(state: State) -> int:
    return state.size * state.size


@action_of.of(State)
def _action_of(state: State, step: int) -> int:
    return step // ROW * state.size + step % ROW


@step_of.of(State)
def _step_of(state: State, action: int) -> int:
    return action // state.size * ROW + action % state.size


@write_planes.of(State)
def _write_planes(state: State, seat: int, planes: Any) -> None:
    mine = state.mine0, state.mine1, state.mine2, state.mine3, state.mine4, state.mine5, state.mine6
    theirs = state.theirs0, state.theirs1, state.theirs2, state.theirs3, state.theirs4, state.theirs5, state.theirs6
    own = 0 if seat == mover(state) else 1
    for number in range(WORDS):
        paint(mine[number], ROW, WORD_ROWS * number, planes[own])
        paint(theirs[number], ROW, WORD_ROWS * number, planes[1 - own])
