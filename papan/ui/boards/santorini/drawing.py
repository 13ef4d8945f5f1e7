"""Draws one frame of a game of towers: board, towers, workers, animations, marks.

Cells are drawn from back to front. A tower that hides a worker is translucent, and hidden legal cells and the cursor
shine through.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import pygame

from papan.game.rules.santorini import State
from papan.ui.boards import Moving, Picture
from papan.ui.boards.santorini.art import Art, Sprite
from papan.ui.boards.santorini.changes import (
    Flight,
    Special,
    decided_workers,
    fall_height,
    flights,
    since_landing,
    special_targets,
)
from papan.ui.boards.santorini.geometry import (
    GROUND,
    PAWN_HEIGHT,
    PAWN_WIDTH,
    Figures,
    Geometry,
    Ground,
    Tower,
    figures_of,
)
from papan.ui.boards.santorini.marks import Marks, Outline
from papan.ui.boards.santorini.wood import WoodenBoard
from papan.ui.drawing.canvas import Point
from papan.ui.drawing.marks import text_mark
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.pieces import ease_in_out, interpolate
from papan.ui.drawing.theme import SeatStyle, TextStyle, readable_colour

_LIFT = 0.2
"""The lift of the chosen worker, in halves of a cell's width."""
_HOP = 0.42
_ASIDE = 0.34
_HELD = 0.66
"""The height from which a worker is set down."""
_DROP = 1.1
"""The height from which a block falls."""
_GHOST_OUTLINE = 0.6
_VEIL = 0.55
"""The transparency of a tower that hides a worker."""
_SMALLEST_WITH_MARKS = 24
_MARK_REACH = 0.12  # half the width of a short score, in halves of a cell
_MARK_RISE = 0.1  # half its height, and a margin


