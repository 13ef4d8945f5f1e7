"""The common scene of exercises, puzzles and lessons: a board to try turns, text about them, and buttons."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import pygame

from papan.game.base.sentences import capitalised
from papan.game.game import Game
from papan.game.presentation import cells_in_words
from papan.game.rules import Rules, State, power_of
from papan.ui.boards import BoardView, Picture, board_of
from papan.ui.drawing.marks import draw_exercise_frame
from papan.ui.drawing.theme import GAP, Tone
from papan.ui.play.practice import WRONG, Practice
from papan.ui.scenes import IDLE_SECONDS, HeaderScene, News, Stage, cells, strip, turn_button
from papan.ui.scenes.playing import ChoiceCards, StepAnimation
from papan.ui.texts import _, translated
from papan.ui.texts.wording import you
from papan.ui.widgets.board import BoardWidget
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.paragraphs import Paragraph, Paragraphs
from papan.ui.widgets.player_cards import SeatCard, SeatView, seat_explanation
from papan.ui.widgets.shortcuts import DIGITS, Shortcut

_TOP, _FOOT = 68, 16
_SIDE, _SIDE_BOUNDS = 0.3, (330, 440)
_NARROW_SIDE, _NARROW_PADDING = 262, 12
_LEAST_HEIGHT = 430
PADDING = 18
_NOTE_HEIGHT, _NOTE_EDGE, _AROUND_LINES = 44, 9, 4
_BUTTON, _BUTTON_GAP = 40, 8
_LOW_BELOW, _FOLDED = 400, 4
"""In a panel lower than this, buttons have icons only; and the most of these in a row."""
_LEAST_WORDS, _WORDS_APART = 72, 12
"""The least height of the text, and its distance from what is below it."""
_PILL_AROUND = 38
_SEAT_HEIGHT, _SEAT_GAP, _SEATS_APART = 60, 8, 4
_WHOSE_HEIGHT = 38
_BODY_APART, _REMARK_APART = 8, 10
_AWAITING_SECONDS = 0.05
HEAD_HEIGHT = 54
"""The height of what a subclass puts above the text, in design pixels."""


class SideText(NamedTuple):
    whose: str
    heading: str
    body: str
    """With ``**`` around notations."""
    tone: Tone = "plain"
    remark: str = ""
    """About the last try, below the body."""


def side_name(view: BoardView, rules: Rules, state: State, seat: int) -> str:
    """Return the name that the rules give *seat*, such as its god; else that of its colour on the board *view*."""
    note = rules.seat_note(state, seat)
    return translated(capitalised(note[0] or view.seat_style(state, seat).name))


class PracticeScene(HeaderScene):
    """Several positions to practise, one at a time; subclasses add the text and most buttons."""

    game: Game
    _has_head = False
    """Whether the subclass puts anything above the text."""

    def __init__(self, stage: Stage, game: Game, place: int) -> None:
        """:param place: the index of the first position, below ``count``.
        :raises papan.ui.boards.BoardError: the game's board can't be shown.
        """
        super().__init__(stage)
        self.game = game
        self.place = place
        self.practice = self.practice_at(place)
        self.refusal = ""
        """Why the last click makes no turn, as a sentence."""
        self.note, self.short_note = "", ""
        """The note above the board, and a short form if it does not fit."""
        self._animation = self._new_animation()
        self._seen: object = None
        self._grid: Sequence[Sequence[Button]] = ()
        """The buttons below the words, row by row."""
        self._outlook = 0
        self._new_view()

    def _new_view(self) -> None:
        self.view: BoardView = board_of(self.game, self.stage.paint)
        self.view.seat_in_front = self.seat_in_front(self.view)
        self.view.outlook = self._outlook % self.view.outlooks

    @property
    @abstractmethod
    def count(self) -> int:
        """The number of positions."""

    @abstractmethod
    def practice_at(self, place: int) -> Practice:
        """Return the position with the index *place*."""

    @abstractmethod
    def seat_in_front(self, view: BoardView) -> int | None:
        """Return the seat that the board *view* is turned to."""

    def name_of(self, seat: int) -> str:
        """Return the name of *seat*'s player."""
        return you() if seat == self.practice.seat else _("Player {number}").format(number=seat + 1)

    @abstractmethod
    def side_text(self) -> SideText:
        """Return the text next to the board."""

    @abstractmethod
    def _add_buttons(self) -> None:
        """Add the buttons, and set ``_grid`` to those below the text."""

    @abstractmethod
    def _bring_in_line(self) -> None:
        """Update buttons, pill and note after a change."""

    @property
    def _label_of_next(self) -> str:
        return _("Done") if self.place == self.count - 1 else _("Next")

    def _add_previous_and_next(self) -> None:
        self._previous = self.widgets.add(Button(_("Previous"), self._go_back, sign="previous", name="previous"))
        self._next = self.widgets.add(Button(_("Next"), self._go_on, sign="next", kind="primary", name="next"))

    def build(self) -> None:
        super().build()
        self._new_view()
        in_words = partial(cells_in_words, self.game)
        board = BoardWidget(self.view, self.picture, self._point, self._point_by_arrow, in_words=in_words)
        self._board = self.widgets.add(board)
        self._turn = self.widgets.add(turn_button(self.view, self._turn_board))
        self._words = self.widgets.add(Paragraphs("words"))
        self._add_buttons()
        self._seat_cards = [self.widgets.add(SeatCard(seat, view)) for seat, view in enumerate(self._seat_views())]
        self._choices = ChoiceCards(self.widgets, self._board, self.view, self.practice)
        self.widgets.focus(self._board)
        self._seen = None
        self._refresh()

    def _seat_views(self) -> list[SeatView]:
        """Return the cards of the seats; none unless some seat has its own power."""
        match, view = self.practice.match, self.view
        state = self.practice.visible_state(match.states[0])
        views, has_powers = [], False
        for seat in range(len(match.seats)):
            fact, note = (translated(text) for text in match.rules.seat_note(state, seat))
            power = translated(power_of(match.rules, state, seat))
            has_powers |= bool(power)
            name, style, emblem = self.name_of(seat), view.seat_style(state, seat), view.seat_emblem(state, seat)
            words = seat_explanation(f"**{name}**", fact, power or note)
            is_due = seat == self.practice.seat
            views.append(SeatView(style, name, note, fact, emblem, explanation=words, is_active=is_due))
        return views if has_powers else []

    def page_height(self, width: int) -> int:
        seats = len(self._seat_cards)
        if self.is_narrow(width):
            return self.px(_LEAST_HEIGHT + (_SEAT_HEIGHT + GAP if seats else 0))
        above = _WHOSE_HEIGHT + (HEAD_HEIGHT if self._has_head else 0)
        side = 2 * PADDING + above + _LEAST_WORDS + _WORDS_APART + _BUTTON + self._seats_height
        return self.px(max(_LEAST_HEIGHT, _TOP + side + _FOOT))

    @property
    def _seats_height(self) -> int:
        """The height of the seats' cards next to the board, in design pixels."""
        seats = len(self._seat_cards)
        return seats * (_SEAT_HEIGHT + _SEAT_GAP) + _SEATS_APART if seats else 0

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        self.place_in_header(area, (self._turn,))
        px = self.px
        width = px(_NARROW_SIDE) if self.is_narrow(area.w) else self.share(area.w, _SIDE, _SIDE_BOUNDS)
        room = self.body(area, _TOP, _FOOT)
        if self._seat_cards and self.is_narrow(area.w):  # the seats' cards go below
            room.h -= px(_SEAT_HEIGHT) + px(GAP)
        self._side, self._board_panel = strip(room, "right", width, px(GAP))
        lines = self.paint.paragraph_height(self.short_note, self._note_width, "tiny")
        high = max(px(_NOTE_HEIGHT), lines + 2 * px(_NOTE_EDGE + _AROUND_LINES))
        self._note = strip(self._board_panel, "top", high)[0]
        inner = self._board_panel.inflate(-2 * px(16), -2 * px(14))
        inner.h -= self._note.bottom - inner.y
        inner.y = self._note.bottom
        self._place_side()
        self._choices.place(inner)

    def _place_side(self) -> None:
        px, inner, is_narrow = self.px, self.side_inside, self.is_narrow(self.area.w)
        gap, height = px(_BUTTON_GAP), px(_BUTTON)
        top = inner.y + px(_WHOSE_HEIGHT) + (px(HEAD_HEIGHT) if self._has_head else 0)
        seats = 0 if is_narrow else px(self._seats_height)

        def first_row(rows: int) -> int:
            return inner.bottom - rows * (height + gap) + gap

        grid = self._grid
        spare = first_row(len(grid)) - px(_WORDS_APART) - seats - top - px(_LEAST_WORDS)
        is_low = self._side.h < px(_LOW_BELOW) or spare < 0
        if is_low:  # the text needs the space
            flat = [button for row in grid for button in row]
            columns = -(-len(flat) // -(-len(flat) // _FOLDED))
            grid = tuple(tuple(flat[first : first + columns]) for first in range(0, len(flat), columns))
        first = first_row(len(grid))
        bottom = first - px(_WORDS_APART) - seats
        self._place_seats(inner, bottom + px(_WORDS_APART))
        self._words.place(pygame.Rect(inner.x, top, inner.w, max(1, bottom - top)))
        for button in (button for row in grid for button in row):
            button.fold(is_low)
        widths = _column_widths(grid, inner.w, gap)
        for row, buttons in enumerate(grid):
            left, top = inner.x, first + row * (height + gap)
            for button, width in zip(buttons, widths[len(buttons)], strict=True):
                button.place(pygame.Rect(left, top, width, height))
                left += width + gap

    def _place_seats(self, inner: pygame.Rect, top: int) -> None:
        """Place the seats' cards from *top* on above the buttons, or in a row below everything."""
        px, number = self.px, len(self._seat_cards)
        if not number:
            return
        if self.is_narrow(self.area.w):
            left, gap = self._board_panel.x, px(GAP)
            width = (self._side.right - left - (number - 1) * gap) // number
            places = cells((left, self._side.bottom + gap), (width, px(_SEAT_HEIGHT)), number, gap)
        else:
            places = cells((inner.x, top), (inner.w, px(_SEAT_HEIGHT)), 1, px(_SEAT_GAP))
        for card, rect in zip(self._seat_cards, places, strict=False):
            card.place(rect)

    @property
    def side_inside(self) -> pygame.Rect:
        padding = self.px(_NARROW_PADDING if self.is_narrow(self.area.w) else PADDING)
        return self._side.inflate(-2 * padding, -2 * padding)

    def leave(self) -> None:
        self.practice.close()

    @property
    def is_animating(self) -> bool:
        return self.practice.showing is not None

    @property
    def idle_seconds(self) -> float:
        return _AWAITING_SECONDS if self.practice.awaits else IDLE_SECONDS

    def update(self, seconds: float) -> None:
        self.practice.pass_time(seconds)
        self.practice.tick()
        if self._animation.advance(seconds):
            self._animation.finish()
        self._refresh()

    def _state_seen(self) -> object:
        practice = self.practice
        turn = practice.turn
        played = len(practice.match.steps)
        return practice.stage, practice.showing, practice.hint, turn.pointed, turn.due, played, self.refusal, self.place

    def _refresh(self) -> None:
        seen = self._state_seen()
        if seen == self._seen:
            return
        self._seen = seen
        self._bring_in_line()
        self._previous.enable(self.place > 0)
        self._next.relabel(self._label_of_next)
        self._choices.offer()
        said, theme = self.side_text(), self.theme
        told = [Paragraph(said.heading, "heading", theme.tone_ink(said.tone))]
        if said.body:
            told.append(Paragraph(said.body, "text", theme.ink, _BODY_APART))
        remark = translated(self.refusal) or said.remark
        if remark:
            ink = theme.bad_ink if self.refusal or said.tone == "bad" else theme.ink
            told.append(Paragraph(remark, "text", ink, _REMARK_APART))
        self._words.tell(told, reveals_last=bool(remark))
        self.invalidate()

    def picture(self) -> Picture:
        practice, moving = self.practice, self._animation.moving
        if moving is not None:
            return Picture(moving.before, moving=moving)
        shows_targets = practice.person_is_due and self.stage.settings.show_legal_steps
        return Picture(
            practice.visible_state(practice.match.state),
            targets=practice.turn.targets() if shows_targets else frozenset(),
            chosen=practice.turn.pointed[0] if practice.turn.pointed else None,
            last=practice.tried_cells,
        )

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px = self.paint, self.theme, self.px
        super().draw(surface)
        for panel in (self._board_panel, self._side):
            paint.panel(surface, panel)
        draw_exercise_frame(paint, surface, self._board_panel)
        self._draw_note(surface)
        top = self.side_inside.y + (px(HEAD_HEIGHT) if self._has_head else 0)
        style = self.view.seat_style(self.practice.match.state, self.practice.seat)
        paint.badge(surface, (self.side_inside.x + px(12), top + px(12)), px(12), style)
        beside, width = (self.side_inside.x + px(34), top + px(12)), self.side_inside.w - px(34)
        whose = self.side_text().whose
        paint.text(surface, whose, beside, "small", theme.second, anchor="midleft", width=width, shrinks=True)

    def _draw_note(self, surface: pygame.Surface) -> None:
        """Draw the note or, if it needs more than a line, its short form, which may take several."""
        paint, theme, px, width = self.paint, self.theme, self.px, self._note_width
        for note in (self.note, self.short_note):
            if paint.width(note, "small strong") <= width:
                at = self._note.x + px(16), self._note.centery
                paint.pill(surface, note, at, fill=theme.accent_soft, ink=theme.accent, icon="info")
                return
        high = paint.paragraph_height(self.short_note, width, "tiny")
        lines = pygame.Rect(self._note.x + px(16 + 28), self._note.centery - high // 2, width, high)
        ground = pygame.Rect(lines.x - px(28), lines.y - px(_AROUND_LINES), 0, high + 2 * px(_AROUND_LINES))
        ground.w = width + px(_PILL_AROUND)
        paint.rounded_rect(surface, ground, theme.accent_soft, px(10))
        paint.icon(surface, "info", (ground.x + px(17), ground.centery), theme.accent, px(14))
        paint.paragraph(surface, self.short_note, lines, "tiny", theme.accent)

    @property
    def _note_width(self) -> int:
        return self._board_panel.w - 2 * self.px(16) - self.px(_PILL_AROUND)

    def _point(self, cell: int) -> None:
        if self.practice.stage == WRONG and self.practice.showing is None:
            self.practice.take_back()  # the person continues
            self._refresh()
        if not self._animation.cut_short():
            self.refusal = self.practice.point(cell) or ""
            self._refresh()

    def _turn_board(self) -> None:
        self._outlook = (self.view.outlook + 1) % self.view.outlooks
        self._board.look(self._outlook)
        self.layout(self.area)
        self.invalidate()

    def _point_by_arrow(self, cell: int) -> None:
        self._animation.skip_all()
        self._point(cell)

    def try_again(self) -> None:
        self._set_up(is_shown=False)

    def show_answer(self) -> None:
        self._set_up(is_shown=True)

    def _new_animation(self) -> StepAnimation:
        return StepAnimation(self.stage, self.practice, lambda *step: self.view.duration(*step))

    def _set_up(self, *, is_shown: bool) -> None:
        self.refusal, self._animation.progress = "", 0.0
        self.practice.set_up(is_shown=is_shown)
        self.widgets.focus(self._board, by_keyboard=self.widgets.shows_focus)
        self._refresh()

    def go_to(self, place: int) -> None:
        self.place = place
        self.practice.close()
        self.practice = self.practice_at(place)
        self.refusal, self._animation = "", self._new_animation()
        self.stage.rebuild(self)

    def _go_on(self) -> None:
        if self.place == self.count - 1:
            self.stage.pop(self)
        else:
            self.go_to(self.place + 1)

    def _go_back(self) -> None:
        if self.place > 0:
            self.go_to(self.place - 1)

    def back(self) -> None:
        if self.practice.person_is_due and self.practice.turn.pointed:
            self.practice.turn.let_go()
            self._refresh()
        else:
            self.stage.pop(self)

    def news(self) -> Sequence[News]:
        said = self.side_text()
        told = " ".join(part for part in (f"{said.whose}. {said.heading}.", said.body, said.remark) if part)
        return *super().news(), News(told), News(translated(self.refusal))

    def shortcuts(self) -> Sequence[Shortcut]:
        return [
            Shortcut("Enter  Space", _("skip the animation"), self._animation.cut_short),
            Shortcut(DIGITS, _("choose an option by its number"), self._choices.choose_place),
            Shortcut("R  Ctrl+Z", _("try again"), self.try_again),
            Shortcut("Ctrl+T", _("flip the board"), self._turn_board),
        ]


def _column_widths(grid: Sequence[Sequence[Button]], room: int, gap: int) -> dict[int, list[int]]:
    """Return column widths by the number of buttons in a row: equal, unless a label needs more."""
    widths = {}
    for number in {len(row) for row in grid}:
        share, rest = divmod(room - (number - 1) * gap, number)
        rows = [row for row in grid if len(row) == number]
        needs = [max(row[column].natural_size[0] for row in rows) for column in range(number)]
        more = (number * share + rest - sum(needs)) // number
        widths[number] = [share] * number if max(needs) <= share else [need + more for need in needs]
    return widths
