"""Daily copies, three of them, never of a damaged file; files of earlier versions keep what they held."""

from __future__ import annotations

import datetime
import json
import logging
import os
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from papan.game.base import sqlite
from papan.game.base.database import open_database
from papan.game.base.sqlite import MOST_COPIES, make_daily_copy, sound_copies
from papan.game.catalogue import GAMES
from papan.game.match.library import Library
from papan.game.match.record import read
from papan.game.puzzles import entry_of, read_puzzles
from papan.ui.settings import FILE_NAME, SETTINGS, Settings

SCHEMA = (("CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT)",),)
TODAY = datetime.date(2026, 11, 22)
DAY = datetime.timedelta(days=1)


@pytest.fixture
def facts(tmp_path: Path) -> Path:
    """A file with a fact."""
    file = tmp_path / "facts.sqlite3"
    write(file, "first")
    return file


@pytest.mark.skipif(os.name != "posix", reason="a user's folders are private already")
def test_a_copy_is_as_private_as_its_file(facts: Path) -> None:
    copy = make_daily_copy(facts, TODAY)
    assert copy is not None
    assert {oct(file.stat().st_mode & 0o777) for file in (facts, copy)} == {"0o600"}


def write(file: Path, name: str) -> None:
    with closing(open_database(file, SCHEMA).connection) as connection:
        connection.execute("INSERT INTO facts VALUES (?, '')", (name,))


def names_in(file: Path) -> set[str]:
    with closing(sqlite3.connect(file)) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM facts")}


def copies_of(file: Path) -> list[str]:
    return sorted(copy.name.removeprefix(f"{file.name}.copy-") for copy in file.parent.glob(f"{file.name}.*"))


class TestMaking:
    def test_what_is_committed_is_copied_while_the_file_is_in_use(self, facts: Path) -> None:
        with closing(open_database(facts, SCHEMA).connection) as connection:
            connection.execute("INSERT INTO facts VALUES ('in the log', '')")
            copy = make_daily_copy(facts, TODAY)
        assert copy == facts.with_name("facts.sqlite3.copy-2026-11-22")
        assert names_in(copy) == {"first", "in the log"}
        with closing(open_database(copy, SCHEMA).connection) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (1,)

    def test_one_a_day_by_the_computer_s_clock(self, facts: Path) -> None:
        copy = make_daily_copy(facts)
        assert copy is not None and copies_of(facts) == [copy.name.removeprefix("facts.sqlite3.copy-")]
        write(facts, "second")
        assert make_daily_copy(facts, datetime.date.fromisoformat(copies_of(facts)[0])) is None
        assert names_in(copy) == {"first"}

    def test_three_are_kept(self, facts: Path) -> None:
        for days in range(5):
            make_daily_copy(facts, TODAY + days * DAY)
        assert copies_of(facts) == ["2026-11-24", "2026-11-25", "2026-11-26"]

    def test_copies_of_days_to_come_are_the_first_to_go(self, facts: Path) -> None:
        make_daily_copy(facts, datetime.date(2035, 1, 1))
        for days in range(3):
            make_daily_copy(facts, TODAY + days * DAY)
        assert copies_of(facts) == ["2026-11-22", "2026-11-23", "2026-11-24"]

    def test_no_file_no_copy(self, tmp_path: Path) -> None:
        assert make_daily_copy(tmp_path / "none.sqlite3", TODAY) is None
        assert list(tmp_path.iterdir()) == []


