"""Assets: files that come with the program, compared with their digests as they are opened.

One that is damaged is done without, each in its own way: another font, weights set by hand, English. Which files those
are is remembered, for whoever tells a person. Libraries are not asked whether a file is sound: some of those that read
fonts end the whole program over a damaged one.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from papan.game.base.digests import DIGESTS
from papan.game.base.places import bundled_file

log = logging.getLogger(__name__)

Opened = TypeVar("Opened")


class DamagedAsset(Exception):
    """An asset is not what came with the program; the message says how it differs."""


class Assets:
    """The files of a folder of assets. From any thread."""

    def __init__(self, folder: Path, digests: Mapping[str, str]) -> None:
        """:param digests: the SHA-256 of each, by its name: its path below the folder, with slashes."""
        self.digests = digests
        self.take_from(folder)

    def take_from(self, folder: Path) -> None:
        """Open those of *folder* from now on, and forget which were damaged."""
        self.folder = folder
        self._sound: set[str] = set()
        self._damaged: dict[str, None] = {}

    @property
    def damaged(self) -> tuple[str, ...]:
        """The names of the assets that were found damaged so far, in the order in which they were found."""
        return tuple(self._damaged)

    def open(self, name: str, read: Callable[[Path], Opened], *, compare: bool = True) -> Opened | None:
        """What *read* makes of an asset's path, or None if the asset is damaged, which the log then tells.

        It is compared with its digest the first time; what fails afterwards is no matter of the file.

        :param compare: False for a file that may be changed on purpose: then it is damaged if *read* fails.
        """
        if name in self._damaged:
            return None
        path = self.folder / name
        if compare:
            try:
                self._compare(name, path)
            except (DamagedAsset, OSError) as error:
                self._give_up(name, error)
                return None
            return read(path)
        try:
            return read(path)
        except Exception as error:  # each library says in its own way that a file is damaged
            self._give_up(name, error)
            return None

    def _compare(self, name: str, path: Path) -> None:
        if name in self._sound:
            return
        if digest_of(path) != self.digests.get(name):
            raise DamagedAsset("its digest is not that of the file that came with the program.")
        self._sound.add(name)

    def _give_up(self, name: str, error: Exception) -> None:
        self._damaged[name] = None
        log.error("The program's file %s is damaged: %s", self.folder / name, error)


def digest_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits.

    :raises OSError: it can't be read.
    """
    return hashlib.sha256(path.read_bytes()).hexdigest()


def digests_of(folder: Path) -> dict[str, str]:
    """The digests of all files in *folder*, by name."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): digest_of(path) for path in files}


ASSETS = Assets(bundled_file("assets"), DIGESTS)
"""The program's own."""
