"""Read the library: lists of matches, single matches, and sums for statistics.

Rows are untrusted: other programs, damage and people may have changed them, and SQLite's columns hold any type. An
invalid row raises ``BadRow`` and stays in the file.
"""

from __future__ import annotations

import datetime
import json
import math
import re
import sqlite3
import time
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from papan.game.base.database import identity, is_kept
from papan.game.base.sentences import SentenceError, joined, say
from papan.game.base.sqlite import DATABASE_ERRORS, in_words, read_transaction, text
from papan.game.match import Conclusion, Match, read_conclusion
from papan.game.match.library.schema import default_path, open_library
from papan.game.match.library.snapshot import Origin, bring_to
from papan.game.match.library.writer_lock import is_dead, is_fresh
from papan.game.match.record import RecordError, read_tags
from papan.game.rules import Ending, IllegalStep, NotationError

LETTERS_TAG = "Letters"
"""The tag of a record with the identifier of its match by correspondence."""
SUMMARY_COLUMNS = f"""id, game, seats, round, mover, payoffs, reason, updated, name, turns, parent, branched, is_line,
CASE WHEN typeof(tags) = 'text' AND json_valid(tags)
THEN coalesce(json_extract(tags, '$.Dated'), json_extract(tags, '$.Date')) END,
CASE WHEN typeof(tags) = 'text' AND json_valid(tags) THEN json_extract(tags, '$.{LETTERS_TAG}') END, played"""
IS_PLAYED = "EXISTS (SELECT 1 FROM steps WHERE match = matches.id)"
"""SQL: whether a match has a step. One without is in no list while a program writes it; see ``forget_the_dead``."""
_STANDING_COLUMNS = "tags, played, revision, writer, heartbeat, payoffs, reason"

_MOST = 2**31
_MOST_REVISIONS = 2**62
_MOST_SEATS = 64
RECENT_YEARS = range(1970, 9999)
"""The years of matches in the library, which are valid in every time zone."""

NOON = datetime.time(12, tzinfo=datetime.UTC)
"""The time of day given to a match of which a date is known alone."""
_DATE = re.compile(r"(?!0001)([0-9]{4})(?:[.-]([0-9]{2}))?(?:[.-]([0-9]{2}))?")
"""As in tags; no match was played in the year 1, which stands for an unknown one."""
_PAGE = 200
"""Rows to read at once; between pages other threads can run."""
_IS_SHOWN = f"deleted IS NULL AND (writer IS NULL OR {IS_PLAYED})"
_HAS_PLAYERS = """CASE WHEN typeof(seats) = 'text' AND json_valid(seats) THEN NOT EXISTS (
SELECT 1 FROM json_each(seats) WHERE value GLOB '*[^a-z0-9_.:=,+-]*' AND value NOT GLOB 'engine:*') ELSE 1 END"""
"""SQL: whether persons and computers here play a match; those of other people have names that no player has."""
_GOES_ON = f"payoffs IS NULL AND NOT is_line AND {_IS_SHOWN} AND {_HAS_PLAYERS}"
_PATIENCE = 1.0  # seconds to wait for a writer, in the thread of the sums
_UNNAMED = ("", None, None, None, 0, None, None, 0)
"""The columns of ``SUMMARY_COLUMNS`` from the name on, for grouped rows."""
_WITH_PERSON = """FROM matches
WHERE payoffs IS NOT NULL AND NOT is_line AND deleted IS NULL AND instr(seats, '"' || ? || '"')"""
_RESULTS = f"""SELECT game, seats, payoffs, count(*), max(updated) {_WITH_PERSON}
GROUP BY game, seats, payoffs"""
_WEEKS = f"""SELECT game, date(updated, 'localtime', 'weekday 0', '-6 days') AS week, count(*) {_WITH_PERSON}
AND week BETWEEN '1970-01-01' AND '9998-12-31' GROUP BY game, week ORDER BY week"""
_ORDER = f"SELECT game, seats, payoffs {_WITH_PERSON} ORDER BY updated, id"


class LibraryError(SentenceError, ValueError):
    """A match can't be loaded; the message says why."""


class BadRow(SentenceError, ValueError):
    """A row is invalid; the message says why."""


