"""What the formats of xiangqi share: moves read one after the other, results, encodings, Chinese notation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from papan.game.base.sentences import alternatives, say
from papan.game.base.untrusted import quoted
from papan.game.catalogue import BUILT_IN
from papan.game.formats import Replay
from papan.game.formats.pgn import Word, is_heading, is_in_place_of_reply
from papan.game.rules import NotationError, State, is_over
from papan.game.rules.xiangqi import START, notation, parse, refusal, text
from papan.game.rules.xiangqi.board import (
    ADVISOR,
    CANNON,
    CHARIOT,
    ELEPHANT,
    FILES,
    GENERAL,
    HORSE,
    RANKS,
    RED,
    SEAT_NAMES,
    SOLDIER,
    STEP_SHIFT,
    TARGET_MASK,
    cell_name,
    kind_at,
)
from papan.game.rules.xiangqi.foreign import (
    Aimed,
    FromTo,
    Reading,
    after_if_legal,
    candidates,
    file_of,
    like_pieces,
    own_pieces,
    readings,
    steps_of,
)

GAME = BUILT_IN["xiangqi"]
ENCODINGS = ("gb18030", "big5")
"""Of Chinese texts, besides UTF-8."""
Payoffs = tuple[float, float]

_NAME_CELLS = re.compile(r"[a-i](?:10|\d)-?[a-i](?:10|\d)", re.IGNORECASE)
_NAMES_CELLS = re.compile(rf"(?:{_NAME_CELLS.pattern}){{2,}}", re.IGNORECASE)
_SHORTEST_RUN = 5
_MOST_LINES = 16
"""Ways to read the ambiguous moves of a game."""
_MOST_TAGS = 40
_LONGEST_TAG = 1000


# ------------------------------------------------------------------------------------------- moves


class Moves(Replay):
    """A game that is being read, move by move."""

    def __init__(self, position: str | None = None, options: Mapping[str, str] | None = None) -> None:
        """:param position: a FEN in any dialect; None for the usual start.
        :param options: those that differ from the defaults.
        :raises PositionError: it is wrong.
        """
        known = None if position is None else text(parse(position, options or {}))
        super().__init__(GAME, options, None if known == START else known)

    def play_cells(self, origin: int, target: int) -> None:
        """Play the move from one cell to another, numbered as the rules do: a0 is 0, b0 is 1, a1 is 9.

        :raises NotationError: the move is illegal; the message says why.
        """
        step = origin << STEP_SHIFT | target
        after = after_if_legal(self.state, step)
        if after is None:
            raise _illegal(self.state, len(self.steps), cell_name(origin) + cell_name(target), [step])
        self.state = after
        self.steps.append(step)

    def play_words(self, words: Sequence[Word]) -> Payoffs | None:
        """Play the moves that *words* tell in any notation, up to a result or the end.

        What is no move in any notation is skipped before the first move and after the last one, unless it stands where
        a move is expected. Moves that can be read in several ways are decided by what follows.

        :returns: the payoffs that the result tells, if any.
        :raises NotationError: a move can't be read, is illegal or ambiguous; nothing was played.
        """
        words = apart(words)
        try:
            return self._play_words(words, 0)
        except NotationError:
            if _names_ranks(words):
                with suppress(NotationError):
                    return self._play_words(words, 1)  # as programs do that come from chess
            raise

    def play_to_the_end(self, words: Sequence[Word], *, may_be_cut: bool) -> tuple[Payoffs | None, int]:
        """As ``play_words``, but without the last of *words* if that is the beginning of a move, cut off there.

        :param may_be_cut: the whole text ends with *words*.
        :returns: the payoffs, and the line in which the text breaks off; 0 if it doesn't.
        """
        words = apart(words)
        if not may_be_cut or not words or not _BEGINS_A_MOVE.fullmatch(unicodedata.normalize("NFKC", words[-1].text)):
            return self.play_words(words), 0
        return self.play_words(words[:-1]), words[-1].line

    def _play_words(self, words: Sequence[Word], first_rank: int) -> Payoffs | None:
        lines = [_Line(self.state, [])]
        doubt: NotationError | None = None
        last: Word | None = None
        unread: list[Word] = []  # since the last move
        result: Payoffs | None = None
        end = ""
        for word in words:
            meant = readings(word.text, first_rank)
            if not meant:
                if is_result(word.text):
                    result, end = payoffs_of(word.text), word.text
                    break
                if not (word.text.isdecimal() and len(word.text) < 4):  # else a number without its dot
                    unread.append(word)
                continue
            number = len(self.steps) + len(lines[0].steps)
            faults = [one for one in unread if last is not None or (_is_numbered(one) and not is_heading(one, word))]
            if faults:
                raise no_move(number, faults[0])
            unread, last = [], word
            longer = [
                _Line(after, [*line.steps, step])
                for line in lines
                for step, after in steps_of(line.state, meant).items()
            ]
            if not longer:
                raise MoveError(
                    str(_illegal(lines[0].state, number, word.text, _meant(lines[0].state, meant))), word.line
                )
            if len(longer) > len(lines) == 1:
                doubt = _ambiguous(lines[0].state, number, word.text, [line.steps[-1] for line in longer])
            if len(longer) > _MOST_LINES and doubt is not None:
                raise doubt
            lines = longer
        for word in unread:
            if _is_numbered(word) or _is_fault_at_end(word, last, end, word is words[-1]):
                raise no_move(len(self.steps) + len(lines[0].steps), word)
        if len(lines) > 1 and doubt is not None:
            raise doubt
        self.state = lines[0].state
        self.steps += lines[0].steps
        return result


def apart(words: Sequence[Word]) -> Sequence[Word]:
    """*words* with moves that run on, such as ``h2e2h9g7`` or ``炮二平五马８进７``, one by one.

    What is left of a word after its moves, as where it is cut off, is a word as well.
    """
    return [part for word in words for part in ([word] if len(word.text) < _SHORTEST_RUN else _apart(word))]


def _apart(word: Word) -> list[Word]:
    moves = _run(word.text)
    if len(moves) < 2:
        return [word]
    rest = word.text[sum(map(len, moves)) :]
    first, *others = [*moves, *([rest] if rest else [])]
    return [word._replace(text=first), *(Word(text, word.line) for text in others)]


def _run(text: str) -> list[str]:
    """The moves with which *text* begins: names of two cells, or four signs each."""
    moves = _NAMES_CELLS.match(text)
    if moves:
        return _NAME_CELLS.findall(moves[0])
    if text.isdecimal():  # a date, say
        return []
    parts = [text[place : place + 4] for place in range(0, len(text) - 3, 4)]
    return list(takewhile(readings, parts))


class MoveError(NotationError):
    """A word is no legal move."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line
        """Of the file."""


