"""What all widgets share, and a scene's widgets together: who has the mouse, who the keyboard, the order of Tab."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

import pygame

from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import BUTTON_RADIUS, Theme
from papan.ui.widgets.page import Page
from papan.ui.widgets.shortcuts import Shortcut

_ARROWS = {
    pygame.K_LEFT: (-1, 0),
    pygame.K_RIGHT: (1, 0),
    pygame.K_UP: (0, -1),
    pygame.K_DOWN: (0, 1),
}
_TOOLTIP_SECONDS, _PROMPT_SECONDS = 0.6, 0.15
"""How long the pointer rests on a widget before it is explained; on one that has no words of its own."""
_BEYOND = 40
"""How far a widget may draw beyond its place, such as a shadow, in the sketches' pixels."""
_TOOLTIP_WIDTH = 380
"""Longer tooltips have several lines."""
_ARROW = pygame.SYSTEM_CURSOR_ARROW
_TEXT_EVENTS = (pygame.TEXTINPUT, pygame.TEXTEDITING)
_MOUSE_EVENTS = (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION, pygame.MOUSEWHEEL)


def in_one(*words: str) -> str:
    """Those of *words* that there are, as one text to be spoken.

    >>> in_one("Theme", "", "Dark")
    'Theme, Dark'
    """
    return ", ".join(word for word in words if word)


@contextlib.contextmanager
def clipped(surface: pygame.Surface, rect: pygame.Rect) -> Iterator[None]:
    """Within this, only what lies in *rect* is drawn on *surface*."""
    clip = surface.get_clip()
    surface.set_clip(rect.clip(clip))
    try:
        yield
    finally:
        surface.set_clip(clip)


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
        self.host: Widgets | None = None
        self.part_under: int | None = None
        """The part that the mouse pointer is on, where a widget has several."""

    # -------------------------------------------------------------------------------- for scenes

    def place(self, rect: pygame.Rect) -> None:
        """Lay the widget out in *rect*, in real pixels."""
        self.rect = rect.copy()
        self.invalidate()

    def show(self, is_visible: bool = True) -> None:
        if is_visible != self.is_visible:
            self.is_visible = is_visible
            self.invalidate()

    def enable(self, is_enabled: bool = True) -> None:
        if is_enabled != self.is_enabled:
            self.is_enabled = is_enabled
            self.invalidate()

    @property
    def explanation(self) -> str:
        """What is said of it while the pointer or the keyboard rests on it; "" for nothing."""
        return self.tooltip

    @property
    def is_telling(self) -> bool:
        """Whether it shows words that must stay readable, though it can't be used."""
        return False

    @property
    def is_wordless(self) -> bool:
        """Whether only its explanation says what it is, which then comes promptly."""
        return False

    @property
    def has_focus(self) -> bool:
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
        return self.host is not None and self.host.hovered is self

    @property
    def is_held(self) -> bool:
        """Whether the mouse button went down on it and has not been let go."""
        return self.host is not None and self.host.held is self

    @property
    def paint(self) -> Painter:
        assert self.host is not None, "a widget draws only once it has been added to a scene"
        return self.host.window.paint

    @property
    def theme(self) -> Theme:
        return self.paint.theme

    def invalidate(self) -> None:
        if self.host is not None:
            self.host.window.invalidate()

    def is_pressed_by(self, event: pygame.event.Event) -> bool:
        """Whether *event* is the left mouse button going down on it."""
        is_press = event.type == pygame.MOUSEBUTTONDOWN and event.button == 1
        return is_press and bool(self.rect.collidepoint(event.pos))

    def point_at(self, part: int | None) -> None:
        """Note that the mouse pointer is on *part* now."""
        if part != self.part_under:
            self.part_under = part
            self.invalidate()

    def take_focus(self) -> None:
        """Have the keyboard act here, which is not to be seen: somebody has clicked."""
        if self.host is not None:
            self.host.focus(self, by_keyboard=False)

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


W = TypeVar("W", bound=Widget)


