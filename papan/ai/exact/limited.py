"""The limit of exact solvers: it sets the workspace's stop flag."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from papan.ai.limits import ringing
from papan.ai.search import Query

MIB = 1 << 20


@contextmanager
def within_limit(work: Any, query: Query) -> Iterator[None]:
    """Search within the limit: nodes are counted anew, and ``stop`` is set when the time is over, or if cancelled.

    :param work: a record with the fields ``stop``, ``nodes`` and ``node_limit``.
    """
    work.stop, work.nodes = 0, 0
    work.node_limit = query.limit.nodes if query.limit.nodes is not None else np.iinfo(np.int64).max

    def stop() -> None:
        work.stop = 1

    if query.is_cancelled():
        stop()
    with ringing(query.limit.time, stop):
        yield
