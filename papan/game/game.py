"""The facts of a game that are known before its rules are loaded: its names, its options, its modules.

So a gallery opens at once, and nobody but a game's ``Parts`` says where the rest of it lies.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from types import ModuleType
from typing import ClassVar

from papan.game.base.protocols import PartT, lacks, offers
from papan.game.base.sentences import alternatives, say, say_number
from papan.game.base.untrusted import quoted, shortened, whole_number
from papan.game.rules import Rules

SEATS = "seats"
"""The option of games with several possible numbers of seats; the number of players settles it."""


class OptionError(ValueError):
    """An option that a game does not have, or a value that it can't take; the message says which it can."""


@dataclass(frozen=True)
class Option:
    """One thing to settle before a game: its values, the default first, and words for them."""

    name: str
    title: str
    values: Mapping[str, str]
    """Each value as written in a record and on the command line, and in words."""
    usual: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Other defaults than the first value: where an option before this one, by its name, has a certain value."""
    is_free: ClassVar[bool] = False
    """Whether it can have other values than those listed, to be written by hand."""

    def default_with(self, others: Mapping[str, str]) -> str:
        """The default where the options before this one are *others*."""
        return next((value for other, value in self.usual.items() if others.get(other[0]) == other[1]), self.default)

    @property
    def default(self) -> str:
        return next(iter(self.values))

    @property
    def allowed(self) -> str:
        """Its possible values, in words."""
        return ", ".join(self.values)

    @property
    def gist(self) -> str:
        """Its possible values, the default first, in as few characters as possible."""
        return "|".join(self.values)

    def allows(self, value: str) -> bool:
        return value in self.values

    def fault(self, value: str) -> str:
        """Why it can't be *value*, as a clause; "" where it can."""
        return "" if self.allows(value) else say("{option} can be {allowed}", option=self.name, allowed=self.allowed)

    def words(self, value: str) -> str:
        """The allowed *value* in words."""
        return self.values.get(value, value)


@dataclass(frozen=True)
class NumberOption(Option):
    """An option that can be any whole number of ``numbers``; its values are those that a form offers."""

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
    """An option that can be any text that a function of the game's reads; its values are those that a form offers."""

    form: str = ""
    """Its possible values, in words."""
    reader: str = ""
    """The function, as ``module:name``, imported when it is needed: it raises ``OptionError`` with a clause that says
    what is wrong with a text and what would be right."""
    speaker: str = ""
    """The function that says an allowed text in words, as ``module:name``; default: it stands for itself."""
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
    found: Callable[[str], object] = getattr(importlib.import_module(module), function)
    return found


class PartError(Exception):
    """A module of a game can't be used; the message says which one, and why."""


@dataclass(frozen=True)
class Parts:
    """The modules that a game is made of, one for each floor that needs one, by their full names; "" for none."""

    rules: str
    """Its kernels and the functions of ``papan.game.rules.Rules``."""
    evaluation: str = ""
    """What positions are worth: ``papan.ai.evaluation.Evaluation``. Without one all are even until the end is seen."""
    exact: str = ""
    """A solver: ``papan.ai.exact.ExactModule``."""
    engines: str = ""
    """How other programs write it: ``papan.ai.engines.dialect.Dialects``. Without one, UGI has our own notation."""
    board: str = ""
    """How it looks: ``Board``, a ``papan.ui.boards.BoardView``. Without one it is for the command line."""
    page: str = ""
    """Its rules to read: ``PAGE``, a ``papan.game.presentation.Page``."""
    observation: str = ""
    """What learners are shown: ``papan.ai.observation.Observation``. Without one it is no environment for them."""
    motifs: str = ""
    """What players say of a turn: ``papan.game.presentation.Motifs``. Without one a review speaks in general words."""
    guide: str = ""
    """Hints for a first match: ``papan.game.presentation.Guide``. Without one nobody is guided."""
    learning: str = ""
    """How it is learned: ``papan.ai.learning.network.Learning``. Without one no network learns it."""
    setup: str = ""
    """The editor of positions: ``papan.game.presentation.SetUp``. Without one positions are set up by their text."""


