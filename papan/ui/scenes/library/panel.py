"""The filters above the library's list, the panel of the chosen match, and the reports on imports and exports."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import pygame

from papan.game.base.sentences import Sentence, figures, joined, say, say_number
from papan.game.catalogue import GALLERY, GAMES
from papan.game.formats.importing import ImportProgress
from papan.ui.drawing.theme import BUTTON_HEIGHT, PANEL_RADIUS
from papan.ui.play.entries import LENGTHS, Entry, MatchFilter, parse_turn_range
from papan.ui.play.import_export import ExportResult, with_reasons
from papan.ui.scenes import Scene
from papan.ui.scenes.panel_form import filter_rects
from papan.ui.texts import _, in_figures, plural, translated
from papan.ui.texts.wording import played_in_words
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.dropdown import Dropdown, Item, Suggestions
from papan.ui.widgets.text_field import TextField

_PADDING = 16
_LINE = 21
_WORDS = 28 + 3 * _LINE + 10
"""The height of the text below the picture."""

Act = Callable[[], object]


class LibraryPanel:
    """The buttons for the chosen or the marked matches, and the chosen one's picture and text."""

    def __init__(self, scene: Scene, picture: Callable[[Entry, tuple[int, int]], pygame.Surface | None]) -> None:
        """:param picture: returns the miniature of a match in a size; None while there is none."""
        self._scene = scene
        self._picture = picture
        self.rect = pygame.Rect(0, 0, 0, 0)
        self._entry: Entry | None = None
        self._marked: Sequence[Entry] = ()

    def build(self, play: Act, review: Act, rename: Act, export: Act, delete: Act, unmark: Act) -> None:
        add = self._scene.widgets.add
        self._open = add(Button("", play, icon="play", kind="primary", name="open"))
        self._review = add(Button(_("Review"), review, icon="chart", name="review"))
        self._rename = add(Button(_("Rename"), rename, name="rename"))
        self._export = add(Button("", export, name="export"))
        self._delete = add(Button("", delete, icon="trash", name="delete"))
        self._unmark = add(Button(_("Unmark"), unmark, name="unmark"))

    def place(self, rect: pygame.Rect) -> None:
        self.rect = rect
        self._place_buttons()

    def show(self, entry: Entry | None, marked: Sequence[Entry]) -> None:
        """Show *entry*, or the *marked* matches if there are any."""
        self._entry, self._marked = entry, marked
        count = len(marked)
        is_over = entry is not None and entry.outcome != "unfinished"
        self._open.relabel(_("Show") if is_over else _("Play on"), "eye" if is_over else "play")
        self._export.relabel(_("Export {count}…").format(count=in_figures(count)) if count else _("Export…"))
        self._delete.relabel(_("Delete {count}").format(count=in_figures(count)) if count else _("Delete"))
        can_open = entry is not None and entry.game is not None
        for button in (self._open, self._review):
            button.enable(can_open)
        for button in (self._rename, self._export, self._delete):
            button.enable(entry is not None)
        self._unmark.show(bool(count))
        if self.rect.w:
            self._place_buttons()
        self._scene.invalidate()

    def _place_buttons(self) -> None:
        px, inner = self._scene.px, self.rect.inflate(-2 * self._scene.px(_PADDING), -2 * self._scene.px(_PADDING))
        height, gap = px(BUTTON_HEIGHT), px(8)
        half = (inner.w - gap) // 2
        rows = [[self._open], [self._review, self._rename], [self._export, self._delete]]
        if self._unmark.is_visible:
            rows.insert(0, [self._unmark])
        top = inner.bottom - len(rows) * height - (len(rows) - 1) * gap
        self._buttons_top = top
        for row in rows:
            for button in row:
                left = inner.x if button is row[0] else inner.right - half
                button.place(pygame.Rect(left, top, inner.w if len(row) == 1 else half, height))
            top += height + gap

    def draw(self, surface: pygame.Surface) -> None:
        scene, px = self._scene, self._scene.px
        scene.paint.panel(surface, self.rect)
        if self._entry is None:
            return
        inner = self.rect.inflate(-2 * px(_PADDING), -2 * px(_PADDING))
        room = self._buttons_top - px(_WORDS + 12) - inner.y
        height = min(room, inner.w)
        size = (inner.w, height)
        if height > px(60):
            picture = self._picture(self._entry, size)
            if picture is not None:
                surface.blit(picture, inner.topleft)
            else:
                ground = pygame.Rect(inner.topleft, size)
                scene.paint.rounded_rect(surface, ground, scene.theme.background, px(PANEL_RADIUS - 4))
        self._draw_words(surface, pygame.Rect(inner.x, inner.y + max(0, height) + px(12), inner.w, px(_WORDS)))

    def _draw_words(self, surface: pygame.Surface, area: pygame.Rect) -> None:
        scene, px, entry = self._scene, self._scene.px, self._entry
        assert entry is not None
        middle = area.y + px(14)
        title = entry.title
        if self._marked:
            title = plural("{count} match is marked", "{count} matches are marked", len(self._marked))
        scene.paint.text(surface, title, (area.x, middle), "heading", anchor="midleft", width=area.w)
        middle += px(_LINE + 4)
        for line in self._lines(entry):
            scene.paint.text(
                surface, line, (area.x, middle), "small", scene.theme.second, anchor="midleft", width=area.w
            )
            middle += px(_LINE)

    def _lines(self, entry: Entry) -> list[str]:
        game = translated(entry.game.title) if entry.game is not None else entry.summary.game
        first = entry.players if not entry.summary.name else f"{game} · {entry.players}"
        second = " · ".join(part for part in (entry.result, entry.turns) if part)
        third = played_in_words(entry.summary)
        origin = entry.summary.origin
        if entry.summary.is_line and origin is not None:
            third = _("{when} · a variation of another match").format(when=third)
        elif origin is not None:
            third = _("{when} · continues another match").format(when=third)
        return [first, second, third]


