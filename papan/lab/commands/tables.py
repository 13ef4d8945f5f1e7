"""``tables``: make a game's tables of endings, and compare them with what is found without them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from papan.game.base.places import make_private_folder
from papan.game.base.sentences import figures, say
from papan.game.facts import Game
from papan.lab.commands.common import Failure, Refusal, WholeNumber, game_argument, seed_option
from papan.lab.printing import NUMBER, show, table, working

if TYPE_CHECKING:
    from papan.lab.tables import TableSource

MOST_PIECES = 32
MOST_SAMPLE = 10**9


@click.command()
@game_argument
@click.option(
    "--pieces", type=WholeNumber(say("The number of pieces"), 2, MOST_PIECES), help="Make them up to so many."
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Default: your own, which are asked instead of the program's.",
)
@click.option(
    "--check",
    "sample",
    type=WholeNumber(say("The number of positions"), 1, MOST_SAMPLE),
    help="Compare so many positions of each number of pieces; where there are few, all.",
)
@seed_option
def tables(game: Game, pieces: int | None, out: Path | None, sample: int | None, seed: int) -> None:
    """Make the tables of GAME's endings, or compare them.

    Without --pieces those that are in use are compared.
    """
    from papan.lab.tables import table_source

    source = table_source(game)
    if source is None:
        raise Refusal(say("{game} has no tables of endings.", game=game.title))
    if pieces is None and sample is None:
        raise Refusal(say("Nothing is asked: --pieces makes tables, --check compares those in use."))
    made = source.endings() if pieces is None else _make(source, pieces, out)
    if sample is not None:
        _check(game, source, made, sample, seed)


def _make(source: TableSource, pieces: int, out: Path | None) -> Any:
    """Make the tables, and write them to a file."""
    from papan.lab.files import check_output, whole_file

    path = out or source.own_file()
    try:
        if out is None:
            make_private_folder(path.parent)
        check_output(path)
        started = perf_counter()
        with working(say("solving")) as tell:

            def note(one: Sequence[int], turns: int) -> None:
                tell(
                    say(
                        "men: {men}, kings: {kings}, {seconds} s",
                        men=one[0] + one[2],
                        kings=one[1] + one[3],
                        seconds=figures(perf_counter() - started, ".0f"),
                    )
                )
                longest.append(turns)

            longest: list[int] = []
            made = source.make(pieces, note)
        with whole_file(path) as file:
            source.keep_endings(made, file)
    except ValueError as error:  # a file that can't be written is one, too
        raise Refusal(str(error)) from None
    except (OSError, MemoryError) as error:
        raise Failure(say("The tables can't be made or written: {error}.", error=str(error))) from None
    show(
        say(
            "{number} places in {file}, {bytes} bytes; the longest ending takes {turns} turns; {seconds} s.",
            number=len(made),
            file=str(path),
            bytes=path.stat().st_size,
            turns=max(longest),
            seconds=figures(perf_counter() - started, ".0f"),
        )
    )
    return made


def _check(game: Game, source: TableSource, made: Any, sample: int, seed: int) -> None:
    """Compare positions, and print how many."""
    from papan.lab.tables import check

    with working(say("comparing")):
        found = list(check(game, source, made, sample, seed))
    headings = ((say("pieces"), NUMBER), (say("compared"), NUMBER), (say("listed"), NUMBER), (say("wrong"), NUMBER))
    table(
        headings,
        [(str(one.pieces), str(one.positions), str(one.listed), str(len(one.wrong))) for one in found],
    )
    wrong = [text for one in found for text in one.wrong]
    if wrong or not found:
        raise Failure(say("The tables are wrong: {position}.", position=wrong[0] if wrong else say("there are none")))
