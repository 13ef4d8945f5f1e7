"""A journal: what has been found so far, line by line in a file, so that a command that was killed can go on.

The first line says what the journal is of: a kind and a version of its form, and the plan that is carried out. Each
further line is one finding as JSON, on the disk before the next is begun. A kill leaves half a line at most, which
the next opening takes away.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from papan.game.base.foreign import parsed_json, quoted, shortened
from papan.game.base.places import make_private_file
from papan.game.base.sentences import say
from papan.lab.files import unwritable

LONGEST_LINE = 1 << 24
"""Bytes; no entry has so many."""

Entry = Mapping[str, Any]


class JournalError(ValueError):
    """A file can't be the journal; the message is a sentence that says why."""


class Journal:
    """What has been found of one plan: in the file *path*, or, without one, for as long as the program runs."""

    def __init__(
        self, path: Path | None, kind: str, version: int, plan: Entry, *, passes_over_damage: bool = False
    ) -> None:
        """Begins a journal, or goes on with that in the file.

        :param kind: what it is a journal of, as a few words.
        :param version: of the form of its lines.
        :param plan: what JSON can hold.
        :param passes_over_damage: whether lines that make no sense are left out, where all that they could say can be
            found again; otherwise they are refused.
        :raises JournalError: the file is none of this kind, version and plan, or damaged; it stays as it is.
        :raises OutputError: the file can't be written.
        """
        self._path = path
        self._passes_over_damage = passes_over_damage
        self._remembered: list[Entry] = []
        if path is None:
            return
        head = {"kind": kind, "version": version, "plan": json.loads(json.dumps(plan))}
        try:
            if path.exists() and not path.is_file():
                raise JournalError(say("{file} is no file.", file=quoted(str(path))))
            make_private_file(path)
            length = self._checked(head)
            self._file = path.open("ab", buffering=0)
            self._file.truncate(length)  # of a last line that a kill has torn nothing is left
            if not length:
                self._write(head)
        except OSError as error:
            raise unwritable(path, error) from None

    def add(self, *entries: Entry) -> None:
        """Write *entries* down; once this returns, they stay.

        :raises OutputError: the file can't be written.
        """
        if self._path is None:
            self._remembered.extend(entries)
            return
        try:
            self._write(*entries)
        except OSError as error:
            raise unwritable(self._path, error) from None

    def entries(self) -> Iterator[Entry]:
        """All that has been found, those of earlier runs first; one by one, for there may be many."""
        if self._path is None:
            yield from self._remembered
            return
        for number, line in enumerate(self._lines(), start=1):
            entry = _parsed(line)
            if number > 1 and entry is not None:
                yield entry

    def close(self) -> None:
        """Leave the file as it is."""
        if self._path is not None:
            self._file.close()

    def remove(self) -> None:
        """Close the file, and delete it."""
        self.close()
        if self._path is not None:
            self._path.unlink(missing_ok=True)

    def _checked(self, head: Entry) -> int:
        """The length of all whole lines, 0 where the file is still to be begun.

        :raises JournalError: they are no journal that begins with *head*, or damaged.
        """
        assert self._path is not None
        length = 0
        for number, line in enumerate(self._lines(), start=1):
            if not line.endswith(b"\n") and len(line) < LONGEST_LINE:
                if number == 1 and not _line(head).startswith(line):
                    raise _other_kind(self._path, head)
                break
            length += len(line)
            entry = _parsed(line)
            if number == 1:
                _compare(self._path, entry or {}, head)
            elif entry is None and not self._passes_over_damage:
                raise JournalError(
                    say(
                        "Line {number} of {file} makes no sense: is it another file, or damaged?",
                        number=number,
                        file=quoted(str(self._path)),
                    )
                )
        return length

    def _lines(self) -> Iterator[bytes]:
        assert self._path is not None
        with self._path.open("rb") as file:
            while line := file.readline(LONGEST_LINE):
                yield line

    def _write(self, *entries: Entry) -> None:
        self._file.write(b"".join(map(_line, entries)))
        os.fsync(self._file.fileno())


class Kept(NamedTuple):
    """A journal that was kept, as somebody reads it who does not go on with it."""

    kind: str
    version: int
    plan: Entry
    entries: Iterator[Entry | None]
    """The findings one by one, None for a line that makes no sense; half a line at the end is left out."""


def read_journal(content: bytes) -> Kept | None:
    """The journal with that *content*; None where it is none."""
    head, *lines = content.split(b"\n")[:-1] or [b""]
    found = _parsed(head)
    if found is None:
        return None
    kind, version, plan = (found.get(name) for name in ("kind", "version", "plan"))
    if not (isinstance(kind, str) and isinstance(version, int) and isinstance(plan, dict)):
        return None
    return Kept(kind, version, plan, (_parsed(line) for line in lines))


def _line(entry: Entry) -> bytes:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _parsed(line: bytes) -> Entry | None:
    """The entry that a *line* holds; None where it makes no sense."""
    try:
        entry = parsed_json(line)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None


def _other_kind(path: Path, head: Entry) -> JournalError:
    return JournalError(say("{file} is no file of this kind: {kind}.", file=quoted(str(path)), kind=head["kind"]))


def _compare(path: Path, found: Entry, head: Entry) -> None:
    """:raises JournalError: the journal that begins with *found* is not the one that begins with *head*."""
    name, kind, version = quoted(str(path)), head["kind"], head["version"]
    if found.get("kind") != kind:
        raise _other_kind(path, head)
    if found.get("version") != version:
        other_version = shortened(str(found.get("version")))
        raise JournalError(
            say(
                "{file} ({kind}) is of version {other}, and this program writes version {version}: name another file.",
                file=name,
                kind=kind,
                other=other_version,
                version=version,
            )
        )
    plan, other = head["plan"], found.get("plan")
    if plan != other:
        others = other if isinstance(other, dict) else {}
        differing = sorted(what for what in {*plan, *others} if plan.get(what) != others.get(what))
        raise JournalError(
            say(
                "{file} ({kind}) is of another plan; what differs is {differing}: ask for the same again, or name "
                "another file.",
                file=name,
                kind=kind,
                differing=", ".join(differing) or say("the plan itself"),
            )
        )
