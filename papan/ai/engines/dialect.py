"""How programs of a protocol write a game: its turns, positions and options.

The default is Papan's own notation, as in UGI. For other protocols a game's part ``engines`` names a module of
``Dialects``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from papan.game.game import SEATS, Game, part_of
from papan.game.match.notation import parse_turn, write_turn
from papan.game.rules import Rules, State

Options = Mapping[str, str]
"""Options of a game by their names, or settings of a program by theirs."""
UGI = "ugi"
"""The protocol that every game of two seats has."""
FIRST = "first"
"""The option that says who starts; programs are told the moves instead."""


def _write_turn(rules: Rules, state: State, steps: Sequence[int]) -> str:
    return write_turn(rules, state, steps, may_be_unfinished=True)


def _read_turn(rules: Rules, state: State, text: str) -> list[int]:
    return parse_turn(rules, state, text, may_be_unfinished=True)


def _same(text: str) -> str:
    return text


def _settled(options: Options) -> dict[str, str]:
    return {name: value for name, value in options.items() if name not in (FIRST, SEATS)}


@dataclass(frozen=True)
class Dialect:
    """How the programs of one protocol write one game; the defaults are Papan's own notation."""

    write: Callable[[Rules, State, Sequence[int]], str] = _write_turn
    """The text of a turn from a state."""
    read: Callable[[Rules, State, str], list[int]] = _read_turn
    """The steps of a turn's text; raises ``NotationError`` where it is none."""
    write_position: Callable[[str], str] = _same
    """A position text of theirs from one of ours."""
    read_position: Callable[[str], str] = _same
    """A position text of ours from one of theirs; raises ``PositionError`` where that can't be."""
    settings: Callable[[Options], Options] = _settled
    """A program's settings from a match's options."""
    options: Callable[[Options], Options] = _settled
    """A match's options from such settings."""
    unit: float | None = None
    """Our score for a program's score of 1; None for the evaluation's ``SCALE``."""


class Dialects(Protocol):
    """The module that a game's part ``engines`` names."""

    @property
    def DIALECTS(self) -> Mapping[str, Dialect]:  # noqa: N802 - a constant of a module
        """How programs write the game, by their protocols."""


def is_for_programs(game: Game) -> bool:
    """Whether other programs can play *game*: it is for two, and hides nothing."""
    return 2 in game.seats and not game.has_hidden_information


def dialects_of(game: Game) -> Mapping[str, Dialect]:
    """How programs write *game*, by the names of protocols; none where they can't play it.

    :raises PartError: the game's module of dialects can't be loaded, or is none.
    """
    if not is_for_programs(game):
        return {}
    own: Mapping[str, Dialect] = {}
    if game.parts.engines:
        own = part_of(game, game.parts.engines, Dialects).DIALECTS
    return {UGI: Dialect(), **own}
