"""Players: cards to choose them, buttons for the seats, and a card for each seat during a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pygame

from papan.game.rules import Outcome
from papan.ui.boards import Emblem
from papan.ui.drawing.faces import face_of
from papan.ui.drawing.theme import BUTTON_RADIUS, PANEL_RADIUS, Colour, SeatStyle, TextStyle, Theme, mix
from papan.ui.texts import _
from papan.ui.widgets.base import Widget, join_phrases
from papan.ui.widgets.buttons import Pressable
from papan.ui.widgets.choices import Segments
from papan.ui.widgets.dropdown import Dropdown, Item

_PADDING = 6
_TITLE = 22
_MOST_LINES = 3
_LARGEST_FACE, _SMALLEST_FACE = 120, 36
_SEAT_FACE = 38
_SEAT_PADDING = 10
_LINE_APART = 19
_CHECK = 16
_SEAT_CARD_PADDING = 16
_BADGE = 17
_BADGE_MIDDLE = 33
_FACE = 20
_SMALL_BADGE = 8
_BESIDE_FACE = 14
"""The distance from a face's middle to its badge's, across and down."""
_TEXT_LEFT = 66
_LINE = 20
"""From the middle of the name to that of the line below it."""
_EMBLEM = 22
"""The side of the emblem before the fact: a god's."""
_DOT_SECONDS = 0.9
_DOTS = 36


def least_card_height(theme: Theme, text_height: int) -> int:
    """The least height of a card with a line of this height, in real pixels."""
    return theme.px(_SMALLEST_FACE) + theme.px(_TITLE) + text_height + 3 * theme.px(_PADDING)


def card_text_height(card: Widget, line: str, width: int) -> int:
    """The height of the *line* on a card of this *width*, in real pixels."""
    room = width - 2 * card.theme.px(_PADDING)
    return card.paint.paragraph_height(line, room, "small", _MOST_LINES)


