"""Single conspiracy numbers: trees counted by hand, random trees against the definition, the games' thresholds."""

from __future__ import annotations

import threading
from math import inf
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papan.ai.evaluation import evaluate, evaluation_of, milestone
from papan.ai.indicators import conspiracy as module
from papan.ai.indicators.conspiracy import AtDepth, Conspiracy, Depths
from papan.ai.limits import WIN, Limit
from papan.ai.reviews.reviewer import searcher_for
from papan.game.catalogue import GAMES
from papan.game.kernel import plainly
from papan.game.match import Match
from papan.game.rules import State, is_over, legal_steps, mover, play, seats
from papan.game.rules.twenty48.board import board_of
from tests.ai.branches import CHANCE, EVALUATION, GAME, Node, state_of
from tests.ai.playing import at_random, four

LOSS, DRAW, WON = Node(0, -1), Node(0, 0), Node(0, 1)


def horizon(value: int, seat: int = 0) -> Node:
    """A position in the middle of the game, two turns from a root where seat 0 is to move."""
    return Node(seat, value, [DRAW])


def number(tree: Node, threshold: float = 5.0, turns: int = 2, seat: int = 0) -> float:
    with patch.object(module, "evaluation_of", lambda game: EVALUATION):
        conspiracy = Conspiracy(GAME, turns)
    return conspiracy.number(state_of(tree), seat, threshold)


class TestByHand:
    def test_two_turns(self) -> None:
        """MAX chooses between a reply set with two leaves below T and one with a leaf below T and one above."""
        two_short = Node(1, 0, [horizon(3), horizon(4)])  # 1 + 1
        one_short = Node(1, 0, [horizon(9), horizon(4)])  # 0 + 1
        assert number(Node(0, 0, [two_short, one_short])) == 1
        assert number(Node(0, 0, [two_short])) == 2
        assert number(Node(0, 0, [Node(1, 0, [horizon(5), horizon(6)])])) == 0

    def test_the_root_may_be_min(self) -> None:
        replies = [Node(0, 0, [horizon(1, 1), horizon(7, 1)]), Node(0, 0, [horizon(1, 1), horizon(2, 1)])]
        assert number(Node(1, 0, replies)) == 0 + 1
        # For seat 1 the same tree, with all values the other way round, has its root at MAX.
        assert number(Node(1, 0, replies), threshold=-1.0, seat=1) == min(1 + 1, 1 + 0, 0 + 1) == 1

    def test_finished_games(self) -> None:
        lost_reply = Node(1, 0, [horizon(9), LOSS])
        assert number(Node(0, 0, [lost_reply])) == inf
        assert number(Node(0, 0, [lost_reply, Node(1, 0, [horizon(1), horizon(2), WON])])) == 2
        assert number(Node(0, 0, [Node(1, 0, [DRAW])]), threshold=0.5) == inf
        assert number(Node(0, 0, [Node(1, 0, [DRAW])]), threshold=0.0) == 0
        assert number(WON) == 0 and number(LOSS) == inf

    def test_a_turn_of_several_steps_is_one_turn(self) -> None:
        """Seat 1 takes two steps: its turns are the ways to take both, and all of them count."""
        reply = Node(1, 0, [Node(1, 0, [horizon(1), horizon(9)]), Node(1, 0, [horizon(2), horizon(3)])])
        assert number(Node(0, 0, [reply])) == 3
        own = Node(0, 0, [Node(0, 0, [Node(1, 0, [horizon(1), horizon(2)]), Node(1, 0, [horizon(8)])])])
        assert number(own) == 0

    def test_chance_is_as_min_and_takes_no_turn(self) -> None:
        outcomes = [
            Node(0, 0, [Node(CHANCE, 0, [horizon(1), horizon(9)])]),
            Node(0, 0, [Node(CHANCE, 0, [horizon(2)])]),
        ]
        assert number(Node(0, 0, [Node(CHANCE, 0, outcomes)])) == 1 + 1

    def test_one_turn(self) -> None:
        tree = Node(0, 0, [Node(1, 3, [horizon(9)]), Node(1, 4, [horizon(1)])])
        assert number(tree, turns=1) == 1 and number(tree, threshold=4.0, turns=1) == 0


# --------------------------------------------------------------------------------------- random trees

