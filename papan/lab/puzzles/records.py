"""Matches of a file of records, to look for puzzles in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from papan.game.facts import Game
from papan.game.match import Match
from papan.game.match.collection import read_collection, read_collection_text
from papan.lab.puzzles.mining import Played

SEATS = 2


def played_matches(game: Game, path: Path, seed: int, first: int) -> Iterator[Played]:
    """The matches of *game* between two in the file *path*, from the one with the number *first* on, from 0.

    What is no record is passed over, and counted.

    :raises papan.game.match.record.RecordFileError: there is no such file, or it can't be read.
    """
    for number, match in enumerate(read_collection(read_collection_text(path))):
        if number < first or not isinstance(match, Match):
            continue
        if match.game is game and len(match.seats) == SEATS:
            yield Played(match, seed, number)
