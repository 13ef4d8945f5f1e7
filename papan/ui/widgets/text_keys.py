"""The meaning of the keys that edit a line of text, on macOS and elsewhere."""

from __future__ import annotations

import sys
from typing import Literal, NamedTuple

import pygame

from papan.ui.widgets.text_editing import Where

EditKind = Literal["move", "delete", "select all", "cut", "copy", "paste", "undo", "redo"]

_ARROWS: dict[int, tuple[Where, Where, Where]] = {
    pygame.K_LEFT: ("left", "word left", "start"),
    pygame.K_RIGHT: ("right", "word right", "end"),
}
"""Where each leads: alone, with the key for words, and with the key for the whole line."""
_DELETING: dict[int, tuple[Where, Where, Where]] = {
    pygame.K_BACKSPACE: ("left", "word left", "start"),
    pygame.K_DELETE: ("right", "word right", "end"),
}
_ENDS: dict[int, Where] = {pygame.K_HOME: "start", pygame.K_END: "end"}
_COMMANDS: dict[int, EditKind] = {
    pygame.K_a: "select all",
    pygame.K_x: "cut",
    pygame.K_c: "copy",
    pygame.K_v: "paste",
    pygame.K_z: "undo",
    pygame.K_y: "redo",
}


class Edit(NamedTuple):
    """The edit that a key asks for."""

    kind: EditKind
    where: Where = "left"
    """For ``move`` and ``delete``."""
    extends: bool = False
    """For ``move``: whether the selection grows."""


def edit_of(key: int, mod: int, *, is_mac: bool = sys.platform == "darwin") -> Edit | None:
    """The edit that *key* asks for while *mod* is held; None for a key that edits nothing.

    >>> edit_of(pygame.K_LEFT, pygame.KMOD_LCTRL | pygame.KMOD_LSHIFT, is_mac=False)
    Edit(kind='move', where='word left', extends=True)
    >>> edit_of(pygame.K_LEFT, pygame.KMOD_LMETA, is_mac=True).where
    'start'
    """
    has_shift, has_alt = bool(mod & pygame.KMOD_SHIFT), bool(mod & pygame.KMOD_ALT)
    has_ctrl, has_meta = bool(mod & pygame.KMOD_CTRL), bool(mod & pygame.KMOD_META)
    # Ctrl with Alt is AltGr on Windows, which writes letters.
    commands = has_meta if is_mac else has_ctrl and not has_alt
    reach = 2 if is_mac and has_meta else 1 if (has_alt if is_mac else commands) else 0
    if key in _ARROWS:
        return Edit("move", _ARROWS[key][reach], has_shift)
    if key in _ENDS:
        return Edit("move", _ENDS[key], has_shift)
    # Older than the letters, and still at hand on Windows and Linux.
    if key == pygame.K_DELETE and has_shift and not is_mac:
        return Edit("cut")
    if key == pygame.K_INSERT and not is_mac and (has_shift or commands):
        return Edit("paste" if has_shift else "copy")
    if key in _DELETING:
        return Edit("delete", _DELETING[key][reach])
    if commands and key in _COMMANDS:
        return Edit("redo" if key == pygame.K_z and has_shift else _COMMANDS[key])
    return None
