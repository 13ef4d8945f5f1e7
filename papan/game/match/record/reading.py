"""Read records: split a text of limited size into tags and words, and replay the match."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeVar

from papan.game.base.sentences import figures, say
from papan.game.base.untrusted import UnreadableError, quoted, read_file, read_stream, shortened, whole_number
from papan.game.catalogue import find
from papan.game.game import Game, OptionError
from papan.game.match import Match, read_conclusion
from papan.game.match.notation import parse_turn
from papan.game.match.record.writing import (
    BEFORE_FIRST_ROUND,
    NO_RESULT,
    REASON,
    RecordError,
    RecordFileError,
    Round,
    quote,
    write_result,
)
from papan.game.rules import CHANCE, IllegalStep, NotationError, PositionError

MOST_BYTES = 2 * 2**20
"""The largest file to read."""
MOST_WORDS = 300_000
"""Turns and numbers; the longest possible game of 2048 has two thirds of them."""
MOST_TAGS = 1000
# Possessive quantifiers: no backtracking, so reading takes linear time.
_GAP = re.compile(r"(?: \s++ | ;[^\n]*+ | \{[^}]*+\} )*+", re.VERBOSE)
_TAG = re.compile(r"""\[ \s*+ ([A-Za-z][A-Za-z0-9_]*+) \s*+ ( "(?: [^"\\\n]++ | \\[^\n] )*+" ) \s*+ \]""", re.VERBOSE)
_WORD = re.compile(r"[^\s;{}\[\]]++")
_ROUND_NUMBER = re.compile(r"([0-9]{1,9})\.(.*)", re.DOTALL)

_EXAMPLES = {
    "Game": "connect-four",
    "Version": "1",
    "Options": "first=random",
    "Seed": "1",
    "Seat1": "human",
    "Date": "2026.11.20",
    "Position": "",
    "Result": NO_RESULT,
}
"""The required tags, each with an example for messages."""
_SEAT_TAG = re.compile(r"Seat([1-9][0-9]?)")
_DATE = re.compile(r"([0-9]{4})\.([0-9]{2})\.([0-9]{2})")

T = TypeVar("T")


class Tag(NamedTuple):
    name: str
    value: str
    line: int


class Word(NamedTuple):
    text: str
    line: int


def read(text: str, first_line: int = 1) -> Match:
    """Replay the match with the record *text*.

    :param first_line: the number of its first line, for messages.
    :raises RecordError: *text* is no record of a legal match; there are no other errors.
    """
    if len(text) > MOST_BYTES:
        raise RecordError.saying(
            "This is too long for the record of one match: more than {most} characters.", most=figures(MOST_BYTES)
        )
    found = lexemes(text.removeprefix("\ufeff"), first_line)
    tags, lines, first_word = take_tags(found)
    if not tags:
        raise RecordError.saying(
            "There is no record here: a record begins with tags such as {example}.", example=example_of("Game")
        )
    match = read_tags({name: tags[name] for name in tags if name not in ("Result", REASON)}, lines)
    if "Result" not in tags:
        raise RecordError(missing("Result"))
    result = tags["Result"]
    if first_word is None:
        raise RecordError(_cut_off(result, say("has no turns")), lines["Result"])
    _play_turns(match, _without_result(words_of(first_word, found), result))
    _conclude(match, tags.get(REASON, ""), lines.get(REASON))
    reached = write_result(match.ending)
    if reached != result:
        if match.ending:
            raise RecordError(
                say(
                    "The result is given as {result}, but the turns lead to '{reached}' ({reason}).",
                    result=quoted(result),
                    reached=reached,
                    reason=match.ending.reason,
                ),
                lines["Result"],
            )
        raise RecordError(
            say(
                "The result is given as {result}, but the turns lead to '{reached}': the game is not over.",
                result=quoted(result),
                reached=reached,
            ),
            lines["Result"],
        )
    return match


def read_tags(tags: Mapping[str, str], lines: Mapping[str, int] | None = None) -> Match:
    """The match with *tags*, as ``write_tags`` writes them, at its first state.

    :param lines: the line of each tag, for messages.
    :raises RecordError: a tag is missing or wrong.
    """
    lines = lines or {}
    for name in _EXAMPLES:
        if name not in tags and name != "Result":
            raise RecordError(missing(name))
    try:
        game = find(tags["Game"])
    except OptionError as error:
        raise RecordError(str(error), lines.get("Game")) from error
    _check_version(game, tags["Version"], lines.get("Version"))
    seats = _read_seats(game, tags, lines)
    options = _read_options(game, tags["Options"], lines.get("Options"))
    seed = _read_seed(tags["Seed"], lines.get("Seed"))
    date = _read_date(tags["Date"], lines.get("Date"))
    try:
        start = game.rules.parse(tags["Position"], options)
    except PositionError as error:
        raise RecordError(
            say("The position makes no sense: {error}", error=str(error)), lines.get("Position")
        ) from error
    match = Match(game, seats, options, seed, start, date)
    match.tags = {
        name: value for name, value in tags.items() if name not in _EXAMPLES and not _SEAT_TAG.fullmatch(name)
    }
    return match


