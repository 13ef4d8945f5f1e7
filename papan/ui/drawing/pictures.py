"""A cache of pictures; some are painted in time slices over several frames."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

import pygame

from papan.ui.drawing.antialiasing import Painting

_MOST_PICTURE_BYTES = 96 * 2**20
_COARSEST_CLOCK = 1e-4
"""The coarsest resolution of a clock, in seconds, that can measure time slices."""
_MOST_BEGUN = 4
"""The most paused paintings: more than can be requested in turn, or none would be completed."""
_SHARE_AFTER_LEAVING = 1 / 16
"""The share of the bytes that stays cached when a scene is left."""


def own_clock() -> Callable[[], float]:
    """The clock of this thread's processor time; wall time if that clock is too coarse."""
    try:
        is_fine = time.get_clock_info("thread_time").resolution <= _COARSEST_CLOCK
    except ValueError:
        is_fine = False
    return time.thread_time if is_fine else time.perf_counter


class OutOfTimeError(BaseException):
    """The time slice for pictures is over; what was made is cached, and drawing continues in the next frame.

    Not an ``Exception``, so that error handlers in between do not catch it.
    """


class PictureStore:
    """A bounded cache of pictures; the least recently used are evicted."""

    def __init__(self, most_bytes: int = _MOST_PICTURE_BYTES) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self._cached: OrderedDict[Hashable, pygame.Surface] = OrderedDict()
        self._begun: OrderedDict[Hashable, Painting] = OrderedDict()
        """Paused paintings, to continue in another time slice."""
        self._clock = own_clock()
        self._deadline = math.inf
        self._frame_ends = math.inf
        self._has_made_some = False
        self._is_painting = False

    def begin_frame(self, seconds: float) -> None:
        """End every ``slice_of_work`` at most *seconds* from now: a frame may have several."""
        self._frame_ends = self._clock() + seconds

    @contextmanager
    def slice_of_work(self, seconds: float) -> Iterator[None]:
        """Limit painting within the ``with`` block to *seconds* and to the frame's time (see ``begin_frame``).

        At least a part of one picture is made, so that repeated attempts make progress.

        :raises OutOfTimeError: a picture is requested after that.
        """
        self._deadline, self._has_made_some = min(self._clock() + seconds, self._frame_ends), False
        try:
            yield
        finally:
            self._deadline = math.inf

    def __len__(self) -> int:
        return len(self._cached)

    def get(self, key: Hashable, make: Callable[[], pygame.Surface]) -> pygame.Surface:
        """The picture cached under *key*, made by *make* if there is none. Do not draw on it.

        :raises OutOfTimeError: a ``slice_of_work`` is over.
        """
        found = self._found(key)
        return self._store(key, make()) if found is None else found

    def cached(self, key: Hashable) -> pygame.Surface | None:
        """The picture cached under *key*; None if there is none. Do not draw on it."""
        return self._cached.get(key)

    def painted(self, key: Hashable, begin: Callable[[], Painting]) -> pygame.Surface:
        """The picture cached under *key*, painted by the generator from *begin* if there is none. Do not draw on it.

        :raises OutOfTimeError: a ``slice_of_work`` is over; the painting continues in another.
        """
        found = self._found(key)
        if found is not None:
            return found
        painting = self._begun.pop(key, None) or begin()
        try:
            return self._store(key, self.finish(painting))
        except OutOfTimeError:
            self._begun[key] = painting
            if len(self._begun) > _MOST_BEGUN:
                self._begun.popitem(last=False)
            raise

    def finish(self, painting: Painting) -> pygame.Surface:
        """Run *painting* to its end, including other pictures that it needs; return the picture.

        :raises OutOfTimeError: a ``slice_of_work`` is over; the painting can be continued in another.
        """
        is_inner, self._is_painting = self._is_painting, True
        try:
            while True:
                next(painting)
                self._is_painting = is_inner
                self.pause()
                self._is_painting = True
        except StopIteration as end:
            picture: pygame.Surface = end.value
            return picture
        finally:
            self._is_painting = is_inner

    def pause(self) -> None:
        """Stop between two parts of a drawing if the time is over.

        :raises OutOfTimeError: a ``slice_of_work`` is over.
        """
        self._has_made_some = True
        self._check_time()

    def _check_time(self) -> None:
        is_over = self._has_made_some and not self._is_painting and self._clock() > self._deadline
        if is_over:
            raise OutOfTimeError

    def _found(self, key: Hashable) -> pygame.Surface | None:
        """The picture cached under *key*; None if there is none but time to make it.

        :raises OutOfTimeError: there is no time to make it.
        """
        found = self._cached.get(key)
        if found is None:
            self._check_time()
        else:
            self._cached.move_to_end(key)
        return found

    def _store(self, key: Hashable, made: pygame.Surface) -> pygame.Surface:
        self._has_made_some = True
        self._cached[key] = made
        self.bytes += _bytes_of(made)
        self._shrink_to(self.most_bytes)
        return made

    def shrink(self) -> None:
        """Evict all but the most recently used pictures, after a scene was left."""
        self._shrink_to(_SHARE_AFTER_LEAVING * self.most_bytes)

    def _shrink_to(self, most_bytes: float) -> None:
        while self.bytes > most_bytes and len(self._cached) > 1:
            self.bytes -= _bytes_of(self._cached.popitem(last=False)[1])

    def clear(self) -> None:
        self._cached.clear()
        self._begun.clear()
        self.bytes = 0


def _bytes_of(picture: pygame.Surface) -> int:
    return picture.get_pitch() * picture.get_height() + 256
