"""What a piece of work takes of its thread's own time, whatever else the machine does."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Mapping

try:
    import psutil
except ImportError:  # the program does without it: then nobody tells what a host keeps
    psutil = None

LONG_SECONDS = 1 / 30  # shorter work is not looked at closer
WORTH_TELLING = 0.005  # seconds of long work for which another cause than the work itself is told


def stolen_seconds() -> list[float]:
    """The seconds that a virtual machine's host has kept from each of its processors so far; empty if nothing tells it.

    Linux counts them among those of the thread that would have run.
    """
    if psutil is None:
        return []
    return [float(getattr(processor, "steal", 0.0)) for processor in psutil.cpu_times(percpu=True)]


class OwnTime:
    """How long the work of a ``with`` block took its thread: by itself, and for garbage.

    What the machine's host kept from the processors meanwhile is no part of it.
    """

    def __init__(self) -> None:
        self._garbage = self._garbage_began = 0.0
        self._stolen = stolen_seconds()
        self._thread = threading.get_ident()
        self._began = time.thread_time()
        self._kept = 0.0
        self.seconds = 0.0
        """What the work itself took, once it is done."""

    def __enter__(self) -> OwnTime:
        gc.callbacks.append(self._note)
        return self

    def __exit__(self, *failure: object) -> None:
        gc.callbacks.remove(self._note)
        whole = time.thread_time() - self._began
        if whole > LONG_SECONDS:
            kept = [now - then for now, then in zip(stolen_seconds(), self._stolen, strict=True)]
            self._kept = max(kept, default=0.0)
        self.seconds = max(0.0, whole - self._kept)

    def _note(self, phase: str, facts: Mapping[str, int]) -> None:
        if threading.get_ident() != self._thread:
            return
        if phase == "start":
            self._garbage_began = time.thread_time()
        else:
            self._garbage += time.thread_time() - self._garbage_began

    @property
    def words(self) -> str:
        """What of it is worth telling."""
        told = ((self._garbage, "of it for garbage"), (self._kept, "more kept from the processor"))
        return "".join(f", {1000 * seconds:.0f} ms {what}" for seconds, what in told if seconds > WORTH_TELLING)
