"""Records: matches as readable text.

A record looks like chess's PGN: tags, an empty line, numbered turns, the result::

    [Game "connect-four"]
    [Version "1"]
    [Options "first=random"]
    [Seed "7"]
    [Seat1 "human"]
    [Seat2 "minimax:hard"]
    [Date "2026.11.20"]
    [Position ""]
    [Result "1-0"]
    [Reason "four in a row"]

    1. 4 4 2. 5 5 3. 3 2 4. 6 1-0

- Seats are in the order of play, after the choice of the first player. ``Position`` is the position before the first
  turn, so that a record doesn't depend on dealing; ``Seed`` determines later outcomes of chance.
- Rounds are numbered; every seat acts once a round. ``...`` stands for a seat that another one preceded. Outcomes of
  chance are in parentheses after the turn that caused them.
- The result is ``1-0``, ``0-1`` or ``1/2-1/2`` for two seats. Otherwise it has the payoffs of the seats, separated by
  colons: ``1:-1:-1``, or ``3124`` for one seat. ``*`` is an unfinished match.
- A match in the middle of a turn ends with the beginning of that turn; if that is ambiguous, in the form with bars
  (``papan.game.match.notation``).
- After a resignation, forfeit, fallen flag or agreed draw, ``Reason`` says so in the words of ``papan.game.match``, and
  the result is not that of the last turn.
- ``;`` begins a comment to the end of the line, ``{`` one to ``}``. Unknown tags are kept. What editors of PGN add is
  skipped: ``!?`` after a turn, ``$14``, variations in parentheses.

Undone steps are left out. Several records in one text are a collection: ``papan.game.match.collection``.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from papan.game.base.sentences import SentenceError, figures, say
from papan.game.base.untrusted import quoted, shortened, whole_number
from papan.game.catalogue import find
from papan.game.game import Game, OptionError
from papan.game.match import Match, read_conclusion
from papan.game.match.notation import parse_turn, write_turn
from papan.game.rules import CHANCE, Ending, IllegalStep, NotationError, PositionError

SKIPPED = "..."
"""Stands for a seat that did not act before the next one."""
NO_RESULT = "*"
REASON = "Reason"
COLUMNS = 80
"""The width of wrapped turns."""
_AS_IN_CHESS: Mapping[tuple[float, ...], str] = {(1.0, -1.0): "1-0", (-1.0, 1.0): "0-1", (0.0, 0.0): "1/2-1/2"}


class RecordError(SentenceError, ValueError):
    """A text is no record; the message says in which line, what is wrong, and what is right."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message if line is None else say("Line {line}: {message}", line=line, message=message))

    def in_line(self, line: int | None) -> RecordError:
        """The error with the number of its line, if that is known."""
        return RecordError(str(self), line)


class Round(NamedTuple):
    """The number of a round, and the seat that acted last in it."""

    number: int
    seat: int

    def then(self, seat: int) -> Round:
        """The round of a turn of *seat*: a new one if it or a later seat has acted. Chance doesn't change it."""
        if seat == CHANCE:
            return self
        return Round(self.number + (seat <= self.seat), seat)


BEFORE_FIRST_ROUND = Round(0, 99)
"""Any turn after it begins round 1."""


def write(match: Match) -> str:
    """The record of *match*, with a final line break."""
    work = writing(match)
    while True:
        try:
            next(work)
        except StopIteration as done:
            return str(done.value)


def writing(match: Match) -> Generator[None, None, str]:
    """Write the record of *match* turn by turn, so that it can be interrupted; the generator returns the text."""
    result = write_result(match.ending)
    tags = {**write_tags(match), "Result": result}
    if match.ending:
        tags[REASON] = match.ending.reason
    lines = [f"[{name} {quote(value)}]" for name, value in {**tags, **match.tags}.items()]
    pieces = []
    for piece in _written_turns(match):
        pieces.append(piece)
        yield
    return "\n".join([*lines, "", *_wrap([*pieces, result])]) + "\n"


def can_be_added(name: str) -> bool:
    """Whether *name* may be that of a tag besides those that every record has.

    >>> can_be_added("Event"), can_be_added("Seed"), can_be_added("Straße")
    (True, False, False)
    """
    is_own = name in (*_EXAMPLES, REASON) or _SEAT_TAG.fullmatch(name)
    return not is_own and re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name) is not None


