"""The library's file: its name, its tables, and how it is opened.

Steps are stored in their notation, not as codes: codes are an inner matter of a game's module and may
change with a version of the program, while notations are what records and people use.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from papan.game.base import places
from papan.game.base.database import Opened, is_kept, open_database
from papan.game.match.library.mending import accept_row, mend_matches

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


def default_path() -> Path:
    """The file of the user's own library."""
    return places.data_folder() / FILE_NAME


def open_library(path: Path) -> Opened:
    """The library in the file *path*; see ``open_database``."""
    return open_database(path, MIGRATIONS, mend=mend_matches, accept=accept_row)


def is_in_memory(connection: sqlite3.Connection) -> bool:
    """Whether the database has no file: then nobody else sees it, and it ends with the program."""
    return not is_kept(connection)
