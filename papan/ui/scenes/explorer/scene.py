"""The explorer: the board of a position, the turns played there, and games with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pygame

from papan.ai.players import HUMAN
from papan.game.base.sentences import Sentence, capitalised, figures, joined, say, say_number
from papan.game.explorer.collection import can_search
from papan.game.formats import formats_of
from papan.game.formats.importing import ImportProgress
from papan.game.formats.source import Source
from papan.game.game import Game
from papan.game.match import Match
from papan.game.presentation import cells_in_words
from papan.game.rules import mover
from papan.ui.boards import BoardError, BoardView, Picture, board_of
from papan.ui.drawing.theme import BUTTON_HEIGHT, GAP
from papan.ui.play.explorer import OWN, CollectionImport, Explorer, Wanted, can_explore
from papan.ui.play.import_export import with_reasons
from papan.ui.scenes import HEADER_HEIGHT, BackgroundScene, News, Stage, strip, turn_button
from papan.ui.scenes.dialogs import Message, Reply
from papan.ui.scenes.encoding import ask_encoding
from papan.ui.scenes.explorer.filters import ExplorerFilters
from papan.ui.scenes.explorer.search import PatternScene, show_opened
from papan.ui.scenes.file_chooser import FileChooser
from papan.ui.scenes.panel_form import filters_height
from papan.ui.scenes.playing import ChoiceCards, StepAnimation
from papan.ui.scenes.practice import side_name
from papan.ui.scenes.saving import copy_record
from papan.ui.scenes.services import ALONE, Services
from papan.ui.texts import _, in_figures, plural, translated
from papan.ui.widgets.board import BoardWidget
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.explorer_lists import ExploredGames, ExploredTurns, Side, TurnRow, game_row
from papan.ui.widgets.shortcuts import DIGITS, Shortcut
from papan.ui.widgets.text_field import TextField

_TOP = HEADER_HEIGHT
_BOARD, _BOARD_BOUNDS = 0.4, (340, 860)
"""The board's share of the width, and its bounds in design pixels."""
_NARROW_BOARD, _NARROW_SIDE = 420, 520
"""The heights of the panels on a narrow page."""
_PADDING = 14
_BAR = 52
_BUTTON = 36
_GAMES_SHARE, _LEAST_GAMES = 0.36, 112
"""The share of the lists' height for the games, and the least height."""
_WORKING_SECONDS, _THINKING_SECONDS = 0.03, 0.15
_MOST_FORMATS = 6


