"""Scenes fill the window. They lie on a stack; the topmost one gets the keyboard and the mouse."""

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
"""Seconds between two updates while nothing happens."""


class Stage(Window, Protocol):
    """The window, as scenes see it."""

    @property
    def scene(self) -> Scene | None:
        """The topmost scene."""

    @property
    def settings(self) -> Settings:
        """The person's settings."""

    @property
    def animation_speed(self) -> float:
        """The speed of animations, as a factor of normal; 0 shows none."""

    @property
    def largest_scale(self) -> float:
        """The largest scale at which every scene fits the present window."""

    @property
    def scale_with_window(self) -> float:
        """The scale that fits the present window."""

    @property
    def system_scale(self) -> float:
        """The system's scale: real pixels per design pixel."""

    @property
    def frames(self) -> int:
        """The number of frames drawn so far."""

    def push(self, scene: Scene) -> None:
        """Put *scene* on top."""

    def pop(self, scene: Scene | None = None) -> None:
        """Remove *scene*, or the topmost one; the last one stays."""

    def rebuild(self, scene: Scene) -> None:
        """Build *scene* anew, and keep the focus if its widget still exists."""

    def apply_settings(self) -> None:
        """Apply theme, scale and language: build every scene anew."""

    def play_sound(self, sound: Sound, loudness: float = 1.0) -> None:
        """Play *sound*, unless sounds are off.

        :param loudness: a factor from 0 to 1.
        """

    def prepare_sounds(self) -> None:
        """Load the sounds, unless they are off, so that the first one is not late."""

    def toggle_sound(self) -> None:
        """Turn sounds off or on."""

    def notify(self, sentence: str) -> None:
        """Show *sentence* at the foot of the window for a while."""

    def carry_on(self, work: Callable[[], bool]) -> None:
        """Call *work* in each frame until it returns True; if the window closes, finish it at once."""

    @property
    def speech_trouble(self) -> str:
        """Why speech does not work; "" if it does."""

    def speech_changed(self) -> None:
        """Call this when speech was turned on or off."""

    def diagnostics(self, error: BaseException | None = None) -> str:
        """Return a text for an error report, with *error* and the end of the log."""

    def shortcuts(self) -> Sequence[Shortcut]:
        """The keys that work in every scene."""

    def give_up(self, scene: Scene) -> None:
        """Leave *scene* if it could not be drawn; the last one stays, and is tried again."""


class News(NamedTuple):
    """A sentence to speak when it is new."""

    sentence: str
    number: int | None = None
    """For repeated sentences: new if the number has grown."""


class Scene:
    """One screen, or a dialog above one.

    The stage calls ``build`` when the scene is pushed and again when theme, scale or language change: make the
    widgets there, from what the scene itself remembers. It calls ``layout`` after ``build`` and at each new
    size of the window. A frame is drawn only after ``invalidate``, or while ``is_animating``.
    """

    is_overlay = False
    """Whether the scene is drawn above the one below it, which stays visible."""
    game: Game | None = None
    """The game that the scene shows; None for none in particular."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.widgets = Widgets(stage)
        self.widgets.shortcuts = self.key_first
        self.area = pygame.Rect(0, 0, 0, 0)

    @property
    def paint(self) -> Painter:
        return self.stage.paint

    @property
    def theme(self) -> Theme:
        return self.paint.theme

    def px(self, length: float) -> int:
        """Convert *length* from design pixels to real pixels."""
        return self.theme.px(length)

    def share(self, length: int, share: float, bounds: tuple[int, int]) -> int:
        """Return the *share* of *length*, in real pixels, within *bounds*, in design pixels."""
        return round(min(self.px(bounds[1]), max(self.px(bounds[0]), length * share)))

    def page_height(self, width: int) -> int:
        """Return the height that the scene needs on a page of *width*, both in real pixels.

        A lower window scrolls the page. The stage asks between ``build`` and ``layout``.
        """
        return self.px(SMALLEST_WINDOW[1])

    def invalidate(self) -> None:
        self.stage.invalidate()

    # ------------------------------------------------------------------------- called by the stage

    def build(self) -> None:
        """Make the widgets, with ``self.widgets.add`` in the order of Tab."""

    def layout(self, area: pygame.Rect) -> None:
        """Lay everything out in *area*, the whole page: as wide as the window, as high as it or ``page_height``.

        The window has at least 640×400 design pixels.
        """

    def enter(self) -> None:
        """Begin or resume work: the scene is now on top of the stack."""

    def leave(self) -> None:
        """Stop all work: the scene was removed from the stack."""

    def dismantle(self) -> None:
        """Release everything, in a frame after ``leave``: breaks the reference cycle of scene and widgets at once."""
        vars(self).clear()

    def key_first(self, event: pygame.event.Event) -> bool:
        """Act on a KEYDOWN before the widgets; return True if it is done."""
        return press((shortcut for shortcut in self.shortcuts() if shortcut.comes_first), event)

    def handle(self, event: pygame.event.Event) -> bool:
        """Act on an event that no widget took; return True if it is done. Keys are looked up in ``shortcuts``."""
        return event.type == pygame.KEYDOWN and press(self.shortcuts(), event)

    def back(self) -> None:
        self.stage.pop()

    def update(self, seconds: float) -> None:
        """Let time pass."""

    def draw(self, surface: pygame.Surface) -> None:
        """Draw everything below the widgets."""

    # ------------------------------------------------------------------------- read by the stage

    @property
    def is_animating(self) -> bool:
        """Whether each frame differs from the last at present."""
        return False

    @property
    def idle_seconds(self) -> float:
        """Seconds between two updates while nothing is animated and no event comes."""
        return IDLE_SECONDS

    def news(self) -> Sequence[News]:
        """The sentences to speak when they are new; always the same number, in the same order."""
        return ()

    def shortcuts(self) -> Sequence[Shortcut]:
        """The scene's keys, without those of its widgets; F1 shows both."""
        return ()
