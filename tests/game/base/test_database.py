"""Opening a database: whatever the file is like, there is a database to work with, and a notice that says so."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from dev.trials.injection import MOMENTS, Fault, Faults, Moment, Statement
from papan.game.base.database import Mend, Orphans, count_rows, is_kept, open_database
from papan.game.base.sqlite import Migration, make_daily_copy, read_transaction, transaction

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


class Opened(NamedTuple):
    """What a program finds that opens a file."""

    facts: list[tuple[object, ...]]
    notice: str
    is_kept: bool


ONE_FACT = [("answer", "42")]


def opened(file: Path, schema: Sequence[Migration] = SCHEMA, mend: Mend = count_rows) -> Opened:
    """Open *file* and close it."""
    connection, notice = open_database(file, schema, mend=mend)
    with closing(connection):
        return Opened(connection.execute("SELECT * FROM facts").fetchall(), notice or "", is_kept(connection))


@pytest.fixture
def facts(tmp_path: Path) -> Path:
    """A file with one fact, closed."""
    file = tmp_path / "facts.sqlite3"
    with closing(open_database(file, SCHEMA).connection) as connection:
        connection.execute("INSERT INTO facts VALUES ('answer', '42')")
    return file


def spoil_header(file: Path) -> None:
    file.write_bytes(b"spoilt" + file.read_bytes()[6:])


class TestSeveralPrograms:
    def test_one_that_leaves_takes_the_log_from_nobody(self, facts: Path) -> None:
        """A file that a process closes gives up the locks of all its connections: the log was deleted as nobody's."""
        first, second = (open_database(facts, SCHEMA).connection for _ in range(2))
        with closing(first), closing(second):
            for number in range(3):
                first.execute("INSERT INTO facts VALUES (?, '')", (f"new {number}",))
                assert seen_elsewhere(facts) == number + 2

    def test_one_that_is_writing_keeps_nobody_out(self, facts: Path) -> None:
        with closing(open_database(facts, SCHEMA).connection) as writing:
            writing.execute("BEGIN IMMEDIATE")
            assert opened(facts) == (ONE_FACT, "", True)

    def test_one_that_holds_it_alone(self, facts: Path) -> None:
        with closing(sqlite3.connect(facts, isolation_level=None)) as holder:
            holder.execute("PRAGMA locking_mode = EXCLUSIVE")
            holder.execute("BEGIN EXCLUSIVE")
            holder.execute("INSERT INTO facts VALUES ('held', 'fast')")
            found = opened(facts)
        assert "can't be used (another program is using it)" in found.notice and not found.is_kept
        assert damaged(facts) == []


def damaged(file: Path) -> list[Path]:
    """The files that were set aside."""
    return sorted(file.parent.glob(f"{file.name}.damaged-*"))