def import_in_words(progress: ImportProgress) -> Sentence:
    """Return the report on an import: the numbers of new and of known matches, and refused records with reasons."""
    stored, known = figures(progress.stored), figures(progress.known)
    said: list[str] = [
        say_number("{count} match was imported.", "{count} matches were imported.", progress.stored, count=stored)
    ]
    if progress.known:
        words = say_number(
            "{count} was already in the library.", "{count} were already in the library.", progress.known, count=known
        )
        said.append(words)
    if progress.is_stopped:
        said.append(say("The rest was not read."))
    return with_reasons(joined(said), progress)


def export_in_words(result: ExportResult) -> str:
    """Return the report on an export: the number of matches, and those left out, with reasons."""
    if result.trouble:
        return result.trouble
    said: list[str] = []
    if result.count:
        said.append(
            say_number(
                "{count} match was saved as {path}.", "{count} matches were saved as {path}.", result.count,
                path=str(result.path), count=figures(result.count),
            )
        )  # fmt: skip
    else:
        said.append(say("No file was written."))
    if result.hidden:
        said.append(
            say_number(
                "{count} match was left out: it is unfinished, and its record would show hidden cards.",
                "{count} matches were left out: they are unfinished, and their records would show hidden cards.",
                result.hidden,
            )
        )
    if result.unreadable:
        said.append(say_number("{count} match can't be read.", "{count} matches can't be read.", result.unreadable))
    return joined(said)


def file_name_of(entries: Sequence[Entry]) -> str:
    """Return a name for the file to export matches to."""
    today = datetime.date.today().isoformat()
    games = {entry.summary.game for entry in entries}
    kind = games.pop() if len(games) == 1 else "matches"
    return f"papan-{kind}-{today}.txt"


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
                tooltip=_("Number of turns: 40, 20-60, or 100- for 100 and more"),
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

    def place(self, bar: pygame.Rect, px: Callable[[float], int]) -> None:
        rects = filter_rects(bar, _SHARES, px)
        turns = rects.pop(4)
        self._lengths.place(pygame.Rect(turns.right - px(34), turns.y, px(34), turns.h))
        self._turns.place(pygame.Rect(turns.x, turns.y, turns.w - px(34 + 4), turns.h))
        fields = (self.search, self._game, self._result, self._period, self._order)
        for field, rect in zip(fields, rects, strict=True):
            field.place(rect)

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