class Widgets:
    """The widgets of one scene."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self.page = Page()
        self.all: list[Widget] = []
        self.focused: Widget | None = None
        self.hovered: Widget | None = None
        self.held: Widget | None = None
        """The widget on which the mouse button went down, until it is let go."""
        self.shows_focus = False
        """Whether the ring is drawn around the widget with the keyboard: a click hides it, a key shows it."""
        self.popup: Widget | None = None
        """A menu above all else: gets every event first."""
        self.shortcuts: Callable[[pygame.event.Event], bool] | None = None
        """Asked about each key before the widget with the focus, where keys mean the same all over a scene."""
        self.pointer: tuple[int, int] | None = None
        """Where the mouse pointer is on the page; None where it is not known."""
        self._tooltip_for: Widget | None = None
        self._tooltip_seconds = 0.0

    # --------------------------------------------------------------------------------- membership

    def add(self, widget: W) -> W:
        """Add *widget*, last in the order of Tab, and return it."""
        widget.host = self
        self.all.append(widget)
        widget.attached()
        self.window.invalidate()
        return widget

    def remove(self, widget: Widget) -> None:
        """Drop *widget*; a menu that is open, perhaps its own, closes."""
        self.close_popup()
        if self.focused is widget:
            self.focus(None, by_keyboard=self.shows_focus)
        if self._tooltip_for is widget:
            self._tooltip_for = None
        if self.held is widget:
            self.held = None
        if self.hovered is widget:
            self._hover(None)
        if widget in self.all:
            self.all.remove(widget)
        widget.detached()
        widget.host = None
        self.window.invalidate()

    def clear(self) -> None:
        self.close_popup()
        self.focus(None, by_keyboard=self.shows_focus)
        self._hover(None)
        self.held = self._tooltip_for = None
        for widget in self.all:
            widget.detached()
            widget.host = None
        self.all.clear()

    def named(self, name: str) -> Widget | None:
        return next((widget for widget in self.all if widget.name == name), None)

    def let_go(self) -> None:
        """Forget the mouse: something else has come between it and the widgets."""
        self.held = self.pointer = None
        self._hover(None)
        self.close_popup()

    def view_moved(self, by: int) -> None:
        """Told that the window shows another part of the page, so many pixels further down."""
        if by:
            self.close_popup()
            self._tooltip_for = None
            if self.pointer is not None:
                self.pointer = self.pointer[0], self.pointer[1] + by
            self.window.invalidate()

    def reveal(self, widget: Widget) -> tuple[int, int]:
        """Have *widget* in sight, as far as it has room; returns where its middle lies in the window."""
        self.view_moved(self.page.reveal(widget.rect, self.window.paint))
        return self.page.in_window(widget.rect).center

    # -------------------------------------------------------------------------------------- focus

    def focus(self, widget: Widget | None, *, by_keyboard: bool | None = None) -> None:
        """Let the keyboard act on *widget*.

        :param by_keyboard: whether that is to be seen; default: where the keyboard was used last.
        """
        before, self.focused = self.focused, widget
        self.shows_focus = self.window.is_used_by_keyboard if by_keyboard is None else by_keyboard
        if widget is not None and self.shows_focus and widget.rect.h:
            self.reveal(widget)
        if before is not widget:
            for changed in (before, widget):  # the one that comes last settles what it shares with the other
                if changed is not None:
                    changed.focus_changed()
        self.window.invalidate()

    def move_focus(self, direction: int) -> None:
        """Give the keyboard to the next widget (1, Tab) or to the one before (-1, Shift-Tab)."""
        choices = [widget for widget in self.all if widget.can_focus]
        if not choices:
            return
        if self.focused in choices:
            index = (choices.index(self.focused) + direction) % len(choices)
        else:
            index = 0 if direction > 0 else len(choices) - 1
        self.focus(choices[index], by_keyboard=True)

    def move_towards(self, direction: tuple[int, int]) -> bool:
        """Give the keyboard to the nearest widget in *direction*; False where there is none."""
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
            self.focus(best[1], by_keyboard=True)
        return best is not None

    # ------------------------------------------------------------------------------------- events

    def handle(self, event: pygame.event.Event) -> bool:
        """Give *event* to the widget that it is for; True if it is dealt with."""
        if self.popup is not None and self.popup.handle(event):
            return True
        if event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN):
            self.pointer = event.pos
            self._hover(self._under(event.pos))
        if event.type == pygame.KEYDOWN:
            return self._key(event)
        if event.type in _TEXT_EVENTS:
            return self.focused is not None and self.focused.can_focus and self.focused.take_text(event)
        return event.type in _MOUSE_EVENTS and self._mouse(event)

    def _mouse(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN:
            self._tooltip_for = None
            self.shows_focus = False  # wherever the click lands; a widget that takes it may say otherwise
        taker = next((widget for widget in self._in_reach() if widget.handle(event)), None)
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.held = taker if taker is not None and taker.host is self else None
        if event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self.held is not None:
            self.held.invalidate()
            self.held = None
        return taker is not None

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
            self.window.invalidate()
            return True
        if event.key in _ARROWS and not event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT | pygame.KMOD_META):
            return self.move_towards(_ARROWS[event.key])
        return False

    def _in_reach(self) -> Iterator[Widget]:
        """The widgets that the mouse can act on, from above down."""
        return (widget for widget in reversed(self.all) if widget.is_visible and widget.is_enabled)

    def _under(self, point: tuple[int, int]) -> Widget | None:
        shown = (widget for widget in reversed(self.all) if widget.is_visible)
        return next((widget for widget in shown if widget.rect.collidepoint(point)), None)

    def _hover(self, under: Widget | None) -> None:
        if under is not self.hovered:
            before, after = (widget.pointer if widget else _ARROW for widget in (self.hovered, under))
            self.hovered = under
            if after != before:
                with contextlib.suppress(pygame.error):  # not every display has them
                    pygame.mouse.set_cursor(after)
            self.window.invalidate()

    def open_popup(self, popup: Widget) -> None:
        """Show *popup* above everything, instead of any other."""
        self.close_popup()
        self.held = None
        popup.host = self
        self.popup = popup
        popup.attached()
        self.window.invalidate()

    def close_popup(self) -> None:
        if self.popup is not None:
            popup, self.popup = self.popup, None
            popup.detached()
            popup.host = None
            self.window.invalidate()

    # ---------------------------------------------------------------------------- time and drawing

    def update(self, seconds: float) -> None:
        """Move what is animated on by *seconds*, the time since the last frame."""
        if self.pointer is not None and self.popup is None:  # what lies there may be new
            self._hover(self._under(self.pointer))
        for widget in self.all:
            widget.update(seconds)
        self._update_tooltip(seconds)

    def _update_tooltip(self, seconds: float) -> None:
        wanted = self.hovered or (self.focused if self.shows_focus else None)
        if wanted is not None and (not wanted.explanation or self.popup is not None):
            wanted = None
        if wanted is not self._tooltip_for:
            if self._is_explaining:
                self.window.invalidate()
            self._tooltip_for, self._tooltip_seconds = wanted, 0.0
        elif wanted is not None and not self._is_explaining:
            self._tooltip_seconds += seconds
            if self._is_explaining:
                self.window.invalidate()

    @property
    def _is_explaining(self) -> bool:
        """Whether the tooltip is shown."""
        widget = self._tooltip_for
        wait = _PROMPT_SECONDS if widget is not None and widget.is_wordless else _TOOLTIP_SECONDS
        return widget is not None and self._tooltip_seconds >= wait

    @property
    def is_animating(self) -> bool:
        """Whether any widget is."""
        return any(widget.is_animating for widget in self.all if widget.is_visible)

    @property
    def idle_seconds(self) -> float:
        """How long ``update`` may wait while nothing is animating and no event comes."""
        return min((widget.idle_seconds for widget in self.all if widget.is_visible), default=math.inf)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the widgets, the focus ring, the tooltip and the pop-up; of a long page the widgets that are seen."""
        around = 2 * self.window.paint.theme.px(_BEYOND)
        seen = surface.get_clip().inflate(around, around)
        for widget in self.all:
            if widget.is_visible and (seen.colliderect(widget.rect) or not (widget.rect.w and widget.rect.h)):
                widget.draw(surface)
        if self.focused is not None and self.focused.is_visible and self.shows_focus:
            self.focused.draw_focus(surface)
        if self.popup is not None:
            self.popup.draw(surface)
        elif self._tooltip_for is not None and self._is_explaining:
            self._draw_tooltip(surface, self._tooltip_for)

    def _draw_tooltip(self, surface: pygame.Surface, widget: Widget) -> None:
        paint, theme = self.window.paint, self.window.paint.theme
        px = theme.px
        text = widget.explanation
        width = min(
            max(paint.width(line.replace("**", ""), "small strong") for line in text.split("\n")) + 1,
            px(_TOOLTIP_WIDTH),
        )
        height = paint.paragraph_height(text, width, "small")
        box = pygame.Rect(0, 0, width + 2 * px(10), height + px(11))
        box.midtop = widget.rect.midbottom[0], widget.rect.bottom + px(8)
        view = self.page.view
        if box.bottom > view.bottom - px(4):
            box.bottom = widget.rect.top - px(8)
        box.clamp_ip(view.inflate(-px(8), -px(8)))
        paint.rounded_rect(surface, box, theme.ink, px(8))
        inner = pygame.Rect(box.x + px(10), box.centery - height // 2, width, height)
        paint.paragraph(surface, text, inner, "small", theme.background)


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
