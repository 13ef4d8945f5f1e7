"""Steps to choose by name, where no cell tells them apart: a god, a colour, a block or a dome."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from ui.widgets.buttons import Pressed

_PADDING = 14
_NARROW = 118
_WIDE = 196


class ChoiceCard(Pressed):
    """One choice: its number key, its name, and what it means."""

    def __init__(self, number: int, title: str, note: str, act: Callable[[], object]) -> None:
        super().__init__(act, name=f"choice {number}")
        self.number = number
        self.title = title
        self.note = note
        self.is_hinted = False

    @property
    def natural_size(self) -> tuple[int, int]:
        """How large the card wants to be."""
        px = self.theme.px
        title = self.paint.width(self.title, "strong") + 2 * px(_PADDING) + px(30)
        width = max(title, px(_WIDE if self.note else _NARROW))
        note = self.paint.paragraph_height(self.note, width - 2 * px(_PADDING), "small") + px(2) if self.note else 0
        return width, px(20) + note + 2 * px(_PADDING)

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px = self.paint, self.theme, self.theme.px
        fill = theme.pressed if self.is_held else theme.hover if self.is_pointed_at else theme.panel
        line = theme.accent if self.is_hinted else theme.line
        paint.panel(surface, self.rect, fill=fill, line=line, line_width=px(2) if self.is_hinted else None)
        left, middle = self.rect.x + px(_PADDING), self.rect.y + px(_PADDING) + px(9)
        paint.text(surface, self.title, (left, middle), "strong", anchor="midleft")
        if self.number <= 9:
            key = pygame.Rect(0, 0, px(20), px(20))
            key.midright = (self.rect.right - px(_PADDING), middle)
            paint.rounded(surface, key, theme.hover, px(6), line=theme.line)
            paint.text(surface, str(self.number), key.center, "tiny", theme.second, anchor="center")
        if self.note:
            area = pygame.Rect(left, middle + px(13), self.rect.w - 2 * px(_PADDING), self.rect.h)
            paint.paragraph(surface, self.note, area, "small", theme.second)


def rows_of_cards(cards: Sequence[ChoiceCard], width: int, gap: int) -> list[list[ChoiceCard]]:
    """*cards* in rows of at most *width*."""
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
    """How large *rows* are together."""
    widths = [sum(card.natural_size[0] for card in row) + gap * (len(row) - 1) for row in rows]
    heights = [max(card.natural_size[1] for card in row) for row in rows]
    return max(widths, default=0), sum(heights) + gap * max(0, len(rows) - 1)


def place_rows(rows: Sequence[Sequence[ChoiceCard]], block: pygame.Rect, gap: int) -> None:
    """Put *rows* into *block*, each in its middle."""
    top = block.y
    for row in rows:
        width, height = block_size([row], gap)
        left = block.centerx - width // 2
        for card in row:
            card.place(pygame.Rect(left, top, card.natural_size[0], height))
            left += card.natural_size[0] + gap
        top += height + gap


def beside(near: pygame.Rect, size: tuple[int, int], room: pygame.Rect, gap: int) -> pygame.Rect:
    """A place of *size* in *room*, below *near* or else above it."""
    block = pygame.Rect((0, 0), size)
    block.midtop = near.centerx, near.bottom + gap
    if block.bottom > room.bottom:
        block.midbottom = near.centerx, near.top - gap
    return block.clamp(room)
