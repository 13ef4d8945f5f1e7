"""The subcommands that need no window. Each module is imported only when its command runs."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import cast

import click

from papan.commands.common import ARGUMENTS
from papan.commands.speaking import speaking
from papan.game.base.languages import translated

COMMANDS: Mapping[str, tuple[str, str]] = {
    "analyse": ("papan.commands.analyse:analyse", "Review a recorded match."),
    "bench": ("dev.bench.command:bench", "Measure how fast the program is here."),
    "book": ("papan.commands.book:book", "Write an opening book of GAME."),
    "calibrate": ("papan.commands.survey:calibrate", "Compare proof numbers with solved results."),
    "convert": ("papan.commands.files:convert", "Write the matches of FILE in another format."),
    "engine": ("papan.commands.engine:engine", "Play GAME as an engine in another program."),
    "engines": ("papan.commands.engines:engines", "List the other programs that play, or add and remove one."),
    "explore": ("papan.commands.explore:explore", "Show what was played in a position of GAME."),
    "games": ("papan.commands.games:games", "List the games with their options."),
    "host": ("papan.commands.host:host", "Hold tables for people elsewhere, without a window."),
    "import": ("papan.commands.files:import_files", "Add the matches in FILES to the library."),
    "kernels": ("papan.commands.kernels:kernels", "Show which games can be played without waiting for the compiler."),
    "levels": ("papan.commands.tournament:levels", "Measure how far apart the levels of GAME are."),
    "links": ("papan.commands.links:links", "Have Windows open papan: links with this program, for you alone."),
    "match": ("papan.commands.match:match", "Play a match between computer players and print it."),
    "perft": ("papan.commands.games:perft", "Count the ways to play DEPTH turns."),
    "puzzles": (
        "papan.commands.puzzles:puzzles",
        "Mine puzzles (positions in which exactly one turn wins or saves the game), or prove the shipped ones.",
    ),
    "report": ("papan.commands.report:report", "Write the results in a folder as one page."),
    "reproduce": ("papan.commands.reproduce:reproduce", "Reproduce a paper's table or figure."),
    "simulate": ("papan.commands.simulate:simulate", "Play whole games by the million, and count."),
    "solve": ("papan.commands.solve:solve", "Find out what a position is exactly worth."),
    "state": ("papan.commands.games:state", "Print a position in the notation of the published model of GAME."),
    "survey": ("papan.commands.survey:survey", "Count how many positions can be solved."),
    "tables": ("papan.commands.book:tables", "Make or check the lookup tables of GAME."),
    "tension": ("papan.commands.tension:tension", "Compare measures of excitement with people's answers."),
    "theorem": (
        "papan.commands.theorem:theorem",
        "Check statements about Santorini on graphs: reductions, bounds, small cases.",
    ),
    "tournament": (
        "papan.commands.tournament:tournament",
        "Play a round robin between computer players and rate them.",
    ),
    "train": ("papan.commands.train:train", "Train a network by playing GAME against itself."),
    "tree": (
        "papan.commands.tree:tree",
        "Draw a game tree with the values of minimax, and what alpha-beta leaves out.",
    ),
    "tune": ("papan.commands.tune:tune", "Tune the weights of GAME's evaluation by playing."),
    "verify": ("papan.commands.certificates:verify", "Check a certificate."),
}
"""Where each subcommand is defined, as ``module:name``, and the first paragraph of its help, so that a list of them
imports none. Those in ``dev`` exist only in a checkout."""


class CommandsByName(click.Group):
    """A group with its own commands and all of ``COMMANDS``; help is shown in the current language."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *filter(_is_there, COMMANDS)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if not _is_there(cmd_name):
            own = super().get_command(ctx, cmd_name)
            return own and speaking(own)
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        return speaking(cast(click.Command, getattr(importlib.import_module(module), name)))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        listed = {
            name: click.Command(name, help=translated(help)) for name, (_, help) in COMMANDS.items() if _is_there(name)
        }
        own = speaking(click.Group(commands=self.commands)).commands
        click.Group(commands={**own, **listed}).format_commands(ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if self.get_command(ctx, args[0]) is None and _can_be_opened(args[0]):
            args = ["open", *args]
        name, command, words = super().resolve_command(ctx, args)
        ctx.meta[ARGUMENTS] = tuple(words)
        return name, command, words


def _can_be_opened(word: str) -> bool:
    """Whether *word* is the link of a letter, or names a file."""
    try:
        return word.lower().startswith("papan:") or Path(word).is_file()
    except (OSError, ValueError):  # no file can have this name
        return False


def _is_there(name: str) -> bool:
    return name in COMMANDS and (COMMANDS[name][0].startswith("papan.") or find_spec("dev") is not None)