class _Card(Pressable):
    """Face, title and line, one below the other; the chosen card has a check mark."""

    focus_radius = BUTTON_RADIUS + 2
    is_chosen = False
    text_height = 0
    """The height reserved for the line, so that the faces of all cards have one size; 0: only the tooltip has it."""
    face: str
    title: str
    line: str

    def utterance(self) -> str:
        return join_phrases(self.title, self.line, _("chosen") if self.is_chosen else "")

    @property
    def explanation(self) -> str:
        return "" if self.text_height else self.line

    def draw(self, surface: pygame.Surface) -> None:
        theme, paint, px, rect = self.theme, self.paint, self.theme.px, self.rect
        fill = theme.accent_soft if self.is_chosen else theme.panel
        if self.is_pressed or self.is_pointed_at:
            fill = mix(fill, theme.pressed if self.is_pressed else theme.hover, 0.7)
        line = theme.accent if self.is_chosen else theme.line
        width = max(2, px(2)) if self.is_chosen else None
        paint.rounded_rect(surface, rect, fill, px(BUTTON_RADIUS + 2), line=line, line_width=width)
        text = self.text_height
        above = rect.h - text - px(_TITLE) - px(_PADDING)
        diameter = max(px(_SMALLEST_FACE), min(px(_LARGEST_FACE), above - px(_PADDING), rect.w - 2 * px(_PADDING)))
        top = rect.y + max(px(_PADDING), (above - diameter + px(_PADDING)) // 2)
        paint.face(surface, self.face, (rect.centerx, top + diameter // 2), diameter // 2)
        room = rect.w - 2 * px(_PADDING)
        middle = top + diameter + px(_TITLE) // 2 + px(2)
        style: TextStyle = "strong" if paint.width(self.title, "strong") <= room else "small strong"
        paint.text(surface, self.title, (rect.centerx, middle), style, anchor="center", width=room)
        below = pygame.Rect(rect.x + px(_PADDING), middle + px(_TITLE) // 2, room, text)
        if text:
            paint.paragraph(surface, self.line, below, "small", theme.second, align="center", most_lines=_MOST_LINES)
        if self.is_chosen:
            at = (rect.right - px(_PADDING) - px(_CHECK) // 2, rect.y + px(_PADDING) + px(_CHECK) // 2)
            paint.icon(surface, "check", at, theme.accent, px(_CHECK))


class PlayerCard(_Card):
    """A player that can be chosen for a seat."""

    def __init__(self, face: str, title: str, line: str, act: Callable[[], object], *, name: str) -> None:
        super().__init__(act, name)
        self.face = face
        self.title = title
        self.line = line


class MorePlayers(_Card, Dropdown):
    """The card that opens a menu of all other players, and shows the chosen one."""

    key_help: Mapping[str, str] = {}

    def __init__(
        self, face: str, title: str, line: str, items: Sequence[Item], changed: Callable[[str], object], *, name: str
    ) -> None:
        """:param title: shown while none of its players is chosen."""
        super().__init__(items, items[0].value, changed, name=name)
        self._unchosen = (face, title, line)
        self.face, self.title, self.line = self._unchosen

    @property
    def _index(self) -> int:
        return super()._index if self.is_chosen else 0

    def show_chosen(self, value: str) -> None:
        chosen = next((item for item in self.items if item.value == value), None)
        self.is_chosen = chosen is not None
        self.value = value if chosen else ""
        self.face, self.title, self.line = (face_of(value), chosen.label, chosen.note) if chosen else self._unchosen
        self.invalidate()

    def choose(self, value: str) -> None:
        """Call ``changed`` with *value*; ``show_chosen`` follows."""
        self.changed(value)

    def key(self, event: pygame.event.Event) -> bool:
        return Widget.key(self, event)  # arrows lead to other cards


class FaceChoice(Segments):
    """One of a few faces side by side; the items' values are the faces' names."""

    def _segment_rect(self, index: int) -> pygame.Rect:
        count, gap = len(self.items), self.theme.px(10)
        side = max(1, min(self.rect.h, (self.rect.w + gap) // count - gap))
        return pygame.Rect(self.rect.x + index * (side + gap), self.rect.centery - side // 2, side, side)

    def draw(self, surface: pygame.Surface) -> None:
        theme, px = self.theme, self.theme.px
        for index, item in enumerate(self.items):
            rect = self._segment_rect(index)
            is_chosen = item.value == self.value
            ring = theme.accent if is_chosen else theme.second if index == self.part_under else None
            self.paint.face(surface, item.value, rect.center, rect.w // 2 - px(4), ring=ring)
            if is_chosen:
                at = (rect.right - px(_CHECK) // 2, rect.bottom - px(_CHECK) // 2)
                self.paint.disc(surface, at, px(_CHECK) // 2 + px(1), theme.panel)
                self.paint.icon(surface, "check", at, theme.accent, px(_CHECK))


class SeatButton(Pressable):
    """A seat and its player; pressed, it becomes the seat to choose a player for."""

    focus_radius = PANEL_RADIUS - 2

    def __init__(self, number: int, act: Callable[[], object], *, name: str) -> None:
        """:param number: of the seat, from 1; 0 if there is only one."""
        super().__init__(act, name)
        self.number = number
        self.face = ""
        self.title = ""
        self.line = ""
        self.is_chosen = False

    def show_player(self, face: str, title: str, line: str, *, is_chosen: bool) -> None:
        """Show a player.

        :param is_chosen: whether the cards below choose for this seat.
        """
        self.change(face=face, title=title, line=line, tooltip=line, is_chosen=is_chosen)

    def utterance(self) -> str:
        seat = _("Player {number}").format(number=self.number) if self.number else ""
        return join_phrases(seat, self.title, self.line, _("chosen") if self.is_chosen else "")

    def draw(self, surface: pygame.Surface) -> None:
        theme, paint, px, rect = self.theme, self.paint, self.theme.px, self.rect
        fill = self.ground
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


_APART = " · "
"""Between the parts of a line, the last of which may be left out."""


@dataclass(frozen=True)
class SeatView:
    style: SeatStyle
    name: str
    note: str
    """What the seat may do, or what its player is or does: one line, or two on a high card."""
    fact: str = ""
    """The seat's god, colour …, shown next to the name; "" for none."""
    emblem: Emblem | None = None
    """Drawn before the fact."""
    face: str = ""
    """The player's face, drawn in place of the badge; "" for none."""
    outcome: Outcome | None = None
    """Set when the game is over."""
    clock: str = ""
    """The time left, if there is a clock."""
    is_short: bool = False
    """Whether little time is left."""
    score: str = ""
    """The points, if the game counts any."""
    explanation: str = ""
    """The tooltip: what the god may do, who plays."""
    is_active: bool = False
    is_thinking: bool = False


class SeatCard(Widget):
    """Draws one ``SeatView``; focusable, so that keyboard users get its tooltip."""

    def __init__(self, seat: int, view: SeatView) -> None:
        super().__init__(f"seat {seat + 1}", view.explanation)
        self.view = view
        self._seconds = 0.0

    def show_view(self, view: SeatView) -> None:
        self.change(view=view, tooltip=view.explanation)

    def update(self, seconds: float) -> None:
        if not self.view.is_thinking:
            self._seconds = 0.0
            return
        before = int(self._seconds / _DOT_SECONDS * 3)
        self._seconds += seconds
        if int(self._seconds / _DOT_SECONDS * 3) != before:
            self.invalidate()

    def draw(self, surface: pygame.Surface) -> None:
        paint, px = self.paint, self.theme.px
        view, rect = self.view, self.rect
        if view.is_active:
            paint.panel(surface, rect, line=view.style.colour, line_width=max(2, px(2)))
        else:
            paint.panel(surface, rect)
        self._draw_badge(surface)
        left, edge = rect.x + px(_TEXT_LEFT), rect.right - px(_SEAT_CARD_PADDING)
        figures = self._draw_figures(surface, edge)
        is_beside = not view.fact or self._has_room_beside_name(figures - left - px(12))
        lines = view.note.split("\n") if view.note else []
        if not is_beside:
            lines[:1] = [f"{view.fact}{_APART}{lines[0]}" if lines else view.fact]
        outcome_width = paint.pill_width(self._outcome_words) + px(10) if self._outcome_words else 0
        room = figures - px(12) - left
        is_above = outcome_width + paint.width(view.name, "strong") <= room  # the outcome fits beside the name
        if not is_above:
            lines = lines or [""]
        apart = min(px(_LINE), rect.h // 3)
        top = rect.centery - len(lines) * apart // 2
        longest = max((paint.width(line, "small") for line in lines), default=0)
        needs_all = is_above and longest > room - outcome_width  # the lines need its space
        middle = top if needs_all else rect.centery if is_above else top + apart
        right = self._draw_outcome(surface, (figures, middle)) - px(12)
        name_room = (right - left if is_above else room) - (px(_DOTS) if view.is_thinking else 0)
        end = self._draw_name(surface, (left, top), name_room, has_fact=is_beside)
        if view.is_thinking:
            self._draw_dots(surface, end + px(10), top)
        for number, line in enumerate(lines, start=1):
            at = (left, top + number * apart)
            room, ink = (figures if needs_all else right) - left, self.theme.second
            line = self._shortened(line, room)
            paint.text(surface, line, at, "small", ink, anchor="midleft", width=room, shrinks=True)

    def _shortened(self, line: str, room: int) -> str:
        """*line* without its last parts, where they don't fit even in small letters; the badge shows the fact, too."""
        paint = self.paint
        while paint.width(line, paint.fitting_style(line, room, "small")) > room:
            if _APART not in line:
                return "" if line == self.view.fact else line
            line = line.rpartition(_APART)[0]
        return line

    def _draw_badge(self, surface: pygame.Surface) -> None:
        px, view = self.theme.px, self.view
        middle = (self.rect.x + px(_BADGE_MIDDLE), self.rect.centery)
        if view.face:
            self.paint.face(surface, view.face, middle, px(_FACE), ring=view.style.colour)
            at = (middle[0] - px(_BESIDE_FACE), middle[1] + px(_BESIDE_FACE))
            self.paint.disc(surface, at, px(_SMALL_BADGE) + max(1, px(2)), self.theme.panel)
            self.paint.badge(surface, at, px(_SMALL_BADGE), view.style)
        else:
            self.paint.badge(surface, middle, px(_BADGE), view.style)

    def _has_room_beside_name(self, room: int) -> bool:
        """Whether the whole fact fits beside the name, with an outcome or the dots of a player that thinks."""
        paint, px, view = self.paint, self.theme.px, self.view
        outcome = paint.pill_width(self._outcome_words) + px(10) if self._outcome_words else px(_DOTS)
        sign = px(_EMBLEM + 8) if view.emblem else paint.width("· ", "small")
        return paint.width(view.name, "strong") + px(6) + sign + paint.width(view.fact, "small") + outcome <= room

    def _draw_name(self, surface: pygame.Surface, at: tuple[int, int], room: int, *, has_fact: bool) -> int:
        """Draw the name and, if it fits, the fact; return where they end."""
        paint, px, view = self.paint, self.theme.px, self.view
        name = paint.text(surface, view.name, at, "strong", anchor="midleft", width=room)
        left = at[0] + room - name.right
        sign = px(_EMBLEM + 8) if view.emblem else 0
        fact = view.fact if view.emblem else f"· {view.fact}"
        if not has_fact or not view.fact or sign + paint.width("· …", "small") > left - px(6):
            return name.right
        if view.emblem:
            side = px(_EMBLEM)
            view.emblem(surface, pygame.Rect(name.right + px(8), at[1] - side // 2, side, side))
            left -= sign
        start = (name.right + px(6) + sign, at[1])
        return paint.text(surface, fact, start, "small", self.theme.second, anchor="midleft", width=left - px(6)).right

    def _draw_figures(self, surface: pygame.Surface, right: int) -> int:
        """Draw the clock and the score, ending at *right*; return their left edge."""
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

    def _draw_outcome(self, surface: pygame.Surface, at: tuple[int, int]) -> int:
        """Draw the outcome with the middle of its right side at *at*; return its left edge."""
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
        px = self.theme.px
        lit = int(self._seconds / _DOT_SECONDS * 3) % 3
        for dot in range(3):
            colour = self.view.style.ink if dot == lit else self.theme.line
            self.paint.disc(surface, (left + dot * px(9), middle), px(3), colour)


def seat_explanation(player: str, fact: str, power: str) -> str:
    """The tooltip of a seat's card: the *player*, and below it the *fact* (a god) and what that may do."""
    words = f"**{fact}**: {power}" if fact and power else fact or power
    return "\n".join(line for line in (player, words) if line)
