"""Files of Connect Four: columns as digits, one game a line, as solvers and their test sets write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted
from papan.game.catalogue import BUILT_IN
from papan.game.formats import LIKELY, NO, PERHAPS, Format, Replay, Transcript
from papan.game.formats.source import Source
from papan.game.match import Match
from papan.game.match.collection import Refused

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
            yield "".join(turn.notation for turn in match.turns()).encode() + b"\n"


def _read_line(text: str, number: int, line: int) -> Transcript | Refused:
    replay = Replay(GAME)
    for place, digit in enumerate(text, start=1):
        step = ord(digit) - ord("1")
        if replay.is_over or step not in replay.legal():
            reason = say("disc {place}, {digit}, can't be dropped", place=place, digit=quoted(digit))
            return Refused(number, say("{text}: {reason}.", text=quoted(text), reason=reason), line)
        replay.play(step)
    return replay.transcript()


FORMATS: Sequence[Format] = (Digits(),)
