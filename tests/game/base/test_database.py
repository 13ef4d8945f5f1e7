"""Opening a database: whatever the file is like, there is a database to work with, and a notice that says so."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from random import Random

import pytest

from papan.game.base import database
from papan.game.base.database import open_database, transaction

SCHEMA = (("CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT)",),)
GROWN = (*SCHEMA, ("ALTER TABLE facts ADD COLUMN since TEXT", "CREATE TABLE more (x INTEGER)"))


class TestOpening:
    @pytest.fixture
    def facts(self, tmp_path: Path) -> Path:
        """A file with one fact."""
        file = tmp_path / "facts.sqlite3"
        connection, _ = open_database(file, SCHEMA)
        connection.execute("INSERT INTO facts VALUES ('answer', '42')")
        connection.close()
        return file

    def kept(self, file: Path) -> list[Path]:
        return sorted(file.parent.glob(f"{file.name}.damaged-*"))

    def test_what_was_written_is_read(self, facts: Path) -> None:
        connection, notice = open_database(facts, SCHEMA)
        assert notice is None
        assert connection.execute("SELECT * FROM facts").fetchall() == [("answer", "42")]
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
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
        begun = f"The file facts.sqlite3 was damaged. It is kept as {kept.name}, and a new one has been begun."
        assert notice == f"{begun} Nothing could be saved."
        connection.execute("INSERT INTO facts VALUES ('new', 'life')")
        connection.close()
        connection, notice = open_database(facts, SCHEMA)
        assert notice is None
        assert connection.execute("SELECT name FROM facts").fetchall() == [("new",)]
        connection.close()

    def test_damage_twice_in_a_second_keeps_both(self, facts: Path) -> None:
        for text in (b"first" * 999, b"second" * 999, b"third" * 999):
            facts.write_bytes(text)
            open_database(facts, SCHEMA).connection.close()
        assert {file.read_bytes()[:5] for file in self.kept(facts)} == {b"first", b"secon", b"third"}

    def test_a_place_that_cannot_be_written(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("in the way of a folder")
        connection, notice = open_database(tmp_path / "file" / "facts.sqlite3", SCHEMA)
        assert notice is not None and "can't be used" in notice and "lost at the end" in notice
        connection.execute("INSERT INTO facts VALUES ('lost', 'soon')")
        connection.close()
        (tmp_path / "folder.sqlite3").mkdir()
        connection, notice = open_database(tmp_path / "folder.sqlite3", SCHEMA)
        assert notice is not None and "can't be used" in notice
        connection.close()

    def test_a_file_that_another_program_holds(self, facts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(database, "PATIENCE", 0.05)
        holder = sqlite3.connect(facts, isolation_level=None)
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        holder.execute("INSERT INTO facts VALUES ('held', 'fast')")
        connection, notice = open_database(facts, SCHEMA)
        assert notice is not None and "can't be used (database is locked)" in notice
        connection.close()
        holder.close()
        assert self.kept(facts) == []

    def test_a_transaction_that_fails_changes_nothing(self, facts: Path) -> None:
        connection, _ = open_database(facts, SCHEMA)
        with pytest.raises(sqlite3.IntegrityError), transaction(connection):
            connection.execute("INSERT INTO facts VALUES ('half', 'done')")
            connection.execute("INSERT INTO facts VALUES ('answer', '43')")
        assert connection.execute("SELECT value FROM facts").fetchall() == [("42",)]
        assert not connection.in_transaction
        connection.close()
