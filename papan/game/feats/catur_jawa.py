"""The feats of Catur Jawa: cards covered, and lines that a fourth card would complete."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import say
from papan.game.feats import Feat
from papan.game.rules.catur_jawa import CELL_MASK
from papan.game.rules.catur_jawa.board import State, cards_of, cell_name, cells_of, completing, place_of, value_at

_COVER, _LINE = 1, 2


def feats(states: Sequence[State], steps: Sequence[int], who: str) -> Sequence[Feat]:
    """A line that could be completed on an empty cell, which was not so before, and a card that is covered."""
    before, after, found = states[0], states[-1], []
    cell = steps[-1] & CELL_MASK
    new = set(_completing_cells(after, before.to_move)) - set(_completing_cells(before, before.to_move))
    if new:
        name = cell_name(min(new))
        found.append(
            Feat(
                _LINE,
                say("{who} can now make three of a line that {cell} would complete.", who=who, cell=name),
                say("{who} could have made three of a line that {cell} would complete.", who=who, cell=name),
            )
        )
    covered = value_at(before, place_of(cell))
    if covered:
        name = cell_name(cell)
        found.append(
            Feat(
                _COVER,
                say("{who} can now cover the {card} on {cell}.", who=who, card=covered, cell=name),
                say("{who} could have covered the {card} on {cell}.", who=who, card=covered, cell=name),
            )
        )
    return found


def _completing_cells(state: State, seat: int) -> list[int]:
    """The empty cells that would make four in a row with the cards of *seat*."""
    return [cell for cell in cells_of(completing(*cards_of(state, seat))) if not value_at(state, place_of(cell))]
