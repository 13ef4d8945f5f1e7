"""``book`` and ``tables``: make a game's opening book and its lookup tables, and check the tables."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from papan.commands import fields
from papan.commands.common import WholeNumber, command, option
from papan.commands.errors import Refusal, failure, refusal
from papan.game.base.places import make_private_folder
from papan.game.base.sentences import figures, joined, say
from papan.game.base.untrusted import shortened
from papan.game.game import Game
from papan.lab.files import OutputError, check_output, whole_file
from papan.lab.printing import numbers, show_said, table, working

if TYPE_CHECKING:
    from papan.lab.tables import TableSource


@dataclass(frozen=True)
class BookRequest:
    game: Game = fields.THE_GAME
    turns: int | None = option(
        "Solve positions up to this many plies from the start.",
        WholeNumber(say("The number of plies"), 0, 20),
        name="--plies",
    )
    positions: int | None = option(
        "Positions to search, in games whose openings can't be solved.",
        WholeNumber(say("The number of positions"), 1, 1_000_000),
    )
    nodes: int = option(
        "Nodes to search for each of these positions.",
        WholeNumber(say("The number of nodes"), 1, 10**12),
        default=1_000_000,
    )
    out: Path | None = option("The book to write; default: the program's own.", fields.FILE_PATH, metavar="FILE")
    memory: int = option("Memory to use, in MiB.", WholeNumber(say("The memory"), 1, 2**16), default=1024)
    seconds: int | None = option("Stop after this many seconds.", WholeNumber(say("The time"), 0, 10**9))


@command(BookRequest)
def book(asked: BookRequest) -> None:
    """Write an opening book of GAME.

    For a solved game, the book holds all positions up to a number of plies, solved layer by layer. For other games, it
    holds a number of searched positions, first those that good play leads to. Positions already in the file are
    skipped: run the same command again to continue after an interruption.
    """
    from papan.ai.exact import is_solved
    from papan.ai.openings import BookError

    try:
        if is_solved(asked.game):
            _solve(asked, asked.game)
        else:
            _judge(asked, asked.game)
    except BookError as error:
        raise Refusal(joined([str(error), say("Name another file, or delete it.")])) from None
    except OutputError as error:
        raise Refusal(str(error)) from None
    except OSError as error:
        raise failure("The book can't be read or written: {error}.", error=shortened(str(error))) from None


def _solve(asked: BookRequest, game: Game) -> None:
    from papan.lab.book import Layer, book_maker

    if asked.turns is None:
        raise refusal("Say with --plies N how many plies of {game} to solve.", game=game.title)
    maker = book_maker(game, asked.out, asked.memory)
    if maker is None:
        raise refusal("{game} has no opening book: its openings can't be solved.", game=game.title)
    layers: dict[int, Layer] = {}
    started = perf_counter()
    with closing(maker.growing), working(say("solving")) as tell:

        def note(layer: Layer) -> None:
            layers[layer.turns] = layer
            tell(
                say(
                    "ply {turns}: {solved} of {positions} positions, {seconds} s",
                    turns=layer.turns,
                    solved=layer.solved,
                    positions=layer.positions,
                    seconds=f"{perf_counter() - started:.0f}",
                )
            )

        is_complete = maker.make(asked.turns, asked.seconds, note)
    rows = [(str(layer.turns), str(layer.solved), str(layer.positions)) for layer in layers.values()]
    table(numbers(say("ply"), say("solved"), say("of")), rows)
    _show_file(len(maker.scores), maker.growing.path)
    if not is_complete:
        show_said("Out of time: run the same command again to continue.")


def _judge(asked: BookRequest, game: Game) -> None:
    from papan.lab.book import opening_maker

    if game.has_hidden_information or game.has_chance or max(game.seats) > 2:
        raise refusal("{game} has no opening book: books are for two-player games without luck.", game=game.title)
    positions = asked.positions
    if positions is None:
        raise refusal("Say with --positions N how many positions of {game} to search.", game=game.title)
    maker = opening_maker(game, asked.out, asked.memory)
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
            return asked.seconds is None or seconds_gone < asked.seconds

        maker.make(positions, asked.nodes, note)
    _show_file(len(maker.growing.scores), maker.growing.path)


def _show_file(number: int, path: Path) -> None:
    show_said("{number} positions in {file}, {bytes} bytes.", number=number, file=str(path), bytes=path.stat().st_size)


@dataclass(frozen=True)
class TablesRequest:
    game: Game = fields.THE_GAME
    size: int | None = option(
        "Make tables for up to this many pieces, or nodes of a graph.",
        WholeNumber(say("The size"), 2, 32),
        name=("--size", "--pieces", "--nodes"),
    )
    out: Path | None = option(
        "The file to write; default: your own tables, which replace the program's.", fields.FILE_PATH, metavar="FILE"
    )
    sample: int | None = option(
        "Check this many positions of each size, or all if there are fewer.",
        WholeNumber(say("The number of positions"), 1, 10**9),
        name="--check",
    )
    seed: int = fields.ANY_SEED


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
    rows = [(str(one.size), str(one.positions), str(one.solved), str(len(one.wrong))) for one in found]
    table(numbers(source.SIZE, say("compared"), say("solved again"), say("wrong")), rows)
    wrong = [text for one in found for text in one.wrong]
    if wrong or not found:
        raise failure("The tables are wrong: {position}.", position=wrong[0] if wrong else say("there are none"))
