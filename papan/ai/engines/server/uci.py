"""Papan as an engine of UCI (Huber and Meyer-Kahlen, 2000), UCCI (Huang, 2004) or UGI (kz04px, 2021).

Unknown commands are ignored, as these protocols demand. For an invalid position there is a line ``info string``, in
UCCI ``info message``, and ``go`` finds no move until a valid one comes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import ClassVar, NamedTuple

from papan.ai.engines.dialect import Dialect, Options, going_on
from papan.ai.engines.server import AUTHOR, NAME, USUAL_SECONDS, EngineServer, Refused
from papan.ai.engines.server.search_thread import Finding
from papan.ai.evaluation import STANDARD, as_vector, evaluate, evaluation_of
from papan.ai.limits import Limit, Line, win_distance
from papan.ai.players import MOST_MEMORY, MOST_THREADS
from papan.ai.search.negamax import MOST_DEPTH
from papan.game.base.untrusted import quoted, shortened, whole_number
from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import observe

_SHARE = 25
"""Expected moves to go."""
_MOST_OF_LEFT = 0.5
_ON_THE_WAY = 60
"""Milliseconds of overhead per turn on a busy machine."""
_LEAST_SECONDS = 0.01
_ENDLESS = Limit(depth=MOST_DEPTH - 1)
_USUAL_MEMORY = 24  # MiB, the search's default
_MOST_LINES = 500
_NOTATION = "Notation"
"""Our option for the client's way to write moves."""
_VARIANT = "UCI_Variant"
_SEARCHMOVES = "searchmoves"
_FLAGS = ("infinite", "ponder", "draw")


class Spin(NamedTuple):
    """An option that is a number."""

    name: str
    usual: int
    least: int
    most: int


