"""The table of terms: a row per term with its weight, a column of bars per candidate."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from statistics import median
from typing import TYPE_CHECKING

import pygame

from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import Colour, mix
from papan.ui.play.reasons import Answer, Reasons
from papan.ui.texts import _, current_language, in_figures, translated
from papan.ui.texts.manner import tells_details, tells_words
from papan.ui.texts.wording import MINUS, Scores
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.choices import Slider

if TYPE_CHECKING:
    from papan.ai.reviews.why import Candidate

HALF = 20
"""Slider steps to each side of 0, up to twice the player's weight."""
_FARTHEST = 2.0
_PADDING = 16
_TITLES, _TITLES_NARROW = 262, 214
"""The widths of the column with the terms and their weights."""
_NARROW = 620
_HEAD, _HEAD_OF_WORDS, _SLIDER, _ROW_GAP = 66, 84, 26, 12
_LEAST_ROW, _TALLEST_ROW = 58, 116
_SUM, _REST = 40, 26
_LEAST_COLUMN, _MOST_COLUMN, _COLUMN_OF_WORDS = 92, 168, 116
_BAR, _BAR_SHARE = 10, 0.17
"""The thickness of a bar: least, and as a share of its row's height."""
_WEIGHT = 76
_LEAST_REST = 1e-6
MOST_COLUMNS = 10
_NAME_LINES = 2


def in_short(number: float, *, is_signed: bool = False) -> str:
    """Return *number* with at most three decimals, without trailing zeros, in the current language.

    >>> in_short(2.0), in_short(-0.25, is_signed=True), in_short(1234.5), in_short(3.0, is_signed=True)
    ('2', '−0.25', '1,234', '+3')
    """
    return _in_short(number, is_signed, current_language())


@lru_cache(maxsize=4096)
def _in_short(number: float, is_signed: bool, _language: str) -> str:
    """As ``in_short``, cached, as the same numbers are drawn in every frame."""
    most = 0 if abs(number) >= 1000 else 1 if abs(number) >= 100 else 2 if abs(number) >= 1 else 3
    rounded = round(number, most)
    decimals = next(places for places in range(most + 1) if places == most or round(rounded, places) == rounded)
    sign = "+" if is_signed and rounded else ""
    return in_figures(rounded + 0.0, f"{sign},.{decimals}f").replace("-", MINUS)


