"""The frame budget: a frame whose pictures can't be painted in time is restarted, and the last frame stays."""

from __future__ import annotations

import math
from collections.abc import Callable

import pygame

from papan.ui.drawing.paint import Painter
from papan.ui.drawing.pictures import OutOfTimeError, own_clock

PAINTING_SECONDS = 0.012
"""Seconds of a frame for painting pictures; the rest is for drawing with them."""
ACTING_SECONDS = 0.008
"""Seconds before that for handling events and layout; if they take longer, drawing is postponed."""
_PAINTING_ENDS = 0.015
"""Seconds after a frame's start when painting stops: drawing takes about as long."""
_MANY_ATTEMPTS, _HURRIED_SECONDS = 120, 0.02
"""After this many unfinished attempts, each frame gets more seconds for painting."""
_MOST_PUT_OFF = 2
_MOST_ATTEMPTS = 600
"""After this many attempts, a frame is drawn without a time limit."""


class Screen:
    """Double buffering: the surface of *window*, and the frame being drawn, shown when it is complete."""

    def __init__(self, window: pygame.Window) -> None:
        self._window = window
        self.surface = window.get_surface()
        """What is on the screen, after ``show``."""
        self._shown = self._next = self._blank()
        self._filled = self._shown.get_size()

    def _blank(self) -> pygame.Surface:
        return pygame.Surface(self.surface.get_size(), 0, self.surface)

    def follow(self) -> None:
        self.surface = self._window.get_surface()

    def frame(self) -> pygame.Surface:
        """The surface for the next frame; it is not cleared."""
        if self._next is self._shown or self._next.get_size() != self.surface.get_size():
            self._next = self._blank()
        return self._next

    def show(self) -> None:
        self.surface.blit(self._next, (0, 0))
        self._window.flip()
        self._shown, self._next = self._next, self._shown
        self._filled = self._shown.get_size()

    def wait(self) -> None:
        """Keep showing the last frame; if the window was resized, in its old size at the upper left."""
        size = self.surface.get_size()
        if size != self._filled:
            self.surface.fill(self._shown.get_at((0, 0)))
            self.surface.blit(self._shown, (0, 0))
            self._window.flip()
            self._filled = size


class FrameBudget:
    """Divides the time of each frame of *screen* between events, painting pictures, and drawing."""

    def __init__(self, screen: Screen, paint: Painter) -> None:
        self._screen = screen
        self._paint = paint
        self.shown = 0
        self.painting_seconds = PAINTING_SECONDS
        """Seconds of a frame for new pictures; ``math.inf`` to complete every frame at once."""
        self._attempts = 0
        """The number of attempts at the next frame."""
        self._clock = own_clock()
        self._acting_ends = math.inf
        self._is_put_off = False
        self._times_put_off = 0
        """How often drawing was postponed since the last frame."""

    @property
    def is_unfinished(self) -> bool:
        return self._attempts > 0 or self._is_put_off

    def begin(self) -> None:
        seconds = self._seconds_to_paint()
        self._is_put_off = False
        self._paint.pictures.begin_frame(seconds + _PAINTING_ENDS - PAINTING_SECONDS)
        self._acting_ends = self._clock() + (ACTING_SECONDS if math.isfinite(seconds) else math.inf)

    @property
    def has_time_to_act(self) -> bool:
        return self._clock() < self._acting_ends

    def puts_off(self) -> bool:
        """Whether updating and drawing are postponed because events took long; at most twice in a row."""
        self._is_put_off = self._times_put_off < _MOST_PUT_OFF and not self.has_time_to_act
        self._times_put_off += self._is_put_off
        return self._is_put_off

    def draw(self, draw_on: Callable[[pygame.Surface], None]) -> bool:
        """Have *draw_on* draw a frame, and show it if it is complete; return whether it is."""
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
        """The seconds for painting pictures in this frame: more after many unfinished attempts."""
        if not self.shown or self._attempts >= _MOST_ATTEMPTS:
            return math.inf
        return self.painting_seconds if self._attempts < _MANY_ATTEMPTS else _HURRIED_SECONDS
