"""Positions that come back: solvers against the rule itself, a draw at the third time, on small random graphs."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from papan.ai.limits import Limit
from papan.ai.proof import SolverSetting
from papan.ai.proof.dfpn import DepthFirst
from papan.ai.proof.result import Running
from papan.ai.proof.tree import TreeSearch
from papan.game.kernel import plainly
from papan.game.rules import achieved, key, legal_steps, mover, play
from tests.ai.proof.graphs import DRAWN, FIRST, LOST, MOST_STEPS, SECOND, WON, Node, written

GRAPHS = 120


@pytest.fixture(autouse=True)
def plain() -> Iterator[None]:
    with plainly():
        yield


def wins_by_the_rule(state: Node, came: dict[int, int]) -> bool:
    """Whether the first seat can force a win: the game as it is played, *came* counting how often each node did."""
    value = achieved(state, 0, 0)
    if value:
        return value > 0
    node = state.node
    if came.get(node, 0) == 2:
        return False  # the third time
    came[node] = came.get(node, 0) + 1
    branches = (wins_by_the_rule(play(state, step), came) for step in legal_steps(state, 16))
    is_won = any(branches) if mover(state) == 0 else all(branches)
    came[node] -= 1
    return is_won


def wins_by_counter(state: Node, known: dict[Node, bool]) -> bool:
    """The same where only the draw counter ends what goes round in circles."""
    if state not in known:
        value = achieved(state, 0, 0)
        branches = (wins_by_counter(play(state, step), known) for step in legal_steps(state, 16))
        known[state] = value > 0 if value else (any(branches) if mover(state) == 0 else all(branches))
    return known[state]


def random_graph(random: Random, limit: int) -> Node:
    """Two phases of eight nodes at most; more ways lead round than out."""
    size = random.choice((5, 7, 12, 16))
    kinds = [random.choice((FIRST, SECOND)) for _ in range(size)]
    for node in random.sample(range(1, size), size // 3):
        kinds[node] = random.choice((WON, WON, LOST, DRAWN))
    successors = {}
    for node in range(size):
        within = [other for other in range(size) if other // 8 >= node // 8]
        successors[node] = random.sample(within, min(len(within), random.choice((1, 2, 2, 3))))
    return written(kinds, successors, limit)


def solvers() -> list[Running]:
    return [
        TreeSearch(MOST_STEPS, "pns", SolverSetting(memory=2)),
        TreeSearch(MOST_STEPS, "ppns", SolverSetting(memory=2, playouts=3)),
        DepthFirst(MOST_STEPS, 4),
    ]


def results(root: Node, nodes: int = 60_000, came_twice: tuple[int, ...] = ()) -> list[str]:
    """What the solvers find."""
    found: list[str] = []
    for solver in solvers():
        solver.begin(root, 0, came_twice=came_twice)
        found.append(solver.run(Limit(nodes=nodes)).result)
    return found


def right(is_won: bool) -> list[str]:
    return ["proved" if is_won else "disproved"] * 3


class TestRandomGraphs:
    def test_solvers_agree_with_the_rule_of_the_third_repetition(self) -> None:
        random, found = Random(11), []
        for _ in range(GRAPHS):
            root = random_graph(random, random.choice((4, 5, 6)))
            found.append(wins_by_the_rule(root, {}))
            assert results(root) == right(found[-1])
        assert 0.1 < sum(found) / GRAPHS < 0.9, "some are won and some are not"

    def test_where_the_counter_is_far_away_too(self) -> None:
        random, found = Random(12), []
        for _ in range(GRAPHS):
            root = random_graph(random, random.choice((7, 12, 40)))
            is_won = wins_by_counter(root, {})
            told = [result for result in results(root, 5_000) if result != "out"]
            assert told == right(is_won)[: len(told)]
            found += [is_won] * len(told)
        assert len(found) > 2 * GRAPHS and 0.1 < sum(found) / len(found) < 0.9

    def test_what_came_twice_before_is_a_draw_at_once(self) -> None:
        random, changed = Random(13), 0
        for _ in range(GRAPHS):
            root = random_graph(random, 6)
            twice = random.sample(range(1, 5), 2)
            is_won = wins_by_the_rule(root, dict.fromkeys(twice, 2))
            changed += is_won != wins_by_the_rule(root, {})
            keys = tuple(int(key(root._replace(node=node))) for node in twice)
            assert results(root, came_twice=keys) == right(is_won)
        assert changed > 2, "it makes a difference now and then"


def test_the_same_position_with_less_of_the_draw_counter_left_is_another_one() -> None:
    # Won by 1-2-3-4-6, one quiet step less than the way round by 5: a table without the counter mixes them up.
    kinds = [SECOND, FIRST, FIRST, FIRST, FIRST, FIRST, WON]
    successors = {0: [1, 5], 1: [2], 2: [3], 3: [4], 4: [6], 5: [1]}
    for limit, is_won in ((4, False), (5, False), (6, True)):
        root = written(kinds, successors, limit)
        assert wins_by_the_rule(root, {}) == is_won
        assert results(root, 1000) == right(is_won)


def test_a_disproof_by_repetition_does_not_hold_on_another_path() -> None:
    # 4 only leads to 2: a repetition where the path came by 2, which wins by 5; by 3 it is the way to win.
    # That 3 has two more ways, which are lost, makes df-pn come by 2 first.
    kinds = [FIRST, SECOND, FIRST, FIRST, FIRST, FIRST, FIRST, FIRST, WON, LOST]
    ways = {0: [1], 1: [2, 3], 2: [4, 5], 3: [6, 7, 4], 4: [2], 5: [8], 6: [9], 7: [9]}
    root = written(kinds, ways, 40)
    assert wins_by_the_rule(root, {})
    assert results(root, 1000) == right(True)
