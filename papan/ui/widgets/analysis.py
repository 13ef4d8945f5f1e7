"""The analysis panel (best lines, winning chance, what is proven) and the evaluation bar next to the board."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import pygame

from papan.ui.drawing.lettering import Anchor
from papan.ui.drawing.theme import Colour, SeatStyle, TextStyle, mix
from papan.ui.play.study import MOST_LINES, AnalysisView, Balance, LineView, OpinionView
from papan.ui.play.turn_names import TurnName, joined_turns
from papan.ui.texts import _
from papan.ui.texts.manner import tells_details
from papan.ui.widgets.base import Widget, clipped

_PADDING = 15
_HEAD = 40
_ROW = 27
_SCORE = 60
_TOLD_TURNS = 3
"""Turns of a line that the tooltip names in their other form, at most."""
_CHANCE_BAR = 8
_FOOT_ROW = 20
_BOTTOM = 10

_BAR_WIDTH = 16
_BAR_LABEL = 26
_BAR_SPEED = 6.0
"""The bar's rate of exponential approach, per second, at normal animation speed."""
_BAR_STILL = 0.0015


def chance_words(balance: Balance) -> str:
    """The winning chance and whose it is."""
    words = (
        _("{name}: winning chance {percent} %, by proof search")
        if balance.is_by_proof
        else _("{name}: winning chance {percent} %")
    )
    return words.format(name=balance.name, percent=round(balance.chance * 100))


