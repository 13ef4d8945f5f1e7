"""Damage at random to a file, and to a database: also to its write-ahead log, and to what lies in its place."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

MOST_BYTES = 64
"""The most single bytes that are changed at once."""
_PAGE = 4096
_HEADER = 100  # of a database; a log's is shorter

Damage = Callable[[Path, Random], str]
"""Changes one file, and says in words what it did."""


def damages(path: Path, random: Random) -> str:
    """Do one kind of damage to the database *path*, which is there and closed; returns what was done, in words."""
    logged = [path.with_name(path.name + suffix) for suffix in ("-wal", "-shm")]
    files = [path, *(file for file in logged if file.is_file() and file.stat().st_size)]
    kinds = [*_IN_A_DATABASE] * 2 + [*_INSTEAD_OF_A_FILE]
    return random.choice(kinds)(random.choice(files), random)


def damages_file(file: Path, random: Random) -> str:
    """Do one kind of damage to any *file*, which is not empty; returns what was done, in words."""
    return random.choice([*_IN_A_FILE] * 2 + [*_INSTEAD_OF_A_FILE])(file, random)


def change_bytes(file: Path, random: Random) -> str:
    content = bytearray(file.read_bytes())
    count = min(random.randint(1, MOST_BYTES), len(content))
    for at in random.sample(range(len(content)), count):
        content[at] ^= random.randint(1, 255)
    file.write_bytes(content)
    return f"{file.name}: {count} bytes changed"


def change_few_bytes_of_header(file: Path, random: Random) -> str:
    content = bytearray(file.read_bytes())
    places = [random.randrange(min(_HEADER, len(content))) for _ in range(random.randint(1, 3))]
    for at in places:
        content[at] ^= random.randint(1, 255)
    file.write_bytes(content)
    return f"{file.name}: bytes {places} of the header changed"


def spoil_header(file: Path, random: Random) -> str:
    content = file.read_bytes()
    file.write_bytes(random.randbytes(min(_HEADER, len(content))) + content[_HEADER:])
    return f"{file.name}: the header is noise"


def truncate(file: Path, random: Random) -> str:
    length = random.randrange(file.stat().st_size)
    file.write_bytes(file.read_bytes()[:length])
    return f"{file.name}: cut to {length} bytes"


def swap_pages(file: Path, random: Random) -> str:
    content = bytearray(file.read_bytes())
    one, other = _page_of(content, random), _page_of(content, random)
    content[one], content[other] = content[other], content[one]
    file.write_bytes(content)
    return f"{file.name}: the pages at {one.start} and {other.start} swapped"


def clear_page(file: Path, random: Random) -> str:
    content = bytearray(file.read_bytes())
    page = _page_of(content, random)
    content[page] = bytes(len(content[page]))
    file.write_bytes(content)
    return f"{file.name}: the page at {page.start} is zeros"


def fill_page_with_noise(file: Path, random: Random) -> str:
    content = bytearray(file.read_bytes())
    page = _page_of(content, random)
    content[page] = random.randbytes(len(content[page]))
    file.write_bytes(content)
    return f"{file.name}: the page at {page.start} is noise"


def empty(file: Path, random: Random) -> str:
    file.write_bytes(b"")
    return f"{file.name}: empty"


def remove(file: Path, random: Random) -> str:
    file.unlink()
    return f"{file.name}: removed"


def replace_by_text(file: Path, random: Random) -> str:
    file.write_text("These are not the bytes of a database.\n" * random.randint(1, 500))
    return f"{file.name}: a text"


def replace_by_folder(file: Path, random: Random) -> str:
    file.unlink()
    file.mkdir()
    return f"{file.name}: a folder"


def replace_by_pipe(file: Path, random: Random) -> str:
    """A named pipe, which nothing ever comes out of; a folder where the system has no such pipes."""
    if not hasattr(os, "mkfifo"):
        return replace_by_folder(file, random)
    file.unlink()
    os.mkfifo(file)
    return f"{file.name}: a pipe"


def _page_of(content: bytearray, random: Random) -> slice:
    start = random.randrange(max(1, len(content) // _PAGE)) * _PAGE
    return slice(start, start + _PAGE)


_IN_A_FILE: tuple[Damage, ...] = (change_bytes, change_few_bytes_of_header, spoil_header, truncate)
_IN_A_DATABASE: tuple[Damage, ...] = (
    *_IN_A_FILE,
    swap_pages,
    clear_page,
    fill_page_with_noise,
)
_INSTEAD_OF_A_FILE: tuple[Damage, ...] = (empty, remove, replace_by_text, replace_by_folder, replace_by_pipe)
