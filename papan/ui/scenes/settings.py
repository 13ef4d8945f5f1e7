"""The settings, in panels by subject; each takes effect at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import pygame

from papan.ai.levels import STEPS
from papan.game.catalogue import GALLERY
from papan.ui import texts
from papan.ui.boards import styles_of
from papan.ui.drawing.theme import FIELD_HEIGHT, GAP, MARGIN, SCALES
from papan.ui.play.guide import first_game
from papan.ui.scenes import Stage
from papan.ui.scenes.first_steps import begin_guided
from papan.ui.scenes.header import HEADER_HEIGHT, HeaderScene
from papan.ui.scenes.services import ALONE, Services
from papan.ui.settings import MOVE_SECONDS, SYSTEM, Setting, Settings
from papan.ui.texts import N_, _, in_figures, translated
from papan.ui.widgets.base import Widget
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.choices import Segments, Toggle
from papan.ui.widgets.dropdown import Dropdown, Item

T = TypeVar("T")

_PADDING = 20
_HEADING = 48
_ROW = 56
_LOWEST_ROW = 34
"""The least height of a row: where the window is low, rows move closer together."""
_LABEL_WIDTH = 190
_WIDEST = 860

_THEME_WORDS = {SYSTEM: N_("System"), "light": N_("Light"), "dark": N_("Dark"), "contrast": N_("High contrast")}
_SPEED_WORDS = {SYSTEM: N_("System"), "off": N_("Off"), "slow": N_("Slow"), "normal": N_("Normal"), "fast": N_("Fast")}
_MUTE = "off"
_VOLUME_WORDS = {_MUTE: N_("Off"), "quiet": N_("Quiet"), "normal": N_("Normal"), "loud": N_("Loud")}


class _Row:
    """A label and its field, or a field that labels itself."""

    def __init__(self, label: str, field: Widget) -> None:
        self.label = label
        self.field = field


class SettingsScene(HeaderScene):
    """All settings."""

    def __init__(self, stage: Stage, services: Services = ALONE) -> None:
        super().__init__(stage)
        self._services = services
        self._panels: list[tuple[str, pygame.Rect, list[_Row]]] = []
        self._styles = [(game, styles) for game in GALLERY.values() if len(styles := styles_of(game)) > 1]

    # -------------------------------------------------------------------------------------- building

    def build(self) -> None:
        super().build()
        self.title = _("Settings")
        self._panels = [
            (title, pygame.Rect(0, 0, 0, 0), rows)
            for title, rows in (
                (_("Appearance"), [*self._appearance(), *self._language()]),
                (_("Playing"), self._play()),
                (_("Boards"), self._boards()),
            )
            if rows
        ]
        self._engines = self.widgets.add(
            Button(_("Other programs"), self._open_engines, icon="computer", name="engines")
        )

        self._steps = self.widgets.add(
            Button(_("Show the first steps again"), self._begin_first_steps, icon="hint", name="steps")
        )
        self._steps.show(first_game() is not None and self._services.start_match is not None)
        self._about = self.widgets.add(Button(_("About"), self._open_about, icon="info", name="about"))

    def _begin_first_steps(self) -> None:
        """Begin the guided matches, which are offered only once unasked."""
        game = first_game()
        if game is not None:
            begin_guided(self.stage, self._services, game)

    def _open_about(self) -> None:
        from papan.ui.scenes.about import AboutScene

        self.stage.push(AboutScene(self.stage))

    def _open_engines(self) -> None:
        from papan.ui.scenes.engines import EnginesScene

        self.stage.push(EnginesScene(self.stage))

    def _appearance(self) -> list[_Row]:
        scales = [Item(str(scale), f"{scale:.0%}".replace("%", " %")) for scale in SCALES]
        scale = str(self.stage.settings.scale)
        tooltip = _("Of text and buttons, as far as the window has room")
        return [
            self._segments(_("Theme"), Settings.theme, _THEME_WORDS, self.stage.apply_settings),
            self._row(_("Size"), Dropdown(scales, scale, self._set_scale, name="scale", tooltip=tooltip)),
            self._segments(_("Animation"), Settings.animation, _SPEED_WORDS),
            self._sounds(),
        ]

    def _sounds(self) -> _Row:
        """Off, or how loud; sounds that are turned on again with M are as loud as before."""
        items = [Item(value, translated(word)) for value, word in _VOLUME_WORDS.items()]
        self._volumes = Segments(items, self._volume, self._set_volume, name="sounds")
        return self._row(_("Sounds"), self._volumes)

    @property
    def _volume(self) -> str:
        settings = self.stage.settings
        return settings.volume if settings.sound else _MUTE

    def _play(self) -> list[_Row]:
        seconds = [
            Item(str(value), _("{seconds} s a move").format(seconds=in_figures(value, "g"))) for value in MOVE_SECONDS
        ]
        chosen = str(self.stage.settings.move_seconds)
        levels = [Item(str(step.number), translated(step.title), translated(step.line)) for step in STEPS]
        opponent = self.stage.settings.opponent
        return [
            self._toggle(_("Show legal steps"), Settings.show_legal_steps, _("Mark the cells that can be pointed at")),
            self._toggle(_("Confirm turns"), Settings.confirm_turns, _("A turn is played only once you say so")),
            self._row(_("Usual opponent"), Dropdown(levels, str(opponent), self._set_opponent, name="opponent")),
            self._row(_("Thinking time"), Dropdown(seconds, chosen, self._set_seconds, name="move seconds")),
        ]

    def _boards(self) -> list[_Row]:
        """The looks of those boards that have several."""
        rows = []
        for game, styles in self._styles:
            chosen = self.stage.settings.board_styles.get(game.name, next(iter(styles)))
            items = [Item(style, translated(words)) for style, words in styles.items()]
            choose = partial(self._set_board_style, game.name)
            rows.append(self._row(translated(game.title), Segments(items, chosen, choose, name=f"board {game.name}")))
        return rows

    def _language(self) -> list[_Row]:
        """The choice of a language; no row where there is only one."""
        codes = texts.languages()
        if len(codes) < 2:
            return []
        items = [Item(code, texts.NAMES.get(code, code)) for code in codes]
        chosen = self.stage.settings.language
        return [self._row(_("Language"), Dropdown(items, chosen, self._set_language, name="language"))]

    def _row(self, label: str, field: Widget) -> _Row:
        return _Row(label, self.widgets.add(field))

    def _segments(
        self, label: str, setting: Setting[str], words: dict[str, str], then: Callable[[], object] | None = None
    ) -> _Row:
        items = [Item(value, translated(word)) for value, word in words.items()]
        chosen = self.stage.settings.value(setting)
        return self._row(label, Segments(items, chosen, partial(self._set, setting, then=then), name=setting.name))

    def _toggle(self, label: str, setting: Setting[bool], note: str) -> _Row:
        is_on = self.stage.settings.value(setting)
        return self._row("", Toggle(label, is_on, partial(self._set, setting), note=note, name=setting.name))

    # --------------------------------------------------------------------------------------- setting

    def _set(self, setting: Setting[T], value: T, then: Callable[[], object] | None = None) -> None:
        self.stage.settings.change(setting, value)
        if then is not None:
            then()

    def _set_volume(self, name: str) -> None:
        """Take up a volume, which is then heard."""
        settings = self.stage.settings
        settings.sound = name != _MUTE
        if settings.sound:
            settings.volume = name
            self.stage.play_sound("wood")

    def _set_scale(self, text: str) -> None:
        self._set(Settings.scale, float(text), self.stage.apply_settings)

    def _set_board_style(self, game: str, style: str) -> None:
        self._set(Settings.board_styles, {**self.stage.settings.board_styles, game: style}, self.stage.apply_settings)

    def _set_seconds(self, text: str) -> None:
        self.stage.settings.move_seconds = float(text)

    def _set_opponent(self, number: str) -> None:
        self.stage.settings.opponent = int(number)

    def _set_language(self, code: str) -> None:
        self._set(Settings.language, code, self.stage.apply_settings)

    def update(self, seconds: float) -> None:
        if self._volumes.value != self._volume:  # by the key that turns sounds off and on
            self._volumes.value = self._volume
            self.invalidate()

    # ---------------------------------------------------------------------------------------- layout

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px = self.px
        right = area.right - px(MARGIN)
        for button in (self._about, self._engines, self._steps):
            size = button.natural_size
            button.place(pygame.Rect(right - size[0], px(14), *size))
            right -= size[0] + px(10)
        width = min(area.w - 2 * px(MARGIN), px(_WIDEST))
        left, top = area.centerx - width // 2, px(HEADER_HEIGHT)
        number = sum(len(rows) for _title, _panel, rows in self._panels)
        around = len(self._panels) * (px(_HEADING) + px(8) + px(GAP))
        high = max(px(_LOWEST_ROW), min(px(_ROW), (area.bottom - top - around) // number))
        for _title, panel, rows in self._panels:
            panel.update(left, top, width, px(_HEADING) + len(rows) * high + px(8))
            for index, row in enumerate(rows):
                self._place_row(row, panel, panel.y + px(_HEADING) + index * high, high)
            top = panel.bottom + px(GAP)

    def _place_row(self, row: _Row, panel: pygame.Rect, top: int, high: int) -> None:
        px = self.px
        left, right = panel.x + px(_PADDING), panel.right - px(_PADDING)
        if row.label:
            left += px(_LABEL_WIDTH)
        height = min(px(FIELD_HEIGHT), high - px(2))
        row.field.place(pygame.Rect(left, top + (high - height) // 2, right - left, height))

    # --------------------------------------------------------------------------------------- drawing

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        px, paint = self.px, self.paint
        for title, panel, rows in self._panels:
            paint.panel(surface, panel)
            left = panel.x + px(_PADDING)
            paint.text(surface, title, (left, panel.y + px(30)), "heading", anchor="midleft")
            for row in rows:
                if row.label:
                    paint.text(
                        surface,
                        row.label,
                        (left, row.field.rect.centery),
                        anchor="midleft",
                        width=px(_LABEL_WIDTH - 10),
                    )

    def keys(self) -> Sequence[tuple[str, str]]:
        return (
            (_("Left  Right"), _("change a row of choices")),
            (_("Up  Down"), _("change a menu, or go to the next row")),
        )
