"""What positions are exactly worth, against brute force; and the bell that ends what lasts too long."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

from papan.ai import limits
from papan.ai.exact import othello as othello_exact
from papan.ai.limits import Limit, watchdog
from papan.ai.outcome import Assessor, Outcome
from papan.ai.puzzles.proving import Prover
from papan.game.catalogue import GAMES
from papan.game.kernel.clock import PROCESSOR, clock, timed_by, why_no_processor_clock
from papan.game.match import Match
from papan.game.rules import CHANCE, State, chance, is_over, legal_steps, mover, payoff, play
from papan.lab.arena import opening, openings
from tests.waiting import PATIENCE, wait_for

PLENTY = Limit(nodes=10_000_000)
LOST = 1000
"""More turns than any of these games takes."""


def assessed(name: str, state: State, limit: Limit = PLENTY) -> Outcome | None:
    return Assessor(GAMES[name], 16).assess(state, limit)


def state_of(name: str, options: dict[str, str], position: str | None = None) -> State:
    return Match.new(GAMES[name], ["", ""][: min(GAMES[name].seats)], options, 0, position).state


class Soonest:
    """Who wins, and in how many turns of the winner's own, of a game without draws that never comes back."""

    def __init__(self) -> None:
        self.known: dict[State, tuple[int, int]] = {}

    def of(self, state: State) -> tuple[int, int]:
        """The winner, and the turns that it still takes."""
        if state not in self.known:
            if is_over(state):
                self.known[state] = (0 if payoff(state, 0) > 0.0 else 1), 0
            else:
                self.known[state] = min(self.after(state), key=lambda one: rank(one, int(mover(state))))
        return self.known[state]

    def after(self, state: State) -> list[tuple[int, int]]:
        """The same for each step."""
        seat = int(mover(state))
        found = []
        for step in legal_steps(state):
            after = play(state, step)
            winner, turns = self.of(after)
            ends_turn = is_over(after) or mover(after) != seat
            found.append((winner, turns + int(ends_turn and winner == seat)))
        return found


def rank(worth: tuple[int, int], seat: int) -> int:
    """The lower the better for *seat*: a win soon, a loss late."""
    winner, turns = worth
    return turns if winner == seat else LOST - turns


class TestByProof:
    @pytest.mark.parametrize("depth", [6, 7])
    @pytest.mark.parametrize("tree", range(3))
    def test_p_trees(self, tree: int, depth: int) -> None:
        """Half of them end with a turn of the loser's, which is no turn more that the winner takes."""
        state = state_of("p-tree", {"branching": "3", "depth": str(depth), "tree": str(tree)})
        brute = Soonest()
        winner, turns = brute.of(state)
        outcome = assessed("p-tree", state)
        assert outcome is not None and outcome.is_complete
        assert (outcome.value, outcome.measure.turns) == ("win" if winner == 0 else "loss", turns)
        worths = dict(zip(legal_steps(state), brute.after(state), strict=True))
        assert {choice.steps[0] for choice in outcome.best} == {
            step for step, worth in worths.items() if worth == (winner, turns)
        }

    @pytest.mark.parametrize(("variant", "board"), [("2W_P3H_TWUS", "cycle:4"), ("4W_P3H_TWUS", "cycle:5")])
    def test_turns_of_several_steps(self, variant: str, board: str) -> None:
        """Also where the atlas knows the start: it is told only who wins."""
        state = state_of("santorini-graph", {"variant": variant, "board": board})
        known = Prover(GAMES["santorini-graph"], 16).prove(state, int(mover(state)), 1_000_000)
        outcome = Assessor(GAMES["santorini-graph"], 16).assess(state, PLENTY, known=known)
        winner, turns = Soonest().of(state)
        assert outcome is not None
        assert (outcome.value, outcome.measure.turns) == ("win" if winner == 0 else "loss", turns)
        assert outcome.best and outcome.is_complete

    def test_endings_that_the_exact_solver_knows_as_well(self) -> None:
        game = GAMES["cifra"]
        without = replace(game, parts=replace(game.parts, exact=""))
        position = "BWBBBBBWWWBBNWWBWBWWWWBBW/......b.....b......w...WW/w/b"
        for ply in range(3):
            state = state_of("cifra", {}, position)
            solved, proved = (Assessor(one, 16).assess(state, PLENTY) for one in (game, without))
            assert solved is not None and proved is not None, ply
            assert (solved.value, solved.measure.turns) == (proved.value, proved.measure.turns)
            assert {choice.steps for choice in solved.best} == {choice.steps for choice in proved.best}
            position = game.rules.text(play(state, solved.best[0].steps[0]))

    def test_a_draw(self) -> None:
        outcome = assessed("checkers", state_of("checkers", {}, "B:WK1:BK32"))
        assert outcome is not None and outcome.value == "draw"
        assert outcome.measure.turns is None and outcome.best

    def test_too_few_nodes_tell_nothing(self) -> None:
        assert assessed("santorini-graph", state_of("santorini-graph", {}), Limit(nodes=100)) is None

    def test_where_something_came_twice_a_draw_may_come_first(self) -> None:
        state = state_of("xiangqi", {}, "3k5/9/9/9/9/9/9/9/9/R4K3 w")
        assert Assessor(GAMES["xiangqi"], 16).assess(state, PLENTY, (1,)) is None


