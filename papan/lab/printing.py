"""Output of commands in the current language: rich tables on a terminal, plain aligned text in a pipe.

All commands and tools print through these functions only. Texts may quote untrusted files or programs, so control
characters are shown as escapes, and a line break in a value can't start a new line. JSON answers say how they were
made, without the paths of the user's folders.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any

import click

from papan.game.base import sentences
from papan.game.base.languages import said
from papan.game.base.sentences import Sentence, figures, say
from papan.game.base.untrusted import plain, plain_json
from papan.game.base.version import VERSION
from papan.game.rules import CHANCE

if TYPE_CHECKING:
    from rich.console import Console

    from papan.game.match import Turn

NUMBER = ">"
TEXT = "<"
MADE_BY = "made_by"
"""The JSON key that says how an answer was made."""

_VALUE = re.compile(r"(?P<name>[\w-]+=)?(?P<value>.*)", re.DOTALL)
"""A word, or an option with its value: ``--out=/home/me/counts.jsonl``."""


def show(text: str = "", *, is_trouble: bool = False) -> None:
    """Print *text*, a sentence in the current language, as one line.

    :param is_trouble: whether it goes to the standard error.
    """
    _write(f"{plain(said(text))}\n", is_trouble)


def show_bytes(parts: Iterable[bytes]) -> None:
    """Print *parts* of a file as they are."""
    for part in parts:
        click.echo(part, nl=False)


def show_said(text: str, /, **values: sentences.Value) -> None:
    """Print the marked *text* with its *values*, as one line in the current language."""
    show(sentences.say(text, **values))


def show_lines(text: str) -> None:
    """Print *text*, which may have several lines."""
    for line in text.removesuffix("\n").split("\n"):
        show(line)


def show_json(facts: Mapping[str, Any], indent: int | None = 2) -> None:
    _write(f"{plain_json(facts, indent)}\n")


def show_progress(text: str) -> None:
    """Overwrite the last line of the standard error with *text*; an empty text starts a new line."""
    _write(f"\r{plain(text)} " if text else "\n", is_trouble=True)


def texts(*headings: str) -> list[tuple[str, str]]:
    """Columns of texts for ``table``."""
    return [(heading, TEXT) for heading in headings]


def numbers(*headings: str) -> list[tuple[str, str]]:
    """Columns of numbers for ``table``."""
    return [(heading, NUMBER) for heading in headings]


def shows_on_terminal() -> bool:
    """Whether a person reads the output, and no file or program takes it."""
    return sys.stdout.isatty()


def table(columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[str]]) -> None:
    """Print *rows* under *columns*, each a heading and how it is aligned: ``TEXT`` or ``NUMBER``."""
    columns = [(plain(said(heading)), alignment) for heading, alignment in columns]
    rows = [[plain(said(cell)) for cell in row] for row in rows]
    if shows_on_terminal():
        from rich import box
        from rich.table import Table

        drawn = Table(box=box.SIMPLE_HEAD)
        for heading, alignment in columns:
            drawn.add_column(heading, justify="right" if alignment == NUMBER else "left")
        for row in rows:
            drawn.add_row(*row)
        _console().print(drawn)
        return
    lines = [[heading for heading, _ in columns], *rows]
    widths = [max(len(line[at]) for line in lines) for at in range(len(columns))]
    for line in lines:
        cells = (f"{cell:{columns[at][1]}{widths[at]}}" for at, cell in enumerate(line))
        show("  ".join(cells).rstrip())


def span(interval: Sequence[float], form: str, factor: float = 1.0) -> Sentence:
    """The bounds of an *interval*, times *factor*, in a format such as ``,.1f``."""
    low, high = (figures(factor * bound, form) for bound in interval)
    return say("{low} to {high}", low=low, high=high)


@contextmanager
def working(what: str) -> Iterator[Callable[[str], None]]:
    """Show *what* as a status on a terminal's standard error; yields a function that changes the text."""
    if not sys.stderr.isatty():
        yield lambda words: None
        return
    with _console(is_trouble=True).status(plain(said(what))) as status:
        yield lambda words: status.update(plain(said(words)))


def _console(*, is_trouble: bool = False) -> Console:
    """A console that prints texts as they are, without markup."""
    from rich.console import Console

    return Console(stderr=is_trouble, markup=False, emoji=False)


def _write(text: str, is_trouble: bool = False) -> None:
    click.echo(text, nl=False, err=is_trouble)


class Scoresheet:
    """Prints turns as they are played: a numbered line for each round, a column for each seat."""

    _MARGIN = 5
    _NARROWEST = 16

    def __init__(self, players: Sequence[str]) -> None:
        """:param players: their names in the order of play, which head the columns."""
        self._width = max(self._NARROWEST, *(len(player) + 2 for player in players))
        from papan.game.match.record import BEFORE_FIRST_ROUND  # imported late: loads all games, which needs the log

        self._round = BEFORE_FIRST_ROUND
        self._written = 0
        for seat, player in enumerate(players):
            self._write_at(seat, player)

    def add(self, turn: Turn) -> None:
        """Print *turn*; a random event stands in parentheses after the turn that caused it."""
        if turn.seat == CHANCE:
            self._write(f"  ({turn.notation})")
            return
        last, self._round = self._round, self._round.then(turn.seat)
        if self._round.number > last.number:
            self.end_line()
            self._write(f"{self._round.number:>3}.")
        self._write_at(turn.seat, turn.notation)

    def end_line(self) -> None:
        """Begin a new line."""
        show()
        self._written = 0

    def _write_at(self, seat: int, text: str) -> None:
        column = self._MARGIN + seat * self._width
        self._write(" " * max(column - self._written, 1) + text)

    def _write(self, text: str) -> None:
        text = plain(text)
        _write(text)
        self._written += len(text)


def made_by(command: str, arguments: Sequence[str], seed: int | None) -> dict[str, Any]:
    """How an answer was made by *command* with *arguments*, as JSON, without the paths of the user's folders.

    :param seed: given even if it was drawn and is not among the arguments; None if nothing is random.
    """
    words = without_places(arguments, Path.cwd())
    return {MADE_BY: {"command": command, "arguments": words, "seed": seed, "version": VERSION}}


def without_places(words: Iterable[str], folder: Path | None = None) -> list[str]:
    """*words* with absolute paths shortened: files below *folder* relative to it, others to their names.

    >>> without_places(["othello", "--out=/home/me/counts.jsonl", "C:\\\\Users\\\\me\\\\b.txt", "results/c.txt"])
    ['othello', '--out=counts.jsonl', 'b.txt', 'results/c.txt']
    """
    return [_without_place(word, folder) for word in words]


def _without_place(word: str, folder: Path | None) -> str:
    found = _VALUE.fullmatch(word)
    assert found is not None  # the pattern matches any text
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
