"""The arguments and options that several commands have, as fields of their requests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from papan.commands.common import GameName, WholeNumber, argument, decorator, option
from papan.commands.errors import refusal
from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted, shortened
from papan.game.kernel.clock import CLOCKS

SEED = WholeNumber(say("The seed"), -(2**63), 2**63 - 1)
MOST_TURN = 10**9
"""More turns than any match has."""
PATH: click.ParamType[Path] = click.Path(path_type=Path)
FILE_PATH: click.ParamType[Path] = click.Path(dir_okay=False, path_type=Path)


def _read_options(ctx: click.Context, param: click.Parameter, given: Sequence[str]) -> dict[str, str]:
    """The pairs ``name=value`` of ``--option``; the game checks them later."""
    options: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise refusal(
                "{option} is not valid: write --option name=value, such as first=1.",
                option=quoted(f"--option {text}"),
            )
        if options.setdefault(name, value) != value:
            raise refusal(
                "The option {name} is given twice: {one} and {other}.",
                name=quoted(name),
                one=shortened(options[name]),
                other=shortened(value),
            )
    return options


THE_GAME = argument(GameName())
PLAYERS = argument(nargs=-1, required=True, metavar="PLAYER PLAYER")
AS_JSON = option("Print JSON for another program.", is_flag=True, name="--json")
POSITION = option("Start from this position.", metavar="TEXT")
GAME_OPTIONS = option(
    "An option of the game.", multiple=True, metavar="NAME=VALUE", callback=_read_options, name="--option"
)
OPENING_TURNS = option("Random turns in each opening.", WholeNumber(say("The number of turns"), 0, 1000), default=4)
ANY_SEED = option("Seed for everything random.", SEED, default=0)
WHICH = option(
    "The number of the match, where FILE has several.",
    WholeNumber(say("The number of the match"), 1, 10**9),
    metavar="N",
)
ONE_FILE = say("one FILE is read, of its matches the one that --which N names")
"""What to say of a second file."""
THREADS = option(
    "Matches to play at the same time.",
    WholeNumber(say("The number of threads"), 1, 256),
    default=1,
    show_default=False,
)
JOBS = WholeNumber(say("The number of jobs"), 1, 256)
CLOCK = option(
    "Clock that measures thinking time; default: processor, where that is known and comparable for all players.",
    click.Choice(CLOCKS),
)
NO_MOVE = option(
    "How to count a game in which an engine says that it has no move although there is one.",
    click.Choice(("draw", "loss", "error")),
    default="draw",
)


@dataclass(frozen=True)
class AnswerRequest:
    """The options of commands that answer a question about a game."""

    options: dict[str, str] = GAME_OPTIONS
    as_json: bool = AS_JSON


@dataclass(frozen=True)
class MeetingsRequest(AnswerRequest):
    """The options of every kind of tournament."""

    turns: int = OPENING_TURNS
    seed: int = ANY_SEED
    threads: int = THREADS
    clock: str | None = CLOCK
    results: Path | None = option(
        "Save each game in this file; the same command continues after an interruption.", PATH, metavar="FILE"
    )


game_argument = decorator(game=THE_GAME)
json_option = decorator(as_json=AS_JSON)
rules_options = decorator(position=POSITION, options=GAME_OPTIONS)
"""Decorators for commands that are plain click functions with these parameters."""
