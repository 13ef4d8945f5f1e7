"""The record of a match in a file of its own, where a person finds it."""

from __future__ import annotations

import datetime
import itertools
from pathlib import Path

from papan.game.base.places import data_folder, documents_folder, make_private_folder
from papan.game.match import Match
from papan.game.match.record import write


class CopyError(Exception):
    """A record that can't be written to a file; the message says why."""


def save_record(match: Match, today: datetime.date | None = None) -> Path:
    """Write the record of *match* as a text file among the person's documents, else among the program's own files.

    Returns its path. No file that is there is written over.

    :raises CopyError: it can't be written anywhere.
    """
    name = f"papan-{match.game.name}-{(today or datetime.date.today()).isoformat()}"
    text, trouble = write(match), ""
    for folder in (documents_folder(), data_folder()):
        try:
            make_private_folder(folder)
            return _write_new(folder, name, text)
        except OSError as error:
            trouble = error.strerror or str(error)
    raise CopyError(trouble)


def _write_new(folder: Path, name: str, text: str) -> Path:
    """Write *text* to a file in *folder* that was not there; a file that can't be completed is removed."""
    for number in itertools.count(1):
        path = folder / (f"{name}.txt" if number == 1 else f"{name} ({number}).txt")
        try:
            file = path.open("x", encoding="utf-8")
        except FileExistsError:
            continue
        try:
            with file:
                file.write(text)
        except OSError:
            path.unlink(missing_ok=True)
            raise
        return path
    raise AssertionError("unreachable")
