"""The list of a folder's folders and files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pygame

from papan.ui.drawing.theme import TextStyle
from papan.ui.play.folders import Item
from papan.ui.texts import N_, _, in_figures, in_whole_numbers, plural
from papan.ui.texts.wording import day_in_words
from papan.ui.widgets.base import join_phrases
from papan.ui.widgets.page import BAR
from papan.ui.widgets.scroll import ChoiceList, index_by_letter

_PADDING = 12
_ROOMY = 520
"""From this width on, size and date are always shown, even if the name is cut off."""


class FileList(ChoiceList):
    """Rows of folders and files; several files can be marked."""

    row_height = 34
    wheel_rows = 3
    key_help: Mapping[str, str] = {
        "Up  Down  PgUp  PgDn  Home  End": N_("choose a file"),
        "Enter": N_("open the folder or the file"),
        "Space": N_("mark several files"),
    }

    def __init__(self, opened: Callable[[Item], object], chosen: Callable[[], object], *, marks: bool) -> None:
        """:param opened: called with a folder or file on Enter or double click.
        :param chosen: called when the choice or the marks change.
        :param marks: whether several files may be marked.
        """
        super().__init__("files", chosen)
        self._opened = opened
        self._marks = marks
        self.items: Sequence[Item] = ()
        self.marked: set[int] = set()

    def show_items(self, items: Sequence[Item], words: str) -> None:
        self.items, self.empty_words = items, words
        self.index = self.top = 0
        self.marked = set()
        self.invalidate()

    @property
    def chosen(self) -> Item | None:
        return self.items[self.index] if self.index < len(self.items) else None

    @property
    def files(self) -> list[Item]:
        """The marked files, or the chosen one if none is marked."""
        marked = [self.items[index] for index in sorted(self.marked)]
        return marked or ([self.chosen] if self.chosen is not None and not self.chosen.is_folder else [])

    def _mark(self, index: int) -> None:
        if self._marks and index < len(self.items) and not self.items[index].is_folder:
            self.marked ^= {index}
            self.invalidate()
            self._chosen_changed()

    @property
    def _row_count(self) -> int:
        return len(self.items)

    def _click(self, index: int, point: tuple[int, int], *, is_double: bool) -> None:
        self.choose(index)
        if is_double:
            self._opened(self.items[index])
        elif pygame.key.get_mods() & (pygame.KMOD_CTRL | pygame.KMOD_META):
            self._mark(index)

    def key(self, event: pygame.event.Event) -> bool:
        moved = self._index_after(event.key)
        if event.key == pygame.K_SPACE and self._marks:
            self._mark(self.index)
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER) and self.chosen is not None:
            self._opened(self.chosen)
        else:
            if moved is None:
                moved = index_by_letter([item.path.name for item in self.items], self.index, event.unicode)
            if moved is not None:
                self.choose(moved)
            return moved is not None
        return True

    def utterance(self) -> str:
        chosen = self.chosen
        if chosen is None:
            return self.empty_words
        is_marked = self.index in self.marked
        return join_phrases(chosen.path.name, _("folder") if chosen.is_folder else "", _("marked") if is_marked else "")

    def _draw_row(self, surface: pygame.Surface, index: int) -> None:
        px, paint, theme, item = self.theme.px, self.paint, self.theme, self.items[index]
        row = self._row_rect(index)
        self._draw_ground(surface, index, is_marked=index in self.marked)
        left = row.x + px(_PADDING)
        icon = "check" if index in self.marked else "folder" if item.is_folder else "file"
        ink = theme.accent if item.is_folder or index in self.marked else theme.second
        paint.icon(surface, icon, (left + px(9), row.centery), ink, px(18))
        left += px(28)
        right = row.right - px(BAR + 15)
        style: TextStyle = "strong" if item.is_folder else "text"
        words = "" if item.is_folder else self._facts(item, right - left)
        paint.text(surface, words, (right, row.centery), "small", theme.second, anchor="midright")
        room = right - left - (paint.width(words, "small") + px(12) if words else 0)
        paint.text(surface, item.path.name, (left, row.centery), style, anchor="midleft", width=room, shrinks=True)

    def _facts(self, item: Item, room: int) -> str:
        """The size of a file and, if its name leaves *room*, when it was changed."""
        when = day_in_words(item.changed) if item.changed is not None else ""
        words = f"{_size_in_words(item.size)} · {when}"
        has_room = self.paint.width(words, "small") + self.paint.width(item.path.name, "text") < room
        return words if has_room or room >= self.theme.px(_ROOMY) else _size_in_words(item.size)


def _size_in_words(size: int) -> str:
    if size < 1024:
        return plural("{count} byte", "{count} bytes", size)
    if size < 1024**2:
        return _("{size} KiB").format(size=in_whole_numbers(size / 1024))
    return _("{size} MiB").format(size=in_figures(size / 1024**2, ",.1f"))
