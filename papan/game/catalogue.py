"""The games there are: one line of facts each, apart from the rules, so that a gallery opens at once."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar, cast

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
        """What it can be, in words."""
        return _listed(self.values)

    @property
    def gist(self) -> str:
        """What it can be, the default first, in as few characters as possible."""
        return "|".join(self.values)

    def allows(self, value: str) -> bool:
        """Whether it can be *value*."""
        return value in self.values

    def fault(self, value: str) -> str:
        """Why it can't be *value*, as a clause; "" where it can."""
        return "" if self.allows(value) else f"{self.name} can be {self.allowed}"

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
        return f"a whole number from {self.numbers[0]} to {self.numbers[-1]}"

    @property
    def gist(self) -> str:
        return f"{self.default} ({self.numbers[0]} to {self.numbers[-1]})"

    def allows(self, value: str) -> bool:
        is_written_plainly = value.isascii() and value.isdecimal() and len(value) < 19 and value == str(int(value))
        return is_written_plainly and int(value) in self.numbers


@dataclass(frozen=True)
class TextOption(Option):
    """An option that can be any text that a function of the game's reads; its values are those that a form offers."""

    form: str = ""
    """What it can be, in words."""
    reader: str = ""
    """The function, as ``module:name``, imported when it is needed: it raises ``OptionError`` with a clause that says
    what is wrong with a text and what would be right."""
    is_free: ClassVar[bool] = True

    @property
    def allowed(self) -> str:
        return self.form

    @property
    def gist(self) -> str:
        return f"{self.default}|…"

    def allows(self, value: str) -> bool:
        return not self.fault(value)

    def fault(self, value: str) -> str:
        module, _, function = self.reader.partition(":")
        try:
            getattr(importlib.import_module(module), function)(value)
        except OptionError as error:
            return str(error)
        return ""


@dataclass(frozen=True)
class Game:
    """The facts of one game; ``rules`` loads its module."""

    name: str
    title: str
    tagline: str
    module: str
    seats: Sequence[int] = (2,)
    """The numbers of seats it can be played with."""
    own_options: Sequence[Option] = ()
    version: int = 1
    """Raised when a change of the rules makes older records read differently."""
    has_hidden_information: bool = False
    """Whether seats see less than all: hands of cards, the order of a deck."""
    has_chance: bool = False
    """Whether CHANCE acts in the middle of a game."""
    in_gallery: bool = True
    """Whether it can be played in the window; the others are for the command line."""
    options: Mapping[str, Option] = field(init=False)

    def __post_init__(self) -> None:
        first = {"random": "at random"} | {str(number): f"player {number}" for number in range(1, max(self.seats) + 1)}
        seats = {str(number): f"{number} players" for number in self.seats}
        numbers = [Option(SEATS, "Players", seats)] if len(seats) > 1 else []
        every = [Option("first", "Who starts", first), *numbers, *self.own_options]
        object.__setattr__(self, "options", {option.name: option for option in every})

    @property
    def rules(self) -> Rules:
        """The game's module, imported at first use."""
        return cast(Rules, importlib.import_module(self.module))

    def complete_options(self, given: Mapping[str, str]) -> dict[str, str]:
        """*given* with the defaults for what it leaves out.

        :raises OptionError: an unknown option, or a value the option can't take.
        """
        for name, value in given.items():
            if name not in self.options:
                raise OptionError(f"{self.title} has no option '{name}'; it has {_listed(self.options)}.")
            fault = self.options[name].fault(value)
            if fault:
                raise OptionError(f"{self.title} can't have {name}={value}; {fault}.")
        complete: dict[str, str] = {}
        for name, option in self.options.items():
            complete[name] = given[name] if name in given else option.default_with(complete)
        return complete

    def check_seats(self, number: int) -> None:
        """:raises OptionError: the game is not for *number* players."""
        if number not in self.seats:
            allowed = " or ".join(str(seats) for seats in self.seats)
            players = "player" if max(self.seats) == 1 else "players"
            raise OptionError(f"{self.title} is for {allowed} {players}, not {number}.")


def _listed(names: Mapping[str, object] | Sequence[str]) -> str:
    return ", ".join(names)


