"""Settings are kept, checked, and never in the way: damage costs a notice, not a crash."""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from dev.trials.damage import damages
from papan.game.base.sqlite import make_daily_copy
from papan.ui.settings import FILE_NAME, SETTINGS, Settings


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


def write_row(folder: Path, name: str, value: str) -> None:
    with sqlite3.connect(folder / FILE_NAME) as connection:
        connection.execute("REPLACE INTO settings VALUES (?, ?)", (name, value))
    connection.close()


def set_and_close(folder: Path, **values: object) -> None:
    settings = Settings(folder)
    for name, value in values.items():
        settings.change(SETTINGS[name], value)
    settings.close()


class TestKeeping:
    def test_defaults(self, folder: Path) -> None:
        settings = Settings(folder)
        for setting in SETTINGS.values():
            assert settings.value(setting) == setting.default and setting.is_valid(setting.default)
        assert not settings.notices

    def test_kept_for_the_next_time(self, folder: Path) -> None:
        set_and_close(folder, theme="dark", scale=1.25, sound=False, volume="quiet")
        again = Settings(folder)
        assert (again.theme, again.scale, again.sound, again.volume) == ("dark", 1.25, False, "quiet")

    def test_a_file_of_before_is_read(self, folder: Path) -> None:
        set_and_close(folder)
        for name, text in (("move seconds", "5.0"), ("confirm turns", "true"), ("window size", "[1280, 800]")):
            write_row(folder, name, text)
        settings = Settings(folder)
        assert (settings.move_seconds, settings.confirm_turns, settings.window_size) == (5.0, True, [1280, 800])
        assert not settings.notices

    def test_choices_of_a_game(self, folder: Path) -> None:
        settings = Settings(folder)
        assert settings.game_choices("cifra") == {}
        settings.save_game_choices("cifra", {"players": ["human", "random"], "seats": 2})
        settings.close()
        assert Settings(folder).game_choices("cifra") == {"players": ["human", "random"], "seats": 2}

    def test_two_windows(self, folder: Path) -> None:
        first, second = Settings(folder), Settings(folder)
        first.theme = "dark"
        second.scale = 1.5
        third = Settings(folder)
        assert (third.theme, third.scale) == ("dark", 1.5)


class TestChecking:
    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("theme", "pink"),
            ("theme", ["dark"]),
            ("scale", 17),
            ("scale", True),
            ("show legal steps", 1),
            ("window size", [0, -5]),
            ("window size", "large"),
            ("animation", None),
            ("sound", 1),
            ("volume", "deafening"),
            ("volume", 0.5),
            ("language", "../../../etc"),
            ("language", "tlh"),
            ("language", None),
            ("language", ["en"]),
            ("board styles", {"othello": 3}),
            ("board styles", {str(number): "plain" for number in range(1000)}),
            ("board styles", {"othello": "x" * 100_000}),
        ],
    )
    def test_a_value_that_makes_no_sense_is_refused(self, folder: Path, name: str, value: object) -> None:
        settings = Settings(folder)
        with pytest.raises(ValueError, match=f"'{name}' can't be"):
            settings.change(SETTINGS[name], value)
        assert settings.value(SETTINGS[name]) == SETTINGS[name].default

    @pytest.mark.parametrize("text", ['"pink"', "not JSON", "[1]", "null", "{}", "[" * 5000])
    def test_a_written_value_that_makes_no_sense(self, folder: Path, text: str) -> None:
        set_and_close(folder, scale=1.5)
        write_row(folder, "theme", text)
        settings = Settings(folder)
        assert settings.theme == SETTINGS["theme"].default
        assert settings.scale == 1.5, "the others stand"
        assert len(settings.notices) == 1 and "theme" in settings.notices[0]

    def test_game_choices_that_are_none(self, folder: Path) -> None:
        set_and_close(folder)
        write_row(folder, "game/cifra", "[1, 2]")
        settings = Settings(folder)
        assert settings.game_choices("cifra") == {}
        assert "game/cifra" in settings.notices[0]

    @pytest.mark.parametrize(
        "choices",
        [
            {"seats": None},
            {"players": [["human"]]},
            {"options": {"first": {"deep": "down"}}},
            {"seed": float("nan")},
            {"seats": 10**400},
            {"position": "x" * 100_000},
            {"players": ["human"] * 1000},
            {str(number): 1 for number in range(1000)},
        ],
    )
    def test_game_choices_that_no_form_makes(self, folder: Path, choices: dict[str, object]) -> None:
        settings = Settings(folder)
        settings.save_game_choices("cifra", choices)
        assert settings.game_choices("cifra") == {}
        settings.close()
        write_row(folder, "game/cifra", json.dumps(choices))
        settings = Settings(folder)
        assert settings.game_choices("cifra") == {}
        assert "game/cifra" in settings.notices[0]

    @pytest.mark.parametrize("value", [b"dark", b"\xff\xfe", 17, "x" * 100_000])
    @pytest.mark.parametrize("name", ["theme", b"\xff", 17, "x" * 100_000])
    def test_a_row_that_nobody_wrote(self, folder: Path, name: object, value: object) -> None:
        set_and_close(folder, scale=1.5)
        with sqlite3.connect(folder / FILE_NAME) as connection:
            connection.execute("INSERT INTO settings VALUES (CAST(? AS TEXT), CAST(? AS TEXT))", (name, value))
        connection.close()
        settings = Settings(folder)
        assert (settings.theme, settings.scale) == (SETTINGS["theme"].default, 1.5)
        assert all(len(notice) < 500 for notice in settings.notices)

    def test_a_setting_of_a_later_version_is_left_alone(self, folder: Path) -> None:
        set_and_close(folder)
        write_row(folder, "smell", '"roses"')
        settings = Settings(folder)
        assert not settings.notices
        settings.close()
        with sqlite3.connect(folder / FILE_NAME) as connection:
            assert connection.execute("SELECT value FROM settings WHERE name = 'smell'").fetchone() == ('"roses"',)
        connection.close()


