"""The boards of games with towers, and how a frame is drawn: board, towers, workers, animations, marks.

Cells are drawn from back to front. A tower that hides a worker is translucent, and hidden legal cells and the cursor
shine through.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import pygame

from papan.ui.boards import BoardView, Direction, Picture
from papan.ui.boards.santorini.art import Art, Sprite
from papan.ui.boards.santorini.geometry import (
    EMPTY,
    GROUND,
    PAWN_HEIGHT,
    PAWN_WIDTH,
    Figures,
    Flight,
    Ground,
    Special,
    Tower,
    cues_between,
    fall_height,
    flights,
    since_landing,
)
from papan.ui.boards.santorini.marks import Marks, Outline
from papan.ui.boards.santorini.plain import PlainTowers
from papan.ui.drawing.canvas import Point
from papan.ui.drawing.marks import text_mark
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.pieces import ease_in_out, interpolate
from papan.ui.drawing.theme import TextStyle, readable_colour
from papan.ui.sounds import Cue

MOVE_SECONDS = 0.35
BUILD_SECONDS = 0.3
PLACE_SECONDS = 0.25

_LIFT = 0.2
"""The lift of the chosen worker, in halves of a cell's width."""
_HOP = 0.42
_ASIDE = 0.34
_HELD = 0.66
"""A worker is set down from this height."""
_DROP = 1.1
"""A block falls from this height."""
_GHOST_OUTLINE = 0.6
_VEIL = 0.55
"""The transparency of a tower that hides a worker."""
_SMALLEST_WITH_MARKS = 24
_MARK_REACH = 0.12  # half the width of a short score, in halves of a cell
_MARK_RISE = 0.1  # half its height, and a margin


class TowerBoard(BoardView):
    """A board with towers and workers, seen obliquely, and from above in its last outlook.

    Animations are derived from the states before and after a step, so that gods' powers need no special code.
    """

    geometry: Ground
    """The oblique view; set in ``layout``."""
    plan: PlainTowers
    """The view from above."""

    def __init__(self, paint: Painter) -> None:
        super().__init__(paint)
        self.figures = EMPTY
        """What the last frame showed."""
        self._targets: frozenset[int] = frozenset()

    @abstractmethod
    def figures_of(self, state: Any) -> Figures:
        """The towers and workers of *state*."""

    @abstractmethod
    def decided_workers(self, state: Any) -> tuple[frozenset[int], frozenset[int]]:
        """The cells of workers that have won, and of workers whose seat has lost."""

    @abstractmethod
    def draw_table(self, surface: pygame.Surface, art: Art) -> None:
        """Draw the board below everything else."""

    def special_targets(self, picture: Picture) -> Mapping[int, Special]:
        return {}

    def shrink(self) -> None:
        """Make the oblique geometry no higher than the figures need, on a still board."""

    @property
    def is_plain(self) -> bool:
        return self.outlook == self.outlooks - 1

    def cell_at(self, point: tuple[int, int]) -> int | None:
        """The cell whose tower or worker is at *point* in the last frame.

        A legal cell that shines through a tower takes precedence over the tower's cell.
        """
        return self.plan.cell_at(point) if self.is_plain else self.geometry.cell_at(point, self.figures, self._targets)

    def cell_rect(self, cell: int) -> pygame.Rect:
        return self.plan.cell_rect(cell) if self.is_plain else self.geometry.cell_rect(self.figures, cell)

    def neighbour(self, cell: int, direction: Direction) -> int:
        return (self.plan if self.is_plain else self.geometry).neighbour(cell, direction)

    def duration(self, before: Any, step: int, after: Any) -> float:
        old, new = self.figures_of(before), self.figures_of(after)
        seconds = [PLACE_SECONDS if flight.fades else MOVE_SECONDS for flight in flights(old, new)]
        return max([*seconds, BUILD_SECONDS if old.towers != new.towers else 0.0])

    def cues(self, before: Any, step: int, after: Any) -> list[Cue]:
        return cues_between(self.figures_of(before), self.figures_of(after))

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        moving = picture.moving
        self.figures = self.figures_of(moving.before if moving else picture.state)
        self._targets = picture.targets
        if self.area.w < 8 or self.area.h < 8:
            return
        if self.is_plain:
            self.plan.draw(surface, picture)
            self.plan.draw_towers(surface, picture, self.figures, self.figures_of(moving.after) if moving else None)
            return
        if self.is_still:
            self.shrink()
        clip = surface.get_clip()
        surface.set_clip(clip.clip(self.area))
        self.drawing(surface, picture).draw()
        surface.set_clip(clip)

    def drawing(self, surface: pygame.Surface, picture: Picture) -> TowerDrawing:
        return TowerDrawing(self, surface, picture)


