"""The feats of checkers: captures, and men that become kings."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import say, say_number
from papan.game.feats import Feat
from papan.game.kernel.bits import popcount
from papan.game.rules import mover
from papan.game.rules.checkers.board import State, pieces_of

_KING = 1.5
"""A king is worth more than one piece captured, and less than two."""


def feats(states: Sequence[State], steps: Sequence[int], who: str) -> Sequence[Feat]:
    """How many pieces are captured, and whether a man becomes a king."""
    before, after, found = states[0], states[-1], []
    seat = int(mover(before))
    captured = popcount(pieces_of(before, 1 - seat)) - popcount(pieces_of(after, 1 - seat))
    if captured:
        found.append(
            Feat(
                captured,
                say_number(
                    "{who} can now capture a piece.", "{who} can now capture {count} pieces.", captured, who=who
                ),
                say_number(
                    "{who} could have captured a piece.", "{who} could have captured {count} pieces.", captured, who=who
                ),
            )
        )
    if popcount(after.kings & pieces_of(after, seat)) > popcount(before.kings & pieces_of(before, seat)):
        square = (steps[-1] & 31) + 1
        found.append(
            Feat(
                _KING,
                say("{who} can now get a king on {square}.", who=who, square=square),
                say("{who} could have got a king on {square}.", who=who, square=square),
            )
        )
    return found
