"""Scenes: they fill the window, one at a time, on a stack; the topmost one has the keyboard and the mouse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import pygame

from papan.game.game import Game
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import SMALLEST_WINDOW, Theme
from papan.ui.settings import Settings
from papan.ui.sounds import Sound
from papan.ui.widgets.base import Widgets, Window
from papan.ui.widgets.shortcuts import Shortcut, press

IDLE_SECONDS = 0.25
"""Seconds that the program sleeps between two updates while nothing happens."""


class Stage(Window, Protocol):
    """The window that shows scenes, as they know it."""

    @property
    def scene(self) -> Scene | None:
        """The topmost scene."""

    @property
    def settings(self) -> Settings:
        """The settings of the person before the window."""

    @property
    def animation_speed(self) -> float:
        """The speed of animations, as a factor of normal; 0 shows none."""

    @property
    def largest_scale(self) -> float:
        """The largest of a person's scales at which every scene can be shown in the window as large as it is now."""

    @property
    def scale_with_window(self) -> float:
        """The scale that goes with the window as large as it is now."""

    @property
    def system_scale(self) -> float:
        """The number of real pixels to a pixel of a design, as the system has it."""

    @property
    def frames(self) -> int:
        """The number of frames drawn so far."""

    def push(self, scene: Scene) -> None:
        """Put *scene* on top."""

    def pop(self, scene: Scene | None = None) -> None:
        """Take *scene*, or the topmost one, off the stack; the last one stays."""

    def rebuild(self, scene: Scene) -> None:
        """Build *scene* anew, with the focus where it was if it still can be there."""

    def apply_settings(self) -> None:
        """Take up theme, scale and language from the settings: every scene is built anew."""

    def play_sound(self, sound: Sound, loudness: float = 1.0) -> None:
        """Have *sound* heard, unless sounds are off.

        :param loudness: a share of the sound's own.
        """

    def prepare_sounds(self) -> None:
        """Make ready for sounds to come, so that the first is not late; unless they are off."""

    def toggle_sound(self) -> None:
        """Turn sounds off, or on again."""

    def notify(self, sentence: str) -> None:
        """Show *sentence* at the foot of the window for a while."""

    def carry_on(self, work: Callable[[], bool]) -> None:
        """Call *work* in each frame until it says that it is done; when the window is closed, until then at once."""

    @property
    def speech_trouble(self) -> str:
        """Why nothing can be spoken, or ""."""

    def speech_changed(self) -> None:
        """Told when speech was turned on or off."""

    def diagnostics(self, error: BaseException | None = None) -> str:
        """A text that a person can send when something went wrong, with *error* and the end of the log."""

    def shortcuts(self) -> Sequence[Shortcut]:
        """The keys that mean the same in every scene."""

    def give_up(self, scene: Scene) -> None:
        """Leave *scene* if it could not be drawn; the last one can't be left, and gets another chance."""


class News(NamedTuple):
    """A sentence for those who listen, when it is new."""

    sentence: str
    number: int | None = None
    """Where the sentence may come again: it is new if its number has grown."""


class Scene:
    """One screen, or a dialog above one.

    The stage calls ``build`` when the scene is pushed and again when theme, scale or language change: make the
    widgets there, from what the scene itself remembers. It calls ``layout`` after ``build`` and at each new
    size of the window. A frame is drawn only after ``invalidate``, or while ``is_animating``.
    """

    is_overlay = False
    """Whether the scene is drawn above the one below it, which stays visible."""
    game: Game | None = None
    """The game that the scene shows; None where it shows none in particular."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.widgets = Widgets(stage)
        self.widgets.shortcuts = self.key_first
        self.area = pygame.Rect(0, 0, 0, 0)

    @property
    def paint(self) -> Painter:
        """The painter to draw with."""
        return self.stage.paint

    @property
    def theme(self) -> Theme:
        """The theme in force."""
        return self.paint.theme

    def px(self, length: float) -> int:
        """*length* in the sketches' pixels as real ones."""
        return self.theme.px(length)

    def page_height(self, width: int) -> int:
        """The height that the scene needs on a page of *width*, both in real pixels.

        A window that is lower shows a part of the page, which scrolls. Asked between ``build`` and ``layout``.
        """
        return self.px(SMALLEST_WINDOW[1])

    def invalidate(self) -> None:
        """Have a frame drawn."""
        self.stage.invalidate()

    # ------------------------------------------------------------------------- to be told by the stage

    def build(self) -> None:
        """Make the widgets, with ``self.widgets.add`` in the order of Tab."""

    def layout(self, area: pygame.Rect) -> None:
        """Lay everything out in *area*, the whole page: as wide as the window, and as high as it or ``page_height``.

        The window has at least 640×400 of the sketches' pixels.
        """

    def enter(self) -> None:
        """Take up work: the scene has come to the top of the stack."""

    def leave(self) -> None:
        """Stop what the scene has started: it is no longer on the stack."""

    def dismantle(self) -> None:
        """Let go of everything: told once nothing acts on the scene any more, in a frame after it was left.

        Its widgets know it, and it knows them. Without this it would stay until Python next looks for such circles.
        """
        vars(self).clear()

    def key_first(self, event: pygame.event.Event) -> bool:
        """Act on a KEYDOWN that no widget has been asked about yet; True if it is dealt with."""
        return press((shortcut for shortcut in self.shortcuts() if shortcut.comes_first), event)

    def handle(self, event: pygame.event.Event) -> bool:
        """Act on an event that no widget has taken; True if it is dealt with. Keys are looked up in ``shortcuts``."""
        return event.type == pygame.KEYDOWN and press(self.shortcuts(), event)

    def back(self) -> None:
        """Leave the scene: Esc."""
        self.stage.pop()

    def update(self, seconds: float) -> None:
        """Let time pass."""

    def draw(self, surface: pygame.Surface) -> None:
        """Draw everything below the widgets."""

    # ------------------------------------------------------------------------- to be asked by the stage

    @property
    def is_animating(self) -> bool:
        """Whether every frame looks different from the last, for now."""
        return False

    @property
    def idle_seconds(self) -> float:
        """Seconds that ``update`` may wait while nothing is animating and no event comes."""
        return IDLE_SECONDS

    def news(self) -> Sequence[News]:
        """What is said to those who listen, each sentence when it is new; always so many, in the same order."""
        return ()

    def shortcuts(self) -> Sequence[Shortcut]:
        """The scene's keys and what they do, those of its widgets left out: F1 shows both."""
        return ()
