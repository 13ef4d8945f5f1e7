"""The analysis at the table: its button, its panel below the turns, and the bar at the board's left edge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pygame

from papan.ui.drawing.theme import GAP, SeatStyle
from papan.ui.play.study import Study
from papan.ui.scenes import Stage
from papan.ui.texts import _
from papan.ui.widgets.analysis import AnalysisPanel, EvaluationBar
from papan.ui.widgets.base import Widget
from papan.ui.widgets.buttons import IconButton
from papan.ui.widgets.choices import Segments
from papan.ui.widgets.dropdown import Item
from papan.ui.widgets.host import Widgets

_TURNS, _ANALYSIS = "turns", "analysis"
_LEAST_TURNS = 136
"""The least height that is left for the list of turns: with less, turns and analysis become tabs."""
_TABS_HEIGHT = 40
_LOOK_SECONDS = 0.1


class TableAnalysis:
    """The widgets of the analysis at a table; all but the button are hidden while it is switched off."""

    def __init__(self, stage: Stage, study: Study | None, style_of: Callable[[int], SeatStyle]) -> None:
        """:param study: None where nothing can be studied: then there is no button either."""
        self.stage = stage
        self.study = study
        self._style_of = style_of
        self._tab = _ANALYSIS
        self._is_folded = False
        self._has_room = True
        self._since_look = 0.0
        self._turn_list: Widget | None = None

    @property
    def is_on(self) -> bool:
        """Whether the analysis is switched on."""
        return self.study is not None and self.study.is_on

    # -------------------------------------------------------------------------------------- building

    def rename(self, names: Sequence[str]) -> None:
        """Call the seats' players by these *names* from now on."""
        if self.study is not None:
            self.study.rename(names)

    def build_button(self, widgets: Widgets, switched: Callable[[], object]) -> IconButton:
        """Add the button of the header, which calls *switched*, and return it."""
        self.button = widgets.add(IconButton("analysis", _("Analysis on or off"), switched, name="analyse"))
        self.button.show(self.study is not None)
        return self.button

    def build(self, widgets: Widgets, turn_list: Widget) -> None:
        """Add the other widgets, which share the column with *turn_list*."""
        self._turn_list = turn_list
        items = [Item(_TURNS, _("Turns")), Item(_ANALYSIS, _("Analysis"))]
        self._tabs = widgets.add(Segments(items, self._tab, self._turn_to, name="tabs"))
        self.panel = widgets.add(AnalysisPanel(self._style_of, has_opinion=self._has_opinion))
        self.bar = widgets.add(EvaluationBar(self._style_of, lambda: self.stage.animation_speed))
        self._tell()
        self._show()

    # --------------------------------------------------------------------------------------- placing

    def place_column(self, side: pygame.Rect) -> None:
        """Stand in *side*, the column below the seats, together with the list of turns."""
        assert self._turn_list is not None
        px = self.stage.paint.theme.px
        height = self.panel.natural_height(side.w) if self.is_on else 0
        left = side.h - height - px(GAP)
        self._is_folded = self.is_on and left < px(_LEAST_TURNS)
        self._has_room = side.h > 0
        if not self._has_room:
            pass  # at the end of a match in a low window: what stands there is all there is room for
        elif not self.is_on:
            self._turn_list.place(side)
        elif self._is_folded:
            tabs = pygame.Rect(side.x, side.y, side.w, px(_TABS_HEIGHT))
            below = pygame.Rect(side.x, tabs.bottom + px(8), side.w, side.bottom - tabs.bottom - px(8))
            self._tabs.place(tabs)
            self._turn_list.place(below)
            self.panel.place(below)
        else:
            self._turn_list.place(pygame.Rect(side.x, side.y, side.w, left))
            self.panel.place(pygame.Rect(side.x, side.bottom - height, side.w, height))
        self._show()

    @property
    def _has_opinion(self) -> bool:
        return self.study is not None and self.study.has_opinion

    def place_bar(self, area: pygame.Rect) -> pygame.Rect:
        """Stand at the left of *area*; returns what is left of it for the board."""
        if not self._has_bar:
            return area
        px = self.stage.paint.theme.px
        width = px(self.bar.natural_width())
        self.bar.place(pygame.Rect(area.x, area.y + px(8), width, area.h - px(8)))
        return pygame.Rect(area.x + width, area.y, area.w - width, area.h)

    @property
    def _has_bar(self) -> bool:
        return self.study is not None and self.is_on and self.study.has_balance

    def _show(self) -> None:
        assert self._turn_list is not None
        self._tabs.show(self._is_folded and self._has_room)
        self._turn_list.show(self._has_room and (not self._is_folded or self._tab == _TURNS))
        self.panel.show(self.is_on and self._has_room and (not self._is_folded or self._tab == _ANALYSIS))
        self.bar.show(self._has_bar)
        self.button.turn(self.is_on)

    def _turn_to(self, tab: str) -> None:
        self._tab = tab
        self._show()

    # ------------------------------------------------------------------------------------------ time

    def switch(self) -> None:
        """Switch the analysis on or off, and remember it."""
        if self.study is not None:
            self.study.switch(not self.study.is_on)
            self.stage.settings.analysis = self.study.is_on
            self._since_look = _LOOK_SECONDS

    def update(self, seconds: float) -> bool:
        """Let time pass; returns whether there is something new to see, scores on the board included."""
        if self.study is None or not self.study.is_on:
            return False
        self._since_look += seconds
        if not self.study.is_due and self._since_look < _LOOK_SECONDS:
            return False
        self._since_look = 0.0
        has_news = self.study.tick()
        self._tell()
        return has_news

    def _tell(self) -> None:
        if self.study is not None:
            self.panel.show_view(self.study.view)
            self.bar.show_balance(self.study.view.balance)

    def leave(self) -> None:
        """End the study: the table is left."""
        if self.study is not None:
            self.study.close()

    def dismantle(self) -> None:
        """Let go of everything, as a scene does: its widgets know it, and it knows them."""
        vars(self).clear()

    def cell_scores(self) -> Mapping[int, str]:
        """The scores to paint on the board."""
        return self.study.cell_scores() if self.study is not None else {}

    @property
    def has_lines(self) -> bool:
        """Whether something has been found."""
        return self.study is not None and bool(self.study.view.lines)

    @property
    def is_busy(self) -> bool:
        """Whether news may come at any time."""
        return self.study is not None and self.study.is_busy
