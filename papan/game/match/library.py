"""The game library: every match, kept step by step as it is played, in one SQLite file.

What is committed stays when the program is killed, so at most the step in flight is lost. Steps that were
taken back are kept too, and can be played again after a restart.

Steps are stored in their notation, not as codes: codes are an inner matter of a game's module and may
change with a version of the program, while notations are what records and people use. A match that today's
rules refuse all the same is reported in words and stays in the file.

A library belongs to the thread that opened it; two programs may use one file, but not play one match.
"""

from __future__ import annotations

import datetime
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from papan.game.base import places
from papan.game.base.database import open_database, transaction
from papan.game.match import Match
from papan.game.match.mending import accept_row, mend_matches
from papan.game.match.notation import parse_step
from papan.game.match.record import BEFORE_FIRST_ROUND, RecordError, Round, read_tags, write_tags
from papan.game.rules import CHANCE, Ending, IllegalStep, NotationError, is_over, mover, play

FILE_NAME = "library.sqlite3"

_MIGRATIONS = (
    (
        """CREATE TABLE matches (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            tags TEXT NOT NULL,      -- JSON: the tags of its record, by name
            game TEXT NOT NULL,
            seats TEXT NOT NULL,     -- JSON: the players' names in the order of play
            played INTEGER NOT NULL, -- how many of its steps are played; those after them were taken back
            round INTEGER NOT NULL,
            mover INTEGER,           -- the seat to act; NULL for chance, and once the match is over
            payoffs TEXT,            -- JSON: what each seat has won; NULL while the match goes on
            reason TEXT,
            updated TEXT NOT NULL    -- ISO 8601, UTC
        )""",
        """CREATE TABLE steps (
            match INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE,
            number INTEGER NOT NULL, -- from 0
            notation TEXT NOT NULL,
            PRIMARY KEY (match, number)
        ) WITHOUT ROWID""",
    ),
)

_SUMMARY = "SELECT id, game, seats, round, mover, payoffs, reason, updated FROM matches"


class LibraryError(ValueError):
    """A match that can't be loaded or saved; the message says why."""


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


class _Saved(NamedTuple):
    """One match as it stands in the file."""

    steps: list[int]
    rounds: list[Round]
    """The round of the state before each step, and of the one after the last."""


