"""The library's files are deleted, moved or replaced while the program has them open: what was saved stays saved."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from papan.game.match.library import (
    FILE_NAME,
    Library,
    NewMatch,
    Origin,
    SavedMatch,
    SnapshotBuilder,
    WriteQueue,
    header_of,
)
from papan.game.match.library.schema import open_library
from papan.game.match.library.store import Store
from papan.game.match.library.writer import FIRST_PAUSE, HEARTBEAT_SECONDS
from papan.game.match.library.writer_lock import is_dead
from tests.game.match.keeping import connect_four

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows deletes no file that is open")

CLOSED, OPEN = (3, 3, 4), (0, 1, 2)
"""The columns of the match that was left, and of the one that goes on."""


@pytest.fixture
def path(path: Path) -> Path:
    return path.parent / "data" / path.name


class Evening:
    """A match that was left, and one that is being played."""

    def __init__(self, path: Path) -> None:
        self.told: list[str] = []
        self.desk = WriteQueue(path, tell=self.told.append)
        self.begin(CLOSED).close()
        self.desk.work()
        shutil.copy(path, path.with_name("older"))
        self.open = self.begin(OPEN)

    def begin(self, columns: tuple[int, ...]) -> SavedMatch:
        kept = self.desk.begin(connect_four())
        kept.open()
        for column in columns:
            self.play(kept, column)
        return kept

    def play(self, kept: SavedMatch, column: int) -> None:
        kept.match.play(column)
        kept.keep()
        self.desk.work()


def delete(*suffixes: str) -> Callable[[Path], None]:
    def do(path: Path) -> None:
        for suffix in suffixes:
            path.with_name(path.name + suffix).unlink()

    return do


def delete_the_log_and_read(path: Path) -> None:
    """Whoever looks at the file afterwards makes a log that is empty."""
    path.with_name(f"{path.name}-wal").unlink()
    with closing(sqlite3.connect(path)) as connection, pytest.raises(sqlite3.Error):
        connection.execute("SELECT * FROM matches")
    assert path.with_name(f"{path.name}-wal").exists()


def move_the_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


def put_an_older_copy_there(path: Path) -> None:
    path.with_name("older").replace(path)


def put_another_library_there(path: Path) -> None:
    """Its matches have the same numbers."""
    other = path.with_name("other")
    desk = WriteQueue(other)
    for columns in ("7", "66"):
        kept = desk.begin(connect_four(columns, seed=1))
        kept.open()
        desk.work()
        kept.close()
        desk.work()
    desk.shut()
    other.replace(path)


MISHAPS: dict[str, Callable[[Path], None]] = {
    "log": delete("-wal"),
    "index of the log": delete("-shm"),
    "log, which comes back": delete_the_log_and_read,
    "database": delete(""),
    "all": delete("", "-wal", "-shm"),
    "folder": move_the_folder,
    "older copy": put_an_older_copy_there,
    "other library": put_another_library_there,
}


def kept_in(path: Path) -> list[tuple[int, ...]]:
    """The steps of all matches that the next start finds."""
    with closing(Library(path)) as library:
        assert library.notice is None
        return [tuple(library.load(summary.id).all_steps) for page in library.all() for summary in page]


def assert_runs(path: Path, desk: WriteQueue) -> None:
    """Other programs see that this one runs."""
    assert list(path.parent.glob(f"*{desk.name}*")) and not is_dead(path, desk.name)


@pytest.fixture
def evening(path: Path) -> Iterator[Evening]:
    evening = Evening(path)
    yield evening
    evening.desk.shut()


@pytest.mark.parametrize("mishap", MISHAPS.values(), ids=MISHAPS.keys())
@pytest.mark.parametrize("then", ["a step", "a look", "the end"])
def test_what_was_said_to_be_saved_is_there_at_the_next_start(
    path: Path, mishap: Callable[[Path], None], then: str
) -> None:
    evening = Evening(path)
    mishap(path)
    wanted: tuple[int, ...] = OPEN
    if then == "a step":
        evening.play(evening.open, 3)
        while evening.desk.unsaved:
            evening.desk.work()
        wanted = (*OPEN, 3)
    elif then == "a look":
        assert evening.desk.work() == HEARTBEAT_SECONDS
        evening.desk.work()
    if then != "the end":
        shutil.copytree(path.parent, path.parent.with_name("killed"))
        assert {CLOSED, wanted} <= set(kept_in(path.parent.with_name("killed") / FILE_NAME))
    evening.desk.end()
    found = kept_in(path)
    assert found.count(CLOSED) == found.count(wanted) == 1
    assert len(found) == (4 if mishap is put_another_library_there else 2)
    assert len(evening.told) == 1 and "deleted, moved or replaced the file library.sqlite3" in evening.told[0]
    assert {file.name for file in path.parent.iterdir()} <= {FILE_NAME, "older"}


def test_whoever_looks_meanwhile_does_not_take_it_for_damaged(path: Path, evening: Evening) -> None:
    delete("-wal")(path)
    with closing(Library(path)) as library:
        assert library.is_in_memory and "deleted, moved or replaced" in (library.notice or "")
        evening.desk.work()
        assert len(library.unfinished()) == 2 and not library.is_in_memory
    evening.desk.shut()
    assert not list(path.parent.glob("*damaged*"))


def test_a_match_that_goes_on_keeps_its_number_and_its_writer(path: Path, evening: Evening) -> None:
    delete("-wal")(path)
    evening.play(evening.open, 3)
    evening.desk.work()
    assert evening.open.role == "playing" and evening.open.held is not None and evening.open.held.id == 2
    assert_runs(path, evening.desk)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT id FROM matches WHERE writer = ?", (evening.desk.name,)).fetchall() == [(2,)]


def test_a_place_that_cannot_be_written_loses_nothing_and_says_so(path: Path, evening: Evening) -> None:
    shutil.rmtree(path.parent)
    path.parent.write_bytes(b"")
    for _ in range(3):
        evening.desk.work()
    assert evening.desk.unsaved == [evening.open] and "can't be written" in evening.open.standing.trouble
    path.parent.unlink()
    evening.desk.work()
    assert evening.desk.unsaved == [] and sorted(kept_in(path)) == sorted([CLOSED, OPEN])


@pytest.mark.parametrize(("owner", "name"), [(WriteQueue, "_open"), (Store, "bring")])
def test_a_new_file_that_fails_at_first_is_written_later(
    path: Path, evening: Evening, monkeypatch: pytest.MonkeyPatch, owner: type, name: str
) -> None:
    def fail(*_facts: object) -> object:
        raise sqlite3.OperationalError("made to fail")

    delete("", "-wal", "-shm")(path)
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, fail)
        assert evening.desk.work() == FIRST_PAUSE
    before = evening.desk.changes
    assert evening.desk.work() == HEARTBEAT_SECONDS
    assert evening.desk.changes == before + 2, "the file is another, and the match that goes on is in it"
    assert sorted(kept_in(path)) == sorted([CLOSED, OPEN])
    assert_runs(path, evening.desk)


def test_without_the_old_content_the_match_that_goes_on_is_saved_at_once(
    path: Path, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    delete("", "-wal", "-shm")(path)
    monkeypatch.setattr("papan.game.match.library.writer.is_sound", lambda _connection: False)
    assert evening.desk.work() == HEARTBEAT_SECONDS
    assert kept_in(path) == [OPEN]


def test_matches_are_brought_once_and_newer_ones_stay(path: Path) -> None:
    a, b, c, d, e = (
        NewMatch(header_of(match), SnapshotBuilder(match).snapshot())
        for match in (connect_four("1212334456"[: 2 * seed], seed=seed) for seed in range(1, 6))
    )
    b = b._replace(header=b.header._replace(origin=Origin(1, 2)))
    stores = []
    for name, matches in (("here", (c, a, d, e)), ("there", (a, b, d, e, c, b))):
        file = path.with_name(name)
        stores.append(Store(file, open_library(file).connection, name))
        stores[-1].add(matches)
    here, there = stores
    there.connection.execute("UPDATE matches SET revision = 5, played = 1, updated = '' WHERE id = 3")
    there.connection.execute("DELETE FROM steps WHERE match = 3 AND number > 0")
    here.connection.execute("UPDATE matches SET revision = 5 WHERE id = 4")
    there.connection.execute("DELETE FROM steps WHERE match = 4")
    there.connection.execute("UPDATE matches SET deleted = 1, tags = '' WHERE id = 6")
    assert here.bring(there.connection) == {1: 2, 2: 5, 5: 1}
    rows = here.connection.execute(
        "SELECT id, parent, count(number) FROM matches LEFT JOIN steps ON match = id GROUP BY id ORDER BY id"
    )
    assert rows.fetchall() == [(1, None, 6), (2, None, 2), (3, None, 1), (4, None, 10), (5, 2, 4)]
    assert here.bring(there.connection) == {1: 2, 2: 5, 5: 1}, "nothing comes twice"
    for store in stores:
        store.close()


def test_two_programs_that_lose_one_log_keep_each_other_s_matches(path: Path, evening: Evening) -> None:
    there = WriteQueue(path)
    kept = there.begin(connect_four(seats=("random", "human"), seed=9))
    kept.open()
    kept.match.play(6)
    kept.keep()
    there.work()
    delete("-wal")(path)
    evening.play(evening.open, 3)
    kept.match.play(6)
    kept.keep()
    for desk in (there, evening.desk) * 2:
        desk.work()
    assert kept.role == evening.open.role == "playing"
    assert sorted(kept_in(path)) == sorted([CLOSED, (*OPEN, 3), (6, 6)])
    there.shut()


def test_a_new_library_is_not_all_in_its_log(path: Path) -> None:
    desk = WriteQueue(path)
    desk.find_file()
    desk.work()
    alone = path.with_name("alone")
    shutil.copy(path, alone)
    desk.shut()
    with closing(sqlite3.connect(alone)) as connection:
        assert connection.execute("SELECT count(*) FROM matches").fetchone() == (0,)
