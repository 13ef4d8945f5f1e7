"""A line that is edited: against a naive model of it, and by examples."""

from __future__ import annotations

import unicodedata
from typing import Any

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.ui.widgets.text_editing import EditedLine
from papan.ui.widgets.text_field import Edit, edit_of

ACUTE, CEDILLA = "\u0301", "\u0327"
LETTERS = ["a", "7", " ", ".", "ß", "漢", "e" + ACUTE, "c" + CEDILLA + ACUTE]
"""Each is read as one character."""


class Naive:
    """The same line as a list of what is read as one character, without undo."""

    def __init__(self) -> None:
        self.letters: list[str] = []
        self.caret = self.anchor = 0

    @property
    def selection(self) -> tuple[int, int]:
        return min(self.caret, self.anchor), max(self.caret, self.anchor)

    def put(self, letters: list[str], start: int, end: int) -> None:
        self.letters[start:end] = letters
        self.caret = self.anchor = start + len(letters)

    def insert(self, letters: list[str]) -> None:
        if letters:
            self.put(letters, *self.selection)

    def delete(self, where: str) -> None:
        start, end = self.selection
        if start == end:
            start, end = sorted((self.caret, self.place(where)))
        self.put([], start, end)

    def place(self, where: str) -> int:
        places = {"left": self.caret - 1, "right": self.caret + 1, "start": 0, "end": len(self.letters)}
        return min(max(places[where], 0), len(self.letters))

    def move(self, where: str, extends: bool) -> None:
        start, end = self.selection
        collapses = start != end and not extends and where in ("left", "right")
        self.caret = (start if where == "left" else end) if collapses else self.place(where)
        if not extends:
            self.anchor = self.caret

    def select_all(self) -> None:
        self.anchor, self.caret = 0, len(self.letters)


TEXTS = st.one_of(st.text(max_size=8), st.text("a. " + ACUTE + CEDILLA, max_size=8))
PLACES = st.sampled_from(["left", "right", "start", "end"])
ACTS = st.one_of(
    st.tuples(st.just("insert"), st.lists(st.sampled_from(LETTERS), max_size=4)),
    st.tuples(st.just("delete"), PLACES),
    st.tuples(st.just("move"), PLACES, st.booleans()),
    st.tuples(st.just("select all")),
)


def act_on(line: EditedLine, act: tuple[Any, ...]) -> None:
    name, *facts = act
    if name == "insert":
        line.insert("".join(facts[0]))
    elif name == "delete":
        line.delete(facts[0])
    elif name == "move":
        line.move(facts[0], extends=facts[1])
    else:
        line.select_all()


class TestModel:
    @given(st.lists(ACTS))
    def test_the_line_is_what_the_naive_model_says(self, acts: list[tuple[Any, ...]]) -> None:
        line, naive = EditedLine(), Naive()
        for act in acts:
            act_on(line, act)
            getattr(naive, act[0].replace(" ", "_"))(*act[1:])
            assert line.text == "".join(naive.letters)
            assert line.caret == len("".join(naive.letters[: naive.caret]))
            assert line.anchor == len("".join(naive.letters[: naive.anchor]))

    @given(st.lists(ACTS))
    def test_all_can_be_undone_and_done_again(self, acts: list[tuple[Any, ...]]) -> None:
        line = EditedLine("begun")
        for act in acts:
            act_on(line, act)
        final, seen = line.text, [line.text]
        while line.undo():
            seen.append(line.text)
        assert line.text == "begun"
        again = [line.text]
        while line.redo():
            again.append(line.text)
        assert line.text == final and again == seen[::-1]

    @given(TEXTS, st.lists(TEXTS), st.sampled_from(["left", "word left", "word right"]))
    def test_whatever_comes_in_the_caret_is_within_no_character(self, text: str, coming: list[str], where: Any) -> None:
        line = EditedLine(most=12)
        for number, more in enumerate([text, *coming]):
            line.insert(more)
            if number % 3 == 2:
                line.delete(where)
            line.move(where)
            assert len(line.text) <= 12 and line.text.isprintable()
            for place in (line.caret, line.anchor):
                assert 0 <= place <= len(line.text)
                assert place in (0, len(line.text)) or not unicodedata.category(line.text[place]).startswith("M")


class TestUndo:
    def test_a_run_of_typing_is_undone_at_once(self) -> None:
        line = EditedLine()
        for letter in "word":
            line.insert(letter)
        line.move("start")
        for letter in "a ":
            line.insert(letter)
        assert line.text == "a word"
        assert line.undo() and line.text == "word" and line.caret == 0
        assert line.undo() and line.text == "" and not line.undo()

    def test_runs_of_deleting_are_apart_from_typing_and_by_direction(self) -> None:
        line = EditedLine("abcdef")
        for _ in range(2):
            line.delete("left")
        line.insert("x")
        line.move("start")
        for _ in range(2):
            line.delete("right")
        texts = [line.text]
        while line.undo():
            texts.append(line.text)
        assert texts == ["cdx", "abcdx", "abcd", "abcdef"]

    def test_it_brings_back_what_was_selected(self) -> None:
        line = EditedLine("one two")
        line.select_word(5)
        line.insert("2")
        assert line.text == "one 2"
        line.undo()
        assert line.text == "one two" and line.selected_text == "two"

    def test_a_new_edit_leaves_nothing_to_redo(self) -> None:
        line = EditedLine("a")
        line.delete("left")
        line.undo()
        line.insert("b")
        assert not line.redo() and line.text == "ab"

    def test_what_the_program_writes_can_be_undone(self) -> None:
        line = EditedLine("mine", most=6)
        assert line.write("suggested") and line.text == "sugges" and not line.write("suggested")
        assert line.undo() and line.text == "mine"


