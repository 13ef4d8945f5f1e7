"""The players of Geissler, "A Mathematical Analysis of the Game of Santorini" (2020), chapter 8, on the board and on
graphs.

All look three turns ahead. ``look-ahead`` takes a win, avoids a loss and otherwise plays at random (section 8.1); the
others evaluate the positions by heights, by centricity, by distance (section 8.2) or by all three (section 8.3).
``combined`` has weights that a genetic algorithm found, as the thesis proposes, for the three and for their tables of
points, one for each level, ring of the board and distance. A table is a sum of features: the first grows evenly, others
add the differences.
"""

from __future__ import annotations

from collections.abc import Mapping

from papan.ai.evaluation import OwnPlayer, Searching, WeightValues
from papan.ai.evaluation.terms import Features
from papan.game.base.sentences import say

DEPTH = 3
"""Turns: "three-ply look-ahead"."""

TABLES = {
    "heights": say("heights of the workers"),
    "upper": say("workers on level 2 or higher"),
    "centricity": say("nearness to the centre"),
    "centre": say("workers in the very centre"),
    "distance": say("nearness to the opponents"),
    "adjacent": say("opponents one move away"),
    "two_away": say("opponents two moves away"),
}
"""The features of the three tables of the thesis, with their titles: two, two and three."""

COMBINED = {
    "heights": 3.12,
    "upper": 1.66,
    "centricity": 1.69,
    "centre": -0.33,
    "distance": -1.18,
    "adjacent": 0.79,
    "two_away": 0.84,
}
"""As points: 3.12 and 7.9 for a worker on the first and the second level; 1.69 and 3.05 on the ring and in the centre;
and less for an opponent's worker the nearer it is, 0, -1.18, -1.52 and -2.75 from four moves to one.
``docs/measurements.md`` says how they were found.
"""

PLAYERS: Mapping[str, OwnPlayer] = {
    "look-ahead": Searching("nothing", DEPTH),
    **{name: Searching(name, DEPTH) for name in ("heights", "centricity", "distance", "combined")},
}


def weights(features: Features) -> Mapping[str, tuple[float, ...]]:
    """The weights of these players over *features*, which include ``TABLES``, by name."""
    return {
        "nothing": features.weights(),
        "heights": features.weights(heights=1.0),
        "centricity": features.weights(centricity=1.0),
        "distance": features.weights(distance=1.0),
        "combined": features.weights(**COMBINED),
    }


def also(features: Features, weights: WeightValues) -> tuple[str, ...]:
    """``TABLES``, which users may weigh too, if *weights* over *features* have nothing else; else ()."""
    others = [weight for name, weight in zip(features, weights, strict=True) if name not in TABLES]
    return () if any(others) else tuple(TABLES)
