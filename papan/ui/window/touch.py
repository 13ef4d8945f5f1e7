"""A finger on the window, as what a mouse would do.

SDL makes mouse events of the first finger on a touch screen, marked by ``touch``. Here they become taps, drags, the
scrolling of pages and lists, and long presses. Fingers on a touch pad never get here: they move the pointer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import pygame

from papan.ui.widgets.base import Widgets

LONG_SECONDS = 0.6
"""A longer press is for the tooltip, and is no click."""
_LEAST_DRAG = 10
"""How far a finger must move, in design pixels, before it scrolls."""
_NOWHERE = (-1, -1)

Point = tuple[int, int]


class Touch:
    """Follows one finger from its press to its release.

    A tap is a click once the finger is lifted; until then it may become a scroll or a long press. Widgets that are
    dragged, such as a board or a slider, get each event at once. After the release nothing is hovered.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """:param clock: returns seconds."""
        self._clock = clock
        self._start: Point | None = None
        """Where a press began that may be a tap; None for any other."""
        self._last: Point = _NOWHERE
        self._began = 0.0
        self._is_scrolling = False

    def mouse_events(self, event: pygame.event.Event, widgets: Widgets) -> Sequence[pygame.event.Event]:
        """What *event*, of a finger, does to *widgets*; any other event is returned as it is."""
        if not event.dict.get("touch"):
            return (event,)
        if event.type == pygame.MOUSEBUTTONDOWN:
            return self._press(event, widgets)
        if event.type == pygame.MOUSEMOTION and self._start is not None:
            return self._drag(event.pos, widgets.window.paint.theme.px(_LEAST_DRAG))
        if event.type == pygame.MOUSEBUTTONUP:
            return self._release(event, widgets)
        return (event,)

    def _press(self, event: pygame.event.Event, widgets: Widgets) -> Sequence[pygame.event.Event]:
        self._began, self._is_scrolling, self._last = self._clock(), False, event.pos
        over = _motion(event.pos)
        if widgets.takes_drag(event.pos):
            self._start = None
            return over, event
        self._start = event.pos
        return (over,)

    def _drag(self, at: Point, least: int) -> Sequence[pygame.event.Event]:
        """Scroll; the pointer goes with the finger, so that the same widget stays under it."""
        assert self._start is not None
        moved = max(abs(at[0] - self._start[0]), abs(at[1] - self._start[1]))
        if not self._is_scrolling and moved < least:
            return ()
        self._is_scrolling = True
        by, self._last = at[1] - self._last[1], at
        return _motion(at), pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=0, touch=True, pixels=by)

    def _release(self, event: pygame.event.Event, widgets: Widgets) -> Sequence[pygame.event.Event]:
        start, self._start = self._start, None
        away = _motion(_NOWHERE)
        if start is None:
            return event, away
        hovered = widgets.hovered
        is_long = self._clock() - self._began >= LONG_SECONDS
        if self._is_scrolling or (is_long and hovered is not None and hovered.explanation):
            return (away,)
        pressed = pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=start, button=1, touch=True)
        released = pygame.event.Event(pygame.MOUSEBUTTONUP, pos=start, button=1, touch=True)
        return pressed, released, away


def _motion(at: Point) -> pygame.event.Event:
    return pygame.event.Event(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0), touch=True)
