"""The frame budget: a frame whose pictures can't all be painted in time is begun anew, and the last one stays."""

from __future__ import annotations

import math
from collections.abc import Callable

import pygame

from papan.ui.drawing.paint import Painter
from papan.ui.drawing.pictures import OutOfTimeError, own_clock

PAINTING_SECONDS = 0.012
"""Seconds of a frame for painting pictures; the rest is for drawing with them."""
ACTING_SECONDS = 0.008
"""Seconds before that for acting and laying out; where they take longer, drawing waits."""
_PAINTING_ENDS = 0.015
"""Seconds after a frame's beginning when painting stops: drawing takes about as many."""
_MANY_ATTEMPTS, _HURRIED_SECONDS = 120, 0.02
"""After so many unfinished frames, each is painted for longer."""
_MOST_PUT_OFF = 2
_MOST_ATTEMPTS = 600
"""After so many, a frame is drawn however long that takes."""


class Screen:
    """The surface of *window*, and beside it the frame that is being drawn, which is shown once it is whole."""

    def __init__(self, window: pygame.Window) -> None:
        self._window = window
        self.surface = window.get_surface()
        """What is on the screen, once ``show`` has been called."""
        self._shown = self._next = self._blank()
        self._stretched_to = self._shown.get_size()

    def _blank(self) -> pygame.Surface:
        return pygame.Surface(self.surface.get_size(), 0, self.surface)

    def follow(self) -> None:
        self.surface = self._window.get_surface()

    def frame(self) -> pygame.Surface:
        """The surface for the next frame. What was drawn on it before is still there."""
        if self._next is self._shown or self._next.get_size() != self.surface.get_size():
            self._next = self._blank()
        return self._next

    def show(self) -> None:
        self.surface.blit(self._next, (0, 0))
        self._window.flip()
        self._shown, self._next = self._next, self._shown
        self._stretched_to = self._shown.get_size()

    def wait(self) -> None:
        """Go on showing the last frame, stretched where the window has another size by now."""
        size = self.surface.get_size()
        if size != self._stretched_to:
            # Not smoothly: that takes ten times as long, for what is seen a moment.
            pygame.transform.scale(self._shown, size, self.surface)
            self._window.flip()
            self._stretched_to = size


class SlicedFrames:
    """The frames of *screen*, whose pictures *paint* keeps."""

    def __init__(self, screen: Screen, paint: Painter) -> None:
        self._screen = screen
        self._paint = paint
        self.shown = 0
        """The number of frames shown so far."""
        self.painting_seconds = PAINTING_SECONDS
        """Seconds of a frame for new pictures; ``math.inf`` where every frame is to be whole at once."""
        self._attempts = 0
        """How often the next frame has been begun."""
        self._clock = own_clock()
        self._acting_ends = math.inf
        self._is_put_off = False
        self._times_put_off = 0
        """How often something was put off since the last frame was drawn."""

    @property
    def is_unfinished(self) -> bool:
        """Whether a frame had no time for something."""
        return self._attempts > 0 or self._is_put_off

    def begin(self) -> None:
        """Begin a frame: its time passes from now on."""
        seconds = self._seconds_to_paint()
        self._is_put_off = False
        self._paint.pictures.begin_frame(seconds + _PAINTING_ENDS - PAINTING_SECONDS)
        self._acting_ends = self._clock() + (ACTING_SECONDS if math.isfinite(seconds) else math.inf)

    @property
    def has_time_to_act(self) -> bool:
        """Whether one more event may be acted on in this frame; else it waits for the next, which comes at once."""
        return self._clock() < self._acting_ends

    def puts_off(self) -> bool:
        """Whether updating and drawing wait for the next frame, because acting took long: twice at most."""
        self._is_put_off = self._times_put_off < _MOST_PUT_OFF and not self.has_time_to_act
        self._times_put_off += self._is_put_off
        return self._is_put_off

    def draw(self, draw_on: Callable[[pygame.Surface], None]) -> bool:
        """Have *draw_on* draw a frame, and show it; returns whether it was whole."""
        self._screen.follow()
        self._times_put_off = 0
        seconds = self._seconds_to_paint()
        self._attempts += 1
        try:
            with self._paint.pictures.slice_of_work(seconds):
                draw_on(self._screen.frame())
        except OutOfTimeError:
            self._screen.wait()
            return False
        self._attempts = 0
        self._screen.show()
        self.shown += 1
        return True

    def _seconds_to_paint(self) -> float:
        """How long pictures may be painted in this frame: longer after many unfinished ones."""
        if not self.shown or self._attempts >= _MOST_ATTEMPTS:
            return math.inf
        return self.painting_seconds if self._attempts < _MANY_ATTEMPTS else _HURRIED_SECONDS
