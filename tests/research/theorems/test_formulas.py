"""Quantified formulas: read in both forms, refused in words, decided as by hand and by another way."""

from __future__ import annotations

import itertools
from random import Random

import pytest

from papan.research.theorems.formulas import Formula, FormulaError, every_formula, is_true, random_formula, read


class TestReading:
    def test_both_forms(self) -> None:
        short = read("E1 A2: 1 -2, -1 2")
        assert short == Formula((False, True), ((1, -2), (-1, 2)))
        assert read("c a remark\np cnf 2 2\ne 1 0\na 2 0\n1 -2 0\n-1\n2 0\n") == short
        assert read(str(short)) == short

    def test_numbers_follow_the_prefix_and_free_variables_come_first(self) -> None:
        assert read("A7 E3: 7 -3") == Formula((True, False), ((1, -2),))
        assert read("p cnf 5 1\na 2 0\n5 -2 0\n") == Formula((False, True), ((1, -2),))

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("", "This is not a formula"),
            ("E1 A1: 1", "variable 1 is quantified twice"),
            ("X1: 1", "'X1' is not a quantified variable"),
            ("E0: 1", "'E0' is not a quantified variable"),
            ("E1: 1 x", "'x' is not a literal"),
            ("E1: 0", "'0' is not a literal"),
            ("E1:", "1 to 200 clauses"),
            ("p cnf 1 2\n1 0\n", "There are 1 clauses, but the first line says '2'"),
            ("p cnf 1 1\n1\n", "does not end with 0"),
            ("p cnf 1 1\n1 0\ne 1 0\n", "comes after a clause"),
            ("E1: " + " ".join(map(str, range(1, 30))), "1 to 20 variables"),
        ],
    )
    def test_others_are_refused_in_words(self, text: str, says: str) -> None:
        with pytest.raises(FormulaError, match=says):
            read(text)


class TestTruth:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("E1: 1", True),
            ("A1: 1", False),
            ("A1: 1 -1", True),
            ("E1 A2: 1 2, -1 -2", False),
            ("A1 E2: 1 2, -1 -2", True),
            ("E1 A2 E3: 1, 2 3, -2 -3", True),
            ("E1: 1, -1", False),
        ],
    )
    def test_by_hand(self, text: str, value: bool) -> None:
        assert is_true(read(text)) == value

    def test_by_the_table_of_the_matrix(self) -> None:
        """The other way: the truth table, folded from the innermost quantifier outwards."""
        random = Random(3)
        for _ in range(200):
            formula = random_formula(random, 4, 5, 3)
            rows = [
                all(any((literal > 0) == values[abs(literal) - 1] for literal in clause) for clause in formula.clauses)
                for values in itertools.product((False, True), repeat=len(formula.universal))
            ]
            for is_universal in reversed(formula.universal):
                pairs = zip(rows[::2], rows[1::2], strict=True)
                rows = [all(pair) if is_universal else any(pair) for pair in pairs]
            assert rows == [is_true(formula)]


def test_every_formula_is_there_once_and_small_ones_first() -> None:
    found = list(every_formula(1, 2))
    assert len(found) == len(set(found)) == 18  # 3 clauses of one variable: 3 + 6 multisets, 2 prefixes
    assert str(found[0]) == "E1: 1"
    sizes = [(len(one.universal), len(one.clauses)) for one in every_formula(2, 2)]
    assert sizes == sorted(sizes)


def test_random_formulas_are_within_their_bounds_and_settled_by_the_seed() -> None:
    found = [random_formula(random, 3, 4, 2) for random in (Random(1),) for _ in range(50)]
    assert found == [random_formula(random, 3, 4, 2) for random in (Random(1),) for _ in range(50)]
    assert {len(one.universal) for one in found} == {1, 2, 3}
    assert {len(one.clauses) for one in found} == {1, 2, 3, 4}
    assert {len(clause) for one in found for clause in one.clauses} == {1, 2}
