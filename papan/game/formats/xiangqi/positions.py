"""Positions of xiangqi as FEN, alone or with moves: lists of positions, lines of UCCI and UCI, puzzles in JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile
from typing import Any

from papan.game.base.sentences import say
from papan.game.base.untrusted import parsed_json, quoted
from papan.game.formats import LIKELY, NO, SURE, Format, FormatError, Transcript
from papan.game.formats.pgn import MOST_WORDS, Word
from papan.game.formats.source import Source
from papan.game.formats.xiangqi.notation import ENCODINGS, Moves, kept_tags, likeliness, no_move
from papan.game.match.collection import Refused
from papan.game.rules import NotationError, PositionError

_RANK = "[1-9KABNRCPEHkabnrcpeh]{1,9}"
_FEN = re.compile(
    rf"(?<![/\w])(?:{_RANK}/){{9}}{_RANK}(?![/\w])"  # the board
    r"(?:\s+[wbrWBR](?!\w))?(?:\s+-(?!\S))*(?:\s+-?\d+(?!\w))*"  # its tail, also a wrong one
    r"|\bstartpos\b"
)
_FEN_BYTES = re.compile(_FEN.pattern.encode(), re.ASCII)
_TAG = re.compile(rb'^[ \t]*\[[ \t]*\w+[ \t]+"', re.MULTILINE)
_OTHER_COMMANDS = re.compile(
    r"\s*(?:go|bestmove|nobestmove|info|id|option|setoption|ucc?i|ucc?iok|isready|readyok|banmoves|stop|quit|ponderhit)\b"
)
_OPERATIONS = re.compile(r"\b(?:bm|am|id|pv|c\d)\b.*")
"""Of EPD: what is said about a position."""
_BETWEEN = re.compile(r"[\s,;]+")


@dataclass
class _Part:
    """A position, and the words after it."""

    line: int
    position: str | None
    words: list[Word] = field(default_factory=list)
    told: Mapping[str, Any] = field(default_factory=dict)
    is_last: bool = False
    """Whether the text ends with it."""


@dataclass(frozen=True)
class Positions:
    """Each position, or ``startpos``, begins a game; its moves follow, on its line or the next ones."""

    name: str = "fen"
    title: str = say("FEN, with or without moves")
    suffixes: Sequence[str] = (".fen", ".txt", ".epd")

    def fits(self, source: Source) -> int:
        if _TAG.search(source.head) or _first_sign(source) in b"{[<":
            return NO
        found = _FEN_BYTES.search(source.head)
        if found is None:
            return NO
        is_doubtful = found[0] == b"startpos" or b"\n" in source.head[: found.start()].strip()
        return LIKELY if is_doubtful else SURE

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        for number, part in enumerate(_parts(source.lines(ENCODINGS, likeliness)), start=1):
            yield _read_part(part, number)


def _first_sign(source: Source) -> bytes:
    return source.head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] or b"-"


def _parts(lines: Iterable[str]) -> Iterator[_Part]:
    part: _Part | None = None
    for number, line in enumerate(lines, start=1):
        if _OTHER_COMMANDS.match(line):
            continue
        line, end = _OPERATIONS.sub("", line), 0
        for found in _FEN.finditer(line):
            if part is not None:
                yield _with_words(part, line[end : found.start()], number)
            part = _Part(number, None if found[0] == "startpos" else found[0])
            end = found.end()
        if part is not None:
            _with_words(part, line[end:], number)
            if part.words and not line.strip():
                yield part
                part = None
    if part is not None:
        part.is_last = True
        yield part


def _with_words(part: _Part, text: str, line: int) -> _Part:
    if len(part.words) < MOST_WORDS:
        part.words += [Word(word, line) for word in _BETWEEN.split(text) if word]
    return part


def _read_part(part: _Part, number: int) -> Transcript | Refused:
    try:
        moves = Moves(part.position)
        payoffs, cut = moves.play_to_the_end(part.words, may_be_cut=part.is_last)
        after = [*dropwhile(lambda word: word.text != "moves", part.words)][1:2]
        if after and not moves.steps:
            raise no_move(0, after[0])
    except (PositionError, NotationError) as error:
        return Refused(number, str(error), part.line or None)
    return moves.transcript(payoffs=payoffs, cut=cut, **part.told)


@dataclass(frozen=True)
class PositionsInJson:
    """Every object with a key ``fen``, at any depth; ``moves``, ``title`` and ``description`` are read, too."""

    name: str = "fen-json"
    title: str = say("positions in JSON")
    suffixes: Sequence[str] = (".json",)

    def fits(self, source: Source) -> int:
        is_json = _first_sign(source) in b"{["
        return LIKELY if is_json and b'"fen"' in source.head.lower() and _FEN_BYTES.search(source.head) else NO

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        try:
            content = parsed_json(source.data().removeprefix(b"\xef\xbb\xbf"))
        except ValueError as error:
            raise FormatError.saying(
                "{name} is no JSON: {reason}", name=quoted(source.name), reason=str(error)
            ) from error
        for number, value in enumerate(_objects_with_position(content), start=1):
            yield _read_part(_part_of(value), number)


def _objects_with_position(content: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the objects in *content* that have a position, in their order."""
    open_values = [content]
    while open_values:
        value = open_values.pop()
        if isinstance(value, dict):
            value = {key.lower(): inner for key, inner in value.items()}
            if isinstance(value.get("fen"), str):
                yield value
                continue
            open_values += reversed(value.values())
        elif isinstance(value, list):
            open_values += reversed(value)


def _part_of(value: Mapping[str, Any]) -> _Part:
    moves = value.get("moves", ())
    words = _BETWEEN.split(moves) if isinstance(moves, str) else moves if isinstance(moves, list) else ()
    title, description = (str(value.get(key) or "") for key in ("title", "description"))
    players, _, event = description.partition("\n")
    red, dash, black = players.partition(" - ")
    told = {
        "players": (red, black) if dash else (),
        "tags": kept_tags({"Event": event if dash else description, "Title": title}),
    }
    return _Part(0, value["fen"], [Word(word, 0) for word in words if isinstance(word, str) and word], told)


FORMATS: Sequence[Format] = (Positions(), PositionsInJson())
