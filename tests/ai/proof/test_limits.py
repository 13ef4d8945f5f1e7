"""Solvers that run out of something, are stopped, go on later, and are watched meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from papan.ai.limits import Limit
from papan.ai.proof import METHODS, SolverError, SolverSetting, dfpn, make_solver
from papan.ai.proof.dfpn import DepthFirst
from papan.ai.proof.result import Proof, Solver
from papan.game.catalogue import GAMES
from papan.game.kernel import plainly
from papan.game.match import Match
from papan.game.rules import State, connect_four, othello
from tests.waiting import PATIENCE, wait_for

GAME = GAMES["connect-four"]
HARD = connect_four.parse("444444", {})
EASY = connect_four.parse("112233", {})
BY_NUMBERS = [method for method in METHODS if method != "alphabeta"]
EVERY_METHOD = pytest.mark.parametrize("method", METHODS)
EVERY_METHOD_BY_NUMBERS = pytest.mark.parametrize("method", BY_NUMBERS)


def solver(method: str, memory: float = 16, seed: int = 0) -> Solver:
    return make_solver(method, GAME, SolverSetting(memory=memory, playouts=4, seed=seed))


def begun(method: str, memory: float = 16, seed: int = 0, state: State = HARD) -> Solver:
    """A solver that has begun with *state*."""
    made = solver(method, memory, seed)
    made.begin(state)
    return made


def timeless(proof: Proof) -> Proof:
    """*proof* without the seconds that it took."""
    return replace(proof, seconds=0.0)


class TestOut:
    @EVERY_METHOD_BY_NUMBERS
    def test_of_nodes(self, method: str) -> None:
        chosen = begun(method)
        proof = chosen.run(Limit(nodes=5000))
        assert (proof.result, proof.reason, proof.is_proof) == ("out", "nodes", False)
        assert 4990 < proof.nodes <= 5000
        assert proof.line and {branch.step for branch in proof.branches} == {0, 1, 2, 4, 5, 6}

    @EVERY_METHOD
    def test_of_time(self, method: str) -> None:
        chosen = make_solver(method, GAMES["othello"], SolverSetting(memory=64, playouts=4))
        state = othello.start({}, Random(0))
        chosen.begin(state)
        chosen.prepare(state)
        proof = chosen.run(Limit(time=0.1))
        assert (proof.result, proof.reason) == ("out", "time")
        assert proof.seconds >= 0.1 or method == "alphabeta", "which begins nothing that is of no use in time"

    @pytest.mark.parametrize("method", ["pns", "mcpns", "ppns"])
    def test_of_memory_which_is_never_exceeded(self, method: str) -> None:
        chosen = solver(method, 0.25)
        assert chosen.memory <= 0.25 * (1 << 20)
        chosen.begin(HARD)
        proof = chosen.run(Limit(time=60))
        assert (proof.result, proof.reason) == ("out", "memory")
        assert 32 * proof.nodes <= chosen.memory < 32 * (proof.nodes + 7)

    def test_a_table_stays_within_its_memory_and_goes_on(self) -> None:
        chosen = begun("dfpn", 4)
        assert isinstance(chosen, DepthFirst)
        for nodes in range(100_000, 600_000, 100_000):
            assert chosen.run(Limit(nodes=nodes)).reason == "nodes"
            workspace = chosen._work.nbytes
            assert chosen.table.nbytes + workspace <= chosen.memory <= 4 << 20

    def test_a_full_table_proves_as_well(self) -> None:
        late, limit = connect_four.parse("4444443267", {}), Limit(nodes=6_000_000)
        small, large = (begun("dfpn", memory, state=late).run(limit) for memory in (4, 64))
        assert small.result == large.result != "out"

    def test_a_table_must_have_room_for_the_path(self) -> None:
        with pytest.raises(ValueError, match="at least 4 MiB"):
            solver("dfpn", 2)


class TestSlices:
    @EVERY_METHOD_BY_NUMBERS
    def test_come_to_the_same_as_one_run_after_a_stop_as_well(self, method: str) -> None:
        sliced, whole = begun(method), begun(method)
        assert sliced.run(Limit(nodes=10_000), lambda: True).reason == "stopped"
        for nodes in (1, 2, 10, 500, 501, 4000):
            sliced.run(Limit(nodes=nodes))
        for _ in range(3):
            sliced.run(Limit(nodes=10_000, time=0.002))
        assert timeless(sliced.run(Limit(nodes=10_000))) == timeless(whole.run(Limit(nodes=10_000)))

    def test_after_a_stop_while_the_table_grows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        stopped, whole = begun("dfpn"), begun("dfpn")
        assert isinstance(stopped, DepthFirst)
        slots = len(stopped.table)

        def larger(number: int, make: Callable[[int], Any] = dfpn._empty_table) -> Any:
            stopped.stop()
            return make(number)

        with monkeypatch.context() as patch:
            patch.setattr(dfpn, "_empty_table", larger)
            proof = stopped.run(Limit(nodes=100_000))
        assert (proof.result, proof.reason) == ("out", "stopped") and len(stopped.table) == slots
        assert timeless(stopped.run(Limit(nodes=100_000))) == timeless(whole.run(Limit(nodes=100_000)))
        assert len(stopped.table) > slots

    @EVERY_METHOD_BY_NUMBERS
    def test_the_same_seed_gives_the_same_numbers_and_begin_forgets(self, method: str) -> None:
        first, second, other = begun(method), begun(method), begun(method, seed=1)
        found = timeless(first.run(Limit(nodes=3000)))
        assert timeless(second.run(Limit(nodes=3000))) == found
        assert (timeless(other.run(Limit(nodes=3000))) == found) == (method in ("pns", "dfpn"))
        first.begin(EASY)
        assert first.run(Limit(nodes=3000)).result == "proved"
        first.begin(HARD)
        assert timeless(first.run(Limit(nodes=3000))) == found

    @EVERY_METHOD
    def test_a_result_stays(self, method: str) -> None:
        chosen = begun(method, state=EASY)
        proof = chosen.run(Limit(nodes=3000))
        assert (proof.result, proof.step) == ("proved", 3)
        assert timeless(chosen.run(Limit(nodes=6000))) == timeless(proof)


@pytest.mark.parametrize("name", ["connect-four", "checkers", "2048"])
@EVERY_METHOD_BY_NUMBERS
def test_plain_python_gives_the_same_numbers(method: str, name: str) -> None:
    game = GAMES[name]
    state = Match.new(game, [""] * game.seats[0], seed=3).state
    limit, goal = Limit(nodes=100), 64 if name == "2048" else 0
    chosen = make_solver(method, game, SolverSetting(memory=8, playouts=1))
    chosen.begin(state, goal=goal)
    compiled = timeless(chosen.run(limit))
    with plainly():
        chosen.begin(state, goal=goal)
        assert timeless(chosen.run(limit)) == compiled
    assert compiled.nodes > 40


class TestFromAnotherThread:
    @EVERY_METHOD
    def test_a_stop_ends_it(self, method: str) -> None:
        chosen = begun(method, 64)
        chosen.prepare(HARD)
        threading.Timer(0.05, chosen.stop).start()
        proof = chosen.run(Limit())
        assert (proof.result, proof.reason) == ("out", "stopped")

    @EVERY_METHOD
    def test_it_can_be_watched(self, method: str) -> None:
        game = GAMES["othello"]
        state = othello.start({}, Random(0))
        chosen = make_solver(method, game, SolverSetting(memory=256, playouts=2))
        chosen.begin(state)
        chosen.prepare(state)
        assert not chosen.live().is_proof
        thread = threading.Thread(target=lambda: chosen.run(Limit()))
        thread.start()
        seen = []

        def look() -> bool:
            seen.append(chosen.live())
            has_branches = any(len(proof.branches) == 4 and proof.reason == "running" for proof in seen)
            return len({proof.nodes for proof in seen}) > 3 and (has_branches or method == "alphabeta")

        wait_for(look, "a fourth figure")
        chosen.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive()

    def test_the_match_is_left_alone(self) -> None:
        match = Match.new(GAME, ["", ""], seed=0, position="444444")
        states, steps = list(match.states), list(match.all_steps)
        for method in METHODS:
            chosen = solver(method)
            chosen.begin(match.state)
            chosen.run(Limit(nodes=2000, time=0.2))
        assert (list(match.states), list(match.all_steps), match.ending) == (states, steps, None)


@pytest.mark.parametrize(
    ("method", "game", "said"),
    [
        ("magic", "connect-four", "no method 'magic'; there are alphabeta, pns, dfpn, mcpns, ppns"),
        ("pns", "catur-jawa", "hidden cards"),
    ],
)
def test_what_can_not_be_made(method: str, game: str, said: str) -> None:
    with pytest.raises(SolverError, match=said):
        make_solver(method, GAMES[game])


@pytest.mark.parametrize(("name", "goal"), [("2048", 16), ("gomoku", 0)])
def test_alphabeta_says_what_it_can_not(name: str, goal: int) -> None:
    game = GAMES[name]
    state = Match.new(game, [""] * game.seats[0], seed=0).state
    with pytest.raises(ValueError, match="choose pns"):
        make_solver("alphabeta", game).begin(state, goal=goal)
