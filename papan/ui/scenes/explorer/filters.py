"""The fields above the explorer: the game, and which games count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import pygame

from papan.game.catalogue import GALLERY
from papan.game.explorer.collection import suits
from papan.game.game import Game
from papan.ui.play.explorer import EVERY, OWN, Wanted
from papan.ui.scenes.panel_form import filter_rects
from papan.ui.texts import _, translated
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.dropdown import Dropdown, Item, Suggestions
from papan.ui.widgets.explorer_lists import Side
from papan.ui.widgets.text_field import TextField

_SHARES = (1.8, 2.2, 2.5, 1.1, 1.1, 2.0)
"""The relative widths of the fields."""
_LONGEST_NAME = 60
_DIGITS = "0123456789"


class ExplorerFilters:
    """The fields; ``wanted`` is their value."""

    def __init__(self, wanted: Wanted, changed: Callable[[], object], choose_game: Callable[[Game], object]) -> None:
        """:param changed: called when ``wanted`` has changed.
        :param choose_game: called with another game.
        """
        self.wanted = wanted
        self._changed = changed
        self._choose_game = choose_game
        self._sources: Sequence[str] = ()
        self._has_own = False
        self._players: Sequence[str] = ()

    def build(self, widgets: Widgets, game: Game, sides: Sequence[Side], *, has_own: bool) -> None:
        """Add the fields with their present values.

        :param has_own: whether the own matches can be chosen.
        """
        wanted, self._has_own = self.wanted, has_own
        titles = {one.name: translated(one.title) for one in GALLERY.values() if suits(one)} | {
            game.name: translated(game.title)
        }
        choose = self._choose_game
        games = [Item(name, title) for name, title in sorted(titles.items(), key=lambda item: item[1])]
        self._game = widgets.add(Dropdown(games, game.name, lambda name: choose(GALLERY[name]), name="explored game"))
        self._source = widgets.add(
            Dropdown(self._source_items(), wanted.source, partial(self._set, "source"), name="source")
        )
        self._player = widgets.add(
            TextField(
                wanted.player, partial(self._set, "player"), name="player", placeholder=_("any player"),
                most=_LONGEST_NAME, tooltip=_("Part of a player's name"),
            )
        )  # fmt: skip
        self._suggested = widgets.add(
            Suggestions(
                self._player_items(), "", self._player.write, name="players", tooltip=_("The most frequent players")
            )
        )
        self._since = self._year(widgets, "since", _("from year"), wanted.since)
        self._until = self._year(widgets, "until", _("to year"), wanted.until)
        first, second = (_("{name} won").format(name=side.name) for side in sides)
        results = [Item("", _("any result")), Item("first", first), Item("draw", _("draw")), Item("second", second)]
        self._result = widgets.add(Dropdown(results, wanted.result, partial(self._set, "result"), name="result"))
        names = {
            self._game: _("Game"), self._source: _("Collection"), self._player: _("Player"),
            self._suggested: _("Player"), self._since: _("Year"), self._until: _("Year"), self._result: _("Result"),
        }  # fmt: skip
        for field, name in names.items():
            field.beside = name

    def _year(self, widgets: Widgets, name: str, placeholder: str, text: str) -> TextField:
        changed = partial(self._set, name)
        return widgets.add(
            TextField(text, changed, name=name, placeholder=placeholder, allowed=_DIGITS, most=4, tooltip=placeholder)
        )

    def _source_items(self) -> list[Item]:
        items = [Item(EVERY, _("all collections")), *(Item(name, name) for name in self._sources)]
        if self.wanted.source not in (EVERY, OWN, *self._sources):
            items.append(Item(self.wanted.source, self.wanted.source))
        return [*items, Item(OWN, _("My matches"))] if self._has_own or self.wanted.source == OWN else items

    def _player_items(self) -> list[Item]:
        return [Item("", _("any player")), *(Item(name, name) for name in self._players)]

    def offer(self, sources: Sequence[str], players: Sequence[str]) -> None:
        """Offer the collections and the players that there are now."""
        if sources != self._sources:
            self._sources = sources
            self._source.offer(self._source_items())
        if players != self._players:
            self._players = players
            self._suggested.offer(self._player_items())

    def place(self, bar: pygame.Rect, px: Callable[[float], int]) -> None:
        rects = filter_rects(bar, _SHARES, px)
        player = rects.pop(2)
        self._suggested.place(pygame.Rect(player.right - px(34), player.y, px(34), player.h))
        self._player.place(pygame.Rect(player.x, player.y, player.w - px(34 + 4), player.h))
        fields = (self._game, self._source, self._since, self._until, self._result)
        for field, rect in zip(fields, rects, strict=True):
            field.place(rect)

    def clear(self) -> None:
        """Let all games of the collections count; the fields show it once they are rebuilt."""
        self.wanted = Wanted(self.wanted.source)
        self._changed()

    def _set(self, name: str, value: str) -> None:
        self.wanted = replace(self.wanted, **{name: value})
        self._changed()
