"""The header of a scene: back button, title, a pill with a few words, and buttons."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from papan.ui.drawing.theme import BUTTON_HEIGHT, MARGIN
from papan.ui.scenes import News, Scene
from papan.ui.texts import _
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.dropdown import MenuButton

HEADER_HEIGHT = 68
"""In design pixels; the scene's own widgets begin below it."""
HEADER_TOP = 14
NARROW = 900
"""The page width, in design pixels, below which panels are stacked."""
_TITLE_LEFT = 74
_PILL_GAP = 14
_PILL_PADDING = 20
_BUTTON_GAP = 8


class HeaderScene(Scene):
    """A scene with a header. Subclasses call its ``build`` and ``layout``."""

    title = ""
    pill = ""
    """The text of the pill; no pill for ""."""
    header_right = 0
    """The right limit of title and pill, in real pixels."""

    def is_narrow(self, width: int) -> bool:
        """Whether panels are stacked on a page of *width*, in real pixels."""
        return width < self.px(NARROW)

    def build(self) -> None:
        self._back = self.widgets.add(IconButton("back", _("Back"), self.back, name="back"))

    def layout(self, area: pygame.Rect) -> None:
        px = self.px
        self._back.place(pygame.Rect(px(MARGIN), px(HEADER_TOP), px(BUTTON_HEIGHT), px(BUTTON_HEIGHT)))
        self.header_right = area.right - px(MARGIN)

    def place_in_header(self, area: pygame.Rect, buttons: Sequence[Button]) -> None:
        """Place *buttons* at the right of the header, the first outermost.

        If they leave no room for the title, they lose their labels, the innermost first.
        """
        px, right = self.px, area.right - self.px(MARGIN)
        shown = [button for button in buttons if button.is_visible]
        title = px(_TITLE_LEFT) + self.paint.width(self.title, "title") + px(_PILL_GAP)
        fold(shown, right - title, px(_BUTTON_GAP))
        for button in shown:
            size = button.natural_size
            button.place(pygame.Rect(right - size[0], px(HEADER_TOP), *size))
            right -= size[0] + px(_BUTTON_GAP)
        self.header_right = right - px(_PILL_GAP - _BUTTON_GAP)

    def news(self) -> Sequence[News]:
        return (News(self.title),)

    def draw(self, surface: pygame.Surface) -> None:
        self.draw_header(surface, self.pill)

    def draw_header(self, surface: pygame.Surface, pill: str) -> None:
        """Draw the title, and the *pill* if it fits."""
        px, middle = self.px, self._back.rect.centery
        at, room = (px(_TITLE_LEFT), middle), self.header_right - px(_TITLE_LEFT)
        title = self.paint.text(surface, self.title, at, "title", anchor="midleft", width=room, shrinks=True)
        left = title.right + px(_PILL_GAP)
        if pill and left + self.paint.width(pill, "small strong") + px(_PILL_PADDING) <= self.header_right:
            self.paint.pill(surface, pill, (left, middle))


def fold(buttons: Sequence[Button | MenuButton], room: int, gap: int) -> None:
    """Hide labels of *buttons*, the last first, until they fit into *room* side by side, *gap* apart."""
    for button in buttons:
        button.fold(False)
    for button in reversed(buttons):
        if sum(one.natural_size[0] + gap for one in buttons) <= room:
            break
        button.fold()
