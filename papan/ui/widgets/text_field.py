"""A one-line text field: drawing, keyboard, mouse, input methods."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

import pygame

from papan.ui.drawing.theme import BUTTON_RADIUS, FIELD_PADDING, Colour, mix
from papan.ui.texts import N_
from papan.ui.widgets.base import Widget, clipped, join_phrases
from papan.ui.widgets.text_editing import EditedLine, Where

_BLINK_SECONDS = 0.5
"""Seconds that the caret is shown, and then hidden."""
_LOOK_SECONDS = 0.1
_REPEAT_AFTER, _REPEAT_EVERY = 0.5, 0.03
"""Seconds until a held key repeats, and between repeats."""
_REPEATED = ("move", "delete", "undo", "redo")
_DOUBLE_CLICK = 450
"""Milliseconds within which a second click selects a word."""
EditKind = Literal["move", "delete", "select all", "cut", "copy", "paste", "undo", "redo"]
_ARROWS: dict[int, tuple[Where, Where, Where]] = {
    pygame.K_LEFT: ("left", "word left", "start"),
    pygame.K_RIGHT: ("right", "word right", "end"),
}
"""Where each goes: alone, with the modifier for words, with the modifier for the whole line."""
_DELETING: dict[int, tuple[Where, Where, Where]] = {
    pygame.K_BACKSPACE: ("left", "word left", "start"),
    pygame.K_DELETE: ("right", "word right", "end"),
}
_ENDS: dict[int, Where] = {pygame.K_HOME: "start", pygame.K_END: "end"}
_COMMANDS: dict[int, EditKind] = {
    pygame.K_a: "select all",
    pygame.K_x: "cut",
    pygame.K_c: "copy",
    pygame.K_v: "paste",
    pygame.K_z: "undo",
    pygame.K_y: "redo",
}


class _Composition(NamedTuple):
    """The preliminary text of an input method."""

    text: str = ""
    caret: int = 0


class TextField(Widget):
    """One line of text, with selection, clipboard and undo."""

    role = "text field"
    pointer = pygame.SYSTEM_CURSOR_IBEAM
    key_group = N_("In a text field")
    key_help: Mapping[str, str] = {
        "Left  Right  Home  End": N_("move in the text"),
        "Backspace  Del": N_("delete a letter"),
        "Ctrl+A": N_("select all of the text"),
        "Ctrl+C  Ctrl+X  Ctrl+V": N_("copy, cut, paste"),
        "Ctrl+Z  Ctrl+Y": N_("undo, redo typing"),
    }

    def __init__(
        self,
        text: str,
        changed: Callable[[str], object],
        *,
        name: str,
        placeholder: str = "",
        allowed: str = "",
        most: int | None = None,
        submitted: Callable[[], object] | None = None,
        tooltip: str = "",
        spoken: Callable[[str], str] = str,
    ) -> None:
        """:param placeholder: shown while there is no text.
        :param allowed: the characters allowed; "" for all.
        :param most: the maximum length; default: unlimited.
        :param submitted: called on Enter.
        :param spoken: returns what to show for a text while the field has no focus, such as a code in words.
        """
        super().__init__(name, tooltip)
        self.line = EditedLine(text, allowed=allowed, most=most)
        self.changed = changed
        self.placeholder = placeholder
        self.submitted = submitted
        self.spoken = spoken
        self._composition = _Composition()
        self._scrolled = 0
        self._since_blink = 0.0
        self._shows_caret = False
        self._last_click = -_DOUBLE_CLICK
        self._held_key: tuple[int, Edit] | None = None
        self._until_repeat = 0.0

    @property
    def text(self) -> str:
        """The text, without an input method's preliminary text."""
        return self.line.text

    def write(self, text: str) -> None:
        """Replace the text, as if *text* had been typed."""
        self._edited(self.line.write(text))

    def _edited(self, is_changed: bool) -> None:
        """Show the line after an edit, and call ``changed`` if the text *is_changed*."""
        self._show_caret()
        if is_changed:
            self.changed(self.line.text)

    def _show_caret(self) -> None:
        """Scroll to the caret, restart its blinking, and tell the input method where it is."""
        self._since_blink = 0.0
        self._shows_caret = self.has_focus
        if self.container is None:
            return
        room = self._room.w - self._caret_width
        caret = self._caret_x
        self._scrolled = min(max(self._scrolled, caret - room), caret, max(0, self._width(self._shown_text) - room))
        self._scrolled = max(0, self._scrolled)
        if self.has_focus:
            pygame.key.set_text_input_rect(self.container.page.in_window(self.caret_rect))
        self.invalidate()

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        self._show_caret()

    def focus_changed(self) -> None:
        self._composition = _Composition()
        self._held_key = None
        if self.has_focus:
            pygame.key.start_text_input()
        else:
            pygame.key.stop_text_input()
        self._show_caret()

    def update(self, seconds: float) -> None:
        if not self.has_focus:
            return
        self._repeat(seconds)
        self._since_blink += seconds
        if self._since_blink >= _BLINK_SECONDS:
            self._since_blink = 0.0
            self._shows_caret = not self._shows_caret
            self.invalidate()

    @property
    def idle_seconds(self) -> float:
        if not self.has_focus:
            return math.inf
        return _LOOK_SECONDS if self._held_key is None else _REPEAT_EVERY

    def take_text(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.TEXTEDITING:
            if event.text and self.line.selected_text:
                self._edited(self.line.delete("left"))
            self._composition = _Composition(event.text, min(event.start, len(event.text)))
            self._show_caret()
        else:
            self._composition = _Composition()
            self._edited(self.line.insert(event.text))
        return True

    def key(self, event: pygame.event.Event) -> bool:
        if self._composition.text:  # the keys are the input method's
            return True
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            if self.submitted is not None:
                self.submitted()
            return self.submitted is not None
        edit = edit_of(event.key, event.mod)
        if edit is not None:
            self._do(edit)
            self._held_key = (event.key, edit) if edit.kind in _REPEATED else None
            self._until_repeat = _REPEAT_AFTER
            return True
        # A letter arrives as a separate TEXTINPUT event: this keeps its key from being a shortcut too.
        commands = event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META) and not event.mod & pygame.KMOD_ALT
        return not commands and event.unicode != "" and event.unicode.isprintable()

    def _repeat(self, seconds: float) -> None:
        """Repeat the held key, at most once a frame, so that a slow frame causes no repeats."""
        if self._held_key is None:
            return
        key, edit = self._held_key
        if not pygame.key.get_pressed()[key]:
            self._held_key = None
            return
        self._until_repeat -= seconds
        if self._until_repeat <= 0:
            self._until_repeat = _REPEAT_EVERY
            self._do(edit)

    def _do(self, edit: Edit) -> None:
        assert self.container is not None
        line, window = self.line, self.container.window
        before = line.text
        match edit.kind:
            case "move":
                line.move(edit.where, extends=edit.extends)
            case "delete":
                line.delete(edit.where)
            case "select all":
                line.select_all()
            case "undo":
                line.undo()
            case "redo":
                line.redo()
            case "paste":
                line.insert(window.clipboard_text())
            case "copy" | "cut" if line.selected_text:
                window.copy_text(line.selected_text)
                if edit.kind == "cut":
                    line.delete("left")
        self._edited(line.text != before)

    def takes_drag(self, point: tuple[int, int]) -> bool:
        return self.has_focus  # elsewhere a finger scrolls the page

    def drag(self, point: tuple[int, int]) -> bool:
        self.line.move_to(self._index_at(point[0]), extends=True)
        self._show_caret()
        return True

    def press(self, point: tuple[int, int]) -> bool:
        if not self.has_focus:
            self.take_focus()
        if self._composition.text:  # drop what the input method had begun
            self._composition = _Composition()
            pygame.key.stop_text_input()
            pygame.key.start_text_input()
        index = self._index_at(point[0])
        now, last = pygame.time.get_ticks(), self._last_click
        self._last_click = now
        if now - last < _DOUBLE_CLICK and index == self.line.caret:
            self.line.select_word(self._index_at(point[0], is_letter=True))
        else:
            self.line.move_to(index, extends=bool(pygame.key.get_mods() & pygame.KMOD_SHIFT))
        self._show_caret()
        return True

    def _index_at(self, x: int, *, is_letter: bool = False) -> int:
        """The index nearest to *x* in the window; with *is_letter*, the index of the letter there."""
        text, wanted = self.line.text, x - self._room.x + self._scrolled
        for index in range(1, len(text) + 1):
            left, right = self._width(text[: index - 1]), self._width(text[:index])
            if wanted < (right if is_letter else (left + right) / 2):
                return index - 1
        return len(text)

    @property
    def _room(self) -> pygame.Rect:
        return self.rect.inflate(-2 * self.theme.px(FIELD_PADDING), -2 * self.theme.px(2))

    @property
    def _caret_width(self) -> int:
        return max(1, self.theme.px(1))

    @property
    def _shown_text(self) -> str:
        """The line with the input method's preliminary text."""
        line = self.line
        return line.text[: line.caret] + self._composition.text + line.text[line.caret :]

    def _width(self, text: str) -> int:
        return self.paint.width(text, "text") if text else 0

    @property
    def _caret_x(self) -> int:
        """The caret's distance from the line's start."""
        return self._width(self._shown_text[: self.line.caret + self._composition.caret])

    @property
    def caret_rect(self) -> pygame.Rect:
        caret = pygame.Rect(0, 0, self._caret_width, self.paint.height("text"))
        caret.midleft = self._room.x + self._caret_x - self._scrolled, self.rect.centery
        return caret

    def utterance(self) -> str:
        return join_phrases(self.beside, self.tooltip, self.text or self.placeholder)

    def name_and_value(self) -> tuple[str, str]:
        return join_phrases(self.beside, self.tooltip) or self.placeholder, self.text

    def take_value(self, text: str) -> None:
        self.write(text)

    def draw(self, surface: pygame.Surface) -> None:
        theme, px = self.theme, self.theme.px
        line = theme.accent if self.has_focus else theme.line
        self.paint.rounded_rect(surface, self.rect, theme.panel, px(BUTTON_RADIUS), line=line)
        if not self._shown_text and not self.has_focus:
            at, ink, width = self._room.midleft, theme.second, self._room.w
            self.paint.text(surface, self.placeholder, at, "text", ink, anchor="midleft", width=width, shrinks=True)
            return
        if not self.has_focus and self.spoken(self.text) != self.text:
            self._write(surface, self.spoken(self.text), self._room, theme.ink, width=self._room.w)
            return
        ink = theme.ink if self.is_enabled else mix(theme.ink, theme.panel, 0.5)
        text = self._room.move(-self._scrolled, 0)
        with clipped(surface, self._room):
            self._write(surface, self._shown_text, text, ink)
            if self.has_focus:
                self._draw_selection(surface, text)
                self._draw_composition(surface, text)
                if self._shows_caret:
                    surface.fill(theme.ink, self.caret_rect)

    def _write(
        self, surface: pygame.Surface, text: str, room: pygame.Rect, ink: Colour, width: int | None = None
    ) -> None:
        self.paint.text(surface, text, room.midleft, "text", ink, anchor="midleft", width=width)

    def _draw_selection(self, surface: pygame.Surface, text: pygame.Rect) -> None:
        """Draw the selection: the same letters in other colours."""
        if not self.line.selected_text:
            return
        start, end = (self._width(self.line.text[:index]) for index in self.line.selection)
        ground = pygame.Rect(text.x + start, 0, end - start, self.paint.height("text"))
        ground.centery = text.centery
        with clipped(surface, ground):
            surface.fill(self.theme.accent)
            self._write(surface, self.line.text, text, self.theme.on_accent)

    def _draw_composition(self, surface: pygame.Surface, text: pygame.Rect) -> None:
        if not self._composition.text:
            return
        begin, length = self.line.caret, len(self._composition.text)
        start, end = (self._width(self._shown_text[:index]) for index in (begin, begin + length))
        below = self.caret_rect.bottom - self.theme.px(2)
        surface.fill(self.theme.ink, (text.x + start, below, end - start, self.paint.line_width))


