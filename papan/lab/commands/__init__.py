"""The subcommands that need no window, one module each: imported when asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import cast

import click

from papan.lab.commands.common import ARGUMENTS
from papan.lab.commands.speaking import speaking

COMMANDS: Mapping[str, str] = {
    "analyse": "papan.lab.commands.analyse:analyse",
    "bench": "papan.lab.commands.bench:bench",
    "book": "papan.lab.commands.book:book",
    "calibrate": "papan.lab.commands.calibrate:calibrate",
    "engine": "papan.lab.commands.engine:engine",
    "first-move": "papan.lab.commands.bench:first_move",
    "games": "papan.lab.commands.games:games",
    "levels": "papan.lab.commands.levels:levels",
    "match": "papan.lab.commands.match:match",
    "perft": "papan.lab.commands.perft:perft",
    "puzzles": "papan.lab.commands.puzzles:puzzles",
    "report": "papan.lab.commands.report:report",
    "reproduce": "papan.lab.commands.reproduce:reproduce",
    "simulate": "papan.lab.commands.simulate:simulate",
    "solve": "papan.lab.commands.solve:solve",
    "state": "papan.lab.commands.state:state",
    "survey": "papan.lab.commands.survey:survey",
    "tables": "papan.lab.commands.tables:tables",
    "theorem": "papan.lab.commands.theorem:theorem",
    "tournament": "papan.lab.commands.tournament:tournament",
    "train": "papan.lab.commands.train:train",
    "tune": "papan.lab.commands.tune:tune",
    "verify": "papan.lab.commands.certificates:verify",
}
"""Where each subcommand is, as ``module:name``."""


class CommandsByName(click.Group):
    """A group that has ``COMMANDS`` beside its own; their help is in the current language."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *COMMANDS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            own = super().get_command(ctx, cmd_name)
            return own and speaking(own)
        module, _, name = COMMANDS[cmd_name].partition(":")
        return speaking(cast(click.Command, getattr(importlib.import_module(module), name)))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, words = super().resolve_command(ctx, args)
        ctx.meta[ARGUMENTS] = tuple(words)
        return name, command, words
