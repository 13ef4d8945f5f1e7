"""``tables``: makes a game's lookup tables, and checks them against solvers that do without them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from papan.commands.common import (
    ANY_SEED,
    FILE_PATH,
    THE_GAME,
    Refusal,
    WholeNumber,
    failure,
    refusal,
)
from papan.commands.description import command, option
from papan.game.base.places import make_private_folder
from papan.game.base.sentences import figures, say
from papan.game.game import Game
from papan.lab.files import check_output, whole_file
from papan.lab.printing import NUMBER, show_said, table, working

if TYPE_CHECKING:
    from papan.lab.tables import TableSource

MOST_SIZE = 32
MOST_SAMPLE = 10**9


@dataclass(frozen=True)
class TablesRequest:
    game: Game = THE_GAME
    size: int | None = option(
        "Make tables for up to this many pieces, or nodes of a graph.",
        WholeNumber(say("The size"), 2, MOST_SIZE),
        name=("--size", "--pieces", "--nodes"),
    )
    out: Path | None = option(
        "The file to write; default: your own tables, which replace the program's.", FILE_PATH, metavar="FILE"
    )
    sample: int | None = option(
        "Check this many positions of each size, or all if there are fewer.",
        WholeNumber(say("The number of positions"), 1, MOST_SAMPLE),
        name="--check",
    )
    seed: int = ANY_SEED


@command(TablesRequest)
def tables(asked: TablesRequest) -> None:
    """Make or check the lookup tables of GAME.

    Without --size, the tables in use are checked.
    """
    from papan.lab.tables import table_source

    source = table_source(asked.game)
    if source is None:
        raise refusal("{game} has no tables.", game=asked.game.title)
    if asked.size is None and asked.sample is None:
        raise refusal("Give --size to make tables, or --check to check those in use.")
    made = source.tables() if asked.size is None else _make(source, asked.size, asked.out)
    if asked.sample is not None:
        _check(asked.game, source, made, asked.sample, asked.seed)


def _make(source: TableSource, size: int, out: Path | None) -> Any:
    path = out or source.own_file()
    try:
        if out is None:
            make_private_folder(path.parent)
        check_output(path)
        started = perf_counter()
        with working(say("solving")) as tell:

            def note(part: str) -> None:
                tell(say("{part}, {seconds} s", part=part, seconds=figures(perf_counter() - started, ".0f")))

            made, words = source.make_tables(size, note)
        with whole_file(path) as file:
            source.keep_tables(made, file)
    except ValueError as error:  # OutputError is one, too
        raise Refusal(str(error)) from None
    except (OSError, MemoryError) as error:
        raise failure("The tables can't be made or written: {error}.", error=str(error)) from None
    show_said(
        "{tables}: {file}, {bytes} bytes, {seconds} s.",
        tables=words,
        file=str(path),
        bytes=path.stat().st_size,
        seconds=figures(perf_counter() - started, ".0f"),
    )
    return made


def _check(game: Game, source: TableSource, made: Any, sample: int, seed: int) -> None:
    from papan.lab.tables import check

    with working(say("comparing")):
        found = list(check(game, source, made, sample, seed))
    headings = (
        (source.SIZE, NUMBER), (say("compared"), NUMBER), (say("solved again"), NUMBER), (say("wrong"), NUMBER),
    )  # fmt: skip
    table(
        headings,
        [(str(one.size), str(one.positions), str(one.solved), str(len(one.wrong))) for one in found],
    )
    wrong = [text for one in found for text in one.wrong]
    if wrong or not found:
        raise failure("The tables are wrong: {position}.", position=wrong[0] if wrong else say("there are none"))
