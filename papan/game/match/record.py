"""Records: matches as text that people can read, mail and keep.

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

- Seats stand in the order of play, whoever was chosen to start. ``Position`` is the position that the turns
  begin from, so that a record doesn't depend on how it was dealt; ``Seed`` is what chance goes on with.
- A round, in which every seat acts once, has a number. ``...`` stands for a seat that didn't act before
  another one did. What chance brought stands in parentheses, after the turn that called for it.
- The result is ``1-0``, ``0-1`` or ``1/2-1/2`` where two seats win, lose or draw. Any other is what each
  seat won, separated by colons: ``1:-1:-1``, or ``3124`` for one seat. ``*`` stands for none yet.
- A match in the middle of a turn ends with the beginning of that turn; see ``papan.game.match.notation`` for the form
  with bars, used where this could be read in two ways.
- ``;`` begins a comment that ends with the line, ``{`` one that ends with ``}``. Other tags are kept.

Steps that were taken back are not part of a record. One text holds one record.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from papan.game.catalogue import find
from papan.game.facts import Game, OptionError
from papan.game.match import Match
from papan.game.match.notation import parse_turn, write_turn
from papan.game.rules import CHANCE, Ending, IllegalStep, NotationError, PositionError

COLUMNS = 80
"""The turns are wrapped to lines of at most so many characters, where no turn is longer."""
MOST_BYTES = 16 * 2**20
"""A larger file is no record of a match that anybody has played."""
NO_RESULT = "*"
SKIPPED = "..."
_AS_IN_CHESS: Mapping[tuple[float, ...], str] = {(1.0, -1.0): "1-0", (-1.0, 1.0): "0-1", (0.0, 0.0): "1/2-1/2"}

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
"""The tags that each record must have, with a value to show in a message."""
_REASON = "Reason"

_SEAT_TAG = re.compile(r"Seat([1-9][0-9]?)")
_WHOLE_NUMBER = re.compile(r"-?[0-9]+")
_DATE = re.compile(r"([0-9]{4})\.([0-9]{2})\.([0-9]{2})")
_ROUND_NUMBER = re.compile(r"([0-9]{1,9})\.(.*)", re.DOTALL)
_LEXEME = re.compile(
    r"""(?P<space> \s+ )
      | (?P<comment> ;[^\n]* | \{[^}]*\} )
      | \[ \s* (?P<name> [A-Za-z][A-Za-z0-9_]* ) \s* (?P<value> "(?: [^"\\\n] | \\[^\n] )*" ) \s* \]
      | (?P<word> [^\s;{}\[\]]+ )""",
    re.VERBOSE,
)


class RecordError(ValueError):
    """A text that is no record; the message says in which line, what is wrong, and what would be right."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message if line is None else f"Line {line}: {message}")


class Round(NamedTuple):
    """Which round of a match is being played, and who acted last in it."""

    number: int
    seat: int

    def then(self, seat: int) -> Round:
        """The round after a turn of *seat*: a new one if the seat, or one after it, has acted. Chance has none."""
        if seat == CHANCE:
            return self
        return Round(self.number + (seat <= self.seat), seat)


BEFORE_FIRST_ROUND = Round(0, 99)
"""As if a seat after every other had just acted, so that any turn begins round 1."""


# ----------------------------------------------------------------------------------------- writing


def write(match: Match) -> str:
    """The record of *match* as it stands, ending with a line break."""
    result = write_result(match.ending)
    tags = {**write_tags(match), "Result": result}
    if match.ending:
        tags[_REASON] = match.ending.reason
    lines = [f"[{name} {_quote(value)}]" for name, value in {**tags, **match.tags}.items()]
    return "\n".join([*lines, "", *_wrap([*_written_turns(match), result])]) + "\n"


def write_tags(match: Match) -> dict[str, str]:
    """The tags with all facts of *match* besides its steps and result, for ``read_tags``."""
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


def write_result(ending: Ending | None) -> str:
    """The result of a match in the notation of records.

    >>> write_result(Ending((-1.0, 1.0), "no move")), write_result(Ending((1.0, -1.0, -1.0), "no move"))
    ('0-1', '1:-1:-1')
    """
    if ending is None:
        return NO_RESULT
    as_in_chess = _AS_IN_CHESS.get(ending.payoffs)
    return as_in_chess or ":".join(str(int(won) if won == int(won) else won) for won in ending.payoffs)


