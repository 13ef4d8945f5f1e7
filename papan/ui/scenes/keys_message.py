"""The list of keys (F1), made from the shortcuts of the scene and its widgets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pygame

from papan.ui.drawing.theme import GAP
from papan.ui.scenes import News, Scene, Stage
from papan.ui.scenes.dialogs import draw_veil
from papan.ui.texts import _
from papan.ui.widgets.scroll import Scroll
from papan.ui.widgets.shortcuts import Shortcut, shown_keys, unshadowed

_PADDING = 20
_HEAD = 54
_COLUMNS = (1, 2, 3)
_COLUMN = 352
_APART = 24
_KEYS_SHARE = 0.36
"""Of a column's width, for the keys."""
_KEY_HEIGHT = 22
_ROW = 28
_HEADING = 32
_BETWEEN_GROUPS = 10


class _Part(NamedTuple):
    heading: str
    shortcut: Shortcut | None
    height: int


class KeysMessage(Scene):
    """The keys of the scene below, in groups; F1, Escape or a click closes it."""

    is_overlay = True

    def __init__(self, stage: Stage, scene: Scene) -> None:
        super().__init__(stage)
        self._scene = scene
        self._groups: list[tuple[str, list[Shortcut]]] = []
        self._parts_by_width: dict[int, list[_Part]] = {}

    @property
    def groups(self) -> list[tuple[str, list[Shortcut]]]:
        """The shortcuts by heading: those of the scene, of its widgets, and of every scene."""
        own = list(self._scene.shortcuts())
        groups: dict[str, list[Shortcut]] = {}
        for shortcut in own:
            groups.setdefault(shortcut.group or _("On this screen"), []).append(shortcut)
        seen = {(shortcut.keys, shortcut.meaning) for shortcut in own}
        for widget in self._scene.widgets.all:
            for shortcut in widget.keys() if widget.is_visible and widget.is_focusable else ():
                if (shortcut.keys, shortcut.meaning) not in seen:
                    seen.add((shortcut.keys, shortcut.meaning))
                    groups.setdefault(shortcut.group or _("Selected control"), []).append(shortcut)
        groups[_("Everywhere")] = unshadowed(own, self.stage.shortcuts())
        return list(groups.items())

    @property
    def entries(self) -> list[tuple[str, str]]:
        return [(shortcut.keys, shortcut.meaning) for _heading, group in self.groups for shortcut in group]

    def build(self) -> None:
        self._scroll = self.widgets.add(Scroll("keys", self._draw_columns))
        self._scroll.beside = _("Keys")
        self.widgets.focus(self._scroll, by_keyboard=False)

    def page_height(self, width: int) -> int:
        px = self.px
        self._groups = self.groups
        self._parts_by_width.clear()
        room = width - 2 * px(GAP)
        most = self._most_columns(room)
        columns = self._set_in(most, self._column_width(room, most))
        return self._height_of(columns) + px(_HEAD) + px(_PADDING) + 2 * px(GAP)

    def _column_width(self, room: int, number: int) -> int:
        px = self.px
        return min(px(_COLUMN), (room - 2 * px(_PADDING) - (number - 1) * px(_APART)) // number)

    def _most_columns(self, room: int) -> int:
        """Return the most columns that fit every heading, in a panel of width *room*."""
        widest = max(self.paint.width(heading, "strong") for heading, _group in self._groups)
        return max(number for number in _COLUMNS if number == 1 or self._column_width(room, number) >= widest)

    @staticmethod
    def _height_of(columns: list[list[_Part]]) -> int:
        return max(sum(part.height for part in column) for column in columns)

    def layout(self, area: pygame.Rect) -> None:
        px = self.px
        room = area.inflate(-2 * px(GAP), -2 * px(GAP))
        inner_height = room.h - px(_HEAD) - px(_PADDING)
        for number in range(1, self._most_columns(room.w) + 1):
            width = self._column_width(room.w, number)
            self._columns, self._width = self._set_in(number, width), width
            height = self._height_of(self._columns)
            if height <= inner_height:
                break
        number = len(self._columns)
        wide = number * self._width + (number - 1) * px(_APART) + 2 * px(_PADDING)
        self._note = _("F1, Esc or a click closes this.")
        title = self.paint.width(_("Keys"), "heading") + self.paint.width(self._note, "small") + px(3 * _PADDING)
        self.panel = pygame.Rect(0, 0, max(wide, title), px(_HEAD) + px(_PADDING) + min(height, inner_height))
        self.panel.center = area.center
        self._scroll.full_height = height
        inner = self.panel.inflate(-2 * px(_PADDING), 0)
        self._scroll.place(pygame.Rect(inner.x, inner.y + px(_HEAD), inner.w, min(height, inner_height)))

    def _set_in(self, number: int, width: int) -> list[list[_Part]]:
        """Return all parts in *number* columns of about equal height, none ending with a heading."""
        parts = self._parts_by_width.get(width) or self._parts_by_width.setdefault(width, list(self._parts(width)))
        full = sum(part.height for part in parts)
        columns: list[list[_Part]] = [[]]
        used = 0
        for index, part in enumerate(parts):
            following = parts[index + 1].height if part.heading else 0
            is_over = used + (part.height + following) / 2 > full * len(columns) / number
            if is_over and len(columns) < number and columns[-1] and not columns[-1][-1].heading:
                columns.append([])
            columns[-1].append(part)
            used += part.height
        return columns

    def _parts(self, width: int) -> Iterator[_Part]:
        px = self.px
        for heading, shortcuts in self._groups:
            yield _Part(heading, None, px(_HEADING))
            for number, shortcut in enumerate(shortcuts, start=1):
                keys = len(self._key_rows(shortcut, width)) * px(_ROW)
                words = self.paint.paragraph_height(shortcut.meaning, self._meaning_room(width), "text") + px(6)
                after = px(_BETWEEN_GROUPS) if number == len(shortcuts) else 0
                yield _Part("", shortcut, max(px(_ROW), keys, words) + after)

    def _meaning_room(self, width: int) -> int:
        return width - round(width * _KEYS_SHARE) - self.px(10)

    def _key_rows(self, shortcut: Shortcut, width: int) -> list[list[str]]:
        room, left = round(width * _KEYS_SHARE), 0
        rows: list[list[str]] = [[]]
        for key in shown_keys(shortcut.keys):
            wide = self._key_width(key)
            if rows[-1] and left + wide > room:
                rows.append([])
                left = 0
            rows[-1].append(key)
            left += wide + self.px(5)
        return rows

    def _key_width(self, key: str) -> int:
        return max(self.px(_KEY_HEIGHT), self.paint.width(key, "small strong") + self.px(12))

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.MOUSEBUTTONDOWN and event.button <= pygame.BUTTON_RIGHT:
            self.stage.pop(self)
            return True
        return super().handle(event)

    def news(self) -> Sequence[News]:
        lines = [
            f"{heading}: " + "; ".join(f"{', '.join(shown_keys(one.keys))}, {one.meaning}" for one in group)
            for heading, group in self.groups
        ]
        return (News(_("Keys")), News(". ".join(lines)))

    def shortcuts(self) -> Sequence[Shortcut]:
        return (Shortcut("F1", _("close this"), self.back),)

    def draw(self, surface: pygame.Surface) -> None:
        px, paint = self.px, self.paint
        draw_veil(surface)
        paint.panel(surface, self.panel)
        middle = self.panel.y + px(_HEAD) // 2 + px(2)
        paint.text(surface, _("Keys"), (self.panel.x + px(_PADDING), middle), "heading", anchor="midleft")
        right = (self.panel.right - px(_PADDING), middle)
        paint.text(surface, self._note, right, "small", self.theme.second, anchor="midright")

    def _draw_columns(self, surface: pygame.Surface, top: int) -> None:
        px, paint = self.px, self.paint
        left = self._scroll.rect.x
        for column in self._columns:
            y = top
            for part in column:
                if part.shortcut is None:
                    at = (left, y + px(_HEADING) // 2)
                    paint.text(surface, part.heading, at, "strong", anchor="midleft", width=self._width)
                else:
                    self._draw_shortcut(surface, part.shortcut, left, y)
                y += part.height
            left += self._width + px(_APART)

    def _draw_shortcut(self, surface: pygame.Surface, shortcut: Shortcut, left: int, top: int) -> None:
        px, paint, theme = self.px, self.paint, self.theme
        for number, row in enumerate(self._key_rows(shortcut, self._width)):
            x = left
            for key in row:
                box = pygame.Rect(x, 0, self._key_width(key), px(_KEY_HEIGHT))
                box.centery = top + number * px(_ROW) + px(_ROW) // 2
                paint.rounded_rect(surface, box, theme.hover, px(6), line=theme.line)
                paint.text(surface, key, box.center, "small strong", anchor="center")
                x = box.right + px(5)
        room = self._meaning_room(self._width)
        text = pygame.Rect(left + self._width - room, top + px(3), room, 0)
        paint.paragraph(surface, shortcut.meaning, text, "text", theme.second)