def write_result(ending: Ending | None) -> str:
    """The result in the notation of records.

    >>> write_result(Ending((-1.0, 1.0), "no move")), write_result(Ending((1.0, -1.0, -1.0), "no move"))
    ('0-1', '1:-1:-1')
    """
    if ending is None:
        return NO_RESULT
    as_in_chess = _AS_IN_CHESS.get(ending.payoffs)
    return as_in_chess or ":".join(str(int(won) if won == int(won) else won) for won in ending.payoffs)


def _written_turns(match: Match) -> Iterator[str]:
    """Yield each turn with the number of its round and the marks of skipped seats."""
    states, steps, turns = match.states, match.steps, match.turns()
    current = BEFORE_FIRST_ROUND
    for turn in turns:
        text = write_turn(
            match.rules,
            states[turn.first_step],
            steps[turn.first_step : turn.end_step],
            may_be_unfinished=turn is turns[-1],
        )
        if turn.seat == CHANCE:
            yield f"({text})"
            continue
        last, current = current, current.then(turn.seat)
        is_new = current.number > last.number
        skipped = turn.seat if is_new else turn.seat - last.seat - 1
        yield " ".join([*([f"{current.number}."] if is_new else []), *[SKIPPED] * skipped, text])


def _wrap(pieces: Sequence[str]) -> list[str]:
    """Wrap *pieces*, without breaking them."""
    lines = [pieces[0]]
    for piece in pieces[1:]:
        if len(lines[-1]) + 1 + len(piece) <= COLUMNS:
            lines[-1] += " " + piece
        else:
            lines.append(piece)
    return lines


def write_tags(match: Match) -> dict[str, str]:
    """The tags of *match* without its result, for ``read_tags``."""
    return {
        "Game": match.game.name,
        "Version": str(match.game.version),
        "Options": " ".join(f"{name}={value}" for name, value in match.options.items()),
        "Seed": str(match.seed),
        **{f"Seat{number}": player for number, player in enumerate(match.seats, start=1)},
        "Date": match.date.isoformat().replace("-", "."),
        "Position": match.rules.text(match.states[0]),
        **match.tags,
    }


def quote(value: str) -> str:
    """*value* as a JSON string with unprintable characters escaped."""
    escaped = (json.dumps(sign) if sign in '"\\' or not sign.isprintable() else f'"{sign}"' for sign in value)
    return '"' + "".join(sign[1:-1] for sign in escaped) + '"'


