"""Matches read beside the window: a file may lie on a disk that has gone to sleep, and a long match takes a while."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple, TypeVar

from papan.game.catalogue import GALLERY
from papan.game.facts import Game
from papan.game.match import Match
from papan.game.match.collection import read_single
from papan.game.presentation import recognised

T = TypeVar("T")

LONG_SECONDS = 0.4
"""Seconds after which a person wants to be told that something is being read."""


class FoundPosition(NamedTuple):
    """A text that is the position of a game under certain options."""

    game: Game
    options: Mapping[str, str]
    text: str


def read_record_or_position(text: str) -> Match | FoundPosition:
    """The match whose record is *text*, or the position that it is; it speaks of a record where it is neither.

    :raises SeveralRecords: it may be the records of several matches.
    :raises RecordError: what is wrong, and where.
    """
    one_line = " ".join(text.split())
    if not one_line.startswith("["):
        position = recognised(one_line, list(GALLERY.values()))
        if position is not None:
            return FoundPosition(*position, one_line)
    return read_single(text)


class RecordReader:
    """Reads one match at a time, in a thread of its own; what was asked for last counts."""

    def __init__(self, call_soon: Callable[[Callable[[], None]], object]) -> None:
        """:param call_soon: has the window's thread call something; called from any thread."""
        self._call_soon = call_soon
        self._ticket = 0
        self._is_reading = False

    @property
    def is_reading(self) -> bool:
        """Whether something is being read that somebody waits for."""
        return self._is_reading

    def read(self, read: Callable[[], T], found: Callable[[T], object], takes_long: Callable[[], object]) -> None:
        """Have *read* called beside the window; what it raises is raised on the window's thread.

        :param found: called on the window's thread with what *read* returns.
        :param takes_long: called on the window's thread if that is not there after a while.
        """
        self._ticket += 1
        self._is_reading = True
        ticket = self._ticket
        patience = threading.Timer(LONG_SECONDS, lambda: self._call_soon(lambda: self._if_wanted(ticket, takes_long)))
        patience.daemon = True

        def work() -> None:
            tell: Callable[[], object]
            try:
                answer = read()
                tell = partial(found, answer)
            except BaseException as error:
                tell = partial(_throw, error)
            patience.cancel()
            self._call_soon(lambda: self._if_wanted(ticket, lambda: self._end(tell)))

        patience.start()
        threading.Thread(target=work, name="record", daemon=True).start()

    def cancel(self) -> None:
        """Forget what is being read."""
        self._is_reading = False

    def _if_wanted(self, ticket: int, act: Callable[[], object]) -> None:
        if ticket == self._ticket and self._is_reading:
            act()

    def _end(self, tell: Callable[[], object]) -> None:
        self._is_reading = False
        tell()


def _throw(error: BaseException) -> None:
    raise error
