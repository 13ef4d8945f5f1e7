"""The list of matches in the library, and that of a folder's folders and files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

import pygame

from papan.ai.players import HUMAN
from papan.ui.drawing.faces import face_of
from papan.ui.drawing.theme import TextStyle, mix
from papan.ui.play.entries import Entry
from papan.ui.play.folders import Item
from papan.ui.texts import N_, _, in_figures, in_whole_numbers, plural, translated
from papan.ui.texts.wording import day_in_words, played_in_words
from papan.ui.widgets.base import join_phrases
from papan.ui.widgets.page import BAR
from papan.ui.widgets.scroll import ChoiceList, index_by_letter

ROW = 66
_PICTURE = (76, 56)
_PADDING = 10
_BOX = 18
_INDENT = 26
_RIGHT = 192
"""The width for the result and the date."""
_FACE_RADIUS = 10
_LEAST_WORDS = 170
"""With less width than this, no faces are drawn before the names."""
_ROOMY = 520
"""From this width on, size and date are always shown, even if the name is cut off."""


class ListOwner(Protocol):
    """What the list needs of its scene."""

    def picture(self, entry: Entry, size: tuple[int, int]) -> pygame.Surface | None:
        """The miniature of a match; None if there is none yet."""

    def chosen_changed(self) -> None:
        """The choice or the marks have changed."""

    def open_chosen(self) -> None:
        """Open the chosen match."""

    def fold(self, entry: Entry) -> None:
        """Show or hide a match's variations."""


