"""Waiting for what another thread does: for the event itself, however busy the machine is."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TypeVar

PATIENCE_VARIABLE = "PAPAN_TEST_PATIENCE"
"""Environment variable: other seconds than those below, where many tests are to fail, as with mutants."""

PATIENCE = float(os.environ.get(PATIENCE_VARIABLE, "600"))
"""Seconds after which a test that waits has failed: many more than it takes on a machine that does ten other things."""

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
