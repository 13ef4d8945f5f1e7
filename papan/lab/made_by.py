"""How an answer says by what it was made: the command, its arguments, the seed, the version of the program.

Answers and reports are shown to others, so they don't tell where somebody's folders are: a file below the folder that
the command was called in is named from there on, any other by its name alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from papan.game.base.version import VERSION

MADE_BY = "made_by"
"""The name under which an answer in JSON has it."""

_VALUE = re.compile(r"(?P<name>[\w-]+=)?(?P<value>.*)", re.DOTALL)
"""A word, or an option with its value in one: ``--out=/home/me/counts.jsonl``."""


def made_by(command: str, arguments: Sequence[str], seed: int | None) -> dict[str, Any]:
    """What an answer says that *command* has made by *arguments*.

    :param seed: also where it was drawn, and is not among the arguments; None where nothing is random.
    """
    words = without_places(arguments, Path.cwd())
    return {MADE_BY: {"command": command, "arguments": words, "seed": seed, "version": VERSION}}


def without_places(words: Iterable[str], folder: Path | None = None) -> list[str]:
    """*words* in which no whole path stands: files below *folder* are named from there on, others by their names.

    >>> without_places(["othello", "--out=/home/me/counts.jsonl", "C:\\\\Users\\\\me\\\\b.txt", "results/c.txt"])
    ['othello', '--out=counts.jsonl', 'b.txt', 'results/c.txt']
    """
    return [_without_place(word, folder) for word in words]


def _without_place(word: str, folder: Path | None) -> str:
    found = _VALUE.fullmatch(word)
    assert found is not None  # anything fits
    name, value = found["name"] or "", found["value"]
    if folder is not None and Path(value).is_absolute():
        for root in (folder, folder.resolve()):
            if Path(value).is_relative_to(root):
                return name + Path(value).relative_to(root).as_posix()
    if value.startswith("~") or PurePosixPath(value).is_absolute():
        return name + (PurePosixPath(value).name or ".")
    if PureWindowsPath(value).is_absolute():
        return name + (PureWindowsPath(value).name or ".")
    return word
