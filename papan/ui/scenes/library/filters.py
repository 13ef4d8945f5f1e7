"""The filters above the list of matches: text fields and menus."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import pygame

from papan.game.catalogue import GALLERY, GAMES
from papan.ui.drawing.theme import BUTTON_HEIGHT
from papan.ui.play.entries import LENGTHS, MatchFilter, parse_turn_range
from papan.ui.texts import _, translated
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.dropdown import Dropdown, Item, Suggestions
from papan.ui.widgets.text_field import TextField

_GAP = 8
_ONE_ROW = 860
"""The width from which all fields fit into one row."""
_SHARES = (2.7, 1.8, 1.8, 1.6, 2.1, 2.0)
"""The relative widths of the fields."""
_LONGEST_SEARCH = 120
_TURNS_ALLOWED = "0123456789-"


class LibraryFilters:
    """The fields; ``wanted`` is their value."""

    def __init__(self, changed: Callable[[], object]) -> None:
        self.wanted = MatchFilter()
        self._changed = changed

    def build(self, widgets: Widgets, submitted: Callable[[], object]) -> None:
        """Add the fields with their present values.

        :param submitted: called on Enter in the search field.
        """
        wanted = self.wanted
        self.search = widgets.add(
            TextField(
                wanted.text, partial(self._set, "text"), name="search", placeholder=_("Search players, games, names"),
                most=_LONGEST_SEARCH, submitted=submitted, tooltip=_("Every word must be found"),
            )
        )  # fmt: skip
        titles = {game.name: translated(game.title) for game in GAMES.values() if game.name in GALLERY}
        games = dict(sorted(titles.items(), key=lambda item: item[1]))
        results = {
            "unfinished": _("unfinished"),
            "finished": _("finished"),
            "won": _("you won"),
            "lost": _("you lost"),
            "draw": _("draw"),
            **{f"seat {number}": _("player {number} won").format(number=number) for number in range(1, 5)},
        }
        periods = {"today": _("today"), "week": _("this week"), "month": _("this month"), "year": _("this year")}
        self._game = self._menu(widgets, "game", {"": _("any game"), **games})
        self._result = self._menu(widgets, "result", {"": _("any result"), **results})
        self._period = self._menu(widgets, "period", {"": _("any date"), **periods})
        self._turns = widgets.add(
            TextField(
                wanted.turns, partial(self._set, "turns"), name="turns", placeholder=_("any length"),
                allowed=_TURNS_ALLOWED, most=13, spoken=_length_in_words,
                tooltip=_("The number of turns, such as 40, 20-60 or 100-"),
            )
        )  # fmt: skip
        lengths = [Item("", _("any length")), *(Item(text, _length_in_words(text), text) for text in LENGTHS.values())]
        self._lengths = widgets.add(Suggestions(lengths, wanted.turns, self._turns.write, name="lengths"))
        orders = {
            "newest": _("newest first"),
            "oldest": _("oldest first"),
            "game": _("by game"),
            "longest": _("longest first"),
            "shortest": _("shortest first"),
        }
        self._order = self._menu(widgets, "order", orders)
        names = {
            self.search: _("Search"),
            self._game: _("Game"),
            self._result: _("Result"),
            self._period: _("Date"),
            self._turns: _("Length"),
            self._lengths: _("Length"),
            self._order: _("Order"),
        }
        for field, name in names.items():
            field.beside = name

    def _menu(self, widgets: Widgets, name: str, offered: Mapping[str, str]) -> Dropdown:
        items = [Item(value, words) for value, words in offered.items()]
        return widgets.add(Dropdown(items, getattr(self.wanted, name), partial(self._set, name), name=f"filter {name}"))

    def height(self, width: int, px: Callable[[float], int]) -> int:
        rows = self._rows(width, px)
        return rows * px(BUTTON_HEIGHT) + (rows - 1) * px(_GAP)

    def _rows(self, width: int, px: Callable[[float], int]) -> int:
        return 1 if width >= px(_ONE_ROW) else 2

    def place(self, bar: pygame.Rect, px: Callable[[float], int]) -> None:
        gap, height = px(_GAP), px(BUTTON_HEIGHT)
        rows = self._rows(bar.w, px)
        number = len(_SHARES) // rows
        rects = []
        for row in range(rows):
            shares = _SHARES[row * number : (row + 1) * number]
            unit = (bar.w - gap * (number - 1)) / sum(shares)
            left, top = float(bar.x), bar.y + row * (height + gap)
            for share in shares:
                rects.append(pygame.Rect(round(left), top, round(unit * share), height))
                left += unit * share + gap
        for field, rect in zip((self.search, self._game, self._result, self._period), rects, strict=False):
            field.place(rect)
        turns = rects[4]
        self._lengths.place(pygame.Rect(turns.right - px(34), turns.y, px(34), height))
        self._turns.place(pygame.Rect(turns.x, turns.y, turns.w - px(34 + 4), height))
        self._order.place(rects[5])

    def clear(self) -> None:
        """Reset all filters but the order; the fields show it once they are rebuilt."""
        self.wanted = MatchFilter(order=self.wanted.order)
        self._changed()

    def _set(self, name: str, value: str) -> None:
        self.wanted = replace(self.wanted, **{name: value})
        self._changed()


def _length_in_words(text: str) -> str:
    """Return a range of turns in words: by its name if it has one."""
    words = {"short": _("short"), "medium": _("medium"), "long": _("long")}
    named = next((words[name] for name, turns in LENGTHS.items() if turns == text), None)
    if named is not None or parse_turn_range(text) is None:
        return named or text
    return _("{turns} turns").format(turns=text)
