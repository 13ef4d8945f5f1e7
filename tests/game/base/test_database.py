"""Opening a database: whatever the file is like, there is a database to work with, and a notice that says so."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random

import pytest

from dev.trials.injection import MOMENTS, Fault, Faults, Moment, Statement
from papan.game.base.database import Orphans, is_kept, open_database
from papan.game.base.sqlite import make_daily_copy, read_transaction, transaction

SCHEMA = (("CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT)",),)
GROWN = (*SCHEMA, ("ALTER TABLE facts ADD COLUMN since TEXT", "CREATE TABLE more (x INTEGER)"))


_ELSEWHERE = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
print(connection.execute("SELECT count(*) FROM facts").fetchone()[0])
connection.close()
"""


def seen_elsewhere(file: Path) -> int:
    """How many facts another program counts, which then lets go of the file."""
    done = subprocess.run([sys.executable, "-c", _ELSEWHERE, str(file)], capture_output=True, text=True, check=True)
    return int(done.stdout)


class TestSeveralPrograms:
    def test_one_that_leaves_takes_the_log_from_nobody(self, tmp_path: Path) -> None:
        """A file that a process closes gives up the locks of all its connections: the log was deleted as nobody's."""
        file = facts_file(tmp_path)
        first, second = (open_database(file, SCHEMA).connection for _ in range(2))
        for number in range(3):
            first.execute("INSERT INTO facts VALUES (?, '')", (f"new {number}",))
            assert seen_elsewhere(file) == number + 2
        for connection in (first, second):
            connection.close()

    def test_one_that_is_writing_keeps_nobody_out(self, tmp_path: Path) -> None:
        file = facts_file(tmp_path)
        writing = open_database(file, SCHEMA).connection
        writing.execute("BEGIN IMMEDIATE")
        opened = open_database(file, SCHEMA)
        assert opened.notice is None and is_kept(opened.connection)
        assert opened.connection.execute("SELECT name FROM facts").fetchall() == [("answer",)]
        writing.execute("ROLLBACK")
        for connection in (writing, opened.connection):
            connection.close()


