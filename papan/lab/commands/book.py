"""``book``: solve a game's openings into a file."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import click

from papan.game.base.foreign import shortened
from papan.game.base.sentences import joined, say
from papan.game.facts import Game
from papan.lab.commands.common import Failure, Refusal, WholeNumber, game_argument
from papan.lab.printing import NUMBER, show, table, working

MOST_TURNS = 20
MOST_MEMORY = 1 << 16


@click.command()
@game_argument
@click.option(
    "--plies", "turns", required=True, type=WholeNumber(say("The number of plies"), 0, MOST_TURNS), help="How deep."
)
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Default: the program's own."
)
@click.option(
    "--memory", default=1024, show_default=True, type=WholeNumber(say("The memory"), 1, MOST_MEMORY), help="MiB."
)
@click.option("--seconds", type=WholeNumber(say("The time"), 0, 10**9), help="Stop after so many.")
def book(game: Game, turns: int, out: Path | None, memory: int, seconds: int | None) -> None:
    """Solve the openings of GAME into a book.

    All positions up to a number of plies, layer by layer. What a file has already is not solved again: call it again
    to go on after whatever has ended it.
    """
    from papan.ai.exact.connect_four.book import BookError
    from papan.lab.book import Layer, book_maker

    try:
        maker = book_maker(game, out, memory)
        if maker is None:
            raise Refusal(say("{game} has no opening book: its openings can't be solved.", game=game.title))
        layers: dict[int, Layer] = {}
        started = perf_counter()
        with working(say("solving")) as tell:

            def note(layer: Layer) -> None:
                layers[layer.turns] = layer
                seconds_gone = perf_counter() - started
                tell(
                    say(
                        "ply {turns}: {solved} of {positions} positions, {seconds} s",
                        turns=layer.turns,
                        solved=layer.solved,
                        positions=layer.positions,
                        seconds=f"{seconds_gone:.0f}",
                    )
                )

            is_complete = maker.make(turns, seconds, note)
    except BookError as error:
        raise Refusal(joined([str(error), say("Name another file, or delete it.")])) from None
    except OSError as error:
        raise Failure(say("The book can't be read or written: {error}.", error=shortened(str(error)))) from None
    table(
        ((say("ply"), NUMBER), (say("solved"), NUMBER), (say("of"), NUMBER)),
        [(str(layer.turns), str(layer.solved), str(layer.positions)) for layer in layers.values()],
    )
    show(
        say(
            "{number} positions in {file}, {bytes} bytes.",
            number=len(maker.scores),
            file=str(maker.path),
            bytes=maker.path.stat().st_size,
        )
    )
    if not is_complete:
        show(say("Time was up: call it again to go on."))
