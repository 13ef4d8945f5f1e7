"""What all widgets share: a rectangle, a name, a turn at the keyboard; and what they ask of those around them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import pygame

from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import BUTTON_RADIUS, Theme
from papan.ui.widgets.shortcuts import Shortcut


def in_one(*words: str) -> str:
    """Those of *words* that there are, as one text to be spoken.

    >>> in_one("Theme", "", "Dark")
    'Theme, Dark'
    """
    return ", ".join(word for word in words if word)


if TYPE_CHECKING:
    from papan.ui.widgets.page import Page


class Window(Protocol):
    """What widgets ask of the window that they are in."""

    @property
    def paint(self) -> Painter:
        """What to draw with."""

    @property
    def area(self) -> pygame.Rect:
        """The whole window, in real pixels."""

    @property
    def is_used_by_keyboard(self) -> bool:
        """Whether a key was pressed since the mouse was last clicked."""

    def invalidate(self) -> None:
        """Have a frame drawn."""

    def copy_text(self, text: str) -> None:
        """Put *text* on the clipboard."""

    def clipboard_text(self) -> str:
        """The text on the clipboard, or ""."""


class Host(Protocol):
    """What a widget asks of the one that holds it together with others: who has the mouse, who the keyboard."""

    window: Window
    focused: Widget | None
    hovered: Widget | None
    held: Widget | None
    """The widget on which the mouse button went down, until it is let go."""
    shows_focus: bool
    """Whether the ring is drawn around the widget with the keyboard."""
    popup: Widget | None

    @property
    def page(self) -> Page:
        """The page that they lie on."""

    @property
    def pointer(self) -> tuple[int, int] | None:
        """Where the mouse pointer is on the page; None where it is not known."""

    def focus(self, widget: Widget | None, *, by_keyboard: bool | None = None) -> None:
        """Let the keyboard act on *widget*.

        :param by_keyboard: whether that is to be seen; default: where the keyboard was used last.
        """

    def open_popup(self, popup: Widget) -> None:
        """Show *popup* above everything, instead of any other."""

    def close_popup(self) -> None:
        """Take the pop-up away."""


class Widget:
    """Something in a scene that the mouse and the keyboard act on.

    A scene's board, its move list or its slider are widgets too: subclass, paint in ``draw``, take the mouse
    in ``handle`` and the keyboard in ``key``.
    """

    is_focusable = True
    """Whether Tab stops here."""
    pointer = pygame.SYSTEM_CURSOR_ARROW
    """The mouse pointer's look on it."""

    def __init__(self, name: str = "", tooltip: str = "") -> None:
        self.name = name
        """Keeps the focus where it was when the scene is built anew."""
        self.tooltip = tooltip
        self.beside = ""
        """The words that stand beside it, where it has none of its own: for those who listen."""
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.is_visible = True
        self.is_enabled = True
        self.host: Host | None = None

    # -------------------------------------------------------------------------------- for scenes

    def place(self, rect: pygame.Rect) -> None:
        """Lay the widget out in *rect*, in real pixels."""
        self.rect = rect.copy()
        self.invalidate()

    def show(self, is_visible: bool = True) -> None:
        """Show the widget, or hide it."""
        if is_visible != self.is_visible:
            self.is_visible = is_visible
            self.invalidate()

    def enable(self, is_enabled: bool = True) -> None:
        """Enable the widget, or grey it."""
        if is_enabled != self.is_enabled:
            self.is_enabled = is_enabled
            self.invalidate()

    @property
    def explanation(self) -> str:
        """What is said of it while the pointer or the keyboard rests on it; "" for nothing."""
        return self.tooltip

    @property
    def is_telling(self) -> bool:
        """Whether it shows words that are to be read, though nothing can be done with it."""
        return False

    @property
    def is_wordless(self) -> bool:
        """Whether nothing but its explanation says what it is: then that comes promptly."""
        return False

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard acts on this widget."""
        return self.host is not None and self.host.focused is self

    @property
    def shows_focus(self) -> bool:
        """Whether the keyboard acts on this widget, and that is to be seen."""
        return self.has_focus and self.host is not None and self.host.shows_focus

    @property
    def can_focus(self) -> bool:
        """Whether the keyboard could act on it now."""
        return self.is_focusable and self.is_visible and self.is_enabled

    @property
    def is_hovered(self) -> bool:
        """Whether the mouse pointer is on it."""
        return self.host is not None and self.host.hovered is self

    @property
    def is_held(self) -> bool:
        """Whether the mouse button went down on it and has not been let go."""
        return self.host is not None and self.host.held is self

    @property
    def paint(self) -> Painter:
        """What to draw with."""
        assert self.host is not None, "a widget draws only once it has been added to a scene"
        return self.host.window.paint

    @property
    def theme(self) -> Theme:
        """The theme in force."""
        return self.paint.theme

    def invalidate(self) -> None:
        """Have a frame drawn."""
        if self.host is not None:
            self.host.window.invalidate()

    # ----------------------------------------------------------------- to be told by the scene's widgets

    def attached(self) -> None:
        """Told once the widget is in a scene: ``host`` is set."""

    def detached(self) -> None:
        """Told when the scene drops the widget; ``host`` is still set."""

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the widget in its rect, its focus ring excepted."""

    def draw_focus(self, surface: pygame.Surface) -> None:
        """Draw the ring that says the keyboard acts here."""
        self.paint.focus_ring(surface, self.rect, self.theme.px(BUTTON_RADIUS))

    def handle(self, event: pygame.event.Event) -> bool:
        """Act on the mouse; True if the event is dealt with. Not asked while hidden or disabled."""
        return False

    def key(self, event: pygame.event.Event) -> bool:
        """Act on a KEYDOWN while the keyboard acts here; True if it is dealt with."""
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            self.activate()
            return True
        return False

    def keys(self) -> Sequence[Shortcut]:
        """What ``key`` takes besides Enter and Space, in words, for F1."""
        return ()

    def take_text(self, event: pygame.event.Event) -> bool:
        """Act on a TEXTINPUT or TEXTEDITING while the keyboard acts here; True if it is dealt with."""
        return False

    def utterance(self) -> str:
        """What it is and how it stands, for those who listen."""
        return in_one(self.beside, self.tooltip)

    def activate(self) -> None:
        """Do what a click does: Enter or Space was pressed."""

    def focus_changed(self) -> None:
        """Told when the keyboard has come or gone; ``has_focus`` says which."""

    def update(self, seconds: float) -> None:
        """Move what is animated on by *seconds*, the time since the last frame."""

    @property
    def is_animating(self) -> bool:
        """Whether every frame looks different from the last, for now."""
        return False

    @property
    def idle_seconds(self) -> float:
        """How long ``update`` may wait while nothing is animating and no event comes."""
        return math.inf
