"""Othello's end games solved: against known scores, brute force, and the limits that end it."""

from __future__ import annotations

import threading
from functools import cache
from itertools import count, islice
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from papan.ai.exact import exact_of
from papan.ai.exact.othello import MOST_EMPTY, Exact, can_solve, empty_cells, margin, shared_score
from papan.ai.exact.othello.search import final_score, turned_discs
from papan.ai.limits import WIN, WIN_BOUND, Limit
from papan.game.catalogue import GAMES
from papan.game.kernel import compiled, plainly
from papan.game.rules import is_over, legal_steps, othello, payoff, play
from papan.game.rules.othello import PASS, State, discs_turned_over, name_of, parse
from tests.ai.playing import game_at_random
from tests.facts import facts


def read(row: str) -> tuple[State, dict[str, int]]:
    """A position, and the score of each move for the seat to move."""
    text, *moves = (field.strip() for field in row.split(";") if field.strip())
    return parse(text, {}), {move[:2].lower(): int(move[3:]) for move in moves}


PUBLISHED = [read(row) for row in facts("othello-ffo-1-19")]


@cache
def solver() -> Exact:
    return Exact(8)


def brute_force(state: State) -> int:
    """The score for the seat to move, by trying everything."""
    if is_over(state):
        return final_score(state.mine, state.theirs)
    return max(-brute_force(play(state, step)) for step in legal_steps(state))


def random_position(seed: int, empty: int) -> State:
    """A position with so many empty cells, or fewer by one, that is not over."""
    random = Random(seed)
    while True:
        game = game_at_random(othello.start({}, random), random)
        state: State = next(one for one in game if is_over(one) or empty_cells(one) <= empty)
        if not is_over(state):
            return state


def named(step: int) -> str:
    return "pass" if step == PASS else name_of(step)


@compiled
def turned_compiled(cell: int, state: State) -> int:
    return turned_discs(cell, state.mine, state.theirs)


def test_turning_is_what_the_rules_say() -> None:
    for seed in range(30):
        state = random_position(seed, Random(seed).randint(1, 58))
        for cell in range(othello.CELLS):
            if not (state.mine | state.theirs) >> cell & 1:
                expected = discs_turned_over(cell, state.mine, state.theirs)
                assert turned_discs(cell, state.mine, state.theirs) == expected
                assert turned_compiled(cell, state) == expected


class TestScores:
    @settings(max_examples=40)
    @given(st.integers(0, 10**6), st.integers(1, 6))
    def test_brute_force_agrees(self, seed: int, empty: int) -> None:
        state = random_position(seed, empty)
        found = solver().analyse(state, Limit(), lines=0)
        expected = {step: -brute_force(play(state, step)) for step in legal_steps(state)}
        assert {line.step: margin(line.score) for line in found.lines} == expected
        assert found.step in [step for step in expected if expected[step] == max(expected.values())]

    def test_lines_go_to_the_end_and_keep_their_promise_whichever_are_asked_for(self) -> None:
        for seed in range(5):
            state = random_position(seed, 11)
            every = solver().analyse(state, Limit(), lines=0).lines
            some = solver().analyse(state, Limit(), lines=3).lines
            assert [line.score for line in some] == [line.score for line in every][:3]
            assert all(line.is_proven for line in some)
            chosen = legal_steps(state)[:2]
            found = solver().analyse(state, Limit(), only=chosen, lines=0)
            assert {line.step for line in found.lines} == set(chosen)
            for line in every:
                after = state
                for step in line.principal_variation:
                    assert step in legal_steps(after)
                    after = play(after, step)
                assert is_over(after)
                score = final_score(after.mine, after.theirs)
                assert margin(line.score) == (score if after.to_move == state.to_move else -score)
                won = payoff(after, state.to_move)
                assert (line.score > WIN_BOUND) == (won > 0) and (line.score < -WIN_BOUND) == (won < 0)

    def test_a_pass_is_a_turn(self) -> None:
        positions = (random_position(seed, 7) for seed in count())
        for state in islice((state for state in positions if legal_steps(state) == [PASS]), 4):
            found = solver().analyse(state, Limit())
            assert found.step == PASS and margin(found.score) == brute_force(state)

    def test_plain_python_agrees(self) -> None:
        for seed in range(3):
            state = random_position(seed, 8)
            expected = solver().analyse(state, Limit(), lines=0)
            with plainly():
                plain = Exact(1).analyse(state, Limit(), lines=0)
            assert {line.step: line.score for line in plain.lines} == {line.step: line.score for line in expected.lines}

    def test_the_published_scores(self) -> None:
        for state, expected in PUBLISHED:
            assert can_solve(state)
            found = solver().analyse(state, Limit(), lines=0)
            assert found.is_proven and found.seat == state.to_move
            assert {named(line.step): margin(line.score) for line in found.lines} == expected
            scores = [line.score for line in found.lines]
            assert scores == sorted(scores, reverse=True)
            assert margin(found.score) == max(expected.values()) == expected[named(found.step)]


class TestScale:
    def test_margins_and_distances_can_be_told_from_a_score(self) -> None:
        for empty in range(1, 61):
            scores = [shared_score(discs, empty) for discs in range(-64, 65)]
            assert scores == sorted(scores)
            assert [margin(score) for score in scores] == list(range(-64, 65))
            assert round(WIN - scores[-1]) == empty == round(WIN - scores[65])

    def test_what_can_be_solved(self) -> None:
        assert not can_solve(random_position(1, MOST_EMPTY + 1))
        assert can_solve(random_position(1, MOST_EMPTY))
        assert exact_of(GAMES["othello"]) is not None


class TestLimits:
    def test_who_wins_is_known_before_by_how_much(self) -> None:
        known = 0
        for state, expected in PUBLISHED[:6]:
            solver = Exact(1)
            for nodes in (100, 300, 1_000, 3_000, 10_000):
                solver.forget()
                found = solver.analyse(state, Limit(nodes=nodes))
                if not found.is_proven and found.score >= WIN_BOUND:
                    known += 1
                    assert expected[name_of(found.step)] > 0 and margin(found.score) > 0
        assert known > 3

    def test_nodes(self) -> None:
        state = random_position(2, 24)
        found = Exact(8).analyse(state, Limit(nodes=20_000))
        assert not found.is_proven and found.step in legal_steps(state)
        assert 20_000 <= found.nodes < 30_000

    def test_time(self) -> None:
        state = random_position(2, 30)
        searcher = Exact(8)
        searcher.prepare(state)
        found = searcher.analyse(state, Limit(time=0.1), lines=0)
        assert not found.is_proven and len(found.lines) == len(legal_steps(state))
        assert not all(line.is_proven for line in found.lines)

    def test_stop_and_cancelled_before_it_begins(self) -> None:
        searcher, state = Exact(8), random_position(2, 34)
        searcher.prepare(state)
        threading.Timer(0.1, searcher.stop).start()
        assert not searcher.analyse(state, Limit()).is_proven
        assert not searcher.analyse(random_position(2, 18), Limit(), is_cancelled=lambda: True).is_proven

    def test_the_same_seed_gives_the_same_step_and_a_small_table_will_do(self) -> None:
        state = random_position(5, 10)
        for seed in range(3):
            assert len({Exact(2).analyse(state, Limit(), seed=seed).step for _ in range(2)}) == 1
        tiny, late = Exact(1), random_position(4, 12)
        assert tiny.analyse(late, Limit()).score == solver().analyse(late, Limit()).score
        assert tiny._table.nbytes <= 1 << 20