class TestOpening:
    def test_what_was_written_is_read(self, facts: Path) -> None:
        assert opened(facts) == (ONE_FACT, "", True)
        with closing(open_database(facts, SCHEMA).connection) as connection:
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
            assert connection.execute("PRAGMA synchronous").fetchone() == (1,), "NORMAL"

    def test_a_newer_schema_is_not_touched(self, facts: Path) -> None:
        open_database(facts, GROWN).connection.close()
        before = facts.read_bytes()
        connection, notice = open_database(facts, SCHEMA)
        assert notice is not None and "written by a newer version of Papan" in notice and str(facts) in notice
        connection.execute("INSERT INTO facts VALUES ('lost', 'soon')")
        connection.close()
        assert facts.read_bytes() == before
        assert damaged(facts) == []

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
        [kept] = damaged(facts)
        assert kept.read_bytes() == broken
        begun = f"The file facts.sqlite3 was damaged. It is now called {kept.name}, and a new one was started."
        assert notice == f"{begun} Nothing could be recovered."
        connection.execute("INSERT INTO facts VALUES ('new', 'life')")
        connection.close()
        assert opened(facts) == ([("new", "life")], "", True)

    def test_a_header_that_forbids_writing_is_damage(self, facts: Path) -> None:
        content = bytearray(facts.read_bytes())
        content[18] = 3  # the format for writing, of which SQLite knows 1 and 2
        facts.write_bytes(content)
        found = opened(facts)
        assert "was damaged" in found.notice and found.is_kept and found.facts == ONE_FACT

    def test_damage_twice_in_a_second_keeps_both(self, facts: Path) -> None:
        for text in (b"first" * 999, b"second" * 999, b"third" * 999):
            facts.write_bytes(text)
            opened(facts)
        assert {file.read_bytes()[:5] for file in damaged(facts)} == {b"first", b"secon", b"third"}

    def test_a_place_that_cannot_be_written(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("in the way of a folder")
        connection, notice = open_database(tmp_path / "file" / "facts.sqlite3", SCHEMA)
        assert notice is not None and "can't be used" in notice and "lost when Papan closes" in notice
        connection.execute("INSERT INTO facts VALUES ('lost', 'soon')")
        connection.close()
        (tmp_path / "folder.sqlite3").mkdir()
        assert "can't be used" in opened(tmp_path / "folder.sqlite3").notice


class TestTransactions:
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
    def test_an_older_schema_is_brought_up_to_date_and_one_file_of_before_is_kept(self, facts: Path) -> None:
        assert opened(facts, GROWN) == ([("answer", "42", None)], "", True)
        with closing(sqlite3.connect(facts)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (2,)
        assert opened(facts.with_name("facts.sqlite3.before-version-2")).facts == ONE_FACT
        open_database(facts, (*GROWN, ("CREATE TABLE most (x INTEGER)",))).connection.close()
        names = [one.name for one in facts.parent.glob("*before*") if not one.name.endswith(("-wal", "-shm"))]
        assert names == ["facts.sqlite3.before-version-3"]

    def test_a_new_file_has_none(self, tmp_path: Path) -> None:
        open_database(tmp_path / "facts.sqlite3", GROWN).connection.close()
        assert list(tmp_path.glob("*before*")) == []

    def test_a_damaged_file_of_before_is_saved_and_brought_up_to_date(self, facts: Path) -> None:
        spoil_header(facts)
        found = opened(facts, (*GROWN, ("UPDATE facts SET since = 'ever'",)))
        assert found.notice.endswith("1 entry was recovered.") and found.facts == [("answer", "42", "ever")]


class TestDamage:
    """Which damage is noticed, and what is done so that nothing is lost that can be saved."""

    @pytest.mark.parametrize("at", [*range(0, 100, 3), *range(100, 112), *range(3900, 4096, 4)])
    def test_a_byte_of_the_first_page(self, facts: Path, at: int) -> None:
        """SQLite's own messages may then have bytes that are no text, which end in a UnicodeDecodeError."""
        content = bytearray(facts.read_bytes())
        content[at] ^= 0xB5
        facts.write_bytes(content)
        connection, notice = open_database(facts, SCHEMA)
        assert connection.execute("SELECT * FROM facts").fetchall() == ONE_FACT, notice
        connection.execute("INSERT INTO facts VALUES ('new', 'life')")
        connection.close()

    @pytest.mark.parametrize(
        "statement",
        [
            *(f"PRAGMA user_version = {version}" for version in (0, 101, 2**31 - 1, -1)),
            "ALTER TABLE facts RENAME COLUMN value TO valve",
        ],
    )
    def test_what_was_never_written(self, facts: Path, statement: str) -> None:
        with closing(sqlite3.connect(facts)) as connection:
            connection.execute(statement)
        found = opened(facts)
        assert "was damaged" in found.notice and found.facts == ONE_FACT

    def test_the_rows_of_the_log_are_saved(self, facts: Path) -> None:
        """SQLite would read a log up to its first damaged frame, and say nothing of the rest."""
        killed = facts.parent / "killed" / facts.name
        with closing(open_database(facts, SCHEMA).connection) as writer:
            for number in range(20):
                writer.execute("INSERT INTO facts VALUES (?, ?)", (f"fact {number}", "x" * 500))
            shutil.copytree(facts.parent, killed.parent)
        log = killed.with_name(f"{killed.name}-wal")
        content = bytearray(log.read_bytes())
        content[100] ^= 1
        log.write_bytes(content)
        assert opened(killed).notice.endswith("21 entries were recovered.")
        assert len(list(killed.parent.glob("*.damaged-*-wal"))) == 1

    def test_a_file_that_is_all_in_its_log(self, tmp_path: Path) -> None:
        killed = tmp_path / "killed" / "facts.sqlite3"
        with closing(open_database(tmp_path / killed.name, SCHEMA).connection) as writer:
            writer.execute("INSERT INTO facts VALUES ('answer', '42')")
            shutil.copytree(tmp_path, killed.parent)
        killed.write_bytes(b"")
        found = opened(killed)
        assert "was damaged" in found.notice and found.facts == ONE_FACT

    def test_what_is_lost_comes_from_the_last_copy(self, facts: Path) -> None:
        make_daily_copy(facts)
        with closing(open_database(facts, SCHEMA).connection) as connection:
            connection.execute("UPDATE facts SET value = '43'")
            connection.execute("INSERT INTO facts VALUES ('question', '?')")
        facts.write_bytes(b"spoilt" + facts.read_bytes().replace(b"question?", b"question\0")[6:])
        assert opened(facts).facts == [("answer", "43")], "the file's is newer"
        facts.write_bytes(b"")
        found = opened(facts)
        assert "was damaged" in found.notice and found.facts == ONE_FACT

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
    def test_a_pipe_is_not_waited_for(self, facts: Path) -> None:
        os.mkfifo(facts.with_name("facts.sqlite3-wal"))
        found = opened(facts)
        assert "was damaged" in found.notice and found.facts == ONE_FACT
        facts.unlink()
        os.mkfifo(facts)
        found = opened(facts)
        assert "can't be used (it is no file)" in found.notice and not found.is_kept

    def test_where_the_new_file_cannot_be_written(self, facts: Path) -> None:
        """The damaged file stays where it is; what could be saved is there for as long as the program runs."""
        spoil_header(facts)
        content = facts.read_bytes()
        facts.with_name("facts.sqlite3.saved").mkdir()
        found = opened(facts)
        assert "can't be used" in found.notice and not found.is_kept and found.facts == ONE_FACT
        assert facts.read_bytes() == content

    def test_a_kill_between_setting_aside_and_putting_in_place(self, facts: Path) -> None:
        facts.rename(facts.with_name("facts.sqlite3.saved"))
        facts.with_name("facts.sqlite3-wal").write_bytes(b"of the damaged one" * 1000)
        assert opened(facts) == (ONE_FACT, "", True)
        assert [one.name[-4:] for one in damaged(facts)] == ["-wal"]

    def test_threads_that_open_it_at_once(self, facts: Path) -> None:
        spoil_header(facts)
        found: list[Opened] = []
        threads = [threading.Thread(target=lambda: found.append(opened(facts))) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [(one.is_kept, one.facts) for one in found] == [(True, ONE_FACT)] * 6
        assert len([one for one in damaged(facts) if not one.name.endswith(("-wal", "-shm"))]) == 1

    @pytest.mark.parametrize(("look", "is_before"), [(1, True), (1, False), (2, False)])
    def test_a_log_that_another_program_deletes_meanwhile(
        self, facts: Path, monkeypatch: pytest.MonkeyPatch, look: int, is_before: bool
    ) -> None:
        """Whoever leaves a database last deletes its log, also just before or after somebody looks for it."""
        there = Path.is_file
        looks = count(1)

        def is_file_and_goes(path: Path) -> bool:
            found = there(path)
            if path.name.endswith("-wal") and next(looks) == look:
                path.unlink()
                found = found and not is_before
            return found

        killed = facts.parent / "killed" / facts.name
        with closing(open_database(facts, SCHEMA).connection):
            shutil.copytree(facts.parent, killed.parent)
        assert there(killed.with_name(f"{killed.name}-wal"))
        monkeypatch.setattr(Path, "is_file", is_file_and_goes)
        assert opened(killed) == (ONE_FACT, "", True)

    def test_the_caller_puts_in_order_and_tells(self, facts: Path) -> None:
        def mend(connection: sqlite3.Connection, orphans: Orphans) -> str:
            connection.execute("UPDATE facts SET value = 'mended'")
            return f"All was saved but {orphans['facts']}."

        spoil_header(facts)
        found = opened(facts, mend=mend)
        assert found.notice.endswith("started. All was saved but [].") and found.facts == [("answer", "mended")]

    def test_a_caller_that_fails_is_no_reason_to_lose_anything(self, facts: Path) -> None:
        def mend(connection: sqlite3.Connection, orphans: Orphans) -> str:
            raise KeyError("no such thing")

        spoil_header(facts)
        found = opened(facts, mend=mend)
        assert found.notice.endswith("1 entry was recovered.") and found.facts == ONE_FACT
