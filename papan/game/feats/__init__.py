"""What players say of a turn: the feats that it brings about, in each game's own words, one module a game.

A review tells with them why a turn was bad: what it lets somebody do now, and what could have been done instead. A game
without such a module, or a turn without a feat, is spoken of in general words (``papan/ai/reviews/coach.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from papan.game.base.sentences import Sentence
from papan.game.facts import Game, part_of
from papan.game.rules import State


class Feat(NamedTuple):
    """Something worth a word that a turn brings about, as two sentences about who can do it."""

    worth: float
    """How much players make of it, among the feats of its game: of several the highest is told."""
    can: Sentence
    """That it can be done now: "Red can now take the corner a1."."""
    could: Sentence
    """That it could have been done: "Red could have taken the corner a1."."""


class Feats(Protocol):
    """What a game's module in this folder offers."""

    def feats(self, states: Sequence[State], steps: Sequence[int], who: str) -> Sequence[Feat]:
        """The feats of a whole turn, in any order; winning at once is not among them.

        :param states: the state before the turn and after each of its *steps*; chance has not acted since.
        :param who: the name of the turn's player, at the beginning of each sentence.
        """


def feats_of(game: Game) -> Feats | None:
    """The module with the feats of *game*; None where it has none.

    :raises PartError: it can't be loaded, or lacks something.
    """
    if not game.parts.feats:
        return None
    return part_of(game, game.parts.feats, Feats)
