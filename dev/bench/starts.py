"""The positions that benchmarks begin with."""

from __future__ import annotations

from collections.abc import Mapping

from papan.game.game import Game
from papan.game.match import Match

SETUPS: dict[str, dict[str, str]] = {"santorini": {"gods": "none", "placement": "random"}}
"""Options under which a game is measured, where they are not the defaults."""


def starts(game: Game, number: int, options: Mapping[str, str] | None = None) -> list[Match]:
    """Matches at their start, as a benchmark has them: of *number* seeds, under *options* or those in ``SETUPS``."""
    seats = [""] * game.seats[0]
    return [Match.new(game, seats, options or SETUPS.get(game.name), seed) for seed in range(number)]
