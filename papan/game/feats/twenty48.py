"""The feats of 2048: large tiles made, and the largest kept in its corner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from papan.game.base.sentences import say
from papan.game.feats import Feat
from papan.game.rules.twenty48.board import FIELD, State, values_of

LEAST_TILE = 16
"""Smaller tiles are made all the time."""
_CORNER = 1 << 16  # more than any tile


def feats(states: Sequence[State], steps: Sequence[int], who: str) -> Sequence[Feat]:
    """The largest tile made, and whether the largest of all stays in a corner."""
    before, after, found = values_of(states[0]), values_of(states[-1]), []
    made = [value for value in Counter(after.values()) - Counter(before.values()) if value >= LEAST_TILE]
    if made:
        found.append(
            Feat(
                max(made),
                say("{who} can now make a tile of {value}.", who=who, value=max(made)),
                say("{who} could have made a tile of {value}.", who=who, value=max(made)),
            )
        )
    size = int(states[0].size)
    largest = max(after.values())
    if _holds_in_corner(before, max(before.values()), size) and _holds_in_corner(after, largest, size):
        found.append(
            Feat(
                _CORNER,
                say("{who} can now keep the largest tile in its corner.", who=who),
                say("{who} could have kept the largest tile in its corner.", who=who),
            )
        )
    return found


def _holds_in_corner(values: dict[int, int], value: int, size: int) -> bool:
    last = size - 1
    return any(values.get(row * FIELD + column) == value for row in (0, last) for column in (0, last))
