"""Papan as an engine of GTP, the Go text protocol (Farnebäck, version 2 draft 2), for Othello."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from papan.ai.engines.dialect import Dialect, Options
from papan.ai.engines.server import USUAL_SECONDS, EngineServer, Refused
from papan.ai.engines.server.search_thread import Finding
from papan.ai.engines.server.uci import shared
from papan.ai.limits import Limit
from papan.game.base.untrusted import shortened, whole_number
from papan.game.base.version import VERSION
from papan.game.game import Game

_SIZE = 8
_COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
_IDENTIFIED = re.compile(r"([0-9]+)\s+(.*)")


class Gtp(EngineServer):
    """GTP: one reply to each command, in order.

    After a refused ``play`` no move is generated until one is accepted, undone, or the board cleared.
    """

    def __init__(self, game: Game, dialect: Dialect, options: Options, write: Callable[[str], None]) -> None:
        super().__init__(game, dialect, options, write)
        self._seconds: float | None = None
        """Per turn, if set."""
        self._left: dict[int, int] = {}
        """Milliseconds left by seat, with a clock."""
        self._commands: Mapping[str, Callable[[Sequence[str]], str]] = {
            "protocol_version": lambda words: "2",
            "name": lambda words: "Papan",
            "version": lambda words: VERSION,
            "known_command": lambda words: str(bool(words) and words[0] in self._commands).lower(),
            "list_commands": lambda words: "\n".join(self._commands),
            "set_game": self._set_game,
            "list_games": lambda words: self.game.title,
            "boardsize": self._set_size,
            "clear_board": self._clear,
            "komi": lambda words: "",
            "play": self._play,
            "genmove": self._choose,
            "reg_genmove": lambda words: self._find(words)[0],
            "undo": self._undo,
            "time_settings": self._set_time,
            "time_left": self._set_left,
            "showboard": lambda words: self.dialect.write_position(self.game.rules.text(self.match.state)),
            "quit": self._quit,
        }

    def take(self, line: str) -> None:
        line = line.partition("#")[0].strip()
        found = _IDENTIFIED.fullmatch(line)
        number, words = (found[1], found[2].split()) if found else ("", line.split())
        if not words:
            return
        try:
            if words[0] not in self._commands:
                raise Refused("unknown command")
            self._reply("=", number, self._commands[words[0]](words[1:]))
        except Refused as error:
            self._reply("?", number, shortened(str(error)))

    def _reply(self, sign: str, number: str, text: str) -> None:
        first, *others = text.split("\n")
        self.say(f"{sign}{number} {first}".rstrip(), *filter(None, others), "")  # an empty line ends the reply

    def _set_game(self, words: Sequence[str]) -> str:
        if " ".join(words).lower() != self.game.title.lower():
            raise Refused("unsupported game")
        return ""

    def _set_size(self, words: Sequence[str]) -> str:
        if list(words) != [str(_SIZE)]:
            raise Refused("unacceptable size")
        return self._clear(words)

    def _clear(self, words: Sequence[str]) -> str:
        self.match, self.refusal = self.new_match(), ""
        self.search.prepare(self.match)
        return ""

    def _seat(self, words: Sequence[str]) -> int:
        """The seat named by the first of *words*, which must be to move; plays a forced pass before if needed."""
        seat = _COLOURS.get(words[0].lower()) if words else None
        if seat is None:
            raise Refused("syntax error: a colour is black or white")
        if self.match.ending:
            raise Refused(f"the game is over: {self.match.ending.reason}")
        if seat != self.match.mover:
            only = self.match.legal_steps()
            if len(only) > 1 or self.game.rules.cells(self.match.state, only[0]):
                raise Refused("it is the other colour's turn")
            self.match.play(only[0])
        return seat

    def _play(self, words: Sequence[str]) -> str:
        with self.reading_position():
            return self._played(words)

    def _played(self, words: Sequence[str]) -> str:
        if len(words) != 2:
            raise Refused("syntax error: a colour and a cell are wanted")
        seat = _COLOURS.get(words[0].lower())
        if seat is not None and seat != self.match.mover and words[1].lower() == "pass":
            raise Refused("illegal move")
        self._seat(words)
        try:
            self.play_turn(self.match, words[1])
        except Refused:
            raise Refused("illegal move") from None
        return ""

    def _undo(self, words: Sequence[str]) -> str:
        if not self.match.can_undo:
            raise Refused("cannot undo")
        self.match.undo()
        self.refusal = ""
        return ""

    # --------------------------------------------------------------------------------- thinking

    def _set_time(self, words: Sequence[str]) -> str:
        numbers = [whole_number(word) for word in words]
        if len(numbers) != 3 or any(number is None or number < 0 for number in numbers):
            raise Refused("syntax error: three whole numbers are wanted")
        main, extra, turns = (number or 0 for number in numbers)
        self._left = {}
        self._seconds = extra / turns if turns and not main else None
        if main:
            self._left = {0: 1000 * main, 1: 1000 * main}
        return ""

    def _set_left(self, words: Sequence[str]) -> str:
        numbers = [whole_number(word) for word in words[1:]]
        seat = _COLOURS.get(words[0].lower()) if words else None
        if seat is None or len(numbers) != 2 or any(number is None or number < 0 for number in numbers):
            raise Refused("syntax error: a colour and two whole numbers are wanted")
        seconds, turns = (number or 0 for number in numbers)
        if turns:
            self._seconds = seconds / turns
        else:
            self._left[seat] = 1000 * seconds
        return ""

    def _choose(self, words: Sequence[str]) -> str:
        turn, steps = self._find(words)
        for step in steps:
            self.match.play(step)
        return turn

    def _find(self, words: Sequence[str]) -> tuple[str, Sequence[int]]:
        """The turn that the search chooses for the colour *words*. No command is read meanwhile: none could stop it."""
        self.check_position()
        seat = self._seat(words)
        seconds = self._seconds or shared(self._left.get(seat), 0, None) or USUAL_SECONDS
        found: list[Finding] = []
        self.think(Limit(seconds), found.append)
        self.search.wait()
        steps = found[0].steps
        return self.turn_of(self.match, steps), steps

    def tell(self, finding: Finding) -> None:
        """Nothing, as GTP has no such message."""

    def _quit(self, words: Sequence[str]) -> str:
        self.has_ended = True
        return ""
