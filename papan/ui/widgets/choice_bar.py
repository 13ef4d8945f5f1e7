"""Cards for steps that are chosen by name, not by a cell: a god, a colour, a block or a dome."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from papan.ui.boards import Emblem
from papan.ui.widgets.base import join_phrases
from papan.ui.widgets.buttons import Pressable

NUMBER_KEYS = 10
"""The number of choices with a key: 1 to 9, and 0."""

_PADDING = 14
_NARROW = 118
_WIDE = 196
_EMBLEM = 46
_SIDE = 12
"""The padding next to the text of a card with an emblem."""
_BRIEF = 36
"""The height of a card with only a name."""
_NARROWEST_WITH_EMBLEM, _WIDEST_WITH_EMBLEM = 118, 176


class ChoiceCard(Pressable):
    """One choice: its number key, its name, an explanation, and perhaps an emblem above them."""

    def __init__(
        self, number: int, title: str, note: str, act: Callable[[], object], emblem: Emblem | None = None
    ) -> None:
        super().__init__(act, name=f"choice {number}")
        self.number = number
        self.title = title
        self.note = note
        self.emblem = emblem
        self.is_hinted = False
        self.is_brief = False
        """Whether only the name is shown, for lack of space; the tooltip has the note."""
        self.most_width = _WIDEST_WITH_EMBLEM
        """In real pixels; see ``rows_of_cards``."""

    @property
    def explanation(self) -> str:
        return self.note if self.is_brief else super().explanation

    @property
    def natural_size(self) -> tuple[int, int]:
        """The width and height needed, in real pixels."""
        px = self.theme.px
        title = self.paint.width(self.title, "strong") + 2 * px(_PADDING) + px(30)
        if self.is_brief:
            return title, px(_BRIEF)
        if self.emblem:
            width = min(self.most_width, px(_WIDEST_WITH_EMBLEM))
            note = self.paint.paragraph_height(self.note, width - 2 * px(_SIDE), "small")
            return width, px(10) + px(_EMBLEM) + px(26) + note + px(12)
        width = max(title, px(_WIDE if self.note else _NARROW))
        note = self.paint.paragraph_height(self.note, width - 2 * px(_PADDING), "small") + px(2) if self.note else 0
        return width, px(20) + note + 2 * px(_PADDING)

    def utterance(self) -> str:
        return join_phrases(str(self.number), self.title, self.note)

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px = self.paint, self.theme, self.theme.px
        line = theme.accent if self.is_hinted else theme.line
        paint.panel(surface, self.rect, fill=self.ground, line=line, line_width=px(2) if self.is_hinted else None)
        if self.emblem and not self.is_brief:
            self._draw_with_emblem(surface, self.emblem)
            return
        left = self.rect.x + px(_PADDING)
        middle = self.rect.centery if self.is_brief else self.rect.y + px(_PADDING) + px(9)
        paint.text(surface, self.title, (left, middle), "strong", anchor="midleft")
        self._draw_key(surface, (self.rect.right - px(_PADDING), middle))
        if self.note and not self.is_brief:
            area = pygame.Rect(left, middle + px(13), self.rect.w - 2 * px(_PADDING), self.rect.h)
            paint.paragraph(surface, self.note, area, "small", theme.second)

    def _draw_with_emblem(self, surface: pygame.Surface, emblem: Emblem) -> None:
        paint, px = self.paint, self.theme.px
        side = px(_EMBLEM)
        picture = pygame.Rect(self.rect.centerx - side // 2, self.rect.y + px(10), side, side)
        emblem(surface, picture)
        self._draw_key(surface, (self.rect.right - px(8), self.rect.y + px(18)))
        width = self.rect.w - 2 * px(_SIDE)
        at = (self.rect.centerx, picture.bottom + px(13))
        paint.text(surface, self.title, at, "strong", anchor="center", width=width)
        area = pygame.Rect(self.rect.x + px(_SIDE), picture.bottom + px(26), width, self.rect.h)
        paint.paragraph(surface, self.note, area, "small", self.theme.second, align="center")

    def _draw_key(self, surface: pygame.Surface, right: tuple[int, int]) -> None:
        """Draw the key that chooses the card, if it has one; *right* is the middle of its right edge."""
        if self.number > NUMBER_KEYS:
            return
        paint, theme, px = self.paint, self.theme, self.theme.px
        key = pygame.Rect(0, 0, px(20), px(20))
        key.midright = right
        paint.rounded_rect(surface, key, theme.hover, px(6), line=theme.line)
        paint.text(surface, str(self.number % 10), key.center, "tiny", theme.second, anchor="center")


def rows_of_cards(cards: Sequence[ChoiceCard], width: int, gap: int) -> list[list[ChoiceCard]]:
    """*cards* in rows of at most *width*; those with emblems in as few rows as possible, of about equal length."""
    with_emblems = [card for card in cards if card.emblem and not card.is_brief]
    if with_emblems:
        least = with_emblems[0].theme.px(_NARROWEST_WITH_EMBLEM)
        most_columns = max(1, (width + gap) // (least + gap))
        rows_needed = -(-len(cards) // most_columns)
        columns = -(-len(cards) // rows_needed)
        for card in with_emblems:
            card.most_width = (width + gap) // columns - gap
    rows: list[list[ChoiceCard]] = []
    room = 0
    for card in cards:
        needed = card.natural_size[0] + gap
        if not rows or needed > room:
            rows.append([])
            room = width + gap
        rows[-1].append(card)
        room -= needed
    return rows


def block_size(rows: Sequence[Sequence[ChoiceCard]], gap: int) -> tuple[int, int]:
    """The width and height of all *rows*, in real pixels."""
    widths = [sum(card.natural_size[0] for card in row) + gap * (len(row) - 1) for row in rows]
    heights = [max(card.natural_size[1] for card in row) for row in rows]
    return max(widths, default=0), sum(heights) + gap * max(0, len(rows) - 1)


def place_rows(rows: Sequence[Sequence[ChoiceCard]], block: pygame.Rect, gap: int) -> None:
    """Place *rows* in *block*, each row centred."""
    top = block.y
    for row in rows:
        width, height = block_size([row], gap)
        left = block.centerx - width // 2
        for card in row:
            card.place(pygame.Rect(left, top, card.natural_size[0], height))
            left += card.natural_size[0] + gap
        top += height + gap


def rect_beside(near: pygame.Rect, size: tuple[int, int], room: pygame.Rect, gap: int) -> pygame.Rect:
    """A rectangle of *size* in *room*, below *near* or else above it."""
    block = pygame.Rect((0, 0), size)
    block.midtop = near.centerx, near.bottom + gap
    if block.bottom > room.bottom:
        block.midbottom = near.centerx, near.top - gap
    return block.clamp(room)
