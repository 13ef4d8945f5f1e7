"""Matches for tests of the computer: at random, and between players by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from papan.ai.players import make_player, situation
from papan.ai.players.compiled import first_of_best
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.kernel import compiled
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.rules import CHANCE, State, is_over, legal_steps, play


def at_random(match: Match, steps: int, seed: int = 1) -> Match:
    """*match* after so many random steps more, or over; what chance brings is a step, too."""
    random = Random(seed)
    for _ in range(steps):
        if not match.ending:
            match.play(match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps()))
    return match


def game_at_random(state: State, random: Random) -> Iterator[State]:
    """The states of a game from *state* on by random steps, the last of them over."""
    yield state
    while not is_over(state):
        state = play(state, random.choice(legal_steps(state)))
        yield state


def four(columns: str) -> Match:
    """A match of Connect Four in these columns, counted from 1."""
    match = Match.new(GAMES["connect-four"], ["first", "second"], {"first": "1"}, seed=1)
    for column in columns:
        for step in parse_turn(match.rules, match.state, column):
            match.play(step)
    return match


def points(game: Game, names: Sequence[str], games: int) -> float:
    """The points of the second of two players in so many *games*, a draw counting a half; they begin by turns."""
    players, won = [make_player(name, game) for name in names], 0.0
    for number in range(games):
        match = Match.new(game, names, {"first": str(number % 2 + 1)}, number)
        while not match.ending:
            match.play(players[match.mover].choose(situation(match)).step)
        won += (match.ending.payoffs[1] + 1) / 2
    return won


@compiled
def best_of(
    state: State, end: int, depth: int, prefers_wins: int, path_end: int, weights: Any,
    work: Any, table: Any, marks: Any, endings: Any, accumulator: Any,
) -> tuple[int, float]:  # fmt: skip
    """The first of the best steps and its score, as compiled players search for it."""
    return first_of_best(state, end, depth, prefers_wins, path_end, weights, work, table, marks, endings, accumulator)
