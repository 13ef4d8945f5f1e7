"""A second opinion on positions, by another program, beside whatever else studies them."""

from __future__ import annotations

import threading
from functools import partial

from papan.ai.engines import EngineError
from papan.ai.engines.entries import read_entries
from papan.ai.engines.player import EnginePlayer
from papan.ai.limits import Analysis
from papan.ai.players import Situation
from papan.ai.worker import Worker
from papan.game.facts import Game

_CLOSING_PATIENCE = 0.0  # its thread ends by itself, once the program has


class SecondOpinion:
    """What a program thinks of one position after another; it is started with the first one."""

    def __init__(self, player: EnginePlayer) -> None:
        self.name = player.entry.name
        self._player = player
        self._worker = Worker("second opinion")
        self._lock = threading.Lock()
        self._asked: Situation | None = None
        self._thinking: Situation | None = None
        self._found: Analysis | None = None
        self._error = ""

    def ask(self, situation: Situation) -> None:
        """Have it look at *situation*, instead of any other, unless it has done so last."""
        with self._lock:
            if situation == self._asked:
                return
            self._asked, self._found, self._error = situation, None, ""
        self._worker.submit(partial(self._think, situation))

    def rest(self) -> None:
        """Have it think no more, and forget what it has found."""
        with self._lock:
            self._asked, self._found, self._error = None, None, ""

    def found(self) -> Analysis | None:
        """What it thinks of the position that was asked for last, as far as it has come."""
        with self._lock:
            asked, found = self._asked, self._found
        if found is not None or asked is None or self._thinking is not asked:
            return found
        return self._player.live()

    @property
    def is_busy(self) -> bool:
        """Whether there may be more to tell soon."""
        return self._asked is not None and self._found is None and not self._error

    @property
    def error(self) -> str:
        """Why it says nothing about that position, in a sentence, or ""."""
        return self._error

    def close(self) -> None:
        """End the program, beside whatever goes on."""
        self.rest()
        self._worker.submit(self._player.close)
        self._worker.close(_CLOSING_PATIENCE)

    def _think(self, situation: Situation) -> None:
        if self._asked is not situation:
            return
        found, error = None, ""
        self._thinking = situation
        try:
            found = self._player.choose(situation, lambda: self._asked is not situation)
        except EngineError as failed:
            error = str(failed)
        finally:
            self._thinking = None
        with self._lock:
            if self._asked is situation:
                self._found, self._error = found, error


def second_opinion(game: Game) -> SecondOpinion | None:
    """That of the first program that the person has for *game*; None where there is none."""
    entries = read_entries().of(game.name)
    return SecondOpinion(EnginePlayer(entries[0], game)) if entries else None
