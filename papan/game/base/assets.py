"""The assets: files that come with the program, compared with their digests as they are opened.

One that is damaged is done without, each in its own way: another font, weights set by hand, English. Which files those
are is remembered, for whoever tells a person. ``python -m papan.tools.digests`` writes the digests (SHA-256).
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from papan.game.base.places import bundled_file

log = logging.getLogger(__name__)

DIGESTS = "digests.json"
"""The file of the digests: a JSON object, from each asset's path below the folder, with slashes, to its SHA-256."""

Opened = TypeVar("Opened")


class DamagedAsset(Exception):
    """An asset is not what came with the program; the message says how it differs."""


class Assets:
    """The files of a folder of assets. From any thread."""

    def __init__(self, folder: Path) -> None:
        self.take_from(folder)

    def take_from(self, folder: Path) -> None:
        """Open those of *folder* from now on, and forget what is known of any."""
        self.folder = folder
        self._digests: Mapping[str, str] | None = None
        self._sound: set[str] = set()
        self._damaged: dict[str, None] = {}

    @property
    def damaged(self) -> tuple[str, ...]:
        """The names of the assets that were found damaged so far, in the order in which they were found."""
        return tuple(self._damaged)

    def open(self, name: str, read: Callable[[Path], Opened], *, compare: bool = True) -> Opened | None:
        """What *read* makes of an asset's path, or None if the asset is damaged, which the log then tells.

        It is compared with its digest once, and what fails afterwards is no matter of the file. One whose digest is not
        known is as good as *read* finds it.

        :param name: its path below the folder, with slashes.
        :param compare: False for a file that may be changed on purpose, and shows its damage itself.
        """
        if name in self._damaged:
            return None
        path = self.folder / name
        if compare and name not in self._sound:
            try:
                self._compare(name, path)
            except (DamagedAsset, OSError) as error:
                self._give_up(name, error)
                return None
        try:
            return read(path)
        except Exception as error:  # each library says in its own way that a file is damaged
            if name in self._sound:
                raise
            self._give_up(name, error)
            return None

    def _compare(self, name: str, path: Path) -> None:
        expected = self._known_digests().get(name)
        if expected is None:
            return
        if digest_of(path) != expected:
            raise DamagedAsset("its digest is not that of the file that came with the program.")
        self._sound.add(name)

    def _give_up(self, name: str, error: Exception) -> None:
        self._damaged[name] = None
        log.error("The program's file %s is damaged: %s", self.folder / name, error)

    def _known_digests(self) -> Mapping[str, str]:
        if self._digests is None:
            self._digests = {}  # also for reading the digests themselves, which have none
            self._digests = self.open(DIGESTS, read_digests) or {}
        return self._digests

    def is_known(self, name: str) -> bool:
        """Whether there is such an asset, or should be."""
        return name in self._known_digests() or (self.folder / name).is_file()

    def write_digests(self) -> None:
        """Write the digests of all that is in the folder: for who has changed it on purpose."""
        digests = {name: digest_of(self.folder / name) for name in self.names()}
        text = json.dumps(digests, indent=1) + "\n"
        (self.folder / DIGESTS).write_text(text, encoding="utf-8", newline="\n")
        self.take_from(self.folder)

    def names(self) -> Iterator[str]:
        """The names of all files in the folder, but for the digests."""
        for path in sorted(self.folder.rglob("*")):
            name = path.relative_to(self.folder).as_posix()
            if path.is_file() and name != DIGESTS:
                yield name


def digest_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits.

    :raises OSError: it can't be read.
    """
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_digests(path: Path) -> Mapping[str, str]:
    """The digests in the file *path*, by name.

    :raises DamagedAsset: it holds something else.
    :raises OSError: it can't be read.
    :raises ValueError: it is no JSON.
    """
    found = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(found, dict) or not found or not all(isinstance(digest, str) for digest in found.values()):
        raise DamagedAsset("it does not hold the digests of files.")
    return found


ASSETS = Assets(bundled_file("assets"))
"""The program's own."""
