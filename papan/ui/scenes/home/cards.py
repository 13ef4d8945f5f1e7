"""The cards of the home screen: unfinished and recent matches, today's puzzle, all games."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

import pygame

from papan.game.base.sentences import say, together
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.match.library import Summary
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import BUTTON_HEIGHT
from papan.ui.play.library_reader import StoredMatch
from papan.ui.play.online import Unfinished
from papan.ui.scenes import Stage, cells
from papan.ui.scenes.dialogs import confirm
from papan.ui.scenes.services import Services
from papan.ui.texts import _, plural, said, translated
from papan.ui.texts.wording import day_in_words
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.cards import CARD_TEXT_HEIGHT, GameCard, MatchCard, Miniatures, TableCard, puzzle_picture

if TYPE_CHECKING:
    from papan.game.puzzles import Puzzle

_MOST = 12
_MOST_TABLES = 4
_STREAK = 2
"""The least days in a row to mention."""
_HEADING = 38
_GAP = 16
_LEAST_WIDTH = 176
_LEAST_SHARE, _WIDEST = 0.72, 1.0
"""The least and the greatest width of a card, as a share of the band's height."""
_LEAST_NOTE = 70
_CORNER = 7
_GAMES_HEADING, _HEADING_MIDDLE = 40, 16
_MOST_COLUMNS = 6
_WIDEST_GAME = 620
_BOARD_SHARE = 0.75
"""The board's share of a card's width, in a card high enough."""
_TALLEST_PICTURE = 0.95
"""The greatest height of a card's picture, as a share of the card's width."""
_NARROW_CARD, _NARROW_PICTURE = 180, 0.72
"""On a narrow page: the least width of a card, and the height of its picture as a share of the width."""


def least_card_width(px: Callable[[float], int], height: int) -> int:
    return max(px(_LEAST_WIDTH), round(_LEAST_SHARE * height))


class _Cards:
    def __init__(self, stage: Stage, services: Services) -> None:
        self._stage = stage
        self._services = services

    @property
    def _paint(self) -> Painter:
        return self._stage.paint

    def _px(self, length: float) -> int:
        return self._stage.paint.theme.px(length)