GAMES: Mapping[str, Game] = {
    game.name: game
    for game in (
        Game(
            "santorini",
            "Santorini",
            "Climb, build, outwit",
            "papan.game.rules.santorini",
            seats=(2, 3, 4),
            own_options=(
                Option("gods", "Gods", {"simple": "ten simple gods", "seeds": "Apollo and Atlas", "none": "no gods"}),
                Option("pick", "Choosing gods", {"choose": "each player chooses", "random": "at random"}),
                Option(
                    "same",
                    "Same god twice",
                    {"no": "not allowed", "yes": "allowed"},
                    usual={("gods", "seeds"): "yes"},  # OP(2) of Kelvin and Lukas allows it
                ),
                Option("placement", "Placing workers", {"choose": "each player chooses", "random": "at random"}),
                Option("teams", "Teams", {"no": "each for himself", "yes": "1 and 3 against 2 and 4"}),
            ),
        ),
        Game(
            "santorini-graph",
            "Santorini on graphs",
            "The towers on any map",
            "papan.game.rules.santorini_graph",
            own_options=(
                TextOption(
                    "variant",
                    "Variant",
                    {
                        "4W_P4H_TWUS": "the ordinary game",
                        "2W_P4H_TWUS": "one worker each",
                        "4W_P3H_NTWUS": "low towers, only blocking wins",
                        "4W_P4H_TWUS_FM": "climb to any height",
                        "4W_I4H_TWUS": "all workers are everybody's",
                        "1W_I2H_NTWD*S": "one worker on one-way edges",
                    },
                    form="any variant nW_P or nW_I, mH_TW or mH_NTW, U, U*, D or D*, S or S_FM",
                    reader="papan.game.rules.santorini_graph.names:read_variant",
                ),
                TextOption(
                    "board",
                    "Board",
                    {
                        "grid:5x5": "the ordinary board",
                        "grid:4x4": "a small board",
                        "cycle:12": "a ring",
                        "complete:8": "all joined to all",
                        "path:10": "a path",
                        "edges:0-1,1-2,2-3,3-4,4-0,0-5,1-6,2-7,3-8,4-9,5-7,7-9,9-6,6-8,8-5": "Petersen's graph",
                    },
                    form="any grid:RxC, path:k, cycle:k, complete:k or edges:0-1,1-2,… of up to 32 nodes",
                    reader="papan.game.rules.santorini_graph.names:read_board",
                ),
            ),
        ),
        Game(
            "cifra",
            "CIFRA Code25",
            "Race across a coded board",
            "papan.game.rules.cifra",
            own_options=(
                Option("mode", "Mode", {"dash": "dash", "king": "king", "sum": "sum"}),
                Option("size", "Board", {"5": "5 × 5", "9": "9 × 9"}),
            ),
        ),
        Game(
            "catur-jawa",
            "Catur Jawa",
            "Javanese chess with cards",
            "papan.game.rules.catur_jawa",
            seats=(2, 3, 4),
            has_hidden_information=True,
        ),
        Game("connect-four", "Connect Four", "Four in a row", "papan.game.rules.connect_four"),
        Game("checkers", "Checkers", "English draughts", "papan.game.rules.checkers"),
        Game("othello", "Othello", "Outflank and turn over", "papan.game.rules.othello"),
        Game(
            "gomoku",
            "Gomoku",
            "Five in a row",
            "papan.game.rules.gomoku",
            own_options=(
                Option("size", "Board", {"15": "15 × 15", "19": "19 × 19", "20": "20 × 20"}),
                Option("exact", "Winning", {"no": "five or more in a row", "yes": "exactly five in a row"}),
            ),
        ),
        Game("xiangqi", "Xiangqi", "Chinese chess", "papan.game.rules.xiangqi"),
        Game(
            "2048",
            "2048",
            "Slide and merge",
            "papan.game.rules.twenty48",
            seats=(1,),
            own_options=(
                Option("size", "Board", {"4": "4 × 4", "3": "3 × 3", "2": "2 × 2"}),
                Option("start", "First tiles", {"random": "at random", "22": "two 2s"}),
            ),
            has_chance=True,
        ),
        Game(
            "p-tree",
            "P-tree",
            "Random trees to measure searches with",
            "papan.game.rules.p_tree",
            own_options=(
                NumberOption("branching", "Branches", {"2": "2", "8": "8"}, numbers=range(2, 9)),
                NumberOption("depth", "Depth", {"20": "20", "8": "8"}, numbers=range(1, 21)),
                NumberOption("tree", "Tree", {"0": "0", "1": "1"}, numbers=range(2**31)),
            ),
            in_gallery=False,
        ),
    )
}


GALLERY: Mapping[str, Game] = {name: game for name, game in GAMES.items() if game.in_gallery}
"""The games that can be played in the window."""


def find(name: str) -> Game:
    """The game called *name*.

    :raises OptionError: there is no such game.
    """
    if name not in GAMES:
        raise OptionError(f"There is no game '{name}'; there are {_listed(GAMES)}.")
    return GAMES[name]


def order_of_play(players: Sequence[str], first: str, random: Random) -> list[str]:
    """*players* turned so that the one who starts, by the option *first*, comes first.

    From here on seat 1 always starts: the rules need not know of the option.
    """
    start = random.randrange(len(players)) if first == "random" else int(first) - 1
    return [*players[start:], *players[:start]]