@dataclass(frozen=True)
class Summary:
    """A match in a list of matches."""

    id: int
    game: str
    """The name of the game, perhaps no longer in the catalogue."""
    seats: tuple[str, ...]
    """The players' names, in the order of play."""
    round: int
    """The current round, numbered as in records."""
    mover: int | None
    """The seat to act; None for chance, and after the end."""
    ending: Ending | None
    updated: datetime.datetime
    """When it was last played, in UTC."""
    name: str = ""
    """The user's name for it, or ""."""
    turns: int | None = None
    """Turns of seats so far; None if not counted yet."""
    origin: Origin | None = None
    """The match it branches off from, which may be gone."""
    is_line: bool = False
    """Whether it is a variation: steps of another match that were undone and replaced there."""
    date: str = ""
    """The date that its record tells, as far as it is known: ``1998-12-13``, ``1841``; "" if it was played here."""
    letters: str = ""
    """The identifier of a match by correspondence; "" for others."""
    steps: int = 0
    """The number of steps played."""

    @property
    def played(self) -> datetime.datetime:
        """When it was played, in UTC: at noon of the first day that ``date`` may mean, else when it was saved."""
        if not self.date:
            return self.updated
        year, month, day = map(int, f"{self.date}-01-01"[:10].split("-"))
        return datetime.datetime.combine(datetime.date(year, month, day), NOON)


class Stored(NamedTuple):
    """A match in the file."""

    id: int
    tags: str
    """As JSON."""
    notations: tuple[str, ...]
    """Of all steps, the undone ones last."""
    played: int
    """The number of steps played."""
    revision: int
    writer: str | None
    """The name of the program that writes it."""
    heartbeat: float | None
    """The last sign of that program, in seconds since 1970."""
    conclusion: Conclusion | None = None


class Found(NamedTuple):
    """A match in the library, to be replayed, and whether another program plays it."""

    stored: Stored
    is_taken: bool