class TestByExactSolver:
    @pytest.mark.parametrize("seed", range(2))
    def test_connect_four_has_pons_scores(self, seed: int) -> None:
        """The first to have four with the last disc of all has 1, and 1 more for each own disc that is left over."""
        (match,) = openings(GAMES["connect-four"], 1, {}, 100 * seed, 26)
        worths = {step: discs_left(play(match.state, step), 27) for step in legal_steps(match.state)}
        scores = {step: -score for step, score in worths.items()}
        outcome = assessed("connect-four", match.state)
        assert outcome is not None and outcome.measure.number == max(scores.values())
        assert {choice.steps[0]: choice.measure.number for choice in outcome.choices if choice.measure} == scores
        assert {choice.steps[0] for choice in outcome.best} == {
            step for step, score in scores.items() if score == max(scores.values())
        }

    def test_othello_in_discs(self) -> None:
        match = opening(Match.new(GAMES["othello"], ["", ""], {}, 4), 54)
        state = match.state
        assert not match.ending and othello_exact.can_solve(state)
        worths = {step: -discs_ahead(play(state, step)) for step in legal_steps(state)}
        outcome = assessed("othello", state)
        assert outcome is not None and outcome.measure.number == max(worths.values())
        assert {choice.steps[0] for choice in outcome.best} == {
            step for step, worth in worths.items() if worth == max(worths.values())
        }

    def test_santorini_on_a_small_graph_without_how_soon(self) -> None:
        state = state_of("santorini-graph", {"variant": "2W_P3H_TWUS", "board": "cycle:4"})
        outcome = assessed("santorini-graph", state)
        assert outcome is not None and outcome.measure == (None, "by the atlas of small graphs", None)
        assert outcome.value == ("win" if Soonest().of(state)[0] == 0 else "loss")
        assert not outcome.says_all and outcome.is_complete and outcome.best
        soon = assessed("cifra", state_of("cifra", {}, "BWBBBBBWWWBBNWWBWBWWWWBBW/......b.....b......w...WW/w/b"))
        assert soon is not None and soon.says_all

    def test_2048_on_average(self) -> None:
        state = state_of("2048", {"size": "2"}, "2,0/0,2 0")
        outcome = assessed("2048", state)
        assert outcome is not None and outcome.value == "points"
        assert outcome.measure.number == pytest.approx(points(state, {}), rel=1e-9)
        assert len(outcome.best) == 4  # by symmetry

    def test_2048_on_larger_boards_is_not_solved(self) -> None:
        assert Assessor(GAMES["2048"]).exact_module(state_of("2048", {"size": "3"})) is None


def discs_left(state: State, discs: int, alpha: int = -21, beta: int = 21) -> int:
    """Pons' score of Connect Four with so many *discs*, for the seat to act: by plain alpha-beta."""
    if is_over(state):
        return -((44 - discs) // 2) if payoff(state, discs % 2) < 0.0 else 0
    best = -21
    for step in legal_steps(state):
        best = max(best, -discs_left(play(state, step), discs + 1, -beta, -max(alpha, best)))
        if best >= beta:
            break
    return best


def discs_ahead(state: State) -> int:
    """By how many discs the seat to act of Othello is ahead at the end, by trying everything."""
    if is_over(state):
        mine, theirs = int(state.mine).bit_count(), int(state.theirs).bit_count()
        empty = 64 - mine - theirs
        return mine - theirs + (empty if mine > theirs else -empty if mine < theirs else 0)
    return max(-discs_ahead(play(state, step)) for step in legal_steps(state))


def points(state: State, known: dict[State, float]) -> float:
    """The score of 2048 at the end, on average."""
    if state not in known:
        if is_over(state):
            known[state] = payoff(state, 0)
        elif mover(state) == CHANCE:
            known[state] = sum(chance(state, step) * points(play(state, step), known) for step in legal_steps(state))
        else:
            known[state] = max(points(play(state, step), known) for step in legal_steps(state))
    return known[state]


class FakeClock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


class TestRinging:
    def test_it_rings_when_the_clock_comes_to_its_time(self) -> None:
        own, rung = FakeClock(), threading.Event()
        with watchdog(0.01, rung.set, own) as is_late:
            own.now = 10**7 - 1
            assert not rung.wait(0.05) and not is_late()
            own.now = 10**7
            wait_for(rung.is_set, "the bell")
            assert is_late()

    def test_not_after_the_end(self) -> None:
        own, rung = FakeClock(), threading.Event()
        with watchdog(0.01, rung.set, own):
            pass
        own.now = 10**9
        assert not rung.wait(0.05)

    def test_never_without_a_time(self) -> None:
        with watchdog(None, lambda: pytest.fail("it rings")) as is_late:
            assert not is_late()

    def test_a_clock_that_stands_still_is_waited_for_with_patience(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(limits, "LEAST_PATIENCE", 0.02)
        monkeypatch.setattr(limits, "PATIENCE", 2.0)
        rung = threading.Event()
        with watchdog(0.01, rung.set, FakeClock()):
            wait_for(rung.is_set, "the bell")

    def test_a_thread_that_has_ended_is_not_late(self) -> None:
        asked, rung = threading.Event(), threading.Event()

        def gone() -> int:
            if asked.is_set():
                raise OSError("no such thread")
            asked.set()
            return 0

        with watchdog(0.001, rung.set, gone):
            assert not rung.wait(0.05)

    @pytest.mark.skipif(why_no_processor_clock() is not None, reason="this system has no fine clock of a thread's own")
    def test_by_processor_time_sleep_is_not_late_and_work_is(self) -> None:
        rung = threading.Event()
        with timed_by(PROCESSOR), watchdog(0.1, rung.set):
            time.sleep(0.3)
            assert not rung.is_set()
            used, given_up_at = clock(), time.perf_counter() + PATIENCE
            while not rung.is_set():
                assert time.perf_counter() < given_up_at, "the bell never rang"
            assert clock() - used >= 0.09e9