movers = st.sampled_from([0, 1, CHANCE])
values = st.integers(-9, 9)
trees = st.recursive(
    st.tuples(movers, values).map(lambda parts: Node(*parts)),
    lambda nodes: st.tuples(movers, values, st.lists(nodes, min_size=1, max_size=4)).map(lambda parts: Node(*parts)),
    max_leaves=30,
)


def slow_number(node: Node, own: int, turns: int, threshold: float, player: int | None = None) -> float:
    """Equations 5 to 8 by the letter; *turns* more are to be begun."""
    sign = 1 if own == 0 else -1
    if not node.children:
        value = WIN * sign * ((node.value > 0) - (node.value < 0))
        return 0 if value >= threshold else inf
    if node.mover not in (player, CHANCE):
        if turns == 0:
            return 0 if sign * node.value >= threshold else 1
        turns -= 1
    numbers = [slow_number(child, own, turns, threshold, node.mover) for child in node.children]
    return min(numbers) if node.mover == own else sum(numbers)


def proof_number(node: Node, turns: int, player: int | None = None) -> float:
    """The proof number for seat 0: a win 0, anything else infinity; a leaf 1."""
    if not node.children:
        return 0 if node.value > 0 else inf
    if node.mover not in (player, CHANCE):
        if turns == 0:
            return 1
        turns -= 1
    numbers = [proof_number(child, turns, node.mover) for child in node.children]
    return min(numbers) if node.mover == 0 else sum(numbers)


class TestRandomTrees:
    @settings(max_examples=120)
    @given(trees, st.integers(-10, 10), st.integers(1, 3), st.integers(0, 1))
    def test_are_counted_by_the_definition(self, tree: Node, threshold: int, turns: int, seat: int) -> None:
        expected = slow_number(tree, seat, turns, threshold)
        assert number(tree, threshold, turns, seat) == expected
        with plainly():
            assert number(tree, threshold, turns, seat) == expected

    @settings(max_examples=40)
    @given(trees, st.integers(1, 3))
    def test_above_every_evaluation_it_is_the_proof_number(self, tree: Node, turns: int) -> None:
        assert number(tree, WIN, turns) == proof_number(tree, turns)

    @settings(max_examples=40)
    @given(trees, st.integers(1, 3), st.integers(0, 1))
    def test_below_every_value_it_is_nothing(self, tree: Node, turns: int, seat: int) -> None:
        assert number(tree, -WIN, turns, seat) == 0

    @settings(max_examples=40)
    @given(trees, st.integers(-10, 9))
    def test_a_higher_threshold_is_no_easier(self, tree: Node, threshold: int) -> None:
        assert number(tree, threshold) <= number(tree, threshold + 1)


class TestGames:
    @pytest.mark.parametrize("name", [name for name, game in GAMES.items() if 2 in game.seats])
    def test_each_game_of_two_has_them(self, name: str) -> None:
        """In the middle of a random game: whole numbers or infinity, and the same in plain Python."""
        game = GAMES[name]
        options = {"seats": "2"} if "seats" in game.options else {}
        match = Match.new(game, ["", ""], options, seed=5)
        random = Random(5)
        while not match.ending and len(match.turns()) < 9:
            match.play(random.choice(match.legal_steps()))
        while not match.ending and match.turns()[-1].seat == match.mover:
            match.play(random.choice(match.legal_steps()))
        assert not match.ending
        conspiracy = Conspiracy(game, 1)
        found = conspiracy.numbers(match.state)
        assert len(found) == seats(match.state) == 2
        assert conspiracy.numbers(match.state) == found
        assert all(one == inf or (one >= 0 and one == int(one)) for one in found)
        with plainly():
            assert conspiracy.numbers(match.state) == found

    def test_it_can_be_stopped(self) -> None:
        """Fifteen by fifteen cells, four turns deep, are more than anybody waits for: it ends by the stop, or never."""
        game = GAMES["gomoku"]
        conspiracy = Conspiracy(game, 1)
        state = Match.new(game, ["", ""], {}, seed=1).state
        conspiracy.number(state, 0)
        conspiracy = Conspiracy(game, 4)
        threading.Timer(0.2, conspiracy.stop).start()
        conspiracy.number(state, 0)
        assert conspiracy.nodes > 0
        conspiracy.number(state, 0, is_cancelled=lambda: True)
        assert conspiracy.nodes <= 10


