"""Paragraphs that scroll where they need more room than they have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pygame

from papan.ui.drawing.theme import Colour, TextStyle
from papan.ui.widgets.page import BAR
from papan.ui.widgets.scroll import Scroll

_BAR_GAP = 8
"""Between the text and the scroll bar, in design pixels."""


class Paragraph(NamedTuple):
    text: str
    """With ``**`` around bold words."""
    style: TextStyle
    ink: Colour
    apart: int = 0
    """The distance from the paragraph before, in design pixels."""


class Paragraphs(Scroll):
    """Paragraphs, never cut: they scroll if they are too long. Tab stops here only then."""

    stays_readable = True
    bar_margin = 0

    def __init__(self, name: str) -> None:
        super().__init__(name, self._draw_paragraphs, is_ringed=True)
        self.is_focusable = False
        self._told: Sequence[Paragraph] = ()
        self._places: list[pygame.Rect] = []
        """Each paragraph's place below the top of the first, in real pixels."""
        self._reveals_last = False

    @property
    def _is_alone(self) -> bool:
        return False

    def tell(self, paragraphs: Sequence[Paragraph], *, reveals_last: bool = False) -> None:
        """Show *paragraphs* from the first on.

        :param reveals_last: whether the last one is scrolled into sight, if it was not there before.
        """
        before = {one.text for one in self._told}
        if list(paragraphs) == list(self._told):
            return
        self._told, self._reveals_last = tuple(paragraphs), reveals_last
        self._measure()
        if not reveals_last:
            self.scroll_to(0)
        elif paragraphs[-1].text not in before:
            self._reveal_last()
        else:
            self.scroll_to(self.top)

    def place(self, rect: pygame.Rect) -> None:
        is_another = rect.size != self.rect.size
        self.rect = rect.copy()
        if is_another:
            self._measure()
        super().place(rect)
        if is_another and self._reveals_last:
            self._reveal_last()

    def utterance(self) -> str:
        return " ".join(one.text for one in self._told)

    def _measure(self) -> None:
        """Find each paragraph's place; beside a scroll bar if there must be one."""
        if not self.rect.w:
            return
        self._set_places(self.rect.w)
        self.is_focusable = self.full_height > self.rect.h
        if self.is_focusable:
            self._set_places(self.rect.w - self.theme.px(BAR) - self.theme.px(_BAR_GAP))

    def _set_places(self, width: int) -> None:
        self._places, top = [], 0
        for number, one in enumerate(self._told):
            top += self.theme.px(one.apart) if number else 0
            place = pygame.Rect(0, top, width, self.paint.paragraph_height(one.text, width, one.style))
            self._places.append(place)
            top = place.bottom
        self.full_height = top

    def _reveal_last(self) -> None:
        """Scroll to the end, or to the beginning of the last paragraph if that does not fit."""
        if self._places:
            self.scroll_to(self._places[-1].y)

    def _draw_paragraphs(self, surface: pygame.Surface, top: int) -> None:
        for one, place in zip(self._told, self._places, strict=True):
            area = place.move(self.rect.x, top)
            if area.colliderect(surface.get_clip()):
                self.paint.paragraph(surface, one.text, area, one.style, one.ink)
