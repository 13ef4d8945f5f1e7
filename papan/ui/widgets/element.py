"""A widget that has an element of pygame_gui behind it, which acts on the mouse or edits text."""

from __future__ import annotations

from typing import Any

import pygame

from papan.ui.widgets.base import Widget


class ElementWidget(Widget):
    """Keeps its element, once there is one, where the widget is, and as visible and as usable."""

    _element: Any = None

    def detached(self) -> None:
        if self._element is not None:
            self._element.kill()
            self._element = None

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        if self._element is not None:
            self._element.set_relative_position(rect.topleft)
            self._element.set_dimensions(rect.size)

    def show(self, is_visible: bool = True) -> None:
        super().show(is_visible)
        self._tell()

    def enable(self, is_enabled: bool = True) -> None:
        super().enable(is_enabled)
        self._tell()

    def _tell(self) -> None:
        """Let the element know whether it can be seen and used."""
        if self._element is None:
            return
        if self.is_enabled:
            self._element.enable()
        else:
            self._element.disable()
        if self.is_visible:
            self._element.show()
        else:
            self._element.hide()
