"""The file chooser: to the file by keys, by mouse and by typing, and nothing is replaced without asking."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pygame
import pytest

from papan.game.base.untrusted import quoted_path
from papan.ui.play import folders
from papan.ui.play.folders import read_folder
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.file_chooser import FileChooser
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.widgets.lists import FileList
from papan.ui.widgets.text_field import TextField
from tests.ui.hands import Hands
from tests.ui.scenes.conftest import LARGE, SMALLEST


@pytest.fixture
def documents(home: Path) -> Path:
    """A folder with a folder, two records and a hidden file."""
    folder = home / "documents"
    (folder / "Games").mkdir(parents=True)
    for name in ("one.txt", "two.txt", ".hidden.txt"):
        (folder / name).write_text(name, encoding="utf-8")
    (folder / "Games" / "three.txt").write_text("three", encoding="utf-8")
    return folder


class Choosing(Hands):
    """A window in which files are chosen."""

    def __init__(self, size: tuple[int, int] = (1280, 800)) -> None:
        super().__init__(size)
        self.chosen: list[Path] = []

    def ask(self, file_name: str | None = None) -> FileChooser:
        self.show(HomeScene(self.app))
        chooser = self.show(FileChooser(self.app, "Files", self.take, file_name=file_name))
        self.settle(chooser)
        return chooser

    def take(self, paths: Sequence[Path]) -> None:
        self.chosen = list(paths)

    def settle(self, chooser: FileChooser) -> None:
        self.until(lambda: chooser._job is None)

    @property
    def names(self) -> list[str]:
        return [item.path.name for item in self.widget_as("files", FileList).entries]


@pytest.fixture
def choosing(documents: Path) -> Iterator[Choosing]:
    choosing = Choosing()
    yield choosing
    choosing.app.close()


@pytest.mark.parametrize("file_name", [None, "papan.txt"])
@pytest.mark.parametrize("size", [SMALLEST, LARGE])
def test_nothing_is_cut_off(documents: Path, size: tuple[int, int], file_name: str | None) -> None:
    choosing = Choosing(size)
    choosing.ask(file_name)
    choosing.check_layout()
    choosing.app.close()


class TestOpening:
    def test_by_keys(self, choosing: Choosing, documents: Path) -> None:
        chooser = choosing.ask()
        assert choosing.names == ["Games", "one.txt", "two.txt"], "folders first and nothing hidden"
        choosing.press(pygame.K_RETURN)
        choosing.settle(chooser)
        assert choosing.names == ["three.txt"] and choosing.widget_as("path", TextField).text.endswith("Games")
        choosing.press(pygame.K_BACKSPACE)
        choosing.settle(chooser)
        choosing.press(pygame.K_t, text="t")
        choosing.press(pygame.K_RETURN)
        assert choosing.chosen == [documents / "two.txt"]
        choosing.scene_as(HomeScene)
        choosing.chosen.clear()
        choosing.ask()
        choosing.press(pygame.K_ESCAPE)
        choosing.scene_as(HomeScene)
        assert choosing.chosen == [], "Esc chooses nothing"

    def test_several(self, choosing: Choosing, documents: Path) -> None:
        choosing.ask()
        choosing.keys(pygame.K_DOWN, pygame.K_SPACE, pygame.K_DOWN, pygame.K_SPACE)
        assert getattr(choosing.widget("done"), "label", "") == "Open 2 files"
        choosing.click("done")
        assert choosing.chosen == [documents / "one.txt", documents / "two.txt"]

    def test_by_mouse(self, choosing: Choosing, documents: Path) -> None:
        choosing.ask()
        files = choosing.widget("files").rect
        row = choosing.app.theme.px(34)
        for _ in range(2):
            choosing.click((files.x + 60, files.y + row + row // 2))
        assert choosing.chosen == [documents / "one.txt"]

    def test_by_typing_a_path(self, choosing: Choosing, documents: Path) -> None:
        chooser = choosing.ask()
        path = choosing.widget_as("path", TextField)
        choosing.focus("path")
        path.write("Games")
        choosing.press(pygame.K_RETURN)
        choosing.settle(chooser)
        assert chooser.folder == documents / "Games"
        path.write(str(documents / "nothing.txt"))
        choosing.press(pygame.K_RETURN)
        assert chooser._trouble == f"There is no {quoted_path(documents / 'nothing.txt')}." and choosing.chosen == []
        assert chooser.news()[-1].sentence == chooser._trouble, "it is spoken"
        path.write(f'"{documents / "one.txt"}"')
        choosing.press(pygame.K_RETURN)
        assert choosing.chosen == [documents / "one.txt"]

    def test_by_pasting_a_path(self, choosing: Choosing, documents: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Ctrl+L goes to the field, whose text is replaced by what is written; Ctrl+V goes to the path at once."""
        clipboard = [" "]
        monkeypatch.setattr(choosing.app, "clipboard_text", lambda: clipboard[0])
        chooser = choosing.ask()
        choosing.press(pygame.K_v, pygame.KMOD_CTRL)
        assert "There is no text on the clipboard" in chooser._trouble
        choosing.press(pygame.K_l, pygame.KMOD_CTRL)
        assert choosing.focused() == "path"
        choosing.type("Games")
        choosing.press(pygame.K_RETURN)
        choosing.settle(chooser)
        assert chooser.folder == documents / "Games" and not chooser._trouble
        assert chooser.news()[-2].sentence == "Games"
        choosing.focus("files")
        with_blank = documents / "a b.txt"
        with_blank.write_text("a", encoding="utf-8")
        clipboard[0] = with_blank.as_uri() + "\r\n"
        choosing.press(pygame.K_v, pygame.KMOD_CTRL)
        assert choosing.chosen == [with_blank]
        choosing.ask()
        clipboard[0] = f"{documents / 'one.txt'}\n'{documents / 'two.txt'}'\n"
        choosing.press(pygame.K_v, pygame.KMOD_CTRL)
        assert choosing.chosen == [documents / "one.txt", documents / "two.txt"]

    def test_the_folder_is_remembered(self, choosing: Choosing, documents: Path) -> None:
        chooser = choosing.ask()
        chooser.go_to(documents / "Games")
        choosing.settle(chooser)
        choosing.press(pygame.K_RETURN)
        assert choosing.ask().folder == documents / "Games"

    def test_a_folder_that_cannot_be_read_is_said(self, choosing: Choosing, documents: Path) -> None:
        chooser = choosing.ask()
        chooser.go_to(documents / "gone")
        choosing.settle(chooser)
        assert choosing.names == []
        assert "can't be read" in choosing.widget_as("files", FileList).empty_words
        choosing.click("up")
        choosing.settle(chooser)
        assert choosing.names == ["Games", "one.txt", "two.txt"]


