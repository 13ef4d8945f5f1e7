"""The board of a review: what it shows, the better turn drawn upon it, and words on whether that was ever played."""

from __future__ import annotations

import pygame

from papan.ui.boards import BoardView, Moving, Picture
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import Colour, mix
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.play.walk import Walk
from papan.ui.scenes.review_words import ReviewWords
from papan.ui.scenes.trial import Tone, draw_exercise_frame
from papan.ui.texts import _

_MOST_MARK = 4
"""Longer notations of a turn's further steps are not written on the board."""
_SIGN_PADDING = 20


class ReviewBoard:
    """What the board of one review shows."""

    def __init__(self, words: ReviewWords, walk: Walk) -> None:
        self._words = words
        self._walk = walk

    def better_line(self) -> ReviewedMatch | None:
        """The line that would have been better than the turn shown; None where nothing was."""
        moment = self._words.moment(self._walk.turn)
        if moment is None or moment.best is None or self._words.advice(self._walk.turn).better is None:
            return None
        line = self._walk.line_instead(self._walk.turn, moment.best.steps)
        return line if line.turns else None

    def picture(self, view: BoardView) -> Picture:
        """The picture that *view* shows now."""
        shown, playback = self._walk.shown, self._walk.playback
        showing = playback.showing
        if showing is not None:
            before, after = shown.visible_state(showing.index), shown.visible_state(showing.index + 1)
            moving = Moving(before, shown.steps[showing.index], after, min(1.0, showing.progress))
            return Picture(before, moving=moving)
        hint, marks = self._better_cells(view)
        state = shown.visible_state(shown.stops[playback.turn].end)
        return Picture(state, last=shown.last_cells(playback.turn), hint=hint, marks=marks)

    def _better_cells(self, view: BoardView) -> tuple[tuple[int, ...], dict[int, str]]:
        """The cells of the step that would have been better, for the board's own arrow or mark, and words on the rest.

        Steps that the better turn has in common with the one played are left out.
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

    # --------------------------------------------------------------------------------------- drawing

    def draw_head(self, paint: Painter, surface: pygame.Surface, board: pygame.Rect) -> None:
        """Draw above the board what it shows: a turn with its marks, or a line, framed as no part of the match."""
        theme, px = paint.theme, paint.theme.px
        left, middle, right = board.x + px(14), board.y + px(22), board.right - px(14)
        soft, accent = theme.accent_soft, theme.accent
        if self._walk.line is not None:
            draw_exercise_frame(paint, surface, board)
            text = _("Not played: a line instead of turn {number}").format(number=self._walk.turn)
            paint.pill(surface, text, (left, middle), fill=soft, ink=accent, width=right - left, icon="eye")
            return
        title = self._words.title(self._walk.turn)
        rect = paint.pill(surface, title, (left, middle), fill=soft, ink=accent, width=right - left)
        for sign in self._words.signs(self._walk.turn):
            fill, ink = _tones(paint, sign.tone)
            at = (rect.right + px(8), middle)
            if at[0] + paint.width(sign.text, "small strong") + px(_SIGN_PADDING) <= right:
                rect = paint.pill(surface, sign.text, at, fill=fill, ink=ink, width=right - at[0])


def _tones(paint: Painter, tone: Tone) -> tuple[Colour, Colour]:
    """The ground and the ink of a sign."""
    theme = paint.theme
    if tone == "plain":
        return theme.accent_soft, theme.accent
    ink = theme.bad_ink if tone == "bad" else theme.good_ink
    return mix(theme.panel, ink, 0.12), ink
