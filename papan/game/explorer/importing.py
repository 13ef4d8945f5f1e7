"""Games of files for a collection; the window and the terminal use it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path

from papan.game.base.sentences import say
from papan.game.explorer.collection import Collection
from papan.game.formats import Transcript, read_transcripts
from papan.game.formats.importing import ImportProgress
from papan.game.formats.source import FormatError, Source
from papan.game.game import Game

_LONGEST_NAME = 40
_UNFIT = re.compile(r"[^\w .-]+")


def add_games(
    sources: Iterable[Path | Source], games: Sequence[Game], name: str, progress: ImportProgress
) -> Iterator[None]:
    """Add the games of *sources* to the collection *name* of each of *games* among them; yield after each part.

    Once *progress* is stopped, the rest is not read; what was read stays.

    :raises CollectionError: a collection can't be written.
    """
    read = _transcripts(sources, games, progress)
    for game, told in groupby(read, key=lambda told: told.game):
        with closing(Collection(game, name)) as collection:
            before = len(collection)
            for number in collection.add(told):
                progress.stored += number - before
                before = number
                yield
        if not before:  # no game had a step
            shutil.rmtree(collection.path, ignore_errors=True)


def _transcripts(
    sources: Iterable[Path | Source], games: Sequence[Game], progress: ImportProgress
) -> Iterator[Transcript]:
    for source in sources:
        name = source.name
        try:
            file = progress.begin(source)
            for number, found in enumerate(read_transcripts(file, games), start=1):
                if progress.is_stopped:
                    break
                progress.read += 1
                if isinstance(found, Transcript):
                    progress.positions += not len(found.steps)
                    yield found
                else:
                    progress.refused.append(say("{file}: {reason}", file=name, reason=found.told(number)))
            progress.left_out += file.left_out
        except FormatError as error:
            if progress.is_stopped:
                break
            progress.refused.append(say("{file}: {reason}", file=name, reason=str(error)))


def new_name(path: Path, taken: Iterable[str]) -> str:
    """A name for the collection of the games in *path*, unlike those *taken*.

    >>> new_name(Path("WTH_1983.wtb"), ["WTH_1983"]), new_name(Path("(黄)/*a?.pgn"), []), new_name(Path("..."), [])
    ('WTH_1983 2', 'a', 'games')
    """
    stem = " ".join(_UNFIT.sub(" ", path.stem).split()).strip(" .-")[:_LONGEST_NAME].rstrip(" .-") or "games"
    used = {name.casefold() for name in taken}
    names = (stem if number == 1 else f"{stem} {number}" for number in range(1, len(used) + 2))
    return next(name for name in names if name.casefold() not in used)
