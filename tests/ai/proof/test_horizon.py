"""df-pn with a horizon, against all that can be played; and the bounds that spare it work."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random

import pytest

from papan.ai.evaluation import evaluation_of, fewest_turns
from papan.ai.limits import Limit
from papan.ai.proof import SolverSetting, make_depth_first
from papan.ai.proof.dfpn import MOST_HORIZON, DepthFirst
from papan.game.catalogue import GALLERY, GAMES
from papan.game.rules import State, is_over, legal_steps, mover, payoff, play
from papan.game.rules.gomoku import with_stones
from papan.game.rules.gomoku.board import ROW
from tests.ai.playing import game_at_random

MEMORY = 16
SIZE = 15
TWO_SEATS = [game for game in GALLERY.values() if 2 in game.seats and not game.has_hidden_information]
GAME_TURNS = 120


@cache
def solver_of(name: str) -> DepthFirst:
    return make_depth_first(GAMES[name], SolverSetting(memory=MEMORY))


def is_won_within(name: str, state: State, seat: int, turns: int) -> bool:
    solver = solver_of(name)
    solver.begin(state, seat)
    solver.limit_turns(turns)
    proof = solver.run(Limit(nodes=10**7))
    assert proof.is_proof
    return proof.result == "proved"


@cache
def wins(name: str, state: State, seat: int, left: int) -> bool:
    """Whether *seat* forces a win within so many turns of its own, by all that can be played."""
    if is_over(state):
        return bool(payoff(state, seat) > 0.0)
    if left == 0:
        return False
    is_own = mover(state) == seat
    found = []
    for step in legal_steps(state, GAMES[name].rules.MOST_STEPS):
        after = play(state, step)
        is_done = is_own and (is_over(after) or mover(after) != seat)
        found.append(wins(name, after, seat, left - is_done))
        if found[-1] == is_own:
            return is_own
    return not is_own


def random_game(name: str, seed: int) -> list[State]:
    game, random = GAMES[name], Random(seed)
    options = game.complete_options({"seats": "2"} if "seats" in game.options else {})
    return list(islice(game_at_random(game.rules.start(options, random), random), GAME_TURNS))


def near_ends(name: str, number: int, left: int) -> Iterator[State]:
    """Positions at the start of a turn, some steps before the ends of random games."""
    seed = 0
    while number:
        states, seed = random_game(name, seed), seed + 1
        for state, before in zip(states[-left::-1], states[-left - 1 :: -1], strict=False):
            if not is_over(state) and mover(state) != mover(before):
                number -= 1
                yield state
                break


def boards_of_gomoku(number: int, empty: int) -> Iterator[State]:
    """Boards with few empty cells, and threats of both sides."""
    start, seed = GAMES["gomoku"].rules.start({}, Random(1)), 0
    while number:
        random, seed = Random(seed), seed + 1
        cells = [(column, row) for row in range(SIZE) for column in range(SIZE)]
        left = set(random.sample(cells, empty))
        colours = [0, 0]
        for column, row in cells:
            if (column, row) not in left:
                colour = (column + 2 * row) // 2 % 2
                colours[colour ^ (random.random() < 0.1)] |= 1 << (ROW * row + column)
        if not 0 <= colours[0].bit_count() - colours[1].bit_count() <= 1:
            continue
        state = with_stones(start, colours[0], colours[1])
        if not is_over(state) and not with_stones(start, colours[1], colours[0]).won:
            number -= 1
            yield state


def positions(name: str) -> Iterator[State]:
    if name == "gomoku":
        yield from boards_of_gomoku(12, 6)
    elif name == "xiangqi":
        for text in ("4k4/9/9/9/9/9/9/R8/9/R2K5 w", "3k5/4P4/9/9/9/9/9/9/9/R3K4 w", "3ak4/4a4/9/9/9/9/4R4/9/9/2C1K4 w"):
            yield GAMES[name].rules.parse(text, {})
    else:
        yield from near_ends(name, 8, {"santorini": 3, "santorini-graph": 4, "checkers": 4}.get(name, 4))


TURNS = {"gomoku": 3, "connect-four": 3, "othello": 3, "checkers": 2, "xiangqi": 2}


@pytest.mark.parametrize("name", [game.name for game in TWO_SEATS])
class TestAgreement:
    def test_with_all_that_can_be_played(self, name: str) -> None:
        results = set()
        for state in positions(name):
            seat = int(mover(state))
            for turns in range(1, TURNS.get(name, 1) + 1):
                expected = wins(name, state, seat, turns)
                assert is_won_within(name, state, seat, turns) == expected, (state, turns)
                results.add(expected)
        assert False in results and (True in results or name not in TURNS)

    def test_with_all_that_the_other_side_can_answer(self, name: str) -> None:
        for state in positions(name):
            seat = 1 - int(mover(state))
            assert is_won_within(name, state, seat, 1) == wins(name, state, seat, 1), state


class TestHorizon:
    def test_a_turn_more_is_enough(self) -> None:
        # An open three: it wins with the turn after the next.
        state = GAMES["connect-four"].rules.parse("4455", {})
        assert not is_won_within("connect-four", state, 0, 1)
        assert is_won_within("connect-four", state, 0, 2)
        assert is_won_within("connect-four", state, 0, MOST_HORIZON)

    def test_is_forgotten_by_the_next_question(self) -> None:
        state = GAMES["connect-four"].rules.parse("4455", {})
        assert not is_won_within("connect-four", state, 0, 1)
        solver = solver_of("connect-four")
        solver.begin(state, 0)
        assert solver.run(Limit(nodes=10**6)).result == "proved"

    def test_the_line_of_a_proof_ends_in_time(self) -> None:
        state = GAMES["connect-four"].rules.parse("4455", {})
        assert is_won_within("connect-four", state, 0, 2)
        for step in solver_of("connect-four").live().line:
            state = play(state, step)
        assert is_over(state)

    @pytest.mark.parametrize("turns", [0, -1, MOST_HORIZON + 1])
    def test_others_are_refused(self, turns: int) -> None:
        with pytest.raises(ValueError, match="horizon"):
            solver_of("connect-four").limit_turns(turns)


class TestFewestTurns:
    @pytest.mark.parametrize("name", [game.name for game in TWO_SEATS])
    def test_no_game_is_won_sooner(self, name: str) -> None:
        evaluation_of(GAMES[name])
        for seed in range(6):
            states = random_game(name, seed)
            if not is_over(states[-1]):
                continue
            for seat in range(2):
                if payoff(states[-1], seat) <= 0.0:
                    continue
                taken = 0
                for before, after in zip(states[-2::-1], states[:0:-1], strict=True):
                    taken += mover(before) == seat and (is_over(after) or mover(after) != seat)
                    assert 1 <= fewest_turns(before, seat) <= max(1, taken), (name, seed, before)

    def test_of_gomoku_by_its_rows(self) -> None:
        evaluation_of(GAMES["gomoku"])
        rules = GAMES["gomoku"].rules
        cases = [("", 5), ("h8 a1", 4), ("h8 a1 i8 a3", 3), ("h8 a1 i8 a3 j8 a5", 2), ("h8 a1 i8 a3 j8 a5 k8 a7", 1)]
        for text, turns in cases:
            assert fewest_turns(rules.parse(text, {}), 0) == turns, text
        for text, turns in [("h8 a1 i8 a3 j8 a5 k8", 1), ("h8 g8 i8 a3 j8 a5 k8", 3), ("h8 g8 i8 a3 j8", 3)]:
            assert fewest_turns(rules.parse(text, {}), 0) == turns, text
