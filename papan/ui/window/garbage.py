"""When Python looks for garbage: while nobody does anything, so that no frame waits for it.

Most of what is let go of is freed at once. What is left are circles of objects that know each other; a full look for
them takes up to a tenth of a second once a game has been compiled. What has come through one is left out of the next
ones for a while, so that one that Python begins by itself, in the middle of a frame, has hardly anything to look at.
"""

from __future__ import annotations

import gc
import math
import time

from papan.ui.window.system import return_free_memory

_QUICK_LOOKS = 1000
"""After so many looks at what is new there is a full one all the same: whoever never rests must not fill memory."""
_PAUSE = 2.0
"""Seconds between two full looks."""
_LEFT_OUT = 30.0
"""Seconds for which they leave out what has come through one."""


class Garbage:
    """The looks for garbage of one process, whose frames must not wait for them."""

    def __init__(self) -> None:
        newest, middle, _full = gc.get_threshold()
        gc.set_threshold(newest, middle, _QUICK_LOOKS)
        self._looked_at = self._took_all_at = time.monotonic()
        self._scenes_left = 0

    def scene_left(self) -> None:
        """Have the next look take all objects, without a pause before it, and the one after that.

        A scene holds tables and trees of searches. Threads may hold some of them a little longer: hence the second.
        """
        self._scenes_left = 2
        self._looked_at = -math.inf

    def collect(self) -> bool:
        """Collect garbage, unless that was done lately or nothing is new; return whether it was done.

        What is free then goes back to the system.
        """
        now = time.monotonic()
        if now - self._looked_at < _PAUSE or not (gc.get_count()[-1] or self._scenes_left):
            return False
        self._looked_at = now
        if self._scenes_left or now - self._took_all_at >= _LEFT_OUT:
            self._scenes_left = max(0, self._scenes_left - 1)
            self._took_all_at = now
            gc.unfreeze()
        gc.collect()
        gc.freeze()
        return_free_memory()
        return True
