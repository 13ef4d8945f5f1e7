"""Untrusted JSON as typed values, with errors in words."""

from __future__ import annotations

import re
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from papan.game.base.sentences import SentenceError, say
from papan.game.base.untrusted import check_json, quoted, shortened

Whole = Annotated[int, Meta(ge=0, le=10**18)]
Positive = Annotated[int, Meta(ge=1, le=10**18)]
Figure = Annotated[float, Meta(ge=-1e18, le=1e18)]
Amount = Annotated[float, Meta(ge=0, le=1e18)]
"""A figure that is not negative, such as seconds."""
Pairs = tuple[tuple[str, str], ...]

T = TypeVar("T")

_PLACE = re.compile(r"(?P<what>.*?)(?: - at (?:key in )?`\$(?P<way>.*)`)?", re.DOTALL)
_EXPECTED = re.compile(r"Expected (?P<right>.*?)(?:, got .*)?", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(?P<name>.*)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<name>.*)`", re.DOTALL)
_PART = re.compile(r"\.(?P<name>[^.\[]+)|\[(?P<index>\d+)\]")


class FaultError(SentenceError, ValueError):
    """A plan or an entry is invalid; the message is a clause that says why."""


def parsed(line: bytes) -> dict[str, Any]:
    """The JSON object in *line*; raises FaultError if there is none."""
    try:
        check_json(line)
    except ValueError as error:
        raise FaultError(str(error)) from None
    try:
        entry = msgspec.json.decode(line)
    except msgspec.ValidationError:
        raise FaultError.saying("a number is too large") from None
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        raise FaultError.saying("it is not JSON") from None
    except ValueError:
        raise FaultError.saying("a number is too large") from None
    if not isinstance(entry, dict):
        raise FaultError.saying("it is not a JSON object")
    return entry


def converted(data: Any, kind: type[T]) -> T:
    """Convert JSON *data* to the type *kind*; raises FaultError if it doesn't fit."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise FaultError(_in_words(str(error), data)) from None
    except RecursionError:
        raise FaultError.saying("it is not JSON") from None


def _in_words(told: str, data: Any) -> str:
    """The message *told* of ``msgspec`` about *data*, in our words: place, found, expected."""
    match = _PLACE.fullmatch(told)
    assert match
    what, way = match["what"], match["way"] or ""
    if named := _MISSING.fullmatch(what):
        return say("{fact} is missing", fact=quoted(f"{way}.{named['name']}".removeprefix(".")))
    if named := _UNKNOWN.fullmatch(what):
        return say("{fact} is an unknown field", fact=quoted(f"{way}.{named['name']}".removeprefix(".")))
    for part in _PART.finditer(way):
        try:
            data = data[part["name"]] if part["name"] else data[int(part["index"])]
        except (LookupError, TypeError):
            break
    fact = quoted(way.removeprefix(".")) if way else say("it")
    value = shortened(repr(data)) if isinstance(data, bool | float | str | None) else _kind_of(data)
    expected = _EXPECTED.fullmatch(what)
    if expected is None:
        return say("{value} is not allowed for {fact}", fact=fact, value=value)
    right = shortened(expected["right"].replace("`", ""))
    return say("{fact} is {value}, not {right}", fact=fact, value=value, right=right)


def _kind_of(data: Any) -> str:
    """A whole number, if it is not too long to write, or JSON's word for the type of *data*."""
    if isinstance(data, int):
        return str(data) if abs(data) < 10**20 else f"{data.bit_length()} bits"
    return "object" if isinstance(data, dict) else "array"
