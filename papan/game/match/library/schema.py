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
        # How often it has been saved or taken over: who writes names the revision that it goes on from.
        "ALTER TABLE matches ADD COLUMN revision INTEGER NOT NULL DEFAULT 0",
        # The presence of the program that writes it; NULL while nobody does.
        "ALTER TABLE matches ADD COLUMN writer TEXT",
        # When that program last said that it is there, in seconds since 1970.
        "ALTER TABLE matches ADD COLUMN heartbeat REAL",
        # A program of the first version that had the file open already knows nothing of revisions.
        """CREATE TRIGGER one_writer BEFORE UPDATE OF played, updated ON matches
        WHEN NEW.revision = OLD.revision AND NEW.updated IS NOT OLD.updated AND OLD.played IS NOT NEW.played
        BEGIN
            SELECT RAISE(ABORT, 'it is kept by a newer version of Papan now');
        END""",
    ),
    (
        # What a person calls it; '' where it has no name of its own.
        "ALTER TABLE matches ADD COLUMN name TEXT NOT NULL DEFAULT ''",
        # How many turns of its seats are played; NULL where nobody has counted them yet.
        "ALTER TABLE matches ADD COLUMN turns INTEGER",
        # The match that it branches off from, which may be gone, and how many steps the two have in common.
        "ALTER TABLE matches ADD COLUMN parent INTEGER",
        "ALTER TABLE matches ADD COLUMN branched INTEGER",
        # 1 where it is what was played before something else was played instead, and nobody has gone on with it.
        "ALTER TABLE matches ADD COLUMN is_line INTEGER NOT NULL DEFAULT 0",
        # When a person deleted it, in seconds since 1970; until it is gone for good, that can be taken back.
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
    cut = {match for (match,) in connection.execute(_SHORT)}
    connection.execute(_GO_ON)
    [count] = connection.execute("SELECT count(*) FROM matches").fetchone()
    lost = len({match for match, *_ in orphans["steps"]})
    told = [
        say_number("{count} match was saved", "{count} matches were saved", count)
        if count
        else say("No match could be saved")
    ]
    if cut:
        told.append(say("{cut} of them only in part", cut=len(cut)))
    if lost:
        told.append(say_number("{count} match was lost", "{count} matches were lost", lost))
    return joined([joined(told, ", "), "."], "")
