"""The explorer's lists: the turns played in a position with bars of results, and games with the position."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pygame

from papan.game.explorer import GameInfo
from papan.game.explorer.query import Results
from papan.game.formats import UNKNOWN_PLAYER
from papan.ui.drawing.lettering import Anchor
from papan.ui.drawing.theme import WHITE, Colour, SeatStyle, TextStyle, contrast
from papan.ui.play.turn_names import TurnName
from papan.ui.texts import N_, _, in_figures, plural, translated
from papan.ui.widgets.base import Part, clipped, join_phrases
from papan.ui.widgets.page import BAR
from papan.ui.widgets.scroll import ChoiceList, E

_HEAD = 34
_PADDING = 12
_GAP = 10
_LEAST_BAR, _AROUND_SIDE = 96, 21
"""The least width of a bar, and what its half needs beside a side's name."""
_MOST_NAME_SHARE = 0.4
_SHAPE = 5
_RIGHT = 22
"""Room for the scroll bar."""


@dataclass(frozen=True)
class Side:
    """A seat as the lists show it."""

    name: str
    """As in "Black won"."""
    style: SeatStyle


@dataclass(frozen=True)
class TurnRow:
    """A turn that was played in the position."""

    name: TurnName
    results: Results
    years: str
    engine: str
    """The engine's score, or ""."""
    book: str
    """The opening book's score, or ""."""
    players: str
    """Who played it most often, or ""."""


@dataclass(frozen=True)
class GameRow:
    players: str
    result: str
    date: str
    event: str


def game_row(info: GameInfo, sides: Sequence[Side], turns: int | None = None) -> GameRow:
    """How lists show a game.

    :param turns: the number of turns to the position.
    """
    names = [side.name if name == UNKNOWN_PLAYER else name for name, side in zip(info.players, sides, strict=True)]
    result = "" if info.payoff is None else _("draw")
    if info.payoff:
        result = _("{name} won").format(name=sides[info.payoff < 0].name)
    date = info.date.replace(".??", "").replace("-??", "").strip("?. -")  # the known parts
    after = ""
    if turns is not None:
        after = plural("after {count} turn", "after {count} turns", turns) if turns else _("at the start")
    return GameRow(_(" against ").join(names), result, date, " · ".join(part for part in (info.event, after) if part))


def in_words(results: Results, sides: Sequence[Side]) -> str:
    """The numbers of *results*: "12 games: Black won 5, drawn 1, White won 6"."""
    told = [
        plural("{count} game", "{count} games", results.games, count=in_figures(results.games)),
        _("{name} won {count}").format(name=sides[0].name, count=in_figures(results.won)),
        _("drawn {count}").format(count=in_figures(results.drawn)),
        _("{name} won {count}").format(name=sides[1].name, count=in_figures(results.lost)),
    ]
    if results.unknown:
        told.append(_("unknown {count}").format(count=in_figures(results.unknown)))
    return join_phrases(*told)


class _ExplorerList(ChoiceList[E]):
    title: str
    """Its name in English."""
    key_help: Mapping[str, str]

    def __init__(self, name: str, opened: Callable[[int], object], chosen_changed: Callable[[], object]) -> None:
        """:param opened: called with the index of a row."""
        super().__init__(name, chosen_changed)
        self._open = opened

    def _told(self, row: E) -> str:
        raise NotImplementedError

    def key(self, event: pygame.event.Event) -> bool:
        moved = self._index_after(event.key)
        if moved is not None and event.key not in (pygame.K_HOME, pygame.K_END):
            self.choose(moved)
            return True
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE) and self.entries:
            self._open(self.index)
            return True
        return False

    def utterance(self) -> str:
        chosen = self.chosen
        return self._told(chosen) if chosen is not None else self.empty_words or translated(self.title)

    def name_and_value(self) -> tuple[str, str]:
        return translated(self.title), "" if self.entries else self.empty_words

    def parts(self) -> Sequence[Part]:
        return [part._replace(name=self._told(self.entries[part.number])) for part in super().parts()]


