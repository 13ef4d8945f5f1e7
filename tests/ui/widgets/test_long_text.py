"""A long text: all of it can be read, and only what is in view is drawn."""

from __future__ import annotations

from collections import defaultdict

import pygame

from papan.ui.widgets.scroll import LongText, wrapped_lines
from tests.ui.hands import Hands, Shelf

ONE: defaultdict[str, float] = defaultdict(lambda: 1.0)


class TestWrapping:
    def test_nothing_is_lost_and_nothing_too_wide(self) -> None:
        text = "  indented words here\nand a_word_that_is_longer_than_any_line\n\n\tend"
        lines = wrapped_lines(text, 12, ONE)
        assert all(len(line) <= 12 for line in lines)
        assert "".join("".join(lines).split()) == "".join(text.split())
        assert lines[-2:] == ["", "    end"]

    def test_short_lines_stay_as_they_are(self) -> None:
        assert wrapped_lines("a\n  b\n\n\nc", 10, ONE) == ["a", "  b", "", "", "c"]

    def test_a_line_of_spaces_ends(self) -> None:
        assert wrapped_lines(" " * 30 + "x", 10, ONE)[-1].strip() == "x"

    def test_signs_that_cannot_be_drawn_are_left_out(self) -> None:
        assert wrapped_lines("a\x00b\x1b[1m", 10, ONE) == ["ab[1m"]


class TestLongText:
    def test_scrolls_to_its_end_and_no_further(self, hands: Hands) -> None:
        hands.show(Shelf(hands.app, lambda: LongText("text")))
        widget = hands.widget_as("text", LongText)
        widget.show_text("\n".join(f"line {number}" for number in range(500)))
        hands.focus("text")
        hands.press(pygame.K_END)
        assert widget.top == widget.full_height - widget.rect.h > 0
        hands.press(pygame.K_DOWN)
        assert widget.top == widget.full_height - widget.rect.h
        widget.show_text("short")
        assert widget.top == 0
