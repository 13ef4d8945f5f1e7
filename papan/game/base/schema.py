"""The schema of a database: statements that lead from one version to the next, and a database with nothing else."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

Migration = Sequence[str]
"""The SQL statements that bring a schema from one version to the next."""


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All statements inside take effect together when it ends, or none if it ends by an error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite rolls back by itself after some errors, such as a full disk
            connection.execute("ROLLBACK")
        raise


def in_memory(migrations: Sequence[Migration]) -> sqlite3.Connection:
    """A new database, in memory only, with the schema that *migrations* lead to."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.text_factory = text
    prepare(connection, migrations)
    return connection


def prepare(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> None:
    """Bring the schema up to date, all migrations in one transaction."""
    connection.execute("PRAGMA foreign_keys = ON")
    if schema_version(connection) == len(migrations):
        return
    with transaction(connection):
        for statements in migrations[schema_version(connection) :]:  # asked anew: another program may have been here
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(migrations)}")


def schema_version(connection: sqlite3.Connection) -> int:
    """How many migrations the database has had."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def table_names(connection: sqlite3.Connection) -> list[str]:
    """The tables of the schema without SQLite's own, in the order in which they were made."""
    names = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY rowid"
    )
    return [str(name) for (name,) in names.fetchall()]


def structure(connection: sqlite3.Connection) -> set[tuple[object, ...]]:
    """The columns of all tables, and which refer to which: the schema without its wording."""
    columns = connection.execute(
        """SELECT tables.name, wr, columns.name, columns.type, "notnull", dflt_value, pk
        FROM pragma_table_list AS tables, pragma_table_xinfo(tables.name) AS columns
        WHERE tables.schema = 'main' AND substr(tables.name, 1, 7) <> 'sqlite_'"""
    ).fetchall()
    references = connection.execute(
        """SELECT tables.name, "table", "from", "to", on_delete
        FROM pragma_table_list AS tables, pragma_foreign_key_list(tables.name)
        WHERE tables.schema = 'main'"""
    ).fetchall()
    return {*columns, *references}


def text(content: bytes) -> str:
    """The ``text_factory`` of every connection: bytes that are no UTF-8 become marks of replacement."""
    return content.decode(errors="replace")
