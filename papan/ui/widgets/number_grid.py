"""A grid of numbered tiles, one of them chosen, some of them done; the wheel and the keyboard scroll."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from papan.ui.drawing.theme import mix
from papan.ui.texts import _
from papan.ui.widgets.base import Widget, in_one
from papan.ui.widgets.shortcuts import Shortcut

_TILE = (68, 46)
_GAP = 8
_RADIUS = 8
_BAR = 4


class NumberGrid(Widget):
    """Tiles with numbers from 1. A click chooses one, another click on it or Enter opens it."""

    def __init__(self, name: str, chosen: Callable[[int], object], opened: Callable[[], object]) -> None:
        """:param chosen: called with the place of the tile that was chosen.
        :param opened: called when the chosen tile is to be opened.
        """
        super().__init__(name)
        self._chosen, self._opened = chosen, opened
        self.done: Sequence[bool] = ()
        """For each tile, whether it is done."""
        self.place_chosen: int | None = None
        """The place of the chosen tile; None for none."""
        self._top = 0

    def show_tiles(self, done: Sequence[bool], place: int | None) -> None:
        """Have a tile for each of *done*, and the one at *place* chosen."""
        self.done, self.place_chosen = done, place
        self._reveal()
        self.invalidate()

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        self._reveal()

    # --------------------------------------------------------------------------------------- layout

    @property
    def columns(self) -> int:
        """How many tiles stand side by side."""
        px = self.theme.px
        return max(1, (self.rect.w - px(_BAR + 6) + px(_GAP)) // px(_TILE[0] + _GAP))

    @property
    def _row(self) -> int:
        return self.theme.px(_TILE[1] + _GAP)

    @property
    def _spare(self) -> int:
        rows = -(-len(self.done) // self.columns)
        return max(0, rows * self._row - self.theme.px(_GAP) - self.rect.h)

    @property
    def _width(self) -> float:
        """The width of a tile, with which a row fills the room."""
        px = self.theme.px
        return (self.rect.w - px(_BAR + 6) + px(_GAP)) / self.columns - px(_GAP)

    def tile_rect(self, place: int) -> pygame.Rect:
        """Where the tile at *place* stands now, also where it is scrolled away."""
        px = self.theme.px
        row, column = divmod(place, self.columns)
        edges = [round(self.rect.x + number * (self._width + px(_GAP))) for number in (column, column + 1)]
        top = self.rect.y + row * self._row - self._top
        return pygame.Rect(edges[0], top, edges[1] - edges[0] - px(_GAP), px(_TILE[1]))

    def _reveal(self) -> None:
        """Scroll to where the chosen tile is seen."""
        if self.host is None or not self.rect.h:
            return
        if self.place_chosen is not None:
            top = self.place_chosen // self.columns * self._row
            self._top = max(min(self._top, top), top + self.theme.px(_TILE[1]) - self.rect.h)
        self._top = min(max(0, self._top), self._spare)

    # ---------------------------------------------------------------------------------------- acting

    def choose(self, place: int) -> None:
        """Choose the tile at *place*, or the nearest there is."""
        if self.done:
            self.place_chosen = min(max(0, place), len(self.done) - 1)
            self._reveal()
            self.invalidate()
            self._chosen(self.place_chosen)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEWHEEL and self.is_hovered:
            self._top = min(max(0, self._top - event.y * self._row), self._spare)
            self.invalidate()
            return True
        if event.type != pygame.MOUSEBUTTONDOWN or event.button != 1 or not self.rect.collidepoint(event.pos):
            return False
        if self.host is not None:
            self.host.focus(self, by_keyboard=False)
        for place in range(len(self.done)):
            if self.tile_rect(place).collidepoint(event.pos):
                if place == self.place_chosen:
                    self._opened()
                else:
                    self.choose(place)
                break
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
            return super().key(event)
        self.choose(0 if at is None else at + step)
        return True

    def keys(self) -> Sequence[Shortcut]:
        return (
            Shortcut("Arrows  PgUp  PgDn  Home  End", _("choose a number")),
            Shortcut("Enter", _("open what is chosen")),
        )

    def activate(self) -> None:
        if self.place_chosen is not None:
            self._opened()

    # --------------------------------------------------------------------------------------- drawing

    def draw_focus(self, surface: pygame.Surface) -> None:
        if self.place_chosen is None:
            super().draw_focus(surface)
            return
        self.paint.focus_ring(surface, self.tile_rect(self.place_chosen), self.theme.px(_RADIUS))

    def utterance(self) -> str:
        if self.place_chosen is None:
            return self.beside
        is_done = self.done[self.place_chosen]
        return in_one(self.beside, str(self.place_chosen + 1), _("done") if is_done else "")

    def draw(self, surface: pygame.Surface) -> None:
        clip = surface.get_clip()
        surface.set_clip(self.rect.inflate(2 * self.theme.px(3), 2 * self.theme.px(3)).clip(clip))
        for place, is_done in enumerate(self.done):
            rect = self.tile_rect(place)
            if rect.colliderect(self.rect):
                self._draw_tile(surface, rect, place, is_done)
        surface.set_clip(clip)
        if self._spare:
            px = self.theme.px
            full = self._spare + self.rect.h
            height = max(px(24), self.rect.h * self.rect.h // full)
            top = self.rect.y + (self.rect.h - height) * self._top // self._spare
            bar = pygame.Rect(self.rect.right - px(_BAR), top, px(_BAR), height)
            self.paint.rounded_rect(surface, bar, self.theme.line, px(_BAR) // 2)

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
