"""Asks how files are encoded that don't tell it, before they are imported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pygame

from papan.ai.thinking.thinker import Worker
from papan.game.formats.importing import ENCODINGS, Doubt, doubt_about
from papan.game.formats.source import Source, SourceError
from papan.game.game import Game
from papan.ui.drawing.theme import FIELD_HEIGHT
from papan.ui.scenes import News, Stage
from papan.ui.scenes.dialogs import Message, Reply
from papan.ui.texts import _
from papan.ui.widgets.dropdown import Dropdown, Item

_ABOVE = 16
_NAMES_LINES = 2

Accept = Callable[[Sequence[Path | Source]], object]


def ask_encoding(
    stage: Stage,
    paths: Sequence[Path],
    games: Sequence[Game],
    worker: Worker,
    call_soon: Callable[[Callable[[], object]], object],
    accept: Accept,
) -> None:
    """Call *accept* with the files, after a person has chosen the encoding of those for which it is only a guess.

    :param games: those that they may be of.
    :param worker: looks at the files.
    :param call_soon: runs a function on the window's thread.
    """

    def look() -> None:
        doubts: dict[Path, tuple[Source, Doubt]] = {}
        try:
            for path in paths:
                with suppress(SourceError):  # the import tells why
                    source = Source(path)
                    doubt = doubt_about(source, games)
                    if doubt is not None:
                        doubts[path] = source, doubt
        finally:
            call_soon(lambda: _ask(stage, paths, doubts, accept))

    worker.submit(look)


def _ask(stage: Stage, paths: Sequence[Path], doubts: dict[Path, tuple[Source, Doubt]], accept: Accept) -> None:
    if not doubts:
        accept(paths)
        return
    first, doubt = next(iter(doubts.values()))

    def chosen(encoding: str) -> None:
        """Read the doubtful files in *encoding*, or each in its own if the guess stays."""
        if encoding != doubt.guess:
            for source, _doubt in doubts.values():
                source.chosen_encoding = encoding
        accept([doubts[path][0] if path in doubts else path for path in paths])

    stage.push(EncodingDialog(stage, first.name, doubt, chosen))


class EncodingDialog(Message):
    """Lets a person choose the encoding of a file, and shows the first names as they read in it."""

    def __init__(self, stage: Stage, file: str, doubt: Doubt, accept: Callable[[str], object]) -> None:
        self.encoding = doubt.guess
        self._doubt = doubt
        self._accept = accept
        replies = [Reply(_("Cancel")), Reply(_("Import"), self._take, kind="primary")]
        words = _("{file} doesn't say how its letters are encoded. Choose the encoding that shows the names correctly.")
        super().__init__(stage, _("Import"), words.format(file=file), replies)

    def build(self) -> None:
        guess = self._doubt.guess
        items = [
            Item(name, ENCODINGS.get(name, name), _("guessed") if name == guess else "") for name in self._doubt.names
        ]
        self._choice = self.widgets.add(Dropdown(items, self.encoding, self._choose, name="encoding"))
        self._choice.beside = _("Read as")
        super().build()
        self.widgets.focus(self._choice)

    @property
    def names(self) -> str:
        """The first names in the chosen encoding."""
        return " · ".join(self._doubt.names[self.encoding]) or _("No names are found with this encoding.")

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px = self.px
        inner = self.panel.inflate(-2 * px(24), 0)
        top = self.panel.y + px(24 + 34 + _ABOVE) + self.paint.paragraph_height(self.text, inner.w, "text")
        self._choice.place(pygame.Rect(inner.x, top, inner.w, px(FIELD_HEIGHT)))

    @property
    def _names_height(self) -> int:
        return _NAMES_LINES * self.paint.line_height("text")

    def _body_height(self, width: int) -> int:
        return super()._body_height(width) + self.px(2 * _ABOVE + FIELD_HEIGHT) + self._names_height

    def _draw_body(self, surface: pygame.Surface, area: pygame.Rect) -> None:
        super()._draw_body(surface, area)
        room = pygame.Rect(area.x, self._choice.rect.bottom + self.px(_ABOVE), area.w, self._names_height)
        self.paint.paragraph(surface, self.names, room, "text", most_lines=_NAMES_LINES)

    def news(self) -> Sequence[News]:
        return *super().news(), News(self.names)

    def _choose(self, encoding: str) -> None:
        self.encoding = encoding
        self.invalidate()

    def _take(self) -> None:
        self._accept(self.encoding)
