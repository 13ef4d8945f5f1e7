"""The plan of a simulation as plain data, and its batches.

The random numbers of a game depend only on the plan's seed and the game's number, so the counts do not depend on who
plays which batch, where, or in which order.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Annotated, Any

from msgspec import Meta

from papan.ai.engines.entries import PREFIX as ENGINE
from papan.ai.players import PlayerError, SearchingPlayer, choices, make_player
from papan.ai.players.compiled import SEARCHING, CompiledPlayer, compiled_player
from papan.game.base.sentences import SentenceError, alternatives
from papan.game.base.typed import Positive
from papan.game.base.version import VERSION
from papan.game.catalogue import find
from papan.game.game import Game, OptionError
from papan.game.match import Match
from papan.lab.arena import make_players

QUICK_BATCH = 1 << 14
"""Games in a batch of players without search: about 0.1 s."""
MOST_IN_BATCH = 1 << 17
"""The most games in a batch; arrays have this size."""
MOST_BATCHES = 1 << 13
"""The most batches of quick games, unless they would exceed ``MOST_IN_BATCH``: one process reads and writes them."""
SEARCHED_BATCH = 1 << 6
"""Games in a batch of compiled searches."""
SINGLE_BATCH = 1
"""Games in a batch played in Python."""

MOST_SEATS = 8


@dataclass(frozen=True)
class Plan:
    """Everything that determines the games of a simulation, as plain data."""

    game: str
    players: Annotated[tuple[str, ...], Meta(min_length=1, max_length=MOST_SEATS)]
    """The players' names; the option ``first`` decides their seats."""
    options: dict[str, str] = field(hash=False)
    """Complete and valid options."""
    seed: int
    games: Positive
    batch_games: Positive
    """Games in each batch; the last has the remainder."""
    weights: str
    """The digest of the players' weights, which may change under the same name."""
    version: str = VERSION

    @property
    def batches(self) -> int:
        return -(-self.games // self.batch_games)

    def games_of(self, number: int) -> range:
        """The numbers of the games in the batch *number*."""
        return range(number * self.batch_games, min((number + 1) * self.batch_games, self.games))

    @property
    def digest(self) -> str:
        """A short name for the plan: 16 hexadecimal digits."""
        return _digest(asdict(self))

    @property
    def words(self) -> list[str]:
        """The arguments of ``simulate`` for this plan, without the seed."""
        options = [word for name, value in self.options.items() for word in ("--option", f"{name}={value}")]
        return [self.game, *self.players, "--games", str(self.games), *options]

    @property
    def first(self) -> int:
        """The player that starts, counted from 0; -1 if chance decides."""
        first = self.options["first"]
        return -1 if first == "random" else int(first) - 1


class PlanError(SentenceError, ValueError):
    """This program can't carry out a plan; the message is a sentence that says why."""


def make_plan(game: Game, players: Sequence[str], options: Mapping[str, str], seed: int, games: int) -> Plan:
    """The plan of a simulation.

    :raises OptionError: the game can't have an option, a value or this number of players.
    :raises PlayerError: *game* has no player of a name.
    """
    match = Match.new(game, players, options, seed)
    if len(players) > MOST_SEATS:
        raise OptionError.saying(
            "A simulation can have at most {most} players, not {number}.", most=MOST_SEATS, number=len(players)
        )
    compiled = compiled_players(game, players)
    if compiled is None:
        size = SINGLE_BATCH
    else:
        quick = min(max(games // MOST_BATCHES, QUICK_BATCH), MOST_IN_BATCH)
        size = SEARCHED_BATCH if any(player.kind == SEARCHING for player in compiled) else quick
    complete = dict(sorted(match.options.items()))
    return Plan(game.name, tuple(players), complete, seed, games, size, _weights(compiled))


@lru_cache(maxsize=1)
def check_here(plan: Plan) -> None:
    """Raise ``PlanError`` unless this program plays *plan* exactly as the program that made it."""
    if plan.version != VERSION:
        raise PlanError.saying(
            "It has version {version} of the program, not {other}.", version=VERSION, other=plan.version
        )
    try:
        weights = _weights(compiled_players(game_of(plan), plan.players))
    except ValueError as error:
        raise PlanError(str(error)) from None
    if weights != plan.weights:
        raise PlanError.saying("It has other weights for {players}.", players=alternatives(sorted(set(plan.players))))


def compiled_players(game: Game, players: Sequence[str]) -> list[CompiledPlayer] | None:
    """The players as compiled code; None if one of them runs in Python."""
    found = [compiled_player(player) for player in make_players(game, players)]
    known = [player for player in found if player is not None]
    return known if len(known) == len(found) else None


def game_of(plan: Plan) -> Game:
    return find(plan.game)


def _weights(players: Sequence[CompiledPlayer] | None) -> str:
    return _digest([list(player) for player in players or ()])


def _digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


AT_FIXED_DEPTHS = (1, 2, 3)
"""The offered depths of the standard search, in turns."""
SIMULATIONS = (100, 1000)
"""The offered simulations a move of Monte-Carlo search."""


def offered(game: Game) -> list[str]:
    """The names of players to offer for simulations of *game*, compiled ones first.

    Players limited by time are left out, as their games could not be replayed.
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
        is_timed = isinstance(player, SearchingPlayer) and player.limit.time is not None and player.depth_asked is None
        if not is_timed:
            offers.append((compiled_player(player) is None, name))
    return [name for _, name in sorted(offers, key=lambda offer: offer[0])]
