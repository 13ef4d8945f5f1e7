"""The form of another program: what it is, how long it thinks, and its options. It recognises and tests the program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from threading import Event
from typing import TypeVar

import pygame

from papan.ai.engines import EngineError
from papan.ai.engines.dialect import PROTOCOLS, is_for_programs
from papan.ai.engines.drafts import Draft
from papan.ai.engines.entries import (
    CALLED,
    DEFAULT_GRACE,
    DEFAULT_PATIENCE,
    LONGEST_NAME,
    USUAL_LIMIT,
    EntriesError,
    Entry,
    read_entries,
)
from papan.ai.engines.options import EngineOption
from papan.ai.engines.player import EngineCheck, press_button, try_engine
from papan.ai.engines.process import Cancelled
from papan.ai.engines.recognising import Recognised, Trial, recognise
from papan.ai.engines.saving import remove_entry, save_entry
from papan.game.base.sentences import NO_WORDS, capitalised, joined, say
from papan.game.base.untrusted import quoted
from papan.game.catalogue import GALLERY, GAMES
from papan.game.game import PartError
from papan.ui.drawing.theme import BUTTON_HEIGHT, GAP, MARGIN, Tone
from papan.ui.scenes import BackgroundScene, News, Stage, place_from_right
from papan.ui.scenes.dialogs import confirm
from papan.ui.scenes.file_chooser import FileChooser
from papan.ui.scenes.panel_form import PanelForm, Row
from papan.ui.texts import _, in_figures, translated
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.choices import Toggle
from papan.ui.widgets.dropdown import Dropdown, Item
from papan.ui.widgets.paragraphs import Paragraph, Paragraphs
from papan.ui.widgets.text_field import TextField

T = TypeVar("T")
_LABEL_WIDTH = 250
_NUMBER_WIDTH = 170
_FOOT = 84
_LONGEST_PATH = 1000
_LABELS: Mapping[str, str] = {
    "name": say("Name in Papan"),
    "protocol": say("Protocol"),
    "command": say("Arguments"),
    "time": say("Seconds per move"),
    "depth": say("Depth"),
    "nodes": say("Positions"),
    "grace": say("Seconds it may be late"),
    "patience": say("Seconds to start"),
    "folder": say("Working folder"),
    "notation": say("Rank numbers"),
}
"""The fields, by the facts of an entry that they show."""
_CALLED = {**CALLED, **{fact: joined(["'", label, "'"], "") for fact, label in _LABELS.items()}}
_UNKNOWN = ""
"""The value of a menu for what is to be found out."""


class _Task:
    """Work of the scene's thread that can be stopped."""

    def __init__(self, words: str, then: Callable[..., object]) -> None:
        """:param then: called with the result."""
        self.words = words
        self.then = then
        self.share = 0.0
        self.is_stopped = Event()


