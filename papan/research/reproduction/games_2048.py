"""Primanita, Khalid and Iida (2021), Tables 4 and 6, Figures 7 to 13: games of 2048 by expectimax.

Five experiments share the same games at several search depths, with their conspiracy numbers. The players are those
of equation 9: ``rookie``, ``casual``, ``expert`` and ``master``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from statistics import fmean
from typing import Any, NamedTuple, TypedDict

from papan.ai.indicators.conspiracy import Conspiracy
from papan.ai.indicators.course import HIGH_FROM, LOW_BELOW, Course, Play, course_of
from papan.ai.indicators.motion import Motion, motion
from papan.game.base.sentences import say
from papan.game.base.typed import Amount, Whole
from papan.game.catalogue import find
from papan.game.match import Match
from papan.game.rules.twenty48.board import tile
from papan.lab.arena import make_players, play_match
from papan.research.reproduction.experiment import (
    Asked,
    Chart,
    Experiment,
    Findings,
    Found,
    Line,
    Piece,
    Row,
    Table,
    mean_row,
)

SOURCE = "games-2048"
PLAYERS = {2: "rookie", 3: "casual", 4: "expert", 5: "master"}
"""The player of each search depth d, in turns."""
GAMES: Mapping[int, int] = dict.fromkeys(PLAYERS, 20)
"""The paper's games of each depth."""
MANY_GAMES = {2: 1000, 3: 1000, 4: 100, 5: 20}
"""Those behind Figures 10 to 12, of which the paper does not say how many it has."""
FEW = 0.02
"""The share of ``MANY_GAMES`` that is played unless another scale is asked for: 20 of depths 2 and 3."""
READINGS: Mapping[str, Sequence[str]] = {"depth": ("4",)}
"""The greatest depth to play; each depth takes about twenty times as long as the one before."""
FIELDS = 16


class Kept(TypedDict):
    """A game, as in the journal."""

    tile: Whole
    score: Amount
    numbers: list[Amount | None]
    segments: list[Whole]


class Played(NamedTuple):
    """A game."""

    tile: int
    """The highest tile."""
    score: float
    course: Course


def depths(asked: Asked) -> list[int]:
    """The paper's depths that this run plays."""
    return [depth for depth in PLAYERS if depth <= asked.number("depth")]


def pieces(asked: Asked, games: Mapping[int, int]) -> Sequence[Sequence[Piece]]:
    """A piece for each of *games*; the shorter ones first."""
    each = (
        Piece.every("d{depth} {game}", depth=[depth], game=range(asked.count(games[depth]))) for depth in depths(asked)
    )
    return [[piece for own in each for piece in own]]


def compute(piece: Piece, asked: Asked, found: Found) -> dict[str, Any]:
    """Play a game; return its result and, by play, the conspiracy number (None for infinity) and the milestone."""
    game, player = find("2048"), PLAYERS[piece.facts["depth"]]
    match = Match.new(game, [player], {}, asked.draw("game", piece.facts["game"]))
    play_match(match, make_players(game, [player]))
    assert match.ending is not None
    course = course_of(match, Conspiracy(game))
    return {
        "tile": 1 << max(tile(match.state, cell) for cell in range(FIELDS)),
        "score": match.ending.payoffs[0],
        "numbers": [None if one.number == inf else one.number for one in course.plays],
        "segments": [one.segment for one in course.plays],
    }


def games_of(found: Found, asked: Asked, depth: int, games: Mapping[int, int] = GAMES) -> list[Played]:
    return [read(found[f"d{depth} {number}"]) for number in range(asked.count(games[depth]))]


def read(data: Mapping[str, Any]) -> Played:
    """The game from ``compute``'s *data*."""
    plays = [
        Play(turn, 0, inf if number is None else number, segment)
        for turn, (number, segment) in enumerate(zip(data["numbers"], data["segments"], strict=True), start=1)
    ]
    return Played(data["tile"], data["score"], Course(tuple(plays)))


