"""Catur Jawa as one seat sees it: which weights it asks for, and that they are learned."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from papan.ai.evaluation import STANDARD, evaluate, evaluation_of
from papan.ai.evaluation.catur_jawa import BY_HAND, BY_VIEWS
from papan.ai.learning.catur_jawa import ENTRIES, FOURS, HANDS, NETWORK, STAGES
from papan.ai.learning.hidden import Memory, learn_games
from papan.ai.learning.learner import Knowledge, new_knowledge
from papan.ai.learning.views import promised, view_odds, write_view
from papan.ai.learning.weight_files import keep_weights, read_weights
from papan.game.catalogue import GAMES
from papan.game.kernel.rng import random_state, skip_streams
from papan.game.match import Match
from papan.game.rules import State, facts_to_deal
from tests.ai.learning.training import laid, laid_every_way

GAME = GAMES["catur-jawa"]
STANDARD_WEIGHTS = evaluation_of(GAME).WEIGHTS[STANDARD]
SCALE = evaluation_of(GAME).SCALE


def room() -> NDArray[np.int64]:
    """For the places of a view."""
    return np.zeros(NETWORK.most, np.int64)


def view(state: State, seat: int) -> list[int]:
    places = room()
    return sorted(places[: write_view(state, seat, places, 0)].tolist())


def threes(owner: str) -> State:
    """Three in a row of one seat, which the other hasn't; red is to move, and nobody's hand covers anything."""
    cards = {(x, 4): f"{owner}{value}" for x, value in zip((4, 5, 6), (7, 8, 9), strict=True)}
    return laid(cards, "1 123,123 45,45")


def learned(start: State, games: int, *, trace: float = 0.7, seed: int = 1, parts: int = 1) -> Knowledge:
    """What *games* from *start* on have taught, in so many *parts*."""
    knowledge = new_knowledge(NETWORK)
    facts = facts_to_deal(GAME.rules, GAME.complete_options({}))
    settings = np.array([1.0, trace, 0.1])
    for part in range(parts):
        memory, streams = Memory.new(NETWORK, GAME.rules.MOST_STEPS), random_state(seed)
        skip_streams(streams, part * (games // parts))
        learn_games(
            start, facts, games // parts, settings, *knowledge, np.zeros(0),
            memory.places, memory.notes, memory.values, memory.buffer, memory.report, memory.random, streams,
        )  # fmt: skip
    return knowledge


class TestNumbers:
    """What is written of a position."""

    @pytest.mark.parametrize("seats", [2, 3, 4])
    def test_each_seat_has_a_stage_by_when_it_moves(self, seats: int) -> None:
        match, random = Match.new(GAME, [""] * seats, {}, seats), Random(seats)
        known: set[int] = set()
        while not match.ending:
            for seat in range(seats):
                numbers = view(match.state, seat)
                assert len(numbers) <= NETWORK.most
                (stage,) = {number // ENTRIES for number in numbers}
                known.add(stage)
                assert stage % seats >= 0 and stage < STAGES
            match.play(random.choice(match.legal_steps()))
        first = {2: 0, 3: 2, 4: 5}[seats]
        assert known == set(range(first, first + seats))

    def test_they_are_the_same_for_a_table_that_is_mirrored_or_turned(self) -> None:
        found = [view(state, 0) for state in laid_every_way()]
        assert all(numbers == found[0] for numbers in found)

    def test_fours_and_hands_are_told(self) -> None:
        def part(state: State) -> tuple[list[int], list[int]]:
            numbers = [number % ENTRIES for number in view(state, 0)]
            return [n for n in numbers if FOURS <= n < HANDS], [n for n in numbers if HANDS <= n < HANDS + 1000]

        mine, theirs = part(threes("r")), part(threes("g"))
        assert len(mine[0]) == len(theirs[0]) == 1 and mine[0] != theirs[0]
        assert mine[1] == theirs[1] == [HANDS + 1 + 10 * 2 + 100 * 3]


class TestLearning:
    """What games against itself teach."""

    def test_who_can_win_at_once_is_promised_much(self) -> None:
        weights = learned(threes("r"), 300).weights
        winning, losing = (view_odds(threes("r"), seat, weights, 0, room()) for seat in range(2))
        assert promised(winning) > 0.8 and promised(losing) < -0.8
        assert view_odds(threes("r"), 0, new_knowledge(NETWORK).weights, 0, room()) == 0.0

    def test_with_a_full_trace_it_is_what_games_pay(self) -> None:
        start = laid({(4, 4): "r9"}, "2 ,9 ,")  # blue plays its last card, and both have a 9: a draw
        weights = learned(start, 50, trace=1.0).weights
        assert promised(view_odds(start, 1, weights, 0, room())) == pytest.approx(0.0, abs=0.05)

    def test_the_same_seed_learns_the_same_in_one_piece_or_several(self) -> None:
        start = threes("g")
        one, other, another = learned(start, 40), learned(start, 40, parts=4), learned(start, 40, seed=2)
        assert all((mine == theirs).all() for mine, theirs in zip(one, other, strict=True))
        assert (one.weights != another.weights).any()

    def test_the_evaluation_adds_what_views_have_learned(self, tmp_path: Path) -> None:
        state, weights = threes("r"), learned(threes("r"), 100).weights
        with (tmp_path / "weights.npz").open("wb") as file:
            keep_weights(file, NETWORK, weights, weights != 0.0, "a test")
        read = read_weights(tmp_path / "weights.npz", NETWORK, np.array(STANDARD_WEIGHTS))
        odds = view_odds(state, 0, weights, 0, room())
        by_hand = evaluate(state, 0, np.array(STANDARD_WEIGHTS))
        assert odds > 1.0
        assert evaluate(state, 0, read) == pytest.approx(BY_HAND * by_hand + BY_VIEWS * SCALE * odds, rel=0.01)
        assert evaluate(state, 1, read) == -evaluate(state, 0, read)