class MatchList(ChoiceList[Entry]):
    """Rows of matches: one is chosen, some may be marked."""

    row_height = ROW
    key_help: Mapping[str, str] = {
        "Up  Down  PgUp  PgDn  Home  End": N_("choose a match"),
        "Enter": N_("open it"),
        "Space": N_("mark or unmark it"),
        "Ctrl+A": N_("mark all"),
        "Shift+Up  Shift+Down": N_("mark several"),
        "Right  Left": N_("show or hide variations"),
    }

    def __init__(self, owner: ListOwner) -> None:
        super().__init__("matches", owner.chosen_changed)
        self._owner = owner
        self.marked: set[int] = set()
        """The ids of the marked matches."""
        self._anchor = 0

    # -------------------------------------------------------------------------------- for the scene

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """List *entries*; the chosen match stays chosen if it is among them."""
        before = self.chosen.id if self.chosen is not None else None
        self.entries = entries
        places = {entry.id: place for place, entry in enumerate(entries)}
        self.index = places.get(before, min(self.index, max(0, len(entries) - 1))) if before else 0
        self.marked &= places.keys()
        self.scroll_to(self.top)
        self._chosen_changed()

    def select(self, numbers: Collection[int]) -> bool:
        """Choose the first match with one of *numbers*, and mark all if they are several; whether one is listed."""
        places = [place for place, entry in enumerate(self.entries) if entry.id in numbers]
        if places:
            self.marked = {self.entries[place].id for place in places if len(places) > 1}
            self.choose(places[0])
        return bool(places)

    @property
    def marked_entries(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.id in self.marked]

    def mark(self, *indices: int) -> None:
        """Mark the rows *indices*, or unmark them if all are marked."""
        numbers = {self.entries[index].id for index in indices if index < len(self.entries)}
        if numbers <= self.marked:
            self.marked -= numbers
        else:
            self.marked |= numbers
        self.invalidate()
        self._chosen_changed()

    def unmark(self) -> None:
        self.marked.clear()
        self.invalidate()
        self._chosen_changed()

    def _click(self, index: int, point: tuple[int, int], *, is_double: bool) -> None:
        entry, mods, left = self.entries[index], pygame.key.get_mods(), point[0] - self._left_of(index)
        self.choose(index, shows=False)
        if mods & pygame.KMOD_SHIFT:
            self._mark_between(self._anchor, index)
            return
        self._anchor = index
        if mods & (pygame.KMOD_CTRL | pygame.KMOD_META) or left < self.theme.px(_BOX + 2 * _PADDING):
            self.mark(index)
        elif entry.branches and self._fold_rect(index).collidepoint(point):
            self._owner.fold(entry)
        elif is_double:
            self._owner.open_chosen()

    def _mark_between(self, first: int, last: int) -> None:
        low, high = sorted((first, last))
        self.marked |= {one.id for one in self.entries[low : high + 1]}
        self._chosen_changed()

    def key(self, event: pygame.event.Event) -> bool:
        moved = self._index_after(event.key)
        is_command = event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META)
        if moved is not None and not is_command:
            before = self.index
            self.choose(moved)
            if event.mod & pygame.KMOD_SHIFT:
                self._mark_between(before, self.index)
            return True
        if is_command and event.key == pygame.K_a:
            self.mark(*range(len(self.entries)))
            return True
        entry = self.chosen
        if entry is None or is_command:
            return False
        if event.key == pygame.K_SPACE:
            self.mark(self.index)
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            self._owner.open_chosen()
        elif event.key in (pygame.K_RIGHT, pygame.K_LEFT) and entry.branches:
            if entry.is_unfolded == (event.key == pygame.K_LEFT):
                self._owner.fold(entry)
        elif event.key == pygame.K_LEFT and entry.depth:
            self.choose(next(at for at in range(self.index, -1, -1) if self.entries[at].depth < entry.depth))
        else:
            return False
        return True

    def _left_of(self, index: int) -> int:
        return self.rect.x + self.entries[index].depth * self.theme.px(_INDENT)

    def _fold_rect(self, index: int) -> pygame.Rect:
        """Where a click shows or hides the variations: the pill in the second line."""
        px, row = self.theme.px, self._row_rect(index)
        left = self._text_left(index)
        return pygame.Rect(left, row.centery, max(0, row.right - px(_RIGHT) - left), row.h // 2)

    def _text_left(self, index: int) -> int:
        return self._left_of(index) + self.theme.px(_PADDING + _BOX + _PADDING + _PICTURE[0] + 14)

    def utterance(self) -> str:
        entry = self.chosen
        if entry is None:
            return self.empty_words
        title, game = _title_of(entry), translated(entry.game.title) if entry.game is not None else ""
        when = played_in_words(entry.summary)
        is_marked = entry.id in self.marked
        told = (title, game if game != title else "", entry.players, entry.result, entry.turns, when)
        return join_phrases(*told, _("marked") if is_marked else "")

    def _draw_row(self, surface: pygame.Surface, index: int) -> None:
        px, paint, theme = self.theme.px, self.paint, self.theme
        entry, row = self.entries[index], self._row_rect(index)
        self._draw_ground(surface, index, is_marked=entry.id in self.marked)
        left = self._left_of(index) + px(_PADDING)
        if entry.depth:
            elbow = left - px(_INDENT // 2)
            surface.fill(theme.line, (elbow, row.y, px(2), row.h // 2))
            surface.fill(theme.line, (elbow, row.centery, px(_INDENT // 2 - 2), px(2)))
        self._draw_mark(surface, pygame.Rect(left, row.centery - px(_BOX) // 2, px(_BOX), px(_BOX)), entry)
        size = px(_PICTURE[0]), px(_PICTURE[1])
        at = pygame.Rect((left + px(_BOX + _PADDING), row.centery - size[1] // 2), size)
        picture = self._owner.picture(entry, size)
        if picture is not None:
            surface.blit(picture, at)
        else:
            paint.rounded_rect(surface, at, mix(theme.background, theme.panel, 0.1), px(6))
        self._draw_words(surface, index, pygame.Rect(self._text_left(index), row.y, 0, row.h))

    def _draw_mark(self, surface: pygame.Surface, box: pygame.Rect, entry: Entry) -> None:
        px, paint, theme = self.theme.px, self.paint, self.theme
        is_marked = entry.id in self.marked
        fill = theme.accent if is_marked else theme.panel
        paint.rounded_rect(surface, box, fill, px(5), line=theme.accent if is_marked else theme.line)
        if is_marked:
            paint.icon(surface, "check", box.center, theme.on_accent, px(14))

    def _draw_words(self, surface: pygame.Surface, index: int, row: pygame.Rect) -> None:
        px, paint, theme, entry = self.theme.px, self.paint, self.theme, self.entries[index]
        right = self.rect.right - px(BAR + 23)
        upper, lower = row.y + row.h // 2 - px(10), row.y + row.h // 2 + px(11)
        room = right - px(_RIGHT) - row.x
        title = paint.text(surface, _title_of(entry), (row.x, upper), "strong", anchor="midleft", width=round(room))
        if entry.summary.name and entry.game is not None and room - title.w > px(60):
            at = (title.right + px(8), upper)
            game = translated(entry.game.title)
            paint.text(surface, game, at, "small", theme.second, anchor="midleft", width=room - title.w - px(8))
        left = row.x
        if entry.branches:
            words = plural("{count} variation", "{count} variations", entry.branches)
            pill = paint.pill(surface, words, (left, lower), icon="up" if entry.is_unfolded else "down", width=room)
            left = pill.right + px(8)
        if right - px(_RIGHT) - left > px(30):
            left = self._draw_faces(surface, entry, (left, lower), right - px(_RIGHT) - left)
            width = right - px(_RIGHT) - left
            paint.text(surface, entry.players, (left, lower), "small", theme.second, anchor="midleft", width=width)
        inks = {"won": theme.good_ink, "lost": theme.bad_ink, "unfinished": theme.accent}
        ink = inks.get(entry.outcome, theme.second)
        paint.text(surface, entry.result, (right, upper), "small strong", ink, anchor="midright", width=px(_RIGHT - 10))
        when = played_in_words(entry.summary)
        words = f"{entry.turns} · {when}" if entry.turns else when
        at, room = (right, lower), px(_RIGHT - 10)
        paint.text(surface, words, at, "small", theme.second, anchor="midright", width=room, shrinks=True)

    def _draw_faces(self, surface: pygame.Surface, entry: Entry, at: tuple[int, int], room: int) -> int:
        """Draw the faces of the computer players, if they fit; return where they end."""
        px, left = self.theme.px, at[0]
        faces = dict.fromkeys(face_of(name) for name in entry.summary.seats if name != HUMAN)
        if room < px(_LEAST_WORDS):
            return left
        for face in faces:
            self.paint.face(surface, face, (left + px(_FACE_RADIUS), at[1]), px(_FACE_RADIUS))
            left += px(2 * _FACE_RADIUS + 4)
        return left + (px(4) if faces else 0)


def _title_of(entry: Entry) -> str:
    """The title of a row; a variation without a name does not repeat the game's."""
    if entry.summary.name or not entry.depth:
        return entry.title
    return _("Variation") if entry.summary.is_line else _("Played on from there")


class FileList(ChoiceList[Item]):
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
        self.marked: set[int] = set()

    def show_items(self, items: Sequence[Item], words: str) -> None:
        self.entries, self.empty_words = items, words
        self.index = self.top = 0
        self.marked = set()
        self.invalidate()

    @property
    def files(self) -> list[Item]:
        """The marked files, or the chosen one if none is marked."""
        marked = [self.entries[index] for index in sorted(self.marked)]
        return marked or ([self.chosen] if self.chosen is not None and not self.chosen.is_folder else [])

    def _mark(self, index: int) -> None:
        if self._marks and index < len(self.entries) and not self.entries[index].is_folder:
            self.marked ^= {index}
            self.invalidate()
            self._chosen_changed()

    def _click(self, index: int, point: tuple[int, int], *, is_double: bool) -> None:
        self.choose(index)
        if is_double:
            self._opened(self.entries[index])
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
                moved = index_by_letter([item.path.name for item in self.entries], self.index, event.unicode)
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
        px, paint, theme, item = self.theme.px, self.paint, self.theme, self.entries[index]
        row = self._row_rect(index)
        self._draw_ground(surface, index, is_marked=index in self.marked)
        left = row.x + px(12)
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
