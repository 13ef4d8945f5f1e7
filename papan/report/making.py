"""How a result was made: the command that reproduces it, the seed and the version; and titles and facts of sections."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import NamedTuple

from papan.game.base.sentences import joined, say
from papan.game.base.untrusted import quoted
from papan.game.catalogue import GAMES
from papan.game.kernel.clock import CLOCKS
from papan.lab.arena import CLOCK_NAMES
from papan.lab.printing import without_places
from papan.report.fields import Fields, MalformedError
from papan.report.sections import written

SEED, CLOCK = "--seed", "--clock"
_EASY_GAMES, _MANY_GAMES = 10_000, 1_000_000
"""Numbers of games from which shares get another decimal."""


class Made(NamedTuple):
    """How a result was made."""

    command: str
    """The command line."""
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
    """How an answer was made, from its field ``made_by``.

    :raises MalformedError: it is malformed.
    """
    seed = fields.whole("seed") if fields.has("seed") else None
    return made([fields.text("command"), *fields.texts("arguments")], seed, fields.text("version"))


def clocked(how: Made, answer: Fields) -> Made:
    """*how*, with the clock of the *answer* added to the command, as another machine might choose another."""
    if not answer.has("clock"):
        return how
    clock = answer.text("clock")
    if clock not in CLOCKS:
        raise MalformedError(say("there is no clock {name}.", name=quoted(clock)))
    is_named = any(word.partition("=")[0] == CLOCK for word in shlex.split(how.command))
    command = how.command if is_named else shlex.join([*shlex.split(how.command), CLOCK, clock])
    return Made(command, (*how.facts, (say("Seconds are"), CLOCK_NAMES[clock])))


def options_words(options: Mapping[str, str]) -> list[str]:
    """*options* as command-line arguments."""
    return [word for name, value in options.items() for word in ("--option", f"{name}={value}")]


def options_facts(options: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The *options* as a fact, if any."""
    return ((say("Options"), ", ".join(f"{name}={value}" for name, value in options.items())),) if options else ()


def position_fact(answer: Fields) -> tuple[str, str]:
    """The position of an *answer*, as a fact."""
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
