"""A card for each seat: its player, what it plays with, its clock or score, and whether it is on move."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from papan.game.rules import Outcome
from papan.ui.boards import Emblem
from papan.ui.drawing.theme import Colour, SeatStyle, TextStyle, mix
from papan.ui.texts import _
from papan.ui.widgets.base import Widget

_PADDING = 16
_BADGE = 17
_BADGE_MIDDLE = 33
_FACE = 20
_SMALL_BADGE = 8
_BESIDE_FACE = 14
"""From the middle of a face to that of the badge at its edge, across and down."""
_TEXT_LEFT = 66
_LINE = 20
"""From the middle of the name to that of the line below it."""
_EMBLEM = 22
"""The side of the sign before the fact: a god's."""
_DOT_SECONDS = 0.9
_DOTS = 36


@dataclass(frozen=True)
class SeatView:
    """All that a card shows."""

    style: SeatStyle
    name: str
    note: str
    """What its seat may do, or what its player is or does: a line, or two where the card is high."""
    fact: str = ""
    """The seat's god, its colour … or "", beside the name."""
    emblem: Emblem | None = None
    """Stands before the fact."""
    face: str = ""
    """The face of the player, which then stands where the badge would; "" for none."""
    outcome: Outcome | None = None
    """Once the game is over."""
    clock: str = ""
    """The time left, where there is a clock."""
    is_short: bool = False
    """Whether little time is left."""
    score: str = ""
    """Its points, where the game counts some."""
    explanation: str = ""
    """The card in full, shown while the pointer or the keyboard is on it: what the god may do, who plays."""
    is_active: bool = False
    is_thinking: bool = False