class TestSaving:
    def test_under_the_name_that_is_offered(self, choosing: Choosing, documents: Path) -> None:
        choosing.ask("papan.txt")
        assert choosing.focused() == "file name"
        choosing.press(pygame.K_RETURN)
        assert choosing.chosen == [documents / "papan.txt"]

    def test_a_file_is_replaced_only_when_that_is_meant(self, choosing: Choosing, documents: Path) -> None:
        choosing.ask("one")
        choosing.click("done")
        assert isinstance(choosing.app.scene, Message) and choosing.chosen == []
        choosing.press(pygame.K_RETURN)
        assert choosing.chosen == [], "the safe reply has the focus"
        choosing.click("done")
        choosing.click("Replace")
        assert choosing.chosen == [documents / "one.txt"]
        assert isinstance(choosing.app.scene, HomeScene)

    def test_what_is_no_name_is_said(self, choosing: Choosing) -> None:
        chooser = choosing.ask("x")
        for name in ("", "  ", "..", "a/b", "a\\b"):
            choosing.widget_as("file name", TextField).write(name)
            choosing.press(pygame.K_RETURN)
            assert chooser._trouble.startswith("Write a name") and choosing.chosen == [], name
            chooser._trouble = ""

    @pytest.mark.skipif(sys.platform == "win32", reason="the system takes such a name for one that is not there")
    def test_a_name_that_the_disk_cannot_have_is_said(self, choosing: Choosing) -> None:
        chooser = choosing.ask("x")
        choosing.widget_as("file name", TextField).write("4" * 400)
        choosing.press(pygame.K_RETURN)
        assert "can't be written: file name too long" in chooser._trouble and len(chooser._trouble) < 200
        assert choosing.chosen == [] and choosing.app.scene is chooser


def test_a_folder_of_too_many_files_ends(documents: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "_MOST_FILES", 2)
    assert len(read_folder(documents).items) == 2