class Library:
    """Read access to the matches in one file.

    It belongs to the thread that opened it. Every method raises LibraryError if the file can't be read any more.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Open or make the library in *path*, by default the user's. Never fails; see ``notice``."""
        self.path = path or default_path()
        self.notice: str | None = None
        """A message for the user about how it was opened, or None."""
        self.unreadable: set[int] = set()
        """The numbers of invalid matches met so far."""
        self._connect()

    def _connect(self) -> None:
        self._connection, self.notice = open_library(self.path)
        self._file = identity(self.path)

    @property
    def is_in_memory(self) -> bool:
        """Whether the file can't be used, so that the library is empty."""
        return not is_kept(self._connection)

    def close(self) -> None:
        self._connection.close()

    def unfinished(self, most: int | None = None) -> list[Summary]:
        """At most *most* unfinished matches that can go on here, without variations, the last played first."""
        return self._summaries(_GOES_ON, most)

    def unfinished_count(self) -> int:
        with _reported(say("The library can't be read")):
            return int(self._connection.execute(f"SELECT count(*) FROM matches WHERE {_GOES_ON}").fetchone()[0])

    def recent(self, most: int) -> list[Summary]:
        """At most *most* finished matches without variations, the last played first."""
        return self._summaries(f"payoffs IS NOT NULL AND NOT is_line AND {_IS_SHOWN}", most)

    def all(self) -> Iterator[list[Summary]]:
        """Yield all matches and variations by number, page by page."""
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
        """The stored tags of every match by number; records of the same match have equal tags, in any order."""
        with _reported(say("The library can't be read")):
            rows = self._connection.execute(f"SELECT id, tags FROM matches WHERE {_IS_SHOWN}").fetchall()
        return {number: tags for number, tags in rows if isinstance(tags, str)}

    def with_tag(self, name: str, value: str) -> int | None:
        """The number of the first match, no variation, whose record has the tag *name* with *value*; None for none."""
        self._look_at_the_file()
        with _reported(say("The library can't be read")):
            row = self._connection.execute(
                f"SELECT id FROM matches WHERE NOT is_line AND {_IS_SHOWN} AND json_valid(tags) "
                "AND json_extract(tags, ?) = ? ORDER BY id",
                (f'$."{name}"', value),
            ).fetchone()
        return None if row is None else int(row[0])

    def letters(self) -> set[str]:
        """The identifiers of all matches by correspondence, also of those whose deletion can be undone."""
        self._look_at_the_file()
        with _reported(say("The library can't be read")):
            rows = self._connection.execute(
                f"SELECT json_extract(tags, '$.{LETTERS_TAG}') FROM matches WHERE json_valid(tags)"
            ).fetchall()
        return {str(found) for (found,) in rows if found is not None}

    def load(self, match_id: int) -> Match:
        """The match with its undone steps.

        :raises LibraryError: there is none, or the rules refuse it; it stays in the library.
        """
        return replay(self._read(match_id))

    def find(self, match_id: int, own_name: str = "") -> Found:
        """The rows of a match, for ``replay`` in any thread.

        :param own_name: the name of this program, which may not have released the match yet.
        :raises LibraryError: there is none, or its rows are invalid.
        """
        stored = self._read(match_id)
        return Found(stored, self._is_taken(stored, own_name))

    def _is_taken(self, stored: Stored, own_name: str) -> bool:
        if stored.writer in (None, own_name) or not is_fresh(stored.heartbeat, time.time()):
            return False
        return not is_dead(self.path, str(stored.writer))

    def _look_at_the_file(self) -> None:
        """Reopen the file if it was replaced or could not be used."""
        if self.is_in_memory or identity(self.path) not in (self._file, None):
            self._connection.close()
            self._connect()

    def _read(self, match_id: int) -> Stored:
        self._look_at_the_file()
        with _reported(say("The match can't be loaded")), read_transaction(self._connection):
            try:
                stored = read_stored(self._connection, match_id)
            except BadRow as error:
                raise LibraryError.saying(
                    "Match {number} can't be continued: {reason}. It stays in the library.",
                    number=match_id,
                    reason=str(error),
                ) from error
        if stored is None:
            raise LibraryError.saying("There is no match {number} in the library.", number=match_id)
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
    """Turn SQLite's errors into LibraryError, except mistakes of the program."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise
    except DATABASE_ERRORS as error:
        raise LibraryError(f"{trouble}: {in_words(error)}.") from error


def replay(stored: Stored) -> Match:
    """The match *stored* with its undone steps; raises LibraryError if today's rules refuse it."""
    match = None
    try:
        match = read_tags(read_tags_column(stored.tags))
        bring_to(match, (), stored.notations, stored.played, stored.conclusion)
    except (RecordError, NotationError, IllegalStep, BadRow) as error:
        where = say("at its start") if match is None else say("at step {step}", step=len(match.steps) + 1)
        why = joined([str(error), "."], "") if isinstance(error, BadRow) else str(error)
        raise LibraryError.saying(
            "Match {number} can't be continued, {where}: {reason} It stays in the library.",
            number=stored.id,
            where=where,
            reason=why,
        ) from error
    return match


class Result(NamedTuple):
    """The number of matches between the same players with the same result."""

    game: str
    """The name of the game, perhaps no longer in the catalogue."""
    seats: tuple[str, ...]
    """The players' names, in the order of play."""
    ending: Ending
    """The payoffs; without a reason."""
    number: int

    def outcome_for(self, person: str) -> str:
        """The outcome for the only *person* against others; "" for several persons, or for one who plays alone."""
        if len(self.seats) < 2 or self.seats.count(person) != 1:
            return ""
        return self.ending.outcome(self.seats.index(person))


class Week(NamedTuple):
    """The number of matches of a game in a week."""

    game: str
    monday: datetime.date
    number: int


class Sums(NamedTuple):
    """Sums of all finished matches with a person."""

    results: Sequence[Result] = ()
    weeks: Sequence[Week] = ()
    """Ascending, without empty weeks."""
    order: Sequence[int] = ()
    """For each match, in the order of their endings, the index of its result in ``results``."""


