"""Starting other programs: their environment, and the system's file manager."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from papan.game.base.sentences import say

_SHOWS_FOLDERS = {"darwin": "open"}
_USUALLY_SHOWS_FOLDERS = "xdg-open"


class NotShown(OSError):
    """A folder can't be shown; the message says why."""


def original_environment() -> Mapping[str, str]:
    """The environment without the library paths that a packed program adds for itself."""
    environment = dict(os.environ)
    if getattr(sys, "frozen", False):
        for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
            original = environment.pop(f"{name}_ORIG", None)
            environment.pop(name, None)
            if original is not None:
                environment[name] = original
    return environment


def show_folder(folder: Path) -> None:
    """Open *folder* in the system's file manager. May take long: call it in a background thread.

    :raises NotShown: there is no such folder or no file manager.
    """
    if not folder.is_dir():
        raise NotShown(
            say("This folder does not exist yet; it will be created when needed: {folder}", folder=str(folder))
        )
    if sys.platform == "win32":
        os.startfile(folder)
        return
    name = _SHOWS_FOLDERS.get(sys.platform, _USUALLY_SHOWS_FOLDERS)
    program = shutil.which(name)
    if program is None:
        raise NotShown(
            say("The folder can't be opened because {program} is missing. Copy the path instead.", program=name)
        )
    try:
        started = subprocess.Popen(
            [program, str(folder)],
            env=original_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        reason = error.strerror or str(error)
        raise NotShown(say("The folder can't be shown: {reason}.", reason=reason)) from error
    threading.Thread(target=started.wait, name="folder", daemon=True).start()  # reaps the process
