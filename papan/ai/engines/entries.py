"""The user's engines, listed in ``engines.toml`` in the user's folder.

An entry::

    [engines.fairy]
    game = "xiangqi"
    protocol = "uci"
    command = ["/usr/local/bin/fairy-stockfish"]
    time = 1.0

Invalid entries are skipped, with a sentence that says why.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from papan.ai.engines.dialect import dialects_of, is_for_programs
from papan.ai.limits import Limit
from papan.game.base.places import data_folder
from papan.game.base.sentences import Sentence, SentenceError, alternatives, figures, joined, say
from papan.game.base.untrusted import UnreadableError, parsed_toml, plain, quoted, read_file, shortened
from papan.game.catalogue import GAMES
from papan.game.game import PartError

FILE_NAME = "engines.toml"
MOST_BYTES = 2**18
MOST_ENTRIES = 100
PREFIX = "engine:"
USUAL_LIMIT = Limit(time=1.0)
DEFAULT_GRACE = 2.0
DEFAULT_PATIENCE = 30.0
_MOST_SECONDS = 3600.0
MOST_WORDS = 100
_LONGEST_TEXT = 1000
LONGEST_NAME = 40
CALLED: Mapping[str, str] = {
    "name": say("a name"),
    "game": say("its game"),
    "protocol": say("its protocol"),
    "command": say("its command"),
    "folder": say("its folder"),
    "time": say("its time"),
    "depth": say("its depth"),
    "nodes": say("its number of nodes"),
    "grace": say("its grace (seconds it may be late)"),
    "patience": say("its patience (seconds it may take to start)"),
    "options": say("its options"),
    "notation": say("its notation"),
}
"""What messages about the file call the facts of an entry."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
_LINE = re.compile(r"line ([0-9]+)")


@dataclass(frozen=True)
class Entry:
    name: str
    game: str
    protocol: str
    command: tuple[str, ...]
    folder: Path | None = None
    limit: Limit = USUAL_LIMIT
    """At least one limit is set."""
    grace: float = DEFAULT_GRACE
    """Seconds that it may be late before it forfeits."""
    patience: float = DEFAULT_PATIENCE
    """Seconds to start, and to move without a limit of time."""
    settings: Mapping[str, str] = field(default_factory=dict)
    notation: str = ""
    """How it writes moves, where programs of the protocol write in several ways; "" to find out."""

    @property
    def player(self) -> str:
        return f"{PREFIX}{self.name}"

    @property
    def in_sentences(self) -> str:
        """Its name in messages."""
        return say("The engine '{name}'", name=self.name)

    @property
    def limit_in_words(self) -> str:
        limit = self.limit
        words = [
            *([say("depth {depth}", depth=limit.depth)] if limit.depth is not None else []),
            *([say("{number} nodes", number=figures(limit.nodes))] if limit.nodes is not None else []),
            *([say("{seconds} s per move", seconds=figures(limit.time, "g"))] if limit.time is not None else []),
        ]
        return joined(words, ", ")


@dataclass(frozen=True)
class Entries:
    """The entries by name, and a sentence for each fault."""

    engines: Mapping[str, Entry] = field(default_factory=dict)
    faults: tuple[str, ...] = ()

    def of(self, game: str) -> list[Entry]:
        return [entry for entry in self.engines.values() if entry.game == game]


def entries_file() -> Path:
    return data_folder() / FILE_NAME


class EntriesError(SentenceError):
    """The file can't be read, or not be changed; the message says why."""


def read_tables(path: Path) -> tuple[str, dict[str, Any]]:
    """The text of the file *path* and its tables; both empty if there is none.

    :raises EntriesError: it can't be read, or is no TOML.
    """
    if not os.path.lexists(path):  # a dangling link is a fault to report
        return "", {}
    content = b""
    try:
        content = read_file(path, MOST_BYTES)
        return content.decode(), parsed_toml(content)
    except UnreadableError as error:
        raise EntriesError(str(error)) from None
    except ValueError as error:  # of TOML or Unicode
        raise EntriesError(_damage(path, content, error)) from None


def _damage(path: Path, content: bytes, error: ValueError) -> str:
    """A sentence with the line of *content* in which *error* was found."""
    reason, _at, place = str(error).partition(" (at ")
    named = _LINE.match(place)
    if isinstance(error, UnicodeDecodeError):
        line, reason = content.count(b"\n", 0, error.start) + 1, say("it is not UTF-8")
    elif place:
        line = int(named[1]) if named else content.count(b"\n") + 1
    else:
        return say("{file} is not a valid engine file: {reason}.", file=quoted(path.name), reason=shortened(str(error)))
    told = reason if isinstance(reason, Sentence) else shortened(reason)
    return say("{file} is damaged in line {line}: {reason}.", file=quoted(path.name), line=line, reason=told)


def read_entries(path: Path | None = None) -> Entries:
    """The entries in the file *path*, by default the user's; empty if there is none."""
    path = path or entries_file()
    try:
        tables = read_tables(path)[1]
    except EntriesError as error:
        return Entries(faults=(str(error),))
    engines: dict[str, Entry] = {}
    faults = []
    listed = tables.pop("engines", {})
    if tables or not isinstance(listed, dict):
        faults.append(say("{file}: every entry begins with a line [engines.NAME].", file=quoted(path.name)))
    for name, facts in list(listed.items())[:MOST_ENTRIES] if isinstance(listed, dict) else ():
        try:
            engines[name] = entry_of(name, facts)
        except (ValueError, PartError) as error:
            fault = str(error) if isinstance(error, PartError) else joined([str(error), "."], "")
            faults.append(say("{file}, engine {name}: {fault}", file=quoted(path.name), name=quoted(name), fault=fault))
    return Entries(engines, tuple(faults))


