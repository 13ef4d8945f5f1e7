"""Typed access to untrusted JSON: each field is read by name and type.

Texts are made printable and short; numbers are finite and bounded. Callers need no further checks. Also how a result
was made, and what the sections on games share.
"""

from __future__ import annotations

import json
import math
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, NamedTuple

from papan.game.base.sentences import SentenceError, figures, joined, say
from papan.game.base.untrusted import plain, quoted
from papan.game.catalogue import GAMES
from papan.game.kernel.clock import CLOCKS
from papan.lab.arena import CLOCK_NAMES
from papan.lab.printing import without_places
from papan.report.sections import Interval, Section, written

LONGEST_TEXT = 400
"""Characters; longer texts are cut off."""
_LARGEST = 1e18
_MOST = 20_000
"""The longest list, as no page can show more rows."""


class MalformedError(SentenceError, ValueError):
    """A field is missing or malformed; the message is a sentence that names it."""


class Fields:
    """The fields of one JSON object; raises ``MalformedError`` where one is missing or of another type."""

    def __init__(self, data: Any, where: str = "") -> None:
        """:param where: the path to *data*, for messages."""
        if not isinstance(data, dict):
            raise MalformedError.saying("{fact} is not an object.", fact=quoted(where))
        self._data: Mapping[str, Any] = data
        self._where = where

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Fields:
        """*facts* as read back from JSON."""
        return cls(json.loads(json.dumps(facts)))

    def has(self, name: str) -> bool:
        """Whether the field exists and is not null."""
        return self._data.get(name) is not None

    def is_text(self, name: str) -> bool:
        return isinstance(self._data.get(name), str)

    def text(self, name: str) -> str:
        return _text(self._data.get(name), self._way(name))

    def texts(self, name: str) -> list[str]:
        return [_text(one, self._way(name)) for one in self._list(name)]

    def whole(self, name: str) -> int:
        return _whole(self._data.get(name), self._way(name))

    def wholes(self, name: str) -> list[int]:
        return [_whole(one, self._way(name)) for one in self._list(name)]

    def number(self, name: str) -> float:
        return _number(self._data.get(name), self._way(name))

    def numbers(self, name: str) -> list[float]:
        return [_number(one, self._way(name)) for one in self._list(name)]

    def interval(self, name: str) -> Interval:
        """Two ascending numbers."""
        bounds = self.numbers(name)
        if len(bounds) != 2 or bounds[0] > bounds[1]:
            raise MalformedError.saying("{fact} is not an interval.", fact=quoted(self._way(name)))
        return Interval(*bounds)

    def flag(self, name: str) -> bool:
        """Whether it is ``true``; anything else counts as false."""
        return self._data.get(name) is True

    def fields(self, name: str) -> Fields:
        return Fields(self._data.get(name), self._way(name))

    def rows(self, name: str) -> list[Fields]:
        return [Fields(one, f"{self._way(name)}[{number}]") for number, one in enumerate(self._list(name))]

    def named_texts(self) -> dict[str, str]:
        return {_text(name, name): _simple(value, self._way(name)) for name, value in self._items()}

    def named_wholes(self) -> dict[str, int]:
        return {_text(name, name): _whole(value, self._way(name)) for name, value in self._items()}

    def named_numbers(self) -> dict[str, float]:
        return {_text(name, name): _number(value, self._way(name)) for name, value in self._items()}

    def pairs(self, name: str) -> dict[str, str]:
        """An object of texts, or a list of pairs, as a dictionary."""
        found = self._data.get(name)
        if not isinstance(found, list):
            return self.fields(name).named_texts()
        if any(not isinstance(pair, list) or len(pair) != 2 for pair in found):
            raise MalformedError.saying("{fact} is not a list of pairs.", fact=quoted(self._way(name)))
        return {_text(key, name): _simple(value, name) for key, value in found}

    def _items(self) -> Iterator[tuple[str, Any]]:
        if len(self._data) > _MOST:
            raise _too_long(self._where)
        yield from self._data.items()

    def _list(self, name: str) -> list[Any]:
        found = self._data.get(name)
        if not isinstance(found, list):
            raise MalformedError.saying("{fact} is not a list.", fact=quoted(self._way(name)))
        if len(found) > _MOST:
            raise _too_long(self._way(name))
        return found

    def _way(self, name: str) -> str:
        return f"{self._where}.{name}" if self._where else name


def shown(data: Any) -> Any:
    """The JSON *data* with all texts printable and short."""
    if isinstance(data, dict):
        return {_text(name, name): shown(value) for name, value in data.items()}
    if isinstance(data, list):
        return [shown(value) for value in data]
    return _text(data, "") if isinstance(data, str) else data