MOST_CHARACTERS = 2 * 2**20
"""The longest record."""
MOST_WORDS = 300_000
"""Turns and numbers; the longest possible game of 2048 has two thirds of them."""
MOST_TAGS = 1000
# Possessive quantifiers: no backtracking, so reading takes linear time.
_GAP = re.compile(r"(?: \s++ | ;[^\n]*+ | \{[^}]*+\} )*+", re.VERBOSE)
_TAG = re.compile(r"""\[ \s*+ ([A-Za-z][A-Za-z0-9_]*+) \s*+ ( "(?: [^"\\\n]++ | \\[^\n] )*+" ) \s*+ \]""", re.VERBOSE)
_WORD = re.compile(r"[^\s;{}\[\]]++")
_NAG = re.compile(r"\$[0-9]{1,3}")
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
    if len(text) > MOST_CHARACTERS:
        raise RecordError.saying(
            "This is too long for the record of one match: more than {most} characters.", most=figures(MOST_CHARACTERS)
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
            raise RecordError.saying(
                "The result is given as {result}, but the turns lead to '{reached}' ({reason}).",
                result=quoted(result),
                reached=reached,
                reason=match.ending.reason,
            ).in_line(lines["Result"])
        raise RecordError.saying(
            "The result is given as {result}, but the turns lead to '{reached}': the game is not over.",
            result=quoted(result),
            reached=reached,
        ).in_line(lines["Result"])
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
        raise RecordError.saying("The position makes no sense: {error}", error=str(error)).in_line(
            lines.get("Position")
        ) from error
    match = Match(game, seats, options, seed, start, date)
    match.tags = {
        name: value for name, value in tags.items() if name not in _EXAMPLES and not _SEAT_TAG.fullmatch(name)
    }
    return match


def _check_version(game: Game, version: str, line: int | None) -> None:
    if version != str(game.version):
        raise RecordError.saying(
            "The record is for version {version} of {game}, and this program plays version {own}.",
            version=quoted(version),
            game=game.title,
            own=game.version,
        ).in_line(line)


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
            raise RecordError.saying(
                "The option {name} {problem}: write each option once, as in first=random.",
                name=quoted(name),
                problem=problem,
            ).in_line(line)
        options[name] = value
    try:
        return game.complete_options(options)
    except OptionError as error:
        raise RecordError(str(error), line) from error


def _read_seed(text: str, line: int | None) -> int:
    seed = whole_number(text)
    if seed is None:
        raise RecordError.saying(
            "The seed is {text}, which is not a whole number such as 12.", text=quoted(text)
        ).in_line(line)
    return seed


def _read_date(text: str, line: int | None) -> datetime.date:
    found = _DATE.fullmatch(text)
    try:
        if found:
            return datetime.date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        pass  # such as a 13th month
    raise RecordError.saying(
        "The date is {text}; write the year, month and day, as in 2026.11.20.", text=quoted(text)
    ).in_line(line)


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
    depth = 0  # of variations
    for (word, is_number), is_last in _with_last(_without_signs(words)):
        if depth or (match.mover != CHANCE and word.text.startswith("(")):
            depth += word.text.count("(") - word.text.count(")")
            continue
        if is_number:
            number = int(word.text)
            continue
        if match.ending and not match.ended_by_repetition:
            raise RecordError.saying(
                "{text} can't follow: the game is over ({reason}).", text=quoted(word.text), reason=match.ending.reason
            ).in_line(word.line)
        text = word.text
        if match.mover == CHANCE:
            if not (text.startswith("(") and text.endswith(")")):
                raise RecordError.saying(
                    "{text} should be in parentheses: chance is to act here, no seat.", text=quoted(text)
                ).in_line(word.line)
            text = text[1:-1]
        else:
            last, current = current, current.then(match.mover)
            expected = current.number if current.number > last.number or number is not None else None
            if number != expected:
                raise RecordError(_misnumbered(text, number, current, match), word.line)
            number = None
        try:
            for step in _read_turn(match, text, is_last):
                match.play(step, even_if_repeated=True)
        except (NotationError, IllegalStep) as error:
            raise RecordError(str(error), word.line) from error


def _read_turn(match: Match, text: str, is_last: bool) -> list[int]:
    """The steps of *text*, which may have an assessment such as ``!?`` behind it."""
    try:
        return parse_turn(match.rules, match.state, text, may_be_unfinished=is_last)
    except NotationError:
        bare = text.rstrip("!?")
        if bare in ("", text):
            raise
        return parse_turn(match.rules, match.state, bare, may_be_unfinished=is_last)


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
        if word.text.strip(".") and not _NAG.fullmatch(word.text):
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
        "Before {text} there is {found}, but this is {whose}: write {round}. there.",
        text=quoted(text),
        found=found,
        whose=whose,
        round=current.number,
    )


def lexemes(text: str, first_line: int) -> Iterator[Tag | Word]:
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
            raise RecordError.saying(
                "There is a tag {name} in line {line} already.", name=shortened(name), line=lines[name]
            ).in_line(line)
        if len(tags) == MOST_TAGS:
            raise RecordError.saying(
                "There are more than {most} tags: that is not a record of a match.", most=MOST_TAGS
            ).in_line(line)
        tags[name], lines[name] = value, line
    return tags, lines, None


def words_of(first: Word, others: Iterator[Tag | Word]) -> Iterator[Word]:
    """Yield *first* and *others*; raises RecordError for a tag among them, or for too many."""
    yield first
    for number, lexeme in enumerate(others, start=2):
        if isinstance(lexeme, Tag):
            raise RecordError.saying(
                "Tag {name} after the turns: a second record? Put each into a text of its own.",
                name=shortened(lexeme.name),
            ).in_line(lexeme.line)
        if number > MOST_WORDS:
            raise RecordError.saying(
                "There are more than {most} words: no match is so long.", most=figures(MOST_WORDS)
            ).in_line(lexeme.line)
        yield lexeme


def _unquote(quoted_value: str, line: int) -> str:
    try:
        return str(json.loads(quoted_value, strict=False))
    except ValueError as error:
        raise RecordError.saying(
            r"{text} has a \ that means nothing: write \\ for it, and \" for a quotation mark.",
            text=shortened(quoted_value),
        ).in_line(line) from error


def _stray(sign: str) -> str:
    if sign == "[":
        return say("After '[' should come a tag such as {example}", example=example_of("Game")[1:])
    if sign == "{":
        return say("The comment that begins with '{' never ends: write '}' after it.")
    return say("{sign} has no matching opening sign.", sign=quoted(sign))