class SeatCard(Widget):
    """Draws one ``SeatView``; the keyboard comes here to have it explained."""

    def __init__(self, seat: int, view: SeatView) -> None:
        super().__init__(f"seat {seat + 1}", view.explanation)
        self.view = view
        self._seconds = 0.0

    def show_view(self, view: SeatView) -> None:
        """Show *view* from now on."""
        if view != self.view:
            self.view = view
            self.tooltip = view.explanation
            self.invalidate()

    def update(self, seconds: float) -> None:
        if not self.view.is_thinking:
            self._seconds = 0.0
            return
        before = int(self._seconds / _DOT_SECONDS * 3)
        self._seconds += seconds
        if int(self._seconds / _DOT_SECONDS * 3) != before:
            self.invalidate()

    # -------------------------------------------------------------------------------------- drawing

    def draw(self, surface: pygame.Surface) -> None:
        paint, px = self.paint, self.theme.px
        view, rect = self.view, self.rect
        if view.is_active:
            paint.panel(surface, rect, line=view.style.colour, line_width=max(2, px(2)))
        else:
            paint.panel(surface, rect)
        self._draw_badge(surface)
        left, edge = rect.x + px(_TEXT_LEFT), rect.right - px(_PADDING)
        lines = view.note.split("\n") if view.note else []
        apart = min(px(_LINE), rect.h // 3)
        top = rect.centery - len(lines) * apart // 2
        figures = self._draw_figures(surface, edge)
        longest = max((paint.width(line, "small") for line in lines), default=0)
        is_below = longest > figures - self._outcome_width() - px(12) - left  # then the lines need its room
        right = self._draw_outcome(surface, (figures, top if is_below else rect.centery)) - px(12)
        room = right - left - (px(_DOTS) if view.is_thinking else 0)
        end = self._draw_name(surface, (left, top), room)
        if view.is_thinking:
            self._draw_dots(surface, end + px(10), top)
        for number, line in enumerate(lines, start=1):
            at = (left, top + number * apart)
            room, ink = (figures if is_below else right) - left, self.theme.second
            paint.text(surface, line, at, "small", ink, anchor="midleft", width=room, shrinks=True)

    def _draw_badge(self, surface: pygame.Surface) -> None:
        """Draw the seat's badge, or its player's face with the badge at its edge."""
        px, view = self.theme.px, self.view
        middle = (self.rect.x + px(_BADGE_MIDDLE), self.rect.centery)
        if view.face:
            self.paint.face(surface, view.face, middle, px(_FACE), ring=view.style.colour)
            at = (middle[0] - px(_BESIDE_FACE), middle[1] + px(_BESIDE_FACE))
            self.paint.disc(surface, at, px(_SMALL_BADGE) + max(1, px(2)), self.theme.panel)
            self.paint.badge(surface, at, px(_SMALL_BADGE), view.style)
        else:
            self.paint.badge(surface, middle, px(_BADGE), view.style)

    def _draw_name(self, surface: pygame.Surface, at: tuple[int, int], room: int) -> int:
        """Draw the name and the fact; returns where they end. The fact gives way first, then the name is cut."""
        paint, px, view = self.paint, self.theme.px, self.view
        name = paint.text(surface, view.name, at, "strong", anchor="midleft", width=room)
        left = at[0] + room - name.right
        sign = px(_EMBLEM + 8) if view.emblem else 0
        fact = view.fact if view.emblem else f"· {view.fact}"
        if not view.fact or sign + paint.width("· …", "small") > left - px(6):
            return name.right
        if view.emblem:
            side = px(_EMBLEM)
            view.emblem(surface, pygame.Rect(name.right + px(8), at[1] - side // 2, side, side))
            left -= sign
        start = (name.right + px(6) + sign, at[1])
        return paint.text(surface, fact, start, "small", self.theme.second, anchor="midleft", width=left - px(6)).right

    def _draw_figures(self, surface: pygame.Surface, right: int) -> int:
        """Draw the clock and the score, ending at *right*; returns where there is room from on."""
        theme, view = self.theme, self.view
        if view.clock:
            ink = theme.bad_ink if view.is_short else theme.ink if view.is_active else theme.second
            right = self._draw_figure(surface, view.clock, right, "heading", ink)
        if view.score:
            right = self._draw_figure(surface, view.score, right, "title", theme.ink)
        return right

    @property
    def _outcome_words(self) -> str:
        words = {"won": _("won"), "lost": _("lost"), "draw": _("draw")}
        return words.get(self.view.outcome or "", "")

    def _outcome_width(self) -> int:
        words = self._outcome_words
        return self.paint.pill_width(words) + self.theme.px(10) if words else 0

    def _draw_outcome(self, surface: pygame.Surface, at: tuple[int, int]) -> int:
        """Draw the outcome, the middle of its right side *at* there; returns where there is room from on."""
        theme, words = self.theme, self._outcome_words
        if not words:
            return at[0]
        ink = {"won": theme.good_ink, "lost": theme.bad_ink}.get(self.view.outcome or "", theme.second)
        fill = mix(theme.panel, ink, 0.1)
        return self.paint.pill(surface, words, at, anchor="midright", ink=ink, fill=fill).left - theme.px(10)

    def _draw_figure(self, surface: pygame.Surface, text: str, right: int, style: TextStyle, ink: Colour) -> int:
        at = (right, self.rect.centery)
        drawn = self.paint.text(surface, text, at, style, ink, anchor="midright", tabular=True)
        return drawn.left - self.theme.px(10)

    def _draw_dots(self, surface: pygame.Surface, left: int, middle: int) -> None:
        """Draw three dots that light up in turn while the player thinks."""
        px = self.theme.px
        lit = int(self._seconds / _DOT_SECONDS * 3) % 3
        for dot in range(3):
            colour = self.view.style.ink if dot == lit else self.theme.line
            self.paint.disc(surface, (left + dot * px(9), middle), px(3), colour)


def explained(player: str, fact: str, power: str) -> str:
    """A seat's card in full: the *player*, and below what its seat is, by the *fact* on the card, and may do."""
    words = f"**{fact}**: {power}" if fact and power else fact or power
    return "\n".join(line for line in (player, words) if line)