def _too_long(where: str) -> MalformedError:
    return MalformedError.saying("{fact} has more than {most} entries.", fact=quoted(where), most=figures(_MOST))


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise MalformedError.saying("{fact} is not a text.", fact=quoted(where))
    shown = plain(value[: LONGEST_TEXT + 1])
    return shown if len(shown) <= LONGEST_TEXT else f"{shown[: LONGEST_TEXT - 1]}…"


def _simple(value: Any, where: str) -> str:
    return _text(str(value) if isinstance(value, int | float) else value, where)


def _whole(value: Any, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _LARGEST:
        raise MalformedError.saying("{fact} is not a whole number.", fact=quoted(where))
    return value


def _number(value: Any, where: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) <= _LARGEST:
        raise MalformedError.saying("{fact} is not a number.", fact=quoted(where))
    assert math.isfinite(value)
    return float(value)


SEED, CLOCK = "--seed", "--clock"
_EASY_GAMES, _MANY_GAMES = 10_000, 1_000_000
"""With at least these numbers of games, shares get one or two more decimals."""


class Made(NamedTuple):
    """How a result was made."""

    command: str
    facts: tuple[tuple[str, str], ...]
    """The seed and the version, if known."""


def made(words: Sequence[str], seed: int | None, version: str | None) -> Made:
    """How a result was made by the command *words*, with file paths shortened to names."""
    has_seed = any(word.partition("=")[0] == SEED for word in words)
    given = () if seed is None or has_seed else (SEED, str(seed))
    facts = ((say("Seed"), None if seed is None else str(seed)), (say("Version"), version))
    known = tuple((name, value) for name, value in facts if value is not None)
    return Made(shlex.join(["papan", *without_places(words), *given]), known)


def made_by(fields: Fields) -> Made:
    """How an answer was made, from its field ``made_by``."""
    seed = fields.whole("seed") if fields.has("seed") else None
    return made([fields.text("command"), *fields.texts("arguments")], seed, fields.text("version"))


def clocked(how: Made, answer: Fields) -> Made:
    """*how*, with the clock of the *answer* added to the command, as another machine might choose another."""
    if not answer.has("clock"):
        return how
    clock = answer.text("clock")
    if clock not in CLOCKS:
        raise MalformedError.saying("there is no clock {name}.", name=quoted(clock))
    is_named = any(word.partition("=")[0] == CLOCK for word in shlex.split(how.command))
    command = how.command if is_named else shlex.join([*shlex.split(how.command), CLOCK, clock])
    return Made(command, (*how.facts, (say("Seconds are"), CLOCK_NAMES[clock])))


def options_words(options: Mapping[str, str]) -> list[str]:
    """*options* as command-line arguments."""
    return [word for name, value in options.items() for word in ("--option", f"{name}={value}")]


def game_section(
    kind: str, answer: Fields, title: str, how: Made, facts: Sequence[tuple[str, str]], **content: Any
) -> Section:
    """A section on an *answer* about a game; its facts end with how it was made and with the game's options.

    :param title: text after the game's title, or "".
    :param content: further fields of the section.
    """
    options = ", ".join(f"{name}={value}" for name, value in answer.pairs("options").items())
    known = [*facts, *how.facts, *([(say("Options"), options)] if options else [])]
    game = answer.text("game")
    return Section(kind, titled(game, title) if title else game_title(game), how.command, known, **content)


def position_fact(answer: Fields) -> tuple[str, str]:
    return say("Position"), answer.text("position") or say("the start")


def game_title(name: str) -> str:
    """The title of the game *name*; the name itself if it is unknown."""
    game = GAMES.get(name)
    return game.title if game else name


def not_finished(done: int, games: int) -> str:
    """The warning that only *done* of *games* games are played."""
    return say("Not finished: {done} of {games} games are played.", done=written(done), games=written(games))


def told_apart(names: Sequence[str]) -> list[str]:
    """*names*, with the places of repeated ones added.

    >>> told_apart(["random", "god", "random"])
    ['random (1)', 'god', 'random (3)']
    """
    return [f"{name} ({place})" if names.count(name) > 1 else name for place, name in enumerate(names, start=1)]


def opponents(names: Sequence[str]) -> str:
    """The players of a match, for a title.

    >>> opponents(["random", "god"]), opponents(["random", "god", "random"])
    ('random against god', '2 × random against god')
    """
    sides = [f"{count} × {name}" if count > 1 else name for name, count in Counter(names).items()]
    return reduce(lambda some, other: say("{some} against {other}", some=some, other=other), sides) if sides else ""


def titled(game: str, what: str) -> str:
    """The title of the game *game*, followed by *what*."""
    return joined([game_title(game), what], ": ")


def digits_for(games: int) -> int:
    """The decimals of a share in percent of *games* games."""
    return 1 if games < _EASY_GAMES else 2 if games < _MANY_GAMES else 3
