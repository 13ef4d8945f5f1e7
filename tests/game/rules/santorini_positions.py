"""Positions of Santorini for tests, and what can be done there."""

from __future__ import annotations

from papan.game.kernel.bits import cells_of
from papan.game.match.notation import parse_turn
from papan.game.rules import legal_steps, play, santorini
from papan.game.rules.santorini.board import CELL_BY_NAME, State, cell_name, move_step, workers_of

OPTIONS = {"gods": "simple", "same": "no", "pick": "choose", "placement": "choose", "teams": "no"}


def position(
    players: str, heights: dict[str, int] | None = None, seat: int = 1, *, teams: str = "no", gods: str = "simple"
) -> State:
    """A position by its players' part, with the towers named."""
    rows = ["".join(str((heights or {}).get(f"{column}{row}", 0)) for column in "abcde") for row in "54321"]
    return santorini.parse(f"{''.join(rows)}/{seat}/{players}", {**OPTIONS, "teams": teams, "gods": gods})


def notations(state: State, beginning: str = "") -> set[str]:
    return {text for step in legal_steps(state) if (text := santorini.notation(state, step)).startswith(beginning)}


def after(state: State, *turns: str) -> State:
    """The state after these turns, of which the last may be unfinished."""
    for turn in turns:
        for step in parse_turn(santorini, state, turn, may_be_unfinished=True):
            state = play(state, step)
    return state


def where(state: State, seat: int) -> set[str]:
    return {cell_name(cell) for cell in cells_of(workers_of(state, seat))}


def move(text: str) -> int:
    """The step of a move such as ``b3-c3``, legal or not."""
    origin, target = text.split("-")
    return move_step(CELL_BY_NAME[origin], CELL_BY_NAME[target])


def refusal(state: State, step: int | str) -> str:
    """What is said to the illegal *step*, which may be written as a move."""
    step = move(step) if isinstance(step, str) else step
    assert step not in legal_steps(state)
    return santorini.refusal(state, step)