class EngineForm(BackgroundScene):
    """Asks for everything about a program; a new one is recognised and tested at once."""

    def __init__(self, stage: Stage, draft: Draft) -> None:
        super().__init__(stage, "engine form")
        self.draft = draft
        self._is_new = draft.before is None
        if self._is_new:
            draft.texts.setdefault("time", f"{USUAL_LIMIT.time:g}")
        self._is_edited = False
        self._task: _Task | None = None
        self._found = ""
        """What the program tells of itself, as a sentence."""
        self._told: str = NO_WORDS
        """What came of the last task."""
        self._tone: Tone = "plain"
        self._other = ("", "")
        """The name and the value of an option that the program does not tell."""
        self._form = PanelForm(self, _LABEL_WIDTH)

    def begin(self) -> None:
        self._recognise()

    # --------------------------------------------------------------------------------------- the form

    def build(self) -> None:
        super().build()
        self.title = _("Add a program") if self._is_new else self.draft.name
        options = [self._option(option) for option in self.draft.shown]
        others = [] if self.draft.offers or not self.draft.protocol else [self._another_option()]
        self._defaults = Button(_("Default values"), self._reset, icon="undo", name="defaults")
        defaults = [self._form.row("", self._defaults)] if options else []
        self._form.show(
            (_("Program"), self._program()),
            (_("Thinking"), self._limits()),
            (_("Options"), [*options, *others, *defaults]),
        )
        add = self.widgets.add
        self._status = add(Paragraphs("status"))
        self._stop_button = add(Button(_("Stop"), self._stop, icon="stop", name="stop"))
        self._test_button = add(Button(_("Test"), self._test, icon="play", name="test"))
        self._save_button = add(Button(_("Save"), self._save, icon="save", kind="primary", name="save"))
        self._remove_button = add(Button(_("Remove from the list"), self._ask_to_remove, icon="trash", name="remove"))
        self._remove_button.show(not self._is_new)
        self._show_status()

    def _program(self) -> list[Row]:
        draft = self.draft
        file = self._text_row(_("File"), "program", draft.program, self._set_program, most=_LONGEST_PATH)
        file.aside = self.widgets.add(IconButton("folder", _("Choose the file"), self._choose, name="choose"))
        arguments = self._text_row(
            translated(_LABELS["command"]), "arguments", draft.arguments, partial(self._change, "arguments")
        )
        find_out = Item(_UNKNOWN, _("Find out"))
        games = {name: game for name, game in GALLERY.items() if is_for_programs(game)}
        if draft.game:
            games[draft.game] = GAMES[draft.game]
        titles = [Item(name, translated(game.title)) for name, game in games.items()]
        game = self._form.row(_("Game"), Dropdown([find_out, *titles], draft.game, self._set_game, name="game"))
        known = [find_out, *(Item(name, name) for name in PROTOCOLS)]
        choose = partial(self._change, "protocol")
        protocol = self._form.row(
            translated(_LABELS["protocol"]), Dropdown(known, draft.protocol, choose, name="protocol")
        )
        protocol.aside = self.widgets.add(Button(_("Recognise"), self._recognise, name="recognise"))
        rows = [file, arguments, game, protocol]
        if draft.notations:
            ways = [find_out, *(Item(way, way) for way in draft.notations)]
            chosen = draft.texts.get("notation", "")
            choose = partial(self._set_text, "notation")
            ranks = Dropdown(ways, chosen, choose, name="notation")
            rows.append(self._form.row(translated(_LABELS["notation"]), ranks))
        if self._is_new:
            name = self._text_row(
                translated(_LABELS["name"]), "name", draft.name, partial(self._change, "name"), most=LONGEST_NAME
            )
            rows.append(name)
        return rows

    def _limits(self) -> list[Row]:
        usual = _("usually {number}")
        rows = [
            self._number_row("time", ""),
            self._number_row("depth", _("instead of the time, or as well")),
            self._number_row("nodes", _("instead of the time, or as well")),
            self._number_row("grace", usual.format(number=in_figures(DEFAULT_GRACE, "g"))),
            self._number_row("patience", usual.format(number=in_figures(DEFAULT_PATIENCE, "g"))),
        ]
        folder = self._text_row(
            translated(_LABELS["folder"]), "folder", self.draft.texts.get("folder", ""),
            partial(self._set_text, "folder"), most=_LONGEST_PATH,
        )  # fmt: skip
        return [*rows, folder]

    def _number_row(self, key: str, note: str) -> Row:
        row = self._text_row(
            translated(_LABELS[key]), key, self.draft.texts.get(key, ""), partial(self._set_text, key), most=16
        )
        row.note, row.tone, row.width = note, "plain", _NUMBER_WIDTH
        return row

    def _text_row(
        self, label: str, name: str, text: str, changed: Callable[[str], object], *, most: int | None = None
    ) -> Row:
        return self._form.row(label, TextField(text, changed, name=name, most=most, submitted=self._save))

    def _option(self, option: EngineOption) -> Row:
        name, value = f"option {option.name}", self.draft.setting(option)
        change = partial(self._set_option, option)
        if option.kind == "check":
            is_on = value.lower() == "true"
            return self._form.row("", Toggle(option.name, is_on, lambda on: change(str(on).lower()), name=name))
        if option.kind == "button":
            return self._form.row(option.name, Button(_("Do it now"), partial(self._press, option.name), name=name))
        if option.kind == "combo":
            values = dict.fromkeys((*option.choices, value))
            row = self._form.row(option.name, Dropdown([Item(one, one) for one in values], value, change, name=name))
        else:
            row = self._text_row(option.name, name, value, change, most=_LONGEST_PATH)
        if option.kind == "spin":
            row.note, row.tone, row.width = translated(option.bounds), "plain", _NUMBER_WIDTH
        if option.is_file:
            choose = partial(self._choose_for, option)
            row.aside = self.widgets.add(IconButton("folder", _("Choose the file"), choose, name=f"choose {name}"))
            row.aside.beside = option.name
        row.is_strong = partial(self.draft.is_changed, option)
        return row

    def _another_option(self) -> Row:
        """The row for an option that a protocol can't tell."""
        name, value = self._other
        label = _("Another option")
        row = self._text_row(label, "other name", name, lambda text: self._set_other(text, self._other[1]))
        row.second = self.widgets.add(
            TextField(
                value, lambda text: self._set_other(self._other[0], text), name="other value",
                placeholder=_("Value"), submitted=self._add_other,
            )
        )  # fmt: skip
        row.second.beside = f"{label}, {_('Value')}"
        row.aside = self.widgets.add(Button(_("Add"), self._add_other, name="add option"))
        return row

    # ---------------------------------------------------------------------------------------- layout

    def page_height(self, width: int) -> int:
        return self._form.least_height(width) + self.px(_FOOT)

    def page_foot(self, width: int) -> int:
        return self.px(_FOOT)

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px = self.px
        self.place_in_header(area, (self._remove_button,))
        room = pygame.Rect(area.x, area.y, area.w, area.h - px(_FOOT))
        self._form.place(room)
        panel = self._form.panels[0].rect
        foot = pygame.Rect(panel.x, room.bottom, panel.w, px(_FOOT))
        if not self.widgets.page.foot:  # below the last panel, if everything has room
            foot.y = min(foot.y, self._form.panels[-1].rect.bottom + px(8))
        self._line = foot.y
        middle = foot.y + px(GAP) + px(BUTTON_HEIGHT) // 2
        left = place_from_right([self._save_button], (foot.right, middle), px(GAP))
        for button in (self._test_button, self._stop_button):
            size = button.natural_size
            button.place(pygame.Rect(left - size[0], middle - size[1] // 2, *size))
        left -= max(button.natural_size[0] for button in (self._test_button, self._stop_button)) + px(MARGIN)
        self._status.place(pygame.Rect(foot.x, foot.y + px(GAP), left - foot.x, px(_FOOT - 2 * GAP)))

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        self._form.draw(surface)
        left, right = (
            (0, self.area.w) if self.widgets.page.foot else (self._status.rect.x, self._save_button.rect.right)
        )
        if self.widgets.page.foot:
            surface.fill(self.theme.line, (left, self._line, right - left, max(1, self.px(1))))
        if self._task is not None:
            done = round((right - left) * self._task.share)
            surface.fill(self.theme.accent, (left, self._line, done, self.px(3)))

    def news(self) -> Sequence[News]:
        return *super().news(), News(self._words)

    @property
    def _words(self) -> str:
        return self._task.words if self._task is not None else translated(self._told)

    def _show_status(self) -> None:
        ink = {"bad": self.theme.bad_ink, "good": self.theme.good_ink, "plain": self.theme.ink}[self._tone]
        is_busy = self._task is not None
        self._status.tell([Paragraph(self._words, "small", self.theme.second if is_busy else ink)])
        self._stop_button.show(is_busy)
        self._test_button.show(not is_busy)
        self._defaults.enable(any(map(self.draft.is_changed, self.draft.shown)))
        self.invalidate()

    def _tell(self, words: str, tone: Tone = "plain") -> None:
        self._told, self._tone = words, tone
        self._show_status()

    # --------------------------------------------------------------------------------------- changes

    def _change(self, what: str, text: str) -> None:
        setattr(self.draft, what, text)
        self._is_edited = True

    def _set_program(self, text: str) -> None:
        self._change("program", text.strip().strip('"'))

    def _set_text(self, key: str, text: str) -> None:
        self.draft.texts[key] = text
        self._is_edited = True

    def _set_game(self, game: str) -> None:
        self._change("game", game)
        self.stage.rebuild(self)

    def _set_option(self, option: EngineOption, text: str) -> None:
        self.draft.set(option, text)
        self._is_edited = True
        self._show_status()

    def _set_other(self, name: str, value: str) -> None:
        self._other = name, value

    def _add_other(self) -> None:
        name, value = (text.strip() for text in self._other)
        if name:
            self.draft.settings[name] = value
            self._is_edited, self._other = True, ("", "")
            self.stage.rebuild(self)

    def _reset(self) -> None:
        for option in self.draft.shown:
            self.draft.set(option, option.default)
        self._is_edited = True
        self.stage.rebuild(self)

    def _choose(self) -> None:
        self.stage.push(FileChooser(self.stage, _("Choose a program"), self._take_file, several=False))

    def _take_file(self, paths: Sequence[Path]) -> None:
        self._set_program(str(paths[0]))
        self.stage.rebuild(self)
        self._recognise()

    def _choose_for(self, option: EngineOption) -> None:
        def take(paths: Sequence[Path]) -> None:
            self._set_option(option, str(paths[0]))
            self.stage.rebuild(self)

        self.stage.push(FileChooser(self.stage, option.name, take, several=False))

    # ----------------------------------------------------------------------------------------- tasks

    def _begin(self, words: str, work: Callable[[_Task], T], then: Callable[[T], object]) -> None:
        """Do *work* on the scene's thread in place of what runs there; *then* show its result."""
        self._stop()
        task = self._task = _Task(words, then)
        found, end = self.found, self._end

        def carry_out() -> None:
            result: object = None
            trouble: str = NO_WORDS
            try:
                if task.is_stopped.is_set():
                    raise Cancelled
                result = work(task)
            except Cancelled:
                trouble = say("Stopped.")
            except (EngineError, EntriesError) as error:
                trouble = str(error)
            found.put(partial(end, task, result, trouble))

        self.worker.submit(carry_out)
        self._show_status()

    def _stop(self) -> None:
        if self._task is not None:
            self._task.is_stopped.set()

    def _show_trial(self, task: _Task, trial: Trial) -> None:
        task.words, task.share = translated(trial.in_words), (trial.number - 0.5) / trial.most
        self._show_status()

    def _end(self, task: _Task, result: object, trouble: str) -> None:
        if task is not self._task:
            return  # another one has begun
        self._task = None
        if trouble:
            self._tell(joined([*([self._found] if self._found else []), trouble]), "bad")
        else:
            self._show_status()
            task.then(result)

    @property
    def is_working(self) -> bool:
        return self._task is not None

    def leave(self) -> None:
        self._stop()
        super().leave()

    def _recognise(self) -> None:
        draft = self.draft
        self._found = ""
        if not draft.program.strip():
            self._tell(say("Choose a program."), "bad")
            return
        folder, found, show = draft.texts.get("folder", ""), self.found, self._show_trial
        recognise_it = partial(recognise, draft.command, game=draft.game, protocol=draft.protocol)

        def work(task: _Task) -> Recognised:
            place = Path(folder).expanduser() if folder else None
            return recognise_it(
                place, tell=lambda trial: found.put(partial(show, task, trial)), is_cancelled=task.is_stopped.is_set
            )

        self._begin(_("The program starts …"), work, self._take)

    def _take(self, found: Recognised) -> None:
        self.draft.take(found, list(read_entries().engines))
        self._found = found.in_words
        if self.draft.game:
            self._tell(found.in_words)
        else:
            self._tell(joined([found.in_words, say("Choose the game that it plays.")]))
        self.pill = found.name
        self.stage.rebuild(self)
        if self._is_new and self.draft.game:
            self._test()

    def _entry(self) -> Entry | None:
        """The entry; None if a field is invalid, which is told."""
        try:
            return self.draft.entry(_CALLED)
        except (ValueError, PartError) as error:
            # the message of a draft is a clause
            words = str(error) if isinstance(error, PartError) else capitalised(joined([str(error), "."], ""))
            self._tell(words, "bad")
            return None

    def _test(self) -> None:
        entry = self._entry()
        if entry is not None:

            def show(tried: EngineCheck) -> None:
                words = tried.in_words(entry)
                self._tell(joined([self._found, words]) if self._found else words, "good")

            self._begin(_("The program plays a turn …"), lambda task: try_engine(entry, task.is_stopped.is_set), show)

    def _press(self, button: str) -> None:
        entry = self._entry()
        if entry is not None:
            words = say("{option} is done.", option=quoted(button))
            self._begin(
                _("The program starts …"),
                lambda task: press_button(entry, button, task.is_stopped.is_set),
                lambda _nothing: self._tell(words, "good"),
            )

    def _save(self) -> None:
        if self._entry() is not None:
            draft = self.draft
            work = partial(save_entry, draft.name, draft.facts, draft.before)
            words = say(
                "{name} is saved: choose it in a new match of {game}.", name=draft.name, game=GAMES[draft.game].title
            )
            self._begin(_("Saving …"), lambda _task: work(), lambda _nothing: self._close(words))

    def _ask_to_remove(self) -> None:
        name = self.draft.name
        title = _("Remove {name}?").format(name=name)

        def remove() -> None:
            words = say("{name} is removed.", name=name)
            self._begin(_("Saving …"), lambda _task: remove_entry(name), lambda _nothing: self._close(words))

        text = _("You can't choose it as a player any more, and its options are lost. The program itself stays.")
        confirm(self.stage, title, text, _("Remove from the list"), remove)

    def _close(self, words: str) -> None:
        self.stage.pop(self)
        self.stage.notify(words)

    def back(self) -> None:
        if not self._is_edited and not (self._is_new and self.draft.offers):
            super().back()
            return
        text = _("What you changed here has not been saved.")
        confirm(self.stage, _("Leave without saving?"), text, _("Leave"), super().back, _("Stay"))
