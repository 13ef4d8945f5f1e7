"""Cards to press (games, matches, moments of a match, results) and small pictures of boards."""

from __future__ import annotations

import contextlib
import logging
import math
from collections import OrderedDict
from collections.abc import Callable, Sequence

import pygame

from papan.game.base.assets import ASSETS
from papan.game.catalogue import BUILT_IN, GAMES
from papan.game.game import Game
from papan.game.match.library import Summary
from papan.game.puzzles import Puzzle, PuzzleError
from papan.ui.boards import BoardView, Picture, board_of
from papan.ui.drawing.canvas import Canvas
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.picture_cache import PictureCache
from papan.ui.drawing.pictures import OutOfTimeError
from papan.ui.drawing.theme import BUTTON_RADIUS, PANEL_RADIUS, Colour, TextStyle, mix
from papan.ui.play.library_reader import LibraryReader, Preview
from papan.ui.texts import current_language, translated
from papan.ui.widgets.base import join_phrases
from papan.ui.widgets.buttons import Pressable

CARD_TEXT_HEIGHT = 62
"""The height of the part below the picture, in design pixels."""
_PADDING = 12
_LINE = 18
_TITLE = 22
_LOW_BELOW = 150
CAPTION_HEIGHT = 40
_STYLE: TextStyle = "small"
log = logging.getLogger(__name__)
SLICE_SECONDS = 0.007
"""Seconds of a frame for new pictures."""
_MOST_PICTURES = 160
_LEAST_SIDE = 110
"""The least size of a drawn board, in pixels; smaller pictures are scaled down."""
_AIR = 0.035
"""The margin around the board, as a share of the picture's shorter side."""


class _Card(Pressable):
    focus_radius = PANEL_RADIUS

    def _draw_ground(self, surface: pygame.Surface) -> None:
        theme = self.theme
        line = mix(theme.line, theme.accent, 0.6) if self.is_pointed_at else theme.line
        self.paint.panel(surface, self.rect, fill=self.ground, line=line)


class SamplePicture:
    """A picture of a game's sample position: read from disk if it was saved at an earlier start, else drawn."""

    def __init__(self, game: Game, cache: PictureCache | None, *, is_card_top: bool = False) -> None:
        """:param cache: the pictures saved on disk; None for none.
        :param is_card_top: see ``board_picture``.
        """
        self._game = game
        self._cache = cache if game.name in BUILT_IN else None  # a plugin's version and sources are not known
        self._is_card_top = is_card_top
        self._picture: pygame.Surface | None = None

    def in_size(self, size: tuple[int, int]) -> pygame.Surface | None:
        """The picture, if it was found or drawn in this *size*."""
        return self._picture if self._picture is not None and self._picture.get_size() == size else None

    def find(self, paint: Painter, size: tuple[int, int], radius: int) -> None:
        """Take the picture from memory or disk, if it is there; the game need not be loaded."""
        if self.in_size(size) is not None or self._cache is None:
            return
        key = self._key(size, radius)
        picture = paint.pictures.cached(key)
        if picture is None:
            picture = self._cache.read(self._name(paint, size, radius), size)
            if picture is not None:
                paint.pictures.get(key, lambda: picture)
        self._picture = picture

    def draw(self, paint: Painter, size: tuple[int, int], radius: int) -> None:
        """Draw the picture.

        :raises papan.ui.drawing.pictures.OutOfTimeError: the time slice is over; what was drawn is cached.
        """

        def keep(picture: pygame.Surface) -> None:
            if self._cache is not None and not ASSETS.damaged:  # without a font it looks different
                self._cache.keep(self._name(paint, size, radius), picture)

        def make() -> pygame.Surface:
            return board_picture(paint, self._game, size, None, radius, is_card_top=self._is_card_top, keep=keep)

        self._picture = paint.pictures.get(self._key(size, radius), make)

    def _key(self, size: tuple[int, int], radius: int) -> tuple[object, ...]:
        return "sample", self._game.name, size, radius, self._is_card_top

    def _name(self, paint: Painter, size: tuple[int, int], radius: int) -> str:
        assert self._cache is not None
        style = paint.board_styles.get(self._game.name, "")
        return self._cache.name(self._key(size, radius), style, paint.theme, current_language())