def check_name(name: str, called: Mapping[str, str] = CALLED) -> None:
    """:raises ValueError: no entry can have this *name*; the message is a clause."""
    if not _NAME.fullmatch(name):
        raise ValueError(
            say(
                "{what} can't be {name}: use up to 40 letters from a to z, digits, points and hyphens",
                what=called["name"],
                name=quoted(name),
            )
        )


def entry_of(name: str, facts: object, called: Mapping[str, str] = CALLED) -> Entry:
    """The entry *name* with the *facts* of its table.

    :param called: what messages call each fact.
    :raises ValueError: it is invalid; the message is a clause.
    :raises PartError: its game, a plugin, can't be loaded.
    """
    check_name(name, called)
    if not isinstance(facts, dict):
        raise ValueError(say("the entry is not a TOML table"))
    unknown = set(facts) - set(_READERS) - {"game", "protocol"}
    if unknown:
        fact, known = quoted(min(unknown)), ", ".join(_READERS)
        raise ValueError(say("{fact} is unknown; known are game, protocol, {facts}", fact=fact, facts=known))
    game, protocol = facts.get("game"), facts.get("protocol")
    if not isinstance(game, str) or game not in GAMES:
        known = ", ".join(name for name, game in GAMES.items() if is_for_programs(game))
        raise ValueError(say("{what} must be one of {games}", what=called["game"], games=known))
    spoken = dialects_of(GAMES[game])
    if not isinstance(protocol, str) or protocol not in spoken:
        title = GAMES[game].title
        raise ValueError(
            say("{what} for {game} must be {known}", what=called["protocol"], game=title, known=alternatives(spoken))
            if spoken
            else say("{game} is not played by other programs", game=title)
        )
    read = {fact: _READERS[fact](facts[fact], called[fact]) for fact in _READERS if fact in facts}
    ways = spoken[protocol].notations
    if "notation" in read and read["notation"] not in ways:
        raise ValueError(
            say("{what} must be {choices}", what=called["notation"], choices=alternatives(ways))
            if ways
            else say("{protocol} has no notation to choose", protocol=protocol)
        )
    if "command" not in read:
        raise ValueError(say('its command is missing: write command = ["/path/to/program"]'))
    limit = Limit(read.get("time"), read.get("depth"), read.get("nodes"))
    if limit == Limit():
        limit = USUAL_LIMIT
    return Entry(
        name,
        game,
        protocol,
        read["command"],
        read.get("folder"),
        limit,
        read.get("grace", DEFAULT_GRACE),
        read.get("patience", DEFAULT_PATIENCE),
        read.get("options", {}),
        read.get("notation", ""),
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_TEXT and plain(value) == value


def _is_word(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_TEXT and "\0" not in value


def is_command(words: Sequence[object]) -> bool:
    """Whether *words* can be the command of an entry: not too many, none empty or too long."""
    return 0 < len(words) <= MOST_WORDS and all(map(_is_word, words))


def _command(value: Any, what: str) -> tuple[str, ...]:
    if not (isinstance(value, list) and is_command(value)):
        raise ValueError(say('{what} must be a list of strings, such as ["/path/to/program", "--quiet"]', what=what))
    program, *arguments = value
    return (os.path.expanduser(program), *arguments)  # noqa: PTH111 - a path would lose what says where to look


def _folder(value: Any, what: str) -> Path:
    if not _is_text(value):
        raise ValueError(say("{what} must be a path", what=what))
    return Path(value).expanduser()


def _notation(value: Any, what: str) -> str:
    if not _is_text(value):
        raise ValueError(say("{what} must be a string", what=what))
    return str(value)


def _number(value: Any, least: float, most: float, what: str) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        first, last = figures(least, "g"), figures(most, "g")
        raise ValueError(say("{what} must be a number from {least} to {most}", what=what, least=first, most=last))
    return value


def _whole(most: int) -> Callable[[Any, str], int]:
    def read(value: Any, what: str) -> int:
        if not isinstance(value, int):
            raise ValueError(say("{what} must be a whole number", what=what))
        return int(_number(value, 1, most, what))

    return read


def _seconds(value: Any, what: str) -> float:
    return float(_number(value, 0.01, _MOST_SECONDS, what))


def _settings(value: Any, what: str) -> Mapping[str, str]:
    if not isinstance(value, dict) or len(value) > MOST_WORDS:
        raise ValueError(say("{what} are a table, such as {example}", what=what, example="{ Threads = 2 }"))
    read = {}
    for name, setting in value.items():
        if isinstance(setting, bool):
            setting = str(setting).lower()
        is_value = isinstance(setting, str | int | float) and (setting == "" or _is_text(str(setting)))
        if not _is_text(name) or not is_value:
            raise ValueError(
                say("the option {option} must be a string, a number, true or false", option=quoted(str(name)))
            )
        read[name] = str(setting)
    return read


_READERS: Mapping[str, Callable[[Any, str], Any]] = {
    "command": _command,
    "folder": _folder,
    "time": _seconds,
    "depth": _whole(1000),
    "nodes": _whole(10**15),
    "grace": _seconds,
    "patience": _seconds,
    "options": _settings,
    "notation": _notation,
}
"""Readers of the keys except the game and the protocol, from a value and what messages call it; they raise
``ValueError`` with a clause."""
