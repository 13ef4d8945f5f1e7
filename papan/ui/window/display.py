"""The display: opening the window, and its size, theme, scale, language and motion."""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Callable
from functools import cached_property

import pygame

from papan.game.base.assets import ASSETS
from papan.ui import texts
from papan.ui.drawing.theme import SCALES, SMALLEST_PAGE, SMALLEST_WINDOW, USUAL_WINDOW, Theme, theme_of
from papan.ui.settings import ANIMATION_SPEEDS, SYSTEM, WORDS, Settings
from papan.ui.texts import _
from papan.ui.texts.manner import use_manner
from papan.ui.window import system
from papan.ui.window.frames import Screen

log = logging.getLogger(__name__)

TITLE = "Papan"
_BLIND_DRIVERS = ("offscreen", "dummy")
"""SDL's drivers if there is no display: their window is invisible and could never be closed."""
_LEAST_DEPTH = 15
"""The least bits a pixel for true colour. SDL reports 0 for an unknown depth."""
_ICON = "icon/papan-256.png"
_SCALE_STEP = 0.05


class NoDisplay(Exception):
    """No display to open a window on; the message is the system's."""


class UnfitDisplay(NoDisplay):
    """The display can't show the window; the message is a clause that says why."""


class Appearance:
    """Theme, scale, language and motion of the window, from the *settings* and the system's."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @cached_property
    def system_scale(self) -> float:
        """Real pixels per design pixel, by the system's setting; queried after the display is open."""
        return system.scale()

    def theme(self, window: tuple[int, int]) -> Theme:
        """The theme, at a scale that fits every scene into a *window* of that size."""
        name = self._settings.theme
        if name == SYSTEM:
            name = "dark" if system.prefers_dark() else "light"
        scale = self._settings.scale or self.scale_with(window)
        real = round(min(scale, self.largest_scale(window)) * self.system_scale, 2)
        return theme_of(name, real, self._settings.background)

    def scale_with(self, window: tuple[int, int]) -> float:
        """The scale that makes a *window* of that size show as much as the default window; at least 100 %."""
        return min(SCALES[-1], max(1.0, self._scale_for(window, USUAL_WINDOW)))

    def largest_scale(self, window: tuple[int, int]) -> float:
        """The largest scale that fits every scene into a *window* of that size."""
        return self._scale_for(window, SMALLEST_PAGE)

    def _scale_for(self, window: tuple[int, int], page: tuple[int, int]) -> float:
        """The largest scale that fits a *page*, in design pixels, into a *window*."""
        room = min(side / wanted for side, wanted in zip(window, page, strict=True))
        return math.floor(room / self.system_scale / _SCALE_STEP + 1e-9) * _SCALE_STEP

    def use(self) -> None:
        """Speak in the chosen language and manner from now on."""
        texts.use(self.language)
        settings = self._settings
        use_manner(
            in_words=settings.moves == WORDS,
            has_details=settings.engine_details,
            name=settings.person_name,
            face=settings.person_face,
        )

    @property
    def language(self) -> str:
        chosen = self._settings.language
        return self._language_of_system if chosen == SYSTEM else chosen

    @cached_property
    def _language_of_system(self) -> str:
        """Queried once: a change takes effect at the next start."""
        return system.language(os.environ)

    @property
    def animation_speed(self) -> float:
        """The speed of animations, as a factor of normal; 0 shows none."""
        name = self._settings.animation
        if name == SYSTEM:
            name = "off" if self._is_motion_reduced else "normal"
        return ANIMATION_SPEEDS[name]

    @cached_property
    def _is_motion_reduced(self) -> bool:
        """Whether the system asks for reduced motion; queried once, as every frame needs it."""
        return system.prefers_reduced_motion()


class Display:
    """The program's window on the screen; its size is saved in the settings."""

    def __init__(
        self,
        settings: Settings,
        scale: Callable[[], float],
        size: tuple[int, int] | None = None,
        *,
        is_hidden: bool = False,
    ) -> None:
        """Open the window.

        :param scale: returns real pixels per design pixel; called after the display is open.
        :param size: of the window, in real pixels; default: the saved one.
        :param is_hidden: whether the caller shows it later.
        :raises NoDisplay: no usable display.
        """
        self._settings = settings
        self.is_fullscreen = False
        desktop = _connect()
        pygame.font.init()
        pygame.key.stop_text_input()  # an input method would take the board's keys; text fields start it
        wanted = settings.window_size or [round(side * scale()) for side in USUAL_WINDOW]
        # The saved size may be from a larger screen.
        width, height = size or [min(side, most) for side, most in zip(wanted, desktop, strict=True)]
        try:
            self.window = pygame.Window(TITLE, (width, height), resizable=True, hidden=is_hidden)
            self.window.minimum_size = SMALLEST_WINDOW
            self.screen = Screen(self.window)
        except (pygame.error, IndexError) as error:
            if pygame.display.Info().bitsize < _LEAST_DEPTH:
                reason = _("it has too few colours, or too many: set it to 16 or 24 bits for each pixel")
                raise UnfitDisplay(reason) from error
            raise UnfitDisplay(str(error)) from error
        icon = ASSETS.open(_ICON, pygame.image.load)
        if icon is not None:
            self.window.set_icon(icon)
        if size is None and settings.fullscreen:
            self.is_fullscreen = True
            self.window.set_fullscreen(True)
            self.screen.follow()

    def toggle_fullscreen(self) -> None:
        self.remember()
        self.is_fullscreen = not self.is_fullscreen
        if self.is_fullscreen:
            self.window.set_fullscreen(True)
        else:
            self.window.set_windowed()
        self._settings.fullscreen = self.is_fullscreen

    def remember(self) -> None:
        """Save the window's size in the settings, unless it is full screen."""
        if self.is_fullscreen:
            return
        try:
            self._settings.window_size = list(self.window.size)
        except ValueError:
            log.debug("The size of a destroyed window is undefined")


def _connect() -> tuple[int, int]:
    """Open SDL's display; return the desktop's size in real pixels.

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