class GameCard(_Card):
    """A game's card in the gallery; a click, or Enter, opens the game."""

    def __init__(self, game: Game, act: Callable[[], object], cache: PictureCache | None = None) -> None:
        """:param cache: the pictures saved on disk; None for none."""
        super().__init__(act, f"game {game.name}")
        self.game = game
        self._sample = SamplePicture(game, cache, is_card_top=True)

    @property
    def is_ready(self) -> bool:
        return self._sample.in_size(self._picture_rect.size) is not None

    @property
    def _picture_rect(self) -> pygame.Rect:
        return pygame.Rect(self.rect.x, self.rect.y, self.rect.w, max(1, self.rect.h - self.theme.px(CARD_TEXT_HEIGHT)))

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        self._sample.find(self.paint, self._picture_rect.size, self.theme.px(PANEL_RADIUS))

    def prepare(self) -> None:
        """Draw the picture.

        :raises papan.ui.drawing.pictures.OutOfTimeError: the time slice is over; what was drawn is cached.
        """
        self._sample.draw(self.paint, self._picture_rect.size, self.theme.px(PANEL_RADIUS))
        self.invalidate()

    def utterance(self) -> str:
        return join_phrases(translated(self.game.title), translated(self.game.tagline))

    def draw(self, surface: pygame.Surface) -> None:
        theme, paint, px = self.theme, self.paint, self.theme.px
        self._draw_ground(surface)
        top = self._picture_rect
        picture = self._sample.in_size(top.size)
        if picture is not None:
            surface.blit(picture, top)
        width = paint.line_width
        surface.fill(theme.line, (self.rect.x + width, top.bottom - width, self.rect.w - 2 * width, width))
        left, room = self.rect.x + px(14), self.rect.w - 2 * px(14)
        at = (left, top.bottom + px(21))
        paint.text(surface, translated(self.game.title), at, "heading", anchor="midleft", width=room, shrinks=True)
        tagline = translated(self.game.tagline)
        at = (left, top.bottom + px(42))
        paint.text(surface, tagline, at, "small", theme.second, anchor="midleft", width=room, shrinks=True)


class MatchCard(_Card):
    """A match's card; a click, or Enter, opens the match."""

    def __init__(
        self,
        title: str,
        lines: Sequence[str],
        low_lines: Sequence[str],
        picture: Callable[[tuple[int, int]], pygame.Surface | None],
        act: Callable[[], object],
        *,
        name: str,
        tooltip: str = "",
    ) -> None:
        """:param lines: the text below the title.
        :param low_lines: the text instead of *lines* on a low card.
        :param picture: returns the board in a size; None while there is no picture.
        """
        super().__init__(act, name, tooltip)
        self.title = title
        self.lines = tuple(lines)
        self.low_lines = tuple(low_lines)
        self._picture = picture

    def utterance(self) -> str:
        return join_phrases(self.beside, self.title, *self.lines, self.tooltip)

    def draw(self, surface: pygame.Surface) -> None:
        theme, paint, px = self.theme, self.paint, self.theme.px
        self._draw_ground(surface)
        inner = self.rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING))
        lines = self.lines if inner.h >= px(_LOW_BELOW) else self.low_lines
        words = px(_TITLE) + len(lines) * px(_LINE)
        size = (inner.w, inner.h - words - px(8))
        if size[1] > px(40):
            picture = self._picture(size)
            if picture is not None:
                surface.blit(picture, inner.topleft)
            else:
                ground = mix(theme.background, theme.panel, 0.1)
                paint.rounded_rect(surface, pygame.Rect(inner.topleft, size), ground, px(7))
        middle = inner.bottom - words + px(_TITLE) // 2
        paint.text(surface, self.title, (inner.x, middle), "strong", anchor="midleft", width=inner.w)
        middle += px(_TITLE + _LINE) // 2
        for text in lines:
            paint.text(surface, text, (inner.x, middle), "small", theme.second, anchor="midleft", width=inner.w)
            middle += px(_LINE)


