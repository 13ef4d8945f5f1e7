"""The page of a scene: as large as the window, or higher, and then scrolled."""

from __future__ import annotations

import pygame

from papan.ui.drawing.paint import Painter

_AROUND = 12
"""The margin kept in sight around a focused widget, in design pixels."""
_BAR_ROOM = 12
"""The width of the strip at the window's edge where the mouse can drag the scroll bar."""
BAR = 5
STEP = 60
"""How far an arrow key or a notch of the wheel scrolls, in design pixels."""
_SHORTEST_BAR = 30


class OffscreenSurface:
    """The surface to draw pages larger than the window on; shared by all scenes."""

    def __init__(self) -> None:
        self._surface: pygame.Surface | None = None
        self._is_wanted = False

    def get(self, size: tuple[int, int], frame: pygame.Surface) -> pygame.Surface:
        """A surface of *size* in the pixel format of *frame*; it is not cleared."""
        self._is_wanted = True
        held = self._surface.get_size() if self._surface is not None else (0, 0)
        if self._surface is None or held[0] < size[0] or held[1] < size[1]:
            # Allocating one takes long for a frame, so the largest one is reused.
            self._surface = pygame.Surface((max(held[0], size[0]), max(held[1], size[1])), 0, frame)
        return self._surface.subsurface((0, 0, *size))

    def free_if_unused(self) -> None:
        """Free the surface if no page used it since the last call."""
        if not self._is_wanted:
            self._surface = None
        self._is_wanted = False


