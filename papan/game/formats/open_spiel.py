"""Playthroughs of OpenSpiel, text logs of one game each: ``game: NAME``, parameters, and every action's number.

An action stands on a line ``action: N``, chance's too; states, observations and legal actions between them are skipped.
Source: OpenSpiel's generate_playthrough.py. What the numbers mean is for the game's format to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from papan.game.base.untrusted import quoted
from papan.game.formats import FormatError
from papan.game.formats.source import Source

_GAME = re.compile(rb"^game: *(\w+)", re.MULTILINE)
_PARAMETERS = re.compile(r"^GetParameters\(\) = \{(.*)\}\s*$")
_ACTION = re.compile(r"^action: *(-?\d{1,9})\s*$")
_MOST_ACTIONS = 100_000


class Action(NamedTuple):
    number: int
    line: int


class Playthrough(NamedTuple):
    parameters: Mapping[str, str]
    actions: list[Action]
    last_line: int
    """The number of the last line: a game that isn't over by then breaks off there."""


def game_of(source: Source) -> str:
    """The name of the game that *source* is a playthrough of; "" for other files."""
    found = _GAME.search(source.head)
    return found[1].decode("latin-1") if found and b"GameType." in source.head else ""


def read(source: Source) -> Playthrough:
    parameters: dict[str, str] = {}
    actions: list[Action] = []
    number = 0
    for number, line in enumerate(source.lines(), start=1):
        found = _ACTION.match(line)
        if found and len(actions) < _MOST_ACTIONS:
            actions.append(Action(int(found[1]), number))
        elif told := _PARAMETERS.match(line):
            parameters = dict(_pairs(told[1]))
    return Playthrough(parameters, actions, number)


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if equals:
            yield name.strip(), value.strip()


def check_parameters(told: Playthrough, usual: Mapping[str, str]) -> None:
    """Raise FormatError if a parameter differs from the *usual* one: then it is another game."""
    for name, value in usual.items():
        if told.parameters.get(name, value) != value:
            raise FormatError.saying(
                "{name} is {told} there, but {usual} in this game.",
                name=quoted(name),
                told=quoted(told.parameters[name]),
                usual=value,
            )
