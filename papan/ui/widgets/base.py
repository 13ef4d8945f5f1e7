"""The base class of widgets, and the container of a scene's widgets: mouse, keyboard focus, Tab order, tooltips."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol, TypeVar

import pygame

from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import BUTTON_RADIUS, Theme
from papan.ui.texts import translated
from papan.ui.widgets.page import Page, finger_pixels
from papan.ui.widgets.shortcuts import Shortcut

_ARROWS = {
    pygame.K_LEFT: (-1, 0),
    pygame.K_RIGHT: (1, 0),
    pygame.K_UP: (0, -1),
    pygame.K_DOWN: (0, 1),
}
_TOOLTIP_SECONDS, _PROMPT_SECONDS = 0.6, 0.15
"""Seconds that the pointer rests on a widget before its tooltip appears; the second for widgets without a label."""
_NEW_SECONDS = 0.5
"""How long a widget that has just appeared takes no click: that one was meant for what stood there before."""
_NEW_LOOK_SECONDS = 0.1
"""Seconds between two updates while such a widget waits."""
_BEYOND = 40
"""How far a widget may draw outside its rect, for a shadow say, in design pixels."""
_TOOLTIP_WIDTH = 380
"""Longer tooltips have several lines."""
_ARROW = pygame.SYSTEM_CURSOR_ARROW
_TEXT_EVENTS = (pygame.TEXTINPUT, pygame.TEXTEDITING)
_MOUSE_EVENTS = (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION, pygame.MOUSEWHEEL)


Role = Literal[
    "board", "button", "cell", "choices", "group", "list", "menu", "menu button", "option", "picture", "slider",
    "switch", "text field",
]  # fmt: skip
"""What a widget, or a part of one, is to a screen reader."""


class Part(NamedTuple):
    """A part of a widget that a screen reader can point at: a cell, a row, a segment."""

    number: int
    """Identifies it within the widget, as ``part_at`` does."""
    rect: pygame.Rect
    """On the page, in real pixels."""
    name: str = ""
    """Default: the texts drawn there."""
    role: Role = "option"
    is_chosen: bool | None = None
    """None if it can't be chosen."""


def join_phrases(*words: str) -> str:
    """The non-empty *words* as one phrase to be spoken.

    >>> join_phrases("Theme", "", "Dark")
    'Theme, Dark'
    """
    return ", ".join(word for word in words if word)


@contextlib.contextmanager
def clipped(surface: pygame.Surface, rect: pygame.Rect) -> Iterator[None]:
    """Clip drawing on *surface* to *rect* within the ``with`` block."""
    clip = surface.get_clip()
    surface.set_clip(rect.clip(clip))
    try:
        yield
    finally:
        surface.set_clip(clip)


class Window(Protocol):
    """What widgets need of the window."""

    paint: Painter

    @property
    def area(self) -> pygame.Rect:
        """The whole window, in real pixels."""

    is_used_by_keyboard: bool
    """Whether a key was pressed since the mouse was last clicked."""

    def invalidate(self) -> None:
        """Request a new frame."""

    def copy_text(self, text: str) -> None:
        """Put *text* on the clipboard."""

    def clipboard_text(self) -> str:
        """The text on the clipboard, or ""."""


