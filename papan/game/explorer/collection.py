"""Collections of games on disk: adding games, and finding those with a position."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.game.base.array_files import mapped_array
from papan.game.base.database import is_kept, open_database
from papan.game.base.places import atomic_file, data_folder, make_private_folder
from papan.game.base.sentences import SentenceError, say
from papan.game.base.sqlite import Migration, transaction
from papan.game.base.untrusted import UnreadableError, quoted
from papan.game.explorer.trail import Trails
from papan.game.formats import Transcript, read_date
from papan.game.formats.source import FormatError
from papan.game.game import Game
from papan.game.rules import PositionError, State

FOLDER = "collections"
UNKNOWN = np.nan
"""The payoff of a game whose result is unknown."""
NO_NAME = "?"
"""The name of players whom a file does not name."""
PLACES = np.dtype([("key", "<i8"), ("after", "<i4"), ("game", "<i4")])
"""A position: its key, the low half of the key after the turn played there (0 at the end), the game's row."""
GAMES = np.dtype([("first", "<i4"), ("second", "<i4"), ("year", "<i4"), ("payoff", "<f4")])
"""A game: its players' numbers, its year (0: unknown), the payoff of the first seat."""
_BATCH = 10_000
"""Games of one part; more are split, which bounds the memory, and how long an import takes to stop."""
_NAME = re.compile(r"[\w][\w .-]{0,60}")
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


def folder_of(game: Game) -> Path:
    return data_folder() / FOLDER / game.name


class Collection:
    """The games of one collection."""

    def __init__(self, game: Game, name: str, folder: Path | None = None) -> None:
        """Open the collection *name*, or make it.

        :param folder: default: the one of the game in the user's data.
        :raises CollectionError: the game can have none, the name is none, or the disk refuses.
        """
        if not suits(game):
            raise CollectionError.saying(
                "There are no collections of {game}: only of games for two without chance and hidden cards.",
                game=game.title,
            )
        if not _NAME.fullmatch(name):
            raise CollectionError.saying(
                "{name} can't name a collection: use letters, digits, blanks, dots and hyphens.", name=quoted(name)
            )
        self.game, self.name = game, name
        self.path = (folder or folder_of(game)) / name
        try:
            make_private_folder(self.path)
            self._file, notice = open_database(self.path / "games.sqlite3", _MIGRATIONS)
            if notice or not is_kept(self._file):
                raise UnreadableError(notice or say("the disk refuses"))
            self._load()
        except (OSError, sqlite3.Error, UnreadableError) as error:
            raise CollectionError.saying(
                "The collection {name} can't be opened: {reason}.", name=quoted(name), reason=str(error)
            ) from error

    def close(self) -> None:
        self._file.close()
        self._parts.clear()  # the arrays keep their files open

    def _load(self) -> None:
        """Map the arrays of all finished parts."""
        self._parts: list[tuple[NDArray[Any], int]] = []
        tables = []
        for number, first_game, games in self._file.execute("SELECT * FROM parts ORDER BY number"):
            places = mapped_array(self._array(number, "places"), PLACES)
            table = mapped_array(self._array(number, "games"), GAMES)
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

    # -------------------------------------------------------------------------------------- adding

    def add(self, games: Iterable[Transcript]) -> Iterator[int]:
        """Add *games*, and yield how many are in so far after each part; a kill loses the unfinished part alone."""
        trails, starts = Trails(), dict[tuple[str, str | None], State]()
        batch, keys = list[Transcript](), list[NDArray[np.int64]]()
        for told in games:
            if told.game is self.game and len(told.steps) > 0:
                batch.append(told)
                keys.append(trails.keys(_start(told, starts), np.array(told.steps, np.int64)))
            if len(batch) == _BATCH:
                yield self._add_part(batch, _places(keys))
                batch, keys = [], []
        if batch:
            yield self._add_part(batch, _places(keys))

    def _add_part(self, games: Sequence[Transcript], places: NDArray[Any]) -> int:
        """Add *games* as one part, all of them or none; returns the number of games in the collection.

        :param places: their positions, as PLACES.
        """
        part, first_game = len(self._parts) + 1, len(self)
        table = np.empty(len(games), GAMES)
        try:
            with transaction(self._file):
                for row, told in enumerate(games):
                    players = [self._player(name) for name in [*told.players, "", ""][:2]]
                    payoff = None if told.payoffs is None else told.payoffs[0]
                    year = read_date(told.date).year
                    table[row] = (*players, year if year > 1 else 0, UNKNOWN if payoff is None else payoff)
                    self._file.execute(
                        "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        (first_game + row, *players, told.date, told.tags.get("Event", ""), _write_options(told),
                         told.position, payoff, np.array(told.steps, "<i4").tobytes()),
                    )  # fmt: skip
                self._file.execute("INSERT INTO parts VALUES (?, ?, ?)", (part, first_game, len(games)))
                for what, array in (("places", places), ("games", table)):
                    with atomic_file(self._array(part, what)) as file:
                        np.save(file, array, allow_pickle=False)
        except (OSError, sqlite3.Error) as error:
            raise CollectionError.saying(
                "The collection {name} can't be written: {reason}.", name=quoted(self.name), reason=str(error)
            ) from error
        self._load()
        return len(self)

    def _player(self, name: str) -> int:
        name = " ".join(name.split()) or NO_NAME
        self._file.execute("INSERT OR IGNORE INTO players (name) VALUES (?)", (name,))
        [number] = self._file.execute("SELECT number FROM players WHERE name = ?", (name,)).fetchone()
        return int(number)


def _places(keys: Sequence[NDArray[np.int64]]) -> NDArray[Any]:
    """The positions of games with these *keys*, as PLACES, in ascending order."""
    every = []
    for row, own in enumerate(keys):
        places = np.empty(len(own), PLACES)
        places["key"], places["game"] = own, row
        places["after"] = np.append(own[1:].astype(np.int32), 0)
        every.append(places)
    joined = np.concatenate(every)
    return np.asarray(joined[np.lexsort((joined["game"], joined["after"], joined["key"]))])


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
            raise CollectionError.saying("There is no collection {name} of {game}.", name=quoted(name), game=game.title)
    return [Collection(game, name, folder) for name in names or there]