@dataclass(frozen=True)
class Game:
    """The facts of one game; ``rules`` loads its rules."""

    name: str
    """As on the command line and in records: small letters, digits and hyphens."""
    title: str
    tagline: str
    parts: Parts
    seats: Sequence[int] = (2,)
    """The numbers of seats it can be played with."""
    own_options: Sequence[Option] = ()
    version: int = 1
    """Raised when a change of the rules makes older records read differently."""
    has_hidden_information: bool = False
    """Whether something is hidden from seats: hands of cards, the order of a deck."""
    has_chance: bool = False
    """Whether CHANCE acts in the middle of a game."""
    options: Mapping[str, Option] = field(init=False)

    def __post_init__(self) -> None:
        first = {"random": say("at random")} | {
            str(number): say("player {number}", number=number) for number in range(1, max(self.seats) + 1)
        }
        seats = {str(number): say("{number} players", number=number) for number in self.seats}
        numbers = [Option(SEATS, say("Players"), seats)] if len(seats) > 1 else []
        every = [Option("first", say("Who starts"), first), *numbers, *self.own_options]
        object.__setattr__(self, "options", {option.name: option for option in every})

    @cached_property
    def rules(self) -> Rules:
        """The module of its rules, imported at first use.

        :raises PartError: it can't be imported, or is no module of rules.
        """
        return part_of(self, self.parts.rules, Rules)

    @property
    def in_gallery(self) -> bool:
        """Whether it can be played in the window; the others are for the command line."""
        return bool(self.parts.board)

    def complete_options(self, given: Mapping[str, str]) -> dict[str, str]:
        """*given* with the defaults for what it leaves out.

        :raises OptionError: an unknown option, or a value the option can't take.
        """
        for name, value in given.items():
            if name not in self.options:
                raise OptionError(
                    say(
                        "{game} has no option {name}; it has {options}.",
                        game=self.title,
                        name=quoted(name),
                        options=", ".join(self.options),
                    )
                )
            fault = self.options[name].fault(value)
            if fault:
                raise OptionError(
                    say(
                        "{game} can't have {name}={value}; {fault}.",
                        game=self.title,
                        name=name,
                        value=shortened(value),
                        fault=fault,
                    )
                )
        complete: dict[str, str] = {}
        for name, option in self.options.items():
            complete[name] = given[name] if name in given else option.default_with(complete)
        return complete

    def check_seats(self, number: int) -> None:
        """:raises OptionError: the game is not for *number* players."""
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


def load_part(game: Game, name: str) -> ModuleType:
    """The module *name* of *game*, imported at first use.

    :raises PartError: it can't be imported.
    """
    try:
        return importlib.import_module(name)
    except Exception as error:  # whatever the module's own code raises
        raise PartError(
            say(
                "{game}: the module '{name}' can't be loaded ({kind}: {error}).",
                game=game.title,
                name=name,
                kind=type(error).__name__,
                error=str(error),
            )
        ) from error


def part_of(game: Game, name: str, contract: type[PartT]) -> PartT:
    """The module *name* of *game*, imported at first use, which offers all that the protocol *contract* asks for.

    :raises PartError: it can't be imported, or lacks something.
    """
    module = load_part(game, name)
    if offers(module, contract):
        return module
    raise PartError(
        say(
            "{game}: the module '{module}' lacks {missing}.",
            game=game.title,
            module=module.__name__,
            missing=", ".join(lacks(module, contract)),
        )
    )


def order_of_play(players: Sequence[str], first: str, random: Random) -> list[str]:
    """*players* turned so that the one who starts, by the option *first*, comes first.

    From here on seat 1 always starts: the rules need not know of the option.
    """
    start = random.randrange(len(players)) if first == "random" else int(first) - 1
    return [*players[start:], *players[:start]]
