"""``papan bench``, only in a checkout: measures the program's speed on this machine.

Its hidden subcommands measure what needs a fresh process.
"""

from __future__ import annotations

from itertools import product

import click

from papan.commands import fields
from papan.commands.common import GameName, command_words, print_json
from papan.commands.errors import Refusal
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.main import collecting_late, display


@click.group(invoke_without_command=True)
@click.option("--game", type=GameName(), help="Only this game.")
@click.option("--ui", is_flag=True, help="The window's figures too; needs a display.")
@click.option("--cluster", is_flag=True, help="How simulations scale on workers of this machine, and nothing else.")
@click.option("--tables", is_flag=True, help="How soon a host passes steps on, and nothing else.")
@fields.json_option
@click.pass_context
def bench(context: click.Context, game: Game | None, ui: bool, cluster: bool, tables: bool, as_json: bool) -> None:
    """Measure how fast the program is here.

    Each figure stands beside what is asked of it.
    """
    if context.invoked_subcommand is not None:
        return
    from dev.bench import delays, speeds
    from dev.bench.cluster import measure as measure_cluster
    from dev.bench.figures import FreshProcessError, facts, print_figures
    from dev.bench.tables import measure as measure_tables
    from dev.bench.window import measure as measure_window
    from papan.lab.printing import working
    from papan.lab.workers import PoolError

    chosen = [game] if game else list(GAMES.values())
    figures = []
    try:
        with working("measuring") as tell:
            if cluster:
                figures += measure_cluster(tell)
            if tables:
                figures += measure_tables(command_words(), tell)
            if ui:
                figures += measure_window(chosen, command_words(), tell)
            for one, section in product(() if cluster or tables else chosen, (speeds, delays)):
                for what, measured in section.measures(one, command_words()):
                    tell(f"{one.title}: {what}")
                    figures += measured()
    except (FreshProcessError, PoolError) as error:
        raise Refusal(str(error)) from None
    if as_json:
        print_json({"figures": [facts(figure) for figure in figures]})
    else:
        print_figures(figures)


@bench.command("first-move", hidden=True)
@fields.game_argument
def first_move(game: Game) -> None:
    """Print the seconds until the first computer move of this process."""
    from dev.bench.speeds import time_of_first_move

    print_json({"seconds": time_of_first_move(game)})


@bench.command("first-frame", hidden=True)
def first_frame() -> None:
    """Open the window, print when its first frame was there, and quit."""
    with collecting_late(), display():
        from dev.rehearsal import time_first_frame

        print_json(time_first_frame())


@bench.command("watch", hidden=True)
@click.argument("what", type=click.Choice(("table", "scenes", "redrawing", "scrolling")))
@click.argument("game", type=GameName(), required=False)
def watch(what: str, game: Game | None) -> None:
    """Print how long frames take: at a table of GAME where the computer plays against itself, in the scenes of GAME or
    those that show no game, in these when all of a large window is drawn anew, or on long pages that the wheel scrolls.
    """
    with display():
        from dev import frames, rehearsal

        if what == "table" and game is not None:
            print_json(rehearsal.watch_table(game))
        elif what == "scrolling":
            print_json(frames.watch_scrolling())
        else:
            print_json(frames.watch_scenes(game) if what == "scenes" else frames.watch_redrawing(game))
