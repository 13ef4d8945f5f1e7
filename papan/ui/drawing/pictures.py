"""Pictures that are kept to be drawn again, and those that are painted in slices of several frames."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

import pygame

from papan.ui.drawing.samples import Painting

_MOST_PICTURE_BYTES = 96 * 2**20
_COARSEST_CLOCK = 1e-4
"""Seconds between two ticks of a clock: with coarser ones slices of work can't be measured."""
_MOST_BEGUN = 4
"""Paused paintings that are kept. More than can ask in turn, or none would end."""
_SHARE_AFTER_LEAVING = 1 / 16
"""The share of the bytes that is kept when a scene is left."""


def own_clock() -> Callable[[], float]:
    """The processor time of this thread, whatever else the machine does; wall time where that clock is too coarse."""
    try:
        is_fine = time.get_clock_info("thread_time").resolution <= _COARSEST_CLOCK
    except ValueError:
        is_fine = False
    return time.thread_time if is_fine else time.perf_counter


class OutOfTimeError(BaseException):
    """The time for making pictures is over; those made so far are kept, and drawing goes on in the next frame.

    No ``Exception``, so that no handler of failures in between catches it.
    """


class PictureStore:
    """A bounded store of pictures; the ones not used for longest go first."""

    def __init__(self, most_bytes: int = _MOST_PICTURE_BYTES) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self._kept: OrderedDict[Hashable, pygame.Surface] = OrderedDict()
        self._begun: OrderedDict[Hashable, Painting] = OrderedDict()
        """Paused paintings, to go on in another slice of work."""
        self._clock = own_clock()
        self._deadline = math.inf
        self._frame_ends = math.inf
        self._has_made_some = False
        self._is_painting = False

    def begin_frame(self, seconds: float) -> None:
        """End every ``slice_of_work`` after *seconds* from now: a frame may have several."""
        self._frame_ends = self._clock() + seconds

    @contextmanager
    def slice_of_work(self, seconds: float) -> Iterator[None]:
        """Within this, pictures are made for so many *seconds*, and a part of one in any case: so work that is begun
        again ends. It ends with the frame's own time, see ``begin_frame``.

        :raises OutOfTimeError: one more is wanted.
        """
        self._deadline, self._has_made_some = min(self._clock() + seconds, self._frame_ends), False
        try:
            yield
        finally:
            self._deadline = math.inf

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable, make: Callable[[], pygame.Surface]) -> pygame.Surface:
        """The picture kept under *key*, made by *make* where there is none. Not to be drawn on.

        :raises OutOfTimeError: a ``slice_of_work`` is over.
        """
        found = self._found(key)
        return self._keep(key, make()) if found is None else found

    def painted(self, key: Hashable, begin: Callable[[], Painting]) -> pygame.Surface:
        """The picture kept under *key*, painted by what *begin* returns where there is none. Not to be drawn on.

        :raises OutOfTimeError: a ``slice_of_work`` is over; the painting goes on in another.
        """
        found = self._found(key)
        if found is not None:
            return found
        painting = self._begun.pop(key, None) or begin()
        try:
            return self._keep(key, self.finish(painting))
        except OutOfTimeError:
            self._begun[key] = painting
            if len(self._begun) > _MOST_BEGUN:
                self._begun.popitem(last=False)
            raise

    def finish(self, painting: Painting) -> pygame.Surface:
        """The picture that *painting* makes. What it needs of other pictures is made with it.

        :raises OutOfTimeError: a ``slice_of_work`` is over; the same painting can be gone on with in another.
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
        """Stop between two parts of a drawing where the time is over.

        :raises OutOfTimeError: a ``slice_of_work`` is over.
        """
        self._has_made_some = True
        self._check_time()

    def _check_time(self) -> None:
        is_over = self._has_made_some and not self._is_painting and self._clock() > self._deadline
        if is_over:
            raise OutOfTimeError

    def _found(self, key: Hashable) -> pygame.Surface | None:
        """The picture kept under *key*; None if there is none, and time to make it.

        :raises OutOfTimeError: there is no time.
        """
        found = self._kept.get(key)
        if found is None:
            self._check_time()
        else:
            self._kept.move_to_end(key)
        return found

    def _keep(self, key: Hashable, made: pygame.Surface) -> pygame.Surface:
        self._has_made_some = True
        self._kept[key] = made
        self.bytes += _bytes_of(made)
        self._shrink_to(self.most_bytes)
        return made

    def shrink(self) -> None:
        """Keep the pictures used last, an eighth of the room: a scene was left, and its own go first."""
        self._shrink_to(_SHARE_AFTER_LEAVING * self.most_bytes)

    def _shrink_to(self, most_bytes: float) -> None:
        while self.bytes > most_bytes and len(self._kept) > 1:
            self.bytes -= _bytes_of(self._kept.popitem(last=False)[1])

    def clear(self) -> None:
        """Forget all of them."""
        self._kept.clear()
        self._begun.clear()
        self.bytes = 0


def _bytes_of(picture: pygame.Surface) -> int:
    return picture.get_pitch() * picture.get_height() + 256