class TestTwenty48:
    GAME = GAMES["2048"]

    def test_the_threshold_doubles_with_the_largest_tile(self) -> None:
        conspiracy = Conspiracy(self.GAME)
        first = evaluation_of(self.GAME).THRESHOLD
        assert [conspiracy.threshold(board_of({0: power, 1: 1}, 4)) for power in (1, 2, 3, 11)] == [
            first, first, 2 * first, 512 * first,
        ]  # fmt: skip
        assert milestone(board_of({0: 11}, 4)) == 9

    def test_the_way_to_the_next_milestone(self) -> None:
        """Two 64s side by side become 128 in one slide, whatever chance brings; without the second one nothing does."""
        conspiracy = Conspiracy(self.GAME, 1)
        at_hand = board_of({0: 6, 1: 6}, 4)
        far = board_of({0: 6, 1: 5}, 4)
        assert conspiracy.number(at_hand, 0) == 0
        # The least that chance can bring after the best slide: 14 empty cells, a 2 or a 4 on each.
        assert conspiracy.number(far, 0) == 2 * 14

    def test_a_game_that_is_over(self) -> None:
        state = board_of({0: 1, 1: 2, 4: 2, 5: 1}, 2)
        assert is_over(state) and Conspiracy(self.GAME).number(state, 0) == inf

    def test_a_small_board_by_the_definition(self) -> None:
        conspiracy = Conspiracy(self.GAME, 2)
        state = board_of({0: 2, 3: 1, 5: 3, 8: 1}, 3)
        wanted = conspiracy.threshold(state)

        def slow(state: object, turns: int) -> float:
            judged = evaluate(state, 0, conspiracy._weights)
            if is_over(state):
                return 0 if judged >= wanted else inf
            if mover(state) == CHANCE:
                return sum(slow(play(state, step), turns) for step in legal_steps(state))
            if turns == 0:
                return 0 if judged >= wanted else 1
            return min(slow(play(state, step), turns - 1) for step in legal_steps(state))

        assert conspiracy.number(state, 0) == slow(state, 2) > 0


def after(name: str, seats: int, steps: int) -> State:
    return at_random(Match.new(GAMES[name], ["random"] * seats, {}, seed=3), steps, 4).state


def depths(name: str, seats: int, state: State, most: int, threshold: float | None = None) -> list[AtDepth]:
    game = GAMES[name]
    return Depths(game, searcher_for(game, seats, state), state, threshold).run(most)


class TestFigures:
    def test_a_win_at_hand_by_hand(self) -> None:
        """Three in a column: the next disc wins at every depth. The other seat has no way to T whatever it does."""
        found = depths("connect-four", 2, four("121213").state, 2, threshold=WIN)
        assert [one.values for one in found] == [(WIN - 1, 1 - WIN)] * 2
        assert [one.numbers[0] for one in found] == [0.0, 0.0]
        assert [one.numbers[1] for one in found] == [float("inf")] * 2

    def test_they_are_those_of_the_search_and_of_the_numbers(self) -> None:
        game, state = GAMES["othello"], after("othello", 2, 8)
        found = depths("othello", 2, state, 3)
        for one in found:
            score = searcher_for(game, 2, state).analyse(state, Limit(depth=one.depth)).score
            assert one.values == (score, -score)
            assert one.numbers == Conspiracy(game, one.depth).numbers(state)

    @pytest.mark.parametrize(("name", "seats", "steps"), [("2048", 1, 0), ("catur-jawa", 3, 6), ("catur-jawa", 4, 6)])
    def test_a_value_and_a_number_for_each_seat(self, name: str, seats: int, steps: int) -> None:
        for one in depths(name, seats, after(name, seats, steps), 1):
            assert len(one.values) == len(one.numbers) == seats


def test_it_can_be_stopped() -> None:
    game = GAMES["othello"]
    state = after("othello", 2, 8)
    work = Depths(game, searcher_for(game, 2, state), state)
    told: list[int] = []

    def said(found: AtDepth) -> None:
        told.append(found.depth)
        work.stop()

    assert len(work.run(6, said)) == 1 and told == [1]
