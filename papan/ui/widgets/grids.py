"""Grids to choose from: numbered tiles, marked as done or not, and a palette of pieces with an eraser."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pygame

from papan.ui.drawing.theme import ICON_SIZE, mix
from papan.ui.texts import N_, _
from papan.ui.widgets.base import Part, Widget, join_phrases
from papan.ui.widgets.page import BAR
from papan.ui.widgets.scroll import RowList

_TILE = (68, 46)
_GAP = 8
_RADIUS = 8
_LARGEST, _LARGE_ENOUGH, _SMALLEST = 52, 38, 24
"""Sides of a picture, in design pixels. Rows are wrapped if pictures would get smaller than ``_LARGE_ENOUGH``."""
_SWATCH_GAP = 6
_CAPTION = 26
Draw = Callable[[pygame.Surface, pygame.Rect], object]


class NumberGrid(RowList):
    """Tiles numbered from 1. A click chooses one; another click, or Enter, opens it."""

    row_height = _TILE[1] + _GAP
    wheel_rows = 1
    bar_margin = 0
    focus_radius = _RADIUS
    key_help: Mapping[str, str] = {
        "Arrows  PgUp  PgDn  Home  End": N_("choose a number"),
        "Enter": N_("open the chosen one"),
    }

    def __init__(self, name: str, chosen: Callable[[int], object], opened: Callable[[], object]) -> None:
        super().__init__(name)
        self._chosen, self._opened = chosen, opened
        self.done: Sequence[bool] = ()
        """For each tile, whether it is done."""
        self.place_chosen: int | None = None
        """The index of the chosen tile; None for none."""

    def show_tiles(self, done: Sequence[bool], place: int | None) -> None:
        """Show a tile for each of *done*, the one at *place* chosen."""
        self.done, self.place_chosen = done, place
        self._show_chosen()

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        self._show_chosen()

    def _show_chosen(self) -> None:
        if self.container is not None and self.rect.h:
            self._reveal(self.place_chosen // self.columns if self.place_chosen is not None else 0)

    @property
    def columns(self) -> int:
        px = self.theme.px
        return max(1, (self.rect.w - px(BAR + 5) + px(_GAP)) // px(_TILE[0] + _GAP))

    @property
    def _row_count(self) -> int:
        return -(-len(self.done) // self.columns)

    @property
    def _full(self) -> int:
        return super()._full - self.theme.px(_GAP)

    @property
    def _width(self) -> float:
        """The width of a tile if a row fills the grid."""
        px = self.theme.px
        return (self.rect.w - px(BAR + 5) + px(_GAP)) / self.columns - px(_GAP)

    def tile_rect(self, place: int) -> pygame.Rect:
        """The rectangle of the tile at *place*, in sight or not."""
        return next(self._tile_rects([place]))

    def _tile_rects(self, places: Iterable[int]) -> Iterator[pygame.Rect]:
        gap, height = self.theme.px(_GAP), self.theme.px(_TILE[1])
        columns, apart = self.columns, self._width + gap
        for place in places:
            row, column = divmod(place, columns)
            left, right = (round(self.rect.x + number * apart) for number in (column, column + 1))
            yield pygame.Rect(left, self._row_rect(row).y, right - left - gap, height)

    def choose(self, place: int) -> None:
        """Choose the tile at *place*, or the nearest."""
        if self.done:
            self.place_chosen = min(max(0, place), len(self.done) - 1)
            self._show_chosen()
            self._chosen(self.place_chosen)

    def part_at(self, point: tuple[int, int]) -> int | None:
        return next((place for place in range(len(self.done)) if self.tile_rect(place).collidepoint(point)), None)

    def press(self, point: tuple[int, int]) -> bool:
        if super().press(point):
            return True
        self.take_focus()
        place = self.part_at(point)
        if place is not None and place == self.place_chosen:
            self._opened()
        elif place is not None:
            self.choose(place)
        return True

    def key(self, event: pygame.event.Event) -> bool:
        at = self.place_chosen
        page = max(1, self.rect.h // self._row) * self.columns
        step = {
            pygame.K_LEFT: -1,
            pygame.K_RIGHT: 1,
            pygame.K_UP: -self.columns,
            pygame.K_DOWN: self.columns,
            pygame.K_PAGEUP: -page,
            pygame.K_PAGEDOWN: page,
            pygame.K_HOME: -len(self.done),
            pygame.K_END: len(self.done),
        }.get(event.key)
        if step is None:
            return Widget.key(self, event)
        self.choose(0 if at is None else at + step)
        return True

    def activate(self) -> None:
        if self.place_chosen is not None:
            self._opened()

    @property
    def focus_rect(self) -> pygame.Rect:
        return self.rect if self.place_chosen is None else self.tile_rect(self.place_chosen)

    def parts(self) -> Sequence[Part]:
        rows = self._rows_in_sight
        places = range(rows.start * self.columns, min(len(self.done), rows.stop * self.columns))
        tiles = ((place, rect.clip(self._view)) for place, rect in zip(places, self._tile_rects(places), strict=True))
        return [
            Part(place, rect, self._name_of(place), is_chosen=place == self.place_chosen)
            for place, rect in tiles
            if rect.h
        ]

    @property
    def active_part(self) -> int | None:
        return self.place_chosen

    def point_at_part(self, number: int) -> None:
        self.choose(number)

    def _name_of(self, place: int) -> str:
        return join_phrases(str(place + 1), _("done") if self.done[place] else "")

    def utterance(self) -> str:
        if self.place_chosen is None:
            return self.beside
        return join_phrases(self.beside, self._name_of(self.place_chosen))

    def _draw_row(self, surface: pygame.Surface, index: int) -> None:
        first = index * self.columns
        for place in range(first, min(first + self.columns, len(self.done))):
            self._draw_tile(surface, self.tile_rect(place), place, self.done[place])

    def _draw_tile(self, surface: pygame.Surface, rect: pygame.Rect, place: int, is_done: bool) -> None:
        paint, theme, px = self.paint, self.theme, self.theme.px
        is_chosen = place == self.place_chosen
        fill = mix(theme.panel, theme.good_ink, 0.14) if is_done else theme.panel
        fill = theme.accent_soft if is_chosen else fill
        line = theme.accent if is_chosen else theme.line
        paint.rounded_rect(surface, rect, fill, px(_RADIUS), line=line, line_width=px(2) if is_chosen else None)
        ink = theme.accent if is_chosen else theme.good_ink if is_done else theme.ink
        number = str(place + 1)
        if not is_done:
            paint.text(surface, number, rect.center, "label", ink, anchor="center", tabular=True)
            return
        paint.text(surface, number, (rect.centerx + px(2), rect.centery), "label", ink, anchor="midleft", tabular=True)
        paint.icon(surface, "check", (rect.centerx - px(12), rect.centery), ink, px(16))


@dataclass(frozen=True)
class Swatch:
    """One piece of the palette: its name, its row, and a function that draws it in a rectangle."""

    code: int
    label: str
    row: int
    draw: Draw


class Palette(Widget):
    """Chooses a piece, or the eraser, by mouse, arrow keys, or ``go``."""

    role = "choices"
    focus_radius = 8
    key_help: Mapping[str, str] = {"Arrows": N_("choose a piece")}

    def __init__(self, swatches: Sequence[Swatch], chosen: int | None, changed: Callable[[int | None], object]) -> None:
        """:param chosen: the code of the chosen piece; None for the eraser.
        :param changed: called with the new choice.
        """
        super().__init__("palette")
        self.swatches = tuple(swatches)
        self.chosen = chosen
        self.changed = changed
        self.eraser = _("Remove")
        self._places: list[pygame.Rect] = []
        """The rectangle of each swatch, and last the eraser's."""

    def _rows(self, columns: int) -> list[list[int]]:
        """The indices of swatches row by row, in at most *columns* columns; the eraser comes last."""
        rows: list[list[int]] = []
        for number in sorted({swatch.row for swatch in self.swatches}):
            row = [index for index, swatch in enumerate(self.swatches) if swatch.row == number]
            rows += [row[start : start + columns] for start in range(0, len(row), columns)]
        if rows and len(rows[-1]) < columns:
            rows[-1].append(len(self.swatches))
        else:
            rows.append([len(self.swatches)])
        return rows

    def natural_height(self, width: int, most: int) -> int:
        """The height needed in *width*, at most *most*, with pictures as large as possible; in pixels."""
        side, rows = self._fitting(width, most)
        return self.theme.px(_CAPTION) + len(rows) * (side + self.theme.px(_SWATCH_GAP))

    def _fitting(self, width: int, height: int) -> tuple[int, list[list[int]]]:
        """The side of the pictures, and the rows: as few as make them large enough."""
        px = self.theme.px
        found = []
        for columns in range(1, len(self.swatches) + 2):
            rows = self._rows(columns)
            across = (width + px(_SWATCH_GAP)) // max(map(len, rows)) - px(_SWATCH_GAP)
            down = (height - px(_CAPTION)) // len(rows) - px(_SWATCH_GAP)
            found.append((min(px(_LARGEST), across, down), rows))
        side, rows = max(found, key=lambda fit: (min(fit[0], px(_LARGE_ENOUGH)), -len(fit[1])))
        return max(px(_SMALLEST), side), rows

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        gap = self.theme.px(_SWATCH_GAP)
        side, rows = self._fitting(rect.w, rect.h)
        places: dict[int, pygame.Rect] = {}
        for number, row in enumerate(rows):
            top = rect.y + self.theme.px(_CAPTION) + number * (side + gap)
            for column, index in enumerate(row):
                places[index] = pygame.Rect(rect.x + column * (side + gap), top, side, side)
        self._places = [places[index] for index in range(len(places))]

    @property
    def _index(self) -> int:
        found = [index for index, swatch in enumerate(self.swatches) if swatch.code == self.chosen]
        return found[0] if found else len(self.swatches)

    def label(self, index: int) -> str:
        return self.swatches[index].label if index < len(self.swatches) else self.eraser

    def choose(self, index: int) -> None:
        """Choose the swatch *index*, the last being the eraser; ignore any other number."""
        if not 0 <= index <= len(self.swatches):
            return
        chosen = self.swatches[index].code if index < len(self.swatches) else None
        if self.change(chosen=chosen):
            self.changed(chosen)

    def go(self, by: int) -> None:
        """Choose the swatch *by* places further on, cyclically."""
        self.choose((self._index + by) % (len(self.swatches) + 1))

    def part_at(self, point: tuple[int, int]) -> int | None:
        return next((index for index, place in enumerate(self._places) if place.collidepoint(point)), None)

    def press(self, point: tuple[int, int]) -> bool:
        index = self.part_at(point)
        self.take_focus()
        if index is not None:
            self.choose(index)
        return True

    def key(self, event: pygame.event.Event) -> bool:
        if event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT | pygame.KMOD_META):
            return False
        by = {pygame.K_LEFT: -1, pygame.K_RIGHT: 1}.get(event.key)
        if by is not None:
            self.go(by)
            return True
        if event.key in (pygame.K_UP, pygame.K_DOWN):
            here = self._places[self._index]
            down = 1 if event.key == pygame.K_DOWN else -1
            beyond = [place for place in self._places if (place.y - here.y) * down > 0]
            if beyond:
                nearest = min(beyond, key=lambda place: (abs(place.y - here.y), abs(place.x - here.x)))
                self.choose(self._places.index(nearest))
            return True
        return False

    def utterance(self) -> str:
        return self.label(self._index)

    def parts(self) -> Sequence[Part]:
        return [
            Part(index, place, self.label(index), is_chosen=index == self._index)
            for index, place in enumerate(self._places)
        ]

    @property
    def active_part(self) -> int:
        return self._index

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px = self.paint, self.theme, self.theme.px
        told = self._index if self.part_under is None else self.part_under
        middle = self.rect.y + px(9)
        paint.text(surface, self.label(told), (self.rect.x, middle), "strong", anchor="midleft", width=self.rect.w)
        for index, place in enumerate(self._places):
            is_chosen = index == self._index
            ground = theme.accent_soft if is_chosen else theme.hover if index == self.part_under else theme.background
            line = theme.accent if is_chosen else theme.line
            width = px(2) if is_chosen else None
            paint.rounded_rect(surface, place, ground, px(8), line=line, line_width=width)
            inner = place.inflate(-px(6), -px(6))
            if index < len(self.swatches):
                self.swatches[index].draw(surface, inner)
            else:
                ink = theme.accent if is_chosen else theme.ink
                paint.icon(surface, "trash", place.center, ink, min(px(ICON_SIZE), inner.w))

    @property
    def focus_rect(self) -> pygame.Rect:
        return self._places[self._index]
