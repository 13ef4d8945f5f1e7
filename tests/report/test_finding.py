"""Which files of a folder are looked at."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from papan.report import kinds
from papan.report.kinds import File, FolderError, LeftOut, files_in


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "results"
    (made / "b").mkdir(parents=True)
    for name in ("c.json", "a.json", "b/z.json"):
        (made / name).write_text(f"{{{name}}}")
    return made


def found_in(folder: Path) -> list[File | LeftOut]:
    return list(files_in(folder, folder / "report.html"))


class TestFiles:
    def test_they_come_by_name_with_those_of_sub_folders(self, folder: Path) -> None:
        assert found_in(folder) == [File(name, f"{{{name}}}".encode()) for name in ("a.json", "b/z.json", "c.json")]

    def test_what_is_to_be_written_is_passed_over(self, folder: Path) -> None:
        (folder / "report.html").write_text("old")
        assert [found.name for found in found_in(folder)] == ["a.json", "b/z.json", "c.json"]

    @pytest.mark.skipif(sys.platform == "win32", reason="links are for administrators")
    def test_links_are_not_followed(self, folder: Path, tmp_path: Path) -> None:
        (tmp_path / "secret.json").write_text("{secret}")
        (folder / "file").symlink_to(tmp_path / "secret.json")
        (folder / "folder").symlink_to(tmp_path)
        (folder / "itself").symlink_to(folder / "itself")
        told = [found for found in found_in(folder) if isinstance(found, LeftOut)]
        assert told == [LeftOut(name, "It is a link; links are not followed.") for name in ("file", "folder", "itself")]

    @pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes with a name")
    def test_a_pipe_is_not_waited_for(self, folder: Path) -> None:
        os.mkfifo(folder / "pipe")
        (told,) = (found for found in found_in(folder) if isinstance(found, LeftOut))
        assert told.name == "pipe" and "it is no file" in told.reason

    @pytest.mark.skipif(sys.platform == "win32", reason="names have no such signs there")
    def test_names_are_made_plain(self, folder: Path) -> None:
        (folder / "\x1b[31m").write_text("red")
        assert "\\x1b[31m" in [found.name for found in found_in(folder)]


class TestWhatMayBeAResult:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
    def test_json_in_any_encoding(self, tmp_path: Path, encoding: str) -> None:
        content = '\r\n {"a": "ä"}'.encode(encoding)
        (tmp_path / "a").write_bytes(content)
        assert found_in(tmp_path) == [File("a", content)]

    @pytest.mark.parametrize("content", [b"", b"\x89PNG", b"[1, 2]", b" " * 100 + b"{}", b"<!DOCTYPE html>"])
    def test_of_anything_else_little_is_read(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
    ) -> None:
        monkeypatch.setattr(kinds, "MOST_BYTES_TOGETHER", 0)
        (tmp_path / "a").write_bytes(content)
        (told,) = found_in(tmp_path)
        assert isinstance(told, LeftOut) and told.reason.startswith("It is not a result")


class TestBounds:
    def test_of_too_many_files_the_others_are_not_looked_at(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(kinds, "MOST_FILES", 2)
        *_, last = found_in(folder)
        assert isinstance(last, LeftOut) and last.name == "c.json" and "there are more than 2." in last.reason

    def test_a_file_that_is_too_large_is_told(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(kinds, "MOST_BYTES", 8)
        assert [isinstance(found, File) for found in found_in(folder)] == [True, False, True]

    def test_all_files_together_are_bounded(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(kinds, "MOST_BYTES_TOGETHER", 12)
        assert [isinstance(found, File) for found in found_in(folder)] == [True, False, False]


class TestFolders:
    def test_one_that_is_missing_is_named(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        with pytest.raises(FolderError, match=r"There is no folder 'nowhere'"):
            found_in(Path("nowhere"))

    def test_a_file_is_none(self, folder: Path) -> None:
        with pytest.raises(FolderError, match="There is no folder"):
            found_in(folder / "a.json")

    @pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="nothing is forbidden")
    def test_one_that_can_not_be_read_is_named(self, folder: Path) -> None:
        folder.chmod(0)
        try:
            with pytest.raises(FolderError, match="can't be read"):
                found_in(folder)
        finally:
            folder.chmod(0o700)
