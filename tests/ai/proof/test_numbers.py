"""Proof numbers computed by hand: of single nodes, and of small trees after each expansion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any, Literal

import numpy as np
import pytest

from papan.ai.limits import Limit
from papan.ai.proof import SolverSetting
from papan.ai.proof.dfpn import DepthFirst
from papan.ai.proof.numbers import AND, MCPNS, NODE, OR, PNS, PPNS, back_up, begin_leaf, settle
from papan.ai.proof.result import Proof, Running
from papan.ai.proof.tree import TreeSearch
from papan.game.kernel import plainly
from tests.ai.proof.graphs import DICE, DRAWN, FIRST, LOST, MOST_STEPS, SECOND, THIRD, WON, Node, written

# The first seat's tree: a comes first but needs two proofs, b needs one.
#
#     0 root (first) ── 1 a (second) ── 3 (first) ── 6 won, 7 lost
#                    │                └ 4 (first) ── 8 lost
#                    └ 2 b (second) ── 5 (first) ── 9 won
TWO_WAYS = written(
    [FIRST, SECOND, SECOND, FIRST, FIRST, FIRST, WON, LOST, LOST, WON],
    {0: [1, 2], 1: [3, 4], 2: [5], 3: [6, 7], 4: [8], 5: [9]},
)
# Random games from a are all won, from b all lost.
SURE_AND_HOPELESS = written(
    [FIRST, SECOND, SECOND, FIRST, FIRST, WON, LOST], {0: [1, 2], 1: [3], 2: [4], 3: [5], 4: [6]}
)


@pytest.fixture(autouse=True)
def plain() -> Iterator[None]:
    with plainly():
        yield


def parent(side: int, method: int, numbers: Sequence[tuple[float, float]], values: Sequence[int] = ()) -> Any:
    """A node of *side* with children that have these pn and dn, or are decided where *values* says so."""
    nodes = np.zeros(1 + len(numbers), NODE)
    nodes[0].side, nodes[0].first, nodes[0].count = side, 1, len(numbers)
    for index, (pn, dn) in enumerate(numbers):
        nodes[1 + index].pn, nodes[1 + index].dn = pn, dn
    for index, value in enumerate(values):
        if value:
            settle(nodes[1 + index], value, method)
    return nodes


@pytest.mark.parametrize(
    ("method", "wins", "theta", "numbers"),
    [
        (PNS, 0, 0.01, (1, 1)),
        (MCPNS, 15, 0.01, (0.75, 0.25)),  # the rates within bounds
        (MCPNS, 0, 0.01, (0.99, 0.01)),
        (MCPNS, 60, 0.01, (0.01, 0.99)),
        (PPNS, 15, 0.001, (0.25, 0.75)),  # the win rate moved off its ends
        (PPNS, 0, 0.001, (0.001, 0.999)),
        (PPNS, 60, 0.001, (0.999, 0.001)),
    ],
)
def test_leaves_after_sixty_random_games(method: int, wins: int, theta: float, numbers: tuple[float, float]) -> None:
    node = np.zeros(1, NODE)[0]
    begin_leaf(node, wins, 60, method, theta)
    assert (float(node.pn), float(node.dn)) == pytest.approx(numbers)


class TestBackingUp:
    @pytest.mark.parametrize(
        ("side", "method", "children", "pn", "dn", "best"),
        [
            (OR, PNS, [(3, 2), (1, 4), (2, 5)], 1, 11, 1),
            (AND, PNS, [(3, 2), (1, 4), (2, 5)], 6, 2, 0),
            (OR, MCPNS, [(0.3, 0.7), (0.6, 0.4)], 0.3, 1.1, 0),
            (AND, MCPNS, [(0.3, 0.7), (0.6, 0.4)], 0.9, 0.4, 1),
            (OR, PPNS, [(0.5, 0.5), (0.2, 0.8)], 0.6, 0.4, 0),
            (AND, PPNS, [(0.5, 0.5), (0.2, 0.8)], 0.1, 0.9, 1),
        ],
    )
    def test_takes_the_minimum_the_sum_or_the_product(
        self, side: int, method: int, children: Sequence[tuple[float, float]], pn: float, dn: float, best: int
    ) -> None:
        nodes = parent(side, method, children)
        assert back_up(nodes, 0, method)
        assert (nodes[0].pn, nodes[0].dn) == pytest.approx((pn, dn))
        assert (nodes[0].best, nodes[0].value) == (best, 0)
        assert not back_up(nodes, 0, method), "nothing has changed since"

    @pytest.mark.parametrize("method", [PNS, MCPNS, PPNS])
    def test_one_good_child_is_enough_and_all_bad_ones_are_too_many(self, method: int) -> None:
        open_numbers = [(0.5, 0.5)] * 3
        for side, good in ((OR, 1), (AND, -1)):
            won = parent(side, method, open_numbers, (0, 0, good))
            back_up(won, 0, method)
            assert (won[0].value, won[0].best) == (good, 2)
            lost = parent(side, method, open_numbers, (-good,) * 3)
            back_up(lost, 0, method)
            assert lost[0].value == -good

    @pytest.mark.parametrize("method", [PNS, MCPNS, PPNS])
    def test_what_is_decided_is_not_looked_at_again(self, method: int) -> None:
        for side, bad in ((OR, -1), (AND, 1)):
            nodes = parent(side, method, [(0.5, 0.5), (0.3, 0.7), (0.5, 0.5)], (bad, 0, bad))
            back_up(nodes, 0, method)
            assert (nodes[0].value, nodes[0].best) == (0, 1)
            assert (nodes[0].pn, nodes[0].dn) == pytest.approx((0.3, 0.7))

    def test_a_number_rounded_to_one_proves_nothing(self) -> None:
        nodes = parent(OR, PPNS, [(1.0, 0.0), (0.5, 0.5)])
        back_up(nodes, 0, PPNS)
        assert nodes[0].pn == 1.0 and nodes[0].value == 0


def tree(method: str, **setting: Any) -> TreeSearch:
    return TreeSearch(MOST_STEPS, method, SolverSetting(memory=1, **setting))


def after_each_expansion(search: TreeSearch, root: Node) -> list[Proof]:
    """What *search* has found after one expansion, after two, and so on to its result."""
    search.begin(root, 0)
    proofs: list[Proof] = []
    while not proofs or proofs[-1].result == "out":
        nodes, expanded = search.live().nodes, search.live().iterations
        while (proof := search.run(Limit(nodes=nodes))).iterations == expanded:
            nodes += 1
        assert proof.iterations == expanded + 1
        proofs.append(proof)
    return proofs


def numbers(proof: Proof) -> tuple[tuple[float, float], ...]:
    """pn and dn of the root and of each step at it."""
    return ((proof.pn, proof.dn), *((branch.pn, branch.dn) for branch in proof.branches))


class TestTrees:
    def test_pns_after_each_expansion(self) -> None:
        found = after_each_expansion(tree("pns"), TWO_WAYS)
        assert [numbers(proof) for proof in found] == [
            ((1, 2), (1, 1), (1, 1)),
            ((1, 2), (2, 1), (1, 1)),  # a needs two proofs now
            ((1, 2), (2, 1), (1, 1)),
            ((0, inf), (2, 1), (0, inf)),
        ]
        assert [proof.nodes for proof in found] == [3, 5, 6, 7]
        assert [proof.result for proof in found] == ["out", "out", "out", "proved"]
        assert found[-1].line == (1, 0, 0)

    def test_pns_disproves_for_the_other_seat(self) -> None:
        search = tree("pns")
        search.begin(TWO_WAYS, 1)
        proof = search.run(Limit(nodes=100))
        assert (proof.result, proof.pn, proof.dn) == ("disproved", inf, 0)

    def test_mcpns_after_each_expansion(self) -> None:
        found = after_each_expansion(tree("mcpns", playouts=10), SURE_AND_HOPELESS)
        first = [number for pair in numbers(found[0]) for number in pair]
        assert first == pytest.approx([0.01, 1.0, 0.01, 0.99, 0.99, 0.01])
        assert numbers(found[1]) == numbers(found[0])
        assert numbers(found[2])[:2] == ((0, inf), (0, inf))
        assert [proof.playouts for proof in found] == [20, 30, 30]

    def test_ppns_after_each_expansion(self) -> None:
        found = after_each_expansion(tree("ppns", theta=0.01), SURE_AND_HOPELESS)
        assert [proof.chance for proof in found] == pytest.approx([1 - 0.01 * 0.99, 1 - 0.01 * 0.99, 1])
        assert [branch.chance for branch in found[0].branches] == pytest.approx([0.99, 0.01])
        assert [proof.result for proof in found] == ["out", "out", "proved"]
        assert found[0].playouts == 120

    def test_ppns_concludes_within_the_tolerance_and_says_that_this_is_no_proof(self) -> None:
        for seat, result in ((0, "concluded win"), (1, "concluded not-win")):
            search = tree("ppns", theta=0.01, pr=0.01)
            search.begin(SURE_AND_HOPELESS, seat)
            proof = search.run(Limit(nodes=100))
            assert (proof.result, proof.is_proof, proof.nodes) == (result, False, 3)
            assert search.run(Limit(nodes=100)).nodes == 3, "there is nothing more to do"

    def test_ppns_does_not_conclude_outside_the_tolerance(self) -> None:
        search = tree("ppns", theta=0.01, pr=0.009)
        search.begin(SURE_AND_HOPELESS, 0)
        assert search.run(Limit(nodes=100)).result == "proved"


def solvers(chance: Literal["and", "or"] = "and") -> list[Running]:
    trees = [tree(method, chance=chance) for method in ("pns", "mcpns", "ppns")]
    return [*trees, DepthFirst(MOST_STEPS, 4, chance)]


def results(root: Node, seat: int = 0, chance: Literal["and", "or"] = "and") -> set[str]:
    """What the solvers find, all of them."""
    found: set[str] = set()
    for solver in solvers(chance):
        solver.begin(root, seat)
        found.add(solver.run(Limit(nodes=10_000)).result)
    return found


PASSING = written([FIRST, SECOND, FIRST, WON], {0: [1], 1: [2], 2: [3]})
THROUGH_ALL: tuple[list[int], dict[int, list[int]]] = [FIRST, SECOND, THIRD, WON, LOST], {0: [1], 1: [2], 2: [3, 4]}


@pytest.mark.parametrize(
    ("root", "seat", "result"),
    [
        (written([FIRST, FIRST, LOST, WON, LOST], {0: [1, 2], 1: [3, 4]}), 0, "proved"),  # two steps of one seat
        (PASSING, 0, "proved"),
        (written([FIRST, DRAWN, LOST], {0: [1, 2]}), 0, "disproved"),  # a draw is no win
        (written([FIRST, DRAWN, LOST], {0: [1, 2]}), 1, "disproved"),
        (written(*THROUGH_ALL), 0, "disproved"),  # all other seats are against it but partners
        (written(*THROUGH_ALL, has_teams=True), 0, "proved"),
        (written([WON], {}), 0, "proved"),
        (written([DRAWN], {}), 0, "disproved"),
    ],
)
def test_sides(root: Node, seat: int, result: str) -> None:
    assert results(root, seat) == {result}


def test_chance_is_against_the_goal_unless_asked_otherwise() -> None:
    dice = written([FIRST, DICE, WON, LOST], {0: [1], 1: [2, 3]})
    assert (results(dice), results(dice, chance="or")) == ({"disproved"}, {"proved"})


def test_a_forced_pass_is_one_child_and_there_is_no_fourth_seat() -> None:
    for solver in solvers():
        solver.begin(PASSING, 0)
        assert solver.run(Limit(nodes=100)).nodes == 4
    with pytest.raises(ValueError, match="no seat 3"):
        solvers()[0].begin(TWO_WAYS, 3)