def notes(asked: Asked) -> Sequence[str]:
    """How this run settles what the paper leaves open, in sentences."""
    return (
        say("The matrix of weights is a snake, each cell worth half of the one before; it judges ends of games, too."),
        say("T is 5.5 at first, and doubles with each new highest tile. Numbers are normalised within each milestone."),
        say("Depths up to {depth} are played.", depth=asked.readings["depth"]),
    )


def _experiment(
    name: str,
    part: str,
    duration: str,
    findings: Callable[[Asked, Found], Findings],
    games: Mapping[int, int] = GAMES,
    readings: Mapping[str, Sequence[str]] = READINGS,
) -> Experiment:
    return Experiment(
        name,
        "Primanita, Khalid and Iida (2021)",
        part,
        duration,
        lambda asked: pieces(asked, games),
        compute,
        findings,
        readings,
        tuple(readings),
        notes,
        usual_scale=1.0 if games is GAMES else FEW,
        source=SOURCE,
        answer=Kept,
    )


# -------------------------------------------------------------------------------- Table 4

TILES = (512, 1024, 2048, 4096)
TABLE_4: Mapping[int, tuple[tuple[int, ...], float, float]] = {
    2: ((5, 7, 7, 1), 20212.0, 1031.0),
    3: ((0, 9, 10, 1), 25163.0, 1244.0),
    4: ((2, 4, 10, 4), 32866.25, 1537.05),
}
"""By depth: how many of 20 games reach each of ``TILES``, the mean score, and the mean number of steps."""


def table_4(asked: Asked, found: Found) -> Findings:
    tiles, means = Table(say("Highest tiles"), ",.1f"), Table(say("Means"), ",.1f")
    for depth in depths(asked):
        counts, score, steps = TABLE_4.get(depth, ((None,) * len(TILES), None, None))
        games = games_of(found, asked, depth)
        case = f"d = {depth}"
        for highest, count in zip(TILES, counts, strict=True):
            own = sum(game.tile == highest for game in games)
            words = say("highest tile {tile}, % of games", tile=highest)
            published = None if count is None else 100 * count / GAMES[depth]
            tiles.share(case, words, published, own, len(games))
        others, published = sum(game.tile not in TILES for game in games), 0.0 if depth in TABLE_4 else None
        tiles.share(case, say("another highest tile, % of games"), published, others, len(games))
        means.mean(case, say("score"), score, [game.score for game in games])
        means.mean(case, say("steps"), steps, [float(len(game.course.plays)) for game in games])
    return Findings([tiles, means])


EXPECTIMAX = _experiment("expectimax-2048", say("Table 4"), say("hours; minutes with --reading depth=3"), table_4)


# -------------------------------------------------------------------------------- Figures 7 to 9

LEVELS = {"low": say("low, % of plays"), "middle": say("middle, % of plays"), "high": say("high, % of plays")}
FREQUENT = {2: ("low", "middle"), 3: ("high",), 4: ("low", "high")}
"""By depth: the levels of conspiracy numbers that the paper calls frequent; it gives no figures."""
FIRST_MILESTONE = 3
"""The first milestone is the tile 8, as a power of two."""


def level(number: float) -> str:
    """The level of a normalised conspiracy *number*.

    >>> level(0.2), level(0.5), level(0.9)
    ('low', 'middle', 'high')
    """
    return "low" if number < LOW_BELOW else "high" if number >= HIGH_FROM else "middle"


def conspiracy_findings(asked: Asked, found: Found) -> Findings:
    """The shares of low, middle and high numbers, means by milestone, and a chart of the first game of each depth."""
    shares, milestones = Table(say("How often"), ",.1f"), Table(say("Milestone by milestone"))
    charts = []
    for depth in depths(asked):
        games = games_of(found, asked, depth)
        case = f"d = {depth}"
        for name, measure in LEVELS.items():
            own = [100 * fmean(level(number) == name for number in game.course.normalised) for game in games]
            shares.mean(case, measure, say("frequent") if name in FREQUENT.get(depth, ()) else None, own)
        means: dict[int, list[float]] = {}
        for game in games:
            for highest, numbers in _milestones(game.course).items():
                means.setdefault(highest, []).append(fmean(numbers))
        for highest, values in sorted(means.items()):
            milestones.mean(case, say("normalised SCN with {tile} as the highest tile", tile=highest), None, values)
        first = games[0].course
        points = [(float(place), number) for place, number in enumerate(first.normalised, start=1)]
        note = say("the first game, to {tile}", tile=games[0].tile)
        charts.append(Chart(case, say("step"), say("SCN, normalised"), [Line("SCN", points)], note))
    return Findings([shares, milestones], charts)


