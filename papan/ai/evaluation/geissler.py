"""The players of Geissler, "A Mathematical Analysis of the Game of Santorini" (2020), chapter 8, on the board and on
graphs.

All look three turns ahead. ``look-ahead`` takes a win, avoids a loss and otherwise plays at random (section 8.1); the
others judge what it sees by heights, by centricity, by distance (section 8.2) or by all three (section 8.3).
``combined`` has weights that a genetic algorithm found, as the thesis proposes, over the three and over their tables
of points: what a level, a ring of the board and a distance is worth. A table is a sum of features: what its first,
evenly growing one leaves out, others add.
"""

from __future__ import annotations

from collections.abc import Mapping

from papan.ai.evaluation import OwnPlayer, Searching
from papan.ai.evaluation.features import Features

DEPTH = 3
"""Turns: "three-ply look-ahead"."""

TABLES = ("heights", "upper", "centricity", "centre", "distance", "adjacent", "two_away")
"""The features of which the thesis' three tables are made: two, two and three."""

COMBINED = {"heights": 3.0, "centricity": 1.0, "distance": 1.0}

PLAYERS: Mapping[str, OwnPlayer] = {
    "look-ahead": Searching("nothing", DEPTH),
    **{name: Searching(name, DEPTH) for name in ("heights", "centricity", "distance", "combined")},
}


def weights(features: Features) -> Mapping[str, tuple[float, ...]]:
    """The weights of these players over *features*, which have all of ``TABLES``, by name."""
    return {
        "nothing": features.weights(),
        "heights": features.weights(heights=1.0),
        "centricity": features.weights(centricity=1.0),
        "distance": features.weights(distance=1.0),
        "combined": features.weights(**COMBINED),
    }
