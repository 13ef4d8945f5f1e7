"""Matches between players by name."""

from __future__ import annotations

from collections.abc import Sequence

from papan.ai.players import make_player, situation
from papan.game.game import Game
from papan.game.match import Match


def points(game: Game, names: Sequence[str], games: int) -> float:
    """The points of the second of two players in so many *games*, a draw counting a half; they begin by turns."""
    players, won = [make_player(name, game) for name in names], 0.0
    for number in range(games):
        match = Match.new(game, names, {"first": str(number % 2 + 1)}, number)
        while not match.ending:
            match.play(players[match.mover].choose(situation(match)).step)
        won += (match.ending.payoffs[1] + 1) / 2
    return won
