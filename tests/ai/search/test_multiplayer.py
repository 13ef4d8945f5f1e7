"""Three and four seats: max^n and the paranoid reduction against their definitions."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from papan.ai.evaluation import STANDARD, evaluate, evaluation_of
from papan.ai.limits import WIN, Limit
from papan.ai.players import PlayerError, make_player, situation
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.maxn import MaxN
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.kernel import plainly
from papan.game.match import Match
from papan.game.rules import State, allied, is_over, legal_steps, mover, payoff, play, seats
from tests.ai.playing import at_random

MANY_SEATS = [game for game in GAMES.values() if max(game.seats) > 2 and not game.has_hidden_information]
EVERY_GAME = pytest.mark.parametrize("game", MANY_SEATS, ids=[game.name for game in MANY_SEATS])


def values_of(state: State, player: int, depth: int, turn: int, weights: np.ndarray) -> list[float]:
    """Max^n by definition: what each seat gets, where every seat wants the best for itself."""
    if is_over(state):
        return [(WIN - turn - 1) * payoff(state, seat) for seat in range(seats(state))]
    seat = mover(state)
    if seat != player:
        depth, turn = depth - 1, turn + 1
        if depth == 0:
            return [evaluate(state, seat, weights) for seat in range(seats(state))]
    each = [values_of(play(state, step), seat, depth, turn, weights) for step in legal_steps(state)]
    return max(each, key=lambda values: values[seat])


def paranoid_value(state: State, player: int, root: int, depth: int, turn: int, weights: np.ndarray) -> float:
    """What the root's side gets where all others only want to harm it."""
    if is_over(state):
        return (WIN - turn - 1) * payoff(state, root)
    seat = mover(state)
    if seat != player:
        depth, turn = depth - 1, turn + 1
        if depth == 0:
            return evaluate(state, root, weights)
    best = max if allied(state, root, seat) else min
    return best(paranoid_value(play(state, step), seat, root, depth, turn, weights) for step in legal_steps(state))


def positions(game: Game, number: int) -> list[Match]:
    """Random positions with few steps to choose from, for all numbers of seats above two."""
    random = Random(3)
    found: list[Match] = []
    while len(found) < number:
        count = random.choice([seats for seats in game.seats if seats > 2])
        seed = random.randrange(2**31)
        match = at_random(Match.new(game, ["a"] * count, seed=seed), random.randrange(10, 80), seed)
        if not match.ending and len(match.legal_steps()) <= 8:
            found.append(match)
    return found


@EVERY_GAME
def test_each_finds_what_its_definition_says(game: Game) -> None:
    weights = evaluation_of(game).WEIGHTS[STANDARD]
    values = np.array(weights)
    for match in positions(game, 6):
        seat, after = match.mover, {step: play(match.state, step) for step in match.legal_steps()}
        found = MaxN(game.rules, weights).analyse(match.state, Limit(depth=1))
        worth = {step: values_of(state, seat, 1, 0, values)[seat] for step, state in after.items()}
        assert found.score == pytest.approx(max(worth.values())) == worth[found.step]
        paranoid = AlphaBeta(game.rules, weights, table_bits=12).analyse(match.state, Limit(depth=1))
        worst = max(paranoid_value(state, seat, seat, 1, 0, values) for state in after.values())
        assert paranoid.score == pytest.approx(worst)


@EVERY_GAME
def test_plain_python_finds_the_same(game: Game) -> None:
    weights = evaluation_of(game).WEIGHTS[STANDARD]
    for match in positions(game, 6):
        compiled = MaxN(game.rules, weights).analyse(match.state, Limit(nodes=300))
        with plainly():
            plain = MaxN(game.rules, weights).analyse(match.state, Limit(nodes=300))
        assert (plain.step, plain.nodes, plain.score) == (compiled.step, compiled.nodes, compiled.score)
        assert plain.promises == compiled.promises


@EVERY_GAME
@pytest.mark.parametrize("name", ["paranoid:depth=2", "maxn:depth=2", "minimax:easy"])
def test_the_players_play_with_any_number_of_seats(game: Game, name: str) -> None:
    for count in game.seats:
        match = Match.new(game, [name] * count, seed=1)
        player = make_player(f"{name},nodes=3000", game)
        for _ in range(6):
            if not match.ending:
                match.play(player.choose(situation(match)).step)


def test_games_for_two_have_no_such_players() -> None:
    for name in ("maxn:hard", "paranoid:hard"):
        with pytest.raises(PlayerError):
            make_player(name, GAMES["connect-four"])
