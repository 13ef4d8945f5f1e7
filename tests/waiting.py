"""Waiting for what another thread does: for the event itself, however busy the machine is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE = 120.0
"""Seconds after which what was waited for will not come any more. No test that passes waits so long."""

T = TypeVar("T")


def wait_for(look: Callable[[], T | None], what: str = "it") -> T:
    """What *look* finds, as soon as it is there and true.

    :raises AssertionError: it never comes.
    """
    given_up_at = time.perf_counter() + PATIENCE
    while not (found := look()):
        assert time.perf_counter() < given_up_at, f"{what} never came"
        time.sleep(0.002)
    return found
