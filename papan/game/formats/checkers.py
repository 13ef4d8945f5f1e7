"""Files of checkers: PDN, the Portable Draughts Notation.

PDN holds every kind of draughts, and many files don't tell which. Another kind than English checkers is refused by
name: by its tags, its moves in letters, its squares, or who begins. Results count Black first, as PDN 2.0 says for
checkers: ``1-0`` is a win of Black, who may be called Red.

Sources: PDN 2.0 (Murray Cash, 2003), PDN 3.0 (https://wiegerw.github.io/pdn), and real files.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from papan.game.base.sentences import alternatives, say
from papan.game.base.untrusted import quoted
from papan.game.catalogue import BUILT_IN
from papan.game.formats import GOAL, LEFT_OUT, LIKELY, NO, PERHAPS, SURE, Format, FormatError, Replay, Transcript, pgn
from papan.game.formats.source import Source
from papan.game.match import Kind, Match
from papan.game.match.collection import Refused
from papan.game.match.record import NO_RESULT, write_result
from papan.game.rules import PositionError, checkers, legal_steps
from papan.game.rules.checkers import parse_pdn, text
from papan.game.rules.checkers.board import MEN, QUIET_TURNS, SQUARES, START, State, bit_of, squares_of
from papan.game.rules.checkers.ways import Squares, Way, squares_in, ways

GAME = BUILT_IN["checkers"]
ENGLISH = "21,B,8,8,N1,0"
"""GameType of checkers in full: 21, Black begins, 8 × 8, numbers from the bottom right, a square in that corner."""

_OTHER_GAMES: Mapping[int, str] = {
    20: say("international draughts"),
    22: say("Italian draughts"),
    23: say("pool checkers"),
    24: say("Spanish draughts"),
    25: say("Russian draughts"),
    26: say("Brazilian draughts"),
    27: say("Canadian draughts"),
    28: say("Portuguese draughts"),
    29: say("Czech draughts"),
    30: say("Turkish draughts"),
    31: say("Thai draughts"),
    40: say("Frisian draughts"),
    41: say("Spantsiretti draughts"),
}
"""The other numbers of GameType."""
_OTHER_WORDS: Mapping[str, str] = {
    word: _OTHER_GAMES[number]
    for word, number in {
        "international": 20,
        "italian": 22,
        "pool": 23,
        "spanish": 24,
        "russian": 25,
        "brazilian": 26,
        "canadian": 27,
        "portuguese": 28,
        "czech": 29,
        "turkish": 30,
        "thai": 31,
        "frisian": 40,
        "spantsiretti": 41,
    }.items()
}
"""Words in the tag Variant."""
_ITALIAN_TAGS = ("Bianco", "Nero", "Risultato")
_SEATS = (("Black", "Red", "P1"), ("White", "P2"))
"""The tags with the name of each seat's player."""
_KNOWN_TAGS = {
    *("date", "result", "fen", "setup", "gametype", "variant"),
    *(name.lower() for names in _SEATS for name in names),
}
"""Tags whose values a match has elsewhere, in small letters."""
_BLACK, _WHITE, _DRAW = (1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)
_RESULTS: Mapping[str, tuple[float, ...] | None] = {
    **dict.fromkeys(("1-0", "2-0"), _BLACK),
    **dict.fromkeys(("0-1", "0-2"), _WHITE),
    **dict.fromkeys(("1/2-1/2", "1-1", "½-½", "1/2", "½"), _DRAW),
    **dict.fromkeys(("*", "0-0")),
}
_TERMINATIONS: Mapping[str, Kind] = {
    "time": "time",
    "forfeit": "forfeited",
    "infraction": "forfeited",
    "abandon": "forfeited",
}
"""Words in the tag Termination."""
_WRITTEN_TERMINATIONS: Mapping[Kind, str] = {"time": "time forfeit", "forfeited": "rules infraction"}
_GOALS: Mapping[str, str] = {"1:-1": "1-0", "-1:1": "0-1", "0:0": "1/2-1/2"}
_MOST_WAYS = 16
"""Readings of a game that are followed at once."""
_LONGEST_WORD = 64
"""Characters; the longest turn has 38."""