class _Line(NamedTuple):
    """A way to read the moves so far."""

    state: State
    steps: list[int]


def _is_numbered(word: Word) -> bool:
    """Whether *word* stands right after the number of a move; ``1.0`` and ``2.5.`` are numbers themselves."""
    return word.number > 0 and not word.text.strip(".").isdecimal()


def _is_fault_at_end(word: Word, last: Word | None, end: str, is_very_last: bool) -> bool:
    """Whether *word*, which is no move, stands where a move is expected after the *last* one.

    :param end: the result that follows, or a rule; "" for none.
    :param is_very_last: nothing follows it at all, so that it may be cut off.
    """
    if last is None:
        return False
    if is_in_place_of_reply(word, last) or (is_very_last and _CUT_MOVE.fullmatch(word.text) is not None):
        return True
    return bool(end) and not _RULE.match(end) and word.line == last.line


def _meant(state: State, meant: Sequence[Reading]) -> list[int]:
    return [step for reading in meant for step in candidates(state, reading)]


def no_move(number: int, written: Word) -> MoveError:
    return MoveError(
        say(
            "Move {number}, {text}: this is no move; moves are written like {examples}.",
            number=number + 1,
            text=quoted(written.text),
            examples="炮二平五, C2.5, h2e2",
        ),
        written.line,
    )


