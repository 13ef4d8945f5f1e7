"""Engines as players: those in the person's file, each with a test and a form, and the file's path."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from threading import Event

import pygame

from papan.ai.engines import EngineError
from papan.ai.engines.drafts import Draft
from papan.ai.engines.entries import Entries, EntriesError, Entry, entries_file, entry_of, read_entries
from papan.ai.engines.player import try_engine
from papan.ai.engines.saving import facts_of
from papan.game.catalogue import GAMES
from papan.game.game import PartError
from papan.ui.drawing.theme import BUTTON_HEIGHT, GAP, MARGIN
from papan.ui.scenes import HEADER_HEIGHT, BackgroundScene, Stage, place_from_right
from papan.ui.scenes.file_chooser import FileChooser
from papan.ui.texts import _, translated
from papan.ui.widgets.buttons import Button

_PADDING = 20
_ROW = 60
_WIDEST = 860
_NAME_WIDTH = 230
_FOOT = 132


class EnginesScene(BackgroundScene):
    def __init__(self, stage: Stage) -> None:
        super().__init__(stage, "engine test")
        self._entries = Entries()
        self._results: dict[str, tuple[bool, str]] = {}
        """By the engine's name: whether its test passed, and a sentence."""
        self._testing: set[str] = set()
        self._has_left = Event()
        self._rows: list[tuple[Entry, Button, Button]] = []
        """Each engine with its buttons, the last one first."""
        self._first = 0
        """The index of the engine at the top, as there may be more than have room."""
        self._room = 1

    def build(self) -> None:
        super().build()
        self.title = _("Other programs")
        self._entries = read_entries()
        self._rows = []
        for entry in self._entries.engines.values():
            test = Button(_("Test"), partial(self._test, entry), name=f"test {entry.name}")
            edit = Button(_("Change"), partial(self._edit, entry), name=f"edit {entry.name}")
            test.beside = edit.beside = entry.name
            self.widgets.add(test)
            self._rows.append((entry, self.widgets.add(edit), test))
        self._more = self.widgets.add(Button(_("More"), self._turn_over, name="more"))
        self._again = self.widgets.add(Button(_("Read the file again"), self._read, name="file"))
        self._again.show(entries_file().exists())
        self._add = self.widgets.add(Button(_("Add a program"), self._choose, icon="plus", kind="primary", name="add"))

    def enter(self) -> None:
        if self._is_begun:  # back from a form
            self._read()
        super().enter()

    def _turn_over(self) -> None:
        self._first = self._first + self._room if self._first + self._room < len(self._rows) else 0
        self.layout(self.area)
        self.invalidate()

    def _read(self) -> None:
        self._results.clear()
        self.stage.rebuild(self)

    def _choose(self) -> None:
        stage = self.stage

        def show(paths: Sequence[Path]) -> None:
            show_form(stage, Draft(program=str(paths[0])))

        stage.push(FileChooser(stage, _("Choose a program"), show, several=False))

    def _edit(self, entry: Entry) -> None:
        try:
            facts = facts_of(entry.name) or {}
            entry_of(entry.name, facts)
        except (EntriesError, PartError, ValueError):  # the file has changed meanwhile
            self._read()
        else:
            show_form(self.stage, Draft.of(entry.name, facts))

    # --------------------------------------------------------------------------------------- testing

    def _test(self, entry: Entry) -> None:
        if entry.name in self._testing:
            return
        self._testing.add(entry.name)
        self._results[entry.name] = True, _("testing …")
        found, tell, has_left = self.found, self._tell, self._has_left

        def work() -> None:
            if has_left.is_set():
                return
            try:
                told = True, translated(try_engine(entry, has_left.is_set).in_words(entry))
            except EngineError as error:
                told = False, str(error)
            found.put(partial(tell, entry.name, told))

        self.worker.submit(work)
        self.invalidate()

    def tested(self, name: str) -> tuple[bool, str] | None:
        """Whether the last test of the engine *name* passed, and a sentence; None before its end."""
        return None if name in self._testing else self._results.get(name)

    def _tell(self, name: str, told: tuple[bool, str]) -> None:
        self._testing.discard(name)
        self._results[name] = told

    def leave(self) -> None:
        self._has_left.set()  # which ends a running test
        super().leave()

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px = self.px
        width = min(area.w - 2 * px(MARGIN), px(_WIDEST))
        left, top = area.centerx - width // 2, px(HEADER_HEIGHT)
        self._room = max(1, (area.bottom - top - px(_FOOT) - px(GAP)) // px(_ROW))
        if self._first >= len(self._rows) or len(self._rows) <= self._room:
            self._first = 0
        rows = min(len(self._rows), self._room)
        self._panel = pygame.Rect(left, top, width, max(1, rows) * px(_ROW) + px(16))
        for index, (_entry, *buttons) in enumerate(self._rows):
            row = index - self._first
            middle = self._panel.y + px(8) + max(0, min(row, rows)) * px(_ROW) + px(_ROW) // 2
            for button in buttons:
                button.show()
            place_from_right(buttons, (self._panel.right - px(_PADDING), middle), px(8))
            for button in buttons:
                button.show(0 <= row < rows)
        self._more.show(len(self._rows) > rows)
        middle = self._panel.bottom + px(GAP) + px(BUTTON_HEIGHT) // 2
        self._left = place_from_right([self._add, self._again, self._more], (self._panel.right, middle), px(GAP))

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        px, paint, theme = self.px, self.paint, self.theme
        paint.panel(surface, self._panel)
        if not self._rows:
            middle = (self._panel.x + px(_PADDING), self._panel.centery)
            paint.text(surface, _("No programs yet. Add one to play against it."), middle, "text", anchor="midleft")
        for entry, _edit, button in self._rows:
            if button.is_visible:
                self._draw_entry(surface, entry, button.rect)
        foot = pygame.Rect(self._panel.x, self._add.rect.y, self._left - self._panel.x, px(BUTTON_HEIGHT))
        paint.paragraph(surface, str(entries_file()), foot, "small", theme.second, most_lines=2)
        below = pygame.Rect(self._panel.x, foot.bottom + px(8), self._panel.w, px(_FOOT) - px(BUTTON_HEIGHT) - px(8))
        if self._entries.faults:
            words = " ".join(map(translated, self._entries.faults))
            paint.paragraph(surface, words, below, "small strong", theme.bad_ink, most_lines=4)
        else:
            words = _("Programs run with your permissions: add only those that you trust.")
            paint.paragraph(surface, words, below, "small", theme.second, most_lines=4)

    def _draw_entry(self, surface: pygame.Surface, entry: Entry, button: pygame.Rect) -> None:
        px, paint, theme = self.px, self.paint, self.theme
        left, middle, width = self._panel.x + px(_PADDING), button.centery, px(_NAME_WIDTH)
        paint.text(surface, entry.name, (left, middle - px(11)), "strong", anchor="midleft", width=width)
        facts = f"{translated(GAMES[entry.game].title)}, {entry.protocol}, {translated(entry.limit_in_words)}"
        paint.text(surface, facts, (left, middle + px(11)), "small", theme.second, anchor="midleft", width=width)
        went_well, words = self._results.get(entry.name, (True, ""))
        right = pygame.Rect(left + width + px(16), 0, button.x - left - width - px(32), 0)
        height = paint.paragraph_height(words, right.w, "small", 3)
        right.update(right.x, middle - height // 2, right.w, height)
        ink = theme.ink if went_well else theme.bad_ink
        paint.paragraph(surface, words, right, "small", ink, most_lines=3)


def show_form(stage: Stage, draft: Draft) -> None:
    from papan.ui.scenes.engine_form import EngineForm

    stage.push(EngineForm(stage, draft))
