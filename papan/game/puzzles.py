"""Puzzles: positions with exactly one turn that wins, wins in time, or saves the draw; stored as lines of JSON.

The first line names the kind of file and the game; each further line is one puzzle::

    {"kind": "file of puzzles", "version": 1, "plan": {"game": "connect-four"}}
    {"position": "4455", "options": {}, "seat": 1, "goal": "win", "plies": 5, "grade": 3, "turn": "6",
     "source": {"seed": 1, "game": 17, "turn": 9, "players": ["minimax:depth=2", "minimax:depth=1"]}}

Goals: ``win``: only this turn forces a win. ``save``: no turn wins, this one holds the draw, and after any other turn
the other side forces a win. ``within``: only this turn forces a win within a number of the seat's own turns, itself
included; others may win later. ``papan.ai.puzzles`` proves them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from papan.game.base.assets import ASSETS
from papan.game.base.sentences import SentenceError
from papan.game.base.typed import FaultError, converted, parsed
from papan.game.base.untrusted import quoted
from papan.game.catalogue import GALLERY, GAMES
from papan.game.game import Game, OptionError, PartError
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.rules import NotationError, PositionError, State

KIND, VERSION = "file of puzzles", 1
GRADES = range(1, 6)
"""Easiest to hardest."""
MOST_PLIES = 1000
LONGEST_LINE = 1 << 16
"""Bytes."""
MOST_BYTES = 1 << 26
_MOST_LINES = 1 << 18

Aim = Literal["win", "save", "within"]

_DIGITS = 10


class PuzzleError(SentenceError, ValueError):
    """A text is no puzzle; the message is a sentence that says where and why."""


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The mined game and turn that a puzzle comes from."""

    seed: Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]
    game: Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]
    """The game's number among those of the seed, or in a file of records."""
    turn: Annotated[int, Meta(ge=0, le=1 << 31)]
    """The number of turns played before."""
    players: tuple[str, str]
    """By seat."""


@dataclass(frozen=True)
class Puzzle:
    """One position, with a turn to find."""

    game: str
    position: str
    """The position text."""
    options: Mapping[str, str]
    """Those that differ from the defaults."""
    seat: int
    """The seat to move."""
    goal: Aim
    plies: int
    """Turns of both sides. ``win``: to the win; ``save``: until the longest-lasting wrong turn has lost; ``within``: at
    most to the win, an odd number."""
    grade: int
    turn: str
    """The solution, in the game's notation."""
    source: Source

    @property
    def name(self) -> str:
        """A unique name that doesn't depend on other puzzles."""
        return f"{self.game}/{self.digest}"

    @property
    def turns(self) -> int:
        """The seat's own turns among the plies."""
        return (self.plies + 1) // 2

    @cached_property
    def digest(self) -> str:
        """Hexadecimal digits, unique among the puzzles of the game."""
        what = json.dumps([self.position, sorted(self.options.items())])
        return hashlib.sha256(what.encode()).hexdigest()[:_DIGITS]

    def match(self) -> Match:
        """A match that begins at the position.

        :raises PuzzleError: the game has no such position or options, or another seat is to move.
        """
        try:
            match = Match.new(GAMES[self.game], [""] * 2, {**self.options, "first": "1"}, 0, self.position)
        except (OptionError, PositionError, PartError) as error:
            raise PuzzleError.saying("The puzzle's position makes no sense: {error}", error=str(error)) from error
        if match.ending or match.mover != self.seat:
            raise PuzzleError.saying(
                "In the puzzle's position it is not the turn of player {seat}.", seat=self.seat + 1
            )
        return match

    def steps(self, state: State) -> tuple[int, ...]:
        """The steps of the solution from the puzzle's *state*.

        :raises PuzzleError: they are not legal.
        """
        try:
            return tuple(parse_turn(GAMES[self.game].rules, state, self.turn))
        except NotationError as error:
            raise PuzzleError.saying("The puzzle's turn makes no sense: {error}", error=str(error)) from error


# ---------------------------------------------------------------------------------------------------- files


def head_of(game: Game) -> dict[str, Any]:
    """The first line of the puzzles of *game*."""
    return {"kind": KIND, "version": VERSION, "plan": {"game": game.name}}


