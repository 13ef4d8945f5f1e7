"""Primanita, Khalid and Iida (2021), Figures 7 to 9: conspiracy numbers in games of 2048, milestone by milestone."""

from __future__ import annotations

from statistics import fmean

from papan.ai.indicators.course import HIGH_FROM, LOW_BELOW
from papan.game.base.sentences import say
from papan.research.reproduction import games_2048
from papan.research.reproduction.experiment import Asked, Chart, Experiment, Findings, Found, Line, Row, Table, mean_row

MOST_DEPTH = 4
LEVELS = {"low": say("low, % of plays"), "middle": say("middle, % of plays"), "high": say("high, % of plays")}
FREQUENT = {2: ("low", "middle"), 3: ("high",), 4: ("low", "high")}
"""By depth the numbers that the paper says are frequent; it gives no figures."""
FIRST_MILESTONE = 3
"""The exponent of the tile that the first milestone is: 8."""


def level(number: float) -> str:
    """What a normalised *number* is.

    >>> level(0.2), level(0.5), level(0.9)
    ('low', 'middle', 'high')
    """
    return "low" if number < LOW_BELOW else "high" if number >= HIGH_FROM else "middle"


def findings(asked: Asked, found: Found) -> Findings:
    """How often numbers are low, in the middle and high; their means by milestone; the first game of each depth."""
    shares, milestones, charts = list[Row](), list[Row](), list[Chart]()
    for depth in games_2048.depths(asked, MOST_DEPTH):
        games = games_2048.games_of(found, asked, depth)
        case = f"d = {depth}"
        for name, measure in LEVELS.items():
            own = [100 * fmean(level(number) == name for number in game.course.normalised) for game in games]
            shares.append(mean_row(case, measure, say("frequent") if name in FREQUENT[depth] else None, own))
        means: dict[int, list[float]] = {}
        for game in games:
            parts: dict[int, list[float]] = {}
            for play, number in zip(game.course.plays, game.course.normalised, strict=True):
                parts.setdefault(play.segment, []).append(number)
            for segment, numbers in parts.items():
                means.setdefault(segment, []).append(fmean(numbers))
        for segment, values in sorted(means.items()):
            words = say("normalised SCN with {tile} as the highest tile", tile=1 << segment + FIRST_MILESTONE - 1)
            milestones.append(mean_row(case, words, None, values))
        first = games[0].course
        points = [(float(place), number) for place, number in enumerate(first.normalised, start=1)]
        note = say("the first game, to {tile}", tile=games[0].tile)
        charts.append(Chart(case, say("step"), say("SCN, normalised"), [Line("SCN", points)], note))
    return Findings(
        [Table(say("How often"), shares, ",.1f"), Table(say("Milestone by milestone"), milestones)],
        charts,
    )


EXPERIMENT = Experiment(
    "scn-2048",
    "Primanita, Khalid and Iida (2021)",
    say("Figures 7 to 9"),
    say("hours; minutes with --reading depth=3"),
    lambda asked: games_2048.pieces(asked, MOST_DEPTH),
    games_2048.compute,
    findings,
    games_2048.READINGS,
    tuple(games_2048.READINGS),
    games_2048.notes,
    source=games_2048.SOURCE,
    answer=games_2048.Kept,
)
