"""Wins that are forced step by step: they are proofs, and a miss says nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from papan.ai.evaluation import STANDARD, evaluation_of
from papan.ai.evaluation.accumulator import accumulator, regather
from papan.ai.limits import Limit
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.deepening import Pace
from papan.ai.search.negamax import BUFFER, WORKSPACE
from papan.ai.search.pruning import ALL_RULES, FORCED_WINS
from papan.ai.search.threat_space import shortest_forced_win
from papan.game.catalogue import GAMES
from papan.game.kernel.clock import NEVER
from papan.game.rules import State, is_over, legal_steps, mover, payoff, play
from papan.game.rules.gomoku import cell_named as cell

GOMOKU, CONNECT_FOUR = GAMES["gomoku"], GAMES["connect-four"]

WON = [
    ("h8 a1 h9 a3 h10 a5 h11 a7", 1),  # five
    ("h8 a1 h9 a3 h10 a5", 3),  # a four with two open ends
    ("e8 d8 f8 a1 g8 a3 h9 a5 h10 a7 h11 c1", 3),  # a four on two rows at once
    ("c8 b8 d8 a1 e8 a3 f10 a5 f11 c1", 5),  # a four that makes two into an open three
]
OPEN = [
    "h8",
    "h8 a1 h9 a3 i8 c1 j9 a5",  # open threes win, but not fours alone
    "h8 h7 h9 a3 h10 a5 h11",  # a four to be stopped
]


def searcher(**settings: Any) -> AlphaBeta:
    return AlphaBeta(GOMOKU.rules, evaluation_of(GOMOKU).WEIGHTS[STANDARD], **settings)


def position(number: int) -> State:
    return GOMOKU.rules.parse(WON[number][0], {})


def found(state: State) -> tuple[int, int]:
    evaluation_of(GOMOKU)  # its import is what brings gomoku's kernels
    work = np.zeros(1, WORKSPACE)[0]
    work.buffer_limit = BUFFER // 2
    work.node_limit, work.deadline = 1 << 40, NEVER
    kept = accumulator(state)
    regather(state, kept)
    step, turns = shortest_forced_win(state, work, kept)
    return int(step), int(turns)


def wins_at_once(state: State) -> bool:
    """Whether the seat to act has a step that wins."""
    seat = mover(state)
    return any(is_over(after) and payoff(after, seat) > 0 for after in (play(state, s) for s in legal_steps(state)))


def is_proof(state: State) -> int:
    """The turns that the win found takes at most, all that can be answered considered."""
    seat = mover(state)
    step, turns = found(state)
    assert turns > 0
    after = play(state, step)
    if is_over(after):
        assert payoff(after, seat) > 0
        return 1
    assert turns > 1
    longest = 0
    for answer in legal_steps(after):
        there = play(after, answer)
        assert not is_over(there)
        longest = max(longest, 3 if wins_at_once(there) else 2 + is_proof(there))
    return longest


class TestGomoku:
    @pytest.mark.parametrize(("text", "turns"), WON)
    @pytest.mark.parametrize("exact", ["no", "yes"])
    def test_what_is_found_is_proved(self, text: str, turns: int, exact: str) -> None:
        state = GOMOKU.rules.parse(text, {"size": "15", "exact": exact})
        assert found(state)[1] == turns
        assert is_proof(state) <= turns

    @pytest.mark.parametrize("text", OPEN)
    def test_a_miss_says_nothing(self, text: str) -> None:
        assert found(GOMOKU.rules.parse(text, {})) == (-1, 0)

    def test_a_five_that_would_be_too_long_wins_only_where_it_may_be(self) -> None:
        text = "c3 a1 d3 c1 f3 g1 g3 i1 h3 k1"  # e3 makes six
        for exact, turns in (("no", 1), ("yes", 0)):
            assert found(GOMOKU.rules.parse(text, {"size": "15", "exact": exact}))[1] == turns

    @pytest.mark.parametrize("exact", ["renju", "caro", "caro-exact"])
    @pytest.mark.parametrize(("text", "turns"), WON)
    def test_where_answers_are_not_known_only_fives_are_found(self, text: str, turns: int, exact: str) -> None:
        """A four is stopped beside the row in caro; in renju its cell or the four itself can be forbidden."""
        state = GOMOKU.rules.parse(text, {"size": "15", "exact": exact})
        assert found(state)[1] == (1 if turns == 1 else 0)

    def test_caro_s_four_is_stopped_beyond_its_five(self) -> None:
        """White closes the row on j8: then five on e8 to i8 lie between two white stones."""
        text = "e8 d8 f8 a1 g8 a3 h8"
        for exact, saved in (("no", False), ("caro", True)):
            state = GOMOKU.rules.parse(text, {"size": "15", "exact": exact})
            analysis = searcher().analyse(play(state, cell("j8")), Limit(depth=1))
            assert (analysis.win_distance == 1) == (not saved)

    def test_a_five_that_black_may_not_stop_is_seen(self) -> None:
        """White threatens five on h8 alone, and h8 is forbidden to Black: two threes."""
        text = "f8 d12 g8 e11 h9 f10 h10 g9 c13 a1"
        for exact, lost in (("no", False), ("renju", True)):
            state = GOMOKU.rules.parse(text, {"size": "15", "exact": exact})
            assert (cell("h8") in legal_steps(state)) == (not lost)
            analysis = searcher().analyse(state, Limit(depth=2))
            assert (analysis.win_distance == -2) == lost
            assert analysis.step in legal_steps(state)

    @pytest.mark.parametrize("exact", ["renju", "caro", "caro-exact"])
    def test_searches_play_legal_steps_to_the_end(self, exact: str) -> None:
        state = GOMOKU.rules.parse("h8 i9 h10 g9 g8 i8", {"size": "15", "exact": exact})
        search = searcher()
        for _ in range(40):
            if is_over(state):
                break
            step = search.analyse(state, Limit(nodes=300)).step
            assert step in legal_steps(state)
            state = play(state, step)

    def test_the_search_calls_it_proven_with_the_rule_and_without(self) -> None:
        with_it = searcher().analyse(position(3), Limit(nodes=20_000))
        assert with_it.is_proven and with_it.win_distance == WON[3][1]
        without = searcher(pruning=ALL_RULES & ~FORCED_WINS)
        assert without.analyse(position(3), Limit(nodes=20_000)).is_proven

    def test_steps_that_are_not_asked_about_are_no_answer(self) -> None:
        assert searcher().analyse(position(0), Limit(nodes=2_000), only=[0, 1]).step in (0, 1)

    def test_time_that_is_over_for_it_leaves_the_rest_to_the_search(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Pace, "in_part", lambda self, part: 0)
        analysis = searcher().analyse(position(0), Limit(time=600.0, nodes=20_000))
        assert analysis.depth > 0 and analysis.win_distance == 1

    def test_a_fixed_depth_does_without(self) -> None:
        scores = [searcher(pruning=rules).analyse(position(3), Limit(depth=2)).score for rules in (0, ALL_RULES)]
        assert scores[0] == scores[1]


def test_a_game_that_names_no_pressing_steps_is_not_looked_at() -> None:
    assert found(CONNECT_FOUR.rules.parse("4455", {})) == (-1, 0)
