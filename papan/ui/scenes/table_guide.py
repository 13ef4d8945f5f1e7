"""The hints at the table of a guided match, above the board, and what is offered after its end."""

from __future__ import annotations

import pygame

from papan.ui.drawing.theme import BUTTON_HEIGHT, GAP
from papan.ui.play.guide import guided, next_game
from papan.ui.play.session import Session
from papan.ui.scenes import Stage
from papan.ui.scenes.first_steps import begin_guided
from papan.ui.scenes.services import Services
from papan.ui.texts import _, translated
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.buttons import Button

_HEIGHT = 64
_WIDEST = 900
_PADDING = 14
_TEXT_LEFT = 50
_MOST_LINES = 2


class TableGuide:
    """The strip of one table; it takes no room where nothing is, or will be, said."""

    def __init__(self, stage: Stage, session: Session, services: Services) -> None:
        self._stage = stage
        self._session = session
        self._services = services
        self._guided = guided(session.match)
        self._next = next_game(session.match.game)
        self._is_through = session.match.ending is not None
        """Whether what is said after the end has been answered, or was another time's."""
        self._text_right = 0
        self._shown: object = None
        self.rect = pygame.Rect(0, 0, 0, 0)

    # ------------------------------------------------------------------------------------- what it says

    @property
    def _is_over(self) -> bool:
        return self._session.match.ending is not None and self._session.showing is None

    @property
    def has_room(self) -> bool:
        """Whether the strip takes room."""
        return self._guided is not None and (self._guided.has_more or (self._is_over and not self._is_through))

    @property
    def text(self) -> str:
        """What is said now; "" for nothing."""
        if self._guided is None or not self.has_room:
            return ""
        if not self._is_over:
            return translated(self._guided.hint.text) if self._guided.hint is not None else ""
        if self._next is None:
            return _("These were the first steps. All games wait on the first screen.")
        words = _("Next: {game} in its simplest form. Short hints show you how.")
        return words.format(game=translated(self._next.title))

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells that the hint speaks of."""
        return tuple(self._guided.cells) if self._guided is not None and not self._is_over else ()

    # -------------------------------------------------------------------------------- building, layout

    def build(self, widgets: Widgets) -> None:
        """Add the buttons."""
        self._close = widgets.add(Button("", self._dismiss, name="dismiss hint"))
        words = _("Play {game}").format(game=translated(self._next.title)) if self._next is not None else ""
        self._go_on = widgets.add(Button(words, self._begin_next, icon="play", name="next steps"))
        self._show()

    def place(self, area: pygame.Rect) -> pygame.Rect:
        """Stand at the top of *area*; returns what is left of it."""
        if not self.has_room:
            self.rect = pygame.Rect(0, 0, 0, 0)
            return area
        px = self._stage.paint.theme.px
        self.rect = pygame.Rect(area.x, area.y, min(area.w, px(_WIDEST)), px(_HEIGHT))
        self.rect.centerx = area.centerx
        right = self.rect.right - px(_PADDING)
        for button in (self._go_on, self._close):
            if button.is_visible:
                width = button.natural_size[0]
                top = self.rect.centery - px(BUTTON_HEIGHT) // 2
                button.place(pygame.Rect(right - width, top, width, px(BUTTON_HEIGHT)))
                right -= width + px(8)
        self._text_right = right - px(8)
        taken = self.rect.h + px(GAP)
        return pygame.Rect(area.x, area.y + taken, area.w, area.h - taken)

    def update(self) -> bool:
        """Find out what is to be said; returns whether the table is to be laid out anew."""
        if self._guided is None:
            return False
        if self._session.showing is None:
            self._guided.look()
        seen = self.has_room, self.text
        if seen == self._shown:
            return False
        self._show()
        return True

    def _show(self) -> None:
        self._shown = self.has_room, self.text
        is_offer = self.has_room and self._is_over and self._next is not None
        self._close.show(bool(self.text))
        self._close.relabel(_("Not now") if is_offer else _("Got it"))
        self._go_on.show(is_offer)

    # --------------------------------------------------------------------------------------- acting

    def _dismiss(self) -> None:
        if self._guided is not None:
            self._is_through = self._is_over
            self._guided.dismiss()
            self._stage.invalidate()

    def _begin_next(self) -> None:
        if self._next is not None:
            begin_guided(self._stage, self._services, self._next)

    # -------------------------------------------------------------------------------------- drawing

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the panel and its text."""
        if not self.text or not self.rect.w:
            return
        paint, theme, px, rect = self._stage.paint, self._stage.paint.theme, self._stage.paint.theme.px, self.rect
        paint.panel(surface, rect, fill=theme.accent_soft, line=theme.accent)
        paint.icon(surface, "hint", (rect.x + px(_TEXT_LEFT) // 2, rect.centery), theme.accent)
        width = self._text_right - rect.x - px(_TEXT_LEFT)
        height = paint.paragraph_height(self.text, width, "text", _MOST_LINES)
        area = pygame.Rect(rect.x + px(_TEXT_LEFT), rect.centery - height // 2, width, height)
        paint.paragraph(surface, self.text, area, "text", most_lines=_MOST_LINES)
