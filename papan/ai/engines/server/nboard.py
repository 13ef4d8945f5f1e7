"""Papan as an engine of NBoard's protocol for Othello (Welty, version 2).

Games come in the format GGF; the board and the turns are read. Unknown commands are ignored, as the protocol demands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from papan.ai.engines.server import NAME, EngineServer, Refused
from papan.ai.engines.server.search_thread import Finding
from papan.ai.limits import Analysis, Limit, Line
from papan.ai.search.negamax import MOST_DEPTH
from papan.game.base.untrusted import shortened, whole_number
from papan.game.match import Match

MOST_SECONDS = 5.0
"""Seconds per turn at any depth, as the protocol has no time."""
_PROPERTY = re.compile(r"([A-Z]{1,2})\[([^\]]*)\]")
_MOST_HINTS = 60


class NBoard(EngineServer):
    _depth = MOST_DEPTH - 1

    def take(self, line: str) -> None:
        command, _space, rest = line.partition(" ")
        commands: Mapping[str, Callable[[str], object]] = {
            "nboard": lambda version: self.say(f"set myname {NAME}"),
            "set": self._set,
            "move": self._move,
            "hint": self._hint,
            "go": self._go,
            "ping": self._pong,
            "learn": lambda rest: self.say("learned"),
            "quit": self._quit,
        }
        try:
            if command in commands:
                commands[command](rest.strip())
        except Refused as error:
            self.say(f"status {shortened(str(error))}")

    def _set(self, words: str) -> None:
        name, _space, value = words.partition(" ")
        if name == "depth":
            number = whole_number(value.strip())
            if number is None or number < 1:
                raise Refused("a depth must be a whole number")
            self._depth = min(number, MOST_DEPTH - 1)
        elif name == "game":
            self.search.drop()
            self.match = self._game(value)

    def _game(self, text: str) -> Match:
        properties = _PROPERTY.findall(text)
        boards = [value for name, value in properties if name == "BO"]
        match = self.new_match(boards[-1] if boards else None)
        for name, value in properties:
            if name in ("B", "W"):
                self.play_turn(match, value.split("/")[0].strip())
        return match

    def _move(self, words: str) -> None:
        self.search.drop()
        self.play_turn(self.match, words.split("/")[0].strip())

    def _pong(self, number: str) -> None:
        self.search.drop()
        self.search.prepare(self.match)
        self.say(f"pong {number}")

    def _quit(self, rest: str) -> None:
        self.has_ended = True

    # --------------------------------------------------------------------------------- thinking

    def _go(self, rest: str) -> None:
        self.check_going()
        self.say("status Papan is thinking")
        self.think(Limit(MOST_SECONDS, self._depth), self._answer)

    def _answer(self, finding: Finding) -> None:
        turn = self.turn_of(finding.match, finding.steps)
        self.say(f"=== {turn}/{self._score(finding.analysis.score)}/{finding.seconds:.2f}", "status")

    def _hint(self, number: str) -> None:
        self.check_going()
        lines = max(1, min(whole_number(number) or 1, _MOST_HINTS))
        self.say("status Papan is thinking")
        self.think(Limit(MOST_SECONDS, self._depth), self._tell_hints, lines=lines)

    def _tell_hints(self, finding: Finding) -> None:
        found = finding.analysis
        for line in found.lines or (_as_line(found),):
            self._tell_line(finding, line)
        self.say("status")

    def tell(self, finding: Finding) -> None:
        self.say(f"nodestats {finding.analysis.nodes} {finding.seconds:.2f}")
        self._tell_line(finding, _as_line(finding.analysis))

    def _tell_line(self, finding: Finding, line: Line) -> None:
        turns = "-".join(self.line_of(finding.match, line.principal_variation or (line.step,)))
        depth = "100%" if line.is_proven else str(finding.analysis.depth)
        self.say(f"search {turns} {self._score(line.score)} 0 {depth}")

    def _score(self, score: float) -> str:
        """*score* in discs; 64 for a certain win."""
        return f"{max(-64.0, min(score / self.unit, 64.0)):.2f}"


def _as_line(found: Analysis) -> Line:
    return Line(found.step, found.score, found.principal_variation, found.is_proven)
