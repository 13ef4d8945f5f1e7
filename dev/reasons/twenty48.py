"""Checks of 2048's reasons, on rows of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from dev.reasons.cases import Case, Check
from papan.game.base.sentences import Value
from papan.game.rules import State

Rows = list[list[int]]


def _rows(case: Case, state: State) -> Rows:
    """The numbers on the tiles row by row, 0 on empty cells."""
    return [[int(value) for value in row.split(",")] for row in case.rules.text(state).split()[0].split("/")]


def _boards(case: Case) -> tuple[Rows, Rows]:
    return _rows(case, case.before), _rows(case, case.after)


def _columns(rows: Rows) -> Rows:
    return [list(column) for column in zip(*rows, strict=True)]


def _tiles(rows: Rows) -> list[int]:
    return [value for row in rows for value in row if value]


def _is_in_corner(rows: Rows) -> bool:
    """Whether a largest tile is in a corner."""
    return max(_tiles(rows)) in (rows[0][0], rows[0][-1], rows[-1][0], rows[-1][-1])


def _makes_tile(case: Case, values: Mapping[str, Value]) -> bool:
    before, after = (_tiles(rows).count(int(values["value"])) for rows in _boards(case))
    return after > before


def _keeps_corner(case: Case, values: Mapping[str, Value]) -> bool:
    return all(map(_is_in_corner, _boards(case)))


def _brings_to_corner(case: Case, values: Mapping[str, Value]) -> bool:
    before, after = map(_is_in_corner, _boards(case))
    return after and not before


def _merges(case: Case, values: Mapping[str, Value]) -> bool:
    before, after = map(_tiles, _boards(case))
    return len(before) - len(after) == values["count"] and sum(before) == sum(after)


def _has_pair(case: Case, values: Mapping[str, Value]) -> bool:
    rows = _boards(case)[1]
    pairs = (pair for lines in (rows, _columns(rows)) for line in lines for pair in pairwise(line))
    return any(pair == (values["value"], values["value"]) for pair in pairs)


def _leaves_room(case: Case, values: Mapping[str, Value]) -> bool:
    return sum(value == 0 for row in _boards(case)[1] for value in row) == values["count"]


def _edges(rows: Rows) -> Iterator[list[int]]:
    """Each edge in both directions."""
    for lines in (rows, _columns(rows)):
        for edge in (lines[0], lines[-1]):
            yield edge
            yield edge[::-1]


def _orders_edge(case: Case, values: Mapping[str, Value]) -> bool:
    rows = _boards(case)[1]
    largest = max(_tiles(rows))
    return any(edge[0] == largest and all(edge) and all(a >= b for a, b in pairwise(edge)) for edge in _edges(rows))


CHECKS: Mapping[str, Check] = {
    "makes a tile of {value}": _makes_tile,
    "keeps the largest tile in its corner": _keeps_corner,
    "brings the largest tile into a corner": _brings_to_corner,
    "merges two tiles": _merges,
    "leaves two tiles of {value} ready to merge": _has_pair,
    "leaves {count} cells empty": _leaves_room,
    "leaves a full edge in falling order": _orders_edge,
}
