"""Luck and skill at Catur Jawa: how much cards, seats, players and chance decide, from replayed deals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from papan.game.base.sentences import Sentence, say
from papan.lab.statistics import Parts, Points, parts
from papan.research.reproduction import catur_jawa_games as games
from papan.research.reproduction.catur_jawa_games import Lineup
from papan.research.reproduction.experiment import Asked, Findings, Found, Table

SHARES: Sequence[tuple[Sentence, Callable[[Parts], float]]] = (
    (say("the cards dealt, %"), lambda found: found.cards),
    (say("the seat, %"), lambda found: found.seat),
    (say("the player, %"), lambda found: found.player),
    (say("player and cards together, %"), lambda found: found.together),
    (say("chance in play, %"), lambda found: found.play),
)


def points_of(found: Found, asked: Asked, lineup: Lineup) -> Points:
    """The points by deal, seat, player and replay."""
    seats = len(lineup.players)
    numbers = games.deals(asked, lineup)
    points = np.zeros((len(numbers), seats, seats, games.REPLAYS))
    for deal in numbers:
        for game in games.games_of(found, lineup, deal):
            for seat, player in enumerate(game["order"]):
                points[deal, seat, player, game["replay"]] = game["points"][seat]
    return points


def findings(asked: Asked, found: Found) -> Findings:
    made_of = Table(say("Sources of a result: shares of its variance"), ",.1f")
    by_players, by_seats = Table(say("By player, over the same deals"), ",.1f"), Table(say("By seat"), ",.1f")
    for lineup in games.lineups(asked):
        points = points_of(found, asked, lineup)
        for words, part in SHARES:
            _add(made_of, lineup, words, points, partial(share, part), is_counted=False)
        for number, player in enumerate(lineup.players):
            words = say("points of seat {seat}, %", seat=number + 1)
            _add(by_seats, lineup, words, points, partial(won_at, number))
            if not lineup.is_even:
                words = say("points of {player}, %", player=player)
                _add(by_players, lineup, words, points, partial(won_by, number))
    return Findings([made_of, by_players, by_seats])


def share(part: Callable[[Parts], float], points: Points) -> float:
    """The share of *part* in the variance of *points*, in %; 0 if all games were drawn."""
    made_of = parts(points)
    return 100 * part(made_of) / made_of.total if made_of.total else 0.0


def won_at(seat: int, points: Points) -> float:
    """The points at a *seat*, in %."""
    return 100 * float(points[:, seat].mean())


def won_by(player: int, points: Points) -> float:
    """The points of the *player* of that number, in %."""
    return 100 * float(points[:, :, player].mean())


def _add(
    table: Table,
    lineup: Lineup,
    words: str,
    points: Points,
    statistic: Callable[[Points], float],
    *,
    is_counted: bool = True,
) -> None:
    """Add the row of a *statistic* of *points*; estimates, which are not counted, may be slightly below 0."""
    interval = games.interval_of(points, statistic, is_share=is_counted)
    table.add(lineup.case, words, None, statistic(points), interval, len(points))


EXPERIMENT = games.experiment(
    "catur-jawa-luck",
    say("Beyond it: luck and skill"),
    say("an hour on one processor"),
    findings,
    notes=lambda asked: (
        *games.notes(asked),
        say(
            "The cards dealt: what a deal gives to a seat, whoever plays it. The player: how players differ over all "
            "deals, which is skill. Chance in play: how results differ when the same players replay the same deal."
        ),
        say(
            "All searches end by depth or simulations: players with a second for a step are given {seconds} s.",
            seconds=games.SECONDS,
        ),
    ),
)
