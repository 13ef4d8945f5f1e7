"""What is on the screen: frames are drawn beside it, and shown once they are whole."""

from __future__ import annotations

import pygame


class Screen:
    """The surface of *window*, and the frame that is being drawn for it."""

    def __init__(self, window: pygame.Window) -> None:
        self._window = window
        self.surface = window.get_surface()
        """What is on the screen, once ``show`` has been called."""
        self._shown = self._next = self._blank()
        self._stretched_to = self._shown.get_size()

    def _blank(self) -> pygame.Surface:
        """A surface of the size and the colours of the window's."""
        return pygame.Surface(self.surface.get_size(), 0, self.surface)

    def follow(self) -> None:
        """Take up the window's size."""
        self.surface = self._window.get_surface()

    def frame(self) -> pygame.Surface:
        """The surface for the next frame. What was drawn on it before is still there."""
        if self._next is self._shown or self._next.get_size() != self.surface.get_size():
            self._next = self._blank()
        return self._next

    def show(self) -> None:
        """Show the frame."""
        self.surface.blit(self._next, (0, 0))
        self._window.flip()
        self._shown, self._next = self._next, self._shown
        self._stretched_to = self._shown.get_size()

    def wait(self) -> None:
        """Go on showing the last frame, stretched where the window has another size by now."""
        size = self.surface.get_size()
        if size != self._stretched_to:
            # Not smoothly: that takes ten times as long, for what is seen a moment.
            pygame.transform.scale(self._shown, size, self.surface)
            self._window.flip()
            self._stretched_to = size
