"""The feats of CIFRA: pieces captured, and pieces brought home."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import say
from papan.game.feats import Feat
from papan.game.rules.cifra import AnyState, cells
from papan.game.rules.cifra.board import MOVING, cell_name, far_row, pieces_of, size_of, whole

_CAPTURE, _HOME = 1, 2


def feats(states: Sequence[AnyState], steps: Sequence[int], who: str) -> Sequence[Feat]:
    """A piece captured, and a piece that comes home."""
    before, found = states[0], []
    if before.stage != MOVING:
        return []
    seat, target = before.to_move, cells(before, steps[-1])[1]
    cell = cell_name(target, size_of(before))
    if whole(far_row, before, seat) >> target & 1:
        found.append(
            Feat(
                _HOME,
                say("{who} can now bring a piece home on {cell}.", who=who, cell=cell),
                say("{who} could have brought a piece home on {cell}.", who=who, cell=cell),
            )
        )
    if whole(pieces_of, before, 1 - seat) >> target & 1:
        found.append(
            Feat(
                _CAPTURE,
                say("{who} can now capture the piece on {cell}.", who=who, cell=cell),
                say("{who} could have captured the piece on {cell}.", who=who, cell=cell),
            )
        )
    return found