_ENDINGS = frozenset(
    "black white red and draw draws drawn lose loses lost resign resigns resigned win wins won game over".split()  # noqa: SIM905
)
"""Remarks that may stand for a turn at the end of a game."""
_LETTERS = re.compile(r"[a-h][1-8](?:[-x:]?[a-h][1-8])+", re.IGNORECASE)
_LETTERED_SQUARE = re.compile(r"[a-h][1-8]", re.IGNORECASE)
_UNSIGNED = re.compile(r"([0-9]{2})([0-9]{2})")
_PART = re.compile(r"[0-9]{1,3}|(?:[0-9]{1,2})?[-x:](?:[0-9]{1,2})?")
_CUT_CAPTURE = re.compile(r"\d{1,2}(?:[-x:]\d{1,2})+[-x:]\d?")
_CUT_LETTERS = re.compile(r"[a-h](?:[1-8](?:[-x:]?[a-h][1-8])*[-x:]?[a-h]?)?", re.IGNORECASE)
"""Turns that are cut off before their ends."""
_MARKS = "!?*.,;+=#"
"""Follow a turn: how good it is, and signs of sentences."""

_DRAUGHTS = re.compile(
    r"""\[\s*(?: GameType\s*"(?:2\d|3[01]|4[01])\b | FEN\s*"\s*[BW?]\s*:\s*[BW] | Variant\s*"American/ )""",
    re.IGNORECASE | re.VERBOSE,
)
_NUMBERED = re.compile(r"(?:^|\s)0?1\.\s*[0-9]{1,2}\s?[-x:]\s?[0-9]{1,2}(?![0-9./-])")
_BEGINS_LATER = re.compile(r"\s*[0-9]{1,3}(?:\.+|…)\s*[0-9]{1,2}[-x:][0-9]{1,2}(?![0-9./-])")
_BARE = re.compile(r"\s*(?:0?1[).]?\s+)?[0-9]{1,2}[-x:][0-9]{1,2}(?:\s+[0-9]{1,2}[-x:][0-9]{1,2}\b|\s*\Z)")
_LETTERED = re.compile(r"(?:^|\s)1\.\s*[aceg][1357][-x:]?[bdfh][2468]\s")


class _Named(NamedTuple):
    """A word that names the squares of a turn."""

    squares: Squares
    is_in_letters: bool = False


class _Result(NamedTuple):
    payoffs: tuple[float, ...] | None


class _Turn(NamedTuple):
    """A turn as a file writes it."""

    named: _Named
    word: pgn.Word


class _Sense(enum.Enum):
    """What a word is that is neither a turn nor a result."""

    PART = enum.auto()
    """Of a turn, or a number."""
    REMARK = enum.auto()
    WRONG = enum.auto()


@dataclass
class _Told:
    """What a file tells of one game."""

    block: pgn.Block
    turns: list[_Turn] = field(default_factory=list)
    wrong: pgn.Word | None = None
    """The first word after a turn that is neither a turn nor a remark; the turns after it are left out."""
    payoffs: tuple[float, ...] | None = None
    cut: int = 0
    """The line in which its text breaks off; 0 if it is whole."""
    last: pgn.Word | None = None
    """The word with which the whole text ends, unless that is a result: it may be cut off."""

    def cut_short(self) -> _Told:
        """The same game without ``last``."""
        if self.last is None or self.wrong not in (None, self.last):
            return self
        turns = self.turns if self.wrong is not None else self.turns[:-1]
        return replace(self, turns=turns, wrong=None, cut=self.last.line, last=None)


class _Line(NamedTuple):
    """One way to play the turns so far."""

    state: State
    steps: list[int]


class _Fault(NamedTuple):
    """Why a game can't be read, and in which line."""

    reason: str
    line: int


@dataclass(frozen=True)
class Pdn:
    """PDN of English checkers; also move lists without tags, and the letters of PlayStrategy."""

    name: str = "pdn"
    title: str = "PDN"
    suffixes: Sequence[str] = (".pdn",)

    def fits(self, source: Source) -> int:
        head = source.head.decode(source.encoding(("cp1252",)), errors="ignore")
        if _DRAUGHTS.search(head):
            return SURE
        is_pdn = source.suffix in self.suffixes
        if _NUMBERED.search(head):
            return SURE if is_pdn else LIKELY
        if is_pdn:
            return LIKELY
        begins = _BARE.match(head) or _BEGINS_LATER.match(head)
        return PERHAPS if begins or _LETTERED.search(head) or "[Bianco" in head else NO

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        number = 0
        for block in pgn.blocks(source.lines(("cp1252",))):
            for told in _games(block):
                number += 1
                yield _read(told, number)
        if not number:
            raise FormatError.saying("There is no game in it.")

    def write(self, matches: Iterable[Match]) -> Iterator[bytes]:
        for number, match in enumerate(matches):
            yield (("\n" if number else "") + _written(match)).encode()


# ----------------------------------------------------------------------------------------- reading


