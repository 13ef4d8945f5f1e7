"""The list of matches: a row each, of which only the visible ones are drawn, however many there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import pygame

from papan.ai.players import HUMAN
from papan.ui.drawing.faces import face_of
from papan.ui.drawing.theme import Colour, mix
from papan.ui.play.entries import Entry
from papan.ui.texts import _, plural, translated
from papan.ui.texts.wording import day_in_words
from papan.ui.widgets.base import in_one
from papan.ui.widgets.scroll import RowList, index_after
from papan.ui.widgets.shortcuts import Shortcut

ROW = 66
_PICTURE = (76, 56)
_PADDING = 10
_BOX = 18
_INDENT = 26
_RIGHT = 192
"""The room for how a match stands, and when it was played."""
_FACE_RADIUS = 10
_LEAST_WORDS = 170
"""The room below which no faces stand before the words."""
_BAR = 6
_DOUBLE_CLICK = 450
"""Milliseconds within which a second click opens a match."""


class ListOwner(Protocol):
    """What a list asks of the scene that it is in."""

    def picture(self, entry: Entry, size: tuple[int, int]) -> pygame.Surface | None:
        """The miniature of a match, or None while there is none."""

    def chosen_changed(self) -> None:
        """Another row is the chosen one, or others are marked."""

    def open_chosen(self) -> None:
        """Open the chosen match."""

    def fold(self, entry: Entry) -> None:
        """Show what branches off from a match, or hide it again."""


class MatchList(RowList):
    """Rows of matches: one is chosen, some may be marked."""

    row_height = ROW
    bar_width, shortest_bar = _BAR, 28

    def __init__(self, owner: ListOwner, name: str = "matches") -> None:
        super().__init__(name)
        self._owner = owner
        self.entries: Sequence[Entry] = ()
        self.index = 0
        """The chosen row."""
        self.marked: set[int] = set()
        """The numbers of the matches that are marked."""
        self.empty_words = ""
        """What stands there while there is nothing to list."""
        self._dragged_from: float | None = None
        self._anchor = 0
        self._last_click = (-_DOUBLE_CLICK, -1)

    # -------------------------------------------------------------------------------- for the scene

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """List *entries*; the chosen match stays the chosen one, if it is among them."""
        before = self.chosen.id if self.chosen is not None else None
        self.entries = entries
        places = {entry.id: place for place, entry in enumerate(entries)}
        self.index = places.get(before, min(self.index, max(0, len(entries) - 1))) if before else 0
        self.marked &= places.keys()
        self._scroll_to(self._top)
        self.invalidate()
        self._owner.chosen_changed()

    def show_first(self) -> None:
        self._top = 0.0
        self.choose(0)

    @property
    def chosen(self) -> Entry | None:
        return self.entries[self.index] if self.index < len(self.entries) else None

    @property
    def marked_entries(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.id in self.marked]

    def choose(self, index: int, *, shows: bool = True) -> None:
        """Choose the row of this index, or the nearest."""
        self.index = min(max(0, index), max(0, len(self.entries) - 1))
        if shows:
            self._reveal(self.index)
        self.invalidate()
        self._owner.chosen_changed()

    def mark(self, *indices: int) -> None:
        """Mark the rows of these indices, or take the marks away where all have one."""
        numbers = {self.entries[index].id for index in indices if index < len(self.entries)}
        if numbers <= self.marked:
            self.marked -= numbers
        else:
            self.marked |= numbers
        self.invalidate()
        self._owner.chosen_changed()

    def unmark(self) -> None:
        self.marked.clear()
        self.invalidate()
        self._owner.chosen_changed()

    @property
    def _row_count(self) -> int:
        return len(self.entries)

    @property
    def _track(self) -> pygame.Rect:
        px = self.theme.px
        return pygame.Rect(self.rect.right - px(_BAR + 4), self.rect.y + px(4), px(_BAR), self.rect.h - px(8))

    @property
    def _bar_ink(self) -> Colour:
        return mix(self.theme.second, self.theme.panel, 0.5)

    # --------------------------------------------------------------------------------------- events

    def handle(self, event: pygame.event.Event) -> bool:
        if super().handle(event):
            return True
        if self.is_pressed_by(event):
            self.take_focus()
            if self._lowest_top and event.pos[0] >= self._track.x - self.theme.px(4):
                self._grab(event.pos[1])
            else:
                self._press(event.pos)
            return True
        if event.type == pygame.MOUSEMOTION and self._dragged_from is not None and self.is_held:
            self._drag(event.pos[1])
            return True
        if event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            self._dragged_from = None
            return self.is_held
        if event.type == pygame.MOUSEMOTION and self.is_hovered:
            self.invalidate()
        return False

    def _grab(self, y: int) -> None:
        thumb = self._thumb
        self._dragged_from = y - thumb.y if thumb.y <= y < thumb.bottom else thumb.h / 2
        self._drag(y)

    def _drag(self, y: int) -> None:
        track, thumb = self._track, self._thumb
        room = max(1, track.h - thumb.h)
        self._scroll_to((y - (self._dragged_from or 0) - track.y) / room * self._lowest_top)

    def _press(self, point: tuple[int, int]) -> None:
        index = self._index_at(point)
        if index is None:
            return
        entry, mods, left = self.entries[index], pygame.key.get_mods(), point[0] - self._left_of(index)
        now = pygame.time.get_ticks()
        is_double = self._last_click[1] == index and now - self._last_click[0] < _DOUBLE_CLICK
        self._last_click = (now, index)
        self.choose(index, shows=False)
        if mods & pygame.KMOD_SHIFT:
            low, high = sorted((self._anchor, index))
            self.marked |= {one.id for one in self.entries[low : high + 1]}
            self._owner.chosen_changed()
            return
        self._anchor = index
        if mods & (pygame.KMOD_CTRL | pygame.KMOD_META) or left < self.theme.px(_BOX + 2 * _PADDING):
            self.mark(index)
        elif entry.branches and self._fold_rect(index).collidepoint(point):
            self._owner.fold(entry)
        elif is_double:
            self._owner.open_chosen()

    def key(self, event: pygame.event.Event) -> bool:
        page = max(1, self.rect.h // self._row - 1)
        moved = index_after(event.key, self.index, len(self.entries), page)
        is_command = event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META)
        if moved is not None and not is_command:
            return self._move(event, moved)
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

    def keys(self) -> Sequence[Shortcut]:
        return (
            Shortcut("Up  Down  PgUp  PgDn  Home  End", _("choose a match")),
            Shortcut("Enter", _("play on, or show it")),
            Shortcut("Space", _("mark it, or not")),
            Shortcut("Ctrl+A", _("mark all")),
            Shortcut("Shift+Up  Shift+Down", _("mark several")),
            Shortcut("Right  Left", _("show variations, hide them")),
        )

    def _move(self, event: pygame.event.Event, index: int) -> bool:
        """Choose another row; from the first one upwards the focus goes on to what stands above the list."""
        if (event.key == pygame.K_UP and self.index == 0) or not self.entries:
            return False
        before = self.index
        self.choose(index)
        if event.mod & pygame.KMOD_SHIFT:
            low, high = sorted((before, self.index))
            self.marked |= {one.id for one in self.entries[low : high + 1]}
            self._owner.chosen_changed()
        return True

    # -------------------------------------------------------------------------------------- drawing

    def _left_of(self, index: int) -> int:
        return self.rect.x + self.entries[index].depth * self.theme.px(_INDENT)

    def _fold_rect(self, index: int) -> pygame.Rect:
        """Where a click shows or hides what branches off: the pill in the second line."""
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
        when = day_in_words(entry.summary.updated)
        is_marked = entry.id in self.marked
        told = (title, game if game != title else "", entry.players, entry.result, entry.turns, when)
        return in_one(*told, _("marked") if is_marked else "")

    def draw(self, surface: pygame.Surface) -> None:
        self._draw_rows(surface)
        if not self.entries:
            area = self.rect.inflate(-2 * self.theme.px(40), 0)
            height = self.paint.paragraph_height(self.empty_words, area.w, "text")
            area.y = self.rect.centery - height // 2
            self.paint.paragraph(surface, self.empty_words, area, "text", self.theme.second, align="center")

    def _draw_row(self, surface: pygame.Surface, index: int) -> None:
        px, paint, theme = self.theme.px, self.paint, self.theme
        entry, row = self.entries[index], self._row_rect(index)
        box = row.inflate(-2 * px(4), -2 * px(2))
        box.w -= px(_BAR + 6)
        pointer = self.host.pointer if self.host is not None else None
        is_under = self.is_hovered and pointer is not None and row.collidepoint(pointer)
        if index == self.index:
            line = theme.ring if self.shows_focus else None
            paint.rounded_rect(surface, box, theme.accent_soft, px(9), line=line)
        elif entry.id in self.marked or is_under:
            paint.rounded_rect(surface, box, theme.hover, px(9))
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
        right = self.rect.right - px(_BAR + 22)
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
        paint.text(
            surface, entry.result, (right, upper), "small strong", self._ink_of(entry), anchor="midright",
            width=px(_RIGHT - 10),
        )  # fmt: skip
        when = day_in_words(entry.summary.updated)
        words = f"{entry.turns} · {when}" if entry.turns else when
        at, room = (right, lower), px(_RIGHT - 10)
        paint.text(surface, words, at, "small", theme.second, anchor="midright", width=room, shrinks=True)

    def _draw_faces(self, surface: pygame.Surface, entry: Entry, at: tuple[int, int], room: int) -> int:
        """Draw the faces of a match's computers where there is room; returns where they end."""
        px, left = self.theme.px, at[0]
        faces = dict.fromkeys(face_of(name) for name in entry.summary.seats if name != HUMAN)
        if room < px(_LEAST_WORDS):
            return left
        for face in faces:
            self.paint.face(surface, face, (left + px(_FACE_RADIUS), at[1]), px(_FACE_RADIUS))
            left += px(2 * _FACE_RADIUS + 4)
        return left + (px(4) if faces else 0)

    def _ink_of(self, entry: Entry) -> Colour:
        theme = self.theme
        inks = {"won": theme.good_ink, "lost": theme.bad_ink, "unfinished": theme.accent}
        return inks.get(entry.outcome, theme.second)

    def draw_focus(self, surface: pygame.Surface) -> None:
        """The chosen row is outlined instead; where there is none, the list is."""
        if not self.entries:
            super().draw_focus(surface)


def _title_of(entry: Entry) -> str:
    """What a row is called: below its match, one without a name of its own needs not say the game again."""
    if entry.summary.name or not entry.depth:
        return entry.title
    return _("Variation") if entry.summary.is_line else _("Played on from there")
