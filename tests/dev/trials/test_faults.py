"""The trial of a disk that fails: which statements it knows, a few of its cases, and what it would find."""

from __future__ import annotations

from pathlib import Path

import pytest

from dev.trials import TrialFailure, faults, hands
from dev.trials.injection import KINDS, Fault
from dev.trials.used_home import GAME
from papan.game.match.library import LibraryWriter
from papan.game.match.library.store import Held, Store
from papan.ui.scenes.table import bars

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
    @pytest.mark.parametrize("place", range(6))
    def test_nothing_is_lost(self, home: Path, place: int) -> None:
        every = faults.every_fault()
        faults.case(1 + place * len(every) // 6 + place, home)

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


def test_the_game_is_one_that_clicks_play_at_once() -> None:
    assert GAME == "connect-four"  # the columns of the evening are its
