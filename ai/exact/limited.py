"""What exact solvers share: a limit that sets the workspace's stop flag."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ai.limits import Limit

MIB = 1 << 20


@contextmanager
def limited(work: Any, limit: Limit, is_cancelled: Callable[[], bool], stop: Callable[[], None]) -> Iterator[None]:
    """Begin a search: count nodes anew, and have *stop* called when the time is over, or at once if cancelled.

    :param work: a record with the fields ``stop``, ``nodes`` and ``node_limit``.
    """
    work.stop, work.nodes = 0, 0
    work.node_limit = limit.nodes if limit.nodes is not None else np.iinfo(np.int64).max
    if is_cancelled():
        stop()
    timer = threading.Timer(limit.time, stop) if limit.time is not None else None
    if timer:
        timer.daemon = True
        timer.start()
    try:
        yield
    finally:
        if timer:
            timer.cancel()
