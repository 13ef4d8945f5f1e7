"""Widgets that only show something: the status line, the "not saved" sign, figures, accuracies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from papan.ui.boards import Emblem
from papan.ui.drawing.theme import SeatStyle
from papan.ui.texts import _
from papan.ui.widgets.base import Widget, join_phrases

_BADGE_LEFT, _BADGE = 32, 12
_ICON_ROOM, _ICON = 32, 22
_WIDEST_TEXT = 250
_PADDING = 13
_ROW = 50
_GAP = 8
_BOX_PADDING = 12
_BOX_BADGE = 7


@dataclass(frozen=True)
class StatusView:
    """All that the status line shows."""

    style: SeatStyle
    """The seat that it is about."""
    request: str
    detail: str = ""
    """A second sentence that says how or why; "" for none."""
    is_refusal: bool = False
    """Whether the detail says why something can't be done."""


class StatusLine(Widget):
    """Draws a ``StatusView``; the scene draws the panel below it."""

    is_focusable = False
    stays_readable = True

    def __init__(self, view: Callable[[], StatusView]) -> None:
        super().__init__("status")
        self.view = view

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px, rect, view = self.paint, self.theme, self.theme.px, self.rect, self.view()
        paint.badge(surface, (rect.x + px(_BADGE_LEFT), rect.centery), px(_BADGE), view.style)
        left = rect.x + px(58)
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
        fits = paint.paragraph_height(view.detail, width, "small") <= 2 * paint.line_height("small")
        paint.paragraph(surface, view.detail, area, "small" if fits else "fine", ink, most_lines=2)


class SavingSign(Widget):
    """Warns that something is not saved yet, with the reason; the tooltip has all of it."""

    is_focusable = False

    def __init__(self) -> None:
        super().__init__("not saved")

    def tell(self, reason: str) -> None:
        """Show the reason; "" if it is unknown."""
        self.change(tooltip=reason)

    @property
    def natural_width(self) -> int:
        """The width needed, in real pixels."""
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


class Figure(Widget):
    """A label and, below it, a value."""

    def __init__(self, name: str, label: str, tooltip: str, note: str = "") -> None:
        super().__init__(name, tooltip)
        self.label = label
        self.value = ""
        self.note = note
        """Small text next to the value, such as whose it is."""

    def show_value(self, value: str) -> None:
        """Show *value*; "" shows a dash."""
        self.change(value=value)

    def utterance(self) -> str:
        return join_phrases(self.label, self.value, self.note if self.value else "", self.tooltip)

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px, rect = self.paint, self.theme, self.theme.px, self.rect
        paint.rounded_rect(surface, rect, theme.panel, line=theme.line)
        left, room = rect.x + px(_PADDING), rect.w - 2 * px(_PADDING)
        pitch = min(px(21), rect.h * 2 // 5)
        top = rect.centery - pitch // 2
        paint.text(surface, self.label, (left, top), "small", theme.second, anchor="midleft", width=room)
        value, ink = (self.value, theme.ink) if self.value else ("–", theme.second)
        written = paint.text(surface, value, (left, top + pitch), "heading", ink, anchor="midleft", width=room)
        rest = room - written.w - px(8)
        if self.note and self.value and rest > px(30):
            at = (written.right + px(8), top + pitch)
            paint.text(surface, self.note, at, "small", theme.second, anchor="midleft", width=rest)


@dataclass(frozen=True)
class PlayerAccuracy:
    style: SeatStyle
    name: str
    value: str
    """In per cent; "" if unknown."""
    emblem: Emblem | None = None
    """Draws the player's emblem, such as a god's."""
    note: str = ""
    """What the emblem means."""


class AccuracyBoxes(Widget):
    """The accuracies of all players, two boxes a row; the tooltip explains the numbers."""

    def __init__(self, tooltip: str) -> None:
        super().__init__("accuracy", tooltip)
        self.players: Sequence[PlayerAccuracy] = ()

    def height_for(self, number: int) -> int:
        """The height needed for *number* players."""
        rows = (number + 1) // 2
        return rows * self.theme.px(_ROW) + (rows - 1) * self.theme.px(_GAP)

    def utterance(self) -> str:
        told = [
            " ".join(part for part in (player.name, player.note if player.emblem else "", player.value) if part)
            for player in self.players
            if player.value
        ]
        return join_phrases(self.beside, *told, self.tooltip)

    def draw(self, surface: pygame.Surface) -> None:
        px, columns = self.theme.px, min(2, max(1, len(self.players)))
        width = (self.rect.w - (columns - 1) * px(_GAP)) // columns
        for place, player in enumerate(self.players):
            row, column = divmod(place, columns)
            left, top = self.rect.x + column * (width + px(_GAP)), self.rect.y + row * px(_ROW + _GAP)
            self._draw_box(surface, pygame.Rect(left, top, width, px(_ROW)), player)

    def _draw_box(self, surface: pygame.Surface, box: pygame.Rect, player: PlayerAccuracy) -> None:
        paint, theme, px = self.paint, self.theme, self.theme.px
        paint.rounded_rect(surface, box, theme.background, line=theme.line if not theme.shadow else None)
        left, upper = box.x + px(_BOX_PADDING), box.y + px(16)
        paint.badge(surface, (left + px(_BOX_BADGE), upper), px(_BOX_BADGE), player.style)
        beside = left + 2 * px(_BOX_BADGE) + px(6)
        room = box.right - px(8) - beside
        paint.text(surface, player.name, (beside, upper), "small", theme.second, anchor="midleft", width=room)
        value, ink = (player.value, theme.ink) if player.value else ("–", theme.second)
        written = paint.text(surface, value, (left, box.y + px(36)), "heading", ink, anchor="midleft", tabular=True)
        if player.emblem is not None:
            self._draw_emblem(surface, box, written.right + px(8), player.emblem, player.note)

    def _draw_emblem(self, surface: pygame.Surface, box: pygame.Rect, least: int, emblem: Emblem, note: str) -> None:
        """Draw the emblem at the right of *box*, and its note next to it if that fits to the right of *least*."""
        paint, px = self.paint, self.theme.px
        side = px(24)
        at = pygame.Rect(box.right - px(8) - side, box.y + px(35) - side // 2, side, side)
        emblem(surface, at)
        if at.x - px(6) - paint.width(note, "small") >= least:
            paint.text(surface, note, (at.x - px(6), at.centery), "small", self.theme.second, anchor="midright")