class TestTrouble:
    def test_a_damaged_file_is_put_aside(self, folder: Path) -> None:
        contents = b"no database at all" * 100
        folder.mkdir()
        (folder / FILE_NAME).write_bytes(contents)
        settings = Settings(folder)
        assert settings.theme == SETTINGS["theme"].default
        assert len(settings.notices) == 1 and "damaged" in settings.notices[0]
        kept = [path for path in folder.iterdir() if path.name.startswith(FILE_NAME + ".damaged")]
        assert [path.read_bytes() for path in kept] == [contents]
        settings.theme = "dark"
        settings.close()
        assert Settings(folder).theme == "dark"

    def test_of_a_damaged_file_is_kept_what_can_be_read(self, folder: Path) -> None:
        set_and_close(folder, theme="dark", scale=1.5)
        file = folder / FILE_NAME
        file.write_bytes(b"spoilt" + file.read_bytes()[6:])
        settings = Settings(folder)
        assert (settings.theme, settings.scale) == ("dark", 1.5)
        assert settings.notices[0].endswith("2 settings were saved.")

    def test_a_value_that_makes_no_sense_gives_way_to_its_copy(self, folder: Path) -> None:
        set_and_close(folder, theme="dark")
        file = folder / FILE_NAME
        make_daily_copy(file)
        write_row(folder, "theme", '"dar')
        file.write_bytes(b"spoilt" + file.read_bytes()[6:])
        assert Settings(folder).theme == "dark"

    def test_where_nothing_can_be_written(self, tmp_path: Path) -> None:
        (tmp_path / "in the way").write_text("a file where a folder should be")
        settings = Settings(tmp_path / "in the way" / "data")
        assert len(settings.notices) == 1 and "can't be used" in settings.notices[0]
        settings.theme = "dark"
        assert settings.theme == "dark"
        settings.close()
        assert len(settings.notices) == 1, "it is told once"

    def test_a_file_that_is_taken_away_while_open(self, folder: Path) -> None:
        settings = Settings(folder)
        settings.close()
        settings.theme = "dark"
        assert settings.theme == "dark"


def open_after_damage(folder: Path, seed: int) -> tuple[str, Settings]:
    """Settings that were killed, or closed, and damaged at random; what was done, and what the program makes of it."""
    written = Settings(folder.with_name("written"))
    written.theme, written.scale, written.opponent = "dark", 1.5, "level:7"
    written.save_game_choices("cifra", {"players": ["human", "random"], "seats": 2})
    if seed % 2:
        written.close()
    shutil.copytree(written.path.parent, folder)
    written.close()
    shutil.rmtree(written.path.parent)
    damage = damages(folder / FILE_NAME, Random(seed))
    return damage, Settings(folder)


