"""Widgets that open a menu: of choices, of suggestions, of actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import pygame

from papan.ui.drawing.theme import BUTTON_RADIUS, FIELD_PADDING, Colour, TextStyle, mix
from papan.ui.texts import N_, _
from papan.ui.widgets.base import Part, Widget, join_phrases
from papan.ui.widgets.buttons import Labelled, Pressable
from papan.ui.widgets.scroll import RowList, index_after, index_by_letter

_ROW = 36
_MOST_ROWS = 14


class Item(NamedTuple):
    """One choice: its value, its label, a note or "", and whether a tick stands beside it even if it is not chosen."""

    value: str
    label: str
    note: str = ""
    is_ticked: bool = False


class Dropdown(Pressable):
    """One of several choices. Up and Down change it, Enter opens the menu, a letter goes to the next such label."""

    role = "menu button"
    key_help: Mapping[str, str] = {
        "Up  Down": N_("change a menu"),
        "Alt+Down": N_("open a menu"),
    }

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
        if self.change(value=value):
            self.changed(value)

    def open(self) -> None:
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
        found = index_by_letter([item.label for item in self.items], self._index, event.unicode)
        if found is not None and event.key != pygame.K_SPACE:
            self.choose(self.items[found].value)
            return True
        return super().key(event)

    def utterance(self) -> str:
        return join_phrases(self.beside, self.chosen_item.label, self.chosen_item.note, self.tooltip)

    def name_and_value(self) -> tuple[str, str]:
        chosen = join_phrases(self.chosen_item.label, self.chosen_item.note)
        name = join_phrases(self.beside, self.tooltip)
        return (name, chosen) if name else (self.utterance(), "")

    def _draw_frame(self, surface: pygame.Surface) -> Colour:
        """Draw the background and the outline; return the background's colour."""
        theme = self.theme
        fill = theme.hover if self.is_pointed_at or self.is_open else theme.panel
        line = theme.accent if self.is_open else theme.line
        self.paint.rounded_rect(surface, self.rect, fill, theme.px(BUTTON_RADIUS), line=line)
        return fill

    def draw(self, surface: pygame.Surface) -> None:
        theme, paint, px = self.theme, self.paint, self.theme.px
        fill = self._draw_frame(surface)
        ink = theme.ink if self.is_enabled else mix(theme.ink, theme.panel, 0.6)
        left, right = self.rect.x + px(FIELD_PADDING), self.rect.right - px(34)
        paint.icon(surface, "down", (self.rect.right - px(20), self.rect.centery), mix(ink, fill, 0.3))
        at, label, room = (left, self.rect.centery), self.chosen_item.label, right - left
        written = paint.text(surface, label, at, "text", ink, anchor="midleft", width=room, shrinks=True)
        at = (written.right + px(10), self.rect.centery)
        if self.chosen_item.note and at[0] + paint.width(self.chosen_item.note, "small") <= right:
            second = theme.second if self.is_enabled else mix(theme.second, theme.panel, 0.6)
            paint.text(surface, self.chosen_item.note, at, "small", second, anchor="midleft")


class Suggestions(Dropdown):
    """A small button next to a text field, whose menu offers texts for the field."""

    def utterance(self) -> str:
        return join_phrases(self.beside, _("suggestions"), self.tooltip)

    def name_and_value(self) -> tuple[str, str]:
        return self.utterance(), ""

    def draw(self, surface: pygame.Surface) -> None:
        ink = mix(self.theme.ink, self._draw_frame(surface), 0.3 if self.is_enabled else 0.7)
        self.paint.icon(surface, "down", self.rect.center, ink)

    def choose(self, value: str) -> None:
        """Choose *value* and call ``changed``, even if it is not new: the text may have been edited meanwhile."""
        self.change(value=value)
        self.changed(value)


class _Actions(Dropdown):
    """A menu of actions, none of which is chosen."""

    @property
    def _index(self) -> int:
        return 0

    def choose(self, value: str) -> None:
        self.changed(value)

    def name_and_value(self) -> tuple[str, str]:
        return self.utterance(), ""


class ActionMenu(_Actions):
    """A square button with three dots, whose menu offers the actions possible when it opens."""

    key_help: Mapping[str, str] = {"Down": N_("open a menu")}

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

    def open(self) -> None:
        """Open or close the menu of the actions possible now."""
        self.items = tuple(self._actions())
        if self.items:
            super().open()

    def open_with(self, items: Sequence[Item]) -> None:
        """Show *items* instead, as a submenu of an action."""
        self.items = tuple(items)
        super().open()

    def key(self, event: pygame.event.Event) -> bool:
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE, pygame.K_DOWN):
            self.open()
            return True
        return False

    def utterance(self) -> str:
        return join_phrases(self.beside, self.tooltip)

    def draw(self, surface: pygame.Surface) -> None:
        self._draw_frame(surface)
        self.paint.icon(surface, "more", self.rect.center, self.theme.ink)


