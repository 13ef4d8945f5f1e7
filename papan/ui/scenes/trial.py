"""A board to try a turn at, and beside it what is said of that and a few buttons: for exercises and for puzzles."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import pygame

from papan.game.facts import Game
from papan.game.rules import power_of
from papan.game.setup import cell_in_words
from papan.ui.boards import BoardView, Moving, Picture, board_of
from papan.ui.drawing.theme import GAP, MARGIN
from papan.ui.play.trial import Trial
from papan.ui.scenes import IDLE_SECONDS, News, Stage
from papan.ui.scenes.header import HeaderScene
from papan.ui.scenes.review_board import draw_exercise_frame
from papan.ui.scenes.review_coach import tone_ink
from papan.ui.scenes.review_words import Tone
from papan.ui.scenes.table_choices import TableChoices
from papan.ui.scenes.table_seats import explained
from papan.ui.texts import _, translated
from papan.ui.widgets.board import BoardWidget
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.player_cards import SeatCard, SeatView
from papan.ui.widgets.shortcuts import DIGITS, Shortcut

_TOP = 68
_SIDE, _SIDE_BOUNDS = 0.3, (330, 440)
_NARROW_SIDE, _NARROW_PADDING = 262, 12
_LEAST_HEIGHT = 430
PADDING = 18
_NOTE_HEIGHT = 44
_BUTTON_GAP = 8
_LOW_BELOW, _FOLDED = 400, 4
"""The height of the panel below which buttons have icons only, and at most so many stand in a row."""
_BODY_LINES = 8
_PILL_AROUND = 38
_SEAT_HEIGHT = 60
_AWAITING_SECONDS = 0.05
HEAD_HEIGHT = 54
"""What stands above the words, where anything does, in the sketches' pixels."""


@dataclass(frozen=True)
class Said:
    """All that is said beside the board."""

    whose: str
    heading: str
    body: str
    """With ``**`` around notations."""
    tone: Tone = "plain"


