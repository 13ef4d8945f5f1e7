"""Lines: the best steps, each with its true score; and searches on trees small enough to be known throughout."""

from __future__ import annotations

import threading
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papan.ai.evaluation import STANDARD, evaluation_of
from papan.ai.limits import WIN, WIN_BOUND, Analysis, Limit, Line
from papan.ai.players import SearchingPlayer, make_player, situation
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.deepening import LIVE_FIELDS, Deepening
from papan.ai.search.expectimax import Expectimax
from papan.ai.search.maxn import MaxN
from papan.ai.search.sampled import Sampled
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.kernel.arrays import record_type
from papan.game.match import Match
from papan.game.rules import CHANCE, State, connect_four, is_over, legal_steps, mover, othello, payoff, play
from tests.waiting import PATIENCE, wait_for

FOUR = GAMES["connect-four"]
TREE = GAMES["p-tree"]
WITHOUT_CHANCE = {name: game for name, game in GAMES.items() if not game.has_chance}
EVERY_GAME = pytest.mark.parametrize("game", WITHOUT_CHANCE.values(), ids=WITHOUT_CHANCE.keys())


def searcher(game: Game, threads: int = 1) -> AlphaBeta:
    return AlphaBeta(game.rules, evaluation_of(game).WEIGHTS[STANDARD], table_bits=14, threads=threads)


def position(game: Game, seed: int, plies: int = 12) -> Match:
    random = Random(seed)
    match = Match.new(game, ["a"] * game.seats[0], seed=seed)
    while not match.ending and (len(match.steps) < plies or match.mover == CHANCE):
        match.play(match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps()))
    return position(game, seed + 100, plies) if match.ending else match


def plays(match: Match, line: Line) -> None:
    """Play *line* from where *match* stands, and take it back; fails where it is not legal."""
    for step in line.principal_variation:
        match.play(step)
    for _ in line.principal_variation:
        match.undo()


def worth(state: State, seat: int, memo: dict[State, float]) -> float:
    """What *seat* gets from *state* with the best play of two seats, to the end of the game."""
    if is_over(state):
        return float(payoff(state, seat))
    if state not in memo:
        values = [worth(play(state, step), seat, memo) for step in legal_steps(state)]
        memo[state] = max(values) if mover(state) == seat else min(values)
    return memo[state]


def sign(score: float) -> int:
    return (score >= WIN_BOUND) - (score <= -WIN_BOUND)


@EVERY_GAME
class TestLines:
    def test_each_is_what_the_step_is_worth_by_itself(self, game: Game) -> None:
        match = position(game, 3)
        found = searcher(game).analyse(match.state, Limit(depth=2), lines=0)
        assert len(found.lines) == len(searcher(game)._steps(match.state))
        for line in found.lines[:2] + found.lines[-2:]:
            alone = searcher(game).analyse(match.state, Limit(depth=2), only=[line.step])
            assert alone.score == line.score
            assert line.principal_variation[0] == line.step
            plays(match, line)

    def test_the_best_are_the_first_of_all(self, game: Game) -> None:
        match = position(game, 4)
        every = searcher(game).analyse(match.state, Limit(depth=2), lines=0)
        scores = [line.score for line in every.lines]
        assert scores == sorted(scores, reverse=True)
        for number in (1, 3):
            some = searcher(game).analyse(match.state, Limit(depth=2), lines=number)
            assert [line.score for line in some.lines] == scores[:number]
            assert (some.step, some.score) == (some.lines[0].step, some.lines[0].score)
            assert some.principal_variation == some.lines[0].principal_variation


