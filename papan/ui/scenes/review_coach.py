"""The coach of a review: what is to be said of the turn shown, what was better, and positions to try again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pygame

from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import Colour, TextStyle, mix
from papan.ui.scenes.review_words import Advice, Tone
from papan.ui.texts import _, plural
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.buttons import Button

_PADDING = 16
_GAP = 8
_BOX_PADDING = 12
_HEADING_LINES, _BODY_LINES, _NOTE_LINES = 3, 8, 2
_WAYS: tuple[tuple[bool, TextStyle], ...] = ((False, "text"), (True, "text"), (True, "small"))
"""Whether the lower buttons stand in one row, and the letters of the words: the first way that leaves room enough."""
_BUTTON_HEIGHT = 36
_LABEL = 20


@dataclass(frozen=True)
class Actions:
    """What the coach's buttons do."""

    show_line: Callable[[], object]
    try_it: Callable[[], object]
    exercise: Callable[[], object]
    more: Callable[[], object]


def tone_ink(paint: Painter, tone: Tone) -> Colour:
    """The ink of what is said in this tone."""
    theme = paint.theme
    return {"good": theme.good_ink, "bad": theme.bad_ink, "plain": theme.ink}[tone]


class CoachPanel:
    """The panel, its words drawn, its buttons widgets of the scene."""

    def __init__(self, paint: Painter, widgets: Widgets, actions: Actions) -> None:
        self._paint = paint
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.is_visible = True
        self._advice = Advice("", "plain", "")
        self._box = pygame.Rect(0, 0, 0, 0)
        self._body_lines = _BODY_LINES
        self._body_style: TextStyle = "text"
        self._line = widgets.add(Button(_("Show line"), actions.show_line, icon="play", name="line"))
        self._try = widgets.add(Button(_("Try it"), actions.try_it, name="try"))
        self._exercise = widgets.add(Button(_("Find the better move"), actions.exercise, icon="hint", name="exercise"))
        self._more = widgets.add(Button(_("More numbers"), actions.more, icon="chart", kind="quiet", name="more"))

    def show(self, advice: Advice, exercises: int, *, is_in_line: bool) -> None:
        """Say *advice*, with so many positions to try again."""
        self._advice = advice
        self._line.relabel(_("Leave line") if is_in_line else _("Show line"), "close" if is_in_line else "play")
        self._exercise.enable(exercises > 0)
        label = _("Find the better move")
        self._exercise.relabel(f"{label} · {exercises}" if exercises else label)
        self._exercise.tooltip = plural(
            "{count} position of this match to try again", "{count} positions of this match to try again", exercises
        )
        if self.rect.w:
            self.place(self.rect)

    def set_visible(self, is_visible: bool) -> None:
        """Show the panel, or hide it."""
        self.is_visible = is_visible
        self._place_visibility()

    def _place_visibility(self) -> None:
        has_better = self._advice.better is not None
        for button in (self._line, self._try):
            button.show(self.is_visible and has_better)
        for button in (self._exercise, self._more):
            button.show(self.is_visible)

    def place(self, rect: pygame.Rect) -> None:
        """Lie in *rect*: the words from the top, exercises and numbers at the foot."""
        paint, px = self._paint, self._paint.theme.px
        self.rect = rect
        inner = rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING))
        heading = paint.paragraph_height(self._advice.heading, inner.w, "strong", _HEADING_LINES)
        self._box = pygame.Rect(inner.x, 0, inner.w, self._box_height(inner.w) if self._advice.better else 0)
        words = self._advice.body
        for is_close, self._body_style in _WAYS:  # until all of the words have room
            room = self._place_foot(inner, is_close=is_close) - inner.y - heading - px(4) - self._box.h - px(_GAP)
            lines = min(_BODY_LINES, room // paint.line_height(self._body_style))
            self._body_lines = max(1, lines)
            whole = paint.paragraph_height(words, inner.w, self._body_style) if words else 0
            if whole <= self._body_lines * paint.line_height(self._body_style):
                break
        body = paint.paragraph_height(words, inner.w, self._body_style, self._body_lines) if words else 0
        self._box.y = inner.y + heading + px(4) + body + px(_GAP)
        self._place_box_buttons()
        self._place_visibility()

    def _place_foot(self, inner: pygame.Rect, *, is_close: bool) -> int:
        """Stand the two lower buttons at the foot of *inner*, in one row if *is_close*; returns where words end."""
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

    def _box_height(self, width: int) -> int:
        px, better = self._paint.theme.px, self._advice.better
        note = better.note if better else ""
        lines = self._paint.paragraph_height(note, width - 2 * px(_BOX_PADDING), "small", _NOTE_LINES) if note else 0
        return 2 * px(_BOX_PADDING) + 2 * px(_LABEL) + lines + px(_GAP) + px(_BUTTON_HEIGHT)

    def _place_box_buttons(self) -> None:
        px, box = self._paint.theme.px, self._box
        inner = box.inflate(-2 * px(_BOX_PADDING), -2 * px(_BOX_PADDING))
        top, height = inner.bottom - px(_BUTTON_HEIGHT), px(_BUTTON_HEIGHT)
        width = min(self._try.natural_size[0], inner.w // 3) if box.h else 1
        self._try.place(pygame.Rect(inner.right - width, top, width, height))
        self._line.place(pygame.Rect(inner.x, top, max(1, inner.w - width - px(_GAP)), height))

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the panel, without its buttons."""
        if not self.is_visible:
            return
        paint, theme, px = self._paint, self._paint.theme, self._paint.theme.px
        paint.panel(surface, self.rect)
        inner = self.rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING))
        ink = tone_ink(paint, self._advice.tone)
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
        top += px(_LABEL)
        paint.text(surface, better.notation, (left, top), "strong", anchor="midleft", width=room)
        note = pygame.Rect(left, top + px(_LABEL) // 2, room, 0)
        paint.paragraph(surface, better.note, note, "small", theme.second, most_lines=_NOTE_LINES)