class HomeMatches(_Cards):
    def __init__(self, stage: Stage, services: Services) -> None:
        super().__init__(stage, services)
        self._past = services.past_matches
        self._changes = 0
        self._matches: Sequence[StoredMatch] = ()
        self._going_on = 0
        """How many of these are unfinished."""
        self._unfinished = 0
        """How many matches of the library are unfinished."""
        self.latest: Summary | None = None
        """The match played last; None for none."""
        self._cards: list[MatchCard] = []
        self.tables: list[TableCard] = []
        """The cards of matches with friends elsewhere, before the others."""
        self._unfinished_tables: Sequence[Unfinished] = ()
        self._seen_tables = -1
        self._take_up: Callable[[Unfinished], object] = lambda _unfinished: None
        self._miniatures: Miniatures | None = None
        self._area = pygame.Rect(0, 0, 0, 0)

    def ask(self) -> None:
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

    def look_for_tables(self, take_up: Callable[[Unfinished], object]) -> None:
        """List the matches with friends elsewhere, as far as they have been read.

        :param take_up: opens one.
        """
        self._take_up, online = take_up, self._services.online
        if online is None:
            return
        if self._seen_tables < 0:
            online.look()
        self._seen_tables = online.changes
        known = [one for one in online.unfinished if one.game in GAMES]
        self._unfinished_tables = known[:_MOST_TABLES]

    @property
    def games(self) -> list[Game]:
        """The games of the matches, the one played last first; a game may occur several times."""
        summaries = sorted((match.summary for match in self._matches), key=lambda summary: summary.updated)
        return [GAMES[summary.game] for summary in reversed(summaries)]

    @property
    def are_old(self) -> bool:
        """Whether the library has changed since ``ask``."""
        online = self._services.online
        if online is not None and online.changes != max(0, self._seen_tables):
            return True
        return self._past is not None and self._past.changes != self._changes

    @property
    def are_any(self) -> bool:
        return bool(self._matches or self._unfinished_tables)

    def build(self, widgets: Widgets, open_library: Callable[[], object]) -> None:
        library_reader, paint = self._services.library_reader, self._paint
        self._miniatures = Miniatures(library_reader, paint, self._px(_CORNER)) if library_reader is not None else None
        self.tables = [widgets.add(self._table(number, one)) for number, one in enumerate(self._unfinished_tables)]
        matches = [widgets.add(self._card(number, match)) for number, match in enumerate(self._matches)]
        self._cards = [*self.tables, *matches]
        self._all = widgets.add(Button(_("All matches"), open_library, kind="quiet", name="all matches"))

    def _table(self, number: int, one: Unfinished) -> TableCard:
        names = said(together(one.names))
        note = _("at another screen") if one.is_begun else _("waits for friends") if one.file else _("has not begun")
        when = day_in_words(one.changed)
        lines, short = [_("with {names}").format(names=names), note, when], [names, f"{note} · {when}"]
        return TableCard(
            GAMES[one.game], lines, short, partial(self._take_up, one), self._services.picture_cache,
            name=f"table {number + 1}",
        )  # fmt: skip

    def _card(self, number: int, match: StoredMatch) -> MatchCard:
        is_over = number >= self._going_on
        name = "resume" if number == 0 and not is_over else f"match {number + 1}"
        lines = [match.players, match.note, match.when]
        short = [match.players, f"{match.standing} · {match.when}"]
        tooltip = _("Review this match") if is_over else "" if number else _("Continue this match (C)")
        picture = partial(self._miniature, match)
        return MatchCard(match.title, lines, short, picture, match.open, name=name, tooltip=tooltip)

    def _miniature(self, match: StoredMatch, size: tuple[int, int]) -> pygame.Surface | None:
        return self._miniatures.picture(match.summary, size) if self._miniatures is not None else None

    def place_at_right(self, band: pygame.Rect, most: int) -> int:
        px, gap = self._px, self._px(_GAP)
        narrowest = least_card_width(px, band.h)
        widest = max(narrowest, round(_WIDEST * band.h))
        shown = min(len(self._cards), (most + gap) // (narrowest + gap))
        width = min(widest, (most - (shown - 1) * gap) // shown) if shown else 0
        used = shown * width + max(0, shown - 1) * gap
        self._place_in(pygame.Rect(band.right - used, band.y, used, band.h), shown, width)
        return used

    def place(self, band: pygame.Rect) -> None:
        px, gap = self._px, self._px(_GAP)
        shown = min(len(self._cards), (band.w + gap) // (px(_LEAST_WIDTH) + gap))
        self._place_in(band, shown, (band.w - (shown - 1) * gap) // shown if shown else 0)

    def _place_in(self, area: pygame.Rect, shown: int, width: int) -> None:
        """Place *shown* cards of this *width* in *area*, below their heading; hide the others."""
        px, gap = self._px, self._px(_GAP)
        self._area = area
        top = area.y + px(_HEADING)
        for number, card in enumerate(self._cards):
            left = area.x + min(number, max(0, shown - 1)) * (width + gap)
            card.place(pygame.Rect(left, top, max(1, width), area.bottom - top))
            card.show(number < shown)
        size = self._all.natural_size
        heading = self._paint.width(self._words, "strong") + px(8)
        self._all.show(bool(shown) and self._services.library_reader is not None and heading + size[0] <= area.w)
        self._all.place(pygame.Rect(area.right - size[0], area.y - px(6), size[0], px(BUTTON_HEIGHT - 4)))

    @property
    def can_go_on(self) -> bool:
        """Whether there is an unfinished match."""
        return bool(self._unfinished and self._matches)

    def go_on(self) -> bool:
        """Open the first unfinished match; return False if there is none."""
        if not self.can_go_on:
            return False
        self._matches[0].open()
        return True

    def delete(self) -> bool:
        """Delete the match whose card has the focus; return False if none has it."""
        online = self._services.online
        for number, table in enumerate(self._unfinished_tables):
            if self.tables[number].has_focus and online is not None:
                title = _("Forget this match?")
                text = _("It can't be taken up again here.")
                confirm(self._stage, title, text, _("Forget it"), partial(online.forget, table))
                return False
        for card, match in zip(self._cards[len(self.tables) :], self._matches, strict=True):
            if card.has_focus and self._services.library_reader is not None:
                match.delete()
                self._stage.notify(say("The match was deleted: Ctrl+Z brings it back."))
                return True
        return False

    def undo_deletion(self) -> bool:
        """Restore the matches deleted last; return whether there were any."""
        return self._services.library_reader is not None and bool(self._services.library_reader.undo_deletion())

    def update(self) -> bool:
        return self._miniatures is not None and self._miniatures.update()

    @property
    def is_drawing(self) -> bool:
        return self._miniatures is not None and self._miniatures.is_drawing

    @property
    def _words(self) -> str:
        shown = sum(card.is_visible for card in self._cards)
        going_on = self._going_on + len(self.tables)
        if not going_on:
            return _("Recent matches")
        return _("Continue playing") if going_on >= shown else _("Your matches")

    def draw(self, surface: pygame.Surface) -> None:
        if self._miniatures is not None:
            self._miniatures.forget_wanted()
        shown = sum(card.is_visible for card in self._cards)
        if not shown:
            return
        paint, px = self._paint, self._px
        area, right = self._area, self._all.rect.x - px(8)
        middle = area.y + px(_HEADING // 2 - 6)
        room = (right if self._all.is_visible else area.right) - area.x
        title = paint.text(surface, self._words, (area.x, middle), "strong", anchor="midleft", width=room)
        if self._unfinished > shown and right - title.right > px(_LEAST_NOTE):
            note = plural("{count} unfinished", "{count} unfinished", self._unfinished)
            width = right - title.right - px(12)
            paint.text(surface, note, (right, middle), "small", paint.theme.second, anchor="midright", width=width)


class HomeGames(_Cards):
    """The gallery: a card with a picture for each game."""

    def __init__(self, stage: Stage, services: Services) -> None:
        super().__init__(stage, services)
        self.cards: list[GameCard] = []
        self._heading: tuple[int, int] | None = None
        """The left middle of the heading; None for none."""

    def build(self, widgets: Widgets, games: Iterable[Game], choose: Callable[[Game], object]) -> None:
        cache = self._services.picture_cache
        self.cards = [widgets.add(GameCard(game, partial(choose, game), cache)) for game in games]

    def place(self, room: pygame.Rect, *, has_heading: bool) -> None:
        """Fill *room*, with the number of columns that makes the pictures largest and leaves few gaps."""
        px, count = self._px, len(self.cards)
        room = self._place_heading(room, has_heading=has_heading)
        gap, text = px(_GAP), px(CARD_TEXT_HEIGHT)

        def card_size(columns: int) -> tuple[int, int]:
            rows = -(-count // columns)
            width = min((room.w - (columns - 1) * gap) // columns, px(_WIDEST_GAME))
            height = min((room.h - (rows - 1) * gap) // rows, text + round(width * _TALLEST_PICTURE))
            return width, height

        def picture_side(columns: int) -> float:
            width, height = card_size(columns)
            filled = count / (-(-count // columns) * columns)
            return min(width * _BOARD_SHARE, height - text) * filled

        columns = max(range(1, min(count, _MOST_COLUMNS) + 1), key=picture_side)
        self._place_in(room.topleft, columns, card_size(columns))

    def narrow_height(self, width: int) -> int:
        columns, (_width, height) = self._narrow_cards(width)
        return self._px(_GAMES_HEADING) + -(-len(self.cards) // columns) * (height + self._px(_GAP))

    def place_narrow(self, room: pygame.Rect) -> None:
        room = self._place_heading(room, has_heading=True)
        self._place_in(room.topleft, *self._narrow_cards(room.w))

    def _narrow_cards(self, width: int) -> tuple[int, tuple[int, int]]:
        """Return the number of columns and the size of a card on a narrow page of *width*."""
        px, gap = self._px, self._px(_GAP)
        columns = max(1, (width + gap) // (px(_NARROW_CARD) + gap))
        card = (width - (columns - 1) * gap) // columns
        return columns, (card, round(card * _NARROW_PICTURE) + px(CARD_TEXT_HEIGHT))

    def _place_heading(self, room: pygame.Rect, *, has_heading: bool) -> pygame.Rect:
        """Place the heading at the top of *room*, if any; return the rest."""
        px = self._px
        self._heading = (room.x, room.y + px(_HEADING_MIDDLE)) if has_heading else None
        taken = px(_GAMES_HEADING) if has_heading else 0
        return pygame.Rect(room.x, room.y + taken, room.w, room.h - taken)

    def _place_in(self, corner: tuple[int, int], columns: int, size: tuple[int, int]) -> None:
        for card, rect in zip(self.cards, cells(corner, size, columns, self._px(_GAP)), strict=False):
            card.place(rect)

    def draw(self, surface: pygame.Surface) -> None:
        if self._heading is not None:
            self._paint.text(surface, _("All games"), self._heading, "strong", anchor="midleft")


class HomePuzzle(_Cards):
    """The card of today's puzzle; none without the service that reads it."""

    def __init__(self, stage: Stage, services: Services, solve: Callable[[Puzzle, date], object]) -> None:
        """:param solve: opens the puzzle of a day."""
        super().__init__(stage, services)
        self._solve = solve
        self._puzzle: Puzzle | None = None
        self._today = date.today
        self._asked: date | None = None
        """The day whose puzzle was requested last."""
        self._is_missing = False
        self._found: queue.SimpleQueue[Puzzle | None] = queue.SimpleQueue()
        self._card: MatchCard | None = None
        self._picture: pygame.Surface | None = None
        self._wanted: tuple[int, int] | None = None
        """The size of the picture that the card needs and that is not drawn yet."""
        self._area = pygame.Rect(0, 0, 0, 0)

    @property
    def is_any(self) -> bool:
        return self._card is not None

    def ask(self) -> None:
        """Read today's puzzle in the background, unless that was done; until then the card is empty."""
        read, day = self._services.puzzle_of_day, self._today()
        if read is not None and self._asked != day:
            self._asked = day
            most_grade = self._stage.settings.grade_of_day(day)
            self._services.replayer.submit(lambda: self._found.put(read(day, most_grade)))

    def has_found(self) -> bool:
        """Take the puzzle if it has been read; return whether it has."""
        if self._found.empty():
            return False
        self._puzzle = self._found.get()
        self._is_missing = self._puzzle is None
        return True

    def build(self, widgets: Widgets, *, is_wanted: bool) -> None:
        self._card = self._picture = self._wanted = None
        if not is_wanted or self._services.puzzle_of_day is None or self._is_missing:
            return
        puzzle = self._puzzle
        title = translated(GAMES[puzzle.game].title) if puzzle is not None else ""
        lines = _lines(puzzle, self._stage) if puzzle is not None else []
        days = self._stage.settings.days_in_a_row(self._today()) if puzzle is not None else 0
        streak = [plural("{count} day in a row", "{count} days in a row", days)] if days >= _STREAK else []
        self._card = widgets.add(MatchCard(title, [*lines, *streak], lines, self._in_size, self.solve, name="today"))
        self._card.beside = _("Today's puzzle")

    def place(self, area: pygame.Rect) -> None:
        self._area = area
        if self._card is not None:
            top = area.y + self._px(_HEADING)
            self._card.place(pygame.Rect(area.x, top, area.w, area.bottom - top))

    def solve(self) -> None:
        if self._puzzle is not None and self._asked is not None:
            self._solve(self._puzzle, self._asked)

    @property
    def game(self) -> Game:
        """The game of the puzzle, which must have been read."""
        assert self._puzzle is not None
        return GAMES[self._puzzle.game]

    def _in_size(self, size: tuple[int, int]) -> pygame.Surface | None:
        if self._picture is not None and self._picture.get_size() == size:
            return self._picture
        self._wanted = size
        return None

    @property
    def is_ready(self) -> bool:
        """Whether there is no picture left to draw."""
        return self._wanted is None or self._puzzle is None

    def prepare(self) -> None:
        """Draw the picture that the card needs.

        :raises papan.ui.drawing.pictures.OutOfTimeError: the time slice is over; a later call continues.
        """
        puzzle, size, paint = self._puzzle, self._wanted, self._paint
        if puzzle is None or size is None:
            return
        self._picture = paint.pictures.get(
            ("today", puzzle.name, size), lambda: puzzle_picture(paint, puzzle, size, self._px(_CORNER))
        )
        self._wanted = None
        if self._card is not None:
            self._card.invalidate()

    def draw(self, surface: pygame.Surface) -> None:
        if self._card is None:
            return
        paint, px = self._paint, self._px
        at = (self._area.x, self._area.y + px(_HEADING // 2 - 6))
        paint.text(surface, _("Today's puzzle"), at, "strong", anchor="midleft", width=self._area.w)


def _lines(puzzle: Puzzle, stage: Stage) -> list[str]:
    from papan.ui.scenes.puzzles.words import aim, grade  # not before the first frame

    is_solved = puzzle.digest in stage.settings.solved_puzzles_of(puzzle.game)
    return [aim(puzzle), _("Solved") if is_solved else grade(puzzle)]
