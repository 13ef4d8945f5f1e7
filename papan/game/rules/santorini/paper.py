"""A match of Santorini as Kelvin and Lukas's model sees it: its six parts, and the operators that are applicable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from papan.game.rules import ModelView, is_over, legal_steps, play
from papan.game.rules.santorini.board import (
    BUILD,
    DOME,
    MOVE,
    PICK,
    PLACE,
    SIZE,
    WORKERS,
    State,
    step_parts,
    workers_of,
)
from papan.game.rules.santorini.gods import GODS
from papan.game.rules.santorini.model import Model, from_state

NAMES = ("current player", "phase", "active worker", "gods", "building", "workers")
"""What the parts S[0] to S[5] are called."""


def view(states: Sequence[State], steps: Sequence[int]) -> ModelView:
    """The view of the last of *states*: see ``Modelled.model_view``."""
    model = followed(states, steps)
    gods = "[" + ", ".join(f"[{_quoted(player)}, {_quoted(god)}]" for player, god in model.gods) + "]"
    parts = (
        _quoted(model.current_player),
        _quoted(model.phase),
        _quoted(model.active_worker),
        gods,
        _matrix([[str(level) for level in row] for row in model.building]),
        _matrix([[_quoted(name) for name in row] for row in model.workers]),
    )
    calls = [] if is_over(states[-1]) else operators(states[-1], model)
    facts = {
        "current_player": model.current_player,
        "phase": model.phase,
        "active_worker": model.active_worker,
        "gods": [list(pair) for pair in model.gods],
        "building": [list(row) for row in model.building],
        "workers": [list(row) for row in model.workers],
    }
    return ModelView(list(zip(NAMES, parts, strict=True)), calls, facts)


def followed(states: Sequence[State], steps: Sequence[int]) -> Model:
    """The model of the last of *states*, with each worker called what it was called when it was placed.

    In a match that begins later, workers are called by their places in its first state.

    :raises ValueError: one worker of two is placed, which the model does at once.
    """
    model: Model | None = None
    for number, state in enumerate(states):
        if any(workers_of(state, seat).bit_count() % WORKERS for seat in range(state.seats)):
            continue
        model = from_state(state, model)
        kind, _origin, second = step_parts(steps[number - 1]) if number else (-1, 0, 0)
        if kind == PLACE and number > 1:
            model = _as_placed(model, step_parts(steps[number - 2])[2], second)
    return model if model is not None else from_state(states[-1])


def _as_placed(model: Model, first: int, second: int) -> Model:
    """*model* with the workers on these cells called in this order."""
    (i1, j1), (i2, j2) = _row_and_column(first), _row_and_column(second)
    names = sorted((model.workers[i1][j1], model.workers[i2][j2]))
    board = [list(row) for row in model.workers]
    board[i1][j1], board[i2][j2] = names
    return replace(model, workers=tuple(map(tuple, board)))


def operators(state: State, model: Model) -> list[str]:
    """The operators that are applicable in *state*, with their arguments."""
    calls = []
    for step in legal_steps(state):
        kind, origin, target = step_parts(step)
        i, j = _row_and_column(target)
        if kind == PICK:
            calls.append(f"OP(2) pick_god({GODS[target].title})")
        elif kind == PLACE:
            after = [step_parts(other)[2] for other in legal_steps(play(state, step))]
            calls += [f"OP(3) place_worker({i}, {j}, {i2}, {j2})" for i2, j2 in map(_row_and_column, after)]
        elif kind == MOVE:
            i0, j0 = _row_and_column(origin)
            calls.append(f"OP(4) move_worker({model.workers[i0][j0]}, {i}, {j})")
        elif kind in (BUILD, DOME) and model.active_worker:  # the model knows no god that builds before it moves
            calls.append(f"OP(5) build_worker({model.active_worker}, {i}, {j}, {kind == DOME})")
    return calls


def _row_and_column(cell: int) -> tuple[int, int]:
    return SIZE - 1 - cell // SIZE, cell % SIZE


def _quoted(name: str) -> str:
    return f"'{name}'"


def _matrix(rows: Sequence[Sequence[str]]) -> str:
    width = max(len(entry) for row in rows for entry in row)
    return "\n".join("[" + " ".join(entry.rjust(width) for entry in row) + "]" for row in rows)
