"""Text: smaller letters where a line is long, and lines wrapped and cut to a width."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from papan.ui.drawing.lettering import ELLIPSIS, Lettering, Word, ended, wrapped
from papan.ui.drawing.theme import THEMES, Colour, TextStyle


class TestTextsThatAreLong:
    @pytest.fixture
    def letters(self) -> Iterator[Lettering]:
        pygame.font.init()
        letters = Lettering(THEMES["light"])
        yield letters
        letters.forget()

    def test_are_written_smaller_before_they_are_cut(self, letters: Lettering) -> None:
        text, surface = "Santorini em grafos", pygame.Surface((400, 40))
        wide = letters.width(text, "heading")
        assert letters.fitting_style(text, wide, "heading") == "heading"
        assert letters.fitting_style(text, wide - 1, "heading") == "strong"
        assert letters.fitting_style(text, 1, "heading") == "tiny"
        shrunk = letters.text(surface, text, (0, 0), "heading", width=wide - 1, shrinks=True)
        assert shrunk.w == letters.width(text, "strong")

    def test_a_witness_is_told_what_is_written_and_what_was_cut(self, letters: Lettering) -> None:
        told: list[tuple[str, ...]] = []

        class Witness:
            def will_be_written(self, surface: pygame.Surface, text: str, rect: pygame.Rect, ink: Colour) -> None:
                told.append(("to be written", text))

            def is_written(self, surface: pygame.Surface, text: str, rect: pygame.Rect) -> None:
                told.append(("written", text))

            def is_cut(self, text: str, shown: str) -> None:
                told.append(("cut", text, shown))

        letters.witness = Witness()
        surface = pygame.Surface((400, 100))
        letters.text(surface, "whole", (0, 0), width=300)
        letters.text(surface, "much too long", (0, 0), width=60)
        letters.paragraph(surface, "one two three four", pygame.Rect(0, 0, 70, 20), most_lines=1)
        assert told[:2] == [("to be written", "whole"), ("written", "whole")]
        assert told[2][:2] == ("cut", "much too long") and told[4] == ("written", told[2][2])
        assert any(each[:2] == ("cut", "one two three four") for each in told)


class Tens(Lettering):
    """Letters of one width."""

    def __init__(self) -> None:
        """There are no fonts to be had."""

    def width(self, text: str, style: TextStyle = "text") -> int:
        return len(text) * (12 if style == "strong" else 10)

    def fitted_text(self, text: str, width: int, style: TextStyle = "text") -> str:
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
