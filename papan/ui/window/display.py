"""The window on the system's display: how large it opens, why none can be opened, and whether it fills the screen."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable

import pygame

from papan.game.base.assets import ASSETS
from papan.ui.drawing.theme import SMALLEST_WINDOW, USUAL_WINDOW
from papan.ui.settings import Settings
from papan.ui.texts import _
from papan.ui.window.screen import Screen

log = logging.getLogger(__name__)

TITLE = "Papan"
_BLIND_DRIVERS = ("offscreen", "dummy")
"""The drivers that SDL falls back on where there is no display: their window could never be closed."""
_LEAST_DEPTH = 15
"""The bits of a pixel of which SDL can make a window; with fewer, colours are numbers in a table. Of depths that it
does not know, such as 30, it says 0."""
_ICON = "icon/papan-256.png"


class NoDisplay(Exception):
    """There is no display to open a window on; the message is the system's."""


class UnfitDisplay(NoDisplay):
    """There is a display, but no window can be opened on it; the message is a clause that says why."""


class Display:
    """The program's window, as the system knows it; its size is remembered in the settings."""

    def __init__(self, settings: Settings, scale: Callable[[], float], size: tuple[int, int] | None = None) -> None:
        """Open the window.

        :param scale: the number of real pixels to a pixel of a design; asked once there is a display.
        :param size: of the window, in real pixels; default: the remembered one.
        :raises NoDisplay: there is no display that it can be opened on.
        """
        self._settings = settings
        self.is_fullscreen = False
        desktop = _connect()
        pygame.font.init()
        pygame.key.stop_text_input()  # an input method would take the board's keys; text fields start it
        usual = [round(side * scale()) for side in USUAL_WINDOW]
        wanted = settings.window_size or usual
        # What was remembered may be from a larger screen.
        width, height = size or [min(side, most) for side, most in zip(wanted, desktop, strict=True)]
        try:
            self.window = pygame.Window(TITLE, (width, height), resizable=True)
            self.window.minimum_size = SMALLEST_WINDOW
            self.screen = Screen(self.window)
        except (pygame.error, IndexError) as error:
            raise _why_unfit(error) from error
        icon = ASSETS.open(_ICON, pygame.image.load)
        if icon is not None:
            self.window.set_icon(icon)
        if size is None and settings.fullscreen:
            self.is_fullscreen = True
            self.window.set_fullscreen(True)
            self.screen.follow()

    def toggle_fullscreen(self) -> None:
        """Fill the screen, or stop filling it."""
        self.is_fullscreen = not self.is_fullscreen
        if self.is_fullscreen:
            self._remember_size()
            self.window.set_fullscreen(True)
        else:
            self.window.set_windowed()
        self._settings.fullscreen = self.is_fullscreen

    def remember(self) -> None:
        """Note in the settings how large the window is, unless it fills the screen."""
        if not self.is_fullscreen:
            self._remember_size()

    def _remember_size(self) -> None:
        try:
            self._settings.window_size = list(self.window.size)
        except ValueError:
            log.debug("A window that the system has taken away has any size")


def _connect() -> tuple[int, int]:
    """The size of the desktop in real pixels, once SDL has found a display.

    :raises NoDisplay: there is none.
    """
    try:
        pygame.display.init()
        desktop = pygame.display.get_desktop_sizes()[0]
    except (pygame.error, IndexError) as error:
        raise NoDisplay(str(error)) from error
    if pygame.display.get_driver() in _BLIND_DRIVERS and not os.environ.get("SDL_VIDEODRIVER"):
        raise NoDisplay(_("no display was found"))
    return desktop


def _why_unfit(error: Exception) -> UnfitDisplay:
    """What *error*, which opening the window has raised, says of the display."""
    if pygame.display.Info().bitsize < _LEAST_DEPTH:
        return UnfitDisplay(_("it has too few colours, or too many: set it to 16 or 24 bits for each pixel"))
    return UnfitDisplay(str(error))
