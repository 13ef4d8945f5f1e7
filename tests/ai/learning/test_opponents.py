"""What others may hold and are likely to do, compared with what can be counted, and with players of known habits."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import numpy as np
import pytest

from papan.ai.evaluation import appraise
from papan.ai.evaluation.catur_jawa import WEIGHTS
from papan.ai.learning.catur_jawa import NETWORK
from papan.ai.learning.opponents import (
    LAPSES,
    MODEL,
    MOST_HANDS,
    Model,
    believed_deal,
    follow_hands,
    habit,
    step_between,
    weigh_by_habit,
    weigh_hands,
    with_hand,
    write_hands,
)
from papan.game.catalogue import GAMES
from papan.game.kernel.rng import random_state
from papan.game.match import Match
from papan.game.rules import State, is_over, legal_steps, observe, play
from papan.game.rules.catur_jawa import CELL_BITS
from papan.game.rules.catur_jawa.board import deck_cards, hand_cards, hand_of

GAME = GAMES["catur-jawa"]
LOWEST_CARD = 2
"""The place of that trait in a model."""
MOST_STEPS = GAME.rules.MOST_STEPS


def played(seats: int, turns: int, seed: int) -> State:
    """The state after so many turns at random, none of which wins."""
    state, random = Match.new(GAME, [""] * seats, {"first": "1"}, seed).state, Random(seed)
    for _ in range(turns):
        steps = legal_steps(state, MOST_STEPS)
        state = play(state, random.choice([step for step in steps if not is_over(play(state, step))]))
    return state


def played_hand(seen: State, seat: int) -> State:
    """*seen*, with the first hand that *seat* may hold."""
    return with_hand(seen, seat, int(any_hand(seen, seat)[0][0]))


def any_hand(seen: State, seat: int) -> tuple[np.ndarray, np.ndarray]:
    hands, chances = np.zeros(MOST_HANDS, np.int64), np.zeros(MOST_HANDS)
    number = write_hands(seen, seat, hands, chances)
    return hands[:number].copy(), chances[:number].copy()


def weighed(before: State, seat: int, step: int, model: Model) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The hands of *seat*, how likely they are after *step*, and the slope of that likelihood."""
    hands, chances = any_hand(before, seat)
    slope, rows = np.zeros(MODEL), np.zeros((MOST_STEPS, MODEL + 1))
    weights, places, buffer = np.zeros(NETWORK.size), np.zeros(NETWORK.most, np.int64), np.zeros(MOST_STEPS, np.int64)
    weigh_hands(
        before, seat, step, hands, chances, model.weights, slope, rows, weights, 0, places, buffer, random_state(1)
    )
    return hands, chances, slope


class TestHabit:
    """What a player who follows the paper's heuristic is expected to do."""

    @pytest.mark.parametrize("seats", [2, 3])
    def test_its_step_makes_the_true_hand_likelier_and_another_step_does_not(self, seats: int) -> None:
        before = observe(state := played(seats, 2 * seats + 1, 6), 0)
        steps = legal_steps(state, MOST_STEPS)
        liked = {step: habit(state, step) for step in steps}
        assert liked == {step: appraise(state, step, WEIGHTS["heuristic"]) for step in steps}
        best = [step for step in steps if liked[step] == max(liked.values())]
        true_hand = hand_of(state, 1)
        for step, share in ((best[0], (1.0 - LAPSES) / len(best)), (min(liked, key=liked.__getitem__), 0.0)):
            hands, chances = any_hand(before, 1)
            prior = chances.copy()
            whole = weigh_by_habit(before, 1, step, hands, chances, np.zeros(MOST_STEPS, np.int64), random_state(1))
            number = hands.tolist().index(true_hand)
            assert chances.sum() == pytest.approx(1.0)
            assert chances[number] * whole == pytest.approx(prior[number] * (share + LAPSES / len(steps)))