def _games(block: pgn.Block) -> Iterator[_Told]:
    """Yield the games of *block*: a result ends one, and others without tags may follow."""
    told = _Told(block)
    is_result_in_tags = _tag_of(block, "Result") not in ("", "*")
    doubt: pgn.Word | None = None  # a remark that may stand for a turn
    word: pgn.Word | None = None
    for word in _whole_words(block.words):
        sense = _sense(word.text[:_LONGEST_WORD])
        if isinstance(sense, _Named):
            if told.block is not block and not told.turns:
                told.block.line = word.line
            if told.wrong is None and doubt is not None and _is_fault(doubt, word, told):
                told.wrong = doubt
            doubt = None
            if told.wrong is None:
                told.turns.append(_Turn(sense, word))
        elif isinstance(sense, _Result):
            if word.text == "*" and told.turns and told.block is block and is_result_in_tags:
                continue  # the mark of the only good turn
            told.payoffs = sense.payoffs
            told.wrong, doubt = told.wrong or doubt, None
            if told.turns or told.block.tags:
                yield told
            told = _Told(pgn.Block(word.line))
        elif sense is _Sense.REMARK:
            last = told.turns[-1].word if told.turns else None
            is_ending = word.text.strip(_MARKS).lower() in _ENDINGS
            if doubt is None and not is_ending and (word.number or pgn.is_in_place_of_reply(word, last)):
                doubt = word
        elif told.wrong is None and (told.turns or word.number):
            told.wrong = word
    if doubt is not None and doubt.number:
        told.wrong = told.wrong or doubt
    if told.turns or told.block.tags:
        told.cut = block.cut
        if block.is_last:
            told.last = word
            told.cut = told.cut or (block.words[-1].line if told.block is not block else 0)  # after other games
        yield told


def _is_fault(remark: pgn.Word, turn: pgn.Word, told: _Told) -> bool:
    """Whether a turn is missing where *remark* stands, before *turn*."""
    if not told.turns:
        return not pgn.is_heading(remark, turn)
    return remark.number > 0 or turn.number > told.turns[-1].word.number


def _whole_words(words: Iterable[pgn.Word]) -> Iterator[pgn.Word]:
    """Yield *words*, those of a turn such as ``1 - 7`` as one, and numbers left out."""
    part, number = "", 0
    for word in words:
        number = number if part else word.number
        if _sense(word.text[:_LONGEST_WORD]) is not _Sense.PART:
            if part and _is_cut(part, number):
                yield pgn.Word(part, word.line, number)
            part = ""
            yield word
            continue
        is_number = part.isdecimal() and word.text.isdecimal()
        sense = _Sense.WRONG if is_number else _sense(part + word.text)
        if isinstance(sense, _Named):
            yield pgn.Word(part + word.text, word.line, number)
            part = ""
        elif sense is _Sense.PART:
            part += word.text
        else:
            if _is_cut(part, number):
                yield pgn.Word(part, word.line, number)
            part, number = word.text, word.number
    if _is_cut(part, number):
        yield pgn.Word(part, word.line, number)


def _is_cut(part: str, number: int) -> bool:
    """Whether *part*, after a turn's *number* or 0, is that of a turn, and neither a number nor a dash."""
    return (number > 0 or not part.isdecimal()) and any(sign.isdecimal() for sign in part)


@lru_cache(maxsize=1 << 14)
def _sense(text: str) -> _Named | _Result | _Sense:
    turn = text.rstrip(_MARKS)
    for result in (text, turn):
        if result in _RESULTS:
            return _Result(_RESULTS[result])
    named = squares_in(turn)
    if named:
        return _Named(named)
    if _PART.fullmatch(text):
        return _Sense.PART
    if unsigned := _UNSIGNED.fullmatch(turn):
        return _Named(Squares((int(unsigned[1]) - 1, int(unsigned[2]) - 1), False))
    if _LETTERS.fullmatch(turn):
        squares = [_square(square) for square in _LETTERED_SQUARE.findall(turn.lower())]
        if None not in squares:
            is_capture = "x" in turn.lower() or ":" in turn
            return _Named(Squares(tuple(square for square in squares if square is not None), is_capture), True)
    return _Sense.WRONG if any(sign in "0123456789" for sign in text) else _Sense.REMARK


def _square(lettered: str) -> int | None:
    """The square such as ``a1``, which is 4: letters and digits count from Black's left; None if it is light."""
    column, row = "hgfedcba".index(lettered[0]), int(lettered[1]) - 1
    return row * 4 + column // 2 if (column + row) % 2 else None


