"""Reading the library: lists of matches, one match to be played on, and sums for statistics.

Rows are read with distrust: other programs, damage and people may have changed them, and SQLite's columns hold any
type. A row that makes no sense is a ``BadRow``, which says why; it stays in the file as it is.
"""

from __future__ import annotations

import datetime
import json
import math
import sqlite3
import time
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from papan.game.base.database import is_kept
from papan.game.base.recovery import identity
from papan.game.base.sentences import joined, say
from papan.game.base.sqlite import DATABASE_ERRORS, in_words, read_transaction, text
from papan.game.match import Conclusion, Match, read_conclusion
from papan.game.match.library.schema import default_path, open_library
from papan.game.match.library.snapshot import Origin, bring_to
from papan.game.match.library.writer_lock import is_dead, is_fresh
from papan.game.match.record import RecordError, read_tags
from papan.game.rules import Ending, IllegalStep, NotationError

SUMMARY_COLUMNS = "id, game, seats, round, mover, payoffs, reason, updated, name, turns, parent, branched, is_line"
IS_PLAYED = "EXISTS (SELECT 1 FROM steps WHERE match = matches.id)"
"""SQL: whether a match has any step. One without is not kept: it is in no list, and forgotten once nobody plays it."""
_STANDING_COLUMNS = "tags, played, revision, writer, heartbeat, payoffs, reason"

_MOST = 2**31
_MOST_REVISIONS = 2**62  # SQLite has room for many more
_MOST_SEATS = 64
_YEARS = range(1970, 9999)  # those that every clock can be asked for in any time zone

_PAGE = 200
"""So many rows are read at once where all are: between two pages other threads have their turn."""
_IS_SHOWN = f"deleted IS NULL AND {IS_PLAYED}"
_GOES_ON = f"payoffs IS NULL AND NOT is_line AND {_IS_SHOWN}"
_PATIENCE = 1.0  # seconds to wait for whoever writes: nobody waits for the sums but their own thread
_UNNAMED = ("", None, None, None, 0)
"""The rest of a row of ``SUMMARY_COLUMNS``, from the name on, where many are counted as one."""
_WITH_PERSON = """FROM matches
WHERE payoffs IS NOT NULL AND NOT is_line AND deleted IS NULL AND instr(seats, '"' || ? || '"')"""
_RESULTS = f"""SELECT game, seats, payoffs, count(*), max(updated) {_WITH_PERSON}
GROUP BY game, seats, payoffs"""
_WEEKS = f"""SELECT game, date(updated, 'localtime', 'weekday 0', '-6 days') AS week, count(*) {_WITH_PERSON}
AND week BETWEEN '1970-01-01' AND '9998-12-31' GROUP BY game, week ORDER BY week"""
_ORDER = f"SELECT game, seats, payoffs {_WITH_PERSON} ORDER BY updated, id"


class LibraryError(ValueError):
    """A match that can't be loaded; the message says why."""


class BadRow(ValueError):
    """A row that makes no sense; the message says why."""


@dataclass(frozen=True)
class Summary:
    """One match as a list of matches shows it."""

    id: int
    game: str
    """The game's name in the catalogue, which may not have it any more."""
    seats: tuple[str, ...]
    """The players' names, in the order of play."""
    round: int
    """The round that is being played, counted as in records."""
    mover: int | None
    """The seat that is to act; None where it is chance, and once the match is over."""
    ending: Ending | None
    updated: datetime.datetime
    """When it was last played, in UTC."""
    name: str = ""
    """What a person calls it, or ""."""
    turns: int | None = None
    """How many turns of its seats are played; None where they have not been counted yet."""
    origin: Origin | None = None
    """Where it comes from, if it branches off from another one, which may be gone."""
    is_line: bool = False
    """Whether it is what was played in another match before something else was played there instead."""


class Stored(NamedTuple):
    """One match as it stands in the file."""

    id: int
    tags: str
    """As JSON."""
    notations: tuple[str, ...]
    """Those of all its steps, the ones that were taken back last."""
    played: int
    """How many of them are played."""
    revision: int
    writer: str | None
    """The presence of the program that writes it."""
    heartbeat: float | None
    """When that one last said that it is there, in seconds since 1970."""
    conclusion: Conclusion | None = None
    """How the match was concluded before its rules ended it."""


class Found(NamedTuple):
    """A match as it stands in the library, to be played anew before it can be played on or watched."""

    stored: Stored
    is_taken: bool
    """Whether another program is playing it, for all that is known."""


