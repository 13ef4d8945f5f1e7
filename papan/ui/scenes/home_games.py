"""The gallery of the home screen: a card with a picture for each game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import pygame

from papan.game.facts import Game
from papan.ui.scenes import Stage
from papan.ui.texts import _
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.cards import CARD_TEXT_HEIGHT, GameCard

_GAP = 16
_HEADING, _HEADING_MIDDLE = 40, 16
_MOST_COLUMNS = 6
_WIDEST = 620
_BOARD_SHARE = 0.75
"""The share of a card's width that its board takes, where the card is high enough."""
_TALLEST_PICTURE = 0.95
"""The height of a card's picture at most, as a share of the card's width."""
_NARROW_CARD, _NARROW_PICTURE = 180, 0.72
"""On a page that scrolls: the least width of a card, and the height of its picture, as a share of the width."""


class HomeGames:
    """The gallery of one home screen."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.cards: list[GameCard] = []
        self._heading: tuple[int, int] | None = None
        """Where the heading begins, in its middle; None without one."""

    def build(self, widgets: Widgets, games: Iterable[Game], choose: Callable[[Game], object]) -> None:
        """Add a card for each of *games*, which calls *choose*."""
        self.cards = [widgets.add(GameCard(game, partial(choose, game))) for game in games]

    def place(self, room: pygame.Rect, *, has_heading: bool) -> None:
        """Stand in *room*, in as many columns as make the pictures large and leave no great hole."""
        px, count = self._stage.paint.theme.px, len(self.cards)
        room = self._place_heading(room, has_heading=has_heading)
        gap, text = px(_GAP), px(CARD_TEXT_HEIGHT)

        def card_size(columns: int) -> tuple[int, int]:
            rows = -(-count // columns)
            width = min((room.w - (columns - 1) * gap) // columns, px(_WIDEST))
            height = min((room.h - (rows - 1) * gap) // rows, text + round(width * _TALLEST_PICTURE))
            return width, height

        def picture_side(columns: int) -> float:
            width, height = card_size(columns)
            filled = count / (-(-count // columns) * columns)
            return min(width * _BOARD_SHARE, height - text) * filled

        columns = max(range(1, min(count, _MOST_COLUMNS) + 1), key=picture_side)
        self._place_in(room.topleft, columns, card_size(columns))

    def narrow_height(self, width: int) -> int:
        """The height that they need on a page that scrolls, where they have *width*; in real pixels."""
        px = self._stage.paint.theme.px
        columns, (_width, height) = self._narrow_cards(width)
        rows = -(-len(self.cards) // columns)
        return px(_HEADING) + rows * (height + px(_GAP))

    def place_narrow(self, room: pygame.Rect) -> None:
        """Stand at the top of *room*, as high as need be."""
        room = self._place_heading(room, has_heading=True)
        self._place_in(room.topleft, *self._narrow_cards(room.w))

    def _narrow_cards(self, width: int) -> tuple[int, tuple[int, int]]:
        """The number of columns, and the size of a card, where they have *width* on a page that scrolls."""
        px, gap = self._stage.paint.theme.px, self._stage.paint.theme.px(_GAP)
        columns = max(1, (width + gap) // (px(_NARROW_CARD) + gap))
        card = (width - (columns - 1) * gap) // columns
        return columns, (card, round(card * _NARROW_PICTURE) + px(CARD_TEXT_HEIGHT))

    def _place_heading(self, room: pygame.Rect, *, has_heading: bool) -> pygame.Rect:
        """Have the heading at the top of *room*, or none; returns what is left of it."""
        px = self._stage.paint.theme.px
        self._heading = (room.x, room.y + px(_HEADING_MIDDLE)) if has_heading else None
        taken = px(_HEADING) if has_heading else 0
        return pygame.Rect(room.x, room.y + taken, room.w, room.h - taken)

    def _place_in(self, corner: tuple[int, int], columns: int, size: tuple[int, int]) -> None:
        """Stand in so many *columns* from *corner* on, each card of this *size*."""
        gap = self._stage.paint.theme.px(_GAP)
        for index, card in enumerate(self.cards):
            row, column = divmod(index, columns)
            left, top = corner[0] + column * (size[0] + gap), corner[1] + row * (size[1] + gap)
            card.place(pygame.Rect((left, top), size))

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the heading."""
        if self._heading is not None:
            self._stage.paint.text(surface, _("All games"), self._heading, "strong", anchor="midleft")