class TestHands:
    """What a seat may hold."""

    @pytest.mark.parametrize("turns", [0, 9, 25, 31, 33])
    def test_each_is_as_likely_as_counting_says(self, turns: int) -> None:
        state = played(2, turns, 4)
        seen = observe(state, 0)
        held = hand_cards(state, 1)
        drawn = Counter(tuple(sorted(hand)) for hand in combinations([*held, *deck_cards(state, 1)], len(held)))
        hands, chances = any_hand(seen, 1)
        found = {
            tuple(hand_cards(with_hand(seen, 1, int(hand)), 1)): chance
            for hand, chance in zip(hands, chances, strict=True)
        }
        assert found.keys() == drawn.keys() and len(found) == len(hands)
        assert all(found[hand] == pytest.approx(count / drawn.total()) for hand, count in drawn.items())

    @pytest.mark.parametrize("seats", [2, 4])
    def test_a_deal_has_them_and_looks_the_same(self, seats: int) -> None:
        state = played(seats, 9, 2)
        seen = observe(state, 0)
        hands, sums = np.zeros((seats, MOST_HANDS), np.int64), np.ones((seats, MOST_HANDS))
        for other in range(1, seats):
            any_hands, _ = any_hand(seen, other)
            hands[other, :3] = any_hands[0], hand_of(state, other), any_hands[-1]
            sums[other, :2] = 0.25, 0.75
        counts: Counter[bool] = Counter()
        for number in range(200):
            deal = believed_deal(seen, 0, hands, sums, random_state(number))
            assert observe(deal, 0) == seen
            counts.update(hand_of(deal, other) == hand_of(state, other) for other in range(1, seats))
            assert all(hand_of(deal, other) in hands[other, :3] for other in range(1, seats))
        assert counts[True] / counts.total() == pytest.approx(0.5, abs=0.1)

    def test_the_table_tells_a_step(self) -> None:
        before = played(2, 8, 3)
        for step in legal_steps(before, MOST_STEPS):
            assert step_between(before, play(before, step), 0) == step
            assert step_between(before, play(before, step), 1) == -1


class TestBeliefs:
    """What a step tells of the hand that it came from."""

    def test_a_hand_has_the_card_that_was_played(self) -> None:
        state = played(2, 9, 5)
        seen, step = observe(state, 0), legal_steps(state, MOST_STEPS)[0]
        hands, chances, _ = weighed(seen, 1, step, Model())
        card = step >> CELL_BITS
        has_it = [card in hand_cards(with_hand(seen, 1, int(hand)), 1) for hand in hands]
        assert chances.sum() == pytest.approx(1.0)
        assert all((chance > 0.0) == has for chance, has in zip(chances, has_it, strict=True))

    def test_who_leaves_a_four_alone_is_believed_not_to_have_the_card(self) -> None:
        table = f"{'........./' * 4}..r9g5g6g7r8..{'/.........' * 4}"  # a 9 of green on g5 would win
        before = observe(GAME.rules.parse(f"{table} 2 123,129 4,34", {}), 0)
        quiet = next(step for step in legal_steps(played_hand(before, 1), MOST_STEPS) if step >> CELL_BITS == 1)
        hands, before_it = any_hand(before, 1)
        _, after_it, _ = weighed(before, 1, quiet, Model())
        has_nine = np.array([9 in hand_cards(with_hand(before, 1, int(hand)), 1) for hand in hands])
        assert before_it[has_nine].sum() == pytest.approx(0.6)
        assert after_it[has_nine].sum() < 0.2

    def test_what_was_drawn_may_be_any_card_left(self) -> None:
        state = played(2, 9, 5)
        seen, step = observe(state, 0), legal_steps(state, MOST_STEPS)[0]
        hands, chances, _ = weighed(seen, 1, step, Model())
        later, shares = np.zeros(1 << 14, np.int64), np.zeros(1 << 14)
        number = follow_hands(seen, 1, step, hands, chances, later, shares)
        assert shares[:number].sum() == pytest.approx(1.0)
        assert hand_of(play(state, step), 1) in later[:number]


@pytest.mark.parametrize("is_lowest", [True, False])
def test_a_habit_is_learned_and_expected(is_lowest: bool) -> None:
    """What steps tell of who takes them."""
    model, random = Model(), Random(1)
    likely = []
    for seed in range(12):
        state = played(2, 9, seed)
        cards = hand_cards(state, 1)
        wanted = min(cards) if is_lowest else max(cards)
        step = random.choice([step for step in legal_steps(state, MOST_STEPS) if step >> CELL_BITS == wanted])
        shown = with_hand(observe(state, 0), 1, hand_of(state, 1))
        _, _, slope = weighed(shown, 1, step, model)
        model.learn(slope)
        likely.append(model.weights[LOWEST_CARD])
    assert model.steps == 12
    assert likely[-1] > 0.5 if is_lowest else likely[-1] < -0.2