@pytest.mark.parametrize("seed", range(12))
def test_whatever_happens_to_the_file_there_are_settings(folder: Path, seed: int) -> None:
    damage, settings = open_after_damage(folder, seed)
    assert settings.theme in ("dark", "system"), damage
    assert settings.scale in (1.5, SETTINGS["scale"].default), damage
    settings.theme = "light"
    settings.close()
    if not settings.notices or "can't be used" not in settings.notices[0]:
        assert Settings(folder).theme == "light", damage


class TestAFileThatAnotherProgramHolds:
    @pytest.fixture
    def holder(self, folder: Path) -> Iterator[sqlite3.Connection]:
        set_and_close(folder, opponent="level:7")
        holder = sqlite3.connect(folder / FILE_NAME, isolation_level=None)
        yield holder
        holder.close()

    def kept(self, folder: Path) -> dict[str, str]:
        with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
            return dict(connection.execute("SELECT name, value FROM settings"))

    def test_changes_are_written_with_the_next_one(self, folder: Path, holder: sqlite3.Connection) -> None:
        settings = Settings(folder)
        told: list[str] = []
        settings.tell = told.append
        holder.execute("BEGIN IMMEDIATE")
        settings.theme = "dark"
        settings.scale = 1.5
        reason = "another program is using it"
        assert told == [f"The settings can't be saved ({reason}). They apply until you close the window."]
        assert (settings.theme, settings.scale) == ("dark", 1.5)
        holder.execute("COMMIT")
        assert self.kept(folder) == {"opponent": '"level:7"'}
        settings.animation = "off"
        assert self.kept(folder) == {"opponent": '"level:7"', "theme": '"dark"', "scale": "1.5", "animation": '"off"'}
        holder.execute("BEGIN IMMEDIATE")
        settings.theme = "light"
        assert len(told) == 2, "it was well in between"
        holder.execute("COMMIT")
        settings.close()
        assert self.kept(folder)["theme"] == '"light"', "the last chance is the end"

    def test_from_the_start(self, folder: Path, holder: sqlite3.Connection) -> None:
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        settings = Settings(folder)
        told: list[str] = []
        settings.tell = told.append
        settings.theme = "dark"
        assert len(settings.notices) == 1 and "can't be used (another program is using it)" in settings.notices[0]
        assert told == [], "it has been told"
        holder.close()
        settings.scale = 1.5
        settings.close()
        assert self.kept(folder) == {"opponent": '"level:7"', "theme": '"dark"', "scale": "1.5"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows deletes no file that is open")
class TestFilesThatAreTakenAway:
    """Deleted, moved or replaced while the window has them open."""

    @pytest.mark.parametrize("suffixes", [["-wal"], [""], ["", "-wal", "-shm"]])
    @pytest.mark.parametrize("changes_more", [True, False])
    def test_deleted(self, folder: Path, suffixes: list[str], changes_more: bool) -> None:
        set_and_close(folder, volume="quiet")
        settings = Settings(folder)
        settings.theme = "dark"
        for suffix in suffixes:
            settings.path.with_name(settings.path.name + suffix).unlink()
        if changes_more:
            settings.scale = 1.25
            shutil.copytree(folder, folder.with_name("killed"))
            assert Settings(folder.with_name("killed")).scale == 1.25
        settings.close()
        again = Settings(folder)
        assert (again.volume, again.theme, again.scale == 1.25) == ("quiet", "dark", changes_more)
        assert len(settings.notices) == 1 and "deleted, moved or replaced" in settings.notices[0]
        again.close()
        assert [file.name for file in folder.iterdir()] == [FILE_NAME]

    def test_the_folder_is_moved(self, folder: Path) -> None:
        settings = Settings(folder)
        settings.theme = "dark"
        folder.rename(folder.with_name("elsewhere"))
        settings.scale = 1.25
        settings.close()
        again = Settings(folder)
        assert (again.theme, again.scale) == ("dark", 1.25)

    def test_another_file_there_gets_what_was_set_here(self, folder: Path) -> None:
        set_and_close(folder.with_name("other"), volume="quiet", theme="light")
        settings = Settings(folder)
        settings.theme = "dark"
        (folder.with_name("other") / FILE_NAME).replace(settings.path)
        settings.close()
        again = Settings(folder)
        assert (again.volume, again.theme) == ("quiet", "dark")
