"""The ladder of a game's levels: a tournament in which each level plays the next, and the lowest plays random steps.

The upper of two neighbouring levels should have 65 to 85 % of the points; the lowest level should have 50 to 80 %
against random steps. In a one-player game both play from the same start, and the higher score wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import fmean, quantiles, variance
from typing import Any, NamedTuple

from papan.ai.players.levels import PLAYER_LEVELS
from papan.game.base.sentences import say
from papan.game.game import SEATS, Game
from papan.game.kernel.clock import WALL
from papan.lab.arena import HASHED, Tally, openings
from papan.lab.statistics import mean_interval
from papan.lab.tournament.plan import Plan, PlanError, make_plan
from papan.lab.tournament.results import Results, Standing

LEAST, MOST = 0.65, 0.85
"""The target share of points of a level against the one below."""
LEAST_OF_RANDOM, MOST_OF_RANDOM = 0.5, 0.8
"""The target share of the lowest level against random steps."""
SECONDS = 0.1
"""The top level's thinking time for a step while it is measured."""
NAME = "Levels"
RANDOM = "random"
"""The opponent of the lowest level."""


class Rung(NamedTuple):
    """Two neighbouring levels, and the upper one's results."""

    lower: str
    upper: str
    tally: Tally
    """From the upper one's point of view."""
    least: float
    """The lower bound of its target share of points."""
    most: float

    @property
    def verdict(self) -> str:
        """Whether the levels are too near or too far apart, in words; "" if neither, or without games."""
        if not self.tally.games or self.least <= self.tally.score <= self.most:
            return ""
        return say("too near") if self.tally.score < self.least else say("too far")


def players_of(seconds: float = SECONDS, lowest: int = 0, highest: int = len(PLAYER_LEVELS)) -> tuple[str, ...]:
    """The levels from *lowest* to *highest*, weakest first; the top level has *seconds* seconds a step.

    :param lowest: 0 for random steps.

    >>> players_of(0.1, 6)
    ('level:6', 'level:7', 'level:8,time=0.1')
    """
    everybody = (RANDOM, *(step.player for step in PLAYER_LEVELS[:-1]), f"{PLAYER_LEVELS[-1].player},time={seconds:g}")
    return everybody[lowest : highest + 1]


def make_ladder(
    game: Game,
    options: dict[str, str],
    games: int,
    turns: int,
    seed: int,
    seconds: float = SECONDS,
    clock: str = WALL,
    lowest: int = 0,
    highest: int = len(PLAYER_LEVELS),
) -> Plan:
    """The tournament in which neighbouring levels of *game* play *games* games.

    The games of two levels do not depend on which other levels play.

    :param turns: random turns in each opening. If openings run out, they are reused with other random events.
    :param lowest: the number of the lowest level; 0 for random steps.
    :raises PlanError: this number of games is impossible, or there are no two levels.
    :raises OptionError: the game can't have an option.
    :raises PlayerError: the game can't have a player.
    """
    if lowest >= highest:
        raise PlanError(
            say(
                "There are no two levels from {lowest} to {highest}: --to must be above --from.",
                lowest=lowest,
                highest=highest,
            )
        )
    players = players_of(seconds, lowest, highest)
    if options.get(SEATS, "2") != "2" or not {1, 2} & {*game.seats}:
        raise PlanError(say("Levels are compared in pairs, so the match can't have more seats."))
    if 2 not in game.seats:
        complete = tuple(sorted(game.complete_options(options).items()))
        plan = Plan(game.name, game.version, complete, players, 1, games, games, 0, seed, name=NAME, clock=clock)
        return replace(plan, is_ladder=True, opening_seeds=HASHED)
    plan = make_plan(game, players, options, games, None, turns, seed, name=NAME, clock=clock)
    different = len(openings(game, plan.rounds, dict(plan.options), seed, turns, plan.seats))
    if not different:
        raise PlanError(say("No openings of {turns} turns were found.", turns=turns))
    return replace(plan, openings=different, is_ladder=True)


