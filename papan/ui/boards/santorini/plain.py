"""Towers and workers from above, with their levels as numbers; nothing hides anything.

A tower has a terrace for each level, and a dome is round. A worker is a disc with its seat's shape; the level below it
is written in the corner.
"""

from __future__ import annotations

import pygame

from papan.game.rules.santorini.board import SIZE
from papan.ui.boards import BoardView, Picture
from papan.ui.boards.bases.cells import SquareBoard
from papan.ui.boards.santorini.geometry import EMPTY, GROUND, Figures, Tower, flights
from papan.ui.drawing import marks
from papan.ui.drawing.canvas import Canvas
from papan.ui.drawing.pieces import ease_in_out, interpolate
from papan.ui.drawing.theme import BLACK, WHITE, Colour, contrast, mix, readable_colour, with_opacity

_STONE = 0.9
"""The width of the lowest terrace, relative to a cell's."""
_TERRACE = 0.13
"""How much narrower each of three terraces is than the one below; less if there are more."""
_MOST_NARROWED = 3 * _TERRACE
_WORKER = 0.29
_LIFTED = 1.12
_NUMBER = 0.42
_CORNER_NUMBER = 0.25
_CORNER = 0.29
"""The distance of the number next to a worker from the cell's middle."""


class PlainTowers(BoardView):
    """A view from above: draws towers, workers and marks on its cells."""

    levels = 3
    """The most levels below a dome."""

    def draw_towers(self, surface: pygame.Surface, picture: Picture, before: Figures, after: Figures | None) -> None:
        """Draw *picture*, of *before*, or on the way to *after*."""
        progress = picture.moving.progress if picture.moving else 0.0
        on_the_way = flights(before, after) if after else []
        built = after if after and progress >= 0.5 else before
        for cell, tower in enumerate(built.towers):
            if tower != GROUND:
                self._put_tower(surface, cell, tower)
        if picture.moving is None:
            self._draw_marks_below(surface, picture, before)
        away = {flight.origin for flight in on_the_way if flight.fades != "in"}
        for cell, tower in enumerate(built.towers):
            is_taken = cell in before.workers and cell not in away
            if is_taken and not (cell == picture.chosen and picture.is_carried):
                self._put_worker(surface, before.workers[cell], self.cell_rect(cell).center, cell == picture.chosen)
            if tower != GROUND and cell not in picture.marks:
                self._write_level(surface, cell, tower, is_taken)
        for flight in on_the_way:
            start, end = self.cell_rect(flight.origin).center, self.cell_rect(flight.target).center
            self._put_worker(surface, flight.seat, interpolate(start, end, ease_in_out(progress)), True)
        if picture.moving is None:
            for cell, text in picture.marks.items():
                rect = self.cell_rect(cell)
                below = rect.h // 3 if cell in before.workers else 0
                marks.text_mark(self.paint, surface, (rect.centerx, rect.centery + below), text, rect.w)
            if len(picture.hint) == 2 and picture.hint_is_step:
                start, end = (self.cell_rect(cell).center for cell in picture.hint)
                marks.arrow(self.paint, surface, start, end, self.cell_rect(0).w)
        if picture.is_carried and picture.chosen in before.workers:
            at = picture.carried_to(self.cell_rect(picture.chosen).center)
            self._put_worker(surface, before.workers[picture.chosen], at, True)

    def _put_tower(self, surface: pygame.Surface, cell: int, tower: Tower) -> None:
        rect = self.cell_rect(cell)
        side, stone, has_lines = rect.w, self.theme.stone, not self.theme.shadow
        narrower = min(_TERRACE, _MOST_NARROWED / max(1, self.levels))

        def draw(canvas: Canvas) -> None:
            for tier in range(tower.tiers):
                width = side * (_STONE - narrower * tier)
                at = (side - width) / 2
                box = (at, at, width, width)
                corner = side * 0.06
                canvas.rounded_rect((at, at + side * 0.025, width, width), corner, with_opacity(BLACK, 0.28))
                canvas.rounded_rect(box, corner, mix(stone.right, stone.top, (tier + 1) / max(1, self.levels)))
                line = max(1.0, side * (0.02 if has_lines else 0.012))
                canvas.outline(box, corner, line, BLACK if has_lines else mix(stone.right, BLACK, 0.3))
            if tower.is_domed:
                middle = (side / 2, side / 2)
                radius = side * 0.3
                canvas.circle((middle[0], middle[1] + side * 0.02), radius, with_opacity(BLACK, 0.3))
                canvas.circle(middle, radius, mix(stone.dome, BLACK, 0.4))
                canvas.circle(middle, radius * 0.93, stone.dome)
                canvas.ring(middle, radius * 0.7, max(1.0, side * 0.02), with_opacity(WHITE, 0.45))

        picture = self.paint.drawn_picture(("plain tower", tower, self.levels), (side, side), draw)
        surface.blit(picture, rect)

    def _ground(self, tower: Tower) -> Colour:
        stone = self.theme.stone
        return stone.dome if tower.is_domed else mix(stone.right, stone.top, tower.tiers / max(1, self.levels))

    def _write_level(self, surface: pygame.Surface, cell: int, tower: Tower, is_taken: bool) -> None:
        rect = self.cell_rect(cell)
        size = round(rect.w * (_CORNER_NUMBER if is_taken else _NUMBER))
        ink = readable_colour(mix(self.theme.stone.right, BLACK, 0.7), self._ground(tower), 5.0)
        number = self.paint.bold_picture(str(tower.tiers), max(6, size), ink)
        aside = round(rect.w * _CORNER) if is_taken else 0
        at = (rect.centerx - aside, rect.centery - aside)
        if is_taken:
            self.paint.disc(
                surface, at, rect.w * 0.15, self._ground(tower), line=ink, line_width=max(1.0, rect.w * 0.015)
            )
        self.paint.stamp(surface, number, number.get_rect(center=at), str(tower.tiers), ink)

    def _put_worker(self, surface: pygame.Surface, owner: int, at: tuple[float, float], is_lifted: bool) -> None:
        side, style = self.cell_rect(0).w, self.theme.seats[owner]
        radius = side * _WORKER * (_LIFTED if is_lifted else 1.0)
        line = BLACK if contrast(style.colour, BLACK) > contrast(style.colour, WHITE) else WHITE
        self.paint.disc(surface, (at[0], at[1] + side * 0.025), radius * 1.02, with_opacity(BLACK, 0.35))
        self.paint.disc(surface, at, radius, mix(style.colour, BLACK, 0.45))
        self.paint.badge(surface, at, radius * 0.92, style)
        if is_lifted:
            ink = self.theme.legal
            self.paint.disc(surface, at, radius * 1.12, None, line=ink, line_width=max(2.0, side * 0.03))
        elif not self.theme.shadow:
            self.paint.disc(surface, at, radius, None, line=line, line_width=max(1.0, side * 0.02))

    def _draw_marks_below(self, surface: pygame.Surface, picture: Picture, figures: Figures) -> None:
        corner = max(2, round(self.cell_rect(0).w * 0.1))
        for cell in picture.last:
            marks.last_outline(self.paint, surface, self.cell_rect(cell), corner)
        for cell in picture.winning:
            marks.hovered_cell(self.paint, surface, self.cell_rect(cell), corner)
        for cell in picture.hint:
            marks.hint_outline(self.paint, surface, self.cell_rect(cell), corner, ink=self.theme.accent)
        for cell in picture.targets:
            rect = self.cell_rect(cell)
            if cell in (picture.hover, picture.cursor):
                marks.hovered_cell(self.paint, surface, rect, corner)
            elif cell in figures.workers or figures.towers[cell] != GROUND:
                marks.legal_outline(self.paint, surface, rect, corner)
            elif cell not in picture.marks:
                marks.legal_dot(self.paint, surface, rect)
        if picture.cursor is not None:
            marks.cursor_ring(self.paint, surface, self.cell_rect(picture.cursor), corner)


class PlainBoard(PlainTowers, SquareBoard):
    """Santorini's board from above, column a on the left and row 1 at the bottom."""

    columns = rows = SIZE

    def sample(self) -> Figures:
        return EMPTY

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        clip = surface.get_clip()
        surface.set_clip(clip.clip(self.area))  # the frame's shadow may reach beyond it
        self.draw_board(surface)
        self.draw_cells(surface)
        surface.set_clip(clip)

    def cell_colour(self, cell: int) -> Colour:
        wood = self.theme.wood
        return wood.cell if (cell % SIZE + cell // SIZE) % 2 == 0 else wood.other_cell