class Uci(EngineServer):
    word: ClassVar[str] = "uci"
    clocks: ClassVar[tuple[tuple[str, str], ...]] = (("wtime", "winc"), ("btime", "binc"))
    """The names of each seat's time left and increment."""
    clock_unit = 1
    """Milliseconds."""
    memory: ClassVar[Spin] = Spin("Hash", _USUAL_MEMORY, 1, MOST_MEMORY)
    threads: ClassVar[Spin] = Spin("Threads", 1, 1, MOST_THREADS)
    lines: ClassVar[Spin] = Spin("MultiPV", 1, 1, _MOST_LINES)
    remark: ClassVar[str] = "info string"
    """What a line of text begins with."""

    def __init__(self, game: Game, dialect: Dialect, options: Options, write: Callable[[str], None]) -> None:
        super().__init__(game, dialect, options, write)
        self._told: tuple[str, list[str]] | None = None
        """The first position and the turns of the last ``position``."""
        self._lines = 1
        self._pondered: Limit | None = None
        """The limit that begins with ``ponderhit``."""
        self._dialects = (dialect, *dialect.others)
        self._knows_dialect = False
        """Whether the client has said how it writes."""

    def take(self, line: str) -> None:
        command, _space, rest = line.strip().partition(" ")
        try:
            self._take(command, rest.strip())
        except Refused as error:
            self.say(f"{self.remark} {shortened(str(error))}")

    def _take(self, command: str, rest: str) -> None:
        commands: Mapping[str, Callable[[], object]] = {
            self.word: self._introduce,
            "isready": self._is_ready,
            "stop": self._stop,
            "ponderhit": self._begin_clock,
            "quit": self._quit,
            f"{self.word}newgame": self._new_game,
            "setoption": lambda: self._set_option(*self._option_words(rest)),
            "position": lambda: self._set_position(rest),
            "go": lambda: self._go(rest.split()),
        }
        if command in commands:
            commands[command]()

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

    @property
    def _spins(self) -> Mapping[str, Spin]:
        """The options that are numbers, by their names in small letters."""
        return {spin.name.lower(): spin for spin in (self.memory, self.threads, self.lines)}

    def _options(self) -> Mapping[str, str]:
        options = {
            spin.name: f"type spin default {spin.usual} min {spin.least} max {spin.most}"
            for spin in self._spins.values()
        }
        if len(self._dialects) > 1:
            values = " ".join(f"var {name}" for name in self._dialects[0].notations)
            options[_NOTATION] = f"type combo default {self.dialect.notation} {values}"
        complete = self.game.complete_options(self.options)
        for name, value in self.dialect.settings(complete).items():
            option = self.game.options.get(name)
            if option and option.is_free:
                options[name] = f"type string default {value}"
            else:
                ours = option.values if option else ()
                theirs = [self.dialect.settings({**complete, name: one})[name] for one in ours] or [value]
                options[name] = " ".join([f"type combo default {value}", *(f"var {one}" for one in theirs)])
        return options

    def _option_words(self, words: str) -> tuple[str, str]:
        name, _value, value = words.removeprefix("name ").partition(" value ")
        return name.strip(), value.strip()

    def _set_option(self, name: str, value: str) -> None:
        if name.lower() in self._spins:
            self._set_number(self._spins[name.lower()], value)
        elif name == _NOTATION and len(self._dialects) > 1:
            self._set_notation(value)
        elif name in self._dialects[0].settings(self.game.complete_options(self.options)):
            self.search.finish()
            self._told = None
            if name == _VARIANT and len(self._dialects) > 1:  # it writes as clients with variants do
                self._set_notation(self._dialects[0].notation)
            self.set_options({name: value})

    def _set_number(self, spin: Spin, value: str) -> None:
        number = whole_number(value)
        if number is None or number < spin.least:
            raise Refused(f"{spin.name} must be a whole number from {spin.least} to {spin.most}")
        number = min(number, spin.most) or spin.usual
        if spin == self.lines:
            self._lines = number
        else:
            self.configure(**({"memory": number} if spin == self.memory else {"threads": number}))

    def _set_notation(self, name: str) -> None:
        named = self._dialects[0].called(name)
        if named is None:
            raise Refused(f"{_NOTATION} must be {' or '.join(self._dialects[0].notations)}")
        self.search.finish()
        self._told = None
        self.dialect, self._knows_dialect = named, True

    def _is_ready(self) -> None:
        self.search.prepare(self.match)
        self.say("readyok")

    def _quit(self) -> None:
        self.has_ended = True

    # -------------------------------------------------------------------------------------- the match

    def _new_game(self) -> None:
        self.search.finish()
        self._told = None
        self.match, self.refusal = self.new_match(), ""

    def _set_position(self, words: str) -> None:
        position, has_moves, moves = f"{words} ".partition(" moves ")
        kind, _space, text = position.strip().partition(" ")
        with self.reading_position():
            if kind not in ("startpos", "fen"):
                raise Refused("a position is 'startpos' or 'fen' with a text")
            turns = moves.split() if has_moves else []
            match = self._in_any_notation(position, None if kind == "startpos" else text, turns)
        self.search.finish()
        self.match, self._told = match, (position, turns)

    def _in_any_notation(self, position: str, text: str | None, turns: list[str]) -> Match:
        """The match of *turns* after *text*; whoever has not said how it writes may write in any way."""
        before, refused, furthest = self.dialect, None, -1
        others = () if self._knows_dialect else tuple(one for one in self._dialects if one is not before)
        for dialect in (before, *others):
            match, known = self._as_far_as_known(position, turns) if dialect is before else (None, 0)
            self.dialect = dialect
            try:
                match = going_on(match or self.new_match(text), dialect)
                for turn in turns[known:]:
                    self.play_turn(match, turn)
                    match = going_on(match, dialect)
                    known += 1
            except Refused as error:
                if known > furthest:
                    named = f"turn {known + 1}, {quoted(turns[known])}: " if turns and match else ""
                    refused, furthest = Refused(f"{named}{error}"), known
            else:
                return match
        self.dialect = before
        assert refused is not None
        raise refused

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
        self.search.finish()
        if self.refusal or self.match.ending:
            self._give(None)
            return
        only = self._allowed(words)
        if only is not None and not only:
            self._give(None)
            return
        limit = self._limit(words)
        waits = "infinite" in words or "ponder" in words
        self._pondered = limit if "ponder" in words else None
        if waits:
            limit = Limit(None, limit.depth, limit.nodes) if limit.depth or limit.nodes else _ENDLESS
        self.think(limit, self._answer, waits=waits, lines=self._lines, only=only or ())

    def _allowed(self, words: Sequence[str]) -> list[tuple[int, ...]] | None:
        """The turns after ``searchmoves``; None if all are allowed."""
        if _SEARCHMOVES not in words:
            return None
        turns: list[tuple[int, ...]] = []
        for word in words[words.index(_SEARCHMOVES) + 1 :]:
            if word in _FLAGS or word in self._limits:
                break
            turns += self._readable([word])
        return turns

    def _readable(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """The legal turns among *words*; others are told."""
        turns = []
        for word in words:
            match = self.match.up_to(len(self.match.steps))
            try:
                self.play_turn(match, word)
            except Refused as error:
                self.say(f"{self.remark} {shortened(str(error))}")
            else:
                turns.append(tuple(match.steps[len(self.match.steps) :]))
        return turns

    @property
    def _limits(self) -> Sequence[str]:
        """The names of all limits that are numbers."""
        clocks = [name for clock in self.clocks for name in clock]
        return ("depth", "mate", "nodes", "movetime", "movestogo", *clocks)

    def _limit(self, words: Sequence[str]) -> Limit:
        """All limits in *words* at once: the search ends at the first."""
        read = {name: whole_number(value) for name, value in pairwise(words) if name in self._limits}
        numbers = {name: number for name, number in read.items() if number is not None}
        seconds = self._seconds(numbers)
        depths = [numbers["depth"]] if "depth" in numbers else []
        depths += [2 * numbers["mate"] - 1] if "mate" in numbers else []
        depth, nodes = min(depths, default=None), numbers.get("nodes")
        if seconds is None and depth is None and nodes is None:
            seconds = USUAL_SECONDS
        depth = None if depth is None else max(1, min(depth, MOST_DEPTH - 1))
        return Limit(seconds, depth, None if nodes is None else max(1, nodes))

    def _seconds(self, numbers: Mapping[str, int]) -> float | None:
        """The seconds to think; None without any time.

        ``movetime`` counts milliseconds in every protocol. It goes before a clock, as far as that has time left.
        """
        time, increment = self.clocks[self.match.mover]
        left, more = (numbers[name] * self.clock_unit if name in numbers else None for name in (time, increment))
        by_clock = shared(left, more or 0, numbers.get("movestogo"))
        if "movetime" not in numbers:
            return by_clock
        most = numbers["movetime"] if left is None else min(numbers["movetime"], left - _ON_THE_WAY)
        return max(_LEAST_SECONDS, most / 1000)

    def _begin_clock(self) -> None:
        """The expected move was played: what was pondered has its limit from now on."""
        if self._pondered is not None:
            self.search.end_within(self._pondered.time)
        self._pondered = None

    def _stop(self) -> None:
        self.search.stop()

    def _answer(self, finding: Finding) -> None:
        self._give(self.turn_of(finding.match, finding.steps))

    def _give(self, turn: str | None) -> None:
        self.say(f"bestmove {turn or '(none)'}")

    def tell(self, finding: Finding) -> None:
        lines = finding.lines[: self._lines]
        told = ((f" multipv {number}", line) for number, line in enumerate(lines, 1))
        self.say(*self._info(finding, told if self._lines > 1 else (("", line) for line in lines)))

    def _info(self, finding: Finding, lines: Iterable[tuple[str, Line]]) -> Iterator[str]:
        found = finding.analysis
        speed = round(found.nodes / max(finding.seconds, 1e-3))
        for number, line in lines:
            turns = self.line_of(finding.match, line.principal_variation)
            if turns:
                yield (
                    f"info depth {found.depth}{number} score {self._score(line.score)} nodes {found.nodes}"
                    f" nps {speed} time {round(1000 * finding.seconds)} pv {' '.join(turns)}"
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
        if self.refusal:
            return "unknown"
        if question == "gameover":
            return str(ending is not None).lower()
        if question == "p1turn":
            return str(self.match.mover == 0).lower()
        if question == "result":
            winner = ending.winner if ending else None
            return "none" if ending is None else "draw" if winner is None else f"p{winner + 1}win"
        return "unknown"


class Ucci(Uci):
    """UCCI 3.0: options are single words in small letters, and clocks count seconds unless ``usemillisec`` is set."""

    word: ClassVar[str] = "ucci"
    clocks: ClassVar[tuple[tuple[str, str], ...]] = (("time", "increment"),) * 2
    """Those of the side to move: what ``opptime`` tells is not needed."""
    clock_unit = 1000
    memory: ClassVar[Spin] = Spin("hashsize", _USUAL_MEMORY, 0, MOST_MEMORY)
    threads: ClassVar[Spin] = Spin("threads", 1, 0, MOST_THREADS)
    lines: ClassVar[Spin] = Spin("multipv", 1, 1, _MOST_LINES)
    remark: ClassVar[str] = "info message"
    _banned: frozenset[tuple[int, ...]] = frozenset()
    """The turns that are forbidden until the next position."""

    def _take(self, command: str, rest: str) -> None:
        if command == "banmoves":
            if not self.refusal:
                self._banned |= set(self._readable(rest.split()))
        else:
            super()._take(command, rest)

    def _named(self, option: str) -> str:
        return option

    def _options(self) -> Mapping[str, str]:
        return {"usemillisec": "type check default false", **super()._options(), "newgame": "type button"}

    def _option_words(self, words: str) -> tuple[str, str]:
        name, _space, value = words.partition(" ")
        return name, value.strip()

    def _set_option(self, name: str, value: str) -> None:
        if name == "usemillisec":
            self.clock_unit = 1 if value == "true" else 1000
        elif name == "newgame":
            self._new_game()
        else:
            super()._set_option("hashsize" if name.lower() == "hash" else name, value)

    def _quit(self) -> None:
        super()._quit()
        self.say("bye")

    def _new_game(self) -> None:
        super()._new_game()
        self._banned = frozenset()

    def _set_position(self, words: str) -> None:
        self._banned = frozenset()
        super()._set_position(words)

    def _go(self, words: Sequence[str]) -> None:
        is_for_worth = any(name == "depth" and whole_number(value) == 0 for name, value in pairwise(words))
        if is_for_worth and not (self.refusal or self.match.ending):
            self._tell_worth()
            self._give(None)
        else:
            super()._go(words)

    def _tell_worth(self) -> None:
        """Tell the position's score, without a search."""
        state, seat = self.match.state, self.match.mover
        weights = as_vector(evaluation_of(self.game).WEIGHTS[STANDARD])
        self.say(f"info depth 0 score {self._score(float(evaluate(observe(state, seat), seat, weights)))}")

    def _allowed(self, words: Sequence[str]) -> list[tuple[int, ...]] | None:
        only = super()._allowed(words)
        if not self._banned:
            return only
        return [turn for turn in (self._all_turns() if only is None else only) if turn not in self._banned]

    def _all_turns(self) -> list[tuple[int, ...]]:
        """All legal turns: those of UCCI's game are one step each."""
        return [(step,) for step in self.match.legal_steps()]

    def _stop(self) -> None:
        if self.search.is_thinking:
            super()._stop()
        else:
            self._give(None)

    def _give(self, turn: str | None) -> None:
        self.say(f"bestmove {turn}" if turn else "nobestmove")

    def _score(self, score: float) -> str:
        kind, number = super()._score(score).split()
        return f"mate {number}" if kind == "mate" else number
