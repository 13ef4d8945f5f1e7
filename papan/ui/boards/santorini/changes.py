"""The changes made by Santorini's steps: moving workers, falling blocks, special targets, winning workers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from papan.game.kernel.bits import cells_of
from papan.game.rules import legal_steps
from papan.game.rules.santorini import cells, displacement
from papan.game.rules.santorini.board import (
    MOVE,
    REACHED_TOP,
    STUCK,
    WENT_DOWN,
    State,
    step_parts,
    workers_of,
)
from papan.ui.boards.santorini.geometry import Figures
from papan.ui.sounds import Cue

Special = Literal["swap", "push", "build"]
"""A special target: another worker is displaced, or the worker can only build there."""

LANDING = 0.6
"""The share of a building's animation after which the block has landed; then its dust settles."""


class Flight(NamedTuple):
    """A worker moving from one cell to another, appearing, or vanishing."""

    seat: int
    origin: int
    target: int
    fades: Literal["in", "out"] | None = None


def flights(before: Figures, after: Figures) -> list[Flight]:
    """The workers whose cells differ in *after*, each with the cells that it leaves and reaches."""
    found: list[Flight] = []
    for seat in sorted({*before.workers.values(), *after.workers.values()}):
        old = {cell for cell, owner in before.workers.items() if owner == seat}
        new = {cell for cell, owner in after.workers.items() if owner == seat}
        left, reached = sorted(old - new), sorted(new - old)
        pairs = min(len(left), len(reached))
        found += [Flight(seat, origin, target) for origin, target in zip(left, reached, strict=False)]
        found += [Flight(seat, cell, cell, "out") for cell in left[pairs:]]
        found += [Flight(seat, cell, cell, "in") for cell in reached[pairs:]]
    return found


def cues_between(before: Figures, after: Figures) -> list[Cue]:
    """The sounds of a step: workers set down or removed, blocks and domes landing."""
    cues = []
    if moved := flights(before, after):
        cues.append(Cue("lift" if all(flight.fades == "out" for flight in moved) else "figure"))
    built = [new for old, new in zip(before.towers, after.towers, strict=True) if new != old]
    if built:
        cues.append(Cue("dome" if any(tower.is_domed for tower in built) else "stone", LANDING))
    return cues


def fall_height(progress: float) -> float:
    """The height of a falling block above its tower: 1 at the start, 0 at the end, with a small rebound."""
    if progress < LANDING:
        return 1 - (progress / LANDING) ** 2
    return 0.05 * math.sin(math.pi * since_landing(progress))


def since_landing(progress: float) -> float:
    """The share of the time after a block's landing that has passed; 0 while it falls."""
    return max(0.0, (progress - LANDING) / (1 - LANDING))


@lru_cache(maxsize=16)
def special_targets(state: State, chosen: int | None) -> Mapping[int, Special]:
    """The special targets of the worker on *chosen*."""
    found: dict[int, Special] = {}
    steps = [step for step in legal_steps(state) if len(cells(state, step)) == 2]
    parts = [step_parts(step) for step in steps if cells(state, step)[0] == chosen]
    entered = {target for kind, _, target in parts if kind == MOVE}
    for _, origin, target in parts:
        special = displacement(state, origin, target) if target in entered else "build"
        if special:
            found[target] = special
    return found


def decided_workers(state: State) -> tuple[frozenset[int], frozenset[int]]:
    """The cells of workers that may have won, and of workers that can't complete a turn."""
    own = int(workers_of(state, state.seat))
    if state.phase == REACHED_TOP:
        return frozenset(cells_of(own & state.level_3)), frozenset()
    if state.phase == WENT_DOWN:
        return frozenset(cells_of(own & ~state.level_2)), frozenset()
    return frozenset(), frozenset(cells_of(own)) if state.phase == STUCK else frozenset()