class Widget:
    """A part of a scene that reacts to mouse and keyboard.

    Subclasses paint in ``draw``, handle the mouse in ``handle`` and the keyboard in ``key``.
    """

    role: Role = "group"
    is_focusable = True
    """Whether Tab stops here."""
    stays_readable = False
    """Whether its text must not be covered, although it can't be focused."""
    pointer = pygame.SYSTEM_CURSOR_ARROW
    """The shape of the mouse pointer over it."""
    key_help: Mapping[str, str] = {}
    """The keys that ``key`` takes besides Enter and Space, and what they do, to be translated."""
    key_group = ""
    """Their heading in the list at F1, to be translated."""
    focus_radius = BUTTON_RADIUS
    """Of the focus ring's corners, in design pixels."""
    waits_when_new = False
    """Whether it takes no click in the first half second after it was hidden."""

    def __init__(self, name: str = "", tooltip: str = "") -> None:
        self.name = name
        """Identifies the widget, so that it keeps the focus when the scene is rebuilt."""
        self.tooltip = tooltip
        self.beside = ""
        """The label drawn next to it by the scene, for speech."""
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.is_visible = True
        self.is_enabled = True
        self.container: Widgets | None = None
        self.part_under: int | None = None
        """The part under the mouse pointer, in widgets with several."""
        self.seconds_shown = math.inf
        """How long it has been visible since it was hidden; infinite if it never was."""

    # -------------------------------------------------------------------------------- for scenes

    def place(self, rect: pygame.Rect) -> None:
        """Lay the widget out in *rect*, in real pixels."""
        self.rect = rect.copy()
        self.invalidate()

    def show(self, is_visible: bool = True) -> None:
        self.change(is_visible=is_visible)

    def enable(self, is_enabled: bool = True) -> None:
        self.change(is_enabled=is_enabled)

    @property
    def explanation(self) -> str:
        """The tooltip shown while the pointer or the focus is on it; "" for none."""
        return self.tooltip

    @property
    def is_wordless(self) -> bool:
        """Whether it has no label, so that its tooltip appears promptly."""
        return False

    @property
    def has_focus(self) -> bool:
        return self.container is not None and self.container.focused is self

    @property
    def shows_focus(self) -> bool:
        """Whether it has the focus and a ring shows that."""
        return self.has_focus and self.container is not None and self.container.shows_focus

    @property
    def can_focus(self) -> bool:
        """Whether it could take the focus now."""
        return self.is_focusable and self.is_visible and self.is_enabled

    @property
    def is_too_new(self) -> bool:
        """Whether it takes no click yet, because it has just appeared."""
        return self.waits_when_new and self.seconds_shown < _NEW_SECONDS

    @property
    def is_hovered(self) -> bool:
        return self.container is not None and self.container.hovered is self

    @property
    def is_held(self) -> bool:
        """Whether the mouse button was pressed on it and is still down."""
        return self.container is not None and self.container.held is self

    @property
    def paint(self) -> Painter:
        assert self.container is not None, "a widget draws only once it has been added to a scene"
        return self.container.window.paint

    @property
    def theme(self) -> Theme:
        return self.paint.theme

    def invalidate(self) -> None:
        if self.container is not None:
            self.container.window.invalidate()

    def change(self, **attributes: object) -> bool:
        """Set *attributes*; if one is new, request a frame and return True."""
        is_new = any(getattr(self, name) != value for name, value in attributes.items())
        if is_new:
            vars(self).update(attributes)
            self.invalidate()
        return is_new

    def take_focus(self) -> None:
        """Take the focus without a ring, after a click."""
        if self.container is not None:
            self.container.focus(self, by_keyboard=False)

    # -------------------------------------------------------------------------- called by ``Widgets``

    def attached(self) -> None:
        """Called when the widget was opened as a pop-up: ``container`` is set."""

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the widget in its rect, without the focus ring."""

    def draw_focus(self, surface: pygame.Surface) -> None:
        self.paint.focus_ring(surface, self.focus_rect, self.theme.px(self.focus_radius))

    @property
    def focus_rect(self) -> pygame.Rect:
        """The rectangle that the focus ring surrounds."""
        return self.rect

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle a mouse event; return whether it was used. Not called while hidden or disabled."""
        if event.type == pygame.MOUSEWHEEL:
            return self.is_hovered and self.take_wheel(event)
        if event.type == pygame.MOUSEMOTION:
            if self.is_held:
                return self.drag(event.pos)
            self.change(part_under=self.part_at(event.pos) if self.is_hovered else None)
        elif event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP) and event.button == 1:
            if event.type == pygame.MOUSEBUTTONUP:
                return self.is_held and self.release(event.pos)
            return bool(self.rect.collidepoint(event.pos)) and self.press(event.pos)
        return False

    def part_at(self, point: tuple[int, int]) -> int | None:
        """The part at *point*, in widgets with several."""
        return None

    def press(self, point: tuple[int, int]) -> bool:
        """The left mouse button has gone down on the widget; return whether that was used."""
        return False

    def drag(self, point: tuple[int, int]) -> bool:
        """The mouse has moved since a press that was used; return whether that was used."""
        return False

    def release(self, point: tuple[int, int]) -> bool:
        """The left mouse button is up again after a press that was used; return whether that was used."""
        return True

    def takes_drag(self, point: tuple[int, int]) -> bool:
        """Whether a finger that moves from *point* drags something of it; else it scrolls the page."""
        return False

    def take_wheel(self, event: pygame.event.Event) -> bool:
        """Handle a MOUSEWHEEL over the widget, of the wheel or a finger; return whether it was used."""
        pixels = finger_pixels(event)
        return self.turn_wheel(event.y) if pixels is None else self.drag_content(pixels)

    def drag_content(self, pixels: int) -> bool:
        """A finger has dragged what the widget shows down by *pixels*; return whether that was used."""
        return False

    def turn_wheel(self, notches: int) -> bool:
        """The wheel was turned up over the widget (down, if negative); return whether that was used."""
        return False

    def key(self, event: pygame.event.Event) -> bool:
        """Handle a KEYDOWN while focused; return whether it was used."""
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            self.activate()
            return True
        return False

    def keys(self) -> Sequence[Shortcut]:
        """``key_help``, for the list at F1."""
        group = translated(self.key_group) if self.key_group else ""
        return [Shortcut(keys, translated(meaning), group=group) for keys, meaning in self.key_help.items()]

    def take_text(self, event: pygame.event.Event) -> bool:
        """Handle a TEXTINPUT or TEXTEDITING while focused; return whether it was used."""
        return False

    def utterance(self) -> str:
        """The spoken description: what it is, and its state."""
        return join_phrases(self.beside, self.tooltip)

    def name_and_value(self) -> tuple[str, str]:
        """What it is, and its value if that can change, for a screen reader; default: ``utterance``, and none."""
        return self.utterance(), ""

    @property
    def numeric_value(self) -> tuple[int, int] | None:
        """Its value as a number, and the largest possible one; None for other values."""
        return None

    @property
    def is_checked(self) -> bool | None:
        """Whether what it switches or chooses is on or chosen; None if it does neither."""
        return None

    def parts(self) -> Sequence[Part]:
        """The parts in sight that can be pointed at, in reading order."""
        return ()

    @property
    def has_more_parts(self) -> bool:
        """Whether ``parts`` will return others in the next frame, as all at once would take too long."""
        return False

    @property
    def active_part(self) -> int | None:
        """The part that the keyboard acts on; None for the widget itself."""
        return None

    def press_part(self, number: int) -> None:
        """Do what a click on a part does."""
        rect = next((part.rect for part in self.parts() if part.number == number), None)
        if rect is not None and self.press(rect.center):
            self.release(rect.center)

    def point_at_part(self, number: int) -> None:
        """Bring the keyboard to a part, where that is not the same as a click."""

    def take_value(self, text: str) -> None:
        """Take a new value, in widgets with a text or a number."""

    def activate(self) -> None:
        """Do what a click does, on Enter or Space."""

    def focus_changed(self) -> None:
        """Called when the widget has gained or lost the focus; see ``has_focus``."""

    def update(self, seconds: float) -> None:
        """Advance animations by *seconds*, the time since the last frame."""

    @property
    def is_animating(self) -> bool:
        """Whether it needs a new frame each time."""
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
        """The widget on which the mouse button was pressed, until the release."""
        self.shows_focus = False
        """Whether the focus ring is drawn: a click hides it, a key shows it."""
        self.popup: Widget | None = None
        """An open menu: it is on top and gets every event first."""
        self.shortcuts: Callable[[pygame.event.Event], bool] | None = None
        """Gets each key before the focused widget: the keys that work everywhere in the scene."""
        self.pointer: tuple[int, int] | None = None
        """The position of the mouse pointer on the page; None if unknown."""
        self._tooltip_for: Widget | None = None
        self._tooltip_seconds = 0.0
        self._silent: tuple[Widget | None, ...] = ()
        """The widgets whose menu has just closed: no tooltip until pointer or focus moves on."""

    def add(self, widget: W) -> W:
        """Add *widget*, last in the Tab order, and return it."""
        widget.container = self
        self.all.append(widget)
        self.window.invalidate()
        return widget

    def remove(self, widget: Widget) -> None:
        """Remove *widget*; an open menu closes."""
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
        widget.container = None
        self.window.invalidate()

    def clear(self) -> None:
        for widget in self.all.copy():
            self.remove(widget)

    def named(self, name: str) -> Widget | None:
        return next((widget for widget in self.all if widget.name == name), None)

    def release_mouse(self) -> None:
        """Forget the mouse: something else now covers the widgets."""
        self.held = self.pointer = None
        self._hover(None)
        self.close_popup()

    def view_moved(self, by: int) -> None:
        """Adapt to the page having scrolled down *by* pixels."""
        if by:
            self.close_popup()
            self._tooltip_for = None
            if self.pointer is not None and not self.page.is_in_foot(self.pointer[1]):
                self.pointer = self.pointer[0], self.pointer[1] + by
            self.window.invalidate()

    def reveal(self, widget: Widget) -> tuple[int, int]:
        """Scroll *widget* into sight, as far as it fits; return where its middle is in the window."""
        self.view_moved(self.page.reveal(widget.rect, self.window.paint))
        return self.page.in_window(widget.rect).center

    def focus(self, widget: Widget | None, *, by_keyboard: bool | None = None) -> None:
        """Give *widget* the focus.

        :param by_keyboard: whether to show the ring; default: if a key was pressed since the last click.
        """
        before, self.focused = self.focused, widget
        self.shows_focus = self.window.is_used_by_keyboard if by_keyboard is None else by_keyboard
        if widget is not None and self.shows_focus and widget.rect.h:
            self.reveal(widget)
        if before is not widget:
            for changed in (before, widget):  # in this order: both set the state of the text input
                if changed is not None:
                    changed.focus_changed()
        self.window.invalidate()

    def move_focus(self, direction: int) -> None:
        """Focus the next widget (1, Tab) or the previous one (-1, Shift-Tab)."""
        choices = [widget for widget in self.all if widget.can_focus]
        if not choices:
            return
        if self.focused in choices:
            index = (choices.index(self.focused) + direction) % len(choices)
        else:
            index = 0 if direction > 0 else len(choices) - 1
        self.focus(choices[index], by_keyboard=True)

    def move_towards(self, direction: tuple[int, int]) -> bool:
        """Focus the nearest widget in *direction*; return whether there is one."""
        if self.focused is None:
            self.move_focus(1)
            return self.focused is not None
        others = [widget for widget in self.all if widget is not self.focused and widget.can_focus]
        distances = {widget: _distance(self.focused.rect, widget.rect, direction) for widget in others}
        ahead = {widget: distance for widget, distance in distances.items() if distance is not None}
        if ahead:
            self.focus(min(ahead, key=ahead.__getitem__), by_keyboard=True)
        return bool(ahead)

    def handle(self, event: pygame.event.Event) -> bool:
        """Pass *event* to the widget that it is for; return whether it was used."""
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

    def takes_drag(self, at: tuple[int, int]) -> bool:
        """Whether a finger that moves from *at* in the window drags something; else it scrolls."""
        point = self.page.point_at(at)
        if self.popup is not None:
            return self.popup.takes_drag(point)
        under = self._under(point)
        is_dragged = under is not None and under.is_enabled and under.takes_drag(point)
        return is_dragged or self.page.has_bar_at(at, self.window.paint)

    def _mouse(self, event: pygame.event.Event) -> bool:
        if event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEWHEEL):
            self._tooltip_for = None
        if event.type == pygame.MOUSEBUTTONDOWN:
            self.shows_focus = False  # a widget that handles the click may set it again
            under = self._under(event.pos)
            if under is not None and under.is_enabled and under.is_too_new:
                return True
        usable = (widget for widget in reversed(self.all) if widget.is_visible and widget.is_enabled)
        taker = next((widget for widget in usable if widget.handle(event)), None)
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.held = taker if taker is not None and taker.container is self else None
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
        """Show *popup* on top, in place of any other."""
        self.close_popup()
        self.held = None
        popup.container = self
        self.popup = popup
        popup.attached()
        self.window.invalidate()

    def close_popup(self) -> None:
        if self.popup is not None:
            self.popup.container = None
            self.popup = None
            self._silent = self.hovered, self.focused
            self.window.invalidate()

    def update(self, seconds: float) -> None:
        """Advance animations by *seconds*, the time since the last frame."""
        if self.pointer is not None and self.popup is None:  # another widget may be there now
            self._hover(self._under(self.pointer))
        for widget in self.all:
            widget.update(seconds)
            # Below 0 stands for hidden: the frame in which it appears is its first, at 0.
            shown = widget.seconds_shown
            widget.seconds_shown = -1.0 if not widget.is_visible else 0.0 if shown < 0 else shown + seconds
        self._update_tooltip(seconds)

    def _update_tooltip(self, seconds: float) -> None:
        wanted = self.hovered or (self.focused if self.shows_focus else None)
        if self.popup is None and wanted not in self._silent:
            self._silent = ()
        if wanted is not None and (not wanted.explanation or self.popup is not None or wanted in self._silent):
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
        widget = self._tooltip_for
        wait = _PROMPT_SECONDS if widget is not None and widget.is_wordless else _TOOLTIP_SECONDS
        return widget is not None and self._tooltip_seconds >= wait

    @property
    def is_animating(self) -> bool:
        return any(widget.is_animating for widget in self.all if widget.is_visible)

    @property
    def idle_seconds(self) -> float:
        """How long ``update`` may wait while nothing is animating and no event comes."""
        shown = [widget for widget in self.all if widget.is_visible]
        least = min((widget.idle_seconds for widget in shown), default=math.inf)
        return min(least, _NEW_LOOK_SECONDS) if any(widget.is_too_new for widget in shown) else least

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the widgets in sight, the focus ring, and the pop-up or the tooltip."""
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
    """The distance to *there* in *direction*, sideways distance counted double; None if it lies another way."""
    if direction[1]:
        here, there = (pygame.Rect(rect.y, rect.x, rect.h, rect.w) for rect in (here, there))
    is_onwards = sum(direction) > 0
    aside = abs(there.centery - here.centery)
    along = (there.centerx - here.centerx) * sum(direction)
    ahead = (there.left - here.right if is_onwards else here.left - there.right) + min(here.w, there.w) // 2
    if ahead <= 0 or along <= 0:
        return None
    overlap = min(here.bottom, there.bottom) - max(here.top, there.top)
    return ahead + (0 if overlap > 0 else 2 * aside) + aside * 0.01
