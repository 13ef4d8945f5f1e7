"""Answers on how tense a turn was: kept line by line, read again, and what is damaged named."""

from __future__ import annotations

from pathlib import Path

import pytest

from papan.game.base.untrusted import UnreadableError
from papan.game.match.tension import Answer, Damaged, add, answers_file, read

CALM = Answer("2026-11-30T10:00:00+00:00", 1, 1, 1, '[Game "x"]\n\n1. a\u202e *\n')
TENSE = Answer("2026-11-30T10:01:00+00:00", 3, 1, 5, "", 12)


def test_what_is_added_is_read(home: Path) -> None:
    path = answers_file()
    assert path.is_relative_to(home)
    add(CALM)
    add(TENSE)
    assert list(read(path)) == [(1, CALM), (2, TENSE)]
    assert path.read_bytes().count(b"\n") == 2 and "\u202e" not in path.read_text("utf-8")


@pytest.mark.parametrize("cut", [1, 20, 100])
def test_a_kill_costs_the_answer_in_flight_and_no_other(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "answers"
    add(CALM, path)
    add(TENSE, path)
    path.write_bytes(path.read_bytes()[:-cut])
    add(CALM, path)
    first, second, third = read(path)
    assert (first, third) == ((1, CALM), (3, CALM))
    assert second == (2, TENSE) if cut == 1 else isinstance(second, Damaged) and second.line == 2


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"nonsense", "it is not JSON"),
        (b"[1, 2]", "it is not a JSON object"),
        (b'{"turn": 1, "seat": 1, "answer": 3, "record": ""}', "'asked' is missing"),
        (b'{"asked": "", "turn": 1, "seat": 1, "answer": 6, "record": ""}', "'answer' is 6, not int <= 5"),
        (b'{"asked": "", "turn": 0, "seat": 1, "answer": 3, "record": ""}', "'turn' is 0, not int >= 1"),
        (b'{"asked": "", "turn": 1, "seat": 1, "answer": 3, "record": "", "version": 2}',
         "2 is not allowed for 'version'"),
        (b"\xff\xfe\x00", "it is not JSON"),
        (b"[" * 5000, "it is nested too deeply"),
        (b'{"asked": ' + b"9" * 5000 + b"}", "a number is too large"),
    ],
)  # fmt: skip
def test_damaged_lines_are_named_and_skipped(tmp_path: Path, line: bytes, reason: str) -> None:
    path = tmp_path / "answers"
    add(CALM, path)
    with path.open("ab") as file:
        file.write(b"\n" + line + b"\n")
    add(TENSE, path)
    assert list(read(path)) == [(1, CALM), Damaged(3, reason), (4, TENSE)]


def test_a_line_without_end_is_one_damaged_line(tmp_path: Path) -> None:
    path = tmp_path / "answers"
    path.write_bytes(b" " + b"x" * (17 << 20) + b"\n")
    add(CALM, path)
    first, second = read(path)
    assert isinstance(first, Damaged) and first.line == 1 and second == (2, CALM)


def test_what_is_no_file_or_too_large_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError):
        list(read(tmp_path))
    with (tmp_path / "large").open("wb") as file:
        file.truncate(65 << 20)
    with pytest.raises(UnreadableError, match="too large"):
        list(read(tmp_path / "large"))
