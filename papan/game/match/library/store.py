"""The library's file as its writer changes it: every method is one transaction that checks who may write.

A match has one writer: the program that began it, resumed it or took it over last. Each saving and taking over raises
its revision by one. A program writes a match only while its own name and the revision that it goes on from stand there.
So the steps in the file are always those of one program going on from what it has seen, whatever clocks say. The
heartbeat only tells others whether that program still runs.
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
"""After so long a deleted match is gone for good, even if the program that deleted it was killed."""
_WHICH = "SELECT id, tags, updated FROM matches"
_STANDING = ("writer", "heartbeat", "revision", "name", "deleted", "tags")
_HOW = f"SELECT {', '.join(_STANDING)} FROM matches WHERE id = ?"
_STEPS_OF = "SELECT notation FROM steps WHERE match = ? ORDER BY number"


class Held(NamedTuple):
    """A match that this program writes, as it stands in the file."""

    id: int
    tags: str
    revision: int
    notations: tuple[str, ...]


class NewMatch(NamedTuple):
    """A complete match to be added, which nobody plays."""

    facts: MatchHeader
    snapshot: Snapshot
    name: str = ""
    """What a person calls it, or ""."""


class LeaseLost(Exception):
    """Another program writes the match now."""


class MatchGone(Exception):
    """The match is not in the file any more."""


class Store:
    """The library's file for one program, called *name*; it belongs to the thread that made it."""

    def __init__(self, path: Path, connection: sqlite3.Connection, name: str) -> None:
        self._path = path
        self._name = name
        self.connection = connection
        self._presence: WriterLock | None = None
        try:
            self._presence = WriterLock(path, name)
        except sqlite3.Error as error:  # then others know by the heartbeat
            log.info("This program's presence can't be told: %s", error)

    def close(self) -> None:
        self.leave()
        self.connection.close()

    def leave(self) -> None:
        """Free the writer lock."""
        if self._presence is not None:
            self._presence.close()
            self._presence = None

    # ------------------------------------------------------------------------------------- writing

    def begin(
        self,
        facts: MatchHeader,
        snapshot: Snapshot,
        unless_begun: Iterable[int] | None = None,
        lines: Sequence[NewMatch] = (),
    ) -> Held:
        """Store a new match.

        :param unless_begun: after an earlier call that failed, the numbers of all matches that are held: should
            that call have been carried out all the same, its match is used.
        :param lines: variations of it that are stored with it.
        """
        with transaction(self.connection):
            begun = None if unless_begun is None else self._begun_before(facts, set(unless_begun))
            match_id, revision = begun or (self._add(facts), 0)
            self._write(match_id, revision + 1, (), snapshot)
            self._add_lines(match_id, lines)
        return Held(match_id, facts.tags, revision + 1, snapshot.notations)

    def _add(self, facts: MatchHeader) -> int:
        added = self.connection.execute(
            "INSERT INTO matches (tags, game, seats, played, round, updated, writer, parent, branched) "
            "VALUES (?, ?, ?, 0, 0, '', ?, ?, ?)",
            (facts.tags, facts.game, json.dumps(facts.seats), self._name, *(facts.origin or (None, None))),
        )
        return int(added.lastrowid or 0)

    def _add_lines(self, match_id: int, lines: Iterable[NewMatch]) -> None:
        for facts, snapshot, _name in lines:
            if self._has_line(match_id, snapshot.notations):
                continue
            common = facts.origin.steps if facts.origin else 0
            line_id = self._add(facts._replace(origin=Origin(match_id, common)))
            self._write(line_id, 1, (), snapshot)
            self.connection.execute("UPDATE matches SET writer = NULL, is_line = 1 WHERE id = ?", (line_id,))

    def _begun_before(self, facts: MatchHeader, held: set[int]) -> tuple[int, int] | None:
        """The number and the revision of a match of this program that it does not know of."""
        found = self.connection.execute(
            "SELECT id, revision FROM matches WHERE writer = ? AND tags = ?", (self._name, facts.tags)
        ).fetchall()
        return next((row for row in found if row[0] not in held), None)

    def _has_line(self, match_id: int, notations: Sequence[str]) -> bool:
        """Whether a variation of the match has these steps: an earlier attempt may have stored it, or another day."""
        lines = self.connection.execute("SELECT id FROM matches WHERE parent = ? AND is_line", (match_id,)).fetchall()
        return any(
            tuple(notation for (notation,) in self.connection.execute(_STEPS_OF, line)) == tuple(notations)
            for line in lines
        )

    def save(self, held: Held, snapshot: Snapshot, lines: Sequence[NewMatch] = ()) -> Held:
        """Make what is stored equal to *snapshot*.

        :param lines: new variations of the match that are stored with it.
        :raises LeaseLost: another program writes the match now.
        :raises MatchGone: it is not there any more.
        """
        with transaction(self.connection):
            held = self._checked(held)
            self._write(held.id, held.revision + 1, held.notations, snapshot)
            self._add_lines(held.id, lines)
        return held._replace(revision=held.revision + 1, notations=snapshot.notations)

    def claim(self, held: Held) -> Held:
        """Become the writer of a match that still stands as it was looked at.

        :raises LeaseLost: it has been played on or taken over in between.
        :raises MatchGone: it is not there any more.
        """
        with transaction(self.connection):
            writer, revision = self._standing(held)
            if revision != held.revision and writer != self._name:
                raise LeaseLost
            self._take(held.id, revision + 1)
        return held._replace(revision=revision + 1)

    def take_over(self, match_id: int) -> tuple[Held, Stored]:
        """Become the writer of a match, wherever it is played; also returns it as it stands.

        :raises MatchGone: it is not there any more.
        :raises BadRow: it can't be read.
        """
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
        """Say that this program still plays the match.

        :raises LeaseLost: another program writes it now.
        :raises MatchGone: it is not there any more.
        """
        with transaction(self.connection):
            changed = self.connection.execute(
                "UPDATE matches SET heartbeat = ? WHERE id = ? AND writer = ?", (time.time(), held.id, self._name)
            )
            if not changed.rowcount:
                self._standing(held)
                raise LeaseLost

    def release(self, held: Held) -> None:
        """Let anybody go on with the match; nothing happens if it is written by another already."""
        with transaction(self.connection):
            self.connection.execute(
                "UPDATE matches SET writer = NULL, heartbeat = NULL WHERE id = ? AND writer = ? AND revision = ?",
                (held.id, self._name, held.revision),
            )

    def discard(self, held: Held) -> None:
        """Forget a match that nobody else has become the writer of."""
        with transaction(self.connection):
            self.connection.execute(
                "DELETE FROM matches WHERE id = ? AND (writer = ? OR writer IS NULL AND revision = ?)",
                (held.id, self._name, held.revision),
            )

    def drop(self, match_id: int) -> bool:
        """Forget a match; returns False where another program is playing it, and nothing happens."""
        with transaction(self.connection):
            if self._is_played_elsewhere(match_id):
                return False
            self.connection.execute("DELETE FROM matches WHERE id = ?", (match_id,))
        return True

    def forget_the_dead(self) -> None:
        """Free the matches of programs that have ended without a word."""
        for name in list(dead_names(self._path)):
            with transaction(self.connection):
                self.connection.execute("UPDATE matches SET writer = NULL, heartbeat = NULL WHERE writer = ?", (name,))
            forget(self._path, name)
        with transaction(self.connection):
            self.connection.execute(f"DELETE FROM matches WHERE writer IS NULL AND NOT {IS_PLAYED}")

    # ---------------------------------------------------------------- what a person does to matches

    def add(self, matches: Iterable[NewMatch]) -> list[int]:
        """Store *matches*, all or none; returns their numbers."""
        numbers = []
        with transaction(self.connection):
            for facts, snapshot, name in matches:
                match_id = self._add(facts)
                self._write(match_id, 1, (), snapshot)
                self.connection.execute(
                    "UPDATE matches SET writer = NULL, heartbeat = NULL, name = ? WHERE id = ?", (name, match_id)
                )
                numbers.append(match_id)
        return numbers

    def bring(self, source: sqlite3.Connection) -> dict[int, int]:
        """Take in the matches that *source*, another library of the same version, has and this file has not as late.

        Returns the new numbers, by those in *source*, of the matches whose number another match has here. A match that
        another program plays here stays as it is.
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
        """Whether a *match* of another file takes the place of what is *here* of it; None where nothing is."""
        if here is None:
            return match["deleted"] is None
        writer, heartbeat, revision, *_ = here
        if revision > match["revision"] or self.is_elsewhere(writer, heartbeat):
            return False
        return bool(here != tuple(match[name] for name in _STANDING))

    def _take_in(self, match: Mapping[str, Any]) -> int:
        """Store the row of a *match* from another file; returns its number. Its steps are still to come."""
        self.connection.execute("DELETE FROM matches WHERE id = ?", (match["id"],))
        marks = ", ".join("?" * len(match))
        added = self.connection.execute(
            f"INSERT INTO matches ({', '.join(match)}) VALUES ({marks})", tuple(match.values())
        )
        return int(added.lastrowid or 0)

    def rename(self, match_id: int, name: str) -> None:
        """Give a match a name of its own, or none, whoever plays it."""
        with transaction(self.connection):
            self.connection.execute("UPDATE matches SET name = ? WHERE id = ?", (name, match_id))

    def delete(self, match_ids: Iterable[int]) -> list[int]:
        """Mark matches as deleted; returns the numbers of those that another program is playing, which are not."""
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
        """Forget for good those of *match_ids* that are deleted; default: all that were deleted more than a day ago."""
        with transaction(self.connection):
            if match_ids is None:
                before = time.time() - DELETED_SECONDS
                self.connection.execute("DELETE FROM matches WHERE deleted < ?", (before,))
            else:
                self.connection.executemany(
                    "DELETE FROM matches WHERE id = ? AND deleted IS NOT NULL", [(number,) for number in match_ids]
                )

    # -------------------------------------------------------------------- turns of older versions

    def uncounted(self, known: Iterable[int]) -> int | None:
        """The number of a match whose turns nobody has counted, not among those *known*; None where all are."""
        unfit = set(known)
        rows = self.connection.execute("SELECT id FROM matches WHERE turns IS NULL AND writer IS NULL ORDER BY id")
        return next((number for (number,) in rows.fetchall() if number not in unfit), None)

    def count_turns(self, match_id: int, revision: int, turns: int) -> None:
        """Note how many turns a match has, if it still stands as in *revision*."""
        with transaction(self.connection):
            self.connection.execute(
                "UPDATE matches SET turns = ? WHERE id = ? AND revision = ?", (turns, match_id, revision)
            )

    # ------------------------------------------------------------------------------------- looking

    def data_version(self) -> int:
        """A number that changes whenever another connection has changed the file."""
        return int(self.connection.execute("PRAGMA data_version").fetchone()[0])

    def look(self, match_id: int) -> Stored:
        """The match as it stands.

        :raises MatchGone: it is not there any more.
        :raises BadRow: it can't be read.
        """
        with read_transaction(self.connection):
            stored = read_stored(self.connection, match_id)
        if stored is None:
            raise MatchGone
        return stored

    def is_elsewhere(self, writer: object, heartbeat: object) -> bool:
        """Whether a *writer* is another program that still runs, for all that is known."""
        if not isinstance(writer, str) or writer == self._name or not isinstance(heartbeat, int | float):
            return False
        return is_fresh(heartbeat, time.time()) and not is_dead(self._path, writer)

    def _is_played_elsewhere(self, match_id: int) -> bool:
        row = self.connection.execute("SELECT writer, heartbeat FROM matches WHERE id = ?", (match_id,)).fetchone()
        return row is not None and self.is_elsewhere(*row)

    # ------------------------------------------------------------------------------------ the rest

    def _standing(self, held: Held) -> tuple[object, int]:
        """Who writes the match, and its revision; it may have another number's tags after a file was replaced."""
        row = self.connection.execute("SELECT tags, writer, revision FROM matches WHERE id = ?", (held.id,)).fetchone()
        if row is None or row[0] != held.tags:
            raise MatchGone
        revision = row[2] if isinstance(row[2], int) else 0
        if revision < held.revision and row[1] != self._name:  # an older file has taken the place of what was held
            raise MatchGone
        return row[1], revision

    def _checked(self, held: Held) -> Held:
        """*held*, or what stands there where this program's last saving was carried out though it seemed to fail."""
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
        """Store the steps that differ from those *stored*, and where the match stands; inside a transaction."""
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