class TestOpening:
    @pytest.fixture
    def facts(self, tmp_path: Path) -> Path:
        return facts_file(tmp_path)

    def kept(self, file: Path) -> list[Path]:
        return sorted(file.parent.glob(f"{file.name}.damaged-*"))

    def test_what_was_written_is_read(self, facts: Path) -> None:
        connection, notice = open_database(facts, SCHEMA)
        assert notice is None
        assert connection.execute("SELECT * FROM facts").fetchall() == [("answer", "42")]
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
        assert connection.execute("PRAGMA synchronous").fetchone() == (1,), "NORMAL"
        assert is_kept(connection)
        connection.close()

    def test_an_older_schema_is_brought_up_to_date(self, facts: Path) -> None:
        connection, notice = open_database(facts, GROWN)
        assert notice is None
        assert connection.execute("SELECT name, since FROM facts").fetchall() == [("answer", None)]
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
        connection.close()

    def test_a_newer_schema_is_not_touched(self, facts: Path) -> None:
        open_database(facts, GROWN).connection.close()
        before = facts.read_bytes()
        connection, notice = open_database(facts, SCHEMA)
        assert notice is not None and "written by a newer version of Papan" in notice and str(facts) in notice
        connection.execute("INSERT INTO facts VALUES ('lost', 'soon')")
        connection.close()
        assert facts.read_bytes() == before
        assert self.kept(facts) == []

    @pytest.mark.parametrize("damage", ["no database", "half of it", "a page of noise"])
    def test_a_damaged_file_is_kept_under_another_name(self, facts: Path, damage: str) -> None:
        sound = facts.read_bytes()
        broken = {
            "no database": b"These are not the bytes of a database." * 100,
            "half of it": sound[: len(sound) // 2],
            "a page of noise": sound[:4096] + bytes(Random(1).randbytes(len(sound) - 4096)),
        }[damage]
        facts.write_bytes(broken)
        connection, notice = open_database(facts, SCHEMA)
        [kept] = self.kept(facts)
        assert kept.read_bytes() == broken
        begun = f"The file facts.sqlite3 was damaged. It is now called {kept.name}, and a new one was started."
        assert notice == f"{begun} Nothing could be saved."
        connection.execute("INSERT INTO facts VALUES ('new', 'life')")
        connection.close()
        connection, notice = open_database(facts, SCHEMA)
        assert notice is None
        assert connection.execute("SELECT name FROM facts").fetchall() == [("new",)]
        connection.close()

    def test_a_header_that_forbids_writing_is_damage(self, facts: Path) -> None:
        content = bytearray(facts.read_bytes())
        content[18] = 3  # the format for writing, of which SQLite knows 1 and 2
        facts.write_bytes(content)
        connection, notice = open_database(facts, SCHEMA)
        assert notice is not None and "was damaged" in notice and is_kept(connection)
        assert connection.execute("SELECT name FROM facts").fetchall() == [("answer",)]
        connection.close()

    def test_damage_twice_in_a_second_keeps_both(self, facts: Path) -> None:
        for text in (b"first" * 999, b"second" * 999, b"third" * 999):
            facts.write_bytes(text)
            open_database(facts, SCHEMA).connection.close()
        assert {file.read_bytes()[:5] for file in self.kept(facts)} == {b"first", b"secon", b"third"}

    def test_a_place_that_cannot_be_written(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("in the way of a folder")
        connection, notice = open_database(tmp_path / "file" / "facts.sqlite3", SCHEMA)
        assert notice is not None and "can't be used" in notice and "lost when Papan closes" in notice
        connection.execute("INSERT INTO facts VALUES ('lost', 'soon')")
        connection.close()
        (tmp_path / "folder.sqlite3").mkdir()
        connection, notice = open_database(tmp_path / "folder.sqlite3", SCHEMA)
        assert notice is not None and "can't be used" in notice
        connection.close()

    def test_a_file_that_another_program_holds(self, facts: Path) -> None:
        holder = sqlite3.connect(facts, isolation_level=None)
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        holder.execute("INSERT INTO facts VALUES ('held', 'fast')")
        connection, notice = open_database(facts, SCHEMA)
        assert notice is not None and "can't be used (another program is using it)" in notice
        assert not is_kept(connection)
        connection.close()
        holder.close()
        assert self.kept(facts) == []


class TestTransactions:
    @pytest.fixture
    def facts(self, tmp_path: Path) -> Path:
        return facts_file(tmp_path)

    def test_a_transaction_that_fails_changes_nothing(self, facts: Path) -> None:
        connection, _ = open_database(facts, SCHEMA)
        with pytest.raises(sqlite3.IntegrityError), transaction(connection):
            connection.execute("INSERT INTO facts VALUES ('half', 'done')")
            connection.execute("INSERT INTO facts VALUES ('answer', '43')")
        assert connection.execute("SELECT value FROM facts").fetchall() == [("42",)]
        assert not connection.in_transaction
        connection.close()

    @pytest.mark.parametrize("moment", MOMENTS)
    def test_one_that_can_not_be_begun_keeps_no_other_from_beginning(self, facts: Path, moment: Moment) -> None:
        beginning = Statement(threading.current_thread().name, facts.name, "BEGIN IMMEDIATE", 0)
        with Faults(Fault(beginning, "FULL", moment)).installed():
            connection, _ = open_database(facts, SCHEMA)
        with pytest.raises(sqlite3.OperationalError), transaction(connection):
            connection.execute("INSERT INTO facts VALUES ('lost', 'soon')")
        self.check_that_it_goes_on(connection)

    def test_one_that_can_not_be_taken_back_keeps_no_other_from_beginning(self, facts: Path) -> None:
        committing = Statement(threading.current_thread().name, facts.name, "COMMIT", 0)
        with Faults(Fault(committing, "IOERR", lasts=True)).installed() as faults:
            connection, _ = open_database(facts, SCHEMA)
        with pytest.raises(sqlite3.OperationalError), transaction(connection):
            connection.execute("INSERT INTO facts VALUES ('lost', 'soon')")
        assert connection.in_transaction, "rolling back fails, too"
        faults.pass_by()
        self.check_that_it_goes_on(connection)

    def check_that_it_goes_on(self, connection: sqlite3.Connection) -> None:
        with transaction(connection):
            connection.execute("INSERT INTO facts VALUES ('kept', 'well')")
        with read_transaction(connection):
            assert connection.execute("SELECT name FROM facts").fetchall() == [("answer",), ("kept",)]
        connection.close()


class TestMigrations:
    def test_the_file_of_before_is_kept(self, tmp_path: Path) -> None:
        file = facts_file(tmp_path)
        open_database(file, GROWN).connection.close()
        before = file.with_name("facts.sqlite3.before-version-2")
        connection, _ = open_database(before, SCHEMA)
        assert connection.execute("SELECT * FROM facts").fetchall() == [("answer", "42")]
        connection.close()

    def test_one_such_file_is_kept(self, tmp_path: Path) -> None:
        file = facts_file(tmp_path)
        open_database(file, GROWN).connection.close()
        open_database(file, (*GROWN, ("CREATE TABLE most (x INTEGER)",))).connection.close()
        assert [one.name for one in tmp_path.glob("*before*")] == ["facts.sqlite3.before-version-3"]

    def test_a_new_file_has_none(self, tmp_path: Path) -> None:
        open_database(tmp_path / "facts.sqlite3", GROWN).connection.close()
        assert list(tmp_path.glob("*before*")) == []

    def test_a_damaged_file_of_before_is_saved_and_brought_up_to_date(self, tmp_path: Path) -> None:
        file = facts_file(tmp_path)
        spoil_header(file)
        doubled = (*GROWN, ("UPDATE facts SET since = 'ever'",))
        connection, notice = open_database(file, doubled)
        assert notice is not None and notice.endswith("1 entry was saved.")
        assert connection.execute("SELECT * FROM facts").fetchall() == [("answer", "42", "ever")]
        connection.close()


class TestDamage:
    """Which damage is noticed, and what is done so that nothing is lost that can be saved."""

    @pytest.mark.parametrize("at", [*range(0, 100, 3), *range(100, 112), *range(3900, 4096, 4)])
    def test_a_byte_of_the_first_page(self, tmp_path: Path, at: int) -> None:
        """SQLite's own messages may then have bytes that are no text, which end in a UnicodeDecodeError."""
        file = facts_file(tmp_path)
        content = bytearray(file.read_bytes())
        content[at] ^= 0xB5
        file.write_bytes(content)
        connection, notice = open_database(file, SCHEMA)
        assert connection.execute("SELECT * FROM facts").fetchall() == [("answer", "42")], notice
        connection.execute("INSERT INTO facts VALUES ('new', 'life')")
        connection.close()

    @pytest.mark.parametrize("version", [0, 101, 2**31 - 1, -1])
    def test_a_version_that_was_never_written(self, tmp_path: Path, version: int) -> None:
        file = facts_file(tmp_path)
        with closing(sqlite3.connect(file)) as connection:
            connection.execute(f"PRAGMA user_version = {version}")
        connection, notice = open_database(file, SCHEMA)
        assert notice is not None and "was damaged" in notice
        assert connection.execute("SELECT * FROM facts").fetchall() == [("answer", "42")]
        connection.close()

    def test_tables_that_are_others(self, tmp_path: Path) -> None:
        file = facts_file(tmp_path)
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("ALTER TABLE facts RENAME COLUMN value TO valve")
        connection, notice = open_database(file, SCHEMA)
        assert notice is not None and "was damaged" in notice
        assert connection.execute("SELECT name, value FROM facts").fetchall() == [("answer", "42")]
        connection.close()

    def test_the_rows_of_the_log_are_saved(self, tmp_path: Path) -> None:
        """SQLite would read a log up to its first damaged frame, and say nothing of the rest."""
        file = facts_file(tmp_path)
        writer, _ = open_database(file, SCHEMA)
        for number in range(20):
            writer.execute("INSERT INTO facts VALUES (?, ?)", (f"fact {number}", "x" * 500))
        killed = tmp_path / "killed" / file.name
        shutil.copytree(tmp_path, killed.parent)
        writer.close()
        log = killed.with_name(f"{killed.name}-wal")
        content = bytearray(log.read_bytes())
        content[100] ^= 1
        log.write_bytes(content)
        connection, notice = open_database(killed, SCHEMA)
        assert notice is not None and notice.endswith("21 entries were saved.")
        assert len(list(killed.parent.glob("*.damaged-*-wal"))) == 1
        connection.close()

    def test_a_file_that_is_all_in_its_log(self, tmp_path: Path) -> None:
        file = tmp_path / "facts.sqlite3"
        writer, _ = open_database(file, SCHEMA)
        writer.execute("INSERT INTO facts VALUES ('answer', '42')")
        killed = tmp_path / "killed" / file.name
        shutil.copytree(tmp_path, killed.parent)
        writer.close()
        killed.write_bytes(b"")
        connection, notice = open_database(killed, SCHEMA)
        assert notice is not None and "was damaged" in notice
        assert connection.execute("SELECT * FROM facts").fetchall() == [("answer", "42")]
        connection.close()

    def test_what_is_lost_comes_from_the_last_copy(self, tmp_path: Path) -> None:
        file = facts_file(tmp_path)
        make_daily_copy(file)
        with closing(open_database(file, SCHEMA).connection) as connection:
            connection.execute("UPDATE facts SET value = '43'")
            connection.execute("INSERT INTO facts VALUES ('question', '?')")
        damaged = file.read_bytes().replace(b"question?", b"question\0")
        file.write_bytes(b"spoilt" + damaged[6:])
        connection, _ = open_database(file, SCHEMA)
        assert connection.execute("SELECT * FROM facts").fetchall() == [("answer", "43")], "the file's is newer"
        connection.close()
        file.write_bytes(b"")
        connection, notice = open_database(file, SCHEMA)
        assert notice is not None and "was damaged" in notice
        assert connection.execute("SELECT * FROM facts").fetchall() == [("answer", "42")]
        connection.close()

    def test_a_pipe_is_not_waited_for(self, tmp_path: Path) -> None:
        if not hasattr(os, "mkfifo"):
            pytest.skip("this system has no named pipes")
        file = facts_file(tmp_path)
        os.mkfifo(file.with_name("facts.sqlite3-wal"))
        connection, notice = open_database(file, SCHEMA)
        assert notice is not None and "was damaged" in notice
        assert connection.execute("SELECT * FROM facts").fetchall() == [("answer", "42")]
        connection.close()
        file.unlink()
        os.mkfifo(file)
        connection, notice = open_database(file, SCHEMA)
        assert notice is not None and "can't be used (it is no file)" in notice
        assert not is_kept(connection)
        connection.close()

    def test_where_the_new_file_cannot_be_written(self, tmp_path: Path) -> None:
        """The damaged file stays where it is; what could be saved is there for as long as the program runs."""
        file = facts_file(tmp_path)
        spoil_header(file)
        damaged = file.read_bytes()
        file.with_name("facts.sqlite3.saved").mkdir()
        connection, notice = open_database(file, SCHEMA)
        assert notice is not None and "can't be used" in notice and not is_kept(connection)
        assert connection.execute("SELECT * FROM facts").fetchall() == [("answer", "42")]
        connection.close()
        assert file.read_bytes() == damaged

    def test_a_kill_between_setting_aside_and_putting_in_place(self, tmp_path: Path) -> None:
        file = facts_file(tmp_path)
        file.rename(file.with_name("facts.sqlite3.saved"))
        file.with_name("facts.sqlite3-wal").write_bytes(b"of the damaged one" * 1000)
        connection, notice = open_database(file, SCHEMA)
        assert notice is None
        assert connection.execute("SELECT * FROM facts").fetchall() == [("answer", "42")]
        assert len(list(tmp_path.glob("*.damaged-*-wal"))) == 1
        connection.close()

    def test_threads_that_open_it_at_once(self, tmp_path: Path) -> None:
        file = facts_file(tmp_path)
        spoil_header(file)
        found = []

        def read() -> None:
            with closing(open_database(file, SCHEMA).connection) as connection:
                found.append((is_kept(connection), connection.execute("SELECT * FROM facts").fetchall()))

        threads = [threading.Thread(target=read) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [(True, [("answer", "42")])] * 6
        assert len([one for one in tmp_path.glob("*.damaged-*") if not one.name.endswith(("-wal", "-shm"))]) == 1

    @pytest.mark.parametrize(("look", "is_before"), [(1, True), (1, False), (2, False)])
    def test_a_log_that_another_program_deletes_meanwhile(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, look: int, is_before: bool
    ) -> None:
        """Whoever leaves a database last deletes its log, also just before or after somebody looks for it."""
        file = facts_file(tmp_path)
        there = Path.is_file
        looks = count(1)

        def is_file_and_goes(path: Path) -> bool:
            found = there(path)
            if path.name.endswith("-wal") and next(looks) == look:
                path.unlink()
                found = found and not is_before
            return found

        other = open_database(file, SCHEMA).connection
        killed = tmp_path / "killed"
        shutil.copytree(tmp_path, killed)
        other.close()
        assert there(killed / f"{file.name}-wal")
        monkeypatch.setattr(Path, "is_file", is_file_and_goes)
        connection, notice = open_database(killed / file.name, SCHEMA)
        assert notice is None and is_kept(connection)
        assert connection.execute("SELECT * FROM facts").fetchall() == [("answer", "42")]
        connection.close()

    def test_the_caller_puts_in_order_and_tells(self, tmp_path: Path) -> None:
        file = facts_file(tmp_path)
        spoil_header(file)

        def mend(connection: sqlite3.Connection, orphans: Orphans) -> str:
            connection.execute("UPDATE facts SET value = 'mended'")
            return f"All was saved but {orphans['facts']}."

        connection, notice = open_database(file, SCHEMA, mend=mend)
        assert notice is not None and notice.endswith("started. All was saved but [].")
        assert connection.execute("SELECT value FROM facts").fetchall() == [("mended",)]
        connection.close()

    def test_a_caller_that_fails_is_no_reason_to_lose_anything(self, tmp_path: Path) -> None:
        file = facts_file(tmp_path)
        spoil_header(file)

        def mend(connection: sqlite3.Connection, orphans: Orphans) -> str:
            raise KeyError("no such thing")

        connection, notice = open_database(file, SCHEMA, mend=mend)
        assert notice is not None and notice.endswith("1 entry was saved.")
        assert connection.execute("SELECT * FROM facts").fetchall() == [("answer", "42")]
        connection.close()


def facts_file(folder: Path) -> Path:
    """A file with one fact, closed."""
    file = folder / "facts.sqlite3"
    connection, _ = open_database(file, SCHEMA)
    connection.execute("INSERT INTO facts VALUES ('answer', '42')")
    connection.close()
    return file


def spoil_header(file: Path) -> None:
    file.write_bytes(b"spoilt" + file.read_bytes()[6:])
