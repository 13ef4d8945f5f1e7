"""Journals: what was found stays, and is gone on with; one process at a time writes, reading changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from papan.lab.files import OutputError
from papan.lab.journal import Form, Journal, JournalError

PLAN = {"game": "othello", "players": ["one", "two"]}


def journal(
    path: Path | None, version: int = 1, kind: str = "test", *, only_reads: bool = False, **plan: object
) -> Journal[Any, Any]:
    form = Form(kind, version, plan=dict[str, Any], entry=dict[str, Any])
    return Journal(path, form, {**PLAN, **plan}, only_reads=only_reads)


class TestGoingOn:
    def test_entries_are_there_again(self, tmp_path: Path) -> None:
        first = journal(tmp_path / "file")
        first.add({"number": 1})
        first.add({"number": 2, "words": "×"})
        known = list(first.entries())
        first.close()
        assert list(journal(tmp_path / "file").entries()) == known == [{"number": 1}, {"number": 2, "words": "×"}]

    def test_half_a_line_is_taken_away(self, tmp_path: Path) -> None:
        file = tmp_path / "file"
        journal(file).add({"number": 1})
        whole = file.read_bytes()
        file.write_bytes(whole + b'{"number": 2')
        second = journal(file)
        assert list(second.entries()) == [{"number": 1}] and file.read_bytes() == whole
        second.add({"number": 3})
        second.close()
        assert list(journal(file).entries()) == [{"number": 1}, {"number": 3}]

    @pytest.mark.parametrize("length", [0, 1, 20])
    def test_half_a_head_is_written_anew(self, tmp_path: Path, length: int) -> None:
        file = tmp_path / "file"
        journal(file)
        head = file.read_bytes()
        file.write_bytes(head[:length])
        assert list(journal(file).entries()) == [] and file.read_bytes() == head

    def test_a_damaged_line_is_passed_over_where_it_can_be_found_again(self, tmp_path: Path) -> None:
        file = tmp_path / "file"
        journal(file).add({"number": 1})
        with file.open("ab") as damaged:
            damaged.write(b'nonsense\n\xff\xfe\n[]\n{"number": 2}\n')
        form = Form("test", 1, plan=dict[str, Any], entry=dict[str, Any], passes_over_damage=True)
        tolerant = Journal(file, form, PLAN)
        assert list(tolerant.entries()) == [{"number": 1}, {"number": 2}]
        tolerant.add({"number": 3})
        assert list(tolerant.entries())[-1] == {"number": 3}

    def test_without_a_file_it_is_remembered(self) -> None:
        one = journal(None)
        one.add({"number": 1})
        assert list(one.entries()) == [{"number": 1}]


class TestRefusals:
    def refused(self, file: Path, words: str, **others: object) -> None:
        before = file.read_bytes()
        with pytest.raises(JournalError, match=words):
            journal(file, **others)  # type: ignore[arg-type]
        assert file.read_bytes() == before

    def test_another_version(self, tmp_path: Path) -> None:
        journal(tmp_path / "file", version=2)
        self.refused(tmp_path / "file", "is of version 2, and this program writes version 1")

    def test_another_plan_by_what_differs(self, tmp_path: Path) -> None:
        journal(tmp_path / "file", players=["three"])
        self.refused(tmp_path / "file", "what differs is players: ask for the same again")

    def test_another_kind(self, tmp_path: Path) -> None:
        journal(tmp_path / "file", kind="list")
        self.refused(tmp_path / "file", "is no file of this kind: test")

    @pytest.mark.parametrize("content", ["a poem", "a poem\nof lines\n", "[1]\n"])
    def test_something_else(self, tmp_path: Path, content: str) -> None:
        (tmp_path / "file").write_text(content)
        self.refused(tmp_path / "file", "is no file of this kind: test")

    def test_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(OutputError, match="is a folder: name a file"):
            journal(tmp_path)

    def test_a_place_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(OutputError, match="can't be written: No such file or directory"):
            journal(tmp_path / "nowhere" / "file")

    def test_a_damaged_line_by_its_number(self, tmp_path: Path) -> None:
        journal(tmp_path / "file").add({"number": 1})
        with (tmp_path / "file").open("a") as file:
            file.write("nonsense\n")
        self.refused(tmp_path / "file", "Line 3 of .* is damaged: it is no JSON")
