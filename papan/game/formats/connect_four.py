"""Files of Connect Four: columns as digits, as solvers write them; replays of Kaggle's ConnectX; OpenSpiel's texts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from papan.game.base.sentences import say
from papan.game.base.untrusted import parsed_json, quoted
from papan.game.catalogue import BUILT_IN
from papan.game.formats import LIKELY, NO, PERHAPS, SURE, Format, FormatError, Replay, Transcript, open_spiel
from papan.game.formats.source import Source
from papan.game.match import Kind, Match
from papan.game.match.collection import Refused
from papan.game.rules import PositionError
from papan.game.rules.connect_four import COLUMNS, HEIGHT, ROWS, State, text

GAME = BUILT_IN["connect-four"]
_LINE = re.compile(rb"[1-7]{1,42}(\s+-?\d+)?\s*$")


@dataclass(frozen=True)
class Digits:
    """A game on each line, columns as 1 to 7; a score after it, as in Pascal Pons' sets, is skipped."""

    name: str = "digits"
    title: str = say("column digits")
    suffixes: Sequence[str] = (".txt",)

    def fits(self, source: Source) -> int:
        lines = [line for line in source.head.splitlines()[:50] if line.strip()]
        if not lines or not _LINE.match(lines[0]):
            return NO
        return LIKELY if all(map(_LINE.match, lines[:-1])) else PERHAPS

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        number = 0
        for line_number, line in enumerate(source.lines(), start=1):
            if line.strip():
                number += 1
                yield _read_line(line.split()[0], number, line_number)

    def write(self, matches: Iterable[Match]) -> Iterator[bytes]:
        for match in matches:
            columns = match.rules.text(match.states[0]) + "".join(turn.notation for turn in match.turns())
            if not columns:
                raise FormatError.saying("It has no turns.")
            yield columns.encode() + b"\n"


def _read_line(text: str, number: int, line: int) -> Transcript | Refused:
    replay = Replay(GAME)
    for place, digit in enumerate(text, start=1):
        step = ord(digit) - ord("1")
        if replay.is_over or step not in replay.legal():
            reason = say("disc {place}, {digit}, can't be dropped", place=place, digit=quoted(digit))
            return Refused(number, say("{text}: {reason}.", text=quoted(text), reason=reason), line)
        replay.play(step)
    return replay.transcript()


@dataclass(frozen=True)
class Kaggle:
    """A replay of Kaggle's ConnectX, or a list of them.

    ``steps`` holds, for each state, what both agents were asked and did: the action of an agent that was not ``ACTIVE``
    in the state before means nothing, although it is 0, the number of a column. Source: kaggle-environments.
    """

    name: str = "connectx"
    title: str = say("Kaggle's ConnectX replays")
    suffixes: Sequence[str] = (".json",)

    def fits(self, source: Source) -> int:
        head = source.head
        if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
            return NO
        if re.search(rb'"name"\s*:\s*"connectx"', head):
            return SURE
        return LIKELY if b'"inarow"' in head else NO

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        try:
            found = parsed_json(source.data())
        except ValueError as error:
            raise FormatError.saying("{name}: {reason}.", name=quoted(source.name), reason=str(error)) from error
        for number, replay in enumerate(found if isinstance(found, list) else [found], start=1):
            try:
                yield _read_replay(replay)
            except FormatError as error:
                yield Refused(number, str(error))


_ENDED_BY: dict[str, Kind] = {"TIMEOUT": "time", "INVALID": "forfeited", "ERROR": "forfeited"}
_USUAL_BOARD = {"columns": COLUMNS, "rows": ROWS, "inarow": 4}


def _read_replay(found: Any) -> Transcript:
    steps = found.get("steps") if isinstance(found, dict) else None
    if not isinstance(steps, list) or not steps:
        raise FormatError.saying("It has no {name}, a list: it is no replay of ConnectX.", name=quoted("steps"))
    _check_board(found.get("configuration"))
    replay = Replay(GAME)
    ended_by: Kind = "resigned"
    for number, (before, after) in enumerate(itertools.pairwise(steps), start=1):
        seat = _active(before, replay.mover)
        action, status = _agent(after, seat).get("action"), _agent(after, seat).get("status")
        ended_by = _ENDED_BY.get(str(status), ended_by)
        if replay.is_over or str(status) in _ENDED_BY:
            break
        if seat != replay.mover or type(action) is not int or action not in replay.legal():
            raise FormatError.saying(
                "Step {number}: agent {agent} can't drop a disc into column {column}, counted from 0.",
                number=number,
                agent=seat,
                column=quoted(str(action)),
            )
        replay.play(action)
    return replay.transcript(players=_players(found), payoffs=_payoffs(found), ended_by=ended_by)


