"""CIFRA's endings solved: against plain minimax, in every mode and size, and the limits that end it."""

from __future__ import annotations

import threading
import time
import tracemalloc
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from papan.ai.exact import MIB, exact_of, is_solved
from papan.ai.exact.cifra import MEMORY, Exact, can_solve, most_positions
from papan.ai.limits import WIN, Limit, Line
from papan.game.catalogue import GAMES
from papan.game.kernel import plainly
from papan.game.rules import cifra, is_over, key, legal_steps, mover, payoff, play
from papan.game.rules.cifra.board import MOVING, QUIET_TURNS
from tests.game.rules.cifra_referee import board, cell_names
from tests.game.rules.test_cifra_modes import FORMS, shuffled

GAME = GAMES["cifra"]
EVERY_FORM = pytest.mark.parametrize("options", FORMS, ids=lambda options: "-".join(options.values()))
LIMIT = Limit(nodes=10**9)
FAMILIES = {"5": 3, "9": 1}
"""How many families of endings are compared, by the board's size and for each mode."""
FEW_FAMILIES = {"dash-5": 1, "king-5": 2, "sum-5": 1, "dash-9": 0, "king-9": 0}
"""Fewer, for the tests that are no slow ones; the second family has two pieces against one."""


def _forms_and_families() -> list[Any]:
    """Parameters: the options of each form with few families, and as slow ones with all."""
    found = []
    for options in FORMS:
        name, every = "-".join(options.values()), FAMILIES[options["size"]]
        few = FEW_FAMILIES.get(name, every)
        if few:
            found.append(pytest.param(options, few, id=name))
        if few < every:
            found.append(pytest.param(options, every, id=f"{name} all", marks=pytest.mark.slow))
    return found


def family(options: dict[str, str], random: Random, living: Sequence[int], number: int) -> list[cifra.AnyState]:
    """Random positions in play on one board, with the same pieces at home, and elsewhere so many *living* ones.

    :param living: how many of white and of blue.
    """
    size, mode = int(options["size"]), options["mode"]
    home, tiles, names = random.choice("wb"), shuffled(size, random), cell_names(size)
    far = {colour: str(size) if colour == home else "1" for colour in "wb"}
    at_home = {
        colour: random.sample([name for name in names if name[1] == far[colour]], random.randrange(size - count))
        for colour, count in zip("wb", living, strict=True)
    }
    numbers = {colour: random.sample("123456789"[:size], size) for colour in "wb"}
    found: list[cifra.AnyState] = []
    while len(found) < number:
        pieces = {name: colour.upper() for colour in "wb" for name in at_home[colour]}
        ranks: dict[str, str] = {}
        for colour, count in zip("wb", living, strict=True):
            free = [name for name in names if name[1] != far[colour] and name not in pieces]
            on_the_way = random.sample(free, count)
            pieces |= dict.fromkeys(on_the_way, colour)
            own = (
                {on_the_way[0]: "K"}
                if mode == "king"
                else zip(at_home[colour] + on_the_way, numbers[colour], strict=False)
            )
            ranks |= dict(own)
        text = board(pieces, random.choice("wb"), home, tiles, None if mode == "dash" else ranks)
        found.append(cifra.parse(text, options))
    return found


def endings(options: dict[str, str], families: int) -> list[cifra.AnyState]:
    """Six random endings of each of so many families; one of them has two pieces against one, if on 5×5."""
    random = Random(f"{options} {families}")
    found: list[cifra.AnyState] = []
    for index in range(families):
        is_uneven = index == 1 and options["size"] == "5"
        found += family(options, random, random.choice([(1, 2), (2, 1)]) if is_uneven else (1, 1), 6)
    return found


def bare(state: cifra.AnyState) -> cifra.AnyState:
    """*state* without its draw counter."""
    return state._replace(quiet=0)


