"""Reductions: they agree with the evaluator of formulas, have the graphs described, and fail where they are known."""

from __future__ import annotations

from random import Random

import pytest

from papan.game.rules.santorini_graph.names import MOST_NODES
from papan.research.theorems.deciding import Solved, compare
from papan.research.theorems.formulas import FormulaError, every_formula, is_true, random_formula, read
from papan.research.theorems.reductions import GADGETS, reduced


@pytest.mark.parametrize("gadget", GADGETS)
class TestAgreement:
    def test_on_all_formulas_of_one_variable_and_two_clauses(self, gadget: str) -> None:
        agreement = compare(gadget, every_formula(1, 2))
        assert agreement.formulas == 18 and agreement.differ == ()
        assert 0 < agreement.true < 18

    def test_on_random_formulas(self, gadget: str) -> None:
        random = Random(9)
        agreement = compare(gadget, [random_formula(random, 3, 3, 2) for _ in range(10)])
        assert agreement.differ == () and 0 < agreement.true < 10

    def test_a_literal_left_out_is_noticed(self, gadget: str) -> None:
        """The comparison can fail: a position made of another formula is won by the other player."""
        true, false = read("E1 A2: 1 -2, 1 2"), read("E1 A2: 2, 1 2")
        solved = Solved()
        assert is_true(true) and solved.first_wins(reduced(gadget, true))
        assert not is_true(false) and not solved.first_wins(reduced(gadget, false))

    def test_a_graph_that_is_too_large_is_refused(self, gadget: str) -> None:
        large = random_formula(Random(1), 1, 1, 1)._replace(clauses=((1, -1, 1),) * 100)
        with pytest.raises(FormulaError, match=f"a board {MOST_NODES} at most"):
            reduced(gadget, large)


class TestAsPrinted:
    @pytest.mark.parametrize(
        ("gadget", "text"),
        [
            ("partizan-geography", "A1: 1"),
            ("partizan", "E1 A2: 1 2"),
            ("partizan", "E1 A2: 1, 1 2"),
        ],
    )
    def test_too_few_clauses_fail_and_repeating_one_mends_it(self, gadget: str, text: str) -> None:
        formula = read(text)
        solved = Solved()
        assert solved.first_wins(reduced(gadget, formula, as_printed=True)) != is_true(formula)
        assert solved.first_wins(reduced(gadget, formula)) == is_true(formula)

    def test_with_enough_clauses_nothing_is_repeated(self) -> None:
        formula = read("E1 A2: 1 2, 1 -2, -1 2")
        for gadget in GADGETS:
            assert reduced(gadget, formula) == reduced(gadget, formula, as_printed=True)


class TestGraphs:
    def test_geography_of_one_variable(self) -> None:
        position = reduced("geography", read("E1: 1, -1"))
        assert position.options["variant"] == "1W_I1H_NTWD*S"
        names = dict(enumerate(position.names))
        edges = [pair.split("-") for pair in position.options["board"].removeprefix("edges:").split(",")]
        leads = {(names[int(start)], names[int(end)]) for start, end in edges}
        assert {("top1", "x1"), ("top1", "-x1"), ("x1", "bottom1"), ("-x1", "bottom1")} <= leads
        assert {("choice", "clause1"), ("clause1", "clause1:1"), ("clause1:1", "x1"), ("clause2:-1", "-x1")} <= leads

    def test_only_doubled_nodes_lead_to_a_value_without_the_stipulation(self) -> None:
        for gadget, text in (("directed", "E1 A2: 1 2, 1 -2"), ("partizan", "E1 A2: 1 2, 1 -2, -1")):
            position = reduced(gadget, read(text))
            edges = [pair.split("-") for pair in position.options["board"].removeprefix("edges:").split(",")]
            for value in ("x1", "-x1", "x2", "-x2"):
                node = str(position.names.index(value))
                before = sorted(position.names[int(start)] for start, end in edges if end == node)
                paths = [name.removesuffix(" left") for name in before if name.endswith(" left")]
                assert sorted([*(f"{name} left" for name in paths), *(f"{name} right" for name in paths)]) == [
                    name for name in before if not name.startswith("top")
                ]

    def test_tower_wins_begin_two_levels_below_the_top(self) -> None:
        position = reduced("tower-wins", read("E1: 1"))
        assert position.options["variant"] == "1W_I4H_TWD*S"
        assert set(position.text.partition("/")[0]) == {"2"}
