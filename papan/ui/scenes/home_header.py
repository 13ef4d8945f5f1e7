"""The top of the home screen: the program's name, and the buttons that lead elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pygame

from papan.game.facts import Game
from papan.ui.scenes import Stage
from papan.ui.scenes.header import fold
from papan.ui.scenes.home_ways import HomeWays
from papan.ui.scenes.services import Services
from papan.ui.texts import _, translated
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.dropdown import Item, MenuButton

_NAME = "Papan"
_NAME_MIDDLE, _TOP = 44, 24
_APART, _AFTER_NAME = 10, 16


class HomeHeader:
    """The header of one home screen."""

    def __init__(self, stage: Stage, services: Services, ways: HomeWays) -> None:
        self._stage = stage
        self._services = services
        self._ways = ways

    def build(self, widgets: Widgets, games: Mapping[str, Game]) -> None:
        """Add the buttons; one shows the rules of any of *games*."""
        add, ways, services = widgets.add, self._ways, self._services
        self._library = add(Button(_("Library"), ways.open_library, icon="library", name="library"))
        self._library.show(services.shelf is not None)
        self._puzzles = add(Button(_("Puzzles"), ways.open_puzzles, icon="hint", name="puzzles"))
        self._statistics = add(Button(_("Statistics"), ways.open_statistics, icon="bars", name="statistics"))
        self._statistics.show(services.read_sums is not None)
        tooltip = _("Games by the thousand between computer players")
        self._laboratory = add(
            Button(_("Laboratory"), ways.open_laboratory, icon="chart", name="laboratory", tooltip=tooltip)
        )
        items = [Item(game.name, translated(game.title)) for game in games.values()]
        self._rules = add(
            MenuButton(_("Rules"), "info", items, lambda name: ways.show_rules(games[name]), name="rules")
        )
        tooltip = _("Review the match, or set up the position, on the clipboard; or drop a record's file on the window")
        self._paste = add(IconButton("copy", tooltip, ways.open_record, name="paste"))
        self._settings = add(Button(_("Settings"), ways.open_settings, icon="gear", name="settings"))

    def place(self, area: pygame.Rect, margin: int) -> None:
        """Stand at the top of *area*, *margin* from its sides; without room, some buttons are without their labels."""
        paint, px = self._stage.paint, self._stage.paint.theme.px
        self._left = area.x + margin
        row: Sequence[Button | MenuButton] = (
            self._settings, self._paste, self._rules, self._laboratory, self._statistics, self._puzzles, self._library,
        )  # fmt: skip
        last_to_give_way = (
            self._paste, self._rules, self._settings, self._library, self._puzzles, self._laboratory, self._statistics,
        )  # fmt: skip
        room = area.w - 2 * margin - paint.width(_NAME, "name") - px(_AFTER_NAME)
        fold([one for one in last_to_give_way if one.is_visible], room, px(_APART))
        right = area.right - margin
        for one in row:
            if one.is_visible:
                size = one.natural_size
                one.place(pygame.Rect(right - size[0], px(_TOP), *size))
                right -= size[0] + px(_APART)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the name."""
        paint = self._stage.paint
        paint.text(surface, _NAME, (self._left, paint.theme.px(_NAME_MIDDLE)), "name", anchor="midleft")