class TowerDrawing(ABC):
    """Draws one frame of a game of towers from a ``Picture``."""

    geometry: Ground

    def __init__(
        self, paint: Painter, geometry: Ground, surface: pygame.Surface, picture: Picture, figures: Figures
    ) -> None:
        self.paint = paint
        self.geometry = geometry
        self.surface = surface
        self.picture = picture
        self.figures = figures
        self.art = Art(paint, geometry)
        self.marks = Marks(self.art)
        self.winners, self.stuck = self.decided_workers(picture.state)
        self.winners |= frozenset(picture.winning)
        self.specials: Mapping[int, Special] = {}
        if picture.targets and not picture.moving:
            self.specials = self.special_targets(picture)
        self.next_towers = figures.towers
        self.flights: list[Flight] = []
        self.progress = 0.0
        if picture.moving:
            self._begin_moving(picture.moving)
        self.standing = {
            cell: seat
            for cell, seat in figures.workers.items()
            if not any(flight.origin == cell and flight.fades != "in" for flight in self.flights)
        }
        self.veiled = self._veiled_towers()

    @abstractmethod
    def draw_board(self, has_coordinates: bool) -> None:
        """Draw the board below everything else."""

    @abstractmethod
    def figures_of(self, state: Any) -> Figures:
        """The towers and workers of *state*."""

    @abstractmethod
    def decided_workers(self, state: Any) -> tuple[frozenset[int], frozenset[int]]:
        """The cells of workers that have won, and of workers whose seat has lost."""

    def special_targets(self, picture: Picture) -> Mapping[int, Special]:
        """The special targets, by cell."""
        return {}

    def style(self, owner: int) -> SeatStyle:
        """The style of the workers of *owner*."""
        return self.paint.theme.seats[owner]

    def _begin_moving(self, moving: Moving) -> None:
        after = self.figures_of(moving.after)
        self.flights = flights(self.figures, after)
        self.next_towers = after.towers
        self.progress = min(1.0, max(0.0, moving.progress))

    def draw(self, has_coordinates: bool) -> None:
        self.draw_board(has_coordinates)
        for cell in self.geometry.order:
            self._draw_shadow(cell)
        passing = [(self._slot(flight), flight) for flight in self.flights]
        for cell in self.geometry.order:
            self._draw_cell(cell)
            for slot, flight in passing:
                if slot == cell and flight.fades:
                    self._draw_fading(flight)
                elif slot == cell:
                    self._draw_walking(flight)
        self._draw_hidden()
        self._draw_above()
        dragged = self.picture.chosen
        if dragged is not None and dragged in self.standing and self._is_lifted(dragged) and self.picture.is_carried:
            self._pawn(self.standing[dragged]).blit(self.surface, self.picture.carried_to(self._foot(dragged)))

    def top(self, cell: int) -> tuple[int, int]:
        """The middle of the top of the tower on *cell*."""
        return self.geometry.top(cell, self.figures.towers[cell].tiers)

    # ------------------------------------------------------------------------------------ one cell

    def _draw_shadow(self, cell: int) -> None:
        """Draw the shadow of a tower on the board; it grows while a block falls."""
        before, after = self.figures.towers[cell], self.next_towers[cell]
        shares = ((before, 1.0),) if before == after else ((before, 1 - self.progress), (after, self.progress))
        for tower, share in shares:
            if tower != GROUND:
                shadow = self._faint_sprite(self.art.tower_shadow(tower), ("tower shadow", tower), share)
                shadow.blit(self.surface, self.geometry.base(cell))

    def _draw_cell(self, cell: int) -> None:
        tower, opacity = self.figures.towers[cell], 1 - _VEIL * self.veiled.get(cell, 0.0)
        if tower.tiers:
            body = Tower(tower.tiers, False)
            sprite = self._faint_sprite(self.art.tower(body), ("tower", body, 1), opacity)
            sprite.blit(self.surface, self.geometry.base(cell))
        for name in self._outlines(cell):
            self.marks.outline(name, tower.tiers).blit(self.surface, self.top(cell))
        if tower.is_domed:
            dome = self.art.tower(tower, tower.tiers + 1)
            self._faint_sprite(dome, ("tower", tower, tower.tiers + 1), opacity).blit(
                self.surface, self.geometry.base(cell)
            )
        if self.next_towers[cell] != tower:
            self._draw_falling(cell, tower, self.next_towers[cell])
        if cell in self.standing:
            self._draw_worker(cell)
        elif cell in self.picture.marks and not self._is_mark_covered(cell):
            self._write_mark(cell)

    def _outlines(self, cell: int) -> Iterator[Outline]:
        """The outlines to draw on *cell*, lowest first."""
        picture = self.picture
        if cell in picture.last:
            yield "last"
        if cell in self.winners:
            yield "winning"
        if cell in picture.hint:
            yield "hint"
        if cell in picture.targets:
            is_pointed_at = cell in (picture.hover, picture.cursor)
            is_taken = self.specials.get(cell) in ("swap", "push")
            yield "hovered target" if is_pointed_at else "taken target" if is_taken else "target"
        elif cell == picture.hover:
            yield "hover"
        if cell == picture.cursor:
            yield "cursor"

    def _pawn(self, owner: int) -> Sprite:
        return self.art.pawn(self.style(owner))

    def _is_lifted(self, cell: int) -> bool:
        return cell == self.picture.chosen and not self.picture.moving

    def _foot(self, cell: int) -> tuple[int, int]:
        """The foot of the worker on *cell*, which may be lifted."""
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
        if not (self._is_lifted(cell) and self.picture.is_carried):
            self._pawn(self.standing[cell]).blit(self.surface, self._foot(cell))

    # ---------------------------------------------------------------------------------- animation

    def _slot(self, flight: Flight) -> int:
        """The cell after which a moving worker is drawn: longer the one nearer to the viewer."""
        comes_nearer = self.geometry.base(flight.target)[1] > self.geometry.base(flight.origin)[1]
        share = 0.3 if comes_nearer else 0.6
        return flight.target if self.progress > share else flight.origin

    def _draw_fading(self, flight: Flight) -> None:
        share = self.progress if flight.fades == "in" else 1 - self.progress
        landed = ease_in_out(share)
        x, y = self.top(flight.target)
        self._faint_sprite(self.art.pawn_shadow(), "pawn shadow", landed).blit(self.surface, (x, y))
        held = self.geometry.px(_HELD) * (1 - landed)
        self._faint_sprite(self._pawn(flight.seat), ("pawn", flight.seat), min(1.0, share * 2)).blit(
            self.surface, (x, y - held)
        )

    def _draw_walking(self, flight: Flight) -> None:
        """Draw a moving worker, in an arc; it climbs early and descends late, to clear the edge."""
        start, end = self.top(flight.origin), self.top(flight.target)
        tiers = [self.figures.towers[cell].tiers for cell in (flight.origin, flight.target)]
        share = ease_in_out(self.progress)
        ground = interpolate(self.geometry.base(flight.origin), self.geometry.base(flight.target), share)
        climbed = 1 - (1 - share) ** 2 if tiers[1] > tiers[0] else share * share
        height = (tiers[0] + (tiers[1] - tiers[0]) * climbed) * self.geometry.tier
        arc = math.sin(math.pi * share)
        aside = self._aside(start, end) if len(self.flights) > 1 else (0.0, 0.0)
        x, y = ground[0] + arc * aside[0], ground[1] + arc * (aside[1] - self.geometry.px(_HOP))
        near, spot = (1 - share * 2, start) if share < 0.5 else (share * 2 - 1, end)
        self._faint_sprite(self.art.pawn_shadow(), "pawn shadow", near).blit(self.surface, spot)
        self._pawn(flight.seat).blit(self.surface, (x, y - height))

    def _aside(self, start: Point, end: Point) -> Point:
        """The sideways offset of a moving worker, so that two that swap places pass each other."""
        right, down = end[0] - start[0], end[1] - start[1]
        share = self.geometry.px(_ASIDE) / (math.hypot(right, down) or 1.0)
        return down * share, -right * share

    def _draw_falling(self, cell: int, before: Tower, after: Tower) -> None:
        """Draw the blocks and the dome falling onto a tower, and their dust."""
        lowest = before.tiers + 1
        piece = self.art.tower(after, lowest)
        x, y = self.geometry.base(cell)
        high = self.geometry.px(_DROP) * fall_height(self.progress)
        opacity = min(1.0, 0.25 + self.progress * 3) - _VEIL * self.veiled.get(cell, 0.0)
        self._faint_sprite(piece, ("piece", after, lowest), opacity).blit(self.surface, (x, y - high))
        settled = since_landing(self.progress)
        if 0 < settled < 1 and lowest <= after.tiers and self.paint.theme.shadow:
            self.art.dust(lowest, settled).blit(self.surface, (x, y - before.tiers * self.geometry.tier))

    def _faint_sprite(self, sprite: Sprite, key: Hashable, opacity: float) -> Sprite:
        return sprite if opacity >= 1 else self.art.ghost(sprite, key, opacity)

    # ---------------------------------------------------------------------- hidden outlines and texts

    def _draw_hidden(self) -> None:
        """Draw hidden outlines faintly on the towers that hide them."""
        for cell in self.geometry.order:
            tiers = self.figures.towers[cell].tiers
            if self.geometry.hides_top(self.figures, cell):
                for name in self._outlines(cell):
                    outline = self.marks.outline(name, tiers)
                    self.art.ghost(outline, ("outline", name, tiers), _GHOST_OUTLINE).blit(self.surface, self.top(cell))

    def _veiled_towers(self) -> Mapping[int, float]:
        """By cell, how far each tower that hides a worker is faded, 0 to 1."""
        built = self.figures._replace(towers=self.next_towers)
        veiled: dict[int, float] = {}
        behind = [(cell, 1 - self.progress, self.progress) for cell in self.standing]
        for flight in self.flights:
            behind += [(flight.origin, 1 - self.progress, 0.0)] if flight.fades != "in" else []
            behind += [(flight.target, 0.0, self.progress)] if flight.fades != "out" else []
        for cell, before, after in behind:
            shares: dict[int, float] = {}
            for figures, share in ((self.figures, before), (built, after)):
                for front in self.geometry.towers_hiding(figures, cell) if share else ():
                    shares[front] = shares.get(front, 0.0) + share
            for front, share in shares.items():
                veiled[front] = max(veiled.get(front, 0.0), share)
        return veiled

    def _draw_above(self) -> None:
        """Draw what is on top: scores that don't fit on the stone, signs, arrows, the winner's star."""
        for cell in self.picture.marks:
            if self._is_mark_covered(cell):
                self._write_pill(cell)
        for cell, special in self.specials.items():
            if cell in self.picture.targets:
                self._draw_sign(cell, special)
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

    def _draw_sign(self, cell: int, special: Special) -> None:
        """Draw a sign above a displaced worker, or above a cell that can only be built on."""
        start = self.picture.chosen
        here, there = (self.geometry.base(end) for end in (cell if start is None else start, cell))
        x, y = self.top(cell)
        above = PAWN_HEIGHT + 0.03 if cell in self.standing else -0.18
        sign = self.marks.sign(special, (there[0] - here[0], there[1] - here[1]))
        sign.blit(self.surface, (x, y - self.geometry.px(above)))

    def _mark_style(self) -> TextStyle | None:
        unit, px = self.geometry.half_width, self.paint.theme.px
        if unit < px(_SMALLEST_WITH_MARKS):
            return None
        return "strong" if unit >= px(60) else "small strong" if unit >= px(44) else "tiny"

    def _write_mark(self, cell: int) -> None:
        style = self._mark_style()
        if style:
            ground = self.marks.ground_colour(self.figures.towers[cell].tiers)
            ink = readable_colour(self.paint.theme.good_ink, ground, 5.5)
            self.paint.text(self.surface, self.picture.marks[cell], self.top(cell), style, ink, anchor="center")

    def _is_mark_covered(self, cell: int) -> bool:
        """Whether a score written on the stone would be covered."""
        is_taken = cell in self.standing or self.figures.towers[cell].is_domed
        return is_taken or self.geometry.hides_top(self.figures, cell) or self._foot_before(cell) is not None

    def _foot_before(self, cell: int) -> int | None:
        """The x of the foot of a worker that covers the middle of *cell*; None if none does."""
        x, y = self.top(cell)
        wide, high = self.geometry.px(_MARK_REACH + PAWN_WIDTH), self.geometry.px(PAWN_HEIGHT + _MARK_RISE)
        for other in self.standing:
            foot = self._foot(other)
            if other != cell and abs(foot[0] - x) < wide and foot[1] - high < y < foot[1]:
                return foot[0]
        return None

    def _write_pill(self, cell: int) -> None:
        """Write a score at a worker's foot, or on the visible part of a half-hidden top."""
        if self._mark_style():
            x, y = self.top(cell)
            deep = self.geometry.top_reach(0)[1]
            before = self._foot_before(cell)
            if self.geometry.hides_top(self.figures, cell):
                lower = -deep // 2
            else:
                lower = deep // 3 if cell in self.standing else 0
            if before is not None and cell not in self.standing:
                x += self.geometry.px(_ASIDE if before < x else -_ASIDE)
            text_mark(self.paint, self.surface, (x, y + lower), self.picture.marks[cell], self.geometry.px(1.2))


class SantoriniDrawing(TowerDrawing):
    """Draws one frame of Santorini."""

    geometry: Geometry

    def draw_board(self, has_coordinates: bool) -> None:
        WoodenBoard(self.art, self.geometry).sprite(has_coordinates).blit(self.surface, self.geometry.middle)

    def figures_of(self, state: State) -> Figures:
        return figures_of(state)

    def decided_workers(self, state: State) -> tuple[frozenset[int], frozenset[int]]:
        return decided_workers(state)

    def special_targets(self, picture: Picture) -> Mapping[int, Special]:
        return special_targets(picture.state, picture.chosen)
