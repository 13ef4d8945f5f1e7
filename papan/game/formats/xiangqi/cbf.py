"""CBF, games as XML: one game with comments, in UTF-8.

``<ChineseChessRecord>`` has a ``<Head>`` with facts and the first position, and a ``<MoveList>``. A move ``77-47`` is
two cells, each file and row, rows counted from black's side; ``00-00`` at the beginning carries only a comment. A move
with ``end="1"`` is the last one of its line; what comes after it are variations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from papan.game.base.sentences import say
from papan.game.formats import NO, PERHAPS, SURE, Transcript
from papan.game.formats.source import Source
from papan.game.formats.xiangqi.notation import ENCODINGS, likeliness
from papan.game.formats.xiangqi.tree import (
    MOST_TEXT,
    NOWHERE,
    USUAL_PIECES,
    Facts,
    Line,
    Setting,
    cell_at,
    games_of,
    plain_text,
    result_of,
    titled,
)
from papan.game.formats.xml import XmlReader
from papan.game.match.collection import Refused
from papan.game.rules import PositionError
from papan.game.rules import xiangqi as rules
from papan.game.rules.xiangqi.board import RANKS, SEAT_NAMES, pieces_of

ROOT = "ChineseChessRecord"
MOST_BYTES = 16 << 20
MOST_MOVES = 100_000
"""With those of variations; further ones are left out."""
MOST_FACTS = 200
_TAGS = {
    "Name": "Title", "Contest": "Event", "Round": "Round", "Table": "Table", "Site": "Site", "TimeRule": "TimeControl",
    "RedTeam": "RedTeam", "RedRating": "RedElo", "BlackTeam": "BlackTeam", "BlackRating": "BlackElo",
    "Commentator": "Annotator", "ECCO": "ECCO", "ResultType": "Termination",
}  # fmt: skip
"""The tag for each fact of the head."""
_MOVE = re.compile(r"([0-8])([0-9])-([0-8])([0-9])")
_BEGIN = "00-00"


@dataclass(frozen=True)
class Cbf:
    """A game as XML."""

    name: str = "cbf"
    title: str = "CBF"
    suffixes: Sequence[str] = (".cbf",)

    def fits(self, source: Source) -> int:
        if ROOT in source.head.decode(source.encoding(), errors="ignore"):
            return SURE
        return PERHAPS if source.suffix in self.suffixes else NO

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        source.data(MOST_BYTES)  # refuses a larger file
        found = _Reader()
        found.feed(source.text(ENCODINGS, likeliness), is_last=True)
        head = {name: plain_text(text) for name, text in found.head.items()}
        facts = Facts(
            players=(head.get("Red", ""), head.get("Black", "")),
            payoffs=result_of(int(head["RecordResult"])) if head.get("RecordResult", "") in ("1", "2", "3") else None,
            date=head.get("Date", ""),
            tags={tag: head[name] for name, tag in _TAGS.items() if head.get(name)},
        )
        try:
            setting = _setting(head.get("FEN", ""))
        except PositionError as error:
            reason = say("The first position is wrong. {reason}", reason=str(error))
            yield Refused(1, titled(facts, reason))
            return
        begins = bool(found.moves) and found.moves[0].text == _BEGIN
        moves = found.moves[1:] if begins else found.moves
        lines = [_main_line(moves)] if moves else []
        yield from games_of(setting, lines, facts, 1, begins and found.moves[0].has_comment)


@dataclass
class _Move:
    text: str
    is_last: bool
    has_comment: bool = False


def _setting(fen: str) -> Setting:
    """:raises PositionError: *fen* is wrong."""
    if not fen:
        return Setting(USUAL_PIECES)
    state = rules.parse(fen, {})
    pieces = {cell: (seat, kind) for seat in range(len(SEAT_NAMES)) for cell, kind in pieces_of(state, seat).items()}
    return Setting(pieces, state.to_move, state.quiet)


def _main_line(moves: Sequence[_Move]) -> Line:
    ends = [number for number, move in enumerate(moves, start=1) if move.is_last]
    length = ends[0] if ends else len(moves)
    return Line(
        [_cells(move.text) for move in moves[:length]],
        comments=sum(move.has_comment for move in moves),
        variations=len({*ends, len(moves)} - {length}),
        is_whole=True,
    )


def _cells(text: str) -> tuple[int, int]:
    """From, to."""
    found = _MOVE.fullmatch(text)
    if not found:
        return NOWHERE, NOWHERE
    file, row, to_file, to_row = map(int, found.groups())
    return cell_at(file, RANKS - 1 - row), cell_at(to_file, RANKS - 1 - to_row)


class _Reader(XmlReader):
    """Collects the facts and moves."""

    ROOT = ROOT

    def __init__(self) -> None:
        super().__init__()
        self.head: dict[str, str] = {}
        self.moves: list[_Move] = []

    def begun(self, attributes: Mapping[str, str]) -> None:
        if self.path[1:] == ["MoveList", "Move"] and len(self.moves) < MOST_MOVES:
            self.moves.append(_Move(attributes.get("value", ""), attributes.get("end") == "1"))

    def said(self, text: str) -> None:
        if self.path[1:2] == ["Head"] and len(self.path) == 3:
            known = self.head.get(self.path[2], "")
            if (known or len(self.head) < MOST_FACTS) and len(known) < MOST_TEXT:
                self.head[self.path[2]] = known + text[:MOST_TEXT]
        elif self.path[1:] == ["MoveList", "Move"] and text.strip():
            self.moves[-1].has_comment = True


FORMATS = (Cbf(),)
