"""Primanita, Khalid and Iida (2021), Table 6 and Figures 10 and 13: motion in mind in games of 2048."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from papan.ai.indicators.motion import Motion, motion
from papan.game.base.sentences import say
from papan.research.reproduction import games_2048
from papan.research.reproduction.experiment import Asked, Chart, Experiment, Findings, Found, Line, Row, Table, mean_row

MOST_DEPTH = 5
PUBLISHED = {
    (2, 1024): (0.32782, 0.67218, 0.21517, 0.14447), (2, 2048): (0.32727, 0.67273, 0.21383, 0.14411),
    (3, 1024): (0.49763, 0.50237, 0.24464, 0.24881), (3, 2048): (0.45281, 0.54719, 0.22709, 0.22439),
    (4, 1024): (0.36248, 0.63752, 0.18039, 0.16753), (4, 2048): (0.44654, 0.55346, 0.21766, 0.22072),
    (5, 1024): (0.38209, 0.61791, 0.17264, 0.18042), (5, 2048): (0.28728, 0.71272, 0.18343, 0.11764),
}  # fmt: skip
"""By depth and highest tile: v, M, the mean momentum, the potential energy."""
TURNING_VELOCITY = 2 / 3
"""Up to which potential energy grows with velocity."""


def rows_of(case: str, published: Sequence[float | None], motions: Sequence[Motion]) -> list[Row]:
    """Table 6's row of games with these *motions*; M and E_p follow from the mean v, as the paper's do."""
    velocity = mean_row(case, "v", published[0], [one.velocity for one in motions])
    momentum = mean_row(case, "p̄", published[2], [one.mean_momentum for one in motions])
    if not motions:
        return [velocity, Row(case, "M", published[1], None), momentum, Row(case, "E_p", published[3], None)]
    mean = Motion(fmean(one.velocity for one in motions), 0.0)
    masses = energies = None
    if velocity.interval is not None:
        low, high = velocity.interval
        masses = 1.0 - high, 1.0 - low
        if high <= TURNING_VELOCITY:
            energies = Motion(low, 0.0).potential_energy, Motion(high, 0.0).potential_energy
    number = len(motions)
    return [
        velocity,
        Row(case, "M", published[1], mean.mass, masses, number),
        momentum,
        Row(case, "E_p", published[3], mean.potential_energy, energies, number),
    ]


def findings(asked: Asked, found: Found) -> Findings:
    """Table 6, of games by what they have come to, and of all; curves by depth."""
    rows, every = list[Row](), list[Row]()
    curves: dict[str, list[tuple[float, float]]] = {"v": [], "M": [], "p̄": [], "E_p": []}
    lines = []
    for depth in games_2048.depths(asked, MOST_DEPTH):
        games = games_2048.games_of(found, asked, depth)
        for (own_depth, tile), published in PUBLISHED.items():
            if own_depth == depth:
                motions = [motion(game.course.normalised) for game in games if game.tile == tile]
                rows += rows_of(f"d = {depth}, {tile}", published, motions)
        motions = [motion(game.course.normalised) for game in games]
        for row in rows_of(f"d = {depth}", (None,) * 4, motions):
            every.append(row)
            curves[row.measure].append((float(depth), float(row.ours or 0.0)))
        masses = [(float(place), one.mass) for place, one in enumerate(games[0].course.motions, start=1)]
        lines.append(Line(f"d = {depth}", masses))
    by_depth = Chart(say("Motion in mind by depth"), "d", "", [Line(name, points) for name, points in curves.items()])
    course = Chart(say("M in the course of the first game"), say("step"), "M", lines)
    return Findings(
        [Table(say("By the highest tile"), rows, ".5f"), Table(say("All games"), every, ".5f")], [by_depth, course]
    )


EXPERIMENT = Experiment(
    "motion-2048",
    "Primanita, Khalid and Iida (2021)",
    say("Table 6, Figures 10 and 13"),
    say("days; minutes with --reading depth=3"),
    lambda asked: games_2048.pieces(asked, MOST_DEPTH),
    games_2048.compute,
    findings,
    games_2048.READINGS,
    tuple(games_2048.READINGS),
    games_2048.notes,
    source=games_2048.SOURCE,
    answer=games_2048.Kept,
)
