"""The description of a game: names, options, and the modules of its parts, which are imported when first used."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from random import Random
from types import ModuleType
from typing import Any, ClassVar

from papan.game.base.protocols import PartT, lacks, offers
from papan.game.base.sentences import SentenceError, alternatives, say, say_number
from papan.game.base.untrusted import quoted, shortened, whole_number
from papan.game.rules import Rules

SEATS = "seats"
"""The option of games with several possible numbers of seats; it follows from the number of players."""


class OptionError(SentenceError, ValueError):
    """An unknown option or value; the message lists the known ones."""


@dataclass(frozen=True)
class Option:
    """A choice made before a game: its values, the default first, and words for them."""

    name: str
    title: str
    values: Mapping[str, str]
    """The words for each value, as records and the command line write it."""
    usual: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Other defaults, by the name and value of an earlier option."""
    is_free: ClassVar[bool] = False
    """Whether it also takes values that are not listed."""

    def default_with(self, others: Mapping[str, str]) -> str:
        """The default after the earlier options *others*."""
        return next((value for other, value in self.usual.items() if others.get(other[0]) == other[1]), self.default)

    @property
    def default(self) -> str:
        return next(iter(self.values))

    @property
    def allowed(self) -> str:
        """The possible values, in words."""
        return ", ".join(self.values)

    @property
    def gist(self) -> str:
        """The possible values, the default first, as short as possible."""
        return "|".join(self.values)

    def allows(self, value: str) -> bool:
        return value in self.values

    def fault(self, value: str) -> str:
        """Why *value* is refused, as a clause; "" if it is allowed."""
        return "" if self.allows(value) else say("{option} can be {allowed}", option=self.name, allowed=self.allowed)

    def words(self, value: str) -> str:
        """The allowed *value* in words."""
        return self.values.get(value, value)


@dataclass(frozen=True)
class NumberOption(Option):
    """An option that takes any whole number of ``numbers``; forms offer its ``values``."""

    numbers: range = range(0)
    is_free: ClassVar[bool] = True

    @property
    def allowed(self) -> str:
        return say("a whole number from {least} to {most}", least=self.numbers[0], most=self.numbers[-1])

    @property
    def gist(self) -> str:
        return say("{default} ({least} to {most})", default=self.default, least=self.numbers[0], most=self.numbers[-1])

    def allows(self, value: str) -> bool:
        number = whole_number(value)
        return number is not None and number in self.numbers


@dataclass(frozen=True)
class TextOption(Option):
    """An option that takes any text that the game's ``reader`` accepts; forms offer its ``values``."""

    form: str = ""
    """The possible values, in words."""
    reader: str = ""
    """A function, as ``module:name``, imported when needed. It raises ``OptionError`` for a wrong text, with a clause
    that says what is wrong and what is right.
    """
    speaker: str = ""
    """A function, as ``module:name``, that puts an allowed text into words; default: the text itself."""
    is_free: ClassVar[bool] = True

    @property
    def allowed(self) -> str:
        return self.form

    @property
    def gist(self) -> str:
        return f"{self.default}|…"

    def allows(self, value: str) -> bool:
        return not self.fault(value)

    def words(self, value: str) -> str:
        if value in self.values or not self.speaker or not self.allows(value):
            return super().words(value)
        return str(_function(self.speaker)(value))

    def fault(self, value: str) -> str:
        try:
            _function(self.reader)(value)
        except OptionError as error:
            return str(error)
        return ""


def _function(name: str) -> Callable[[str], object]:
    module, _, function = name.partition(":")
    found: Callable[[str], object] = getattr(_imported(module), function)
    return found


_importing = threading.RLock()


def _imported(name: str) -> ModuleType:
    """Import the module *name* of a game; threads do so one after the other.

    Where one imports a package and another a module of it, each waits for the other, and Python ends that by giving one
    of them an unfinished module.
    """
    with _importing:
        return importlib.import_module(name)


class PartError(SentenceError):
    """A module of a game can't be used; the message says which and why."""


@dataclass(frozen=True)
class Parts:
    """The modules of a game by their full names, "" for none, and a lesson's file. Only the rules are required."""

    rules: str
    """Kernels and functions: ``papan.game.rules.Rules``."""
    evaluation: str = ""
    """Evaluation of positions: ``papan.ai.evaluation.Evaluation``. Without it, all unfinished positions are even."""
    exact: str = ""
    """Exact solver: ``papan.ai.exact.ExactModule``."""
    engines: str = ""
    """Notations of other programs: ``papan.ai.engines.dialect.Dialects``. Without it, UGI uses our own notation."""
    board: str = ""
    """Drawing: ``Board``, a ``papan.ui.boards.BoardView``. Without it, the game is only on the command line."""
    page: str = ""
    """Rules to read: ``PAGE``, a ``papan.game.presentation.Page``."""
    formats: str = ""
    """Files of other programs: ``papan.game.formats.Formats``. Without it, only our own records are read."""
    observation: str = ""
    """Observations for learners: ``papan.ai.observation.Observation``. Without it, there is no environment."""
    motifs: str = ""
    """Motifs of turns: ``papan.game.presentation.Motifs``. Without it, reviews use general words."""
    lesson: str = ""
    """Lesson of a plugin's game: a file in one of its packages, ``package:file``; see ``papan/game/lessons.py``."""
    openings: str = ""
    """Names of openings of a plugin's game: a file as for ``lesson``; see ``papan/game/opening_names.py``."""
    learning: str = ""
    """Learned networks: ``papan.ai.learning.network.Learning``."""
    setup: str = ""
    """Position editor: ``papan.game.presentation.SetUp``. Without it, positions are set up by their text."""
    words: str = ""
    """Turns in words: ``papan.game.presentation.TurnWords``. Without it, ``Rules.describe`` names each step."""


