"""Guided matches: short hints at the board for whoever plays a game for the first time, one module a game.

A module holds data: what the match is played with, and its hints, each a text and a condition on the state. When a
hint is shown, for how long, and where, is the same for all games (``papan/ui/play/guide.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from papan.game.base.sentences import Sentence
from papan.game.facts import Game, part_of

GUIDED = "Guided"
"""The tag of matches that hints are shown in; its value is of no account."""


class Hint(NamedTuple):
    """One thing to say to a beginner, once."""

    text: Sentence
    """Two short sentences at most."""
    fits: Callable[[Any, int], Sequence[int] | None]
    """Told a state and the beginner's seat, which is to act there: the cells that the text speaks of, as the rules'
    ``cells`` count them, or none in particular; None where it does not fit."""


class Guide(Protocol):
    """What a game's module in this folder offers."""

    @property
    def OPTIONS(self) -> Mapping[str, str]:  # noqa: N802 - a constant of a module
        """The options of the guided match that are not the defaults."""

    @property
    def HINTS(self) -> Sequence[Hint]:  # noqa: N802
        """Of several that fit the first is shown."""


def guide_of(game: Game) -> Guide | None:
    """The module that guides through *game*; None where it has none.

    :raises papan.game.facts.PartError: it can't be loaded, or lacks something.
    """
    if not game.parts.guide:
        return None
    return part_of(game, game.parts.guide, Guide)
