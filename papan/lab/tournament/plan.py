"""A tournament as plain data, and the encounters that it is made of.

In an encounter some players, as many as there are seats, play one opening as often as there are seats, each time with
everybody one seat further: from the same position, with the same cards and the same luck. Every group of players
meets in every round, so that nobody has it easier than another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, pairwise
from typing import Annotated, Any, NamedTuple

from msgspec import Meta

from papan.game.base.sentences import say, say_number
from papan.game.base.typed import Amount, Pairs, Positive, Whole
from papan.game.base.version import VERSION
from papan.game.catalogue import find
from papan.game.facts import SEATS, Game
from papan.game.kernel.clock import WALL
from papan.game.match import Match
from papan.lab.arena import ADDED, DRAW, HASHED, NoMoveChoice, OpeningSeeds, make_players, openings, too_few_openings

REPEATED_SEED = 1_000_003
"""Between the seeds of an opening's matches in one cycle through the openings and in the next."""

NAME = "Tournament"
"""What a tournament is called that was not given a name."""


class PlanError(ValueError):
    """A tournament that can't be; the message is a sentence that says why."""


@dataclass(frozen=True)
class Plan:
    """All that the results of a tournament depend on, but for the speed of the machine and, by the wall's clock, what
    else it does."""

    game: str
    game_version: Whole
    options: Pairs
    players: Annotated[tuple[str, ...], Meta(min_length=1)]
    seats: Positive
    rounds: Positive
    openings: Positive
    """Different openings; there may be more rounds, which go through them again with other luck."""
    turns: Whole
    """Random turns in each opening."""
    seed: int
    time_limit: Amount | None = None
    """Seconds in which a step must be chosen."""
    margin: Amount = 0.0
    """Seconds beyond the limit that are forgiven."""
    name: str = NAME
    """What its records call it."""
    version: str = VERSION
    """The program's, whose players they are."""
    is_ladder: bool = False
    """Whether each player meets only those beside it in the list."""
    clock: str = WALL
    """The name of the clock that players are limited by, and that all seconds are of."""
    opening_seeds: OpeningSeeds = ADDED
    """How the seeds of openings follow from the seed; older journals don't say it."""
    no_move: NoMoveChoice = DRAW
    """What a game is in which a program says that it has no move."""

    @property
    def groups(self) -> list[tuple[int, ...]]:
        """Who meets whom, by the numbers of players; in a game for one, everybody by himself."""
        players = range(len(self.players))
        if self.is_ladder and self.seats == 2:
            return list(pairwise(players))
        return list(combinations(players, self.seats))

    def has(self, encounter: Encounter) -> bool:
        """Whether *encounter* is one of it, without making all groups."""
        group = encounter.group
        is_ordered = all(one < other for one, other in pairwise(group))
        is_near = not self.is_ladder or self.seats != 2 or group[-1] - group[0] == 1
        fits = len(group) == self.seats and group[-1] < len(self.players) and encounter.round < self.rounds
        return fits and is_ordered and is_near

    @property
    def games(self) -> int:
        """All games that are to be played."""
        return self.rounds * self.seats * len(self.groups)

    def as_data(self) -> dict[str, Any]:
        """The plan as JSON has it."""
        return asdict(self)


class Encounter(NamedTuple):
    """A group of players, by their numbers, and the round in which they meet."""

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
    time_limit: float | None = None,
    margin: float = 0.0,
    name: str = NAME,
    clock: str = WALL,
    no_move: NoMoveChoice = DRAW,
) -> Plan:
    """The tournament in which each group of *players* plays so many *games*.

    :raises PlanError: these players, seats or games can't be.
    :raises OptionError: an option that the game can't have.
    :raises PlayerError: a player that the game can't have.
    """
    seats = _seats(game, players, options)
    make_players(game, players)
    if games % seats:
        raise PlanError(
            say(
                "Each opening is played {seats} times with seats exchanged, so {games} games are not possible.",
                seats=seats,
                games=games,
            )
        )
    rounds = games // seats
    if different_openings is not None and different_openings > rounds:
        raise PlanError(
            say(
                "{games} games can begin from at most {most} openings, not {number}.",
                games=games,
                most=rounds,
                number=different_openings,
            )
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
        time_limit,
        margin,
        name,
        clock=clock,
        opening_seeds=HASHED,
        no_move=no_move,
    )


def _seats(game: Game, players: Sequence[str], options: dict[str, str]) -> int:
    """The seats of each match, which *options* may settle."""
    allowed = [number for number in game.seats if number > 1]
    if not allowed:
        raise PlanError(say("{game} is a one-player game; a tournament needs two to four seats.", game=game.title))
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
    """The openings of *plan*: the match of each, at its end.

    :raises PlanError: there are not so many.
    """
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
    """The orders of play of *group* in its games: each player has each seat once.

    >>> list(rotations((4, 7, 9)))
    [(4, 7, 9), (7, 9, 4), (9, 4, 7)]
    """
    for first in range(len(group)):
        yield (*group[first:], *group[:first])
