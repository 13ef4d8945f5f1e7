"""The levels of a game one above the other: a tournament in which each meets the next, and the lowest one chance.

A step from one level to the next is worth choosing, and no leap, where the upper one has 65 to 85 % of the points;
one that has just learned the rules has more than half of them against random steps, but no more than 80 %. In a game
for one both play from the same start, and whoever has more points in the end has won.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import fmean, quantiles, variance
from typing import Any, NamedTuple

from papan.ai.players.levels import STEPS
from papan.game.base.sentences import say
from papan.game.facts import SEATS, Game
from papan.game.kernel.clock import WALL
from papan.lab.arena import HASHED, Tally, openings
from papan.lab.statistics import mean_interval
from papan.lab.tournament.plan import Plan, PlanError, make_plan
from papan.lab.tournament.playing import GameResult
from papan.lab.tournament.results import Results, Standing

LEAST, MOST = 0.65, 0.85
"""The share of points that a level should have against the one below."""
LEAST_OF_RANDOM, MOST_OF_RANDOM = 0.5, 0.8
"""The share that the lowest should have against random steps."""
SECONDS = 0.1
"""How long the top level thinks about a step while it is measured."""
NAME = "Levels"
RANDOM = "random"
"""Who the lowest level is compared with."""


class Rung(NamedTuple):
    """Two players one above the other, and what the upper one had."""

    lower: str
    upper: str
    tally: Tally
    """From the upper one's point of view."""
    least: float
    """The share of points that it should have at least."""
    most: float

    @property
    def verdict(self) -> str:
        """In words what is wrong with the distance; "" for nothing, or where nothing has been played."""
        if not self.tally.games or self.least <= self.tally.score <= self.most:
            return ""
        return say("too near") if self.tally.score < self.least else say("too far")


def players_of(seconds: float = SECONDS, lowest: int = 0, highest: int = len(STEPS)) -> tuple[str, ...]:
    """The levels from number *lowest* to *highest*, the weakest first, the top level with so many *seconds* a step.

    :param lowest: 0 for random steps.

    >>> players_of(0.1, 6)
    ('level:6', 'level:7', 'level:8,time=0.1')
    """
    everybody = (RANDOM, *(step.player for step in STEPS[:-1]), f"{STEPS[-1].player},time={seconds:g}")
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
    highest: int = len(STEPS),
) -> Plan:
    """The tournament in which each two levels of *game* that follow each other play so many *games*.

    What two of them play does not depend on which others there are.

    :param turns: of each opening. Where there are fewer openings than are wanted, they come again with other luck.
    :param lowest: the number of the lowest level; 0 for random steps.
    :raises PlanError: two can't play so many games, or there are no two levels.
    :raises OptionError: an option that the game can't have.
    :raises PlayerError: a player that the game can't have.
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
    """How far apart the players of *plan* are, from the bottom up."""
    cross = _compared_alone(plan, found) if plan.seats == 1 else found.cross_table()
    return [
        Rung(plan.players[lower], plan.players[upper], cross.get((upper, lower), Tally()), *_asked(plan.players[lower]))
        for lower, upper in pairwise(range(len(plan.players)))
    ]


def _asked(lower: str) -> tuple[float, float]:
    """The share of points that who stands above *lower* should have at least, and at most."""
    return (LEAST_OF_RANDOM, MOST_OF_RANDOM) if lower == RANDOM else (LEAST, MOST)


def _compared_alone(plan: Plan, found: Results) -> dict[tuple[int, int], Tally]:
    """What each player of a game for one had of the one below, with the same start."""
    scores = {(played.encounter.round, played.encounter.group[0]): _score(played.games) for played in found.counted}
    tallies = {(player, player - 1): Tally() for player in range(1, len(plan.players))}
    for (number, player), score in scores.items():
        below = scores.get((number, player - 1))
        if below is not None:
            tallies[player, player - 1].add(Tally(int(score > below), int(score == below), int(score < below)))
    return tallies


def _score(games: Sequence[GameResult]) -> float:
    return float(games[0].payoffs[0])


class Scores(NamedTuple):
    """The scores that a player had in a game for one."""

    mean: float
    interval: tuple[float, float] | None
    """The interval of the mean at 95 %; None of a single game."""
    quartiles: tuple[float, float, float, float, float]
    """The least, those that a quarter, a half and three quarters of all do not exceed, and the most."""


def scores(plan: Plan, found: Results) -> list[Scores | None]:
    """The scores of each player in a game for one; None for one that has not played, and in all other games."""
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
    """What JSON can hold of what was *found* of the levels by *plan*."""
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
