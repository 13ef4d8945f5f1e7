"""Checks of Connect Four's reasons, on a board of columns and rows counted from 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dev.reasons.cases import Case, checks
from papan.game.base.sentences import Value

Cell = tuple[int, int]
Discs = dict[Cell, int]
_COLUMNS, _ROWS = range(1, 8), range(1, 7)
_FOURS = [
    [(column + step * across, row + step * up) for step in range(4)]
    for column in _COLUMNS
    for row in _ROWS
    for across, up in ((1, 0), (0, 1), (1, 1), (1, -1))
    if column + 3 * across in _COLUMNS and row + 3 * up in _ROWS
]


class _Turn:
    """The boards of a case: *own* is the seat that has moved to *cell*."""

    def __init__(self, case: Case, values: Mapping[str, Value]) -> None:
        self.values = values
        columns = case.rules.text(case.before)
        self.before = _discs(columns)
        self.own, self.other = len(columns) % 2, 1 - len(columns) % 2
        self.column = int(case.turn)
        self.cell = _landing(self.before, self.column)
        self.after = {**self.before, self.cell: self.own}
        self.fours = [four for four in _FOURS if self.cell in four]

    def count(self, four: list[Cell], seat: int) -> int:
        """The discs of *seat* in a row of four before the turn."""
        return sum(self.before.get(cell) == seat for cell in four)


def _discs(columns: str) -> Discs:
    discs: Discs = {}
    for number, column in enumerate(columns):
        discs[_landing(discs, int(column))] = number % 2
    return discs


def _landing(discs: Discs, column: int) -> Cell:
    return column, 1 + sum(cell[0] == column for cell in discs)


def _wins(discs: Discs, cell: Cell, seat: int) -> bool:
    """Whether a disc of *seat* on the free *cell* of the board makes four in a row."""
    if cell in discs or cell[1] not in _ROWS:
        return False
    more = {**discs, cell: seat}
    return any(cell in four and all(more.get(at) == seat for at in four) for four in _FOURS)


def _threats(discs: Discs, seat: int) -> list[int]:
    """The columns where *seat* would win with its next disc."""
    return [column for column in _COLUMNS if _wins(discs, _landing(discs, column), seat)]


def _threatens(turn: _Turn) -> bool:
    return _threats(turn.after, turn.own) == [turn.values["column"]]


def _blocks(turn: _Turn) -> bool:
    return turn.column == turn.values["column"] in _threats(turn.before, turn.other) and not _threats(
        turn.after, turn.other
    )


def _sets_up(turn: _Turn) -> bool:
    cell = int(turn.values["column"]), int(turn.values["row"])
    return _wins(turn.after, cell, turn.own) and not _wins(turn.before, cell, turn.own)


def _keeps_from_two(turn: _Turn) -> bool:
    return len(_threats({**turn.before, turn.cell: turn.other}, turn.other)) > 1


def _keeps_from_three(turn: _Turn) -> bool:
    more = {**turn.before, turn.cell: turn.other}
    return any(
        _wins(more, (column, row), turn.other) and not _wins(turn.before, (column, row), turn.other)
        for column in _COLUMNS
        for row in _ROWS
    )


def _keeps_off(turn: _Turn) -> bool:
    column = int(turn.values["column"])
    dropped = {**turn.before, _landing(turn.before, column): turn.own}
    return column != turn.column and column in _threats(dropped, turn.other)


def _breaks(turn: _Turn) -> bool:
    broken = [four for four in turn.fours if turn.count(four, turn.other) >= 2 and not turn.count(four, turn.own)]
    return len(broken) == turn.values["count"]


def _builds(turn: _Turn) -> bool:
    built = [four for four in turn.fours if not turn.count(four, turn.other) and turn.count(four, turn.own)]
    return len(built) == turn.values["count"]


def _lies(turn: _Turn) -> bool:
    return sum(not turn.count(four, turn.other) for four in turn.fours) == turn.values["count"]


_FACTS: Mapping[str, Callable[[_Turn], bool]] = {
    "threatens four in a row in column {column}": _threatens,
    "threatens four in a row at two places at once": lambda turn: len(_threats(turn.after, turn.own)) > 1,
    "blocks four in a row in column {column}": _blocks,
    "gives you a chance to win later, in row {row} of column {column}": _sets_up,
    "keeps the other side from threatening two places at once": _keeps_from_two,
    "keeps the other side from a threat of four in a row": _keeps_from_three,
    "avoids column {column} because that would lose at once": _keeps_off,
    "takes a cell in the centre column": lambda turn: turn.column == 4,
    "breaks up a row of four where the other side had two discs": _breaks,
    "builds on a chance for four in a row": _builds,
    "leaves room for four in a row": _lies,
}
CHECKS = checks(_Turn, _FACTS)
