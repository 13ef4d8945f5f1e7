"""Santorini on the table: an oblique wooden board, towers of stone, workers with their seat's shape.

Everything is drawn from the back to the front, cell by cell. What a tower hides and somebody needs to see
(a worker, a legal cell, the cursor) shines through it. Steps are shown by what differs between the states
before and after them, so that a power that moves or builds more than usual needs nothing here.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from typing import Literal, NamedTuple

import pygame

from game.santorini import State, parse
from game.santorini_board import CELL_BY_NAME, REACHED_TOP, STUCK, cells_of, workers_of
from ui.boards import BoardView, Direction, Moving, Picture, common
from ui.boards.santorini_art import Art, Sprite, readable
from ui.boards.santorini_geometry import (
    BACK_TO_FRONT,
    EMPTY,
    GROUND,
    PAWN_HEIGHT,
    Figures,
    Geometry,
    Tower,
    depth,
    figures_of,
    headroom,
    neighbour,
)
from ui.boards.santorini_marks import Marks, Outline
from ui.boards.santorini_wood import WoodenBoard
from ui.canvas import Point
from ui.paint import Painter
from ui.theme import TextStyle

MOVE_SECONDS = 0.35
BUILD_SECONDS = 0.3
PLACE_SECONDS = 0.25

_SAMPLE = "1210024311122120111000000/1/apollo:c3,d1/atlas:e4,b2"
_LIFT = 0.2
"""Of the chosen worker, in halves of a cell's width."""
_HOP = 0.42
_ASIDE = 0.34
_HELD = 0.66
"""How high a worker is set down from."""
_DROP = 1.1
"""How high a block falls from."""
_GHOST_WORKER, _GHOST_OUTLINE = 0.5, 0.6
_SMALLEST_WITH_MARKS = 24


class Flight(NamedTuple):
    """A worker on its way from one cell to another, or appearing on or vanishing from one."""

    seat: int
    origin: int
    target: int
    fades: Literal["in", "out"] | None = None


class Board(BoardView):
    """The view of Santorini."""

    def __init__(self, paint: Painter) -> None:
        super().__init__(paint)
        self.geometry = Geometry(pygame.Rect(0, 0, 1, 1))
        self._figures = EMPTY
        self._targets: frozenset[int] = frozenset()

    # ------------------------------------------------------------------------------------- geometry

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        self.geometry = Geometry(area)

    def cell_at(self, point: tuple[int, int]) -> int | None:
        """The cell whose tower or worker is seen at *point* in the frame drawn last.

        A legal cell that shines through what hides it comes before what hides it.
        """
        return self.geometry.cell_at(point, self._figures, self._targets)

    def cell_rect(self, cell: int) -> pygame.Rect:
        tower = self._figures.towers[cell]
        wide, deep = self.geometry.top_reach(0)
        x, top = self.geometry.top(cell, tower.tiers)
        top -= self.geometry.px(PAWN_HEIGHT) if cell in self._figures.workers else deep
        bottom = self.geometry.ground(cell)[1] + deep
        return pygame.Rect(x - wide, top, 2 * wide, bottom - top)

    def neighbour(self, cell: int, direction: Direction) -> int:
        return neighbour(cell, direction)

    def first_cursor(self, state: State) -> int:
        """The first own worker, or the board's middle."""
        own = cells_of(workers_of(state, state.seat))
        return own[0] if own else CELL_BY_NAME["c3"]

    def sample(self) -> State:
        return parse(_SAMPLE, {})

    # ------------------------------------------------------------------------------------ animation

    def duration(self, before: State, step: int, after: State) -> float:
        old, new = figures_of(before), figures_of(after)
        seconds = [PLACE_SECONDS if flight.fades else MOVE_SECONDS for flight in flights(old, new)]
        if old.towers != new.towers:
            seconds.append(BUILD_SECONDS)
        return max(seconds, default=0.0)

    # -------------------------------------------------------------------------------------- drawing

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        moving = picture.moving
        self._figures = figures_of(moving.before if moving else picture.state)
        self._targets = picture.targets
        if self.is_still and self.geometry.headroom != headroom(self._figures):
            self.geometry = Geometry(self.area, headroom(self._figures))
        if self.area.w < 8 or self.area.h < 8:
            return
        clip = surface.get_clip()
        surface.set_clip(clip.clip(self.area))
        _Frame(self.paint, self.geometry, surface, picture, self._figures).draw(has_coordinates=not self.is_still)
        surface.set_clip(clip)


