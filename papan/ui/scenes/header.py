"""The strip at the top of a scene: the way back, a title, and a pill with a few words beside it."""

from __future__ import annotations

import pygame

from papan.ui.drawing.theme import BUTTON_HEIGHT, MARGIN
from papan.ui.scenes import Scene
from papan.ui.texts import _
from papan.ui.widgets.buttons import IconButton

HEADER_HEIGHT = 68
"""In the sketches' pixels; the scene's own widgets begin below it."""
_TOP = 14
_TITLE_LEFT = 74
_PILL_GAP = 14


class HeaderScene(Scene):
    """A scene with a header. Call ``build`` and ``layout`` of this class from the subclass's."""

    title = ""
    pill = ""
    """The text of the pill beside the title; none for ""."""

    def build(self) -> None:
        self._back = self.widgets.add(IconButton("back", _("Back"), self.back, name="back"))

    def layout(self, area: pygame.Rect) -> None:
        px = self.px
        self._back.place(pygame.Rect(px(MARGIN), px(_TOP), px(BUTTON_HEIGHT), px(BUTTON_HEIGHT)))

    def draw(self, surface: pygame.Surface) -> None:
        self.draw_header(surface, self.pill)

    def draw_header(self, surface: pygame.Surface, pill: str, right: int | None = None) -> None:
        """Draw the title and the *pill* beside it.

        :param right: the right edge of the pill at most, where something follows.
        """
        px, middle = self.px, self._back.rect.centery
        title = self.paint.text(surface, self.title, (px(_TITLE_LEFT), middle), "title", anchor="midleft")
        if pill:
            left = title.right + px(_PILL_GAP)
            self.paint.pill(surface, pill, (left, middle), width=None if right is None else right - left)