class Edit(NamedTuple):
    kind: EditKind
    where: Where = "left"
    """For ``move`` and ``delete``."""
    extends: bool = False
    """For ``move``: whether to extend the selection."""


def edit_of(key: int, mod: int, *, is_mac: bool = sys.platform == "darwin") -> Edit | None:
    """The editing command of *key* with the modifiers *mod*; None for other keys.

    >>> edit_of(pygame.K_LEFT, pygame.KMOD_LCTRL | pygame.KMOD_LSHIFT, is_mac=False)
    Edit(kind='move', where='word left', extends=True)
    >>> edit_of(pygame.K_LEFT, pygame.KMOD_LMETA, is_mac=True).where
    'start'
    """
    has_shift, has_alt = bool(mod & pygame.KMOD_SHIFT), bool(mod & pygame.KMOD_ALT)
    has_ctrl, has_meta = bool(mod & pygame.KMOD_CTRL), bool(mod & pygame.KMOD_META)
    # On Windows, AltGr is Ctrl with Alt, and types letters.
    commands = has_meta if is_mac else has_ctrl and not has_alt
    reach = 2 if is_mac and has_meta else 1 if (has_alt if is_mac else commands) else 0
    if key in _ARROWS:
        return Edit("move", _ARROWS[key][reach], has_shift)
    if key in _ENDS:
        return Edit("move", _ENDS[key], has_shift)
    # The older shortcuts of Windows and Linux.
    if key == pygame.K_DELETE and has_shift and not is_mac:
        return Edit("cut")
    if key == pygame.K_INSERT and not is_mac and (has_shift or commands):
        return Edit("paste" if has_shift else "copy")
    if key in _DELETING:
        return Edit("delete", _DELETING[key][reach])
    if commands and key in _COMMANDS:
        return Edit("redo" if key == pygame.K_z and has_shift else _COMMANDS[key])
    return None