class TestTrouble:
    def test_a_damaged_file_is_not_copied(self, facts: Path, caplog: pytest.LogCaptureFixture) -> None:
        make_daily_copy(facts, TODAY)
        content = facts.read_bytes()
        facts.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
        for days in range(1, MOST_COPIES + 2):
            assert make_daily_copy(facts, TODAY + days * DAY) is None
        assert copies_of(facts) == ["2026-11-22"]
        assert "No copy of" in caplog.text

    def test_a_large_file_is_not_copied(
        self, facts: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr(sqlite, "MOST_BYTES", 5000)
        assert make_daily_copy(facts, TODAY) is None
        assert copies_of(facts) == [] and "larger than 5,000 bytes" in caplog.text

    def test_what_a_kill_left_is_no_copy_and_goes(self, facts: Path, dead_process: int) -> None:
        left = facts.with_name(f"facts.sqlite3.copy-2026-11-21.part-{dead_process}")
        left.write_bytes(b"half a copy")
        os.utime(left, (1, 1))
        assert list(sound_copies(facts, TODAY)) == []
        make_daily_copy(facts, TODAY)
        assert copies_of(facts) == ["2026-11-22"]
        left.touch()
        make_daily_copy(facts, TODAY)
        assert copies_of(facts) == ["2026-11-22"], "also at a start that has a copy already"

    def test_a_place_that_can_t_be_written(self, facts: Path, caplog: pytest.LogCaptureFixture) -> None:
        facts.with_name(f"facts.sqlite3.copy-2026-11-22.part-{os.getpid()}").mkdir()
        caplog.set_level(logging.WARNING)
        assert make_daily_copy(facts, TODAY) is None
        assert "No copy of" in caplog.text


class TestFinding:
    def test_damaged_ones_are_passed_over(self, facts: Path) -> None:
        made = [make_daily_copy(facts, TODAY + days * DAY) for days in range(3)]
        assert made[1] is not None and made[2] is not None
        made[2].write_bytes(b"These are not the bytes of a database." * 100)
        made[1].write_bytes(made[1].read_bytes()[:5000])
        assert list(sound_copies(facts, TODAY + 2 * DAY)) == [made[0]]

    def test_the_newest_first(self, facts: Path) -> None:
        make_daily_copy(facts, TODAY + DAY)
        made = [make_daily_copy(facts, TODAY - days * DAY) for days in (1, 0)]
        assert list(sound_copies(facts, TODAY)) == [made[1], made[0], facts.with_name("facts.sqlite3.copy-2026-11-23")]


OLD = Path(__file__).parent / "old"
LIBRARIES = sorted(OLD.glob("library-*.sqlite3"))
SETTINGS_FILES = sorted(OLD.glob("settings-*.sqlite"))
TAKEN_BACK = {2: 2, 5: 1, 6: 3}
"""The steps of a library's match that were taken back, by the match's number; none of the others."""


@pytest.mark.parametrize("file", LIBRARIES, ids=lambda file: file.stem)
def test_every_match_of_an_old_library(file: Path, tmp_path: Path) -> None:
    path = tmp_path / file.name
    shutil.copy(file, path)
    library = Library(path)
    assert library.notice is None
    records = re.split(r"(?=\[Game )", file.with_suffix(".records.txt").read_text(encoding="utf-8"))[1:]
    for number, record in enumerate(records, 1):
        match, expected = library.load(number), read(record)
        assert (match.game, match.seats, match.options, match.seed) == (
            expected.game,
            expected.seats,
            expected.options,
            expected.seed,
        )
        assert (match.states, match.ending, match.date) == (expected.states, expected.ending, expected.date)
        assert len(match.all_steps) - len(match.steps) == TAKEN_BACK.get(number, 0)
    summaries = [*library.unfinished(), *library.recent(100)]
    assert sorted(summary.id for summary in summaries) == list(range(1, len(records) + 1))
    library.close()


LATER = (
    "asks tension", "background", "best scores", "chance by proof", "clocks", "computer speed", "daily streak",
    "engine details", "first steps", "folder", "laboratory", "lesson steps", "lessons", "milestones", "moves",
    "online address", "online name", "online reach", "person face", "person name", "puzzle days", "solved puzzles",
    "sound", "speech", "volume",
)  # fmt: skip
"""Settings that there were not yet."""


@pytest.mark.parametrize("file", SETTINGS_FILES, ids=lambda file: file.stem)
def test_every_setting_of_an_old_file(file: Path, tmp_path: Path) -> None:
    shutil.copy(file, tmp_path / FILE_NAME)
    settings = Settings(tmp_path)
    assert not settings.notices
    assert {name: settings.value(setting) for name, setting in SETTINGS.items() if name not in LATER} == {
        "theme": "dark",
        "scale": 1.25,
        "language": "system",
        "animation": "fast",
        "show legal steps": False,
        "confirm turns": True,
        "analysis": True,
        "opponent": "level:8",
        "move seconds": 5.0,
        "board styles": {"2048": "plain"},
        "window size": [1400, 900],
        "fullscreen": True,
    }
    assert settings.game_choices("othello") == {"seats": 2, "players": ["human", "random"], "options": {"first": "2"}}
    settings.close()


def test_puzzles_from_before_wins_in_time() -> None:
    file = OLD / "puzzles-1.jsonl"
    puzzles = read_puzzles(file.read_bytes(), GAMES["cifra"], file.name)
    assert [puzzle.goal for puzzle in puzzles] == ["win", "save"]
    for puzzle in puzzles:
        assert puzzle.steps(puzzle.match().state)
    entries = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()[1:]]
    assert [entry_of(puzzle) for puzzle in puzzles] == entries


def test_there_are_files_of_each_first_version() -> None:
    assert [file.name for file in (LIBRARIES[0], SETTINGS_FILES[0])] == ["library-1.sqlite3", "settings-1.sqlite"]