class Library:
    """The matches in one file, to look at; each method sees one moment of it.

    A library belongs to the thread that opened it. Every method raises LibraryError where the file can't be
    read any more.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Opens, or makes, the library in the file *path*, otherwise the user's own. Never fails; see ``notice``."""
        self.path = path or default_path()
        self.notice: str | None = None
        """What the person should be told of how it was opened, or None."""
        self.unreadable: set[int] = set()
        """The numbers of the matches that were met and make no sense; they are left as they are."""
        self._connect()

    def _connect(self) -> None:
        self._connection, self.notice = open_library(self.path)
        self._file = identity(self.path)

    @property
    def is_in_memory(self) -> bool:
        """Whether the file can't be used; then the library is empty."""
        return not is_kept(self._connection)

    def close(self) -> None:
        self._connection.close()

    def unfinished(self, most: int | None = None) -> list[Summary]:
        """The matches that go on, without variations, at most *most*, the one played last first."""
        return self._summaries(_GOES_ON, most)

    def unfinished_count(self) -> int:
        with _reported(say("The library can't be read")):
            return int(self._connection.execute(f"SELECT count(*) FROM matches WHERE {_GOES_ON}").fetchone()[0])

    def recent(self, most: int) -> list[Summary]:
        """The matches that are over, without variations, at most *most*, the one played last first."""
        return self._summaries(f"payoffs IS NOT NULL AND NOT is_line AND {_IS_SHOWN}", most)

    def all(self) -> Iterator[list[Summary]]:
        """Every match and every variation, in the order of their numbers, page by page."""
        last = 0
        self._look_at_the_file()
        while True:
            with _reported(say("The library can't be read")):
                rows = self._connection.execute(
                    f"SELECT {SUMMARY_COLUMNS} FROM matches WHERE id > ? AND {_IS_SHOWN} ORDER BY id LIMIT {_PAGE}",
                    (last,),
                ).fetchall()
            if not rows:
                return
            last = rows[-1][0]
            yield self._readable(rows)

    def tags(self) -> dict[int, str]:
        """The tags of every match, as they are stored, by its number: two records of one match have the same."""
        with _reported(say("The library can't be read")):
            rows = self._connection.execute(f"SELECT id, tags FROM matches WHERE {_IS_SHOWN}").fetchall()
        return {number: tags for number, tags in rows if isinstance(tags, str)}

    def load(self, match_id: int) -> Match:
        """The match as it was saved last, with what can be played again.

        :raises LibraryError: there is none of this number, or the rules refuse it; it stays in the library.
        """
        return replay(self._read(match_id))

    def find(self, match_id: int, own_name: str = "") -> Found:
        """The rows of a match, from which ``replay`` makes it in any thread, and who plays it.

        :param own_name: the presence of the program that asks, which may still be about to leave the match.
        :raises LibraryError: there is none of this number, or its rows make no sense.
        """
        stored = self._read(match_id)
        return Found(stored, self._is_taken(stored, own_name))

    def _is_taken(self, stored: Stored, own_name: str) -> bool:
        if stored.writer in (None, own_name) or not is_fresh(stored.heartbeat, time.time()):
            return False
        return not is_dead(self.path, str(stored.writer))

    def _look_at_the_file(self) -> None:
        """Open the file anew where another has taken its place, as after damage, or where it could not be used."""
        if self.is_in_memory or identity(self.path) not in (self._file, None):
            self._connection.close()
            self._connect()

    def _read(self, match_id: int) -> Stored:
        self._look_at_the_file()
        with _reported(say("The match can't be loaded")), read_transaction(self._connection):
            try:
                stored = read_stored(self._connection, match_id)
            except BadRow as error:
                raise LibraryError(
                    say(
                        "Match {number} can't be played on: {reason}. It stays in the library as it is.",
                        number=match_id,
                        reason=str(error),
                    )
                ) from error
        if stored is None:
            raise LibraryError(say("There is no match {number} in the library.", number=match_id))
        return stored

    def _summaries(self, which: str, most: int | None = None) -> list[Summary]:
        self._look_at_the_file()
        found: list[Summary] = []
        with _reported(say("The library can't be read")):
            rows = self._connection.execute(
                f"SELECT {SUMMARY_COLUMNS} FROM matches WHERE {which} ORDER BY updated DESC, id DESC"
            )
            for row in rows:
                if len(found) == most:
                    break
                found += self._readable([row])
            rows.close()
        return found

    def _readable(self, rows: Iterable[tuple[Any, ...]]) -> list[Summary]:
        found = []
        for row in rows:
            try:
                found.append(summary_of(row))
            except BadRow:
                self.unreadable.add(row[0])
        return found


@contextmanager
def _reported(trouble: str) -> Iterator[None]:
    """Says in words what SQLite could not do.

    A mistake of the program, such as a call from another thread, is left as it is.
    """
    try:
        yield
    except sqlite3.ProgrammingError:
        raise
    except DATABASE_ERRORS as error:
        raise LibraryError(f"{trouble}: {in_words(error)}.") from error


