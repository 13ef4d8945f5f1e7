"""Papan as an engine of Gomocup's protocol (Laštovička, 2000, protocl2en), for gomoku.

Boards come stone by stone, in the order of play within each colour. Rules and sizes of boards that are none of ours
are refused, and nothing is played until others come: continuous games, and renju or caro with unknown additions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from papan.ai.engines.dialect import Dialect, Options
from papan.ai.engines.games.gomoku import RULES
from papan.ai.engines.server import AUTHOR, USUAL_SECONDS, EngineServer, Refused
from papan.ai.engines.server.search_thread import Finding
from papan.ai.engines.server.uci import shared
from papan.ai.limits import Limit
from papan.ai.players import MOST_MEMORY, MOST_THREADS
from papan.game.base.untrusted import plain, shortened, whole_number
from papan.game.base.version import VERSION
from papan.game.game import Game
from papan.game.match import Match

_STONE = re.compile(r"([0-9]{1,2}) ?, ?([0-9]{1,2}) ?, ?([12])")
_CELL = re.compile(r"([0-9]{1,2}) ?, ?([0-9]{1,2})")
_KEPT = ("rule", "timeout_turn", "timeout_match", "time_left", "max_depth")
_MARGIN = 0.03
"""Seconds for sending an answer."""


class Gomocup(EngineServer):
    _has_started = False
    _stones: list[tuple[str, bool]] | None = None
    """The stones of a board being received, each with whether it is ours; None outside BOARD."""

    def __init__(self, game: Game, dialect: Dialect, options: Options, write: Callable[[str], None]) -> None:
        super().__init__(game, dialect, options, write)
        self._numbers: dict[str, int] = {}

    def take(self, line: str) -> None:
        try:
            if self._stones is not None:
                self._take_stone(line, self._stones)
                return
            command, _space, rest = line.partition(" ")
            commands: Mapping[str, Callable[[str], object]] = {
                "START": self._start,
                "RESTART": self._restart,
                "BEGIN": self._begin,
                "TURN": self._turn,
                "BOARD": self._board,
                "TAKEBACK": self._take_back,
                "INFO": self._inform,
                "ABOUT": lambda rest: self.say(f'name="Papan", version="{VERSION}", author="{AUTHOR}"'),
                "END": self._end,
                "YXSTOP": lambda rest: self.search.stop(),
            }
            if command.upper() in commands:
                commands[command.upper()](rest.strip())
            else:
                self.say("UNKNOWN command")
        except Refused as error:
            self.say(f"ERROR {shortened(str(error))}")

    # --------------------------------------------------------------------------------- the match

    def _start(self, size: str) -> None:
        self.search.drop()
        self._has_started = False
        self.set_options({"size": size, "rule": self._rule()})
        self._has_started = True
        self.search.prepare(self.match)
        self.say("OK")

    def _restart(self, rest: str) -> None:
        self._check_started()
        self.search.drop()
        self.set_options({"size": self.options["size"], "rule": self._rule()})
        self.say("OK")

    def _check_started(self) -> None:
        if not self._has_started:
            raise Refused("START comes first")
        self._rule()

    def _rule(self) -> str:
        """The number of the rule that was told last; raises Refused if no game of ours has it."""
        number = self._numbers.get("rule")
        if number is None:
            return self.dialect.settings(self.match.options)["rule"]
        if number not in RULES:
            known = ", ".join(map(str, RULES))
            raise Refused(
                f"rule {number} is none of {known}: 1 exactly five, 4 renju, 8 caro, 9 caro with exactly five"
            )
        return str(number)

    def _begin(self, rest: str) -> None:
        self._check_started()
        self.search.drop()
        if self.match.steps:
            raise Refused("BEGIN is for an empty board")
        self._think()

    def _turn(self, cell: str) -> None:
        self._check_started()
        self.search.drop()
        self.play_turn(self.match, _cell(cell))
        self._think()

    def _board(self, rest: str) -> None:
        self._check_started()
        self.search.drop()
        self._stones = []

    def _take_stone(self, line: str, stones: list[tuple[str, bool]]) -> None:
        if line.upper() == "DONE":
            self._stones = None
            self.match = self._with_stones(stones)
            self._think()
            return
        found = _STONE.fullmatch(line)
        if not found:
            self._stones = None
            raise Refused(f"after BOARD come x,y,1 or x,y,2, and DONE, not {plain(line)}")
        if len(stones) == self.game.rules.MOST_STEPS:
            self._stones = None
            raise Refused(f"no board has more than {len(stones)} cells")
        stones.append((f"{found[1]},{found[2]}", found[3] == "1"))

    def _with_stones(self, stones: list[tuple[str, bool]]) -> Match:
        """A match with *stones*, ours and theirs by turns."""
        own = [cell for cell, is_own in stones if is_own]
        others = [cell for cell, is_own in stones if not is_own]
        first, second = (own, others) if len(own) == len(others) else (others, own)
        if len(first) - len(second) not in (0, 1):
            raise Refused(f"{len(own)} and {len(others)} stones can't be on a board where it is my turn")
        self.set_options({"size": self.options["size"], "rule": self._rule()})
        match = self.new_match()
        for index in range(len(stones)):
            self.play_turn(match, (second if index % 2 else first)[index // 2])
        return match

    def _take_back(self, cell: str) -> None:
        self._check_started()
        self.search.drop()
        last = self.match.up_to(max(0, len(self.match.steps) - 1))
        if not self.match.steps or self.turn_of(last, self.match.steps[-1:]) != _cell(cell):
            raise Refused("only the last stone can be taken back")
        self.match = last
        self.say("OK")

    def _inform(self, words: str) -> None:
        name, _space, value = words.partition(" ")
        number = whole_number(value.strip())
        if number is None:
            return  # such as a folder
        if name == "rule":
            self._numbers[name] = number
            rule = self._rule()
            if self._has_started and not self.match.steps:
                self.set_options({"size": self.options["size"], "rule": rule})
        elif name == "max_memory" and number > 0:
            self.configure(memory=max(1, min(number // 2**21, MOST_MEMORY)))  # half of it for the table, in MiB
        elif name in ("thread_num", "thread"):
            self.configure(threads=max(1, min(number, MOST_THREADS)))
        if name in _KEPT:
            self._numbers[name] = number

    def _end(self, rest: str) -> None:
        self.has_ended = True

    # --------------------------------------------------------------------------------- thinking

    def _think(self) -> None:
        self.check_going()
        told = self._numbers
        seconds = USUAL_SECONDS
        if told.get("timeout_turn", -1) >= 0:
            seconds = told["timeout_turn"] / 1000
        if told.get("timeout_match") and "time_left" in told:
            seconds = min(seconds, shared(told["time_left"], 0, None) or seconds)
        depth = told.get("max_depth")
        self.think(Limit(max(0.01, seconds - _MARGIN), depth if depth and depth > 0 else None), self._answer)

    def _answer(self, finding: Finding) -> None:
        turn = self.turn_of(finding.match, finding.steps)
        for step in finding.steps:
            self.match.play(step)
        self.say(turn)

    def tell(self, finding: Finding) -> None:
        found = finding.analysis
        line = " ".join(self.line_of(finding.match, found.principal_variation))
        score = round(100 * found.score / self.unit)
        self.say(f"MESSAGE depth {found.depth} score {score} nodes {found.nodes} pv {line}")


def _cell(text: str) -> str:
    """The cell *text* without spaces; raises Refused."""
    found = _CELL.fullmatch(text)
    if not found:
        raise Refused(f"a cell is x,y, not {plain(text)}")
    return f"{found[1]},{found[2]}"