class _Frame:
    """One frame: the board's pictures put together for one ``Picture``."""

    def __init__(
        self, paint: Painter, geometry: Geometry, surface: pygame.Surface, picture: Picture, figures: Figures
    ) -> None:
        self.paint = paint
        self.geometry = geometry
        self.surface = surface
        self.picture = picture
        self.figures = figures
        self.art = Art(paint, geometry)
        self.marks = Marks(self.art)
        self.winners, self.stuck = outcome(picture.state)
        self.winners |= frozenset(picture.winning)
        self.next_towers = figures.towers
        self.flights: list[Flight] = []
        self.walking: list[tuple[Flight, Point]] = []
        self.progress = 0.0
        if picture.moving:
            self._begin_moving(picture.moving)
        self.standing = {
            cell: seat
            for cell, seat in figures.workers.items()
            if not any(flight.origin == cell and flight.fades != "in" for flight in self.flights)
        }

    def _begin_moving(self, moving: Moving) -> None:
        after = figures_of(moving.after)
        self.flights = flights(self.figures, after)
        self.next_towers = after.towers
        self.progress = min(1.0, max(0.0, moving.progress))

    def draw(self, has_coordinates: bool) -> None:
        """Draw it all."""
        WoodenBoard(self.art).sprite(has_coordinates).blit(self.surface, self.geometry.middle)
        for cell in BACK_TO_FRONT:
            self._draw_shadow(cell)
        passing = [(self._slot(flight), flight) for flight in self.flights]
        for cell in BACK_TO_FRONT:
            self._draw_cell(cell)
            for slot, flight in passing:
                if slot == cell and flight.fades:
                    self._draw_fading(flight)
                elif slot == cell:
                    self._draw_walking(flight)
        self._draw_hidden()
        self._draw_above()

    def top(self, cell: int) -> tuple[int, int]:
        """The middle of the top of the tower on *cell*."""
        return self.geometry.top(cell, self.figures.towers[cell].tiers)

    # ------------------------------------------------------------------------------------ one cell

    def _draw_shadow(self, cell: int) -> None:
        """On the board; it lengthens while a block falls."""
        before, after = self.figures.towers[cell], self.next_towers[cell]
        shares = ((before, 1.0),) if before == after else ((before, 1 - self.progress), (after, self.progress))
        for tower, share in shares:
            if tower != GROUND:
                shadow = self._faint(self.art.tower_shadow(tower), ("tower shadow", tower), share)
                shadow.blit(self.surface, self.geometry.ground(cell))

    def _draw_cell(self, cell: int) -> None:
        tower = self.figures.towers[cell]
        if tower.tiers:
            self.art.tower(Tower(tower.tiers, False)).blit(self.surface, self.geometry.ground(cell))
        for name in self._outlines(cell):
            self.marks.outline(name, tower.tiers).blit(self.surface, self.top(cell))
        if tower.is_domed:
            self.art.tower(tower, tower.tiers + 1).blit(self.surface, self.geometry.ground(cell))
        if self.next_towers[cell] != tower:
            self._draw_falling(cell, tower, self.next_towers[cell])
        if cell in self.standing:
            self._draw_worker(cell)
        elif cell in self.picture.marks and not self.geometry.hides_top(self.figures, cell) and not tower.is_domed:
            self._write_mark(cell)

    def _outlines(self, cell: int) -> Iterator[Outline]:
        """What to mark on *cell*, lowest first."""
        picture = self.picture
        if cell in picture.last:
            yield "last"
        if cell in self.winners:
            yield "winning"
        if cell in picture.hint:
            yield "hint"
        if cell in picture.targets:
            yield "hovered target" if cell in (picture.hover, picture.cursor) else "target"
        elif cell == picture.hover:
            yield "hover"
        if cell == picture.cursor:
            yield "cursor"

    def _pawn(self, seat: int) -> Sprite:
        return self.art.pawn(self.paint.theme.seats[seat])

    def _is_lifted(self, cell: int) -> bool:
        return cell == self.picture.chosen and not self.picture.moving

    def _foot(self, cell: int) -> tuple[int, int]:
        """Where the worker on *cell* stands or is held."""
        x, y = self.top(cell)
        return x, y - self.geometry.px(_LIFT) * self._is_lifted(cell)

    def _draw_worker(self, cell: int) -> None:
        tiers = self.figures.towers[cell].tiers
        at = self.top(cell)
        self.art.pawn_shadow().blit(self.surface, at)
        is_active = not self.picture.moving and self.picture.state.active >> cell & 1
        if self._is_lifted(cell) or is_active:
            self.marks.ring("chosen", tiers).blit(self.surface, at)
        elif cell in self.stuck:
            self.marks.ring("stuck", tiers).blit(self.surface, at)
        self._pawn(self.standing[cell]).blit(self.surface, self._foot(cell))

    # ---------------------------------------------------------------------------------- in motion

    def _slot(self, flight: Flight) -> int:
        """The cell after which a worker on its way is drawn: the nearer one of the two, for a part of the way."""
        share = 0.3 if depth(flight.target) > depth(flight.origin) else 0.6
        return flight.target if self.progress > share else flight.origin

    def _draw_fading(self, flight: Flight) -> None:
        """A worker that is set down, or taken away."""
        share = self.progress if flight.fades == "in" else 1 - self.progress
        landed = common.eased(share)
        x, y = self.top(flight.target)
        self._faint(self.art.pawn_shadow(), "pawn shadow", landed).blit(self.surface, (x, y))
        held = self.geometry.px(_HELD) * (1 - landed)
        self._faint(self._pawn(flight.seat), ("pawn", flight.seat), min(1.0, share * 2)).blit(
            self.surface, (x, y - held)
        )

    def _draw_walking(self, flight: Flight) -> None:
        """A worker on its way, in an arc; it climbs early and comes down late, so as to clear the edge."""
        start, end = self.top(flight.origin), self.top(flight.target)
        tiers = [self.figures.towers[cell].tiers for cell in (flight.origin, flight.target)]
        share = common.eased(self.progress)
        ground = common.between(self.geometry.ground(flight.origin), self.geometry.ground(flight.target), share)
        climbed = 1 - (1 - share) ** 2 if tiers[1] > tiers[0] else share * share
        height = (tiers[0] + (tiers[1] - tiers[0]) * climbed) * self.geometry.tier
        arc = math.sin(math.pi * share)
        aside = self._aside(start, end) if len(self.flights) > 1 else (0.0, 0.0)
        x, y = ground[0] + arc * aside[0], ground[1] + arc * (aside[1] - self.geometry.px(_HOP))
        near, spot = (1 - share * 2, start) if share < 0.5 else (share * 2 - 1, end)
        self._faint(self.art.pawn_shadow(), "pawn shadow", near).blit(self.surface, spot)
        self._pawn(flight.seat).blit(self.surface, (x, y - height))
        self.walking.append((flight, (x, y - height)))

    def _aside(self, start: Point, end: Point) -> Point:
        """How far a worker keeps to its left on the way, so that two that change places pass each other."""
        right, down = end[0] - start[0], end[1] - start[1]
        share = self.geometry.px(_ASIDE) / (math.hypot(right, down) or 1.0)
        return down * share, -right * share

    def _draw_falling(self, cell: int, before: Tower, after: Tower) -> None:
        """The blocks and the dome that come upon a tower: they fall, and settle."""
        lowest = before.tiers + 1
        piece = self.art.tower(after, lowest)
        x, y = self.geometry.ground(cell)
        high = self.geometry.px(_DROP) * fallen(self.progress)
        self._faint(piece, ("piece", after, lowest), min(1.0, 0.25 + self.progress * 3)).blit(
            self.surface, (x, y - high)
        )

    def _faint(self, sprite: Sprite, key: Hashable, opacity: float) -> Sprite:
        return sprite if opacity >= 1 else self.art.ghost(sprite, key, opacity)

    # ---------------------------------------------------------------------- what shines through, texts

    def _draw_hidden(self) -> None:
        """Faintly, before the tower that hides it, what somebody needs to see."""
        built = self.figures._replace(towers=self.next_towers)
        for cell in BACK_TO_FRONT:
            tiers = self.figures.towers[cell].tiers
            if self.geometry.hides_top(self.figures, cell):
                for name in self._outlines(cell):
                    outline = self.marks.outline(name, tiers)
                    self.art.ghost(outline, ("outline", name, tiers), _GHOST_OUTLINE).blit(self.surface, self.top(cell))
            if cell in self.standing and self.geometry.hides_worker(built, cell):
                was_hidden = self.geometry.hides_worker(self.figures, cell)
                self._draw_ghost(self.standing[cell], self._foot(cell), 1.0 if was_hidden else self.progress)
        for flight, point in self.walking:
            if self.geometry.hides_worker(built, flight.target):
                self._draw_ghost(flight.seat, point, self.progress)

    def _draw_ghost(self, seat: int, foot: Point, share: float) -> None:
        self.art.ghost(self._pawn(seat), ("pawn", seat), _GHOST_WORKER * share).blit(self.surface, foot)

    def _draw_above(self) -> None:
        """What lies over everything: scores where they could not be written on the stone, arrows, the winner's star."""
        for cell in self.picture.marks:
            tower = self.figures.towers[cell]
            if cell in self.standing or tower.is_domed or self.geometry.hides_top(self.figures, cell):
                self._write_pill(cell)
        for cell in self.winners & self.standing.keys():
            x, y = self._foot(cell)
            self.marks.star().blit(self.surface, (x, y - self.geometry.px(PAWN_HEIGHT + 0.04)))
        hint = self.picture.hint
        if len(hint) == 2:
            self.marks.arrow(self.surface, self.marks.hop(self.top(hint[0]), self.top(hint[1])))
        else:
            for cell in hint:
                x, y = self.top(cell)
                above = self.geometry.px(PAWN_HEIGHT) if cell in self.standing else 0
                self.marks.arrow(self.surface, self.marks.fall((x, y - above)))

    def _mark_style(self) -> TextStyle | None:
        unit, px = self.geometry.half_width, self.paint.theme.px
        if unit < px(_SMALLEST_WITH_MARKS):
            return None
        return "strong" if unit >= px(60) else "small strong" if unit >= px(44) else "tiny"

    def _write_mark(self, cell: int) -> None:
        style = self._mark_style()
        if style:
            ground = self.marks.ground(self.figures.towers[cell].tiers)
            ink = readable(self.paint.theme.good_ink, ground, 5.5)
            self.paint.text(self.surface, self.picture.marks[cell], self.top(cell), style, ink, anchor="center")

    def _write_pill(self, cell: int) -> None:
        """A score at a worker's foot, or on the part of a half hidden top that is seen."""
        if self._mark_style():
            x, y = self.top(cell)
            deep = self.geometry.top_reach(0)[1]
            lower = -deep // 2 if self.geometry.hides_top(self.figures, cell) else deep // 3
            common.mark(self.paint, self.surface, (x, y + lower), self.picture.marks[cell])


# ------------------------------------------------------------------------------------- between two states


def flights(before: Figures, after: Figures) -> list[Flight]:
    """The workers that stand elsewhere in *after*, each with the cells it leaves and reaches."""
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


def fallen(progress: float) -> float:
    """How high above its place a falling block is: 1 at the start, 0 at the end, with a small rebound."""
    landing = 0.72
    if progress < landing:
        return 1 - (progress / landing) ** 2
    after = (progress - landing) / (1 - landing)
    return 0.05 * math.sin(math.pi * after)


def outcome(state: State) -> tuple[frozenset[int], frozenset[int]]:
    """The cells of a worker that has reached the top, and those of workers that can't complete a turn."""
    own = cells_of(workers_of(state, state.seat))
    if state.phase == REACHED_TOP:
        return frozenset(cell for cell in own if int(state.level_3) >> cell & 1), frozenset()
    return frozenset(), frozenset(own) if state.phase == STUCK else frozenset()