class TrialScene(HeaderScene):
    """A scene about one trial at a time; what it says, and its buttons, are the subclass's."""

    def __init__(self, stage: Stage, game: Game, trial: Trial) -> None:
        """:raises papan.ui.boards.BoardError: the game's board can't be shown."""
        super().__init__(stage)
        self.game: Game = game
        self.trial = trial
        self.refusal = ""
        """Why what was pointed at last makes no turn, in a sentence."""
        self._progress = 0.0
        self._seen: object = None
        self._grid: Sequence[Sequence[Button]] = ()
        """The buttons below the words, row by row."""
        self._board_panel = self._side = self._note = pygame.Rect(0, 0, 0, 0)
        self._outlook = 0
        self._new_view()

    def _new_view(self) -> None:
        self.view: BoardView = board_of(self.game, self.stage.paint)
        self.view.seat_in_front = self.seat_in_front(self.view)
        self.view.outlook = self._outlook % self.view.outlooks

    # ---------------------------------------------------------------------------- the subclass's own

    @abstractmethod
    def seat_in_front(self, view: BoardView) -> int | None:
        """The seat to whose side *view*, the board, is turned."""

    @property
    @abstractmethod
    def header_pill(self) -> str:
        """What stands beside the title."""

    @property
    @abstractmethod
    def note(self) -> str:
        """What stands above the board."""

    @property
    @abstractmethod
    def short_note(self) -> str:
        """The same in a word or two, where there is no room."""

    @abstractmethod
    def name_of(self, seat: int) -> str:
        """Who plays *seat*."""

    @abstractmethod
    def said(self) -> Said:
        """What is said beside it now."""

    @abstractmethod
    def _add_buttons(self) -> None:
        """Add the buttons, and set the grid of those below the words."""

    @abstractmethod
    def _bring_in_line(self) -> None:
        """Bring the buttons in line with the trial, which has changed."""

    @property
    def _has_head(self) -> bool:
        """Whether anything stands above the words."""
        return False

    # -------------------------------------------------------------------------------------- building

    def build(self) -> None:
        super().build()
        self._new_view()
        in_words = partial(cell_in_words, self.game)
        board = BoardWidget(self.view, self.picture, self._point, self._point_by_arrow, in_words=in_words)
        self._board = self.widgets.add(board)
        self._turn = self.widgets.add(
            Button(_("Turn"), self._turn_board, icon="turn", name="turn", tooltip=_("Turn the board"))
        )
        self._turn.show(self.view.outlooks > 1)
        self._add_buttons()
        self._seat_cards = [self.widgets.add(SeatCard(seat, view)) for seat, view in self._seat_views()]
        self._choices = TableChoices(self.widgets, self._board, self.view, self.trial)
        self.widgets.focus(self._board)
        self._seen = None
        self._refresh()

    def _seat_views(self) -> list[tuple[int, SeatView]]:
        """What the cards of the seats say; none where no seat may do anything of its own."""
        match, view = self.trial.match, self.view
        state = self.trial.visible_state(match.states[0])
        found = []
        for seat in range(len(match.seats)):
            fact, note = (translated(text) for text in match.rules.seat_note(state, seat))
            power = translated(power_of(match.rules, state, seat))
            name, style = self.name_of(seat), view.seat_style(state, seat)
            words = explained(f"**{name}**", fact, power or note)
            emblem, is_due = view.seat_emblem(state, seat), seat == self.trial.seat
            found.append((bool(power), SeatView(style, name, note, fact, emblem, explanation=words, is_active=is_due)))
        has_powers = any(has_power for has_power, _view in found)
        return [(seat, view) for seat, (_has_power, view) in enumerate(found)] if has_powers else []

    def page_height(self, width: int) -> int:
        beside = _SEAT_HEIGHT + GAP if self._seat_cards and self.is_narrow(width) else 0
        return self.px(_LEAST_HEIGHT + beside)

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        self.place_in_header(area, (self._turn,))
        px = self.px
        margin, gap = px(MARGIN), px(GAP)
        width = round(min(px(_SIDE_BOUNDS[1]), max(px(_SIDE_BOUNDS[0]), area.w * _SIDE)))
        if self.is_narrow(area.w):
            width = px(_NARROW_SIDE)
        top, bottom = px(_TOP), area.bottom - px(16)
        if self._seat_cards and self.is_narrow(area.w):  # the seats' cards stand below
            bottom -= px(_SEAT_HEIGHT) + gap
        self._side = pygame.Rect(area.right - margin - width, top, width, bottom - top)
        self._board_panel = pygame.Rect(margin, top, self._side.x - gap - margin, bottom - top)
        self._note = pygame.Rect(self._board_panel.x, self._board_panel.y, self._board_panel.w, px(_NOTE_HEIGHT))
        inner = self._board_panel.inflate(-2 * px(16), -2 * px(14))
        inner.h -= self._note.bottom - inner.y
        inner.y = self._note.bottom
        self._place_side()
        self._choices.place(inner)

    def _place_side(self) -> None:
        px, inner = self.px, self.side_inside
        gap, height = px(_BUTTON_GAP), px(40)
        grid, is_low = self._grid, self._side.h < px(_LOW_BELOW)
        if is_low:  # the words need the room
            flat = [button for row in grid for button in row]
            columns = -(-len(flat) // -(-len(flat) // _FOLDED))
            grid = tuple(tuple(flat[first : first + columns]) for first in range(0, len(flat), columns))
        self._words_bottom = inner.bottom - len(grid) * (height + gap) + gap - px(12)
        self._place_seats(inner)
        first = inner.bottom - len(grid) * (height + gap) + gap
        for button in (button for row in grid for button in row):
            button.fold(is_low)
        widths = _column_widths(grid, inner.w, gap)
        for row, buttons in enumerate(grid):
            left, top = inner.x, first + row * (height + gap)
            for button, width in zip(buttons, widths[len(buttons)], strict=True):
                button.place(pygame.Rect(left, top, width, height))
                left += width + gap

    def _place_seats(self, inner: pygame.Rect) -> None:
        """Stand the seats' cards above the buttons, or beside each other below everything."""
        px, number = self.px, len(self._seat_cards)
        if not number:
            return
        if self.is_narrow(self.area.w):
            room = pygame.Rect(self._board_panel.x, self._side.bottom + px(GAP), 0, px(_SEAT_HEIGHT))
            width = (self._side.right - room.x - (number - 1) * px(GAP)) // number
            for place, card in enumerate(self._seat_cards):
                card.place(pygame.Rect(room.x + place * (width + px(GAP)), room.y, width, room.h))
            return
        top = self._words_bottom + px(12) - number * px(_SEAT_HEIGHT + 8) - px(4)
        self._words_bottom = top - px(12)
        for place, card in enumerate(self._seat_cards):
            card.place(pygame.Rect(inner.x, top + place * px(_SEAT_HEIGHT + 8), inner.w, px(_SEAT_HEIGHT)))

    @property
    def side_inside(self) -> pygame.Rect:
        """The room within the panel beside the board."""
        padding = self.px(_NARROW_PADDING if self.is_narrow(self.area.w) else PADDING)
        return self._side.inflate(-2 * padding, -2 * padding)

    # ------------------------------------------------------------------------------------------ time

    def leave(self) -> None:
        self.trial.close()

    @property
    def is_animating(self) -> bool:
        return self.trial.showing is not None

    @property
    def idle_seconds(self) -> float:
        return _AWAITING_SECONDS if self.trial.awaits else IDLE_SECONDS

    def update(self, seconds: float) -> None:
        self.trial.tick()
        showing = self.trial.showing
        if showing is not None:
            speed = self.stage.animation_speed
            duration = self.view.duration(showing.before, showing.step, showing.after)
            self._progress = min(1.0, self._progress + (seconds * speed / duration if duration and speed else 1.0))
            if self._progress == 1.0:
                self._finish_showing()
        self._refresh()

    def _finish_showing(self) -> None:
        self._progress = 0.0
        self.trial.finish_showing()
        self.invalidate()

    def _state_seen(self) -> object:
        """What the widgets depend on."""
        trial = self.trial
        turn = trial.turn
        return trial.stage, trial.showing, trial.hint, turn.pointed, turn.due, len(trial.match.steps), self.refusal

    def _refresh(self) -> None:
        """Bring the widgets in line with the trial, if it has changed."""
        seen = self._state_seen()
        if seen == self._seen:
            return
        self._seen = seen
        self._bring_in_line()
        self._choices.offer()
        self.invalidate()

    # --------------------------------------------------------------------------------------- showing

    def picture(self) -> Picture:
        """The picture that the board shows now."""
        trial = self.trial
        shown = trial.showing
        if shown is not None:
            before, after = trial.visible_state(shown.before), trial.visible_state(shown.after)
            return Picture(before, moving=Moving(before, shown.step, after, min(1.0, self._progress)))
        shows_targets = trial.person_is_due and self.stage.settings.show_legal_steps
        return Picture(
            trial.visible_state(trial.match.state),
            targets=trial.turn.targets() if shows_targets else frozenset(),
            chosen=trial.turn.pointed[0] if trial.turn.pointed else None,
            last=trial.tried_cells,
        )

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px = self.paint, self.theme, self.px
        self.draw_header(surface, self.header_pill)
        for panel in (self._board_panel, self._side):
            paint.panel(surface, panel)
        draw_exercise_frame(paint, surface, self._board_panel)
        at = (self._note.x + px(16), self._note.centery)
        width = self._note.w - 2 * px(16)
        note = self.note
        if paint.width(note, "small strong") + px(_PILL_AROUND) > width:
            note = self.short_note
        paint.pill(surface, note, at, fill=theme.accent_soft, ink=theme.accent, width=width, icon="info")
        self._draw_words(surface)

    def _draw_words(self, surface: pygame.Surface) -> None:
        paint, theme, px = self.paint, self.theme, self.px
        inner = self.side_inside
        top = inner.y + (px(HEAD_HEIGHT) if self._has_head else 0)
        said = self.said()
        style = self.view.seat_style(self.trial.match.state, self.trial.seat)
        paint.badge(surface, (inner.x + px(12), top + px(12)), px(12), style)
        whose = (inner.x + px(34), top + px(12))
        paint.text(surface, said.whose, whose, "small", theme.second, anchor="midleft", width=inner.w - px(34))
        top += px(38)
        heading = pygame.Rect(inner.x, top, inner.w, 0)
        ink = tone_ink(paint, said.tone)
        top += paint.paragraph(surface, said.heading, heading, "heading", ink, most_lines=3) + px(8)
        room = max(1, (self._words_bottom - top) // paint.line_height("text"))
        lines = min(_BODY_LINES, room)
        if self.refusal:
            refusal = pygame.Rect(inner.x, top, inner.w, 0)
            paint.paragraph(surface, translated(self.refusal), refusal, "text", theme.bad_ink, most_lines=lines)
            return
        paint.paragraph(surface, said.body, pygame.Rect(inner.x, top, inner.w, 0), "text", theme.ink, most_lines=lines)

    # ---------------------------------------------------------------------------------------- acting

    def _cut_short(self) -> bool:
        """End the showing of a step; returns whether one was shown."""
        had_more = self.trial.showing is not None
        if had_more:
            self._finish_showing()
        return had_more

    def _point(self, cell: int) -> None:
        if not self._cut_short():
            self.refusal = self.trial.point(cell) or ""
            self._refresh()

    def _turn_board(self) -> None:
        """Look at the board in the next way."""
        self._outlook = (self.view.outlook + 1) % self.view.outlooks
        self._board.look(self._outlook)
        self.layout(self.area)
        self.invalidate()

    def _point_by_arrow(self, cell: int) -> None:
        while self.trial.showing is not None:
            self._finish_showing()
        self._point(cell)

    def _begin(self, begin: Callable[[], object]) -> None:
        """Set something else up, with the keyboard at the board."""
        self.refusal, self._progress = "", 0.0
        begin()
        self.widgets.focus(self._board, by_keyboard=self.widgets.shows_focus)
        self._refresh()

    def _take_up(self, trial: Trial) -> None:
        """Have another trial on the board."""
        self.trial.close()
        self.refusal, self._progress = "", 0.0
        self.trial = trial
        self.stage.rebuild(self)

    def back(self) -> None:
        if self.trial.person_is_due and self.trial.turn.pointed:
            self.trial.turn.let_go()
            self._refresh()
        else:
            self.stage.pop(self)

    @abstractmethod
    def try_again(self) -> None:
        """Set the position up again."""

    def news(self) -> Sequence[News]:
        said = self.said()
        told = f"{said.whose}. {said.heading}. {said.body}"
        return *super().news(), News(told), News(translated(self.refusal))

    def shortcuts(self) -> Sequence[Shortcut]:
        return [
            Shortcut("Enter  Space", _("show the next at once"), self._cut_short),
            Shortcut(DIGITS, _("choose what is offered by name"), self._choices.choose_place),
            Shortcut("R  Ctrl+Z", _("try again"), self.try_again),
            Shortcut("Ctrl+T", _("turn the board"), self._turn_board),
        ]


def _column_widths(grid: Sequence[Sequence[Button]], room: int, gap: int) -> dict[int, list[int]]:
    """The widths of the columns of rows of so many buttons: alike, unless a label needs more than its share."""
    widths = {}
    for number in {len(row) for row in grid}:
        share, rest = divmod(room - (number - 1) * gap, number)
        rows = [row for row in grid if len(row) == number]
        needs = [max(row[column].natural_size[0] for row in rows) for column in range(number)]
        more = (number * share + rest - sum(needs)) // number
        widths[number] = [share] * number if max(needs) <= share else [need + more for need in needs]
    return widths
