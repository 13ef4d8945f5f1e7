"""Client of NBoard's protocol for Othello (Welty, version 2): we send a game in the format GGF, and a depth.

The protocol has no time for a turn; an entry's time is how long we wait.
"""

from __future__ import annotations

import re

from papan.ai.engines.client import EngineClient, Findings, Question
from papan.game.base.untrusted import decimal_number, whole_number

USUAL_DEPTH = 8
"""The depth if the entry has none."""
_PARTS = re.compile(r"[/ ]+")
_COLOURS = "BW"


class NBoard(EngineClient):
    _pings = 0

    def introduce(self, deadline: float) -> None:
        self.process.send("nboard 2")
        self._ping(deadline)

    def greet(self, deadline: float) -> None:
        self.introduce(deadline)
        for name, value in self.settings.items():
            self.process.send(f"set {name} {value}")
        if self.settings:
            self._ping(deadline)

    def _ping(self, deadline: float) -> None:
        self._pings += 1
        self.process.send(f"ping {self._pings}")
        for line in self.lines(deadline, "pong"):
            if line.startswith("set myname "):
                self.call_itself(line.removeprefix("set myname "))

    def pose(self, question: Question, deadline: float) -> None:
        self.findings = Findings()
        turns = "".join(f"{_COLOURS[turn.seat]}[{self.written(turn)}]" for turn in question.turns)
        board = self.position(question.start)
        self.process.send(f"set depth {question.limit.depth or USUAL_DEPTH}")
        self.process.send(f"set game (;GM[Othello]PC[Papan]PB[black]PW[white]RE[?]TI[15:00]TY[8]BO[{board}]{turns};)")
        self._ping(deadline)
        self.process.send("go")

    def read(self, line: str) -> str | None:
        if line.startswith("==="):
            turn, *rest = _PARTS.split(line.removeprefix("===").strip())
            if rest and (score := decimal_number(rest[0])) is not None:
                self.findings.score = score
            if not turn:
                raise self.no_turn(line)
            self.findings.line = self.findings.line if self.findings.line[:1] == (turn,) else (turn,)
            return turn
        word, *words = line.split()
        if word == "nodestats" and words:
            self.findings.nodes = max(0, whole_number(words[0]) or 0)
        elif word == "search" and len(words) >= 4:
            line_, score_, _games, depth = words[:4]
            found = re.match(r"[0-9]{1,3}", depth)
            self.findings.line = tuple(re.findall(r"[A-Ha-h][1-8]|[Pp][AaSs]", line_))
            self.findings.score = decimal_number(score_.split(",")[0])
            self.findings.depth = int(found[0]) if found else 0
        return None
