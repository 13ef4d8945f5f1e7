"""Statements that are made to fail: which, when, and how often."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from dev.trials.injection import KINDS, MOMENTS, OPENING, Fault, Faults, Moment, Statement

THREAD = threading.current_thread().name
INSERT = "INSERT INTO facts VALUES (1)"


def said(words: str, occurrence: int = 0) -> Statement:
    return Statement(THREAD, "facts", words, occurrence)


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "facts"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE facts (number INTEGER)")
    yield path


def insert_twice(path: Path, faults: Faults) -> int:
    """How many rows there are after a transaction of two, which goes on after a failure."""
    with faults.installed(), closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        for _ in range(2):
            with suppress(sqlite3.OperationalError):
                connection.execute("INSERT INTO facts   VALUES (1)")
        if connection.in_transaction:
            connection.execute("COMMIT")
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM facts").fetchone()[0])


class TestWhatIsSeen:
    def test_statements_are_counted_by_their_words(self, path: Path) -> None:
        faults = Faults()
        assert insert_twice(path, faults) == 2
        assert faults.seen == [said(OPENING), said("BEGIN"), said(INSERT), said(INSERT, 1), said("COMMIT")]

    def test_names_that_a_program_draws_are_left_out(self, tmp_path: Path) -> None:
        faults = Faults()
        with faults.installed():
            sqlite3.connect(tmp_path / f"facts-{'0a' * 16}.running").close()
        assert [statement.file for statement in faults.seen] == ["facts.running"]

    def test_databases_in_memory_are_no_files(self) -> None:
        faults = Faults()
        with faults.installed():
            sqlite3.connect(":memory:").close()
        assert faults.seen == []


class TestWhatFails:
    @pytest.mark.parametrize(("moment", "rows"), [("before", 1), ("after", 2), ("rolled back", 1)])
    def test_one_statement_at_one_moment(self, path: Path, moment: Moment, rows: int) -> None:
        faults = Faults(Fault(said(INSERT, 1), "IOERR", moment))
        assert insert_twice(path, faults) == (0 if moment == "rolled back" else rows)
        assert faults.failures == 1

    @pytest.mark.parametrize("kind", KINDS)
    def test_with_the_code_that_sqlite_has(self, path: Path, kind: str) -> None:
        faults = Faults(Fault(said(OPENING), kind))
        with faults.installed(), pytest.raises(sqlite3.Error) as raised:
            sqlite3.connect(path)
        assert raised.value.sqlite_errorcode == KINDS[kind]
        assert isinstance(raised.value, sqlite3.OperationalError) == (kind != "CORRUPT")

    def test_all_that_follow_until_it_passes(self, path: Path) -> None:
        faults = Faults(Fault(said("BEGIN"), "IOERR", lasts=True))
        with faults.installed(), closing(sqlite3.connect(path, isolation_level=None)) as connection:
            assert not faults.is_failing
            for words in ("BEGIN", INSERT, INSERT):
                with pytest.raises(sqlite3.OperationalError):
                    connection.execute(words)
                assert faults.is_failing
            faults.pass_by()
            connection.execute(INSERT)
            assert not faults.is_failing and faults.failures == 3

    def test_held_before_it_fails_for_the_first_time(self, path: Path) -> None:
        held: list[int] = []
        faults = Faults(Fault(said(INSERT), "FULL", lasts=True), hold=lambda: held.append(faults.failures))
        with pytest.raises(sqlite3.OperationalError):
            insert_twice(path, faults)
        assert held == [1]

    @pytest.mark.parametrize("moment", MOMENTS)
    def test_nothing_once_it_is_over(self, path: Path, moment: Moment) -> None:
        insert_twice(path, Faults(Fault(said(INSERT), "FULL", moment)))
        sqlite3.connect(path).close()
