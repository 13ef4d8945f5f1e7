"""Players to choose among: a card with a face, a name and a line; and a seat with the one that sits there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from papan.ui.drawing.faces import face_of
from papan.ui.drawing.theme import BUTTON_RADIUS, PANEL_RADIUS, TextStyle, mix
from papan.ui.texts import _
from papan.ui.widgets.base import Widget, in_one
from papan.ui.widgets.buttons import Pressable
from papan.ui.widgets.dropdown import Dropdown, Item
from papan.ui.widgets.shortcuts import Shortcut

_PADDING = 6
_TITLE = 22
_MOST_LINES = 3
_LARGEST_FACE, _SMALLEST_FACE = 120, 36
_SEAT_FACE = 38
_SEAT_PADDING = 10
_LINE_APART = 19
_CHECK = 16


def card_text_height(card: Widget, line: str, width: int) -> int:
    """The height that the *line* of a card takes, which is *width* wide; in real pixels."""
    room = width - 2 * card.theme.px(_PADDING)
    return card.paint.paragraph_height(line, room, "small", _MOST_LINES)


class PlayerCard(Pressable):
    """A player that can be chosen for a seat."""

    def __init__(self, face: str, title: str, line: str, act: Callable[[], object], *, name: str) -> None:
        super().__init__(act, name)
        self.face = face
        self.title = title
        self.line = line
        self.is_chosen = False
        self.text_height = 0
        """The height kept for the line, so that the faces of several cards are of one size."""

    def utterance(self) -> str:
        return in_one(self.title, self.line, _("chosen") if self.is_chosen else "")

    def draw(self, surface: pygame.Surface) -> None:
        draw_card(surface, self, self.face, self.title, self.line, self.text_height, is_chosen=self.is_chosen)

    def draw_focus(self, surface: pygame.Surface) -> None:
        self.paint.focus_ring(surface, self.rect, self.theme.px(BUTTON_RADIUS + 2))


class MorePlayers(Dropdown):
    """The card that opens a list of all other players, and shows the one of them that is chosen."""

    def __init__(
        self, face: str, title: str, line: str, items: Sequence[Item], changed: Callable[[str], object], *, name: str
    ) -> None:
        """:param title: what it says while none of its players is chosen."""
        super().__init__(items, items[0].value, changed, name=name)
        self._face = face
        self._title = title
        self._line = line
        self.is_chosen = False
        self.text_height = 0

    @property
    def _index(self) -> int:
        return super()._index if self.is_chosen else 0

    @property
    def face(self) -> str:
        """That of the player that is chosen, or of any computer."""
        return face_of(self.value) if self.is_chosen else self._face

    @property
    def title(self) -> str:
        """The name of the player that is chosen, or what the card is for."""
        return self.chosen_item.label if self.is_chosen else self._title

    @property
    def line(self) -> str:
        """A line about that."""
        return self.chosen_item.note if self.is_chosen else self._line

    def show_chosen(self, value: str) -> None:
        """Show the player *value*, if it is one of the list."""
        self.is_chosen = any(item.value == value for item in self.items)
        self.value = value if self.is_chosen else ""
        self.invalidate()

    def choose(self, value: str) -> None:
        """Call ``changed`` with *value*; ``show_chosen`` follows."""
        self.changed(value)

    def utterance(self) -> str:
        return in_one(self.title, self.line, _("chosen") if self.is_chosen else "")

    def key(self, event: pygame.event.Event) -> bool:
        return Widget.key(self, event)  # arrows lead to other cards

    def keys(self) -> Sequence[Shortcut]:
        return ()

    def draw(self, surface: pygame.Surface) -> None:
        draw_card(surface, self, self.face, self.title, self.line, self.text_height, is_chosen=self.is_chosen)

    def draw_focus(self, surface: pygame.Surface) -> None:
        self.paint.focus_ring(surface, self.rect, self.theme.px(BUTTON_RADIUS + 2))


def draw_card(
    surface: pygame.Surface, card: Pressable, face: str, title: str, line: str, text_height: int, *, is_chosen: bool
) -> None:
    """Draw a player's *card*: the face, the title and a line below one another; what is chosen has a check mark."""
    theme, paint, px, rect = card.theme, card.paint, card.theme.px, card.rect
    fill = theme.accent_soft if is_chosen else theme.panel
    if card.is_pressed or card.is_pointed_at:
        fill = mix(fill, theme.pressed if card.is_pressed else theme.hover, 0.7)
    line_colour = theme.accent if is_chosen else theme.line
    width = max(2, px(2)) if is_chosen else None
    paint.rounded_rect(surface, rect, fill, px(BUTTON_RADIUS + 2), line=line_colour, line_width=width)
    text = text_height or card_text_height(card, line, rect.w)
    above = rect.h - text - px(_TITLE) - px(_PADDING)
    diameter = max(px(_SMALLEST_FACE), min(px(_LARGEST_FACE), above - px(_PADDING), rect.w - 2 * px(_PADDING)))
    top = rect.y + max(px(_PADDING), (above - diameter + px(_PADDING)) // 2)
    paint.face(surface, face, (rect.centerx, top + diameter // 2), diameter // 2)
    room = rect.w - 2 * px(_PADDING)
    middle = top + diameter + px(_TITLE) // 2 + px(2)
    style: TextStyle = "strong" if paint.width(title, "strong") <= room else "small strong"
    paint.text(surface, title, (rect.centerx, middle), style, anchor="center", width=room)
    below = pygame.Rect(rect.x + px(_PADDING), middle + px(_TITLE) // 2, room, text)
    paint.paragraph(surface, line, below, "small", theme.second, align="center", most_lines=_MOST_LINES)
    if is_chosen:
        at = (rect.right - px(_PADDING) - px(_CHECK) // 2, rect.y + px(_PADDING) + px(_CHECK) // 2)
        paint.icon(surface, "check", at, theme.accent, px(_CHECK))


class SeatButton(Pressable):
    """A seat with the player that sits there; pressed, it is the one to choose for."""

    def __init__(self, number: int, act: Callable[[], object], *, name: str) -> None:
        """:param number: of the seat, from 1; 0 where there is only one."""
        super().__init__(act, name)
        self.number = number
        self.face = ""
        self.title = ""
        self.line = ""
        self.is_chosen = False

    def show_player(self, face: str, title: str, line: str, *, is_chosen: bool) -> None:
        """Show the player with this *face*.

        :param is_chosen: whether the cards below are about this seat.
        """
        self.face, self.title, self.line, self.is_chosen = face, title, line, is_chosen
        self.tooltip = line
        self.invalidate()

    def utterance(self) -> str:
        seat = _("Player {number}").format(number=self.number) if self.number else ""
        return in_one(seat, self.title, self.line, _("chosen") if self.is_chosen else "")

    def draw(self, surface: pygame.Surface) -> None:
        theme, paint, px, rect = self.theme, self.paint, self.theme.px, self.rect
        fill = theme.pressed if self.is_pressed else theme.hover if self.is_pointed_at else theme.panel
        line = theme.accent if self.is_chosen else theme.line
        width = max(2, px(2)) if self.is_chosen else None
        paint.rounded_rect(surface, rect, fill, px(PANEL_RADIUS - 2), line=line, line_width=width)
        radius = px(_SEAT_FACE) // 2
        left = rect.x + px(_SEAT_PADDING) + radius
        paint.face(surface, self.face, (left, rect.centery), radius)
        if self.number:
            at = (left - radius + px(5), rect.centery - radius + px(6))
            paint.disc(surface, at, px(9), theme.panel)
            paint.disc(surface, at, px(8), theme.pill)
            paint.text(surface, str(self.number), at, "tiny", theme.on_pill, anchor="center")
        left += radius + px(_SEAT_PADDING)
        room = rect.right - px(_SEAT_PADDING) - left
        middle = rect.centery - px(_LINE_APART) // 2
        paint.text(surface, self.title, (left, middle), "strong", anchor="midleft", width=room)
        below = (left, middle + px(_LINE_APART))
        paint.text(surface, self.line, below, "small", theme.second, anchor="midleft", width=room)

    def draw_focus(self, surface: pygame.Surface) -> None:
        self.paint.focus_ring(surface, self.rect, self.theme.px(PANEL_RADIUS - 2))
