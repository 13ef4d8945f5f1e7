"""A scene's widgets together: who has the mouse, who has the keyboard, and the order of Tab.

pygame_gui's manager, made at the first widget that needs it, runs its elements; focus ring, Tab, arrows,
tooltips and pop-ups are ours, as pygame_gui has no keyboard for its buttons.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import pygame

from papan.ui.widgets.base import Widget

if TYPE_CHECKING:
    from papan.ui.window.app import App

W = TypeVar("W", bound=Widget)

_ARROWS = {
    pygame.K_LEFT: (-1, 0),
    pygame.K_RIGHT: (1, 0),
    pygame.K_UP: (0, -1),
    pygame.K_DOWN: (0, 1),
}
_TOOLTIP_SECONDS = 0.6
_TOOLTIP_WIDTH = 380
"""Longer tooltips have several lines."""
_MOUSE_EVENTS = (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION, pygame.MOUSEWHEEL)


class Widgets:
    """The widgets of one scene."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.all: list[Widget] = []
        self.focused: Widget | None = None
        self.hovered: Widget | None = None
        self.shows_focus = False
        """The ring is for those who use the keyboard: a click hides it."""
        self.popup: Widget | None = None
        """A menu above all else: gets every event first."""
        self.shortcuts: Callable[[pygame.event.Event], bool] | None = None
        """Asked about each key before the widget with the focus, where keys mean the same all over a scene."""
        self._manager: Any = None
        self._images: list[Any] = []
        self._waiting: list[Callable[[], None]] = []
        self._tooltip_for: Widget | None = None
        self._tooltip_seconds = 0.0

    # --------------------------------------------------------------------------------- membership

    def add(self, widget: W) -> W:
        """Add *widget*, last in the order of Tab, and return it."""
        widget.host = self
        self.all.append(widget)
        widget.attached()
        self.app.invalidate()
        return widget

    def remove(self, widget: Widget) -> None:
        """Drop *widget*."""
        if self.focused is widget:
            self.focus(None)
        if self.popup is widget:
            self.popup = None
        if self.hovered is widget:
            self.hovered = None
        if widget in self.all:
            self.all.remove(widget)
        widget.detached()
        widget.host = None
        self.app.invalidate()

    def clear(self) -> None:
        """Drop all of them, and pygame_gui's manager with its theme."""
        self.popup = self.focused = self.hovered = self._tooltip_for = None
        for widget in self.all:
            widget.detached()
            widget.host = None
        self.all.clear()
        self._waiting.clear()
        self._manager = None
        self._images = []

    def named(self, name: str) -> Widget | None:
        """The widget called *name*."""
        return next((widget for widget in self.all if widget.name == name), None)

    @property
    def manager(self) -> Any:
        """pygame_gui's manager, themed as everything else."""
        if self._manager is None:
            from papan.ui.widgets.gui_theme import new_manager

            self._manager = new_manager(self.app)
        return self._manager

    def once_shown(self, act: Callable[[], None]) -> None:
        """Call *act* after the window's first frame, which doesn't wait for pygame_gui's import."""
        if self.app.frames:
            act()
        else:
            self._waiting.append(act)

    def resized(self, size: tuple[int, int]) -> None:
        """The window has another size."""
        if self._manager is not None:
            self._manager.set_window_resolution(size)
        self.close_popup()

    # -------------------------------------------------------------------------------------- focus

    def focus(self, widget: Widget | None, *, by_keyboard: bool = True) -> None:
        """Let the keyboard act on *widget*."""
        before, self.focused = self.focused, widget
        self.shows_focus = by_keyboard
        for changed in {before, widget} if before is not widget else set():
            if changed is not None:
                changed.focus_changed()
        self.app.invalidate()

    def move_focus(self, direction: int) -> None:
        """Tab (1) and Shift-Tab (-1)."""
        choices = [widget for widget in self.all if widget.can_focus]
        if not choices:
            return
        if self.focused in choices:
            place = (choices.index(self.focused) + direction) % len(choices)
        else:
            place = 0 if direction > 0 else len(choices) - 1
        self.focus(choices[place])

    def move_towards(self, direction: tuple[int, int]) -> bool:
        """An arrow: to the nearest widget that lies that way; False where there is none."""
        if self.focused is None:
            self.move_focus(1)
            return self.focused is not None
        here = self.focused.rect
        best: tuple[float, Widget] | None = None
        for widget in self.all:
            if widget is self.focused or not widget.can_focus:
                continue
            distance = _distance(here, widget.rect, direction)
            if distance is not None and (best is None or distance < best[0]):
                best = distance, widget
        if best is not None:
            self.focus(best[1])
        return best is not None

    # ------------------------------------------------------------------------------------- events

    def handle(self, event: pygame.event.Event) -> bool:
        """Give *event* to the widget that it is for; True if it is dealt with."""
        if self.popup is not None and self.popup.handle(event):
            return True
        if event.type == pygame.MOUSEMOTION:
            self._hover(event.pos)
        if event.type == pygame.MOUSEBUTTONDOWN:
            self._tooltip_for = None
        if event.type == pygame.KEYDOWN:
            return self._key(event)
        if self._manager is not None and self._manager.process_events(event):
            self.app.invalidate()
            return True
        if event.type in _MOUSE_EVENTS:
            for widget in reversed(self.all):
                if widget.is_visible and widget.is_enabled and widget.handle(event):
                    return True
        return False

    def _key(self, event: pygame.event.Event) -> bool:
        if self.focused is not None and not self.focused.can_focus:
            self.focus(None)
        if self.shortcuts is not None and self.shortcuts(event):
            return True
        if event.key == pygame.K_TAB:
            self.move_focus(-1 if event.mod & pygame.KMOD_SHIFT else 1)
            return True
        if self.focused is not None and self.focused.key(event):
            self.shows_focus = True
            self.app.invalidate()
            return True
        if event.key in _ARROWS and not event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT | pygame.KMOD_META):
            return self.move_towards(_ARROWS[event.key])
        return False

    def _hover(self, point: tuple[int, int]) -> None:
        under = None
        for widget in reversed(self.all):
            if widget.is_visible and widget.rect.collidepoint(point):
                under = widget
                break
        if under is not self.hovered:
            self.hovered = under
            self.app.invalidate()

    def open_popup(self, popup: Widget) -> None:
        """Show *popup* above everything, instead of any other."""
        self.close_popup()
        popup.host = self
        self.popup = popup
        popup.attached()
        self.app.invalidate()

    def close_popup(self) -> None:
        """Take the pop-up away."""
        if self.popup is not None:
            popup, self.popup = self.popup, None
            popup.detached()
            popup.host = None
            self.app.invalidate()

    # ---------------------------------------------------------------------------- time and drawing

    def update(self, seconds: float) -> None:
        """Time has passed."""
        if self._waiting and self.app.frames:
            waiting, self._waiting = self._waiting, []
            for act in waiting:
                act()
        if self._manager is not None:
            self._manager.update(seconds)
            images = [sprite.image for sprite in self._manager.get_sprite_group().sprites()]
            if len(images) != len(self._images) or any(
                new is not old for new, old in zip(images, self._images, strict=True)
            ):
                self._images = images
                self.app.invalidate()
        for widget in self.all:
            widget.update(seconds)
        self._update_tooltip(seconds)

    def _update_tooltip(self, seconds: float) -> None:
        wanted = self.hovered or (self.focused if self.shows_focus else None)
        if wanted is not None and (not wanted.tooltip or self.popup is not None):
            wanted = None
        if wanted is not self._tooltip_for:
            if self._tooltip_seconds >= _TOOLTIP_SECONDS:
                self.app.invalidate()
            self._tooltip_for, self._tooltip_seconds = wanted, 0.0
        elif wanted is not None and self._tooltip_seconds < _TOOLTIP_SECONDS:
            self._tooltip_seconds += seconds
            if self._tooltip_seconds >= _TOOLTIP_SECONDS:
                self.app.invalidate()

    @property
    def is_animating(self) -> bool:
        """Whether any widget is."""
        return any(widget.is_animating for widget in self.all if widget.is_visible)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the widgets, the focus ring, the tooltip and the pop-up."""
        for widget in self.all:
            if widget.is_visible:
                widget.draw(surface)
        if self._manager is not None:
            self._manager.draw_ui(surface)
        if self.focused is not None and self.focused.is_visible and self.shows_focus:
            self.focused.draw_focus(surface)
        if self.popup is not None:
            self.popup.draw(surface)
        elif self._tooltip_for is not None and self._tooltip_seconds >= _TOOLTIP_SECONDS:
            self._draw_tooltip(surface, self._tooltip_for)

    def _draw_tooltip(self, surface: pygame.Surface, widget: Widget) -> None:
        paint, theme = self.app.paint, self.app.theme
        px = theme.px
        width = min(paint.width(widget.tooltip, "small"), px(_TOOLTIP_WIDTH))
        height = paint.paragraph_height(widget.tooltip, width, "small")
        place = pygame.Rect(0, 0, width + 2 * px(10), height + px(11))
        place.midtop = widget.rect.midbottom[0], widget.rect.bottom + px(8)
        if place.bottom > surface.get_height() - px(4):
            place.bottom = widget.rect.top - px(8)
        place.clamp_ip(surface.get_rect().inflate(-px(8), -px(8)))
        paint.rounded(surface, place, theme.ink, px(8))
        inner = pygame.Rect(place.x + px(10), place.centery - height // 2, width, height)
        paint.paragraph(surface, widget.tooltip, inner, "small", theme.background)


def _distance(here: pygame.Rect, there: pygame.Rect, direction: tuple[int, int]) -> float | None:
    """How far *there* is in *direction*, straying aside counted double; None if it lies another way."""
    dx, dy = there.centerx - here.centerx, there.centery - here.centery
    if direction[0]:
        ahead = (there.left - here.right if direction[0] > 0 else here.left - there.right) + min(here.w, there.w) // 2
        overlap = min(here.bottom, there.bottom) - max(here.top, there.top)
        aside, along = abs(dy), dx * direction[0]
    else:
        ahead = (there.top - here.bottom if direction[1] > 0 else here.top - there.bottom) + min(here.h, there.h) // 2
        overlap = min(here.right, there.right) - max(here.left, there.left)
        aside, along = abs(dx), dy * direction[1]
    if ahead <= 0 or along <= 0:
        return None
    return ahead + (0 if overlap > 0 else 2 * aside) + aside * 0.01
