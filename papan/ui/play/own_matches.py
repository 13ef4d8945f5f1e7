"""A person's own finished matches as a collection for the explorer, in the cache folder."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

from papan.game.base.places import cache_folder
from papan.game.base.untrusted import parsed_json, read_file
from papan.game.explorer import Collection
from papan.game.formats import UNKNOWN_PLAYER, Transcript, transcript_of
from papan.game.game import Game
from papan.game.match.library import Library, LibraryError, Summary
from papan.ui.texts.manner import naming
from papan.ui.texts.wording import player_names

log = logging.getLogger(__name__)

FOLDER = "own matches"
_NUMBERS = "numbers.json"
_MOST_BYTES = 1 << 24
_VERSION = 2
"""Raise it when the content of the folder changes."""


class OwnMatches(NamedTuple):
    """The finished matches of one game in the library."""

    collection: Collection
    """Its players have the names that the window shows, in its language."""
    numbers: Sequence[int]
    """The matches' numbers in the library, by the games' numbers."""


def open_own_matches(
    game: Game, library: Path, hidden: frozenset[int], is_stopped: Callable[[], bool]
) -> OwnMatches | None:
    """The finished matches of *game* in the file *library*; None if there are none, or once *is_stopped*.

    They are read only if the library or the names have changed since the last call. Slow: call it on a worker's thread.

    :param hidden: the numbers of deleted matches, which may still be in the file.
    :raises LibraryError: the library can't be read.
    :raises papan.game.explorer.CollectionError: the cache can't be written.
    """
    file = Library(library)
    try:
        summaries = [
            one for page in file.all() for one in page
            if one.game == game.name and one.ending is not None and len(one.seats) == 2
            and not one.is_line and one.id not in hidden
        ]  # fmt: skip
        if not summaries:
            return None
        digest = _digest(summaries)
        folder = cache_folder() / FOLDER / game.name
        found = _opened(game, folder, digest)
        if found is None:
            _make(game, folder, digest, file, summaries, is_stopped)
            found = _opened(game, folder, digest)
        return found
    finally:
        file.close()


def _digest(summaries: Sequence[Summary]) -> str:
    """Identifies the matches, and the names of their players."""
    facts = [_VERSION, *naming(), *((one.id, one.updated.isoformat()) for one in summaries)]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:24]


def _opened(game: Game, folder: Path, digest: str) -> OwnMatches | None:
    try:
        numbers = parsed_json(read_file(folder / digest / _NUMBERS, _MOST_BYTES))
        collection = Collection(game, digest, folder)
    except (OSError, ValueError):  # not made yet, or damaged
        return None
    if isinstance(numbers, list) and len(numbers) == len(collection) and all(isinstance(one, int) for one in numbers):
        return OwnMatches(collection, numbers)
    collection.close()
    return None


def _make(
    game: Game, folder: Path, digest: str, file: Library, summaries: Sequence[Summary], is_stopped: Callable[[], bool]
) -> None:
    """Write the collection under another name, and rename it once it is complete; remove earlier ones."""
    building = f"{digest} {os.getpid()}"
    numbers: list[int] = []

    def games() -> Iterator[Transcript]:
        for one in summaries:
            if is_stopped():
                return
            try:
                match = file.load(one.id)
            except LibraryError as error:
                log.info("Match %d is not among the own matches: %s", one.id, error)
                continue
            told = transcript_of(match)
            if len(told.steps) > 0:
                numbers.append(one.id)
                names = [
                    seat if seat == UNKNOWN_PLAYER else name
                    for seat, name in zip(match.seats, player_names(match.seats, game), strict=True)
                ]
                event = one.name or told.tags.get("Event", "")
                usual = match.rules.start(match.game.complete_options({**match.options, "first": "1"}), Random(0))
                position = told.position or (None if match.states[0] == usual else match.rules.text(match.states[0]))
                date = one.date or one.updated.date().isoformat()
                yield replace(told, position=position, players=names, tags={"Event": event}, date=date)

    shutil.rmtree(folder / building, ignore_errors=True)
    with closing(Collection(game, building, folder)) as collection:
        for _number in collection.add(games()):
            pass
    if not is_stopped():
        (folder / building / _NUMBERS).write_text(json.dumps(numbers))
        shutil.rmtree(folder / digest, ignore_errors=True)
        with suppress(OSError):  # another window has just made it
            (folder / building).rename(folder / digest)
    for other in folder.iterdir():
        if other.name != digest:  # of an earlier state; on Windows, not while another window uses it
            shutil.rmtree(other, ignore_errors=True)
