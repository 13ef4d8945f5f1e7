"""Conjectures from tables that are written down by hand."""

from __future__ import annotations

import numpy as np
import pytest

from papan.research.theorems.conjectures import best_equivalence, conditions, implications, table_of

ROWS = [(True, True), (True, False), (False, True), (False, False)]
TABLE = table_of(["it is red", "it is round"], ROWS)


def won(*answers: int) -> np.ndarray:
    return np.array(answers, bool)


class TestEquivalences:
    @pytest.mark.parametrize(
        ("answers", "words"),
        [
            ((1, 1, 0, 0), "won exactly where it is red"),
            ((0, 0, 1, 1), "won exactly where not so: it is red"),
            ((0, 1, 0, 0), "won exactly where it is red and not so: it is round"),
        ],
    )
    def test_what_tells_exactly_is_found(self, answers: tuple[int, ...], words: str) -> None:
        found = best_equivalence(TABLE, won(*answers))
        assert found == (words, 4, 0, -1)

    def test_the_best_one_has_its_first_counterexample(self) -> None:
        found = best_equivalence(TABLE, won(1, 0, 0, 1))  # neither of them, nor two together
        assert found is not None and (found.against, found.smallest) == (1, 3)
        assert found.words == "won exactly where it is red and it is round"

    @pytest.mark.parametrize("answers", [(0, 0, 0, 0), (1, 1, 1, 1)])
    def test_where_it_is_always_the_same_nothing_is_said(self, answers: tuple[int, ...]) -> None:
        assert best_equivalence(TABLE, won(*answers)) is None
        assert implications(TABLE, won(*answers), 9) == []

    def test_a_property_that_all_have_says_nothing(self) -> None:
        table = table_of(["it is a graph"], [(True,), (True,)])
        assert conditions(table) == [] and best_equivalence(table, won(1, 0)) is None


class TestImplications:
    def test_the_most_general_come_first_and_none_says_less_than_those(self) -> None:
        found = implications(TABLE, won(1, 1, 1, 0), 9)
        assert [one.words for one in found] == [
            "won where it is red",
            "won where it is round",
            "lost where not so: it is red and not so: it is round",
        ]
        assert [(one.support, one.against, one.smallest) for one in found] == [(2, 0, -1), (2, 0, -1), (1, 0, -1)]

    def test_so_many_at_most(self) -> None:
        assert len(implications(TABLE, won(1, 1, 1, 0), 2)) == 2
