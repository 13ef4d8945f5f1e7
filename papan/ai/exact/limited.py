"""The limit of exact solvers: it sets the workspace's stop flag."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from papan.ai.search import Query
from papan.game.kernel.clock import time_after

MIB = 1 << 20


@contextmanager
def within_limit(work: Any, query: Query) -> Iterator[None]:
    """Search within the limit: nodes are counted anew, and ``stop`` is set if cancelled; compiled code sets it in time.

    :param work: a record with the fields ``stop``, ``nodes``, ``node_limit``, ``look_at`` and ``deadline``.
    """
    work.stop, work.nodes, work.look_at = 0, 0, 0
    work.deadline = time_after(query.limit.plain_time)
    work.node_limit = query.limit.nodes if query.limit.nodes is not None else np.iinfo(np.int64).max

    if query.is_cancelled():
        work.stop = 1
    yield