class ExploredTurns(_ExplorerList[TurnRow]):
    """The turns played, with columns: a click or Enter plays one."""

    title = N_("Turns played here")
    row_height = 34
    key_help: Mapping[str, str] = {"Up  Down  PgUp  PgDn": N_("choose a turn"), "Enter": N_("play it")}

    def __init__(
        self, sides: Sequence[Side], play: Callable[[int], object], *, has_book: bool, has_engine: bool
    ) -> None:
        """:param sides: the two seats, in the order of play.
        :param play: called with the index of a turn.
        """
        super().__init__("turns", play, lambda: None)
        self._sides = sides
        self.has_book, self._has_engine = has_book, has_engine
        self._columns: dict[str, tuple[int, int]] = {}
        """The left and right ends of the columns, in real pixels, by their names."""
        self._shows_words = True

    def show_rows(self, rows: Sequence[TurnRow], *, is_other: bool) -> None:
        """Show *rows*, of another position if it *is_other*: then the first is chosen."""
        if rows == self.entries:
            return
        self.entries = rows
        if is_other:
            self.index = self.top = 0
        self.index = min(self.index, max(0, len(rows) - 1))
        self._arrange()
        self.scroll_to(self.top)

    def set_book(self, has_book: bool) -> None:
        """Show or hide the column of the opening book."""
        self.has_book = has_book
        self._arrange()
        self.invalidate()

    @property
    def _view(self) -> pygame.Rect:
        head = min(self.theme.px(_HEAD), self.rect.h)
        return pygame.Rect(self.rect.x, self.rect.y + head, self.rect.w, self.rect.h - head)

    def _arrange(self) -> None:
        """Divide the width: the bar gets what is left, and years go first where little is left, or none for words."""
        if self.container is None or not self.rect.w:
            return
        px, width = self.theme.px, self.paint.width
        left, right = self.rect.x + px(_PADDING), self.rect.right - px(_RIGHT)
        needs = {
            "games": max(
                [width(_("Games"), "fine"), *(width(in_figures(one.results.games), "text") for one in self.entries)]
            ),
            "years": max(width(_("Years"), "fine"), self.paint.tabular_width("0000–0000", "small")),
            "engine": self._opinion_width(_("Engine"), [one.engine for one in self.entries]),
            "book": self._opinion_width(_("Book"), [one.book for one in self.entries]),
        }
        shown = ["games", "years", *(["engine"] if self._has_engine else []), *(["book"] if self.has_book else [])]
        longest = max([width(one.name.shown, "text") for one in self.entries], default=0)
        shortest = max([width(one.name.notation, "text") for one in self.entries], default=0)
        least = max(shortest, width(_("Turn"), "fine"), px(40))
        bar = max(px(_LEAST_BAR), 2 * (max(width(side.name, "fine") for side in self._sides) + px(_AROUND_SIDE)))

        def rest(columns: Sequence[str]) -> int:
            return right - left - sum(needs[column] + px(_GAP) for column in columns) - px(_GAP)

        while len(shown) > 1 and rest(shown) - least < bar:
            shown.remove("years" if "years" in shown else shown[-1])

        def has_words(columns: Sequence[str]) -> bool:
            return longest <= max(least, min(round((right - left) * _MOST_NAME_SHARE), rest(columns) - bar))

        if not has_words(shown) and has_words(less := [column for column in shown if column != "years"]):
            shown = less
        room = rest(shown)
        self._shows_words = has_words(shown)
        name = max(least, longest) if self._shows_words else least
        name = max(px(20), min(name, room - bar))
        widths = {"name": name, "games": needs["games"], "bar": room - name, **{c: needs[c] for c in shown[1:]}}
        self._columns, at = {}, left
        for column, wide in widths.items():
            self._columns[column] = at, at + max(0, wide)
            at += wide + px(_GAP)

    def _opinion_width(self, head: str, texts: Sequence[str]) -> int:
        return max(
            [self.paint.width(head, "fine"), self.theme.px(44), *(self.paint.width(one, "strong") for one in texts)]
        )

    def _click(self, index: int, point: tuple[int, int], *, is_double: bool) -> None:
        if not is_double:  # the second click was meant for the turn that stood there before
            self.choose(index, shows=False)
            self._open(index)

    def press_part(self, number: int) -> None:
        self.take_focus()
        self.choose(number)
        self._open(number)

    @property
    def explanation(self) -> str:
        under = self.part_under
        if under is None or under >= len(self.entries):
            return ""
        row = self.entries[under]
        by = _("Most often by {players}").format(players=row.players) if row.players else ""
        return "\n".join(part for part in (row.name.told, in_words(row.results, self._sides), by) if part)

    def _told(self, row: TurnRow) -> str:
        engine = _("engine {score}").format(score=row.engine) if row.engine and self._has_engine else ""
        book = _("book {score}").format(score=row.book) if row.book else ""
        return join_phrases(row.name.words, in_words(row.results, self._sides), row.years, engine, book)

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        paint, theme, middle = self.paint, self.theme, self.rect.y + self.theme.px(_HEAD) // 2
        heads = {
            "name": _("Turn"), "games": _("Games"), "years": _("Years"), "engine": _("Engine"), "book": _("Book"),
        }  # fmt: skip
        for column, (left, right) in self._columns.items():
            if column == "bar":
                self._draw_legend(surface, left, right, middle)
            else:
                width = right - left if column == "name" else None
                at, anchor = self._edge(column, middle)
                paint.text(surface, heads[column], at, "fine", theme.second, anchor=anchor, width=width)

    def _edge(self, column: str, middle: int) -> tuple[tuple[int, int], Anchor]:
        """Where the text of a *column* is: names on the left, figures on the right."""
        left, right = self._columns[column]
        return ((left, middle), "midleft") if column == "name" else ((right, middle), "midright")

    def _draw_legend(self, surface: pygame.Surface, left: int, right: int, middle: int) -> None:
        """Which end of the bars is whose: each seat's shape and name, and what stands between, if there is room."""
        paint, theme, px = self.paint, self.theme, self.theme.px
        room = (right - left) // 2 - px(4)
        for side, end, anchor in ((self._sides[0], left, "midleft"), (self._sides[1], right, "midright")):
            words = _("{name} won").format(name=side.name)
            if paint.width(words, "fine") + px(16) > room:
                words = side.name
            is_left = anchor == "midleft"
            paint.badge(surface, (end + px(6 if is_left else -6), middle), px(6), side.style)
            at = (end + px(16 if is_left else -16), middle)
            paint.text(
                surface, words, at, "fine", theme.second, anchor="midleft" if is_left else "midright",
                width=room - px(16), shrinks=True,
            )  # fmt: skip
        used = [paint.width(_("{name} won").format(name=side.name), "fine") + px(16) for side in self._sides]
        drawn = _("drawn")
        if paint.width(drawn, "fine") / 2 + px(8) <= (right - left) / 2 - max(used):
            paint.text(surface, drawn, ((left + right) // 2, middle), "fine", theme.second, anchor="center")

    def _draw_row(self, surface: pygame.Surface, index: int) -> None:
        paint, theme, row = self.paint, self.theme, self.entries[index]
        rect = self._row_rect(index)
        self._draw_ground(surface, index, is_marked=False)
        name = row.name.shown if self._shows_words else row.name.notation
        texts: dict[str, tuple[str, TextStyle, Colour]] = {
            "name": (name, "text", theme.ink),
            "games": (in_figures(row.results.games), "text", theme.ink),
            "years": (row.years, "small", theme.second),
            "engine": (row.engine, "strong", theme.ink),
            "book": (row.book, "text", theme.ink),
        }
        for column, (left, right) in self._columns.items():
            if column == "bar":
                self._draw_bar(surface, row.results, pygame.Rect(left, rect.y, right - left, rect.h))
            else:
                text, style, ink = texts[column]
                at, anchor = self._edge(column, rect.centery)
                paint.text(surface, text, at, style, ink, anchor=anchor, width=right - left, shrinks=True)

    def _draw_bar(self, surface: pygame.Surface, results: Results, room: pygame.Rect) -> None:
        """A bar of the known results: the first seat's wins, draws, the second's, each with its share if it fits."""
        paint, theme, px = self.paint, self.theme, self.theme.px
        known = results.games - results.unknown
        bar = pygame.Rect(room.x, 0, room.w, px(18))
        bar.centery = room.centery
        if not known:
            paint.rounded_rect(surface, bar, None, px(5), line=theme.line)
            return
        first, second = (side.style for side in self._sides)
        paint.rounded_rect(surface, bar, theme.pill, px(5), line=theme.second)
        edges = [0, results.won, results.won + results.drawn, known]
        ends = [bar.x + round(bar.w * edge / known) for edge in edges]
        colours = first.colour, theme.pill, second.colour
        for number, colour in enumerate(colours):
            part = pygame.Rect(ends[number], bar.y, ends[number + 1] - ends[number], bar.h)
            if not part.w:
                continue
            if number != 1:
                with clipped(surface, part):
                    paint.rounded_rect(surface, bar, colour, px(5), line=theme.second)
            share = in_figures(results[number] / known, ".0%")
            if paint.width(share, "tiny") + px(8) <= part.w:
                ink = max((theme.ink, theme.background, WHITE, (0, 0, 0)), key=lambda ink: contrast(ink, colour))
                paint.text(surface, share, part.center, "tiny", ink, anchor="center")


class ExploredGames(_ExplorerList[GameRow]):
    """Games with the position, two lines each: Enter or a double click opens one."""

    title = N_("Games with this position")
    row_height = 46
    key_help: Mapping[str, str] = {"Up  Down  PgUp  PgDn": N_("choose a game"), "Enter": N_("open it")}

    def __init__(self, opened: Callable[[int], object], chosen_changed: Callable[[], object] = lambda: None) -> None:
        """:param opened: called with the index of a game."""
        super().__init__("games", opened, chosen_changed)

    def show_rows(self, rows: Sequence[GameRow]) -> None:
        if rows != self.entries:
            self.entries = rows
            self.index = self.top = 0
            self.scroll_to(0)

    def _click(self, index: int, point: tuple[int, int], *, is_double: bool) -> None:
        self.choose(index, shows=False)
        if is_double:
            self._open(index)

    def _told(self, row: GameRow) -> str:
        return join_phrases(row.players, row.result, row.date, row.event)

    def _draw_row(self, surface: pygame.Surface, index: int) -> None:
        paint, theme, px, row = self.paint, self.theme, self.theme.px, self.entries[index]
        rect = self._row_rect(index)
        self._draw_ground(surface, index, is_marked=False)
        left, right = rect.x + px(_PADDING), rect.right - px(BAR + 15)
        upper, lower = rect.centery - px(9), rect.centery + px(10)
        result = paint.text(surface, row.result, (right, upper), "small", theme.second, anchor="midright")
        room = right - left - result.w - px(_GAP)
        paint.text(surface, row.players, (left, upper), "text", anchor="midleft", width=room, shrinks=True)
        words = " · ".join(part for part in (row.date, row.event) if part)
        paint.text(surface, words, (left, lower), "small", theme.second, anchor="midleft", width=right - left)
