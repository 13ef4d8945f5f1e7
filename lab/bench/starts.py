"""The positions that benchmarks begin with."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from game.catalogue import Game
from game.kernels import CHANCE
from game.match import Match

OPENING_TURNS = 4
"""Turns played at random before a search is measured: the middle of the opening."""

SETUPS: dict[str, dict[str, str]] = {"santorini": {"gods": "none", "placement": "random"}}
"""Options under which a game is measured, where they are not the defaults."""


def starts(game: Game, number: int, options: Mapping[str, str] | None = None) -> list[Match]:
    """Matches at their start, as a benchmark has them: of *number* seeds, under *options* or those in ``SETUPS``."""
    seats = [""] * game.seats[0]
    return [Match.new(game, seats, options or SETUPS.get(game.name), seed) for seed in range(number)]


def opening(match: Match) -> Match:
    """*match* after ``OPENING_TURNS`` random turns of its seats, and what chance brings before the next one."""
    random = Random(match.seed)
    turns = 0
    while not match.ending and (turns < OPENING_TURNS or match.mover == CHANCE):
        seat = match.mover
        match.play(match.chance_step() if seat == CHANCE else random.choice(match.legal_steps()))
        turns += seat != CHANCE and not match.ending and match.mover != seat
    return match
