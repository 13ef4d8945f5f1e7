"""The settings, in panels by subject; each change takes effect at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import TypeVar

import pygame

from papan.ai.players.levels import NAMED_LEVELS, PLAYER_LEVELS
from papan.game.catalogue import GALLERY
from papan.game.game import Game
from papan.ui import texts
from papan.ui.boards import Aspect, Styles, chosen_styles, styles_of
from papan.ui.drawing.faces import PERSON, PERSON_FACES
from papan.ui.drawing.pictures import OutOfTimeError
from papan.ui.drawing.theme import PLAIN, SCALES, SMALLEST_PAGE
from papan.ui.scenes import HeaderScene, Stage
from papan.ui.scenes.panel_form import SAMPLE, PanelForm, Row
from papan.ui.settings import LONGEST_PERSON_NAME, MOVE_SECONDS, NOTATION, SYSTEM, WITH_WINDOW, WORDS, Setting, Settings
from papan.ui.texts import N_, _, in_figures, translated
from papan.ui.widgets.base import Widget
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.cards import SamplePicture
from papan.ui.widgets.choices import Segments, Toggle
from papan.ui.widgets.dropdown import Dropdown, Item
from papan.ui.widgets.player_cards import FaceChoice
from papan.ui.widgets.text_field import TextField

T = TypeVar("T")

_SLICE_SECONDS = 0.012
"""Seconds of a frame for these."""

_THEME_WORDS = {SYSTEM: N_("System"), "light": N_("Light"), "dark": N_("Dark"), "contrast": N_("High contrast")}
_BACKGROUND_WORDS = {PLAIN: N_("Plain"), "sage": N_("Sage green"), "mist": N_("Misty blue")}
_ASPECT_WORDS: dict[Aspect, str] = {"board": N_("Board"), "pieces": N_("Pieces")}
_SPEED_WORDS = {SYSTEM: N_("System"), "off": N_("Off"), "slow": N_("Slow"), "normal": N_("Normal"), "fast": N_("Fast")}
_MOVE_WORDS = {WORDS: N_("In words"), NOTATION: N_("Notation")}
_MUTE = "off"
_VOLUME_WORDS = {_MUTE: N_("Off"), "quiet": N_("Quiet"), "normal": N_("Normal"), "loud": N_("Loud")}


class SettingsScene(HeaderScene):
    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._form = PanelForm(self)
        self._is_renamed = False
        """Whether the person's name was edited since the scenes below were built."""
        self._has_missing = True
        """Whether pictures of boards are not drawn yet."""
        self._styles = [(game, styles) for game in GALLERY.values() if (styles := styles_of(game))]

    def build(self) -> None:
        super().build()
        self.title = _("Settings")
        appearance = [*self._language(), *self._appearance()]
        self._form.show(
            (_("You"), self._person()),
            (_("Appearance"), appearance),
            (_("Playing"), self._play()),
            (_("Boards"), [self._board(game, styles) for game, styles in self._styles]),
        )
        add = self.widgets.add
        self._engines = add(Button(_("Other programs"), self._open_engines, icon="computer", name="engines"))
        self._about = add(Button(_("About"), self._open_about, icon="info", name="about"))

    def _open_about(self) -> None:
        from papan.ui.scenes.about import AboutScene

        self.stage.push(AboutScene(self.stage))

    def _open_engines(self) -> None:
        from papan.ui.scenes.engines import EnginesScene

        self.stage.push(EnginesScene(self.stage))

    def _person(self) -> list[Row]:
        settings = self.stage.settings
        name = TextField(
            settings.person_name, self._set_name, name="person name", placeholder=_("You"), most=LONGEST_PERSON_NAME,
            tooltip=_("Shown in place of “You” at the table, in the library and in new records"),
        )  # fmt: skip
        faces = {PERSON: N_("No face"), **PERSON_FACES}
        items = [Item(face, translated(words)) for face, words in faces.items()]
        choice = FaceChoice(items, settings.person_face or PERSON, self._set_face, name="person face")
        return [self._row(_("Your name"), name), self._row(_("Your face"), choice)]

    def _set_name(self, text: str) -> None:
        self.stage.settings.person_name = "".join(sign for sign in text if sign.isprintable())[:LONGEST_PERSON_NAME]
        self._is_renamed = True

    def _set_face(self, face: str) -> None:
        self._set(Settings.person_face, "" if face == PERSON else face, self.stage.apply_settings)

    def back(self) -> None:
        if self._is_renamed:
            self.stage.apply_settings()
        super().back()

    def _appearance(self) -> list[Row]:
        return [
            self._segments(_("Theme"), Settings.theme, _THEME_WORDS, self.stage.apply_settings),
            self._segments(_("Background"), Settings.background, _BACKGROUND_WORDS, self.stage.apply_settings),
            self._scale(),
            self._segments(_("Animation"), Settings.animation, _SPEED_WORDS),
            self._sounds(),
            self._fullscreen(),
        ]

    def _fullscreen(self) -> Row:
        is_on, note, stage = self.stage.settings.fullscreen, _("F11 does the same"), self.stage
        self._full = Toggle(
            _("Full screen"), is_on, lambda _is_on: stage.toggle_fullscreen(), note=note, name="fullscreen"
        )
        return self._row("", self._full)

    def _scale(self) -> Row:
        """Return the row of the scale, with a note if the window is too small for it."""
        (with_window, largest), chosen = self._possible_scales, self.stage.settings.scale
        items = [Item(str(WITH_WINDOW), _("Fit the window"), _percent(min(with_window, largest)))]
        for scale in SCALES:
            width, height = self._least_window(scale)
            note = _("needs {width}×{height}").format(width=width, height=height) if scale > largest else ""
            items.append(Item(str(scale), _percent(scale), note))
        note = ""
        if chosen > largest:
            width, height = self._least_window(chosen)
            note = _("{scale} needs a window of at least {width}×{height} pixels: shown at {shown}.").format(
                scale=_percent(chosen), width=width, height=height, shown=_percent(largest)
            )
        tooltip = _("Size of text and buttons. A small window limits it.")
        change = partial(self._set_number, Settings.scale, then=self.stage.apply_settings)
        field = Dropdown(items, str(chosen), change, name="scale", tooltip=tooltip)
        self._scales_told = self._possible_scales
        return self._row(_("Size"), field, note)

    @property
    def _possible_scales(self) -> tuple[float, float]:
        return self.stage.scale_with_window, self.stage.largest_scale

    def _least_window(self, scale: float) -> tuple[int, int]:
        """Return the window size that *scale* needs, in real pixels."""
        width, height = (math.ceil(side * self.stage.system_scale * scale) for side in SMALLEST_PAGE)
        return width, height

    def _sounds(self) -> Row:
        """Return the row of the volume; the key M turns sounds off and on at the same volume."""
        items = [Item(value, translated(word)) for value, word in _VOLUME_WORDS.items()]
        self._volumes = Segments(items, self._volume, self._set_volume, name="sounds")
        return self._row(_("Sounds"), self._volumes)

    @property
    def _volume(self) -> str:
        settings = self.stage.settings
        return settings.volume if settings.sound else _MUTE

    def _play(self) -> list[Row]:
        seconds = [
            Item(str(value), _("{seconds} s per move").format(seconds=in_figures(value, "g"))) for value in MOVE_SECONDS
        ]
        chosen = str(self.stage.settings.move_seconds)
        levels = [
            Item(level.player, translated(level.title), translated(level.line))
            for level in (*NAMED_LEVELS, *PLAYER_LEVELS)
        ]
        opponent, set_opponent = self.stage.settings.opponent, partial(self._set, Settings.opponent)
        set_seconds = partial(self._set_number, Settings.move_seconds)
        details = _("Show depth, scores and proof numbers of the computer's search")
        tension = _("To compare measures of excitement; answers stay on this computer")
        speech = self.stage.speech_trouble or _("Speak turns, choices and the selected control")
        return [
            self._toggle(_("Show possible moves"), Settings.show_legal_steps, _("Mark the cells where you can play")),
            self._toggle(_("Speech"), Settings.speech, speech, self.stage.speech_changed),
            self._toggle(_("Confirm turns"), Settings.confirm_turns, _("Ask before a turn is played")),
            self._toggle(_("Ask how tense turns were"), Settings.asks_tension, tension, self.stage.apply_settings),
            self._segments(_("Moves"), Settings.moves, _MOVE_WORDS, self.stage.apply_settings),
            self._toggle(_("Engine details"), Settings.engine_details, details, self.stage.apply_settings),
            self._row(_("Usual opponent"), Dropdown(levels, opponent, set_opponent, name="opponent")),
            self._row(_("Thinking time"), Dropdown(seconds, chosen, set_seconds, name="move seconds")),
        ]

    def _board(self, game: Game, styles: Styles) -> Row:
        """Return the row of a game's board: a picture, and a field for each aspect that has styles."""
        chosen = chosen_styles(styles, self.stage.settings.board_styles.get(game.name, ""))
        fields = []
        for aspect, choices in styles.items():
            note = translated(_ASPECT_WORDS[aspect])
            items = [Item(style, translated(words), note) for style, words in choices.items()]
            choose = partial(self._set_board_style, game.name, chosen, aspect)
            fields.append(Dropdown(items, chosen[aspect], choose, name=f"{aspect} {game.name}"))
        row = self._row(translated(game.title), fields[0])
        row.sample = SamplePicture(game, None)
        for field in fields[1:]:
            row.second = self.widgets.add(field)
            field.beside = row.label
        return row

    def _language(self) -> list[Row]:
        codes = texts.languages()
        if len(codes) < 2:
            return []
        chosen = self.stage.settings.language
        spoken = texts.NAMES.get(texts.current_language(), "") if chosen == SYSTEM else ""
        items = [Item(code, texts.NAMES.get(code, code)) for code in codes]
        items.insert(0, Item(SYSTEM, _("Same as the system"), spoken))
        choose = partial(self._set, Settings.language, then=self.stage.apply_settings)
        return [self._row(_("Language"), Dropdown(items, chosen, choose, name="language"))]

    def _row(self, label: str, field: Widget, note: str = "") -> Row:
        row = self._form.row(label, field)
        row.note = note
        return row

    def _segments(
        self, label: str, setting: Setting[str], words: dict[str, str], then: Callable[[], object] | None = None
    ) -> Row:
        items = [Item(value, translated(word)) for value, word in words.items()]
        chosen = self.stage.settings.value(setting)
        return self._row(label, Segments(items, chosen, partial(self._set, setting, then=then), name=setting.name))

    def _toggle(self, label: str, setting: Setting[bool], note: str, then: Callable[[], object] | None = None) -> Row:
        is_on, change = self.stage.settings.value(setting), partial(self._set, setting, then=then)
        return self._row("", Toggle(label, is_on, change, note=note, name=setting.name))

    def _set(self, setting: Setting[T], value: T, then: Callable[[], object] | None = None) -> None:
        self.stage.settings.change(setting, value)
        if then is not None:
            then()

    def _set_number(self, setting: Setting[float], text: str, then: Callable[[], object] | None = None) -> None:
        self._set(setting, float(text), then)

    def _set_volume(self, name: str) -> None:
        settings = self.stage.settings
        settings.sound = name != _MUTE
        if settings.sound:
            settings.volume = name
            self.stage.play_sound("wood")

    def _set_board_style(self, game: str, chosen: Mapping[Aspect, str], aspect: Aspect, style: str) -> None:
        names = " ".join({**chosen, aspect: style}.values())
        self._set(Settings.board_styles, {**self.stage.settings.board_styles, game: names}, self.stage.apply_settings)

    def update(self, seconds: float) -> None:
        self._draw_samples()
        self._full.change(is_on=self.stage.settings.fullscreen)  # by F11
        if self._volumes.value != self._volume:  # by the key M
            self._volumes.value = self._volume
            self.invalidate()
        if self._scales_told != self._possible_scales:  # the window was resized
            self.stage.rebuild(self)

    def _draw_samples(self) -> None:
        """Go on drawing pictures that are not there yet, for a part of a frame."""
        samples = [row.sample for row in self._form.rows if row.sample is not None]
        size = (self.px(SAMPLE), self.px(SAMPLE))
        missing = [sample for sample in samples if sample.in_size(size) is None]
        self._has_missing = bool(missing)
        with suppress(OutOfTimeError), self.paint.pictures.slice_of_work(_SLICE_SECONDS):
            for sample in missing:
                sample.draw(self.paint, size, self.px(6))
                self.invalidate()

    @property
    def is_animating(self) -> bool:
        return self._has_missing

    def page_height(self, width: int) -> int:
        return self._form.least_height(width)

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        self.place_in_header(area, (self._about, self._engines))
        self._form.place(area)

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        self._form.draw(surface)


def _percent(scale: float) -> str:
    return f"{scale:.0%}".replace("%", " %")