def rungs(plan: Plan, found: Results) -> list[Rung]:
    """The results of neighbouring players of *plan*, from the bottom up."""
    cross = _compared_alone(plan, found) if plan.seats == 1 else found.cross_table()
    return [
        Rung(plan.players[lower], plan.players[upper], cross.get((upper, lower), Tally()), *_asked(plan.players[lower]))
        for lower, upper in pairwise(range(len(plan.players)))
    ]


def _asked(lower: str) -> tuple[float, float]:
    """The bounds of the target share of points against *lower*."""
    return (LEAST_OF_RANDOM, MOST_OF_RANDOM) if lower == RANDOM else (LEAST, MOST)


def _compared_alone(plan: Plan, found: Results) -> dict[tuple[int, int], Tally]:
    """In a one-player game, each player's results against the one below from the same starts."""
    scores = {
        (played.encounter.round, played.encounter.group[0]): float(played.games[0].payoffs[0])
        for played in found.counted
    }
    tallies = {(player, player - 1): Tally() for player in range(1, len(plan.players))}
    for (number, player), score in scores.items():
        below = scores.get((number, player - 1))
        if below is not None:
            tallies[player, player - 1].add(Tally(int(score > below), int(score == below), int(score < below)))
    return tallies


class Scores(NamedTuple):
    """A player's scores in a one-player game."""

    mean: float
    interval: tuple[float, float] | None
    """The 95 % interval of the mean; None for a single game."""
    quartiles: tuple[float, float, float, float, float]
    """Minimum, lower quartile, median, upper quartile, maximum."""


def scores(plan: Plan, found: Results) -> list[Scores | None]:
    """Each player's scores in a one-player game; None if it has not played, and in all other games."""
    if plan.seats != 1:
        return [None] * len(plan.players)
    had: list[list[float]] = [[] for _ in plan.players]
    for game in found.games:
        had[game.players[0]].append(game.payoffs[0])
    return [_scores(each) if each else None for each in had]


def _scores(had: Sequence[float]) -> Scores:
    mean = fmean(had)
    if len(had) == 1:
        return Scores(mean, None, (mean, mean, mean, mean, mean))
    lower, median, upper = quantiles(had, method="inclusive")
    return Scores(mean, mean_interval(mean, variance(had), len(had)), (min(had), lower, median, upper, max(had)))


def facts(plan: Plan, found: Results) -> dict[str, Any]:
    """The results *found* of the ladder *plan* as JSON data."""
    standings = {standing.player: standing for standing in found.standings()}
    return {
        **plan.as_data(),
        "options": dict(plan.options),
        "games": len(found.games),
        "pairs": [
            {
                "lower": rung.lower,
                "upper": rung.upper,
                "wins": rung.tally.wins,
                "draws": rung.tally.draws,
                "losses": rung.tally.losses,
                "score": rung.tally.score,
                "interval_95": list(rung.tally.interval),
                "asked": [rung.least, rung.most],
                "verdict": rung.verdict or None,
            }
            for rung in rungs(plan, found)
        ],
        "levels": [
            {"player": player, **_scores_facts(had), **_played_facts(standings[number])}
            for number, (player, had) in enumerate(zip(plan.players, scores(plan, found), strict=True))
        ],
    }


def _scores_facts(had: Scores | None) -> dict[str, Any]:
    return {
        "mean_score": had and had.mean,
        "mean_interval_95": had and had.interval and list(had.interval),
        "score_quartiles": had and list(had.quartiles),
    }


def _played_facts(standing: Standing) -> dict[str, Any]:
    return {
        "elo": standing.rating.elo if standing.rating else None,
        "margin_95": standing.rating.margin if standing.rating else None,
        "seconds_a_step": standing.seconds / max(1, standing.choices),
        "games": standing.games,
        "forfeits": standing.forfeits,
    }
