"""Background work: jobs for the window's thread, imports and database copies on other threads, garbage collection."""

from __future__ import annotations

import contextlib
import gc
import logging
import math
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path

import pygame

from papan.ai.evaluation import evaluation_of
from papan.ai.exact import exact_of
from papan.game.base.copies import make_daily_copy
from papan.game.catalogue import GALLERY
from papan.game.facts import load_part
from papan.game.kernel import load_compiler
from papan.game.presentation import feats_of, guide_of, page_of
from papan.ui.texts import N_, translated
from papan.ui.window.system import return_free_memory

log = logging.getLogger(__name__)

NO_COMPILER = N_("The compiler can't be loaded: computers play, but see less far. The log says why.")
_YOUNG_COLLECTIONS = 1000
"""Young collections before Python starts a full one by itself: a window that never rests must not fill memory."""
_PAUSE = 2.0
"""Seconds between two full collections."""
_FROZEN_SECONDS = 30.0
"""Seconds for which survivors of a full collection are left out of the next ones."""


class BackgroundJobs:
    """Calls that other threads ask for, and jobs that go on from frame to frame, all on the window's thread."""

    def __init__(self) -> None:
        self._calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._wake_event = pygame.event.custom_type()
        self._jobs: deque[Callable[[], bool]] = deque()

    def call_soon(self, act: Callable[[], None]) -> None:
        """Call *act* in the next frame, which comes at once. From any thread."""
        self._calls.put(act)
        try:
            pygame.event.post(pygame.event.Event(self._wake_event))
        except pygame.error:
            log.debug("The event queue is full or closed; the call waits for the next frame.")

    def is_wake(self, event: pygame.event.Event) -> bool:
        return event.type == self._wake_event

    def calls(self) -> Iterator[Callable[[], None]]:
        """The calls that wait now, in turn; those that they bring about wait for the next frame."""
        for _number in range(self._calls.qsize()):
            yield self._calls.get()

    @property
    def are_unfinished(self) -> bool:
        return bool(self._jobs)

    def carry_on(self, job: Callable[[], bool]) -> None:
        """Call *job* once a frame until it returns True; jobs are done in turn."""
        self._jobs.append(job)

    def go_on(self, fail: Callable[[Exception], object]) -> None:
        """Do a part of the first job: a frame has no more to do where there are many.

        :param fail: called with what a job raises, which is then given up.
        """
        if not self._jobs:
            return
        try:
            is_done = self._jobs[0]()
        except Exception as error:
            fail(error)
            is_done = True
        if is_done:
            self._jobs.popleft()


class IdleCollector:
    """Collects garbage while nobody does anything, so that no frame waits for it.

    A full collection takes up to a tenth of a second once a game has been compiled. Its survivors are frozen for a
    while, so that one that Python starts by itself, in the middle of a frame, has hardly anything to look at.
    """

    def __init__(self) -> None:
        newest, middle, _full = gc.get_threshold()
        gc.set_threshold(newest, middle, _YOUNG_COLLECTIONS)
        self._collected_at = self._took_all_at = time.monotonic()
        self._scenes_left = 0

    def scene_left(self) -> None:
        """Have the next two collections take all objects, the first without a pause before it.

        A scene holds tables and trees of searches. Threads may hold some of them a little longer: hence the second.
        """
        self._scenes_left = 2
        self._collected_at = -math.inf

    def collect(self) -> bool:
        """Collect garbage and give free memory back to the system; return whether that was due."""
        now = time.monotonic()
        if now - self._collected_at < _PAUSE or not (gc.get_count()[-1] or self._scenes_left):
            return False
        self._collected_at = now
        if self._scenes_left or now - self._took_all_at >= _FROZEN_SECONDS:
            self._scenes_left = max(0, self._scenes_left - 1)
            self._took_all_at = now
            gc.unfreeze()
        gc.collect()
        gc.freeze()
        return_free_memory()
        return True


def load_what_comes_next(loaded: set[str], tell: Callable[[], object]) -> None:
    """Import what the home screen draws and what a click on it leads to, so that no frame need wait for that.

    What can't be loaded says so where it is wanted.

    :param loaded: takes up the names of games, each once all of it has been imported.
    :param tell: called after each.
    """
    for game in GALLERY.values():
        with contextlib.suppress(Exception):  # whatever a guest's own code raises
            evaluation_of(game), exact_of(game), page_of(game), load_part(game, game.parts.board)
            feats_of(game), guide_of(game)
        loaded.add(game.name)
        tell()
    packages = ("new_game", "review", "laboratory", "library", "statistics")
    modules = ("rules_page", "settings", "about", "position_editor", "puzzles", "engines")
    for scene in ("table", *(f"{package}.scene" for package in packages), "review.exercise", *modules):
        import_module(f"papan.ui.scenes.{scene}")
    from papan.lab.simulation.plan import offered

    for game in GALLERY.values():
        with contextlib.suppress(Exception):
            offered(game)  # weights are read from files


def load_in_background(
    loaded: set[str],
    call_soon: Callable[[Callable[[], None]], object],
    invalidate: Callable[[], None],
    notify: Callable[[str], None],
) -> None:
    """Import what the window does not show yet, and numba for the first computer move: each takes longer than a frame.

    :param loaded: takes up the names of the games that have been imported.
    :param notify: told where there is no compiler.
    """
    is_first = not gc.get_freeze_count()

    def keep_loaded() -> None:
        """Keep what is loaded out of garbage collection: looking through it would take some frames' time."""
        if is_first:
            gc.freeze()

    def load() -> None:
        load_what_comes_next(loaded, lambda: call_soon(invalidate))
        keep_loaded()
        if load_compiler():
            keep_loaded()
            from papan.game.kernel.cache import remove_old_kernels

            remove_old_kernels()
        else:
            call_soon(lambda: notify(translated(NO_COMPILER)))

    threading.Thread(target=load, name="compiler", daemon=True).start()


def make_copies_in_background(paths: Sequence[Path]) -> None:
    """Make the day's copies of the databases *paths* beside the window."""

    def copy() -> None:
        for path in paths:
            make_daily_copy(path)

    threading.Thread(target=copy, name="copies", daemon=True).start()
