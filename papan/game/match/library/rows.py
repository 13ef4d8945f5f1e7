"""Rows of the library's file, read with distrust: other programs, damage and people may have changed them.

Columns of SQLite hold any type, whatever was declared. A row that makes no sense is a ``BadRow``, which
says why; it stays in the file as it is.
"""

from __future__ import annotations

import datetime
import json
import math
import sqlite3
from dataclasses import dataclass
from typing import Any, NamedTuple

from papan.game.base.sentences import say
from papan.game.match.conclusion import Conclusion, read_conclusion
from papan.game.match.library.snapshot import Origin
from papan.game.rules import Ending

SUMMARY_COLUMNS = "id, game, seats, round, mover, payoffs, reason, updated, name, turns, parent, branched, is_line"
IS_PLAYED = "EXISTS (SELECT 1 FROM steps WHERE match = matches.id)"
"""SQL: whether a match has any step. One without is not kept: it is in no list, and forgotten once nobody plays it."""
_STANDING_COLUMNS = "tags, played, revision, writer, heartbeat, payoffs, reason"

_MOST = 2**31
_MOST_REVISIONS = 2**62  # SQLite has room for many more
_MOST_SEATS = 64
_YEARS = range(1970, 9999)  # those that every clock can be asked for in any time zone


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
