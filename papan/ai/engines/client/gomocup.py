"""Client of Gomocup's protocol (Laštovička, 2000, protocl2en): we send stones, the engine answers with a cell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from papan.ai.engines import EngineError
from papan.ai.engines.client import EngineClient, Findings, Question
from papan.game.base.untrusted import quoted_report

_FACTS = re.compile(r'\b(name|author) ?= ?"([^"]*)"', re.IGNORECASE)
_ASIDE = ("MESSAGE", "DEBUG")
_REPORTS = ("ERROR", "MESSAGE", "UNKNOWN")
_NO_LIMIT = 10**9
"""Milliseconds; 0 would mean as fast as possible."""
_OWN, _OTHERS = 1, 2


class Gomocup(EngineClient):
    leaving: ClassVar[Sequence[str]] = ("END",)
    must_tell_name: ClassVar[bool] = True
    _posed: Question | None = None
    _stones: Sequence[str] = ()
    """The stones on its board, in the order of play."""

    def introduce(self, deadline: float) -> None:
        self.process.send("ABOUT")
        facts = {name.lower(): value for name, value in _FACTS.findall(self._reply(deadline))}
        self.call_itself(facts.get("name", ""), facts.get("author", ""))

    def greet(self, deadline: float) -> None:
        self.introduce(deadline)

    def _reply(self, deadline: float) -> str:
        """Return the next line that is not a message."""
        while self._is_aside(line := self.process.hear(deadline)):
            pass
        return line

    def _is_aside(self, line: str) -> bool:
        """Whether *line* is a message; what it reports is logged."""
        word = line.split()[0].upper()
        if word in _REPORTS:
            self.process.note(line)
        return word in _ASIDE

    def pose(self, question: Question, deadline: float) -> None:
        self.findings = Findings()
        stones = [
            *self.position(question.start).split(),
            *(self.written(turn) for turn in question.turns),
        ]
        is_new = self._posed is None or self._posed.options != question.options
        goes_on = not is_new and len(stones) == len(self._stones) + 1 and stones[:-1] == list(self._stones)
        if is_new:
            self._start(question, deadline)
        elif not goes_on:
            self._restart(question, deadline)
        self._posed, self._stones = question, stones
        if goes_on:
            self.process.send(f"TURN {stones[-1]}")
        elif not stones:
            self.process.send("BEGIN")
        else:
            self._show_board(stones)

    def _start(self, question: Question, deadline: float) -> None:
        settings = dict(self.dialect.settings(question.options))
        self._expect_ok(f"START {settings.pop('size')}", deadline)
        limit = question.limit
        told = {
            "timeout_turn": str(_NO_LIMIT if limit.time is None else max(1, round(1000 * limit.time))),
            "timeout_match": "0",
            "game_type": "1",
            **({} if limit.depth is None else {"max_depth": str(limit.depth)}),
            **({} if limit.nodes is None else {"max_node": str(limit.nodes)}),
            **settings,
            **self.settings,
        }
        for name, value in told.items():
            self.process.send(f"INFO {name} {value}")

    def _restart(self, question: Question, deadline: float) -> None:
        self.process.send("RESTART")
        if not self._reply(deadline).upper().startswith("OK"):
            self._start(question, deadline)

    def _expect_ok(self, command: str, deadline: float) -> None:
        self.process.send(command)
        reply = self._reply(deadline)
        if not reply.upper().startswith("OK"):
            engine, told = self.process.name, quoted_report(reply)
            raise EngineError.saying(
                "{engine} answered {reply} to {command}.", engine=engine, reply=told, command=command
            )

    def _show_board(self, stones: Sequence[str]) -> None:
        self.process.send("BOARD")
        for index, stone in enumerate(stones):
            is_own = (len(stones) - index) % 2 == 0
            self.process.send(f"{stone},{_OWN if is_own else _OTHERS}")
        self.process.send("DONE")

    def read(self, line: str) -> str | None:
        if not self._is_aside(line) and line.split()[0].upper() == "ERROR":
            raise self.no_turn(line)
        if not line[0].isdecimal():
            return None  # a message, or noise: many programs print more than they should
        turn = line.replace(" ", "")
        self._stones = [*self._stones, turn]
        return turn
