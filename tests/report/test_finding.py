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
        (folder / "report.html").write_text("what is to be written is passed over")
        assert found_in(folder) == [File(name, f"{{{name}}}".encode()) for name in ("a.json", "b/z.json", "c.json")]

    @pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes, and links are for administrators")
    def test_links_are_not_followed_and_a_pipe_is_not_waited_for(self, folder: Path, tmp_path: Path) -> None:
        (tmp_path / "secret.json").write_text("{secret}")
        (folder / "file").symlink_to(tmp_path / "secret.json")
        (folder / "folder").symlink_to(tmp_path)
        (folder / "itself").symlink_to(folder / "itself")
        os.mkfifo(folder / "pipe")
        (folder / "\x1b[31m").write_text("red")
        *links, pipe = sorted(
            (found for found in found_in(folder) if isinstance(found, LeftOut) and "31m" not in found.name),
            key=lambda found: found.name,
        )
        told = "It is a link; links are not followed."
        assert links == [LeftOut(name, told) for name in ("file", "folder", "itself")]
        assert pipe.name == "pipe" and "it is not a file" in pipe.reason
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

    @pytest.mark.parametrize(
        ("bound", "bytes_", "read"), [("MOST_BYTES", 8, [1, 0, 1]), ("MOST_BYTES_TOGETHER", 12, [1, 0, 0])]
    )
    def test_files_that_are_too_large_are_told(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, bound: str, bytes_: int, read: list[int]
    ) -> None:
        monkeypatch.setattr(kinds, bound, bytes_)
        assert [isinstance(found, File) for found in found_in(folder)] == read


class TestFolders:
    def test_one_that_is_missing_is_named(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(folder)
        with pytest.raises(FolderError, match=r"There is no folder 'nowhere'"):
            found_in(Path("nowhere"))
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
