"""What SQLite could not do, in words, and whether that is the file's fault or the place's."""

from __future__ import annotations

import sqlite3

from papan.game.base.sentences import say

DATABASE_ERRORS = (sqlite3.Error, UnicodeDecodeError, OverflowError)
"""What a statement may raise where the file is damaged, locked or full: messages may have bytes of the file."""

_PRIMARY_CODE = 0xFF  # SQLite's extended error codes keep the primary one in the lowest byte

_TROUBLES = {
    sqlite3.SQLITE_PERM: say("it may not be used"),
    sqlite3.SQLITE_BUSY: say("another program is using it"),
    sqlite3.SQLITE_LOCKED: say("another program is using it"),
    sqlite3.SQLITE_NOMEM: say("there is too little memory"),
    sqlite3.SQLITE_READONLY: say("it can't be written"),
    sqlite3.SQLITE_INTERRUPT: say("its reading was interrupted"),
    sqlite3.SQLITE_IOERR: say("the disk reports an error"),
    sqlite3.SQLITE_FULL: say("the disk is full"),
    sqlite3.SQLITE_CANTOPEN: say("it can't be opened"),
    sqlite3.SQLITE_PROTOCOL: say("another program is using it"),
    sqlite3.SQLITE_NOLFS: say("the disk can't hold so large a file"),
    sqlite3.SQLITE_AUTH: say("it may not be used"),
}
"""What SQLite reports of the place, not of the file: anything else is damage."""


def code_of(error: BaseException) -> int:
    """SQLite's primary code of *error*; 0 where it has none."""
    return int(getattr(error, "sqlite_errorcode", None) or 0) & _PRIMARY_CODE


def is_of_the_place(error: BaseException) -> bool:
    """Whether *error* is trouble of the disk, of another program or of rights, and the file may be sound."""
    return code_of(error) in _TROUBLES


def in_words(error: BaseException) -> str:
    """What *error* says of a file, as a clause such as "the disk is full"."""
    if is_of_the_place(error):
        return _TROUBLES[code_of(error)]
    if isinstance(error, UnicodeDecodeError) or code_of(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return say("it is damaged")
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[0].lower() + error.strerror[1:]
    return str(error)
