"""Games of files for a collection; the window and the terminal use it."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import groupby
from pathlib import Path

from papan.game.base.locks import locked
from papan.game.base.places import make_private_folder
from papan.game.base.untrusted import quoted
from papan.game.explorer.collection import Collection, CollectionError, check_new, digest_of, place_of
from papan.game.formats import Transcript, read_transcripts
from papan.game.formats.importing import ImportProgress
from papan.game.formats.source import FormatError, Source
from papan.game.game import Game

_LONGEST_NAME = 40
_UNFIT = re.compile(r"[^\w .-]+")


def add_games(
    sources: Iterable[Path | Source], games: Sequence[Game], name: str, progress: ImportProgress
) -> Generator[None]:
    """Add the games of *sources* to the collection *name* of each of *games* among them; yield after each part.

    Known games are left out. Once *progress* is stopped, the rest is not read; what was read stays. At the end, also by
    an error or an interrupt, *progress* tells how many games were stored.

    :raises CollectionError: a collection can't be written, or another import is writing it.
    """
    read = _transcripts(sources, games, progress)
    with ExitStack() as held:
        growing: dict[str, tuple[Collection, set[bytes]]] = {}
        for game, told in groupby(read, key=lambda told: told.game):
            if game.name not in growing:
                growing[game.name] = held.enter_context(_growing(game, name, progress))
            collection, known = growing[game.name]
            for _number in collection.add(_new(told, known, progress)):
                yield


@contextmanager
def _growing(game: Game, name: str, progress: ImportProgress) -> Iterator[tuple[Collection, set[bytes]]]:
    """The collection *name* of *game*, locked against other imports, with the digests of its games."""
    place = place_of(game, name)
    with ExitStack() as held:
        try:
            make_private_folder(place.parent)
            held.enter_context(locked(place.with_name(f".{name}.lock")))
        except TimeoutError:
            raise CollectionError.saying(
                "Another import is writing the collection {name}: try again when it has ended.", name=quoted(name)
            ) from None
        except OSError as error:
            raise CollectionError.saying(
                "The collection {name} can't be opened: {reason}.", name=quoted(name), reason=str(error)
            ) from error
        is_empty = False
        try:
            with closing(Collection(game, name)) as collection:
                before = collection.stored
                try:
                    yield collection, collection.digests()
                finally:
                    with suppress(sqlite3.Error):
                        progress.stored += collection.stored - before
                        is_empty = not collection.stored
        finally:
            if is_empty:
                shutil.rmtree(place, ignore_errors=True)


def _new(games: Iterable[Transcript], known: set[bytes], progress: ImportProgress) -> Iterator[Transcript]:
    """Yield those of *games* that are not *known* yet."""
    for told in games:
        if not len(told.steps):  # a position alone, which no collection keeps
            continue
        digest = digest_of(told)
        if digest in known:
            progress.known += 1
        else:
            known.add(digest)
            yield told


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
                    progress.refused.add(found.reason, name, number, found.line)
            progress.left_out += file.left_out
        except FormatError as error:
            if progress.is_stopped:
                break
            progress.refused.add(str(error), name)


def new_name(path: Path, taken: Iterable[str]) -> str:
    """A name for the collection of the games in *path*, unlike those *taken*.

    >>> new_name(Path("WTH_1983.wtb"), ["WTH_1983"]), new_name(Path("(黄)/*a?.pgn"), []), new_name(Path("..."), [])
    ('WTH_1983 2', 'a', 'games')
    >>> new_name(Path("CON.pgn"), [])
    'CON 2'
    """
    stem = " ".join(_UNFIT.sub(" ", path.stem).split()).strip(" .-")[:_LONGEST_NAME].rstrip(" .-") or "games"
    used = {name.casefold() for name in taken}
    names = (stem if number == 1 else f"{stem} {number}" for number in range(1, len(used) + 3))
    return next(name for name in names if name.casefold() not in used and _is_free(name))


def _is_free(name: str) -> bool:
    try:
        check_new(name)
    except CollectionError:
        return False
    return True
