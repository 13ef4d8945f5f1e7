"""pygame_gui's button without its looks: it knows when it is hovered, held and pressed, and we paint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pygame
from pygame_gui import UI_BUTTON_PRESSED
from pygame_gui.elements import UIButton

State = Literal["normal", "hovered", "active", "selected", "disabled"]

_NOTHING = pygame.Surface((0, 0))


class _Shape:
    """What pygame_gui calls a drawable shape, reduced to a place and the name of a state."""

    def __init__(self, rect: pygame.Rect, changed: Callable[[], None]) -> None:
        self.rect = rect.copy()
        self.state: State = "normal"
        self._changed = changed

    def set_active_state(self, state: State) -> None:
        """pygame_gui says what the button is going through."""
        if state != self.state:
            self.state = state
            self._changed()

    def collide_point(self, point: tuple[float, float]) -> bool:
        """Whether *point* is on the button."""
        return self.rect.collidepoint(point)

    def set_position(self, point: tuple[int, int]) -> None:
        """The button has moved."""
        self.rect.topleft = point

    def set_dimensions(self, size: tuple[int, int]) -> bool:
        """The button has another size; there is no new picture to take."""
        self.rect.size = size
        return False

    def update(self, seconds: float) -> None:
        """Nothing fades."""

    def has_fresh_surface(self) -> bool:
        """There is never a picture."""
        return False

    def get_fresh_surface(self) -> pygame.Surface:
        """There is never a picture."""
        return _NOTHING


class Pressable(UIButton):  # type: ignore[misc] # pygame_gui has no types
    """A pygame_gui button that draws nothing."""

    def __init__(
        self, rect: pygame.Rect, manager: Any, pressed: Callable[[], None], changed: Callable[[], None]
    ) -> None:
        self._changed = changed
        self.drawable_shape: _Shape
        super().__init__(rect, "", manager, command={UI_BUTTON_PRESSED: lambda _: pressed()})

    def rebuild(self) -> None:
        """Instead of a picture for each state: a name for it."""
        state: State = "normal" if self.is_enabled else "disabled"
        self.drawable_shape = _Shape(self.rect, self._changed)
        self.drawable_shape.state = state

    @property
    def state(self) -> State:
        """What the button is going through."""
        return self.drawable_shape.state
