"""Other programs' windows, as Papan sees them when it is their engine."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from contextlib import contextmanager

from papan.ai.engines.dialect import dialects_of
from papan.ai.engines.server import EngineServer, protocol_class
from papan.game.catalogue import GAMES
from tests.waiting import PATIENCE


class Window:
    """The other end of a conversation."""

    def __init__(self, game: str, protocol: str) -> None:
        self.lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        dialect = dialects_of(GAMES[game])[protocol]
        self.program: EngineServer = protocol_class(protocol)(GAMES[game], dialect, {}, self.lines.put)

    def says(self, *lines: str) -> None:
        for line in lines:
            self.program.take(line)

    def hears(self, until: str) -> list[str]:
        """The lines up to the first that begins with *until*."""
        heard = [self.lines.get(timeout=PATIENCE)]
        while not heard[-1].startswith(until):
            heard.append(self.lines.get(timeout=PATIENCE))
        return heard

    @property
    def is_silent(self) -> bool:
        return self.lines.empty()


@contextmanager
def window(game: str, protocol: str) -> Iterator[Window]:
    """A window that is closed afterwards."""
    opened = Window(game, protocol)
    try:
        yield opened
    finally:
        opened.program.close()
