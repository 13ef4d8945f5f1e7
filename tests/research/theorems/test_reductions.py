"""Quantified formulas, their reductions to graphs, and the statements of section 4.2 on small graphs."""

from __future__ import annotations

import itertools
from random import Random

import pytest

from papan.commands.theorem import SOLVABLE_GADGETS
from papan.game.rules.santorini_graph.names import MOST_NODES
from papan.research.theorems.deciding import Solved, compare
from papan.research.theorems.formulas import Formula, FormulaError, every_formula, is_true, random_formula, read
from papan.research.theorems.reductions import reduced
from papan.research.theorems.small_cases import starts
from papan.research.theorems.statements import STATEMENTS, first_to_build_up, wins_on_cycle, wins_on_path


@pytest.mark.parametrize("gadget", SOLVABLE_GADGETS)
class TestAgreement:
    def test_on_all_small_and_some_random_formulas(self, gadget: str) -> None:
        agreement = compare(gadget, every_formula(1, 2))
        assert agreement.formulas == 18 and agreement.differ == ()
        assert 0 < agreement.true < 18
        random = Random(9)
        agreement = compare(gadget, [random_formula(random, 3, 3, 2) for _ in range(10)])
        assert agreement.differ == () and 0 < agreement.true < 10
        formula = read("E1 A2: 1 2, 1 -2, -1 2")
        assert reduced(gadget, formula) == reduced(gadget, formula, as_printed=True), "nothing is repeated"
        large = random_formula(Random(1), 1, 1, 1)._replace(clauses=((1, -1, 1),) * 100)
        with pytest.raises(FormulaError, match=f"a board has at most {MOST_NODES}"):
            reduced(gadget, large)

    def test_a_literal_left_out_is_noticed(self, gadget: str) -> None:
        """The comparison can fail: a position made of another formula is won by the other player."""
        true, false = read("E1 A2: 1 -2, 1 2"), read("E1 A2: 2, 1 2")
        solved = Solved()
        assert is_true(true) and solved.first_wins(reduced(gadget, true))
        assert not is_true(false) and not solved.first_wins(reduced(gadget, false))


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


class TestGraphs:
    def test_geography_of_one_variable(self) -> None:
        position = reduced("geography", read("E1: 1, -1"))
        assert position.options["variant"] == "1W_I1H_NTWD*S"
        names = dict(enumerate(position.names))
        edges = [pair.split("-") for pair in position.options["board"].removeprefix("edges:").split(",")]
        leads = {(names[int(start)], names[int(end)]) for start, end in edges}
        assert {("top1", "x1"), ("top1", "-x1"), ("x1", "bottom1"), ("-x1", "bottom1")} <= leads
        assert {("choice", "clause1"), ("clause1", "clause1:1"), ("clause1:1", "x1"), ("clause2:-1", "-x1")} <= leads
        tower_wins = reduced("tower-wins", read("E1: 1"))
        assert tower_wins.options["variant"] == "1W_I4H_TWD*S"
        assert set(tower_wins.text.partition("/")[0]) == {"2"}, "two levels below the top"

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


class TestReading:
    def test_both_forms(self) -> None:
        short = read("E1 A2: 1 -2, -1 2")
        assert short == Formula((False, True), ((1, -2), (-1, 2)))
        assert read("c a remark\np cnf 2 2\ne 1 0\na 2 0\n1 -2 0\n-1\n2 0\n") == short
        assert read(str(short)) == short
        # Numbers follow the prefix, and free variables come first.
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


def failures(name: str, nodes: int) -> list[str]:
    return [case.position for case in STATEMENTS[name][0](nodes) if not case.holds]


class TestReadings:
    def test_starts_are_all_ways_to_place_the_workers(self) -> None:
        assert len(list(starts("2W_I2H_TWUS", "path:4", 4))) == 6
        assert len(list(starts("2W_P2H_TWUS", "path:4", 4))) == 12
        assert len(list(starts("4W_P2H_TWUS", "complete:5", 5))) == 10 * 3

    def test_parity_on_cycles(self) -> None:
        assert [wins_on_cycle(nodes, 1, False) for nodes in (3, 4, 5, 6)] == [False, True, False, True]
        assert wins_on_cycle(3, 2, False) and wins_on_cycle(3, 2, True) and not wins_on_cycle(4, 2, True)
        assert not wins_on_cycle(3, 3, True) and not wins_on_cycle(4, 3, True)

    def test_moves_on_a_path_at_height_1(self) -> None:
        """Of 6 nodes with Left on 0: with Right on 4 he has 3 moves and Right 1; with Right on 2 1 and 3."""
        assert wins_on_path(6, 1, 0, 4) and not wins_on_path(6, 1, 0, 2)
        assert not wins_on_path(6, 1, 0, 3)  # two each, and Left moves first
        assert wins_on_path(6, 1, 3, 1) and not wins_on_path(6, 1, 5, 0)
        assert wins_on_path(6, 2, 0, 2) and not wins_on_path(6, 2, 2, 0)

    def test_every_first_build_to_the_top_is_looked_at(self) -> None:
        """On two nodes with one worker each turn builds behind it: at height 2 the first two turns are such builds."""
        cases = list(first_to_build_up("1W_I2H_TWUS_FM", "path:2", 2))
        assert len(cases) == 2 and all(case.holds for case in cases)


class TestVerdicts:
    @pytest.mark.parametrize("name", ["1", "2", "3", "4, no tower wins", "4, tower wins, heights 2 to 4", "7"])
    def test_those_that_hold(self, name: str) -> None:
        for nodes in STATEMENTS[name][1][:3]:
            assert failures(name, nodes) == []

    def test_those_that_fail(self) -> None:
        """Without tower wins Right wins from everywhere; with them from {2, 4} on C4 and from {2, 4, 5} on C5."""
        assert failures("5, height 2, no tower wins", 4) == ["2W_P2H_NTWDS cycle:4 2", "2W_P2H_NTWDS cycle:4 3"]
        assert failures("5, height 2, tower wins", 4) == ["2W_P2H_TWDS cycle:4 2"]
        assert failures("5, height 2, tower wins", 5) == ["2W_P2H_TWDS cycle:5 2"]
        assert failures("5, height 1, no tower wins", 6) == []
        found = failures("6, height 2, no tower wins", 5)
        assert [position.split("/", 2)[2] for position in found] == ["0/1", "1/2", "2/3", "3/4"]
        # Statement 6 fails only where Left can't move, and statement 8 from five nodes on.
        assert failures("6, height 2, no tower wins, Left can move", 5) == []
        assert failures("6, height 1, no tower wins", 7) == []
        assert [len(failures("8", nodes)) for nodes in (4, 5)] == [0, 4]

    def test_the_starts_that_papers_name_for_it(self) -> None:
        """Edges 0-2 0-3 1-2 1-4 2-3 from node 0: lost with the stipulation, won without."""
        from papan.game.rules import santorini_graph
        from papan.research.theorems.deciding import Explorer

        board = "edges:0-2,0-3,1-2,1-4,2-3"
        won = [
            Explorer().outcome(santorini_graph.parse("00000/1/0", {"variant": variant, "board": board})).is_won
            for variant in ("1W_I1H_NTWU*S", "1W_I1H_NTWUS")
        ]
        assert won == [False, True]