class AnalysisPanel(Widget):
    """Draws one ``AnalysisView``."""

    is_focusable = False

    def __init__(self, style_of: Callable[[int], SeatStyle], *, has_opinion: bool = False) -> None:
        self._meaning = _("The best turns for the player to move, each with its winning chance")
        if tells_details():
            self._meaning = _("Scores are for the player to move: 1.0 means a winning chance of 73 %")
        super().__init__("analysis", self._meaning)
        self._has_opinion = has_opinion
        self.view = AnalysisView()
        self._style_of = style_of

    def natural_height(self, width: int) -> int:
        """The height needed at this *width*, in real pixels."""
        lines = MOST_LINES + self._has_opinion
        return lines * self.theme.px(_ROW) + self._height_of_rest(width)

    def _height_of_rest(self, width: int) -> int:
        """The height of all but the rows of lines and opinion."""
        px = self.theme.px
        feet = 1 if width >= px(340) and not tells_details() else 2
        return px(_HEAD) + px(6) + px(_CHANCE_BAR) + px(4) + feet * px(_FOOT_ROW) + px(_BOTTOM)

    def show_view(self, view: AnalysisView) -> None:
        others = [joined_turns(name.other for name in line.turns[:_TOLD_TURNS]) for line in view.lines]
        told = [text for text in (self._meaning, *others, view.claim) if text.strip(" ·")]
        self.change(view=view, tooltip="\n".join(told))

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px = self.paint, self.theme, self.theme.px
        paint.panel(surface, self.rect)
        inner = self.rect.inflate(-2 * px(_PADDING), 0)
        head = self.rect.y + px(_HEAD) // 2 + px(1)
        title = paint.text(surface, _("Analysis"), (inner.x, head), "strong", anchor="midleft")
        room = inner.right - title.right - px(12)
        at, figures = (inner.right, head), self.view.figures
        paint.text(surface, figures, at, "small", theme.second, anchor="midright", width=room, tabular=True)
        top = self.rect.y + px(_HEAD)
        rows = max(0, (self.rect.h - self._height_of_rest(self.rect.w)) // px(_ROW))
        has_opinion = self._has_opinion and rows > 1
        most = min(MOST_LINES, rows - has_opinion)
        for line in self.view.lines[:most]:
            self._draw_line(surface, line, pygame.Rect(inner.x, top, inner.w, px(_ROW)))
            top += px(_ROW)
        if self.view.note and not self.view.lines:
            area = pygame.Rect(inner.x, top + px(4), inner.w, most * px(_ROW))
            fitting = max(1, area.h // paint.line_height("small"))
            paint.paragraph(surface, self.view.note, area, "small", theme.second, most_lines=fitting)
        top = self.rect.y + px(_HEAD) + most * px(_ROW) + px(6)
        bar = pygame.Rect(inner.x, top, inner.w, px(_CHANCE_BAR))
        if self.view.balance:
            balance = self.view.balance
            paint.rounded_rect(surface, bar, theme.pill, bar.h // 2)
            filled = pygame.Rect(bar.x, bar.y, round(bar.w * balance.chance), bar.h)
            if filled.w >= bar.h:
                paint.rounded_rect(surface, filled, self._ink(self._style_of(balance.seat).colour), bar.h // 2)
        bottom = self.rect.bottom - (px(_ROW) if has_opinion else 0)
        self._draw_foot(surface, pygame.Rect(inner.x, bar.bottom + px(4), inner.w, bottom - bar.bottom))
        if self.view.opinion is not None and has_opinion:
            row = pygame.Rect(inner.x, bottom - px(_BOTTOM) + px(4), inner.w, px(_ROW))
            self._draw_opinion(surface, self.view.opinion, row)

    def _ink(self, ink: Colour) -> Colour:
        return mix(ink, self.theme.panel, 0.45) if self.view.is_old else ink

    def _draw_line(self, surface: pygame.Surface, line: LineView, row: pygame.Rect) -> None:
        paint, theme, px = self.paint, self.theme, self.theme.px
        ink = self._ink(self._style_of(self.view.seat).ink)
        paint.text(surface, line.score, row.midleft, "strong", ink, anchor="midleft", tabular=True)
        style: TextStyle = "text" if row.w >= px(320) else "small"
        gap = px(6)
        room = row.w - self._score_width
        result: TextStyle = "small strong"
        at = (row.x + self._score_width, row.centery)
        if line.result:
            room -= paint.width(line.result, result) + gap
        moves = self._fitting_turns(line.turns, room, style)
        ink = self._ink(theme.second)
        written = paint.text(surface, moves, at, style, ink, anchor="midleft", width=room, shrinks=True)
        if line.result:
            at = (written.right + gap, row.centery)
            paint.text(surface, line.result, at, result, self._ink(theme.ink), anchor="midleft")

    def _draw_opinion(self, surface: pygame.Surface, opinion: OpinionView, row: pygame.Rect) -> None:
        """The second opinion, on its own row below a fine line."""
        paint, theme, px = self.paint, self.theme, self.theme.px
        paint.rounded_rect(surface, pygame.Rect(row.x, row.y, row.w, max(1, px(1))), theme.line, 0)
        ink, second, gap = self._ink(theme.ink), self._ink(theme.second), px(8)
        at, room = (row.x, row.centery), row.w // 3
        name = paint.text(surface, opinion.name, at, "small strong", ink, anchor="midleft", width=room)
        at, room = (name.right + gap, row.centery), row.right - name.right - gap
        words = paint.text(surface, opinion.words, at, "small", second, anchor="midleft", width=room, tabular=True)
        room = row.right - words.right - gap
        if opinion.turns and room > 0:
            turns = self._fitting_turns(opinion.turns, room, "small")
            at = (words.right + gap, row.centery)
            paint.text(surface, turns, at, "small", second, anchor="midleft", width=room, shrinks=True)

    @property
    def _score_width(self) -> int:
        widest = max(self.paint.width(line.score, "strong") for line in self.view.lines[:MOST_LINES])
        return max(self.theme.px(_SCORE), widest + 2 * self.theme.px(8))

    def _fitting_turns(self, turns: Sequence[TurnName], room: int, style: TextStyle) -> str:
        """As many whole *turns* as fit, and at least the first: in brief if its words don't fit."""
        for number in range(len(turns), 0, -1):
            text = joined_turns(name.shown for name in turns[:number]) + (" …" if number < len(turns) else "")
            if self.paint.width(text, style) <= room:
                return text
        return turns[0].brief if turns else ""

    def _draw_foot(self, surface: pygame.Surface, area: pygame.Rect) -> None:
        """The winning chance and what is proven: on one row if they fit, else on two."""
        paint, theme, px = self.paint, self.theme, self.theme.px
        view, gap = self.view, px(12)
        left, ink = view.footing, theme.second
        if view.balance:
            left, ink = chance_words(view.balance), self._style_of(view.balance.seat).ink
        middle = area.y + px(_FOOT_ROW) // 2
        beside = gap + paint.width(view.proof, "small") if view.proof else 0
        fits = paint.width(left, "small") + beside <= area.w
        if view.balance and not fits and (area.h < 2 * px(_FOOT_ROW) or paint.width(left, "small") > area.w):
            left = _("winning chance {percent} %").format(percent=round(view.balance.chance * 100))
            fits = paint.width(left, "small") + beside <= area.w or area.h < 2 * px(_FOOT_ROW)
        room = area.w if not fits else area.w - paint.width(view.proof, "small") - gap
        paint.text(surface, left, (area.x, middle), "small", self._ink(ink), anchor="midleft", width=room)
        at = (area.right, middle) if fits else (area.x, middle + px(_FOOT_ROW))
        anchor: Anchor = "midright" if fits else "midleft"
        paint.text(surface, view.proof, at, "small", self._ink(theme.second), anchor=anchor, width=area.w)


class EvaluationBar(Widget):
    """A tall bar that one seat's winning chance fills from the bottom up, with the score below."""

    is_focusable = False

    def __init__(self, style_of: Callable[[int], SeatStyle], speed: Callable[[], float]) -> None:
        """:param speed: returns the speed of animations; 0 if they are off."""
        super().__init__("evaluation")
        self._style_of = style_of
        self._speed = speed
        self._balance: Balance | None = None
        self.share = 0.5
        """The share drawn, which approaches ``_balance``'s."""

    @staticmethod
    def natural_width() -> int:
        """The width needed, in design pixels."""
        return 36

    def show_balance(self, balance: Balance | None) -> None:
        if balance == self._balance:
            return
        if balance is None or self._balance is None or balance.seat != self._balance.seat:
            self.share = balance.chance if balance else 0.5
        self._balance = balance
        self.tooltip = ""
        if balance:
            self.tooltip = chance_words(balance)
            if tells_details():
                self.tooltip = _("{words}, score {score}").format(words=self.tooltip, score=balance.score)
        self.invalidate()

    @property
    def _target(self) -> float:
        return self._balance.chance if self._balance else 0.5

    @property
    def is_animating(self) -> bool:
        return self.share != self._target

    def update(self, seconds: float) -> None:
        if self.share == self._target:
            return
        speed = self._speed() * _BAR_SPEED
        left = (self._target - self.share) * (math.exp(-speed * seconds) if speed else 0.0)
        self.share = self._target - (left if abs(left) > _BAR_STILL else 0.0)
        self.invalidate()

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px = self.paint, self.theme, self.theme.px
        bar = pygame.Rect(0, self.rect.y, px(_BAR_WIDTH), self.rect.h - px(_BAR_LABEL))
        bar.centerx = self.rect.centerx - px(2)
        balance, radius = self._balance, px(_BAR_WIDTH) // 2
        rival = None if balance is None or balance.rival is None else self._style_of(balance.rival)
        paint.rounded_rect(surface, bar, rival.colour if rival else theme.pill, radius)
        if balance is None:
            return
        style = self._style_of(balance.seat)
        height = round(bar.h * self.share)
        with clipped(surface, pygame.Rect(bar.x, bar.bottom - height, bar.w, height)):
            paint.rounded_rect(surface, bar, style.colour, radius)
        self._draw_shapes(surface, bar, style, rival)
        middle = pygame.Rect(0, 0, bar.w + px(6), max(1, px(1)))
        middle.center = bar.center
        surface.fill(theme.second, middle)
        at = (bar.centerx, self.rect.bottom - px(_BAR_LABEL) // 2 + px(2))
        paint.text(surface, balance.score, at, "small strong", style.ink, anchor="center", tabular=True)

    def _draw_shapes(self, surface: pygame.Surface, bar: pygame.Rect, own: SeatStyle, rival: SeatStyle | None) -> None:
        """Draw each seat's shape at its end, if it fits, so that colour is not the only cue."""
        reach, radius = bar.w, bar.w * 0.24
        filled = bar.h * self.share
        if filled > 2 * reach:
            self.paint.seat_shape(surface, (bar.centerx, bar.bottom - reach * 0.6), radius, own.shape, own.mark)
        if rival and bar.h - filled > 2 * reach:
            self.paint.seat_shape(surface, (bar.centerx, bar.y + reach * 0.6), radius, rival.shape, rival.mark)
