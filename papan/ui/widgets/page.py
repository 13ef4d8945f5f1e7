"""The page that a scene lies on: as large as the window, or larger, and then the window shows a part of it."""

from __future__ import annotations

import pygame

from papan.ui.drawing.paint import Painter

_AROUND = 12
"""What is seen around a widget that the keyboard comes to, in the sketches' pixels."""
_BAR_ROOM = 12
"""The width of the strip at the window's edge in which the mouse takes hold of the bar."""
BAR = 5
STEP = 60
"""For an arrow key or a notch of the wheel, in the sketches' pixels."""
_SHORTEST_BAR = 30


class Sheet:
    """The surface on which the pages of a window are drawn that are larger than it, one after the other."""

    def __init__(self) -> None:
        self._surface: pygame.Surface | None = None
        self._is_wanted = False

    def of(self, size: tuple[int, int], frame: pygame.Surface) -> pygame.Surface:
        """A surface of *size* and of the colours of *frame*; anything may be on it."""
        self._is_wanted = True
        held = self._surface.get_size() if self._surface is not None else (0, 0)
        if self._surface is None or held[0] < size[0] or held[1] < size[1]:
            # Several times larger than the window: to make one is long for a frame, and so the largest one stays.
            self._surface = pygame.Surface((max(held[0], size[0]), max(held[1], size[1])), 0, frame)
        return self._surface.subsurface((0, 0, *size))

    def let_go(self) -> None:
        """Free it if no page has wanted it since the last call."""
        if not self._is_wanted:
            self._surface = None
        self._is_wanted = False


class Page:
    """The page of one scene. What lies on it is placed, and pointed at, from the page's corner, not the window's."""

    def __init__(self) -> None:
        self.area = pygame.Rect(0, 0, 0, 0)
        """The whole page, in real pixels."""
        self.view = pygame.Rect(0, 0, 0, 0)
        """The part of it that the window shows."""
        self._held: int | None = None
        """How far below the top of the bar's thumb it was taken hold of."""

    @property
    def is_whole(self) -> bool:
        return self.area.h <= self.view.h

    def fit(self, window: pygame.Rect, height: int) -> pygame.Rect:
        """Be as large as *window*, but at least so high; returns the page's area."""
        self.area = pygame.Rect(0, 0, window.w, max(window.h, height))
        self.view.size = window.size
        self.scroll_to(self.view.y)
        if self.is_whole:
            self._held = None
        return self.area.copy()

    def scroll_to(self, top: int) -> int:
        """Have *top* at the upper edge of the window, as far as that can be; returns by how much the view has moved."""
        before = self.view.y
        self.view.y = min(max(0, top), max(0, self.area.h - self.view.h))
        return self.view.y - before

    def reveal(self, rect: pygame.Rect, paint: Painter) -> int:
        """Show *rect*, and a little around it; returns by how much the view has moved.

        Of what is higher than the window as much is shown as has room, and nothing moves where all of that is seen.
        """
        around = paint.theme.px(_AROUND)
        top, bottom = rect.top - around, rect.bottom + around
        if top < self.view.top and bottom < self.view.bottom:
            return self.scroll_to(max(top, bottom - self.view.h))
        if bottom > self.view.bottom and top > self.view.top:
            return self.scroll_to(min(top, bottom - self.view.h))
        return 0

    def on_page(self, event: pygame.event.Event) -> pygame.event.Event:
        """*event*, which is told from the window's corner, as told from the page's."""
        if self.view.y and hasattr(event, "pos"):
            at = event.pos[0], event.pos[1] + self.view.y
            return pygame.event.Event(event.type, {**event.dict, "pos": at})
        return event

    def in_window(self, rect: pygame.Rect) -> pygame.Rect:
        """Where *rect* of the page lies in the window."""
        return rect.move(0, -self.view.y)

    def moved_by(self, event: pygame.event.Event, paint: Painter) -> int | None:
        """By how much *event*, of the wheel or the keyboard, which nobody else has taken, moves the view."""
        if self.is_whole:
            return None
        px = paint.theme.px
        if event.type == pygame.MOUSEWHEEL:
            return self.scroll_to(self.view.y - event.y * px(STEP))
        if event.type == pygame.KEYDOWN:
            amount = amount_of_key(event.key, px(STEP), self.view.h, self.area.h)
            return None if amount is None else self.scroll_to(self.view.y + amount)
        return None

    def dragged_by(self, event: pygame.event.Event, paint: Painter) -> int | None:
        """By how much *event* of the mouse, told from the window's corner, moves the view by the bar; None if not."""
        if self.is_whole or event.type not in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEMOTION, pygame.MOUSEBUTTONUP):
            return None
        strip = self._strip(paint)
        thumb = thumb_of(strip, self.area.h, self.view.y, paint)
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and strip.collidepoint(event.pos):
            self._held = event.pos[1] - thumb.y if thumb.collidepoint(event.pos) else thumb.h // 2
        elif event.type == pygame.MOUSEBUTTONUP and self._held is not None:
            self._held = None
            return 0
        if self._held is None:
            return None
        share = (event.pos[1] - self._held - strip.y) / max(1, strip.h - thumb.h)
        return self.scroll_to(round(share * (self.area.h - self.view.h)))

    def _strip(self, paint: Painter) -> pygame.Rect:
        width = paint.theme.px(_BAR_ROOM)
        return pygame.Rect(self.view.w - width, 0, width, self.view.h)

    def surface_for(self, frame: pygame.Surface, sheet: Sheet) -> pygame.Surface:
        """What the scene draws on: *frame*, or a part of *sheet* as large as the page, of which the view is drawn."""
        if self.is_whole:
            return frame
        surface = sheet.of(self.area.size, frame)
        surface.set_clip(self.view)
        surface.blit(frame, self.view)
        return surface

    def show(self, drawn: pygame.Surface, frame: pygame.Surface, paint: Painter) -> None:
        """Put what was *drawn* beside *frame* on it, and the bar at its edge."""
        if drawn is frame:
            return
        frame.blit(drawn, (0, 0), self.view)
        strip = self._strip(paint)
        bar = thumb_of(strip, self.area.h, self.view.y, paint)
        width = paint.theme.px(BAR)
        bar = pygame.Rect(bar.centerx - width // 2, bar.y, width, bar.h)
        paint.rounded_rect(frame, bar, paint.theme.second if self._held is not None else paint.theme.line, width // 2)


def amount_of_key(key: int, step: int, page: int, full: int) -> int | None:
    """By how much *key* scrolls, in real pixels; None for a key that doesn't.

    :param step: of an arrow key.
    :param page: the height of what is seen at once.
    :param full: the height of all that there is to see.
    """
    page = max(step, page - step)
    return {
        pygame.K_UP: -step,
        pygame.K_DOWN: step,
        pygame.K_PAGEUP: -page,
        pygame.K_PAGEDOWN: page,
        pygame.K_SPACE: page,
        pygame.K_HOME: -full,
        pygame.K_END: full,
    }.get(key)


def thumb_of(strip: pygame.Rect, full: int, top: int, paint: Painter) -> pygame.Rect:
    """The part of *strip*, as high as what is seen, that stands for what is seen when it is scrolled to *top*."""
    height = max(paint.theme.px(_SHORTEST_BAR), strip.h * strip.h // max(1, full))
    return pygame.Rect(strip.x, strip.y + (strip.h - height) * top // max(1, full - strip.h), strip.w, height)
