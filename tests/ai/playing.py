"""Matches between players by name, and compiled evaluation: what tests of several games need."""

from __future__ import annotations

from collections.abc import Sequence

from papan.ai.evaluation import Weights, evaluate
from papan.ai.players import make_player, situation
from papan.game.game import Game
from papan.game.kernel import compiled
from papan.game.match import Match
from papan.game.rules import State


@compiled
def evaluate_compiled(state: State, seat: int, weights: Weights) -> float:
    return evaluate(state, seat, weights)


def points(game: Game, names: Sequence[str], games: int) -> float:
    """The points of the second of two players in so many *games*, a draw counting a half; they begin by turns."""
    players, won = [make_player(name, game) for name in names], 0.0
    for number in range(games):
        match = Match.new(game, names, {"first": str(number % 2 + 1)}, number)
        while not match.ending:
            match.play(players[match.mover].choose(situation(match)).step)
        won += (match.ending.payoffs[1] + 1) / 2
    return won