def _illegal(state: State, number: int, written: str, steps: Sequence[int]) -> NotationError:
    if is_over(state) or steps:
        reason = refusal(state, steps[0] if steps else 0)
    else:
        reason = say("There is no such piece of {colour}.", colour=SEAT_NAMES[state.to_move])
    return NotationError.saying(
        "Move {number}, {text}: {reason}", number=number + 1, text=quoted(written), reason=reason
    )


def _ambiguous(state: State, number: int, written: str, steps: Sequence[int]) -> NotationError:
    return NotationError.saying(
        "Move {number}, {text}, is ambiguous: it could mean {ways}.",
        number=number + 1,
        text=quoted(written),
        ways=alternatives([notation(state, step) for step in steps]),
    )


def _names_ranks(words: Sequence[Word]) -> bool:
    """Whether the first move of *words* names ranks."""
    for word in words:
        for reading in (*readings(word.text), *readings(word.text, 1)):
            return isinstance(reading, (FromTo, Aimed))
    return False


def cell_at(column: int, row: int) -> int:
    """The cell in *column* from the left and *row* from black's side, both from 0, as XQF, CBL and DhtmlXQ count.

    :raises NotationError: there is none.
    """
    if not (0 <= column < FILES and 0 <= row < RANKS):
        raise NotationError.saying("There is no point in column {column}, row {row}.", column=column, row=row)
    return (RANKS - 1 - row) * FILES + column


# ------------------------------------------------------------------------------------------- results

_LIKE = str.maketrans("紅勝負後–—−⁄", "红胜负后---/")
_RESULTS: dict[str, Payoffs] = {
    word: payoffs
    for words, payoffs in (
        ("1-0 2-0 红胜 先胜 红先胜 黑负 后负 黑认负 黑超时", (1.0, -1.0)),
        ("0-1 0-2 黑胜 后胜 红负 先负 红先负 红认负 红超时", (-1.0, 1.0)),
        ("1/2-1/2 1/2 1-1 0.5-0.5 和 先和 红先和 红和 和局 平 平局 言和", (0.0, 0.0)),
    )
    for word in words.split()
}
_OPEN = ("*", "未知", "未完")
_RULE = re.compile(r"[=_*~#-]{3,}")


def payoffs_of(text: str) -> Payoffs | None:
    """The payoffs of red and black that a result tells in any of its usual forms; None if it tells none.

    >>> payoffs_of("1-0"), payoffs_of("黑方胜"), payoffs_of("*")
    ((1.0, -1.0), (-1.0, 1.0), None)
    """
    return _RESULTS.get(_plain_result(text))


def is_result(text: str) -> bool:
    """Whether *text* ends a game: a result, also an unknown one, or a rule such as ``====``."""
    plain = _plain_result(text)
    return plain in _RESULTS or plain in _OPEN or _RULE.match(plain) is not None


def _plain_result(text: str) -> str:
    if len(text) > 60:
        return ""
    plain = unicodedata.normalize("NFKC", "".join(text.split())).translate(_LIKE)
    return plain.strip("。.,;()!").replace("方", "").replace("棋", "")


# ------------------------------------------------------------------------------------------- texts

_MOVE = re.compile(
    "[车車俥马馬傌炮砲包兵卒士仕象相将將帅帥前后後中二三四五][一二三四五六七八九１-９1-9车車马馬炮砲包兵卒][进進退平]"
)


_CUT_MOVE = re.compile(
    "[车車俥马馬傌炮砲包兵卒士仕象相將将帅帥前后後中][一二三四五六七八九１-９1-9车車马馬炮砲兵卒][进進退平]?|[a-i][0-9]-?[a-i]?",
    re.IGNORECASE,
)
"""A move that is cut off before its end."""
_BEGINS_A_MOVE = re.compile(
    rf"{_CUT_MOVE.pattern}|[车車俥马馬傌炮砲包兵卒士仕象相將将帅帥前后後中]|[a-z](?:[1-9+=.-][+=.-]?)?", re.I
)
"""The same, and shorter beginnings, also as programs with letters write them."""
_FOREIGN = re.compile(r"[^\x00-\x7f]")


