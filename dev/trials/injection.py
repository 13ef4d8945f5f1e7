"""Makes SQLite statements fail, as a disk, other programs or damage might at any of them."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self, TypeVar
from unittest import mock

T = TypeVar("T")

Moment = Literal["before", "after", "rolled back"]
"""When a statement fails: before or after its execution, or before it with its whole transaction rolled back, as SQLite
does after some errors (https://www.sqlite.org/lang_transaction.html, section 2.2)."""

MOMENTS: tuple[Moment, ...] = ("before", "after", "rolled back")

KINDS: Mapping[str, int] = {
    "FULL": sqlite3.SQLITE_FULL,
    "BUSY": sqlite3.SQLITE_BUSY,
    "LOCKED": sqlite3.SQLITE_LOCKED,
    "IOERR": sqlite3.SQLITE_IOERR_WRITE,
    "CORRUPT": sqlite3.SQLITE_CORRUPT,
    "READONLY": sqlite3.SQLITE_READONLY,
    "CANTOPEN": sqlite3.SQLITE_CANTOPEN,
}
"""SQLite's error codes by name; the last one stands for a missing disk."""

OPENING = "open"  # opening a file counts as a statement with these words
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_NAME_OF_A_PROGRAM = re.compile("-[0-9a-f]{32}")


class Statement(NamedTuple):
    thread: str
    file: str
    """The file's name without the program's random part."""
    words: str
    occurrence: int
    """The number of earlier statements with these words, on this file, in this thread."""

    def __str__(self) -> str:
        return f"{self.words!r} ({self.occurrence + 1}) of {self.file} in the thread {self.thread}"


class Fault(NamedTuple):
    statement: Statement
    kind: str
    moment: Moment = "before"
    lasts: bool = False
    """Whether all statements after it fail as well, until ``Faults.pass_by``."""

    @property
    def is_of_damage(self) -> bool:
        return KINDS[self.kind] in _DAMAGE

    def __str__(self) -> str:
        return f"{self.kind} {self.moment} {self.statement}{', and from then on' if self.lasts else ''}"


class Faults:
    """Records the statements of this process, and makes one of them fail."""

    def __init__(self, fault: Fault | None = None, *, hold: Callable[[], None] = lambda: None) -> None:
        """:param hold: called in the statement's thread before the first failure, like a slow disk."""
        self.seen: list[Statement] = []
        self.failures = 0
        """The number of failed statements."""
        self._fault = fault
        self._hold = hold
        self._lock = threading.Lock()
        self._said: Counter[tuple[str, str, str]] = Counter()
        self._has_passed = False

    @contextmanager
    def installed(self) -> Iterator[Self]:
        """Run the statements of all connections to files opened in the block."""
        connect: Callable[..., sqlite3.Connection] = sqlite3.connect

        def connect_telling(database: Any, *arguments: Any, **named: Any) -> sqlite3.Connection:
            if database == ":memory:":
                return connect(database, *arguments, **named)
            file = _NAME_OF_A_PROGRAM.sub("", Path(database).name)
            kind = _telling(self, file)
            return self.run(file, OPENING, lambda: connect(database, *arguments, factory=kind, **named))

        with mock.patch.object(sqlite3, "connect", connect_telling):
            yield self

    @property
    def is_failing(self) -> bool:
        """Whether all statements fail now."""
        return self.failures > 0 and not self._has_passed and self._fault is not None and self._fault.lasts

    def pass_by(self) -> None:
        self._has_passed = True

    def run(
        self, file: str, words: str, statement: Callable[[], T], roll_back: Callable[[], object] = lambda: None
    ) -> T:
        """The result of *statement*, unless it is made to fail.

        :param roll_back: rolls back its transaction.
        :raises sqlite3.Error: it is made to fail.
        """
        fails = self._note(file, words)
        fault = self._fault
        if not fails or fault is None:
            return statement()
        if self.failures == 1:
            self._hold()
        if fault.moment == "after":
            statement()
        elif fault.moment == "rolled back":
            roll_back()
        raise _error(KINDS[fault.kind])

    def _note(self, file: str, words: str) -> bool:
        thread = threading.current_thread().name
        with self._lock:
            occurrence = self._said[thread, file, words]
            self._said[thread, file, words] += 1
            said = Statement(thread, file, words, occurrence)
            self.seen.append(said)
            fails = self._fault is not None and (self.is_failing or said == self._fault.statement)
            self.failures += fails
            return fails


def _error(code: int) -> sqlite3.Error:
    kind = sqlite3.DatabaseError if code in _DAMAGE else sqlite3.OperationalError
    error = kind("made to fail")
    error.sqlite_errorcode = code
    return error


def _telling(faults: Faults, file: str) -> type[sqlite3.Connection]:
    class Telling(sqlite3.Connection):
        """A connection that lets ``Faults`` run its statements."""

        def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
            return self._run(sql, lambda: super(Telling, self).execute(sql, *values))

        def executemany(self, sql: str, *values: Any) -> sqlite3.Cursor:
            return self._run(sql, lambda: super(Telling, self).executemany(sql, *values))

        def _run(self, sql: str, statement: Callable[[], sqlite3.Cursor]) -> sqlite3.Cursor:
            return faults.run(file, " ".join(sql.split()), statement, self._roll_back)

        def _roll_back(self) -> None:
            if self.in_transaction:
                super().execute("ROLLBACK")

    return Telling