class TableCard(MatchCard):
    """The card of a match with friends elsewhere, with the game's usual picture."""

    def __init__(
        self,
        game: Game,
        lines: Sequence[str],
        low_lines: Sequence[str],
        act: Callable[[], object],
        cache: PictureCache | None,
        *,
        name: str,
    ) -> None:
        """:param lines: as for ``MatchCard``.
        :param low_lines: the same.
        :param cache: the pictures saved on disk; None for none.
        """
        self.game = game
        self._sample = SamplePicture(game, cache)
        self._size = (0, 0)
        super().__init__(translated(game.title), lines, low_lines, self._sized, act, name=name)

    def _sized(self, size: tuple[int, int]) -> pygame.Surface | None:
        self._size = size
        return self._sample.in_size(size)

    @property
    def is_ready(self) -> bool:
        return not self.is_visible or self._size[0] == 0 or self._sample.in_size(self._size) is not None

    def prepare(self) -> None:
        """Draw the picture.

        :raises papan.ui.drawing.pictures.OutOfTimeError: the time slice is over; a later call continues.
        """
        self._sample.draw(self.paint, self._size, self.theme.px(7))
        self.invalidate()


class MomentCard(Pressable):
    """A position of a match, above a caption of at most two lines."""

    def __init__(self, view: BoardView, act: Callable[[], object], *, name: str) -> None:
        """:param view: a board used by this card only."""
        super().__init__(act, name)
        self.view = view
        self.captions: tuple[str, ...] = ("",)
        self._picture: Picture | None = None

    def show_moment(self, picture: Picture, *captions: str) -> None:
        """Show *picture* with the first of *captions* that fits."""
        self._picture, self.captions, self.tooltip = picture, captions, captions[0]
        self.invalidate()

    def caption(self, width: int) -> str:
        """The first caption whose lines are no wider than *width*; the last if none is."""
        fitting = (
            caption
            for caption in self.captions
            if all(self.paint.width(line, _STYLE) <= width for line in caption.split("\n"))
        )
        return next(fitting, self.captions[-1])

    def place(self, rect: pygame.Rect) -> None:
        super().place(rect)
        air = self.theme.px(5)
        board = pygame.Rect(rect.x, rect.y, rect.w, max(1, rect.h - self.theme.px(CAPTION_HEIGHT)))
        self.view.layout(board.inflate(-2 * air, -2 * air))

    def utterance(self) -> str:
        return join_phrases(self.tooltip.replace("\n", ". "))

    def draw(self, surface: pygame.Surface) -> None:
        theme, paint, px, rect = self.theme, self.paint, self.theme.px, self.rect
        fill = self.ground
        paint.rounded_rect(surface, rect, fill, px(BUTTON_RADIUS), line=theme.line)
        if self._picture is not None:
            self.view.draw(surface, self._picture)
        below = pygame.Rect(rect.x + px(4), rect.bottom - px(CAPTION_HEIGHT), rect.w - px(8), px(CAPTION_HEIGHT))
        paint.paragraph(surface, self.caption(below.w), below, _STYLE, theme.second, align="center", most_lines=2)


class ResultRow(Pressable):
    """A match's title, note and outcome on one line, with a rule above."""

    focus_radius = 4

    def __init__(
        self, title: str, note: str, outcome: tuple[str, Colour], act: Callable[[], object], *, name: str
    ) -> None:
        super().__init__(act, name)
        self.title = title
        self.note = note
        self.outcome = outcome

    def utterance(self) -> str:
        return join_phrases(self.title, self.note, self.outcome[0])

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px, rect = self.paint, self.theme, self.theme.px, self.rect
        surface.fill(theme.line, (rect.x, rect.y, rect.w, paint.line_width))
        if self.is_pointed_at:
            ground = pygame.Rect(rect.x - px(6), rect.y + px(3), rect.w + px(12), rect.h - px(5))
            paint.rounded_rect(surface, ground, theme.pressed if self.is_pressed else theme.hover, px(6))
        word, ink = self.outcome
        outcome = paint.text(surface, word, rect.midright, "small strong", ink, anchor="midright")
        room = outcome.x - px(10) - rect.x
        title = paint.text(surface, self.title, rect.midleft, "small", anchor="midleft", width=room)
        rest = room - title.w - px(8)
        if rest > px(24):
            at = (title.right + px(8), rect.centery)
            paint.text(surface, self.note, at, "small", theme.second, anchor="midleft", width=rest)

    @property
    def focus_rect(self) -> pygame.Rect:
        px = self.theme.px
        return pygame.Rect(self.rect.x - px(2), self.rect.y + px(5), self.rect.w + px(4), self.rect.h - px(9))


