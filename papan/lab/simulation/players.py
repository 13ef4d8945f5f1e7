"""Players to choose from for a simulation: those that play the same game again wherever and whenever they play it."""

from __future__ import annotations

from papan.ai.engines.entries import PREFIX as ENGINE
from papan.ai.players import Player, PlayerError, SearchingPlayer, choices, make_player
from papan.ai.players.kinds import compiled_player
from papan.game.facts import Game

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
    offers: list[tuple[bool, str]] = []
    for name in dict.fromkeys(names):
        try:
            player = make_player(name, game)
        except PlayerError:
            continue
        if not _is_timed(player):
            offers.append((compiled_player(player) is None, name))
    return [name for _, name in sorted(offers, key=lambda offer: offer[0])]


def _is_timed(player: Player) -> bool:
    """Whether what *player* does depends on how fast the machine is."""
    return isinstance(player, SearchingPlayer) and player.limit.time is not None and player.depth_asked is None
