"""The explorer's search: a pattern of positions on the board, and the games with positions that fit."""

from __future__ import annotations

import queue
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pygame

from papan.game.explorer.patterns import cells_that_fit
from papan.game.presentation import cells_in_words
from papan.game.rules import CHANCE, State
from papan.ui.boards import BoardError, BoardView, Picture, board_of
from papan.ui.drawing.theme import GAP
from papan.ui.play.explorer import Explorer, Opened
from papan.ui.play.pattern_editor import PatternEditor
from papan.ui.play.position_editor import PositionEditor
from papan.ui.scenes import HEADER_HEIGHT, HeaderScene, News, Stage, strip
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.position_editor import PositionScene
from papan.ui.scenes.services import Services
from papan.ui.texts import _, in_figures, plural, translated
from papan.ui.widgets.board import StillBoard
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.explorer_lists import ExploredGames, Side, game_row
from papan.ui.widgets.grids import Swatch
from papan.ui.widgets.readouts import StatusView
from papan.ui.widgets.shortcuts import Shortcut

_ANYTHING = -1
_SIGN = "?"
_BOARD = 0.5
"""The board's share of the width."""
_NARROW_BOARD, _NARROW_LIST = 360, 420
"""The heights on a narrow page."""
_PADDING = 14
_WORKING_SECONDS = 0.03


def show_opened(stage: Stage, services: Services, opened: Opened) -> None:
    """Show a game that the explorer has read in the review, or why not in a dialog."""
    match, turns, number, trouble = opened
    try:
        if number is not None and services.review_match is not None:
            services.review_match(number, turns)
        elif number is None and match is not None and services.show_match is not None:
            services.show_match(match, turns)
    except BoardError as error:
        trouble = str(error)
    if trouble:
        stage.push(Message(stage, _("This match can't be shown"), translated(trouble), icon="warning"))


class PatternScene(PositionScene):
    """Edits a pattern of positions: what stands on some cells, and anything elsewhere."""

    editor: PatternEditor

    def __init__(self, stage: Stage, explorer: Explorer, services: Services, sides: Sequence[Side]) -> None:
        """
        :param explorer: searches the games that it has chosen.
        :param sides: the seats as lists show them.
        :raises papan.ui.boards.BoardError: the game has no board.
        :raises papan.game.explorer.CollectionError: its positions can't be searched for.
        """
        self._explorer, self._sides = explorer, sides
        super().__init__(stage, explorer.game, explorer.match.options, services=services)

    def _new_editor(self, options: Mapping[str, str], position: str | None) -> PositionEditor:
        return PatternEditor(self.game, options, self._explorer.state)

    def build(self) -> None:
        super().build()
        self.title = _("Search for positions")
        self._palette.eraser = _("Empty: nothing stands here")
        self._clear.icon = ""
        self._text.beside, self._text.tooltip = _("Pattern"), _("The pattern as text: type or paste another one")
        self._clear.label, self._start.label = _("Anything"), _("This position")
        self._clear.tooltip = _("Allow anything on every cell")
        self._start.tooltip = _("Set up the position of the explorer")
        self._play.label, self._play.icon = _("Find games"), "search"
        self._analyse.show(False)

    def _in_words(self, state: State) -> Callable[[int], str]:
        return self.editor.in_words(state)

    def _swatches(self) -> list[Swatch]:
        swatches = super()._swatches()
        row = max((swatch.row for swatch in swatches), default=0)

        def draw(surface: pygame.Surface, rect: pygame.Rect) -> None:
            self.paint.text(surface, _SIGN, rect.center, "heading", self.theme.good_ink, anchor="center")

        return [*swatches, Swatch(_ANYTHING, _("Anything"), row, draw)]

    def _refresh(self) -> None:
        super()._refresh()
        self._play.enable(not self.editor.fault)

    def _put(self, cell: int) -> None:
        if self.brush == _ANYTHING:
            self._act(partial(self.editor.loosen, cell))
        else:
            super()._put(cell)

    def _paint(self, cell: int) -> None:
        if self.brush == _ANYTHING:
            self._act(partial(self.editor.loosen, cell))
        else:
            super()._paint(cell)

    def _take(self, cell: int) -> None:
        self._act(partial(self.editor.take if self.brush is None else self.editor.loosen, cell))

    def play(self) -> None:
        """Search, and show what is found."""
        if not self.editor.fault:
            self._explorer.search(self.editor.pattern, self.editor.board)
            self.stage.push(FoundScene(self.stage, self._explorer, self._services, self._sides, self.outlook))

    def analyse(self) -> None:
        """Do nothing: a pattern is no position."""

    def picture(self) -> Picture:
        picture = super().picture()
        return Picture(picture.state, hint=picture.hint, marks=dict.fromkeys(self.editor.open_cells, _SIGN))

    def _status_view(self) -> StatusView:
        style = self.view.seat_style(self.editor.state, max(self.editor.side or 0, 0))
        trouble = self.editor.refusal or self.editor.fault
        fixed = len(self.editor.pattern.contents) - len(self.editor.board.given)
        request = plural("{count} cell matters", "{count} cells matter", fixed) if fixed else _("Any position fits")
        if self.editor.fault:
            request = _("The text is not understood")
        if trouble:
            return StatusView(style, request, translated(trouble), is_refusal=True)
        return StatusView(style, request, _("Click to place, right-click to allow anything."))

    def shortcuts(self) -> Sequence[Shortcut]:
        return *self._editing_keys(), Shortcut("Ctrl+Enter", _("find games"), self.play)