CONSPIRACY = _experiment(
    "scn-2048", say("Figures 7 to 9"), say("hours; minutes with --reading depth=3"), conspiracy_findings
)


# ------------------------------------------------------------------------ Table 6 and Figure 13

TABLE_6 = {
    (2, 1024): (0.32782, 0.67218, 0.21517, 0.14447), (2, 2048): (0.32727, 0.67273, 0.21383, 0.14411),
    (3, 1024): (0.49763, 0.50237, 0.24464, 0.24881), (3, 2048): (0.45281, 0.54719, 0.22709, 0.22439),
    (4, 1024): (0.36248, 0.63752, 0.18039, 0.16753), (4, 2048): (0.44654, 0.55346, 0.21766, 0.22072),
    (5, 1024): (0.38209, 0.61791, 0.17264, 0.18042), (5, 2048): (0.28728, 0.71272, 0.18343, 0.11764),
}  # fmt: skip
"""By depth and highest tile: v, M, the mean momentum, and the potential energy."""
REACHED, HIGHEST = "reached", "highest"
"""What Table 6's tiles are: Figure 13 calls them objectives to reach, so its games go on; its heading the highest."""
TURNING_VELOCITY = 2 / 3
"""The velocity of greatest potential energy."""


def rows_of(case: str, published: Sequence[float | None], motions: Sequence[Motion]) -> list[Row]:
    """Table 6's row for games with these *motions*; M and E_p are computed from the mean v, as in the paper."""
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


def until(course: Course, highest: int) -> Course:
    """The plays before the tile *highest* is made."""
    return Course(tuple(play for play in course.plays if _highest(play) < highest))


def motion_findings(asked: Asked, found: Found) -> Findings:
    """Table 6 by tile and for all games, curves by depth, and Figure 13: M in games on the way to a tile."""
    table, every = Table(say("By tile"), ".5f"), Table(say("All games"), ".5f")
    curves: dict[str, list[tuple[float, float]]] = {"v": [], "M": [], "p̄": [], "E_p": []}
    ways: dict[int, list[Line]] = {}
    for depth in depths(asked):
        games = games_of(found, asked, depth)
        for (own_depth, highest), published in TABLE_6.items():
            if own_depth != depth:
                continue
            courses = [until(game.course, highest) for game in games if game.tile >= highest]
            if asked.readings["tile"] == HIGHEST:
                courses = [game.course for game in games if game.tile == highest]
            motions = [motion(course.normalised) for course in courses]
            table.rows += rows_of(f"d = {depth}, {highest}", published, motions)
            if courses:
                masses = [(float(place), one.mass) for place, one in enumerate(courses[0].motions, start=1)]
                ways.setdefault(highest, []).append(Line(f"d = {depth}", masses))
        for row in rows_of(f"d = {depth}", (None,) * 4, [motion(game.course.normalised) for game in games]):
            every.rows.append(row)
            curves[row.measure].append((float(depth), float(row.ours or 0.0)))
    charts = [Chart(say("Motion in mind by depth"), "d", "", [Line(name, points) for name, points in curves.items()])]
    for highest, lines in sorted(ways.items()):
        charts.append(Chart(say("M in the first game with {tile}", tile=highest), say("step"), "M", lines))
    return Findings([table, every], charts)


MOTION = _experiment(
    "motion-2048",
    say("Table 6, Figure 13"),
    say("hours; minutes with --reading depth=3"),
    motion_findings,
    readings={**READINGS, "tile": (REACHED, HIGHEST)},
)


# -------------------------------------------------------------------------------- Figure 10