@dataclass(frozen=True)
class Game:
    """The description of one game; ``rules`` loads its rules."""

    name: str
    """As on the command line and in records: small letters, digits and hyphens."""
    title: str
    tagline: str
    parts: Parts
    seats: Sequence[int] = (2,)
    """The numbers of seats it can be played with."""
    own_options: Sequence[Option] = ()
    version: int = 1
    """Increased when a change of the rules makes older records read differently."""
    has_hidden_information: bool = False
    """Whether something is hidden from seats: hands of cards, the order of a deck."""
    has_chance: bool = False
    """Whether CHANCE acts during a game."""
    options: Mapping[str, Option] = field(init=False)

    def __post_init__(self) -> None:
        first = {"random": say("at random")} | {
            str(number): say("player {number}", number=number) for number in range(1, max(self.seats) + 1)
        }
        seats = {str(number): say("{number} players", number=number) for number in self.seats}
        numbers = [Option(SEATS, say("Players"), seats)] if len(seats) > 1 else []
        every = [Option("first", say("Who starts"), first), *numbers, *self.own_options]
        object.__setattr__(self, "options", {option.name: option for option in every})

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[Mapping[str, object]]]:
        """Pickled are the facts, not the module of the rules."""
        return _restored, ({one.name: getattr(self, one.name) for one in fields(self) if one.init},)

    def __copy__(self) -> Game:
        return self  # it never changes

    def __deepcopy__(self, known: object) -> Game:
        return self

    @cached_property
    def rules(self) -> Rules:
        """The module of the rules, imported at first use.

        :raises PartError: it can't be imported or lacks something.
        """
        return part_of(self, self.parts.rules, Rules)

    @property
    def in_gallery(self) -> bool:
        """Whether the window offers it; other games are only on the command line."""
        return bool(self.parts.board)

    def complete_options(self, given: Mapping[str, str]) -> dict[str, str]:
        """*given*, completed with the defaults.

        :raises OptionError: an option or a value is unknown.
        """
        for name, value in given.items():
            if name not in self.options:
                raise OptionError.saying(
                    "{game} has no option {name}; it has {options}.",
                    game=self.title,
                    name=quoted(name),
                    options=", ".join(self.options),
                )
            fault = self.options[name].fault(value)
            if fault:
                raise OptionError.saying(
                    "{game} can't have {name}={value}; {fault}.",
                    game=self.title,
                    name=name,
                    value=shortened(value),
                    fault=fault,
                )
        complete: dict[str, str] = {}
        for name, option in self.options.items():
            complete[name] = given[name] if name in given else option.default_with(complete)
        return complete

    def check_seats(self, number: int) -> None:
        """Raise OptionError unless *number* players can play."""
        if number not in self.seats:
            allowed = alternatives(str(seats) for seats in self.seats)
            raise OptionError(
                say_number(
                    "{game} is for {allowed} player, not {number}.",
                    "{game} is for {allowed} players, not {number}.",
                    max(self.seats),
                    game=self.title,
                    allowed=allowed,
                    number=number,
                )
            )


def _restored(facts: Mapping[str, Any]) -> Game:
    """The game of these *facts*: the catalogue's own, if that is the same."""
    from papan.game.catalogue import GAMES

    game = Game(**facts)
    known = GAMES.get(game.name)
    return known if known == game else game


def load_part(game: Game, name: str) -> ModuleType:
    """Import the module *name* of *game*, or raise PartError."""
    try:
        return _imported(name)
    except Exception as error:  # the module's own code may raise anything
        raise PartError.saying(
            "{game}: the module '{name}' can't be loaded ({kind}: {error}).",
            game=game.title,
            name=name,
            kind=type(error).__name__,
            error=str(error),
        ) from error


def part_of(game: Game, name: str, contract: type[PartT]) -> PartT:
    """Import the module *name* of *game*, which must have everything in the protocol *contract*.

    :raises PartError: it can't be imported or lacks something.
    """
    module = load_part(game, name)
    if offers(module, contract):
        return module
    raise PartError.saying(
        "{game}: the module '{module}' lacks {missing}.",
        game=game.title,
        module=module.__name__,
        missing=", ".join(lacks(module, contract)),
    )


def order_of_play(players: Sequence[str], first: str, random: Random) -> list[str]:
    """Rotate *players* so that the one who starts by the option *first* comes first.

    Seat 1 always starts, so the rules need not know of the option.
    """
    start = random.randrange(len(players)) if first == "random" else int(first) - 1
    return [*players[start:], *players[:start]]
