"""Walking through a match or a line in a review: the board's picture, and the bar of controls."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pygame

from papan.ui.boards import BoardView, Picture
from papan.ui.drawing.marks import draw_exercise_frame
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import mix
from papan.ui.play.playback import Walk
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.scenes.playing import moving_picture
from papan.ui.scenes.review.words import ReviewWords
from papan.ui.texts import _
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.choices import Slider, value_after_pages
from papan.ui.widgets.shortcuts import Shortcut

_MOST_MARK = 4
"""Letters of a step's notation on the board, at most."""
_SIGN_PADDING = 20
_BUTTON = 34
_PADDING = 14
_EDGE = 16
_GAP = 10


class ReviewBoard:
    """What the board of a review shows, with the better turn marked."""

    def __init__(self, words: ReviewWords, walk: Walk) -> None:
        self._words = words
        self._walk = walk

    def better_line(self) -> ReviewedMatch | None:
        """Return the line that was better than the turn shown; None for none."""
        moment = self._words.moment(self._walk.turn)
        if moment is None or moment.best is None or self._words.advice(self._walk.turn).better is None:
            return None
        line = self._walk.line_instead(self._walk.turn, moment.best.steps)
        return line if line.turns else None

    def picture(self, view: BoardView) -> Picture:
        shown, playback = self._walk.shown, self._walk.playback
        if playback.showing is not None:
            return moving_picture(shown, playback.showing)
        hint, marks = self._better_cells(view)
        state = shown.visible_state(shown.stops[playback.turn].end)
        return Picture(state, last=shown.last_cells(playback.turn), hint=hint, marks=marks)

    def _better_cells(self, view: BoardView) -> tuple[tuple[int, ...], dict[int, str]]:
        """Return the cells of the first better step, to be marked as a hint, and the notations of later steps by cell.

        Steps that the better turn shares with the one played are left out.
        """
        walk = self._walk
        if walk.playback.is_playing or (walk.line is not None and walk.playback.turn > 0):
            return (), {}
        line = self.better_line()
        if line is None:
            return (), {}
        stop = walk.reviewed.stops[walk.turn]
        played = walk.reviewed.steps[stop.first_step : stop.turn_end] if walk.line is None else ()
        better = list(line.steps[: line.stops[1].turn_end])
        common = next((n for n, pair in enumerate(zip(better, played, strict=False)) if pair[0] != pair[1]), 0)
        rules, marks = walk.reviewed.match.rules, dict[int, str]()
        hint: tuple[int, ...] = ()
        for index in range(common, len(better)):
            state, step = line.states[index], line.steps[index]
            cells = tuple(cell for cell in rules.cells(state, step) if view.is_place(cell))
            written = rules.notation(state, step)
            if index == common:
                hint = cells
            elif cells and len(written) <= _MOST_MARK:
                marks[cells[-1]] = written
        return hint, marks

    def draw_head(self, paint: Painter, surface: pygame.Surface, board: pygame.Rect) -> None:
        """Draw the heading above the board: a turn with its marks or, with a frame, a line."""
        theme, px = paint.theme, paint.theme.px
        left, middle, right = board.x + px(14), board.y + px(22), board.right - px(14)
        soft, accent = theme.accent_soft, theme.accent
        if self._walk.line is not None:
            draw_exercise_frame(paint, surface, board)
            text = _("A line that was not played, instead of turn {number}").format(number=self._walk.turn)
            paint.pill(surface, text, (left, middle), fill=soft, ink=accent, width=right - left, icon="eye")
            return
        title = self._words.title(self._walk.turn)
        rect = paint.pill(surface, title, (left, middle), fill=soft, ink=accent, width=right - left)
        for sign in self._words.signs(self._walk.turn):
            ink = accent if sign.tone == "plain" else theme.tone_ink(sign.tone)
            fill = soft if sign.tone == "plain" else mix(theme.panel, ink, 0.12)
            at = (rect.right + px(8), middle)
            if at[0] + paint.width(sign.text, "small strong") + px(_SIGN_PADDING) <= right:
                rect = paint.pill(surface, sign.text, at, fill=fill, ink=ink, width=right - at[0])


