"""Files that are written whole or not at all, and what killed processes leave of them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from papan.game.base.whole_files import part_of, sweep, whole_file


def left_by(path: Path, process: int) -> Path:
    """What a *process* that was killed left of *path*."""
    part = path.with_name(f"{path.name}.part-{process}")
    part.write_bytes(b"half a ")
    os.utime(part, (1, 1))
    return part


class TestLeftovers:
    def test_the_next_writing_of_the_file_deletes_its_own(self, tmp_path: Path, dead_process: int) -> None:
        path, other = tmp_path / "record.txt", left_by(tmp_path / "other.txt", dead_process)
        left_by(path, dead_process)
        with whole_file(path) as file:
            file.write(b"all")
        assert sorted(tmp_path.iterdir()) == [other, path], "what is named otherwise is not ours to delete"

    @pytest.mark.skipif(sys.platform == "win32", reason="there only the system can tell")
    def test_a_process_that_lives_keeps_its_own(self, tmp_path: Path) -> None:
        living = left_by(tmp_path / "record.txt", os.getppid())
        sweep(tmp_path)
        assert list(tmp_path.iterdir()) == [living]

    def test_names_that_only_look_alike_stay(self, tmp_path: Path, dead_process: int) -> None:
        names = [".part-1", "a.part-", "a.part-x", f"a.part-{dead_process}.txt", "a.part", f"a.part-{10**30}"]
        for name in names:
            (tmp_path / name).touch()
        sweep(tmp_path)
        assert {file.name for file in tmp_path.iterdir()} == set(names)

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        sweep(tmp_path / "nowhere")


class TestWriting:
    def test_what_fails_leaves_the_old_file_and_nothing_else(self, tmp_path: Path) -> None:
        path = tmp_path / "picture.png"
        path.write_bytes(b"old")
        with pytest.raises(OSError, match="full"), whole_file(path) as file:
            file.write(b"ne")
            raise OSError("full")
        assert list(tmp_path.iterdir()) == [path] and path.read_bytes() == b"old"

    @pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
    def test_what_a_link_leads_to_is_replaced(self, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to(tmp_path / "file")
        with whole_file(tmp_path / "link") as file:
            file.write(b"new")
        assert (tmp_path / "link").is_symlink() and (tmp_path / "file").read_bytes() == b"new"

    @pytest.mark.skipif(sys.platform == "win32", reason="a user's folders are private there")
    def test_a_private_one_is_its_owner_s(self, tmp_path: Path) -> None:
        with whole_file(tmp_path / "facts", is_private=True):
            assert part_of(tmp_path / "facts").stat().st_mode & 0o777 == 0o600
        assert (tmp_path / "facts").stat().st_mode & 0o777 == 0o600
