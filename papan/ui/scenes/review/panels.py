"""The layout of a review, and the coach's panel: advice on the turn, the better turn, exercises."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import MARGIN, SMALLEST_WINDOW, TextStyle, mix
from papan.ui.scenes import strip
from papan.ui.scenes.review.words import Advice
from papan.ui.texts import _, plural
from papan.ui.texts.manner import tells_details
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.buttons import Button

_TOP = 68
_FOOT = 16
_APART = 12
_BAR = 54
_COACH, _COACH_BOUNDS = 0.235, (272, 400)
_TURNS, _TURNS_BOUNDS = 0.225, (280, 380)
"""Of the width."""
_CHART, _CHART_BOUNDS = 0.15, (116, 190)
"""Of the height."""
_NARROW = 900
"""On pages narrower than this, turns and chart go below the bar."""
_NARROW_COACH, _NARROW_ROW, _NARROW_CHART, _NARROW_TURNS = 292, 346, 130, 400
"""On that page: the coach's width, and the heights of board and coach, chart, and turns or numbers."""
_INSET = 14
_BOARD_HEAD = 40
_PADDING = 16
_GAP = 8
_BOX_PADDING = 12
_HEADING_LINES, _BODY_LINES, _NAME_LINES, _NOTE_LINES = 3, 8, 2, 2
_WAYS: tuple[tuple[bool, TextStyle, bool], ...] = (
    (False, "text", True),
    (True, "text", True),
    (True, "small", True),
    (True, "small", False),
)
"""Whether the lower buttons share one row, the text's style, and whether the line after the better turn is shown: the
first way with enough room is used."""
_BUTTON_HEIGHT = 36
_LABEL = 20

Act = Callable[[], object]


class ReviewLayout:
    def __init__(self) -> None:
        nothing = pygame.Rect(0, 0, 0, 0)
        self.board = self.turns = self.coach = self.chart = self.bar = nothing
        self.numbers = nothing
        """The place of the numbers: that of the turns, and of the coach if adjacent."""
        self.is_narrow = False

    def page_height(self, paint: Painter, width: int) -> int:
        if width >= paint.theme.px(_NARROW):
            return paint.theme.px(SMALLEST_WINDOW[1])
        panels = _NARROW_ROW + _BAR + _NARROW_CHART + _NARROW_TURNS + 3 * _APART
        return paint.theme.px(_TOP + panels + _FOOT)

    def lay_out(self, paint: Painter, area: pygame.Rect) -> None:
        px, gap, width = paint.theme.px, paint.theme.px(_APART), area.w - 2 * paint.theme.px(MARGIN)
        room = pygame.Rect(px(MARGIN), px(_TOP), width, area.bottom - px(_TOP) - px(_FOOT))
        self.is_narrow = area.w < px(_NARROW)
        if self.is_narrow:  # board and coach side by side, and everything else below them
            row, room = strip(room, "top", px(_NARROW_ROW), gap)
            self.coach, self.board = strip(row, "right", px(_NARROW_COACH), gap)
            self.bar, room = strip(room, "top", px(_BAR), gap)
            self.chart, room = strip(room, "top", px(_NARROW_CHART), gap)
            self.turns, _rest = strip(room, "top", px(_NARROW_TURNS))
            self.numbers = self.turns
            return
        self.bar, room = strip(room, "bottom", px(_BAR), gap)
        chart = _within(area.h * _CHART, px(_CHART_BOUNDS[0]), px(_CHART_BOUNDS[1]))
        coach = _within(width * _COACH, px(_COACH_BOUNDS[0]), px(_COACH_BOUNDS[1]))
        turns = _within(width * _TURNS, px(_TURNS_BOUNDS[0]), px(_TURNS_BOUNDS[1]))
        self.chart, room = strip(room, "bottom", chart, gap)
        self.coach, room = strip(room, "right", coach, gap)
        self.turns, self.board = strip(room, "right", turns, gap)
        self.numbers = self.turns.union(self.coach)

    def board_inside(self, paint: Painter) -> pygame.Rect:
        """Return the board without the heading above it."""
        px, board = paint.theme.px, self.board
        height = board.h - px(_BOARD_HEAD) - px(_INSET)
        return pygame.Rect(board.x + px(_INSET), board.y + px(_BOARD_HEAD), board.w - 2 * px(_INSET), height)

    def divide_turns(self, paint: Painter, boxes: int) -> None:
        """Divide ``turns`` into accuracy boxes of the height *boxes* and the list."""
        px, turns = paint.theme.px, self.turns
        top = turns.y + px(44)
        self.accuracy = pygame.Rect(turns.x + px(_INSET), top, turns.w - 2 * px(_INSET), boxes)
        first = self.accuracy.bottom + px(10)
        self.list = pygame.Rect(turns.x + 1, first, turns.w - 2, turns.bottom - px(8) - first)


