"""Othello's end games solved: against known scores, brute force, and the limits that end it."""

from __future__ import annotations

import threading
from functools import cache
from random import Random

import pytest
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
from tests.facts import facts

FACTS: dict[str, dict[str, int]] = {
    # The scores of all moves, in discs for the seat to move; from runs in which all published scores came out right.
    "XOOOO--OXXO-OOOOXOXOOOO-XXOOOOOOOXOOXXO-OOXOOXO-OOOXXOO--O-XXOO- X": {
        "d2": 36,
        "a8": 34,
        "f1": 32,
        "c8": 28,
        "h5": 28,
        "h6": 26,
        "h8": 24,
        "h3": 22,
        "h7": 10,
    },
    "O-XOX---XXXXOO--XOXOOO--XXOOOOOOXXOOXOXOXXOOOOX-XXX-OOXXXXXXXO-- X": {
        "f1": 10,
        "d7": 4,
        "g1": 4,
        "g8": 2,
        "g2": 2,
        "g3": -8,
    },
    "OXO--O--XXO-OO-XXXXOOOO-OOOOOXOO-OOOOXO-X-XOOOXO-XXOOOOO--OOOOOO O": {
        "h5": 32,
        "d2": 30,
        "b8": 30,
        "b6": 22,
        "a8": 16,
        "a7": -4,
    },
    "-XXXXXX-OOOXOOOX-OOOXOOOOXOOXX-OX-OOOXXXXOXOXOXXO--OO-O----OX--O X": {
        "h1": 20,
        "f7": 10,
        "a3": 8,
        "c7": 8,
        "b5": 2,
        "f8": -2,
        "g8": -4,
        "a8": -10,
        "c8": -10,
        "g4": -12,
    },
    "---OO----OOOOOXXXXXOXXXXO-OOOOXX-OOOOXXXXOXXXXOO-O--O-OXO-OOOOOX X": {
        "f7": 24,
        "b8": 14,
        "a1": 14,
        "a5": 12,
        "b4": 12,
        "a7": 6,
        "g1": 0,
        "f1": 0,
        "b1": -2,
        "c1": -8,
        "a2": -18,
    },
}


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
        state = othello.start({}, random)
        while not is_over(state) and empty_cells(state) > empty:
            state = play(state, random.choice(legal_steps(state)))
        if not is_over(state):
            return state


def named(step: int) -> str:
    return "pass" if step == PASS else name_of(step)


@compiled
def turned_compiled(cell: int, state: State) -> int:
    return turned_discs(cell, state.mine, state.theirs)


class TestTurning:
    def test_it_is_what_the_rules_say(self) -> None:
        for seed in range(30):
            state = random_position(seed, Random(seed).randint(1, 58))
            for cell in range(othello.CELLS):
                if not (state.mine | state.theirs) >> cell & 1:
                    expected = discs_turned_over(cell, state.mine, state.theirs)
                    assert turned_discs(cell, state.mine, state.theirs) == expected
                    assert turned_compiled(cell, state) == expected


