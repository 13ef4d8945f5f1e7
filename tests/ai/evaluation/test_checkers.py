"""Checkers' evaluation, against slow features that are counted on rows and columns; exchanges at the horizon."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from papan.ai.evaluation import STANDARD, Weights, evaluate, is_quiet
from papan.ai.evaluation import checkers as features
from papan.ai.evaluation.accumulator import accumulator, judged, regather
from papan.ai.evaluation.checkers import CLASSICAL, WEIGHTS, network
from papan.ai.evaluation.checkers.network import NEURONS
from papan.ai.learning.weight_files import WeightFileError, keep_arrays
from papan.ai.limits import Limit
from papan.ai.search.alphabeta import AlphaBeta
from papan.game.catalogue import find
from papan.game.kernel import compiled
from papan.game.rules import checkers, is_over
from papan.testing.kernels import compiled_entry
from tests.ai.playing import game_at_random, points

Square = tuple[int, int]
"""Column and row, from the top left."""


def value(state: checkers.State, seat: int, weights: str | int = STANDARD) -> float:
    """The evaluation by the weights of that name, or of one entry by itself."""
    chosen = WEIGHTS[weights] if isinstance(weights, str) else np.eye(features.BY_HAND)[weights]
    return float(evaluate(state, seat, np.array(chosen)))


@cache
def random_states() -> list[checkers.State]:
    """Starts of turns in some random games."""
    random = Random(8)
    states = (state for _ in range(8) for state in game_at_random(checkers.board.START, random))
    return [state for state in states if not (state.jumper or is_over(state))]


class Slow:
    """What the features say of one side, from the position text."""

    def __init__(self, state: checkers.State, seat: int) -> None:
        to_move, white, black, *_ = checkers.text(state).split(":")
        self.men: dict[int, list[Square]] = {}
        self.kings: dict[int, list[Square]] = {}
        for side, field in enumerate((black, white)):
            names = field[1:].split(",") if field[1:] else []
            self.men[side] = [checkers.board.column_and_row(int(name) - 1) for name in names if name[0] != "K"]
            self.kings[side] = [checkers.board.column_and_row(int(name[1:]) - 1) for name in names if name[0] == "K"]
        self.seat = seat
        self.first_row, self.far_row, self.way = (0, 7, 1) if seat == 0 else (7, 0, -1)
        self.is_to_move = to_move == "BW"[seat]
        self.own_men, self.own_kings = self.men[seat], self.kings[seat]

    def count(self, side: int) -> int:
        return len(self.men[side]) + len(self.kings[side])

    def advance(self) -> int:
        return sum(abs(row - self.first_row) for _, row in self.own_men)

    def back_row(self) -> int:
        return sum(row == self.first_row for _, row in self.own_men)

    def bridge(self) -> bool:
        columns = {column for column, row in self.own_men if row == self.first_row}
        return columns >= ({1, 5} if self.seat == 0 else {2, 6})

    @staticmethod
    def central(pieces: list[Square]) -> int:
        return sum(2 <= column <= 5 and 2 <= row <= 5 for column, row in pieces)

    def ways(self, piece: Square) -> list[Square]:
        taken = {square for side in (0, 1) for square in self.men[side] + self.kings[side]}
        down = (self.way,) if piece in self.own_men else (-1, 1)
        near = [(piece[0] + right, piece[1] + step) for right in (-1, 1) for step in down]
        return [(x, y) for x, y in near if 0 <= x < 8 and 0 <= y < 8 and (x, y) not in taken]

    def mobility(self) -> int:
        return sum(len(self.ways(piece)) for piece in self.own_men + self.own_kings)

    def shut_in(self) -> int:
        return sum(not self.ways(king) for king in self.own_kings)

    def arrivals(self) -> int:
        return sum(any(row == self.far_row for _, row in self.ways(man)) for man in self.own_men)

    def chase(self) -> int:
        if self.count(self.seat) <= self.count(1 - self.seat):
            return 0
        pairs = [(one, other) for one in self.own_kings for other in self.kings[1 - self.seat]]
        return sum(max(abs(one[0] - other[0]), abs(one[1] - other[1])) for one, other in pairs)


COUNTS: dict[str, Callable[[Slow], float]] = {
    "MEN": lambda slow: len(slow.own_men),
    "KINGS": lambda slow: len(slow.own_kings),
    "ADVANCE": Slow.advance,
    "BACK_ROW": Slow.back_row,
    "BRIDGE": Slow.bridge,
    "CENTRE_MEN": lambda slow: Slow.central(slow.own_men),
    "CENTRE_KINGS": lambda slow: Slow.central(slow.own_kings),
    "MOBILITY": Slow.mobility,
    "SHUT_IN": lambda slow: -slow.shut_in(),
    "ARRIVALS": Slow.arrivals,
    "CHASE": lambda slow: -slow.chase(),
    "TO_MOVE": lambda slow: slow.is_to_move,
}


class TestFeatures:
    """One entry of the weights at a time, over random games."""

    def test_each_is_what_its_slow_definition_says(self) -> None:
        seen: dict[str, set[float]] = {name: set() for name in COUNTS}
        for state in random_states():
            sides = Slow(state, 0), Slow(state, 1)
            for name, count in COUNTS.items():
                expected = count(sides[0]) - count(sides[1])
                assert value(state, 0, getattr(features, name)) == expected, name
                seen[name].add(expected)
        assert min(map(len, seen.values())) > 1

    def test_the_lead_is_a_share(self) -> None:
        state = checkers.parse("B:W30:B1,2,3", {})
        assert value(state, 0, features.LEAD) == (3 - 1) / 4
        assert value(state, 1, features.LEAD) == -(3 - 1) / 4

    def test_the_classical_one_adds_them_up(self) -> None:
        for state in random_states():
            expected = sum(weight * value(state, 0, entry) for entry, weight in enumerate(WEIGHTS[CLASSICAL]))
            assert value(state, 0, CLASSICAL) == pytest.approx(expected)
            assert value(state, 1, CLASSICAL) == pytest.approx(-expected)
        assert value(checkers.board.START, 0, CLASSICAL) == pytest.approx(WEIGHTS[CLASSICAL][features.TO_MOVE])


@compiled
def judge_compiled(state: checkers.State, seat: int, weights: Weights, kept: Any) -> float:
    return judged(state, seat, weights, kept)


class TestNetworks:
    def test_the_standard_weights_are_networks(self) -> None:
        assert len(WEIGHTS[STANDARD]) == features.BY_HAND + network.NETWORKS
        assert not np.any(WEIGHTS[STANDARD][: features.BY_HAND])

    def test_what_is_one_side_s_is_not_the_other_s_and_the_board_can_be_turned_round(self) -> None:
        def turned(pieces: int) -> int:
            squares = checkers.board.squares_of(pieces)
            return sum(1 << checkers.board.bit_of(checkers.board.SQUARES - 1 - square) for square in squares)

        for state in random_states():
            other = state._replace(
                black=turned(state.white),
                white=turned(state.black),
                kings=turned(state.kings),
                to_move=1 - state.to_move,
            )
            assert value(state, 0) == -value(state, 1) == value(other, 1)

    def test_who_has_two_pieces_more_is_ahead(self) -> None:
        ahead = []
        for state in random_states():
            lead = (state.black.bit_count() - state.white.bit_count()) * (1 if state.to_move == 0 else -1)
            if abs(lead) >= 2 and is_quiet(state):
                ahead.append(value(state, state.to_move) * lead > 0)
        assert len(ahead) > 50 and sum(ahead) > 0.9 * len(ahead)

    def test_what_is_kept_says_the_same_to_the_last_digit(self) -> None:
        """Positions follow each other in any order, as the leaves of a search do."""
        states = random_states()[::2]
        Random(4).shuffle(states)
        kept = accumulator(states[0])
        regather(states[0], kept)
        phases = set()
        for state in states:
            phases.add(network.phase_of(state))
            for weights in WEIGHTS.values():
                found = judge_compiled(state, 1, np.array(weights), kept)
                assert found == compiled_entry(evaluate)(state, 1, np.array(weights))
        assert phases == set(range(network.PHASES))

    @pytest.mark.parametrize(
        ("missing", "row", "last", "is_taken"),
        [(0, 200, 650, True), (0, 255, 0, False), (0, 200, 651, False), (1, 0, 0, False)],
    )
    def test_too_few_rows_or_numbers_too_large_for_it_are_refused(
        self, missing: int, row: int, last: int, is_taken: bool, tmp_path: Path
    ) -> None:
        """129 rows of 254 are below 2^15, and of 200, times 650 for each of 128 neurons, below 2^31."""
        rows = np.zeros((network.PHASES, network.ROWS + 1 - missing, NEURONS), np.int16)
        lasts = np.zeros((network.PHASES, NEURONS + 1), np.int16)
        rows[1], lasts[1] = row, last
        keep_arrays(tmp_path / "some.npz", "a test", rows=rows, lasts=lasts)
        if is_taken:
            assert len(network.learned_networks(tmp_path / "some.npz")) == network.NETWORKS
        else:
            with pytest.raises(WeightFileError, match="rows"):
                network.learned_networks(tmp_path / "some.npz")

    def test_where_the_file_is_damaged_the_weights_set_by_hand_stand_in(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(features, "bundled_networks", lambda: None)
        assert features.standard_weights() == WEIGHTS[CLASSICAL]


class TestSearch:
    def search(self, written: str, depth: int) -> tuple[str, float]:
        """The best step's notation, and its score."""
        state = checkers.parse(written, {})
        found = AlphaBeta(checkers, WEIGHTS[STANDARD], table_bits=14).analyse(state, Limit(depth=depth))
        return checkers.notation(state, found.step), found.score

    def test_a_position_with_captures_is_not_quiet(self) -> None:
        assert is_quiet(checkers.board.START)
        assert not is_quiet(checkers.parse("B:W18:B14", {}))

    def test_the_horizon_does_not_cut_an_exchange(self) -> None:
        """Black must take on 23 and is taken back at once: a man behind, not level."""
        step, score = self.search("B:W18,26,30,32:B1,2,14", 1)
        assert step == "14x23" and score < -5

    def test_easy_loses_to_medium(self) -> None:
        assert points(find("checkers"), ["minimax:easy", "minimax:medium"], 6) >= 4.5