def _check_version(game: Game, version: str, line: int | None) -> None:
    if version != str(game.version):
        raise RecordError(
            say(
                "The record is for version {version} of {game}, and this program plays version {own}.",
                version=quoted(version),
                game=game.title,
                own=game.version,
            ),
            line,
        )


def _read_seats(game: Game, tags: Mapping[str, str], lines: Mapping[str, int]) -> list[str]:
    found = {int(tag[1]): name for name in tags if (tag := _SEAT_TAG.fullmatch(name))}
    for number in range(1, max(found) + 1):
        if number not in found:
            raise RecordError(missing(f"Seat{number}"))
    try:
        game.check_seats(len(found))
    except OptionError as error:
        raise RecordError(str(error), lines.get(found[len(found)])) from error
    return [tags[found[number]] for number in sorted(found)]


def _read_options(game: Game, text: str, line: int | None) -> dict[str, str]:
    options: dict[str, str] = {}
    for pair in text.split():
        name, equals, value = pair.partition("=")
        if not equals or name in options:
            problem = say("is given twice") if equals else say("has no value")
            raise RecordError(
                say(
                    "The option {name} {problem}: write each option once, as in first=random.",
                    name=quoted(name),
                    problem=problem,
                ),
                line,
            )
        options[name] = value
    try:
        return game.complete_options(options)
    except OptionError as error:
        raise RecordError(str(error), line) from error


def _read_seed(text: str, line: int | None) -> int:
    seed = whole_number(text)
    if seed is None:
        raise RecordError(say("The seed is {text}, which is not a whole number such as 12.", text=quoted(text)), line)
    return seed


def _read_date(text: str, line: int | None) -> datetime.date:
    found = _DATE.fullmatch(text)
    try:
        if found:
            return datetime.date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        pass  # such as a 13th month
    raise RecordError(
        say("The date is {text}; write the year, month and day, as in 2026.11.20.", text=quoted(text)), line
    )


def example_of(name: str) -> str:
    return f"[{name} {quote(_EXAMPLES.get(name, _EXAMPLES['Seat1']))}]"


def missing(name: str) -> str:
    return say("The record has no tag {name}: add a line such as {example}.", name=name, example=example_of(name))


def _conclude(match: Match, reason: str, line: int | None) -> None:
    """Conclude *match* if *reason* is a conclusion."""
    conclusion = read_conclusion(reason)
    if conclusion is None or match.ending is not None:
        return
    try:
        match.conclude(conclusion)
    except IllegalStep as error:
        raise RecordError(str(error), line) from error


def _play_turns(match: Match, words: Iterator[Word]) -> None:
    """Play the turns and check the numbers in *words*."""
    current = BEFORE_FIRST_ROUND
    number: int | None = None  # of a round whose turn follows
    for (word, is_number), is_last in _with_last(_without_signs(words)):
        if is_number:
            number = int(word.text)
            continue
        if match.ending:
            raise RecordError(
                say(
                    "{text} can't follow: the game is over ({reason}).",
                    text=quoted(word.text),
                    reason=match.ending.reason,
                ),
                word.line,
            )
        text = word.text
        if match.mover == CHANCE:
            if not (text.startswith("(") and text.endswith(")")):
                raise RecordError(
                    say("{text} should be in parentheses: chance is to act here, no seat.", text=quoted(text)),
                    word.line,
                )
            text = text[1:-1]
        else:
            last, current = current, current.then(match.mover)
            expected = current.number if current.number > last.number or number is not None else None
            if number != expected:
                raise RecordError(_misnumbered(text, number, current, match), word.line)
            number = None
        try:
            for step in parse_turn(match.rules, match.state, text, may_be_unfinished=is_last):
                match.play(step)
        except (NotationError, IllegalStep) as error:
            raise RecordError(str(error), word.line) from error


def _without_result(words: Iterator[Word], result: str) -> Iterator[Word]:
    """*words* without the last one, which must be *result*; raises RecordError otherwise."""
    for word, is_last in _with_last(words):
        if not is_last:
            yield word
        elif word.text != result:
            raise RecordError(_cut_off(result, say("ends with {text}", text=quoted(word.text))), word.line)


def _cut_off(result: str, found: str) -> str:
    return say(
        "A record ends with its result, here {result}, but this one {found}; is a part of it missing?",
        result=quoted(result),
        found=found,
    )


def _without_signs(words: Iterable[Word]) -> Iterator[tuple[Word, bool]]:
    """Turns and numbers of rounds, each with whether it is a number; splits ``1.4`` and ``1...``."""
    for word in words:
        numbered = _ROUND_NUMBER.fullmatch(word.text)
        if numbered:
            yield Word(numbered[1], word.line), True
            word = Word(numbered[2], word.line)
        if word.text.strip("."):
            yield word, False