def read_sums(path: Path, person: str) -> Sums:
    """The sums of the library in the file *path*; empty if there is none. Invalid rows are skipped.

    :param person: the name of seats that people play.
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
        raise LibraryError.saying("The library can't be read: {reason}.", reason=in_words(error)) from error


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


def summary_of(row: tuple[Any, ...]) -> Summary:
    """The summary in a *row* of ``SUMMARY_COLUMNS``; raises BadRow."""
    (
        match_id,
        game,
        seats,
        current_round,
        seat_to_act,
        payoffs,
        reason,
        updated,
        name,
        turns,
        *branching,
        date,
        letters,
        steps,
    ) = row
    names = _read_seats(seats)
    if seat_to_act is not None:
        _whole_number("mover", seat_to_act, len(names) - 1)
    if reason is not None:
        _text("reason", reason)
    ending = None if payoffs is None else Ending(_read_payoffs(payoffs, len(names)), reason or "")
    current_round = _whole_number("round", current_round, _MOST)
    if turns is not None:
        _whole_number("turns", turns, _MOST)
    moment = _read_moment(updated)
    return Summary(
        match_id,
        _text("game", game),
        names,
        current_round,
        seat_to_act,
        ending,
        moment,
        _text("name", name),
        turns,
        _read_origin(*branching[:2]),
        bool(branching[2]),
        _read_date(date, moment),
        letters if isinstance(letters, str) else "",
        _whole_number("played", steps, _MOST),
    )


def read_stored(connection: sqlite3.Connection, match_id: int) -> Stored | None:
    """The match *match_id*, or None; within a transaction. Raises BadRow."""
    row = connection.execute(f"SELECT {_STANDING_COLUMNS} FROM matches WHERE id = ?", (match_id,)).fetchone()
    if row is None:
        return None
    tags, played, revision, writer, heartbeat, payoffs, reason = row
    steps = connection.execute("SELECT number, notation FROM steps WHERE match = ? ORDER BY number", (match_id,))
    notations = []
    for expected, (number, notation) in enumerate(steps):
        if number != expected:
            raise BadRow.saying("there is no step {expected}", expected=expected + 1)
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
    """The tags in their column; raises BadRow."""
    found = _json("tags", tags)
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise BadRow.saying("its tags can't be read")
    return found


def _read_origin(parent: object, branched: object) -> Origin | None:
    if parent is None:
        return None
    return Origin(_whole_number("parent", parent, 2**63), _whole_number("branch", branched, _MOST))


def _read_seats(column: object) -> tuple[str, ...]:
    names = _json("seats", _text("seats", column))
    if not isinstance(names, list) or not 0 < len(names) <= _MOST_SEATS:
        raise BadRow.saying("its seats are no list of names")
    return tuple(_text("seat", name) for name in names)


def _read_payoffs(column: object, seats: int) -> tuple[float, ...]:
    payoffs = _json("payoffs", _text("payoffs", column))
    if not isinstance(payoffs, list) or len(payoffs) != seats:
        raise BadRow.saying("its payoffs are not one for each seat")
    for payoff in payoffs:
        if isinstance(payoff, bool) or not isinstance(payoff, int | float) or not abs(payoff) < math.inf:
            raise BadRow.saying("a payoff is not a number")
    return tuple(payoffs)


def _read_moment(column: object) -> datetime.datetime:
    try:
        moment = datetime.datetime.fromisoformat(_text("updated", column))
    except ValueError as error:
        raise BadRow.saying("it does not say when it was played") from error
    if moment.tzinfo is None or moment.year not in RECENT_YEARS:
        raise BadRow.saying("it does not say when it was played")
    return moment


def _read_date(column: object, moment: datetime.datetime) -> str:
    """The date in a tag; "" for none, and for that of a match that was saved at a *moment* of play."""
    found = _DATE.fullmatch(column) if isinstance(column, str) else None
    if found is None:
        return ""
    date = "-".join(filter(None, found.groups()))
    try:
        day = datetime.date.fromisoformat(f"{date}-01-01"[:10])
    except ValueError:
        return ""
    is_from_record = day.year not in RECENT_YEARS or moment == datetime.datetime.combine(day, NOON)
    return date if is_from_record else ""


def _json(what: str, text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadRow.saying("its {what} can't be read", what=what) from error


def _text(what: str, value: object) -> str:
    if not isinstance(value, str):
        raise BadRow.saying("its {what} is not a text", what=what)
    return value


def _whole_number(what: str, value: object, most: int) -> int:
    if not isinstance(value, int) or not 0 <= value <= most:
        raise BadRow.saying("its {what} is not a number from 0 to {most}", what=what, most=most)
    return value
