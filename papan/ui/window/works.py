"""What is to be done in frames to come: calls that other threads ask for, and works that go on from frame to frame."""

from __future__ import annotations

import logging
import queue
from collections import deque
from collections.abc import Callable, Iterator

import pygame

log = logging.getLogger(__name__)


class Works:
    """The calls and the works that wait for the window's thread."""

    def __init__(self) -> None:
        self._calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._wake_event = pygame.event.custom_type()
        self._works: deque[Callable[[], bool]] = deque()

    # ---------------------------------------------------------------------------------------- calls

    def call_soon(self, act: Callable[[], None]) -> None:
        """Have *act* among the ``calls`` of the next frame, which comes at once. From any thread."""
        self._calls.put(act)
        try:
            pygame.event.post(pygame.event.Event(self._wake_event))
        except pygame.error:
            log.debug("The event queue is full or closed; the call waits for the next frame.")

    def is_wake(self, event: pygame.event.Event) -> bool:
        """Whether *event* says nothing but that there is a call."""
        return event.type == self._wake_event

    def calls(self) -> Iterator[Callable[[], None]]:
        """The calls that wait now, each as it is its turn; those that they bring about wait for the next frame."""
        for _number in range(self._calls.qsize()):
            yield self._calls.get()

    # ---------------------------------------------------------------------------------------- works

    @property
    def are_unfinished(self) -> bool:
        """Whether some work goes on."""
        return bool(self._works)

    def carry_on(self, work: Callable[[], bool]) -> None:
        """Go on with *work*, a part of it at each call, until it says that it is done; works are done in turn."""
        self._works.append(work)

    def go_on(self, fail: Callable[[Exception], object]) -> None:
        """Do a part of the first work: a frame has no more to do where there are many, and none undoes another's.

        :param fail: called with what a work raises, which is then given up.
        """
        if self._works and _is_done(self._works[0], fail):
            self._works.popleft()


def _is_done(work: Callable[[], bool], fail: Callable[[Exception], object]) -> bool:
    try:
        return work()
    except Exception as error:
        fail(error)
        return True
