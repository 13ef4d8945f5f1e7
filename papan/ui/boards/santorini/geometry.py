"""The geometry of Santorini's oblique board, in pixels: cells, towers, workers, and what steps change of them.

The board is seen from its corner e1: a1 is on the left, a5 at the back, e5 on the right. All lengths are whole pixels,
so that cached pictures fit together without gaps.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import pygame

from papan.game.kernel.bits import cells_of
from papan.game.rules import legal_steps
from papan.game.rules.santorini import board, cells, displacement
from papan.ui.boards import Direction
from papan.ui.drawing.canvas import Point
from papan.ui.sounds import Cue

SLOPE = 0.59
"""The height of a cell's rhombus relative to its width, for a viewing angle of 36 degrees."""
FRAME = 0.56
"""The width of the wooden frame at its corners, in halves of a cell."""
THICKNESS = 0.36
TIER_HEIGHT = 0.46
TIER_WIDTHS = (1.0, 0.82, 0.67, 0.52)
"""The widths of a free cell and of each tier's top, relative to a cell's width."""
MOST_TIERS = len(TIER_WIDTHS) - 1
_LOWER = 0.7
"""The exponent that makes tiers lower if there are more: with twice as many, a full tower is 2 ** (1 - 0.7) times as
high."""
DOME_WIDTH, DOME_HEIGHT = 0.43, 0.5
PAWN_HEIGHT = 0.96
PAWN_WIDTH = 0.27
_INSET = 0.9
"""The size of a tile as a share of its cell."""
HEADROOM = 1.18
"""The height above the back corner, in halves of a cell's width, for a domed full tower on a5."""
_SHADOW_ROOM = 0.45
"""The height below the front corner."""
_SIDE_ROOM = 0.12
_LEAST_HEADROOM = 0.1

_SCREEN_STEPS: dict[Direction, tuple[tuple[int, int], ...]] = {
    "left": ((-1, 0), (0, -1)),
    "right": ((1, 0), (0, 1)),
    "up": ((0, 1), (-1, 0)),
    "down": ((0, -1), (1, 0)),
}
"""For each arrow key the two steps, in columns and rows, in that direction on the screen."""


class Tower(NamedTuple):
    tiers: int
    """Blocks, 0 to 3."""
    is_domed: bool


GROUND = Tower(0, False)


class Figures(NamedTuple):
    """A position to draw: the tower on each cell, and the side of the worker on each occupied cell."""

    towers: tuple[Tower, ...]
    workers: dict[int, int]


def figures_of(state: board.State) -> Figures:
    towers = []
    for cell in range(board.CELLS):
        has_dome = bool(state.domes >> cell & 1)
        towers.append(Tower(board.levels_below_dome(state, cell) if has_dome else board.height(state, cell), has_dome))
    workers = {cell: side for side in range(state.sides) for cell in cells_of(int(board.workers_of_side(state, side)))}
    return Figures(tuple(towers), workers)


EMPTY = Figures((GROUND,) * board.CELLS, {})


def depth(cell: int) -> int:
    """The nearness of *cell* to the viewer: 0 for a5, 8 for e1. Cells of equal depth never cover each other."""
    row, column = divmod(cell, board.SIZE)
    return column + board.SIZE - 1 - row


BACK_TO_FRONT = sorted(range(board.CELLS), key=depth)


def placed(cell: int, quarters: int) -> int:
    """The unturned cell where *cell* is after *quarters* rotations by 90 degrees.

    >>> placed(0, 1), placed(placed(0, 1), 3)
    (4, 0)
    """
    row, column = divmod(cell, board.SIZE)
    for _ in range(quarters):
        row, column = column, board.SIZE - 1 - row
    return row * board.SIZE + column


def cell_in_front(cell: int) -> int | None:
    """The cell directly in front of *cell*: only a tower there can hide what is on *cell*."""
    row, column = divmod(cell, board.SIZE)
    return cell + 1 - board.SIZE if row > 0 and column < board.SIZE - 1 else None


def headroom(figures: Figures) -> float:
    """The height of *figures* above the back corner, in halves of a cell's width."""
    highest = _LEAST_HEADROOM
    for cell, tower in enumerate(figures.towers):
        stands = PAWN_HEIGHT if cell in figures.workers else DOME_HEIGHT if tower.is_domed else 0.3
        below = (depth(cell) + 1 + FRAME) * SLOPE
        highest = max(highest, tower.tiers * TIER_HEIGHT + stands - below)
    return highest


