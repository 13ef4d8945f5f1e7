"""Othello's evaluation against slow definitions, and what the computer must see."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from papan.ai.evaluation import STANDARD, evaluate
from papan.ai.evaluation.othello import (
    BLOCK,
    CLASSICAL,
    EMPTY,
    FEATURES,
    PATTERNS_END,
    PHASES,
    PLACES,
    SHAPES,
    UNIT,
    WAYS,
    WEIGHTS,
    WIDTH,
    fill,
    first_sharers,
    keep_learned_weights,
    laid,
    learned_weights,
    stable,
)
from papan.ai.exact.othello import Exact, margin
from papan.ai.limits import Limit
from papan.game.kernel import compiled
from papan.game.rules import is_over, legal_steps, othello, play
from papan.game.rules.othello import CELLS, FULL, PASS, SIZE, State, discs, name_of
from tests.ai.playing import game_at_random


def value(state: State, seat: int, feature: str) -> float:
    return float(evaluate(state, seat, np.eye(len(FEATURES))[FEATURES.index(feature)]))


@compiled
def stable_compiled(state: State, seat: int) -> int:
    return stable(state.mine if seat == state.to_move else state.theirs)


def random_states() -> Iterator[State]:
    random = Random(8)
    for _ in range(8):
        yield from list(game_at_random(othello.start({}, random), random))[:-1]


def around(cell: int) -> Iterator[tuple[int, int, int | None]]:
    """The directions, and the cell there if it is on the board."""
    for right in (-1, 0, 1):
        for down in (-1, 0, 1):
            column, row = cell % SIZE + right, cell // SIZE + down
            if right or down:
                inside = 0 <= column < SIZE and 0 <= row < SIZE
                yield right, down, row * SIZE + column if inside else None


class Slow:
    """What the features say of one seat, cell by cell."""

    def __init__(self, state: State, seat: int) -> None:
        self.state = state
        self.own, self.other = (
            {cell for cell in range(CELLS) if discs(state, which) >> cell & 1} for which in (seat, 1 - seat)
        )
        self.empty = set(range(CELLS)) - self.own - self.other
        self.seat = seat

    def mobility(self) -> int:
        as_mover = State(discs(self.state, self.seat), discs(self.state, 1 - self.seat), self.seat)
        return len([step for step in legal_steps(as_mover) if step != PASS])

    def frontier(self) -> int:
        return len({cell for cell in self.empty for _, _, near in around(cell) if near in self.other})

    def in_corners(self) -> int:
        return len(self.own & {0, 7, 56, 63})

    def _near_empty_corners(self, is_diagonal: bool) -> int:
        near = {
            cell
            for corner in self.empty & {0, 7, 56, 63}
            for right, down, cell in around(corner)
            if (right != 0 and down != 0) == is_diagonal
        }
        return len(self.own & near)

    def diagonal(self) -> int:
        return self._near_empty_corners(True)

    def beside(self) -> int:
        return self._near_empty_corners(False)

    def stable(self) -> int:
        found: set[int] = set()
        while True:
            more = {
                cell
                for cell in self.own
                if all(
                    any(near is None or near in found for right, down, near in around(cell) if (right, down) in axis)
                    for axis in (((1, 0), (-1, 0)), ((0, 1), (0, -1)), ((1, 1), (-1, -1)), ((1, -1), (-1, 1)))
                )
            }
            if more == found:
                return len(found)
            found = more

    def discs(self) -> int:
        return len(self.own)


class TestFeatures:
    def test_each_is_what_its_slow_definition_says(self) -> None:
        for state in random_states():
            sides = Slow(state, 0), Slow(state, 1)
            for feature in ("mobility", "frontier", "in_corners", "diagonal", "beside", "stable", "discs"):
                own, other = (getattr(side, feature)() for side in sides)
                assert value(state, 0, feature) == own - other, feature
                assert value(state, 1, feature) == other - own, feature
            filled = (state.mine | state.theirs).bit_count()
            assert value(state, state.to_move, "last_move") == (1 if (CELLS - filled) % 2 else -1)
            assert value(state, 0, "late_discs") == pytest.approx(value(state, 0, "discs") * (filled / CELLS) ** 2)

    def test_stable_discs_are_never_turned_over(self) -> None:
        random = Random(9)
        seen = 0
        for _ in range(25):
            state = othello.start({}, random)
            while not is_over(state):
                held = [stable(discs(state, seat)) for seat in (0, 1)]
                assert [int(stable_compiled(state, seat)) for seat in (0, 1)] == held
                seen += sum(held) > 0
                state = play(state, random.choice(legal_steps(state)))
                assert all(discs(state, seat) & held[seat] == held[seat] for seat in (0, 1))
        assert seen > 100


def turned_board(cells: int, way: int) -> int:
    """*cells* on a board that is laid that way."""
    return sum(1 << laid(cell, way) for cell in range(CELLS) if cells >> cell & 1)


def asked(state: State) -> list[int]:
    """The weights of a block that the patterns of *state* ask for."""
    return [int(entry) for entry in EMPTY + filled_by(state.mine, state.theirs)[:PLACES]]


def filled_by(mine: int, theirs: int) -> Any:
    """How the pattern in each place is filled."""
    filled = np.zeros(WIDTH, np.int16)
    fill(filled, mine, theirs)
    return filled


class TestPatterns:
    def test_they_are_the_same_however_the_board_is_turned(self) -> None:
        first = first_sharers()
        for state in islice(random_states(), 0, None, 5):
            expected = sorted(first[asked(state)])
            for way in range(1, WAYS):
                turned = state._replace(mine=turned_board(state.mine, way), theirs=turned_board(state.theirs, way))
                assert sorted(first[asked(turned)]) == expected

    def test_an_edge_is_read_digit_by_digit(self) -> None:
        state = othello.parse("XO-X" + "-" * 5 + "X" + "-" * 54 + " X", {})
        assert filled_by(state.mine, state.theirs)[0] == 1 - 3 + 27 + 3**8
        assert filled_by(state.theirs, state.mine)[0] == -1 + 3 - 27 - 3**8

    def test_each_shape_has_weights_of_its_own_and_all_are_asked_for(self) -> None:
        least, most = asked(State(0, FULL, 0)), asked(State(FULL, 0, 0))
        ranges = sorted(set(zip(least, most, strict=True)))
        assert len(ranges) == len(SHAPES)
        assert [end + 1 for _, end in ranges] == [*(start for start, _ in ranges[1:]), PATTERNS_END]

    def test_learned_weights_are_kept(self, tmp_path: Path) -> None:
        random = np.random.default_rng(1)
        weights = random.normal(size=(PHASES, BLOCK))[:, first_sharers()]
        keep_learned_weights(weights, tmp_path / "weights.npz", "drawn at random")
        read = learned_weights(tmp_path / "weights.npz").reshape(PHASES, BLOCK)
        assert np.abs(read / UNIT - weights).max() <= 0.5 / UNIT + 1e-12

    def test_they_foretell_the_end(self) -> None:
        """Over positions with 14 empty cells, against the exact score, better than the classical weights do."""
        random, solver = Random(6), Exact(8)
        exact: list[float] = []
        learnt: list[float] = []
        classical: list[float] = []
        while len(exact) < 60:
            game = game_at_random(othello.start({}, random), random)
            state = next(one for one in game if is_over(one) or (one.mine | one.theirs).bit_count() >= CELLS - 14)
            if not is_over(state):
                exact.append(margin(solver.analyse(state, Limit()).score))
                learnt.append(float(evaluate(state, state.to_move, np.array(WEIGHTS[STANDARD]))))
                classical.append(float(evaluate(state, state.to_move, np.array(WEIGHTS[CLASSICAL]))))
        told = np.corrcoef([exact, learnt, classical])[0]
        assert told[1] > 0.8 and told[1] > told[2] + 0.05, told


def test_a_corner_is_taken_rather_than_many_discs() -> None:
    rows = ("-OOOOOOX", "--OOOO--", "-OOXXOX-", "--OXXOX-", "--OOOOXX", "--XOXX--", "----X---", "--------")
    state = othello.parse("".join(rows) + " X", {})
    weights = np.array(WEIGHTS[STANDARD])
    best = max(legal_steps(state), key=lambda step: evaluate(play(state, step), state.to_move, weights))
    assert name_of(best) == "a1"
