"""Keyboard shortcuts: key presses are looked up in the same list that F1 shows.

Scenes, widgets and the window each list their keys as ``Shortcut``. A chord is written ``Ctrl+Shift+Z``; two spaces
separate chords that do the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

import pygame

from papan.ui.texts import N_, translated

DIGITS = "0 – 9"
"""The chord of all ten digits: the action gets the digit as its argument."""
BETWEEN = "  "
"""Separates chords that do the same."""

_PLAIN = ("Space", "Tab", "Left", "Right", "Up", "Down", "Home", "End", "Backspace", *(f"F{n}" for n in range(1, 13)))
_NAMED: dict[str, tuple[int, ...]] = {name: (getattr(pygame, f"K_{name.upper()}"),) for name in _PLAIN} | {
    "Enter": (pygame.K_RETURN, pygame.K_KP_ENTER),
    "Esc": (pygame.K_ESCAPE,),
    "Arrows": (pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_DOWN),
    "PgUp": (pygame.K_PAGEUP,),
    "PgDn": (pygame.K_PAGEDOWN,),
    "Del": (pygame.K_DELETE,),
    DIGITS: tuple(range(pygame.K_0, pygame.K_9 + 1)),
}
_SHOWN = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓"}
_WORDS = {
    "Enter": N_("Enter"), "Space": N_("Space"), "Arrows": N_("Arrows"), "PgUp": N_("PgUp"), "PgDn": N_("PgDn"),
    "Home": N_("Home"), "End": N_("End"), "Backspace": N_("Backspace"),
}  # fmt: skip


class Chord(NamedTuple):
    """A key, or several that do the same, and the modifiers held with it."""

    keys: tuple[int, ...]
    has_command: bool = False
    """Whether Ctrl is held, or Command on macOS."""
    has_shift: bool = False
    has_alt: bool = False

    def fits(self, event: pygame.event.Event, *, minds_shift: bool) -> bool:
        """Whether *event*, a KEYDOWN, is this chord.

        :param minds_shift: whether Shift must match exactly; else it may be held although the chord has none.
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
    """The chords named in *keys*.

    >>> [(chord.keys == (pygame.K_z,), chord.has_shift) for chord in chords_of("Ctrl+Z  Ctrl+Shift+Z")]
    [(True, False), (True, True)]

    :raises ValueError: unknown key.
    """
    return tuple(_chord(name) for name in keys.split(BETWEEN))


def _chord(name: str) -> Chord:
    *held, key = name.split("+")
    if set(held) - {"Ctrl", "Shift", "Alt"}:
        raise ValueError(f"'{name}' has a modifier other than Ctrl, Shift and Alt.")
    return Chord(_codes(key), "Ctrl" in held, "Shift" in held, "Alt" in held)


def _codes(key: str) -> tuple[int, ...]:
    if key in _NAMED:
        return _NAMED[key]
    if len(key) == 1:
        return (ord(key.lower()),)
    raise ValueError(f"'{key}' is not a known key.")


def shown_keys(keys: str) -> list[str]:
    """Each chord of *keys* as shown to players, in the current language.

    >>> shown_keys("Left  Ctrl+Shift+Z")
    ['←', 'Ctrl+Shift+Z']
    """

    def shown(name: str) -> str:
        return _SHOWN.get(name) or (translated(_WORDS[name]) if name in _WORDS else name)

    return ["+".join(shown(name) for name in chord.split("+")) for chord in keys.split(BETWEEN)]


@dataclass(frozen=True)
class Shortcut:
    """Keys and what they do."""

    keys: str
    """The chords, separated by two spaces."""
    meaning: str
    """A few words, translated, without a capital."""
    act: Callable[..., object] | None = None
    """Does it; returns False if it did not apply. None for keys that the focused widget handles. For ``DIGITS`` it is
    called with the digit."""
    group: str = ""
    """The heading in the list at F1, translated."""
    comes_first: bool = False
    """Whether it takes precedence over the focused widget."""


def press(shortcuts: Iterable[Shortcut], event: pygame.event.Event) -> bool:
    """Do what *event*, a KEYDOWN, means among *shortcuts*; return whether it means anything."""
    for minds_shift, shortcut in product((True, False), shortcuts):
        if shortcut.act is None:
            continue
        if any(chord.fits(event, minds_shift=minds_shift) for chord in chords_of(shortcut.keys)):
            digit = [event.key - pygame.K_0] if shortcut.keys == DIGITS else []
            if shortcut.act(*digit) is not False:
                return True
    return False


def unshadowed(shortcuts: Sequence[Shortcut], others: Iterable[Shortcut]) -> list[Shortcut]:
    """Those of *others* none of whose keys is used in *shortcuts*."""
    taken = {chord for shortcut in shortcuts for chord in chords_of(shortcut.keys)}
    return [other for other in others if not taken.intersection(chords_of(other.keys))]
