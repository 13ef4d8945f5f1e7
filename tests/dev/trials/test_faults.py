"""The trial of a disk that fails: which statements it knows, a few of its cases, and what it would find."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import Phase

from dev.trials import Counts, TrialFailure, faults, hands, two_windows
from dev.trials.injection import KINDS, MOMENTS, OPENING, Fault, Faults, Moment, Statement
from dev.trials.two_windows import case
from papan.game.match.library import LibraryWriter
from papan.game.match.library.store import Held, Store
from papan.ui.scenes.table import bars
from tests.sizes import sample_and_all

WRITING = "INSERT INTO steps (match, number, notation) VALUES (?, ?, ?)"
ACTS = {
    ("MainThread", "library.sqlite3"): ("open", "PRAGMA user_version = 3", "VACUUM INTO ?", "BEGIN"),
    ("MainThread", "settings.sqlite"): ("open", "REPLACE INTO settings VALUES (?, ?)"),
    ("copies", "library.sqlite3"): ("VACUUM INTO ?",),
    ("library", "library.sqlite3"): (
        WRITING,
        "UPDATE matches SET heartbeat = ? WHERE id = ? AND writer = ?",
        "UPDATE matches SET writer = NULL, heartbeat = NULL WHERE id = ? AND writer = ? AND revision = ?",
        "DELETE FROM matches WHERE id = ?",
    ),
    ("library", "library.sqlite3.running"): ("BEGIN EXCLUSIVE",),
}
"""What the evening must lead to, by thread and file."""


def number_of(words: str, thread: str = "library", *, occurrence: int = 1, lasts: bool = False) -> int:
    """The seed of the case in which this *occurrence*, counted from 0, of a statement fails."""
    return 1 + next(
        number
        for number, fault in enumerate(faults.every_fault())
        if (fault.statement.words, fault.statement.thread, fault.lasts) == (words, thread, lasts)
        and fault.statement.occurrence == occurrence
    )


class TestEveryFault:
    def test_all_that_the_program_does_is_there(self) -> None:
        seen = {(fault.statement.thread, fault.statement.file, fault.statement.words) for fault in faults.every_fault()}
        for (thread, file), acts in ACTS.items():
            for words in acts:
                assert (thread, file, words) in seen

    def test_each_statement_fails_in_each_kind_and_for_long(self) -> None:
        every: tuple[Fault, ...] = faults.every_fault()
        statements = {fault.statement for fault in every}
        assert {(fault.statement, fault.kind) for fault in every if not fault.lasts} == {
            (statement, kind) for statement in statements for kind in KINDS
        }
        assert {fault.statement for fault in every if fault.lasts} == statements
        assert len(every) == len(statements) * (len(KINDS) + 1) > 1000


class TestSomeFaults:
    @pytest.mark.parametrize("place", range(3))
    def test_nothing_is_lost(self, home: Path, place: int) -> None:
        every = faults.every_fault()
        faults.case(1 + place * len(every) // 3 + place, home)

    def test_what_lasts_is_said(self, home: Path) -> None:
        assert faults.case(number_of(WRITING, lasts=True), home)["times it was said"] == 1


class TestWhatItFinds:
    @pytest.fixture(autouse=True)
    def impatient(self, monkeypatch: pytest.MonkeyPatch) -> None:
        faults.every_fault()
        for module in (faults, hands):
            monkeypatch.setattr(module, "TOO_LONG", 4.0)

    def test_a_window_that_waits_for_the_disk(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        wake = LibraryWriter.wake

        def wake_and_wait(writer: LibraryWriter, kept: object) -> None:
            wake(writer, kept)  # type: ignore[arg-type]  # whatever it is given
            writer.flush(60.0)

        monkeypatch.setattr(LibraryWriter, "wake", wake_and_wait)
        with pytest.raises(TrialFailure, match="the window waited"):
            faults.case(number_of("COMMIT"), home)

    def test_a_window_that_says_nothing(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bars, "PATIENCE", 1e9)
        with pytest.raises(TrialFailure, match=r"nothing more happens.*not saved: 1"):
            # The first one or two save a match in which nobody has moved, and no window need speak of that.
            faults.case(number_of(WRITING, occurrence=4, lasts=True), home)

    def test_a_library_that_forgets(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        save = Store.save

        def save_less(store: Store, held: Held, snapshot: object) -> Held:
            return save(store, held, snapshot._replace(notations=snapshot.notations[:2]))  # type: ignore[attr-defined]

        monkeypatch.setattr(Store, "save", save_less)
        with pytest.raises(TrialFailure):
            faults.spend(home, None)


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
        failing = Faults(Fault(said(INSERT), "FULL", lasts=True), hold=lambda: held.append(failing.failures))
        with pytest.raises(sqlite3.OperationalError):
            insert_twice(path, failing)
        assert held == [1]

    @pytest.mark.parametrize("moment", MOMENTS)
    def test_nothing_once_it_is_over(self, path: Path, moment: Moment) -> None:
        insert_twice(path, Faults(Fault(said(INSERT), "FULL", moment)))
        sqlite3.connect(path).close()


@sample_and_all("cases", 2, 5)
def test_no_interleaving_mixes_what_they_play(tmp_path: Path, cases: int) -> None:
    total: Counts = Counter()
    for number in range(cases):
        total += case(number, tmp_path)
    least = 12 * cases / 5
    assert total["savings"] > 10 * least, total
    assert total["matches taken over"] > least and total["steps not saved then"] > least, total


def test_the_same_seed_is_the_same_interleaving(tmp_path: Path) -> None:
    assert case(3, tmp_path) == case(3, tmp_path)


def test_without_the_check_of_who_writes_matches_are_mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unchecked(store: Store, held: Held) -> Held:
        return held

    monkeypatch.setattr(Store, "_checked", unchecked)
    monkeypatch.setattr(two_windows, "PHASES", (Phase.generate,))  # to shrink it takes minutes
    with pytest.raises(TrialFailure, match="which nobody played") as found:
        for number in range(10):
            case(number, tmp_path)
    assert "deed='play'" in str(found.value), "the acts that lead there are told"
