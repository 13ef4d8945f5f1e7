"""Matches to look at."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import CHANCE


def in_columns(columns: str, *seats: str, seed: int = 1) -> Match:
    """A match of Connect Four, with discs in *columns*, counted from 1; default seats: two persons."""
    match = Match.new(GAMES["connect-four"], seats or ("human", "human"), {"first": "1"}, seed)
    for column in columns:
        match.play(int(column) - 1)
    return match


def played(game: str, *seats: str, seed: int = 1, steps: int = 6, options: Mapping[str, str] | None = None) -> Match:
    """A match of at most so many random *steps*; default seats: persons, as few as can be."""
    chosen = GAMES[game]
    match = Match.new(chosen, seats or ["human"] * chosen.seats[0], {"first": "1", **(options or {})}, seed)
    random = Random(seed)
    while not match.ending and len(match.steps) < steps:
        match.play(match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps()))
    return match
