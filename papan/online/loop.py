"""The thread on which tables and connections live, beside the window."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")
log = logging.getLogger(__name__)


class LoopThread:
    """An event loop on a thread of its own, which begins at the first use."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._run, args=(self._loop,), name="online", daemon=True)
                self._thread.start()
            return self._loop

    @staticmethod
    def _run(loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        loop.run_forever()
        loop.close()

    def run(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Begin *work* there."""
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    def soon(self, act: Callable[..., object], *values: object) -> None:
        """Call *act* there."""
        self.loop.call_soon_threadsafe(act, *values)

    def close(self, patience: float = 2.0) -> None:
        """Cancel all that runs there, and end the thread."""
        with self._lock:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is None or thread is None:
            return
        asyncio.run_coroutine_threadsafe(_end(loop), loop)
        thread.join(patience)


async def _end(loop: asyncio.AbstractEventLoop) -> None:
    tasks = [task for task in asyncio.all_tasks(loop) if task is not asyncio.current_task()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    loop.stop()
