"""Xiangqi's piece-square tables, mobility and guards: learned ones, or ones set by hand where the asset is damaged.

Learned by ``dev.fitting.xiangqi``. Cells are worth the same on both wings, so tables are indexed by ranks from the
piece's own side, and by files from the edge to the middle.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from papan.ai.learning.weight_files import read_arrays
from papan.game.base.assets import ASSETS
from papan.game.base.places import atomic_file
from papan.game.rules.xiangqi.board import ADVISOR, CANNON, CHARIOT, ELEPHANT, GENERAL, HORSE, KINDS
from papan.game.rules.xiangqi.tables import FILES, RANKS

ASSET = "weights/xiangqi.npz"

KIND_ROWS = len(KINDS) + 1
WING = FILES // 2 + 1
"""Files of one wing, the middle one included."""

MOST_FREE = 18
"""One more than the cells that a piece can go to at most."""

ATTACKING = np.array((0, 0, 0, 0, 2, 3, 2, 1), np.int64)
"""How dangerous a piece of each kind is to a bare general."""
MOST_ATTACK = 2 * 2 + 2 * 3 + 2 * 2 + 5 * 1 + 1
PALACE_CELLS = 9
UNIT = 1000
"""Stored whole numbers are such fractions of a soldier."""

Array = np.ndarray[Any, np.dtype[np.float64]]


class Tables(NamedTuple):
    """The numbers, in units of a soldier at home."""

    early: Array
    """Piece-square tables with all chariots, horses and cannons: shape (kinds from 0 on, ranks, files of a wing)."""
    late: Array
    """The same without any of these; interpolated between."""
    freedom: Array
    """By horse, chariot or cannon, and the number of cells that it can go to."""
    guard: Array
    """The cost of missing guards: by advisors, elephants, and the sum of ``ATTACKING`` of the other side's pieces."""
    palace: Array
    """The cost by the cells of the palace that the opponent reaches."""
    scalars: Array
    """The weights of the features; empty where none were learned."""


def _cell_value(kind: int, rank: int, file: int) -> float:
    """What it is worth to have a piece of *kind* on a cell; ranks are counted from its own side."""
    centre = 4 - abs(file - 4)
    worth = 0.0
    if kind == GENERAL:
        worth = -0.35 * rank
    elif kind == ADVISOR:
        worth = 0.1 if rank == 1 else -0.15 if rank == 2 else 0.0
    elif kind == ELEPHANT:
        worth = 0.2 if (rank, file) == (2, 4) else -0.15 if file in (0, 8) else 0.0
    elif kind == HORSE:
        worth = 0.08 * centre + 0.12 * min(rank, 6)  # forward, and never at the edge
        worth -= 0.3 * (rank == RANKS - 1) + 0.8 * ((rank, file) == (1, 4))  # the palace's heart is for advisors
    elif kind == CHARIOT:
        worth = 0.04 * centre + (0.35 if rank >= RANKS // 2 else 0.2 if rank in (1, 3, 4) else 0.0)
    elif kind == CANNON:
        worth = (0.45 if file == 4 else 0.04 * centre) + (0.25 if rank in (2, RANKS - 1) else 0.0)
    elif rank >= RANKS // 2:  # a soldier beyond the river is worth two, most of all beside the palace
        worth = 0.9 + 0.12 * centre + (0.25 if 6 <= rank <= 8 else 0.0) - 0.9 * (rank == RANKS - 1)
    else:
        worth = 0.15 * (rank == RANKS // 2 - 1) + (0.1 if file in (2, 6) else 0.0)
    return worth


def tables_by_hand() -> Tables:
    places = np.array(
        [[[_cell_value(kind, rank, file) for file in range(WING)] for rank in range(RANKS)] for kind in (0, *KINDS)]
    )
    freedom = np.outer((0.09, 0.04, 0.02), np.arange(MOST_FREE, dtype=np.float64))
    missing = 4.0 - np.add.outer(np.arange(3), np.arange(3))
    guard = 0.05 * missing[:, :, None] * np.arange(MOST_ATTACK)
    palace = 0.08 * np.arange(PALACE_CELLS + 1, dtype=np.float64)
    return Tables(places, places.copy(), freedom, guard, palace, np.zeros(0))


def learned_tables(path: Path) -> Tables:
    """The learned numbers in the file *path*; raises ValueError if it does not hold them."""
    found = read_arrays(path, dict.fromkeys(Tables._fields, np.int16))
    for name, by_hand in tables_by_hand()._asdict().items():
        if name != "scalars" and found[name].shape != by_hand.shape:
            raise ValueError(f"{path} does not hold {name} of the shape {by_hand.shape}")
    return Tables(**{name: found[name] / UNIT for name in Tables._fields})


def keep_tables(tables: Tables, path: Path, provenance: str) -> None:
    """Write *tables* to a file such as the asset, and where they are from."""
    whole = {name: np.round(table * UNIT).astype(np.int16) for name, table in tables._asdict().items()}
    with atomic_file(path) as file:
        np.savez_compressed(file, provenance=np.array(provenance), **whole)


def bundled_tables() -> Tables:
    """The learned numbers, if some come with the program; those set by hand if not, or if their file is damaged."""
    learned = ASSETS.open(ASSET, learned_tables) if ASSET in ASSETS.digests else None
    return tables_by_hand() if learned is None else learned


def by_cells(table: Array) -> Array:
    """A table of a wing, flattened by seat, kind and cell."""
    whole = np.concatenate([table, table[:, :, -2::-1]], axis=2).reshape(KIND_ROWS, -1)
    return np.concatenate([whole.ravel(), whole[:, ::-1].ravel()])
