"""The library's tables, and repairing the matches recovered from a damaged file.

Steps are stored by their notation, as step codes may change with versions of the program.
"""

from __future__ import annotations

import datetime
import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from papan.game.base import places
from papan.game.base.database import Opened, Orphans, open_database
from papan.game.base.sentences import joined, say, say_number
from papan.game.base.sqlite_pages import Value

FILE_NAME = "library.sqlite3"

MIGRATIONS = (
    (
        """CREATE TABLE matches (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            tags TEXT NOT NULL,      -- JSON: the tags of its record, by name
            game TEXT NOT NULL,
            seats TEXT NOT NULL,     -- JSON: the players' names in the order of play
            played INTEGER NOT NULL, -- how many of its steps are played; those after them were taken back
            round INTEGER NOT NULL,
            mover INTEGER,           -- the seat to act; NULL for chance, and once the match is over
            payoffs TEXT,            -- JSON: what each seat has won; NULL while the match goes on
            reason TEXT,
            updated TEXT NOT NULL    -- ISO 8601, UTC
        )""",
        """CREATE TABLE steps (
            match INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE,
            number INTEGER NOT NULL, -- from 0
            notation TEXT NOT NULL,
            PRIMARY KEY (match, number)
        ) WITHOUT ROWID""",
    ),
    (
        # The number of saves and takeovers: writers name the revision that they continue.
        "ALTER TABLE matches ADD COLUMN revision INTEGER NOT NULL DEFAULT 0",
        # The name of the program that writes it, or NULL.
        "ALTER TABLE matches ADD COLUMN writer TEXT",
        # The last sign of that program, in seconds since 1970.
        "ALTER TABLE matches ADD COLUMN heartbeat REAL",
        # For programs of the first version, which may have the file open and don't know revisions.
        """CREATE TRIGGER one_writer BEFORE UPDATE OF played, updated ON matches
        WHEN NEW.revision = OLD.revision AND NEW.updated IS NOT OLD.updated AND OLD.played IS NOT NEW.played
        BEGIN
            SELECT RAISE(ABORT, 'it is kept by a newer version of Papan now');
        END""",
    ),
    (
        # The user's name for it, or ''.
        "ALTER TABLE matches ADD COLUMN name TEXT NOT NULL DEFAULT ''",
        # The number of turns of its seats; NULL if not counted yet.
        "ALTER TABLE matches ADD COLUMN turns INTEGER",
        # The match that it branches off from, which may be gone, and the number of common steps.
        "ALTER TABLE matches ADD COLUMN parent INTEGER",
        "ALTER TABLE matches ADD COLUMN branched INTEGER",
        # 1 for a variation: steps that were replaced by others, and not continued since.
        "ALTER TABLE matches ADD COLUMN is_line INTEGER NOT NULL DEFAULT 0",
        # When the user deleted it, in seconds since 1970; until it is purged, it can be restored.
        "ALTER TABLE matches ADD COLUMN deleted REAL",
    ),
)
_CUT = (
    # Undone steps may not belong to the steps before them.
    "DELETE FROM steps WHERE number >= (SELECT played FROM matches WHERE id = match)",
    """DELETE FROM steps WHERE (match, number) IN (
        SELECT match, number FROM (
            SELECT match, number, row_number() OVER (PARTITION BY match ORDER BY number) - 1 AS place FROM steps
        ) WHERE number <> place
    )""",
)
_EMPTY = "DELETE FROM matches WHERE played > 0 AND id NOT IN (SELECT match FROM steps)"
_JSON = ("tags", "seats", "payoffs")
_GO_ON = """UPDATE matches SET played = (SELECT count(*) FROM steps WHERE match = id), payoffs = NULL, reason = NULL
    , turns = NULL WHERE played > (SELECT count(*) FROM steps WHERE match = id)"""
"""Resume matches at their last step that was recovered."""
_SHORT = "SELECT id FROM matches WHERE played > (SELECT count(*) FROM steps WHERE match = id)"


def default_path() -> Path:
    return places.data_folder() / FILE_NAME


def open_library(path: Path) -> Opened:
    """Open the library in the file *path*; see ``open_database``."""
    return open_database(path, MIGRATIONS, mend=mend_matches, accept=accept_row)


def accept_row(table: str, row: Mapping[str, Value]) -> bool:
    """Whether the texts in a *row* of *table* are valid."""
    if table != "matches":
        return True
    try:
        datetime.datetime.fromisoformat(str(row["updated"]))
        read = [json.loads(str(row[column])) for column in _JSON if row[column] is not None]
    except (ValueError, KeyError, RecursionError):
        return False
    return len(read) >= 2 and isinstance(read[0], dict) and all(isinstance(value, list) for value in read[1:])


def mend_matches(connection: sqlite3.Connection, orphans: Orphans) -> str:
    """Cut each match before its first lost step; returns a sentence about how many matches were recovered."""
    for statement in _CUT:
        connection.execute(statement)
    emptied = connection.execute(_EMPTY).rowcount
    cut = {match for (match,) in connection.execute(_SHORT)}
    connection.execute(_GO_ON)
    [count] = connection.execute("SELECT count(*) FROM matches").fetchone()
    lost = len({match for match, *_ in orphans["steps"]}) + emptied
    told = [
        say_number("{count} match was recovered", "{count} matches were recovered", count)
        if count
        else say("No match could be recovered")
    ]
    if cut:
        told.append(say("{cut} of them only in part", cut=len(cut)))
    if lost:
        told.append(say_number("{count} match was lost", "{count} matches were lost", lost))
    return joined([joined(told, ", "), "."], "")
