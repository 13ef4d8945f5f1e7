"""Dialects: how a protocol writes turns, positions and options of a game.

The default is Papan's own notation, as in UGI; a game's part ``engines`` has ``Dialects`` for other protocols.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Literal, Protocol

from papan.game.game import SEATS, Game, part_of
from papan.game.match import Match
from papan.game.match.notation import parse_turn, write_turn
from papan.game.rules import Rules, State

Options = Mapping[str, str]
"""Options of a game or settings of an engine, by name."""
UGI = "ugi"
"""The protocol that every game of two seats has."""
FIRST = "first"
"""The option for the first player; engines don't get it."""


def _write_turn(rules: Rules, state: State, steps: Sequence[int]) -> str:
    return write_turn(rules, state, steps, may_be_unfinished=True)


def _read_turn(rules: Rules, state: State, text: str) -> list[int]:
    return parse_turn(rules, state, text, may_be_unfinished=True)


def _settled(options: Options) -> dict[str, str]:
    return {name: value for name, value in options.items() if name not in (FIRST, SEATS)}


@dataclass(frozen=True)
class Dialect:
    """How one protocol writes one game; default: Papan's own notation."""

    write: Callable[[Rules, State, Sequence[int]], str] = _write_turn
    """The text of a turn from a state."""
    read: Callable[[Rules, State, str], list[int]] = _read_turn
    """The steps of a turn's text; raises ``NotationError``."""
    write_position: Callable[[str], str] = lambda text: text
    """Our position text to theirs."""
    read_position: Callable[[str], str] = lambda text: text
    """Their position text to ours; raises ``PositionError``."""
    settings: Callable[[Options], Options] = _settled
    """An engine's settings from a match's options."""
    options: Callable[[Options], Options] = _settled
    """A match's options from an engine's settings."""
    unit: float | None = None
    """Our score for an engine's score of 1; None for the evaluation's ``SCALE``."""
    notation: str = ""
    """Its name, where programs write a protocol in several ways."""
    others: tuple[Dialect, ...] = ()
    """The other ways."""
    is_shown_by: Callable[[Sequence[str]], bool] = lambda lines: False
    """Whether a program's first lines, its name and options, show that it writes so."""
    programs: Sequence[str] = ()
    """The names of some that speak it."""
    reopened: Callable[[str], str] | None = None
    """Our position text without counts that end a game, where clients go on by rules of their own; None: none do."""

    @property
    def notations(self) -> Sequence[str]:
        """The names of all ways; empty if there is one way only."""
        return [one.notation for one in (self, *self.others)] if self.others else []

    def called(self, notation: str) -> Dialect | None:
        """The way of this name alone, without others; None if there is none."""
        ways = (self, *self.others) if self.others else ()
        return next((replace(way, others=()) for way in ways if way.notation == notation), None)


def going_on(match: Match, dialect: Dialect) -> Match:
    """*match*; one that begins at its last position, where only our counts of turns and repetitions have ended it.

    Whether such a game is over is the client's affair.
    """
    if match.ending is None or dialect.reopened is None:
        return match
    start = match.rules.parse(dialect.reopened(match.rules.text(match.state)), match.options)
    again = Match(match.game, ["", ""], match.options, 0, start)
    return match if again.ending else again


class Dialects(Protocol):
    """The module that a game's part ``engines`` names."""

    @property
    def DIALECTS(self) -> Mapping[str, Dialect]:  # noqa: N802 - a constant of a module
        """How programs write the game, by their protocols."""


def is_for_programs(game: Game) -> bool:
    """Whether engines can play *game*: it is for two and hides nothing."""
    return 2 in game.seats and not game.has_hidden_information


def dialects_of(game: Game) -> Mapping[str, Dialect]:
    """The dialects of *game* by protocol; empty if engines can't play it. May raise PartError."""
    if not is_for_programs(game):
        return {}
    own: Mapping[str, Dialect] = {}
    if game.parts.engines:
        own = part_of(game, game.parts.engines, Dialects).DIALECTS
    return {UGI: Dialect(), **own}


PROTOCOLS: Mapping[str, str] = {
    "uci": "uci:Uci",
    "ucci": "uci:Ucci",
    "ugi": "uci:Ugi",
    "gomocup": "gomocup:Gomocup",
    "nboard": "nboard:NBoard",
    "gtp": "gtp:Gtp",
}
"""The protocols, each with its class in ``client`` and in ``server``, as ``module:name``."""


def class_of(protocol: str, end: Literal["client", "server"]) -> Any:
    """The class that speaks *protocol* at this *end*: an ``EngineClient``, or an ``EngineServer``."""
    module, _, name = PROTOCOLS[protocol].partition(":")
    return getattr(import_module(f"papan.ai.engines.{end}.{module}"), name)
