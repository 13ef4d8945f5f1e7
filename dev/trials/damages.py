"""Damage at random to a file, to a database with its write-ahead log, and to the program's assets.

``python -m dev.trials.damages FOLDER GAME`` tries the program with the assets of FOLDER, as a fresh process.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple

from dev.rehearsal import look_around
from dev.trials import Counts, TrialFailure, trial
from papan.game.base.assets import ASSETS
from papan.game.base.logfile import begin_log
from papan.game.catalogue import GALLERY, GAMES
from papan.self_test import SelfTestError, test_program

MOST_BYTES = 64  # the most single bytes that are changed at once
_PAGE = 4096
_HEADER = 100  # of a database; a log's is shorter

Damage = Callable[[Path, Random], str]  # changes one file, and says in words what it did


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


def _garbled(content: bytes) -> bytes:
    """*content* with a byte of every thousand changed, the first and the last of all among them."""
    changed = bytearray(content)
    for place in (*range(0, len(changed), 1000), len(changed) - 1):
        changed[place] ^= 0x5A
    return bytes(changed)


DAMAGES: Mapping[str, Callable[[bytes], bytes] | None] = {
    "missing": None,
    "empty": lambda content: b"",
    "truncated": lambda content: content[: len(content) // 2],
    "garbled": _garbled,
}
"""The ways in which a file can be damaged, by name: what becomes of its content; None where it is gone."""


class DamagedCopy(NamedTuple):
    """A folder of assets, whole but for one."""

    folder: Path
    name: str
    damage: str


def damaged_copies(place: Path, names: Iterable[str] | None = None) -> Iterator[DamagedCopy]:
    """The program's assets copied, one in turn damaged in every way.

    All copies are made in one folder below *place*: each lasts until the next is asked for.

    :param names: of those to damage; all for None.
    """
    folder = place / "assets"
    shutil.copytree(ASSETS.folder, folder)
    for name in ASSETS.digests if names is None else names:
        path = folder / name
        content = path.read_bytes()
        for damage, change in DAMAGES.items():
            if change is None:
                path.unlink()
            else:
                path.write_bytes(change(content))
            yield DamagedCopy(folder, name, damage)
        path.write_bytes(content)


def damaged_copy(place: Path, name: str, damage: str) -> DamagedCopy:
    """A copy below *place* of the program's assets, the one called *name* damaged in the way *damage*."""
    return next(copy for copy in damaged_copies(place, [name]) if copy.damage == damage)


@trial("assets", "one file that comes with the program is damaged; the window opens and shows a table")
def asset_case(seed: int, folder: Path) -> Counts:
    names, ways = list(ASSETS.digests), list(DAMAGES)
    copy = damaged_copy(folder, names[seed // len(ways) % len(names)], ways[seed % len(ways)])
    own = ASSETS.folder
    try:
        ASSETS.take_from(copy.folder)
        look_around(GALLERY[list(GALLERY)[seed % len(GALLERY)]])
        return Counter({"damaged assets": 1, "assets told of": len(ASSETS.damaged)})
    except SelfTestError as error:
        raise TrialFailure(f"{copy.name}, {copy.damage}: {error}") from error
    finally:
        ASSETS.take_from(own)


def main() -> None:
    """Have the program play with other assets; the log has which it found damaged."""
    begin_log()
    ASSETS.take_from(Path(sys.argv[1]))
    test_program([GAMES[sys.argv[2]]])


if __name__ == "__main__":
    main()