def _within(length: float, least: int, most: int) -> int:
    return round(min(most, max(least, length)))


class CoachPanel:
    def __init__(self, paint: Painter, widgets: Widgets, show_line: Act, try_it: Act, exercise: Act, more: Act) -> None:
        """The last four parameters are the buttons' actions."""
        self._paint = paint
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.is_visible = True
        self._advice = Advice("", "plain", "")
        self._body_lines = _BODY_LINES
        self._note = ""
        """What is shown of the line after the better turn."""
        self._body_style: TextStyle = "text"
        self._line = widgets.add(Button(_("Show moves"), show_line, icon="play", name="line"))
        self._try = widgets.add(Button(_("Try it"), try_it, name="try"))
        self._exercise = widgets.add(Button(_("Find the better move"), exercise, icon="hint", name="exercise"))
        self._more = widgets.add(Button(_("More numbers"), more, icon="chart", kind="quiet", name="more"))

    def show(self, advice: Advice, exercises: int, *, is_in_line: bool) -> None:
        """Show *advice*, and the number of *exercises*."""
        self._advice = advice
        self._line.relabel(_("Back to match") if is_in_line else _("Show moves"), "close" if is_in_line else "play")
        self._line.tooltip = advice.better.name.other if advice.better else ""
        label = _("More numbers") if tells_details() else _("Engine details")
        self._more.relabel(label, "chart")
        self._exercise.enable(exercises > 0)
        label = _("Find the better move")
        self._exercise.relabel(f"{label} · {exercises}" if exercises else label)
        self._exercise.tooltip = plural(
            "{count} position of this match to try again", "{count} positions of this match to try again", exercises
        )
        if self.rect.w:
            self.place(self.rect)

    def set_visible(self, is_visible: bool) -> None:
        self.is_visible = is_visible
        has_better = self._advice.better is not None
        for button in (self._line, self._try):
            button.show(self.is_visible and has_better)
        for button in (self._exercise, self._more):
            button.show(self.is_visible)

    def place(self, rect: pygame.Rect) -> None:
        """Place the panel in *rect*: text at the top, exercises and numbers at the bottom."""
        paint, px = self._paint, self._paint.theme.px
        self.rect = rect
        inner = rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING))
        heading = paint.paragraph_height(self._advice.heading, inner.w, "strong", _HEADING_LINES)
        better, words = self._advice.better, self._advice.body
        for is_close, self._body_style, has_note in _WAYS:  # until the whole text fits
            self._note = better.note if better and has_note else ""
            self._box = pygame.Rect(inner.x, 0, inner.w, self._box_height(inner.w) if better else 0)
            room = self._place_foot(inner, is_close=is_close) - inner.y - heading - px(4) - self._box.h - px(_GAP)
            lines = min(_BODY_LINES, room // paint.line_height(self._body_style))
            self._body_lines = max(1, lines)
            whole = paint.paragraph_height(words, inner.w, self._body_style) if words else 0
            if whole <= self._body_lines * paint.line_height(self._body_style):
                break
        body = paint.paragraph_height(words, inner.w, self._body_style, self._body_lines) if words else 0
        self._box.y = inner.y + heading + px(4) + body + px(_GAP)
        inside = self._box.inflate(-2 * px(_BOX_PADDING), -2 * px(_BOX_PADDING))
        top, height = inside.bottom - px(_BUTTON_HEIGHT), px(_BUTTON_HEIGHT)
        width = min(self._try.natural_size[0], inside.w // 3) if better else 1
        self._try.place(pygame.Rect(inside.right - width, top, width, height))
        self._line.place(pygame.Rect(inside.x, top, max(1, inside.w - width - px(_GAP)), height))
        self.set_visible(self.is_visible)

    def _box_height(self, width: int) -> int:
        """The height of the box about the better turn."""
        paint, px = self._paint, self._paint.theme.px
        room = width - 2 * px(_BOX_PADDING)
        note = paint.paragraph_height(self._note, room, "small", _NOTE_LINES) if self._note else 0
        return 2 * px(_BOX_PADDING) + px(_LABEL) + self._name_height(width) + note + px(_GAP) + px(_BUTTON_HEIGHT)

    def _name_height(self, width: int) -> int:
        """The height of the better turn's name, in one line or two."""
        px, better = self._paint.theme.px, self._advice.better
        name = better.name.shown if better else ""
        room = width - 2 * px(_BOX_PADDING)
        return max(px(_LABEL), self._paint.paragraph_height(name, room, "strong", _NAME_LINES)) if name else px(_LABEL)

    def _place_foot(self, inner: pygame.Rect, *, is_close: bool) -> int:
        """Place the two lower buttons, in one row if *is_close*; return the bottom of the text."""
        px, height = self._paint.theme.px, self._paint.theme.px(_BUTTON_HEIGHT)
        self._more.fold(is_close)
        if is_close:
            top = inner.bottom - height
            self._more.place(pygame.Rect(inner.right - height, top, height, height))
            self._exercise.place(pygame.Rect(inner.x, top, inner.w - height - px(4), height))
        else:
            self._more.place(pygame.Rect(inner.x, inner.bottom - height + px(6), inner.w, height))
            self._exercise.place(pygame.Rect(inner.x, self._more.rect.y - height - px(4), inner.w, height))
        return self._exercise.rect.y - px(_GAP)

    def draw(self, surface: pygame.Surface) -> None:
        if not self.is_visible:
            return
        paint, theme, px = self._paint, self._paint.theme, self._paint.theme.px
        paint.panel(surface, self.rect)
        inner = self.rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING))
        ink = theme.tone_ink(self._advice.tone)
        used = paint.paragraph(surface, self._advice.heading, inner, "strong", ink, most_lines=_HEADING_LINES)
        body = pygame.Rect(inner.x, inner.y + used + px(4), inner.w, 0)
        paint.paragraph(surface, self._advice.body, body, self._body_style, theme.ink, most_lines=self._body_lines)
        if self._advice.better is not None:
            self._draw_box(surface)

    def _draw_box(self, surface: pygame.Surface) -> None:
        paint, theme, px, box = self._paint, self._paint.theme, self._paint.theme.px, self._box
        better = self._advice.better
        assert better is not None
        ground = mix(theme.panel, theme.legal, 0.1)
        paint.rounded_rect(surface, box, ground, line=theme.legal if not theme.shadow else None)
        left, room = box.x + px(_BOX_PADDING), box.w - 2 * px(_BOX_PADDING)
        top = box.y + px(_BOX_PADDING) + px(_LABEL) // 2
        paint.text(surface, _("Better"), (left, top), "small strong", theme.good_ink, anchor="midleft", width=room)
        top += px(_LABEL) // 2
        name, height = pygame.Rect(left, top, room, 0), self._name_height(box.w)
        paint.paragraph(surface, better.name.shown, name, "strong", most_lines=_NAME_LINES)
        note = pygame.Rect(left, top + height, room, 0)
        if self._note:
            paint.paragraph(surface, self._note, note, "small", theme.second, most_lines=_NOTE_LINES)
