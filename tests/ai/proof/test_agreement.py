"""Every solver against brute force, on positions near the end of random games of every game in the catalogue."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Literal

import pytest

from papan.ai.exact import exact_of
from papan.ai.limits import Limit
from papan.ai.proof import METHODS, SolverSetting, make_solver
from papan.ai.proof.alphabeta import refusal
from papan.ai.proof.dfpn import DepthFirst, table_key
from papan.ai.proof.result import Proof, Solver
from papan.ai.proof.tree import TreeSearch
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import CHANCE, State, achieved, allied, is_over, legal_steps, mover, payoff, play, twenty48
from papan.game.rules.connect_four import parse
from tests.ai.playing import game_at_random
from tests.sizes import sample_and_all

POSITIONS = 4
MOST_STATES = 400
"""States that brute force looks at, at most."""
MEMORY = 16
EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())

WITH_DRAW_COUNTER = ("cifra", "checkers", "xiangqi")
"""Where alpha-beta knows no draws."""

OPTIONS = {
    "2048": {"size": "2"},
    "p-tree": {"depth": "12"},
    "santorini-graph": {"variant": "2W_P3H_TWUS", "board": "grid:3x3"},
}
"""Other options than the defaults: games that are soon near their end."""


class TooManyStates(Exception):
    """Brute force gives up."""


class BruteForce:
    """By definition: all steps, nothing left out. Positions that come back are told apart by their draw counter."""

    def __init__(self, seat: int, goal: int) -> None:
        self.seat, self.goal = seat, goal
        self.known: dict[State, bool] = {}
        self.looked_at = 0

    def can_force(self, state: State) -> bool:
        """:raises TooManyStates: that is too much work to find out."""
        if state in self.known:
            return self.known[state]
        self.looked_at += 1
        if self.looked_at > MOST_STATES:
            raise TooManyStates
        value = achieved(state, self.seat, self.goal)
        if value:
            return value > 0
        to_act = mover(state)
        is_or = to_act != CHANCE and allied(state, self.seat, to_act)
        answer = not is_or
        for after in sorted((play(state, step) for step in legal_steps(state)), key=is_over, reverse=True):
            if self.can_force(after) == is_or:
                answer = is_or
                break
        self.known[state] = answer
        return answer


def random_end(game: Game, random: Random, seats: int) -> tuple[State, int, int, bool] | None:
    """A state near the end of a random game, whose it is, a goal, and whether that can be forced by brute force."""
    start = Match.new(game, [""] * (seats or game.seats[0]), OPTIONS.get(game.name), random.randrange(2**31)).state
    states = list(game_at_random(start, random))
    steps_back = random.randint(1, 9)
    goal = random.choice((8, 16, 32)) if game.has_chance else 0
    while steps_back:  # as far back as brute force can see to the end
        state = states[max(0, len(states) - 1 - steps_back)]
        seat = max(0, int(mover(state)))
        is_hopeless = len(legal_steps(state)) ** steps_back > MOST_STATES**1.5
        try:
            if not is_hopeless and not achieved(state, seat, goal):
                return state, seat, goal, BruteForce(seat, goal).can_force(state)
        except TooManyStates:
            pass
        steps_back //= 2
    return None


@cache
def solved_by_brute_force(name: str, seats: int = 0, wanted: int = POSITIONS) -> list[tuple[State, int, int, bool]]:
    """Random ends with the answer; as many wins as others, if they come up."""
    found: list[tuple[State, int, int, bool]] = []
    random, tried = Random(3), 0
    while len(found) < wanted:
        end = random_end(GAMES[name], random, seats)
        tried += 1
        if end and (sum(other[3] is end[3] for other in found) < wanted // 2 or tried > 5 * wanted):
            found.append(end)
    return found


def solver(method: str, game: Game, chance: Literal["and", "or"] = "and", memory: float = MEMORY) -> Solver:
    """A solver that does not ask whether cards are hidden: here they lie open."""
    if game.has_hidden_information:
        if method == "dfpn":
            return DepthFirst(game.rules.MOST_STEPS, MEMORY)
        return TreeSearch(game.rules.MOST_STEPS, method, SolverSetting(MEMORY, playouts=2))
    return make_solver(method, game, SolverSetting(memory=memory, playouts=2, chance=chance))


def proved(solver: Solver, state: State, seat: int | None = None, goal: int = 0, nodes: int = 60_000) -> Proof:
    """What *solver* finds out about *state*."""
    solver.begin(state, seat, goal)
    return solver.run(Limit(nodes=nodes))


def is_offered(method: str, game: Game, state: State, goal: int) -> bool:
    """Whether *method* can settle *state*."""
    return method != "alphabeta" or not (game.has_hidden_information or refusal(game, state, goal))


@EVERY_GAME
class TestEveryGame:
    @pytest.mark.parametrize("method", METHODS)
    def test_agrees_with_brute_force(self, game: Game, method: str) -> None:
        asked = settled = 0
        plays_none = method not in ("mcpns", "ppns")  # random games, which take long in some games
        for state, seat, goal, answer in solved_by_brute_force(game.name):
            if not is_offered(method, game, state, goal):
                continue
            asked += 1
            proof = proved(solver(method, game), state, seat, goal, nodes=60_000 if plays_none else 1000)
            settled += proof.is_proof
            assert proof.result in ("out", "proved" if answer else "disproved")
            assert proof.result != "out" or proof.reason in ("nodes", "repetitions")
        if method in ("pns", "dfpn"):
            assert settled == asked
        elif not (method == "alphabeta" and game.name in WITH_DRAW_COUNTER):
            assert 3 * settled >= asked

    def test_a_proof_comes_with_a_line_to_the_goal(self, game: Game) -> None:
        for state, seat, goal, answer in solved_by_brute_force(game.name):
            for method in ("pns", "dfpn"):
                proof = proved(solver(method, game), state, seat, goal)
                after = state
                for step in proof.line:
                    assert step in legal_steps(after)
                    after = play(after, step)
                assert proof.line and proof.step == proof.line[0]
                if method == "pns" and answer:
                    assert achieved(after, seat, goal) > 0
                known = {branch.step: branch.value for branch in proof.branches}
                if mover(state) == seat:
                    assert known[proof.line[0]] == (1 if answer else -1)
                assert set(known) == set(legal_steps(state))

    def test_a_position_and_its_draw_counter_are_all_that_counts(self, game: Game) -> None:
        """So df-pn's table may know states by the two."""
        random = Random(4)
        seen: dict[int, State] = {}
        for _ in range(3):
            state = Match.new(game, [""] * game.seats[0], OPTIONS.get(game.name), seed=0).state
            while not is_over(state) and len(seen) < 400:
                assert seen.setdefault(int(table_key(state)), state) == state
                state = play(state, random.choice(legal_steps(state)))