class FoundScene(HeaderScene):
    """The games with positions that fit a pattern, and the first such position of the chosen one."""

    def __init__(
        self, stage: Stage, explorer: Explorer, services: Services, sides: Sequence[Side], outlook: int
    ) -> None:
        """:param explorer: has begun to search.
        :param outlook: of the board.
        """
        super().__init__(stage)
        self._explorer, self._services, self._sides, self._outlook = explorer, services, sides, outlook
        self._calls: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()
        self.state: State | None = None
        """The position of the chosen game."""
        self._fitting: tuple[int, ...] = ()
        """The cells that fit the pattern there, which are marked."""
        self._read = -1
        self._has_answer = False
        self.view = self._new_view()

    def _new_view(self) -> BoardView:
        view = board_of(self._explorer.game, self.stage.paint)
        view.outlook = self._outlook % view.outlooks
        view.shows_all_hands = True
        return view

    # --------------------------------------------------------------------------------- the widgets

    def build(self) -> None:
        super().build()
        self.title = _("Games found")
        self.pill = translated(self._explorer.game.title)
        self.view = self._new_view()
        add = self.widgets.add
        in_words = partial(cells_in_words, self._explorer.game)
        self._board = add(StillBoard(self.view, self._picture, self._wheel, in_words))
        self.games = add(ExploredGames(self.open_game, self._choose))
        self._open = add(Button(_("Open the game"), self._open_chosen, sign="play", kind="primary", name="open"))
        if self.widgets.focused is None:
            self.widgets.focus(self.games)
        self._has_answer = False

    def page_height(self, width: int) -> int:
        px = self.px
        return (
            px(HEADER_HEIGHT + _NARROW_BOARD + GAP + _NARROW_LIST + 16)
            if self.is_narrow(width)
            else super().page_height(width)
        )

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px = self.px
        self.place_in_header(area, [self._open])
        room = self.body(area, HEADER_HEIGHT, 16)
        if self.is_narrow(area.w):
            self._board_panel, self._side = strip(room, "top", px(_NARROW_BOARD), px(GAP))
        else:
            self._board_panel, self._side = strip(room, "left", round(room.w * _BOARD), px(GAP))
        self._board.place(self._board_panel.inflate(-2 * px(_PADDING), -2 * px(10)))
        self._head, rows = strip(self._side, "top", px(62))
        rows.h -= px(6)
        self.games.place(rows.inflate(-2 * px(4), 0))

    # --------------------------------------------------------------------------------------- time

    @property
    def _is_searching(self) -> bool:
        return self._explorer.searching.is_working

    @property
    def idle_seconds(self) -> float:
        is_waiting = self._is_searching or self._read != self.games.index
        return _WORKING_SECONDS if is_waiting else super().idle_seconds

    def leave(self) -> None:
        self._explorer.searching.stop()

    def update(self, seconds: float) -> None:
        while not self._calls.empty():
            self._calls.get()()
            self.invalidate()
        if not self._has_answer and not self._is_searching:
            self._has_answer = True
            answer = self._explorer.searched
            rows = [game_row(info, self._sides, turns) for _one, info, turns in answer.found.games] if answer else []
            self.games.show_rows(rows)
            trouble = answer.trouble if answer else ""
            self.games.empty_words = translated(trouble) or _("No game has such a position.")
            self._open.enable(bool(rows) and self._services.show_match is not None)
            self._read = -1
            self._choose()
            self.invalidate()

    # --------------------------------------------------------------------------------- what is done

    def _choose(self) -> None:
        """Show the position of the chosen game."""
        if self.games.entries and self._read != self.games.index:
            self._read = self.games.index
            self._read_game(self._read, self._show_position)

    def _read_game(self, place: int, show: Callable[[Opened], object]) -> None:
        calls = self._calls
        self._explorer.open_found(place, lambda opened: calls.put(partial(show, opened)))

    def _show_position(self, opened: Opened) -> None:
        match, turns = opened.match, opened.turns
        if match is None:
            show_opened(self.stage, self._services, opened)  # which tells why
            return
        first_steps = [turn.first_step for turn in match.turns() if turn.seat != CHANCE]
        self.state = match.states[first_steps[turns]] if turns < len(first_steps) else match.state
        self._fitting = ()
        answer = self._explorer.searched
        if answer is not None and not answer.board.pointed:
            self._fitting = tuple(cells_that_fit(answer.pattern, answer.board, self.state))

    def open_game(self, place: int) -> None:
        """Review the game in a place of the list, at the position."""
        self._read_game(place, partial(show_opened, self.stage, self._services))

    def _open_chosen(self) -> None:
        if self.games.entries:
            self.open_game(self.games.index)

    def _wheel(self, notches: int) -> None:
        if self.games.entries:
            self.games.choose(self.games.index + notches)

    def shortcuts(self) -> Sequence[Shortcut]:
        return (Shortcut("Ctrl+Enter", _("open it"), self._open_chosen),)

    # ------------------------------------------------------------------------------------ drawing

    def _picture(self) -> Picture:
        return Picture(
            self._explorer.state if self.state is None else self.state, hint=self._fitting, hint_is_step=False
        )

    def _heading(self) -> tuple[str, str]:
        """How many games there are, and what is shown of them."""
        if not self._has_answer:
            return _("Searching …"), ""
        answer = self._explorer.searched
        number = answer.found.results.games if answer else 0
        shown = len(self.games.entries)
        heading = plural(
            "{count} game with such a position", "{count} games with such a position", number, count=in_figures(number)
        )
        if not shown:
            return heading, ""
        if shown < number:
            return heading, _("The latest {count} are listed.").format(count=in_figures(shown))
        return heading, _("The latest come first.")

    def news(self) -> Sequence[News]:
        return *super().news(), News(self._heading()[0])

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        paint, px, theme = self.paint, self.px, self.theme
        paint.panel(surface, self._board_panel)
        paint.panel(surface, self._side)
        heading, note = self._heading()
        room = self._head.inflate(-2 * px(_PADDING), 0)
        at = (room.x, room.y + px(24))
        paint.text(surface, heading, at, "heading", anchor="midleft", width=room.w, shrinks=True)
        at = (room.x, room.y + px(48))
        paint.text(surface, note, at, "small", theme.second, anchor="midleft", width=room.w, shrinks=True)