class TestOtherSearches:
    def test_expectimax(self) -> None:
        game = GAMES["2048"]
        match = position(game, 1)
        search = Expectimax(game.rules, evaluation_of(game).WEIGHTS[STANDARD], table_bits=14)
        found = search.analyse(match.state, Limit(depth=2), lines=0)
        assert {line.step for line in found.lines} == set(match.legal_steps())
        for line in found.lines:
            assert search.analyse(match.state, Limit(depth=2), only=[line.step]).score == line.score

    def test_maxn(self) -> None:
        game = GAMES["santorini"]
        match = Match.new(game, ["a"] * 3, {"gods": "none", "placement": "random"}, seed=2)
        search = MaxN(game.rules, evaluation_of(game).WEIGHTS[STANDARD])
        found = search.analyse(match.state, Limit(depth=1), lines=4)
        assert len(found.lines) == 4
        for line in found.lines:
            assert search.analyse(match.state, Limit(depth=1), only=[line.step]).score == line.score

    def test_sampled_deals(self) -> None:
        game = GAMES["catur-jawa"]
        match = position(game, 6, 6)
        search = Sampled(searcher(game), evaluation_of(game).SCALE, guesses=4)
        every = search.analyse(match.state, Limit(depth=1), lines=0)
        assert sorted(line.step for line in every.lines) == sorted(match.legal_steps())
        assert [line.score for line in every.lines] == sorted((line.score for line in every.lines), reverse=True)
        three = search.analyse(match.state, Limit(depth=1), lines=3)
        assert len(three.lines) == 3
        assert three.lines[0].score == every.lines[0].score
        live = search.live()
        assert live and live.lines


class TestWhileItSearches:
    def test_lines_can_be_read_from_another_thread(self) -> None:
        search = searcher(FOUR)
        search.prepare(connect_four.State(0, 0))
        found: list[Analysis] = []
        thread = threading.Thread(
            target=lambda: found.append(search.analyse(connect_four.State(0, 0), Limit(depth=42), lines=3))
        )
        thread.start()
        seen: list[Analysis] = []

        def look() -> bool:
            live = search.live()
            if live:
                seen.append(live)
            return bool(seen) and seen[-1].depth >= 8

        wait_for(look, "the eighth turn")
        search.stop()
        thread.join(PATIENCE)
        for live in seen:
            assert 1 <= len(live.lines) <= 3
            assert (live.step, live.score) == (live.lines[0].step, live.lines[0].score)
        assert found and len(found[0].lines) == 3

    @pytest.mark.parametrize(("threads", "lines"), [(1, 1), (2, 3), (2, 0)])
    def test_a_stop_ends_it(self, threads: int, lines: int) -> None:
        search = searcher(FOUR, threads)
        search.prepare(connect_four.State(0, 0))
        nodes = 10**10  # of more hours than anybody waits
        has_ended = threading.Event()

        def stop() -> None:
            while not has_ended.wait(0.02):  # one that comes before the search begins is forgotten
                search.stop()

        threading.Thread(target=stop).start()
        found = search.analyse(connect_four.State(0, 0), Limit(nodes=nodes), lines=lines)
        has_ended.set()
        assert found.nodes < nodes

    def test_a_search_that_never_began_has_a_line(self) -> None:
        found = searcher(FOUR).analyse(connect_four.State(0, 0), Limit(time=30), is_cancelled=lambda: True, lines=3)
        assert found.lines[0].step == found.step

    def test_a_stop_while_the_best_is_found_lost_turns_to_another_step(self) -> None:
        class Stopped(Deepening):
            """Step 5 looks best at depth 1, is lost at depth 2, and the search is stopped just after."""

            most_depth = 9

            def prepare(self, state: State) -> None: ...

            def _search(self, state: State, step: int, depth: int, best: float) -> float:
                self._work.horizon_leaves = 1
                is_five = step == 5
                if depth == 2 and not is_five:
                    self.stop()
                return (9.0 if is_five else 1.0) if depth == 1 else -WIN + 2

        search = Stopped(FOUR.rules, (1.0,), record_type(*LIVE_FIELDS))
        for lines in (1, 2):
            found = search.analyse(connect_four.State(0, 0), Limit(depth=9), lines=lines)
            assert found.step != 5
            assert not found.is_proven


