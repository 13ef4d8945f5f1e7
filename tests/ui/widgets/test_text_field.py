"""A text field by keyboard, mouse, clipboard and input method."""

from __future__ import annotations

import unicodedata
from typing import Any

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.ui.widgets import text_field
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.text_editing import EditedLine
from papan.ui.widgets.text_field import Edit, TextField, edit_of
from tests.ui.hands import Hands, Shelf

CTRL, SHIFT, ALT, META = pygame.KMOD_LCTRL, pygame.KMOD_LSHIFT, pygame.KMOD_LALT, pygame.KMOD_LMETA


@pytest.fixture(autouse=True)
def no_mac(monkeypatch: pytest.MonkeyPatch) -> None:
    """The keys of Linux and Windows, wherever the tests run."""
    monkeypatch.setattr(text_field, "edit_of", lambda key, mod: edit_of(key, mod, is_mac=False))


@pytest.fixture
def said() -> list[object]:
    """What the widgets have told."""
    return []


@pytest.fixture
def digits(hands: Hands, said: list[object]) -> TextField:
    hands.show(
        Shelf(
            hands.app,
            lambda: TextField(
                "", said.append, name="seed", allowed="0123456789", most=5, submitted=lambda: said.append("done")
            ),
            lambda: Button("other", lambda: said.append("pressed")),
        )
    )
    return hands.widget_as("seed", TextField)


@pytest.fixture
def field(hands: Hands, said: list[object]) -> TextField:
    """For any text, with the keyboard."""
    hands.show(Shelf(hands.app, lambda: TextField("", said.append, name="field", placeholder="anything")))
    hands.press(pygame.K_TAB)
    return hands.widget_as("field", TextField)


def x_of(hands: Hands, field: TextField, place: int) -> tuple[int, int]:
    """Just right of the place of this number, as long as the line is not scrolled."""
    padding = hands.app.theme.px(13)
    return field.rect.x + padding + hands.app.paint.width(field.text[:place], "text") + 1, field.rect.centery


def caret_is_seen(hands: Hands, field: TextField) -> bool:
    hands.app.invalidate()
    hands.frames()
    ink, row = hands.app.theme.ink, field.rect.centery
    return any(hands.app.surface.get_at((x, row))[:3] == ink for x in range(field.rect.x + 3, field.rect.right - 3))


