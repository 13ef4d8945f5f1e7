"""Othello as PGN, as converters of the WTHOR base write it: pairs of cells, passes not told, discs as the result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from papan.game.base.sentences import say
from papan.game.formats import LIKELY, NO, PERHAPS, SURE, Transcript
from papan.game.formats.othello.played import Told, likely_start, not_a_cell, scored, transcripts
from papan.game.formats.pgn import Block, Word, before_first, blocks
from papan.game.formats.source import Source
from papan.game.match.collection import Refused
from papan.game.rules import PositionError
from papan.game.rules.othello import CELL_OF, CELLS, PASS, State, parse

_OTHELLO = re.compile(rb'\[\s*(?:Variant|GameType|Game)\s+"[^"]*(?:[Oo]thello|[Rr]eversi)')
_TAG = re.compile(rb'^\s*\[\s*\w+\s+"', re.MULTILINE)
_MOVES = re.compile(rb'(?:^|["\]])\s*1\s*\.\s*([DdCcFfEe][1-8])\s+([A-Ha-h][1-8]|--|[Pp][Aa])', re.MULTILINE)
_FIRST_CELLS = (b"d3", b"c4", b"f5", b"e6")
_OTHER_WORDS = re.compile(rb"(?<![\w\"])(?:[KQRBNa-h]?x[a-h][1-8]|[KQRN][a-h]?[1-8]?[a-h][1-8]|O-O)\b")
_RESULT = re.compile(r"(\d{1,2}|1/2)\s*[-–:]\s*(\d{1,2}|1/2)")
_NO_RESULTS = ("*", "?")
_PASSES = ("pass", "pa", "ps", "--", "...")
_KEPT = {
    "Event": ("Event",),
    "Site": ("Site",),
    "Round": ("Round",),
    "Annotator": ("Annotator",),
    "BlackRating": ("BlackElo", "BlackRating"),
    "WhiteRating": ("WhiteElo", "WhiteRating"),
    "TheoreticalScore": ("TheoreticalScore", "TheoricResult", "TheoreticalResult"),
}


_CUT_CELL = re.compile("[a-h]")


@dataclass(frozen=True)
class Pgn:
    name: str = "othello-pgn"
    title: str = say("PGN of Othello")
    suffixes: Sequence[str] = (".pgn",)

    def fits(self, source: Source) -> int:
        if not _TAG.search(source.head):
            return NO
        if _OTHELLO.search(source.head):
            return SURE
        found = _MOVES.search(source.head)
        if found is None or found[1].lower() not in _FIRST_CELLS or _OTHER_WORDS.search(source.head):
            return NO
        return LIKELY if re.search(rb'\[Result\s+"\d\d', source.head) else PERHAPS

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        found = blocks(source.lines(("cp1252",)))
        return transcripts(_told(block, number) for number, block in enumerate(found, start=1))


def _told(block: Block, number: int) -> Told | Refused:
    cells, words = bytearray(), list[Word]()
    result = block.tag("Result")
    for word in block.words:
        small = word.text.lower()
        if small in CELL_OF:
            cells.append(CELL_OF[small])
            words.append(word)
        elif _RESULT.fullmatch(small):
            result = result or small
        elif small in _PASSES:
            if small != "...":
                cells.append(PASS)
        elif small not in _NO_RESULTS:
            if block.is_last and word is block.words[-1] and _CUT_CELL.fullmatch(small):
                block.cut = word.line
                break
            return not_a_cell(number, word.line, len(cells) + 1, word.text)
    position = block.tag("FEN", "Position")
    if not position and (reason := before_first(words)):
        return Refused(number, reason, words[0].line)
    try:
        start: State = parse(position, {}) if position else likely_start(bytes(cells))
    except PositionError as error:
        return Refused(number, say("Its position is wrong: {reason}", reason=str(error)), block.line)
    payoffs, score = _read_result(result)
    tags = {name: block.tag(*theirs) for name, theirs in _KEPT.items()}
    told = {
        "players": (block.tag("Black"), block.tag("White")),
        "payoffs": payoffs,
        "date": block.tag("Date"),
        "tags": {name: value for name, value in {**tags, "Score": score}.items() if value},
        "left_out": block.left_out,
        "cut": block.cut,
    }
    return Told(number, block.line, bytes(cells), start, told=told)


def _read_result(text: str) -> tuple[tuple[float, float] | None, str]:
    """The payoffs of Black and White, and the discs if the result counts them."""
    found = _RESULT.fullmatch(text)
    if found is None:
        return None, ""
    if "1/2" in found.groups():
        return (0.0, 0.0), ""
    black, white = int(found[1]), int(found[2])
    if black + white > CELLS:
        return None, ""
    return scored(black, white), f"{black}-{white}" if black + white > 2 else ""
