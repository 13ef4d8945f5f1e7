"""Papan as an engine of NBoard's protocol for Othello (Welty, version 2).

Games come in the format GGF; the board and the turns are read. Unknown commands are ignored, as the protocol demands.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping

from papan.ai.engines.server import NAME, EngineServer, Refused
from papan.ai.engines.server.search_thread import Finding
from papan.ai.exact import exact_of, measure_of
from papan.ai.limits import WIN_BOUND, Limit, Line
from papan.ai.search.negamax import MOST_DEPTH
from papan.game.base.untrusted import shortened, whole_number
from papan.game.match import Match
from papan.game.rules import State

MOST_SECONDS = 5.0
"""Seconds per turn at any depth, as the protocol has no time."""
_PROPERTY = re.compile(r"([A-Z]{1,2})\[([^\]]*)\]")
_MOST_HINTS = 60
_EMPTY = "-"
_SOLVED, _WON_OR_LOST = "100%", "100%W"
"""The depths of a line that is solved to the last disc, and of one that is known to be won or lost."""
_LEAST_WIN = 2.0
"""Discs: the difference is even."""


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
            with self.reading_position():
                self.match = self._game(value)

    def _game(self, text: str) -> Match:
        if not (text.startswith("(;") and text.rstrip().endswith(")")):
            raise Refused("a game is GGF from '(;' to ';)', such as (;GM[Othello]BO[8 … *]B[f5];)")
        properties = _PROPERTY.findall(text)
        boards = [value for name, value in properties if name == "BO"]
        match = self.new_match(boards[-1] if boards else None)
        for name, value in properties:
            if name in ("B", "W"):
                self.play_turn(match, value.split("/")[0].strip())
        return match

    def _move(self, words: str) -> None:
        self.search.drop()
        self.check_position()
        with self.reading_position():
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
        is_near = self._empty_cells() <= self._depth
        self.think(self._to_the_end() if is_near else Limit(MOST_SECONDS, self._depth), self._answer)

    def _to_the_end(self) -> Limit:
        """The limit of a search that solves the position, if it is near the end: no depth limits a solver.

        Depths near the end are up to us, as the protocol says.
        """
        solver = exact_of(self.game)
        can_solve = solver is not None and solver.can_solve(self.match.state)
        return Limit(MOST_SECONDS, None if can_solve else self._depth)

    def _empty_cells(self) -> int:
        return self.dialect.write_position(self.game.rules.text(self.match.state)).count(_EMPTY)

    def _answer(self, finding: Finding) -> None:
        turn = self.turn_of(finding.match, finding.steps)
        discs, _is_exact = self._discs(finding.match.state, finding.lines[0])
        self.say(f"=== {turn}/{discs:.2f}/{finding.seconds:.2f}", "status")

    def _hint(self, number: str) -> None:
        self.check_going()
        lines = max(1, min(whole_number(number) or 1, _MOST_HINTS))
        self.say("status Papan is thinking")
        self.think(self._to_the_end(), self._tell_hints, lines=lines)

    def _tell_hints(self, finding: Finding) -> None:
        for line in finding.lines:
            self._tell_line(finding, line)
        self.say("status")

    def tell(self, finding: Finding) -> None:
        self.say(f"nodestats {finding.analysis.nodes} {finding.seconds:.2f}")
        self._tell_line(finding, finding.lines[0])

    def _tell_line(self, finding: Finding, line: Line) -> None:
        turns = "-".join(self.line_of(finding.match, line.principal_variation or (line.step,)))
        discs, is_exact = self._discs(finding.match.state, line)
        depth = str(finding.analysis.depth)
        if line.is_proven or not is_exact:
            depth = _SOLVED if is_exact else _WON_OR_LOST
        self.say(f"search {turns} {discs:.2f} 0 {depth}")

    def _discs(self, state: State, line: Line) -> tuple[float, bool]:
        """The score of *line* in discs, and whether that is its size: of a win without its size, the least is told."""
        if abs(line.score) < WIN_BOUND:
            return max(-64.0, min(line.score / self.unit, 64.0)), True
        solver = exact_of(self.game)
        discs = measure_of(solver, state, line.score).number if solver is not None and line.is_proven else None
        return (discs, True) if discs else (math.copysign(_LEAST_WIN, line.score), False)
