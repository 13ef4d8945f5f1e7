"""``links``: has Windows open the links of letters and invitations with this program.

On Linux ``install.sh`` does that, on macOS the packed program says it of itself.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from papan.commands.common import command, command_words, option
from papan.commands.errors import failure, refusal
from papan.game.base.sqlite import in_words
from papan.lab.printing import show_said
from papan.online.letters import SCHEME

KEY = rf"Software\Classes\{SCHEME.removesuffix(':')}"
"""Below the user's own keys, which need no administrator."""
_BELOW = (r"\shell\open\command", r"\shell\open", r"\shell", "")
"""The keys in it, the deepest first."""
_WINDOW_PROGRAM = "Papan.exe"
"""The packed program without a console."""


@dataclass(frozen=True)
class LinksRequest:
    removes: bool = option("Open them with this program no longer.", is_flag=True, name="--remove")


@command(LinksRequest)
def links(asked: LinksRequest) -> None:
    """Have Windows open papan: links with this program, for you alone."""
    if sys.platform != "win32":
        raise refusal("Only Windows needs this: on Linux install.sh does it, on macOS the packed program.")
    registry: Any = import_module("winreg")
    try:
        _forget(registry)
        if not asked.removes:
            _register(registry)
    except OSError as error:
        raise failure("Windows does not let Papan write that down: {reason}.", reason=in_words(error)) from None
    if asked.removes:
        show_said("Links are no longer opened with Papan.")
    else:
        show_said("Links that begin with {scheme} are opened with Papan now; --remove undoes it.", scheme=SCHEME)


def _register(registry: Any) -> None:
    program, *words = command_words()
    window = Path(program).with_name(_WINDOW_PROGRAM)
    opening = [str(window) if window.exists() else program, *words, "open", "--"]
    with registry.CreateKey(registry.HKEY_CURRENT_USER, KEY) as key:
        registry.SetValueEx(key, "", 0, registry.REG_SZ, "URL:Papan")
        registry.SetValueEx(key, "URL Protocol", 0, registry.REG_SZ, "")
    with registry.CreateKey(registry.HKEY_CURRENT_USER, KEY + _BELOW[0]) as key:
        registry.SetValueEx(key, "", 0, registry.REG_SZ, f'{subprocess.list2cmdline(opening)} "%1"')


def _forget(registry: Any) -> None:
    for below in _BELOW:
        with suppress(FileNotFoundError):
            registry.DeleteKey(registry.HKEY_CURRENT_USER, KEY + below)
