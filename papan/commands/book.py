"""``book``: solve a game's openings into a file, or judge them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from time import perf_counter

import click

from papan.commands.common import Failure, Refusal, WholeNumber, game_argument
from papan.game.base.foreign import shortened
from papan.game.base.sentences import joined, say
from papan.game.facts import Game
from papan.lab.printing import NUMBER, show, table, working

MOST_TURNS = 20
MOST_POSITIONS = 1_000_000
MOST_MEMORY = 1 << 16
MOST_SECONDS = 10**9
NODES = 1_000_000


@click.command()
@game_argument
@click.option("--plies", "turns", type=WholeNumber(say("The number of plies"), 0, MOST_TURNS), help="How deep.")
@click.option(
    "--positions",
    type=WholeNumber(say("The number of positions"), 1, MOST_POSITIONS),
    help="How many to look at, where openings can't be solved.",
)
@click.option(
    "--nodes",
    default=NODES,
    show_default=True,
    type=WholeNumber(say("The number of nodes"), 1, 10**12),
    help="Of each of these searches.",
)
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Default: the program's own."
)
@click.option(
    "--memory", default=1024, show_default=True, type=WholeNumber(say("The memory"), 1, MOST_MEMORY), help="MiB."
)
@click.option("--seconds", type=WholeNumber(say("The time"), 0, MOST_SECONDS), help="Stop after so many.")
def book(
    game: Game,
    turns: int | None,
    positions: int | None,
    nodes: int,
    out: Path | None,
    memory: int,
    seconds: int | None,
) -> None:
    """Put the openings of GAME into a book.

    Of a game that is solved, all positions up to a number of plies, layer by layer. Of others so many positions, those
    first that good play leads to, with what a search of each finds. What a file has already is not looked at again:
    call it again to go on after whatever has ended it.
    """
    from papan.ai.exact import is_solved
    from papan.ai.openings import BookError
    from papan.lab.files import OutputError

    try:
        if is_solved(game):
            _solve(game, turns, out, memory, seconds)
        else:
            _judge(game, positions, nodes, out, memory, seconds)
    except BookError as error:
        raise Refusal(joined([str(error), say("Name another file, or delete it.")])) from None
    except OutputError as error:
        raise Refusal(str(error)) from None
    except OSError as error:
        raise Failure(say("The book can't be read or written: {error}.", error=shortened(str(error)))) from None


def _solve(game: Game, turns: int | None, out: Path | None, memory: int, seconds: int | None) -> None:
    from papan.lab.book import Layer, book_maker

    if turns is None:
        raise Refusal(say("How many plies of {game} are to be solved? Say --plies N.", game=game.title))
    maker = book_maker(game, out, memory)
    if maker is None:
        raise Refusal(say("{game} has no opening book: its openings can't be solved.", game=game.title))
    layers: dict[int, Layer] = {}
    started = perf_counter()
    with closing(maker.growing), working(say("solving")) as tell:

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
    table(
        ((say("ply"), NUMBER), (say("solved"), NUMBER), (say("of"), NUMBER)),
        [(str(layer.turns), str(layer.solved), str(layer.positions)) for layer in layers.values()],
    )
    _show_file(len(maker.scores), maker.growing.path)
    if not is_complete:
        show(say("Time was up: call it again to go on."))


def _judge(game: Game, positions: int | None, nodes: int, out: Path | None, memory: int, seconds: int | None) -> None:
    from papan.lab.openings import opening_maker

    if game.has_hidden_information or game.has_chance or max(game.seats) > 2:
        raise Refusal(say("{game} has no opening book: books are of games for two without luck.", game=game.title))
    if positions is None:
        raise Refusal(say("How many positions of {game} are to be looked at? Say --positions N.", game=game.title))
    maker = opening_maker(game, out, memory)
    started = perf_counter()
    with closing(maker.growing), working(say("judging")) as tell:

        def note(number: int) -> bool:
            seconds_gone = perf_counter() - started
            tell(
                say(
                    "{number} of {positions} positions, {seconds} s",
                    number=number,
                    positions=positions,
                    seconds=f"{seconds_gone:.0f}",
                )
            )
            return seconds is None or seconds_gone < seconds

        maker.make(positions, nodes, note)
    _show_file(len(maker.growing.scores), maker.growing.path)


def _show_file(number: int, path: Path) -> None:
    show(
        say(
            "{number} positions in {file}, {bytes} bytes.",
            number=number,
            file=str(path),
            bytes=path.stat().st_size,
        )
    )
