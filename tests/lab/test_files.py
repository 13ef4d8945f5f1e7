"""Files that are written whole or not at all."""

from __future__ import annotations

import csv
import errno
import io
import os
import sys
from pathlib import Path

import pytest

from papan.game.base.untrusted import plain
from papan.lab.files import OutputError, check_output, csv_text, only_writer, whole_file, write_whole


class TestTables:
    @pytest.mark.parametrize("text", ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "-", "=cmd|' /C calc'!A0"])
    def test_no_text_is_a_formula(self, text: str) -> None:
        ((cell,),) = csv.reader(io.StringIO(csv_text([[text]]), newline=""))
        assert cell == f"'{plain(text)}"

    def test_no_text_begins_a_row(self) -> None:
        assert csv_text([["a\rb\nc"]]) == "a\\rb\\nc\n"

    @pytest.mark.parametrize("value", [-1, -1.5, "-1.5", "a=b", "", 3])
    def test_numbers_and_other_texts_stay(self, value: object) -> None:
        assert next(csv.reader(io.StringIO(csv_text([[value, 1]]))))[0] == str(value)


class TestChecking:
    def test_what_is_there_stays_and_nothing_is_left_behind(self, tmp_path: Path) -> None:
        file = tmp_path / "record.txt"
        check_output(file)
        assert not list(tmp_path.iterdir())
        file.write_text("old")
        check_output(file)
        assert file.read_text() == "old"

    def test_of_a_long_path_the_message_has_the_file_s_name(self, tmp_path: Path) -> None:
        folder = tmp_path / ("folder" * 20) / "results"
        folder.mkdir(parents=True)
        with pytest.raises(OutputError, match=r"^'results' is a folder: name a file\.$"):
            check_output(folder)

    @pytest.mark.skipif(sys.platform == "win32", reason="needs a pipe")
    def test_a_pipe_is_neither_waited_for_nor_replaced(self, tmp_path: Path) -> None:
        """A device was replaced by a file where the user may do that: after "--record /dev/null" there was none."""
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        for write in (check_output, lambda path: write_whole(path, "text")):
            with pytest.raises(OutputError, match=r"pipe' is not a regular file\.$"):
                write(pipe)
        assert pipe.is_fifo() and list(tmp_path.iterdir()) == [pipe]

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
        file = tmp_path / "record.txt"
        file.write_text("old")
        with pytest.raises(OutputError, match=r"can't be written: No space left\.$"), whole_file(file) as stream:
            stream.write(b"half")
            raise OSError(errno.ENOSPC, "No space left")
        assert list(tmp_path.iterdir()) == [file] and file.read_text() == "old"

    @pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
    def test_a_link_stays_and_what_it_leads_to_is_replaced(self, tmp_path: Path) -> None:
        (tmp_path / "record.txt").write_text("old")
        (tmp_path / "link").symlink_to("record.txt")
        write_whole(tmp_path / "link", "new")
        assert (tmp_path / "link").is_symlink() and (tmp_path / "record.txt").read_text() == "new"

    @pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
    def test_a_link_to_itself_is_not_replaced(self, tmp_path: Path) -> None:
        (tmp_path / "loop").symlink_to("loop")
        with pytest.raises(OutputError, match="loop' can't be written: Too many"):
            write_whole(tmp_path / "loop", "text")
        with pytest.raises(OutputError, match="loop' can't be written: Too many"), only_writer(tmp_path / "loop"):
            pass
        assert (tmp_path / "loop").is_symlink()


class TestOneWriter:
    def test_a_second_one_is_refused_in_this_process_too(self, tmp_path: Path) -> None:
        file = tmp_path / "file"
        with only_writer(file):
            second = only_writer(file)
            with pytest.raises(OutputError, match="Another running Papan is writing to"), second:
                pass
        (tmp_path / ".file.papan-lock").touch()  # one that was killed leaves it behind, and no lock
        with only_writer(file):
            pass
        assert not list(tmp_path.iterdir())
        refused = pytest.raises(OutputError, match="can't be written: No such file or directory")
        with refused, only_writer(tmp_path / "nowhere" / "file"):
            pass
        assert not list(tmp_path.iterdir()), "no folder is made"

    @pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="the administrator may write anywhere")
    def test_a_folder_that_takes_no_lock(self, tmp_path: Path) -> None:
        tmp_path.chmod(0o555)
        refused = pytest.raises(OutputError, match="papan-lock' can't be written: Permission denied")
        with refused, only_writer(tmp_path / "file"):
            pass
