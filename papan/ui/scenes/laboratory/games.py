"""Single games of an experiment: a board to watch them, and a list to open them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial

import pygame

from papan.game.presentation import cells_in_words
from papan.ui.boards import BoardError, BoardView, Picture, board_of
from papan.ui.drawing.theme import GAP, Colour
from papan.ui.play.laboratory import Experiment, GameNote, Replayed
from papan.ui.play.playback import Playback
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.scenes import Scene
from papan.ui.scenes.laboratory.form import LaboratoryForm
from papan.ui.scenes.playing import moving_picture
from papan.ui.texts import _, in_figures, in_whole_numbers, plural
from papan.ui.widgets.board import StillBoard
from papan.ui.widgets.buttons import IconButton
from papan.ui.widgets.cards import ResultRow
from papan.ui.widgets.text_field import TextField

WATCH, OPEN = "watch", "open"
"""Why a game is replayed."""

_PADDING = 14
_HEAD = 46
_LEGEND = 22
"""The height of a line with the names of two seats."""
_CAPTION = 28
_ROW = 28
_MOST_ROWS = 40
_FOOT = 42
_BUTTON = 30
_MOST_DIGITS = 9
_LEAST_LIST = 240
_PAUSE = 1.5
"""Seconds between two games that are watched."""


class Watch:
    """A board that shows games of the experiment, one after another."""

    def __init__(self, scene: Scene, form: LaboratoryForm) -> None:
        self._scene = scene
        self._form = form
        self._playback: Playback | None = None
        self._game: Replayed | None = None
        self._is_waiting = False
        self._rest = 0.0
        self._next = 0
        self.is_on = True

    @property
    def number(self) -> int | None:
        return self._game.number if self._game is not None else None

    def build(self) -> None:
        """Add the board of the game, if it has one, and the switch to the scene."""
        self._view: BoardView | None = None
        self._board: StillBoard | None = None
        with contextlib.suppress(BoardError):
            self._view = board_of(self._form.game, self._scene.paint)
        if self._view is not None:
            self._view.is_still = self._view.shows_all_hands = True
            in_words = partial(cells_in_words, self._form.game)
            board = StillBoard(self._view, self._picture, lambda turns: None, in_words)
            self._board = self._scene.widgets.add(board)
        switch = IconButton("eye", _("Watch games as they are played"), self._switch, name="watch")
        self._button = self._scene.widgets.add(switch)
        self._button.turn(self.is_on)

    def place(self, panel: pygame.Rect) -> None:
        """Place the board in *panel*, below the names of the seats."""
        px, seats = self._scene.px, self._form.seats
        self.panel = panel
        self._legend_lines = -(-seats // 2) if seats > 1 else 0
        pad, side = px(_PADDING), px(_BUTTON)
        self._button.place(pygame.Rect(panel.right - pad - side, panel.y + px(8), side, side))
        top = panel.y + px(_HEAD) + self._legend_lines * px(_LEGEND)
        if self._board is not None:
            height = panel.bottom - px(_CAPTION) - pad - top
            self._board.place(pygame.Rect(panel.x + pad, top, panel.w - 2 * pad, height))

    def reset(self) -> None:
        self._playback = self._game = None
        self._is_waiting = False
        self._next = 0

    def _switch(self) -> None:
        self.is_on = not self.is_on
        self._button.turn(self.is_on)
        self._scene.invalidate()

    def take(self, replayed: Replayed) -> None:
        self._is_waiting = False
        if replayed.match is None or self._view is None:
            self._next = replayed.number + 1
            return
        self._game = replayed
        stage = self._scene.stage
        self._playback = Playback(replayed.match, self._view.duration, lambda: stage.animation_speed)
        self._playback.play()
        self._rest = 0.0
        self._scene.invalidate()

    def update(self, seconds: float, experiment: Experiment | None) -> None:
        """Animate the game; when it is over, ask *experiment* for the next."""
        if not self.is_on or experiment is None or self._view is None:
            return
        playback = self._playback
        if playback is not None and (playback.is_playing or playback.showing is not None):
            if playback.update(seconds):
                self._scene.invalidate()
            return
        self._rest += seconds
        if not experiment.standing.counts.games:
            return
        if not self._is_waiting and experiment.can_replay and (playback is None or self._rest >= _PAUSE):
            self._is_waiting = True
            experiment.replay(self._next % experiment.question.games, WATCH)
            self._next += 1

    @property
    def is_animating(self) -> bool:
        return self.is_on and self._playback is not None and self._playback.showing is not None

    def _picture(self) -> Picture:
        assert self._view is not None
        playback = self._playback
        if playback is None or self._game is None or self._game.match is None:
            return Picture(self._view.sample())
        watched = self._game.match
        if playback.showing is not None:
            return moving_picture(watched, playback.showing)
        stop = watched.stops[playback.turn]
        return Picture(watched.visible_state(stop.end), last=watched.last_cells(playback.turn))

    def draw(self, surface: pygame.Surface) -> None:
        px, paint, theme = self._scene.px, self._scene.paint, self._scene.theme
        paint.panel(surface, self.panel)
        left, middle = self.panel.x + px(_PADDING), self._button.rect.centery
        room = self._button.rect.x - px(8) - left
        title, caption = _("Watch"), _("move by move") if self.is_on else _("switched off")
        if self._game is not None and self._game.match is not None and self._playback is not None:
            title = _("Game {number}").format(number=in_figures(self._game.number + 1))
            watched, playback = self._game.match, self._playback
            caption = _("Turn {number} of {most}").format(number=playback.turn, most=watched.turns)
            if playback.is_at_end and playback.showing is None:
                caption = watched.result()
            self._draw_legend(surface, watched)
        paint.text(surface, title, (left, middle), "strong", anchor="midleft", width=room)
        at = (self.panel.centerx, self.panel.bottom - px(_CAPTION // 2 + 4))
        width = self.panel.w - 2 * px(_PADDING)
        paint.text(surface, caption, at, "small", theme.second, anchor="center", width=width)

    def _draw_legend(self, surface: pygame.Surface, watched: ReviewedMatch) -> None:
        px, paint, seats = self._scene.px, self._scene.paint, watched.match.seats
        if self._view is None or len(seats) == 1:
            return
        width = (self.panel.w - 2 * px(_PADDING)) // 2
        for seat, name in enumerate(seats):
            line, column = divmod(seat, 2)
            left = self.panel.x + px(_PADDING) + column * width
            middle = self.panel.y + px(_HEAD - 6) + line * px(_LEGEND) + px(_LEGEND) // 2
            paint.badge(surface, (left + px(8), middle), px(8), self._view.seat_style(watched.states[0], seat))
            at = (left + px(22), middle)
            paint.text(surface, self._form.label_of_name(name), at, "small", anchor="midleft", width=width - px(26))


class GameList:
    """The games by number, each with its winner and its length."""

    def __init__(self, scene: Scene, form: LaboratoryForm, open_game: Callable[[int], object]) -> None:
        """:param open_game: called with the number of a game, from 0."""
        self._scene = scene
        self._form = form
        self._open = open_game
        self.first = 0
        """The number of the game in the first row, from 0."""
        self._shown = 0
        self._games = 0
        self._opening: int | None = None

    def build(self) -> None:
        add = self._scene.widgets.add
        self._field = add(
            TextField(
                "", self._find, name="find", placeholder=_("number"), allowed="0123456789", most=_MOST_DIGITS,
                submitted=lambda: self._choose(0), tooltip=_("Type a game's number; Enter opens that game"),
            )
        )  # fmt: skip
        self._field.beside = _("Games")
        second = self._scene.theme.second
        self._rows = [
            add(ResultRow("", "", ("", second), partial(self._choose, row), name=f"row {row + 1}"))
            for row in range(_MOST_ROWS)
        ]
        self._earlier = add(IconButton("previous", _("Earlier games"), lambda: self.turn(-1), name="earlier"))
        self._later = add(IconButton("next", _("Later games"), lambda: self.turn(1), name="later"))

    def place(self, panel: pygame.Rect) -> None:
        px = self._scene.px
        self.panel = panel
        pad, height = px(_PADDING), px(_BUTTON)
        width = px(92)
        self._field.place(pygame.Rect(panel.right - pad - width, panel.y + px(8), width, height + px(2)))
        top, bottom = panel.y + px(_HEAD + 4), panel.bottom - px(_FOOT)
        self._shown = max(1, min(_MOST_ROWS, (bottom - top) // px(_ROW)))
        for index, row in enumerate(self._rows):
            below = top + min(index, self._shown - 1) * px(_ROW)
            row.place(pygame.Rect(panel.x + pad, below, panel.w - 2 * pad, px(_ROW)))
        middle = panel.bottom - px(_FOOT) // 2 - height // 2
        self._later.place(pygame.Rect(panel.right - pad - height, middle, height, height))
        self._earlier.place(pygame.Rect(self._later.rect.x - px(6) - height, middle, height, height))

    def reset(self) -> None:
        self.first, self._games, self._opening = 0, 0, None
        self._field.write("")

    def _find(self, text: str) -> None:
        self.first = max(0, min(int(text or 1), max(1, self._games)) - 1)
        self._scene.invalidate()

    @property
    def is_hovered(self) -> bool:
        return any(row.is_hovered for row in self._rows)

    def turn(self, pages: int) -> None:
        last = max(0, (self._games - 1) // self._shown * self._shown)
        self.first = max(0, min(self.first + pages * self._shown, last))
        self._scene.invalidate()

    def _choose(self, row: int) -> None:
        number = self.first + row
        if number < self._games:
            self._opening = number
            self._open(number)
            self._scene.invalidate()

    def opened(self) -> None:
        self._opening = None

    def show(self, experiment: Experiment | None) -> None:
        self._games = experiment.standing.counts.games if experiment else 0
        numbers = range(self.first, min(self.first + self._shown, self._games))
        for index, row in enumerate(self._rows):
            number = self.first + index
            row.show(index < self._shown and number in numbers)
            if experiment is None or number not in numbers:
                continue
            note = experiment.notes.get(number)
            row.title = in_figures(number + 1)
            row.note, row.outcome = self._in_words(note)
            if number == self._opening:
                row.note = _("opening …")
        self._field.enable(self._games > 0)
        self._earlier.enable(self.first > 0)
        self._later.enable(self.first + self._shown < self._games)
        if experiment is not None and experiment.can_replay and numbers:
            experiment.ask_for_notes(numbers)

    def _in_words(self, note: GameNote | None) -> tuple[str, tuple[str, Colour]]:
        """Return the length of a game, and its winner with the colour of the text."""
        theme = self._scene.theme
        if note is None:
            return "…", ("", theme.second)
        length = plural("{count} turn", "{count} turns", note.turns)
        if len(note.winners) == 1:
            [(player, _seat)] = note.winners
            return length, (self._form.label_of(player), theme.seats[player % len(theme.seats)].ink)
        if note.winners:
            return length, (" · ".join(str(player + 1) for player, _seat in note.winners), theme.ink)
        if note.score:
            return length, (in_whole_numbers(note.score), theme.ink)
        return length, (_("draw"), theme.second)

    def draw(self, surface: pygame.Surface) -> None:
        px, paint, theme = self._scene.px, self._scene.paint, self._scene.theme
        paint.panel(surface, self.panel)
        left = self.panel.x + px(_PADDING)
        at = (left, self._field.rect.centery)
        paint.text(surface, _("Games"), at, "strong", anchor="midleft", width=self._field.rect.x - px(8) - left)
        if self._games:
            last = min(self._games, self.first + self._shown)
            words = _("{first}–{last} of {number}").format(
                first=in_figures(self.first + 1), last=in_figures(last), number=in_figures(self._games)
            )
        else:
            words = _("none yet")
            room = pygame.Rect(left, self.panel.y + px(_HEAD + 4), self.panel.w - 2 * px(_PADDING), 0)
            note = _("Finished games can be opened and reviewed on the board.")
            paint.paragraph(surface, note, room, "small", theme.second, most_lines=4)
        at = (left, self._later.rect.centery)
        width = self._earlier.rect.x - px(8) - left
        paint.text(surface, words, at, "small", theme.second, anchor="midleft", width=width)


def board_height(column: pygame.Rect, scene: Scene) -> int:
    """Return the height of the board in *column*: as square as possible, with room for the list below."""
    px = scene.px
    square = column.w + px(_HEAD + _LEGEND + _CAPTION) - px(_PADDING)
    return min(square, column.h - px(GAP) - px(_LEAST_LIST))
