"""Assets: bundled files, compared with their digests when opened.

Damaged assets are skipped and listed; callers fall back to another font, standard weights or English. Digests are
compared before a library reads a file, as some libraries end the whole program over a damaged font.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from papan.game.base.digests import DIGESTS
from papan.game.base.places import bundled_file
from papan.game.base.untrusted import UnreadableError, read_stream

log = logging.getLogger(__name__)

Opened = TypeVar("Opened")


class DamagedAsset(Exception):
    """An asset differs from the bundled file; the message says how."""


class Assets:
    """The assets in a folder; for any thread."""

    def __init__(self, folder: Path, digests: Mapping[str, str]) -> None:
        """:param digests: SHA-256 by name; a name is the path below *folder*, with slashes."""
        self.digests = digests
        self.take_from(folder)

    def take_from(self, folder: Path) -> None:
        """Use *folder* from now on, and forget which assets were damaged."""
        self.folder = folder
        self._sound: set[str] = set()
        self._damaged: dict[str, None] = {}

    @property
    def damaged(self) -> tuple[str, ...]:
        """The names of the assets found damaged so far, in that order."""
        return tuple(self._damaged)

    def open(self, name: str, read: Callable[[Path], Opened], *, compare: bool = True) -> Opened | None:
        """Return *read* of the asset's path; None if the asset is damaged, which is logged.

        Its digest is checked the first time.

        :param compare: False for a file that people may change: it counts as damaged if *read* fails.
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
        except Exception as error:  # libraries raise anything for damaged files
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
    """The SHA-256 of a file in hexadecimal; may raise OSError."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def digests_of(folder: Path) -> dict[str, str]:
    """The digests of all files in *folder*, by name."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): digest_of(path) for path in files}


ASSETS = Assets(bundled_file("assets"), DIGESTS)


def asset_or_file(asset: str, name: str, most_bytes: int) -> bytes | None:
    """The content of *asset*, or of a plugin's file *name* (``package:file``) if there is a name.

    None: it is damaged, can't be read, or is too large.
    """
    if not name:
        return ASSETS.open(asset, lambda path: path.read_bytes())
    package, _, file = name.partition(":")
    try:
        with files(package).joinpath(file).open("rb") as opened:
            return read_stream(opened, most_bytes, name)
    except (ImportError, OSError, TypeError, ValueError, UnreadableError):
        return None
