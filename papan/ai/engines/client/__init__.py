"""Clients of engines, one module a protocol."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from papan.ai.engines import EngineError, IllegalTurn, NoMove, Resignation
from papan.ai.engines.dialect import Dialect, Options, class_of
from papan.ai.engines.options import EngineOption
from papan.ai.engines.process import Cancelled, Process, never
from papan.ai.limits import Limit
from papan.ai.search import PlayedTurn, turns_along
from papan.game.base.untrusted import quoted, quoted_report
from papan.game.game import Game
from papan.game.rules import NotationError, Rules, State, is_over, mover, play

if TYPE_CHECKING:
    from papan.ai.players import Past

STOPPING_SECONDS = 0.5
"""Seconds for an engine to react to "stop" before it is ended."""
_LONGEST_NAME = 60
_LONGEST_LINE = 100
"""The most turns to read of an expected line, as the window reads it often."""


@dataclass(frozen=True)
class Question:
    """A position with its history, the engine to move."""

    options: Options
    start: State
    turns: tuple[PlayedTurn, ...]
    """The turns from *start*; the last may be unfinished, then the engine finishes it."""
    state: State
    limit: Limit

    @property
    def seat(self) -> int:
        return int(mover(self.state))

    def follows(self, other: Question) -> bool:
        """Whether it is *other* or comes later in the same match."""
        begun = self.turns[: len(other.turns)]
        return (self.options, self.start, begun) == (other.options, other.start, other.turns)


def question(past: Past, state: State, limit: Limit) -> Question:
    return Question(past.options, past.start, tuple(turns_along(past.start, past.steps)), state, limit)


@dataclass
class Findings:
    """What an engine reports while it thinks, from the view of the seat to act."""

    depth: int = 0
    score: float | None = None
    """In the protocol's unit."""
    turns_to_end: int | None = None
    """Turns of both sides to a forced win, negative for a loss."""
    nodes: int = 0
    line: tuple[str, ...] = ()
    """The expected turns, in its notation."""


@dataclass(eq=False)
class EngineClient(ABC):
    """An engine of one protocol, asked one question at a time. Its faults raise ``EngineError``."""

    game: Game
    dialect: Dialect
    process: Process
    settings: Options
    name: str = ""
    """The name that it reports."""
    author: str = ""
    """The author that it reports."""
    offers: Sequence[EngineOption] = ()
    """The options that it reports."""
    findings: Findings = field(default_factory=Findings)
    can_stop: ClassVar[bool] = False
    """Whether it can answer at once on demand."""
    leaving: ClassVar[Sequence[str]] = ("quit",)
    """The commands that end it."""
    must_tell_name: ClassVar[bool] = False
    """Whether only its name shows that it speaks the protocol, which allows any other answer."""

    turns_to_try: ClassVar[int] = 1
    """Turns that show that it plays the game; more where most programs play another, whose first may be legal here."""

    # For protocols.

    @abstractmethod
    def introduce(self, deadline: float) -> None:
        """Begin the conversation and take what it tells of itself; raises EngineError if it answers otherwise."""

    @abstractmethod
    def greet(self, deadline: float) -> None:
        """``introduce`` and initialise it; raises EngineError if it does not answer as the protocol demands."""

    def press(self, button: str, deadline: float) -> None:  # noqa: B027 - most protocols have none
        """Press its option *button* and wait until it is done; may raise EngineError."""

    @abstractmethod
    def pose(self, question: Question, deadline: float) -> None:
        """Send *question*, so that it begins to think.

        :param deadline: for its preparation of the match.
        :raises EngineError: the protocol has no such matches, or the engine refuses it.
        """

    @abstractmethod
    def read(self, line: str) -> str | None:
        """Read *line* while it thinks; returns its turn in its notation, or None.

        :raises EngineError: the line says that there will be no turn; also ``NoMove`` or ``Resignation``.
        """

    def resignation(self) -> Resignation:
        return Resignation.saying("{engine} resigns.", engine=self.process.name)

    def no_turn(self, line: str) -> EngineError:
        told = quoted_report(line)
        return EngineError.saying("{engine} gave no turn ({line}).", engine=self.process.name, line=told)

    def no_move(self, line: str) -> NoMove:
        return NoMove.saying("{engine} gave no move ({line}).", engine=self.process.name, line=quoted_report(line))

    def stop(self) -> None:  # noqa: B027 - most protocols can't
        """Make it answer at once, if it ``can_stop``."""

    # Shared by all.

    @property
    def rules(self) -> Rules:
        return self.game.rules

    def answer(self, question: Question, deadline: float) -> list[int]:
        """Wait for the steps of its turn after ``pose``.

        :raises EngineError: it is late, ends, or gives no legal turn.
        :raises Cancelled: the question was cancelled, and the engine was stopped or ended.
        """
        try:
            while True:
                turn = self.read(self.process.hear(deadline))
                if turn is not None:
                    return self.steps(question.state, turn)
        except Cancelled:
            self._calm()
            raise

    def _calm(self) -> None:
        """Stop it after a cancelled question, or end it."""
        self.process.is_cancelled = never
        if self.can_stop:
            self.stop()
            try:
                deadline = time.monotonic() + STOPPING_SECONDS
                while self.read(self.process.hear(deadline)) is None:
                    pass
                return
            except EngineError:
                pass
        self.process.end_soon()

    def steps(self, state: State, turn: str) -> list[int]:
        """The steps of its *turn*; raises EngineError if it is no legal turn in *state*."""
        engine, told = self.process.name, quoted(turn)
        try:
            steps = self.dialect.read(self.rules, state, turn)
        except NotationError:
            raise IllegalTurn.saying(
                "{engine} gave {turn}, which is not a legal turn here.", engine=engine, turn=told
            ) from None
        last = state
        for step in steps:
            last = play(last, step)
        if not is_over(last) and mover(last) == mover(state):
            raise EngineError.saying("{engine} played {turn}, which is an incomplete turn.", engine=engine, turn=told)
        return steps

    def line_of(self, state: State) -> tuple[int, ...]:
        """The legal steps of its expected line from *state*."""
        steps: list[int] = []
        for turn in self.findings.line[:_LONGEST_LINE]:
            if is_over(state):
                break
            try:
                read = self.dialect.read(self.rules, state, turn)
            except NotationError:
                break
            for step in read:
                state = play(state, step)
            steps.extend(read)
        return tuple(steps)

    def written(self, turn: PlayedTurn) -> str:
        return self.dialect.write(self.rules, turn.states[0], turn.steps)

    def position(self, state: State) -> str:
        return self.dialect.write_position(self.rules.text(state))

    def lines(self, deadline: float, until: str) -> Iterator[str]:
        """Yield its lines through the first that begins with the word *until*."""
        while True:
            line = self.process.hear(deadline)
            yield line
            if line.split()[0] == until:
                return

    def call_itself(self, name: str, author: str = "") -> None:
        """Take a name or an author, if there is one."""
        self.name, self.author = (
            "".join(sign for sign in told[:_LONGEST_NAME] if sign.isprintable()).strip() or known
            for told, known in ((name, self.name), (author, self.author))
        )


def protocol_class(name: str) -> type[EngineClient]:
    found: type[EngineClient] = class_of(name, "client")
    return found
