"""A journal: what has been found so far, line by line in a file, so that a command that was killed can go on.

The first line says what the journal is of: a kind and a version of its form, and the plan that is carried out. Each
further line is one finding as JSON, on the disk before the next is begun. A kill leaves half a line at most, which
the next opening takes away.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from papan.game.base.foreign import UnreadableError, quoted, read_file
from papan.lab.files import OutputError

MOST_BYTES = 2**30

Entry = Mapping[str, Any]


class JournalError(ValueError):
    """A file can't be the journal; the message is a sentence that says why."""


class Journal:
    """What has been found of one plan: in the file *path*, or, without one, for as long as the program runs."""

    def __init__(self, path: Path | None, kind: str, version: int, plan: Entry) -> None:
        """Begins a journal, or goes on with that in the file.

        :param kind: what it is a journal of, as two or three words.
        :param version: of the form of its lines.
        :param plan: what JSON can hold.
        :raises JournalError: the file is none of this kind, version and plan, or damaged; it stays as it is.
        :raises OutputError: the file can't be written.
        """
        self._path = path
        self.entries: list[Entry] = []
        """All that has been found, those of earlier runs first."""
        head = {"kind": kind, "version": version, "plan": json.loads(json.dumps(plan))}
        if path is None:
            return
        content = _read(path)
        lines = content[: content.rfind(b"\n") + 1].splitlines()
        if lines:
            _compare(path, _parsed(path, 1, lines[0]), head)
            self.entries += [_parsed(path, number, line) for number, line in enumerate(lines[1:], start=2)]
            self._cut(sum(len(line) + 1 for line in lines), len(content))
        elif content and not _line(head).startswith(content):
            raise JournalError(f"{quoted(str(path))} is no {kind}.")
        else:
            self._cut(0, len(content))
            self._write(head)

    def add(self, entry: Entry) -> None:
        """Write *entry* down; once this returns, it stays.

        :raises OutputError: the file can't be written.
        """
        self.entries.append(entry)
        if self._path is not None:
            self._write(entry)

    def _write(self, entry: Entry) -> None:
        assert self._path is not None
        try:
            with self._path.open("ab") as file:
                file.write(_line(entry))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise OutputError(f"{quoted(str(self._path))} can't be written: {error.strerror or error}.") from None

    def _cut(self, length: int, found: int) -> None:
        """Take away what a kill has left of a last line."""
        assert self._path is not None
        if length < found:
            os.truncate(self._path, length)


def _line(entry: Entry) -> bytes:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _read(path: Path) -> bytes:
    if not path.exists():
        return b""
    try:
        return read_file(path, MOST_BYTES)
    except UnreadableError as error:
        raise JournalError(str(error)) from None


def _parsed(path: Path, number: int, line: bytes) -> Entry:
    try:
        entry = json.loads(line)
    except ValueError:
        entry = None
    if not isinstance(entry, dict):
        raise JournalError(f"Line {number} of {quoted(str(path))} makes no sense: is it another file, or damaged?")
    return entry


def _compare(path: Path, found: Entry, head: Entry) -> None:
    """:raises JournalError: the journal that begins with *found* is not the one that begins with *head*."""
    kind, version = head["kind"], head["version"]
    if found.get("kind") != kind:
        raise JournalError(f"{quoted(str(path))} is no {kind}.")
    if found.get("version") != version:
        raise JournalError(
            f"{quoted(str(path))} is a {kind} of version {found.get('version')}, and this program writes version"
            f" {version}: name another file."
        )
    plan, other = head["plan"], found.get("plan")
    if plan != other:
        others = other if isinstance(other, dict) else {}
        differing = sorted(name for name in {*plan, *others} if plan.get(name) != others.get(name))
        raise JournalError(
            f"{quoted(str(path))} is the {kind} of another plan, with other {', '.join(differing) or 'facts'}: ask for"
            " the same again, or name another file."
        )
