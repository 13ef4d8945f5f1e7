"""DhtmlXQ: games of xiangqi in forum posts and pages, as dpxq.com and CCBridge write them (UBB).

Each value stands between ``[DhtmlXQ_name]`` and ``[/DhtmlXQ_…]``; real files name some ends wrongly. ``binit`` has the
columns and rows of 32 pieces in a fixed order, ``99`` for one that is not there, ``movelist`` four digits a move:
column and row from and to, columns from red's left, rows from black's side.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted
from papan.game.formats import NO, SURE, Format, Transcript
from papan.game.formats.source import Source
from papan.game.formats.xiangqi.notation import ENCODINGS, Moves, cell_at, kept_tags, likeliness, payoffs_of
from papan.game.match.collection import Refused
from papan.game.rules import NotationError, PositionError
from papan.game.rules.xiangqi import state_of, text
from papan.game.rules.xiangqi.board import (
    ADVISOR,
    BLACK,
    CANNON,
    CHARIOT,
    ELEPHANT,
    GENERAL,
    HORSE,
    RED,
    SOLDIER,
)

_BEGIN = re.compile(r"\[DhtmlXQ_(\w+)\]", re.IGNORECASE)
_END = re.compile(r"\[/DhtmlXQ\]", re.IGNORECASE)
_VARIATION = re.compile(r"move_\d+_\d+_\d+")
_HOME = (CHARIOT, HORSE, ELEPHANT, ADVISOR, GENERAL, ADVISOR, ELEPHANT, HORSE, CHARIOT, CANNON, CANNON) + (SOLDIER,) * 5
_MOST_CHARACTERS = 1 << 20
"""Of one game."""
_AWAY = "99"
_TAGS = {
    "title": "Title", "event": "Event", "place": "Site", "round": "Round", "author": "Annotator",
    "redteam": "RedTeam", "blackteam": "BlackTeam", "redrating": "RedElo", "blackrating": "BlackElo",
}  # fmt: skip


@dataclass(frozen=True)
class DhtmlXq:
    """Games between ``[DhtmlXQ]`` and ``[/DhtmlXQ]``, with any text around them."""

    name: str = "dhtmlxq"
    title: str = say("DhtmlXQ")
    suffixes: Sequence[str] = (".ubb", ".txt")

    def fits(self, source: Source) -> int:
        return SURE if b"[dhtmlxq" in source.head.lower() else NO

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        for number, (line, written, cut) in enumerate(_games(source.lines(ENCODINGS, likeliness)), start=1):
            try:
                yield _read_game(written, cut)
            except (PositionError, NotationError) as error:
                yield Refused(number, str(error), line)


def _games(lines: Iterable[str]) -> Iterator[tuple[int, str, int]]:
    """Yield of each game the first line, the text, and the line in which it breaks off, 0 if it doesn't."""
    first, kept, size, number = 1, list[str](), 0, 0
    for number, line in enumerate(lines, start=1):
        *ended, rest = _END.split(line)
        for end in ended:
            yield first, "\n".join([*kept, end]), 0
            first, kept, size = number, [], 0
        if size + len(rest) < _MOST_CHARACTERS:
            kept.append(rest)
            size += len(rest)
    if any("[DhtmlXQ" in line for line in kept):
        yield first, "\n".join(kept), number


def _read_game(written: str, cut: int) -> Transcript:
    _, *found = _BEGIN.split(written)
    values = {
        name.lower(): value.partition("[/")[0].strip() for name, value in zip(found[::2], found[1::2], strict=True)
    }
    digits = re.sub(r"\s", "", values.get("movelist", ""))
    if cut:
        digits = digits[: len(digits) // 4 * 4]
    cells = [
        (_cell(digits[index : index + 2]), _cell(digits[index + 2 : index + 4])) for index in range(0, len(digits), 4)
    ]
    moves = Moves(values.get("fen") or _position(values, cells))
    for origin, target in cells:
        moves.play_cells(origin, target)
    return moves.transcript(
        players=(values.get("red", ""), values.get("black", "")),
        payoffs=payoffs_of(values.get("result", "")),
        ended_by="time" if "超时" in values.get("endtype", "") else "resigned",
        date=values.get("date", ""),
        tags=kept_tags({tag: values.get(name, "") for name, tag in _TAGS.items()}),
        cut=cut,
        left_out=sum(bool(_VARIATION.fullmatch(name) or name.startswith("comment")) for name in values),
    )


def _cell(digits: str) -> int:
    """:raises NotationError: these are not two digits of a point."""
    if len(digits) != 2 or not (digits.isascii() and digits.isdecimal()):
        raise NotationError.saying("{digits} is no point: a point has two digits.", digits=quoted(digits))
    return cell_at(int(digits[0]), int(digits[1]))


def _position(values: Mapping[str, str], cells: Sequence[tuple[int, int]]) -> str | None:
    """The FEN of the first position; the owner of the first piece that moves is to move."""
    digits = re.sub(r"\s", "", values.get("binit", ""))
    if not digits:
        return None
    if len(digits) != 4 * len(_HOME):
        raise PositionError.saying(
            "The position has {number} digits instead of {right}.", number=len(digits), right=4 * len(_HOME)
        )
    pieces = {}
    for index in range(2 * len(_HOME)):
        point = digits[2 * index : 2 * index + 2]
        if point != _AWAY:
            pieces[_cell(point)] = RED if index < len(_HOME) else BLACK, _HOME[index % len(_HOME)]
    side, _ = pieces.get(cells[0][0], (RED, 0)) if cells else (RED, 0)
    return text(state_of(pieces, side, 0))


FORMATS: Sequence[Format] = (DhtmlXq(),)
