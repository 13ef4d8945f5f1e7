"""Work for a thread that takes as long as it is told."""

from __future__ import annotations

import time


def compute(seconds: float) -> None:
    """Take so many *seconds* of a processor."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass
