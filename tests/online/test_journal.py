"""The files of tables: killed anywhere, refused by the disk, open twice."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from papan.online.journal import Journal, kept_tables, read_journal
from papan.online.table import Member, Note, Plan

PLAN = Plan("connect-four", [Member("A", b"k" * 16), Member("B", b"l" * 16)], {"first": "1"}, "Host")
NOTES = [Note(joined=(0, "Ann")), Note(shares=[bytes(16), b"s" * 16]), Note(step=3, left=[1.5, 2.0]), Note(kept=0),
         Note(conclusion="a draw was agreed")]  # fmt: skip


def written(folder: Path) -> Path:
    journal = Journal.new(PLAN, folder)
    for note in NOTES:
        journal.keep(note)
    journal.close()
    return journal.file


def test_comes_back_as_it_was(tmp_path: Path) -> None:
    file = written(tmp_path)
    assert read_journal(file) == (PLAN, NOTES)
    assert kept_tables(tmp_path) == [file]
    if sys.platform != "win32":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_cut_anywhere_loses_one_line_at_most_and_goes_on(tmp_path: Path) -> None:
    file = written(tmp_path)
    content = file.read_bytes()
    ends = [index for index, sign in enumerate(content, start=1) if sign == ord("\n")]
    for size in range(len(content)):
        file.write_bytes(content[:size])
        whole = sum(end <= size for end in ends)
        found = read_journal(file)
        if not whole:
            assert found is None
            continue
        assert found == (PLAN, NOTES[: whole - 1])
        journal = Journal(file)
        journal.keep(Note(step=6))
        journal.close()
        assert read_journal(file) == (PLAN, [*NOTES[: whole - 1], Note(step=6)])


@pytest.mark.parametrize(
    "damage", [b"N{}x", b"Z{}", b"", b"\xff\xfe", b"N" + b"[" * 5000, b'N{"step":"x"}', b"\0" * 50]
)
def test_a_damaged_line_ends_it(tmp_path: Path, damage: bytes) -> None:
    file = written(tmp_path)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:3], damage + b"\n", *lines[3:]]))
    assert read_journal(file) == (PLAN, NOTES[:2])
    journal = Journal(file)
    journal.keep(Note(step=6))
    journal.close()
    assert read_journal(file) == (PLAN, [*NOTES[:2], Note(step=6)])


def test_another_plan_takes_the_place_of_the_first(tmp_path: Path) -> None:
    file = written(tmp_path)
    other = Plan("connect-four", [Member("A", b"m" * 16), Member("B", b"l" * 16)], {}, "Host")
    journal = Journal(file)
    journal.keep(other)
    journal.close()
    assert read_journal(file) == (other, NOTES)


def test_only_one_has_it_open(tmp_path: Path) -> None:
    journal = Journal.new(PLAN, tmp_path)
    with pytest.raises(TimeoutError):
        Journal(journal.file)
    journal.close()
    Journal(journal.file).delete()
    assert list(tmp_path.iterdir()) == []


class _FullDisk:
    """A stream on a disk that takes *left* more bytes."""

    def __init__(self, stream: object, left: int) -> None:
        self.stream, self.left = stream, left

    def __getattr__(self, name: str) -> object:
        return getattr(self.stream, name)

    def write(self, data: bytes) -> int:
        if not self.left:
            raise OSError(28, "No space left on device")
        taken = data[: self.left]
        self.left -= len(taken)
        return self.stream.write(taken)  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize("left", range(0, 60, 7))
def test_a_full_disk_loses_nothing_once_it_has_room(tmp_path: Path, left: int) -> None:
    journal = Journal.new(PLAN, tmp_path)
    stream = journal._stream
    journal._stream = _FullDisk(stream, left)  # type: ignore[assignment]
    for note in NOTES[:3]:
        journal.keep(note)
    found = read_journal(journal.file)
    assert found is not None and found[1] == NOTES[: len(found[1])]
    journal._stream = stream
    journal.keep(NOTES[3])
    journal.close()
    assert read_journal(journal.file) == (PLAN, NOTES[:4])


def test_no_room_for_the_plan_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Journal, "keep", lambda self, value: setattr(self, "_unwritten", b"x"))
    with pytest.raises(OSError):
        Journal.new(PLAN, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    assert read_journal(tmp_path / "none.table") is None and read_journal(tmp_path) is None
    assert kept_tables(tmp_path / "none") == []


def test_the_last_changed_comes_first(tmp_path: Path) -> None:
    files = [written(tmp_path) for _ in range(3)]
    for age, file in enumerate(files):
        os.utime(file, (1000 - age, 1000 - age))
    assert kept_tables(tmp_path) == files