def _tag_of(block: pgn.Block, *names: str) -> str:
    return block.tag(*names) if block.tags else ""


def _read(told: _Told, number: int) -> Transcript | Refused:
    block = told.block
    found = _replay(told)
    if isinstance(found, _Fault):
        shorter = told.cut_short()
        again = _replay(shorter)
        if told.last is None or isinstance(again, _Fault) or not _begins_a_turn(told.last.text, again[0].state):
            return Refused(number, found.reason, found.line)
        told, found = shorter, again
    replay, left_out = found
    termination = _tag_of(block, "Termination").lower()
    after_draw = {LEFT_OUT: str(left_out)} if left_out else {}
    payoffs = _RESULTS.get(_tag_of(block, "Result")) or told.payoffs
    return replay.transcript(
        players=[_tag_of(block, *names) for names in _SEATS],
        payoffs=payoffs,
        ended_by=next((kind for word, kind in _TERMINATIONS.items() if word in termination), "resigned"),
        date=_tag_of(block, "Date", "UTCDate"),
        tags={name: value for name, value in block.tags.items() if _is_kept(name, value)} | after_draw,
        left_out=block.left_out,
        cut=told.cut,
    )


def _begins_a_turn(text: str, state: State) -> bool:
    """Whether *text* is the beginning of a turn of *state*, cut off before its end."""
    if _CUT_CAPTURE.fullmatch(text) or _CUT_LETTERS.fullmatch(text):
        return True
    steps = legal_steps(state, checkers.MOST_STEPS)
    turns = (f"{(step >> 5) + 1}{sign}{(step & 31) + 1}" for step in steps for sign in "-x:")
    return any(turn.startswith(text) and turn != text for turn in turns)


def _is_kept(name: str, value: str) -> bool:
    return name.lower() not in _KNOWN_TAGS and bool(value.strip("?-. "))


def _replay(told: _Told) -> tuple[Replay, int] | _Fault:
    """The game, and the number of turns left out at its end."""
    block = told.block
    fen = _tag_of(block, "FEN")
    if reason := _another_game(told, fen):
        return _Fault(reason, block.line)
    if not fen and not told.turns:
        return _Fault(say("The game has neither turns nor a position."), block.line)
    if not fen and (missing := pgn.before_first([turn.word for turn in told.turns])):
        return _Fault(missing, told.turns[0].word.line)
    try:
        start = parse_pdn(fen, crowns=True) if fen else START
    except PositionError as error:
        return _Fault(say("The position makes no sense: {error}", error=str(error)), block.line)
    played = _played(start, told)
    if isinstance(played, _Fault):
        return played
    replay = Replay(GAME, position=None if start == START else text(start))
    line, left_out = played
    replay.state, replay.steps = line
    return replay, left_out


def _another_game(told: _Told, fen: str) -> str:
    """Why it is another game than English checkers, by its tags and squares; "" if it may be that."""
    number = re.match(r"\d+", _tag_of(told.block, "GameType"))
    variant = _tag_of(told.block, "Variant").lower()
    is_marked = bool(number and int(number[0]) == 21) or bool(re.search("english|american(?!.*pool)", variant))
    other = _OTHER_GAMES.get(int(number[0][:3])) if number else None
    if not is_marked and other is None:
        other = next((name for word, name in _OTHER_WORDS.items() if word in variant), None)
    if other is None and any(_tag_of(told.block, name) for name in _ITALIAN_TAGS):
        other = _OTHER_GAMES[22]
    if other:
        return say("These are {game}, not English checkers.", game=other)
    if told.turns and told.turns[0].named.is_in_letters and not is_marked:
        return say(
            "Its moves are in letters, as in Russian draughts, and no tag such as {tag} tells of English checkers.",
            tag='[GameType "21"]',
        )
    largest = max(map(int, re.findall(r"[0-9]{1,3}", ":".join(fen.split(":")[:3]))), default=0)
    if largest <= SQUARES:
        return ""
    return say("It has squares above 32: these are draughts on a larger board, not English checkers.")


