"""The plan of a tournament as plain data, and its encounters.

In an encounter, a group of as many players as there are seats plays one opening once in each rotation of the seats,
with the same cards and random events. Every group of players meets in every round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Annotated, Any, NamedTuple

from msgspec import Meta

from papan.game.base.sentences import SentenceError, say_number
from papan.game.base.typed import Amount, Pairs, Positive, Whole
from papan.game.base.version import VERSION
from papan.game.catalogue import find
from papan.game.game import SEATS, Game
from papan.game.kernel.clock import WALL
from papan.game.match import Match
from papan.lab.arena import ADDED, DRAW, HASHED, NoMoveChoice, OpeningSeeds, make_players, openings, too_few_openings

REPEATED_SEED = 1_000_003
"""Added to the seeds of the matches in each further cycle through the openings."""

NAME = "Tournament"


class PlanError(SentenceError, ValueError):
    """A tournament is impossible; the message is a sentence that says why."""


@dataclass(frozen=True)
class Plan:
    """Everything that determines a tournament's results, except the machine's speed and load."""

    game: str
    game_version: Whole
    options: Pairs
    players: Annotated[tuple[str, ...], Meta(min_length=1)]
    seats: Positive
    rounds: Positive
    openings: Positive
    """Different openings; further rounds reuse them with other random events."""
    turns: Whole
    """Random turns in each opening."""
    seed: int
    time_limit: Amount | None = None
    """Seconds allowed for a step."""
    margin: Amount = 0.0
    """Seconds of tolerance beyond the limit."""
    name: str = NAME
    """The event name in records."""
    version: str = VERSION
    is_ladder: bool = False
    """Whether each player meets only its neighbours in the list."""
    clock: str = WALL
    """The name of the clock for limits and seconds."""
    opening_seeds: OpeningSeeds = ADDED
    """How the seeds of openings follow from the seed; missing in older journals."""
    no_move: NoMoveChoice = DRAW
    """How to count a game if an engine gives no move."""

    @property
    def groups(self) -> list[tuple[int, ...]]:
        """The groups that meet, by player numbers; single players in a one-player game."""
        players = range(len(self.players))
        if self.is_ladder and self.seats == 2:
            return list(pairwise(players))
        return list(combinations(players, self.seats))

    def has(self, encounter: Encounter) -> bool:
        """Whether *encounter* belongs to the plan, without listing all groups."""
        group = encounter.group
        is_ordered = all(one < other for one, other in pairwise(group))
        is_near = not self.is_ladder or self.seats != 2 or group[-1] - group[0] == 1
        fits = len(group) == self.seats and group[-1] < len(self.players) and encounter.round < self.rounds
        return fits and is_ordered and is_near

    @property
    def games(self) -> int:
        return self.rounds * self.seats * len(self.groups)


class Encounter(NamedTuple):
    """A group of players, by their numbers, and the round of their encounter."""

    group: tuple[int, ...]
    round: int


def make_plan(
    game: Game,
    players: Sequence[str],
    options: dict[str, str],
    games: int,
    different_openings: int | None,
    turns: int,
    seed: int,
    **others: Any,
) -> Plan:
    """The plan of a tournament where each group of *players* plays *games* games.

    :param others: further fields of the plan.
    :raises PlanError: these players, seats or games are impossible.
    :raises OptionError: the game can't have an option.
    :raises PlayerError: the game can't have a player.
    """
    seats = _seats(game, players, options)
    make_players(game, players)
    if games % seats:
        raise PlanError.saying(
            "Each opening is played {seats} times with seats exchanged, so {games} games are not possible.",
            seats=seats,
            games=games,
        )
    rounds = games // seats
    if different_openings is not None and different_openings > rounds:
        raise PlanError.saying(
            "{games} games can begin from at most {most} openings, not {number}.",
            games=games,
            most=rounds,
            number=different_openings,
        )
    return Plan(
        game.name,
        game.version,
        tuple(sorted(game.complete_options(options).items())),
        tuple(players),
        seats,
        rounds,
        different_openings or rounds,
        turns,
        seed,
        opening_seeds=HASHED,
        **others,
    )


def _seats(game: Game, players: Sequence[str], options: dict[str, str]) -> int:
    allowed = [number for number in game.seats if number > 1]
    if not allowed:
        raise PlanError.saying("{game} is a one-player game; a tournament needs two to four seats.", game=game.title)
    asked = options.get(SEATS)
    seats = next((number for number in allowed if str(number) == asked), allowed[0])
    if len(players) < seats:
        raise PlanError(
            say_number(
                "{count} player can't fill the {seats} seats of {game}.",
                "{count} players can't fill the {seats} seats of {game}.",
                len(players),
                seats=seats,
                game=game.title,
            )
        )
    return seats


def starts_of(plan: Plan) -> list[Match]:
    """A match at the end of each opening of *plan*."""
    found = openings(
        find(plan.game), plan.openings, dict(plan.options), plan.seed, plan.turns, plan.seats, plan.opening_seeds
    )
    if len(found) < plan.openings:
        raise PlanError(too_few_openings(len(found), plan.turns))
    return found


def encounters(plan: Plan) -> Iterator[Encounter]:
    """All encounters of *plan*, round by round."""
    for number in range(plan.rounds):
        for group in plan.groups:
            yield Encounter(group, number)


def rotations(group: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The orders of play of *group*, with each player in each seat once.

    >>> list(rotations((4, 7, 9)))
    [(4, 7, 9), (7, 9, 4), (9, 4, 7)]
    """
    for first in range(len(group)):
        yield (*group[first:], *group[:first])
