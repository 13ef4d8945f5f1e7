"""When a search ends: compiled code compares its nodes and the time with their limits, every so many nodes."""

from __future__ import annotations

from typing import Any

from papan.game.kernel import subroutine
from papan.game.kernel.clock import clock

NODES_BETWEEN_LOOKS = 64
"""Nodes between two looks at the time, which costs as much as a node of the quickest games."""


@subroutine
def look(work: Any) -> None:
    """Stop the search of *work* if a limit is reached, and settle when to look again.

    To be called where ``work.nodes`` has reached ``work.look_at``.
    """
    if work.nodes >= work.node_limit or clock() >= work.deadline:
        work.stop = 1
    work.look_at = min(work.node_limit, work.nodes + NODES_BETWEEN_LOOKS)