class TowerDrawing:
    """Draws one frame of *board* from its figures and a ``Picture``."""

    def __init__(self, board: TowerBoard, surface: pygame.Surface, picture: Picture) -> None:
        self.board = board
        self.paint = board.paint
        self.geometry = board.geometry
        self.surface = surface
        self.picture = picture
        self.figures = figures = board.figures
        self.art = Marks(board.paint, board.geometry)
        self.winners, self.stuck = board.decided_workers(picture.state)
        self.winners |= frozenset(picture.winning)
        self.specials: Mapping[int, Special] = {}
        if picture.targets and not picture.moving:
            self.specials = board.special_targets(picture)
        self.next_towers = figures.towers
        self.flights: list[Flight] = []
        self.progress = 0.0
        if picture.moving:
            after = board.figures_of(picture.moving.after)
            self.flights = flights(figures, after)
            self.next_towers = after.towers
            self.progress = min(1.0, max(0.0, picture.moving.progress))
        self.standing = {
            cell: seat
            for cell, seat in figures.workers.items()
            if not any(flight.origin == cell and flight.fades != "in" for flight in self.flights)
        }
        self.veiled = self._veiled_towers()

    def draw(self) -> None:
        self.board.draw_table(self.surface, self.art)
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
        return self.geometry.top(cell, self.figures.towers[cell].tiers)

    def _draw_shadow(self, cell: int) -> None:
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
            self.art.outline(name, tower.tiers).blit(self.surface, self.top(cell))
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
        return self.art.pawn(self.paint.theme.seats[owner])

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
            self.art.ring("chosen", tiers).blit(self.surface, at)
        elif cell in self.stuck:
            self.art.ring("stuck", tiers).blit(self.surface, at)
        if not (self._is_lifted(cell) and self.picture.is_carried):
            self._pawn(self.standing[cell]).blit(self.surface, self._foot(cell))

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

    def _draw_hidden(self) -> None:
        """Draw hidden outlines faintly on the towers that hide them."""
        for cell in self.geometry.order:
            tiers = self.figures.towers[cell].tiers
            if self.geometry.hides_top(self.figures, cell):
                for name in self._outlines(cell):
                    outline = self.art.outline(name, tiers)
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
        """Draw the top layer: scores that don't fit on the stone, signs, arrows, the winner's star."""
        for cell in self.picture.marks:
            if self._is_mark_covered(cell):
                self._write_pill(cell)
        for cell, special in self.specials.items():
            if cell in self.picture.targets:
                self._draw_sign(cell, special)
        for cell in self.winners & self.standing.keys():
            x, y = self._foot(cell)
            self.art.star().blit(self.surface, (x, y - self.geometry.px(PAWN_HEIGHT + 0.04)))
        hint = self.picture.hint
        if len(hint) == 2 and self.picture.hint_is_step:
            self.art.arrow(self.surface, self.art.hop(self.top(hint[0]), self.top(hint[1])))
        else:
            for cell in hint:
                x, y = self.top(cell)
                above = self.geometry.px(PAWN_HEIGHT) if cell in self.standing else 0
                self.art.arrow(self.surface, self.art.fall((x, y - above)))

    def _draw_sign(self, cell: int, special: Special) -> None:
        start = self.picture.chosen
        here, there = (self.geometry.base(end) for end in (cell if start is None else start, cell))
        x, y = self.top(cell)
        above = PAWN_HEIGHT + 0.03 if cell in self.standing else -0.18
        sign = self.art.sign(special, (there[0] - here[0], there[1] - here[1]))
        sign.blit(self.surface, (x, y - self.geometry.px(above)))

    def _mark_style(self) -> TextStyle | None:
        unit, px = self.geometry.half_width, self.paint.theme.px
        if unit < px(_SMALLEST_WITH_MARKS):
            return None
        return "strong" if unit >= px(60) else "small strong" if unit >= px(44) else "tiny"

    def _write_mark(self, cell: int) -> None:
        style = self._mark_style()
        if style:
            ground = self.art.ground_colour(self.figures.towers[cell].tiers)
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