class TestSeveralSeats:
    @pytest.mark.parametrize("seats", [3, 4])
    def test_all_others_are_against_the_goal(self, seats: int) -> None:
        game = GAMES["santorini"]
        for state, seat, goal, answer in solved_by_brute_force(game.name, seats, 4):
            for method in ("alphabeta", "pns", "dfpn"):
                proof = proved(solver(method, game), state, seat, goal)
                assert proof.result == ("proved" if answer else "disproved")

    def test_another_seat_than_the_one_to_act_can_be_asked_for(self) -> None:
        game = GAMES["othello"]
        for state, seat, _goal, _answer in solved_by_brute_force(game.name):
            try:
                answer = BruteForce(1 - seat, 0).can_force(state)
            except TooManyStates:
                continue
            for method in ("pns", "dfpn"):
                assert proved(solver(method, game), state, 1 - seat).result == ("proved" if answer else "disproved")
            with pytest.raises(ValueError, match="for the seat to act"):
                solver("alphabeta", game).begin(state, 1 - seat)


@pytest.mark.parametrize("board", ["cycle:3", "cycle:4", "cycle:5", "path:4", "complete:4"])
def test_whole_games_of_santorini_agree_with_brute_force(board: str) -> None:
    game = GAMES["santorini-graph"]
    for variant in ("1W_I1H_NTWDS", "1W_I2H_NTWUS", "1W_I2H_NTWD*S", "2W_P2H_TWUS", "2W_P1H_NTWDS"):
        start = Match.new(game, ["", ""], {"variant": variant, "board": board}, seed=0).state
        expected = "proved" if BruteForce(int(mover(start)), 0).can_force(start) else "disproved"
        for method in METHODS:
            assert proved(solver(method, game), start).result == expected


