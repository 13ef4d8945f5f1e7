"""Background work: jobs on the window's thread, imports and database backups on others, garbage collection."""

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
from papan.game.base.sqlite import make_daily_copy
from papan.game.catalogue import GALLERY
from papan.game.game import load_part
from papan.game.kernel import load_compiler
from papan.game.presentation import motifs_of, page_of
from papan.ui.texts import N_
from papan.ui.window.system import return_free_memory

log = logging.getLogger(__name__)

NO_COMPILER = N_("The compiler can't be loaded, so computer players look less far ahead. The log says why.")
_YOUNG_COLLECTIONS = 1000
"""Collections of the middle generation after which Python itself starts a full one, if the window is never idle."""
_PAUSE = 2.0
"""Seconds between two full collections."""
_DRAWING_SECONDS = 2.0
"""The longest wait for the home screen's pictures, which may be covered by another scene."""
_FROZEN_SECONDS = 30.0
"""Seconds that the survivors of a full collection are exempt from the next ones."""


class BackgroundJobs:
    """Calls requested by other threads, and jobs that continue from frame to frame, all on the window's thread."""

    def __init__(self) -> None:
        self._calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.wake_event = pygame.event.custom_type()
        self._jobs: deque[Callable[[], bool]] = deque()

    def call_soon(self, act: Callable[[], None]) -> None:
        """Call *act* in the next frame, which starts at once. Thread-safe."""
        self._calls.put(act)
        try:
            pygame.event.post(pygame.event.Event(self.wake_event))
        except pygame.error:
            log.debug("The event queue is full or closed; the call waits for the next frame.")

    def calls(self) -> Iterator[Callable[[], None]]:
        """The calls waiting now, in order; calls that these request wait for the next frame."""
        for _number in range(self._calls.qsize()):
            yield self._calls.get()

    @property
    def are_unfinished(self) -> bool:
        return bool(self._jobs)

    def carry_on(self, job: Callable[[], bool]) -> None:
        """Call *job* once a frame until it returns True; jobs run one after another."""
        self._jobs.append(job)

    def go_on(self, fail: Callable[[Exception], object]) -> None:
        """Run one step of the first job.

        :param fail: called with the exception of a job that fails; the job is dropped.
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
    """Collects garbage while the window is idle, so that no frame waits for it.

    A full collection takes up to 0.1 s once a game is compiled. Its survivors are frozen for a while, so that a
    collection that Python starts during a frame is short.
    """

    def __init__(self) -> None:
        newest, middle, _full = gc.get_threshold()
        gc.set_threshold(newest, middle, _YOUNG_COLLECTIONS)
        self._collected_at = self._took_all_at = time.monotonic()
        self._scenes_left = 0

    def scene_left(self) -> None:
        """Make the next two collections cover all objects, the first one at once.

        A scene holds tables and trees of searches; threads may hold some of them a little longer, hence two.
        """
        self._scenes_left = 2
        self._collected_at = -math.inf

    def collect(self) -> bool:
        """Collect garbage and return free memory to the system, if due; return whether it was."""
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


def preload(
    drawable: set[str], loaded: set[str], tell: Callable[[], object], rest: Callable[[], object] = lambda: None
) -> None:
    """Import what the home screen draws, then what a click on it opens, so that no frame waits for imports.

    Errors are reported later, where the part is needed.

    :param drawable: collects the names of games whose boards are imported.
    :param loaded: collects the names of games that are fully imported.
    :param tell: called after each game.
    :param rest: called between boards and the rest, which would slow the drawing of these boards down.
    """
    for game in GALLERY.values():
        with contextlib.suppress(Exception):  # any error of a plugin's code
            page_of(game), load_part(game, game.parts.board)
        drawable.add(game.name)
        tell()
    rest()
    for game in GALLERY.values():
        with contextlib.suppress(Exception):
            evaluation_of(game), exact_of(game), motifs_of(game)
        loaded.add(game.name)
        tell()
    packages = ("new_game", "review", "laboratory", "library", "statistics")
    modules = ("rules_page", "settings", "about", "position_editor", "puzzles", "lesson", "engines")
    for scene in ("table", *(f"{package}.scene" for package in packages), "review.exercise", *modules):
        import_module(f"papan.ui.scenes.{scene}")
    from papan.lab.simulation.plan import offered

    for game in GALLERY.values():
        with contextlib.suppress(Exception):
            offered(game)  # weights are read from files


def load_in_background(
    drawable: set[str],
    loaded: set[str],
    are_drawn: threading.Event,
    call_soon: Callable[[Callable[[], None]], object],
    invalidate: Callable[[], None],
    notify: Callable[[str], None],
) -> None:
    """Start a thread that imports what the window does not show yet, and numba for the first computer move.

    :param drawable: collects the names of games whose boards are imported.
    :param loaded: collects the names of games that are fully imported.
    :param are_drawn: set when the home screen has drawn these boards.
    :param notify: called with a sentence if there is no compiler.
    """
    is_first = not gc.get_freeze_count()

    def load() -> None:
        preload(drawable, loaded, lambda: call_soon(invalidate), lambda: are_drawn.wait(_DRAWING_SECONDS))
        if is_first:
            gc.freeze()  # scanning the loaded objects would take several frames' time
        if load_compiler():
            if is_first:
                gc.freeze()
            from papan.game.kernel.cache import remove_old_kernels

            remove_old_kernels()
        else:
            call_soon(lambda: notify(NO_COMPILER))

    threading.Thread(target=load, name="compiler", daemon=True).start()


def back_up_in_background(paths: Sequence[Path]) -> None:
    def copy() -> None:
        for path in paths:
            make_daily_copy(path)

    threading.Thread(target=copy, name="copies", daemon=True).start()
