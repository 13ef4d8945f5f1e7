"""The options that an engine offers: read from its lines, and the values that they allow."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from papan.game.base.sentences import NO_WORDS, alternatives, figures, say
from papan.game.base.untrusted import plain, quoted, whole_number

Kind = Literal["check", "spin", "combo", "string", "button"]
MOST_OPTIONS = 100
"""Options to read of an engine; the same number of settings has room in an entry."""
_KINDS: Mapping[str, Kind] = {"check": "check", "spin": "spin", "combo": "combo", "button": "button"}
"""Other types, such as ``filename``, hold a text."""
_VALUES = frozenset(("default", "min", "max", "var"))
_EMPTY = "<empty>"
_LONGEST = 1000
_PATHS = re.compile(r"file|path|book|folder|directory", re.IGNORECASE)


@dataclass(frozen=True)
class EngineOption:
    name: str
    kind: Kind
    default: str = ""
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()

    @property
    def is_file(self) -> bool:
        """Whether its text seems to name a file or a folder."""
        return self.kind == "string" and bool(_PATHS.search(self.name))

    @property
    def bounds(self) -> str:
        """The numbers that it allows, in words; "" if it names none."""
        if self.kind != "spin" or self.least is None or self.most is None:
            return NO_WORDS
        return say("{least} to {most}", least=figures(self.least), most=figures(self.most))

    def fault(self, text: str) -> str:
        """A clause that says why *text* is no value of it; "" if it is one."""
        name = quoted(self.name)
        if self.kind == "combo" and self.choices and text not in self.choices:
            return say("{what} must be {choices}", what=name, choices=alternatives(map(quoted, self.choices)))
        if self.kind != "spin":
            return NO_WORDS
        number, low, high = whole_number(text), self.least, self.most
        if number is None:
            return say("{what} must be a whole number", what=name)
        if low is not None and high is not None and not low <= number <= high:
            first, last = figures(low), figures(high)
            return say("{what} must be a number from {least} to {most}", what=name, least=first, most=last)
        return NO_WORDS

    def value(self, text: str) -> bool | int | str:
        """*text* as the file of engines has it."""
        if self.kind == "check":
            return text == "true"
        number = whole_number(text) if self.kind == "spin" else None
        return text if number is None else number


def read_options(lines: Iterable[str]) -> tuple[EngineOption, ...]:
    """The options among an engine's first *lines*: each name once, at most ``MOST_OPTIONS``."""
    found: dict[str, EngineOption] = {}
    for line in lines:
        option = _option(line) if len(found) < MOST_OPTIONS else None
        if option is not None:
            found.setdefault(option.name, option)
    return tuple(found.values())


def _option(line: str) -> EngineOption | None:
    """The option in *line*, of UCI or UGI (``option name Hash type …``) or of UCCI (``option hashsize type …``)."""
    if line.split(None, 1)[:1] != ["option"]:
        return None
    head, _type, rest = line.partition(" type ")
    words = head.split()[1:]
    name, (kind, *_rest) = " ".join(words[words[:1] == ["name"] :]), rest.split() or [""]
    values = dict(_values(rest.split()[1:], may_have_more=kind in _KINDS))
    default = " ".join(values.get("default", ()))
    named = (" ".join(one) for word, one in _values(rest.split()[1:]) if word == "var" and one)
    choices = tuple(named) if kind == "combo" else ()
    if not name or not kind or not all(_is_sound(text) for text in (name, default, *choices)):
        return None
    least, most = (whole_number(" ".join(values.get(word, ()))) for word in ("min", "max"))
    default = {_EMPTY: "", "True": "true", "False": "false"}.get(default, default)
    return EngineOption(name, _KINDS.get(kind, "string"), default, least, most, choices)


def _values(words: list[str], *, may_have_more: bool = True) -> Iterator[tuple[str, list[str]]]:
    """Group *words* by the words of ``_VALUES`` before them.

    :param may_have_more: False for a text, in which those words mean themselves.
    """
    group: tuple[str, list[str]] | None = None
    for word in words:
        if word in _VALUES and (group is None or may_have_more):
            if group is not None:
                yield group
            group = word, []
        elif group is not None:
            group[1].append(word)
    if group is not None:
        yield group


def _is_sound(text: str) -> bool:
    return len(text) <= _LONGEST and plain(text) == text
