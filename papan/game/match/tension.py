"""How tense people found their turns: their answers, in a file of the data folder.

Each line is one answer as JSON, with the record of the match so far, so that it can be studied without the library.
Lines are only added. A kill leaves at most one incomplete line; the next answer begins a new one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from os import SEEK_END, fstat
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from papan.game.base.places import data_folder, make_private_file, make_private_folder
from papan.game.base.typed import FaultError, Positive, converted, parsed
from papan.game.base.untrusted import UnreadableError, open_file, plain_json, too_large

FILE_NAME = "tension.jsonl"
LEAST, MOST = 1, 5
"""The calmest and the most tense answer."""
_MOST_BYTES = 1 << 26
"""Of a file to read: tens of thousands of answers."""
_LONGEST_LINE = 1 << 23
"""Bytes; records are shorter."""


@dataclass(frozen=True)
class Answer:
    """What the person in a seat said of a turn just played."""

    asked: str
    """The moment of the answer, in UTC and ISO format."""
    turn: Positive
    """The turn's number among those of all seats, from 1 on, as in ``papan.ai.indicators.course``."""
    seat: Positive
    """From 1 on."""
    answer: Annotated[int, Meta(ge=LEAST, le=MOST)]
    record: str
    """The record of the match so far."""
    match: Positive | None = None
    """The match's number in the library; None if it was not there."""
    version: Literal[1] = 1


class Damaged(NamedTuple):
    """A line that is no answer, and why, as a clause."""

    line: int
    reason: str


def answers_file() -> Path:
    """The file of the person's own answers."""
    return data_folder() / FILE_NAME


def add(answer: Answer, path: Path | None = None) -> None:
    """Add *answer* to the file *path*, by default the person's own; may raise OSError."""
    path = path or answers_file()
    make_private_folder(path.parent)
    make_private_file(path)
    line = plain_json(asdict(answer), None).encode() + b"\n"
    with path.open("ab") as file:
        file.write(b"\n" + line if _is_cut_off(path) else line)


def _is_cut_off(path: Path) -> bool:
    """Whether the last line of *path* is incomplete."""
    with suppress(UnreadableError), open_file(path) as file:
        if file.seek(0, SEEK_END):
            file.seek(-1, SEEK_END)
            return file.read(1) != b"\n"
    return False


def read(path: Path) -> Iterator[tuple[int, Answer] | Damaged]:
    """Yield the answers in *path*, each with the number of its line, and the damaged lines.

    :raises UnreadableError: the file can't be read, or is too large.
    """
    with open_file(path) as file:
        if fstat(file.fileno()).st_size > _MOST_BYTES:
            raise too_large(path.name, _MOST_BYTES)
        number, goes_on = 0, False
        while line := file.readline(_LONGEST_LINE):
            begins, goes_on = not goes_on, not line.endswith(b"\n")
            number += begins
            if begins and line.strip():
                try:
                    yield number, converted(parsed(line), Answer)
                except FaultError as error:
                    yield Damaged(number, str(error))