class ExplorerScene(BackgroundScene):
    """What was played in one position after the other."""

    game: Game

    def __init__(
        self,
        stage: Stage,
        match: Match,
        services: Services = ALONE,
        viewer: int | None = None,
        wanted: Wanted | None = None,
    ) -> None:
        """:param match: begins with the turns that led to the position; of a game that ``can_explore``.
        :param viewer: the seat that the board is turned to; default: none.
        :param wanted: which games count; default: all.

        :raises papan.ui.boards.BoardError: the game's board can't be shown.
        """
        super().__init__(stage, "explorer")
        self._services = services
        self._viewer = viewer
        self._outlook = 0
        self._filters = ExplorerFilters(wanted or Wanted(), self._filter, self._choose_game)
        self._import: CollectionImport | None = None
        self._was_empty = False
        """Whether the last layout was for no collection."""
        self._take(match)

    def _take(self, match: Match) -> None:
        self.game = match.game
        self.explorer = Explorer(match, self.worker, self._services.library_reader, self._filters.wanted)
        self._new_view()
        self._animation = StepAnimation(self.stage, self.explorer, lambda *step: self.view.duration(*step))
        self.refusal = ""
        self._seen: object = None
        self._shown_state: object = None

    def _new_view(self) -> None:
        self.view: BoardView = board_of(self.game, self.stage.paint)
        self.view.seat_in_front = self._viewer
        self.view.shows_all_hands = True
        self.view.outlook = self._outlook % self.view.outlooks

    # --------------------------------------------------------------------------------- the widgets

    def build(self) -> None:
        super().build()
        self.title = _("Explore")
        self.explorer.forget_names()
        self._new_view()
        state, rules = self.explorer.match.states[0], self.game.rules
        self.sides = [
            Side(capitalised(side_name(self.view, rules, state, seat)), self.view.seat_style(state, seat))
            for seat in (0, 1)
        ]
        add, explorer = self.widgets.add, self.explorer
        self._filters.build(self.widgets, self.game, self.sides, has_own=self._services.library_reader is not None)
        in_words = partial(cells_in_words, self.game)
        self._board = add(BoardWidget(self.view, self.picture, self._point, in_words=in_words))
        self._choices = ChoiceCards(self.widgets, self._board, self.view, explorer)
        self._first = add(IconButton("first", _("To the start"), self.go_to_start, name="first"))
        self._previous = add(IconButton("previous", _("Take back"), self.take_back, name="previous"))
        self._next = add(IconButton("next", _("Forward"), self.go_on, name="next"))
        has_engine = self._services.analyst is not None
        has_book = explorer.answer is not None and bool(explorer.answer.book)
        self._turns = add(ExploredTurns(self.sides, self.play, has_book=has_book, has_engine=has_engine))
        self._games = add(ExploredGames(self.open_game))
        self._search = add(Button(_("Search position…"), self.search, icon="search", name="search position"))
        self._bring = add(Button(_("Import a collection…"), self._ask_file, icon="plus", name="import"))
        self._stop = add(Button(_("Stop"), self._stop_import, icon="stop", name="stop"))
        self._copy = add(Button(_("Copy"), self._copy_record, sign="copy", name="copy", tooltip=_("Copy the record")))
        self._flip = add(turn_button(self.view, self._turn_board))
        self._branch = add(Button(_("Play on from here"), self.play_on, sign="play", kind="primary", name="branch"))
        self._branch.show(self._services.go_on_with is not None)
        if self.widgets.focused is None:
            self.widgets.focus(self._turns)
        self._seen = self._shown_state = None
        if explorer.answer is not None:
            self._fill()
        self._show_import()
        self._refresh()

    def page_height(self, width: int) -> int:
        px = self.px
        filters = filters_height(width - 2 * px(20), px)
        if not self.is_narrow(width):
            return max(super().page_height(width), px(_TOP + GAP + 480 + 16) + filters)
        return px(_TOP + GAP + _NARROW_BOARD + GAP + _NARROW_SIDE + 16) + filters

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px = self.px
        self._was_empty = self._is_empty
        buttons = [self._branch, self._copy, self._flip]
        self._search.show(can_search(self.game) and not self._is_empty)
        self.place_in_header(area, buttons if self._is_empty else [*buttons, self._bring, self._search])
        room = self.body(area, _TOP, 16)
        filters, room = strip(room, "top", filters_height(room.w, px), px(GAP))
        self._filters.place(filters, px)
        if self.is_narrow(area.w):
            self._board_panel, self._side = strip(room, "top", px(_NARROW_BOARD), px(GAP))
        else:
            width = min(self.share(room.w, _BOARD, _BOARD_BOUNDS), max(px(_BOARD_BOUNDS[0]), room.h - px(_BAR)))
            self._board_panel, self._side = strip(room, "left", width, px(GAP))
        self._bar, board = strip(self._board_panel, "bottom", px(_BAR))
        left = self._bar.x + px(_PADDING)
        for button in (self._first, self._previous, self._next):
            button.place(pygame.Rect(left, self._bar.y + px(4), px(_BUTTON), px(_BUTTON)))
            left += px(_BUTTON + 6)
        self._line = pygame.Rect(
            left + px(6), self._bar.y + px(4), self._bar.right - px(_PADDING) - left - px(6), px(_BUTTON)
        )
        inside = board.inflate(-2 * px(_PADDING), -2 * px(10))
        self._choices.place(inside)
        self._place_side()

    def _place_side(self) -> None:
        px = self.px
        side = self._side.copy()
        self._foot = pygame.Rect(side.x, side.bottom, side.w, 0)
        if self._import is not None:
            self._foot, side = strip(side, "bottom", px(46))
        width = self._stop.natural_size[0]
        self._stop.place(
            pygame.Rect(self._foot.right - px(_PADDING) - width, self._foot.y + px(2), width, px(BUTTON_HEIGHT))
        )
        self._summary, lists = strip(side, "top", px(62))
        games = max(px(_LEAST_GAMES), round(lists.h * _GAMES_SHARE))
        games_room, turns = strip(lists, "bottom", games)
        self._games_head, rows = strip(games_room, "top", px(30))
        rows.h -= px(6)
        inset = px(4)
        self._turns.place(turns.inflate(-2 * inset, 0))
        self._games.place(rows.inflate(-2 * inset, 0))
        self._empty_note = side.inflate(-2 * px(40), -2 * px(30))
        if self._is_empty:
            width = min(self._bring.natural_size[0], self._empty_note.w)
            at = pygame.Rect(0, 0, width, px(BUTTON_HEIGHT))
            height = self.paint.paragraph_height(self._empty_words, self._empty_note.w, "text")
            self._empty_note.y += max(0, (self._empty_note.h - height - px(60)) // 2)
            at.midtop = (self._empty_note.centerx, self._empty_note.y + height + px(20))
            self._bring.place(at)

    @property
    def _is_empty(self) -> bool:
        """Whether there is no collection to ask."""
        answer = self.explorer.answer
        return answer is not None and not answer.total and not answer.trouble and not answer.sources

    @property
    def _empty_words(self) -> str:
        if self._filters.wanted.source == OWN:
            return _("You have not finished a match of this game yet.")
        title = translated(self.game.title)
        titles = [form.title for form in formats_of(self.game)][:_MOST_FORMATS]
        if not titles:
            return _("There is no collection of {game} yet: import a file of games.").format(game=title)
        return _("There is no collection of {game} yet: import a file of games ({formats}).").format(
            game=title, formats=", ".join(titles)
        )

    # --------------------------------------------------------------------------------------- time

    def leave(self) -> None:
        self.explorer.close()
        if self._services.analyst is not None:
            self._services.analyst.rest()
        self._stop_import()
        if self._import is not None:
            self._import.close(0.0)
        super().leave()

    @property
    def is_animating(self) -> bool:
        return self.explorer.showing is not None

    @property
    def idle_seconds(self) -> float:
        if self.explorer.inquiry.is_working or self._import is not None:
            return _WORKING_SECONDS
        analyst = self._services.analyst
        return _THINKING_SECONDS if analyst is not None and analyst.is_busy else super().idle_seconds

    def update(self, seconds: float) -> None:
        super().update(seconds)
        if self._animation.advance(seconds):
            self._animation.finish()
        is_new = self.explorer.tick()
        analyst = self._services.analyst
        has_news = analyst is not None and self.explorer.study(analyst)
        if is_new:
            self._fill()
            if self._was_empty != self._is_empty:  # the import's button moves into the panel or back
                self.layout(self.area)
        elif has_news:
            self._show_rows()
        if self._import is not None:
            self.invalidate()
            if self._import.progress.is_over:
                self._end_import(self._import)
        self._refresh()

    def _refresh(self) -> None:
        explorer = self.explorer
        turn = explorer.turn
        seen = explorer.showing, turn.pointed, turn.due, len(explorer.match.steps), explorer.state, self.refusal
        if seen == self._seen:
            return
        self._seen = seen
        for button in (self._first, self._previous):
            button.enable(bool(explorer.match.steps))
        self._next.enable(explorer.turn.can_redo or bool(self._turns.entries))
        self._branch.enable(explorer.match.ending is None)
        self._choices.offer()
        self.invalidate()

    def _fill(self) -> None:
        answer = self.explorer.answer
        assert answer is not None
        self._filters.offer(answer.sources, answer.players)
        self.pill = plural("{count} game", "{count} games", answer.total, count=in_figures(answer.total))
        self._show_rows()
        self._games.show_rows([game_row(info, self.sides) for _collection, info in answer.explored.games])
        words = self._nothing_words()
        self._turns.empty_words = words
        for widget in (self._turns, self._games):
            widget.show(not self._is_empty)
        if bool(answer.book) != self._turns.has_book:
            self._turns.set_book(bool(answer.book))
        self._seen = None
        self.invalidate()

    def _nothing_words(self) -> str:
        answer = self.explorer.answer
        if answer is None:
            return ""
        if answer.trouble:
            return translated(answer.trouble)
        if answer.explored.results.games:
            return _("The games end here.")
        if not answer.total and self._filters.wanted.source == OWN:
            return self._empty_words
        return (
            _("No game with this position fits these filters.")
            if not self._filters.wanted.is_all
            else _("No game has this position.")
        )

    def _show_rows(self) -> None:
        explorer, answer = self.explorer, self.explorer.answer
        if answer is None:
            return
        rows = [
            TurnRow(
                explorer.name_of(one.steps), one.results, years_in_words(one.years), explorer.opinion(one.steps),
                explorer.by_book(one.steps), ", ".join(one.players),
            )
            for one in answer.explored.continuations
        ]  # fmt: skip
        self._turns.show_rows(rows, is_other=answer.state != self._shown_state)
        self._shown_state = answer.state
        self.invalidate()

    # ------------------------------------------------------------------------------------ drawing

    def picture(self) -> Picture:
        explorer, moving = self.explorer, self._animation.moving
        if moving is not None:
            return Picture(moving.before, moving=moving)
        shows = self.stage.settings.show_legal_steps
        return Picture(
            explorer.match.state,
            targets=explorer.turn.targets() if shows else frozenset(),
            chosen=explorer.turn.pointed[0] if explorer.turn.pointed else None,
            last=explorer.last_cells,
        )

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px, explorer = self.paint, self.theme, self.px, self.explorer
        super().draw(surface)
        paint.panel(surface, self._board_panel)
        paint.panel(surface, self._side)
        words, ink = (
            (translated(self.refusal), theme.bad_ink) if self.refusal else (self._line_in_words(), theme.second)
        )
        at, width = self._line.midleft, self._line.w
        paint.text(surface, words, at, "small", ink, anchor="midleft", width=width, shrinks=True)
        if self._is_empty:
            paint.paragraph(surface, self._empty_words, self._empty_note, "text", theme.second, align="center")
            room = self._summary.inflate(-2 * px(_PADDING), 0)
            at = (room.x, room.y + px(24))
            paint.text(surface, explorer.opening, at, "heading", anchor="midleft", width=room.w, shrinks=True)
        else:
            self._draw_summary(surface)
            at = (self._games_head.x + px(_PADDING), self._games_head.centery)
            paint.text(surface, _("Games with this position"), at, "small strong", anchor="midleft")
        if self._import is not None:
            at = (self._foot.x + px(_PADDING), self._stop.rect.centery)
            width = self._stop.rect.x - px(10) - at[0]
            paint.text(surface, self._progress_in_words(), at, "small", anchor="midleft", width=width, shrinks=True)

    def _draw_summary(self, surface: pygame.Surface) -> None:
        paint, theme, px, room = self.paint, self.theme, self.px, self._summary.inflate(-2 * self.px(_PADDING), 0)
        heading, own, best = self._summary_in_words()
        at = (room.x, room.y + px(24))
        written = paint.text(surface, heading, at, "heading", anchor="midleft", width=room.w, shrinks=True)
        if own and room.right - written.right > px(60):
            at = (room.right, at[1])
            width = room.right - written.right - px(16)
            paint.text(surface, own, at, "small strong", theme.ink, anchor="midright", width=width, shrinks=True)
        at = (room.x, room.y + px(48))
        paint.text(surface, best, at, "small", theme.second, anchor="midleft", width=room.w, shrinks=True)

    def _summary_in_words(self) -> tuple[str, str, str]:
        """The opening and how many games there are, how the own ones ended, and what the engine thinks best."""
        answer = self.explorer.answer
        if answer is None:
            return _("Reading …"), "", ""
        number = answer.explored.results.games
        heading = plural(
            "{count} game with this position", "{count} games with this position", number, count=in_figures(number)
        )
        heading = " · ".join(filter(None, [self.explorer.opening, heading]))
        own = ""
        if answer.own is not None and answer.own.games:
            own = _("You won {won} of {count} from here.").format(
                won=in_figures(answer.own.won), count=in_figures(answer.own.games)
            )
        best = self.explorer.best() if self._services.analyst is not None else None
        told = _("The engine prefers {turn}: {score}").format(turn=best[0].shown, score=best[1]) if best else ""
        if not told and self._services.analyst is not None and self.explorer.match.ending is None:
            told = _("The engine is thinking …")
        return heading, own, told

    def _line_in_words(self) -> str:
        """The number of turns so far, and as many of the last ones as fit."""
        line = [name.shown for name in self.explorer.line]
        if not line:
            return _("Start position")
        head = plural("{count} turn", "{count} turns", self.explorer.turns)
        for first in range(len(line)):
            words = f"{head}: {'… ' if first else ''}{' · '.join(line[first:])}"
            if self.paint.width(words, "small") <= self._line.w:
                return words
        return f"{head}: {self.explorer.line[-1].notation}"

    def _progress_in_words(self) -> str:
        assert self._import is not None
        progress = self._import.progress
        return _("Reading game {number}: {share} of the file …").format(
            number=in_figures(progress.read), share=in_figures(progress.share, ".0%")
        )

    # --------------------------------------------------------------------------------- what is done

    def _filter(self) -> None:
        self.explorer.wanted = self._filters.wanted
        self.invalidate()

    def _choose_game(self, game: Game) -> None:
        before = self.explorer
        try:
            self._viewer = None
            self._filters.wanted = Wanted(OWN if self._filters.wanted.source == OWN else "")
            self._take(start_of(game))
        except (BoardError, ValueError) as error:
            self.explorer, self.game = before, before.game
            self.stage.push(Message(self.stage, translated(game.title), translated(str(error)), icon="warning"))
        else:
            before.close()
        self.stage.rebuild(self)

    def _point(self, cell: int) -> None:
        if not self._animation.cut_short():
            self.refusal = self.explorer.point(cell) or ""
            self._refresh()

    def _act(self, act: Callable[[], object]) -> None:
        self.refusal, self._animation.progress = "", 0.0
        act()
        self._refresh()

    def play(self, place: int) -> None:
        """Play the turn in a place of the list, unless the list is about an earlier position."""
        answer = self.explorer.answer
        if answer is None or not self.explorer.is_up_to_date or place >= len(answer.explored.continuations):
            return
        self._act(lambda: self.explorer.play(answer.explored.continuations[place].steps))

    def take_back(self) -> None:
        self._act(self.explorer.take_back)

    def go_to_start(self) -> None:
        self._act(self.explorer.go_to_start)

    def go_on(self) -> None:
        """Play again what was taken back; else the chosen turn."""
        if self.explorer.turn.can_redo:
            self._act(self.explorer.go_on)
        else:
            self.play(self._turns.index)

    def play_on(self) -> None:
        """Begin a match from the position, of the same players if they can play; else a person meets the usual one."""
        if self._services.go_on_with is None or self.explorer.match.ending is not None:
            return
        self._animation.skip_all()
        match = self.explorer.branch()
        offered = [choice.name for choice in self._services.player_choices(self.game)]
        if HUMAN not in match.seats or not all(name in offered for name in match.seats):
            usual = self.stage.settings.opponent
            rival = usual if usual in offered else offered[-1]
            match.seats = [HUMAN if seat == int(mover(match.state)) else rival for seat in (0, 1)]
        match.tags = {}
        self._services.go_on_with(match)

    def _copy_record(self) -> None:
        self._animation.skip_all()
        copy_record(self.stage, self.explorer.branch())

    def _turn_board(self) -> None:
        self._outlook = (self.view.outlook + 1) % self.view.outlooks
        self._board.look(self._outlook)
        self.layout(self.area)
        self.invalidate()

    def open_game(self, place: int) -> None:
        """Review the game in a place of the list, at the position."""
        found, show = self.found, partial(show_opened, self.stage, self._services)
        self.explorer.open_game(place, lambda opened: found.put(partial(show, opened)))

    def search(self) -> None:
        """Edit a pattern, and search for positions that fit."""
        if self._search.is_visible:
            self._act(self.explorer.turn.let_go)
            self.stage.push(PatternScene(self.stage, self.explorer, self._services, self.sides))

    # ----------------------------------------------------------------------------------- the import

    def _ask_file(self) -> None:
        if self._import is None:
            title = _("Import a collection")
            self.stage.push(FileChooser(self.stage, title, lambda paths: self.import_file(paths[0]), several=False))

    def take_file(self, path: str) -> None:
        self.import_file(Path(path))

    def import_file(self, path: Path) -> None:
        """Add the games of a file to a collection named after it, perhaps after a question about its encoding."""
        ask_encoding(self.stage, [path], [self.game], self.worker, self.found.put, lambda found: self._collect(*found))

    def _collect(self, source: Path | Source) -> None:
        if self._import is None:
            self._import = CollectionImport(self.game, source)
            self._show_import()

    def _stop_import(self) -> None:
        if self._import is not None:
            self._import.stop()

    def _show_import(self) -> None:
        self._stop.show(self._import is not None)
        self._bring.enable(self._import is None)
        if self.area.w:
            self.layout(self.area)
        self.invalidate()

    def _end_import(self, done: CollectionImport) -> None:
        self._import = None
        done.close(0.0)
        self._show_import()
        if done.progress.stored and self._filters.wanted.source == OWN:
            self._filters.wanted = Wanted()
            self.explorer.wanted = self._filters.wanted
        self.explorer.forget()
        words = added_in_words(done.name, done.progress)
        if done.progress.refused or done.progress.notes:
            close = [Reply(_("Close"), kind="primary")]
            self.stage.push(Message(self.stage, _("Import"), translated(words), close, icon="info"))
        else:
            self.stage.notify(words)

    # --------------------------------------------------------------------------------------- keys

    def back(self) -> None:
        """Put a lifted piece back, or leave."""
        if self.explorer.turn.pointed:
            self._act(self.explorer.turn.let_go)
        else:
            super().back()

    def _walking(self, act: Callable[[], object]) -> bool:
        """Do *act*; return False if the focused widget uses the same keys."""
        if isinstance(self.widgets.focused, (TextField, BoardWidget)):
            return False
        act()
        return True

    def news(self) -> Sequence[News]:
        heading, own, _best = self._summary_in_words()
        told = f"{heading}. {own}" if self.explorer.is_up_to_date else ""
        return *super().news(), News(told), News(translated(self.refusal))

    def shortcuts(self) -> Sequence[Shortcut]:
        group = _("Turns")
        keys = (
            ("Left  Backspace", _("take back a turn"), self.take_back),
            ("Right", _("play again, or play the chosen turn"), self.go_on),
            ("Home", _("to the start"), self.go_to_start),
        )
        return [
            *(Shortcut(key, what, partial(self._walking, act), group, comes_first=True) for key, what, act in keys),
            Shortcut("Ctrl+Z", _("take back a turn"), self.take_back, group),
            Shortcut("Enter  Space", _("skip the animation"), self._animation.cut_short),
            Shortcut(DIGITS, _("choose an option by its number"), self._choices.choose_place),
            Shortcut("Ctrl+C", _("copy the record"), self._copy_record),
            Shortcut("Ctrl+E", _("play on from here"), self.play_on),
            Shortcut("Ctrl+F", _("search for positions"), self.search),
            Shortcut("Ctrl+O", _("import a collection"), self._ask_file),
            Shortcut("Ctrl+T", _("flip the board"), self._turn_board),
        ]


def start_of(game: Game) -> Match:
    """A match of two persons at the start position of *game*."""
    return Match.new(game, [HUMAN, HUMAN], {"first": "1"}, 0)


def explore_match(stage: Stage, match: Match, services: Services, viewer: int | None = None) -> None:
    """Open the explorer at the end of *match*, or show why that fails.

    :param viewer: the seat that the board is turned to.
    """
    if not can_explore(match):
        return
    try:
        stage.push(ExplorerScene(stage, match, services, viewer))
    except BoardError as error:
        stage.push(Message(stage, translated(match.game.title), translated(str(error)), icon="warning"))


def years_in_words(years: tuple[int, int]) -> str:
    """A range of years; "" if they are unknown.

    >>> years_in_words((1978, 2011)), years_in_words((1990, 1990)), years_in_words((0, 0))
    ('1978–2011', '1990', '')
    """
    first, last = years
    return "" if not last else f"{last}" if first == last else f"{first}–{last}"


def added_in_words(name: str, progress: ImportProgress) -> Sentence:
    """Return the report on an import into the collection *name*, with reasons for refused games."""
    said: list[str] = [
        say_number(
            "{count} game is in the new collection {name}.", "{count} games are in the new collection {name}.",
            progress.stored, count=figures(progress.stored), name=name,
        ) if progress.stored else say("No game was imported.")
    ]  # fmt: skip
    if progress.known:
        count = figures(progress.known)
        said.append(
            say_number(
                "{count} repeated game counts once.", "{count} repeated games count once.", progress.known, count=count
            )
        )
    if progress.is_stopped:
        said.append(say("The rest was not read."))
    return with_reasons(joined(said), progress)
