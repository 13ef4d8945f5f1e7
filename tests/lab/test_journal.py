"""Journals: what was found stays, and is gone on with; one process at a time writes, reading changes nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from papan.game.base.typed import FaultError, Figure, Whole
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
    def refused(self, file: Path, words: str) -> None:
        before = file.read_bytes()
        with pytest.raises(JournalError, match=words) as refusal:  # which keeps the frames in which it was raised
            journal(file)
        assert refusal and file.read_bytes() == before

    @pytest.mark.parametrize(
        ("others", "words"),
        [
            ({"version": 2}, "has version 2, but this program writes version 1"),
            ({"players": ["three"]}, "other settings .players.: use the same settings"),
            ({"kind": "list"}, "is not a file of this kind: test"),
        ],
    )
    def test_others_by_what_differs(self, tmp_path: Path, others: dict[str, Any], words: str) -> None:
        journal(tmp_path / "file", **others).close()
        self.refused(tmp_path / "file", words)
        assert list(journal(tmp_path / "file", **others).entries()) == [], "who is refused holds nobody up"

    @pytest.mark.parametrize("content", ["a poem", "a poem\nof lines\n", "[1]\n"])
    def test_something_else(self, tmp_path: Path, content: str) -> None:
        (tmp_path / "file").write_text(content)
        self.refused(tmp_path / "file", "is not a file of this kind: test")

    def test_a_damaged_line_by_its_number(self, tmp_path: Path) -> None:
        journal(tmp_path / "file").add({"number": 1})
        with (tmp_path / "file").open("a") as file:
            file.write("nonsense\n")
        self.refused(tmp_path / "file", "Line 3 of .* is damaged: it is not JSON")


class TestOneWriter:
    def test_a_second_one_is_refused_until_the_first_has_ended(self, tmp_path: Path) -> None:
        file = tmp_path / "file"
        first = journal(file)
        first.add({"number": 1})
        before = file.read_bytes()
        with pytest.raises(OutputError, match=r"^Another running Papan is writing to '.*file'\.$"):
            journal(file)
        assert file.read_bytes() == before
        first.close()
        assert list(tmp_path.iterdir()) == [file]
        assert list(journal(file).entries()) == [{"number": 1}]

    @pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
    def test_a_link_is_the_file_that_it_leads_to(self, tmp_path: Path) -> None:
        first = journal(tmp_path / "file")
        (tmp_path / "link").symlink_to("file")
        with pytest.raises(OutputError, match="Another running Papan is writing to"):
            journal(tmp_path / "link")
        first.close()
        journal(tmp_path / "link").add({"number": 1})
        assert (tmp_path / "link").is_symlink() and b'"number":1' in (tmp_path / "file").read_bytes()


class TestReading:
    def test_what_another_process_is_writing_stays(self, tmp_path: Path) -> None:
        """Opening one took half a line away that was still being written, and with it the rest of the entries."""
        file = tmp_path / "file"
        assert list(journal(file, only_reads=True).entries()) == [] and not list(tmp_path.iterdir())
        writer = journal(file)
        writer.add({"number": 1})
        with file.open("ab") as half:
            half.write(b'{"number":')
        before = file.read_bytes()
        assert list(journal(file, only_reads=True).entries()) == [{"number": 1}] and file.read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="no open file can be moved or deleted there")
class TestAnotherFileInItsPlace:
    def opened(self, file: Path) -> Journal[Any, Any]:
        one = journal(file)
        one.add({"number": 1})
        return one

    def test_of_a_moved_file_the_rest_is_written_there(self, tmp_path: Path) -> None:
        one = self.opened(tmp_path / "file")
        (tmp_path / "file").rename(tmp_path / "moved")
        (tmp_path / "file").write_text("a poem")
        with pytest.raises(
            JournalError, match="was replaced or changed by another program; all results so far are in the original"
        ):
            one.add({"number": 2})
        one.close()
        assert (tmp_path / "file").read_text() == "a poem"
        assert list(journal(tmp_path / "moved").entries()) == [{"number": 1}, {"number": 2}]

    def test_a_deleted_file_is_saved_beside(self, tmp_path: Path) -> None:
        one = self.opened(tmp_path / "file")
        (tmp_path / "file").unlink()
        with pytest.raises(JournalError, match=r"all results so far are in '.*file\.saved-\d+'"):
            one.add({"number": 2})
        one.close()
        [saved] = tmp_path.iterdir()
        assert list(journal(saved).entries()) == [{"number": 1}, {"number": 2}]

    def test_what_another_program_has_added_is_not_mixed(self, tmp_path: Path) -> None:
        one = self.opened(tmp_path / "file")
        with (tmp_path / "file").open("ab") as other:
            other.write(b"a poem\n")
        before = (tmp_path / "file").read_bytes()
        with pytest.raises(JournalError, match="was replaced or changed by another program"):
            one.add({"number": 2})
        assert (tmp_path / "file").read_bytes() == before

    def test_another_file_is_not_deleted(self, tmp_path: Path) -> None:
        one = self.opened(tmp_path / "file")
        (tmp_path / "file").unlink()
        (tmp_path / "file").write_text("a poem")
        one.remove()
        assert (tmp_path / "file").read_text() == "a poem"


@pytest.mark.skipif(sys.platform == "win32", reason="needs pipes and devices")
class TestWhatIsNoFile:
    @pytest.mark.parametrize("only_reads", [False, True])
    def test_a_pipe_is_not_waited_for(self, tmp_path: Path, only_reads: bool) -> None:
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises((OutputError, JournalError), match=r"is not a (regular )?file"):
            journal(tmp_path / "pipe", only_reads=only_reads)
        assert [path.name for path in tmp_path.iterdir()] == ["pipe"]

    def test_nothing_else_is_written_to(self, tmp_path: Path) -> None:
        (tmp_path / "loop").symlink_to("loop")
        for place, told in (
            ("/dev/null", "is not a regular file"),
            ("/dev/zero", "is not a regular file"),
            (tmp_path / "loop", "can't be written"),
            (tmp_path, "is a folder: name a file"),
            (tmp_path / "nowhere" / "file", "can't be written: No such file or directory"),
        ):
            with pytest.raises(OutputError, match=told):
                journal(Path(place))


class TestFullDisks:
    def test_half_an_entry_is_taken_back(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        one = journal(tmp_path / "file")
        one.add({"number": 1})
        before = (tmp_path / "file").read_bytes()

        def is_full(handle: int) -> None:
            raise OSError(28, "No space left")

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", is_full)
            with pytest.raises(OutputError, match="No space left"):
                one.add({"number": 2})
        assert (tmp_path / "file").read_bytes() == before
        one.add({"number": 3})
        assert list(one.entries()) == [{"number": 1}, {"number": 3}]


class _Plan(msgspec.Struct, forbid_unknown_fields=True):
    most: Whole


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    number: Whole
    shares: tuple[Figure, ...] = ()


def _checks(plan: _Plan) -> Callable[[_Entry], None]:
    def check(entry: _Entry) -> None:
        if entry.number > plan.most:
            raise FaultError("its number is too large")

    return check


class TestDamage:
    FORM: Form[_Plan, _Entry] = Form("test", 1, plan=_Plan, entry=_Entry, checks=_checks)

    def opened(self, file: Path, entry: str, form: Form[_Plan, _Entry] = FORM) -> Journal[_Plan, _Entry]:
        Journal(file, form, {"most": 5}).close()
        with file.open("a") as lines:
            lines.write(f'{{"number":1}}\n{entry}\n')
        return Journal(file, form, {"most": 5})

    @pytest.mark.parametrize(
        ("entry", "fault"),
        [
            ('{"number":"x"}', "'number' is 'x', not int"),
            ('{"number":-1}', "'number' is -1, not int >= 0"),
            ('{"number":true}', "'number' is True, not int"),
            ('{"number":1,"shares":[0.5,{}]}', "'shares[1]' is object, not float"),
            ('{"number":1,"shares":[NaN]}', "it is not JSON"),
            ('{"number":1,"shares":[1e999]}', "a number is too large"),
            ('{"shares":[]}', "'number' is missing"),
            ('{"number":1,"more":2}', "'more' is an unknown field"),
            ("[1]", "it is not a JSON object"),
            ('{"number":6}', "its number is too large"),
            ('{"number":' + "9" * 5000 + "}", "a number is too large"),
            ('{"number":' + "[" * 5000, "it is nested too deeply"),
        ],
    )
    def test_is_told_with_the_line_and_what_is_wrong(self, tmp_path: Path, entry: str, fault: str) -> None:
        with pytest.raises(JournalError, match=r"^Line 3 of '.*file' is damaged: .*\.$") as refused:
            self.opened(tmp_path / "file", entry)
        assert fault in str(refused.value)
        tolerant = replace(self.FORM, passes_over_damage=True)
        assert [one.number for one in self.opened(tmp_path / "other", entry, tolerant).entries()] == [1]

    def test_of_a_plan(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text('{"kind":"test","version":1,"plan":{"most":"5"}}\n')
        with pytest.raises(JournalError, match=r"Line 1 of '.*' is damaged: 'most' is '5', not int\."):
            Journal(tmp_path / "file", self.FORM, {"most": 5})
