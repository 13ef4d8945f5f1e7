"""Simulated input at the window of a trial: gestures as events, and a person who checks each frame."""

from __future__ import annotations

import logging
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random

import pygame

from dev.scenery import ShownError
from dev.trials import Counts, TrialFailure
from papan.self_test import FRAME_SECONDS
from papan.ui.boards import BoardView
from papan.ui.scenes.dialogs import ErrorMessage
from papan.ui.scenes.table import TableScene
from papan.ui.window.app import App
from papan.ui.window.program import Program

_STEP = 4  # pixels between points that are tried
TOO_LONG = 60.0  # seconds after which waiting fails, even on a busy machine

Gesture = list[pygame.event.Event]


def move(point: tuple[int, int]) -> Gesture:
    facts = {"pos": point, "rel": (0, 0), "buttons": (0, 0, 0), "touch": False}
    return [pygame.event.Event(pygame.MOUSEMOTION, facts)]


def click(point: tuple[int, int], button: int = 1) -> Gesture:
    """A click at *point*, after moving the mouse there."""
    facts = {"pos": point, "button": button, "touch": False}
    return [pygame.event.Event(pygame.MOUSEBUTTONDOWN, facts), pygame.event.Event(pygame.MOUSEBUTTONUP, facts)]


def click_widget(app: App, name: str) -> Gesture:
    """A click on the widget *name* of the topmost scene; nothing if it is not visible."""
    found = app.scene.widgets.named(name) if app.scene is not None else None
    if app.scene is None or found is None or not found.is_visible or not found.rect.w:
        return []
    found.seconds_shown = math.inf  # as after the wait of a person who looks for it
    point = app.scene.widgets.reveal(found)
    return [*move(point), *click(point)]


def resize(app: App, size: tuple[int, int]) -> Gesture:
    app.window.size = size
    return [pygame.event.Event(pygame.WINDOWSIZECHANGED, x=size[0], y=size[1])]


def press(key: int, modifiers: int = 0) -> Gesture:
    facts = {"key": key, "mod": modifiers, "unicode": ""}
    return [pygame.event.Event(pygame.KEYDOWN, facts), pygame.event.Event(pygame.KEYUP, facts)]


def point_of(view: BoardView, cell: int) -> tuple[int, int]:
    """A point where a click means *cell*, as near to its middle as others that stand before it allow."""
    rect = view.cell_rect(cell)
    middle = rect.center
    across, down = (range(side % _STEP, side, _STEP) for side in rect.size)
    points = [(rect.x + x, rect.y + y) for x in across for y in down]
    points.sort(key=lambda point: math.dist(point, middle))
    return next((point for point in (middle, *points) if view.cell_at(point) == cell), middle)


def take_a_step(table: TableScene, random: Random) -> Gesture:
    """A click of the person to move at *table*; a step without cells is chosen directly, by its name."""
    turn = table.session.turn
    if turn.due not in ("choosing", "completing"):
        return []
    if turn.choices() or not turn.targets():
        table.session.choose(random.choice(turn.candidates()))
        return []
    return click(point_of(table.view, random.choice(sorted(turn.targets()))))


@contextmanager
def errors_logged() -> Iterator[list[str]]:
    """A growing list of the errors logged in the block, with tracebacks."""
    said: list[str] = []

    class Errors(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(logging.Formatter("%(message)s").format(record))

    errors = Errors(logging.ERROR)
    logging.getLogger().addHandler(errors)
    try:
        yield said
    finally:
        logging.getLogger().removeHandler(errors)


class Person:
    """A person at the window of *program*, who fails the trial on any error shown or logged."""

    def __init__(self, program: Program, errors: list[str]) -> None:
        self.program, self.app, self.errors = program, program.app, errors
        self.counts: Counts = Counter()

    def frame(self, gesture: Gesture | None = None) -> None:
        """Do *gesture*, draw a frame, and check it."""
        self.app.step(FRAME_SECONDS, gesture or [])
        self.look()
        time.sleep(0.001)  # lets other threads write

    def look(self) -> None:
        top = self.app.scene
        if self.errors or (isinstance(top, ErrorMessage) and not isinstance(top.error, ShownError)):
            raise TrialFailure("\n".join(self.errors) or f"{top!r}: {getattr(top, 'error', '')!r}")

    def standing(self) -> str:
        return f"{self.app.scene!r} is shown"

    def until(self, holds: Callable[[], object], seconds: float | None = None) -> None:
        """Draw and check frames until *holds* returns True, but at most for *seconds*."""
        deadline = time.monotonic() + (TOO_LONG if seconds is None else seconds)
        self.frame()
        while not holds():
            if time.monotonic() > deadline:
                raise TrialFailure(f"nothing more happens; {self.standing()}")
            self.frame()

    def play(self, table: TableScene, random: Random) -> None:
        """Play a step by clicks, if possible, handing over the screen if needed."""
        wanted = len(table.match.steps) + 1

        def is_played() -> bool:
            return len(table.match.steps) >= wanted or table.match.ending is not None

        def go_on() -> bool:
            if not is_played() and self.app.scene is not table:
                self.frame(press(pygame.K_RETURN))  # the next person takes the screen
            elif not is_played() and table.session.showing is None:
                self.frame(take_a_step(table, random))
            return is_played()

        self.until(go_on)

    def close(self) -> None:
        """Close the window after everything is saved, answering its questions."""
        self.quit()
        self.app.run()

    def quit(self) -> None:
        self.app.quit()
        while self.app.is_running:
            self.wait_for_saving()
            self.app.quit()

    def end(self) -> None:
        """End the thread that saves, which after a failed trial would go on beside what follows."""
        self.program.writer.close(1.0)

    def wait_for_saving(self) -> None:
        self.until(lambda: not self.program.writer.unsaved)
