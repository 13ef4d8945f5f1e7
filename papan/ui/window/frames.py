"""The frame budget: a frame whose pictures can't all be painted in time is begun anew, and the last one stays."""

from __future__ import annotations

import math
from collections.abc import Callable

import pygame

from papan.ui.drawing.paint import Painter
from papan.ui.drawing.pictures import OutOfTimeError, own_clock

PAINTING_SECONDS = 0.012
"""The seconds of a frame in which pictures are painted: the rest of it is for drawing with them."""
ACTING_SECONDS = 0.008
"""The seconds that may go before, for acting and laying out; what they take longer, drawing waits for."""
_PAINTING_ENDS = 0.015
"""The seconds after a frame's beginning when no more is painted, ahead or for it: drawing takes about as many."""
_MANY_ATTEMPTS, _HURRIED_SECONDS = 120, 0.02
"""After so many frames that are not whole, each is painted for longer."""
_MOST_PUT_OFF = 2
_MOST_ATTEMPTS = 600
"""After so many, one is drawn however long that takes."""


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
        self._pictures = paint.pictures
        self.shown = 0
        """The number of frames shown so far."""
        self.painting_seconds = PAINTING_SECONDS
        """Of a frame, for pictures that are not there yet; ``math.inf`` where every frame is to be whole at once."""
        self._attempts = 0
        """How often the frame to be shown has been begun."""
        self._clock = own_clock()
        self._acting_ends = math.inf
        self._is_put_off = False
        self._times_put_off = 0
        """How often something was put off since the last frame was drawn."""

    @property
    def is_unfinished(self) -> bool:
        """Whether something is still to be done that a frame had no time for."""
        return self._attempts > 0 or self._is_put_off

    def begin(self) -> None:
        """Begin what leads to a frame: from now on its time passes."""
        seconds = self._seconds_to_paint()
        self._is_put_off = False
        self._pictures.begin_frame(seconds + _PAINTING_ENDS - PAINTING_SECONDS)
        self._acting_ends = self._clock() + (ACTING_SECONDS if math.isfinite(seconds) else math.inf)

    @property
    def has_time_to_act(self) -> bool:
        """Whether one more event may be acted on in this frame; if not, it is the next one's, which comes at once."""
        return self._clock() < self._acting_ends

    def puts_off(self) -> bool:
        """Whether all else of this frame is to be done in the next one, since there was much to act on: acting and
        drawing need not come together. Twice at most, then something is drawn.
        """
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
            with self._pictures.slice_of_work(seconds):
                draw_on(self._screen.frame())
        except OutOfTimeError:
            self._screen.wait()
            return False
        self._attempts = 0
        self._screen.show()
        self.shown += 1
        return True

    def _seconds_to_paint(self) -> float:
        """How long pictures may be painted in this frame: the longer, the more frames were not whole."""
        if not self.shown or self._attempts >= _MOST_ATTEMPTS:
            return math.inf
        return self.painting_seconds if self._attempts < _MANY_ATTEMPTS else _HURRIED_SECONDS
