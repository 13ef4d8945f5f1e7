"""Boards of Othello as text: 64 cells in a line each, or in eight rows, in any signs that the rules read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from papan.game.base.sentences import say
from papan.game.formats import LIKELY, NO, PERHAPS, Transcript
from papan.game.formats.othello.played import GAME, START
from papan.game.formats.source import Source
from papan.game.match.collection import Refused
from papan.game.rules import PositionError
from papan.game.rules.othello import SIZE, parse, text

_CELL = "[-._XxOo*BbWw@●○]"
_LINE = re.compile(rf"\s*(?:8\s+)?{_CELL}{{8}}(?:[ /|]?{_CELL}{{8}}){{7}}(?!{_CELL}{{2}})")
_ROW = re.compile(rf"[ \t|]*(?:[1-8][ \t|]*)?{_CELL}(?:[ \t|]*{_CELL}){{7}}(?!{_CELL})")
_LONGEST = 4000
"""Characters of a line that are read."""
_LINES_AROUND = 12
"""Lines before and after eight rows that may tell the side."""


@dataclass
class _Block:
    """Lines that may be a board in rows."""

    line: int
    lines: list[str] = field(default_factory=list)
    rows: int = 0


@dataclass(frozen=True)
class Boards:
    name: str = "boards"
    title: str = say("boards of Othello as text")
    suffixes: Sequence[str] = (".txt", ".obf")

    def fits(self, source: Source) -> int:
        lines = source.head.decode("utf-8", errors="replace").splitlines()[:200]
        if any(map(_LINE.match, lines)):
            return LIKELY
        return PERHAPS if sum(_ROW.match(line) is not None for line in lines) >= SIZE else NO

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        return _boards(source.lines())


def _boards(lines: Iterable[str]) -> Iterator[Transcript | Refused]:
    number = 0
    block = _Block(1)
    for line_number, whole in enumerate(lines, start=1):
        line = whole[:_LONGEST]
        if _LINE.match(line):
            number += 1
            yield _board(line, number, line_number)
            continue
        is_row = _ROW.match(line) is not None
        ends = block.rows == SIZE and (is_row or len(block.lines) >= SIZE + 2 * _LINES_AROUND)
        if ends:
            number += 1
            yield _board("\n".join(block.lines), number, block.line)
            block = _Block(line_number)
        if is_row and not block.rows:
            block.lines = block.lines[-_LINES_AROUND:]
            block.line = line_number - len(block.lines)
        if not is_row and 0 < block.rows < SIZE:
            block = _Block(line_number)  # other text
        block.lines.append(line)
        block.rows += is_row
        if not block.rows and len(block.lines) > 2 * _LINES_AROUND:
            block.lines = block.lines[-_LINES_AROUND:]
    if block.rows == SIZE:
        yield _board("\n".join(block.lines), number + 1, block.line)


def _board(told: str, number: int, line: int) -> Transcript | Refused:
    try:
        state = parse(told, {})
    except PositionError as error:
        return Refused(number, str(error), line)
    return Transcript(GAME, {}, None if state == START else text(state))