class Page:
    """The page of one scene. Widgets and mouse positions on it are relative to the page's corner, not the window's."""

    def __init__(self) -> None:
        self.area = pygame.Rect(0, 0, 0, 0)
        """The whole page, in real pixels."""
        self.view = pygame.Rect(0, 0, 0, 0)
        """The part that the window shows and that scrolls."""
        self.foot = 0
        """The height of the strip at the end of the page that stays at the window's foot; 0 if the page is whole."""
        self._held: int | None = None
        """While the thumb of the scroll bar is dragged: how far below its top."""

    @property
    def is_whole(self) -> bool:
        return self.area.h <= self.view.h

    @property
    def foot_top(self) -> int:
        """Where the strip begins that does not scroll."""
        return self.area.h - self.foot

    def fit(self, window: pygame.Rect, height: int, foot: int = 0) -> pygame.Rect:
        """Resize to *window*, but to at least *height*; return the page's area.

        :param foot: the height of the strip at the end of the page that does not scroll.
        """
        self.area = pygame.Rect(0, 0, window.w, max(window.h, height))
        self.foot = foot if height > window.h else 0
        self.view.size = window.w, window.h - self.foot
        self.scroll_to(self.view.y)
        if self.is_whole:
            self._held = None
        return self.area.copy()

    def scroll_to(self, top: int) -> int:
        """Scroll *top* to the window's upper edge, as far as possible; return the view's movement."""
        before = self.view.y
        self.view.y = min(max(0, top), max(0, self.foot_top - self.view.h))
        return self.view.y - before

    def reveal(self, rect: pygame.Rect, paint: Painter) -> int:
        """Scroll *rect* and a margin into sight; return the view's movement.

        If *rect* is higher than the window, the window is filled with it.
        """
        if self.is_in_foot(rect.y):
            return 0
        around = paint.theme.px(_AROUND)
        top, bottom = rect.top - around, rect.bottom + around
        if top < self.view.top and bottom < self.view.bottom:
            return self.scroll_to(max(top, bottom - self.view.h))
        if bottom > self.view.bottom and top > self.view.top:
            return self.scroll_to(min(top, bottom - self.view.h))
        return 0

    def is_in_foot(self, y: int) -> bool:
        """Whether *y* of the page lies in the strip that does not scroll."""
        return self.foot > 0 and y >= self.foot_top

    def on_page(self, event: pygame.event.Event) -> pygame.event.Event:
        """*event* with its position relative to the page instead of the window."""
        if hasattr(event, "pos") and (self.view.y or self.foot):
            return pygame.event.Event(event.type, {**event.dict, "pos": self.point_at(event.pos)})
        return event

    def point_at(self, at: tuple[int, int]) -> tuple[int, int]:
        """The point of the page at *at* in the window."""
        is_in_foot = self.foot > 0 and at[1] >= self.view.h
        return at[0], at[1] + (self.foot_top - self.view.h if is_in_foot else self.view.y)

    def in_window(self, rect: pygame.Rect) -> pygame.Rect:
        """The window's rectangle for *rect* of the page."""
        return rect.move(0, self.view.h - self.foot_top if self.is_in_foot(rect.y) else -self.view.y)

    def moved_by(self, event: pygame.event.Event, paint: Painter) -> int | None:
        """Scroll by *event* of the wheel or keyboard; return the view's movement, None if not by this."""
        if self.is_whole:
            return None
        px = paint.theme.px
        if event.type == pygame.MOUSEWHEEL:
            pixels = finger_pixels(event)
            return self.scroll_to(self.view.y - (event.y * px(STEP) if pixels is None else pixels))
        if event.type == pygame.KEYDOWN:
            amount = amount_of_key(event.key, px(STEP), self.view.h, self.area.h)
            return None if amount is None else self.scroll_to(self.view.y + amount)
        return None

    def dragged_by(self, event: pygame.event.Event, paint: Painter) -> int | None:
        """Drag the scroll bar by a mouse *event* in the window; return the view's movement, None if not by this."""
        if self.is_whole or event.type not in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEMOTION, pygame.MOUSEBUTTONUP):
            return None
        strip = self._strip(paint)
        thumb = thumb_of(strip, self.foot_top, self.view.y, paint)
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and strip.collidepoint(event.pos):
            self._held = event.pos[1] - thumb.y if thumb.collidepoint(event.pos) else thumb.h // 2
        elif event.type == pygame.MOUSEBUTTONUP and self._held is not None:
            self._held = None
            return 0
        if self._held is None:
            return None
        share = (event.pos[1] - self._held - strip.y) / max(1, strip.h - thumb.h)
        return self.scroll_to(round(share * (self.foot_top - self.view.h)))

    def has_bar_at(self, at: tuple[int, int], paint: Painter) -> bool:
        """Whether the scroll bar can be dragged from *at* in the window."""
        return not self.is_whole and self._strip(paint).collidepoint(at)

    def _strip(self, paint: Painter) -> pygame.Rect:
        width = paint.theme.px(_BAR_ROOM)
        return pygame.Rect(self.view.w - width, 0, width, self.view.h)

    def surface_for(self, frame: pygame.Surface, offscreen: OffscreenSurface) -> pygame.Surface:
        """The surface for the scene to draw on: *frame*, or *offscreen* clipped to the view if the page is larger."""
        if self.is_whole:
            return frame
        surface = offscreen.get(self.area.size, frame)
        surface.set_clip(pygame.Rect(0, self.view.y, self.area.w, self.area.h) if self.foot else self.view)
        surface.blit(frame, self.view, (0, 0, *self.view.size))
        if self.foot:
            surface.blit(frame, (0, self.foot_top), (0, self.view.h, self.area.w, self.foot))
        return surface

    def show(self, drawn: pygame.Surface, frame: pygame.Surface, paint: Painter) -> None:
        """Copy the view from *drawn*, if that is not *frame* itself, and draw the scroll bar."""
        if drawn is frame:
            return
        frame.blit(drawn, (0, 0), self.view)
        if self.foot:
            frame.blit(drawn, (0, self.view.h), (0, self.foot_top, self.area.w, self.foot))
        strip = self._strip(paint)
        bar = thumb_of(strip, self.foot_top, self.view.y, paint)
        width = paint.theme.px(BAR)
        bar = pygame.Rect(bar.centerx - width // 2, bar.y, width, bar.h)
        paint.rounded_rect(frame, bar, paint.theme.second if self._held is not None else paint.theme.line, width // 2)


def finger_pixels(event: pygame.event.Event) -> int | None:
    """How far a finger has dragged down what is shown, in real pixels; None if *event* is of a wheel."""
    pixels: int | None = event.dict.get("pixels")
    return pixels


def amount_of_key(key: int, step: int, page: int, full: int) -> int | None:
    """By how much *key* scrolls, in real pixels; None for other keys.

    :param step: the amount for an arrow key.
    :param page: the height of the visible part.
    :param full: the height of the whole.
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
    """The thumb of a scroll bar in *strip*, which is as high as the view, scrolled to *top* of *full*."""
    height = max(paint.theme.px(_SHORTEST_BAR), strip.h * strip.h // max(1, full))
    return pygame.Rect(strip.x, strip.y + (strip.h - height) * top // max(1, full - strip.h), strip.w, height)
