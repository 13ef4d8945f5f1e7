"""The program's sounds, made from numbers: ``python -m dev.sounds`` writes the files that come with it.

The same program makes the same bytes. Nothing is recorded or taken from anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dev.sounds.instruments import INSTRUMENTS
from dev.sounds.synthesis import Chance, finished, wave_file
from papan.game.base.places import bundled_file
from papan.ui.sounds import SOUNDS, VARIANTS, Sound, file_name

FOLDER = bundled_file("assets")
SEED = 2027
_MOST_VARIANTS = 100


def sound_file(sound: Sound, variant: int) -> bytes:
    instrument = INSTRUMENTS[sound]
    chance = Chance((SEED * len(SOUNDS) + SOUNDS.index(sound)) * _MOST_VARIANTS + variant)
    return wave_file(finished(instrument.make(chance), instrument.level))


def sound_files() -> Iterator[tuple[str, bytes]]:
    for sound in SOUNDS:
        for variant in range(VARIANTS[sound]):
            yield file_name(sound, variant), sound_file(sound, variant)


def write_all(folder: Path = FOLDER) -> None:
    for name, content in sound_files():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