def _quote(value: str) -> str:
    """*value* as a JSON string, with everything escaped that doesn't show."""
    escaped = (json.dumps(sign) if sign in '"\\' or not sign.isprintable() else f'"{sign}"' for sign in value)
    return '"' + "".join(sign[1:-1] for sign in escaped) + '"'


def _written_turns(match: Match) -> Iterator[str]:
    """Each turn, with its round's number and the signs for seats that didn't act."""
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
    """Lines of *pieces*, which are not broken."""
    lines = [pieces[0]]
    for piece in pieces[1:]:
        if len(lines[-1]) + 1 + len(piece) <= COLUMNS:
            lines[-1] += " " + piece
        else:
            lines.append(piece)
    return lines


# ----------------------------------------------------------------------------------------- reading


class _Word(NamedTuple):
    text: str
    line: int


def read_text(path: Path) -> str:
    """The text in the file *path*, for ``read``.

    :raises RecordError: there is no such file, it can't be read, or it is too large or no text.
    """
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise RecordError(f"'{path.name}' has {size:,} bytes: too large for the record of one match.")
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordError(
            f"'{path.name}' is no text in UTF-8 (at byte {error.start}): a record is a text file."
        ) from error
    except OSError as error:
        raise RecordError(f"'{path}' can't be read: {error.strerror or error}.") from error


def read(text: str) -> Match:
    """The match whose record is *text*, played anew step by step.

    :raises RecordError: *text* is no record of a legal match; no other error is raised, whatever *text* is.
    """
    tags, lines, words = _take_apart(text.removeprefix("\ufeff"))
    if not tags:
        raise RecordError(f"There is no record here: a record begins with tags such as {_example_of('Game')}.")
    match = read_tags({name: tags[name] for name in tags if name not in ("Result", _REASON)}, lines)
    if "Result" not in tags:
        raise RecordError(_missing("Result"))
    result = tags["Result"]
    if not words or words[-1].text != result:
        found = f"ends with '{words[-1].text}'" if words else "has no turns"
        line = words[-1].line if words else lines["Result"]
        raise RecordError(
            f"A record ends with its result, here '{result}', but this one {found}; is a part of it missing?", line
        )
    _play_turns(match, words[:-1])
    reached = write_result(match.ending)
    if reached != result:
        why = f" ({match.ending.reason})" if match.ending else ": the game is not over"
        raise RecordError(
            f"The result is given as '{result}', but the turns lead to '{reached}'{why}.", lines["Result"]
        )
    return match


def read_tags(tags: Mapping[str, str], lines: Mapping[str, int] | None = None) -> Match:
    """The match, at its first state, that the *tags* from ``write_tags`` describe.

    :param lines: the line of each tag, for messages.
    :raises RecordError: a tag is missing or makes no sense.
    """
    lines = lines or {}
    for name in _EXAMPLES:
        if name not in tags and name != "Result":
            raise RecordError(_missing(name))
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
        raise RecordError(f"The position makes no sense: {error}", lines.get("Position")) from error
    match = Match(game, seats, options, seed, start, date)
    match.tags = {
        name: value for name, value in tags.items() if name not in _EXAMPLES and not _SEAT_TAG.fullmatch(name)
    }
    return match


def _example_of(name: str) -> str:
    return f"[{name} {_quote(_EXAMPLES.get(name, _EXAMPLES['Seat1']))}]"


def _missing(name: str) -> str:
    return f"The record has no tag {name}: add a line such as {_example_of(name)}."


def _check_version(game: Game, version: str, line: int | None) -> None:
    if version != str(game.version):
        raise RecordError(
            f"The record is for version '{version}' of {game.title}, and this program plays version {game.version}.",
            line,
        )


def _read_seats(game: Game, tags: Mapping[str, str], lines: Mapping[str, int]) -> list[str]:
    found = {int(tag[1]): name for name in tags if (tag := _SEAT_TAG.fullmatch(name))}
    for number in range(1, max(found) + 1):
        if number not in found:
            raise RecordError(_missing(f"Seat{number}"))
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
            problem = "is given twice" if equals else "has no value"
            raise RecordError(f"The option '{name}' {problem}: write each option once, as in first=random.", line)
        options[name] = value
    try:
        return game.complete_options(options)
    except OptionError as error:
        raise RecordError(str(error), line) from error


