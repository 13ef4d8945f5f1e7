"""The library's writer: whatever fails, nothing that was played is lost while the program runs on."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import TypeVar

import pytest

from dev.trials.injection import KINDS, MOMENTS, Fault, Faults, Moment, Statement
from papan.game.base.database import Opened, open_database
from papan.game.catalogue import find
from papan.game.match import Match
from papan.game.match.library import FILE_NAME, Library, LibraryWriter, SavedMatch, WriteQueue, replay
from papan.game.match.library.schema import MIGRATIONS, open_library
from papan.game.match.library.store import Store
from papan.game.match.library.writer_lock import is_dead
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[3]
T = TypeVar("T")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / FILE_NAME


def new_match() -> Match:
    return Match.new(find("connect-four"), ["human", "human"], {"first": "1"}, seed=7)


def assert_stored(path: Path, match: Match) -> None:
    """The file has *match* and no other."""
    with closing(Library(path)) as library:
        [summary] = library.unfinished()
        stored = library.load(summary.id)
        assert (stored.all_steps, stored.steps) == (match.all_steps, match.steps)


def writers(path: Path) -> list[str | None]:
    """Who writes each match in the file."""
    with closing(sqlite3.connect(path)) as connection:
        return [writer for (writer,) in connection.execute("SELECT writer FROM matches")]


def play_a_little(path: Path, faults: Faults) -> Match:
    """A match, some steps of it played, one of them taken back, while the desk works after each."""
    with faults.installed():
        return _played(path)


def _played(path: Path) -> Match:
    desk = WriteQueue(path)
    match = new_match()
    kept = desk.begin(match)
    kept.open()
    desk.work()
    for step in (3, 3, 4):
        match.play(step)
        kept.keep()
        desk.work()
    match.undo()
    kept.keep()
    desk.work()
    kept.close()
    for _attempt in range(3):
        desk.work()
    assert desk.is_idle and desk.unsaved == []
    desk.shut()
    return match


@pytest.fixture(scope="module")
def statements(tmp_path_factory: pytest.TempPathFactory) -> list[Statement]:
    """Those that are said where nothing fails."""
    sound = Faults()
    play_a_little(tmp_path_factory.mktemp("sound") / FILE_NAME, sound)
    assert len(sound.seen) > 50
    return sound.seen


class TestAnyStatementFails:
    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("moment", MOMENTS)
    def test_no_step_is_lost_and_nothing_is_stored_twice(
        self, tmp_path: Path, statements: list[Statement], kind: str, moment: Moment
    ) -> None:
        for number, statement in enumerate(statements):
            path = tmp_path / str(number) / FILE_NAME
            faults = Faults(Fault(statement, kind, moment))
            assert_stored(path, play_a_little(path, faults))
            assert faults.failures == 1, f"{statement} was never said"

    @pytest.mark.parametrize("kind", KINDS)
    def test_the_reason_is_a_sentence(self, path: Path, statements: list[Statement], kind: str) -> None:
        inserting = next(statement for statement in statements if statement.words.startswith("INSERT INTO matches"))
        with Faults(Fault(inserting, kind)).installed():
            desk = WriteQueue(path)
            kept = desk.begin(new_match())
            kept.open()
            assert desk.work() is not None
            assert kept.standing.trouble.endswith(".") and "made to fail" not in kept.standing.trouble
            assert kept.standing.waiting_since is not None and kept.standing.committed == 0
            desk.work()
            assert kept.standing.trouble == "" and kept.standing.waiting_since is None
            desk.shut()


class Meanwhile(Faults):
    """Has something done at the table while the next statement is carried out."""

    act: Callable[[], None] | None = None

    def run(self, file: str, words: str, statement: Callable[[], T], *rest: Callable[[], object]) -> T:
        act, self.act = self.act, None
        if act is not None:
            act()
        return super().run(file, words, statement, *rest)


class TestTheTableGoesOn:
    def test_what_is_played_while_a_step_is_written_is_written_next(self, path: Path) -> None:
        meanwhile, match = Meanwhile(), new_match()
        desk = WriteQueue(path)
        kept = desk.begin(match)
        kept.open()
        with meanwhile.installed():
            desk.work()

        def play_and_leave() -> None:
            match.play(4)
            kept.keep()
            kept.close()

        match.play(3)
        kept.keep()
        meanwhile.act = play_and_leave
        desk.work()
        assert (kept.standing.committed, desk.unsaved) == (1, [kept]) and kept.standing.waiting_since is not None
        desk.work()
        assert desk.is_idle and desk.unsaved == [] and kept.standing.waiting_since is None
        assert_stored(path, match)
        assert writers(path) == [None], "anybody may go on with it"
        desk.shut()

    def test_a_table_that_was_left_is_work_to_do(self, path: Path) -> None:
        desk, match = WriteQueue(path), new_match()
        kept = desk.begin(match)
        kept.open()
        match.play(3)
        kept.keep()
        assert not desk.is_idle
        desk.work()
        assert desk.is_idle and writers(path) == [desk.name]
        kept.close()
        assert not desk.is_idle and desk.unsaved == []
        desk.work()
        assert desk.is_idle and writers(path) == [None]
        desk.shut()

    def test_what_waits_longest_is_named_first(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("papan.game.match.library.saved_match.time", SimpleNamespace(monotonic=count(1.0).__next__))
        desk = WriteQueue(path)
        one, other = desk.begin(new_match()), desk.begin(new_match())
        for kept in (one, other):
            kept.open()
        desk.work()
        for kept in (other, one, other):
            kept.match.play(3)
            kept.keep()
        assert desk.unsaved == [other, one]
        desk.work()
        assert desk.unsaved == []
        desk.shut()

    def test_a_match_that_does_not_change_is_left_in_peace(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        told = Faults()
        desk = WriteQueue(path)
        desk.begin(new_match()).open()
        monkeypatch.setattr("papan.game.match.library.writer.HEARTBEAT_SECONDS", 10 * PATIENCE)
        with told.installed():
            desk.work()
        before = len(told.seen)
        desk.work()
        assert len(told.seen) == before > 0
        monkeypatch.setattr("papan.game.match.library.writer.HEARTBEAT_SECONDS", 0.0)
        desk.work()
        assert len(told.seen) > before, "a heartbeat"
        desk.shut()

    @pytest.mark.skipif(sys.platform == "win32", reason="on Windows a user's folders are private already")
    def test_the_sign_of_presence_is_its_owner_s(self, path: Path) -> None:
        desk = WriteQueue(path)
        desk.begin(new_match()).open()
        desk.work()
        [sign] = path.parent.glob(f"*{desk.name}*")
        assert sign.stat().st_mode & 0o777 == 0o600
        desk.shut()


class TestWhatLasts:
    def test_a_full_disk_and_then_space(self, path: Path) -> None:
        connections: list[sqlite3.Connection] = []

        def open_small(path: Path) -> Opened:
            connection, notice = open_library(path)
            connection.execute("PRAGMA max_page_count = 6")
            connections.append(connection)
            return Opened(connection, notice)

        desk, matches = WriteQueue(path, open_file=open_small), [new_match()]
        kept = desk.begin(matches[0])
        kept.open()
        desk.work()
        while kept.standing.trouble == "":
            if kept.match.ending:
                matches.append(new_match())
                kept = desk.begin(matches[-1])
                kept.open()
            kept.match.play(kept.match.legal_steps()[-1])
            kept.keep()
            desk.work()
        assert kept.standing.trouble == "The library can't be written: the disk is full." and desk.unsaved == [kept]
        while not kept.match.ending:
            kept.match.play(kept.match.legal_steps()[-1])
            kept.keep()
            desk.work()
        connections[-1].execute("PRAGMA max_page_count = 10000")
        desk.work()
        assert desk.unsaved == [] and kept.standing.committed == len(kept.match.steps)
        desk.shut()
        with closing(Library(path)) as library:
            stored = [library.load(summary.id) for summary in reversed(library.recent(1000))]
        assert [match.steps for match in stored] == [match.steps for match in matches]

    def test_pauses_grow_up_to_a_bound(self, path: Path) -> None:
        def refuse(path: Path) -> Opened:
            raise sqlite3.OperationalError("no")

        desk = WriteQueue(path, open_file=refuse)
        desk.begin(new_match()).open()
        pauses = [desk.work() for _number in range(9)]
        assert pauses == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0, 5.0]

    def test_a_file_that_cannot_be_used_is_no_place_to_keep_anything(self, path: Path) -> None:
        path.mkdir()
        desk, match = WriteQueue(path), new_match()
        kept = desk.begin(match)
        kept.open()
        match.play(3)
        kept.keep()
        desk.work()
        assert "can't be used" in kept.standing.trouble and desk.unsaved == [kept]
        path.rmdir()
        desk.work()
        assert desk.unsaved == []
        assert_stored(path, match)
        desk.shut()

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows removes no file that is open")
    def test_a_file_that_takes_its_place_and_is_damaged_is_begun_anew_with_the_whole_match(self, path: Path) -> None:
        told: list[str] = []
        desk, match = WriteQueue(path, tell=told.append), new_match()
        kept = desk.begin(match)
        kept.open()
        match.play(3)
        kept.keep()
        desk.work()
        for file in path.parent.glob(f"{path.name}*"):
            file.unlink()
        path.write_bytes(b"noise" * 4000)
        match.play(4)
        kept.keep()
        while desk.unsaved:
            desk.work()
        assert_stored(path, match)
        assert "damaged" in told[0] and "deleted, moved or replaced" in told[1]
        desk.shut()

    @pytest.mark.parametrize("sign", [b"\xff", b"Q"])
    def test_a_trigger_whose_words_are_damaged(self, tmp_path: Path, sign: bytes) -> None:
        """They are read when a match is saved: the file could be opened, and nothing was ever saved in it."""
        desk = WriteQueue(tmp_path / FILE_NAME)
        desk.begin(new_match()).open()
        desk.work()
        desk.shut()
        content = desk.path.read_bytes()
        began = content.index(b"CREATE TRIGGER")
        for at in range(began, content.index(b"END", began) + 3, 7):
            path = tmp_path / str(at) / FILE_NAME
            path.parent.mkdir()
            path.write_bytes(content[:at] + sign + content[at + 1 :])
            told: list[str] = []
            desk, match = WriteQueue(path, tell=told.append), new_match()
            kept = desk.begin(match)
            kept.open()
            match.play(3)
            kept.keep()
            desk.work()
            assert desk.unsaved == [] and len(told) == 1 and "damaged" in told[0]
            assert_stored(path, match)
            desk.shut()

    def test_a_schema_that_is_damaged_while_the_file_is_open(self, path: Path) -> None:
        """SQLite's message has bytes that are no text then, which ends in a UnicodeDecodeError."""
        told: list[str] = []
        desk, match = WriteQueue(path, tell=told.append), new_match()
        kept = desk.begin(match)
        kept.open()
        desk.work()
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("PRAGMA writable_schema = ON")
            other.execute(
                "UPDATE sqlite_master SET sql = replace(sql, 'BEFORE', CAST(X'FF' AS TEXT)) WHERE type = 'trigger'"
            )
            [version] = other.execute("PRAGMA schema_version").fetchone()
            other.execute(f"PRAGMA schema_version = {version + 1}")
        match.play(3)
        kept.keep()
        desk.work()
        assert kept.standing.trouble == "The library can't be written: it is damaged."
        desk.work()
        assert desk.unsaved == [] and len(told) == 1 and "damaged" in told[0]
        assert_stored(path, match)
        desk.shut()


