"""``bench``: how fast the program is here."""

from __future__ import annotations

import click

from papan.game.base.sentences import say
from papan.game.catalogue import GAMES
from papan.game.facts import Game
from papan.lab.commands.common import GameName, Refusal, command_words, game_argument, json_option, print_json


@click.command()
@click.option("--game", type=GameName(), help="Only this game.")
@click.option("--ui", is_flag=True, help="The window's figures too; needs a display.")
@click.option("--cluster", is_flag=True, help="How simulations scale on workers of this machine, and nothing else.")
@json_option
def bench(game: Game | None, ui: bool, cluster: bool, as_json: bool) -> None:
    """Measure how fast the program is here.

    Each figure stands beside what is asked of it.
    """
    from papan.lab.bench import measure
    from papan.lab.bench.cluster import measure as measure_cluster
    from papan.lab.bench.figures import facts, print_figures
    from papan.lab.bench.fresh import FreshProcessError
    from papan.lab.bench.window import measure as measure_window
    from papan.lab.printing import working
    from papan.lab.workers import PoolError

    chosen = [game] if game else list(GAMES.values())
    figures = []
    try:
        with working(say("measuring")) as tell:
            if cluster:
                figures += measure_cluster(tell)
            if ui:
                figures += measure_window(chosen, command_words(), tell)
            if not cluster:
                figures += measure(chosen, command_words(), tell)
    except (FreshProcessError, PoolError) as error:
        raise Refusal(str(error)) from None
    if as_json:
        print_json({"figures": [facts(figure) for figure in figures]})
    else:
        print_figures(figures)


@click.command("first-move", hidden=True)
@game_argument
def first_move(game: Game) -> None:
    """Print the seconds until the first computer move of this process: what ``bench`` asks a fresh one."""
    from papan.lab.bench.search import time_of_first_move

    print_json({"seconds": time_of_first_move(game)})
