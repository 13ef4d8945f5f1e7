"""The library's writer: whatever fails, nothing that was played is lost while the program runs on."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest

from dev.trials.injection import KINDS, MOMENTS, Fault, Faults, Moment, Statement
from papan.game.base.database import Opened, open_database
from papan.game.match import Conclusion, Match
from papan.game.match.library import (
    FILE_NAME,
    Library,
    LibraryWriter,
    NewMatch,
    SavedMatch,
    SnapshotBuilder,
    WriteQueue,
    header_of,
    replay,
)
from papan.game.match.library.schema import MIGRATIONS, open_library
from papan.game.match.library.store import Held, LeaseLost, Store
from papan.game.match.library.writer import FIRST_PAUSE, HEARTBEAT_SECONDS
from papan.game.match.library.writer_lock import EXPIRY, dead_names, is_dead
from tests.game.match.keeping import CONNECT_FOUR, Keeping, connect_four
from tests.sizes import sample_and_all
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[3]
T = TypeVar("T")


def new_match() -> Match:
    return connect_four(seats=("human", "human"))


class Played:
    """A match that is kept at a desk of its own, after the steps in *columns*."""

    def __init__(self, path: Path, *columns: int, **others: Any) -> None:
        self.told: list[str] = []
        self.desk = WriteQueue(path, tell=self.told.append, **others)
        self.match = new_match()
        self.kept = self.desk.begin(self.match)
        self.kept.open()
        self.play(*columns)

    def play(self, *columns: int) -> None:
        for column in columns:
            self.match.play(column)
            self.kept.keep()


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
    one = Played(path)
    one.desk.work()
    for step in (3, 3, 4):
        one.play(step)
        one.desk.work()
    one.match.undo()
    one.kept.keep()
    one.desk.work()
    one.kept.close()
    for _attempt in range(3):
        one.desk.work()
    assert one.desk.is_idle and one.desk.unsaved == []
    one.desk.shut()
    return one.match


@pytest.fixture(scope="module")
def statements(tmp_path_factory: pytest.TempPathFactory) -> list[Statement]:
    """Those that are said where nothing fails."""
    sound = Faults()
    play_a_little(tmp_path_factory.mktemp("sound") / FILE_NAME, sound)
    assert len(sound.seen) > 50
    return sound.seen


class TestAnyStatementFails:
    @sample_and_all("every", 6, 1)
    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("moment", MOMENTS)
    def test_no_step_is_lost_and_nothing_is_stored_twice(
        self, tmp_path: Path, statements: list[Statement], kind: str, moment: Moment, every: int
    ) -> None:
        for number, statement in list(enumerate(statements))[[*KINDS].index(kind) % every :: every]:
            path = tmp_path / str(number) / FILE_NAME
            faults = Faults(Fault(statement, kind, moment))
            assert_stored(path, play_a_little(path, faults))
            assert faults.failures == 1, f"{statement} was never said"

    @pytest.mark.parametrize("kind", KINDS)
    def test_the_reason_is_a_sentence(self, path: Path, statements: list[Statement], kind: str) -> None:
        inserting = next(statement for statement in statements if statement.words.startswith("INSERT INTO matches"))
        with Faults(Fault(inserting, kind)).installed():
            one = Played(path)
            assert one.desk.work() is not None
            standing = one.kept.standing
            assert standing.trouble.endswith(".") and "made to fail" not in standing.trouble
            assert standing.waiting_since is not None and standing.committed == 0
            one.desk.work()
            assert one.kept.standing.trouble == "" and one.kept.standing.waiting_since is None
            one.desk.shut()


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
        meanwhile, one = Meanwhile(), Played(path)
        with meanwhile.installed():
            one.desk.work()

        def play_and_leave() -> None:
            one.play(4)
            one.kept.close()

        one.play(3)
        meanwhile.act = play_and_leave
        one.desk.work()
        assert (one.kept.standing.committed, one.desk.unsaved) == (1, [one.kept])
        assert one.kept.standing.waiting_since is not None
        one.desk.work()
        assert one.desk.is_idle and one.desk.unsaved == [] and one.kept.standing.waiting_since is None
        assert_stored(path, one.match)
        assert writers(path) == [None], "anybody may go on with it"
        one.desk.shut()

    def test_a_table_that_was_left_is_work_to_do(self, path: Path) -> None:
        one = Played(path, 3)
        assert not one.desk.is_idle
        one.desk.work()
        assert one.desk.is_idle and writers(path) == [one.desk.name]
        if sys.platform != "win32":  # where a user's folders are private already
            [sign] = path.parent.glob(f"*{one.desk.name}*")
            assert sign.stat().st_mode & 0o777 == 0o600
        one.kept.close()
        assert not one.desk.is_idle and one.desk.unsaved == []
        one.desk.work()
        assert one.desk.is_idle and writers(path) == [None]
        one.desk.shut()

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

    def test_two_heartbeats_may_be_missed(self) -> None:
        assert 3 * HEARTBEAT_SECONDS <= EXPIRY

    def test_it_waits_since_its_first_change(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("papan.game.match.library.saved_match.time", SimpleNamespace(monotonic=count(1.0).__next__))
        one = Played(path)
        assert one.kept.standing.waiting_since == 1.0
        one.desk.work()
        for moment, change in enumerate((one.kept.keep, one.kept.mark_unsaved, one.kept.store_anew), start=2):
            for _ in range(2):
                change()
                assert one.kept.standing.waiting_since == moment
            one.desk.work()
            assert one.kept.standing.waiting_since is None
        one.desk.shut()

    def test_changes_of_the_lists_are_counted(self, path: Path) -> None:
        def open_later(path: Path) -> Opened:
            if not attempts.pop():
                raise sqlite3.OperationalError("made to fail")
            return open_library(path)

        def changed() -> int:
            before = desk.changes
            desk.work()
            return desk.changes - before

        attempts, desk = [True, False], WriteQueue(path, open_file=open_later)
        assert [changed(), changed(), changed()] == [0, 1, 0], "nothing could be read, then everything"
        kept = desk.begin(new_match())
        kept.open()
        assert [changed(), changed()] == [1, 0]
        kept.close()
        assert [changed(), changed()] == [1, 0], "it has no step, and goes"
        kept = desk.begin(connect_four("44"))
        kept.open()
        desk.work()
        kept.close()
        assert changed() == 0 and kept.held is not None
        desk.rename(kept.held.id, "Mine")
        assert not desk.is_idle
        assert [changed(), changed()] == [1, 0] and desk.is_idle
        desk.drop(kept.held.id)
        assert not desk.is_idle and desk.dropped == (kept.held.id,)
        assert [changed(), changed()] == [1, 0] and desk.is_idle and desk.dropped == ()
        desk.shut()

    def test_a_match_that_does_not_change_is_left_in_peace(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        told, desk = Faults(), Played(path).desk
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

        desk = Played(path, open_file=refuse).desk
        assert [desk.work() for _number in range(9)] == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0, 5.0]

    def test_a_file_that_cannot_be_used_is_no_place_to_keep_anything(self, path: Path) -> None:
        path.mkdir()
        one = Played(path, 3)
        one.desk.work()
        assert "can't be used" in one.kept.standing.trouble and one.desk.unsaved == [one.kept]
        path.rmdir()
        one.desk.work()
        assert one.desk.unsaved == []
        assert_stored(path, one.match)
        one.desk.shut()

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows removes no file that is open")
    def test_a_file_that_takes_its_place_and_is_damaged_is_begun_anew_with_the_whole_match(self, path: Path) -> None:
        one = Played(path, 3)
        one.desk.work()
        for file in path.parent.glob(f"{path.name}*"):
            file.unlink()
        path.write_bytes(b"noise" * 4000)
        one.play(4)
        while one.desk.unsaved:
            one.desk.work()
        assert_stored(path, one.match)
        assert "damaged" in one.told[0] and "deleted, moved or replaced" in one.told[1]
        one.desk.shut()

    @pytest.mark.parametrize("sign", [b"\xff", b"Q"])
    def test_a_trigger_whose_words_are_damaged(self, tmp_path: Path, sign: bytes) -> None:
        """They are read when a match is saved: the file could be opened, and nothing was ever saved in it."""
        whole = Played(tmp_path / FILE_NAME).desk
        whole.work()
        whole.shut()
        content = whole.path.read_bytes()
        began = content.index(b"CREATE TRIGGER")
        for at in range(began, content.index(b"END", began) + 3, 14):
            path = tmp_path / str(at) / FILE_NAME
            path.parent.mkdir()
            path.write_bytes(content[:at] + sign + content[at + 1 :])
            one = Played(path, 3)
            one.desk.work()
            assert one.desk.unsaved == [] and len(one.told) == 1 and "damaged" in one.told[0]
            assert_stored(path, one.match)
            one.desk.shut()

    def test_a_schema_that_is_damaged_while_the_file_is_open(self, path: Path) -> None:
        """SQLite's message has bytes that are no text then, which ends in a UnicodeDecodeError."""
        one = Played(path)
        one.desk.work()
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("PRAGMA writable_schema = ON")
            other.execute(
                "UPDATE sqlite_master SET sql = replace(sql, 'BEFORE', CAST(X'FF' AS TEXT)) WHERE type = 'trigger'"
            )
            [version] = other.execute("PRAGMA schema_version").fetchone()
            other.execute(f"PRAGMA schema_version = {version + 1}")
        one.play(3)
        one.desk.work()
        assert one.kept.standing.trouble == "The library can't be written: it is damaged."
        one.desk.work()
        assert one.desk.unsaved == [] and len(one.told) == 1 and "damaged" in one.told[0]
        assert_stored(path, one.match)
        one.desk.shut()

    @pytest.mark.parametrize("name", ["rename", "drop"])
    def test_what_fails_is_tried_again(self, path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        def fail(*_facts: object) -> object:
            raise sqlite3.OperationalError("made to fail")

        one = Played(path, 3)
        one.desk.work()
        one.kept.close()
        assert one.desk.work() == HEARTBEAT_SECONDS
        one.desk.rename(1, "Mine")
        one.desk.drop(1)
        with monkeypatch.context() as patch:
            patch.setattr(Store, name, fail)
            assert one.desk.work() == FIRST_PAUSE and not one.desk.is_idle
        assert one.desk.work() == HEARTBEAT_SECONDS
        assert one.desk.is_idle and writers(path) == []
        one.desk.shut()

    def test_a_match_whose_number_is_another_match_s_now_is_stored_anew(self, path: Path) -> None:
        one = Played(path, 3)
        one.desk.work()
        with closing(sqlite3.connect(path)) as other, other:
            other.execute("UPDATE matches SET tags = '{}', writer = 'another'")
        one.play(4)
        one.desk.work()
        assert one.kept.role == "playing" and one.kept.held is not None and one.kept.held.id == 2
        with closing(Library(path)) as library:
            assert (list(library.load(2).steps), library.find(1).stored.notations) == ([3, 4], ("4",))
        one.desk.shut()

    @pytest.mark.parametrize("revision", [0, "x"])
    def test_an_older_row_of_its_own_is_written_on(self, path: Path, revision: object) -> None:
        one = Played(path, 3)
        one.desk.work()
        with closing(sqlite3.connect(path)) as other, other:
            other.execute("UPDATE matches SET revision = ?", (revision,))
            other.execute("DELETE FROM steps")
        one.play(4)
        one.desk.work()
        assert_stored(path, one.match)
        one.desk.shut()


class TestOneOfFive:
    """What is done to a match changes no other one. The third is free, and another program plays the fourth."""

    @pytest.fixture
    def store(self, path: Path) -> Iterator[Store]:
        store = Store(path, open_library(path).connection, "own")
        yield store
        store.close()

    @pytest.fixture
    def five(self, store: Store) -> list[Held]:
        matches = [connect_four("44", seed=seed) for seed in range(5)]
        held = [store.begin(header_of(match), SnapshotBuilder(match).snapshot()) for match in matches]
        store.connection.execute("UPDATE matches SET heartbeat = 1")
        store.connection.execute("UPDATE matches SET writer = NULL WHERE id = 3")
        store.connection.execute("UPDATE matches SET writer = 'another' WHERE id = 4")
        return held

    def changed(self, store: Store, act: Callable[..., object], *facts: object) -> list[int]:
        def rows() -> dict[int, object]:
            columns = "id, writer, heartbeat, revision, name, turns, deleted"
            return {number: rest for number, *rest in store.connection.execute(f"SELECT {columns} FROM matches")}

        before = rows()
        with suppress(LeaseLost):
            act(*facts)
        after = rows()
        return [number for number in before if after.get(number) != before[number]]

    @pytest.mark.parametrize(
        ("act", "changed"),
        [
            (Store.renew, [1, 2, 5]),
            (Store.release, [1, 2, 5]),
            (Store.discard, [1, 2, 3, 5]),
            (Store.claim, [1, 2, 3, 4, 5]),
        ],
    )
    def test_by_its_writer(
        self, store: Store, five: list[Held], act: Callable[[Store, Held], object], changed: list[int]
    ) -> None:
        for held in five:
            assert self.changed(store, act, store, held) == [held.id] * (held.id in changed)

    @pytest.mark.parametrize(
        ("act", "changed"), [(Store.renew, [1]), (Store.release, []), (Store.discard, [1]), (Store.claim, [1])]
    )
    def test_in_an_older_state(
        self, store: Store, five: list[Held], act: Callable[[Store, Held], object], changed: list[int]
    ) -> None:
        store.connection.execute("UPDATE matches SET revision = 2")
        assert [self.changed(store, act, store, five[at]) for at in (0, 2)] == [changed, []]

    def test_by_a_person(self, store: Store, five: list[Held]) -> None:
        assert self.changed(store, store.rename, 2, "Mine") == [2]
        assert self.changed(store, store.count_turns, 2, 1, 9) == [2]
        assert self.changed(store, store.count_turns, 2, 7, 8) == []
        assert self.changed(store, store.delete, [2, 3]) == [2, 3]
        assert self.changed(store, store.restore, [3]) == [3]
        assert self.changed(store, store.forget_deleted) == []
        assert self.changed(store, store.forget_deleted, [1, 2, 3]) == [2]
        assert self.changed(store, store.drop, 3) == [3]

    def test_turns_are_counted_in_free_matches_only(self, store: Store, five: list[Held]) -> None:
        assert store.uncounted([]) is None
        store.connection.execute("UPDATE matches SET turns = NULL")
        assert (store.uncounted([]), store.uncounted([3])) == (3, None)


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

    @pytest.fixture
    def kept(self, writer: LibraryWriter, path: Path) -> SavedMatch:
        """A match that has been written."""
        assert writer.flush(0.0) and not path.exists()
        kept = writer.begin(new_match())
        kept.open()
        assert writer.flush(PATIENCE)
        return kept

    def test_it_starts_with_the_first_match(self, kept: SavedMatch, threads: set[str]) -> None:
        assert threads == {"library"}, "a connection works only in the thread that opened it"
        assert all(thread.daemon for thread in threading.enumerate() if thread.name == "library"), "disks may hang"

    def test_it_is_the_only_one(self, writer: LibraryWriter, kept: SavedMatch) -> None:
        before = threading.enumerate()
        kept.keep()
        assert writer.flush(PATIENCE) and writer.close(PATIENCE)
        kept.keep()
        assert not [one for one in threading.enumerate() if one.name == "library" and one not in before]

    def test_closing_waits_until_all_is_saved(
        self, writer: LibraryWriter, kept: SavedMatch, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        idle, work = iter(range(50)), writer.work
        monkeypatch.setattr(writer, "work", lambda: work() if next(idle, None) is None else 0.0)
        kept.match.play(3)
        kept.keep()
        assert writer.close(PATIENCE)
        assert_stored(path, kept.match)

    def test_another_program_that_writes_keeps_nobody_waiting(
        self, writer: LibraryWriter, kept: SavedMatch, path: Path
    ) -> None:
        with closing(sqlite3.connect(path)) as other:
            other.execute("BEGIN IMMEDIATE")
            for step in range(7):
                kept.match.play(step)
                kept.keep()
            assert kept.standing.committed == 0 and kept.standing.waiting_since is not None
            assert not writer.flush(0.0)
            kept.close()
            assert writer.unsaved == [kept], "it is left before it is saved"
            kept.open()
            kept.match.play(4)
            kept.keep()
        assert writer.flush(PATIENCE) and kept.standing.committed == 8 and writer.unsaved == []
        assert_stored(path, kept.match)

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
        self, path: Path, other: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert other.stdout is not None
        name = other.stdout.readline().strip()
        with closing(Library(path)) as library:
            [summary] = library.unfinished()
            assert library.find(summary.id).is_taken and not is_dead(path, name)
            told: list[str] = []
            desk = WriteQueue(path, tell=told.append)
            desk.drop(summary.id)
            desk.work()
            assert len(library.unfinished()) == 1 and "another window" in told[0]
            if sys.platform != "win32":  # which has no SIGSTOP
                other.send_signal(signal.SIGSTOP)
                with monkeypatch.context() as patch:
                    patch.setattr("papan.game.match.library.writer_lock.EXPIRY", 0.0)
                    assert not library.find(summary.id).is_taken, "one that is not heard of is taken for gone"
            other.kill()
            other.wait()
            assert is_dead(path, name) and not library.find(summary.id).is_taken
            desk.drop(summary.id)
            desk.work()
            assert library.unfinished() == []
            desk.shut()

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


def test_only_names_of_programs_are_looked_for(path: Path) -> None:
    for name in ("ab", "a-b"):
        path.with_name(f"{path.name}-{name}.running").touch()
    assert list(dead_names(path)) == ["ab"] and is_dead(path, "ab")
    assert not is_dead(path, "a-b") and not is_dead(path, "abc"), "no name, and no file"


class TestTheSchema:
    def test_a_file_of_the_first_version_is_read_and_written_on(self, path: Path) -> None:
        old, _notice = open_database(path, MIGRATIONS[:1])
        desk = Played(path.with_name("new.sqlite3"), 3).desk
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
        with closing(Keeping(path)) as keeping:
            again.play(5)
            keeping.save(row[0], again)
        assert_stored(path, again)

    def test_a_program_of_the_first_version_that_runs_already_is_refused(self, path: Path) -> None:
        old, _notice = open_database(path, MIGRATIONS[:1])
        one = Played(path, 3)
        one.desk.work()
        with pytest.raises(sqlite3.IntegrityError, match="newer version"):
            old.execute("UPDATE matches SET played = 2, round = 2, updated = 'now'")
        old.close()
        one.play(4)
        one.desk.work()
        one.desk.shut()
        assert_stored(path, one.match)

    def test_an_older_program_leaves_a_newer_file_alone(self, path: Path) -> None:
        Library(path).close()
        connection, notice = open_database(path, MIGRATIONS[:1])
        assert notice is not None and "newer version" in notice
        connection.close()


class TestPositionsWithoutSteps:
    """They are added to the library, and a table plays from one."""

    @pytest.fixture
    def desk(self, path: Path) -> Iterator[WriteQueue]:
        desk = WriteQueue(path)
        after = connect_four("4455")
        match = Match.new(CONNECT_FOUR, ["a", "human"], {"first": "1"}, 1, position=after.rules.text(after.state))
        desk.add([NewMatch(header_of(match), SnapshotBuilder(match).snapshot())])
        desk.work()
        yield desk
        desk.shut()

    def resumed(self, desk: WriteQueue) -> SavedMatch:
        with closing(Library(desk.path)) as library:
            stored, is_taken = library.find(1, desk.name)
        kept = desk.resume(replay(stored), stored, is_taken=is_taken)
        kept.open()
        desk.work()
        return kept

    def numbers(self, desk: WriteQueue) -> list[int]:
        with closing(Library(desk.path)) as library:
            assert set(library.tags()) == {one.id for one in library.unfinished()}
            return [one.id for one in library.unfinished()]

    def test_it_stays_and_what_a_killed_program_began_goes(self, desk: WriteQueue) -> None:
        table = desk.begin(new_match())
        table.open()
        desk.work()
        assert self.numbers(desk) == [1] and writers(desk.path) == [None, desk.name]
        kept = self.resumed(desk)
        assert kept.role == "playing" and self.numbers(desk) == [1], "it is shown while it lies on a table"
        desk.shut()
        desk.path.with_name(f"{desk.path.name}-{desk.name}.running").touch()  # as if killed
        again = WriteQueue(desk.path)
        again.find_file()
        again.work()
        assert self.numbers(again) == [1] and writers(desk.path) == [None]
        again.shut()

    def test_leaving_it_without_a_step_leaves_it(self, desk: WriteQueue) -> None:
        kept = self.resumed(desk)
        kept.match.conclude(Conclusion("resigned", 1))
        kept.keep()
        desk.work()
        assert desk.is_idle and desk.unsaved == []
        kept.close()
        desk.work()
        assert desk.is_idle and self.numbers(desk) == [1] and writers(desk.path) == [None]

    def test_the_first_step_is_saved(self, desk: WriteQueue) -> None:
        kept = self.resumed(desk)
        kept.match.play(0)
        kept.keep()
        desk.work()
        assert writers(desk.path) == [desk.name]
        kept.close()
        desk.work()
        assert writers(desk.path) == [None]
        assert_stored(desk.path, kept.match)

    def test_the_other_of_two_tables_watches(self, desk: WriteQueue) -> None:
        other = WriteQueue(desk.path)
        one, two = self.resumed(desk), self.resumed(other)
        for kept, queue in ((one, desk), (two, other)):
            kept.match.play(0)
            kept.keep()
            queue.work()
        assert (one.role, two.role) == ("playing", "watching")
        other.shut()

    @pytest.mark.parametrize("is_opened", [False, True])
    def test_it_can_be_abandoned(self, desk: WriteQueue, is_opened: bool) -> None:
        kept = self.resumed(desk)
        if is_opened:
            kept.match.play(0)
            kept.keep()
            desk.work()
        kept.abandon()
        desk.work()
        assert desk.is_idle and self.numbers(desk) == []


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
    def test_an_unsaved_match_that_is_abandoned_is_dropped(self, path: Path, is_written: bool) -> None:
        one = Played(path, 3)
        if is_written:
            one.desk.work()
        one.desk.abandon(one.kept)
        assert one.desk.dropped == ((1,) if is_written else ()) and one.desk.unsaved == []
        one.desk.work()
        assert writers(path) == []
        one.desk.shut()

    @pytest.mark.parametrize("is_written", [False, True])
    def test_a_match_whose_place_another_has_taken_is_not_kept(self, path: Path, is_written: bool) -> None:
        one = Played(path, 3)
        if is_written:
            one.desk.work()
            assert len(writers(path)) == 1
        one.kept.abandon()
        assert one.desk.unsaved == []
        one.desk.work()
        assert one.desk.is_idle and writers(path) == []
        one.desk.shut()
