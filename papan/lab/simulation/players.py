"""Players to choose from for a simulation: those that play the same game again wherever and whenever they play it."""

from __future__ import annotations

from papan.ai.engines.entries import PREFIX as ENGINE
from papan.ai.players import PlayerError, SearchingPlayer, choices, make_player
from papan.game.facts import Game
from papan.lab.simulation.plan import compiled_players

AT_FIXED_DEPTHS = (1, 2, 3)
"""Turns that the usual search is offered to look ahead."""
SIMULATIONS = (100, 1000)
"""Random games a move that Monte-Carlo search is offered with."""


def offered(game: Game) -> list[str]:
    """The names of players to offer for simulations of *game*, those that compiled code plays first.

    None of them thinks for as long as a clock says: no game of such a player could be looked at again.
    """
    names = ["random", *(choice.name for choice in choices(game) if not choice.name.startswith(ENGINE))]
    names += [f"minimax:depth={depth}" for depth in AT_FIXED_DEPTHS]
    names += [f"mcts:sims={number}" for number in SIMULATIONS]
    can_be_repeated = [name for name in dict.fromkeys(names) if not _is_timed(name, game)]
    return sorted(can_be_repeated, key=lambda name: compiled_players(game, [name]) is None)


def _is_timed(name: str, game: Game) -> bool:
    """Whether what the player *name* does depends on how fast the machine is."""
    try:
        player = make_player(name, game)
    except PlayerError:
        return True
    return isinstance(player, SearchingPlayer) and player.limit.time is not None and player.depth_asked is None
