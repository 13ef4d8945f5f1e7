"""Typed access to untrusted JSON: each field is read by name and type.

Texts are made printable and short; numbers are finite and bounded. Callers need no further checks.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from papan.game.base.sentences import figures, say
from papan.game.base.untrusted import plain, quoted
from papan.report.sections import Interval

LONGEST_TEXT = 400
"""Characters; longer texts are cut off."""
_LARGEST = 1e18
_MOST = 20_000
"""The longest list, as no page can show more rows."""


class MalformedError(ValueError):
    """A field is missing or malformed; the message is a sentence that names it."""


class Fields:
    """The fields of one JSON object."""

    def __init__(self, data: Any, where: str = "") -> None:
        """:param where: the path to *data*, for messages.
        :raises MalformedError: *data* is not an object.
        """
        if not isinstance(data, dict):
            raise MalformedError(say("{fact} is not an object.", fact=quoted(where)))
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
        """Whether the field is a text."""
        return isinstance(self._data.get(name), str)

    def text(self, name: str) -> str:
        """:raises MalformedError: it is not a text."""
        return _text(self._data.get(name), self._way(name))

    def texts(self, name: str) -> list[str]:
        """:raises MalformedError: it is not a list of texts."""
        return [_text(one, self._way(name)) for one in self._list(name)]

    def whole(self, name: str) -> int:
        """:raises MalformedError: it is not a whole number."""
        return _whole(self._data.get(name), self._way(name))

    def wholes(self, name: str) -> list[int]:
        """:raises MalformedError: it is not a list of whole numbers."""
        return [_whole(one, self._way(name)) for one in self._list(name)]

    def number(self, name: str) -> float:
        """:raises MalformedError: it is not a finite number."""
        return _number(self._data.get(name), self._way(name))

    def numbers(self, name: str) -> list[float]:
        """:raises MalformedError: it is not a list of finite numbers."""
        return [_number(one, self._way(name)) for one in self._list(name)]

    def interval(self, name: str) -> Interval:
        """:raises MalformedError: it is not a list of two ascending numbers."""
        bounds = self.numbers(name)
        if len(bounds) != 2 or bounds[0] > bounds[1]:
            raise MalformedError(say("{fact} is not an interval.", fact=quoted(self._way(name))))
        return Interval(*bounds)

    def flag(self, name: str) -> bool:
        """Whether it is ``true``; anything else counts as false."""
        return self._data.get(name) is True

    def fields(self, name: str) -> Fields:
        """:raises MalformedError: it is not an object."""
        return Fields(self._data.get(name), self._way(name))

    def rows(self, name: str) -> list[Fields]:
        """:raises MalformedError: it is not a list of objects."""
        return [Fields(one, f"{self._way(name)}[{number}]") for number, one in enumerate(self._list(name))]

    def named_texts(self) -> dict[str, str]:
        """:raises MalformedError: one is neither a text nor a number."""
        return {_text(name, name): _simple(value, self._way(name)) for name, value in self._items()}

    def named_wholes(self) -> dict[str, int]:
        """:raises MalformedError: one is not a whole number."""
        return {_text(name, name): _whole(value, self._way(name)) for name, value in self._items()}

    def named_numbers(self) -> dict[str, float]:
        """:raises MalformedError: one is not a finite number."""
        return {_text(name, name): _number(value, self._way(name)) for name, value in self._items()}

    def pairs(self, name: str) -> dict[str, str]:
        """An object of texts, or a list of pairs, as a dictionary.

        :raises MalformedError: it is neither.
        """
        found = self._data.get(name)
        if not isinstance(found, list):
            return self.fields(name).named_texts()
        if any(not isinstance(pair, list) or len(pair) != 2 for pair in found):
            raise MalformedError(say("{fact} is not a list of pairs.", fact=quoted(self._way(name))))
        return {_text(key, name): _simple(value, name) for key, value in found}

    def _items(self) -> Iterator[tuple[str, Any]]:
        if len(self._data) > _MOST:
            raise _too_long(self._where)
        yield from self._data.items()

    def _list(self, name: str) -> list[Any]:
        found = self._data.get(name)
        if not isinstance(found, list):
            raise MalformedError(say("{fact} is not a list.", fact=quoted(self._way(name))))
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
    return MalformedError(say("{fact} has more than {most} entries.", fact=quoted(where), most=figures(_MOST)))


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise MalformedError(say("{fact} is not a text.", fact=quoted(where)))
    shown = plain(value[: LONGEST_TEXT + 1])
    return shown if len(shown) <= LONGEST_TEXT else f"{shown[: LONGEST_TEXT - 1]}…"


def _simple(value: Any, where: str) -> str:
    return _text(str(value) if isinstance(value, int | float) else value, where)


def _whole(value: Any, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _LARGEST:
        raise MalformedError(say("{fact} is not a whole number.", fact=quoted(where)))
    return value


def _number(value: Any, where: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) <= _LARGEST:
        raise MalformedError(say("{fact} is not a number.", fact=quoted(where)))
    assert math.isfinite(value)
    return float(value)