class TestTheThread:
    @pytest.fixture
    def threads(self) -> set[str]:
        """The names of the threads that have opened the file."""
        return set()

    @pytest.fixture
    def writer(self, path: Path, threads: set[str]) -> Iterator[LibraryWriter]:
        def open_file(path: Path) -> Opened:
            threads.add(threading.current_thread().name)
            return open_library(path)

        writer = LibraryWriter(path, open_file=open_file)
        yield writer
        assert writer.close(PATIENCE)

    def test_it_starts_with_the_first_match(self, writer: LibraryWriter, path: Path, threads: set[str]) -> None:
        assert writer.flush(0.0) and not path.exists()
        writer.begin(new_match()).open()
        assert writer.flush(PATIENCE)
        assert threads == {"library"}, "a connection works only in the thread that opened it"
        assert all(thread.daemon for thread in threading.enumerate() if thread.name == "library"), "disks may hang"

    def test_another_program_that_writes_keeps_nobody_waiting(self, writer: LibraryWriter, path: Path) -> None:
        match = new_match()
        kept = writer.begin(match)
        kept.open()
        assert writer.flush(PATIENCE)
        with closing(sqlite3.connect(path)) as other:
            other.execute("BEGIN IMMEDIATE")
            for step in range(7):
                match.play(step)
                kept.keep()
            assert kept.standing.committed == 0 and kept.standing.waiting_since is not None
            assert not writer.flush(0.0)
        assert writer.flush(PATIENCE) and kept.standing.committed == 7
        assert_stored(path, match)

    def test_a_mistake_of_the_program_does_not_end_it(
        self, writer: LibraryWriter, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        match = new_match()
        kept = writer.begin(match)
        with monkeypatch.context() as patch:
            patch.setattr("papan.game.match.library.writer.LONGEST_PAUSE", 0.01)
            patch.setattr(SavedMatch, "written", lambda *_: 1 / 0)
            kept.open()
            match.play(3)
            kept.keep()
            assert not writer.flush(0.1)
        assert writer.flush(PATIENCE)
        assert_stored(path, match)

    def test_a_match_comes_back_before_it_is_saved(self, writer: LibraryWriter, path: Path) -> None:
        match = new_match()
        kept = writer.begin(match)
        kept.open()
        assert writer.flush(PATIENCE)
        with closing(sqlite3.connect(path)) as other:
            other.execute("BEGIN IMMEDIATE")
            match.play(3)
            kept.keep()
            kept.close()
            assert writer.unsaved == [kept]
            kept.open()
            match.play(4)
            kept.keep()
        assert writer.flush(PATIENCE) and writer.unsaved == []
        assert_stored(path, match)


WRITER = """
import sys
from pathlib import Path
from papan.game.catalogue import find
from papan.game.match import Match
from papan.game.match.library import LibraryWriter

writer = LibraryWriter(Path(sys.argv[1]))
kept = writer.begin(Match.new(find("connect-four"), ["human", "human"], {"first": "1"}, seed=7))
kept.open()
kept.match.play(3)
kept.keep()
assert writer.flush(60)
print(writer.name, flush=True)
sys.stdin.readline()
"""


class TestAnotherProgram:
    @pytest.fixture
    def other(self, path: Path) -> Iterator[subprocess.Popen[str]]:
        program = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        yield program
        program.kill()
        program.communicate()

    def test_its_match_is_taken_while_it_runs_and_free_once_it_is_killed(
        self, path: Path, other: subprocess.Popen[str]
    ) -> None:
        assert other.stdout is not None
        name = other.stdout.readline().strip()
        with closing(Library(path)) as library:
            [summary] = library.unfinished()
            assert library.find(summary.id).is_taken and not is_dead(path, name)
            desk = WriteQueue(path)
            told: list[str] = []
            desk = WriteQueue(path, tell=told.append)
            desk.drop(summary.id)
            desk.work()
            assert len(library.unfinished()) == 1 and "another window" in told[0]
            other.kill()
            other.wait()
            assert is_dead(path, name) and not library.find(summary.id).is_taken
            desk.drop(summary.id)
            desk.work()
            assert library.unfinished() == []
            desk.shut()

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGSTOP")
    def test_one_that_is_not_heard_of_is_taken_for_gone(
        self, path: Path, other: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert other.stdout is not None
        other.stdout.readline()
        other.send_signal(signal.SIGSTOP)
        with closing(Library(path)) as library:
            [summary] = library.unfinished()
            monkeypatch.setattr("papan.game.match.library.writer_lock.EXPIRY", 0.0)
            assert not library.find(summary.id).is_taken

    def test_what_the_dead_leave_behind_is_cleared(self, path: Path, other: subprocess.Popen[str]) -> None:
        assert other.stdout is not None
        name = other.stdout.readline().strip()
        other.kill()
        other.wait()
        assert list(path.parent.glob(f"*{name}*"))
        desk = WriteQueue(path)
        desk.work()
        assert not list(path.parent.glob(f"*{name}*"))
        desk.shut()
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("SELECT writer, heartbeat FROM matches").fetchall() == [(None, None)]


class TestTheSchema:
    def test_a_file_of_the_first_version_is_read_and_written_on(self, path: Path) -> None:
        old, _notice = open_database(path, MIGRATIONS[:1])
        desk, match = WriteQueue(path.with_name("new.sqlite3")), new_match()
        match.play(3)
        kept = desk.begin(match)
        kept.open()
        desk.work()
        desk.shut()
        with closing(sqlite3.connect(desk.path)) as new:
            columns = "id, tags, game, seats, played, round, mover, payoffs, reason, updated"
            [row] = new.execute(f"SELECT {columns} FROM matches")
        old.execute(f"INSERT INTO matches ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        old.execute("INSERT INTO steps VALUES (?, 0, '4')", (row[0],))
        old.close()
        with closing(Library(path)) as library:
            stored, is_taken = library.find(row[0])
            again = replay(stored)
        assert list(again.steps) == [3] and stored.revision == 0 and not is_taken
        desk = WriteQueue(path)
        kept = desk.resume(again, stored, is_taken=False)
        kept.open()
        again.play(5)
        kept.keep()
        desk.work()
        desk.shut()
        assert_stored(path, again)

    def test_a_program_of_the_first_version_that_runs_already_is_refused(self, path: Path) -> None:
        old, _notice = open_database(path, MIGRATIONS[:1])
        desk, match = WriteQueue(path), new_match()
        kept = desk.begin(match)
        kept.open()
        match.play(3)
        kept.keep()
        desk.work()
        with pytest.raises(sqlite3.IntegrityError, match="newer version"):
            old.execute("UPDATE matches SET played = 2, round = 2, updated = 'now'")
        old.close()
        match.play(4)
        kept.keep()
        desk.work()
        desk.shut()
        assert_stored(path, match)

    def test_an_older_program_leaves_a_newer_file_alone(self, path: Path) -> None:
        Library(path).close()
        connection, notice = open_database(path, MIGRATIONS[:1])
        assert notice is not None and "newer version" in notice
        connection.close()


class TestForgetting:
    def test_a_match_that_is_left_while_it_is_first_written_is_not_kept(
        self, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        desk = WriteQueue(path)
        kept = desk.begin(new_match())
        begin = Store.begin

        def left_meanwhile(store: Store, *facts: object) -> object:
            held = begin(store, *facts)  # type: ignore[arg-type]
            kept.close()
            return held

        monkeypatch.setattr(Store, "begin", left_meanwhile)
        kept.open()
        desk.work()
        assert desk.is_idle and writers(path) == []
        desk.shut()

    @pytest.mark.parametrize("is_written", [False, True])
    def test_a_match_whose_place_another_has_taken_is_not_kept(self, path: Path, is_written: bool) -> None:
        desk = WriteQueue(path)
        match = new_match()
        kept = desk.begin(match)
        kept.open()
        match.play(3)
        kept.keep()
        if is_written:
            desk.work()
            assert len(writers(path)) == 1
        kept.abandon()
        assert desk.unsaved == []
        desk.work()
        assert desk.is_idle and writers(path) == []
        desk.shut()
