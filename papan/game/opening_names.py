"""Names of openings, found by position: a match has the latest name that one of its positions has; from TOML files.

::

    [options]                               # of the games that it is for, besides the defaults
    size = "15"

    [openings]
    "Tiger" = "f5 d6 c3 d3 c4"              # the turns from the start
    "Central Cannon · 中炮" = ["h2e2"]       # with the native name; several ways to get there

Symmetric positions have the same names, where the game's canonical keys know its symmetries. Names are proper names,
the same in every language. A built-in game has its file among the assets; a plugin names a file of its package in
``Parts.openings``.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from random import Random
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from papan.game.base.assets import ASSETS, asset_or_file
from papan.game.base.sentences import SentenceError
from papan.game.base.typed import FaultError, converted
from papan.game.base.untrusted import parsed_toml, quoted, shortened
from papan.game.game import SEATS, Game
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.rules import State, canonical_key, play

log = logging.getLogger(__name__)

MOST_BYTES = 1 << 18
_MOST_NAMES, _MOST_WAYS, _MOST_TURNS = 2000, 100, 60
_LONGEST_NAME, _LONGEST_WAY = 100, 600
_NATIVE = " · "
"""Stands between a name and the native one."""
_ALWAYS = ("first", SEATS)
"""Options that don't matter for names."""
_READ: dict[tuple[object, ...], Openings | None] = {}
"""What was read, by game, file and options."""

Way = Annotated[str, Meta(min_length=1, max_length=_LONGEST_WAY)]
Ways = Way | Annotated[tuple[Way, ...], Meta(min_length=1, max_length=_MOST_WAYS)]
Name = Annotated[str, Meta(min_length=1, max_length=_LONGEST_NAME)]


class OpeningError(SentenceError, ValueError):
    """A file has no names of openings; the message is a sentence that says where and why."""


class _Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    openings: Annotated[dict[Name, Ways], Meta(min_length=1, max_length=_MOST_NAMES)]
    options: dict[str, str] = {}


class Opening(NamedTuple):
    name: str
    native: str = ""
    """In the language of the country where the opening was named; "" for none."""

    @property
    def full(self) -> str:
        """The name, with the native one in brackets."""
        return f"{self.name} ({self.native})" if self.native else self.name


class Openings:
    """The names of a game's openings by the canonical keys of their positions."""

    def __init__(self, game: Game, data: _Data, options: Mapping[str, str]) -> None:
        """:raises SentenceError: a way to a name is not legal, or leads to the position of another name."""
        self.longest = 0
        """The turns of the longest way."""
        self.by_key: dict[int, Opening] = {}
        self._states: dict[tuple[str, ...], State] = {(): game.rules.start(options, Random(0))}
        for text, ways in data.openings.items():
            opening = Opening(*text.split(_NATIVE, 1))
            for way in (ways,) if isinstance(ways, str) else ways:
                key = _key(self._after(game, opening, tuple(way.split())))
                if self.by_key.setdefault(key, opening) != opening:
                    raise OpeningError.saying(
                        "{name} and {other} are the same position.", name=opening.full, other=self.by_key[key].full
                    )
        self._states.clear()

    def _after(self, game: Game, opening: Opening, turns: tuple[str, ...]) -> State:
        """The state after *turns*; openings begin alike, so states on the way are kept."""
        if len(turns) > _MOST_TURNS:
            raise OpeningError.saying("The opening {name} has too many turns.", name=opening.full)
        self.longest = max(self.longest, len(turns))
        known = len(turns)
        while turns[:known] not in self._states:
            known -= 1
        state = self._states[turns[:known]]
        for number in range(known, len(turns)):
            try:
                steps = parse_turn(game.rules, state, turns[number])
            except SentenceError as error:
                raise OpeningError.saying("The opening {name}: {error}", name=opening.full, error=str(error)) from error
            for step in steps:
                state = play(state, step)
            self._states[turns[: number + 1]] = state
        return state


def _key(state: State) -> int:
    return int(canonical_key(state)[0])


def opening_of(match: Match, steps: int | None = None) -> Opening | None:
    """The latest opening among the positions of *match* at the starts of its turns; None if none has a name.

    The first call for a game reads its file, which takes up to a quarter of a second: make it on a worker's thread.

    :param steps: only positions up to so many steps count; default: all.
    """
    openings = openings_of(match.game, match.options)
    if openings is None:
        return None
    end = len(match.steps) if steps is None else steps
    starts = [turn.first_step for turn in match.turns() if turn.first_step < end]
    for index in reversed([*starts, end][: openings.longest + 1]):
        opening = openings.by_key.get(_key(match.states[index]))
        if opening is not None:
            return opening
    return None


def has_openings(game: Game) -> bool:
    """Whether *game* has names of openings, which may still be damaged; loads nothing."""
    return bool(game.parts.openings) or asset_of(game) in ASSETS.digests


def asset_of(game: Game) -> str:
    return f"openings/{game.name}.toml"


def openings_of(game: Game, options: Mapping[str, str]) -> Openings | None:
    """The names for matches of *game* with *options*; None if it has none, or they can't be read."""
    if not has_openings(game):
        return None
    others = sorted((name, value) for name, value in options.items() if name not in _ALWAYS)
    which = game.name, game.parts.openings, *others
    if which not in _READ:
        try:
            _READ[which] = load_openings(game, options)
        except OpeningError as error:
            log.warning("%s", error)
            _READ[which] = None
    return _READ[which]


def load_openings(game: Game, options: Mapping[str, str] | None = None) -> Openings | None:
    """The names from the file of *game*; None if they are for games with other *options* than its own.

    :raises OpeningError: the file is damaged.
    """
    name = game.parts.openings or asset_of(game)
    content = asset_or_file(name, game.parts.openings, MOST_BYTES)
    if content is None:
        raise OpeningError.saying("The names of openings can't be read: {file}.", file=quoted(name))
    return read_openings(content, game, name, options)


def read_openings(content: bytes, game: Game, name: str, options: Mapping[str, str] | None = None) -> Openings | None:
    """The names in the *content* of the file *name*; None if they are for games with other *options* than its own.

    :raises OpeningError: it is damaged, or not for *game*.
    """
    try:
        if len(content) > MOST_BYTES:
            raise OpeningError.saying("It is too large.")
        data = converted(parsed_toml(content), _Data)
        wanted = game.complete_options({**data.options, "first": "1"})
        given = wanted if options is None else game.complete_options(options)
        if any(given[option] != wanted[option] for option in data.options):
            return None
        return Openings(game, data, given)
    except (FaultError, SentenceError) as error:
        reason = str(error)
    except ValueError as error:  # the library's words
        reason = shortened(str(error))
    raise OpeningError.saying("{file} has no names of openings: {reason}", file=quoted(name), reason=reason)
