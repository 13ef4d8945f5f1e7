"""Damaged copies of files, always the same ones: readers must answer each with games, refusals or a FormatError."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from random import Random

from papan.game.formats import Format, FormatError, Transcript
from papan.game.formats.source import Source, SourceError
from papan.game.match.collection import Refused

_LENGTHS = (0, 1, 0x7F, 0x80, 0xFE, 0xFF)


def damaged(data: bytes, number: int) -> Iterator[bytes]:
    """Yield *number* variants of *data*: cut off, with other bytes, with parts left out, doubled or exchanged."""
    random = Random(len(data))
    for _ in range(number):
        one, other = sorted(random.choices(range(len(data) + 1), k=2))
        kind = random.randrange(6)
        if kind == 0:
            yield data[:other]
        elif kind == 1:
            changed = bytearray(data)
            for place in random.choices(range(len(data)), k=1 + len(data) // 500):
                changed[place] ^= 1 << random.randrange(8)
            yield bytes(changed)
        elif kind == 2:
            changed = bytearray(data)
            for place in random.choices(range(len(data)), k=8):
                changed[place] = random.choice(_LENGTHS)
            yield bytes(changed)
        elif kind == 3:
            yield data[:one] + data[other:]
        elif kind == 4:
            yield data[:other] + data[one:]
        else:
            yield data[other:] + data[one:other] + data[:one]


def games(form: Format, data: bytes, name: str) -> Sequence[Transcript | Refused]:
    """What *form* reads from *data*; nothing if it refuses the whole. Another exception or a hang fails the test."""
    begun = time.process_time()
    source = Source(text=data, name=name)
    form.fits(source)
    try:
        found = list(form.read(source))
    except (FormatError, SourceError) as error:
        assert str(error).endswith("."), error
        found = []
    assert all(isinstance(game, (Transcript, Refused)) for game in found)
    assert all(game.reason.endswith(".") for game in found if isinstance(game, Refused))
    assert time.process_time() - begun < 60, "practically a hang"
    return found
