"""A file chooser, as SDL 2 has no system dialog."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pygame

from papan.game.base.places import documents_folder
from papan.game.base.sentences import say, unended
from papan.game.base.sqlite import in_words
from papan.game.base.untrusted import quoted, quoted_path, shortened
from papan.ui.drawing.theme import BUTTON_HEIGHT, FIELD_HEIGHT, GAP, MARGIN, SMALLEST_PAGE
from papan.ui.play.folders import FolderJob, Item, places
from papan.ui.scenes import HEADER_HEIGHT, HeaderScene, News, Stage
from papan.ui.scenes.dialogs import confirm
from papan.ui.texts import _, plural, translated
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.lists import FileList
from papan.ui.widgets.shortcuts import Shortcut
from papan.ui.widgets.text_field import TextField

_PLACES_WIDTH = 190
_MOST_PLACES = 10
_WIDEST = 1100
_READING_SECONDS = 0.05


class FileChooser(HeaderScene):
    """Asks for files to open, or for a folder and a name to save one."""

    def __init__(
        self,
        stage: Stage,
        title: str,
        accept: Callable[[Sequence[Path]], object],
        *,
        file_name: str | None = None,
        several: bool = True,
    ) -> None:
        """:param accept: called with the files once the chooser has closed.
        :param file_name: the suggested name of the file to save; None: open files.
        :param several: whether several files can be opened.
        """
        super().__init__(stage)
        self.title = title
        self._accept = accept
        self._file_name = file_name
        self._is_saving = file_name is not None
        self._marks = several and not self._is_saving
        self._places = places()[:_MOST_PLACES]
        saved = stage.settings.folder
        candidates = [*([Path(saved)] if saved else []), documents_folder(), *self._places]
        self.folder = next((path for path in candidates if path.is_dir()), Path.cwd())
        self._job: FolderJob | None = None
        self._trouble = ""
        self._panel = pygame.Rect(0, 0, 0, 0)
        self._list = FileList(self._open, self._chosen, marks=self._marks)

    def build(self) -> None:
        super().build()
        add = self.widgets.add
        self._path = add(
            TextField(
                str(self.folder), lambda text: None, name="path", submitted=self._go_to_typed,
                tooltip=_("The path of a folder or a file; Enter goes there") + " (Ctrl+L)",
            )
        )  # fmt: skip
        self._up = add(IconButton("up", _("The folder above"), self._go_up, name="up"))
        self._buttons = [
            add(Button(_place_name(place), partial(self.go_to, place), name=f"place {number}", tooltip=str(place)))
            for number, place in enumerate(self._places, start=1)
        ]
        before = self._list
        self._list = add(FileList(self._open, self._chosen, marks=self._marks))
        self._name: TextField | None = None
        if self._is_saving:
            label, rename = _("Name of the file"), partial(setattr, self, "_file_name")
            name = self._file_name or ""
            self._name = add(TextField(name, rename, name="file name", submitted=self._finish, placeholder=label))
            self._name.beside = label
        label = _("Save") if self._is_saving else _("Open")
        self._done = add(Button(label, self._finish, kind="primary", name="done"))
        self._list.show_items(before.entries, before.empty_words)
        if self.widgets.focused is None:
            self.widgets.focus(self._list if not self._is_saving else self._name)
        self._chosen()

    def page_height(self, width: int) -> int:
        return self.px(SMALLEST_PAGE[1])  # the list scrolls by itself

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px = self.px
        gap, height = px(GAP), px(FIELD_HEIGHT)
        width = min(area.w - 2 * px(MARGIN), px(_WIDEST))
        body = pygame.Rect(0, px(HEADER_HEIGHT), width, area.h - px(HEADER_HEIGHT + 16))
        body.centerx = area.centerx
        self._up.place(pygame.Rect(body.x, body.y, height, height))
        self._path.place(pygame.Rect(body.x + height + px(8), body.y, body.w - height - px(8), height))
        top = body.y + height + gap
        left = body.x + px(_PLACES_WIDTH) + gap
        foot = body.bottom - px(BUTTON_HEIGHT)
        for number, button in enumerate(self._buttons):
            place = pygame.Rect(body.x, top + number * px(BUTTON_HEIGHT + 6), px(_PLACES_WIDTH), px(BUTTON_HEIGHT))
            button.place(place)
            button.show(place.bottom <= body.bottom)
        self._panel = pygame.Rect(left, top, body.right - left, foot - gap - top)
        self._list.place(self._panel.inflate(-2 * px(6), -2 * px(6)))
        self._place_done(body.bottomright)
        self._note = pygame.Rect(left, foot, self._done.rect.x - px(12) - left, px(BUTTON_HEIGHT))
        if self._name is not None:
            self._name.place(self._note)

    def _place_done(self, corner: tuple[int, int]) -> None:
        wide, high = max(self.px(130), self._done.natural_size[0]), self.px(BUTTON_HEIGHT)
        self._done.place(pygame.Rect(corner[0] - wide, corner[1] - high, wide, high))

    def enter(self) -> None:
        self.go_to(self.folder)

    def go_to(self, folder: Path) -> None:
        self._job = FolderJob(folder)
        self._trouble = ""
        self.invalidate()

    def _go_up(self) -> None:
        self.go_to(self.folder.parent)

    def _ask_path(self) -> None:
        self.widgets.focus(self._path, by_keyboard=True)
        self._path.line.select_all()
        self.invalidate()

    def _paste(self) -> None:
        """Go to the path on the clipboard, or open the files if it has several."""
        texts = [text for text in self.stage.clipboard_text().splitlines() if text.strip()]
        if not texts:
            self._complain(say("There is no text on the clipboard: copy a path first."))
            return
        with suppress(OSError, ValueError, RuntimeError):
            paths = [self._path_of(text) for text in texts]
            if self._marks and len(paths) > 1 and all(path.is_file() for path in paths):
                self._end(paths)
                return
        self._path.write(texts[0].strip())
        self._go_to_typed()

    def _path_of(self, text: str) -> Path:
        """The path in *text*, also in quotation marks or as a ``file:`` address; raises what ``Path`` does."""
        from urllib.request import url2pathname  # slow to import

        text = text.strip().strip("\"'")
        if text.startswith("file://"):
            text = url2pathname(urlsplit(text).path)
        return self.folder / Path(text).expanduser()

    def _go_to_typed(self) -> None:
        self._trouble = ""
        try:
            path = self._path_of(self._path.text)
            if path.is_dir():
                self.go_to(path)
            elif self._is_saving:
                self._save_as(path)
            elif path.is_file():
                self._end([path])
            else:
                self._complain(say("There is no {path}.", path=quoted_path(path)))
        except (OSError, ValueError, RuntimeError) as error:
            self._complain(
                say("{path} is no path: {reason}.", path=quoted(self._path.text), reason=unended(in_words(error)))
            )

    def _complain(self, words: str) -> None:
        self._trouble = words
        self.invalidate()

    def _open(self, item: Item) -> None:
        if item.is_folder:
            self.go_to(item.path)
            return
        if self._name is not None:
            self._name.write(item.path.name)
        self._finish()

    def _chosen(self) -> None:
        """Update the button for the files chosen."""
        if not self._is_saving:
            chosen = self._list.chosen
            files = self._list.files
            self._done.enable(bool(files) or chosen is not None)
            many = plural("Open {count} file", "Open {count} files", len(files))
            self._done.relabel(many if len(files) > 1 else _("Open"))
            if self._panel.w:
                self._place_done(self._done.rect.bottomright)
        self.invalidate()

    def _finish(self) -> None:
        if self._name is not None:
            name = self._name.text.strip()
            if not name or name in (".", "..") or "/" in name or "\\" in name or "\0" in name:
                self._complain(say("Write a name for the file, without / or \\."))
            else:
                self._save_as(self.folder / (name if Path(name).suffix else f"{name}.txt"))
        elif self._list.files:
            self._end([item.path for item in self._list.files])
        elif self._list.chosen is not None:
            self._open(self._list.chosen)

    def _save_as(self, path: Path) -> None:
        """Save as *path*; ask before replacing a file."""
        try:
            is_folder, is_there = path.is_dir(), path.exists()
        except OSError as error:  # such as a name too long, or a folder without permission
            name, reason = shortened(path.name), in_words(error)
            self._complain(say("{file} can't be written: {reason}.", file=name, reason=reason))
            return
        if is_folder:
            self._complain(say("{name} is a folder.", name=path.name))
        elif is_there:
            words = _("**{name}** already exists. Its contents will be replaced.").format(name=path.name)
            confirm(self.stage, _("Replace the file?"), words, _("Replace"), partial(self._end, [path]))
        else:
            self._end([path])

    def _end(self, paths: Sequence[Path]) -> None:
        folder, accept = str(paths[0].parent), self._accept
        if self.stage.settings.folder != folder:
            self.stage.settings.folder = folder
        self.stage.pop(self)
        accept(paths)

    @property
    def idle_seconds(self) -> float:
        return _READING_SECONDS if self._job is not None else super().idle_seconds

    def update(self, seconds: float) -> None:
        if self._job is None or self._job.folder is None:
            return
        folder, self._job = self._job.folder, None
        self.folder = folder.path
        self._path.write(str(folder.path))
        self._list.show_items(folder.items, translated(folder.trouble) or _("This folder is empty."))
        self._chosen()

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        self.paint.panel(surface, self._panel)
        words = translated(self._trouble)
        ink = self.theme.bad_ink
        if not words and self._marks:
            words, ink = _("Space marks several files"), self.theme.second
        if words and self._name is None:
            at = (self._note.x, self._note.centery)
            self.paint.text(surface, words, at, "small", ink, anchor="midleft", width=self._note.w)
        elif words:
            at = (self._panel.right - self.px(14), self._panel.bottom - self.px(16))
            self.paint.pill(surface, words, at, anchor="midright", ink=ink, width=self._panel.w - self.px(28))

    def news(self) -> Sequence[News]:
        return *super().news(), News(_place_name(self.folder)), News(translated(self._trouble))

    def shortcuts(self) -> Sequence[Shortcut]:
        return (
            Shortcut("Backspace", _("the folder above"), self._go_up),
            Shortcut("Ctrl+L", _("write a path"), self._ask_path),
            Shortcut("Ctrl+V", _("go to the path on the clipboard"), self._paste),
        )


def _place_name(place: Path) -> str:
    try:
        if place == Path.home():
            return _("Home folder")
    except RuntimeError:
        pass  # unknown
    return place.name or str(place)
