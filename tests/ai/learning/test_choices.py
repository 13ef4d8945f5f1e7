"""Which steps a strong player is likely to choose: what marks them, and that it is learned."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from papan.ai.learning.catur_jawa import (
    CARDS,
    CHOICE_ENTRIES,
    CHOICES,
    FAR,
    FIRMNESS,
    NEAR,
    PRICES,
    RANKS,
    REACHES,
    ROLES,
    THREE,
    TIMES,
    TWICE,
    TWO,
)
from papan.ai.learning.views import MARKS, learn_choices, write_chances, write_marks
from papan.game.catalogue import GAMES
from papan.game.kernel import plainly
from papan.game.kernel.rng import random_state
from papan.game.match import Match
from papan.game.rules import State, guess, legal_steps, observe
from papan.game.rules.catur_jawa import CELL_MASK
from tests.ai.learning.training import laid, laid_every_way

GAME = GAMES["catur-jawa"]


def marks_of(state: State) -> dict[int, list[int]]:
    """The marks of each step."""
    steps = np.array(legal_steps(state), np.int64)
    marks = np.zeros(len(steps) * MARKS, np.int32)
    write_marks(state, steps, len(steps), marks)
    return {int(step): row.tolist() for step, row in zip(steps, marks.reshape(-1, MARKS), strict=True)}


def roles(cards: dict[tuple[int, int], str], rest: str) -> dict[tuple[int, int], tuple[int, int]]:
    """What each cell that is played on is to the seat to move, and to the others, by column and row."""
    found = {}
    for step, (cell, *_) in marks_of(laid(cards, rest)).items():
        role = cell % CHOICE_ENTRIES // (2 * REACHES * RANKS * 2)
        found[step & CELL_MASK] = divmod(role, ROLES)
    return {(cell % 9, cell // 9): both for cell, both in found.items()}


def test_weights_add_up_to_the_logarithm_of_the_odds() -> None:
    weights = np.array([0.0, 0.0, np.log(2.0), np.log(3.0), 5.0])
    marks = np.array([[4, 4, 4, 4], [0, 1, 0, 0], [2, 0, 0, 0], [0, 3, 1, 0]], np.int32)
    chances = np.zeros(4)
    write_chances(weights, 0, marks.ravel(), MARKS, 3, chances)  # the first row is somebody else's
    assert chances[:3] == pytest.approx([1 / 6, 2 / 6, 3 / 6]) and chances[3] == 0.0
    shifted = np.zeros(4)
    write_chances(np.concatenate([np.zeros(3), weights]), 3, marks.ravel(), MARKS, 3, shifted)
    assert (shifted == chances).all()


class TestLearning:
    """Choices between three steps, of which each has a weight of its own and one in common."""

    SHARES = (0.7, 0.2, 0.1)

    def lesson(self, number: int) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]:
        marks = np.array([[1, 0, 0, 0], [2, 0, 0, 0], [3, 0, 0, 0]] * number, np.int32).ravel()
        return np.arange(number + 1) * 3, marks, np.array(self.SHARES * number, np.float32)

    def learned(self, rate: float, epochs: int) -> tuple[NDArray[np.float64], list[float]]:
        weights, squares = np.zeros(4), np.zeros(4)
        losses = [
            float(learn_choices(*self.lesson(50), np.arange(50), rate, weights, squares, np.zeros(3)))
            for _ in range(epochs)
        ]
        return weights, losses

    def test_chances_become_the_shares(self) -> None:
        weights, losses = self.learned(0.1, 30)
        chances = np.zeros(3)
        write_chances(weights, 0, self.lesson(1)[1], 0, 3, chances)
        assert chances == pytest.approx(self.SHARES, abs=0.01)
        entropy = -sum(share * np.log(share) for share in self.SHARES)
        assert losses[0] > losses[-1] == pytest.approx(entropy, abs=0.001)

    def test_without_a_rate_it_only_tells_how_well_they_are_foretold(self) -> None:
        weights, losses = self.learned(0.0, 2)
        assert not weights.any() and losses == pytest.approx([np.log(3.0)] * 2)


class TestMarks:
    """What marks a step of Catur Jawa."""

    @pytest.mark.parametrize("seats", [2, 3, 4])
    def test_all_are_weights_of_their_number_of_seats(self, seats: int) -> None:
        match, random = Match.new(GAME, [""] * seats, {}, seats), Random(seats)
        seen: set[int] = set()
        while not match.ending:
            seat = int(match.mover)
            deal = guess(observe(match.state, seat), seat, random_state(len(match.steps)))
            found = marks_of(deal)
            for cell, price, time, firmness in found.values():
                first = (seats - 2) * CHOICE_ENTRIES
                assert first <= cell < first + PRICES <= price < first + TIMES <= time < first + FIRMNESS <= firmness
                assert firmness < first + CHOICE_ENTRIES <= CHOICES.size
                seen |= {cell, price, time, firmness}
            with plainly():
                assert marks_of(deal) == found
            match.play(random.choice(match.legal_steps()))
        assert len(seen) > 100

    def test_they_are_the_same_for_a_table_that_is_mirrored_or_turned(self) -> None:
        found = [sorted(marks_of(state).values()) for state in laid_every_way()]
        assert all(marks == found[0] for marks in found)

    def test_a_cell_is_what_lines_make_of_it(self) -> None:
        # Red has three in row 5 and two in column e; green's two on f3 and g2 are on a diagonal.
        cards = {(2, 4): "r5", (3, 4): "r6", (4, 4): "r7", (4, 3): "r4", (5, 2): "g9", (6, 1): "g8"}
        found = roles(cards, "1 379,468 12,13")
        own = {cell: mine for cell, (mine, _) in found.items()}
        assert own[1, 4] == own[5, 4] == THREE
        assert own[4, 2] == own[4, 5] == TWO
        assert own[3, 3] == NEAR and own[7, 1] == FAR
        theirs = {cell: their for cell, (_, their) in found.items()}
        assert theirs[7, 0] == TWO and theirs[7, 1] == NEAR and theirs[1, 4] == FAR

    def test_a_cell_of_lines_in_two_directions_counts_for_more(self) -> None:
        cards = {(4, 4): "r5", (5, 4): "g9", (5, 5): "r6", (6, 4): "r7", (6, 3): "r4"}
        own = {cell: mine for cell, (mine, _) in roles(cards, "1 379,468 12,13").items()}
        assert own[6, 6] == TWICE, "the diagonal from e5, and column g"

    def test_what_the_others_threaten_is_told_of_cards_to_cover_too(self) -> None:
        green = {(2, 4): "g1", (3, 4): "g2", (4, 4): "g3", (5, 3): "r9"}
        theirs = {cell: their for cell, (_, their) in roles(green, "1 379,468 12,13").items()}
        assert {theirs[x, 4] for x in range(1, 6)} == {THREE}
        found = marks_of(laid(green, "1 379,468 12,13")).values()
        assert all(cell % 2 == 1 for cell, *_ in found), "each step knows that there is a threat"

    def test_a_line_is_none_where_somebody_lies_across_that_cannot_be_covered(self) -> None:
        closed = {(2, 4): "r5", (3, 4): "r6", (1, 4): "g9", (4, 4): "g9"}
        own = {cell: mine for cell, (mine, _) in roles(closed, "1 379,468 12,13").items()}
        assert (5, 4) not in own or own[5, 4] == FAR
        assert all(role in (NEAR, FAR) for (_, y), role in own.items() if y == 4)

    def test_what_is_paid_for_what_is_told(self) -> None:
        covered = {(4, 4): "g3", (5, 4): "r1"}
        found = marks_of(laid(covered, "1 379,468 12,13"))
        prices = {price % CHOICE_ENTRIES - PRICES for _, price, _, _ in found.values()}
        assert prices == {value * CARDS for value in (3, 7, 9)} | {value * CARDS + 3 for value in (7, 9)}