def _check_board(configuration: Any) -> None:
    told = configuration if isinstance(configuration, dict) else {}
    for name, usual in _USUAL_BOARD.items():
        if told.get(name, usual) != usual:
            raise FormatError.saying(
                "{name} is {told} there, but {usual} in this game.",
                name=quoted(name),
                told=quoted(str(told[name])),
                usual=usual,
            )


def _agent(step: Any, seat: int) -> dict[str, Any]:
    agent = step[seat] if isinstance(step, list) and seat < len(step) else None
    return agent if isinstance(agent, dict) else {}


def _active(step: Any, usual: int) -> int:
    """The agent that is asked in *step*; *usual* if it doesn't say."""
    active = [seat for seat in range(2) if _agent(step, seat).get("status") == "ACTIVE"]
    return active[0] if len(active) == 1 else usual


def _players(found: dict[str, Any]) -> Sequence[str]:
    information = found.get("info")
    names = information.get("TeamNames") if isinstance(information, dict) else None
    return [str(name) for name in names] if isinstance(names, list) and len(names) == 2 else ()


def _payoffs(found: dict[str, Any]) -> tuple[float, ...] | None:
    rewards = found.get("rewards")
    if not isinstance(rewards, list) or len(rewards) != 2:
        return None
    first, second = (won if isinstance(won, int | float) else -1 for won in rewards)  # null: it made an error
    return (float((first > second) - (first < second)), float((second > first) - (second < first)))


@dataclass(frozen=True)
class Playthrough:
    """A playthrough of OpenSpiel's ``connect_four``, whose actions are columns from 0."""

    name: str = "openspiel-connect-four"
    title: str = say("OpenSpiel's playthroughs")
    suffixes: Sequence[str] = (".txt",)

    def fits(self, source: Source) -> int:
        return SURE if open_spiel.game_of(source) == "connect_four" else NO

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        told = open_spiel.read(source)
        try:
            open_spiel.check_parameters(told, {"columns": "7", "rows": "6", "x_in_row": "4"})
        except FormatError as error:
            yield Refused(1, str(error))
            return
        replay = Replay(GAME)
        for action in told.actions:
            if replay.is_over or action.number not in replay.legal():
                yield Refused(1, say("Action {number} is no column with room.", number=action.number), action.line)
                return
            replay.play(action.number)
        yield replay.transcript(cut=0 if replay.is_over else told.last_line)


@dataclass(frozen=True)
class Boards:
    """Boards as OpenSpiel writes them: six lines of seven signs, x begins, . is empty; each a position."""

    name: str = "connect-four-boards"
    title: str = say("Connect Four's boards as text")
    suffixes: Sequence[str] = (".txt",)

    def fits(self, source: Source) -> int:
        lines = [line.strip() for line in source.head.splitlines()[:ROWS] if line.strip()]
        return LIKELY if len(lines) == ROWS and all(map(_BOARD_LINE.fullmatch, lines)) else NO

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        lines: list[str] = []
        number = 0
        for line_number, line in enumerate(source.lines(), start=1):
            if not line.strip():
                continue
            lines.append(line.strip())
            if len(lines) == ROWS:
                number += 1
                yield _read_board(lines, number, line_number - ROWS + 1)
                lines = []
        if lines:
            reason = say("A board has {rows} lines; here are {count}.", rows=ROWS, count=len(lines))
            yield Refused(number + 1, reason)


_BOARD_LINE = re.compile(rb"[xoXO._-]{%d}" % COLUMNS)


def _read_board(lines: Sequence[str], number: int, line: int) -> Transcript | Refused:
    sets = {"x": 0, "o": 0}
    for row, signs in enumerate(reversed(lines)):
        if not _BOARD_LINE.fullmatch(signs.encode()):
            reason = say("{text} is no line of a board: write seven of x, o and a full stop.", text=quoted(signs))
            return Refused(number, reason, line + ROWS - 1 - row)
        for column, sign in enumerate(signs.lower()):
            if sign in sets:
                sets[sign] |= 1 << (column * HEIGHT + row)
    first, second = sets["x"], sets["o"]
    is_first = first.bit_count() == second.bit_count()
    try:
        position = text(State(first, second) if is_first else State(second, first))
    except PositionError as error:
        return Refused(number, str(error), line)
    return Transcript(GAME, position=position)


FORMATS: Sequence[Format] = (Digits(), Kaggle(), Playthrough(), Boards())