def _played(start: State, told: _Told) -> tuple[_Line, int] | _Fault:
    """Play the turns of *told*: a capture that could go two ways is decided by the turns that follow.

    Returns the line, and the turns after a draw by the rules, which are left out.
    """
    lines = [_Line(start, [])]
    doubt: tuple[_Turn, Sequence[Way]] | None = None
    for number, turn in enumerate(told.turns, start=1):
        squares, is_capture = turn.named.squares
        if len(lines) == 1:
            [(state, steps)] = lines
            found = ways(state, squares, is_capture, may_stop=True)
            if len(found) == 1:
                steps.extend(found[0].steps)
                lines = [_Line(found[0].state, steps)]
                continue
            doubt = (turn, found)
        longer = [
            _Line(way.state, [*line.steps, *way.steps])
            for line in lines
            for way in ways(line.state, squares, is_capture, may_stop=True)
        ]
        if not longer and all(line.state.quiet >= QUIET_TURNS for line in lines):
            return lines[0], len(told.turns) - number + 1
        if not longer:
            return _Fault(_wrong_turn(lines[0], told, number), turn.word.line)
        lines = longer
        if len(lines) > _MOST_WAYS:
            break
    if told.wrong:
        reason = say("{text} is no turn: turns are like 9-14 or 18x9.", text=quoted(told.wrong.text))
        return _Fault(reason, told.wrong.line)
    lines = [line for line in lines if not line.state.jumper] or lines
    if len(lines) > 1 and doubt:
        return _Fault(
            say(
                "{text} is ambiguous: it could mean {ways}.",
                text=quoted(doubt[0].word.text),
                ways=alternatives([_long(way.steps) for way in doubt[1]][:3]),
            ),
            doubt[0].word.line,
        )
    return lines[0], 0


def _wrong_turn(line: _Line, told: _Told, number: int) -> str:
    """Why the turn *number* can't be played."""
    turn = told.turns[number - 1]
    largest = max(square for each in told.turns for square in each.named.squares.squares) + 1
    if largest > SQUARES:
        return say(
            "It has a square {square}: these are draughts on a larger board, not English checkers.", square=largest
        )
    squares = turn.named.squares.squares
    if line.state == START and squares[0] >= SQUARES - MEN:
        return say(
            "White begins with {turn}: these are other draughts, such as Italian or international ones."
            " In English checkers Black begins.",
            turn=quoted(turn.word.text),
        )
    return say(
        "Turn {number}, {text}: {reason}",
        number=number,
        text=quoted(turn.word.text),
        reason=_refusal(line.state, squares),
    )


def _refusal(state: State, squares: Sequence[int]) -> str:
    if state.jumper and 1 << bit_of(squares[0]) != state.jumper:
        return say(
            "The piece on {square} must jump on before any other may move.", square=squares_of(state.jumper)[0] + 1
        )
    step = squares[0] << 5 | squares[1]
    if squares[1] < 0 or step in legal_steps(state, checkers.MOST_STEPS):
        return say("No capture passes these squares.")
    return checkers.refusal(state, step)


# ----------------------------------------------------------------------------------------- writing


def _written(match: Match) -> str:
    start = match.states[0]
    if start.jumper:
        raise FormatError.saying("PDN has no position in the middle of a turn.")
    tags = pgn.usual_tags(match) | {"Black": match.seats[0], "White": match.seats[1], "Result": _result(match)}
    tags["GameType"] = ENGLISH
    if start != START:
        counter = f":H{start.quiet}:F1" if start.quiet else ""
        tags |= {"SetUp": "1", "FEN": text(start._replace(quiet=0)) + counter}
    if match.conclusion and match.conclusion.kind in _WRITTEN_TERMINATIONS and "Termination" not in match.tags:
        tags["Termination"] = _WRITTEN_TERMINATIONS[match.conclusion.kind]
    others = {name: value for name, value in match.tags.items() if name not in tags and name != GOAL}
    turns = [
        _shortest(match.states[turn.first_step], tuple(match.steps[turn.first_step : turn.end_step]))
        for turn in match.turns()
    ]
    return pgn.written(tags | others, turns, tags["Result"])


def _result(match: Match) -> str:
    if match.ending is None and not match.steps and GOAL in match.tags:
        return _GOALS.get(match.tags[GOAL], NO_RESULT)
    return write_result(match.ending)


def _shortest(state: State, steps: tuple[int, ...]) -> str:
    """The first and the last square of a turn if no other turn has them, else all."""
    long = _long(steps)
    if len(steps) == 1:
        return long
    found = ways(state, (steps[0] >> 5, steps[-1] & 31), may_stop=True)
    return f"{(steps[0] >> 5) + 1}x{(steps[-1] & 31) + 1}" if [way.steps for way in found] == [steps] else long


def _long(steps: Sequence[int]) -> str:
    sign = "x" if checkers.is_jump(steps[0]) else "-"
    return sign.join(str(square + 1) for square in (steps[0] >> 5, *(step & 31 for step in steps)))


FORMATS: Sequence[Format] = (Pdn(),)