class TestSmallTrees:
    @settings(max_examples=40)
    @given(st.integers(0, 2**31 - 1), st.integers(2, 4), st.integers(2, 7))
    def test_every_depth_of_a_random_tree(self, tree: int, branching: int, depth: int) -> None:
        options = {"branching": str(branching), "depth": str(depth), "tree": str(tree)}
        state = Match.new(TREE, ["a", "b"], options).state
        value = worth(state, 0, {})
        whole = searcher(TREE).analyse(state, Limit(depth=depth))
        assert whole.is_proven and whole.score == value * (WIN - depth)
        selective = searcher(TREE).analyse(state, Limit(nodes=10**7))
        assert selective.is_proven and selective.score == value * (WIN - depth)

    @settings(max_examples=30)
    @given(st.integers(0, 2**31 - 1))
    def test_the_horizon_of_a_random_tree(self, tree: int) -> None:
        """Deep enough for expected scores to narrow the window, and for late steps."""
        match = Match.new(TREE, ["a", "b"], {"branching": "3", "depth": "20", "tree": str(tree)})
        weights = evaluation_of(TREE).WEIGHTS[STANDARD]

        def value(state: State, left: int) -> float:
            if left == 0:
                more = -1 if state.plies & 1 else 1
                return float(state.total * weights[0] + (more * weights[1] if (20 - state.plies) % 2 else 0))
            best = max if mover(state) == 0 else min
            return best(value(play(state, step), left - 1) for step in range(3))

        assert searcher(TREE).analyse(match.state, Limit(depth=6)).score == pytest.approx(value(match.state, 6))


class TestProofs:
    """A search that looks less far behind late steps still proves only what is true."""

    @settings(max_examples=25)
    @given(st.integers(0, 10**6), st.integers(0, 2000))
    def test_connect_four_endings(self, seed: int, nodes: int) -> None:
        match = position(FOUR, seed, 30 + seed % 5)
        seat = match.mover
        truth = worth(match.state, seat, {})
        found = searcher(FOUR).analyse(match.state, Limit(nodes=20 + nodes), lines=seed % 3)
        if found.is_proven:
            assert sign(found.score) == truth
        for line in found.lines:
            if line.is_proven:
                assert sign(line.score) == worth(play(match.state, line.step), seat, {})
        assert searcher(FOUR).analyse(match.state, Limit(nodes=10**6)).is_proven

    @settings(max_examples=15)
    @given(st.integers(0, 10**6))
    def test_othello_endings(self, seed: int) -> None:
        match = position(GAMES["othello"], seed, 54)
        state: othello.State = match.state
        truth = worth(state, match.mover, {})
        for limit in (Limit(nodes=300), Limit(nodes=10**6), Limit(depth=20)):
            found = searcher(GAMES["othello"]).analyse(state, limit)
            if found.is_proven:
                assert sign(found.score) == truth
            assert found.is_proven or limit.nodes == 300

    def test_a_repetition_proves_nothing(self) -> None:
        """A lone general each: every line comes back, which only looks like the end of what there is to search."""
        game = GAMES["xiangqi"]
        state = game.rules.parse("3k5/9/9/9/9/9/9/9/9/5K3 w", game.complete_options({}))
        found = searcher(game).analyse(state, Limit(depth=6))
        assert not found.is_proven


class TestPlayers:
    def test_memory_and_threads_are_set_in_the_name(self) -> None:
        player = make_player("minimax:depth=3,threads=2,memory=3", FOUR)
        assert isinstance(player, SearchingPlayer)
        search = player.search
        assert isinstance(search, AlphaBeta)
        assert len(search._threads) == 2
        assert search._table.nbytes <= 3 * 2**20 < 2 * search._table.nbytes
        match = Match.new(FOUR, ["a", "b"])
        assert player.choose(situation(match)).step in range(7)

    def test_nodes_are_those_of_all_threads(self) -> None:
        found = searcher(FOUR, threads=2).analyse(connect_four.State(0, 0), Limit(nodes=40_000))
        assert 10_000 < found.nodes <= 40_000
