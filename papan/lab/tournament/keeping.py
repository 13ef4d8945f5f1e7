"""A tournament's matches in the library, where the window shows them."""

from __future__ import annotations

from collections.abc import Iterable

from papan.game.base.sentences import joined, say, say_number
from papan.game.match.library import LibraryWriter
from papan.game.match.record import read

PATIENCE = 60.0
"""Seconds that the library is waited for at the end."""


class KeepingError(Exception):
    """Matches can't be kept; the message is a sentence that says why."""


class Keeper:
    """Keeps matches in the person's library, in a thread of its own: nobody who plays waits for the disk."""

    def __init__(self) -> None:
        self._writer = LibraryWriter()
        self._kept = 0

    def keep(self, records: Iterable[str]) -> None:
        """Keep the matches of *records*."""
        for record in records:
            kept = self._writer.begin(read(record))
            kept.open()
            kept.close()
            self._kept += 1

    def close(self) -> int:
        """Wait until all is kept; returns how many matches were.

        :raises KeepingError: some could not be.
        """
        self._writer.flush(PATIENCE)
        unsaved = self._writer.unsaved
        self._writer.close(PATIENCE)
        if unsaved:
            trouble = unsaved[0].standing.trouble or say("It takes too long.")
            number = len(unsaved)
            said = say_number(
                "{count} match is not kept in the library.", "{count} matches are not kept in the library.", number
            )
            raise KeepingError(joined([said, trouble]))
        return self._kept