class TestScores:
    @pytest.mark.parametrize("text", FACTS)
    def test_all_moves_of_known_positions(self, text: str) -> None:
        state = parse(text, {})
        found = solver().analyse(state, Limit(), lines=0)
        assert found.is_proven and found.seat == state.to_move
        assert {named(line.step): margin(line.score) for line in found.lines} == FACTS[text]
        assert [line.score for line in found.lines] == sorted((line.score for line in found.lines), reverse=True)
        best = solver().analyse(state, Limit())
        assert margin(best.score) == max(FACTS[text].values()) == FACTS[text][named(best.step)]

    @settings(max_examples=40)
    @given(st.integers(0, 10**6), st.integers(1, 6))
    def test_brute_force_agrees(self, seed: int, empty: int) -> None:
        state = random_position(seed, empty)
        found = solver().analyse(state, Limit(), lines=0)
        expected = {step: -brute_force(play(state, step)) for step in legal_steps(state)}
        assert {line.step: margin(line.score) for line in found.lines} == expected
        assert found.step in [step for step in expected if expected[step] == max(expected.values())]

    def test_brute_force_agrees_with_eight_empty_cells(self) -> None:
        for seed in range(4):
            state = random_position(seed, 8)
            assert margin(solver().analyse(state, Limit()).score) == brute_force(state)

    def test_the_best_lines_are_those_of_all(self) -> None:
        for seed in range(6):
            state = random_position(seed, 11)
            every = [line.score for line in solver().analyse(state, Limit(), lines=0).lines]
            some = solver().analyse(state, Limit(), lines=3).lines
            assert [line.score for line in some] == every[:3]
            assert all(line.is_proven for line in some)

    def test_variations_go_to_the_end_and_keep_their_promise(self) -> None:
        for seed in range(6):
            state = random_position(seed, 12)
            for line in solver().analyse(state, Limit(), lines=0).lines:
                after = state
                for step in line.principal_variation:
                    assert step in legal_steps(after)
                    after = play(after, step)
                assert is_over(after)
                score = final_score(after.mine, after.theirs)
                assert margin(line.score) == (score if after.to_move == state.to_move else -score)
                won = payoff(after, state.to_move)
                assert (line.score > WIN_BOUND) == (won > 0) and (line.score < -WIN_BOUND) == (won < 0)

    def test_only_the_steps_that_were_asked_for(self) -> None:
        state = random_position(3, 10)
        chosen = legal_steps(state)[:2]
        found = solver().analyse(state, Limit(), only=chosen, lines=0)
        assert {line.step for line in found.lines} == set(chosen)

    def test_a_pass_is_a_turn(self) -> None:
        seen = 0
        for seed in range(800):
            state = random_position(seed, 7)
            if legal_steps(state) == [PASS]:
                found = solver().analyse(state, Limit())
                assert found.step == PASS and margin(found.score) == brute_force(state)
                seen += 1
        assert seen > 3

    def test_plain_python_agrees(self) -> None:
        for seed in range(3):
            state = random_position(seed, 8)
            expected = solver().analyse(state, Limit(), lines=0)
            with plainly():
                plain = Exact(1).analyse(state, Limit(), lines=0)
            assert {line.step: line.score for line in plain.lines} == {line.step: line.score for line in expected.lines}

    def test_the_published_scores(self) -> None:
        for row in facts("othello-ffo-1-19"):
            text, *moves = (field.strip() for field in row.split(";") if field.strip())
            state = parse(text, {})
            assert can_solve(state)
            expected = {move[:2].lower(): int(move[3:]) for move in moves}
            found = solver().analyse(state, Limit(), lines=0)
            assert {named(line.step): margin(line.score) for line in found.lines} == expected


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
        for text, facts_of in FACTS.items():
            solver = Exact(1)
            for nodes in (100, 300, 1_000, 3_000, 10_000):
                solver.forget()
                found = solver.analyse(parse(text, {}), Limit(nodes=nodes))
                if not found.is_proven and found.score >= WIN_BOUND:
                    known += 1
                    assert facts_of[name_of(found.step)] > 0 and margin(found.score) > 0
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

    def test_stop(self) -> None:
        state = random_position(2, 34)
        searcher = Exact(8)
        searcher.prepare(state)
        threading.Timer(0.2, searcher.stop).start()
        assert not searcher.analyse(state, Limit()).is_proven

    def test_cancelled_before_it_begins(self) -> None:
        state = random_position(2, 18)
        assert not Exact(8).analyse(state, Limit(), is_cancelled=lambda: True).is_proven

    def test_the_same_seed_gives_the_same_step(self) -> None:
        state = random_position(5, 10)
        for seed in range(3):
            assert len({Exact(2).analyse(state, Limit(), seed=seed).step for _ in range(2)}) == 1

    def test_a_small_table_will_do(self) -> None:
        state = random_position(4, 12)
        expected = solver().analyse(state, Limit()).score
        tiny = Exact(1)
        assert tiny.analyse(state, Limit()).score == expected
        assert tiny._table.nbytes <= 1 << 20
