"""Clients of UCI, the universal chess interface (Huber and Meyer-Kahlen, 2000), and its relatives.

UCCI is its dialect for xiangqi (Huang, 2004), UGI for any game of two (kz04px, 2021). We send the first position and
all turns since, so that the engine sees repetitions.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import ClassVar

from papan.ai.engines.client import EngineClient, Findings, Question
from papan.ai.engines.options import read_options
from papan.game.base.untrusted import decimal_number, whole_number

_BOUNDS = ("lowerbound", "upperbound")
_NO_MOVES = ("(none)", "none", "0000", "null")
_RESIGN = "resign"
_MILLISECONDS = "usemillisec"
_EMPTY = "<empty>"
"""How an empty text is written."""
_MOST_INTRODUCED = 1000
"""Lines of its name and options to read."""
_MOST_WORDS = 500
"""Words to read of a line; later ones belong to a long variation."""


class Uci(EngineClient):
    can_stop: ClassVar[bool] = True
    word: ClassVar[str] = "uci"
    """The first command; with ``ok`` appended, the answer."""
    _posed: Question | None = None

    def introduce(self, deadline: float) -> None:
        self.process.send(self.word)
        introduction: list[str] = []
        for line in self.lines(deadline, f"{self.word}ok"):
            if line.startswith("id name "):
                self.call_itself(line.removeprefix("id name "))
            elif line.startswith("id author "):
                self.call_itself("", line.removeprefix("id author "))
            if len(introduction) < _MOST_INTRODUCED:
                introduction.append(line)
        self.offers = read_options(introduction)
        self._get_to_know(introduction)

    def greet(self, deadline: float) -> None:
        self.introduce(deadline)
        for name, value in self.settings.items():
            self._set(name, value or _EMPTY)
        self._wait_until_ready(deadline)

    def press(self, button: str, deadline: float) -> None:
        self._set(button, "")
        self._wait_until_ready(deadline)

    def _get_to_know(self, introduction: Sequence[str]) -> None:
        """Find out from its first lines how it writes."""
        self.dialect = next((one for one in self.dialect.others if one.is_shown_by(introduction)), self.dialect)

    def _wait_until_ready(self, deadline: float) -> None:
        self.process.send("isready")
        for _line in self.lines(deadline, "readyok"):
            pass

    def _set(self, name: str, value: str) -> None:
        """Set an option; "" presses a button."""
        self.process.send(f"setoption name {name}" + (f" value {value}" if value else ""))

    def pose(self, question: Question, deadline: float) -> None:
        self.findings = Findings()
        if self._posed is None or not question.follows(self._posed):
            self._begin_match(question, deadline)
        self._posed = question
        turns = "".join(f" {self.written(turn)}" for turn in question.turns)
        self.process.send(f"position {self._start(question)}" + (f" moves{turns}" if turns else ""))
        self.process.send(" ".join(["go", *self._limits(question)]))

    def _begin_match(self, question: Question, deadline: float) -> None:
        for name, value in self.dialect.settings(question.options).items():
            self._set(name, value)
        self._tell_new_game()
        self._wait_until_ready(deadline)

    def _tell_new_game(self) -> None:
        self.process.send(f"{self.word}newgame")

    def _start(self, question: Question) -> str:
        text = self.rules.text(question.start)
        usual = self.rules.text(self.rules.start(question.options, random.Random(0)))
        return "startpos" if text == usual else f"fen {self.dialect.write_position(text)}"

    def _limits(self, question: Question) -> Sequence[str]:
        limit = question.limit
        words = {
            "movetime": None if limit.time is None else str(max(1, round(1000 * limit.time))),
            "depth": None if limit.depth is None else str(limit.depth),
            "nodes": None if limit.nodes is None else str(limit.nodes),
        }
        return [part for name, value in words.items() if value is not None for part in (name, value)]

    def read(self, line: str) -> str | None:
        word, *words = line.split(None, _MOST_WORDS)[:_MOST_WORDS]
        if word == "info":
            self._take_info(words)
        if word != "bestmove":
            return None
        if not words:
            raise self.no_turn(line)
        if words[0].lower() in _NO_MOVES:
            raise self.no_move(line)
        if _RESIGN in (words[0].lower(), words[-1].lower()):  # UCCI has it after a move
            raise self.resignation()
        return words[0]

    def _take_info(self, words: Sequence[str]) -> None:
        """Read the *words* after ``info``; invalid ones are skipped."""
        if words[:1] in (["string"], ["message"]) or any(word in _BOUNDS for word in words):
            return
        values = _by_name(words)
        if (values.get("multipv") or ["1"])[0] != "1" or "pv" not in values:
            return
        score, turns_to_end = self._score(values.get("score", ()))
        self.findings = Findings(
            depth=_whole(values.get("depth", ())),
            score=score,
            turns_to_end=turns_to_end,
            nodes=_whole(values.get("nodes", ())),
            line=tuple(values["pv"]),
        )

    def _score(self, words: Sequence[str]) -> tuple[float | None, int | None]:
        """The score and the turns to a forced end from the words after ``score``."""
        if len(words) < 2 or (value := decimal_number(words[1])) is None:
            return None, None
        if words[0] == "mate":
            moves = round(value)
            return None, 2 * moves - 1 if moves > 0 else min(2 * moves, -1)
        return value / 100, None

    def stop(self) -> None:
        self.process.send("stop")


class Ugi(Uci):
    word: ClassVar[str] = "ugi"


class Ucci(Uci):
    """UCCI: the time for a move is sent as the time left for one move.

    It counts milliseconds where the program has the option ``usemillisec``, else whole seconds.
    """

    word: ClassVar[str] = "ucci"
    _counts_milliseconds = False

    def _get_to_know(self, introduction: Sequence[str]) -> None:
        super()._get_to_know(introduction)
        self._counts_milliseconds = any(line.split()[:2] == ["option", _MILLISECONDS] for line in introduction)
        if self._counts_milliseconds:
            self._set(_MILLISECONDS, "true")

    def _set(self, name: str, value: str) -> None:
        self.process.send(f"setoption {name} {value}".rstrip())

    def _tell_new_game(self) -> None:
        self._set("newgame", "")

    def _start(self, question: Question) -> str:
        return f"fen {self.position(question.start)}"

    def _limits(self, question: Question) -> Sequence[str]:
        limit = question.limit
        if limit.depth is not None:
            return ["depth", str(limit.depth)]  # one kind of limit only
        if limit.time is not None:
            unit = 1000 if self._counts_milliseconds else 1
            return ["time", str(max(1, int(unit * limit.time))), "movestogo", "1"]
        return ["nodes", str(limit.nodes)]

    def read(self, line: str) -> str | None:
        if line.split()[0] == "nobestmove":
            raise self.no_move(line)
        return super().read(line)

    def _score(self, words: Sequence[str]) -> tuple[float | None, int | None]:
        if words and whole_number(words[0]) is not None:
            words = ("cp", *words)
        return super()._score(words)


_NAMES = frozenset(
    ("depth", "seldepth", "multipv", "score", "nodes", "nps", "time", "pv", "hashfull", "tbhits", "cpuload", "currmove")
)


def _by_name(words: Sequence[str]) -> Mapping[str, list[str]]:
    """Group *words* by the names before them."""
    values: dict[str, list[str]] = {}
    name = ""
    for word in words:
        if word in _NAMES and name != "pv":
            name = word
            values[name] = []
        elif name:
            values[name].append(word)
    return values


def _whole(words: Sequence[str]) -> int:
    number = whole_number(words[0]) if words else None
    return max(0, number or 0)
