"""The folders and files that only their owner may read."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from papan.game.base.logfile import begin_log, log_file
from papan.game.base.places import (
    HOME_VARIABLE,
    atomic_file,
    cache_folder,
    data_folder,
    documents_folder,
    log_folder,
    make_private_file,
    make_private_folder,
    pictures_folder,
    sweep,
    temporary_path,
)

HAS_MODES = os.name == "posix"

pytestmark = pytest.mark.skipif(not HAS_MODES, reason="files have no modes here")


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


class TestPrivateFolders:
    def test_nobody_else_can_look_into_a_new_folder_but_one_that_a_person_has_opened_stays_open(
        self, tmp_path: Path
    ) -> None:
        folder = tmp_path / "home" / "data"
        make_private_folder(folder)
        assert mode(folder) == 0o700
        folder.chmod(0o755)
        make_private_folder(folder)
        assert mode(folder) == 0o755


class TestPrivateFiles:
    def test_nobody_else_can_read_a_new_file_but_one_that_is_there_stays_as_it_is(self, tmp_path: Path) -> None:
        file = tmp_path / "matches"
        make_private_file(file)
        assert mode(file) == 0o600
        file.write_text("kept")
        file.chmod(0o644)
        make_private_file(file)
        assert (file.read_text(), mode(file)) == ("kept", 0o644)

    def test_where_nothing_can_be_made_it_says_so(self, tmp_path: Path) -> None:
        with pytest.raises(OSError, match="nowhere"):
            make_private_file(tmp_path / "nowhere" / "matches")


class TestAHomeThatNobodyKnows:
    """As of a container's user without an entry among the users."""

    @pytest.fixture(autouse=True)
    def nobody(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def unknown(number: int) -> None:
            raise KeyError(number)

        for name in [HOME_VARIABLE, "HOME", *(name for name in os.environ if name.startswith("XDG_"))]:
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr("pwd.getpwuid", unknown)

    @pytest.mark.parametrize("folder", [data_folder, cache_folder, log_folder, pictures_folder, documents_folder])
    def test_nothing_can_be_kept_there(self, folder: Callable[[], Path]) -> None:
        assert folder().is_absolute(), "no folder called ~ wherever the program is started"
        with pytest.raises(OSError):
            make_private_folder(folder())


class TestTheLog:
    @pytest.fixture(autouse=True)
    def log_here(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        root = logging.getLogger()
        handlers, level = list(root.handlers), root.level
        monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
        monkeypatch.setattr("papan.game.base.logfile.MOST_BYTES", 200)
        monkeypatch.setattr("threading.excepthook", None)
        monkeypatch.setattr(logging, "raiseExceptions", logging.raiseExceptions)
        yield
        for handler in root.handlers[:]:
            if handler not in handlers:
                root.removeHandler(handler)
                handler.close()
        root.setLevel(level)

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows deletes no file that is open")
    @pytest.mark.parametrize("is_moved", [True, False])
    def test_a_log_that_another_program_takes_away_is_begun_anew(self, is_moved: bool) -> None:
        begin_log()
        log = logging.getLogger("papan")
        log.warning("before")
        if is_moved:
            log_file().parent.rename(log_file().parent.with_name("elsewhere"))
        else:
            log_file().unlink()
        log.warning("after")
        assert "after" in log_file().read_text(encoding="utf-8")
        assert mode(log_file()) == 0o600

    def test_each_of_its_files_is_private(self) -> None:
        begin_log()
        for number in range(5):
            logging.getLogger("papan").warning("line %d of a log that is begun anew all the time", number)
        files = list(log_file().parent.iterdir())
        assert len(files) > 1
        assert {mode(file) for file in [*files, log_file().parent]} == {0o600, 0o700}


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
        with atomic_file(path) as file:
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
        sweep(tmp_path / "nowhere")


class TestWriting:
    def test_what_fails_leaves_the_old_file_and_nothing_else(self, tmp_path: Path) -> None:
        path = tmp_path / "picture.png"
        path.write_bytes(b"old")
        with pytest.raises(OSError, match="full"), atomic_file(path) as file:
            file.write(b"ne")
            raise OSError("full")
        assert list(tmp_path.iterdir()) == [path] and path.read_bytes() == b"old"

    @pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
    def test_what_a_link_leads_to_is_replaced(self, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to(tmp_path / "file")
        with atomic_file(tmp_path / "link") as file:
            file.write(b"new")
        assert (tmp_path / "link").is_symlink() and (tmp_path / "file").read_bytes() == b"new"

    @pytest.mark.skipif(sys.platform == "win32", reason="a user's folders are private there")
    def test_a_private_one_is_its_owner_s(self, tmp_path: Path) -> None:
        with atomic_file(tmp_path / "facts", is_private=True):
            assert temporary_path(tmp_path / "facts").stat().st_mode & 0o777 == 0o600
        assert (tmp_path / "facts").stat().st_mode & 0o777 == 0o600
