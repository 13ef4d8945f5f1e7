"""Lists of moves as text, as Gomocup's tools read openings: one game a line.

Three forms: offsets from the centre, ``0,0, 0,-1, 2,-2``, whose rows count downwards; columns and rows from the top
left, both from 0, ``7,7 8,7 9,9``, if no number in the file is negative; and squares, with or without anything between
them, ``h8 i9`` or ``k10j10i9``, whose rows count upwards. The centre is row and column size // 2, from 0. A file whose
lines have one move each, or two after a number, is one game, as programs log it. None tells the size of the board: it
is the one in the file's name, as in ``openings_20x20.txt``, or the smallest that holds all stones.

Offsets and run-on squares: c-gomoku-cli's position.cpp; Piskvork's openings.txt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from papan.game.base.sentences import Sentence, say
from papan.game.base.untrusted import quoted
from papan.game.formats import LIKELY, NO, PERHAPS, FormatError, Transcript
from papan.game.formats.gomoku.board import (
    cell_at,
    cells_played,
    check_size,
    replayed,
    smallest_size,
)
from papan.game.formats.pgn import missing_before
from papan.game.formats.source import Source
from papan.game.match import Match
from papan.game.match.collection import Refused
from papan.game.rules.gomoku import cell_named, name_of

_PAIRS = re.compile(r"(?:\s*-?\d{1,2}\s*,\s*-?\d{1,2}(?:\s*[,;]|\s+|\s*$))+\s*")
_PAIR = re.compile(r"(-?\d{1,2})\s*,\s*(-?\d{1,2})")
_SQUARES = re.compile(r"\s*(?:(?:\d{1,3}(?:\.+|[…)\s])\s*)?[a-tA-T][0-9]{1,2}+[\s,;-]*)+")
_SQUARE = re.compile(r"([a-tA-T])([0-9]{1,2})")
_NUMBER = re.compile(r"(?<![a-tA-T\d])(\d{1,3})(\.+|[…)\s])\s*(?=[a-tA-T])")
_FROM_TO = re.compile(r"(?:\s*(?:\d{1,3}(?:\.+|[…)\s])\s*)?[a-i][0-9]-?[a-i][0-9](?=\s|$))+\s*", re.IGNORECASE)
_CUT_MOVE = re.compile(r"[\s,;]*(?:-?\d{0,2}\s*,?\s*-?|[a-tA-T])\s*\Z")
_RESULT = re.compile(r".+ - .+:\s*\d+\s*:\s*\d+\s*")
_SIZE = re.compile(r"(?<!\d)(\d{1,2})[x×](\d{1,2})(?!\d)")
_MOST_CHARACTERS = 8000
"""Of a line: more than 400 moves take."""
_HEAD_LINES = 200


@dataclass(frozen=True)
class _Kind:
    """What a file's head and name say of its games."""

    is_of_pairs: bool
    are_offsets: bool
    is_one_game: bool
    """Whether each line is a move."""
    size: int
    """Of the board; 0 if nobody tells it."""


@dataclass(frozen=True)
class Moves:
    name: str = "gomoku-moves"
    title: str = say("lists of gomoku moves")
    suffixes: Sequence[str] = (".txt",)

    def fits(self, source: Source) -> int:
        lines = _head(source)
        if not lines:
            return NO
        forms = [_form(line) for line in lines]
        if forms[0] is None:
            return NO
        if forms.count(forms[0]) < len(forms) / 2:
            return NO
        is_beyond = any(_is_beyond_a_chessboard(line) for line in lines)
        if forms[0] is _SQUARES and (not is_beyond or all(map(_FROM_TO.fullmatch, lines))):
            return PERHAPS  # Othello's games look like these, and those of xiangqi
        return LIKELY if all(form is forms[0] for form in forms) else PERHAPS

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        lines = _head(source)
        if lines and _form(lines[0]) is _RESULT:
            raise FormatError.saying(
                "It tells the results of pairings, such as {example}, but no moves: there is no game to read.",
                example=quoted(lines[0].strip()),
            )
        kind = _kind_of(source, lines)
        if kind.is_one_game:
            text = "\n".join(line for line, _ in zip(source.lines(), range(_MOST_CHARACTERS), strict=False))
            yield _read_game(" ".join(text.split("\n")), kind, 1, 1)
            return
        number, last = 0, ("", 0)
        for line_number, line in enumerate(source.lines(), start=1):
            if line.strip():
                if number:
                    yield _read_game(last[0], kind, number, last[1])
                number += 1
                last = line.removeprefix("\ufeff"), line_number
        if number:
            yield _read_last(last[0], kind, number, last[1])

    def write(self, matches: Iterable[Match]) -> Iterator[bytes]:
        """Squares run on; the size of the board isn't told."""
        for match in matches:
            yield "".join(map(name_of, cells_played(match))).encode() + b"\n"