def likeliness(text: str) -> float:
    """How likely *text* is Chinese of our time, rightly decoded: by moves, and by frequent characters."""
    sample = text[:20_000]
    signs = _FOREIGN.findall(sample)[:2000]
    frequent = sum(_is_frequent(sign) for sign in signs)
    return len(_MOVE.findall(sample)) + frequent / max(1, len(signs))


@lru_cache(maxsize=1 << 14)
def _is_frequent(sign: str) -> bool:
    """Whether *sign* is in the first, frequent level of the Chinese or the Taiwanese standard, or punctuation."""
    for encoding, first, last in (("gb2312", 0xB0, 0xD7), ("big5", 0xA4, 0xC6)):
        try:
            lead = sign.encode(encoding)[0]
        except UnicodeEncodeError:
            continue
        if first <= lead <= last or lead in (0xA1, 0xA3):
            return True
    return False


_TOLD_OTHERWISE = re.compile(
    "game|version|options|seed|seat[0-9]+|date|position|result|reason|name|goal|red|white|black|fen|setup|format|variant|repetition",
    re.IGNORECASE,
)
"""Tags that a transcript tells in another way, and those of our records."""


def kept_tags(tags: Mapping[str, str]) -> dict[str, str]:
    """What is kept of the *tags* of a file: those that say something, within limits."""
    kept = {
        name: value[:_LONGEST_TAG].strip()
        for name, value in tags.items()
        if value.strip("?-. ") and name.isascii() and not _TOLD_OTHERWISE.fullmatch(name)
    }
    return dict(list(kept.items())[:_MOST_TAGS])


# ----------------------------------------------------------------------------------- Chinese notation

_NAMES = (
    {GENERAL: "帅", ADVISOR: "仕", ELEPHANT: "相", HORSE: "马", CHARIOT: "车", CANNON: "炮", SOLDIER: "兵"},
    {GENERAL: "将", ADVISOR: "士", ELEPHANT: "象", HORSE: "马", CHARIOT: "车", CANNON: "炮", SOLDIER: "卒"},
)
_NUMERALS = ("〇一二三四五六七八九", "０１２３４５６７８９")


def chinese(state: State, step: int) -> str:
    """The Chinese notation of the legal *step*: ``炮二平五``, for black ``马８进７``.

    >>> chinese(parse(START, {}), 7 + 2 * FILES << STEP_SHIFT | 4 + 2 * FILES)
    '炮二平五'
    """
    seat = state.to_move
    origin, target = step >> STEP_SHIFT, step & TARGET_MASK
    kind, numerals = kind_at(state, origin), _NUMERALS[seat]
    file, to_file = (numerals[file_of(seat, cell)] for cell in (origin, target))
    ahead = (target // FILES - origin // FILES) * (1 if seat == RED else -1)
    if ahead == 0:
        way = "平" + to_file
    else:
        points = to_file if kind in (ADVISOR, ELEPHANT, HORSE) else numerals[abs(ahead)]
        way = ("进" if ahead > 0 else "退") + points
    name = _NAMES[seat][kind]
    return (_place(state, origin, kind, name, file, numerals) or name + file) + way


def _place(state: State, cell: int, kind: int, name: str, file: str, numerals: str) -> str:
    """Two characters for the piece on *cell* among several like ones on its file; "" if it is alone.

    Advisors and elephants on one file differ by the way they go.
    """
    if kind in (ADVISOR, ELEPHANT):
        return ""
    files = like_pieces(state.to_move, own_pieces(state, kind))
    cells = next((cells for cells in files if cell in cells), None)
    if cells is None:
        return ""
    index = cells.index(cell)
    if len(cells) > 3:
        return numerals[index + 1] + name
    return ("前" if index == 0 else "后" if index == len(cells) - 1 else "中") + (name if len(files) == 1 else file)
