"""Keys and what they do: what is pressed, what is shown, and that nothing else asks for keys."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pygame
import pytest

from papan.ui import scenes, widgets, window
from papan.ui.widgets.shortcuts import DIGITS, Shortcut, chords_of, press, shown_keys, unshadowed

CTRL, SHIFT, ALT = pygame.KMOD_LCTRL, pygame.KMOD_LSHIFT, pygame.KMOD_LALT


def down(key: int, mod: int = 0) -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode="")


class TestPressing:
    @pytest.mark.parametrize(
        ("keys", "key", "mod"),
        [
            ("Ctrl+Z", pygame.K_z, CTRL),
            ("Ctrl+Z", pygame.K_z, pygame.KMOD_LMETA),
            ("Ctrl+Z", pygame.K_z, CTRL | SHIFT),
            ("Enter", pygame.K_KP_ENTER, 0),
            ("N  P", pygame.K_p, 0),
            ("N  P", pygame.K_p, SHIFT),
            ("F10", pygame.K_F10, 0),
            ("Ctrl+,", pygame.K_COMMA, CTRL),
        ],
    )
    def test_what_fits(self, keys: str, key: int, mod: int) -> None:
        done: list[int] = []
        assert press([Shortcut(keys, "", lambda: done.append(1))], down(key, mod)) and done == [1]

    @pytest.mark.parametrize(
        ("keys", "key", "mod"),
        [
            ("Ctrl+Z", pygame.K_z, 0),
            ("Z", pygame.K_z, CTRL),
            ("Z", pygame.K_z, ALT),
            ("Ctrl+Z", pygame.K_z, CTRL | ALT),
            ("Ctrl+Shift+Z", pygame.K_z, CTRL),
            ("F1", pygame.K_F11, 0),
        ],
    )
    def test_what_does_not(self, keys: str, key: int, mod: int) -> None:
        assert not press([Shortcut(keys, "", lambda: pytest.fail("it was not meant"))], down(key, mod))

    def test_shift_goes_before_none(self) -> None:
        done: list[str] = []
        keys = [
            Shortcut("Ctrl+Z", "", lambda: done.append("undo")),
            Shortcut("Ctrl+Shift+Z", "", lambda: done.append("redo")),
        ]
        press(keys, down(pygame.K_z, CTRL | SHIFT))
        press(keys, down(pygame.K_z, CTRL))
        assert done == ["redo", "undo"]

    def test_what_did_not_apply_leaves_it_to_the_next(self) -> None:
        done: list[int] = []
        keys = [Shortcut("Enter", "", lambda: False), Shortcut("Enter", "", lambda: done.append(1))]
        assert press(keys, down(pygame.K_RETURN)) and done == [1]
        assert not press(keys[:1], down(pygame.K_RETURN))

    def test_a_digit_is_told(self) -> None:
        pressed: list[int] = []
        for key in (pygame.K_0, pygame.K_7):
            press([Shortcut(DIGITS, "", pressed.append)], down(key))
        assert pressed == [0, 7]

    def test_words_alone_do_nothing(self) -> None:
        assert not press([Shortcut("Enter", "choose")], down(pygame.K_RETURN))


class TestNames:
    def test_no_key_of_another_name(self) -> None:
        for wrong in ("Strg+Z", "F13", "Return"):
            with pytest.raises(ValueError):
                chords_of(wrong)

    def test_arrows_are_shown_as_such(self) -> None:
        assert shown_keys("Shift+Up  PgDn") == ["Shift+↑", "PgDn"]

    def test_what_a_scene_does_goes_before_what_every_scene_does(self) -> None:
        everywhere = [Shortcut("M", "sounds"), Shortcut("F1", "keys")]
        assert unshadowed([Shortcut("M", "numbers")], everywhere) == everywhere[1:]


def classes(package: ModuleType) -> Iterator[tuple[str, ast.ClassDef]]:
    folder = Path(package.__file__ or "").parent
    for path in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                yield path.name, node


def names_in(node: ast.ClassDef) -> Iterator[str]:
    for part in node.body:
        if isinstance(part, ast.FunctionDef):
            yield part.name
        elif isinstance(part, ast.AnnAssign):
            yield ast.unparse(part.target)


class TestNothingElseAsksForKeys:
    """A key that means something stands in a list of shortcuts, which F1 shows."""

    def test_scenes_and_the_window_name_no_key(self) -> None:
        named = [
            (path.name, node.attr)
            for package in (scenes, window)
            for path in sorted(Path(package.__file__ or "").parent.glob("*.py"))
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Attribute) and node.attr.startswith("K_")
        ]
        assert named == []

    def test_a_widget_that_takes_keys_says_which(self) -> None:
        silent = [
            (file, node.name)
            for file, node in classes(widgets)
            if "key" in (names := set(names_in(node))) and not names & {"keys", "key_help"}
        ]
        assert silent == []
