"""Collections of games on disk: adding games, and finding those with a position."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.game.base.array_files import mapped_array
from papan.game.base.database import is_kept, open_database
from papan.game.base.languages import said
from papan.game.base.places import atomic_file, data_folder, make_private_folder
from papan.game.base.protocols import offers
from papan.game.base.sentences import Sentence, SentenceError, joined, say
from papan.game.base.sqlite import Migration, transaction
from papan.game.base.untrusted import UnreadableError, quoted
from papan.game.explorer.changes import Changes
from papan.game.explorer.trail import Trails
from papan.game.formats import Transcript, read_date
from papan.game.formats.source import FormatError
from papan.game.game import Game
from papan.game.rules import BoardRows, PositionError, Searchable, State, is_over, play

FOLDER = "collections"
UNKNOWN = np.nan
"""The payoff of a game whose result is unknown."""
NO_NAME = "?"
"""The name of players whom a file does not name."""
PLACES = np.dtype([("key", "<i8"), ("after", "<i4"), ("game", "<i4")])
"""A position: its key, the low half of the key after the turn played there (0 at the end), the game's row."""
GAMES = np.dtype([("first", "<i4"), ("second", "<i4"), ("year", "<i4"), ("payoff", "<f4")])
"""A game: its players' numbers, its year (0: unknown), the payoff of the first seat."""
ARRAYS = {"places": PLACES, "games": GAMES, "changes": np.dtype("<u2"), "ends": np.dtype("<u4")}
"""The files of a part: of games whose positions can be searched for, also the changes on the board, as of
``papan.game.explorer.changes``, and the index after each game's last one. Collections of Papan 3.0 lack these two."""
_BATCH = 10_000
"""Games of one part; more are split, which bounds the memory, and how long an import takes to stop."""
_PATIENCE = 60_000
"""Milliseconds to wait for another program that has just opened the file."""
_NAME = re.compile(r"[\w][\w .-]{0,60}")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³]) *(?:\..*)?", re.IGNORECASE)
"""Names of Windows, in each folder and with any ending."""
_OWN_NAMES = (say("My matches"), say("all collections"))
"""What lists show beside collections."""
_DATABASE = "games.sqlite3"
_MIGRATIONS: Sequence[Migration] = (
    (
        "CREATE TABLE players (number INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL)",
        "CREATE TABLE parts (number INTEGER PRIMARY KEY, first_game INTEGER NOT NULL, games INTEGER NOT NULL)",
        """CREATE TABLE games (
            number INTEGER PRIMARY KEY, first INTEGER NOT NULL, second INTEGER NOT NULL, date TEXT NOT NULL,
            event TEXT NOT NULL, options TEXT NOT NULL, position TEXT, payoff REAL, steps BLOB NOT NULL
        )""",
    ),
)


class CollectionError(SentenceError, ValueError):
    """A collection can't be read or written; the message is a sentence."""


class GameInfo(NamedTuple):
    """A game of a collection, as lists show it."""

    number: int
    players: tuple[str, str]
    date: str
    event: str
    payoff: float | None
    """Of the first seat; None if the file told no result."""


def suits(game: Game) -> bool:
    """Whether there can be collections of *game*: two seats, no chance, nothing hidden."""
    return 2 in game.seats and not game.has_chance and not game.has_hidden_information


def check_suits(game: Game) -> None:
    """:raises CollectionError: there can be no collections of *game*."""
    if not suits(game):
        raise CollectionError.saying(
            "There are no collections of {game}: only of games for two without chance and hidden cards.",
            game=game.title,
        )


def folder_of(game: Game) -> Path:
    return data_folder() / FOLDER / game.name


def place_of(game: Game, name: str, folder: Path | None = None) -> Path:
    """The folder of the collection *name* in *folder*; default: the one of the game in the user's data.

    :raises CollectionError: the game can have none, or the name is none.
    """
    check_suits(game)
    if not _NAME.fullmatch(name):
        raise CollectionError.saying(
            "{name} can't name a collection: use letters, digits, blanks, dots and hyphens.", name=quoted(name)
        )
    return (folder or folder_of(game)) / name


def check_new(name: str) -> None:
    """:raises CollectionError: *name* can't be that of a new collection: not every system or list could show it."""
    reason: Sentence | None = None
    if name.endswith((".", " ")):
        reason = say("Windows has no names that end with a full stop or a blank")
    elif _DEVICE.fullmatch(name):
        reason = say("Windows calls a device so")
    elif name.casefold() in {one.casefold() for own in _OWN_NAMES for one in (own, said(own))}:
        reason = say("this program calls something else so")
    if reason is not None:
        raise CollectionError.saying(
            "{name} can't name a collection, as {reason}: choose another name.", name=quoted(name), reason=reason
        )