def entry_of(puzzle: Puzzle) -> dict[str, Any]:
    return {
        "position": puzzle.position,
        "options": dict(puzzle.options),
        "seat": puzzle.seat + 1,
        "goal": puzzle.goal,
        "plies": puzzle.plies,
        "grade": puzzle.grade,
        "turn": puzzle.turn,
        "source": msgspec.structs.asdict(puzzle.source) | {"players": list(puzzle.source.players)},
    }


def read_puzzles(content: bytes, game: Game, name: str) -> list[Puzzle]:
    """The puzzles of *game* in the *content* of the file *name*; positions and turns are not checked yet.

    :raises PuzzleError: it is no file of puzzles of the game, or damaged.
    """
    lines = content.split(b"\n", _MOST_LINES)
    if lines[-1]:
        raise PuzzleError.saying("The last line of {file} is incomplete.", file=quoted(name))
    if _head(lines[0]) != head_of(game):
        raise PuzzleError.saying("{file} is not a file of puzzles of {game}.", file=quoted(name), game=game.title)
    puzzles = []
    for number, line in enumerate(lines[1:-1], start=2):
        try:
            puzzles.append(converted(_parsed(line), PuzzleData).puzzle(game))
        except FaultError as fault:
            raise PuzzleError.saying(
                "Line {number} of {file} is not a puzzle: {fault}.", number=number, file=quoted(name), fault=str(fault)
            ) from None
    return puzzles


def _parsed(line: bytes) -> dict[str, Any]:
    if len(line) > LONGEST_LINE:
        raise FaultError.saying("it is too long")
    return parsed(line)


def _head(line: bytes) -> dict[str, Any] | None:
    try:
        return _parsed(line)
    except FaultError:
        return None


class PuzzleData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ``Puzzle`` in JSON: one line after the first."""

    position: str
    options: dict[str, str]
    seat: Literal[1, 2]
    goal: Aim
    plies: Annotated[int, Meta(ge=1, le=MOST_PLIES)]
    grade: Annotated[int, Meta(ge=GRADES[0], le=GRADES[-1])]
    turn: str
    source: Source

    def puzzle(self, game: Game) -> Puzzle:
        """The puzzle of *game*; raises FaultError if the number of plies doesn't fit the goal."""
        if self.goal == "within" and self.plies % 2 == 0:
            raise FaultError.saying(
                "its win takes {plies} turns of both sides, which is not an odd number", plies=self.plies
            )
        return Puzzle(game.name, **{**msgspec.structs.asdict(self), "seat": self.seat - 1})


# ------------------------------------------------------------------------------------------ bundled puzzles


def asset_of(game: Game) -> str:
    return f"puzzles/{game.name}.jsonl"


@cache
def shipped(name: str) -> Sequence[Puzzle]:
    """The bundled puzzles of the game *name*, the easiest first; none if the file is damaged."""
    game = GAMES[name]
    asset = asset_of(game)
    if asset not in ASSETS.digests:
        return ()
    content = ASSETS.open(asset, lambda path: path.read_bytes())
    if content is None:
        return ()
    return tuple(sorted(read_puzzles(content, game, asset), key=lambda puzzle: (puzzle.grade, puzzle.plies)))


def games_with_puzzles() -> list[Game]:
    """The games of the gallery with bundled puzzles, in its order."""
    return [game for game in GALLERY.values() if asset_of(game) in ASSETS.digests]


def puzzle_of_the_day(day: date, most_grade: int = GRADES[-1]) -> Puzzle | None:
    """The puzzle of the *day*, the same for all users with the same *most_grade*; None if there are none.

    Games alternate day by day; a stride visits all puzzles of a game, neighbouring ones on distant days.

    :param most_grade: the highest grade; a game without such easy puzzles gives its easiest.
    """
    games = [name for name in (game.name for game in games_with_puzzles()) if shipped(name)]
    if not games:
        return None
    number = day.toordinal()
    every = shipped(games[number % len(games)])
    puzzles = [puzzle for puzzle in every if puzzle.grade <= max(most_grade, every[0].grade)]
    return puzzles[number // len(games) * _stride(len(puzzles)) % len(puzzles)]


def _stride(count: int) -> int:
    """A number coprime to *count*, near its golden section."""
    from math import gcd

    return next(stride for stride in range(max(1, int(count * 0.618)), count + 2) if gcd(stride, count) == 1)