def _read_seed(text: str, line: int | None) -> int:
    try:
        if _WHOLE_NUMBER.fullmatch(text):
            return int(text)
    except ValueError:
        pass  # Python refuses numbers of thousands of digits
    raise RecordError(f"The seed is '{text}', which is not a whole number such as 12.", line)


def _read_date(text: str, line: int | None) -> datetime.date:
    found = _DATE.fullmatch(text)
    try:
        if found:
            return datetime.date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        pass  # such as a 13th month
    raise RecordError(f"The date is '{text}'; write the year, month and day, as in 2026.11.20.", line)


def _take_apart(text: str) -> tuple[dict[str, str], dict[str, int], list[_Word]]:
    """The tags, the line of each, and the words after them.

    :raises RecordError: something that is neither, or a tag that comes twice or after the turns.
    """
    tags: dict[str, str] = {}
    lines: dict[str, int] = {}
    words: list[_Word] = []
    line, offset = 1, 0
    while offset < len(text):
        found = _LEXEME.match(text, offset)
        if found is None:
            raise RecordError(_stray(text[offset]), line)
        if found["name"]:
            name = found["name"]
            if words:
                raise RecordError(
                    f"Tag {name} after the turns: a second record? Put each into a text of its own.", line
                )
            if name in tags:
                raise RecordError(f"There is a tag {name} in line {lines[name]} already.", line)
            tags[name], lines[name] = _unquote(found["value"], line), line
        elif found["word"]:
            words.append(_Word(found["word"], line))
        line += found[0].count("\n")
        offset = found.end()
    return tags, lines, words


def _unquote(quoted: str, line: int) -> str:
    try:
        return str(json.loads(quoted))
    except ValueError as error:
        raise RecordError(
            rf"{quoted} has a \ that means nothing: write \\ for it, and \" for a quotation mark.", line
        ) from error


def _stray(sign: str) -> str:
    if sign == "[":
        return f"After '[' should come a tag such as {_example_of('Game')[1:]}"
    if sign == "{":
        return "The comment that begins with '{' never ends: write '}' after it."
    return f"'{sign}' closes nothing that was opened."


def _play_turns(match: Match, words: Sequence[_Word]) -> None:
    """Play the turns *words* in *match*, whose numbers must be right."""
    current = BEFORE_FIRST_ROUND
    number: int | None = None  # of a round, not yet followed by its turn
    turns = list(_without_signs(words))
    for index, (word, is_number) in enumerate(turns):
        if is_number:
            number = int(word.text)
            continue
        if match.ending:
            raise RecordError(f"'{word.text}' can't follow: the game is over ({match.ending.reason}).", word.line)
        text = word.text
        if match.mover == CHANCE:
            if not (text.startswith("(") and text.endswith(")")):
                raise RecordError(f"'{text}' should be in parentheses: chance is to act here, no seat.", word.line)
            text = text[1:-1]
        else:
            last, current = current, current.then(match.mover)
            expected = current.number if current.number > last.number or number is not None else None
            if number != expected:
                raise RecordError(_misnumbered(text, number, current, match), word.line)
            number = None
        try:
            for step in parse_turn(match.rules, match.state, text, may_be_unfinished=index == len(turns) - 1):
                match.play(step)
        except (NotationError, IllegalStep) as error:
            raise RecordError(str(error), word.line) from error


def _without_signs(words: Sequence[_Word]) -> Iterator[tuple[_Word, bool]]:
    """The turns and the numbers before them, each with whether it is a number; ``1.4`` and ``1...`` are taken apart."""
    for word in words:
        numbered = _ROUND_NUMBER.fullmatch(word.text)
        if numbered:
            yield _Word(numbered[1], word.line), True
            word = _Word(numbered[2], word.line)
        if word.text.strip("."):
            yield word, False


def _misnumbered(text: str, number: int | None, current: Round, match: Match) -> str:
    found = "no number" if number is None else f"the number {number}"
    whose = f"seat {match.mover + 1}'s turn in round {current.number}"
    return f"Before '{text}' stands {found}, but it is {whose}: write {current.number}. there."
