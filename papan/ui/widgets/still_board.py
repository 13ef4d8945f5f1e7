"""A board to look at: its cells can't be pointed at, and the wheel goes through the match."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from papan.ui.boards import BoardView, Picture
from papan.ui.widgets.base import Widget


class StillBoard(Widget):
    """Shows a board view that takes no clicks."""

    is_focusable = False

    def __init__(self, view: BoardView, picture: Callable[[], Picture], turn_wheel: Callable[[int], object]) -> None:
        """:param picture: asked for what to draw, in each frame.
        :param turn_wheel: called with how many turns to go on; a negative number goes back.
        """
        super().__init__("board")
        self.view = view
        self._picture = picture
        self._turn_wheel = turn_wheel

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        self.view.layout(rect)

    def draw(self, surface: pygame.Surface) -> None:
        self.view.draw(surface, self._picture())

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEWHEEL and self.is_hovered and event.y:
            self._turn_wheel(-event.y)
            return True
        return False
