"""The folders and files of one folder: a row each, of which only the visible ones are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from papan.ui.drawing.theme import Colour, TextStyle, mix
from papan.ui.play.folders import Item
from papan.ui.texts import _, in_figures, in_whole_numbers, plural
from papan.ui.texts.wording import day_in_words
from papan.ui.widgets.base import in_one
from papan.ui.widgets.scroll import RowList, index_after
from papan.ui.widgets.shortcuts import Shortcut

_PADDING = 12
_ROOMY = 520
"""The width from which on both facts of a file are always shown, though its name be cut."""
_DOUBLE_CLICK = 450
_BAR = 6


class FileList(RowList):
    """Rows of folders and files; files can be marked where several may be chosen."""

    row_height = 34
    wheel_rows = 3
    bar_width, shortest_bar = _BAR, 28

    def __init__(self, opened: Callable[[Item], object], chosen: Callable[[], object], *, marks: bool) -> None:
        """:param opened: called with a folder, or a file, on Enter and on a double click.
        :param chosen: called when another row is the chosen one, or others are marked.
        :param marks: whether several files may be chosen.
        """
        super().__init__("files")
        self._opened = opened
        self._chosen_changed = chosen
        self._marks = marks
        self.items: Sequence[Item] = ()
        self.index = 0
        self.marked: set[int] = set()
        self.words = ""
        """What stands there while there is nothing to list."""
        self._last_click = (-_DOUBLE_CLICK, -1)

    def show_items(self, items: Sequence[Item], words: str) -> None:
        self.items, self.words = items, words
        self.index, self._top = 0, 0.0
        self.marked = set()
        self.invalidate()

    @property
    def chosen(self) -> Item | None:
        return self.items[self.index] if self.index < len(self.items) else None

    @property
    def files(self) -> list[Item]:
        """The marked files; where there are none, the chosen one."""
        marked = [self.items[index] for index in sorted(self.marked)]
        return marked or ([self.chosen] if self.chosen is not None and not self.chosen.is_folder else [])

    def choose(self, index: int) -> None:
        """Choose the row of this index, or the nearest, and show it."""
        self.index = min(max(0, index), max(0, len(self.items) - 1))
        self._reveal(self.index)
        self.invalidate()
        self._chosen_changed()

    def _mark(self, index: int) -> None:
        if self._marks and index < len(self.items) and not self.items[index].is_folder:
            self.marked ^= {index}
            self.invalidate()
            self._chosen_changed()

    @property
    def _row_count(self) -> int:
        return len(self.items)

    @property
    def _track(self) -> pygame.Rect:
        px = self.theme.px
        return pygame.Rect(self.rect.right - px(_BAR + 2), self.rect.y, px(_BAR), self.rect.h)

    @property
    def _bar_ink(self) -> Colour:
        return mix(self.theme.second, self.theme.panel, 0.5)

    def handle(self, event: pygame.event.Event) -> bool:
        if super().handle(event):
            return True
        if self.is_pressed_by(event):
            self.take_focus()
            index = self._index_at(event.pos)
            if index is not None:
                self._press(index)
            return True
        return event.type == pygame.MOUSEBUTTONUP and event.button == 1 and self.is_held

    def _press(self, index: int) -> None:
        now = pygame.time.get_ticks()
        is_double = self._last_click[1] == index and now - self._last_click[0] < _DOUBLE_CLICK
        self._last_click = (now, index)
        self.choose(index)
        if is_double:
            self._opened(self.items[index])
        elif pygame.key.get_mods() & (pygame.KMOD_CTRL | pygame.KMOD_META):
            self._mark(index)

    def key(self, event: pygame.event.Event) -> bool:
        page = max(1, self.rect.h // self._row - 1)
        moved = index_after(event.key, self.index, len(self.items), page)
        if moved is not None and self.items and not (event.key == pygame.K_UP and self.index == 0):
            self.choose(moved)
        elif event.key == pygame.K_SPACE and self._marks:
            self._mark(self.index)
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER) and self.chosen is not None:
            self._opened(self.chosen)
        else:
            return self._find(event.unicode)
        return True

    def keys(self) -> Sequence[Shortcut]:
        return (
            Shortcut("Up  Down  PgUp  PgDn  Home  End", _("choose a file")),
            Shortcut("Enter", _("open the folder, or take the file")),
            Shortcut("Space", _("mark several files")),
        )

    def _find(self, letter: str) -> bool:
        """Go to the next row that begins with *letter*."""
        if not letter or not letter.isprintable():
            return False
        count = len(self.items)
        for step in range(1, count + 1):
            index = (self.index + step) % count
            if self.items[index].path.name.casefold().startswith(letter.casefold()):
                self.choose(index)
                return True
        return False

    def utterance(self) -> str:
        chosen = self.chosen
        if chosen is None:
            return self.words
        is_marked = self.index in self.marked
        return in_one(chosen.path.name, _("folder") if chosen.is_folder else "", _("marked") if is_marked else "")

    def draw(self, surface: pygame.Surface) -> None:
        px, paint, theme = self.theme.px, self.paint, self.theme
        if not self.items:
            area = self.rect.inflate(-2 * px(30), 0)
            area.y += px(24)
            paint.paragraph(surface, self.words, area, "text", theme.second, align="center")
            return
        self._draw_rows(surface)

    def _draw_row(self, surface: pygame.Surface, index: int) -> None:
        px, paint, theme, item = self.theme.px, self.paint, self.theme, self.items[index]
        row = self._row_rect(index)
        box = row.inflate(-2 * px(2), -2 * px(1))
        box.w -= px(_BAR + 4)
        if index == self.index:
            paint.rounded_rect(surface, box, theme.accent_soft, px(7), line=theme.ring if self.shows_focus else None)
        elif index in self.marked:
            paint.rounded_rect(surface, box, theme.hover, px(7))
        left = row.x + px(_PADDING)
        icon = "check" if index in self.marked else "folder" if item.is_folder else "file"
        ink = theme.accent if item.is_folder or index in self.marked else theme.second
        paint.icon(surface, icon, (left + px(9), row.centery), ink, px(18))
        left += px(28)
        right = row.right - px(_BAR + 14)
        style: TextStyle = "strong" if item.is_folder else "text"
        words = "" if item.is_folder else self._facts(item, right - left)
        paint.text(surface, words, (right, row.centery), "small", theme.second, anchor="midright")
        room = right - left - (paint.width(words, "small") + px(12) if words else 0)
        paint.text(surface, item.path.name, (left, row.centery), style, anchor="midleft", width=room, shrinks=True)

    def _facts(self, item: Item, room: int) -> str:
        """The size of a file and when it was changed, as far as its name leaves *room*."""
        when = day_in_words(item.changed) if item.changed is not None else ""
        words = f"{_size_in_words(item.size)} · {when}"
        has_room = self.paint.width(words, "small") + self.paint.width(item.path.name, "text") < room
        return words if has_room or room >= self.theme.px(_ROOMY) else _size_in_words(item.size)

    def draw_focus(self, surface: pygame.Surface) -> None:
        """The chosen row is outlined instead; where there is none, the list is."""
        if not self.items:
            super().draw_focus(surface)


def _size_in_words(size: int) -> str:
    if size < 1024:
        return plural("{count} byte", "{count} bytes", size)
    if size < 1024**2:
        return _("{size} KiB").format(size=in_whole_numbers(size / 1024))
    return _("{size} MiB").format(size=in_figures(size / 1024**2, ",.1f"))
