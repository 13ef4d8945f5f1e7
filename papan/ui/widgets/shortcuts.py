"""Keys and what they do: what is pressed is looked up in the same list that F1 shows.

A scene, a widget and the window each say by ``Shortcut`` which keys mean something. A chord is written as people write
it, ``Ctrl+Shift+Z``; several that do the same have two spaces between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import pygame

from papan.ui.texts import N_, translated

DIGITS = "0 – 9"
"""The chord of all ten digits: the act is told which one was pressed."""
BETWEEN = "  "
"""Between chords that do the same."""

_NAMED: dict[str, tuple[int, ...]] = {
    "Enter": (pygame.K_RETURN, pygame.K_KP_ENTER),
    "Space": (pygame.K_SPACE,),
    "Esc": (pygame.K_ESCAPE,),
    "Tab": (pygame.K_TAB,),
    "Left": (pygame.K_LEFT,),
    "Right": (pygame.K_RIGHT,),
    "Up": (pygame.K_UP,),
    "Down": (pygame.K_DOWN,),
    "Arrows": (pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_DOWN),
    "PgUp": (pygame.K_PAGEUP,),
    "PgDn": (pygame.K_PAGEDOWN,),
    "Home": (pygame.K_HOME,),
    "End": (pygame.K_END,),
    "Del": (pygame.K_DELETE,),
    "Backspace": (pygame.K_BACKSPACE,),
    DIGITS: tuple(range(pygame.K_0, pygame.K_9 + 1)),
}
_SHOWN = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓"}
_WORDS = {
    "Enter": N_("Enter"), "Space": N_("Space"), "Arrows": N_("Arrows"), "PgUp": N_("PgUp"), "PgDn": N_("PgDn"),
    "Home": N_("Home"), "End": N_("End"), "Backspace": N_("Backspace"),
}  # fmt: skip


class Chord(NamedTuple):
    """Keys of which one is pressed, and what is held meanwhile."""

    keys: tuple[int, ...]
    has_command: bool = False
    """Whether Ctrl is held, or Command on macOS."""
    has_shift: bool = False
    has_alt: bool = False

    def fits(self, event: pygame.event.Event, *, minds_shift: bool) -> bool:
        """Whether *event*, a KEYDOWN, is this chord.

        :param minds_shift: whether Shift must be held as the chord says; else it may be held besides.
        """
        mod = event.mod
        if bool(mod & (pygame.KMOD_CTRL | pygame.KMOD_META)) != self.has_command:
            return False
        if bool(mod & pygame.KMOD_ALT) != self.has_alt:  # with Ctrl it is AltGr on Windows, which writes letters
            return False
        has_shift = bool(mod & pygame.KMOD_SHIFT)
        return event.key in self.keys and (has_shift == self.has_shift if minds_shift else not self.has_shift)


@cache
def chords_of(keys: str) -> tuple[Chord, ...]:
    """The chords that *keys* names.

    >>> [(chord.keys == (pygame.K_z,), chord.has_shift) for chord in chords_of("Ctrl+Z  Ctrl+Shift+Z")]
    [(True, False), (True, True)]

    :raises ValueError: there is no such key.
    """
    return tuple(_chord(name) for name in keys.split(BETWEEN))


def _chord(name: str) -> Chord:
    *held, key = name.split("+")
    if set(held) - {"Ctrl", "Shift", "Alt"}:
        raise ValueError(f"In '{name}' something is to be held that is neither Ctrl, Shift nor Alt.")
    return Chord(_codes(key), "Ctrl" in held, "Shift" in held, "Alt" in held)


def _codes(key: str) -> tuple[int, ...]:
    if key in _NAMED:
        return _NAMED[key]
    if len(key) == 1:
        return (ord(key.lower()),)
    if key[0] == "F" and key[1:].isdecimal() and 1 <= int(key[1:]) <= 12:
        return (pygame.K_F1 + int(key[1:]) - 1,)
    raise ValueError(f"'{key}' is no key.")


def shown_keys(keys: str) -> list[str]:
    """Each chord of *keys* as people read it in the language chosen.

    >>> shown_keys("Left  Ctrl+Shift+Z")
    ['←', 'Ctrl+Shift+Z']
    """
    return ["+".join(_shown_key(part) for part in chord.split("+")) for chord in keys.split(BETWEEN)]


def _shown_key(name: str) -> str:
    return _SHOWN.get(name) or (translated(_WORDS[name]) if name in _WORDS else name)


@dataclass(frozen=True)
class Shortcut:
    """What some keys do."""

    keys: str
    """The chords, two spaces between them."""
    meaning: str
    """What they do, in a few words of the language chosen, without a capital."""
    act: Callable[..., object] | None = None
    """Does it, and returns False where it did not apply; None for keys that the widget with the keyboard takes. That of
    ``DIGITS`` is told which one was pressed."""
    group: str = ""
    """The heading that it stands under, in the language chosen."""
    comes_first: bool = False
    """Whether it goes before what the key means to the widget with the keyboard."""


def press(shortcuts: Iterable[Shortcut], event: pygame.event.Event) -> bool:
    """Do what *event*, a KEYDOWN, stands for among *shortcuts*; True if it stands for anything."""
    acting = [shortcut for shortcut in shortcuts if shortcut.act is not None]
    for minds_shift in (True, False):
        for shortcut in acting:
            if _fits(shortcut, event, minds_shift=minds_shift) and _act(shortcut, event) is not False:
                return True
    return False


def _fits(shortcut: Shortcut, event: pygame.event.Event, *, minds_shift: bool) -> bool:
    return any(chord.fits(event, minds_shift=minds_shift) for chord in chords_of(shortcut.keys))


def _act(shortcut: Shortcut, event: pygame.event.Event) -> object:
    assert shortcut.act is not None
    if shortcut.keys == DIGITS:
        return shortcut.act(event.key - pygame.K_0)
    return shortcut.act()


def is_way_out(event: pygame.event.Event) -> bool:
    """Whether a KEYDOWN leaves: the scene, or the widget."""
    return event.key in (pygame.K_ESCAPE, pygame.K_TAB)


def beyond(shortcuts: Sequence[Shortcut], others: Iterable[Shortcut]) -> list[Shortcut]:
    """Those of *others* of which no key means something else among *shortcuts*."""
    taken = {chord for shortcut in shortcuts for chord in chords_of(shortcut.keys)}
    return [other for other in others if not taken.intersection(chords_of(other.keys))]