class Library:
    """The matches in one file; each method is one transaction.

    Every method raises LibraryError where the file can't be read or written any more.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Opens, or makes, the library in the file *path*, otherwise the user's own. Never fails; see ``notice``."""
        self.path = path or places.data_folder() / FILE_NAME
        self._connection, self.notice = open_database(self.path, _MIGRATIONS, mend=mend_matches, accept=accept_row)
        self._saved: dict[int, _Saved] = {}

    def close(self) -> None:
        self._connection.close()

    # ------------------------------------------------------------------------------------- playing

    def begin(self, match: Match) -> int:
        """Store *match*; returns the number that it has in the library from now on.

        Its seats, options and other tags are stored here for good; ``save`` looks at its steps.
        """
        with _reported("The match can't be saved"), transaction(self._connection):
            row = (json.dumps(write_tags(match)), match.game.name, json.dumps(match.seats))
            added = self._connection.execute(
                "INSERT INTO matches (tags, game, seats, played, round, updated) VALUES (?, ?, ?, 0, 0, '')", row
            )
            match_id = int(added.lastrowid or 0)
            saved = self._write(match_id, match)
        self._saved[match_id] = saved
        return match_id

    def save(self, match_id: int, match: Match) -> None:
        """Make what is stored equal to *match*: call it after each step, undo and redo."""
        with _reported("The match can't be saved"), transaction(self._connection):
            saved = self._write(match_id, match)
        self._saved[match_id] = saved

    def drop(self, match_id: int) -> None:
        """Forget a match; nothing happens if there is none of this number."""
        self._saved.pop(match_id, None)
        with _reported("The match can't be dropped"), transaction(self._connection):
            self._connection.execute("DELETE FROM matches WHERE id = ?", (match_id,))

    # ------------------------------------------------------------------------------------- looking

    def unfinished(self) -> list[Summary]:
        """The matches that go on, the one played last first."""
        return self._summaries("WHERE payoffs IS NULL ORDER BY updated DESC, id DESC")

    def recent(self, most: int) -> list[Summary]:
        """The matches that are over, at most *most*, the one played last first."""
        return self._summaries("WHERE payoffs IS NOT NULL ORDER BY updated DESC, id DESC LIMIT ?", most)

    def load(self, match_id: int) -> Match:
        """The match as it was saved last, with what can be played again.

        :raises LibraryError: there is none of this number, or the rules refuse it; it stays in the library.
        """
        with _reported("The match can't be loaded"):
            row = self._connection.execute("SELECT tags, played FROM matches WHERE id = ?", (match_id,)).fetchone()
            if row is None:
                raise LibraryError(f"There is no match {match_id} in the library.")
            notations = self._connection.execute(
                "SELECT notation FROM steps WHERE match = ? ORDER BY number", (match_id,)
            ).fetchall()
        tags, played = row
        match = None
        try:
            match = read_tags(json.loads(tags))
            for (notation,) in notations:
                match.play(parse_step(match.rules, match.state, notation))
        except (RecordError, NotationError, IllegalStep, json.JSONDecodeError) as error:
            where = "at its start" if match is None else f"at step {len(match.steps) + 1}"
            raise LibraryError(
                f"Match {match_id} can't be played on, {where}: {error} It stays in the library as it is."
            ) from error
        for _ in range(len(notations) - played):
            match.undo()
        return match

    # ------------------------------------------------------------------------------------ the rest

    def _write(self, match_id: int, match: Match) -> _Saved:
        """Store the steps that differ from those stored, and where the match stands; inside a transaction."""
        saved = self._saved.pop(match_id, None)  # not to be trusted should this transaction fail
        if saved is None:
            saved = _Saved([], [BEFORE_FIRST_ROUND.then(int(mover(match.states[0])))])
        same = _common_length(saved.steps, match.all_steps)
        del saved.steps[same:], saved.rounds[same + 1 :]
        added = _append_new_steps(saved, match)
        ending = match.ending
        changed = self._connection.execute(
            "UPDATE matches SET played = ?, round = ?, mover = ?, payoffs = ?, reason = ?, updated = ? WHERE id = ?",
            (
                len(match.steps),
                saved.rounds[len(match.steps)].number,
                None if ending or match.mover == CHANCE else match.mover,
                json.dumps(ending.payoffs) if ending else None,
                ending.reason if ending else None,
                datetime.datetime.now(datetime.UTC).isoformat(timespec="microseconds"),
                match_id,
            ),
        )
        if not changed.rowcount:
            raise LibraryError(f"There is no match {match_id} in the library.")
        self._connection.execute("DELETE FROM steps WHERE match = ? AND number >= ?", (match_id, same))
        self._connection.executemany(
            "INSERT INTO steps (match, number, notation) VALUES (?, ?, ?)",
            [(match_id, number, notation) for number, notation in added],
        )
        return saved

    def _summaries(self, which: str, *parameters: int) -> list[Summary]:
        with _reported("The library can't be read"):
            return [_summary(*row) for row in self._connection.execute(f"{_SUMMARY} {which}", parameters)]


def _summary(
    match_id: int,
    game: str,
    seats: str,
    current_round: int,
    seat_to_act: int | None,
    payoffs: str | None,
    reason: str | None,
    updated: str,
) -> Summary:
    ending = None if payoffs is None else Ending(tuple(json.loads(payoffs)), reason or "")
    when = datetime.datetime.fromisoformat(updated)
    return Summary(match_id, game, tuple(json.loads(seats)), current_round, seat_to_act, ending, when)


def _append_new_steps(saved: _Saved, match: Match) -> list[tuple[int, str]]:
    """Add to *saved* the steps of *match* that it lacks; returns the number and the notation of each."""
    added = []
    first = min(len(saved.steps), len(match.steps))  # states are known only up to where the match stands
    state = match.states[first]
    for number in range(first, len(match.all_steps)):
        step = match.all_steps[number]
        after = play(state, step)
        if number == len(saved.steps):
            added.append((number, match.rules.notation(state, step)))
            is_new_turn = mover(after) != mover(state) and not is_over(after)
            saved.steps.append(step)
            saved.rounds.append(saved.rounds[-1].then(int(mover(after))) if is_new_turn else saved.rounds[-1])
        state = after
    return added


def _common_length(some: Sequence[int], others: Sequence[int]) -> int:
    """How many steps the two begin with in common."""
    for number, (one, other) in enumerate(zip(some, others, strict=False)):
        if one != other:
            return number
    return min(len(some), len(others))


@contextmanager
def _reported(trouble: str) -> Iterator[None]:
    """Says in words what SQLite could not do.

    A mistake of the program, such as a call from another thread, is left as it is.
    """
    try:
        yield
    except sqlite3.ProgrammingError:
        raise
    except sqlite3.Error as error:
        raise LibraryError(f"{trouble}: {error}.") from error