def board_picture(
    paint: Painter,
    game: Game,
    size: tuple[int, int],
    preview: Preview | None,
    radius: int,
    *,
    is_card_top: bool = False,
    keep: Callable[[pygame.Surface], object] = lambda picture: None,
) -> pygame.Surface:
    """The board of *game* on a plain background with round corners: with the position of *preview*, or the sample's.

    If the board can't be drawn, the picture shows the game's first letter.

    :param is_card_top: round only the upper corners, to fit into a card's outline.
    :param keep: called with a picture that shows the board.
    :raises OutOfTimeError: the time slice is over; what was painted is cached.
    """
    theme, is_drawn = paint.theme, False
    times = max(1, math.ceil(_LEAST_SIDE / max(1, min(size))))
    picture = pygame.Surface((size[0] * times, size[1] * times), pygame.SRCALPHA)
    picture.fill(mix(theme.background, theme.panel, 0.1))
    try:
        board = board_of(game, paint)
        board.is_still = True
        if preview is not None:
            board.shows_all_hands = preview.is_open
            board.seat_in_front = preview.only_person
        state = board.sample() if preview is None else preview.state
        air = round(min(picture.get_size()) * _AIR) + theme.px(2)
        board.layout(picture.get_rect().inflate(-2 * air, -2 * air))
        board.draw(picture, Picture(state))
        is_drawn = True
    except Exception:  # any error of a plugin's board
        log.exception("The board of %s can't be drawn", game.title)
        ink = mix(theme.line, theme.second, 0.3)
        paint.text(picture, game.title[:1], picture.get_rect().center, "name", ink, anchor="center")
    if times > 1:
        picture = pygame.transform.smoothscale(picture, size)

    def draw_mask(canvas: Canvas) -> None:
        width, height = canvas.size
        line = paint.line_width if is_card_top else 0
        below = 2 * radius if is_card_top else 0
        canvas.rounded_rect((line, line, width - 2 * line, height + below - line), radius - line, (255, 255, 255))

    mask = paint.drawn_picture(("picture mask", radius, is_card_top), size, draw_mask)
    picture.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    if is_drawn:
        keep(picture)
    return picture


def puzzle_picture(paint: Painter, puzzle: Puzzle, size: tuple[int, int], radius: int) -> pygame.Surface:
    """The board of *puzzle* as ``board_picture`` draws it; its game must be loaded.

    :raises OutOfTimeError: the time slice is over; what was painted is cached.
    """
    game, preview = GAMES[puzzle.game], None
    try:
        preview = Preview(game, puzzle.match().state, True, puzzle.seat)
    except PuzzleError as error:
        log.error("%s: %s", puzzle.name, error)
    return board_picture(paint, game, size, preview, radius)


class Miniatures:
    """A bounded cache of pictures of matches, drawn in time slices when they are wanted."""

    def __init__(self, reader: LibraryReader, paint: Painter, radius: int) -> None:
        self._reader = reader
        self._paint = paint
        self._radius = radius
        self._cached: OrderedDict[object, pygame.Surface | None] = OrderedDict()
        self._wanted: OrderedDict[object, tuple[Summary, tuple[int, int]]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._cached)

    def picture(self, summary: Summary, size: tuple[int, int]) -> pygame.Surface | None:
        """The picture of a match in *size*; None if it is not drawn yet, or can't be."""
        key = (summary.id, summary.updated, size)
        if key in self._cached:
            self._cached.move_to_end(key)
            return self._cached[key]
        self._wanted[key] = summary, size
        return None

    def forget_wanted(self) -> None:
        """Forget which pictures are wanted; call it before a frame is drawn."""
        self._wanted.clear()

    @property
    def is_drawing(self) -> bool:
        """Whether a wanted picture can be drawn now."""
        return any(self._reader.is_known(summary) for summary, _size in self._wanted.values())

    def update(self) -> bool:
        """Request missing positions and draw for a part of a frame; return whether a picture is new."""
        has_new = False
        with contextlib.suppress(OutOfTimeError), self._paint.pictures.slice_of_work(SLICE_SECONDS):
            for key, (summary, size) in list(self._wanted.items()):
                preview = self._reader.preview(summary)
                if not self._reader.is_known(summary):
                    continue
                made = None
                if preview is not None:
                    made = board_picture(self._paint, preview.game, size, preview, self._radius)
                self._cached[key] = made
                del self._wanted[key]
                has_new = True
                break  # one a frame: parts of a picture can't be paused
        while len(self._cached) > _MOST_PICTURES:
            self._cached.popitem(last=False)
        return has_new
