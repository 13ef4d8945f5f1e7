"""Files of earlier versions of the program, kept in ``old``, hold in today's what they held then."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from papan.game.catalogue import GAMES
from papan.game.match.library import Library
from papan.game.match.record import read
from papan.game.puzzles import entry_of, read_puzzles
from papan.ui.settings import FILE_NAME, SETTINGS, Settings

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
    "best scores", "chance by proof", "clocks", "computer speed", "first steps", "folder", "laboratory",
    "solved puzzles", "sound", "speech", "volume",
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
        "opponent": 8,
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
