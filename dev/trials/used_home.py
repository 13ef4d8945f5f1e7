"""A player's files as an older version of the program left them when it was killed."""

from __future__ import annotations

import datetime
import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from pathlib import Path

from papan.ai.players import HUMAN
from papan.game.base.database import open_database
from papan.game.base.sqlite import MOST_COPIES, make_daily_copy, transaction
from papan.game.catalogue import find
from papan.game.match import Match
from papan.game.match.library import FILE_NAME, WriteQueue
from papan.game.match.library.schema import MIGRATIONS
from papan.game.match.library.writer_lock import new_name
from papan.game.match.notation import parse_step
from papan.ui.settings import FILE_NAME as SETTINGS_FILE
from papan.ui.settings import Settings

GAME = "connect-four"
UNFINISHED, FINISHED = 1, 2  # the IDs of the two matches in the library
MOVE_SECONDS = 2.0  # not the default
_STEPS = {UNFINISHED: "4453", FINISHED: "4151617"}
_LAST_YEAR = datetime.date(2025, 11, 22)
_DEAD = "0" * len(new_name())


def old_match(number: int) -> Match:
    match = Match.new(find(GAME), [HUMAN, HUMAN], {"first": "1"}, seed=number)
    for notation in _STEPS[number]:
        match.play(parse_step(match.rules, match.state, notation))
    return match


def copy_to(data: Path) -> None:
    """Copy the files to the folder *data*: a library of the first version, copies of it, and settings."""
    data.mkdir(parents=True, exist_ok=True)
    for name, content in _made().items():
        path = data / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


@cache
def _made() -> Mapping[Path, bytes]:
    """The files' contents by their paths in the folder, created once in a process."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        data = Path(folder)
        _make_library(data / FILE_NAME)
        settings = Settings(data)
        settings.move_seconds, settings.animation = MOVE_SECONDS, "off"
        settings.close()
        for name in (FILE_NAME, SETTINGS_FILE):
            for day in range(MOST_COPIES):
                make_daily_copy(data / name, _LAST_YEAR + datetime.timedelta(days=day))
        (data / f"{FILE_NAME}-{_DEAD}.running").touch()
        return {path.relative_to(data): path.read_bytes() for path in data.rglob("*") if path.is_file()}


def _make_library(path: Path) -> None:
    """Write a library with the first version of its schema into the file *path*."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        desk = WriteQueue(Path(folder) / FILE_NAME)
        for number in _STEPS:
            kept = desk.begin(old_match(number))
            kept.open()
            desk.work()
        desk.shut()
        old, _notice = open_database(path, MIGRATIONS[:1])
        with closing(old), closing(sqlite3.connect(desk.path)) as new, transaction(old):
            for table in ("matches", "steps"):
                names = [name for (name,) in old.execute("SELECT name FROM pragma_table_info(?)", (table,))]
                rows = new.execute(f"SELECT {', '.join(names)} FROM {table}")
                old.executemany(
                    f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})", rows
                )
