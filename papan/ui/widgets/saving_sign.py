"""The sign that something is not saved yet, with the reason below."""

from __future__ import annotations

import pygame

from papan.ui.texts import _
from papan.ui.widgets.base import Widget

_ICON_ROOM, _ICON = 32, 22
_WIDEST_TEXT = 250


class SavingSign(Widget):
    """Says that something is not saved yet; the tooltip has the whole reason, of which the sign may show a part."""

    is_focusable = False

    def __init__(self) -> None:
        super().__init__("not saved")

    def tell(self, reason: str) -> None:
        """Say why; "" where that is not known."""
        if reason != self.tooltip:
            self.tooltip = reason
            self.invalidate()

    @property
    def natural_width(self) -> int:
        """The width that the sign needs, in real pixels."""
        px, paint = self.theme.px, self.paint
        reason = min(paint.width(self.tooltip, "small"), px(_WIDEST_TEXT))
        return px(_ICON_ROOM) + max(paint.width(_("Not saved yet"), "strong"), reason)

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px, rect = self.paint, self.theme, self.theme.px, self.rect
        paint.icon(surface, "warning", (rect.x + px(_ICON // 2), rect.centery), theme.bad_ink, px(_ICON))
        left, middle = rect.x + px(_ICON_ROOM), rect.centery - (px(9) if self.tooltip else 0)
        room = rect.right - left
        paint.text(surface, _("Not saved yet"), (left, middle), "strong", theme.bad_ink, anchor="midleft", width=room)
        if self.tooltip:
            below = (left, rect.centery + px(11))
            paint.text(surface, self.tooltip, below, "small", theme.second, anchor="midleft", width=room)
