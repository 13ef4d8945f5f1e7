"""Alpha-beta against plain minimax without any pruning, and its limits."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from papan.ai.evaluation import STANDARD, Weights, candidates, evaluate, evaluation_of, is_quiet, selectivity_of
from papan.ai.evaluation.xiangqi import SELECTIVITY
from papan.ai.limits import WIN, WIN_BOUND, Limit
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.negamax import WORKSPACE
from papan.ai.search.pruning import (
    ALL_RULES,
    PROBCUT,
    REDUCTIONS,
    SINGULAR,
    SINGULAR_DEPTH,
    SINGULAR_SLACK,
    singular_bound,
)
from papan.ai.search.table import EXACT, LOWER, UPPER, new_table, pack, store
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.kernel import plainly
from papan.game.kernel.arrays import new_record
from papan.game.match import Match
from papan.game.perft import perft
from papan.game.puzzles import shipped
from papan.game.rules import State, connect_four, is_over, mover, payoff, play

WITHOUT_CHANCE = {name: game for name, game in GAMES.items() if not game.has_chance}
EVERY_GAME = pytest.mark.parametrize("game", WITHOUT_CHANCE.values(), ids=WITHOUT_CHANCE.keys())


def steps_looked_at(state: State) -> list[int]:
    """All legal steps, except in games that name those worth a look."""
    buffer = np.empty(4096, np.int64)
    return [int(step) for step in buffer[: candidates(state, buffer, 0)]]


def brute_force(state: State, player: int, root: int, depth: int, turn: int, weights: Weights) -> float:
    """The score for *player*, who just moved, by definition: no pruning, no table, no ordering."""
    if is_over(state):
        won = payoff(state, player)
        return (WIN - turn - 1) * won
    seat = mover(state)
    if seat != player:
        depth -= 1
        turn += 1
        if depth == 0 and not is_quiet(state):
            depth = 1
        if depth == 0:
            return evaluate(state, root, weights) * (1 if player == root else -1)
        return -max(brute_force(play(state, s), seat, root, depth, turn, weights) for s in steps_looked_at(state))
    return max(brute_force(play(state, s), seat, root, depth, turn, weights) for s in steps_looked_at(state))


MOST_LEAVES = 5000
"""So many positions are judged without a compiler in less than a second."""


def random_position(game: Game, random: Random, most_plies: int) -> Match:
    match = Match.new(game, ["a", "b"], seed=random.randrange(2**31))
    for _ in range(random.randrange(most_plies)):
        if match.ending:
            break
        match.play(random.choice(match.legal_steps()))
    return match


def searcher(game: Game, **settings: Any) -> AlphaBeta:
    return AlphaBeta(game.rules, evaluation_of(game).WEIGHTS[STANDARD], **{"table_bits": 14, **settings})


@EVERY_GAME
def test_score_and_step_agree_with_brute_force_on_random_positions(game: Game) -> None:
    random = Random(1)
    weights = np.array(evaluation_of(game).WEIGHTS[STANDARD])
    checked = 0
    while checked < 8:
        match = random_position(game, random, 60)
        if match.ending or len(steps := steps_looked_at(match.state)) > 40:
            continue
        seat, depth = match.mover, random.choice((1, 1, 2) if len(steps) > 7 else (1, 2, 3))
        if depth > 1 and game.name != "connect-four" and len(steps) > 14:
            depth = 1
        while depth > 1 and perft(game.rules, match.state, depth) > MOST_LEAVES:
            depth -= 1
        worth = {step: brute_force(play(match.state, step), seat, seat, depth, 0, weights) for step in steps}
        found = searcher(game).analyse(match.state, Limit(depth=depth))
        assert found.seat == seat
        if abs(found.score) < WIN_BOUND:
            assert found.score == pytest.approx(max(worth.values()))
            assert worth[found.step] == pytest.approx(max(worth.values()))
        else:
            assert found.score == max(worth.values())
        checked += 1


class TestWins:
    def test_sooner_wins_and_later_losses_are_preferred(self) -> None:
        game = GAMES["connect-four"]
        win_in_one = connect_four.parse("112233", {})
        found = searcher(game).analyse(win_in_one, Limit(depth=8))
        assert (found.step, found.win_distance, found.is_proven) == (3, 1, True)
        lost = connect_four.parse("21314", {})  # 1, 2, 3, 4 … the other side threatens on both ends
        found = searcher(game).analyse(lost, Limit(depth=8))
        if found.win_distance is not None and found.win_distance < 0:
            assert found.win_distance == -2

    def test_a_solved_ending_is_proven_without_a_win_in_sight(self) -> None:
        game = GAMES["connect-four"]
        random = Random(5)
        while True:
            match = random_position(game, random, 43)
            if not match.ending and len(match.steps) >= 34:
                break
        found = searcher(game).analyse(match.state, Limit(depth=42))
        assert found.is_proven
        assert found.depth <= 42 - len(match.steps) + 1

    def test_an_evaluation_never_counts_as_proven_through_the_table(self) -> None:
        game = GAMES["connect-four"]
        search = searcher(game)
        search.analyse(connect_four.State(0, 0), Limit(nodes=50_000))
        for depth in (1, 2, 3):
            assert not search.analyse(connect_four.State(0, 0), Limit(depth=depth)).is_proven


def test_limits_end_it() -> None:
    search, start = searcher(GAMES["connect-four"]), connect_four.State(0, 0)
    search.prepare(start)
    assert search.analyse(start, Limit(depth=5)).depth == 5
    found = search.analyse(start, Limit(time=0.1))
    assert found.nodes > 0 and found.step in range(7) and not found.is_proven
    assert search.analyse(start, Limit(time=30), is_cancelled=lambda: True).nodes < 100


@EVERY_GAME
@pytest.mark.parametrize("limit", [Limit(depth=2), Limit(nodes=600)], ids=["depth", "nodes"])
def test_plain_python_finds_the_same(game: Game, limit: Limit) -> None:
    """Within a depth nothing is left out; within a number of nodes likely fruitless steps are looked at less far."""
    match = random_position(game, Random(4), 12)
    compiled = searcher(game).analyse(match.state, limit)
    with plainly():
        plain = searcher(game).analyse(match.state, limit)
    assert (plain.step, plain.nodes) == (compiled.step, compiled.nodes)
    assert plain.score == pytest.approx(compiled.score)
    assert plain.principal_variation == compiled.principal_variation


class TestPruning:
    def test_what_is_left_out_makes_no_forced_win_of_what_is_none(self) -> None:
        """Xiangqi, where all rules apply: a win that is found in so many turns is one by a search of all steps."""
        game = GAMES["xiangqi"]
        found = 0
        for puzzle in [puzzle for puzzle in shipped("xiangqi") if puzzle.plies <= 3][:24]:
            state = game.rules.parse(puzzle.position, game.complete_options(puzzle.options))
            distance = searcher(game, selectivity=SELECTIVITY).analyse(state, Limit(nodes=5_000)).win_distance
            if distance is not None and distance <= 3:
                assert searcher(game).analyse(state, Limit(depth=distance)).win_distance == distance
                found += 1
        assert found >= 12

    @pytest.mark.parametrize(
        ("name", "left_out"),
        [("xiangqi", ALL_RULES), ("othello", PROBCUT), ("checkers", REDUCTIONS)],
    )
    def test_it_looks_further(self, name: str, left_out: int) -> None:
        game, selectivity = GAMES[name], selectivity_of(evaluation_of(GAMES[name]))
        depths = {ALL_RULES: 0, ALL_RULES & ~left_out: 0}
        for seed in range(4):
            state = random_position(game, Random(seed), 12).state
            for rules in depths:
                search = searcher(game, pruning=rules, selectivity=selectivity)
                depths[rules] += search.analyse(state, Limit(nodes=60_000)).depth
        assert depths[ALL_RULES] > depths[ALL_RULES & ~left_out]

    @pytest.mark.parametrize("name", ["xiangqi", "othello", "checkers"])
    def test_a_search_to_a_depth_leaves_out_nothing(self, name: str) -> None:
        game = GAMES[name]
        match, selectivity = random_position(game, Random(3), 20), selectivity_of(evaluation_of(game))
        scores = [
            searcher(game, pruning=rules, selectivity=selectivity).analyse(match.state, Limit(depth=3)).score
            for rules in (0, ALL_RULES)
        ]
        assert scores[0] == pytest.approx(scores[1])


class TestStandingOut:
    """A step that the table remembers is looked at further where all others are much worse."""

    POSITION, MARGIN, SCORE = 12345, 0.5, 4.0

    def asked(self, *, kept_depth: int = SINGULAR_DEPTH, bound: int = LOWER, **others: float) -> tuple[bool, float]:
        work, table = new_record(WORKSPACE), new_table(10)
        work.singular, work.pruning, work.root_depth = self.MARGIN, ALL_RULES, SINGULAR_DEPTH
        beta = others.pop("beta", 0.0)
        store(table, self.POSITION, pack(3, kept_depth, bound, 0, 1), others.pop("score", self.SCORE))
        for name, value in others.items():
            work[name] = value
        return singular_bound(table, self.POSITION, SINGULAR_DEPTH, 0, beta, work)

    def test_the_bound_is_lower_for_each_turn_that_is_looked_ahead(self) -> None:
        for bound in (LOWER, EXACT):
            assert self.asked(bound=bound) == (True, self.SCORE - SINGULAR_DEPTH * self.MARGIN)
        assert self.asked(kept_depth=SINGULAR_DEPTH - SINGULAR_SLACK)[0]

    @pytest.mark.parametrize(
        "asked",
        [
            {"bound": UPPER},
            {"kept_depth": SINGULAR_DEPTH - SINGULAR_SLACK - 1},
            {"singular": 0.0},
            {"pruning": ALL_RULES & ~SINGULAR},
            {"is_exact": 1},
            {"root_depth": (SINGULAR_DEPTH - 1) // 2},
            {"score": WIN_BOUND},
            {"score": -WIN_BOUND},
            {"beta": -WIN_BOUND},
        ],
    )
    def test_it_is_asked_only_where_the_table_says_enough_and_of_no_win_or_loss(self, asked: dict[str, Any]) -> None:
        assert not self.asked(**asked)[0]

    def test_searches_of_checkers_go_by_it(self) -> None:
        scores = [
            [
                searcher(GAMES["checkers"], pruning=rules, selectivity=selectivity_of(evaluation_of(GAMES["checkers"])))
                .analyse(random_position(GAMES["checkers"], Random(seed), 12).state, Limit(nodes=60_000))
                .score
                for seed in range(4)
            ]
            for rules in (ALL_RULES, ALL_RULES & ~SINGULAR)
        ]
        assert scores[0] != scores[1]
