"""One sentence on what is expected of whom, behind the badge of the seat that it is about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pygame

from papan.ui.drawing.theme import SeatStyle
from papan.ui.widgets.base import Widget

_BADGE_LEFT, _BADGE = 32, 12
_TEXT_LEFT = 58


@dataclass(frozen=True)
class StatusView:
    """All that the line says."""

    style: SeatStyle
    """Of the seat that it is about."""
    request: str
    detail: str = ""
    """A second sentence on how or why, or ""."""
    is_refusal: bool = False
    """Whether the detail says why something can't be done."""


class StatusLine(Widget):
    """Draws a ``StatusView`` on the panel that the scene has drawn."""

    is_focusable = False

    def __init__(self, view: Callable[[], StatusView]) -> None:
        """:param view: asked for what to say now, in each frame."""
        super().__init__("status")
        self.view = view

    @property
    def is_telling(self) -> bool:
        return self.is_visible

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px, rect, view = self.paint, self.theme, self.theme.px, self.rect, self.view()
        paint.badge(surface, (rect.x + px(_BADGE_LEFT), rect.centery), px(_BADGE), view.style)
        left = rect.x + px(_TEXT_LEFT)
        width = rect.right - left
        if view.detail and paint.paragraph_height(view.detail, width, "small") > paint.line_height("small"):
            area = pygame.Rect(left, rect.y + px(26), width, px(40))
            paint.text(surface, view.request, (left, rect.y + px(16)), "strong", anchor="midleft", width=width)
        elif not view.detail and paint.width(view.request, "strong") > width:
            high = paint.paragraph_height(view.request, width, "strong", most_lines=2)
            area = pygame.Rect(left, rect.centery - high // 2, width, high)
            paint.paragraph(surface, view.request, area, "strong", most_lines=2)
            return
        else:
            middle = rect.centery - (px(11) if view.detail else 0)
            paint.text(surface, view.request, (left, middle), "strong", anchor="midleft", width=width)
            area = pygame.Rect(left, rect.centery + px(1), width, px(40))
        ink = theme.bad_ink if view.is_refusal else theme.second
        paint.paragraph(surface, view.detail, area, "small", ink, most_lines=2)
