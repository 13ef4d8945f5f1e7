"""Settings are kept, checked, and never in the way: damage costs a notice, not a crash."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

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
        assert all(settings.value(setting) == setting.default for setting in SETTINGS.values())
        assert not settings.notices

    def test_every_default_is_valid(self) -> None:
        assert all(setting.is_valid(setting.default) for setting in SETTINGS.values())

    def test_kept_for_the_next_time(self, folder: Path) -> None:
        set_and_close(folder, theme="dark", scale=1.25)
        again = Settings(folder)
        assert (again.theme, again.scale) == ("dark", 1.25)

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
        settings.keep_game_choices("cifra", {"players": ["human", "random"], "seats": 2})
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
    @pytest.mark.parametrize("contents", [b"no database at all" * 100, b"SQLite format 3\0" + bytes(4000)])
    def test_a_damaged_file_is_put_aside(self, folder: Path, contents: bytes) -> None:
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

    def test_where_nothing_can_be_written(self, tmp_path: Path) -> None:
        (tmp_path / "in the way").write_text("a file where a folder should be")
        settings = Settings(tmp_path / "in the way" / "data")
        assert len(settings.notices) == 1 and "can't be used" in settings.notices[0]
        settings.theme = "dark"
        assert settings.theme == "dark"

    def test_a_file_that_is_taken_away_while_open(self, folder: Path) -> None:
        settings = Settings(folder)
        settings.close()
        settings.theme = "dark"
        assert settings.theme == "dark"
