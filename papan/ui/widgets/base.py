"""What all widgets share: a place, a name, a turn at the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import BUTTON_RADIUS, Theme

if TYPE_CHECKING:
    from papan.ui.widgets.host import Widgets


class Widget:
    """Something in a scene that the mouse and the keyboard act on.

    A scene's board, its move list or its slider are widgets too: subclass, paint in ``draw``, take the mouse
    in ``handle`` and the keyboard in ``key``.
    """

    is_focusable = True
    """Whether Tab stops here."""

    def __init__(self, name: str = "", tooltip: str = "") -> None:
        self.name = name
        """Keeps the focus where it was when the scene is built anew."""
        self.tooltip = tooltip
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.is_visible = True
        self.is_enabled = True
        self.host: Widgets | None = None

    # -------------------------------------------------------------------------------- for scenes

    def place(self, rect: pygame.Rect) -> None:
        """Stand at *rect* from now on."""
        self.rect = rect.copy()
        self.invalidate()

    def show(self, is_visible: bool = True) -> None:
        """Be seen, or not."""
        if is_visible != self.is_visible:
            self.is_visible = is_visible
            self.invalidate()

    def enable(self, is_enabled: bool = True) -> None:
        """Be of use, or greyed."""
        if is_enabled != self.is_enabled:
            self.is_enabled = is_enabled
            self.invalidate()

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard acts on this widget."""
        return self.host is not None and self.host.focused is self

    @property
    def can_focus(self) -> bool:
        """Whether the keyboard could act on it now."""
        return self.is_focusable and self.is_visible and self.is_enabled

    @property
    def is_hovered(self) -> bool:
        """Whether the mouse pointer is on it."""
        return self.host is not None and self.host.hovered is self

    @property
    def paint(self) -> Painter:
        """What to draw with."""
        assert self.host is not None, "a widget draws only once it has been added to a scene"
        return self.host.app.paint

    @property
    def theme(self) -> Theme:
        """The theme in force."""
        return self.paint.theme

    def invalidate(self) -> None:
        """Have a frame drawn."""
        if self.host is not None:
            self.host.app.invalidate()

    # ----------------------------------------------------------------- to be told by the scene's widgets

    def attached(self) -> None:
        """``host`` is set from now on."""

    def detached(self) -> None:
        """The scene has dropped the widget."""

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

    def activate(self) -> None:
        """Enter or Space: do what a click does."""

    def focus_changed(self) -> None:
        """The keyboard has come or gone; ``has_focus`` says which."""

    def update(self, seconds: float) -> None:
        """Time has passed."""

    @property
    def is_animating(self) -> bool:
        """Whether every frame looks different from the last, for now."""
        return False
