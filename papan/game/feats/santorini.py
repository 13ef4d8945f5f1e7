"""The feats of Santorini: climbs, a free third level in reach, and towers closed in front of who could win there."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import say
from papan.game.feats import Feat
from papan.game.kernel.bits import cells_of, lowest
from papan.game.rules import is_over, mover
from papan.game.rules.santorini.board import (
    BUILD,
    CELLS,
    DOME,
    DOME_HEIGHT,
    MOVE,
    State,
    all_workers,
    cell_name,
    cells_around,
    height,
    step_parts,
    workers_of,
)

_LEVEL = 2
"""The level from which one steps up to win."""
_CLIMB, _CLOSED, _BESIDE = 1, 3, 4


def feats(states: Sequence[State], steps: Sequence[int], who: str) -> Sequence[Feat]:
    """What the worker climbs to, and what is built in front of others."""
    after, seat = states[-1], int(mover(states[0]))
    found = [*_climbs(states, steps, who), *_closed(states, steps, who, seat)]
    if is_over(after):
        return found
    free = _free_tops(after, workers_of(after, seat))
    for cell in sorted(set(free) - set(_free_tops(states[0], workers_of(states[0], seat))))[:1]:
        name = cell_name(cell)
        found.append(
            Feat(
                _BESIDE,
                say("{who} can now stand on level 2 beside the free level 3 on {cell}.", who=who, cell=name),
                say("{who} could have stood on level 2 beside the free level 3 on {cell}.", who=who, cell=name),
            )
        )
    return found


def _climbs(states: Sequence[State], steps: Sequence[int], who: str) -> list[Feat]:
    found = []
    for state, step in zip(states, steps, strict=False):
        kind, origin, target = step_parts(step)
        if kind != MOVE or target >= CELLS:
            continue
        level, name = height(state, target), cell_name(target)
        if level > height(state, origin) and level <= _LEVEL:
            found.append(
                Feat(
                    _CLIMB * level / _LEVEL,
                    say("{who} can now climb to level {level} on {cell}.", who=who, level=level, cell=name),
                    say("{who} could have climbed to level {level} on {cell}.", who=who, level=level, cell=name),
                )
            )
    return found


def _closed(states: Sequence[State], steps: Sequence[int], who: str, seat: int) -> list[Feat]:
    """The domes on level 3 beside another's worker who stood high enough to win there."""
    found = []
    for state, step in zip(states, steps, strict=False):
        kind, _origin, target = step_parts(step)
        others = all_workers(state) & ~workers_of(state, seat)
        if kind not in (BUILD, DOME) or height(state, target) != DOME_HEIGHT - 1:
            continue
        if any(height(state, cell) >= _LEVEL for cell in cells_of(others & cells_around(1 << target))):
            name = cell_name(target)
            found.append(
                Feat(
                    _CLOSED,
                    say("{who} can now close level 3 on {cell} with a dome.", who=who, cell=name),
                    say("{who} could have closed level 3 on {cell} with a dome.", who=who, cell=name),
                )
            )
    return found


def _free_tops(state: State, workers: int) -> list[int]:
    """The free cells of level 3 beside those of *workers* who stand on level 2."""
    high = 0
    while workers:
        cell = lowest(workers)
        workers &= workers - 1
        if height(state, cell) == _LEVEL:
            high |= 1 << cell
    around = cells_around(high) & ~all_workers(state)
    return [cell for cell in cells_of(around) if height(state, cell) == DOME_HEIGHT - 1]