def replay(stored: Stored) -> Match:
    """The match that stands in the file as *stored*, with what can be played again.

    :raises LibraryError: today's rules refuse it.
    """
    match = None
    try:
        match = read_tags(read_tags_column(stored.tags))
        bring_to(match, (), stored.notations, stored.played, stored.conclusion)
    except (RecordError, NotationError, IllegalStep, BadRow) as error:
        where = say("at its start") if match is None else say("at step {step}", step=len(match.steps) + 1)
        why = joined([str(error), "."], "") if isinstance(error, BadRow) else str(error)
        raise LibraryError(
            say(
                "Match {number} can't be played on, {where}: {reason} It stays in the library as it is.",
                number=stored.id,
                where=where,
                reason=why,
            )
        ) from error
    return match


# -------------------------------------------------------------------------------------- statistics


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
            with read_transaction(connection):
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


# ---------------------------------------------------------------------------------------- one row


def summary_of(row: tuple[Any, ...]) -> Summary:
    """The summary in a *row* of ``SUMMARY_COLUMNS``.

    :raises BadRow: it makes no sense.
    """
    match_id, game, seats, current_round, seat_to_act, payoffs, reason, updated, name, turns, *branching = row
    names = _read_seats(seats)
    if seat_to_act is not None:
        _whole_number("mover", seat_to_act, len(names) - 1)
    if reason is not None:
        _text("reason", reason)
    ending = None if payoffs is None else Ending(_read_payoffs(payoffs, len(names)), reason or "")
    current_round = _whole_number("round", current_round, _MOST)
    if turns is not None:
        _whole_number("turns", turns, _MOST)
    return Summary(
        match_id,
        _text("game", game),
        names,
        current_round,
        seat_to_act,
        ending,
        _read_moment(updated),
        _text("name", name),
        turns,
        _read_origin(*branching[:2]),
        bool(branching[2]),
    )


def read_stored(connection: sqlite3.Connection, match_id: int) -> Stored | None:
    """The match *match_id*, or None where there is none; inside a transaction.

    :raises BadRow: its rows make no sense.
    """
    row = connection.execute(f"SELECT {_STANDING_COLUMNS} FROM matches WHERE id = ?", (match_id,)).fetchone()
    if row is None:
        return None
    tags, played, revision, writer, heartbeat, payoffs, reason = row
    steps = connection.execute("SELECT number, notation FROM steps WHERE match = ? ORDER BY number", (match_id,))
    notations = []
    for expected, (number, notation) in enumerate(steps):
        if number != expected:
            raise BadRow(say("there is no step {expected}", expected=expected + 1))
        notations.append(_text(say("step {number}", number=number + 1), notation))
    return Stored(
        match_id,
        _text("tags", tags),
        tuple(notations),
        _whole_number("played", played, len(notations)),
        _whole_number("revision", revision, _MOST_REVISIONS),
        writer if isinstance(writer, str) else None,
        float(heartbeat) if isinstance(heartbeat, int | float) else None,
        read_conclusion(reason) if payoffs is not None and isinstance(reason, str) else None,
    )


def read_tags_column(tags: str) -> dict[str, str]:
    """The tags of a record in their column.

    :raises BadRow: it has something else.
    """
    found = _json("tags", tags)
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise BadRow(say("its tags are none"))
    return found


def _read_origin(parent: object, branched: object) -> Origin | None:
    if parent is None:
        return None
    return Origin(_whole_number("parent", parent, 2**63), _whole_number("branch", branched, _MOST))


def _read_seats(column: object) -> tuple[str, ...]:
    names = _json("seats", _text("seats", column))
    if not isinstance(names, list) or not 0 < len(names) <= _MOST_SEATS:
        raise BadRow(say("its seats are no list of names"))
    return tuple(_text("seat", name) for name in names)


def _read_payoffs(column: object, seats: int) -> tuple[float, ...]:
    payoffs = _json("payoffs", _text("payoffs", column))
    if not isinstance(payoffs, list) or len(payoffs) != seats:
        raise BadRow(say("its payoffs are not one for each seat"))
    for payoff in payoffs:
        if isinstance(payoff, bool) or not isinstance(payoff, int | float) or not abs(payoff) < math.inf:
            raise BadRow(say("a payoff is no number"))
    return tuple(payoffs)


def _read_moment(column: object) -> datetime.datetime:
    try:
        moment = datetime.datetime.fromisoformat(_text("updated", column))
    except ValueError as error:
        raise BadRow(say("it does not say when it was played")) from error
    if moment.tzinfo is None or moment.year not in _YEARS:
        raise BadRow(say("it does not say when it was played"))
    return moment


def _json(what: str, text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadRow(say("its {what} can't be read", what=what)) from error


def _text(what: str, value: object) -> str:
    if not isinstance(value, str):
        raise BadRow(say("its {what} is no text", what=what))
    return value


def _whole_number(what: str, value: object, most: int) -> int:
    if not isinstance(value, int) or not 0 <= value <= most:
        raise BadRow(say("its {what} is no number from 0 to {most}", what=what, most=most))
    return value