def _head(source: Source) -> list[str]:
    """The first lines with something in them; the last one may be cut off and is left out, if there are others."""
    text = source.head.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    lines = [line for line in text.splitlines()[:_HEAD_LINES] if line.strip()]
    return lines[:-1] if len(lines) > 1 and source.size > len(source.head) else lines


def _form(line: str) -> re.Pattern[str] | None:
    """The form of a line, if it has one."""
    if len(line) > _MOST_CHARACTERS:
        return None
    return next((form for form in (_PAIRS, _SQUARES, _RESULT) if form.fullmatch(line)), None)


def _is_beyond_a_chessboard(line: str) -> bool:
    return any(letter.lower() > "h" or int(number) > 8 for letter, number in _SQUARE.findall(line))


def _kind_of(source: Source, lines: Sequence[str]) -> _Kind:
    is_of_pairs = bool(lines) and _form(lines[0]) is _PAIRS
    told = _SIZE.search(source.name)
    size = 0
    if told:
        check_size(int(told[1]), int(told[2]))
        size = int(told[1])
    return _Kind(
        is_of_pairs,
        is_of_pairs and any("-" in line for line in lines),
        len(lines) > 1 and all(_is_of_one_game(line, is_of_pairs) for line in lines),
        size,
    )


def _is_of_one_game(line: str, is_of_pairs: bool) -> bool:
    """Whether *line* has one move, or two after their number."""
    if is_of_pairs:
        return len(_PAIR.findall(line)) == 1
    return len(_SQUARE.findall(line)) <= (2 if _NUMBER.match(line.lstrip()) else 1)


def _read_last(text: str, kind: _Kind, number: int, line: int) -> Transcript | Refused:
    """As ``_read_game``; the last move of *text* may be cut off."""
    found = _read_game(text, kind, number, line)
    shorter = _CUT_MOVE.sub("", text)
    if isinstance(found, Refused) and shorter.strip():
        again = _read_game(shorter, kind, number, line)
        if isinstance(again, Transcript):
            return replace(again, cut=line)
    return found


def _read_game(text: str, kind: _Kind, number: int, line: int) -> Transcript | Refused:
    if _form(text) is not (_PAIRS if kind.is_of_pairs else _SQUARES):
        example = "0,0, 0,-1, 2,-2" if kind.is_of_pairs else "h8 i9 h10"
        reason = say("{text} is no list of moves such as {example}.", text=quoted(text.strip()), example=example)
        return Refused(number, reason, line)
    try:
        if not kind.is_of_pairs:
            return _read_squares(text, kind)
        pairs = [(int(column), int(row)) for column, row in _PAIR.findall(text)]
        return _read_offsets(pairs, kind) if kind.are_offsets else _read_places(pairs, kind)
    except FormatError as error:
        return Refused(number, str(error), line)


def _moves_before(line: str) -> Sentence | None:
    """Why the first move of *line* isn't that of a game; None if it may be."""
    first, numbers = _NUMBER.match(line.lstrip()), _NUMBER.findall(line)
    return missing_before(int(first[1]), first[2] == "…" or ".." in first[2], len(numbers) > 1) if first else None


def _read_squares(text: str, kind: _Kind) -> Transcript:
    if reason := _moves_before(text):
        raise FormatError(reason)
    found = [f"{letter.lower()}{int(row)}" for letter, row in _SQUARE.findall(text)]
    needed = max(max(ord(name[0]) - ord("a") + 1, int(name[1:])) for name in found)
    size = kind.size or smallest_size(needed)
    return replayed([cell_named(name) if name[1:] != "0" else -1 for name in found], size).transcript()


def _read_places(pairs: Sequence[tuple[int, int]], kind: _Kind) -> Transcript:
    size = kind.size or smallest_size(max(map(max, pairs)) + 1)
    return replayed([cell_at(column, row, size) for column, row in pairs], size).transcript()


def _read_offsets(pairs: Sequence[tuple[int, int]], kind: _Kind) -> Transcript:
    most, least = max(map(max, pairs)), min(map(min, pairs))
    size = kind.size or smallest_size(max(2 * most + 1, -2 * least, 1))
    middle = size // 2
    return replayed([cell_at(middle + column, middle + row, size) for column, row in pairs], size).transcript()
