"""What the formats of gomoku share: boards, cells counted from the top left, and rules that a file doesn't tell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from papan.game.catalogue import BUILT_IN
from papan.game.formats import FormatError, Replay
from papan.game.match import Match
from papan.game.rules import PositionError
from papan.game.rules.gomoku import RULES, cell_named, is_forbidden, is_on_board, refusal, stones_in_word
from papan.game.rules.gomoku.board import LARGEST, ROW, WORD

GAME = BUILT_IN["gomoku"]
SIZES = tuple(int(size) for option in GAME.own_options if option.name == "size" for size in option.values)
ANY_RULE = tuple(RULES)
"""The values of the option ``exact``, in the order in which they are tried on a game whose rule nobody tells."""


def check_size(columns: int, rows: int) -> None:
    """Raise FormatError unless gomoku has a board of that size."""
    if columns != rows or columns not in SIZES:
        raise FormatError.saying(
            "The board has {columns} × {rows} cells; gomoku's boards have {sizes}.",
            columns=columns,
            rows=rows,
            sizes=", ".join(f"{size} × {size}" for size in SIZES),
        )


def smallest_size(needed: int) -> int:
    """The size of the smallest board of at least *needed* rows; raises FormatError if there is none."""
    found = next((size for size in SIZES if size >= needed), None)
    if found is None:
        raise FormatError.saying(
            "A stone lies on row or column {needed}; gomoku's boards have up to {largest}.",
            needed=needed,
            largest=LARGEST,
        )
    return found


def cell_at(column: int, row: int, size: int) -> int:
    """The cell of a *column* and *row* from the top left, both from 0; -1 if the board has none."""
    return ROW * (size - 1 - row) + column if 0 <= column < size and 0 <= row < size else -1


def place_of(cell: int, size: int) -> tuple[int, int]:
    """The column and row of *cell* from the top left, both from 0."""
    return cell % ROW, size - 1 - cell // ROW


def options_of(size: int, rule: str = "no") -> dict[str, str]:
    """The options of a match that differ from the defaults."""
    return {name: value for name, value in (("size", str(size)), ("exact", rule)) if value not in ("15", "no")}


def replayed(cells: Sequence[int], size: int, rules: Iterable[str] = ANY_RULE, position: str | None = None) -> Replay:
    """The game of *cells*, under the first of *rules* by which it is legal to its last stone.

    :raises FormatError: there is none; it says what is wrong by the first of them.
    :raises PositionError: *position* is wrong.
    """
    trouble: FormatError | None = None
    for rule in rules:
        replay = Replay(GAME, options_of(size, rule), position)
        try:
            _play(replay, cells)
        except FormatError as error:
            trouble = trouble or error
        else:
            return replay
    assert trouble is not None
    raise trouble


def _play(replay: Replay, cells: Sequence[int]) -> None:
    for number, cell in enumerate(cells, start=1):
        state = replay.state
        is_legal = (
            not replay.is_over
            and is_on_board(state, cell)
            and not stones_in_word(state, cell // WORD) >> (cell % WORD) & 1
            and not is_forbidden(state, cell)
        )
        if not is_legal:
            raise FormatError.saying("Move {number}: {reason}", number=number, reason=refusal(state, cell))
        replay.play(cell)


def cells_played(match: Match) -> list[int]:
    """The cells of all stones of *match*: those of its first position, in one order that leads there, then the steps.

    :raises FormatError: no order of play leads to its first position.
    """
    try:
        before = match.rules.text(match.states[0])
    except PositionError as error:
        raise FormatError(str(error)) from error
    return [*map(cell_named, before.split()), *match.steps]


def size_of(match: Match) -> int:
    return int(match.options["size"])
