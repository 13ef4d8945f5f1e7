"""Records and figures in files of their own, where a person finds them."""

from __future__ import annotations

import datetime
import itertools
import os
from pathlib import Path

from papan.game.base.places import data_folder, documents_folder, make_private_folder
from papan.game.match import Match
from papan.game.match.record import write


class CopyError(Exception):
    """A text that can't be written to a file; the message says why."""


def save_record(match: Match, today: datetime.date | None = None) -> Path:
    """Write the record of *match* as a text file; see ``save_text``.

    :raises CopyError: it can't be written anywhere.
    """
    return save_text(f"papan-{match.game.name}", ".txt", write(match), today)


def save_text(name: str, suffix: str, text: str, today: datetime.date | None = None) -> Path:
    """Write *text* to a file among the person's documents, else among the program's own files.

    Returns its path, *name* and the day with *suffix*. No file that is there is written over.

    :raises CopyError: it can't be written anywhere.
    """
    stem, trouble = f"{name}-{(today or datetime.date.today()).isoformat()}", ""
    for folder in (documents_folder(), data_folder()):
        try:
            make_private_folder(folder)
            return _write_new(folder, stem, suffix, text)
        except OSError as error:
            trouble = error.strerror or str(error)
    raise CopyError(trouble)


def _write_new(folder: Path, stem: str, suffix: str, text: str) -> Path:
    """Write *text* to a file in *folder* that was not there; a file that can't be completed is removed."""
    for number in itertools.count(1):
        path = folder / (f"{stem}{suffix}" if number == 1 else f"{stem} ({number}){suffix}")
        try:
            file = path.open("x", encoding="utf-8")
        except FileExistsError:
            continue
        try:
            with file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            path.unlink(missing_ok=True)
            raise
        return path
    raise AssertionError("unreachable")