MILESTONES = (64, 128, 256, 512, 1024, 2048)
"""The highest tiles of its data points."""
FIGURE_10 = {"v": "SCN = v", "p̄": "p̄", "E_p": "E_p"}
"""The names of its curves by measure."""


def milestone_findings(asked: Asked, found: Found) -> Findings:
    """Motion in mind from each milestone to the next, by depth."""
    table, charts = Table(say("From one milestone to the next"), ".3f"), []
    for depth in depths(asked):
        played = [_milestones(game.course) for game in games_of(found, asked, depth, MANY_GAMES)]
        curves: dict[str, list[tuple[float, float]]] = {name: [] for name in FIGURE_10}
        for highest in MILESTONES:
            motions = [motion(parts[highest]) for parts in played if highest in parts]
            for row in rows_of(f"d = {depth}, {highest}", (None,) * 4, motions):
                table.rows.append(row)
                if row.measure in curves and row.ours is not None:
                    curves[row.measure].append((float(highest), float(row.ours)))
        lines = [Line(FIGURE_10[name], points) for name, points in curves.items()]
        charts.append(Chart(f"d = {depth}", say("highest tile"), "", lines, is_logarithmic=True))
    return Findings([table], charts)


def _milestones(course: Course) -> dict[int, list[float]]:
    """The normalised conspiracy numbers of the plays with each highest tile."""
    parts: dict[int, list[float]] = {}
    for play, number in zip(course.plays, course.normalised, strict=True):
        parts.setdefault(_highest(play), []).append(number)
    return parts


def _highest(play: Play) -> int:
    """The highest tile before *play*."""
    return 1 << play.segment + FIRST_MILESTONE - 1


MILESTONE = _experiment(
    "milestones-2048",
    say("Figure 10"),
    say("hours; minutes with --scale 0.02 --reading depth=3"),
    milestone_findings,
    MANY_GAMES,
)


# -------------------------------------------------------------------------------- Figures 11 and 12

ENDING_IN_A_TRAP = {2: say("many"), 3: say("many"), 4: say("few")}
"""By depth: how many games end in a stability trap, as the paper's text has it."""
SHOWN = (3, 4)
"""The depths of Figures 12 and 11, which show one game each."""


def trap_findings(asked: Asked, found: Found) -> Findings:
    """How often players get into stability traps, and whether they escape, by depth."""
    table, charts = Table(say("Stability traps"), ",.2f"), []
    for depth in depths(asked):
        games, case = games_of(found, asked, depth, MANY_GAMES), f"d = {depth}"
        traps = [game.course.traps(0) for game in games]
        lost = sum(bool(own) and not own[-1].is_escaped for own in traps)
        table.share(case, say("games that end in a trap, %"), ENDING_IN_A_TRAP.get(depth), lost, len(games))
        table.mean(case, say("traps a game"), None, [float(len(own)) for own in traps])
        escaped = [100 * fmean(trap.is_escaped for trap in own) for own in traps if own]
        table.mean(case, say("escaped, % of a game's traps"), None, escaped)
        spent = [
            100 * sum(trap.last - trap.first + 1 for trap in own) / len(game.course.plays)
            for own, game in zip(traps, games, strict=True)
        ]
        table.mean(case, say("plays in traps, %"), None, spent)
        lengths = [fmean(trap.last - trap.first + 1 for trap in own) for own in traps if own]
        table.mean(case, say("plays of a trap"), None, lengths)
        if depth in SHOWN:
            first, inside = games[0].course, {turn for trap in traps[0] for turn in range(trap.first, trap.last + 1)}
            lines = [
                Line("SCN", first.series(0)),
                Line(say("in a trap"), [(play.turn, float(play.turn in inside)) for play in first.plays]),
            ]
            note = say("the first game, to {tile}", tile=games[0].tile)
            charts.append(Chart(case, say("step"), say("SCN, normalised"), lines, note))
    return Findings([table], charts)


ESCAPES = _experiment(
    "escapes-2048",
    say("Figures 11 and 12"),
    say("hours; minutes with --scale 0.02 --reading depth=3"),
    trap_findings,
    MANY_GAMES,
)