def tier_height(levels: int) -> float:
    """The height of a tier if towers can have *levels* tiers, in halves of a cell's width."""
    share: float = min(1.0, MOST_TIERS / max(1, levels)) ** _LOWER
    return TIER_HEIGHT * share


class Ground(ABC):
    """Cells on the screen with towers and workers: their sizes, what covers what, and the cell under a point.

    :param area: the rectangle that contains everything.
    :param order: the cells from back to front.
    :param half_width: half of a cell's width, in pixels.
    :param levels: the most tiers of a tower; with more than three, each is lower.
    """

    def __init__(self, area: pygame.Rect, order: Sequence[int], half_width: int, levels: int = MOST_TIERS) -> None:
        self.area = area.copy()
        self.order = order
        self.half_width = half_width
        self.half_height = round(half_width * SLOPE)
        self.levels = levels
        self.lower = min(1.0, MOST_TIERS / max(1, levels))
        self.tier = round(half_width * tier_height(levels))

    def px(self, length: float) -> int:
        """*length*, in halves of a cell's width, in pixels."""
        return round(length * self.half_width)

    def width(self, tiers: int) -> float:
        """The width of the top of a tower of *tiers*, relative to a cell's."""
        if self.levels <= MOST_TIERS or tiers == 0:
            return TIER_WIDTHS[tiers]
        return TIER_WIDTHS[1] + (TIER_WIDTHS[-1] - TIER_WIDTHS[1]) * (tiers - 1) / (self.levels - 1)

    def top_reach(self, tiers: int) -> tuple[int, int]:
        """The distances from the middle of a tower's top to its right and front corners."""
        share = self.width(tiers) * (_INSET if tiers == 0 else 1.0)
        return self.px(share), round(self.half_height * share)

    @abstractmethod
    def base(self, cell: int) -> tuple[int, int]:
        """The middle of *cell* on the board: the base of its tower."""

    @abstractmethod
    def cells_in_front(self, cell: int) -> Iterable[int]:
        """The cells in front of *cell* whose towers can hide what is on it."""

    @abstractmethod
    def neighbour(self, cell: int, direction: Direction) -> int:
        """The cell that an arrow key moves to; *cell* itself at the board's edge."""

    def top(self, cell: int, tiers: int) -> tuple[int, int]:
        """The middle of the top of a tower of *tiers* on *cell*."""
        x, y = self.base(cell)
        return x, y - tiers * self.tier

    def cell_rect(self, figures: Figures, cell: int) -> pygame.Rect:
        """A rectangle around *cell*, from the top of what is on it to the cell's front corner."""
        wide, deep = self.top_reach(0)
        x, top = self.top(cell, figures.towers[cell].tiers)
        top -= self.px(PAWN_HEIGHT) if cell in figures.workers else deep
        bottom = self.base(cell)[1] + deep
        return pygame.Rect(x - wide, top, 2 * wide, bottom - top)

    def skyline(self, figures: Figures, cell: int) -> int:
        """The y on the screen of the top of the tower on *cell*, at its middle."""
        tower = figures.towers[cell]
        y = self.top(cell, tower.tiers)[1]
        if tower.is_domed:
            return y - self.px(DOME_HEIGHT)
        return y - self.top_reach(tower.tiers)[1] if tower.tiers else self.area.bottom

    def hides_top(self, figures: Figures, cell: int) -> bool:
        """Whether a tower in front of *cell* covers at least about half of its top."""
        tiers = figures.towers[cell].tiers
        edge = self.top(cell, tiers)[1] + self.top_reach(tiers)[1] * 0.2
        return any(self.skyline(figures, front) < edge for front in self.cells_in_front(cell))

    def towers_hiding(self, figures: Figures, cell: int) -> list[int]:
        """The cells whose towers cover the head of a worker on *cell*."""
        edge = self.top(cell, figures.towers[cell].tiers)[1] - self.px(PAWN_HEIGHT * 0.2)
        return [front for front in self.cells_in_front(cell) if self.skyline(figures, front) < edge]

    def cell_at(self, point: Point, figures: Figures, targets: Collection[int]) -> int | None:
        """The cell whose tower or worker is at *point*; a target behind it, shining through, takes precedence."""
        seen = list(self._under(point, figures))
        if not seen:
            return None
        meant = next((cell for cell, is_top in seen if is_top and cell in targets), None)
        return seen[0][0] if meant is None or seen[0][0] in targets else meant

    def _under(self, point: Point, figures: Figures) -> Iterator[tuple[int, bool]]:
        """The cells at *point*, front ones first, and whether it is on their top, dome or worker."""
        for cell in reversed(self.order):
            tower = figures.towers[cell]
            x, y = self.top(cell, tower.tiers)
            right, down = point[0] - x, point[1] - y
            wide, deep = self.top_reach(tower.tiers) if tower.tiers else (self.half_width, self.half_height)
            if (
                abs(right) / wide + abs(down) / deep <= 1
                or (tower.is_domed and self._is_in_dome(right, down))
                or (cell in figures.workers and self._is_in_pawn(right, down))
            ):
                yield cell, True
            elif self._is_in_body(right, point[1] - self.base(cell)[1], tower.tiers):
                yield cell, False

    def _is_in_dome(self, right: float, down: float) -> bool:
        wide, high = self.px(DOME_WIDTH), self.px(DOME_HEIGHT)
        return down <= 0 and (right / wide) ** 2 + (down / high) ** 2 <= 1

    def _is_in_pawn(self, right: float, down: float) -> bool:
        return abs(right) <= self.px(PAWN_WIDTH) * 0.85 and -self.px(PAWN_HEIGHT) <= down <= 0

    def _is_in_body(self, right: float, down: float, tiers: int) -> bool:
        """Whether a point, relative to the middle of a tower's base, is on one of its tiers."""
        for tier in range(1, tiers + 1):
            wide, deep = self.top_reach(tier)
            if abs(right) > wide:
                return False
            edge = deep * (1 - abs(right) / wide)
            if -tier * self.tier - edge <= down <= -(tier - 1) * self.tier + edge:
                return True
        return False


