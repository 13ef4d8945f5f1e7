"""The pages of an SQLite file, taken from its bytes without SQLite, for a file that SQLite refuses.

A page in the write-ahead log replaces the one of the same number in the file once its transaction is committed;
each frame of the log carries a checksum that builds upon the one of the frame before. SQLite reads the log up to
the first frame that is damaged, and forgets the rest; here each frame is judged by itself.

Source: "Database File Format", https://www.sqlite.org/fileformat2.html, sections 1.3, 1.5 and 4.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

FILE_HEADER = 100
"""Bytes before the b-tree of the first page."""
USUAL_PAGE_SIZE = 4096

_LOG_HEADER = struct.Struct(">8I")
_FRAME_HEADER = struct.Struct(">6I")
_LOG_MAGIC = 0x377F0682  # its lowest bit tells the byte order of the checksums
_PAGE_SIZES = [1 << bits for bits in range(9, 17)]
_WORD = 0xFFFFFFFF


class Frame(NamedTuple):
    """A page in the write-ahead log."""

    page: int
    is_commit: bool
    is_sound: bool
    """Whether its checksum is right, given what the frame before says of its own."""
    is_read: bool
    """Whether SQLite gets as far as this."""
    image: bytes


class Pages(NamedTuple):
    """All pages of a file, each as it was committed last; numbered from 1."""

    size: int
    file: bytes
    logged: Mapping[int, bytes]

    @property
    def numbers(self) -> range:
        last = max([-(-len(self.file) // self.size), *self.logged])  # the file may end within a page
        return range(1, last + 1)

    def image(self, number: int) -> bytes:
        """The bytes of a page; none where there is no such page, fewer where the file ends within it."""
        if number in self.logged:
            return self.logged[number]
        return self.file[(number - 1) * self.size : number * self.size] if number > 0 else b""


def log_of(path: Path) -> Path:
    """The write-ahead log of the database *path*."""
    return path.with_name(path.name + "-wal")


def read_pages(path: Path) -> list[Pages]:
    """The pages in the file *path* and its write-ahead log, once for each page size that they may have.

    :raises OSError: the files can't be read.
    """
    file, log = _bytes_of(path), _bytes_of(log_of(path))
    sizes = [_page_size(log[8:12]), _page_size(file[16:18]), USUAL_PAGE_SIZE]
    return [_merged(file, log, size) for size in dict.fromkeys(sizes) if size]


def is_log_damaged(path: Path) -> bool:
    """Whether SQLite would pass over committed transactions in the write-ahead log of *path* in silence.

    What is only cut off, or was never wholly written, is no damage: a machine that loses power leaves it so.

    :raises OSError: the files can't be read.
    """
    log = _bytes_of(log_of(path))
    if len(log) > _LOG_HEADER.size and log.strip(b"\0") and not _LogHeader.of(log).is_sound:
        return True
    size = _page_size(log[8:12]) or USUAL_PAGE_SIZE
    has_pages = path.is_file() and path.stat().st_size > 0  # otherwise SQLite deletes the log
    return any(frame.is_sound and frame.is_commit and not (frame.is_read and has_pages) for frame in _frames(log, size))


def _bytes_of(path: Path) -> bytes:
    if path.is_file():  # and no pipe, which would be waited for
        with suppress(FileNotFoundError):  # whoever leaves a database last deletes its log, at any time
            return path.read_bytes()
    return b""


def _page_size(field: bytes) -> int | None:
    size = int.from_bytes(field, "big")
    size = 65536 if size == 1 else size
    return size if size in _PAGE_SIZES else None


def _merged(file: bytes, log: bytes, size: int) -> Pages:
    """Sound frames before the file; damaged ones where there is nothing else."""
    committed: dict[int, bytes] = {}
    waiting: dict[int, bytes] = {}
    damaged: dict[int, bytes] = {}
    for frame in _frames(log, size):
        if not frame.is_sound:
            damaged[frame.page] = frame.image
            continue
        waiting[frame.page] = frame.image
        if frame.is_commit:
            committed.update(waiting)
            waiting.clear()
    in_file = len(file) // size
    most = in_file + len(log) // size  # a damaged number of a page may be anything
    spare = {number: image for number, image in damaged.items() if in_file < number <= most}
    return Pages(size, file, {**spare, **committed})


class _LogHeader(NamedTuple):
    """What the log begins with (section 4.1)."""

    is_sound: bool
    order: str
    """Of the bytes in the words that checksums are made of, as ``struct`` has it."""
    salts: tuple[int, ...]
    """What the frames of the log's present turn are marked with; those after them were left by an earlier one."""
    sums: tuple[int, ...]

    @classmethod
    def of(cls, log: bytes) -> _LogHeader:
        magic, _version, _page_size, _turn, *rest = _LOG_HEADER.unpack(log[: _LOG_HEADER.size].ljust(_LOG_HEADER.size))
        salts, sums = tuple(rest[:2]), tuple(rest[2:])
        is_known = magic | 1 == _LOG_MAGIC | 1
        is_big_endian = bool(magic & 1) if is_known else sys.byteorder == "big"
        order = ">" if is_big_endian else "<"
        return cls(is_known and _checksum(log[:24], (0, 0), order) == sums, order, salts, sums)


def _frames(log: bytes, size: int) -> Iterator[Frame]:
    """All frames of the log."""
    header = _LogHeader.of(log)
    salts = header.salts if header.is_sound else None
    is_read, sums = header.is_sound, header.sums
    step = _FRAME_HEADER.size + size
    for begin in range(_LOG_HEADER.size, len(log) - step + 1, step):
        page, pages_after_commit, *rest = _FRAME_HEADER.unpack_from(log, begin)
        its_salts, its_sums = tuple(rest[:2]), tuple(rest[2:])
        image = log[begin + _FRAME_HEADER.size : begin + step]
        is_sound = (
            salts in (None, its_salts) and _checksum(log[begin : begin + 8] + image, sums, header.order) == its_sums
        )
        if is_sound:
            salts = its_salts
        is_read = is_read and is_sound
        yield Frame(page, pages_after_commit > 0, is_sound, is_read, image)
        sums = its_sums


def _checksum(content: bytes, sums: tuple[int, ...], order: str) -> tuple[int, int]:
    """The sums after *content*, whose length is a multiple of 8 (section 4.2)."""
    first, second = sums
    words = iter(struct.unpack(f"{order}{len(content) // 4}I", content[: len(content) // 4 * 4]))
    for one, other in zip(words, words, strict=True):
        first = (first + one + second) & _WORD
        second = (second + other + first) & _WORD
    return first, second