class TestTwoByTwo:
    """2048 on 2×2 from two tiles of 2, for which Table 3 of Primanita, Khalid and Iida (2021) has twelve wins."""

    OPENINGS = ("2,2/0,0 0", "2,0/2,0 0", "2,0/0,2 0", "0,2/2,0 0", "0,2/0,2 0", "0,0/2,2 0")

    @pytest.mark.parametrize("method", ["pns", "dfpn", "mcpns", "ppns"])
    @pytest.mark.parametrize("side", ["and", "or"])
    def test_goals_that_need_luck_can_not_be_forced(self, method: str, side: Literal["and", "or"]) -> None:
        for opening in self.OPENINGS:
            for goal, luck_helps in ((8, True), (16, True), (32, True), (64, False)):
                if goal == 64 and side == "or" and method != "dfpn":
                    continue  # the whole game: too large as a tree, where positions are not known again
                chosen, state = solver(method, GAMES["2048"], chance=side), twenty48.parse(opening, {"size": "2"})
                proof = proved(chosen, state, goal=goal, nodes=100_000)
                is_won = goal == 8 or (side == "or" and luck_helps)  # 8 comes with any tiles
                assert proof.result == ("proved" if is_won else "disproved")


ROOM = 256.0
"""Mebibytes for a proof of Connect Four: one tree of a thousand has half a million nodes."""


class TestConnectFour:
    # Positions of 24 and more discs with Pons' score; the last column is 22 less the winner's discs.
    @sample_and_all("positions", 16, 1000)
    def test_late_positions_agree_with_the_exact_solver(self, positions: int) -> None:
        game, random = GAMES["connect-four"], Random(5)
        exact = exact_of(game)
        assert exact
        searcher = exact.Exact()
        outcomes: list[bool] = []
        while len(outcomes) < positions:
            match = Match.new(game, ["", ""], seed=0)
            while not match.ending and len(match.steps) < 26:
                match.play(random.choice(match.legal_steps()))
            if match.ending:
                continue
            is_won = searcher.analyse(match.state, Limit(time=600)).score > 0
            for method in ("alphabeta", "pns", "dfpn", "mcpns", "ppns"):
                proof = proved(solver(method, game, memory=ROOM), match.state, nodes=4_000_000)
                assert proof.result == ("proved" if is_won else "disproved")
            outcomes.append(is_won)
        assert positions / 8 < sum(outcomes) < positions * 7 / 8

    def test_a_win_is_found_with_its_step(self) -> None:
        chosen = solver("dfpn", GAMES["connect-four"])
        over = parse("1122334", {})  # the seat to act has lost
        assert proved(chosen, over, nodes=10).result == "disproved"
        assert proved(chosen, parse("112233", {}), nodes=10).line == (3,)


@sample_and_all("positions", 12, 200)
def test_end_games_of_othello_agree_with_the_difference_of_discs(positions: int) -> None:
    def difference(state: State, known: dict[State, int]) -> int:
        """The best difference for the seat to act; the same seat may be to act again."""
        if state not in known:
            seat = mover(state)
            values = []
            for step in legal_steps(state):
                after = play(state, step)
                if is_over(after):
                    values.append(round(payoff(after, seat)))
                else:
                    value = difference(after, known)
                    values.append(value if mover(after) == seat else -value)
            known[state] = max(values)
        return known[state]

    game, random = GAMES["othello"], Random(6)
    outcomes: list[bool] = []
    while len(outcomes) < positions:
        match = Match.new(game, ["", ""], seed=0)
        while not match.ending and len(match.steps) < 54:
            match.play(random.choice(match.legal_steps()))
        if match.ending:
            continue
        is_won = difference(match.state, {}) > 0
        for method in METHODS:
            proof = proved(solver(method, game), match.state, nodes=200_000)
            assert proof.result == ("proved" if is_won else "disproved")
        outcomes.append(is_won)
    assert positions / 6 < sum(outcomes) < positions * 5 / 6
