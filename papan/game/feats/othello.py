"""The feats of Othello: corners, and turns that leave the other side few moves, or none."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import say, say_number
from papan.game.feats import Feat
from papan.game.kernel.bits import popcount
from papan.game.rules import is_over
from papan.game.rules.othello import CELLS, COLOURS, SIZE, State, name_of, playable_cells

CORNERS = (0, SIZE - 1, CELLS - SIZE, CELLS - 1)
_PASS, _CORNER = 1, 2
_FEW = 3
"""So few moves are a word worth: the other side may soon have to give something away."""


def feats(states: Sequence[State], steps: Sequence[int], who: str) -> Sequence[Feat]:
    """A corner taken, and a side that has to pass."""
    found, after = [], states[-1]
    if steps[-1] in CORNERS:
        cell = name_of(steps[-1])
        found.append(
            Feat(
                _CORNER,
                say("{who} can now take the corner {cell}.", who=who, cell=cell),
                say("{who} could have taken the corner {cell}.", who=who, cell=cell),
            )
        )
    number, colour = popcount(playable_cells(after.mine, after.theirs)), COLOURS[after.to_move]
    if 0 < number <= _FEW:
        found.append(
            Feat(
                _PASS - number / (_FEW + 1),
                say_number(
                    "{who} can now leave {colour} only one move.",
                    "{who} can now leave {colour} only {count} moves.",
                    number,
                    who=who,
                    colour=colour,
                ),
                say_number(
                    "{who} could have left {colour} only one move.",
                    "{who} could have left {colour} only {count} moves.",
                    number,
                    who=who,
                    colour=colour,
                ),
            )
        )
    if not is_over(after) and not number:
        found.append(
            Feat(
                _PASS,
                say("{who} can now leave {colour} without a move.", who=who, colour=colour),
                say("{who} could have left {colour} without a move.", who=who, colour=colour),
            )
        )
    return found
