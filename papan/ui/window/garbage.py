"""When Python looks for garbage: while nobody does anything, so that no frame waits for it.

Most of what is let go of is freed at once. What is left are circles of objects that know each other; a full look for
them takes up to a tenth of a second once a game has been compiled. What has come through one is left out of the next
ones for a while, so that one that Python begins by itself, in the middle of a frame, has hardly anything to look at.
"""

from __future__ import annotations

import gc
import time

from papan.ui.window.system import return_free_memory

_QUICK_LOOKS = 1000
"""After so many looks at what is new there is a full one all the same: whoever never rests must not fill memory."""
_PAUSE = 5.0
"""Seconds between two full looks."""
_LEFT_OUT = 30.0
"""Seconds for which they leave out what has come through one."""


class Garbage:
    """The looks for garbage of one process, whose frames must not wait for them."""

    def __init__(self) -> None:
        newest, middle, _full = gc.get_threshold()
        gc.set_threshold(newest, middle, _QUICK_LOOKS)
        self._looked_at = self._took_all_at = time.monotonic()

    def collect(self) -> bool:
        """Look for what is left, if that was not done lately and there is something new; returns whether it was.

        What is free then goes back to the system.
        """
        now = time.monotonic()
        if now - self._looked_at < _PAUSE or not gc.get_count()[-1]:
            return False
        self._looked_at = now
        if now - self._took_all_at >= _LEFT_OUT:
            self._took_all_at = now
            gc.unfreeze()
        gc.collect()
        gc.freeze()
        return_free_memory()
        return True
