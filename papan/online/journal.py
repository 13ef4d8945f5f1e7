"""The files of a host's tables, which survive the program's end: a plan, then a line for each change."""

from __future__ import annotations

import contextlib
import logging
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from papan.game.base.places import data_folder, make_private_file, make_private_folder
from papan.game.base.untrusted import UnreadableError, read_file
from papan.online.table import Note, Plan

log = logging.getLogger(__name__)
_ENCODER = msgspec.json.Encoder()
_MOST_BYTES = 20_000_000
SUFFIX = ".table"


def tables_folder() -> Path:
    return data_folder() / "tables"


class Journal:
    """The open file of one table."""

    def __init__(self, file: Path) -> None:
        """Continue *file*; may raise OSError."""
        make_private_folder(file.parent)
        make_private_file(file)
        self.file = file
        self._stream: BinaryIO = file.open("ab", buffering=0)

    @classmethod
    def new(cls, plan: Plan, folder: Path | None = None) -> Journal:
        journal = cls((folder or tables_folder()) / f"{secrets.token_hex(8)}{SUFFIX}")
        journal._write(plan)
        return journal

    def note(self, note: Note) -> None:
        self._write(note)

    def replan(self, plan: Plan) -> None:
        """Keep *plan* instead of the one before, such as with another key."""
        self._write(plan)

    def _write(self, value: Plan | Note) -> None:
        sign = b"P" if isinstance(value, Plan) else b"N"
        self._stream.write(sign + _ENCODER.encode(value) + b"\n")

    def close(self) -> None:
        self._stream.close()

    def delete(self) -> None:
        self.close()
        with contextlib.suppress(OSError):
            self.file.unlink()


def read_journal(file: Path) -> tuple[Plan, list[Note]] | None:
    """The plan and the changes in *file*, without a last line that was cut off; None if it has no plan."""
    plan: Plan | None = None
    notes: list[Note] = []
    try:
        for line in read_file(file, _MOST_BYTES).split(b"\n"):
            if line.startswith(b"P"):
                plan = msgspec.json.decode(line[1:], type=Plan)
            elif line.startswith(b"N"):
                notes.append(msgspec.json.decode(line[1:], type=Note))
    except (OSError, UnreadableError) as error:
        log.warning("The table %s can't be read: %s", file, error)
        return None
    except (msgspec.MsgspecError, ValueError):
        log.warning("The table %s ends in a damaged line", file)
    return None if plan is None else (plan, notes)


def kept_tables(folder: Path | None = None) -> Iterator[Path]:
    """The files of tables, the last changed first."""
    found = sorted((folder or tables_folder()).glob(f"*{SUFFIX}"), key=lambda file: file.stat().st_mtime, reverse=True)
    yield from found