class TestComingIn:
    @pytest.mark.parametrize(
        ("coming", "text"),
        [("a\r\nb\nc\td", "a b c d"), ("a\x07\x00b", "ab"), ("one\u00a0two", "one two"), ("\ud83d", "")],
    )
    def test_only_what_can_be_drawn_on_one_line(self, coming: str, text: str) -> None:
        line = EditedLine()
        assert line.insert(coming) == bool(text)
        assert line.text == text

    def test_only_what_is_allowed_and_has_room(self) -> None:
        line = EditedLine("12", allowed="0123456789", most=4)
        assert line.insert("a3b4c5") and line.text == "1234"
        assert not line.insert("6") and not line.insert("x")
        line.select_all()
        assert line.insert("98765") and line.text == "9876", "what is selected makes room"

    def test_no_room_for_a_letter_without_its_accent(self) -> None:
        line = EditedLine("abc", most=4)
        assert not line.insert("e" + ACUTE) and line.text == "abc"

    def test_an_accent_that_comes_in_behind_a_letter_joins_it(self) -> None:
        line = EditedLine("e")
        line.insert(ACUTE)
        line.delete("left")
        assert line.text == ""


class TestWords:
    @pytest.mark.parametrize(
        ("where", "stops"),
        [("word right", [3, 6, 11, 12]), ("word left", [11, 6, 3, 0])],
    )
    def test_from_word_to_word(self, where: Any, stops: list[int]) -> None:
        line = EditedLine("two,  green?")
        line.move("start" if where == "word right" else "end")
        seen = []
        for _ in stops:
            line.move(where)
            seen.append(line.caret)
        assert seen == stops

    @pytest.mark.parametrize(("place", "word"), [(0, "two"), (2, "two"), (3, ","), (4, "  "), (8, "green"), (99, "?")])
    def test_a_word_is_a_run_of_letters(self, place: int, word: str) -> None:
        line = EditedLine("two,  green?")
        line.select_word(place)
        assert line.selected_text == word

    def test_a_sign_keeps_its_accent(self) -> None:
        line = EditedLine("a." + ACUTE + "b")
        line.move("start")
        line.move("word right")
        line.delete("word right")
        assert line.text == "ab"

    def test_words_are_deleted(self) -> None:
        line = EditedLine("one two three")
        line.delete("word left")
        line.move("start")
        line.delete("word right")
        assert line.text == "two "

    def test_nothing_to_select_or_to_delete(self) -> None:
        line = EditedLine()
        line.select_word(0)
        assert not line.delete("left") and not line.delete("word right") and not line.undo()


CTRL, SHIFT, ALT, META = pygame.KMOD_LCTRL, pygame.KMOD_LSHIFT, pygame.KMOD_LALT, pygame.KMOD_LMETA


class TestKeys:
    @pytest.mark.parametrize(
        ("key", "elsewhere", "mac", "edit"),
        [
            (pygame.K_LEFT, 0, 0, Edit("move", "left")),
            (pygame.K_RIGHT, SHIFT, SHIFT, Edit("move", "right", True)),
            (pygame.K_RIGHT, CTRL, ALT, Edit("move", "word right")),
            (pygame.K_LEFT, CTRL | SHIFT, ALT | SHIFT, Edit("move", "word left", True)),
            (pygame.K_HOME, SHIFT, SHIFT, Edit("move", "start", True)),
            (pygame.K_BACKSPACE, CTRL, ALT, Edit("delete", "word left")),
            (pygame.K_DELETE, CTRL, ALT, Edit("delete", "word right")),
            (pygame.K_a, CTRL, META, Edit("select all")),
            (pygame.K_x, CTRL, META, Edit("cut")),
            (pygame.K_c, CTRL, META, Edit("copy")),
            (pygame.K_v, CTRL, META, Edit("paste")),
            (pygame.K_z, CTRL, META, Edit("undo")),
            (pygame.K_z, CTRL | SHIFT, META | SHIFT, Edit("redo")),
            (pygame.K_y, CTRL, META, Edit("redo")),
        ],
    )
    def test_on_macos_and_elsewhere(self, key: int, elsewhere: int, mac: int, edit: Edit) -> None:
        assert edit_of(key, elsewhere, is_mac=False) == edit
        assert edit_of(key, mac, is_mac=True) == edit

    @pytest.mark.parametrize(
        ("key", "mod", "kind"),
        [(pygame.K_DELETE, SHIFT, "cut"), (pygame.K_INSERT, SHIFT, "paste"), (pygame.K_INSERT, CTRL, "copy")],
    )
    def test_the_older_keys(self, key: int, mod: int, kind: str) -> None:
        edit = edit_of(key, mod, is_mac=False)
        assert edit is not None and edit.kind == kind

    def test_macos_leads_to_the_lines_ends_with_arrows(self) -> None:
        assert edit_of(pygame.K_RIGHT, META | SHIFT, is_mac=True) == Edit("move", "end", True)
        assert edit_of(pygame.K_BACKSPACE, META, is_mac=True) == Edit("delete", "start")

    @pytest.mark.parametrize("key", [pygame.K_a, pygame.K_q, pygame.K_UP, pygame.K_TAB, pygame.K_ESCAPE])
    def test_other_keys_edit_nothing(self, key: int) -> None:
        assert edit_of(key, 0, is_mac=False) is None and edit_of(key, 0, is_mac=True) is None

    def test_altgr_writes_letters(self) -> None:
        """Windows tells of it as Ctrl and Alt; with it, Q writes @ on a German keyboard, and V on others."""
        assert edit_of(pygame.K_v, CTRL | pygame.KMOD_RALT, is_mac=False) is None