def _with_last(items: Iterable[T]) -> Iterator[tuple[T, bool]]:
    """Each of *items* with whether it is the last one."""
    waiting: list[T] = []
    for item in items:
        if waiting:
            yield waiting.pop(), False
        waiting.append(item)
    if waiting:
        yield waiting.pop(), True


def _misnumbered(text: str, number: int | None, current: Round, match: Match) -> str:
    found = say("no number") if number is None else say("the number {number}", number=number)
    whose = say("seat {seat}'s turn in round {round}", seat=match.mover + 1, round=current.number)
    return say(
        "Before {text} stands {found}, but it is {whose}: write {round}. there.",
        text=quoted(text),
        found=found,
        whose=whose,
        round=current.number,
    )


def lexemes(text: str, first_line: int = 1) -> Iterator[Tag | Word]:
    """Yield the tags and words of *text*, in linear time.

    :param first_line: the number of its first line.
    :raises RecordError: something is neither.
    """
    line, counted, offset = first_line, 0, _end_of_gap(text, 0)
    while offset < len(text):
        line, counted = line + text.count("\n", counted, offset), offset
        tag = _TAG.match(text, offset)
        word = None if tag else _WORD.match(text, offset)
        if tag:
            yield Tag(tag[1], _unquote(tag[2], line), line)
            offset = tag.end()
        elif word:
            yield Word(word[0], line)
            offset = word.end()
        else:
            raise RecordError(_stray(text[offset]), line)
        offset = _end_of_gap(text, offset)


def _end_of_gap(text: str, start: int) -> int:
    """The offset after the space and comments at *start*."""
    gap = _GAP.match(text, start)
    return gap.end() if gap else start


def take_tags(found: Iterator[Tag | Word]) -> tuple[dict[str, str], dict[str, int], Word | None]:
    """The tags, their lines, and the first word after them, if any; raises RecordError if a tag comes twice."""
    tags: dict[str, str] = {}
    lines: dict[str, int] = {}
    for lexeme in found:
        if isinstance(lexeme, Word):
            return tags, lines, lexeme
        name, value, line = lexeme
        if name in tags:
            raise RecordError(
                say("There is a tag {name} in line {line} already.", name=shortened(name), line=lines[name]), line
            )
        if len(tags) == MOST_TAGS:
            raise RecordError(
                say("There are more than {most} tags: that is no record of a match.", most=MOST_TAGS), line
            )
        tags[name], lines[name] = value, line
    return tags, lines, None


def words_of(first: Word, others: Iterator[Tag | Word]) -> Iterator[Word]:
    """Yield *first* and *others*; raises RecordError for a tag among them, or for too many."""
    yield first
    for number, lexeme in enumerate(others, start=2):
        if isinstance(lexeme, Tag):
            raise RecordError(
                say(
                    "Tag {name} after the turns: a second record? Put each into a text of its own.",
                    name=shortened(lexeme.name),
                ),
                lexeme.line,
            )
        if number > MOST_WORDS:
            raise RecordError(
                say("There are more than {most} words: no match is so long.", most=figures(MOST_WORDS)), lexeme.line
            )
        yield lexeme


def _unquote(quoted_value: str, line: int) -> str:
    try:
        return str(json.loads(quoted_value, strict=False))
    except ValueError as error:
        raise RecordError(
            say(
                r"{text} has a \ that means nothing: write \\ for it, and \" for a quotation mark.",
                text=shortened(quoted_value),
            ),
            line,
        ) from error


def _stray(sign: str) -> str:
    if sign == "[":
        return say("After '[' should come a tag such as {example}", example=example_of("Game")[1:])
    if sign == "{":
        return say("The comment that begins with '{' never ends: write '}' after it.")
    return say("{sign} closes nothing that was opened.", sign=quoted(sign))


def read_text(path: Path) -> str:
    """The text of the file *path*, for ``read``.

    :raises RecordFileError: it can't be read, or is too large or no text.
    """
    try:
        return _decoded(read_file(path, MOST_BYTES), path.name)
    except UnreadableError as error:
        raise RecordFileError.saying("{error} A record is a text file.", error=str(error)) from error


def read_text_from(stream: BinaryIO, name: str) -> str:
    """The text of *stream*, for ``read``; *name* is for messages.

    :raises RecordFileError: it is too large or no text.
    """
    try:
        return _decoded(read_stream(stream, MOST_BYTES, name), name)
    except UnreadableError as error:
        raise RecordFileError(str(error)) from error


def _decoded(content: bytes, name: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordFileError.saying(
            "{name} is no text in UTF-8 (at byte {byte}): a record is a text file.", name=quoted(name), byte=error.start
        ) from error
