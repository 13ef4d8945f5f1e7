"""Primanita, Khalid and Iida (2021), Table 4: 2048 by expectimax of several depths."""

from __future__ import annotations

from papan.game.base.sentences import say
from papan.research.reproduction import games_2048
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Found, Row, Table, mean_row, share_row

MOST_DEPTH = 4
TILES = (512, 1024, 2048, 4096)
PUBLISHED = {
    2: ((5, 7, 7, 1), 20212.0, 1031.0),
    3: ((0, 9, 10, 1), 25163.0, 1244.0),
    4: ((2, 4, 10, 4), 32866.25, 1537.05),
}
"""By depth: how many of 20 games come to each of ``TILES``, the mean score, the mean number of steps."""


def findings(asked: Asked, found: Found) -> Findings:
    """Table 4."""
    tiles, means = list[Row](), list[Row]()
    for depth in games_2048.depths(asked, MOST_DEPTH):
        counts, score, steps = PUBLISHED[depth]
        games = games_2048.games_of(found, asked, depth)
        case = f"d = {depth}"
        for tile, count in zip(TILES, counts, strict=True):
            own = sum(game.tile == tile for game in games)
            words = say("highest tile {tile}, % of games", tile=tile)
            tiles.append(share_row(case, words, 100 * count / games_2048.GAMES, own, len(games)))
        others = sum(game.tile not in TILES for game in games)
        tiles.append(share_row(case, say("another highest tile, % of games"), 0.0, others, len(games)))
        means.append(mean_row(case, say("score"), score, [game.score for game in games]))
        means.append(mean_row(case, say("steps"), steps, [float(len(game.course.plays)) for game in games]))
    return Findings([Table(say("Highest tiles"), tiles, ",.1f"), Table(say("Means"), means, ",.1f")])


EXPERIMENT = Experiment(
    "expectimax-2048",
    "Primanita, Khalid and Iida (2021)",
    say("Table 4"),
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
