"""The tags of a record, which are the facts of a match besides its steps and result; its rounds; what can be wrong."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Mapping
from typing import NamedTuple

from papan.game.base.foreign import quoted, whole_number
from papan.game.base.sentences import say
from papan.game.catalogue import find
from papan.game.facts import Game, OptionError
from papan.game.match import Match
from papan.game.rules import CHANCE, PositionError

SKIPPED = "..."
"""What stands for a seat that did not act before another one did."""
NO_RESULT = "*"
REASON = "Reason"
_EXAMPLES = {
    "Game": "connect-four",
    "Version": "1",
    "Options": "first=random",
    "Seed": "1",
    "Seat1": "human",
    "Date": "2026.11.20",
    "Position": "",
    "Result": NO_RESULT,
}
"""The tags that each record must have, with a value to show in a message."""
_SEAT_TAG = re.compile(r"Seat([1-9][0-9]?)")
_DATE = re.compile(r"([0-9]{4})\.([0-9]{2})\.([0-9]{2})")


class RecordError(ValueError):
    """A text that is no record; the message says in which line, what is wrong, and what would be right."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message if line is None else say("Line {line}: {message}", line=line, message=message))


class RecordFileError(RecordError):
    """A file, or a stream, in which there is no text that could be a record."""


class Round(NamedTuple):
    """Which round of a match is being played, and who acted last in it."""

    number: int
    seat: int

    def then(self, seat: int) -> Round:
        """The round after a turn of *seat*: a new one if the seat, or one after it, has acted. Chance has none."""
        if seat == CHANCE:
            return self
        return Round(self.number + (seat <= self.seat), seat)


BEFORE_FIRST_ROUND = Round(0, 99)
"""As if a seat after every other had just acted, so that any turn begins round 1."""


def write_tags(match: Match) -> dict[str, str]:
    """The tags with all facts of *match* besides its steps and result, for ``read_tags``."""
    return {
        "Game": match.game.name,
        "Version": str(match.game.version),
        "Options": " ".join(f"{name}={value}" for name, value in match.options.items()),
        "Seed": str(match.seed),
        **{f"Seat{number}": player for number, player in enumerate(match.seats, start=1)},
        "Date": match.date.isoformat().replace("-", "."),
        "Position": match.rules.text(match.states[0]),
        **match.tags,
    }


def read_tags(tags: Mapping[str, str], lines: Mapping[str, int] | None = None) -> Match:
    """The match, at its first state, that the *tags* from ``write_tags`` describe.

    :param lines: the line of each tag, for messages.
    :raises RecordError: a tag is missing or makes no sense.
    """
    lines = lines or {}
    for name in _EXAMPLES:
        if name not in tags and name != "Result":
            raise RecordError(missing(name))
    try:
        game = find(tags["Game"])
    except OptionError as error:
        raise RecordError(str(error), lines.get("Game")) from error
    _check_version(game, tags["Version"], lines.get("Version"))
    seats = _read_seats(game, tags, lines)
    options = _read_options(game, tags["Options"], lines.get("Options"))
    seed = _read_seed(tags["Seed"], lines.get("Seed"))
    date = _read_date(tags["Date"], lines.get("Date"))
    try:
        start = game.rules.parse(tags["Position"], options)
    except PositionError as error:
        raise RecordError(
            say("The position makes no sense: {error}", error=str(error)), lines.get("Position")
        ) from error
    match = Match(game, seats, options, seed, start, date)
    match.tags = {
        name: value for name, value in tags.items() if name not in _EXAMPLES and not _SEAT_TAG.fullmatch(name)
    }
    return match


def example_of(name: str) -> str:
    return f"[{name} {quote(_EXAMPLES.get(name, _EXAMPLES['Seat1']))}]"


def missing(name: str) -> str:
    return say("The record has no tag {name}: add a line such as {example}.", name=name, example=example_of(name))


def quote(value: str) -> str:
    """*value* as a JSON string, with everything escaped that doesn't show."""
    escaped = (json.dumps(sign) if sign in '"\\' or not sign.isprintable() else f'"{sign}"' for sign in value)
    return '"' + "".join(sign[1:-1] for sign in escaped) + '"'


def _check_version(game: Game, version: str, line: int | None) -> None:
    if version != str(game.version):
        raise RecordError(
            say(
                "The record is for version {version} of {game}, and this program plays version {own}.",
                version=quoted(version),
                game=game.title,
                own=game.version,
            ),
            line,
        )


def _read_seats(game: Game, tags: Mapping[str, str], lines: Mapping[str, int]) -> list[str]:
    found = {int(tag[1]): name for name in tags if (tag := _SEAT_TAG.fullmatch(name))}
    for number in range(1, max(found) + 1):
        if number not in found:
            raise RecordError(missing(f"Seat{number}"))
    try:
        game.check_seats(len(found))
    except OptionError as error:
        raise RecordError(str(error), lines.get(found[len(found)])) from error
    return [tags[found[number]] for number in sorted(found)]


def _read_options(game: Game, text: str, line: int | None) -> dict[str, str]:
    options: dict[str, str] = {}
    for pair in text.split():
        name, equals, value = pair.partition("=")
        if not equals or name in options:
            problem = say("is given twice") if equals else say("has no value")
            raise RecordError(
                say(
                    "The option {name} {problem}: write each option once, as in first=random.",
                    name=quoted(name),
                    problem=problem,
                ),
                line,
            )
        options[name] = value
    try:
        return game.complete_options(options)
    except OptionError as error:
        raise RecordError(str(error), line) from error


def _read_seed(text: str, line: int | None) -> int:
    seed = whole_number(text)
    if seed is None:
        raise RecordError(say("The seed is {text}, which is not a whole number such as 12.", text=quoted(text)), line)
    return seed


def _read_date(text: str, line: int | None) -> datetime.date:
    found = _DATE.fullmatch(text)
    try:
        if found:
            return datetime.date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        pass  # such as a 13th month
    raise RecordError(
        say("The date is {text}; write the year, month and day, as in 2026.11.20.", text=quoted(text)), line
    )
