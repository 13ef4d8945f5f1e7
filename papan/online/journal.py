"""The files of a host's tables, which survive the program's end: a plan, then a line for each change."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import secrets
from pathlib import Path
from typing import BinaryIO

import msgspec

from papan.game.base.locks import locked
from papan.game.base.places import data_folder, make_private_file, make_private_folder
from papan.game.base.untrusted import UnreadableError, read_file
from papan.online.protocol import ENCODER
from papan.online.table import Note, Plan

log = logging.getLogger(__name__)
_MOST_BYTES = 20_000_000
SUFFIX = ".table"


def tables_folder() -> Path:
    return data_folder() / "tables"


class Journal:
    """The open file of one table, which no other program can have open at the same time."""

    def __init__(self, file: Path) -> None:
        """Continue *file* after its last sound line.

        :raises OSError: that can't be; a ``TimeoutError`` where another program has it open.
        """
        make_private_folder(file.parent)
        self.file = file
        self._lock = contextlib.ExitStack()
        self._lock.enter_context(locked(file.with_suffix(".lock")))
        self._unwritten = b""
        """Lines that the disk has refused so far."""
        try:
            make_private_file(file)
            self._stream: BinaryIO = file.open("r+b", buffering=0)
            self._size = _sound(self._stream.read(_MOST_BYTES))[2]
        except OSError:
            self._lock.close()
            raise

    @classmethod
    def new(cls, plan: Plan, folder: Path | None = None) -> Journal:
        journal = cls((folder or tables_folder()) / f"{secrets.token_hex(8)}{SUFFIX}")
        journal.keep(plan)
        if journal._unwritten:
            journal.delete()
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(journal.file))
        return journal

    def keep(self, value: Plan | Note) -> None:
        """Write a change as a line, or a plan that replaces the one before, such as with another key.

        What the disk refuses is written together with the next one.
        """
        sign = b"P" if isinstance(value, Plan) else b"N"
        had_trouble = bool(self._unwritten)
        self._unwritten += sign + ENCODER.encode(value) + b"\n"
        try:
            self._stream.seek(self._size)
            self._stream.truncate()
            written = self._stream.write(self._unwritten)
            if written != len(self._unwritten):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except (OSError, ValueError) as error:
            if not had_trouble:
                log.warning("The table %s can't be kept: %s", self.file, error)
            return
        self._size += written
        self._unwritten = b""

    def close(self) -> None:
        self._stream.close()
        self._lock.close()

    def delete(self) -> None:
        self.close()
        with contextlib.suppress(OSError):
            self.file.unlink()


def read_journal(file: Path) -> tuple[Plan, list[Note]] | None:
    """The plan and the changes in *file*, without a last line that was cut off; None if it has no plan."""
    try:
        content = read_file(file, _MOST_BYTES)
    except UnreadableError as error:
        log.warning("The table %s can't be read: %s", file, error)
        return None
    plan, notes, size = _sound(content)
    if size < content.rfind(b"\n") + 1:
        log.warning("The table %s has a damaged line; what follows is left out", file)
    return None if plan is None else (plan, notes)


def _sound(content: bytes) -> tuple[Plan | None, list[Note], int]:
    """The plan, the changes, and the number of bytes up to the first line that is damaged or cut off."""
    plan, notes, size = None, list[Note](), 0
    for line in content.splitlines(keepends=True):
        try:
            if not line.endswith(b"\n") or line[:1] not in (b"P", b"N"):
                break
            if line.startswith(b"P"):
                plan = msgspec.json.decode(line[1:], type=Plan)
            else:
                notes.append(msgspec.json.decode(line[1:], type=Note))
        except (msgspec.MsgspecError, ValueError, RecursionError):
            break
        size += len(line)
    return plan, notes, size


def kept_tables(folder: Path | None = None) -> list[Path]:
    """The files of tables, the last changed first."""

    def changed_at(file: Path) -> float:
        try:
            return file.stat().st_mtime
        except OSError:  # another program has deleted it
            return 0.0

    return sorted((folder or tables_folder()).glob(f"*{SUFFIX}"), key=changed_at, reverse=True)
