"""``kernels``: which compiled kernels are ready, and making a pack of them that comes with the program."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from papan.commands.common import GameName, argument, command, option, print_json
from papan.commands.errors import failure, refusal
from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted_path, shortened
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.kernel import load_compiler
from papan.game.kernel.targets import TARGETS, default_target
from papan.lab.printing import numbers, show_said, table, texts, working


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for another program.")
@click.pass_context
def kernels(ctx: click.Context, as_json: bool) -> None:
    """Show which games can be played without waiting for the compiler.

    Counts what levels, hints, analysis and reviews need: kernels in your cache, and those that came with the program.
    """
    if ctx.invoked_subcommand is not None:
        return
    if not load_compiler():
        raise failure("There is no compiler: computers play in plain Python.")
    from papan.game.kernel.cache import kernel_cache_folder
    from papan.game.kernel.packs import kernel_pack

    pack = kernel_pack()
    rows = [{"game": game.name, **_ready(game)} for game in GAMES.values() if game.in_gallery]
    if as_json:
        folders = {"cache": str(kernel_cache_folder()), "pack": str(pack.folder) if pack else None}
        print_json({"games": rows, **folders})
        return
    table(
        [*texts(say("game")), *numbers(say("needed"), say("in your cache"), say("with the program"))],
        [[row["game"], *(str(row[key]) for key in ("needed", "cached", "packed"))] for row in rows],
    )


def _ready(game: Game) -> dict[str, Any]:
    """The number of kernels that *game* needs, and those in the cache and in the pack."""
    from papan.ai.thinking.warming import prepare_everything
    from papan.game.kernel.cache import kernel_cache_folder
    from papan.game.kernel.compiler import listed

    with listed() as places:
        prepare_everything(game)
    found = [place for place in places.values() if place is not None]
    cached = sum(place.is_relative_to(kernel_cache_folder()) for place in found)
    return {"needed": len(places), "cached": cached, "packed": len(found) - cached}


@dataclass(frozen=True)
class BuildRequest:
    folder: Path = argument(click.Path(file_okay=False, path_type=Path))
    target: str | None = option(
        "Processor to compile for; default: what computers of the last ten years have.",
        click.Choice(tuple(TARGETS)),
    )
    games: tuple[Game, ...] = option(
        "Compile for this game only; repeat it for several.", GameName(), name="--game", multiple=True
    )


@command(BuildRequest, kernels)
def build(asked: BuildRequest) -> None:
    """Write a pack of compiled kernels to FOLDER, to go with a program that is given to others.

    It is valid for the versions of Python, numba, llvmlite and numpy that made it; any other program ignores it.
    """
    from papan.ai.thinking.warming import PackError, build_pack

    if asked.folder.exists() and any(asked.folder.iterdir()):
        raise refusal("{folder} is not empty: name a new folder.", folder=quoted_path(asked.folder))
    games = asked.games or tuple(game for game in GAMES.values() if game.in_gallery)
    with working(say("Compiling …")) as tell:
        try:
            number = build_pack(asked.folder, games, asked.target or default_target(), tell)
        except (OSError, PackError) as error:
            raise failure("The kernels can't be compiled or written: {error}.", error=shortened(str(error))) from None
    size = sum(file.stat().st_size for file in asked.folder.iterdir())
    show_said("{number} kernels, {size} MB", number=number, size=round(size / 1e6))
