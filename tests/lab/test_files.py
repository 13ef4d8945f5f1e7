"""Files that are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from papan.lab.files import OutputError, check_output, write_whole


class TestChecking:
    def test_nothing_is_left_behind(self, tmp_path: Path) -> None:
        check_output(tmp_path / "record.txt")
        assert not list(tmp_path.iterdir())

    def test_what_is_there_stays(self, tmp_path: Path) -> None:
        file = tmp_path / "record.txt"
        file.write_text("old")
        check_output(file)
        assert file.read_text() == "old"

    def test_a_folder_is_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(OutputError, match="is a folder: name a file"):
            check_output(tmp_path)

    def test_a_folder_that_is_missing_is_named(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        with pytest.raises(OutputError, match=r"There is no folder 'nowhere' to write 'record.txt' into"):
            check_output(Path("nowhere") / "record.txt")


class TestWriting:
    def test_the_old_file_is_replaced(self, tmp_path: Path) -> None:
        file = tmp_path / "record.txt"
        file.write_text("old")
        write_whole(file, "the new ×\n")
        assert file.read_bytes() == "the new ×\n".encode()
        assert list(tmp_path.iterdir()) == [file]

    def test_what_can_not_be_written_leaves_what_was_there(self, tmp_path: Path) -> None:
        folder = tmp_path / "record.txt"
        folder.mkdir()
        (folder / "inside").touch()
        with pytest.raises(OutputError, match="can't be written"):
            write_whole(folder, "text")
        assert list(tmp_path.iterdir()) == [folder] and (folder / "inside").exists()