class Collection:
    """The games of one collection."""

    def __init__(self, game: Game, name: str, folder: Path | None = None) -> None:
        """Open the collection *name*, or make it.

        :param folder: default: the one of the game in the user's data.
        :raises CollectionError: the game can have none, the name is none, or the disk refuses.
        """
        self.game, self.name = game, name
        self.path = place_of(game, name, folder)
        if not (self.path / _DATABASE).is_file():
            check_new(name)
        try:
            make_private_folder(self.path)
            self._file, notice = open_database(self.path / _DATABASE, _MIGRATIONS)
            if notice or not is_kept(self._file):
                raise UnreadableError(notice or say("the disk refuses"))
            self._file.execute(f"PRAGMA busy_timeout = {_PATIENCE}")
            self._load()
        except (OSError, sqlite3.Error, UnreadableError) as error:
            raise self._unreadable(error) from error

    def close(self) -> None:
        self._file.close()
        self._parts.clear()  # the arrays keep their files open
        self._changes.clear()

    def _load(self) -> None:
        """Map the arrays of all finished parts."""
        self._parts: list[tuple[NDArray[Any], int]] = []
        self._changes: dict[int, tuple[NDArray[Any], NDArray[Any]]] = {}
        tables = []
        for number, first_game, games in self._file.execute("SELECT * FROM parts ORDER BY number"):
            places, table = self._mapped(number, "places"), self._mapped(number, "games")
            if len(table) != games:
                raise UnreadableError(say("a part of its games is missing"))
            self._parts.append((places, first_game))
            tables.append(table)
        nothing = np.empty(0, GAMES)
        self.table: Mapping[str, NDArray[Any]] = {
            name: np.concatenate([nothing[name], *(table[name] for table in tables)])
            for name in ("first", "second", "year", "payoff")
        }
        """The columns of GAMES, by the games' numbers."""

    def _mapped(self, part: int, what: str) -> NDArray[Any]:
        return mapped_array(self._array(part, what), ARRAYS[what])

    def _array(self, part: int, what: str) -> Path:
        return self.path / f"{what}-{part:04}.npy"

    def __len__(self) -> int:
        return len(self.table["year"])

    @property
    def positions(self) -> int:
        return sum(len(places) for places, _ in self._parts)

    # ------------------------------------------------------------------------------------- reading

    def found(self, key: int) -> Iterator[NDArray[Any]]:
        """Yield the occurrences of the position *key*, part by part, as PLACES, with the games' numbers."""
        for places, first_game in self._parts:
            keys = places["key"]
            low, high = (int(np.searchsorted(keys, key, side)) for side in ("left", "right"))
            if low < high:
                part = np.array(places[low:high])
                part["game"] += first_game
                yield part

    def changes(self) -> Iterator[tuple[NDArray[Any], NDArray[Any], int]]:
        """Yield of each part, the latest first, its changes on the board, their ends, and its first game's number.

        What is missing or damaged is made anew from the games.

        :raises CollectionError: the game's positions can't be searched for, or the collection can't be written.
        """
        for part, (_places, first_game) in reversed([*enumerate(self._parts, start=1)]):
            if part not in self._changes:
                last = self._parts[part][1] if part < len(self._parts) else len(self)
                self._changes[part] = self._read_changes(part, range(first_game, last))
            yield *self._changes[part], first_game

    def _read_changes(self, part: int, games: range) -> tuple[NDArray[Any], NDArray[Any]]:
        try:
            changes, ends = self._mapped(part, "changes"), self._mapped(part, "ends")
            if len(ends) == len(games) and np.all(ends[1:] >= ends[:-1]) and ends[-1] == len(changes):
                return changes, ends
        except UnreadableError:
            pass
        made, starts, every = Changes(partial(board_of, self.game)), dict[tuple[str, str | None], State](), []
        for number in games:
            told = self.transcript(number)
            every.append(made.of(_start(told, starts), np.array(told.steps, np.int64)))
        changes, ends = _joined(every)
        try:
            self._write(part, {"changes": changes, "ends": ends})
        except OSError as error:
            raise self._unwritable(error) from error
        return changes, ends

    def player_numbers(self, text: str) -> list[int]:
        """The numbers of the players whose names contain *text*, in any letters."""
        rows = self._file.execute("SELECT number, name FROM players")
        return [number for number, name in rows if text.casefold() in name.casefold()]

    def names(self, numbers: Iterable[int]) -> dict[int, str]:
        """The names of players by their numbers."""
        return {
            number: self._file.execute("SELECT name FROM players WHERE number = ?", (int(number),)).fetchone()[0]
            for number in numbers
        }

    def info(self, number: int) -> GameInfo:
        """What lists show of the game *number*."""
        first, second, date, event, payoff = self._file.execute(
            "SELECT a.name, b.name, date, event, payoff FROM games"
            " JOIN players a ON a.number = first JOIN players b ON b.number = second WHERE games.number = ?",
            (int(number),),
        ).fetchone()
        return GameInfo(int(number), (first, second), date, event, payoff)

    def transcript(self, number: int) -> Transcript:
        """The game *number* again, as its file told it."""
        info = self.info(number)
        options, position, steps = self._file.execute(
            "SELECT options, position, steps FROM games WHERE number = ?", (int(number),)
        ).fetchone()
        payoffs = None if info.payoff is None else (info.payoff, -info.payoff)
        return Transcript(
            self.game, _read_options(options), position, [int(step) for step in np.frombuffer(steps, "<i4")],
            info.players, payoffs, date=info.date, tags={"Event": info.event},
        )  # fmt: skip

    def digests(self) -> set[bytes]:
        """The ``digest_of`` each game.

        :raises CollectionError: they can't be read.
        """
        try:
            rows = self._file.execute(
                "SELECT steps, options, position, a.name, b.name, date, event FROM games"
                " JOIN players a ON a.number = first JOIN players b ON b.number = second"
            )
            return {_digest(steps, facts) for steps, *facts in rows}
        except sqlite3.Error as error:
            raise self._unreadable(error) from error

    @property
    def stored(self) -> int:
        """How many games are on disk now, even if an interrupt kept them from being read."""
        return int(self._file.execute("SELECT COALESCE(SUM(games), 0) FROM parts").fetchone()[0])

    # -------------------------------------------------------------------------------------- adding

    def add(self, games: Iterable[Transcript]) -> Iterator[int]:
        """Add *games*, and yield how many are in so far after each part; a kill loses the unfinished part alone."""
        trails, starts = Trails(), dict[tuple[str, str | None], State]()
        changes = Changes(partial(board_of, self.game)) if can_search(self.game) else None
        batch, keys, changed = list[Transcript](), list[NDArray[np.int64]](), list[NDArray[np.uint16]]()
        for told in games:
            if told.game is self.game and len(told.steps) > 0:
                start, steps = _start(told, starts), np.array(told.steps, np.int64)
                batch.append(_with_result(told, start))
                keys.append(trails.keys(start, steps))
                if changes is not None:
                    changed.append(changes.of(start, steps))
            if len(batch) == _BATCH:
                yield self._add_part(batch, keys, changed)
                batch, keys, changed = [], [], []
        if batch:
            yield self._add_part(batch, keys, changed)

    def _add_part(
        self, games: Sequence[Transcript], keys: Sequence[NDArray[Any]], changes: Sequence[NDArray[Any]]
    ) -> int:
        """Add *games* as one part, all of them or none; returns the number of games in the collection.

        :param keys, changes: of each game; no changes if positions of the game can't be searched for.
        """
        part, first_game = len(self._parts) + 1, len(self)
        table = np.empty(len(games), GAMES)
        arrays = {"places": _places(keys), "games": table}
        if changes:
            arrays["changes"], arrays["ends"] = _joined(changes)
        try:
            with transaction(self._file):
                player, rows = cache(self._player), []
                for row, told in enumerate(games):
                    steps, options, position, *names, date, event = _facts(told)
                    players = [player(name) for name in names]
                    payoff = None if told.payoffs is None else told.payoffs[0]
                    year = read_date(told.date).year
                    table[row] = (*players, year if year > 1 else 0, UNKNOWN if payoff is None else payoff)
                    rows.append((first_game + row, *players, date, event, options, position, payoff, steps))
                self._file.executemany("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
                self._file.execute("INSERT INTO parts VALUES (?, ?, ?)", (part, first_game, len(games)))
                self._write(part, arrays)
        except (OSError, sqlite3.Error) as error:
            raise self._unwritable(error) from error
        self._load()
        return len(self)

    def _write(self, part: int, arrays: Mapping[str, NDArray[Any]]) -> None:
        for what, array in arrays.items():
            with atomic_file(self._array(part, what)) as file:
                np.save(file, array, allow_pickle=False)

    def _unreadable(self, error: Exception) -> CollectionError:
        return CollectionError.saying(
            "The collection {name} can't be opened: {reason}.", name=quoted(self.name), reason=str(error)
        )

    def _unwritable(self, error: Exception) -> CollectionError:
        return CollectionError.saying(
            "The collection {name} can't be written: {reason}.", name=quoted(self.name), reason=str(error)
        )

    def _player(self, name: str) -> int:
        self._file.execute("INSERT OR IGNORE INTO players (name) VALUES (?)", (name,))
        [number] = self._file.execute("SELECT number FROM players WHERE name = ?", (name,)).fetchone()
        return int(number)


def _with_result(told: Transcript, state: State) -> Transcript:
    """*told*, which begins at *state*, with its result by the rules if its file tells none."""
    if told.payoffs is not None:
        return told
    for step in told.steps:
        state = play(state, step)
    return replace(told, payoffs=told.game.rules.ending(state).payoffs) if is_over(state) else told


def digest_of(told: Transcript) -> bytes:
    """Sixteen bytes that tell a game from all others by its start, steps, players, date and event."""
    steps, *facts = _facts(told)
    return _digest(steps, facts)


def _digest(steps: bytes, facts: Sequence[str | None]) -> bytes:
    return hashlib.blake2b(steps + repr(facts).encode(), digest_size=16).digest()


def _facts(told: Transcript) -> tuple[bytes, str, str | None, str, str, str, str]:
    """What a collection keeps of *told*: steps, options, position, both players, date, event."""
    first, second = (" ".join(name.split()) or NO_NAME for name in [*told.players, "", ""][:2])
    steps = np.array(told.steps, "<i4").tobytes()
    return steps, _write_options(told), told.position, first, second, told.date, told.tags.get("Event", "")


def _places(keys: Sequence[NDArray[np.int64]]) -> NDArray[Any]:
    """The positions of games with these *keys*, as PLACES, in ascending order."""
    key = np.concatenate(keys)
    lengths = [len(own) for own in keys]
    after = np.append(key[1:].astype(np.int32), np.int32(0))
    after[np.cumsum(lengths) - 1] = 0
    game = np.repeat(np.arange(len(keys), dtype=np.int32), lengths)
    order = np.lexsort((game, after, key))
    places = np.empty(len(key), PLACES)
    places["key"], places["after"], places["game"] = key[order], after[order], game[order]
    return places


def can_search(game: Game) -> bool:
    """Whether collections of *game* can be searched for positions."""
    return suits(game) and offers(game.rules, Searchable)


def board_of(game: Game, state: State) -> BoardRows:
    """The board of *state*.

    :raises CollectionError: positions of *game* can't be searched for.
    """
    rules = game.rules
    if not suits(game) or not offers(rules, Searchable):
        raise CollectionError.saying("Positions of {game} can't be searched for.", game=game.title)
    return rules.board_rows(state)


def _joined(changes: Sequence[NDArray[Any]]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The changes of several games in one array, and the index after the last one of each."""
    ends = np.cumsum([len(one) for one in changes]).astype(ARRAYS["ends"])
    return np.concatenate(changes).astype(ARRAYS["changes"], copy=False), ends


def _write_options(told: Transcript) -> str:
    return " ".join(f"{name}={value}" for name, value in sorted(told.options.items()))


def _read_options(text: str) -> dict[str, str]:
    return {name: value for name, _equals, value in (pair.partition("=") for pair in text.split())}


def _start(told: Transcript, starts: dict[tuple[str, str | None], State]) -> State:
    """The first state of *told*; *starts* remembers those of earlier games."""
    which = (_write_options(told), told.position)
    if which not in starts:
        options = told.game.complete_options({"first": "1", **told.options})
        rules = told.game.rules
        try:
            starts[which] = (
                rules.start(options, Random(0)) if told.position is None else rules.parse(told.position, options)
            )
        except PositionError as error:
            raise FormatError(str(error)) from error
    return starts[which]


def open_collections(game: Game, names: Sequence[str] = (), folder: Path | None = None) -> list[Collection]:
    """The collections *names* of *game*; default: all. Raises CollectionError for one that is not there."""
    place = folder or folder_of(game)
    there = sorted(path.name for path in place.iterdir() if path.is_dir()) if place.is_dir() else []
    for name in names:
        if name not in there:
            said = say("There is no collection {name} of {game}.", name=quoted(name), game=game.title)
            raise CollectionError(joined([said, say("There are {names}.", names=", ".join(there))]) if there else said)
    return [Collection(game, name, folder) for name in names or there]
