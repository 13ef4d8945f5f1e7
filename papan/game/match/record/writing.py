"""Write records: the tags and the turns in rounds."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import NamedTuple

from papan.game.base.sentences import SentenceError, say
from papan.game.match import Match
from papan.game.match.notation import write_turn
from papan.game.rules import CHANCE, Ending

SKIPPED = "..."
"""Stands for a seat that did not act before the next one."""
NO_RESULT = "*"
REASON = "Reason"
COLUMNS = 80
"""The width to which turns are wrapped."""
_AS_IN_CHESS: Mapping[tuple[float, ...], str] = {(1.0, -1.0): "1-0", (-1.0, 1.0): "0-1", (0.0, 0.0): "1/2-1/2"}


class RecordError(SentenceError, ValueError):
    """A text is no record; the message says in which line, what is wrong, and what would be right."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message if line is None else say("Line {line}: {message}", line=line, message=message))


class RecordFileError(RecordError):
    """A file or stream has no text that could be a record."""


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