class WhyTable:
    """The table; its sliders are widgets of the scene."""

    def __init__(self, paint: Painter, widgets: Widgets, reasons: Reasons, scores: Scores) -> None:
        self._paint = paint
        self._reasons = reasons
        self._scores = scores
        titles = [translated(term.title) for term in reasons.terms]
        self._titles = [title[:1].upper() + title[1:] for title in titles]
        self._has_rest = False
        """Whether the candidates shown have parts that no weight changes."""
        self._sliders = [self._new_slider(widgets, place) for place in range(len(self._titles))]
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.first = 0
        """The index of the first candidate shown."""
        self.show_weights()

    def _new_slider(self, widgets: Widgets, place: int) -> Slider:
        term = self._reasons.terms[place]

        def choose(value: int) -> None:
            self._reasons.weigh(term.name, self._reach(place) * (value - HALF) / HALF)
            self.show_weights()

        slider = widgets.add(Slider(f"weight {term.name}", 2 * HALF, choose, _("Weight of this term")))
        slider.beside, slider.origin, slider.turns_by_wheel = self._titles[place], HALF, False
        slider.show(tells_details())
        return slider

    def _reach(self, place: int) -> float:
        """Return the weight at the right end of a slider: twice the player's, or if that is 0 the others' median."""
        usual = [abs(term.weight) for term in self._reasons.terms]
        return _FARTHEST * (usual[place] or median([weight for weight in usual if weight]))

    def show_weights(self) -> None:
        for place, (term, slider) in enumerate(zip(self._reasons.terms, self._sliders, strict=True)):
            weight = self._reasons.weights.get(term.name, term.weight)
            slider.show_value(HALF + round(HALF * weight / self._reach(place)))
            slider.value_in_words = _("weight {weight}").format(weight=in_short(weight))

    def _titles_width(self, width: int) -> int:
        return self._paint.theme.px(_TITLES if width >= self._paint.theme.px(_NARROW) else _TITLES_NARROW)

    def _row_heights(self, width: int) -> list[int]:
        px, room = self._paint.theme.px, self._titles_width(width) - self._paint.theme.px(12)
        words = [self._paint.paragraph_height(title, room, "small strong") for title in self._titles]
        return [max(px(_LEAST_ROW), height + px(_SLIDER + _ROW_GAP)) for height in words]

    def natural_height(self, width: int) -> int:
        return self._head + self._paint.theme.px(_REST + _SUM + _PADDING) + sum(self._row_heights(width))

    def most_height(self, width: int) -> int:
        """Return the height with the tallest rows; more room stays empty."""
        heights = self._row_heights(width)
        tallest = [max(height, self._paint.theme.px(_TALLEST_ROW)) for height in heights]
        return self.natural_height(width) + sum(tallest) - sum(heights)

    @property
    def _head(self) -> int:
        """The height above the rows."""
        return self._paint.theme.px(_HEAD_OF_WORDS if tells_words() else _HEAD)

    @property
    def head(self) -> pygame.Rect:
        px = self._paint.theme.px
        width = self._titles_width(self.rect.w) - px(12)
        return pygame.Rect(self.rect.x + px(_PADDING), self.rect.y + px(14), width, px(40))

    def place(self, rect: pygame.Rect) -> None:
        self.rect, px = rect, self._paint.theme.px
        self._top_of_rows = rect.y + self._head
        self._heights, top = self._row_heights(rect.w), self._top_of_rows
        spare = max(0, min(rect.h, self.most_height(rect.w)) - self.natural_height(rect.w))
        self._heights = [height + spare // len(self._heights) for height in self._heights]
        self._inset = spare // len(self._heights) // 2
        left, width = rect.x + px(_PADDING), self._titles_width(rect.w) - px(12)
        for slider, height in zip(self._sliders, self._heights, strict=True):
            bottom = top + height - px(4) - self._inset
            slider.place(pygame.Rect(left - px(4), bottom - px(_SLIDER), width - px(_WEIGHT), px(_SLIDER)))
            top += height
        self._after_rows = top

    @property
    def _bars(self) -> pygame.Rect:
        px = self._paint.theme.px
        left = self.rect.x + px(_PADDING) + self._titles_width(self.rect.w)
        return pygame.Rect(left, self.rect.y, self.rect.right - px(10) - left, self.rect.h)

    @property
    def columns(self) -> int:
        """How many candidates fit."""
        answer = self._reasons.answer
        if answer is None:
            return 1
        px, paint = self._paint.theme.px, self._paint
        some = answer.why.candidates[: 2 * MOST_COLUMNS]
        widest = max(paint.width(one.line[0], "strong") for one in some)
        if tells_words():
            widest = max(widest, px(_COLUMN_OF_WORDS))
        tags = max(
            paint.width(tag, "small") for tag in (_("equally good"), _("played"), _("best with the old weights"))
        )
        room = self._bars.w // max(px(_LEAST_COLUMN), widest + px(20), tags + px(16))
        return max(1, min(room, MOST_COLUMNS, len(answer.why.candidates)))

    def shown(self) -> Sequence[Candidate]:
        """Return the candidates from ``first`` on; the first page always includes the one in question."""
        answer = self._reasons.answer
        if answer is None:
            return ()
        every, number = answer.why.candidates, self.columns
        self.first = max(0, min(self.first, len(every) - number))
        found = [*every[self.first : self.first + number]]
        asked = next((one for one in every if one.step == self._reasons.asked), None)
        if self.first == 0 and number > 1 and asked is not None and asked not in found:
            found[-1] = asked
        return found

    def draw(self, surface: pygame.Surface) -> None:
        paint = self._paint
        paint.panel(surface, self.rect)
        answer, shown = self._reasons.answer, self.shown()
        self._has_rest = tells_details() and any(abs(one.rest) > _LEAST_REST for one in shown)
        self._draw_terms(surface)
        if answer is None or not shown:
            paint.text(surface, _("thinking …"), self._bars.center, "text", paint.theme.second, anchor="center")
            return
        bars = self._bars
        width = min(bars.w // len(shown), paint.theme.px(_MOST_COLUMN))
        for place, one in enumerate(shown):
            if one in answer.why.best:
                self._draw_ground(surface, pygame.Rect(bars.x + place * width, bars.y, width, bars.h))
        self._draw_lines(surface, pygame.Rect(bars.x, bars.y, width * len(shown), bars.h))
        parts = [part for one in shown for part in one.additions]
        span = max([0.0, *parts]), -min([0.0, *parts])
        for place, one in enumerate(shown):
            self._draw_candidate(surface, answer, one, pygame.Rect(bars.x + place * width, bars.y, width, bars.h), span)

    def _draw_terms(self, surface: pygame.Surface) -> None:
        paint, theme, px = self._paint, self._paint.theme, self._paint.theme.px
        left, width = self.rect.x + px(_PADDING), self._titles_width(self.rect.w) - px(12)
        top = self._top_of_rows
        for term, title, slider, height in zip(
            self._reasons.terms, self._titles, self._sliders, self._heights, strict=True
        ):
            above = px(6) + self._inset if tells_details() else (height - paint.line_height("small strong")) // 2
            paint.paragraph(surface, title, pygame.Rect(left, top + above, width, 0), "small strong")
            top += height
            if not tells_details():
                continue
            weight = self._reasons.weights.get(term.name, term.weight)
            ink = theme.ink if term.name in self._reasons.weights else theme.second
            at = (left + width, slider.rect.centery)
            room, words = px(_WEIGHT - 8), f"× {in_short(weight)}"
            paint.text(
                surface, words, at, "small strong", ink, anchor="midright", tabular=True, width=room, shrinks=True
            )
        middle = self._after_rows + px(_REST) // 2
        if self._has_rest:
            words = _("everything else")
            paint.text(
                surface, words, (left, middle), "small", theme.second, anchor="midleft", width=width, shrinks=True
            )
        at = (left, self._sum_top + px(_SUM) // 2)
        if tells_details():
            paint.text(surface, _("Sum"), at, "strong", anchor="midleft")

    def _draw_lines(self, surface: pygame.Surface, columns: pygame.Rect) -> None:
        paint, px = self._paint, self._paint.theme.px
        left = self.rect.x + px(_PADDING)
        tops = [self._top_of_rows + sum(self._heights[:place]) for place in range(len(self._heights) + 1)]
        for top in {*tops, self._sum_top}:
            line = pygame.Rect(left, top, columns.right - left, max(1, px(1)))
            paint.rounded_rect(surface, line, paint.theme.line, 0)

    def _draw_ground(self, surface: pygame.Surface, column: pygame.Rect) -> None:
        paint, theme, px = self._paint, self._paint.theme, self._paint.theme.px
        height = self._sum_top + px(_SUM) - column.y - px(2)
        ground = pygame.Rect(column.x + px(2), column.y + px(8), column.w - px(4), height)
        line = theme.legal if not theme.shadow else None
        paint.rounded_rect(surface, ground, mix(theme.panel, theme.legal, 0.12), px(10), line=line)

    @property
    def _sum_top(self) -> int:
        return self._after_rows + (self._paint.theme.px(_REST) if self._has_rest else 0)

    def _draw_candidate(
        self,
        surface: pygame.Surface,
        answer: Answer,
        one: Candidate,
        column: pygame.Rect,
        span: tuple[float, float],
    ) -> None:
        paint, theme, px = self._paint, self._paint.theme, self._paint.theme.px
        room = column.w - px(10)
        self._draw_name(surface, one, column)
        for place, (tag, ink) in enumerate(self._tags(answer, one)):
            at = (column.centerx, self._top_of_rows - px(24 - 15 * place))
            paint.text(surface, tag, at, "small", ink, anchor="center", width=room, shrinks=True)
        top = self._top_of_rows
        for place, height in enumerate(self._heights):
            cell = pygame.Rect(column.x + px(8), top, column.w - px(16), height)
            if one.counts:
                words = f"{in_short(one.counts[place])} × {in_short(answer.why.weights[place])}"
                self._draw_bar(surface, cell, one.additions[place], words, span)
            else:
                paint.text(surface, "–", cell.center, "text", theme.second, anchor="center")
            top += height
        if self._has_rest and one.counts:
            at = (column.centerx, self._after_rows + px(_REST) // 2)
            paint.text(surface, in_short(one.rest, is_signed=True), at, "small", theme.second, anchor="center")
        at = (column.centerx, self._sum_top + px(_SUM) // 2)
        words = in_short(one.score) if tells_details() else ""
        if one.win_distance is not None:
            words = self._scores.text(one.score)
        paint.text(surface, words, at, "strong", anchor="center", tabular=True, width=room, shrinks=True)

    def _draw_name(self, surface: pygame.Surface, one: Candidate, column: pygame.Rect) -> None:
        """Draw the turn of *one* above its column, in brief as in the sentences, on two lines if need be."""
        paint, px, room = self._paint, self._paint.theme.px, column.w - self._paint.theme.px(10)
        words, line = self._reasons.named(one)[0].brief, paint.line_height("small strong")
        if line < paint.paragraph_height(words, room, "small strong") <= _NAME_LINES * line:
            area = pygame.Rect(column.centerx - room // 2, column.y + px(12), room, 0)
            paint.paragraph(surface, words, area, "small strong", align="center")
            return
        at = column.centerx, self._top_of_rows - px(42)
        paint.text(surface, words, at, "strong", anchor="center", width=room, shrinks=True)

    def _tags(self, answer: Answer, one: Candidate) -> list[tuple[str, Colour]]:
        theme, best = self._paint.theme, answer.why.best
        is_best = one in best
        tags = [(_("best") if len(best) == 1 else _("equally good"), theme.good_ink)] if is_best else []
        if one.step == self._reasons.asked:
            tags.append((_("played") if one.step == self._reasons.played else _("suggested"), theme.ink))
        if not is_best and one.step in answer.usual:
            tags.append((_("best with the old weights"), theme.second))
        return tags[:2]

    def _draw_bar(
        self, surface: pygame.Surface, cell: pygame.Rect, part: float, words: str, span: tuple[float, float]
    ) -> None:
        """Draw the contribution of a term as a bar from the zero line, with its figures."""
        paint, theme, px = self._paint, self._paint.theme, self._paint.theme.px
        more, less = span
        scale = cell.w / ((more + less) or 1.0)
        axis = cell.x + round(less * scale)
        middle = cell.centery
        is_good = part > 0
        thick = max(px(_BAR), round(_BAR_SHARE * cell.h))
        at = (cell.centerx, middle - thick // 2 - px(11))
        ink = theme.second if not part else theme.good_ink if is_good else theme.bad_ink
        if tells_details():
            paint.text(surface, in_short(part, is_signed=True), at, "small strong", ink, anchor="center", tabular=True)
        rail = pygame.Rect(cell.x, middle - thick // 2, cell.w, thick)
        paint.rounded_rect(surface, rail, mix(theme.panel, theme.pill, 0.6), px(3))
        if part:
            length = max(px(2), round(abs(part) * scale))
            bar = pygame.Rect(axis if is_good else axis - length, rail.y, length, rail.h)
            paint.rounded_rect(surface, bar.clip(rail), theme.good_ink if is_good else theme.bad_ink, px(3))
        if less:
            paint.rounded_rect(surface, pygame.Rect(axis, rail.y - px(2), max(1, px(1)), rail.h + px(4)), theme.ink, 0)
        if not tells_details():
            return
        at = (cell.centerx, middle + thick // 2 + px(12))
        paint.text(surface, words, at, "tiny", theme.second, anchor="center", width=cell.w, shrinks=True, tabular=True)
