"""Folders for the file chooser, read in a thread: a sleeping disk must not block the window."""

from __future__ import annotations

import datetime
import os
import string
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from papan.game.base.places import documents_folder
from papan.game.base.sentences import say

_MOST_FILES = 20_000
"""At most, of one folder."""


@dataclass(frozen=True)
class Item:
    path: Path
    is_folder: bool
    size: int = 0
    """In bytes."""
    changed: datetime.datetime | None = None


@dataclass(frozen=True)
class Folder:
    """The content of a folder: folders, then files, each by name, without hidden ones."""

    path: Path
    items: Sequence[Item] = ()
    trouble: str = ""
    """Why it can't be read, as a sentence."""


def read_folder(path: Path) -> Folder:
    """Read the folder *path*; an unreadable one has its reason in ``trouble``."""
    items = []
    try:
        with os.scandir(path) as found:
            for entry in found:
                if entry.name.startswith("."):
                    continue
                item = _item_of(entry)
                if item is not None:
                    items.append(item)
                if len(items) >= _MOST_FILES:
                    break
    except OSError as error:
        return Folder(path, (), say("{folder} can't be read: {reason}.", folder=str(path), reason=error.strerror or ""))
    items.sort(key=lambda item: (not item.is_folder, item.path.name.casefold()))
    return Folder(path, items)


def _item_of(entry: os.DirEntry[str]) -> Item | None:
    """Return the folder or file of *entry*; None for anything else, or if it has just been deleted."""
    try:
        if entry.is_dir():
            return Item(Path(entry.path), True)
        if not entry.is_file():
            return None
        facts = entry.stat()
        changed = datetime.datetime.fromtimestamp(facts.st_mtime).astimezone()
        return Item(Path(entry.path), False, facts.st_size, changed)
    except (OSError, ValueError, OverflowError):
        return None


def places() -> list[Path]:
    """The folders to start from: home, documents, downloads, and the drives on Windows."""
    found = []
    try:
        home = Path.home()
        found = [home, home / "Desktop", home / "Downloads"]
    except RuntimeError:
        pass  # unknown
    found.append(documents_folder())
    if sys.platform == "win32":
        found += [Path(f"{letter}:\\") for letter in string.ascii_uppercase]
    unique = list(dict.fromkeys(found))
    return [path for path in unique if path.is_dir()]


class FolderJob:
    """Reads one folder on its own thread; poll ``folder`` once a frame."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.folder: Folder | None = None
        """None until it has been read."""
        threading.Thread(target=self._read, name="folder", daemon=True).start()

    def _read(self) -> None:
        self.folder = read_folder(self.path)
