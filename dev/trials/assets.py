"""Copies of the assets with one of them damaged: whichever it is, the program is to open its window and to play.

``python -m dev.trials.assets FOLDER GAME`` tries the program with the assets of FOLDER, as a fresh process.
"""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from dev.rehearsal import look_around
from dev.trials import Counts, Trial, TrialFailure
from papan.game.base.assets import ASSETS
from papan.game.base.logfile import begin_log
from papan.game.catalogue import GALLERY, GAMES
from papan.self_test import SelfTestError, test_program


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
    """The name of the damaged one."""
    damage: str
    """One of ``DAMAGES``."""


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


def case(seed: int, folder: Path) -> Counts:
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


TRIAL = Trial("one file that comes with the program is damaged; the window opens and shows a table", case)


def main() -> None:
    """Have the program play with other assets; the log has which it found damaged."""
    begin_log()
    ASSETS.take_from(Path(sys.argv[1]))
    test_program([GAMES[sys.argv[2]]])


if __name__ == "__main__":
    main()
