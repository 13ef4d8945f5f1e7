"""Pictures saved on disk are the same when read; their names depend on all that they do; damaged ones are missing."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from pathlib import Path

import pygame
import pytest

from papan.ui.drawing.picture_cache import DAY_SECONDS, SUFFIX, PictureCache

SIZE = (60, 40)


def at_once(job: Callable[[], object]) -> None:
    job()


def drawn(seed: int = 1, size: tuple[int, int] = SIZE) -> pygame.Surface:
    """A picture with pixels of every opacity."""
    picture = pygame.Surface(size, pygame.SRCALPHA)
    for x in range(size[0]):
        for y in range(size[1]):
            number = seed * 7919 + x * 131 + y * 31
            picture.set_at((x, y), (number % 256, number // 3 % 256, number // 7 % 256, number // 11 % 256))
    return picture


def pixels(picture: pygame.Surface) -> bytes:
    return pygame.image.tobytes(picture, "RGBA")


def save(folder: Path, *facts: object, picture: pygame.Surface | None = None, most_bytes: int = 2**20) -> Path:
    """Save a picture at one start; return its file."""
    cache = PictureCache(folder, most_bytes)
    name = cache.name(*facts)
    cache.keep(name, picture or drawn())
    cache.save(at_once)
    return folder / name


class TestReading:
    def test_a_saved_picture_is_the_same_at_the_next_start(self, tmp_path: Path) -> None:
        file = save(tmp_path / "pictures", "othello")
        cache = PictureCache(tmp_path / "pictures")
        found = cache.read(cache.name("othello"), SIZE)
        assert found is not None and pixels(found) == pixels(drawn())
        assert found.get_flags() & pygame.SRCALPHA
        assert [one.name for one in file.parent.iterdir()] == [file.name], "nothing else is left there"

    def test_it_is_found_in_the_same_start(self, tmp_path: Path) -> None:
        cache = PictureCache(tmp_path)
        name = cache.name("othello")
        assert cache.read(name, SIZE) is None
        cache.keep(name, drawn())
        assert cache.read(name, SIZE) is None and not list(tmp_path.iterdir())
        cache.save(at_once)
        assert cache.read(name, SIZE) is not None

    def test_without_new_pictures_nothing_is_done(self, tmp_path: Path) -> None:
        jobs: list[object] = []
        PictureCache(tmp_path / "pictures").save(jobs.append)
        assert not jobs and not (tmp_path / "pictures").exists()

    @pytest.mark.parametrize(
        "content",
        [b"", b"no picture", "cut", "flipped", "longer", b"\0" * 2**20],
        ids=["empty", "other", "cut", "flipped", "longer", "huge"],
    )
    def test_a_damaged_file_is_missing_and_logged_once(
        self, tmp_path: Path, content: bytes | str, caplog: pytest.LogCaptureFixture
    ) -> None:
        file = save(tmp_path, "othello")
        whole = file.read_bytes()
        flipped = bytearray(whole)
        flipped[-1] ^= 1
        known = {"cut": whole[:-3], "flipped": bytes(flipped)}
        if content == "longer":
            known["longer"] = save(tmp_path, "larger", picture=drawn(size=(70, 40))).read_bytes()
        file.write_bytes(known[content] if isinstance(content, str) else content)
        cache = PictureCache(tmp_path)
        with caplog.at_level(logging.WARNING):
            assert cache.read(file.name, SIZE) is None
            assert cache.read(file.name, SIZE) is None
        assert len(caplog.messages) == 1 and file.name in caplog.messages[0]
        cache.keep(file.name, drawn())
        cache.save(at_once)
        assert file.read_bytes() == whole, "it is replaced"

    def test_a_file_deleted_meanwhile_is_missing(self, tmp_path: Path) -> None:
        file = save(tmp_path, "othello")
        cache = PictureCache(tmp_path)
        assert cache.read(file.name, SIZE) is not None
        file.unlink()
        assert cache.read(file.name, SIZE) is None

    def test_a_folder_in_its_place_is_no_picture(self, tmp_path: Path) -> None:
        cache = PictureCache(tmp_path)
        (tmp_path / cache.name("othello")).mkdir()
        assert cache.read(cache.name("othello"), SIZE) is None


class TestNames:
    def test_other_facts_are_another_picture(self, tmp_path: Path) -> None:
        cache = PictureCache(tmp_path)
        assert cache.name("othello", SIZE) == PictureCache(tmp_path).name("othello", SIZE)
        assert len({cache.name("othello", SIZE), cache.name("gomoku", SIZE), cache.name("othello", (60, 41))}) == 3

    def test_another_version_has_other_pictures(self, tmp_path: Path) -> None:
        names = {PictureCache(tmp_path, version=version).name("othello") for version in ("0.3.0", "0.3.1")}
        assert len(names) == 2

    def test_changed_sources_have_other_pictures(self, tmp_path: Path) -> None:
        source = tmp_path / "sources" / "boards" / "othello.py"
        source.parent.mkdir(parents=True)
        source.write_text("GREEN = 1\n")
        (source.parent / "__pycache__").mkdir()
        names = []

        def note() -> None:
            names.append(PictureCache(tmp_path, sources=[tmp_path / "sources"]).name("othello"))

        note()
        (source.parent / "__pycache__" / "othello.py").write_text("")
        (source.parent / "notes.txt").write_text("")
        note()
        assert names[0] == names[1]
        os.utime(source, (1, 1))
        note()
        (source.parent / "gomoku.py").write_text("")
        note()
        assert len(set(names)) == 3

    def test_without_sources_the_version_decides(self, tmp_path: Path) -> None:
        cache = PictureCache(tmp_path, sources=[tmp_path / "packed"])
        assert cache.name("othello") == PictureCache(tmp_path, sources=[tmp_path / "packed"]).name("othello")


class TestFolder:
    def test_the_least_recently_used_are_deleted(self, tmp_path: Path) -> None:
        files = [save(tmp_path, number, picture=drawn(number)) for number in range(4)]
        most = sum(file.stat().st_size for file in files[1:]) + 10
        for age, file in enumerate(files):
            os.utime(file, (time.time() - (10 - age) * DAY_SECONDS,) * 2)
        cache = PictureCache(tmp_path)
        assert cache.read(files[0].name, SIZE) is not None, "which is a use"
        newest = save(tmp_path, 4, picture=drawn(4), most_bytes=most)
        kept = {file.name for file in tmp_path.iterdir()}
        assert {newest.name, files[0].name} <= kept and files[1].name not in kept
        assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= most

    def test_other_files_stay(self, tmp_path: Path) -> None:
        other = tmp_path / "letter.txt"
        other.write_text("mine")
        file = save(tmp_path, "othello", most_bytes=1)
        assert other.exists() and not file.exists()

    def test_what_a_killed_process_left_is_deleted(self, tmp_path: Path, dead_process: int) -> None:
        left = tmp_path / f"{'0' * 40}{SUFFIX}.part-{dead_process}"
        left.write_bytes(b"half")
        os.utime(left, (1, 1))
        save(tmp_path, "othello")
        save(tmp_path, "gomoku")
        assert not left.exists()

    def test_a_place_that_cannot_be_written_is_no_error(self, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
        place = tmp_path / "file"
        place.write_text("")
        with caplog.at_level(logging.INFO):
            file = save(place / "pictures", "othello")
        assert len(caplog.messages) == 1 and "can't be saved" in caplog.messages[0]
        assert PictureCache(place / "pictures").read(file.name, SIZE) is None

    def test_a_full_disk_leaves_nothing(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(_file: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", fail)
        save(tmp_path, "othello")
        assert not list(tmp_path.iterdir())

    @pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="this user may write everywhere")
    def test_a_read_only_folder_is_read(self, tmp_path: Path) -> None:
        file = save(tmp_path, "othello")
        os.utime(file, (1, 1))
        tmp_path.chmod(0o500)
        try:
            assert PictureCache(tmp_path).read(file.name, SIZE) is not None
            other = save(tmp_path, "gomoku")
            assert not other.exists()
        finally:
            tmp_path.chmod(0o700)
