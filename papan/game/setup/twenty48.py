"""Setting up 2048: tiles on any cell; the score follows them as far as it has to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from papan.game.base.sentences import say
from papan.game.rules.twenty48.board import LARGEST, State, board_cells, board_of, cell_name, score_bounds, tile
from papan.game.setup import Brush, Setting

_A_ROW = 5
_MOST_SCORE = 99_999_999


def _tiles(state: State) -> dict[int, int]:
    """The power of two on each cell, 0 on an empty one."""
    return {cell: tile(state, cell) for cell in board_cells(state.size)}


def _with_tiles(state: State, tiles: Mapping[int, int]) -> State:
    """*state* with other tiles, and the score as near as it can be to what it was."""
    made = board_of(tiles, state.size, state.score, bool(state.awaits_tile))
    least, most = score_bounds(made)
    return made._replace(score=min(max(made.score, least), most))


def brushes(state: State) -> Sequence[Brush]:
    """Each tile that there is."""
    return [
        Brush(power, say("Tile {number}", number=1 << power), (power - 1) // _A_ROW) for power in range(1, LARGEST + 1)
    ]


def put(state: State, code: int, cell: int) -> State:
    """*state* with the tile of that power of two on *cell*."""
    tiles = _tiles(state)
    return _with_tiles(state, tiles | {cell: code}) if cell in tiles else state


def name_of(state: State, cell: int) -> str:
    """What *cell* is called."""
    return cell_name(cell, state.size)


def standing(state: State, cell: int) -> Sequence[int]:
    """The tile on *cell*, if there is one."""
    power = _tiles(state).get(cell, 0)
    return [power] if power else []


def taken(state: State, cell: int) -> State:
    """*state* with *cell* empty."""
    return put(state, 0, cell)


def cleared(state: State) -> State:
    """No tile at all."""
    return board_of({}, state.size)


def settings(state: State) -> Sequence[Setting]:
    """What comes next, and the score."""
    return [
        Setting(
            "next",
            say("Comes next"),
            str(state.awaits_tile),
            {"0": say("a slide"), "1": say("a new tile")},
        ),
        Setting("score", say("Score"), str(state.score), most=_MOST_SCORE),
    ]


def changed(state: State, name: str, value: str) -> State:
    """*state* with another score, or something else to come next."""
    return state._replace(awaits_tile=int(value)) if name == "next" else state._replace(score=int(value))


def note(state: State) -> str:
    """Nothing is left to the text."""
    return ""
