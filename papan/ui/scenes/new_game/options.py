"""The options, clock and seed in the new-game form: one line that unfolds."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pygame

from papan.game.game import Option
from papan.game.match.clock import USUAL_CONTROLS
from papan.ui.drawing.theme import FIELD_HEIGHT
from papan.ui.play.match_choices import NO_CLOCK, MatchChoices
from papan.ui.scenes import Scene
from papan.ui.texts import _, translated
from papan.ui.widgets.base import Widget
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.dropdown import Dropdown, Item, Suggestions
from papan.ui.widgets.text_field import TextField

_PADDING = 16
LINE_HEIGHT = 56
_LABEL = 24
"""From the top of a label to its field."""
_FIELD_ROW = _LABEL + FIELD_HEIGHT + 14
_COLUMN_GAP = 14
_LONGEST_SEED = 10


class OptionsPanel:
    def __init__(self, scene: Scene, choices: MatchChoices, start: Callable[[], object]) -> None:
        """:param start: begins the match, on Enter in a text field."""
        self._scene = scene
        self._choices = choices
        self._start = start
        self.is_open = False

    def build(self) -> None:
        choices = self._choices
        self._fields: list[Dropdown | TextField] = []
        self._suggestions: dict[Widget, Suggestions] = {}
        self._switch = self._scene.widgets.add(Button("", self.switch, name="options"))
        for option in choices.game.options.values():
            values = choices.values_of(option)
            if option.is_free:
                self._add(translated(option.title), self._text_field(option))
            elif len(values) > 1:
                items = [Item(value, translated(words)) for value, words in values.items()]
                changed = partial(self._set_option, option.name)
                dropdown = Dropdown(items, choices.options[option.name], changed, name=f"option {option.name}")
                self._add(translated(option.title), dropdown)
        if min(choices.game.seats) > 1:
            self._add(_("Clock"), self._clock_field())
        tooltip = _("The same seed deals the same match again")
        seed = TextField(
            choices.seed, partial(setattr, choices, "seed"), name="seed", placeholder=_("at random"),
            allowed="0123456789", most=_LONGEST_SEED, submitted=self._start, tooltip=tooltip,
        )  # fmt: skip
        self._add(_("Seed"), seed)
        self._show()

    def _add(self, label: str, field: Dropdown | TextField) -> None:
        field.beside = label
        self._fields.append(self._scene.widgets.add(field))
        suggestions = self._suggestions.get(field)
        if suggestions is not None:
            suggestions.beside = label
            self._scene.widgets.add(suggestions)

    def _clock_field(self) -> Dropdown:
        controls = [Item(control.text, translated(control.words)) for control in USUAL_CONTROLS]
        items = [Item(NO_CLOCK, _("Off")), *controls]
        tooltip = _("Whoever runs out of time loses; the clock stops while the board is not on the screen")
        changed = partial(setattr, self._choices, "time_control")
        return Dropdown(items, self._choices.time_control, changed, name="clock", tooltip=tooltip)

    def _text_field(self, option: Option) -> TextField:
        name, value = f"option {option.name}", self._choices.options[option.name]

        def hint(text: str) -> str:
            """Return the text as typed, and the allowed values."""
            return f"{text}\n{translated(option.allowed).capitalize()}"

        def changed(text: str) -> None:
            self._choices.options[option.name] = text
            field.tooltip = hint(text)

        def spoken(text: str) -> str:
            return translated(option.words(text))

        field = TextField(value, changed, name=name, submitted=self._start, tooltip=hint(value), spoken=spoken)
        items = [Item(value, translated(words)) for value, words in option.values.items()]
        self._suggestions[field] = Suggestions(items, value, field.write, name=f"{name} suggestions")
        return field

    def _set_option(self, name: str, value: str) -> None:
        if self._choices.set_option(name, value):
            self._scene.stage.rebuild(self._scene)

    def switch(self) -> None:
        self.turn(is_open=not self.is_open)

    def turn(self, *, is_open: bool) -> None:
        """Show the fields if *is_open*, otherwise one line."""
        if is_open != self.is_open:
            self.is_open = is_open
            self._show()
            self._scene.layout(self._scene.area)
            self._scene.invalidate()

    def _show(self) -> None:
        self._switch.relabel(_("Done") if self.is_open else _("Change …"), "up" if self.is_open else "down")
        for field in (*self._fields, *self._suggestions.values()):
            field.show(self.is_open)

    def place(self, room: pygame.Rect, *, fills_room: bool) -> int:
        """Place the panel at the top of *room*; return its bottom.

        :param fills_room: whether the open panel fills *room*, so that nothing below moves.
        """
        px = self._scene.px
        pad, line = px(_PADDING), px(LINE_HEIGHT)
        size = self._switch.natural_size
        at = (room.right - pad - size[0], room.y + (line - size[1]) // 2)
        self._switch.place(pygame.Rect(at, size))
        bottom = room.y + line
        if self.is_open:
            bottom = self._place_fields(pygame.Rect(room.x + pad, bottom, room.w - 2 * pad, room.bottom - bottom))
            bottom = max(bottom, room.bottom) if fills_room else bottom
        self.rect = pygame.Rect(room.x, room.y, room.w, bottom - room.y)
        return bottom

    def _place_fields(self, room: pygame.Rect) -> int:
        px, gap = self._scene.px, self._scene.px(_COLUMN_GAP)
        for columns in (2, 3):
            rows = -(-len(self._fields) // columns)
            bottom = room.y + rows * px(_FIELD_ROW) + px(4)
            if bottom <= room.bottom:
                break
        width = (room.w - (columns - 1) * gap) // columns
        for index, field in enumerate(self._fields):
            row, column = divmod(index, columns)
            left, top = room.x + column * (width + gap), room.y + row * px(_FIELD_ROW) + px(_LABEL)
            rect = pygame.Rect(left, top, width, px(FIELD_HEIGHT))
            if field in self._suggestions:
                button_rect = pygame.Rect(rect.right - rect.h, rect.y, rect.h, rect.h)
                self._suggestions[field].place(button_rect)
                rect.w -= button_rect.w + px(6)
            field.place(rect)
        return bottom

    def draw(self, surface: pygame.Surface) -> None:
        px, paint, theme = self._scene.px, self._scene.paint, self._scene.theme
        paint.panel(surface, self.rect)
        left, middle = self.rect.x + px(_PADDING), self.rect.y + px(LINE_HEIGHT) // 2
        heading = paint.text(surface, _("Rules of this match"), (left, middle), "heading", anchor="midleft")
        if not self.is_open:
            at = (heading.right + px(14), middle)
            room = self._switch.rect.x - px(12) - at[0]
            paint.text(surface, self.in_words(), at, "text", theme.second, anchor="midleft", width=room)
            return
        for field in self._fields:
            at = (field.rect.x + px(2), field.rect.y - px(13))
            paint.text(surface, field.beside, at, "small strong", theme.second, anchor="midleft", width=field.rect.w)

    def in_words(self) -> str:
        """Return the choices that differ from the defaults, as a line."""
        choices = self._choices
        parts = [
            f"{translated(option.title)}: {translated(option.words(choices.options[option.name]))}"
            for option in choices.unusual_options
        ]
        parts = parts or [_("as usual")]
        clock = next((control for control in USUAL_CONTROLS if control.text == choices.time_control), None)
        if clock is not None:
            parts.append(f"{_('Clock')}: {translated(clock.words)}")
        elif min(choices.game.seats) > 1:
            parts.append(_("no clock"))
        if choices.seed:
            parts.append(f"{_('Seed')}: {choices.seed}")
        return " · ".join(parts)