class _Menu(RowList):
    """The open menu of a dropdown; a pop-up."""

    role = "menu"
    row_height = _ROW
    wheel_rows = 1
    bar_margin = 3

    def __init__(self, owner: Dropdown, index: int) -> None:
        super().__init__("")
        self.owner = owner
        self.highlighted = index

    def attached(self) -> None:
        px = self.theme.px
        around = self.owner.rect
        window = self.container.page.view if self.container else around
        below, above = window.bottom - around.bottom - px(12), around.top - window.top - px(12)
        wanted = min(len(self.owner.items), _MOST_ROWS)
        opens_below = below >= wanted * px(_ROW) + px(12) or below >= above
        rows_shown = max(1, min(wanted, (max(below, above) - px(12)) // px(_ROW)))
        width = max(around.w, min(self._natural_width(), window.w - 2 * px(8)))
        has_room = around.x + width <= window.right - px(8)
        left = around.x if has_room else around.right - width
        self.rect = pygame.Rect(left, 0, width, rows_shown * px(_ROW) + 2 * px(6))
        if opens_below:
            self.rect.top = around.bottom + px(4)
        else:
            self.rect.bottom = around.top - px(4)
        self.rect.clamp_ip(window.inflate(-2 * px(8), 0))
        self._reveal(self.highlighted)

    @property
    def _view(self) -> pygame.Rect:
        return self.rect.inflate(-2 * self.theme.px(6), -2 * self.theme.px(6))

    @property
    def _row_count(self) -> int:
        return len(self.owner.items)

    def _natural_width(self) -> int:
        paint, px = self.paint, self.theme.px
        widths = [
            paint.width(item.label, "text") + (paint.width(item.note, "small") + px(24) if item.note else 0)
            for item in self.owner.items
        ]
        return max(widths) + 2 * px(FIELD_PADDING) + px(40)

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.KEYDOWN:
            return self._handle_key(event)
        if event.type == pygame.MOUSEMOTION:
            under = self.part_at(event.pos)
            self.change(highlighted=self.highlighted if under is None else under)
            return True
        if event.type == pygame.MOUSEWHEEL:
            self.take_wheel(event)
            return True
        if event.type == pygame.MOUSEBUTTONDOWN:
            under = self.part_at(event.pos)
            if under is not None and event.button == 1:
                self._choose(under)
            elif not self.rect.collidepoint(event.pos) and self.container is not None:
                self.container.close_popup()
            return True
        return event.type == pygame.MOUSEBUTTONUP

    def _handle_key(self, event: pygame.event.Event) -> bool:
        count = len(self.owner.items)
        moved = index_after(event.key, self.highlighted, count, self._view.h // self._row)
        if moved is None and event.key != pygame.K_SPACE:
            labels = [item.label for item in self.owner.items]
            moved = index_by_letter(labels, self.highlighted, event.unicode)
        if moved is not None:
            self.highlighted = min(max(moved, 0), count - 1)
            self._reveal(self.highlighted)
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

    def utterance(self) -> str:
        item = self.owner.items[self.highlighted]
        return join_phrases(item.label, item.note)

    def name_and_value(self) -> tuple[str, str]:
        return join_phrases(self.owner.beside, self.owner.tooltip), ""

    def parts(self) -> Sequence[Part]:
        """All rows, also those out of sight."""
        return [
            Part(
                index,
                self._row_rect(index),
                join_phrases(item.label, item.note),
                is_chosen=item.value == self.owner.value,
            )
            for index, item in enumerate(self.owner.items)
        ]

    @property
    def active_part(self) -> int:
        return self.highlighted

    def press_part(self, number: int) -> None:
        self._choose(number)

    def draw(self, surface: pygame.Surface) -> None:
        self.paint.panel(surface, self.rect, radius=self.theme.px(BUTTON_RADIUS + 2))
        super().draw(surface)

    def _draw_row(self, surface: pygame.Surface, index: int) -> None:
        theme, paint, px = self.theme, self.paint, self.theme.px
        item, rect = self.owner.items[index], self._row_rect(index)
        ink = theme.second
        if index == self.highlighted:
            paint.rounded_rect(surface, rect, theme.pill, px(8))
            ink = theme.on_pill
        right = rect.right - px(10)
        style: TextStyle = "text"
        if item.value == self.owner.value or item.is_ticked:
            style = "strong"
            paint.icon(surface, "check", (right - px(8), rect.centery), theme.accent, px(16))
        right -= px(24)
        left = rect.x + px(FIELD_PADDING - 6)
        written = paint.text(surface, item.label, (left, rect.centery), style, anchor="midleft", width=right - left)
        room = right - written.right - px(12)
        if item.note and room > px(30):
            at = (written.right + px(12), rect.centery)
            paint.text(surface, item.note, at, "small", ink, anchor="midleft", width=room)


class MenuButton(Labelled, _Actions):
    """A button with icon and label whose menu offers actions."""

    key_help: Mapping[str, str] = {"Alt+Down": N_("open a menu")}

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
        super().__init__(items, "", chosen, name=name, tooltip=tooltip)
        self.value = ""  # none is chosen
        self.label = label
        self.icon = icon

    def key(self, event: pygame.event.Event) -> bool:
        if event.key == pygame.K_DOWN and event.mod & pygame.KMOD_ALT:
            self.open()
            return True
        return Widget.key(self, event)

    def utterance(self) -> str:
        return join_phrases(self.beside, self.label, self.tooltip)

    def draw(self, surface: pygame.Surface) -> None:
        theme = self.theme
        self.paint.rounded_rect(surface, self.rect, self.ground, theme.px(BUTTON_RADIUS), line=theme.line)
        self._draw_label(surface, theme.ink if self.is_enabled else mix(theme.ink, theme.panel, 0.6))
