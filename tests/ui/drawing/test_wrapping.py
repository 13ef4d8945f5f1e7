"""Words into lines, measured by a ruler for which every letter is ten pixels wide, and a bold one twelve."""

from __future__ import annotations

import pytest

from papan.ui.drawing.lettering import ELLIPSIS, Word, ended, wrapped
from papan.ui.drawing.theme import TextStyle


class Tens:
    """The ruler."""

    def width(self, text: str, style: TextStyle) -> int:
        return len(text) * (12 if style == "strong" else 10)

    def fitted_text(self, text: str, width: int, style: TextStyle) -> str:
        if self.width(text, style) <= width:
            return text
        return text[: max(0, width // 10 - 1)] + ELLIPSIS


def lines_of(text: str, width: int) -> list[str]:
    return [as_text(line) for line in wrapped(text, width, "text", Tens())]


def as_text(line: list[Word]) -> str:
    return "".join(" " * word.starts_after_space + word.text for word in line)


class TestWrapped:
    @pytest.mark.parametrize(
        ("text", "width", "lines"),
        [
            ("one two three", 130, ["one two three"]),
            ("one two three", 129, ["one two", "three"]),
            ("one\ntwo", 500, ["one", "two"]),
            ("", 500, [""]),
            ("abcdefg", 30, ["abc", "def", "g"]),
            ("a abcdefg", 30, ["a", "abc", "def", "g"]),
        ],
    )
    def test_lines_are_as_long_as_they_may_be(self, text: str, width: int, lines: list[str]) -> None:
        assert lines_of(text, width) == lines

    def test_bold_words_are_measured_as_such(self) -> None:
        ((plain, bold),) = wrapped("go **now**", 100, "text", Tens())
        assert (plain.style, plain.width, bold.style, bold.width) == ("text", 20, "strong", 36)

    def test_no_line_begins_with_what_follows_a_bold_word_without_a_space(self) -> None:
        assert lines_of("to **c4**, now", 60) == ["to", "c4,", "now"]


class TestEnded:
    @pytest.mark.parametrize(("width", "text"), [(80, "one two…"), (79, "one…"), (40, "one…"), (30, "on…")])
    def test_as_many_words_stay_as_have_room_with_an_ellipsis(self, width: int, text: str) -> None:
        (line,) = wrapped("one two", 500, "text", Tens())
        assert as_text(ended(line, width, "text", Tens())) == text
