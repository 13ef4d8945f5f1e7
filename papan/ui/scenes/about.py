"""About the program: version, licences of its components, and where the person's files are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pygame

from papan.game.base.assets import ASSETS
from papan.game.base.licences import OWN, LicensedWork, licensed_works
from papan.game.base.logfile import log_file
from papan.game.base.places import cache_folder, data_folder
from papan.game.base.programs import NotShown, show_folder
from papan.game.base.version import VERSION
from papan.ui.drawing.theme import FIELD_HEIGHT, GAP, MARGIN, Colour, TextStyle
from papan.ui.scenes import HEADER_HEIGHT, BackgroundScene, Stage
from papan.ui.texts import _, plural
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.dropdown import Dropdown, Item
from papan.ui.widgets.scroll import LongText

_PADDING = 20
_HEADING = 48
_LEFT_SHARE = 0.42
_WIDEST_LEFT = 480
_WIDEST = 1240
_ICON = "icon/papan-128.png"
_ICON_SIDE = 64
_PROGRAM_HEIGHT = 188
_ROW = 70
_NARROW_TEXT = 360
"""The height of the licence panel on a narrow page."""


class AboutScene(BackgroundScene):
    def __init__(self, stage: Stage) -> None:
        super().__init__(stage, "about")
        self._works: Sequence[LicensedWork] = ()
        self._chosen = OWN
        self._text = ""

    def begin(self) -> None:
        found = self.found
        self.worker.submit(lambda: found.put(partial(self._show_works, licensed_works())))

    def build(self) -> None:
        super().build()
        self.title = _("About Papan")
        side = self.px(_ICON_SIDE), self.px(_ICON_SIDE)
        self._icon = ASSETS.open(_ICON, lambda file: pygame.transform.smoothscale(pygame.image.load(file), side))
        self._places = [
            (_("Matches, settings and engines"), data_folder(), data_folder()),
            (_("Error log"), log_file(), log_file().parent),
            (_("Compiled code of the games (safe to delete)"), cache_folder(), cache_folder()),
        ]
        tooltip = _("For a report: the version, the system, and the end of the log")
        self._details = self.widgets.add(
            Button(_("Copy details"), self._copy_details, icon="copy", name="details", tooltip=tooltip)
        )
        self._buttons = []
        for row, (label, path, folder) in enumerate(self._places, start=1):
            copy = partial(self.stage.copy_text, str(path))
            copying = IconButton("copy", _("Copy the path"), copy, name=f"copy {row}")
            opening = IconButton("folder", _("Open the folder"), partial(self._open, folder), name=f"open {row}")
            copying.beside = opening.beside = label
            self._buttons.append((self.widgets.add(copying), self.widgets.add(opening)))
        self._menu = self.widgets.add(Dropdown(self._offered(), self._chosen, self._read, name="work"))
        self._menu.beside = self._number_of_works()
        self._reading = self.widgets.add(LongText("licence"))
        self._reading.beside = _("Licence")

    def _copy_details(self) -> None:
        self.stage.copy_text(self.stage.diagnostics())

    def _offered(self) -> list[Item]:
        return [Item(work.name, work.name, work.licence) for work in self._works] or [Item(OWN, OWN, "MIT")]

    def _number_of_works(self) -> str:
        return plural(
            "1 component, with its licence", "{count} components, each with its licence", max(1, len(self._works))
        )

    def narrow_height(self, width: int) -> int:
        files = _HEADING + 8 + len(self._places) * _ROW
        return self.px(HEADER_HEIGHT + _PROGRAM_HEIGHT + GAP + files + GAP + _NARROW_TEXT + MARGIN)

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px = self.px
        width = min(area.w - 2 * px(MARGIN), px(_WIDEST))
        left, top = area.centerx - width // 2, px(HEADER_HEIGHT)
        is_narrow = self.is_narrow(area.w)
        column = width if is_narrow else min(round(width * _LEFT_SHARE), px(_WIDEST_LEFT))
        self._program = pygame.Rect(left, top, column, px(_PROGRAM_HEIGHT))
        rows = len(self._places)
        self._files = pygame.Rect(left, self._program.bottom + px(GAP), column, px(_HEADING + 8) + rows * px(_ROW))
        size = self._details.natural_size
        at = (left + px(_PADDING), self._program.bottom - px(_PADDING) - size[1])
        self._details.place(pygame.Rect(at, size))
        side = px(FIELD_HEIGHT)
        for row, (copying, opening) in enumerate(self._buttons):
            opening.place(pygame.Rect(self._files.right - px(_PADDING) - side, self._row_top(row) + px(6), side, side))
            copying.place(opening.rect.move(-side - px(8), 0))
        self._made_of = pygame.Rect(self._files.right + px(GAP), top, left + width - self._files.right - px(GAP), 0)
        if is_narrow:
            top = self._files.bottom + px(GAP)
            self._made_of = pygame.Rect(left, top, width, 0)
        self._made_of.h = area.bottom - px(MARGIN) - top
        inner = self._made_of.inflate(-2 * px(_PADDING), 0)
        self._menu.place(pygame.Rect(inner.x, top + px(_HEADING + 22), inner.w, px(FIELD_HEIGHT)))
        below = self._menu.rect.bottom + px(GAP)
        self._reading.place(pygame.Rect(inner.x, below, inner.w + px(8), self._made_of.bottom - px(12) - below))
        self._reading.show_text(self._text)

    def _row_top(self, row: int) -> int:
        return self._files.y + self.px(_HEADING) + row * self.px(_ROW)

    def _show_works(self, works: Sequence[LicensedWork]) -> None:
        self._works = works
        self._menu.offer(self._offered())  # not rebuilt: a button may just be pressed
        self._menu.beside = self._number_of_works()
        self._read(self._chosen)

    def _read(self, name: str) -> None:
        self._chosen = name
        found = self.found
        for work in self._works:
            if work.name == name:
                self.worker.submit(partial(lambda work: found.put(partial(self._show_text, name, work.text())), work))

    def _show_text(self, name: str, text: str) -> None:
        if name == self._chosen:
            self._text = text or _("No licence text is included.")
            self._reading.show_text(self._text)

    def _open(self, folder: Path) -> None:
        found, notify = self.found, self.stage.notify

        def show() -> None:
            try:
                show_folder(folder)
            except NotShown as error:
                found.put(partial(notify, str(error)))

        self.worker.submit(show)

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        px, paint, theme = self.px, self.paint, self.theme
        for panel in (self._program, self._files, self._made_of):
            paint.panel(surface, panel)
        self._draw_program(surface)
        left = self._files.x + px(_PADDING)
        paint.text(surface, _("Your files"), (left, self._files.y + px(28)), "heading", anchor="midleft")
        for row, (label, path, _folder) in enumerate(self._places):
            top = self._row_top(row)
            room = self._buttons[row][0].rect.x - left - px(12)
            paint.text(surface, label, (left, top + px(14)), "strong", anchor="midleft", width=room, shrinks=True)
            below = pygame.Rect(left, top + px(26), room, 0)
            paint.paragraph(surface, str(path), below, "small", theme.second, most_lines=2)
        left, top = self._made_of.x + px(_PADDING), self._made_of.y
        room = self._made_of.w - 2 * px(_PADDING)
        paint.text(surface, _("Software used"), (left, top + px(28)), "heading", anchor="midleft", width=room)
        words = self._number_of_works()
        paint.text(surface, words, (left, top + px(52)), "small", theme.second, anchor="midleft", width=room)

    def _draw_program(self, surface: pygame.Surface) -> None:
        px, paint, theme, panel = self.px, self.paint, self.theme, self._program
        left, top, side = panel.x + px(_PADDING), panel.y + px(18), px(_ICON_SIDE)
        if self._icon is not None:
            surface.blit(self._icon, (left, top))
        beside = left + side + px(16)
        room = panel.right - px(_PADDING) - beside
        lines: tuple[tuple[str, TextStyle, Colour], ...] = (
            (_("Papan {version}").format(version=VERSION), "heading", theme.ink),
            (_("Board games to play, watch and understand"), "small", theme.second),
            (_("By the Papan contributors"), "small", theme.second),
            (_("Free to use, change and share: MIT licence"), "small", theme.second),
        )
        for row, (words, style, ink) in enumerate(lines):
            middle = top + px(8) + row * px(22)
            paint.text(surface, words, (beside, middle), style, ink, anchor="midleft", width=room, shrinks=True)
