"""Papan as an engine of UCI (Huber and Meyer-Kahlen, 2000), UCCI (Huang, 2004) or UGI (kz04px, 2021).

Unknown commands are ignored, as these protocols demand. For an invalid position there is a line ``info string``, and
the last position stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import ClassVar

from papan.ai.engines.server import AUTHOR, NAME, USUAL_SECONDS, EngineServer, Refused
from papan.ai.engines.server.search_thread import Finding
from papan.ai.limits import Limit, win_distance
from papan.ai.players import MOST_MEMORY, MOST_THREADS
from papan.ai.search.negamax import MOST_DEPTH
from papan.game.base.untrusted import shortened, whole_number
from papan.game.match import Match

_SHARE = 25
"""Expected moves to go."""
_MOST_OF_LEFT = 0.5
_ON_THE_WAY = 60
"""Milliseconds of overhead per turn on a busy machine."""
_LEAST_SECONDS = 0.01
_ENDLESS = Limit(depth=MOST_DEPTH - 1)
_USUAL_MEMORY = 24  # MiB, the search's default


class Uci(EngineServer):
    word: ClassVar[str] = "uci"
    clocks: ClassVar[tuple[tuple[str, str], ...]] = (("wtime", "winc"), ("btime", "binc"))
    """The names of each seat's time left and increment, in milliseconds."""
    _told: tuple[str, list[str]] | None = None
    """The first position and the turns of the last ``position``."""

    def take(self, line: str) -> None:
        command, _space, rest = line.strip().partition(" ")
        rest = rest.strip()
        commands = {
            self.word: self._introduce,
            "isready": self._is_ready,
            "stop": self.search.stop,
            "quit": self._quit,
            f"{self.word}newgame": self._new_game,
        }
        try:
            if command in commands:
                commands[command]()
            elif command == "setoption":
                self._set_option(*self._option_words(rest))
            elif command == "position":
                self._set_position(rest)
            elif command == "go":
                self._go(rest.split())
        except Refused as error:
            self.say(f"info string {shortened(str(error))}")

    # --------------------------------------------------------------------------------- introduction

    def _introduce(self) -> None:
        self.say(
            f"id name {NAME}",
            f"id author {AUTHOR}",
            *(f"option {self._named(name)} {facts}" for name, facts in self._options().items()),
            f"{self.word}ok",
        )

    def _named(self, option: str) -> str:
        return f"name {option}"

    def _options(self) -> Mapping[str, str]:
        options = {
            "Hash": f"type spin default {_USUAL_MEMORY} min 1 max {MOST_MEMORY}",
            "Threads": f"type spin default 1 min 1 max {MOST_THREADS}",
        }
        told = self.dialect.settings(self.game.complete_options(self.options))
        for name, value in told.items():
            option = self.game.options.get(name)
            if option is None or option.is_free:
                options[name] = f"type string default {value}" if option else f"type combo default {value} var {value}"
            else:
                values = " ".join(f"var {one}" for one in option.values)
                options[name] = f"type combo default {value} {values}"
        return options

    def _option_words(self, words: str) -> tuple[str, str]:
        name, _value, value = words.removeprefix("name ").partition(" value ")
        return name.strip(), value.strip()

    def _set_option(self, name: str, value: str) -> None:
        if name.lower() in ("hash", "threads"):
            most = MOST_MEMORY if name.lower() == "hash" else MOST_THREADS
            number = whole_number(value)
            if number is None or number < 1:
                raise Refused(f"{name} must be a whole number from 1 to {most}")
            number = min(number, most)
            self.configure(**({"memory": number} if name.lower() == "hash" else {"threads": number}))
        elif name in self.dialect.settings(self.game.complete_options(self.options)):
            self.search.drop()
            self._told = None
            self.set_options({name: value})

    def _is_ready(self) -> None:
        self.search.prepare(self.match)
        self.say("readyok")

    def _quit(self) -> None:
        self.has_ended = True

    # -------------------------------------------------------------------------------------- the match

    def _new_game(self) -> None:
        self.search.drop()
        self._told = None
        self.match = self.new_match()

    def _set_position(self, words: str) -> None:
        position, has_moves, moves = f"{words} ".partition(" moves ")
        kind, _space, text = position.strip().partition(" ")
        if kind not in ("startpos", "fen"):
            raise Refused("a position is 'startpos' or 'fen' with a text")
        turns = moves.split() if has_moves else []
        match, known = self._as_far_as_known(position, turns)
        if match is None:
            match = self.new_match(None if kind == "startpos" else text)
        for turn in turns[known:]:
            self.play_turn(match, turn)
        self.search.drop()
        self.match, self._told = match, (position, turns)

    def _as_far_as_known(self, position: str, turns: Sequence[str]) -> tuple[Match | None, int]:
        """A copy of the last match if *turns* continue it, and how many it has: replaying them takes up to 0.1 s."""
        if self._told is None:
            return None, 0
        told, before = self._told
        if told != position or turns[: len(before)] != before:
            return None, 0
        return self.match.up_to(len(self.match.steps)), len(before)

    # --------------------------------------------------------------------------------------- thinking

    def _go(self, words: Sequence[str]) -> None:
        if self.match.ending:
            self._give(None)
            return
        read = {name: whole_number(value) for name, value in pairwise(words)}
        numbers = {name: number for name, number in read.items() if number is not None}
        is_endless = "infinite" in words or "ponder" in words
        self.think(_ENDLESS if is_endless else self._limit(numbers), self._answer, waits=is_endless)

    def _limit(self, numbers: Mapping[str, int]) -> Limit:
        seconds = self._seconds(numbers)
        depth, nodes = numbers.get("depth"), numbers.get("nodes")
        if seconds is None and depth is None and nodes is None:
            seconds = USUAL_SECONDS
        depth = None if depth is None else max(1, min(depth, MOST_DEPTH - 1))
        return Limit(seconds, depth, None if nodes is None else max(1, nodes))

    def _seconds(self, numbers: Mapping[str, int]) -> float | None:
        """The seconds to think; None without any time."""
        if "movetime" in numbers:
            return max(_LEAST_SECONDS, numbers["movetime"] / 1000)
        time, increment = self.clocks[self.match.mover]
        return shared(numbers.get(time), numbers.get(increment, 0), numbers.get("movestogo"))

    def _answer(self, finding: Finding) -> None:
        self._give(self.turn_of(finding.match, finding.steps))

    def _give(self, turn: str | None) -> None:
        self.say(f"bestmove {turn or '(none)'}")

    def tell(self, finding: Finding) -> None:
        found = finding.analysis
        line = self.line_of(finding.match, found.principal_variation)
        if line:
            speed = round(found.nodes / max(finding.seconds, 1e-3))
            self.say(
                f"info depth {found.depth} score {self._score(found.score)} nodes {found.nodes}"
                f" nps {speed} time {round(1000 * finding.seconds)} pv {' '.join(line)}"
            )

    def _score(self, score: float) -> str:
        distance = win_distance(score)
        if distance is not None:
            moves = (distance + 1) // 2 if distance > 0 else -((1 - distance) // 2)
            return f"mate {moves}"
        return f"cp {round(100 * score / self.unit)}"


