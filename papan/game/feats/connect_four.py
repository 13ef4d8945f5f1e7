"""The feats of Connect Four: threats of four in a row that can be completed at once."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import say
from papan.game.feats import Feat
from papan.game.rules.connect_four import COLUMNS, HEIGHT, ROWS, State, four_in_a_row

_THREAT, _DOUBLE = 1, 2


def feats(states: Sequence[State], steps: Sequence[int], who: str) -> Sequence[Feat]:
    """A threat, or two at once, which can't both be met."""
    threats = threatened_columns(states[-1])
    if len(threats) > 1:
        return [
            Feat(
                _DOUBLE,
                say("{who} can now threaten four in a row at two places at once.", who=who),
                say("{who} could have threatened four in a row at two places at once.", who=who),
            )
        ]
    return [
        Feat(
            _THREAT,
            say("{who} can now threaten four in a row in column {column}.", who=who, column=column + 1),
            say("{who} could have threatened four in a row in column {column}.", who=who, column=column + 1),
        )
        for column in threats
    ]


def threatened_columns(state: State) -> list[int]:
    """The columns in which the seat that has just moved would make four in a row with its next disc."""
    discs = state.mine | state.theirs
    found = []
    for column in range(COLUMNS):
        own_column = ((1 << ROWS) - 1) << (column * HEIGHT)
        landing = (discs + (1 << (column * HEIGHT))) & ~discs & own_column
        if landing and four_in_a_row(state.theirs | landing):
            found.append(column)
    return found
