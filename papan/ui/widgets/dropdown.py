"""Widgets that open a menu: of choices, of suggestions, of actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import pygame

from papan.ui.drawing.theme import BUTTON_HEIGHT, BUTTON_RADIUS, FIELD_PADDING, TextStyle, mix
from papan.ui.texts import _
from papan.ui.widgets.base import Widget, join_phrases
from papan.ui.widgets.buttons import Labelled, Pressable
from papan.ui.widgets.shortcuts import Shortcut

_ROW = 36
_MOST_ROWS = 14


class Item(NamedTuple):
    """One choice: its value, its label, and a note or ""."""

    value: str
    label: str
    note: str = ""


class Dropdown(Pressable):
    """One of several choices. Up and Down change it, Enter opens the menu, a letter goes to the next such label."""

    def __init__(
        self, items: Sequence[Item], value: str, changed: Callable[[str], object], *, name: str, tooltip: str = ""
    ) -> None:
        """:param value: of the item shown first; the first item is if none has this value."""
        super().__init__(self.open, name, tooltip)
        self.items: tuple[Item, ...] = ()
        self.value = value
        self.changed = changed
        self.offer(items)

    def offer(self, items: Sequence[Item]) -> None:
        """Replace the items; the chosen value stays chosen if it is among them, else the first is."""
        self.items = tuple(items)
        values = [item.value for item in items]
        self.value = self.value if self.value in values else values[0]
        if self.container is not None and self.is_open:
            self.container.close_popup()
        self.invalidate()

    @property
    def is_open(self) -> bool:
        popup = self.container.popup if self.container is not None else None
        return isinstance(popup, _Menu) and popup.owner is self

    @property
    def chosen_item(self) -> Item:
        return self.items[self._index]

    @property
    def _index(self) -> int:
        return next(index for index, item in enumerate(self.items) if item.value == self.value)

    def choose(self, value: str) -> None:
        """Choose *value*; call ``changed`` if it is new."""
        if value != self.value:
            self.value = value
            self.invalidate()
            self.changed(value)

    def open(self) -> None:
        """Open or close the menu."""
        if self.container is not None:
            if self.is_open:
                self.container.close_popup()
            else:
                self.container.open_popup(_Menu(self, self._index))

    def key(self, event: pygame.event.Event) -> bool:
        if event.key in (pygame.K_UP, pygame.K_DOWN) and not event.mod & pygame.KMOD_ALT:
            step = 1 if event.key == pygame.K_DOWN else -1
            self.choose(self.items[min(max(self._index + step, 0), len(self.items) - 1)].value)
            return True
        if event.key == pygame.K_DOWN:
            self.open()
            return True
        found = _by_letter(self.items, self._index, event.unicode)
        if found is not None and event.key != pygame.K_SPACE:
            self.choose(self.items[found].value)
            return True
        return super().key(event)

    def keys(self) -> Sequence[Shortcut]:
        return (
            Shortcut("Up  Down", _("change a menu")),
            Shortcut("Alt+Down", _("open a menu")),
        )

    def utterance(self) -> str:
        return join_phrases(self.beside, self.chosen_item.label, self.chosen_item.note, self.tooltip)

    def draw(self, surface: pygame.Surface) -> None:
        theme, paint, px = self.theme, self.paint, self.theme.px
        fill = theme.hover if self.is_pointed_at or self.is_open else theme.panel
        line = theme.accent if self.is_open else theme.line
        paint.rounded_rect(surface, self.rect, fill, px(BUTTON_RADIUS), line=line)
        ink = theme.ink if self.is_enabled else mix(theme.ink, theme.panel, 0.6)
        left, right = self.rect.x + px(FIELD_PADDING), self.rect.right - px(34)
        paint.icon(surface, "down", (self.rect.right - px(20), self.rect.centery), mix(ink, fill, 0.3))
        written = paint.text(
            surface,
            self.chosen_item.label,
            (left, self.rect.centery),
            "text",
            ink,
            anchor="midleft",
            width=right - left,
            shrinks=True,
        )
        at = (written.right + px(10), self.rect.centery)
        if self.chosen_item.note and at[0] + paint.width(self.chosen_item.note, "small") <= right:
            second = theme.second if self.is_enabled else mix(theme.second, theme.panel, 0.6)
            paint.text(surface, self.chosen_item.note, at, "small", second, anchor="midleft")


class Suggestions(Dropdown):
    """A small button beside a text field, whose menu offers texts for the field."""

    def utterance(self) -> str:
        return join_phrases(self.beside, _("suggestions"), self.tooltip)

    def draw(self, surface: pygame.Surface) -> None:
        theme, paint = self.theme, self.paint
        fill = theme.hover if self.is_pointed_at else theme.panel
        paint.rounded_rect(surface, self.rect, fill, theme.px(BUTTON_RADIUS), line=theme.line)
        paint.icon(surface, "down", self.rect.center, mix(theme.ink, fill, 0.3 if self.is_enabled else 0.7))

    def choose(self, value: str) -> None:
        """Choose *value* and call ``changed``, even if it is not new: the text may have been edited meanwhile."""
        self.value = value
        self.invalidate()
        self.changed(value)


class ActionMenu(Dropdown):
    """A square button with three dots, whose menu offers the actions possible when it opens."""

    def __init__(
        self, actions: Callable[[], Sequence[Item]], act: Callable[[str], object], *, name: str, tooltip: str
    ) -> None:
        """:param actions: returns the actions possible now.
        :param act: called with the value of the chosen action.
        """
        super().__init__([Item("", "")], "", act, name=name, tooltip=tooltip)
        self._actions = actions

    @property
    def is_wordless(self) -> bool:
        return True

    @property
    def _index(self) -> int:
        return 0

    def open(self) -> None:
        """Open or close the menu of the actions possible now."""
        self.items = tuple(self._actions())
        if self.items:
            super().open()

    def open_with(self, items: Sequence[Item]) -> None:
        """Show *items* instead, as a submenu of an action."""
        self.items = tuple(items)
        super().open()

    def choose(self, value: str) -> None:
        """Do the action with this *value*."""
        self.changed(value)

    def key(self, event: pygame.event.Event) -> bool:
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE, pygame.K_DOWN):
            self.open()
            return True
        return False

    def keys(self) -> Sequence[Shortcut]:
        return (Shortcut("Down", _("open a menu")),)

    def utterance(self) -> str:
        return join_phrases(self.beside, self.tooltip)

    def draw(self, surface: pygame.Surface) -> None:
        theme, paint = self.theme, self.paint
        fill = theme.hover if self.is_pointed_at or self.is_open else theme.panel
        line = theme.accent if self.is_open else theme.line
        paint.rounded_rect(surface, self.rect, fill, theme.px(BUTTON_RADIUS), line=line)
        paint.icon(surface, "more", self.rect.center, theme.ink)


class _Menu(Widget):
    """The open menu of a dropdown; a pop-up."""

    def __init__(self, owner: Dropdown, index: int) -> None:
        super().__init__()
        self.owner = owner
        self.highlighted = index
        self._first_row = 0
        self._rows_shown = 0

    def attached(self) -> None:
        px = self.theme.px
        around = self.owner.rect
        window = self.container.page.view if self.container else around
        below, above = window.bottom - around.bottom - px(12), around.top - window.top - px(12)
        wanted = min(len(self.owner.items), _MOST_ROWS)
        opens_below = below >= wanted * px(_ROW) + px(12) or below >= above
        self._rows_shown = max(1, min(wanted, (max(below, above) - px(12)) // px(_ROW)))
        width = max(around.w, min(self._natural_width(), window.w - 2 * px(8)))
        has_room = around.x + width <= window.right - px(8)
        left = around.x if has_room else around.right - width
        self.rect = pygame.Rect(left, 0, width, self._rows_shown * px(_ROW) + px(12))
        if opens_below:
            self.rect.top = around.bottom + px(4)
        else:
            self.rect.bottom = around.top - px(4)
        self.rect.clamp_ip(window.inflate(-2 * px(8), 0))
        self._scroll_to_highlighted()

    def _natural_width(self) -> int:
        paint, px = self.paint, self.theme.px
        widths = [
            paint.width(item.label, "text") + (paint.width(item.note, "small") + px(24) if item.note else 0)
            for item in self.owner.items
        ]
        return max(widths) + 2 * px(FIELD_PADDING) + px(40)

    def _scroll_to_highlighted(self) -> None:
        self._first_row = min(self._first_row, self.highlighted)
        self._first_row = max(self._first_row, self.highlighted - self._rows_shown + 1)

    def row_rect(self, row: int) -> pygame.Rect:
        """The rectangle of a visible row, from 0."""
        px = self.theme.px
        return pygame.Rect(self.rect.x + px(6), self.rect.y + px(6) + row * px(_ROW), self.rect.w - px(12), px(_ROW))

    def _index_at(self, point: tuple[int, int]) -> int | None:
        for row in range(self._rows_shown):
            if self.row_rect(row).collidepoint(point):
                return self._first_row + row
        return None

    # ------------------------------------------------------------------------------------- events

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.KEYDOWN:
            return self._handle_key(event)
        if event.type == pygame.MOUSEMOTION:
            under = self._index_at(event.pos)
            if under is not None and under != self.highlighted:
                self.highlighted = under
                self.invalidate()
            return True
        if event.type == pygame.MOUSEWHEEL:
            self._first_row = min(max(self._first_row - event.y, 0), len(self.owner.items) - self._rows_shown)
            self.invalidate()
            return True
        if event.type == pygame.MOUSEBUTTONDOWN:
            under = self._index_at(event.pos)
            if under is not None and event.button == 1:
                self._choose(under)
            elif not self.rect.collidepoint(event.pos) and self.container is not None:
                self.container.close_popup()
            return True
        return event.type == pygame.MOUSEBUTTONUP

    def _handle_key(self, event: pygame.event.Event) -> bool:
        last = len(self.owner.items) - 1
        moves = {
            pygame.K_UP: self.highlighted - 1,
            pygame.K_DOWN: self.highlighted + 1,
            pygame.K_PAGEUP: self.highlighted - self._rows_shown,
            pygame.K_PAGEDOWN: self.highlighted + self._rows_shown,
            pygame.K_HOME: 0,
            pygame.K_END: last,
        }
        found = _by_letter(self.owner.items, self.highlighted, event.unicode)
        if event.key in moves or (found is not None and event.key != pygame.K_SPACE):
            self.highlighted = min(max(moves.get(event.key, found or 0), 0), last)
            self._scroll_to_highlighted()
            self.invalidate()
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            self._choose(self.highlighted)
        elif event.key in (pygame.K_ESCAPE, pygame.K_TAB) and self.container is not None:
            self.container.close_popup()
            return bool(event.key == pygame.K_ESCAPE)
        return True

    def _choose(self, index: int) -> None:
        if self.container is not None:
            self.container.close_popup()
        self.owner.choose(self.owner.items[index].value)

    # ------------------------------------------------------------------------------------ drawing

    def utterance(self) -> str:
        item = self.owner.items[self.highlighted]
        return join_phrases(item.label, item.note)

    def draw(self, surface: pygame.Surface) -> None:
        theme, paint, px = self.theme, self.paint, self.theme.px
        paint.panel(surface, self.rect, radius=px(BUTTON_RADIUS + 2))
        for row in range(self._rows_shown):
            item = self.owner.items[self._first_row + row]
            rect = self.row_rect(row)
            if self._first_row + row == self.highlighted:
                paint.rounded_rect(surface, rect, theme.pill, px(8))
            ink = theme.on_pill if self._first_row + row == self.highlighted else theme.second
            is_chosen = item.value == self.owner.value
            right = rect.right - px(10)
            if is_chosen:
                paint.icon(surface, "check", (right - px(8), rect.centery), theme.accent, px(16))
            right -= px(24)
            left = rect.x + px(FIELD_PADDING - 6)
            style: TextStyle = "strong" if is_chosen else "text"
            written = paint.text(surface, item.label, (left, rect.centery), style, anchor="midleft", width=right - left)
            room = right - written.right - px(12)
            if item.note and room > px(30):
                at = (written.right + px(12), rect.centery)
                paint.text(surface, item.note, at, "small", ink, anchor="midleft", width=room)
        self._draw_bar(surface)

    def _draw_bar(self, surface: pygame.Surface) -> None:
        """Draw a scroll bar if the menu has more rows than fit."""
        count, px = len(self.owner.items), self.theme.px
        if count <= self._rows_shown:
            return
        track = pygame.Rect(self.rect.right - px(8), self.rect.y + px(8), px(4), self.rect.h - px(16))
        thumb = track.copy()
        thumb.h = track.h * self._rows_shown // count
        thumb.y += (track.h - thumb.h) * self._first_row // (count - self._rows_shown)
        self.paint.rounded_rect(surface, thumb, mix(self.theme.second, self.theme.panel, 0.4), px(2))


def _by_letter(items: Sequence[Item], index: int, letter: str) -> int | None:
    """The index of the next item after *index* whose label begins with *letter*; None if there is none."""
    if not letter or not letter.isprintable() or letter.isspace():
        return None
    for step in range(1, len(items) + 1):
        candidate = (index + step) % len(items)
        if items[candidate].label.lower().startswith(letter.lower()):
            return candidate
    return None


class MenuButton(Labelled, Dropdown):
    """A button with icon and label whose menu offers actions."""

    def __init__(
        self,
        label: str,
        icon: str,
        items: Sequence[Item],
        chosen: Callable[[str], object],
        *,
        name: str,
        tooltip: str = "",
    ) -> None:
        """:param chosen: called with the value of an item."""
        super().__init__(items, items[0].value, chosen, name=name, tooltip=tooltip)
        self.label = label
        self.icon = icon

    @property
    def natural_size(self) -> tuple[int, int]:
        """The width and height needed, in real pixels."""
        px = self.theme.px
        if self.is_folded:
            return px(BUTTON_HEIGHT), px(BUTTON_HEIGHT)
        return self.paint.width(self.label, "label") + px(28 + 2 * 16), px(BUTTON_HEIGHT)

    def choose(self, value: str) -> None:
        """Do the action with this *value*."""
        self.changed(value)

    def key(self, event: pygame.event.Event) -> bool:
        if event.key == pygame.K_DOWN and event.mod & pygame.KMOD_ALT:
            self.open()
            return True
        return Widget.key(self, event)

    def keys(self) -> Sequence[Shortcut]:
        return (Shortcut("Alt+Down", _("open a menu")),)

    def utterance(self) -> str:
        return join_phrases(self.beside, self.label, self.tooltip)

    def draw(self, surface: pygame.Surface) -> None:
        theme, paint, px = self.theme, self.paint, self.theme.px
        fill = self.ground
        paint.rounded_rect(surface, self.rect, fill, px(BUTTON_RADIUS), line=theme.line)
        ink = theme.ink if self.is_enabled else mix(theme.ink, theme.panel, 0.6)
        if self.is_folded:
            paint.icon(surface, self.icon, self.rect.center, ink)
            return
        left = self.rect.centerx - (paint.width(self.label, "label") + px(28)) // 2
        paint.icon(surface, self.icon, (left + px(10), self.rect.centery), ink)
        at = (left + px(28), self.rect.centery)
        paint.text(surface, self.label, at, "label", ink, anchor="midleft", width=self.rect.right - px(8) - at[0])
