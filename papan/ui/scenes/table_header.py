"""The header of a table: the game's title, and the buttons that lead elsewhere or change how the match is looked at."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from papan.game.match import Match
from papan.ui.drawing.theme import MARGIN
from papan.ui.scenes import Stage
from papan.ui.scenes.header import fold
from papan.ui.scenes.services import Services
from papan.ui.scenes.table_actions import TableActions
from papan.ui.scenes.table_analysis import TableAnalysis
from papan.ui.scenes.table_saving import TableSaving
from papan.ui.texts import _, translated
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.dropdown import Item

_MENU_BELOW = 900
"""The width of a page below which buttons that are needed seldom stand in the menu."""
_TOP, _SIDE, _APART = 14, 40, 8
_TITLE_LEFT = MARGIN + 54
_LEAST_PILL = 160
"""The room that is left for words on the match, before labels are."""
_PILL_PADDING = 20


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
        self._new = add(Button(_("New"), self.open_new_game, icon="plus", name="new", tooltip=_("New game")))
        self._review = add(
            Button(_("Review"), open_review, icon="chart", name="review", tooltip=_("Review what has been played"))
        )
        self._analyse = self._analysis.build_button(widgets, switch_analysis)
        self._sound = add(IconButton("sound", _("Sounds on or off"), stage.toggle_sound, name="sound"))
        turn = turn_board or stage.invalidate
        self._turn = add(Button(_("Turn"), turn, icon="turn", name="turn", tooltip=_("Turn the board")))
        self._turn.show(turn_board is not None)
        self._rules = add(
            Button(_("Rules"), self.show_rules, icon="help", name="rules", tooltip=_("Rules of the game"))
        )
        self._gear = add(Button(_("Settings"), self._open_settings, icon="gear", name="settings"))
        self._more = self._actions.build(widgets)

    def place(self, area: pygame.Rect) -> None:
        """Stand at the top of *area*. Labels are left out where there is no room; then buttons go to the menu."""
        paint, px = self._stage.paint, self._stage.paint.theme.px
        self._back.place(pygame.Rect(px(MARGIN), px(_TOP), px(_SIDE), px(_SIDE)))
        for_menu = (self._sound, self._rules, self._gear)
        self._fold_into_menu(is_folded=area.w < px(_MENU_BELOW))
        title = px(_TITLE_LEFT) + paint.width(translated(self._match.game.title), "title")
        row = [self._more, self._gear, self._rules, self._sound, self._review, self._analyse, self._turn, self._new]
        shown: list[Button] = [
            button for button in (self._new, self._review, self._analyse, self._turn) if button.is_visible
        ]
        shown += [button for button in for_menu if button.is_visible]
        right = area.right - px(MARGIN)
        words = max(px(_LEAST_PILL), self._saving.wanted_width)
        fold(shown, right - title - words - px(_SIDE + 3 * _APART), px(_APART))
        for widget in row:
            if widget.is_visible:
                width = widget.natural_size[0] if isinstance(widget, Button) else px(_SIDE)
                widget.place(pygame.Rect(right - width, px(_TOP), width, px(_SIDE)))
                right -= width + px(_APART)
        self._right = right
        left = min(title + px(14), right)
        self._saving.place(pygame.Rect(left, px(_TOP), right - left, px(_SIDE)))

    def _fold_into_menu(self, *, is_folded: bool) -> None:
        """Have what is needed seldom in the menu, or beside it."""
        for widget in (self._sound, self._rules, self._gear):
            widget.show(not is_folded)
        self._actions.folded = (
            (
                (Item("rules", _("Rules of the game"), "F2"), self.show_rules),
                (Item("sound", _("Sounds on or off"), "M"), self._stage.toggle_sound),
                (Item("settings", _("Settings")), self._open_settings),
            )
            if is_folded
            else ()
        )

    def update(self) -> None:
        """Show whether sounds are on."""
        self._sound.relabel("", "sound" if self._stage.settings.sound else "sound off")

    def draw(self, surface: pygame.Surface, subtitle: str) -> None:
        """Draw the title, and *subtitle* as far as there is room."""
        paint, px = self._stage.paint, self._stage.paint.theme.px
        middle = px(_TOP) + px(_SIDE) // 2
        at = (px(_TITLE_LEFT), middle)
        right = (self._saving.left or self._right) - px(_APART)
        words = translated(self._match.game.title)
        title = paint.text(surface, words, at, "title", anchor="midleft", width=right - at[0], shrinks=True)
        left = title.right + px(14)
        if subtitle and left + paint.width(subtitle, "small strong") + px(_PILL_PADDING) <= right:
            paint.pill(surface, subtitle, (left, middle))

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
