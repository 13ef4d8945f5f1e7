"""A second opinion on positions, by another program or a learned network."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

from papan.ai.engines import EngineError
from papan.ai.engines.entries import read_entries
from papan.ai.engines.player import EnginePlayer
from papan.ai.learning.bundled import Learned, knows
from papan.ai.learning.compact import NotWantedError
from papan.ai.limits import Analysis
from papan.ai.players import Player, SearchingPlayer, Situation, describe, make_player
from papan.ai.thinking.thinker import Worker
from papan.game.game import Game
from papan.game.rules import State

LEARNED = "learned"
"""The network itself, at depth 1."""


class SecondOpinion:
    """A player's analyses of one position after another; the first one prepares it."""

    def __init__(
        self,
        name: str,
        player: Player,
        close: Callable[[], object] = lambda: None,
        give_up: Callable[[], object] = lambda: None,
    ) -> None:
        """
        :param name: its name for users.
        :param close: releases *player*, after its current work.
        :param give_up: interrupts that work, from another thread.
        """
        self._give_up = give_up
        self.name = name
        self._player = player
        self._close = close
        self._worker = Worker("second opinion")
        self._lock = threading.Lock()
        self._asked: Situation | None = None
        self._thinking: Situation | None = None
        self._found: Analysis | None = None
        self.error = ""
        """Why it failed, in a sentence, or ""."""

    def ask(self, situation: Situation) -> None:
        """Analyse *situation* in place of any other, unless it was the last one."""
        with self._lock:
            if situation == self._asked:
                return
            self._asked, self._found, self.error = situation, None, ""
        self._worker.submit(partial(self._think, situation))

    def rest(self) -> None:
        """Stop, and forget the findings."""
        with self._lock:
            self._asked, self._found, self.error = None, None, ""

    def found(self) -> Analysis | None:
        """The analysis of the last position so far."""
        with self._lock:
            asked, found = self._asked, self._found
        if found is not None or asked is None or self._thinking is not asked:
            return found
        return self._player.live()

    @property
    def is_busy(self) -> bool:
        return self._asked is not None and self._found is None and not self.error

    def close(self) -> None:
        self.rest()
        self._give_up()
        self._worker.submit(self._close)
        self._worker.close(0.0)

    def _think(self, situation: Situation) -> None:
        if self._asked is not situation:
            return
        found, error = None, ""
        self._thinking = situation
        try:
            self._player.prepare(situation.state)
            found = self._player.choose(situation, lambda: self._asked is not situation)
        except EngineError as failed:
            error = str(failed)
        except NotWantedError:
            pass
        finally:
            self._thinking = None
        with self._lock:
            if self._asked is situation:
                self._found, self.error = found, error


def second_opinion(game: Game, state: State) -> SecondOpinion | None:
    """That of the user's first program for *game*, else of the learned network if it knows *state*; else None."""
    entries = read_entries().of(game.name)
    if entries:
        engine = EnginePlayer(entries[0], game)
        return SecondOpinion(engine.entry.name, engine, engine.close)
    if knows(game, state):
        player = make_player(LEARNED, game, compact=True)
        assert isinstance(player, SearchingPlayer) and isinstance(player.search, Learned)
        return SecondOpinion(describe(LEARNED, game).label, player, give_up=player.search.give_up)
    return None
