"""Write access to the library's file: every method is one transaction that checks who may write.

A match has one writer: the program that began it, resumed it or took it over last. Each save and takeover increments
its revision. A program writes a match only if the file has the program's name and the revision that the program knows.
So no program overwrites steps that it has not seen, even if clocks are wrong. The heartbeat only shows others whether
the writer still runs.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from papan.game.base.sqlite import read_transaction, transaction
from papan.game.match.library.reader import IS_PLAYED, BadRow, Stored, read_stored
from papan.game.match.library.snapshot import MatchHeader, Origin, Snapshot, common_length
from papan.game.match.library.writer_lock import WriterLock, dead_names, forget, is_dead, is_fresh

log = logging.getLogger(__name__)

DELETED_SECONDS = 24 * 3600.0
"""Deleted matches are purged after this time, even if the program that deleted them was killed."""
_WHICH = "SELECT id, tags, updated FROM matches"
_STANDING = ("writer", "heartbeat", "revision", "name", "deleted", "tags")
_HOW = f"SELECT {', '.join(_STANDING)} FROM matches WHERE id = ?"
_STEPS_OF = "SELECT notation FROM steps WHERE match = ? ORDER BY number"


class Held(NamedTuple):
    """The version in the file of a match that this program writes."""

    id: int
    tags: str
    revision: int
    notations: tuple[str, ...]


class NewMatch(NamedTuple):
    """A complete match to be added, not being played."""

    header: MatchHeader
    snapshot: Snapshot
    name: str = ""
    """The user's name for it, or ""."""


class LeaseLost(Exception):
    """Another program writes the match now."""


class MatchGone(Exception):
    """The match is not in the file any more."""


