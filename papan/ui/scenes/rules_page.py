"""The rules of a game: panels of text, with examples drawn by the game's board."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from papan.game.game import Game
from papan.game.presentation import Example, Section, page_of
from papan.game.rules import legal_steps
from papan.ui.boards import BoardView, Picture, board_of
from papan.ui.drawing.theme import GAP, MARGIN, SMALLEST_PAGE
from papan.ui.scenes import HEADER_HEIGHT, HeaderScene, Stage
from papan.ui.texts import _, translated
from papan.ui.widgets.scroll import Scroll

_PADDING = 20
_HEADING = 34
_WIDEST = 1000
_PICTURE = (330, 270)
_STACKED = 720
"""On pages narrower than this, examples go below the text."""


@dataclass
class _Panel:
    """A section of the page, with its top on the page and its height, in real pixels."""

    section: Section
    top: int
    height: int
    view: BoardView | None = None
    picture: Picture | None = None


class RulesScene(HeaderScene):
    game: Game

    def __init__(self, stage: Stage, game: Game) -> None:
        super().__init__(stage)
        self.game = game
        self._page = page_of(game)
        self._panels: list[_Panel] = []

    def build(self) -> None:
        super().build()
        self.title = _("The rules of {game}").format(game=translated(self.game.title))
        self._scroll = self.widgets.add(Scroll("page", self._draw_page))
        self._scroll.beside = self.title
        self.widgets.focus(self._scroll, by_keyboard=False)

    def page_height(self, width: int) -> int:
        return self.px(SMALLEST_PAGE[1])  # the text scrolls by itself

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px = self.px
        width = min(area.w - 2 * px(MARGIN), px(_WIDEST))
        self._column = pygame.Rect(0, px(HEADER_HEIGHT), width, area.h - px(HEADER_HEIGHT))
        self._column.centerx = area.centerx
        sections = [Section(_("The goal"), self._page.goal), *self._page.sections]
        if self._page.history:
            sections.append(Section(_("Where it comes from"), self._page.history))
        self._panels = []
        top = px(4)
        for section in sections:
            panel = self._panel(section, top)
            self._panels.append(panel)
            top += panel.height + px(GAP)
        self._scroll.full_height = top + px(MARGIN - GAP)
        self._scroll.place(pygame.Rect(0, px(HEADER_HEIGHT), area.w, area.h - px(HEADER_HEIGHT)))

    def _panel(self, section: Section, top: int) -> _Panel:
        px = self.px
        text_height = self.paint.paragraph_height(translated(section.text), self._text_width(section), "text")
        height = px(_PADDING) + px(_HEADING) + text_height + px(_PADDING)
        if section.example is None:
            return _Panel(section, top, height)
        caption = self._caption_height(section)
        beside = 2 * px(_PADDING) + px(_PICTURE[1]) + px(8) + caption
        height = height + beside - px(_PADDING) if self._is_stacked else max(height, beside)
        view = board_of(self.game, self.paint)
        view.is_still = view.is_explained = True
        return _Panel(section, top, height, view, self._example_picture(section.example))

    @property
    def _is_stacked(self) -> bool:
        return self._column.w < self.px(_STACKED)

    def _text_width(self, section: Section) -> int:
        px = self.px
        example = px(_PICTURE[0]) + px(_PADDING) if section.example and not self._is_stacked else 0
        return self._column.w - 2 * px(_PADDING) - example

    def _caption_height(self, section: Section) -> int:
        words = translated(section.example.caption) if section.example is not None else ""
        return self.paint.paragraph_height(words, self.px(_PICTURE[0]), "small")

    def _example_picture(self, example: Example) -> Picture:
        rules = self.game.rules
        state = rules.parse(example.position, self.game.complete_options(example.options))
        targets: frozenset[int] = frozenset()
        if example.chosen is not None:
            paths = (rules.cells(state, step) for step in legal_steps(state))
            targets = frozenset(path[1] for path in paths if len(path) > 1 and path[0] == example.chosen)
        return Picture(state, targets=targets, chosen=example.chosen, marks=example.marks)

    def _draw_page(self, surface: pygame.Surface, top: int) -> None:
        px, paint = self.px, self.paint
        for panel in self._panels:
            box = pygame.Rect(self._column.x, top + panel.top, self._column.w, panel.height)
            if not box.colliderect(surface.get_clip()):
                continue
            paint.panel(surface, box)
            left = box.x + px(_PADDING)
            at = (left, box.y + px(_PADDING) + px(11))
            paint.text(surface, translated(panel.section.title), at, "heading", anchor="midleft")
            text = pygame.Rect(left, box.y + px(_PADDING) + px(_HEADING), self._text_width(panel.section), 0)
            paint.paragraph(surface, translated(panel.section.text), text, "text", self.theme.second)
            if panel.view and panel.picture and panel.section.example:
                picture = pygame.Rect(0, box.y + px(_PADDING), px(_PICTURE[0]), px(_PICTURE[1]))
                picture.right = box.right - px(_PADDING)
                if self._is_stacked:
                    picture.centerx = box.centerx
                    picture.y = box.bottom - px(_PADDING) - picture.h - px(8) - self._caption_height(panel.section)
                panel.view.layout(picture)
                panel.view.draw(surface, panel.picture)
                caption = pygame.Rect(picture.x, picture.bottom + px(8), picture.w, 0)
                words = translated(panel.section.example.caption)
                paint.paragraph(surface, words, caption, "small", self.theme.second, align="center")
