"""P-tree: the numbers on its edges, who wins, texts and options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from random import Random

import pytest

from papan.ai.evaluation import STANDARD
from papan.ai.evaluation.p_tree import WEIGHTS
from papan.ai.limits import Limit
from papan.ai.search.alphabeta import AlphaBeta
from papan.game.catalogue import GAMES
from papan.game.game import OptionError
from papan.game.match import Match
from papan.game.match.record import read, write
from papan.game.perft import perft
from papan.game.rules import PositionError, is_over, legal_steps, mover, p_tree, payoff, play
from papan.game.rules.p_tree import LARGEST, State, number_on, parse, start, text

GAME = GAMES["p-tree"]


def root(branching: int = 2, depth: int = 20, tree: int = 0) -> State:
    return start({"branching": str(branching), "depth": str(depth), "tree": str(tree)}, Random(0))


def best(state: State) -> int:
    """The sum that the game ends with if MAX wants it high and MIN low."""
    if is_over(state):
        return state.total
    sums = [best(play(state, step)) for step in legal_steps(state)]
    return max(sums) if mover(state) == 0 else min(sums)


class TestNumbers:
    def test_all_are_as_likely(self) -> None:
        counts = Counter(number_on(tree, path) for tree in range(20) for path in range(1, 2000))
        assert set(counts) == set(range(LARGEST + 1))
        expected = 20 * 1999 / (LARGEST + 1)
        # Pearson's statistic for 127 degrees of freedom: beyond 199 once in twenty thousand times.
        assert sum((count - expected) ** 2 / expected for count in counts.values()) < 199

    def test_siblings_cousins_and_trees_have_nothing_to_do_with_one_another(self) -> None:
        elsewhere: list[Callable[[int, int], tuple[int, int]]] = [
            lambda tree, path: (tree, path + 1),
            lambda tree, path: (tree + 1, path),
            lambda tree, path: (tree, 2 * path),
        ]
        for there in elsewhere:
            pairs = [(number_on(t, p), number_on(*there(t, p))) for t in range(30) for p in range(1, 600)]
            mean = LARGEST / 2
            covariance = sum((a - mean) * (b - mean) for a, b in pairs) / len(pairs)
            assert abs(covariance) < 0.04 * LARGEST**2 / 12

    def test_max_adds_and_min_takes_away(self) -> None:
        random = Random(1)
        for tree in range(50):
            state = root(branching=3, tree=tree)
            while not is_over(state):
                after = play(state, random.choice(legal_steps(state)))
                change = after.total - state.total
                assert 0 <= change <= LARGEST if mover(state) == 0 else -LARGEST <= change <= 0
                state = after
            assert [payoff(state, 0), payoff(state, 1)] == ([1, -1] if state.total > 0 else [-1, 1])
        assert p_tree.ending(root(depth=2)._replace(plies=2, total=0)).winner == 1, "a sum of nothing is MIN's"


class TestTree:
    @pytest.mark.parametrize(("branching", "depth"), [(2, 9), (3, 5), (8, 4)])
    def test_is_the_same_everywhere(self, branching: int, depth: int) -> None:
        assert perft(p_tree, root(branching, depth), depth) == branching**depth

    def test_the_same_number_is_the_same_tree(self) -> None:
        paths = ["".join(path) for path in product("12", repeat=6)]
        totals = [[parse(path, {"branching": "2", "depth": "20", "tree": tree}).total for path in paths]
                  for tree in ("5", "5", "6")]  # fmt: skip
        assert totals[0] == totals[1] != totals[2]

    def test_the_largest_fits(self) -> None:
        state = root(branching=8)
        while not is_over(state):
            state = play(state, 7)
        assert state.path < 2**63 and text(state) == "8" * 20

    def test_alpha_beta_finds_who_wins(self) -> None:
        won = 0
        for tree in range(12):
            state = root(2, 10, tree)
            analysis = AlphaBeta(p_tree, WEIGHTS[STANDARD], table_bits=12).analyse(state, Limit(depth=20))
            assert analysis.is_proven
            assert (analysis.score > 0) == (best(state) > 0)
            won += analysis.score > 0
        assert 0 < won < 12


class TestTexts:
    @pytest.mark.parametrize(
        ("wrong", "says"), [("13", "Character 2, '3'"), ("0", "is not a branch"), ("1" * 21, "only 20 deep")]
    )
    def test_nonsense_is_refused_with_the_place(self, wrong: str, says: str) -> None:
        with pytest.raises(PositionError, match=says):
            parse(wrong, GAME.complete_options({}))

    def test_what_a_branch_adds_is_said(self) -> None:
        state = root()
        assert p_tree.describe(state, 0) == ("Branch 1", f"Changes the sum by +{number_on(0, 2)}.")
        assert p_tree.seat_note(state, 0) == ("MAX", "sum +0")


class TestOptions:
    def test_whole_numbers_within_bounds(self) -> None:
        given = {"branching": "5", "depth": "7", "tree": "123456789"}
        match = Match.new(GAME, ["a", "b"], given, seed=1)
        assert (match.state.branching, match.state.depth, match.state.tree) == (5, 7, 123456789)
        assert read(write(match)).state == match.state

    @pytest.mark.parametrize("value", ["1", "9", "02", "two", "-2", "2.0", "", "²", "9" * 5000])
    def test_others_are_refused_in_words(self, value: str) -> None:
        with pytest.raises(OptionError, match="branching can be a whole number from 2 to 8"):
            GAME.complete_options({"branching": value})

    def test_it_is_not_in_the_gallery(self) -> None:
        assert not GAME.in_gallery
