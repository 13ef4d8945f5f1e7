"""Scenes: what fills the window, one at a time, stacked; the topmost one has the keyboard and the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pygame

from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import Theme
from papan.ui.widgets.host import Widgets

if TYPE_CHECKING:
    from papan.ui.window.app import App

IDLE_SECONDS = 0.25
"""How long the program sleeps between two looks at the clock while nothing happens."""


class Scene:
    """One screen, or a dialog above one.

    The app calls ``build`` when the scene is pushed and again when theme, scale or language change: make the
    widgets there, from what the scene itself remembers. It calls ``layout`` after ``build`` and at each new
    size of the window. A frame is drawn only after ``invalidate``, or while ``is_animating``.
    """

    is_overlay = False
    """Drawn above the scene below it, which stays visible."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.widgets = Widgets(app)
        self.area = pygame.Rect(0, 0, 0, 0)

    @property
    def paint(self) -> Painter:
        """What to draw with."""
        return self.app.paint

    @property
    def theme(self) -> Theme:
        """The theme in force."""
        return self.app.theme

    def px(self, length: float) -> int:
        """*length* in the sketches' pixels as real ones."""
        return self.app.theme.px(length)

    def invalidate(self) -> None:
        """Have a frame drawn."""
        self.app.invalidate()

    # ------------------------------------------------------------------------- to be told by the app

    def build(self) -> None:
        """Make the widgets, with ``self.widgets.add`` in the order of Tab."""

    def layout(self, area: pygame.Rect) -> None:
        """Place everything in *area*, the whole window, at least 1024×640 of the sketches' pixels."""

    def entered(self) -> None:
        """The scene has come to the top of the stack."""

    def left(self) -> None:
        """The scene is no longer on the stack: stop what it started."""

    def handle(self, event: pygame.event.Event) -> bool:
        """Act on an event that no widget has taken; True if it is dealt with."""
        return False

    def back(self) -> None:
        """Esc: leave the scene."""
        self.app.pop()

    def update(self, seconds: float) -> None:
        """Time has passed."""

    def draw(self, surface: pygame.Surface) -> None:
        """Draw everything below the widgets."""

    # ------------------------------------------------------------------------- to be asked by the app

    @property
    def is_animating(self) -> bool:
        """Whether every frame looks different from the last, for now."""
        return False

    @property
    def idle_seconds(self) -> float:
        """How long ``update`` may wait while nothing is animating and no event comes."""
        return IDLE_SECONDS

    def keys(self) -> Sequence[tuple[str, str]]:
        """The scene's keys and what they do, for F1; those of every scene are added."""
        return ()
