"""A background thread for jobs that may wait for each other: what can't be interrupted must not pile up on threads."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)

Job = Callable[[], object]
"""What is to be done. One that was given up meanwhile should see so when its turn comes, and do nothing."""


class Worker:
    """One thread that does one job after another, in the order they came; it begins with the first."""

    def __init__(self, name: str) -> None:
        """:param name: the thread's."""
        self._name = name
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def submit(self, job: Job) -> None:
        """Have *job* done; an error that it raises goes into the log."""
        self._jobs.put(job)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()

    def close(self, patience: float) -> bool:
        """End after the jobs that were submitted; returns whether that was within *patience* seconds."""
        thread, self._thread = self._thread, None
        if thread is None:
            return True
        self._jobs.put(None)
        thread.join(patience)
        return not thread.is_alive()

    def _work(self) -> None:
        while self._do_next():
            pass

    def _do_next(self) -> bool:
        """Do the next job, and keep nothing of it; False where there is none any more."""
        job = self._jobs.get()
        if job is None:
            return False
        try:
            job()
        except Exception:
            log.exception("A job in the background failed")
        return True
