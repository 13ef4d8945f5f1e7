"""``puzzles``: mines positions with exactly one right turn, and proves them."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from papan.commands import fields
from papan.commands.common import GameName, WholeNumber, argument, command, option, print_json
from papan.commands.errors import failing, failure, refusal, refusing
from papan.game.base.sentences import figures, say
from papan.game.base.untrusted import UnreadableError, quoted_path, read_file
from papan.game.game import Game, OptionError
from papan.lab.files import OutputError
from papan.lab.printing import numbers, show, show_said, table, texts, working

if TYPE_CHECKING:
    from papan.game.puzzles import Puzzle, PuzzleData
    from papan.lab.journal import Journal
    from papan.lab.puzzle_mining import PlanData, Played, Shares

MOST_WITHIN = 8
"""Turns of one side in the longest puzzle that can be mined."""


@click.group()
def puzzles() -> None:
    """Mine puzzles (positions in which exactly one turn wins or saves the game), or prove the shipped ones."""


@dataclass(frozen=True)
class MineRequest:
    game: Game = fields.THE_GAME
    count: int = option(
        "Stop when the file has this many puzzles.", WholeNumber(say("The number"), 1, 100_000), required=True
    )
    seed: int = option(
        "Seed for the games; default: 1.", WholeNumber(say("The seed"), 0, 2**63 - 1), default=1, show_default=False
    )
    games: int | None = option("Play no more games than this.", WholeNumber(say("The number of games"), 1, 10**9))
    seconds: int | None = option("Stop after this many seconds.", WholeNumber(say("The time"), 1, 10**7))
    players: tuple[str, ...] = option(
        "A player of the games; repeat it to draw from several. Default: quick players.", multiple=True, metavar="NAME"
    )
    pieces: tuple[int, ...] = option(
        "Start games with N pieces, the others removed; repeat it to draw from several.",
        WholeNumber(say("The number of pieces"), 1, 1000),
        multiple=True,
        metavar="N",
    )
    within: int | None = option(
        "Find wins within N turns that only one turn forces; other turns may win later.",
        WholeNumber(say("The number of turns"), 1, MOST_WITHIN),
        metavar="N",
    )
    library: Path | None = option("Search the matches in this file of records instead of playing.", fields.FILE_PATH)
    out: Path = option("The puzzle file to write.", fields.FILE_PATH, required=True)
    options: dict[str, str] = fields.GAME_OPTIONS


@command(MineRequest, puzzles)
def mine(asked: MineRequest) -> None:
    """Find puzzles of GAME in games of quick players, or in records.

    Each puzzle is written to the file at once: run the same command again to continue after an interruption.
    """
    from papan.ai.players import PlayerError
    from papan.game.formats.source import FormatError
    from papan.lab.journal import JournalError
    from papan.lab.puzzle_mining import PLAYERS, SelfPlay, Shares, played_matches

    if 2 not in asked.game.seats:
        raise refusal("{game} is not a two-player game, so it has no puzzles.", game=asked.game.title)
    if not asked.game.in_gallery:
        raise refusal("{game} has no board on which puzzles can be solved.", game=asked.game.title)
    shares = Shares()
    with refusing(JournalError, OutputError):
        journal, begun_with = _opened(asked.game, asked.out, asked.seed, shares)
    with (
        closing(journal),
        refusing(PlayerError, OptionError, FormatError, JournalError),
        failing(OutputError),
    ):
        if asked.library is None:
            asked.game.complete_options(asked.options)
            self_play = SelfPlay(asked.game, asked.seed, asked.players or PLAYERS, asked.options, asked.pieces)
            due = itertools.count(begun_with) if asked.games is None else range(begun_with, asked.games)
            played: Iterator[Played] = map(self_play.play, due)
        else:
            played = played_matches(asked.game, asked.library, asked.seed, begun_with)
        try:
            _mine(asked, journal, shares, played)
        except KeyboardInterrupt:
            show_said("Stopped; the puzzles found so far are saved.")
    rows = [(str(grade), str(number)) for grade, number in sorted(shares.grades.items())]
    table(numbers(say("grade"), say("puzzles")), rows)
    show_said("{count} puzzles in {file}.", count=shares.grades.total(), file=quoted_path(asked.out))


def _opened(game: Game, out: Path, seed: int, shares: Shares) -> tuple[Journal[PlanData, PuzzleData], int]:
    """The journal *out*, and the number of the next game to play."""
    from papan.game.puzzles import head_of
    from papan.lab.journal import Journal
    from papan.lab.puzzle_mining import JOURNAL

    journal = Journal(out, JOURNAL, head_of(game)["plan"])
    known = [found.puzzle(game) for found in journal.entries()]
    for puzzle in known:
        shares.add(puzzle, puzzle.match().state)
    own = [puzzle.source.game for puzzle in known if puzzle.source.seed == seed]
    return journal, max(own, default=-1) + 1


def _mine(asked: MineRequest, journal: Journal[PlanData, PuzzleData], shares: Shares, played: Iterator[Played]) -> None:
    from papan.game.puzzles import entry_of
    from papan.lab.puzzle_mining import Miner

    miner = Miner(asked.game, shares, within=asked.within)
    started = time.perf_counter()
    with working(say("mining")) as progress:
        if shares.grades.total() >= asked.count:
            return
        for one in played:
            for puzzle, _state in miner.puzzles(one):
                journal.add(entry_of(puzzle))
                if shares.grades.total() >= asked.count:
                    return
            gone = time.perf_counter() - started
            progress(
                say(
                    "game {number}: {found} of {count} puzzles, {seconds} s",
                    number=one.number,
                    found=shares.grades.total(),
                    count=asked.count,
                    seconds=figures(gone, ".0f"),
                )
            )
            if asked.seconds is not None and gone >= asked.seconds:
                return


@dataclass(frozen=True)
class ProveRequest:
    games: tuple[Game, ...] = argument(GameName(), nargs=-1)
    file: Path | None = option("Prove the puzzles in this file instead; name their GAME.", fields.FILE_PATH)
    as_json: bool = fields.AS_JSON


@command(ProveRequest, puzzles)
def prove(asked: ProveRequest) -> None:
    """Prove the shipped puzzles again: all of them, or those of the named GAMES.

    Fails if a puzzle does not hold: another turn is equally good, its own turn is wrong, or neither can be proved.
    """
    from papan.game.puzzles import MOST_BYTES, PuzzleError, games_with_puzzles, read_puzzles, shipped

    if asked.file is not None and len(asked.games) != 1:
        raise refusal("Name the one game whose puzzles the file contains.")
    results = []
    for game in asked.games or games_with_puzzles():
        with refusing(PuzzleError, UnreadableError):
            known = (
                shipped(game.name)
                if asked.file is None
                else read_puzzles(read_file(asked.file, MOST_BYTES), game, str(asked.file))
            )
        results.append(_proved(game, known))
    if asked.as_json:
        print_json({"games": [result._asdict() for result in results]})
    else:
        _tell_proofs(results)
    if any(result.faults for result in results):
        raise failure("Some puzzles do not hold.")


class Result(NamedTuple):
    """The result of proving the puzzles of one game."""

    game: str
    puzzles: int
    proved: int
    seconds: float
    faults: list[str]
    """A sentence for each puzzle that does not hold."""
    claims: list[dict[str, Any]]
    """For each puzzle that holds: what is proved, in words and with its conditions."""


def _proved(game: Game, known: Sequence[Puzzle]) -> Result:
    from papan.game.puzzles import PuzzleError
    from papan.lab.puzzle_mining import Prover

    prover, faults, claims = Prover(game), list[str](), list[dict[str, Any]]()
    started = time.perf_counter()
    with working(say("proving")) as progress:
        for number, puzzle in enumerate(known, start=1):
            progress(
                say(
                    "{game}: {number} of {count}, {faults} faults",
                    game=game.title,
                    number=number,
                    count=len(known),
                    faults=len(faults),
                )
            )
            try:
                fault = prover.fault(puzzle)
            except PuzzleError as error:
                fault = str(error)
            if fault:
                faults.append(f"{puzzle.name}: {fault}")
            else:
                claims.append(_claim(puzzle))
    seconds = round(time.perf_counter() - started, 3)
    return Result(game.name, len(known), len(known) - len(faults), seconds, faults, claims)


def _claim(puzzle: Puzzle) -> dict[str, Any]:
    from papan.ai.proof.claims import puzzle_conditions, puzzle_said

    conditions = puzzle_conditions(puzzle)
    return {"puzzle": puzzle.name, "says": puzzle_said(puzzle, conditions), "conditions": conditions.facts()}


def _tell_proofs(results: Sequence[Result]) -> None:
    rows = [(one.game, str(one.puzzles), str(one.proved), figures(one.seconds, ".1f")) for one in results]
    table([*texts(say("game")), *numbers(say("puzzles"), say("proved"), say("seconds"))], rows)
    show()
    show_said('"proved" counts puzzles in which exactly one turn wins (or holds the draw); --json lists each claim.')
    for result in results:
        for fault in result.faults:
            show(fault)
