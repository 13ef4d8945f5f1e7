"""Asking a program for turns: one module a protocol, behind one class."""

from __future__ import annotations

import importlib
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, cast

from papan.ai.engines import EngineError, NoMove, Resignation
from papan.ai.engines.dialect import Dialect, Options
from papan.ai.engines.process import Cancelled, Process, never
from papan.ai.limits import Limit
from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted
from papan.game.game import Game
from papan.game.rules import NotationError, Rules, State, is_over, mover, play

if TYPE_CHECKING:
    from papan.ai.players import Past

PROTOCOLS: Mapping[str, str] = {
    "uci": "papan.ai.engines.client.uci:Uci",
    "ucci": "papan.ai.engines.client.uci:Ucci",
    "ugi": "papan.ai.engines.client.uci:Ugi",
    "gomocup": "papan.ai.engines.client.gomocup:Gomocup",
    "nboard": "papan.ai.engines.client.nboard:NBoard",
    "gtp": "papan.ai.engines.client.gtp:Gtp",
}
"""The protocols, each with its class as ``module:name``."""

STOPPING_SECONDS = 0.5
"""How long a program that was told to stop has until it is ended."""
_LONGEST_NAME = 60
_LONGEST_LINE = 100
"""Turns of a line that are read: the window asks again and again."""


@dataclass(frozen=True)
class Turn:
    """A turn of a match: the state it begins in, and its steps."""

    before: State
    steps: tuple[int, ...]

    @property
    def seat(self) -> int:
        """Whose it was."""
        return int(mover(self.before))


@dataclass(frozen=True)
class Question:
    """A position that a turn is wanted in, and how it came about."""

    options: Options
    start: State
    turns: tuple[Turn, ...]
    """The turns from *start* on; the last one may be unfinished, and is then to be finished."""
    state: State
    limit: Limit

    @property
    def seat(self) -> int:
        """The seat that is to act."""
        return int(mover(self.state))

    def follows(self, other: Question) -> bool:
        """Whether it belongs to the same match as *other*, and is not before it."""
        return (
            self.options == other.options
            and self.start == other.start
            and self.turns[: len(other.turns)] == (other.turns)
        )


def question(past: Past, state: State, limit: Limit) -> Question:
    """The question for a turn in *state*, to which *past* has led."""
    turns: list[Turn] = []
    current = past.start
    for step in past.steps:
        if turns and turns[-1].seat == int(mover(current)):
            turns[-1] = Turn(turns[-1].before, (*turns[-1].steps, step))
        else:
            turns.append(Turn(current, (step,)))
        current = play(current, step)
    return Question(past.options, past.start, tuple(turns), state, limit)


@dataclass
class Findings:
    """What a program tells while it thinks, from the point of view of the seat to act."""

    depth: int = 0
    score: float | None = None
    """In the protocol's own unit."""
    turns_to_end: int | None = None
    """Turns of both sides to a win, negative to a loss, where one is forced."""
    nodes: int = 0
    line: tuple[str, ...] = ()
    """The turns expected, in the program's words."""


@dataclass(eq=False)
class EngineClient(ABC):
    """A program of one protocol, which is asked one question at a time. What it does wrong is an ``EngineError``."""

    game: Game
    dialect: Dialect
    process: Process
    settings: Options
    """What its person has set for it."""
    name: str = ""
    """What it calls itself."""
    findings: Findings = field(default_factory=Findings)
    can_stop: ClassVar[bool] = False
    """Whether it can be told to answer with what it has."""
    leaving: ClassVar[Sequence[str]] = ("quit",)
    """What it is told at the end."""

    # Each protocol's own.

    @abstractmethod
    def greet(self, deadline: float) -> None:
        """Introduce ourselves; afterwards it can be asked.

        :raises EngineError: it does not answer as the protocol wants.
        """

    @abstractmethod
    def pose(self, question: Question, deadline: float) -> None:
        """Tell it *question*, so that it begins to think.

        :param deadline: when it must have prepared itself for the match.
        :raises EngineError: the protocol can't tell such a match, or it refuses it.
        """

    @abstractmethod
    def read(self, line: str) -> str | None:
        """Take *line* while it thinks; returns the turn that it answers with, in its own words, or None.

        :raises EngineError: the line says that there will be none; ``NoMove`` or ``Resignation`` where it says so.
        """

    def resignation(self) -> Resignation:
        """What is raised where it resigns."""
        return Resignation(say("{engine} resigns.", engine=self.process.name))

    def no_move(self, line: str) -> NoMove:
        """What is raised where its *line* says that there is no move."""
        return NoMove(say("{engine} gave no move ({line}).", engine=self.process.name, line=quoted(line)))

    def stop(self) -> None:  # noqa: B027 - most protocols have no such thing
        """Tell it to answer with what it has, where that ``can_stop``."""

    # What they share.

    @property
    def rules(self) -> Rules:
        return self.game.rules

    def answer(self, question: Question, deadline: float) -> list[int]:
        """The steps of its turn, once *question* is posed.

        :raises EngineError: it is late, ends, or gives no legal turn.
        :raises Cancelled: nobody wants it any more; the program has been stopped, or ended.
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
        """Have it stop thinking about what nobody wants to know any more."""
        self.process.is_cancelled = never
        if self.can_stop:
            self.stop()
            try:
                deadline = time.monotonic() + STOPPING_SECONDS
                while self.read(self.process.hear(deadline)) is None:
                    pass
                return
            except EngineError:
                pass  # then it goes the way of those that can't stop
        self.process.end_soon()

    def steps(self, state: State, turn: str) -> list[int]:
        """The steps of *turn*, in its words.

        :raises EngineError: it is no turn in *state*.
        """
        try:
            steps = self.dialect.read(self.rules, state, turn)
        except NotationError:
            raise EngineError(
                say("{engine} gave {turn}, which is no turn here.", engine=self.process.name, turn=quoted(turn))
            ) from None
        last = state
        for step in steps:
            last = play(last, step)
        if not is_over(last) and mover(last) == mover(state):
            raise EngineError(
                say(
                    "{engine} gave {turn}, which is only the beginning of a turn.",
                    engine=self.process.name,
                    turn=quoted(turn),
                )
            )
        return steps

    def line_of(self, state: State) -> tuple[int, ...]:
        """The steps of the line that it expects from *state* on, as far as they make sense."""
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

    def written(self, turn: Turn) -> str:
        """*turn* in its words."""
        return self.dialect.write(self.rules, turn.before, turn.steps)

    def position(self, state: State) -> str:
        """The text of *state* in its words."""
        return self.dialect.write_position(self.rules.text(state))

    def lines(self, deadline: float, until: str) -> Iterator[str]:
        """The lines that it writes, up to and with the first whose first word is *until*."""
        while True:
            line = self.process.hear(deadline)
            yield line
            if line.split()[0] == until:
                return

    def call_itself(self, name: str) -> None:
        """Keep its *name*, if that can be shown."""
        self.name = "".join(sign for sign in name[:_LONGEST_NAME] if sign.isprintable()).strip()


def protocol_class(name: str) -> type[EngineClient]:
    """The class of the protocol *name*, one of ``PROTOCOLS``."""
    module, _, attribute = PROTOCOLS[name].partition(":")
    return cast(type[EngineClient], getattr(importlib.import_module(module), attribute))
