"""Players as plain data, whose choices compiled code makes by itself: for games by the million.

These are the players that choose at random, those that take the step which ``appraise`` rates highest, and those that
look a fixed number of turns ahead by alpha-beta where nothing is hidden and there is no chance. All others are asked in
Python, game by game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.ai.players import GreedyPlayer, Player, SearchingPlayer
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.fixed_depth import searched_step
from papan.game.kernel import subroutine
from papan.game.kernel.rng import RandomState
from papan.game.rules import State

RANDOM, GREEDY, SEARCHING = range(3)

KIND, DEPTH, PREFERS_WINS, FIRST_WEIGHT, END_OF_WEIGHTS = range(5)
"""What the columns of ``settings`` hold."""


class CompiledPlayer(NamedTuple):
    """The data of a player that compiled code plays."""

    kind: int
    """RANDOM, GREEDY or SEARCHING."""
    weights: tuple[float, ...] = ()
    depth: int = 0
    """Turns that it looks ahead."""
    prefers_wins: bool = True


def kind_of(player: Player) -> int | None:
    """How compiled code plays *player*: RANDOM, GREEDY or SEARCHING; None where it has to be asked itself."""
    if isinstance(player, GreedyPlayer):
        return RANDOM if player.weights is None else GREEDY
    if isinstance(player, SearchingPlayer) and player.depth_asked is not None and type(player.search) is AlphaBeta:
        return SEARCHING
    return None


def compiled_player(player: Player) -> CompiledPlayer | None:
    """The data of *player*; None where it has to be asked itself."""
    kind = kind_of(player)
    if isinstance(player, GreedyPlayer) and kind is not None:
        return CompiledPlayer(kind) if player.weights is None else CompiledPlayer(kind, tuple(player.weights.tolist()))
    if isinstance(player, SearchingPlayer) and isinstance(player.search, AlphaBeta) and kind is not None:
        search = player.search
        return CompiledPlayer(kind, tuple(search.weights.tolist()), player.depth_asked or 0, search.prefers_wins)
    return None


def settings_of(players: Sequence[CompiledPlayer]) -> NDArray[np.int64]:
    """A row for each player: its kind, its depth, whether it prefers wins, and where its weights are."""
    ends = np.cumsum([len(player.weights) for player in players])
    return np.array(
        [
            (player.kind, player.depth, player.prefers_wins, end - len(player.weights), end)
            for player, end in zip(players, ends, strict=True)
        ],
        np.int64,
    )


def weights_of(players: Sequence[CompiledPlayer]) -> NDArray[np.float64]:
    """The weights of all players, one after the other."""
    return np.array([weight for player in players for weight in player.weights], np.float64)


@subroutine
def searching_step(
    state: State, player: int, settings: Any, weights: Any, history: Any, keys: Any, past: int,
    random: RandomState, work: Any, table: Any, rows: Any, kept: Any,
) -> int:  # fmt: skip
    """The step that a SEARCHING player takes for the seat to act in *state*.

    :param player: its row in *settings*, which are those of ``settings_of``; *weights* are those of ``weights_of``.
    :param history: rows for the *past* states so far, where positions can repeat; *keys* are theirs.
    :param work: with *table*, *rows* and *kept* the memory of searches, a ``Workspace``; None where nobody looks ahead:
        then no search is compiled.
    """
    if work is None:
        return -1
    own_weights = weights[settings[player, FIRST_WEIGHT] : settings[player, END_OF_WEIGHTS]]
    depth, prefers_wins = settings[player, DEPTH], settings[player, PREFERS_WINS]
    return searched_step(state, depth, prefers_wins, own_weights, history, keys, past, random, work, table, rows, kept)
