"""The mouse and the keyboard: which of all that could act on an event does.

First come the window's own keys that mean the same everywhere, then a sentence at the foot of the window, the bar of
the page, the widgets, the scene, the page's keys, and the window's other keys last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from papan.ui.drawing.paint import Painter
from papan.ui.scenes import Scene
from papan.ui.widgets.shortcuts import Shortcut, press
from papan.ui.window.notices import Notices
from papan.ui.window.stack import SceneStack


class Inputs:
    """What the events of the mouse and the keyboard lead to."""

    def __init__(
        self, stack: SceneStack, notices: Notices, paint: Painter, shortcuts: Callable[[], Sequence[Shortcut]]
    ) -> None:
        """:param shortcuts: the keys of the window, in the language in force."""
        self._stack = stack
        self._notices = notices
        self._paint = paint
        self._shortcuts = shortcuts
        self.are_keys = False
        """Whether a key was pressed since the last click: only then is it shown what the keyboard acts on."""

    def note_hands(self, event: pygame.event.Event) -> None:
        """Note whether keys are used, or the mouse: after a click no scene shows what the keyboard acts on."""
        if event.type == pygame.KEYDOWN:
            self.are_keys = True
        elif event.type == pygame.MOUSEBUTTONDOWN:
            self.are_keys = False
            for scene in self._stack.scenes:
                scene.widgets.shows_focus = False

    def take(self, event: pygame.event.Event) -> None:
        """Act on *event*, told from the window's corner."""
        if event.type == pygame.KEYDOWN and press((one for one in self._shortcuts() if one.comes_first), event):
            return
        if self._stack.top is not None:
            self._pass_to_scene(self._stack.top, event)

    def _pass_to_scene(self, scene: Scene, in_window: pygame.event.Event) -> None:
        """Have *in_window*, an event told from the window's corner, acted on."""
        widgets, page = scene.widgets, scene.widgets.page
        if in_window.type == pygame.MOUSEBUTTONDOWN and self._notices.rect.collidepoint(in_window.pos):
            self._notices.dismiss()
            widgets.window.invalidate()
            return
        dragged = page.dragged_by(in_window, self._paint)
        if dragged is not None:
            widgets.view_moved(dragged)
            return
        event = page.on_page(in_window)
        if widgets.handle(event) or scene.handle(event):
            return
        moved = page.moved_by(event, self._paint)
        if moved is not None:
            widgets.view_moved(moved)
        if moved is not None or event.type != pygame.KEYDOWN:
            return
        press(self._shortcuts(), event)
