"""The command line's output, in its language: rich tables on a terminal, plain aligned text where it is piped."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import click

from papan.game.base.languages import said
from papan.game.match import Turn
from papan.game.match.record import BEFORE_FIRST_ROUND
from papan.game.rules import CHANCE

NUMBER = ">"
TEXT = "<"


def show(text: str = "") -> None:
    """Print *text*, a sentence in the current language, and a line break."""
    click.echo(said(text))


def table(columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[str]]) -> None:
    """Print *rows* under *columns*, each a heading and how it is aligned: ``TEXT`` or ``NUMBER``."""
    columns = [(said(heading), alignment) for heading, alignment in columns]
    rows = [[said(cell) for cell in row] for row in rows]
    if sys.stdout.isatty():
        from rich import box
        from rich.console import Console
        from rich.table import Table

        drawn = Table(box=box.SIMPLE_HEAD)
        for heading, alignment in columns:
            drawn.add_column(heading, justify="right" if alignment == NUMBER else "left")
        for row in rows:
            drawn.add_row(*row)
        Console(markup=False).print(drawn)
        return
    lines = [[heading for heading, _ in columns], *rows]
    widths = [max(len(line[at]) for line in lines) for at in range(len(columns))]
    for line in lines:
        cells = (f"{cell:{columns[at][1]}{widths[at]}}" for at, cell in enumerate(line))
        click.echo("  ".join(cells).rstrip())


@contextmanager
def working(what: str) -> Iterator[Callable[[str], None]]:
    """Say on a terminal's standard error that *what* is going on; yields a function to change the words."""
    if not sys.stderr.isatty():
        yield lambda words: None
        return
    from rich.console import Console

    with Console(stderr=True).status(said(what)) as status:
        yield lambda words: status.update(said(words))


class Scoresheet:
    """Prints turns as they come: a numbered line for each round, a column for each seat."""

    _MARGIN = 5
    _NARROWEST = 16

    def __init__(self, players: Sequence[str]) -> None:
        """:param players: their names in the order of play, which head the columns."""
        self._width = max(self._NARROWEST, *(len(player) + 2 for player in players))
        self._round = BEFORE_FIRST_ROUND
        self._written = 0
        for seat, player in enumerate(players):
            self._write_at(seat, player)

    def add(self, turn: Turn) -> None:
        """Print *turn*; what chance brings stands in parentheses behind the turn that called for it."""
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
        click.echo()
        self._written = 0

    def _write_at(self, seat: int, text: str) -> None:
        column = self._MARGIN + seat * self._width
        self._write(" " * max(column - self._written, 1) + text)

    def _write(self, text: str) -> None:
        click.echo(text, nl=False)
        sys.stdout.flush()
        self._written += len(text)
