"""What the matches of a library came to, summed up by SQLite: for statistics, from any thread."""

from __future__ import annotations

import datetime
import sqlite3
from array import array
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from papan.game.base.database import one_moment
from papan.game.base.sentences import say
from papan.game.base.sqlite import DATABASE_ERRORS, in_words, text
from papan.game.match.library.rows import BadRow, LibraryError, summary_of
from papan.game.rules import Ending

_PATIENCE = 1.0  # seconds to wait for whoever writes: nobody waits for the sums but their own thread
_UNNAMED = "", None, None, None, 0
"""The rest of a row of ``SUMMARY_COLUMNS``, from the name on, where many are counted as one."""
_WITH_PERSON = """FROM matches
WHERE payoffs IS NOT NULL AND NOT is_line AND deleted IS NULL AND instr(seats, '"' || ? || '"')"""
_RESULTS = f"""SELECT game, seats, payoffs, count(*), max(updated) {_WITH_PERSON}
GROUP BY game, seats, payoffs"""
_WEEKS = f"""SELECT game, date(updated, 'localtime', 'weekday 0', '-6 days') AS week, count(*) {_WITH_PERSON}
AND week BETWEEN '1970-01-01' AND '9998-12-31' GROUP BY game, week ORDER BY week"""
_ORDER = f"SELECT game, seats, payoffs {_WITH_PERSON} ORDER BY updated, id"


class Result(NamedTuple):
    """Matches between the same players that ended alike."""

    game: str
    """The game's name in the catalogue, which may not have it any more."""
    seats: tuple[str, ...]
    """The players' names, in the order of play."""
    ending: Ending
    """What each seat won; its reason is left out."""
    number: int
    """Of the matches."""


class Week(NamedTuple):
    """How often a game was played in a week."""

    game: str
    monday: datetime.date
    number: int


class Sums(NamedTuple):
    """The sums of all matches that are over and had a person among their players."""

    results: Sequence[Result] = ()
    weeks: Sequence[Week] = ()
    """In ascending order; without those in which nothing was played."""
    order: Sequence[int] = ()
    """For each match, in the order in which they ended, the place of its result among ``results``."""


def read_sums(path: Path, person: str) -> Sums:
    """The sums of the library in the file *path*, nothing where there is none. What makes no sense is left out.

    :param person: the name of a seat that a person plays.
    :raises LibraryError: the file can't be read.
    """
    if not path.exists():
        return Sums()
    try:
        with closing(sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)) as connection:
            connection.execute("PRAGMA query_only = ON")
            connection.text_factory = text
            with one_moment(connection):
                return _sums(connection, person)
    except DATABASE_ERRORS as error:
        raise LibraryError(say("The library can't be read: {reason}.", reason=in_words(error))) from error


def _sums(connection: sqlite3.Connection, person: str) -> Sums:
    results: list[Result] = []
    places: dict[tuple[object, ...], int] = {}
    for game, seats, payoffs, number, updated in connection.execute(_RESULTS, (person,)):
        try:
            summary = summary_of((0, game, seats, 0, None, payoffs, None, updated, *_UNNAMED))
        except BadRow:
            continue
        if summary.ending is not None:
            places[game, seats, payoffs] = len(results)
            results.append(Result(summary.game, summary.seats, summary.ending, number))
    weeks = [
        Week(game, datetime.date.fromisoformat(monday), number)
        for game, monday, number in connection.execute(_WEEKS, (person,))
        if isinstance(game, str)
    ]
    order = array("L", (places[row] for row in connection.execute(_ORDER, (person,)) if row in places))
    return Sums(results, weeks, order)
