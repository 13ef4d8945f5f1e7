"""Expectimax: exact values, a slow definition, one mechanism with and without chance, stopping."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest

from papan.ai.evaluation import CONSPIRACY, STANDARD, evaluate
from papan.ai.evaluation import connect_four as four_evaluation
from papan.ai.evaluation.twenty48 import WEIGHTS
from papan.ai.limits import WIN, Limit
from papan.ai.players import PlayerError, SearchingPlayer, choices, describe, make_player
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.expectimax import Expectimax
from papan.game.catalogue import GAMES
from papan.game.kernel import plainly
from papan.game.match import Match
from papan.game.rules import CHANCE, chance, connect_four, is_over, legal_steps, mover, payoff, play, seats
from papan.game.rules.twenty48 import parse
from papan.game.rules.twenty48.board import State, board_cells, board_of
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[3]
GAME = GAMES["2048"]
FOUR = GAMES["connect-four"]
STANDARD_WEIGHTS = WEIGHTS[STANDARD]
FOUR_WEIGHTS = four_evaluation.WEIGHTS[STANDARD]


def searcher(weights: Sequence[float] = STANDARD_WEIGHTS) -> Expectimax:
    return Expectimax(GAME.rules, weights, table_bits=14)


def slow_value(state: State, depth: int) -> float:
    """What the player may expect with *depth* slides to go."""
    if is_over(state):
        return payoff(state, 0)
    if mover(state) == CHANCE:
        return sum(chance(state, step) * slow_value(play(state, step), depth) for step in legal_steps(state))
    if depth == 0:
        return float(evaluate(state, 0, np.array(STANDARD_WEIGHTS)))
    return max(slow_value(play(state, step), depth - 1) for step in legal_steps(state))


class TestValues:
    def test_the_smallest_board_is_played_perfectly(self) -> None:
        """The mean over the starts, dealt as in the game itself."""
        search = searcher()
        mean = 0.0
        pairs = [(a, b) for a in board_cells(2) for b in board_cells(2) if a < b]
        for first, second in pairs:
            for one, other in ((1, 1), (1, 2), (2, 1), (2, 2)):
                share = (0.9, 0.1)[one - 1] * (0.9, 0.1)[other - 1] / len(pairs)
                analysis = search.analyse(board_of({first: one, second: other}, 2), Limit(depth=60))
                assert analysis.is_proven
                mean += share * analysis.score
        assert mean == pytest.approx(66.9641494571, abs=1e-9)

    @pytest.mark.parametrize("depth", [1, 2])
    def test_are_those_of_the_definition(self, depth: int) -> None:
        random = Random(depth)
        for _ in range(6 if depth == 1 else 2):
            cells = random.sample(board_cells(3), 7)
            state = board_of({cell: random.randint(1, 5) for cell in cells}, 3)
            analysis = searcher().analyse(state, Limit(depth=depth))
            values = {step: slow_value(play(state, step), depth - 1) for step in legal_steps(state)}
            assert analysis.score == pytest.approx(max(values.values()))
            assert values[analysis.step] == pytest.approx(analysis.score)
            assert (analysis.depth, analysis.seat, analysis.is_proven) == (depth, 0, False)

    def test_without_chance_they_are_alpha_betas(self) -> None:
        weights = four_evaluation.WEIGHTS[STANDARD]
        random = Random(3)
        for _ in range(12):
            state = connect_four.State(0, 0)
            for _ in range(random.randint(4, 20)):
                if not is_over(state):
                    state = play(state, random.choice(legal_steps(state)))
            if is_over(state):
                continue
            mean = Expectimax(FOUR.rules, weights, table_bits=14).analyse(state, Limit(depth=4))
            best = AlphaBeta(FOUR.rules, weights, table_bits=14).analyse(state, Limit(depth=4))
            assert mean.score == pytest.approx(best.score) and mean.is_proven == best.is_proven
        won = Expectimax(FOUR.rules, weights, table_bits=12).analyse(connect_four.parse("112233", {}), Limit(depth=5))
        assert won.step == 3 and won.score == WIN - 1 and won.is_proven

    @pytest.mark.parametrize(
        ("text", "depth", "weights", "step", "score"),
        [
            ("2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2 80", 3, STANDARD, 3, 16117.394497903928),
            ("512,64,8,2/128,32,16,4/16,8,4,2/4,2,0,2 5200", 4, STANDARD, 1, 20240.856492),
            ("1024,256,64,8/2,16,32,4/8,4,2,8/2,0,4,2 11000", 3, CONSPIRACY, 3, 1170.5946783854165),
            ("4,8,2/16,4,0/2,0,2 64", 5, STANDARD, 3, 15983.209469769216),
        ],
    )
    def test_stay_the_same_at_a_fixed_depth(self, text: str, depth: int, weights: str, step: int, score: float) -> None:
        state = parse(text, {"size": str(text.count("/") + 1)})
        search = Expectimax(GAME.rules, WEIGHTS[weights], table_bits=14, judges_ends=weights == CONSPIRACY)
        analysis = search.analyse(state, Limit(depth=depth))
        assert (analysis.step, analysis.depth) == (step, depth)
        assert analysis.score == pytest.approx(score, rel=1e-14)

    def test_older_searches_change_nothing_at_a_fixed_depth(self) -> None:
        state = parse("2,4,8/0,2,4/0,0,2 24", {"size": "3"})
        search = searcher()
        first = search.analyse(state, Limit(depth=2))
        search.analyse(state, Limit(depth=4))
        assert search.analyse(state, Limit(depth=2)).score == first.score

    @pytest.mark.parametrize("limit", [Limit(depth=6), Limit(nodes=3000)], ids=["depth", "nodes"])
    def test_plain_python_finds_the_same(self, limit: Limit) -> None:
        for state in (parse("2,4/0,8 12", {"size": "2"}), connect_four.parse("44553", {})):
            rules, weights = (GAME.rules, STANDARD_WEIGHTS) if seats(state) == 1 else (FOUR.rules, FOUR_WEIGHTS)
            compiled = Expectimax(rules, weights, table_bits=12).analyse(state, limit)
            with plainly():
                plain = Expectimax(rules, weights, table_bits=12).analyse(state, limit)
            assert (plain.nodes, plain.is_proven) == (compiled.nodes, compiled.is_proven)
            assert plain.score == pytest.approx(compiled.score)
            assert plain.principal_variation == compiled.principal_variation


BOARD = parse("2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2 80", {"size": "4"})


def test_limits_end_it() -> None:
    search, legal = searcher(), legal_steps(BOARD)
    search.prepare(BOARD)
    assert search.analyse(BOARD, Limit(time=0.05)).step in legal
    assert search.analyse(BOARD, Limit(nodes=5000)).nodes <= 5000
    threading.Timer(0.05, search.stop).start()
    analysis, live = search.analyse(BOARD, Limit(depth=40)), search.live()
    assert analysis.step in legal and analysis.depth < 40
    assert live is not None and live.nodes == analysis.nodes
    assert searcher().analyse(BOARD, Limit(depth=40), is_cancelled=lambda: True).step in legal


class TestChancePruning:
    def test_nodes_go_further_than_without_it(self) -> None:
        pruned = searcher().analyse(BOARD, Limit(nodes=100_000))
        exact = searcher().analyse(BOARD, Limit(depth=pruned.depth, nodes=100_000))
        assert exact.depth < pruned.depth

    def test_a_depth_is_exact_after_a_search_that_was_pruned(self) -> None:
        search = searcher()
        search.analyse(BOARD, Limit(nodes=50_000))
        assert search.analyse(BOARD, Limit(depth=2)).score == searcher().analyse(BOARD, Limit(depth=2)).score

    def test_what_is_small_enough_is_still_proven(self) -> None:
        """Where looking deeper finds nothing new, ever less likely positions are looked into."""
        state = parse("2,4/0,2 4", {"size": "2"})
        pruned = searcher().analyse(state, Limit(nodes=10**7))
        exact = searcher().analyse(state, Limit(depth=60))
        assert pruned.is_proven and exact.is_proven
        assert pruned.score == pytest.approx(exact.score) and pruned.nodes < 10**7


class TestNames:
    def test_minimax_is_expectimax_where_there_is_chance(self) -> None:
        for name in ("minimax:depth=2", "expectimax:depth=2"):
            player = make_player(name, GAME)
            assert isinstance(player, SearchingPlayer) and isinstance(player.search, Expectimax)
        assert describe("minimax:depth=1", GAME).note == "Expectimax, 1 turn ahead"
        assert describe("expectimax:time=2", GAME).label == "Expectimax"

    def test_it_is_offered_once(self) -> None:
        assert [choice.name for choice in choices(GAME)] == [
            "minimax:easy", "minimax:medium", "minimax:hard", *(f"level:{number}" for number in range(1, 9)),
            "mcts", "learned", "random",
            "rookie", "casual", "expert", "master",
        ]  # fmt: skip

    def test_games_without_chance_have_none(self) -> None:
        with pytest.raises(PlayerError, match="There is no player 'expectimax:depth=2' for Connect Four"):
            make_player("expectimax:depth=2", GAMES["connect-four"])


def test_it_can_be_loaded_from_the_cache() -> None:
    """A recursion that calls itself with a constant crashed when it came from the cache: see docs/architecture.md."""
    searcher().analyse(Match.new(GAME, [""], seed=1).state, Limit(depth=1))
    program = (
        "from papan.ai.players import make_player, situation; from papan.game.catalogue import GAMES;"
        "from papan.game.match import Match; game = GAMES['2048']; match = Match.new(game, [''], seed=1);"
        "print(make_player('minimax:depth=2', game).choose(situation(match)).depth)"
    )
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert (ran.returncode, ran.stdout.strip()) == (0, "2"), ran.stderr