class BruteForce:
    """What positions are worth to the seat to move: minimax over all that can come, one turn deeper at a time.

    A value is the number of turns to a forced win, less than 0 for a loss, or None for a draw. Draw counters are
    left out, and positions come as often as they like.
    """

    def __init__(self, draws: Iterable[int] = ()) -> None:
        """:param draws: keys of positions that are drawn when they come."""
        self.draws = frozenset(draws)
        self.worth: dict[cifra.AnyState, tuple[bool, int] | None] = {}
        """By position: whether it is won, and in how many turns."""

    def of(self, state: cifra.AnyState) -> tuple[bool, int] | None:
        """Whether *state* is won, and in how many turns; None for a draw."""
        if bare(state) not in self.worth:
            self._look_at_all_after(bare(state))
        return self.worth[bare(state)]

    def _look_at_all_after(self, start: cifra.AnyState) -> None:
        after: dict[cifra.AnyState, list[cifra.AnyState]] = {}
        found = [start]
        while found:
            state = found.pop()
            if state in self.worth or state in after:
                continue
            if is_over(state):
                won = payoff(state, mover(state))
                self.worth[state] = (won > 0, 0) if won else None
            elif key(state) in self.draws:
                self.worth[state] = None
            else:
                after[state] = [bare(play(state, step)) for step in legal_steps(state)]
                found += after[state]
        self._deepen(after)

    def _deepen(self, after: dict[cifra.AnyState, list[cifra.AnyState]]) -> None:
        """Give all positions that lead to an end by force their worth; the others are drawn."""
        turns, longest = 0, 0
        while turns <= longest:
            turns += 1
            settled: dict[cifra.AnyState, tuple[bool, int]] = {}
            for state, children in after.items():
                worth = [self.worth.get(child) for child in children]
                if (False, turns - 1) in worth:
                    settled[state] = (True, turns)
                elif all(one is not None and one[0] and one[1] < turns for one in worth):
                    settled[state] = (False, turns)
            for state in settled:
                del after[state]
            self.worth |= settled
            known = [one[1] for one in self.worth.values() if one is not None]
            longest = max(known, default=0)
        self.worth |= dict.fromkeys(after, None)


def promise(worth: tuple[bool, int] | None, turns: int = 1) -> float:
    """The score, for whoever moves to it, of a position *turns* later that is worth *worth* to its seat to move."""
    if worth is None:
        return 0.0
    won, left = worth
    return left + turns - WIN if won else WIN - left - turns


def scores(lines: Iterable[Line]) -> dict[int, float]:
    return {line.step: line.score for line in lines}


def compare(solver: Exact, state: cifra.AnyState, known: BruteForce) -> None:
    """Every step's score and line, and the analysis as a whole, against *known*."""
    found = solver.analyse(state, LIMIT, lines=0, came_twice=sorted(known.draws))
    expected = {step: promise(known.of(play(state, step))) for step in legal_steps(state)}
    assert found.is_proven and found.seat == mover(state)
    assert scores(found.lines) == expected
    assert all(line.is_proven for line in found.lines)
    assert found.score == max(expected.values()) == expected[found.step]
    assert [line.score for line in found.lines] == sorted(expected.values(), reverse=True)
    for line in found.lines:
        follow(state, line, known)


def follow(state: cifra.AnyState, line: Line, known: BruteForce) -> None:
    """The line is legal and keeps its score; one that wins or loses goes to the end."""
    assert line.principal_variation[0] == line.step
    seat = mover(state)
    for turns, step in enumerate(line.principal_variation, start=1):
        assert step in legal_steps(state)
        state = play(state, step)
        sign = -1 if mover(state) == seat else 1
        assert sign * promise(known.of(state), turns) == line.score
    if line.score:
        assert is_over(state) and (payoff(state, seat) > 0) == (line.score > 0)


@cache
def some_endings(mode: str) -> list[cifra.AnyState]:
    """Endings of one living piece against one on 5×5, with their forced wins, losses and draws."""
    return [family({"mode": mode, "size": "5"}, Random(seed), (1, 1), 1)[0] for seed in range(16)]


