"""What is to be simulated, as plain data, and the batches that it is made of.

The random numbers of a game come from the plan's seed and the game's number alone: what is counted in the end does not
depend on who plays which batch, where, or in which order.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

from papan.ai.engines.entries import PREFIX as ENGINE
from papan.ai.players import Player, PlayerError, SearchingPlayer, choices, make_player
from papan.ai.players.kinds import SEARCHING, CompiledPlayer, compiled_player
from papan.game.base.sentences import alternatives, say
from papan.game.base.version import VERSION
from papan.game.catalogue import find
from papan.game.facts import Game, OptionError
from papan.game.match import Match
from papan.lab.arena import make_players

QUICK_BATCH = 1 << 14
"""Games in a batch of players that don't look ahead: a tenth of a second."""
MOST_IN_BATCH = 1 << 17
"""Games in a batch at most, which room is made for."""
MOST_BATCHES = 1 << 13
"""Batches of quick games, as long as they need not be larger than ``MOST_IN_BATCH``: each has to be read and written by
the one process that asks for them."""
SEARCHED_BATCH = 1 << 6
"""Games in a batch in which compiled code looks ahead."""
SINGLE_BATCH = 1
"""Games in a batch that is played in Python."""

MOST_SEATS = 8
"""Seats that a simulated game can have."""


@dataclass(frozen=True)
class Plan:
    """The facts that settle every game of a simulation: plain data, which can be written down and sent elsewhere."""

    game: str
    """The game's name."""
    players: tuple[str, ...]
    """The players' names; who sits where follows from the option ``first``."""
    options: tuple[tuple[str, str], ...]
    """Complete and valid options."""
    seed: int
    games: int
    batch_games: int
    """Games in each batch but the last, which has what is left."""
    weights: str
    """The digest of what the players are made of: weights may be fitted anew under the same name."""
    version: str = VERSION
    """The program's, by which the games are played."""

    @property
    def batches(self) -> int:
        """How many batches there are."""
        return -(-self.games // self.batch_games)

    def games_of(self, number: int) -> range:
        """The numbers of the games in the batch *number*."""
        return range(number * self.batch_games, min((number + 1) * self.batch_games, self.games))

    @property
    def digest(self) -> str:
        """A short name for the plan: 16 hexadecimal digits."""
        return _digest(self.as_data())

    def as_data(self) -> dict[str, Any]:
        """The plan as JSON has it; ``from_data`` reads it back."""
        return asdict(self) | {"players": list(self.players), "options": dict(self.options)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Plan:
        """The plan of which ``as_data`` made *data*."""
        return cls(**{**data, "players": tuple(data["players"]), "options": tuple(data["options"].items())})

    @property
    def words(self) -> list[str]:
        """The arguments of ``simulate`` that ask for it, but for the seed."""
        options = [word for name, value in self.options for word in ("--option", f"{name}={value}")]
        return [self.game, *self.players, "--games", str(self.games), *options]

    @property
    def first(self) -> int:
        """The player that starts, counted from 0; -1 where chance decides."""
        first = dict(self.options)["first"]
        return -1 if first == "random" else int(first) - 1


class PlanError(ValueError):
    """A plan can't be carried out by this program; the message is a sentence that says why."""


def make_plan(game: Game, players: Sequence[str], options: Mapping[str, str], seed: int, games: int) -> Plan:
    """The plan of a simulation.

    :raises OptionError: an option, a value or a number of players that the game can't have.
    :raises PlayerError: a name is no player of *game*.
    """
    match = Match.new(game, players, options, seed)
    if len(players) > MOST_SEATS:
        raise OptionError(
            say("A simulation can have at most {most} players, not {number}.", most=MOST_SEATS, number=len(players))
        )
    compiled = compiled_players(game, players)
    if compiled is None:
        size = SINGLE_BATCH
    else:
        size = SEARCHED_BATCH if any(player.kind == SEARCHING for player in compiled) else _quick_batch(games)
    complete = tuple(sorted(match.options.items()))
    return Plan(game.name, tuple(players), complete, seed, games, size, _weights(compiled))


def _quick_batch(games: int) -> int:
    return min(max(games // MOST_BATCHES, QUICK_BATCH), MOST_IN_BATCH)


@lru_cache(maxsize=1)
def check_here(plan: Plan) -> None:
    """Make sure that this program plays *plan* as the one that made it would.

    :raises PlanError: it does not.
    """
    if plan.version != VERSION:
        raise PlanError(
            say("It has version {version} of the program, not {other}.", version=VERSION, other=plan.version)
        )
    try:
        weights = _weights(compiled_players(game_of(plan), plan.players))
    except ValueError as error:
        raise PlanError(str(error)) from None
    if weights != plan.weights:
        raise PlanError(say("It has other weights for {players}.", players=alternatives(sorted(set(plan.players)))))


def compiled_players(game: Game, players: Sequence[str]) -> list[CompiledPlayer] | None:
    """The players as compiled code knows them; None where one of them has to be asked in Python.

    :raises PlayerError: a name is no player of *game*.
    """
    found = [compiled_player(player) for player in make_players(game, players)]
    known = [player for player in found if player is not None]
    return known if len(known) == len(found) else None


def game_of(plan: Plan) -> Game:
    """The game that is simulated."""
    return find(plan.game)


def _weights(players: Sequence[CompiledPlayer] | None) -> str:
    """The digest of what *players* are made of, where compiled code plays them."""
    return _digest([list(player) for player in players or ()])


def _digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


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
