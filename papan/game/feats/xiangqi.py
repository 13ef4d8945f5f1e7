"""The feats of Xiangqi: captures, by what the piece is worth, and checks."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import say
from papan.game.feats import Feat
from papan.game.rules import is_over, mover
from papan.game.rules.xiangqi.board import (
    ADVISOR,
    CANNON,
    CHARIOT,
    ELEPHANT,
    HORSE,
    KIND_NAMES,
    SOLDIER,
    STEP_SHIFT,
    TARGET_MASK,
    State,
    cell_name,
    in_check,
    kind_at,
    seat_at,
)

_WORTHS = {CHARIOT: 9.0, CANNON: 4.5, HORSE: 4.0, ELEPHANT: 2.0, ADVISOR: 2.0, SOLDIER: 1.0}
"""What the pieces are usually taken to be worth."""
_CHECK = 0.5


def feats(states: Sequence[State], steps: Sequence[int], who: str) -> Sequence[Feat]:
    """A piece that is captured, and a check that is given."""
    before, after, found = states[0], states[-1], []
    target = steps[-1] & TARGET_MASK
    if seat_at(before, target) == 1 - int(mover(before)):
        kind = kind_at(before, target)
        piece, cell = KIND_NAMES[kind], cell_name(target)
        found.append(
            Feat(
                _WORTHS.get(kind, 0.0),
                say("{who} can now capture the {piece} on {cell}.", who=who, piece=piece, cell=cell),
                say("{who} could have captured the {piece} on {cell}.", who=who, piece=piece, cell=cell),
            )
        )
    if in_check(after, after.to_move) and not is_over(after):
        origin = cell_name(steps[-1] >> STEP_SHIFT)
        piece = KIND_NAMES[kind_at(after, target)]
        found.append(
            Feat(
                _CHECK,
                say("{who} can now give check with the {piece} from {cell}.", who=who, piece=piece, cell=origin),
                say("{who} could have given check with the {piece} from {cell}.", who=who, piece=piece, cell=origin),
            )
        )
    return found
