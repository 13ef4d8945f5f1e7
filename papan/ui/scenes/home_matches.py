"""The matches of the home screen: those to go on with, and the last ones that ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pygame

from papan.game.match.library import Summary
from papan.ui.drawing.theme import BUTTON_HEIGHT
from papan.ui.scenes import Stage
from papan.ui.scenes.services import PastMatch, Services
from papan.ui.texts import _, plural
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.cards import MatchCard, Miniatures

_MOST = 12
_HEADING = 38
_GAP = 16
_LEAST_WIDTH = 176
_LEAST_SHARE, _WIDEST = 0.72, 1.0
"""The width of a card, least and most, as a share of the height of the whole."""
_LEAST_NOTE = 70
_CORNER = 7


def least_card_width(px: Callable[[float], int], height: int) -> int:
    """The least width of a card, in real pixels, where card and heading are so high."""
    return max(px(_LEAST_WIDTH), round(_LEAST_SHARE * height))


class HomeMatches:
    """The cards of some matches on one home screen."""

    def __init__(self, stage: Stage, services: Services) -> None:
        self._stage = stage
        self._services = services
        self._past = services.past_matches
        self._changes = 0
        self._matches: Sequence[PastMatch] = ()
        self._going_on = 0
        """The number of those among them that are not over."""
        self._unfinished = 0
        """The number of all matches that are not over."""
        self.latest: Summary | None = None
        """The match that was played last; None where there is none."""
        self._cards: list[MatchCard] = []
        self._miniatures: Miniatures | None = None
        self._area = pygame.Rect(0, 0, 0, 0)

    # --------------------------------------------------------------------------------- the library

    def ask(self) -> None:
        """Ask the library anew."""
        past = self._past
        if past is None:
            return
        self._changes = past.changes
        unfinished = past.unfinished(_MOST)
        finished = past.last_finished(max(1, _MOST - len(unfinished)))
        self._going_on = len(unfinished)
        self._unfinished = max(past.unfinished_count(), len(unfinished))
        self._matches = [*unfinished, *finished][:_MOST]
        firsts = [found[0].summary for found in (unfinished, finished) if found]
        self.latest = max(firsts, key=lambda summary: summary.updated, default=None)

    @property
    def are_old(self) -> bool:
        """Whether something has been stored since the library was asked."""
        return self._past is not None and self._past.changes != self._changes

    @property
    def are_any(self) -> bool:
        """Whether there are matches to show."""
        return bool(self._matches)

    # ------------------------------------------------------------------------------------ building

    def build(self, widgets: Widgets, open_library: Callable[[], object]) -> None:
        """Add the cards, and a button that leads to all matches."""
        shelf, paint = self._services.shelf, self._stage.paint
        self._miniatures = Miniatures(shelf, paint, paint.theme.px(_CORNER)) if shelf is not None else None
        self._cards = [widgets.add(self._card(number, match)) for number, match in enumerate(self._matches)]
        self._all = widgets.add(Button(_("All matches"), open_library, kind="quiet", name="all matches"))

    def _card(self, number: int, match: PastMatch) -> MatchCard:
        is_over = number >= self._going_on
        name = "resume" if number == 0 and not is_over else f"match {number + 1}"
        return MatchCard(
            match.title,
            [match.players, match.note, match.when],
            [match.players, f"{match.standing} · {match.when}"],
            partial(self._miniature, match),
            match.open,
            name=name,
            tooltip=_("Review this match") if is_over else "",
        )

    def _miniature(self, match: PastMatch, size: tuple[int, int]) -> pygame.Surface | None:
        return self._miniatures.picture(match.summary, size) if self._miniatures is not None else None

    # ------------------------------------------------------------------------------------- placing

    def place_at_right(self, band: pygame.Rect, most: int) -> int:
        """Stand at the right of *band*, as many as have room within *most* of its width; returns the width used."""
        px, gap = self._stage.paint.theme.px, self._stage.paint.theme.px(_GAP)
        narrowest = least_card_width(px, band.h)
        widest = max(narrowest, round(_WIDEST * band.h))
        shown = min(len(self._cards), (most + gap) // (narrowest + gap))
        width = min(widest, (most - (shown - 1) * gap) // shown) if shown else 0
        used = shown * width + max(0, shown - 1) * gap
        self._place_in(pygame.Rect(band.right - used, band.y, used, band.h), shown, width)
        return used

    def place(self, band: pygame.Rect) -> None:
        """Stand all over *band*, as many as have room."""
        px, gap = self._stage.paint.theme.px, self._stage.paint.theme.px(_GAP)
        shown = min(len(self._cards), (band.w + gap) // (px(_LEAST_WIDTH) + gap))
        self._place_in(band, shown, (band.w - (shown - 1) * gap) // shown if shown else 0)

    def _place_in(self, area: pygame.Rect, shown: int, width: int) -> None:
        """Stand so many cards, each of this *width*, in *area*, below their heading; hide the others."""
        px, gap = self._stage.paint.theme.px, self._stage.paint.theme.px(_GAP)
        self._area = area
        top = area.y + px(_HEADING)
        for number, card in enumerate(self._cards):
            left = area.x + min(number, max(0, shown - 1)) * (width + gap)
            card.place(pygame.Rect(left, top, max(1, width), area.bottom - top))
            card.show(number < shown)
        size = self._all.natural_size
        heading = self._stage.paint.width(self._words, "strong") + px(8)
        self._all.show(bool(shown) and self._services.shelf is not None and heading + size[0] <= area.w)
        self._all.place(pygame.Rect(area.right - size[0], area.y - px(6), size[0], px(BUTTON_HEIGHT - 4)))

    # -------------------------------------------------------------------------------------- acting

    def go_on(self) -> bool:
        """Go on with the first of those that are not over; False where there is none."""
        if not self._unfinished or not self._matches:
            return False
        self._matches[0].open()
        return True

    def delete(self) -> bool:
        """Delete the match whose card has the focus; False where none has it."""
        for card, match in zip(self._cards, self._matches, strict=True):
            if card.has_focus and self._services.shelf is not None:
                match.delete()
                self._stage.notify(_("The match was deleted: Ctrl+Z brings it back."))
                return True
        return False

    def undo_deletion(self) -> bool:
        """Bring back what was deleted; returns whether there was something."""
        return self._services.shelf is not None and bool(self._services.shelf.undo_deletion())

    # ------------------------------------------------------------------------------------- drawing

    def update(self) -> bool:
        """Go on with the pictures; returns whether there is something new to see."""
        return self._miniatures is not None and self._miniatures.update()

    @property
    def is_drawing(self) -> bool:
        """Whether pictures are being drawn."""
        return self._miniatures is not None and self._miniatures.is_drawing

    @property
    def _words(self) -> str:
        shown = sum(card.is_visible for card in self._cards)
        if not self._going_on:
            return _("Lately")
        return _("Go on playing") if self._going_on >= shown else _("Your matches")

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the heading, and have only those pictures made that the frame asks for."""
        if self._miniatures is not None:
            self._miniatures.forget_wanted()
        shown = sum(card.is_visible for card in self._cards)
        if shown:
            self._draw_heading(surface, shown)

    def _draw_heading(self, surface: pygame.Surface, shown: int) -> None:
        paint, px = self._stage.paint, self._stage.paint.theme.px
        area, right = self._area, self._all.rect.x - px(8)
        middle = area.y + px(_HEADING // 2 - 6)
        room = (right if self._all.is_visible else area.right) - area.x
        title = paint.text(surface, self._words, (area.x, middle), "strong", anchor="midleft", width=room)
        if self._unfinished > shown and right - title.right > px(_LEAST_NOTE):
            note = plural("{count} not over", "{count} not over", self._unfinished)
            width = right - title.right - px(12)
            paint.text(surface, note, (right, middle), "small", paint.theme.second, anchor="midright", width=width)
