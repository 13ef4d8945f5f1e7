"""The subcommands that need no window. Each module is imported only when its command runs."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from importlib.util import find_spec
from typing import cast

import click

from papan.commands.common import ARGUMENTS
from papan.commands.speaking import speaking

COMMANDS: Mapping[str, str] = {
    "analyse": "papan.commands.analyse:analyse",
    "bench": "dev.bench.command:bench",
    "book": "papan.commands.book:book",
    "calibrate": "papan.commands.survey:calibrate",
    "engine": "papan.commands.engine:engine",
    "games": "papan.commands.games:games",
    "kernels": "papan.commands.kernels:kernels",
    "levels": "papan.commands.tournament:levels",
    "match": "papan.commands.match:match",
    "perft": "papan.commands.games:perft",
    "puzzles": "papan.commands.puzzles:puzzles",
    "report": "papan.commands.report:report",
    "reproduce": "papan.commands.reproduce:reproduce",
    "simulate": "papan.commands.simulate:simulate",
    "solve": "papan.commands.solve:solve",
    "state": "papan.commands.games:state",
    "survey": "papan.commands.survey:survey",
    "tables": "papan.commands.book:tables",
    "theorem": "papan.commands.theorem:theorem",
    "tournament": "papan.commands.tournament:tournament",
    "train": "papan.commands.train:train",
    "tune": "papan.commands.tune:tune",
    "verify": "papan.commands.certificates:verify",
}
"""Where each subcommand is defined, as ``module:name``; those in ``dev`` exist only in a checkout."""


class CommandsByName(click.Group):
    """A group with its own commands and all of ``COMMANDS``; help is shown in the current language."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *filter(_is_there, COMMANDS)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if not _is_there(cmd_name):
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


def _is_there(name: str) -> bool:
    return name in COMMANDS and (COMMANDS[name].startswith("papan.") or find_spec("dev") is not None)
