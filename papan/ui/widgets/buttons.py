"""Buttons: with a label, an icon or both; primary, plain or quiet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import pygame

from papan.ui.drawing.theme import BUTTON_HEIGHT, BUTTON_RADIUS, ICON_SIZE, Colour, mix
from papan.ui.texts import _
from papan.ui.widgets.base import Role, Widget, join_phrases

ButtonKind = Literal["plain", "primary", "quiet"]

_SIDE_PADDING = 16
_ICON_ROOM = 28
"""From the left edge of an icon to that of the label next to it."""


class Pressable(Widget):
    """A widget that is pressed by mouse, Enter or Space; subclasses draw it.

    A click counts if the mouse button is pressed and released on it.
    """

    role: Role = "button"
    waits_when_new = True

    def __init__(self, act: Callable[[], object], name: str = "", tooltip: str = "") -> None:
        super().__init__(name, tooltip)
        self.act = act

    def press(self, point: tuple[int, int]) -> bool:
        self.invalidate()
        return True

    def release(self, point: tuple[int, int]) -> bool:
        if self.rect.collidepoint(point):
            if self.is_focusable:
                self.take_focus()
            self.act()
        return True

    def activate(self) -> None:
        self.act()

    @property
    def is_pressed(self) -> bool:
        """Whether releasing the mouse button would press it."""
        return self.is_held and self.is_pointed_at

    @property
    def is_pointed_at(self) -> bool:
        """Whether a click would press it."""
        return self.is_hovered and self.is_enabled

    @property
    def ground(self) -> Colour:
        """The background colour: a panel's, or that for hovered or pressed."""
        theme = self.theme
        return theme.pressed if self.is_pressed else theme.hover if self.is_pointed_at else theme.panel


class Labelled(Widget):
    """A widget whose label can be hidden to save space, if an icon replaces it."""

    label: str
    icon: str
    _sign = ""
    is_folded = False
    """Whether only the icon is shown, as the label does not fit."""

    def fold(self, is_folded: bool = True) -> None:
        """Hide the label, if there is an icon, or show it again."""
        self.change(is_folded=is_folded and bool(self.icon or self._sign))

    @property
    def is_wordless(self) -> bool:
        return self.is_folded or not self.label

    @property
    def explanation(self) -> str:
        if not self.is_folded:
            return self.tooltip
        return f"**{self.label}**\n{self.tooltip}" if self.tooltip else self.label

    @property
    def natural_size(self) -> tuple[int, int]:
        """The width and height needed, in real pixels."""
        px = self.theme.px
        height = px(BUTTON_HEIGHT)
        if self.is_wordless:
            return height, height
        icon = px(_ICON_ROOM) if self.icon else 0
        return self.paint.width(self.label, "label") + icon + 2 * px(_SIDE_PADDING), height

    def _draw_label(self, surface: pygame.Surface, ink: Colour) -> None:
        paint, px = self.paint, self.theme.px
        if self.is_wordless:
            paint.icon(surface, self.icon or self._sign, self.rect.center, ink)
            return
        icon_room = px(_ICON_ROOM) if self.icon else 0
        room = self.rect.w - 2 * px(8) - icon_room
        style = paint.fitting_style(self.label, room, "label")
        label = paint.fitted_text(self.label, room, style)
        left = self.rect.centerx - (paint.width(label, style) + icon_room) // 2
        if self.icon:
            paint.icon(surface, self.icon, (left + px(ICON_SIZE // 2), self.rect.centery), ink)
        paint.text(surface, label, (left + icon_room, self.rect.centery), style, ink, anchor="midleft")


class Button(Labelled, Pressable):
    """A button with a label, an icon, or both."""

    def __init__(
        self,
        label: str,
        act: Callable[[], object],
        *,
        icon: str = "",
        kind: ButtonKind = "plain",
        sign: str = "",
        name: str = "",
        tooltip: str = "",
    ) -> None:
        """:param kind: ``primary`` for the most likely choice, ``quiet`` for one without a background.
        :param sign: the icon that replaces the label when that does not fit, for a button without an icon.
        """
        super().__init__(act, name or label, tooltip)
        self.label = label
        self.icon = icon
        self._sign = sign
        self.kind: ButtonKind = kind
        self.is_on = False
        """Whether what the button toggles is on."""

    def turn(self, is_on: bool) -> None:
        self.change(is_on=is_on)

    def relabel(self, label: str, icon: str | None = None) -> None:
        self.change(label=label, icon=self.icon if icon is None else icon)

    def utterance(self) -> str:
        words = (self.label, self.tooltip) if self.label != self.tooltip else (self.label,)
        return join_phrases(self.beside, *words, _("on") if self.is_on else "")

    def draw(self, surface: pygame.Surface) -> None:
        fill, line, ink = self._colours()
        if fill is not None or line is not None:
            self.paint.rounded_rect(surface, self.rect, fill, self.theme.px(BUTTON_RADIUS), line=line)
        self._draw_label(surface, ink)

    def _colours(self) -> tuple[Colour | None, Colour | None, Colour]:
        theme = self.theme
        if self.kind == "primary":
            if not self.is_enabled:
                return mix(theme.accent, theme.background, 0.6), None, mix(theme.on_accent, theme.accent, 0.3)
            towards = theme.ink if not theme.is_dark else theme.background
            share = 0.22 if self.is_pressed else 0.1 if self.is_pointed_at else 0.0
            return mix(theme.accent, towards, share), None, theme.on_accent
        ink = theme.ink if self.is_enabled else mix(theme.ink, theme.panel, 0.6)
        if self.is_on:
            return theme.accent_soft, theme.accent, theme.accent
        if self.is_pressed:
            return theme.pressed, theme.line, ink
        if self.is_pointed_at:
            return theme.hover, theme.line, ink
        return (None, None, ink) if self.kind == "quiet" else (theme.panel, theme.line, ink)


class IconButton(Button):
    """A square button with an icon; its tooltip says what it does."""

    def __init__(self, icon: str, tooltip: str, act: Callable[[], object], *, name: str = "") -> None:
        super().__init__("", act, icon=icon, name=name or tooltip, tooltip=tooltip)
