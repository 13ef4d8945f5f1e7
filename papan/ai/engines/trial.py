"""Trying a program: whether it starts, speaks its protocol and finds a turn."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from papan.ai.engines import EngineError
from papan.ai.engines.entries import TEMPLATE, Entry, entries_file
from papan.ai.engines.player import EnginePlayer
from papan.ai.engines.process import never
from papan.ai.players import situation
from papan.game.base.places import make_private_file, make_private_folder
from papan.game.base.sentences import say
from papan.game.catalogue import GAMES
from papan.game.match import Match

_SEED = 1


class Trial(NamedTuple):
    """What a program did when it was tried."""

    name: str
    """What it calls itself; "" where it does not say."""
    step: str
    """The first step of the turn that it found in the first position, in the game's notation."""
    seconds: float
    """How long that took, its start included."""


def try_engine(entry: Entry, is_cancelled: Callable[[], bool] = never) -> Trial:
    """Start the program of *entry*, have it find a turn, and end it.

    :raises EngineError: it can't, and why.
    """
    game = GAMES[entry.game]
    match = Match.new(game, ["", ""], {"first": "1"}, _SEED)
    player = EnginePlayer(entry, game)
    started = time.monotonic()
    try:
        step = player.choose(situation(match), is_cancelled).step
        if is_cancelled():
            raise EngineError(say("{engine} was not waited for.", engine=entry.in_sentences))
        seconds = time.monotonic() - started
        return Trial(player.start(), game.rules.notation(match.state, step), seconds)
    finally:
        player.close()


def make_entries_file() -> None:
    """Make the person's file, where it is missing, with words on how to write it.

    :raises OSError: it can't be made.
    """
    path = entries_file()
    make_private_folder(path.parent)
    if not path.exists():
        make_private_file(path)
        path.write_text(TEMPLATE, encoding="utf-8")
