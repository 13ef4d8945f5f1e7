"""Matches between computer players, without a window: for the command line, benchmarks and tournaments."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ai.players import HUMAN, Player, PlayerError, make_player, situation
from game.catalogue import Game
from game.kernels import CHANCE
from game.match import Match, Turn


def make_players(game: Game, names: Sequence[str]) -> list[Player]:
    """A computer player for each of *names*, in this order.

    :raises PlayerError: a name is no player of *game*, or is a person's.
    """
    if HUMAN in names:
        raise PlayerError(f"A match in the terminal is for computer players: '{HUMAN}' can only play in the window.")
    return [make_player(name, game) for name in names]


def play_match(match: Match, players: Sequence[Player], on_turn: Callable[[Turn], None] | None = None) -> Match:
    """Let *players*, in the order of play, play *match* to its end; returns *match*.

    Chance draws by the match's seed. *on_turn* is told each turn when it is complete, chance's turns too.
    """
    while not match.ending:
        seat = match.mover
        step = match.chance_step() if seat == CHANCE else players[seat].choose(situation(match)).step
        match.play(step)
        if on_turn and (match.ending or match.mover != seat):
            on_turn(match.turns()[-1])
    return match
