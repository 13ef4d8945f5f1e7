"""Whether two programs mean the same game: a digest of how it is played, whatever code plays it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from random import Random

from papan.game.game import SEATS, Game
from papan.game.match import Match
from papan.game.rules import CHANCE

_GAMES, _STEPS = 3, 40


def digest_of(game: Game, options: Mapping[str, str]) -> bytes:
    """16 bytes that differ if the rules do: of a few random matches, their positions and legal steps.

    :raises papan.game.game.OptionError: an option or value is unknown.
    """
    options = game.complete_options(options)  # before anything is made of a host's number of seats
    return _digest_of(_Same(game), tuple(options.items()))


class _Same:
    """A game, equal to itself alone."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def __hash__(self) -> int:
        return id(self.game)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.game is self.game


@lru_cache(64)
def _digest_of(same: _Same, pairs: tuple[tuple[str, str], ...]) -> bytes:
    game, options = same.game, dict(pairs)
    digest = hashlib.sha256(f"{game.name} {game.version}".encode())
    for number in range(_GAMES):
        players = ["1"] * int(options.get(SEATS, game.seats[0]))
        match, random = Match.new(game, players, options, seed=number), Random(number)
        while match.ending is None and len(match.steps) < _STEPS:
            legal = sorted(match.legal_steps())
            digest.update(f"{match.mover} {legal}\n".encode())
            match.play(match.chance_step() if match.mover == CHANCE else random.choice(legal))
        digest.update(f"{list(match.state)} {match.ending}\n".encode())
    return digest.digest()[:16]
