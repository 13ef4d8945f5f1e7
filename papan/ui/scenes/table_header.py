"""The header of a table: the game's title, and the buttons that lead elsewhere or change how the match is looked at."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from papan.game.match import Match
from papan.ui.drawing.theme import MARGIN
from papan.ui.scenes import Stage
from papan.ui.scenes.services import Services
from papan.ui.scenes.table_actions import TableActions
from papan.ui.scenes.table_analysis import TableAnalysis
from papan.ui.scenes.table_saving import TableSaving
from papan.ui.texts import _, translated
from papan.ui.widgets.base import Widget
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.host import Widgets

_WORDS_FROM = 1180
"""The least width of a window in which the buttons of the match have words."""
_TOP, _SIDE, _APART = 14, 40, 8
_TITLE_LEFT = MARGIN + 54
_LEAST_PILL = 48


class TableHeader:
    """The header of one table."""

    def __init__(
        self,
        stage: Stage,
        match: Match,
        services: Services,
        parts: tuple[TableActions, TableAnalysis, TableSaving],
    ) -> None:
        """:param parts: what else stands in the header: the menu, the analysis, and whether the match is saved."""
        self._stage = stage
        self._match = match
        self._services = services
        self._actions, self._analysis, self._saving = parts

    def build(
        self,
        widgets: Widgets,
        back: Callable[[], object],
        open_review: Callable[[], object],
        switch_analysis: Callable[[], object],
        turn_board: Callable[[], object] | None,
    ) -> None:
        """Add the buttons.

        :param turn_board: None where the board can't be turned.
        """
        add, stage = widgets.add, self._stage
        self._back = add(IconButton("back", _("Back to the games"), back, name="back"))
        self._new = add(IconButton("plus", _("New game"), self.open_new_game, name="new"))
        self._review = add(IconButton("chart", _("Review what has been played"), open_review, name="review"))
        self._analyse = self._analysis.build_button(widgets, switch_analysis)
        self._sound = add(IconButton("sound", _("Sounds on or off"), stage.toggle_sound, name="sound"))
        self._turn = add(IconButton("turn", _("Turn the board"), turn_board or stage.invalidate, name="turn"))
        self._turn.show(turn_board is not None)
        self._rules = add(IconButton("help", _("Rules of the game"), self.show_rules, name="rules"))
        self._gear = add(IconButton("gear", _("Settings"), self._open_settings, name="settings"))
        self._more = self._actions.build(widgets)

    def place(self, area: pygame.Rect) -> None:
        """Stand at the top of *area*; the buttons of the match have words where there is room."""
        px = self._stage.paint.theme.px
        labels = {self._new: _("New"), self._turn: _("Turn"), self._analyse: _("Analysis"), self._review: _("Review")}
        for button, label in labels.items():
            button.relabel(label if area.w >= px(_WORDS_FROM) else "")
        self._back.place(pygame.Rect(px(MARGIN), px(_TOP), px(_SIDE), px(_SIDE)))
        right = area.right - px(MARGIN)
        rest: list[Widget] = [self._gear, self._rules, self._sound, self._review, self._analyse, self._turn, self._new]
        for widget in [self._more, *rest]:
            if widget.is_visible:
                width = widget.natural_size[0] if isinstance(widget, Button) else px(_SIDE)
                widget.place(pygame.Rect(right - width, px(_TOP), width, px(_SIDE)))
                right -= width + px(_APART)
        left = px(_TITLE_LEFT + 14) + self._stage.paint.width(translated(self._match.game.title), "title")
        self._saving.place(pygame.Rect(left, px(_TOP), right - left, px(_SIDE)))

    def update(self) -> None:
        """Show whether sounds are on."""
        self._sound.relabel("", "sound" if self._stage.settings.sound else "sound off")

    def draw(self, surface: pygame.Surface, subtitle: str) -> None:
        """Draw the title, and *subtitle* as far as there is room."""
        paint, px = self._stage.paint, self._stage.paint.theme.px
        middle = px(_TOP) + px(_SIDE) // 2
        at = (px(_TITLE_LEFT), middle)
        title = paint.text(surface, translated(self._match.game.title), at, "title", anchor="midleft")
        room = (self._saving.left or self._new.rect.x) - title.right - px(28)
        if subtitle and room >= px(_LEAST_PILL):
            paint.pill(surface, subtitle, (title.right + px(14), middle), width=room)

    # -------------------------------------------------------------------------------- leading elsewhere

    def open_new_game(self) -> None:
        """Show the form for another match of the game."""
        from papan.ui.scenes.new_game import NewGameScene

        self._stage.push(NewGameScene(self._stage, self._match.game, self._services))

    def show_rules(self) -> None:
        """Show the game's rules."""
        from papan.ui.scenes.rules_page import RulesScene

        self._stage.push(RulesScene(self._stage, self._match.game))

    def _open_settings(self) -> None:
        from papan.ui.scenes.settings import SettingsScene

        self._stage.push(SettingsScene(self._stage, self._services))
