"""Pictures saved on disk, so that the next start shows them without drawing.

A file has the compressed pixels of one picture: it is smaller than a PNG and read in half the time. Its name is a
digest of everything that the picture depends on, including the program's version and the modification times of its
sources, which change in a checkout.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Literal

import pygame

from papan.game.base.places import atomic_file, bundled_file, make_private_folder, sweep
from papan.game.base.untrusted import read_file
from papan.game.base.version import VERSION

log = logging.getLogger(__name__)

SUFFIX = ".picture"
DAY_SECONDS = 24 * 3600
_MOST_BYTES = 16 * 2**20
_SOURCES = (bundled_file("ui"), bundled_file("game"))
"""The folders of the code that draws boards and makes their positions."""
_FORMAT: Literal["RGBA"] = "RGBA"
_PIXEL_BYTES = len(_FORMAT)


class PictureCache:
    """The pictures in a folder; those used least recently are deleted. For the window's thread."""

    def __init__(
        self, folder: Path, most_bytes: int = _MOST_BYTES, sources: Sequence[Path] = _SOURCES, version: str = VERSION
    ) -> None:
        """:param sources: the folders whose Python files the pictures depend on, besides the program's *version*."""
        self._folder = folder
        self._most_bytes = most_bytes
        self._sources = sources
        self._version = version
        self._new: dict[str, bytes] = {}
        """The pixels of kept pictures that are not saved yet, by name."""

    @cached_property
    def _foundation(self) -> str:
        """What all pictures depend on."""
        libraries = pygame.version.ver, pygame.get_sdl_version()
        return repr((self._version, libraries, [list(_modifications(str(folder))) for folder in self._sources]))

    @cached_property
    def _names(self) -> set[str]:
        try:
            with os.scandir(self._folder) as entries:
                return {one.name for one in entries if one.name.endswith(SUFFIX) and one.is_file(follow_symlinks=False)}
        except OSError:  # not made yet
            return set()

    def name(self, *facts: object) -> str:
        """The name of a picture; its ``repr`` of *facts* must be the same at each start."""
        return hashlib.sha256(f"{self._foundation} {facts!r}".encode()).hexdigest()[:40] + SUFFIX

    def read(self, name: str, size: tuple[int, int]) -> pygame.Surface | None:
        """The saved picture; None if there is none, or if it is damaged, which is logged."""
        if name not in self._names:
            return None
        file = self._folder / name
        try:
            pixels = _pixels(file, size[0] * size[1] * _PIXEL_BYTES)
            if time.time() - file.stat().st_mtime > DAY_SECONDS:
                with contextlib.suppress(OSError):
                    file.touch()  # it is in use
        except (OSError, ValueError, zlib.error) as error:
            log.warning("The saved picture %s can't be read (%s); it is drawn again.", file, error)
            self._names.discard(name)
            return None
        return pygame.image.frombytes(pixels, size, _FORMAT)

    def keep(self, name: str, picture: pygame.Surface) -> None:
        """Keep *picture* until ``save``."""
        self._new[name] = pygame.image.tobytes(picture, _FORMAT)

    def save(self, submit: Callable[[Callable[[], object]], object]) -> None:
        """Write the kept pictures, if there are any.

        :param submit: called with a job for another thread, which writes them.
        """
        if self._new:
            new, self._new = self._new, {}
            submit(lambda: self._write(new))

    def _write(self, new: Mapping[str, bytes]) -> None:
        try:
            make_private_folder(self._folder)
            for name, pixels in new.items():
                with atomic_file(self._folder / name, is_private=True) as file:
                    file.write(zlib.compress(pixels, 1))
                self._names.add(name)
            self._delete_old()
        except OSError as error:
            log.info("Pictures can't be saved in %s (%s): the next start draws them again.", self._folder, error)

    def _delete_old(self) -> None:
        """Delete the pictures used least recently until all take at most the bytes allowed."""
        sweep(self._folder)
        files = [(file.stat(), file) for file in self._folder.glob(f"*{SUFFIX}")]
        taken = 0
        for facts, file in sorted(files, key=lambda one: one[0].st_mtime, reverse=True):
            taken += facts.st_size
            if taken > self._most_bytes:
                self._names.discard(file.name)
                file.unlink(missing_ok=True)


def _pixels(file: Path, count: int) -> bytes:
    """The *count* bytes of pixels in *file*.

    :raises UnreadableError: it can't be read, or is too large.
    :raises ValueError, zlib.error: it is damaged.
    """
    most = count + count // 1000 + 64  # zlib adds less to what it can't compress
    reader = zlib.decompressobj()
    pixels = reader.decompress(read_file(file, most), count + 1)
    if len(pixels) != count or not reader.eof:  # at the end, zlib has compared a checksum
        raise ValueError("it is damaged")
    return pixels


def _modifications(folder: str) -> Iterator[tuple[str, int, int]]:
    """The name, modification time and size of each Python file below *folder*; none in the packed program."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in found:
        if entry.name.endswith(".py"):
            facts = entry.stat()
            yield entry.name, facts.st_mtime_ns, facts.st_size
        elif entry.is_dir() and entry.name != "__pycache__":
            yield from _modifications(entry.path)