class Store:
    """The library's file for the program *name*; it belongs to the thread that made it.

    Methods raise LeaseLost if another program writes the match now, MatchGone if it is not in the file any more, and
    BadRow if it can't be read.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, name: str) -> None:
        self._path = path
        self._name = name
        self.connection = connection
        self._writer_lock: WriterLock | None = None
        try:
            self._writer_lock = WriterLock(path, name)
        except sqlite3.Error as error:  # others still have the heartbeat
            log.info("This program's presence can't be told: %s", error)

    def close(self) -> None:
        self.leave()
        self.connection.close()

    def leave(self) -> None:
        """Free the writer lock."""
        if self._writer_lock is not None:
            self._writer_lock.close()
            self._writer_lock = None

    def begin(
        self,
        header: MatchHeader,
        snapshot: Snapshot,
        unless_begun: Iterable[int] | None = None,
        lines: Sequence[NewMatch] = (),
    ) -> Held:
        """Store a new match.

        :param unless_begun: after an earlier call failed, the numbers of all held matches; if that call did store the
            match, it is used.
        :param lines: its variations, stored with it.
        """
        with transaction(self.connection):
            begun = None if unless_begun is None else self._begun_before(header, set(unless_begun))
            match_id, revision = begun or (self._add(header), 0)
            self._write(match_id, revision + 1, (), snapshot)
            self._add_lines(match_id, lines)
        return Held(match_id, header.tags, revision + 1, snapshot.notations)

    def _add(self, header: MatchHeader) -> int:
        added = self.connection.execute(
            "INSERT INTO matches (tags, game, seats, played, round, updated, writer, parent, branched) "
            "VALUES (?, ?, ?, 0, 0, '', ?, ?, ?)",
            (header.tags, header.game, json.dumps(header.seats), self._name, *(header.origin or (None, None))),
        )
        return int(added.lastrowid or 0)

    def _add_lines(self, match_id: int, lines: Iterable[NewMatch]) -> None:
        for header, snapshot, _name in lines:
            if self._has_line(match_id, snapshot.notations):
                continue
            common = header.origin.steps if header.origin else 0
            line_id = self._add(header._replace(origin=Origin(match_id, common)))
            self._write(line_id, 1, (), snapshot)
            self.connection.execute("UPDATE matches SET writer = NULL, is_line = 1 WHERE id = ?", (line_id,))

    def _begun_before(self, header: MatchHeader, held: set[int]) -> tuple[int, int] | None:
        """The number and revision of a match that this program stored without knowing."""
        found = self.connection.execute(
            "SELECT id, revision FROM matches WHERE writer = ? AND tags = ?", (self._name, header.tags)
        ).fetchall()
        return next((row for row in found if row[0] not in held), None)

    def _has_line(self, match_id: int, notations: Sequence[str]) -> bool:
        """Whether the match has a variation with these steps already."""
        lines = self.connection.execute("SELECT id FROM matches WHERE parent = ? AND is_line", (match_id,)).fetchall()
        return any(
            tuple(notation for (notation,) in self.connection.execute(_STEPS_OF, line)) == tuple(notations)
            for line in lines
        )

    def save(self, held: Held, snapshot: Snapshot, lines: Sequence[NewMatch] = ()) -> Held:
        """Store *snapshot*.

        :param lines: new variations, stored with it.
        """
        with transaction(self.connection):
            held = self._checked(held)
            self._write(held.id, held.revision + 1, held.notations, snapshot)
            self._add_lines(held.id, lines)
        return held._replace(revision=held.revision + 1, notations=snapshot.notations)

    def claim(self, held: Held) -> Held:
        """Become the writer of a match, if no program has continued it since it was read; else raises LeaseLost."""
        with transaction(self.connection):
            writer, revision = self._standing(held)
            if revision != held.revision and writer != self._name:
                raise LeaseLost
            self._take(held.id, revision + 1)
        return held._replace(revision=revision + 1)

    def take_over(self, match_id: int) -> tuple[Held, Stored]:
        """Become the writer of a match, even if another program plays it; also returns the match."""
        with transaction(self.connection):
            stored = read_stored(self.connection, match_id)
            if stored is None:
                raise MatchGone
            self._take(match_id, stored.revision + 1)
        return Held(match_id, stored.tags, stored.revision + 1, stored.notations), stored

    def _take(self, match_id: int, revision: int) -> None:
        self.connection.execute(
            "UPDATE matches SET writer = ?, revision = ?, heartbeat = ? WHERE id = ?",
            (self._name, revision, time.time(), match_id),
        )

    def renew(self, held: Held) -> None:
        """Renew the heartbeat."""
        with transaction(self.connection):
            changed = self.connection.execute(
                "UPDATE matches SET heartbeat = ? WHERE id = ? AND writer = ?", (time.time(), held.id, self._name)
            )
            if not changed.rowcount:
                self._standing(held)
                raise LeaseLost

    def release(self, held: Held) -> None:
        """Stop being the writer, if this program is."""
        with transaction(self.connection):
            self.connection.execute(
                "UPDATE matches SET writer = NULL, heartbeat = NULL WHERE id = ? AND writer = ? AND revision = ?",
                (held.id, self._name, held.revision),
            )

    def discard(self, held: Held) -> None:
        """Delete a match unless another program is its writer."""
        with transaction(self.connection):
            self.connection.execute(
                "DELETE FROM matches WHERE id = ? AND (writer = ? OR writer IS NULL AND revision = ?)",
                (held.id, self._name, held.revision),
            )

    def drop(self, match_id: int) -> bool:
        """Delete a match; returns False if another program plays it."""
        with transaction(self.connection):
            if self._is_played_elsewhere(match_id):
                return False
            self.connection.execute("DELETE FROM matches WHERE id = ?", (match_id,))
        return True

    def forget_the_dead(self) -> None:
        """Release the matches of killed programs, and delete those that were begun and have no step.

        Imported positions without steps stay: a program becomes their writer with their first step.
        """
        for name in list(dead_names(self._path)):
            with transaction(self.connection):
                self.connection.execute(f"DELETE FROM matches WHERE writer = ? AND NOT {IS_PLAYED}", (name,))
                self.connection.execute("UPDATE matches SET writer = NULL, heartbeat = NULL WHERE writer = ?", (name,))
            forget(self._path, name)

    def add(self, matches: Iterable[NewMatch]) -> list[int]:
        """Store *matches*, all or none; returns their numbers."""
        numbers = []
        with transaction(self.connection):
            for header, snapshot, name in matches:
                match_id = self._add(header)
                self._write(match_id, 1, (), snapshot)
                self.connection.execute(
                    "UPDATE matches SET writer = NULL, heartbeat = NULL, name = ? WHERE id = ?", (name, match_id)
                )
                numbers.append(match_id)
        return numbers

    def bring(self, source: sqlite3.Connection) -> dict[int, int]:
        """Copy matches from *source*, another library of the same version, if they are missing or older here.

        Returns changed numbers, old to new. A match that another program plays here stays as it is.
        """
        moved: dict[int, int] = {}
        with read_transaction(source), transaction(self.connection):
            known = {(tags, updated): number for number, tags, updated in self.connection.execute(_WHICH)}
            rows = source.execute("SELECT * FROM matches ORDER BY id")
            names = [name for name, *_ in rows.description]
            for row in rows:
                match = dict(zip(names, row, strict=True))
                number = match["id"]
                match["id"] = known.get((match["tags"], match["updated"]), number)
                match["parent"] = moved.get(match["parent"], match["parent"])
                here = self.connection.execute(_HOW, (match["id"],)).fetchone()
                if here is not None and here[-1] != match["tags"]:
                    here = match["id"] = None
                if self._is_to_be_taken(match, here):
                    match["id"] = self._take_in(match)
                    steps = source.execute("SELECT number, notation FROM steps WHERE match = ?", (number,))
                    self.connection.executemany(f"INSERT INTO steps VALUES ({match['id']}, ?, ?)", steps)
                if match["id"] not in (number, None):
                    moved[number] = match["id"]
        return moved

    def _is_to_be_taken(self, match: Mapping[str, Any], here: tuple[Any, ...] | None) -> bool:
        """Whether a *match* of another file replaces the row *here*, if any."""
        if here is None:
            return match["deleted"] is None
        writer, heartbeat, revision, *_ = here
        if revision > match["revision"] or self.is_elsewhere(writer, heartbeat):
            return False
        return bool(here != tuple(match[name] for name in _STANDING))

    def _take_in(self, match: Mapping[str, Any]) -> int:
        """Store the row of a *match* from another file, without its steps; returns its number."""
        self.connection.execute("DELETE FROM matches WHERE id = ?", (match["id"],))
        marks = ", ".join("?" * len(match))
        added = self.connection.execute(
            f"INSERT INTO matches ({', '.join(match)}) VALUES ({marks})", tuple(match.values())
        )
        return int(added.lastrowid or 0)

    def rename(self, match_id: int, name: str) -> None:
        """Set the name of a match, even if another program plays it."""
        with transaction(self.connection):
            self.connection.execute("UPDATE matches SET name = ? WHERE id = ?", (name, match_id))

    def delete(self, match_ids: Iterable[int]) -> list[int]:
        """Mark matches as deleted; returns the numbers of those that another program plays, which are not."""
        kept = []
        with transaction(self.connection):
            for match_id in match_ids:
                if self._is_played_elsewhere(match_id):
                    kept.append(match_id)
                else:
                    self.connection.execute("UPDATE matches SET deleted = ? WHERE id = ?", (time.time(), match_id))
        return kept

    def restore(self, match_ids: Iterable[int]) -> None:
        with transaction(self.connection):
            self.connection.executemany(
                "UPDATE matches SET deleted = NULL WHERE id = ?", [(match_id,) for match_id in match_ids]
            )

    def forget_deleted(self, match_ids: Iterable[int] | None = None) -> None:
        """Purge those of *match_ids* that are deleted; default: all that were deleted more than a day ago."""
        with transaction(self.connection):
            if match_ids is None:
                before = time.time() - DELETED_SECONDS
                self.connection.execute("DELETE FROM matches WHERE deleted < ?", (before,))
            else:
                self.connection.executemany(
                    "DELETE FROM matches WHERE id = ? AND deleted IS NOT NULL", [(number,) for number in match_ids]
                )

    def uncounted(self, known: Iterable[int]) -> int | None:
        """The number of a match without a count of turns that is not among *known*, or None."""
        unfit = set(known)
        rows = self.connection.execute("SELECT id FROM matches WHERE turns IS NULL AND writer IS NULL ORDER BY id")
        return next((number for (number,) in rows.fetchall() if number not in unfit), None)

    def count_turns(self, match_id: int, revision: int, turns: int) -> None:
        """Store the number of turns of a match, if it still has this *revision*."""
        with transaction(self.connection):
            self.connection.execute(
                "UPDATE matches SET turns = ? WHERE id = ? AND revision = ?", (turns, match_id, revision)
            )

    def data_version(self) -> int:
        """A number that changes when another connection changes the file."""
        return int(self.connection.execute("PRAGMA data_version").fetchone()[0])

    def look(self, match_id: int) -> Stored:
        """Read the match."""
        with read_transaction(self.connection):
            stored = read_stored(self.connection, match_id)
        if stored is None:
            raise MatchGone
        return stored

    def is_elsewhere(self, writer: object, heartbeat: object) -> bool:
        """Whether *writer* is another program that still runs, as far as known."""
        if not isinstance(writer, str) or writer == self._name or not isinstance(heartbeat, int | float):
            return False
        return is_fresh(heartbeat, time.time()) and not is_dead(self._path, writer)

    def _is_played_elsewhere(self, match_id: int) -> bool:
        row = self.connection.execute("SELECT writer, heartbeat FROM matches WHERE id = ?", (match_id,)).fetchone()
        return row is not None and self.is_elsewhere(*row)

    def _standing(self, held: Held) -> tuple[object, int]:
        """The writer and revision of the match; raises MatchGone if the number belongs to another match now."""
        row = self.connection.execute("SELECT tags, writer, revision FROM matches WHERE id = ?", (held.id,)).fetchone()
        if row is None or row[0] != held.tags:
            raise MatchGone
        revision = row[2] if isinstance(row[2], int) else 0
        if revision < held.revision and row[1] != self._name:  # an older file replaced it
            raise MatchGone
        return row[1], revision

    def _checked(self, held: Held) -> Held:
        """*held*, updated if this program's last save succeeded although it seemed to fail."""
        writer, revision = self._standing(held)
        if writer != self._name:
            raise LeaseLost
        if revision == held.revision:
            return held
        try:
            stored = read_stored(self.connection, held.id)
        except BadRow:
            stored = None
        return held._replace(revision=revision, notations=stored.notations if stored else ())

    def _write(self, match_id: int, revision: int, stored: tuple[str, ...], snapshot: Snapshot) -> None:
        """Store the steps that differ from those *stored*, and the row; within a transaction."""
        same = common_length(stored, snapshot.notations)
        ending = snapshot.ending
        self.connection.execute(
            "UPDATE matches SET played = ?, turns = ?, round = ?, mover = ?, payoffs = ?, reason = ?, updated = ?, "
            "revision = ?, heartbeat = ?, is_line = 0, deleted = NULL WHERE id = ?",
            (
                snapshot.played,
                snapshot.turns,
                snapshot.round,
                snapshot.mover,
                json.dumps(ending.payoffs) if ending else None,
                ending.reason if ending else None,
                snapshot.when.isoformat(timespec="microseconds"),
                revision,
                time.time(),
                match_id,
            ),
        )
        self.connection.execute("DELETE FROM steps WHERE match = ? AND number >= ?", (match_id, same))
        self.connection.executemany(
            "INSERT INTO steps (match, number, notation) VALUES (?, ?, ?)",
            [(match_id, same + index, notation) for index, notation in enumerate(snapshot.notations[same:])],
        )
