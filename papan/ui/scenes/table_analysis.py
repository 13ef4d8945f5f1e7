"""The analysis at the table: its button, its panel below the turns, and the bar at the board's left edge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pygame

from papan.ui.drawing.theme import SeatStyle
from papan.ui.play.study import Study
from papan.ui.scenes import Stage
from papan.ui.texts import _
from papan.ui.widgets.analysis import AnalysisPanel, EvaluationBar
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.buttons import Button

_LOOK_SECONDS = 0.1
_WHY, _ABOVE = 36, 8
"""The height of the button below the panel, and the gap above it."""


class TableAnalysis:
    """The widgets of the analysis at a table; all but the button are hidden while it is switched off."""

    def __init__(
        self,
        stage: Stage,
        study: Study | None,
        style_of: Callable[[int], SeatStyle],
        explain: Callable[[], object] | None = None,
    ) -> None:
        """:param study: None where nothing can be studied: then there is no button either.
        :param explain: shows why the last move was chosen; None where no player can say.
        """
        self.stage = stage
        self.study = study
        self._style_of = style_of
        self._explain = explain
        self._since_look = 0.0

    @property
    def is_on(self) -> bool:
        """Whether the analysis is switched on."""
        return self.study is not None and self.study.is_on

    # -------------------------------------------------------------------------------------- building

    def rename(self, names: Sequence[str]) -> None:
        """Call the seats' players by these *names* from now on."""
        if self.study is not None:
            self.study.rename(names)

    def build_button(self, widgets: Widgets, switched: Callable[[], object]) -> Button:
        """Add the button of the header, which calls *switched*, and return it."""
        tooltip = _("Analysis on or off")
        self.button = widgets.add(Button(_("Analysis"), switched, icon="analysis", name="analyse", tooltip=tooltip))
        self.button.show(self.study is not None)
        return self.button

    def build(self, widgets: Widgets) -> None:
        """Add the other widgets."""
        self.panel = widgets.add(AnalysisPanel(self._style_of, has_opinion=self._has_opinion))
        act = self._explain or self.stage.invalidate
        self.why = widgets.add(Button(_("Why this move?"), act, icon="bars", name="why"))
        self._has_room = False
        self.bar = widgets.add(EvaluationBar(self._style_of, lambda: self.stage.animation_speed))
        self._tell()
        self.show_panel(is_shown=self.is_on)
        self.show_switches()

    # --------------------------------------------------------------------------------------- placing

    def natural_height(self, width: int) -> int:
        """The height that the panel needs where it is *width* wide, in real pixels."""
        below = self.stage.paint.theme.px(_WHY + _ABOVE) if self._explain is not None else 0
        return self.panel.natural_height(width) + below

    @property
    def _has_opinion(self) -> bool:
        return self.study is not None and self.study.has_opinion

    def place_panel(self, room: pygame.Rect) -> None:
        """Stand the panel in *room*, and below it, where there is room for both, the button that leads to reasons."""
        px = self.stage.paint.theme.px
        below = px(_WHY + _ABOVE)
        self._has_room = self._explain is not None and room.h >= self.panel.natural_height(room.w) + below
        height = room.h - below if self._has_room else room.h
        self.panel.place(pygame.Rect(room.x, room.y, room.w, height))
        self.why.place(pygame.Rect(room.x, room.bottom - px(_WHY), room.w, px(_WHY)))

    def show_panel(self, *, is_shown: bool) -> None:
        """Show the panel and the button below it, or hide them."""
        self.panel.show(is_shown)
        self.why.show(is_shown and self._has_room)

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

    def show_switches(self) -> None:
        """Show what stands outside the panel: the bar, and whether the button is on."""
        self.bar.show(self._has_bar)
        self.button.turn(self.is_on)

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
