"""How the window is to look and move: as the settings say, and where they leave it to the system, as that says."""

from __future__ import annotations

import math
import os
from functools import cached_property

from papan.ui.drawing.theme import SCALES, SMALLEST_PAGE, USUAL_WINDOW, Theme, theme_of
from papan.ui.settings import ANIMATION_SPEEDS, SYSTEM, Settings
from papan.ui.window import system

_SCALE_STEP = 0.05


class Appearance:
    """What *settings* and the system want of the window's theme, scale, language and motion."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @cached_property
    def system_scale(self) -> float:
        """The number of real pixels to a pixel of a design, as the system has it. Asked once there is a display."""
        return system.scale()

    def theme(self, window: tuple[int, int]) -> Theme:
        """The theme that is wanted, at a scale at which every scene can be shown in a *window* of that size."""
        name = self._settings.theme
        if name == SYSTEM:
            name = "dark" if system.prefers_dark() else "light"
        scale = self._settings.scale or self.scale_with(window)
        return theme_of(name, round(min(scale, self.largest_scale(window)) * self.system_scale, 2))

    def scale_with(self, window: tuple[int, int]) -> float:
        """The scale at which a *window* of that size shows as much as a usual one; 100 % in smaller windows."""
        return min(SCALES[-1], max(1.0, self._scale_for(window, USUAL_WINDOW)))

    def largest_scale(self, window: tuple[int, int]) -> float:
        """The largest of a person's scales at which every scene can be shown in a *window* of that size."""
        return self._scale_for(window, SMALLEST_PAGE)

    def _scale_for(self, window: tuple[int, int], page: tuple[int, int]) -> float:
        """The largest of a person's scales at which a *page* in the sketches' pixels has room in a *window*."""
        room = min(side / wanted for side, wanted in zip(window, page, strict=True))
        return math.floor(room / self.system_scale / _SCALE_STEP + 1e-9) * _SCALE_STEP

    @property
    def language(self) -> str:
        """The language that is wanted, by its code."""
        chosen = self._settings.language
        return self._language_of_system if chosen == SYSTEM else chosen

    @cached_property
    def _language_of_system(self) -> str:
        """Asked once: another one is taken up at the next start."""
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
        """Whether the system is told to show little motion: asked once, because frames ask again and again."""
        return system.prefers_reduced_motion()
