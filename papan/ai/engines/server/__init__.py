"""Papan as an engine for other programs' windows, one module a protocol.

``EngineServer`` reads line after line and writes answers. The search has its own thread (``search_thread``), so that
"stop" and "isready" are read meanwhile.
"""

from __future__ import annotations

import random
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from papan.ai.engines.dialect import Dialect, Options, class_of
from papan.ai.engines.server.search_thread import Finding, SearchThread
from papan.ai.evaluation import evaluation_of
from papan.ai.limits import Limit
from papan.ai.players import PlayerError
from papan.ai.search import turns_along
from papan.game.base.untrusted import plain
from papan.game.base.version import VERSION
from papan.game.game import Game, OptionError
from papan.game.match import Match
from papan.game.rules import IllegalStep, NotationError, PositionError

NAME = f"Papan {VERSION}"
AUTHOR = "Papan contributors"
USUAL_SECONDS = 2.0
"""Seconds per move without a limit."""
_CLOSING_PATIENCE = 1.0
LONGEST_LINE = 2**20
"""Characters."""


class Refused(ValueError):
    """A command is refused; the message is a clause that says why."""


class EngineServer(ABC):
    def __init__(self, game: Game, dialect: Dialect, options: Options, write: Callable[[str], None]) -> None:
        """:param write: writes a line to the client; called from several threads, one at a time."""
        self.game = game
        self.dialect = dialect
        self.options = dict(options)
        self.has_ended = False
        """Whether the client has quit."""
        self.refusal = ""
        """Why the last position was refused, as a clause; "" if ``match`` has it."""
        self._write = write
        self._lock = threading.Lock()
        self.search = SearchThread(game)
        self.match = self.new_match()
        self.search.load(self.match)
        self.unit = dialect.unit or evaluation_of(game).SCALE

    @abstractmethod
    def take(self, line: str) -> None:
        """Execute *line*, which is not empty."""

    @abstractmethod
    def tell(self, finding: Finding) -> None:
        """Write the search's findings so far."""

    def configure(self, *, memory: int | None = None, threads: int | None = None) -> None:
        """Set the search's *memory* in MiB and *threads*, unless None; raises Refused if impossible."""
        try:
            self.search.configure(memory=memory, threads=threads)
        except PlayerError as error:
            raise Refused(_clause(error)) from None

    def close(self) -> bool:
        """Stop thinking without an answer; returns whether no work goes on."""
        self.has_ended = True
        return self.search.drop(_CLOSING_PATIENCE) and not self.search.is_compiling

    def check_going(self) -> None:
        """:raises Refused: the game is over, or the last position was refused."""
        self.check_position()
        if self.match.ending:
            raise Refused(f"the game is over: {self.match.ending.reason}")

    def check_position(self) -> None:
        """:raises Refused: the last position was refused."""
        if self.refusal:
            raise Refused(f"there is no position, as the last one was refused: {self.refusal}")

    @contextmanager
    def reading_position(self) -> Iterator[None]:
        """Note whether the position that is read within the block is refused: then there is none to think about."""
        try:
            yield
        except Refused as error:
            self.refusal = str(error)
            raise
        self.refusal = ""

    def say(self, *lines: str) -> None:
        """Write *lines* together; line breaks in them are escaped."""
        with self._lock:
            for line in lines:
                self._write(plain(line))

    # --------------------------------------------------------------------------------- the match

    def new_match(self, position: str | None = None) -> Match:
        """A match at its start, or at *position* in the client's notation; raises Refused."""
        try:
            complete = self.game.complete_options(self.options)
            rules = self.game.rules
            if position is None:
                start = rules.start(complete, random.Random(0))
            else:
                start = rules.parse(self.dialect.read_position(position), complete)
        except (OptionError, PositionError) as error:
            raise Refused(_clause(error)) from None
        return Match(self.game, ["", ""], complete, 0, start)

    def play_turn(self, match: Match, turn: str) -> None:
        """Play *turn*, in the client's notation, in *match*; raises Refused."""
        try:
            steps = self.dialect.read(match.rules, match.state, turn)
            for step in steps:
                match.play(step)
        except (NotationError, IllegalStep) as error:
            raise Refused(_clause(error)) from None

    def set_options(self, settings: Mapping[str, str]) -> None:
        """Apply *settings* to the next matches; raises Refused."""
        before = self.options
        self.options = {**before, **self.dialect.options(settings)}
        try:
            self.match = self.new_match()
        except Refused:
            self.options = before
            raise

    # --------------------------------------------------------------------------------- thinking

    def think(
        self,
        limit: Limit,
        then: Callable[[Finding], None],
        *,
        waits: bool = False,
        lines: int = 1,
        only: Sequence[tuple[int, ...]] = (),
    ) -> None:
        """Think about the match in the background, and call *then* with the result.

        :param waits: whether the answer waits for ``stop``.
        :param only: the turns to choose from; default: all.
        """
        self.search.think(self.match, limit, self.tell, then, waits=waits, lines=lines, only=only)

    def turn_of(self, match: Match, steps: Sequence[int]) -> str:
        return self.dialect.write(match.rules, match.state, steps)

    def line_of(self, match: Match, steps: Sequence[int]) -> list[str]:
        """The turns of *steps* in the client's notation, without an unfinished one at the end."""
        turns = turns_along(match.state, steps)
        return [self.dialect.write(match.rules, turn.states[0], turn.steps) for turn in turns if turn.is_whole]


def _clause(error: Exception) -> str:
    return str(error).rstrip(".")


def protocol_class(name: str) -> type[EngineServer]:
    found: type[EngineServer] = class_of(name, "server")
    return found
