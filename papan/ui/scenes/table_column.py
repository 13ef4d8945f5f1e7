"""The column beside a table's board: seats, result, turns and analysis, which become tabs where it is too low."""

from __future__ import annotations

import pygame

from papan.ui.drawing.theme import GAP
from papan.ui.scenes import Stage
from papan.ui.scenes.table_analysis import TableAnalysis
from papan.ui.scenes.table_ending import TableEnding
from papan.ui.scenes.table_seats import TableSeats
from papan.ui.texts import _
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.choices import Segments
from papan.ui.widgets.dropdown import Item
from papan.ui.widgets.turn_lists import TurnList

PLAYERS, RESULT, TURNS, ANALYSIS = "players", "result", "turns", "analysis"
_LEAST_TURNS = 136
"""The least height of the list of turns above the analysis: with less, the two become tabs."""
_LEAST_TAB = 100
"""The least height of what lies below tabs: with less, more of the column becomes tabs."""
_TABS_HEIGHT, _BELOW_TABS = 40, 8


class TableColumn:
    """The column of one table: it says what stands where, and what is hidden behind a tab."""

    def __init__(self, stage: Stage, ending: TableEnding, analysis: TableAnalysis) -> None:
        self._stage = stage
        self._ending, self._analysis = ending, analysis
        self._tab = PLAYERS
        self._was_over = self._was_on = False
        self._tabbed: list[str] = []
        """What lies behind tabs, from left to right; nothing where all stands one below the other."""

    def build(self, widgets: Widgets, seats: TableSeats, turn_list: TurnList) -> None:
        """Add the tabs, which may hide *seats* and *turn_list*, too."""
        self._seats, self._turn_list = seats, turn_list
        self._tabs = widgets.add(Segments([Item(TURNS, "")], TURNS, self._turn_to, name="tabs"))
        self._tabs.show(False)

    # -------------------------------------------------------------------------------------- placing

    def place(self, side: pygame.Rect) -> None:
        """Stand in *side*, as much as can be one below the other."""
        seats, ending, analysis = self._seats, self._ending, self._analysis
        px = self._stage.paint.theme.px
        self._look_for_news()
        rest = side.copy()
        self._tabbed = self._what_is_tabbed(side)
        if PLAYERS not in self._tabbed:
            rest.y = seats.place(side.x, side.y, side.w) + px(GAP)
            rest.h = side.bottom - rest.y
        if ending.is_over and RESULT not in self._tabbed:
            rest = ending.place(rest)
        if not self._tabbed:
            height = analysis.natural_height(side.w) + px(GAP) if analysis.is_on else 0
            self._turn_list.place(pygame.Rect(rest.x, rest.y, rest.w, rest.h - height))
            if analysis.is_on:
                top = self._turn_list.rect.bottom + px(GAP)
                analysis.place_panel(pygame.Rect(rest.x, top, rest.w, rest.bottom - top))
        else:
            self._place_tabs(rest)
        self._show()

    def _look_for_news(self) -> None:
        """Have the tab in front that has just come."""
        if self._analysis.is_on and not self._was_on:
            self._tab = ANALYSIS
        if self._ending.is_over != self._was_over:
            self._tab = RESULT if self._ending.is_over else PLAYERS
        self._was_over, self._was_on = self._ending.is_over, self._analysis.is_on

    def _what_is_tabbed(self, side: pygame.Rect) -> list[str]:
        """What has to lie behind tabs so that the rest has room in *side*."""
        seats, ending, analysis = self._seats, self._ending, self._analysis
        px = self._stage.paint.theme.px
        players = seats.natural_height() + px(GAP)
        result = ending.natural_height(side) + px(GAP) if ending.is_over else 0
        study = analysis.natural_height(side.w) + px(GAP) if analysis.is_on else 0
        tabs = px(_TABS_HEIGHT + _BELOW_TABS)
        flexible = [TURNS, *([ANALYSIS] if analysis.is_on else [])]
        left = side.h - players - result
        if left - study >= px(_LEAST_TURNS if analysis.is_on else _LEAST_TAB):
            return []
        if analysis.is_on and left - tabs >= px(_LEAST_TAB):
            return flexible
        if ending.is_over and side.h - players - tabs >= max(result, study):
            return [RESULT, *flexible]
        return [PLAYERS, *([RESULT] if ending.is_over else []), *flexible]

    def _place_tabs(self, room: pygame.Rect) -> None:
        """Stand the tabs at the top of *room*, and whatever lies behind them below."""
        seats, ending, analysis = self._seats, self._ending, self._analysis
        px = self._stage.paint.theme.px
        words = {PLAYERS: _("Players"), RESULT: _("Result"), TURNS: _("Turns"), ANALYSIS: _("Analysis")}
        self._tabs.items = tuple(Item(name, words[name]) for name in self._tabbed)
        if self._tab not in self._tabbed:
            self._tab = ANALYSIS if ANALYSIS in self._tabbed else self._tabbed[0]
        self._tabs.value = self._tab
        self._tabs.place(pygame.Rect(room.x, room.y, room.w, px(_TABS_HEIGHT)))
        top = self._tabs.rect.bottom + px(_BELOW_TABS)
        below = pygame.Rect(room.x, top, room.w, room.bottom - top)
        if PLAYERS in self._tabbed:
            seats.place(below.x, below.y, below.w, below.h)
        if RESULT in self._tabbed:
            ending.place(pygame.Rect(below.x, below.y, below.w, ending.natural_height(below)))
        self._turn_list.place(below)
        analysis.place_panel(below)

    def _turn_to(self, tab: str) -> None:
        self._tab = tab
        self._show()
        self._stage.invalidate()

    def _show(self) -> None:
        """Show what is not behind another tab."""
        seats, ending, analysis = self._seats, self._ending, self._analysis
        self._tabs.show(bool(self._tabbed))
        seats.set_visible(self._is_shown(PLAYERS))
        ending.set_visible(self._is_shown(RESULT))
        self._turn_list.show(self._is_shown(TURNS))
        analysis.show_panel(is_shown=analysis.is_on and self._is_shown(ANALYSIS))
        analysis.show_switches()

    def _is_shown(self, name: str) -> bool:
        return name not in self._tabbed or name == self._tab