class Geometry(Ground):
    """The board within an area.

    :param headroom: the height above the board's back corner, in halves of a cell's width.
    :param quarters: the number of rotations by 90 degrees.
    """

    def __init__(self, area: pygame.Rect, headroom: float = HEADROOM, quarters: int = 0) -> None:
        self.headroom = headroom
        self.quarters = quarters
        reach = board.SIZE + FRAME
        high = headroom + 2 * reach * SLOPE + THICKNESS + _SHADOW_ROOM
        half_width = max(4, int(min(area.w / (2 * (reach + _SIDE_ROOM)), area.h / high)))
        super().__init__(area, [self.cell_in_place(place) for place in BACK_TO_FRONT], half_width)
        self.thickness = max(2, self.px(THICKNESS))
        top = area.centery - self.px(high) // 2
        self.middle = area.centerx, top + self.px(headroom + reach * SLOPE)

    @property
    def frame_reach(self) -> tuple[int, int]:
        """The distances from the board's middle to its right and front corners."""
        return self.px(board.SIZE + FRAME), round((board.SIZE + FRAME) * self.half_height)

    def base(self, cell: int) -> tuple[int, int]:
        place = placed(cell, self.quarters)
        row, column = divmod(place, board.SIZE)
        across, towards = column + row - (board.SIZE - 1), depth(place) - (board.SIZE - 1)
        return self.middle[0] + across * self.half_width, self.middle[1] + towards * self.half_height

    def cells_in_front(self, cell: int) -> Iterable[int]:
        front = cell_in_front(placed(cell, self.quarters))
        return () if front is None else (self.cell_in_place(front),)

    def cell_in_place(self, place: int) -> int:
        """The cell where *place* is on an unturned board."""
        return placed(place, -self.quarters % 4)

    def neighbour(self, cell: int, direction: Direction) -> int:
        """The cell that an arrow key moves to, by directions on the screen.

        Left and right stay on the same screen row. Up and down go to the next row, alternately half a cell to the left
        and to the right, so that repeated presses go straight. At the edge, arrows follow it to the corner.
        """
        row, column = divmod(placed(cell, self.quarters), board.SIZE)
        ways = _SCREEN_STEPS[direction]
        if direction in ("left", "right"):
            ways = ((ways[0][0] + ways[1][0], ways[0][1] + ways[1][1]), *ways)
        elif (column + row) % 2 == (1 if direction == "up" else 0):  # alternate sides
            ways = ways[::-1]
        for right, up in ways:
            if 0 <= column + right < board.SIZE and 0 <= row + up < board.SIZE:
                return self.cell_in_place((row + up) * board.SIZE + column + right)
        return cell


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
def special_targets(state: board.State, chosen: int | None) -> Mapping[int, Special]:
    found: dict[int, Special] = {}
    steps = [step for step in legal_steps(state) if len(cells(state, step)) == 2]
    parts = [board.step_parts(step) for step in steps if cells(state, step)[0] == chosen]
    entered = {target for kind, _, target in parts if kind == board.MOVE}
    for _, origin, target in parts:
        special = displacement(state, origin, target) if target in entered else "build"
        if special:
            found[target] = special
    return found