class TestTyping:
    def test_typing(self, hands: Hands, digits: TextField, said: list[object]) -> None:
        hands.press(pygame.K_TAB)
        hands.type("4x2")
        assert digits.text == "42" and said == ["4", "42"]
        hands.press(pygame.K_BACKSPACE)
        assert digits.text == "4"
        hands.press(pygame.K_RETURN)
        assert said == ["4", "42", "4", "done"]
        hands.type("1234567")
        assert digits.text == "41234", "no more than the most"

    def test_a_click_gives_it_the_keyboard(self, hands: Hands, digits: TextField) -> None:
        hands.click(digits.rect.center)
        hands.frames()
        assert hands.focused() == "seed"
        hands.type("7")
        assert digits.text == "7"

    def test_keys_go_elsewhere_once_it_is_left(self, hands: Hands, digits: TextField, said: list[object]) -> None:
        hands.keys(pygame.K_TAB, pygame.K_TAB)
        hands.type("7")
        assert digits.text == ""
        hands.press(pygame.K_RETURN)
        assert said == ["pressed"]

    def test_written_by_the_program(self, hands: Hands, digits: TextField, said: list[object]) -> None:
        digits.write("99")
        hands.frames()
        assert digits.text == "99" and said == ["99"]

    def test_letters_do_nothing_else_meanwhile(
        self, hands: Hands, field: TextField, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def hear(event: pygame.event.Event) -> bool:
            heard.append(event.type)
            return False

        heard: list[int] = []
        monkeypatch.setattr(hands.app.scene, "handle", hear)
        hands.press(pygame.K_a, text="a")
        assert pygame.KEYDOWN not in heard
        hands.press(pygame.K_h, CTRL, "\x08")
        assert pygame.KEYDOWN in heard, "but what it has no use for goes on"

    def test_up_and_down_leave_it(self, hands: Hands, digits: TextField) -> None:
        hands.keys(pygame.K_TAB, pygame.K_DOWN)
        assert hands.focused() == "other"

    def test_the_keyboard_selects_and_replaces(self, hands: Hands, field: TextField, said: list[object]) -> None:
        hands.type("one two")
        for key, mod in ((pygame.K_LEFT, CTRL), (pygame.K_RIGHT, SHIFT), (pygame.K_RIGHT, SHIFT)):
            hands.press(key, mod)
        hands.type("T")
        assert field.text == "one To" == said[-1]
        hands.press(pygame.K_HOME, SHIFT)
        hands.press(pygame.K_DELETE)
        assert field.text == "o"

    def test_undo_and_redo(self, hands: Hands, field: TextField, said: list[object]) -> None:
        hands.type("one")
        hands.press(pygame.K_a, CTRL)
        hands.type("two")
        hands.press(pygame.K_z, CTRL)
        assert field.text == "one" == said[-1] and field.line.selected_text == "one"
        hands.press(pygame.K_z, CTRL)
        assert field.text == ""
        hands.press(pygame.K_y, CTRL)
        hands.press(pygame.K_z, CTRL | SHIFT)
        assert field.text == "two" == said[-1]

    def test_a_held_key_acts_again_and_again(
        self, hands: Hands, field: TextField, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        held = {pygame.K_BACKSPACE: False}
        monkeypatch.setattr(pygame.key, "get_pressed", lambda: held)
        hands.type("a long line of text")
        hands.press(pygame.K_BACKSPACE)
        hands.frames(60)
        assert field.text == "a long line of tex", "it has been let go"
        held[pygame.K_BACKSPACE] = True
        hands.press(pygame.K_BACKSPACE)
        hands.frames(25)
        assert field.text == "a long line of te", "not at once"
        hands.frames(20)
        assert 6 < len(field.text) < 14
        held[pygame.K_BACKSPACE] = False
        left = field.text
        hands.frames(60)
        assert field.text == left

    def test_no_key_is_held_by_a_slow_frame(
        self, hands: Hands, field: TextField, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pygame.key, "get_pressed", lambda: {pygame.K_BACKSPACE: True})
        hands.type("abc")
        hands.press(pygame.K_BACKSPACE)
        hands.app.step(5.0, [])
        assert field.text == "ab"


class TestClipboard:
    @pytest.fixture
    def clipboard(self, hands: Hands, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        kept = [""]
        monkeypatch.setattr(hands.app, "copy_text", lambda text: kept.append(text))
        monkeypatch.setattr(hands.app, "clipboard_text", lambda: kept[-1])
        return kept

    def test_cut_copy_and_paste(self, hands: Hands, field: TextField, clipboard: list[str], said: list[object]) -> None:
        hands.type("one two")
        hands.press(pygame.K_LEFT, CTRL | SHIFT)
        hands.press(pygame.K_x, CTRL)
        assert field.text == "one " == said[-1] and clipboard[-1] == "two"
        hands.press(pygame.K_HOME)
        hands.press(pygame.K_v, CTRL)
        assert field.text == "twoone "
        hands.press(pygame.K_a, CTRL)
        hands.press(pygame.K_c, CTRL)
        assert clipboard[-1] == "twoone " and field.text == "twoone "

    def test_lines_become_one(self, hands: Hands, field: TextField, clipboard: list[str]) -> None:
        clipboard.append("path:7\r\nor so\n")
        hands.press(pygame.K_v, CTRL)
        assert field.text == "path:7 or so "

    def test_nothing_selected_is_not_copied(self, hands: Hands, field: TextField, clipboard: list[str]) -> None:
        hands.type("one")
        for key in (pygame.K_c, pygame.K_x):
            hands.press(key, CTRL)
        assert clipboard == [""] and field.text == "one"


class TestMouse:
    def test_a_click_puts_the_caret_there(self, hands: Hands, field: TextField) -> None:
        hands.type("one two")
        hands.click(x_of(hands, field, 3))
        hands.type("!")
        assert field.text == "one! two"

    def test_dragging_selects_beyond_the_field_too(self, hands: Hands, field: TextField) -> None:
        hands.type("one two")
        hands.drag(x_of(hands, field, 4), x_of(hands, field, 6), (field.rect.right + 200, 5))
        assert field.line.selected_text == "two"
        hands.move(x_of(hands, field, 0))
        assert field.line.selected_text == "two", "the button is up"

    def test_a_double_click_selects_a_word_and_two_clicks_apart_do_not(self, hands: Hands, field: TextField) -> None:
        hands.type("one two three")
        hands.click(x_of(hands, field, 9))
        hands.click(x_of(hands, field, 2))
        assert field.line.selected_text == "" and field.line.caret == 2
        hands.press(pygame.K_END)
        for _ in range(2):
            hands.click(x_of(hands, field, 5))
        assert field.line.selected_text == "two"

    def test_the_pointer_is_a_beam(self, hands: Hands, digits: TextField, monkeypatch: pytest.MonkeyPatch) -> None:
        shown: list[int] = []
        monkeypatch.setattr(pygame.mouse, "set_cursor", shown.append)
        for at in ("seed", "other", "seed", (5, 5)):
            hands.move(hands.widget(at).rect.center if isinstance(at, str) else at)
        beam, arrow = pygame.SYSTEM_CURSOR_IBEAM, pygame.SYSTEM_CURSOR_ARROW
        assert shown == [beam, arrow, beam, arrow]


class TestInputMethod:
    def compose(self, hands: Hands, text: str, start: int = 0) -> None:
        hands.event(pygame.TEXTEDITING, text=text, start=start, length=0)

    def test_what_is_composed_is_shown_but_not_yet_written(
        self, hands: Hands, field: TextField, said: list[object]
    ) -> None:
        hands.type("ab")
        hands.press(pygame.K_LEFT)
        hands.frames()
        before = hands.app.surface.copy()
        self.compose(hands, "ni", 2)
        assert field.text == "ab" == said[-1]
        assert pygame.image.tobytes(before, "RGB") != pygame.image.tobytes(hands.app.surface, "RGB")
        hands.event(pygame.TEXTINPUT, text="é")
        assert field.text == "aéb" == said[-1] and field.line.caret == 2

    def test_it_stands_in_the_place_of_what_was_selected(self, hands: Hands, field: TextField) -> None:
        hands.type("one two")
        hands.press(pygame.K_LEFT, CTRL | SHIFT)
        self.compose(hands, "ni")
        hands.event(pygame.TEXTINPUT, text="2")
        assert field.text == "one 2"

    def test_keys_are_the_methods_own_meanwhile(self, hands: Hands, field: TextField) -> None:
        hands.type("ab")
        self.compose(hands, "ni")
        hands.keys(pygame.K_BACKSPACE, pygame.K_RETURN, pygame.K_LEFT)
        self.compose(hands, "")
        assert field.text == "ab" and field.line.caret == 2
        hands.press(pygame.K_BACKSPACE)
        assert field.text == "a"

    def test_it_is_told_where_the_caret_is(
        self, hands: Hands, field: TextField, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told: list[pygame.Rect] = []
        monkeypatch.setattr(pygame.key, "set_text_input_rect", told.append)
        hands.type("abc")
        assert field.rect.contains(told[-1]) and told[0].x < told[-1].x
        self.compose(hands, "wide", 4)
        assert told[-1].x > told[-2].x

    def test_it_is_on_only_where_text_is_written(
        self, hands: Hands, digits: TextField, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told: list[str] = []
        for name in ("start_text_input", "stop_text_input"):
            monkeypatch.setattr(pygame.key, name, lambda name=name: told.append(name))
        hands.keys(pygame.K_TAB, pygame.K_TAB, pygame.K_TAB)
        assert hands.app.scene is not None
        hands.app.scene.widgets.clear()
        assert told == ["start_text_input", "stop_text_input"] * 2

    def test_it_goes_from_field_to_field(self, hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
        told: list[str] = []
        for name in ("start_text_input", "stop_text_input"):
            monkeypatch.setattr(pygame.key, name, lambda name=name: told.append(name))
        fields = [lambda name=name: TextField("", print, name=name) for name in "abcdefgh"]
        hands.show(Shelf(hands.app, *fields))
        for _ in range(20):
            hands.press(pygame.K_TAB)
            assert told[-1] == "start_text_input"


class TestLooks:
    def test_the_caret_blinks_and_nothing_else_is_drawn(self, hands: Hands, field: TextField) -> None:
        assert caret_is_seen(hands, field)
        before = hands.app.frames
        hands.frames(28)
        assert hands.app.frames == before, "between two blinks nothing is drawn"
        hands.frames(5)
        assert hands.app.frames == before + 1 and not caret_is_seen(hands, field)
        hands.type(" ")
        assert caret_is_seen(hands, field), "it is seen where something has been done"

    def test_without_the_keyboard_nothing_blinks(self, hands: Hands, digits: TextField) -> None:
        hands.frames(5)
        before = hands.app.frames
        hands.frames(120)
        assert hands.app.frames == before and digits.idle_seconds > 1

    def test_the_caret_is_always_seen(self, hands: Hands, field: TextField) -> None:
        hands.type("a long line that has no room at all in this field ." + "." * 10)
        line = field.line
        for key in (pygame.K_END, pygame.K_HOME, *[pygame.K_RIGHT] * 40, pygame.K_END, *[pygame.K_BACKSPACE] * 30):
            hands.press(key)
            assert field.caret_rect.x >= field.rect.x and field.caret_rect.right <= field.rect.right, line.caret

    def test_the_placeholder_until_there_is_text(self, hands: Hands, field: TextField, said: list[object]) -> None:
        def ink() -> bool:
            hands.app.invalidate()
            hands.frames()
            part = hands.app.surface.subsurface(field.rect.inflate(-10, -10))
            return len({tuple(part.get_at((x, part.get_height() // 2))) for x in range(part.get_width())}) > 1

        assert hands.app.scene is not None
        hands.app.scene.widgets.focus(None)
        assert ink()
        hands.app.scene.widgets.focus(field)
        hands.frames(40)
        assert not caret_is_seen(hands, field) and not ink(), "nor while it is being written in"

    def test_a_scene_that_is_built_anew_goes_on_writing(self, hands: Hands, field: TextField) -> None:
        hands.app.settings.theme = "dark"
        hands.app.apply_settings()
        again = hands.widget_as("field", TextField)
        assert again is not field and caret_is_seen(hands, again)
        hands.type("7")
        assert again.text == "7"


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