class Transport:
    def __init__(self, paint: Painter, widgets: Widgets, walk: Walk, words: ReviewWords) -> None:
        self._paint = paint
        self._walk = walk
        self._words = words
        add = widgets.add
        self._first = add(IconButton("first", _("To the start"), partial(walk.walk_to, 0), name="first"))
        self._previous = add(IconButton("previous", _("Previous turn"), walk.go_back, name="previous"))
        self._play = add(IconButton("play", _("Play the match, or stop"), walk.play_or_stop, name="play"))
        self._next = add(IconButton("next", _("Next turn"), walk.go_forward, name="next"))
        self._last = add(IconButton("last", _("To the end"), self.go_to_end, name="last"))
        self._mistake = add(Button(_("Next mistake"), self.go_to_mistake, name="mistake"))
        self.slider = add(Slider("slider", walk.reviewed.turns, walk.go_to))
        self.slider.beside = _("Turns")
        self._leave = add(Button(_("Back to the match"), walk.leave, kind="primary", name="leave line"))

    def place(self, bar: pygame.Rect) -> None:
        px, self._bar = self._paint.theme.px, bar
        left, top = bar.x + px(_PADDING), bar.centery - px(_BUTTON) // 2
        for button in (self._first, self._previous, self._play, self._next, self._last):
            button.place(pygame.Rect(left, top, px(_BUTTON), px(_BUTTON)))
            left += px(_BUTTON + _GAP)
        for wide in (self._mistake, self._leave):
            wide.place(pygame.Rect(left, top, wide.natural_size[0], px(_BUTTON)))
        left += self._mistake.rect.w + px(_GAP + 2)
        counted = self._paint.width(self._turn_number(self._walk.reviewed.turns), "label") + px(12)
        width = bar.right - px(_EDGE) - counted - px(_PADDING) - left
        self.slider.place(pygame.Rect(left, bar.centery - px(_BUTTON) // 2, width, px(_BUTTON)))

    def show_turn(self) -> None:
        playback, is_in_match = self._walk.playback, self._walk.line is None
        self.slider.show(is_in_match)
        self._mistake.show(is_in_match)
        self._leave.show(not is_in_match)
        self.slider.show_value(self._walk.turn)
        for button in (self._first, self._previous):
            button.enable(playback.turn > 0)
        for button in (self._next, self._last):
            button.enable(not playback.is_at_end)
        self._play.relabel("", "pause" if playback.is_playing else "play")
        self._play.enable(self._walk.reviewed.turns > 0)
        self._mistake.enable(self._mistake_after(self._walk.turn) is not None)

    def draw(self, surface: pygame.Surface) -> None:
        paint, bar = self._paint, self._bar
        px = paint.theme.px
        paint.panel(surface, bar)
        at = (bar.right - px(_EDGE), bar.centery)
        counted, line = self._turn_number(self._walk.turn), self._walk.line
        if line is not None:
            counted = _("{turn} / {turns} of the line").format(turn=self._walk.playback.turn, turns=line.turns)
            left = self._leave.rect.right + px(_PADDING)
            turns = line.line_after(0)
            width = at[0] - paint.width(counted, "label") - px(_PADDING) - left
            paint.text(surface, turns, (left, at[1]), "text", anchor="midleft", width=width)
        paint.text(surface, counted, at, "label", paint.theme.second, anchor="midright", tabular=True)

    def _turn_number(self, turn: int) -> str:
        """Return the number of *turn* and of the last turn, such as "14 / 52"."""
        return f"{turn} / {self._walk.reviewed.turns}"

    def go_to_end(self) -> None:
        self._walk.walk_to(self._walk.shown.turns)

    def leap(self, pages: int) -> None:
        """Go forward by *pages* tenths of the match; back if negative."""
        self._walk.walk_to(value_after_pages(self._walk.playback.turn, self._walk.shown.turns, pages))

    def go_to_mistake(self) -> None:
        target = self._mistake_after(self._walk.turn)
        if target is not None:
            self._walk.go_to(target)

    def _mistake_after(self, turn: int) -> int | None:
        """Return the next bad turn, after the last one the first; None for none."""
        moments = self._words.review.moments if self._words.review else ()
        bad = [moment.index for moment in moments if moment.mark in ("?", "??")]
        return next((index for index in bad if index > turn), bad[0] if bad else None)

    def shortcuts(self, unless: Callable[[Callable[[], object]], bool], space: Callable[[], bool]) -> list[Shortcut]:
        """Return the keys of the bar.

        :param unless: calls an action, or returns False if the focused widget uses the same keys.
        :param space: what Space does.
        """
        group, walk = _("Turns"), self._walk
        keys = (
            ("Left", _("previous turn"), walk.go_back),
            ("Right", _("next turn"), walk.go_forward),
            ("Home", _("to the start"), partial(walk.walk_to, 0)),
            ("End", _("to the end"), self.go_to_end),
            ("PgUp", _("a tenth of the match back"), partial(self.leap, -1)),
            ("PgDn", _("a tenth of the match forward"), partial(self.leap, 1)),
        )
        return [
            *(Shortcut(key, what, partial(unless, act), group, comes_first=True) for key, what, act in keys),
            Shortcut("Space", _("play the match, or stop"), space, group, comes_first=True),
        ]
