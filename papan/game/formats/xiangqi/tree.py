"""What XQF, CBR, CBL and CBF share: a board of pieces, a tree of moves as pairs of cells, facts as short texts.

All trees are written in the same order: a move, then everything that follows it, then the alternatives to it. So a
record needs no offset, only two facts: whether something follows it, and whether an alternative to it comes later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted
from papan.game.formats import Replay, Transcript
from papan.game.formats.xiangqi.notation import Moves
from papan.game.match import Kind
from papan.game.match.collection import Refused
from papan.game.rules import NotationError, PositionError
from papan.game.rules import xiangqi as rules
from papan.game.rules.xiangqi.board import (
    ADVISOR,
    CANNON,
    CELLS,
    CHARIOT,
    ELEPHANT,
    FILES,
    GENERAL,
    HORSE,
    RANKS,
    RED,
    SOLDIER,
)

Pieces = dict[int, tuple[int, int]]
"""The seat and the kind of piece on each cell that has one."""
NOWHERE = CELLS
"""The cell of a number that stands for none."""
MOST_MOVES = 10_000
"""Moves of a line that are kept; no game is that long."""
MOST_BEGINNINGS = 200
"""Lines of a file without a main line; further ones are left out. No position has more first moves."""
MOST_TEXT = 1000
"""Characters of a fact."""
FIRST_RANK = (CHARIOT, HORSE, ELEPHANT, ADVISOR, GENERAL, ADVISOR, ELEPHANT, HORSE, CHARIOT)


class Record(NamedTuple):
    """A move of a tree."""

    origin: int
    target: int
    has_next: bool
    """Whether the next record follows this move."""
    has_other: bool
    """Whether an alternative to this move comes after all that follows it."""
    has_comment: bool


@dataclass
class Line:
    """A first move and, after each move, the first that follows it."""

    moves: list[tuple[int, int]] = field(default_factory=list)
    """From, to."""
    comments: int = 0
    variations: int = 0
    is_whole: bool = False
    """Whether its last move was read."""


@dataclass(frozen=True)
class Setting:
    """The first position."""

    pieces: Pieces
    seat: int = RED
    """The seat to move, unless the first move is the other's."""
    quiet: int = 0


@dataclass(frozen=True)
class Facts:
    """What a file tells besides the moves, as fields of a ``Transcript``."""

    players: Sequence[str] = ("", "")
    payoffs: tuple[float, ...] | None = None
    ended_by: Kind = "resigned"
    date: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def are_of_a_game(self) -> bool:
        """Whether they tell of a game that was played, not of an analysis."""
        return any(self.players) or self.payoffs is not None


def cell_at(file: int, rank: int) -> int:
    """The cell of *file*, from 0 at red's left, and *rank*, from 0 at red's side; NOWHERE outside the board."""
    return rank * FILES + file if 0 <= file < FILES and 0 <= rank < RANKS else NOWHERE


def plain_text(text: str) -> str:
    """*text* as one line without control characters."""
    shown = "".join(sign if sign.isprintable() else " " for sign in text[:MOST_TEXT])
    return " ".join(shown.split())


def result_of(code: int) -> tuple[float, ...] | None:
    """The payoffs for 1, red wins; 2, black wins; 3, a draw; None for any other number."""
    return {1: (1.0, -1.0), 2: (-1.0, 1.0), 3: (0.0, 0.0)}.get(code)


def lines_of(records: Iterable[Record]) -> list[Line]:
    """The lines of a tree, one for each alternative of its first move; all others are counted as variations."""
    line = Line()
    found, waiting = [line], list[int]()  # plies at which an alternative comes later
    ply, is_first = 0, True  # whether all moves up to here were the first ones
    for record in records:
        line.comments += record.has_comment
        if is_first and ply < MOST_MOVES:
            line.moves.append((record.origin, record.target))
        if record.has_other:
            waiting.append(ply)
        if record.has_next:
            ply += 1
            continue
        line.is_whole = True
        is_first = False
        if not waiting:
            break
        ply = waiting.pop()
        if ply == 0 and len(found) < MOST_BEGINNINGS:
            line = Line()
            found.append(line)
            is_first = True
        else:
            line.variations += 1
    return found


def games_of(
    setting: Setting, lines: Sequence[Line], facts: Facts, number: int, left_out: int = 0
) -> Iterator[Transcript | Refused]:
    """Yield the game that *lines* tell, or each as a game of its own if no game was played.

    :param lines: none for a position without moves.
    :param number: of the game in its file.
    :param left_out: comments before the first move.
    """
    if len(lines) > 1 and facts.are_of_a_game:
        main, others = lines[0], lines[1:]
        main.comments += sum(line.comments for line in others)
        main.variations += sum(1 + line.variations for line in others)
        lines = [main]
    for line in lines or [Line(is_whole=True)]:
        found = _replayed(setting, line)
        if isinstance(found, Replay):
            yield found.transcript(**vars(facts), left_out=left_out + line.comments + line.variations)
        else:
            yield Refused(number, titled(facts, found))
        left_out = 0


def titled(facts: Facts, reason: str) -> str:
    """The sentence *reason* with the game's title, if it has one."""
    title = facts.tags.get("Title") or facts.tags.get("Event")
    return say("{title}: {reason}", title=quoted(title), reason=reason) if title else reason


def _replayed(setting: Setting, line: Line) -> Replay | str:
    """The game of *line*, or a sentence that says what is wrong with it."""
    seat = setting.seat
    if line.moves:
        seat = setting.pieces.get(line.moves[0][0], (seat, 0))[0]
    position = rules.text(rules.state_of(setting.pieces, seat, setting.quiet))
    try:
        replay = Moves(None if position == rules.START else position)
    except PositionError as error:
        return say("The first position is wrong. {reason}", reason=str(error))
    for number, (origin, target) in enumerate(line.moves, start=1):
        if NOWHERE in (origin, target):
            return say("Move {number} names a point outside the board.", number=number)
        try:
            replay.play_cells(origin, target)
        except NotationError as error:
            return str(error)
    if not line.is_whole:
        return say("The moves are cut off after move {number}.", number=len(line.moves))
    return replay


USUAL_PIECES: Pieces = {
    **{cell_at(file, rank): (seat, kind) for seat, rank in ((0, 0), (1, 9)) for file, kind in enumerate(FIRST_RANK)},
    **{cell_at(file, rank): (seat, CANNON) for seat, rank in ((0, 2), (1, 7)) for file in (1, 7)},
    **{cell_at(file, rank): (seat, SOLDIER) for seat, rank in ((0, 3), (1, 6)) for file in range(0, FILES, 2)},
}
