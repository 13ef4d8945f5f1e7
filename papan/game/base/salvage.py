"""What can be saved of a damaged database: its rows, brought one by one into a new one of a known schema.

A row that says to which table it belongs goes there if its values can be that table's; any other goes to the
table that they fit. Each row is inserted by itself: one that is refused loses only itself. The first row of a
key stays, so sources are given with the most trusted one first.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from papan.game.base.schema import has_row_numbers, table_names
from papan.game.base.sqlite_pages import read_pages
from papan.game.base.sqlite_rows import Row, Value, read_rows

log = logging.getLogger(__name__)

_TYPES: Mapping[str, tuple[type, ...]] = {"INTEGER": (int,), "TEXT": (str,), "REAL": (float, int), "BLOB": (bytes,)}
"""What the columns of a declared type hold; those of other types may hold anything."""

Orphans = Mapping[str, Sequence[tuple[Value, ...]]]
"""Rows by their table that were read, but not brought over, because the row that they refer to is lost."""


Accept = Callable[[str, Mapping[str, Value]], bool]
"""Whether a row, given its table and its values by their columns, makes sense to the one whose rows they are."""


def accept_all(_table: str, _row: Mapping[str, Value]) -> bool:
    """The ``Accept`` of one who can't tell."""
    return True


class _Column(NamedTuple):
    name: str
    declared: str
    may_be_missing: bool
    is_row_number: bool

    def takes(self, value: Value) -> bool:
        if value is None:
            return self.may_be_missing or self.is_row_number
        return isinstance(value, _TYPES.get(self.declared, (int, float, str, bytes)))


class _Table(NamedTuple):
    name: str
    columns: Sequence[_Column]
    """In the order in which their values are stored."""
    has_row_numbers: bool

    def takes(self, row: Row) -> bool:
        """Whether *row* can be one of this table's; columns that it lacks get their defaults."""
        if (row.number is not None) != self.has_row_numbers or not 0 < len(row.values) <= len(self.columns):
            return False
        values = [*row.values, *[None] * (len(self.columns) - len(row.values))]
        return all(column.takes(value) for column, value in zip(self.columns, values, strict=True))

    def by_column(self, row: Row) -> dict[str, Value]:
        """The values of *row*, which are not those of all columns, by their names."""
        pairs = zip(self.columns, row.values, strict=False)
        return {column.name: row.number if column.is_row_number else value for column, value in pairs}


def rows_of(path: Path) -> list[Row]:
    """All rows that can be read in the file *path*, damaged as it may be, and in its write-ahead log.

    :raises OSError: the file can't be read.
    """
    return max((list(read_rows(pages)) for pages in read_pages(path)), key=len)


def bring_in(
    connection: sqlite3.Connection, sources: Sequence[Iterable[Row]], accept: Accept = accept_all
) -> tuple[int, Orphans]:
    """Insert the rows of *sources* into the tables that are there; returns how many, and those that have lost theirs.

    A row that is not accepted gives way to the one of its key in the next source. Tables are filled in the order in
    which they were made, so that a row finds the one that it refers to.
    """
    tables = [_table(connection, name) for name in table_names(connection)]
    sorted_rows: dict[str, list[Row]] = {table.name: [] for table in tables}
    for row in (row for source in sources for row in source):
        fitting = [table.name for table in tables if table.takes(row)]
        if fitting:
            sorted_rows[row.table if row.table in fitting else fitting[0]].append(row)
    count = 0
    orphans: dict[str, list[tuple[Value, ...]]] = {table.name: [] for table in tables}
    for table in tables:
        for row in sorted_rows[table.name]:
            try:
                if accept(table.name, table.by_column(row)):
                    count += _insert(connection, table, row)
            except sqlite3.IntegrityError:
                orphans[table.name].append(row.values)
            except Exception:  # after chance has been at the row, anything may be in it
                log.warning("A row of %s makes no sense", table.name, exc_info=True)
    return count, orphans


def _insert(connection: sqlite3.Connection, table: _Table, row: Row) -> int:
    """1 if the row is new, else 0.

    :raises sqlite3.IntegrityError: the row that it refers to is not there.
    """
    values = table.by_column(row)
    names = ", ".join(f'"{name}"' for name in values)
    marks = ", ".join("?" * len(values))
    inserted = connection.execute(
        f'INSERT OR IGNORE INTO "{table.name}" ({names}) VALUES ({marks})', tuple(values.values())
    )
    return inserted.rowcount


def _table(connection: sqlite3.Connection, name: str) -> _Table:
    is_numbered = has_row_numbers(connection, name)
    found = connection.execute(
        'SELECT pk, name, type, "notnull", dflt_value FROM pragma_table_xinfo(?)', (name,)
    ).fetchall()
    if not is_numbered:  # the columns of the key are stored first
        found = sorted(found, key=lambda column: column[0] or len(found))
    keys = [column for key, column, *_ in found if key]
    columns = []
    for _, column, declared, is_needed, default in found:
        is_row_number = [column] == keys and declared == "INTEGER" and is_numbered
        columns.append(_Column(column, declared, not is_needed or default is not None, is_row_number))
    return _Table(name, columns, is_numbered)