class TestAgainstBruteForce:
    @pytest.mark.parametrize(("options", "families"), _forms_and_families())
    def test_random_endings(self, options: dict[str, str], families: int) -> None:
        solver, known, decided = Exact(), BruteForce(), 0
        for state in endings(options, families):
            compare(solver, state, known)
            decided += known.of(state) is not None
        assert decided > families

    @pytest.mark.parametrize("mode", ["dash", "king", "sum"])
    def test_positions_that_end_the_game_by_coming_again(self, mode: str) -> None:
        """What came twice is drawn when it comes: here one position in four, so that many games are."""
        solver, drawn = Exact(), 0
        for number, state in enumerate(some_endings(mode)[:6]):
            free = BruteForce()
            free.of(state)
            others = sorted({key(other) for other in free.worth if not is_over(other)} - {key(state)})
            known = BruteForce(Random(number).sample(others, len(others) // 4))
            compare(solver, state, known)
            drawn += sum(known.of(play(state, step)) is None for step in legal_steps(state))
        assert drawn > 5

    def test_a_draw_counter_that_runs_out(self) -> None:
        """With the counter, by minimax over all that can come before it ends the game: what is proven is true."""
        unproven = proven = 0
        for mode in ("dash", "king", "sum"):
            known: dict[cifra.AnyState, float] = {}
            for number, state in enumerate(some_endings(mode)[:14]):
                late = state._replace(quiet=QUIET_TURNS - 1 - number % 8)
                found = Exact(8).analyse(late, LIMIT, lines=0)
                for line in found.lines:
                    if line.is_proven:
                        assert line.score == -counted(play(late, line.step), 1, known)
                    else:
                        unproven += 1
                if found.is_proven:
                    proven += 1
                    assert found.score == max(-counted(play(late, step), 1, known) for step in legal_steps(late))
        assert unproven > 20 and proven > 20


def counted(state: cifra.AnyState, turns: int, known: dict[cifra.AnyState, float]) -> float:
    """The score of *state* for its seat to move, *turns* after the question; draw counters count."""
    if state not in known:
        if is_over(state):
            known[state] = payoff(state, mover(state)) * WIN
        else:
            best = max(-counted(play(state, step), 0, known) for step in legal_steps(state))
            known[state] = best - (best > 0) + (best < 0)
    value = known[state]
    return value - turns * ((value > 0) - (value < 0))


class TestPlay:
    def test_any_of_the_best_steps_is_played_and_the_seed_settles_which(self) -> None:
        for state in some_endings("dash"):
            found = Exact().analyse(state, LIMIT, lines=0)
            best = {line.step for line in found.lines if line.score == found.score}
            if len(best) > 1:
                break
        answers = [Exact().analyse(state, LIMIT, seed=seed).step for seed in range(12)]
        assert set(answers) <= best and len(set(answers)) > 1
        assert answers == [Exact().analyse(state, LIMIT, seed=seed).step for seed in range(12)]

    def test_only_the_steps_and_as_many_lines_as_were_asked_for(self) -> None:
        for state in some_endings("sum")[:6]:
            every = Exact().analyse(state, LIMIT, lines=0).lines
            chosen = legal_steps(state)[:2]
            found = Exact().analyse(state, LIMIT, only=chosen, lines=0)
            assert scores(found.lines) == {step: scores(every)[step] for step in chosen}
            assert found.score == max(scores(every)[step] for step in chosen)
            assert len(every) == len(legal_steps(state))
            assert Exact().analyse(state, LIMIT, lines=3).lines == every[:3]
            assert Exact().analyse(state, LIMIT).lines == every[:1]

    def test_plain_python_agrees(self) -> None:
        for state in some_endings("sum")[:3]:
            expected = Exact().analyse(state, LIMIT, lines=0)
            with plainly():
                plain = Exact().analyse(state, LIMIT, lines=0)
            assert plain == replace(expected, seconds=plain.seconds)


class TestWhatIsKept:
    def test_the_next_positions_of_an_ending_are_only_looked_up_until_it_is_forgotten(self) -> None:
        solver, state = Exact(), some_endings("dash")[0]
        first = solver.analyse(state, LIMIT)
        assert first.nodes > 0
        for step in legal_steps(state):
            after = play(state, step)
            if not is_over(after):
                found = solver.analyse(after, LIMIT, lines=0)
                assert found.nodes == 0 and found.is_proven
                assert scores(found.lines) == scores(Exact().analyse(after, LIMIT, lines=0).lines)
        solver.forget()
        assert solver.analyse(state, LIMIT).nodes == first.nodes

    def test_another_board_and_other_draws_are_another_ending(self) -> None:
        solver = Exact()
        for mode in ("dash", "king", "sum", "dash"):
            for state in some_endings(mode)[:3]:
                assert solver.analyse(state, LIMIT).nodes > 0
        assert solver.analyse(state, LIMIT).nodes == 0
        assert solver.analyse(state, LIMIT, came_twice=[key(play(state, legal_steps(state)[0]))]).nodes > 0


def large_ending() -> cifra.AnyState:
    """Two living pieces against one: some ten thousand positions, more than a mebibyte holds."""
    return family({"mode": "sum", "size": "5"}, Random(3), (2, 1), 1)[0]


class TestLimits:
    def test_nodes(self) -> None:
        state = large_ending()
        needed = Exact().analyse(state, LIMIT).nodes
        for nodes in (1, 100, 5000, needed // 2):
            found = Exact().analyse(state, Limit(nodes=nodes), lines=0)
            assert nodes <= found.nodes < nodes + cifra.MOST_STEPS
            assert not found.is_proven and not any(line.is_proven for line in found.lines)
            assert sorted(scores(found.lines)) == sorted(legal_steps(state)) and found.step in legal_steps(state)
        assert Exact().analyse(state, Limit(nodes=needed)).is_proven

    def test_what_a_limit_ended_can_be_asked_again(self) -> None:
        state, solver = large_ending(), Exact()
        assert not solver.analyse(state, Limit(nodes=100)).is_proven
        found, fresh = solver.analyse(state, LIMIT), Exact().analyse(state, LIMIT)
        assert found.is_proven and found == replace(fresh, seconds=found.seconds)

    def test_without_time_or_cancelled_before_it_begins(self) -> None:
        legal = legal_steps(large_ending())
        timed = Exact().analyse(large_ending(), Limit(time=0.0))
        assert not timed.is_proven and timed.step in legal
        cancelled = Exact().analyse(large_ending(), LIMIT, is_cancelled=lambda: True)
        assert cancelled.nodes == 0 and not cancelled.is_proven and cancelled.step in legal

    def test_stop(self) -> None:
        state, solver = large_ending(), Exact()
        solver.prepare(state)
        is_done = threading.Event()

        def stop() -> None:
            while solver.nodes == 0 and not is_done.is_set():
                time.sleep(0)
            solver.stop()

        stopper = threading.Thread(target=stop)
        stopper.start()
        found = solver.analyse(state, LIMIT)
        is_done.set()
        stopper.join()
        assert not found.is_proven and 0 < found.nodes < Exact().analyse(state, LIMIT).nodes

    def test_nothing_is_known_before_all_is(self) -> None:
        solver = Exact()
        solver.analyse(large_ending(), LIMIT)
        assert solver.live() is None


class TestMemory:
    def test_what_does_not_fit_is_not_proven_but_a_small_ending_needs_little(self) -> None:
        large, small = large_ending(), some_endings("dash")[0]
        found = Exact(1).analyse(large, LIMIT, lines=0)
        assert not found.is_proven and found.step in legal_steps(large)
        assert Exact(MEMORY).analyse(large, LIMIT).is_proven
        assert Exact(1).analyse(small, LIMIT, lines=0).lines == Exact().analyse(small, LIMIT, lines=0).lines

    @pytest.mark.parametrize("mebibytes", [1, 4])
    def test_it_is_kept_to(self, mebibytes: int) -> None:
        state, solver = large_ending(), Exact(mebibytes)
        solver.prepare(state)
        tracemalloc.start()
        solver.analyse(state, LIMIT)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert most < mebibytes * MIB


class TestCanSolve:
    @EVERY_FORM
    def test_an_ending_but_not_before_play_nor_with_all_pieces(self, options: dict[str, str]) -> None:
        state = cifra.start(options, Random(1))
        while state.stage != MOVING:
            assert not can_solve(state)
            assert not Exact().analyse(state, Limit(nodes=1000)).is_proven
            state = play(state, 0)
        assert not can_solve(state)
        assert all(can_solve(state) for state in family(options, Random(1), (1, 1), 20))

    @pytest.mark.parametrize("mode", ["dash", "king", "sum"])
    def test_no_more_positions_come_than_it_reckons_with(self, mode: str) -> None:
        for state in some_endings(mode)[:6]:
            known = BruteForce()
            known.of(state)
            assert len(known.worth) <= most_positions(state)

    def test_more_pieces_are_more_positions(self) -> None:
        few, more = (family({"mode": "sum", "size": "9"}, Random(1), (n, n), 1)[0] for n in (1, 3))
        assert can_solve(few) and not can_solve(more)
        assert most_positions(few) < most_positions(more)


def test_the_game_has_a_solver_for_its_endings_only() -> None:
    module = exact_of(GAME)
    assert module is not None and module.can_solve is can_solve and not is_solved(GAME)
