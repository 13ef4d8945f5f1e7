"""Whether two programs mean the same game: a digest of how it is played, whatever code plays it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from random import Random

from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import CHANCE

_GAMES, _STEPS = 3, 40


def digest_of(game: Game, options: Mapping[str, str]) -> bytes:
    """16 bytes that differ if the rules do: of a few random matches, their positions and legal steps.

    :raises papan.game.game.OptionError: an option or value is unknown.
    """
    digest = hashlib.sha256(f"{game.name} {game.version}".encode())
    for number in range(_GAMES):
        players = ["1"] * int(options.get("seats", game.seats[0]))
        match, random = Match.new(game, players, options, seed=number), Random(number)
        while match.ending is None and len(match.steps) < _STEPS:
            legal = sorted(match.legal_steps())
            digest.update(f"{match.mover} {legal}\n".encode())
            match.play(match.chance_step() if match.mover == CHANCE else random.choice(legal))
        digest.update(f"{list(match.state)} {match.ending}\n".encode())
    return digest.digest()[:16]
