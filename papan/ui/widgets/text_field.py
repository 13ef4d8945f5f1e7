"""A field to write one line in. pygame_gui edits the text; ground and line are ours."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from papan.ui.drawing.theme import BUTTON_RADIUS, FIELD_PADDING
from papan.ui.widgets.element import ElementWidget


class TextField(ElementWidget):
    """One line of text, with selection and clipboard."""

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
    ) -> None:
        """:param placeholder: shown while there is no text.
        :param allowed: the only characters that can be written; all for none.
        :param most: as many characters at most.
        :param submitted: called on Enter.
        """
        super().__init__(name, tooltip)
        self.text = text
        self.changed = changed
        self.placeholder = placeholder
        self.submitted = submitted
        self._allowed = allowed
        self._most = most

    def attached(self) -> None:
        assert self.host is not None
        from pygame_gui.elements import UITextEntryLine

        self._element = UITextEntryLine(pygame.Rect(0, 0, 10, 10), self.host.manager, initial_text=self.text)
        if self._allowed:
            self._element.set_allowed_characters(list(self._allowed))
        if self._most is not None:
            self._element.set_text_length_limit(self._most)

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        if self._element is not None:
            self._element.rebuild()

    def write(self, text: str) -> None:
        """Put *text* in, as if it had been typed."""
        if self._element is not None:
            self._element.set_text(text)
        self._take(text)

    def _take(self, text: str) -> None:
        if text != self.text:
            self.text = text
            self.invalidate()
            self.changed(text)

    def focus_changed(self) -> None:
        if self._element is None or self.host is None:
            return
        if self.has_focus:
            self.host.manager.set_focus_set(self._element)
        elif self._element.is_focused:
            self.host.manager.set_focus_set(None)

    def key(self, event: pygame.event.Event) -> bool:
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            if self.submitted is not None:
                self.submitted()
            return self.submitted is not None
        if event.key in (pygame.K_ESCAPE, pygame.K_UP, pygame.K_DOWN) or self._element is None:
            return False
        took = bool(self._element.process_event(event))
        self._take(self._element.get_text())
        return took or (event.unicode.isprintable() and bool(event.unicode))

    def update(self, seconds: float) -> None:
        if self._element is None or self.host is None:
            return
        if self._element.is_focused and not self.has_focus:  # by a click, which pygame_gui saw first
            self.host.focus(self, by_keyboard=False)
        self._take(self._element.get_text())

    def draw(self, surface: pygame.Surface) -> None:
        theme, px = self.theme, self.theme.px
        line = theme.accent if self.has_focus else theme.line
        self.paint.rounded(surface, self.rect, theme.panel, px(BUTTON_RADIUS), line=line)
        if not self.text and not self.has_focus:
            at = (self.rect.x + px(FIELD_PADDING), self.rect.centery)
            room = self.rect.w - 2 * px(FIELD_PADDING)
            self.paint.text(surface, self.placeholder, at, "text", theme.second, anchor="midleft", width=room)
