"""Client of GTP, the Go text protocol (Farnebäck, version 2), for Othello; it sends turns, not positions."""

from __future__ import annotations

import math
import random

from papan.ai.engines import EngineError, RefusedCommand
from papan.ai.engines.client import EngineClient, Findings, Question
from papan.ai.search import PlayedTurn
from papan.game.base.untrusted import quoted, quoted_report

_COLOURS = ("black", "white")
_SIZE = 8


class Gtp(EngineClient):
    turns_to_try = 4  # nearly all programs play Go
    _told: tuple[PlayedTurn, ...] = ()
    """The turns on its board without its own last one."""
    _own = ""

    def introduce(self, deadline: float) -> None:
        self.call_itself(self._command("name", deadline))

    def greet(self, deadline: float) -> None:
        self.introduce(deadline)
        for name, value in self.settings.items():
            self._command(f"{name} {value}", deadline)
        self._command(f"boardsize {_SIZE}", deadline)

    def _command(self, command: str, deadline: float) -> str:
        """Send *command* and return the reply; may raise RefusedCommand."""
        self.process.send(command)
        while True:
            reply = self._reply(self.process.hear(deadline), command)
            if reply is not None:
                return reply

    def _reply(self, line: str, command: str) -> str | None:
        if line.startswith("?"):
            engine, told = self.process.name, quoted(command)
            raise RefusedCommand.saying(
                "{engine} refuses {command} ({line}).", engine=engine, command=told, line=quoted_report(line)
            )
        return line.removeprefix("=").strip() if line.startswith("=") else None

    def pose(self, question: Question, deadline: float) -> None:
        self.findings = Findings()
        usual = self.rules.start(question.options, random.Random(0))
        if question.start != usual:
            raise EngineError.saying(
                "{engine} speaks GTP, which can only start from the first position.", engine=self.process.name
            )
        known = len(self._told)
        if known == 0 or question.turns[:known] != self._told:
            self._command("clear_board", deadline)
            known = 0
        elif self._own and len(question.turns) > known and self.written(question.turns[known]) == self._own:
            known += 1
        elif self._own:
            self._command("undo", deadline)
        self._own = ""
        for turn in question.turns[known:]:
            self._command(f"play {_COLOURS[turn.seat]} {self.written(turn)}", deadline)
        self._told = question.turns
        if question.limit.time is not None:
            seconds = max(1, math.ceil(question.limit.time))
            self._command(f"time_settings 0 {seconds} 1", deadline)
        self.process.send(f"genmove {_COLOURS[question.seat]}")

    def read(self, line: str) -> str | None:
        turn = self._reply(line, "genmove")
        if turn is None:
            return None
        if turn.lower() == "resign":
            raise self.resignation()
        if not turn:
            raise self.no_turn(line)
        self._own = "pass" if turn.lower() == "pass" else turn.upper()
        return turn