def shared(left: int | None, increment: int, turns: int | None) -> float | None:
    """The seconds for a turn with *left* milliseconds on the clock; None without a clock."""
    if left is None:
        return None
    parts = min(_SHARE, turns) if turns else _SHARE
    left = max(0, left - _ON_THE_WAY)
    usual = left / parts + max(0, increment - _ON_THE_WAY)
    most = left if parts == 1 else left * _MOST_OF_LEFT
    return max(_LEAST_SECONDS, min(usual, most) / 1000)


class Ugi(Uci):
    """UGI also has queries about a position."""

    word: ClassVar[str] = "ugi"
    clocks: ClassVar[tuple[tuple[str, str], ...]] = (("p1time", "p1inc"), ("p2time", "p2inc"))

    def take(self, line: str) -> None:
        words = line.split()
        if words[0] == "query":
            self.say(f"response {self._response(' '.join(words[1:]))}")
        else:
            super().take(line)

    def _response(self, question: str) -> str:
        ending = self.match.ending
        if question == "gameover":
            return str(ending is not None).lower()
        if question == "p1turn":
            return str(self.match.mover == 0).lower()
        if question == "result":
            winner = ending.winner if ending else None
            return "none" if ending is None else "draw" if winner is None else f"p{winner + 1}win"
        return "unknown"


class Ucci(Uci):
    word: ClassVar[str] = "ucci"

    _in_milliseconds = False

    def _named(self, option: str) -> str:
        return option

    def _options(self) -> Mapping[str, str]:
        return {"usemillisec": "type check default false", **super()._options()}

    def _option_words(self, words: str) -> tuple[str, str]:
        name, _space, value = words.partition(" ")
        return name, value.strip()

    def _set_option(self, name: str, value: str) -> None:
        if name == "usemillisec":
            self._in_milliseconds = value == "true"
        elif name == "newgame":
            self._new_game()
        else:
            super()._set_option({"hashsize": "Hash"}.get(name, name), value)

    def _quit(self) -> None:
        super()._quit()
        self.say("bye")

    def _seconds(self, numbers: Mapping[str, int]) -> float | None:
        unit = 1 if self._in_milliseconds else 1000
        left = numbers.get("time")
        return shared(
            None if left is None else left * unit, numbers.get("increment", 0) * unit, numbers.get("movestogo")
        )

    def _give(self, turn: str | None) -> None:
        self.say(f"bestmove {turn}" if turn else "nobestmove")

    def _score(self, score: float) -> str:
        kind, number = super()._score(score).split()
        return f"mate {number}" if kind == "mate" else number
