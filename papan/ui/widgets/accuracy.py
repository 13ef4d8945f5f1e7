"""The accuracy of each player of a match, in a box for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from papan.ui.boards import Emblem
from papan.ui.drawing.theme import SeatStyle
from papan.ui.widgets.base import Widget, in_one

_ROW = 50
_GAP = 8
_PADDING = 12
_BADGE = 7
_EMBLEM = 24


@dataclass(frozen=True)
class Accurate:
    """A player and how accurate its turns were."""

    style: SeatStyle
    name: str
    value: str
    """In per cent; "" while it is not known."""
    emblem: Emblem | None = None
    """Draws the sign of what the player has, such as a god; None where there is none."""
    note: str = ""
    """What the sign stands for."""


class AccuracyBoxes(Widget):
    """Two boxes a row; the tooltip says what the numbers mean."""

    def __init__(self, tooltip: str) -> None:
        super().__init__("accuracy", tooltip)
        self.players: Sequence[Accurate] = ()

    def show_players(self, players: Sequence[Accurate]) -> None:
        """Show these from now on."""
        if players != self.players:
            self.players = players
            self.invalidate()

    def height_for(self, number: int) -> int:
        """The height that boxes for so many players need."""
        rows = (number + 1) // 2
        return rows * self.theme.px(_ROW) + (rows - 1) * self.theme.px(_GAP)

    def activate(self) -> None:
        """There is nothing to press: the ring brings the tooltip."""

    def utterance(self) -> str:
        told = [
            " ".join(part for part in (player.name, player.note if player.emblem else "", player.value) if part)
            for player in self.players
            if player.value
        ]
        return in_one(self.beside, *told, self.tooltip)

    def draw(self, surface: pygame.Surface) -> None:
        px, columns = self.theme.px, min(2, max(1, len(self.players)))
        width = (self.rect.w - (columns - 1) * px(_GAP)) // columns
        for place, player in enumerate(self.players):
            row, column = divmod(place, columns)
            left, top = self.rect.x + column * (width + px(_GAP)), self.rect.y + row * px(_ROW + _GAP)
            self._draw_box(surface, pygame.Rect(left, top, width, px(_ROW)), player)

    def _draw_box(self, surface: pygame.Surface, box: pygame.Rect, player: Accurate) -> None:
        paint, theme, px = self.paint, self.theme, self.theme.px
        paint.rounded_rect(surface, box, theme.background, line=theme.line if not theme.shadow else None)
        left, upper = box.x + px(_PADDING), box.y + px(16)
        paint.badge(surface, (left + px(_BADGE), upper), px(_BADGE), player.style)
        beside = left + 2 * px(_BADGE) + px(6)
        room = box.right - px(8) - beside
        paint.text(surface, player.name, (beside, upper), "small", theme.second, anchor="midleft", width=room)
        value, ink = (player.value, theme.ink) if player.value else ("–", theme.second)
        written = paint.text(surface, value, (left, box.y + px(36)), "heading", ink, anchor="midleft", tabular=True)
        if player.emblem is not None:
            self._draw_emblem(surface, box, written.right + px(8), player.emblem, player.note)

    def _draw_emblem(self, surface: pygame.Surface, box: pygame.Rect, least: int, emblem: Emblem, note: str) -> None:
        """Draw the sign at the right of *box*, and what it stands for beside it where there is room from *least* on."""
        paint, px = self.paint, self.theme.px
        side = px(_EMBLEM)
        at = pygame.Rect(box.right - px(8) - side, box.y + px(35) - side // 2, side, side)
        emblem(surface, at)
        if at.x - px(6) - paint.width(note, "small") >= least:
            paint.text(surface, note, (at.x - px(6), at.centery), "small", self.theme.second, anchor="midright")
