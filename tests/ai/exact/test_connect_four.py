"""Connect Four solved: against known scores, brute force, alpha-beta, and the limits that end it."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papan.ai.evaluation.connect_four import threats_of
from papan.ai.exact import connect_four as solver
from papan.ai.exact import exact_of, is_solved
from papan.ai.exact.connect_four import Exact, book_key, can_solve, native_score, shared_score
from papan.ai.exact.connect_four.null_window import CELLS, LATE_BITS, WORKSPACE, bound, mirror_image
from papan.ai.limits import Analysis, Limit
from papan.ai.openings import Book
from papan.ai.search import Query
from papan.game.base.assets import Assets
from papan.game.catalogue import GAMES
from papan.game.kernel import plainly
from papan.game.rules import is_over, key, legal_steps, payoff, play
from papan.game.rules.connect_four import BOTTOM, FULL, State, four_in_a_row, parse
from tests.facts import facts

GAME = GAMES["connect-four"]
KNOWN = {text: int(score) for text, score in (line.split() for line in facts("connect-four-middle")[::20])}
"""Some of the published scores."""


def exact(memory: int = 8) -> Exact:
    """A solver that knows no openings."""
    return Exact(memory, Book())


@cache
def shared_exact() -> Exact:
    return exact()


def position(text: str) -> State:
    return parse(text, {})


def reflected(state: State) -> State:
    return State(mirror_image(state.mine), mirror_image(state.theirs))


def random_position(random: Random, turns: int) -> State | None:
    """A position after so many random turns, or None if the game was over before."""
    state = State(0, 0)
    for _ in range(turns):
        if is_over(state):
            return None
        state = play(state, random.choice(legal_steps(state, 7)))
    return None if is_over(state) else state


def late_positions(seed: int, turns: range, number: int) -> list[State]:
    random = Random(seed)
    found: list[State] = []
    while len(found) < number:
        state = random_position(random, random.choice(turns))
        if state is not None:
            found.append(state)
    return found


def brute_force(state: State, known: dict[State, int]) -> int:
    """The score by definition: no pruning; a table only because the same positions come again and again."""
    if state not in known:
        discs = (state.mine | state.theirs).bit_count()
        if is_over(state):
            known[state] = -((CELLS + 2 - discs) // 2) if payoff(state, discs & 1) < 0 else 0
        else:
            known[state] = max(-brute_force(play(state, step), known) for step in legal_steps(state, 7))
    return known[state]


class TestScores:
    @pytest.mark.parametrize("name", ["late", "middle", "middle-hard"])
    def test_of_another_program(self, name: str) -> None:
        for line in facts(f"connect-four-{name}"):
            text, score = line.split()
            assert shared_exact().score(position(text)) == int(score), text

    def test_of_steps_agree_with_brute_force(self) -> None:
        known: dict[State, int] = {}
        for state in late_positions(2, range(32, 42), 25):
            discs = (state.mine | state.theirs).bit_count()
            analysis = shared_exact().analyse(state, Limit(), lines=0)
            worth = {step: -brute_force(play(state, step), known) for step in legal_steps(state, 7)}
            assert {line.step: native_score(line.score, discs) for line in analysis.lines} == worth
            assert [line.score for line in analysis.lines] == sorted(
                (line.score for line in analysis.lines), reverse=True
            )

    def test_do_not_depend_on_the_size_of_the_table_or_what_is_in_it_or_the_side_it_is_seen_from(self) -> None:
        small = exact(1)
        for text in KNOWN:
            assert small.score(position(text)) == KNOWN[text]
        for text in reversed(KNOWN):
            assert small.score(reflected(position(text))) == KNOWN[text]
        early = position("3125152517")
        assert book_key(reflected(early)) == book_key(early)

    def test_are_the_same_in_plain_python(self) -> None:
        with plainly():
            plain = exact(1)
            for text in ("447416471633414332773637", "1221222576653173453726471156"):
                assert plain.score(position(text)) == shared_exact().score(position(text))
            analysis = plain.analyse(position("5561315611143773677337246231"), Limit(), lines=0)
        assert analysis == replaced(
            shared_exact().analyse(position("5561315611143773677337246231"), Limit(), lines=0), analysis
        )


def replaced(analysis: Analysis, other: Analysis) -> Analysis:
    """*analysis* with the figures of effort that *other* has."""
    return replace(analysis, nodes=other.nodes, seconds=other.seconds)


class TestScale:
    @given(st.integers(0, 41), st.integers(-18, 18))
    def test_back_and_forth(self, discs: int, native: int) -> None:
        most, least = (43 - discs) // 2, -((42 - discs) // 2)
        native = max(least, min(most, native))
        assert native_score(shared_score(native, discs), discs) == native

    def test_a_win_with_the_next_disc_and_a_loss_that_can_only_be_put_off(self) -> None:
        won = shared_exact().analyse(position("112233"), Limit())
        assert (won.step, won.win_distance, native_score(won.score, 6)) == (3, 1, 18)
        lost = shared_exact().analyse(position("33445"), Limit())  # three in the bottom row, both ends are open
        assert lost.win_distance == -2 and len(lost.principal_variation) == 2


class TestParts:
    def test_threats_are_the_cells_that_complete_four(self) -> None:
        for state in late_positions(5, range(10, 40), 100):
            discs = state.mine | state.theirs
            expected = 0
            for cell in range(49):
                if 1 << cell & FULL & ~discs and four_in_a_row(state.mine | 1 << cell):
                    expected |= 1 << cell
            assert threats_of(state.mine) & ~discs == expected

    @given(st.integers(0, (1 << 49) - 1))
    def test_mirroring_twice_changes_nothing(self, bits: int) -> None:
        assert mirror_image(mirror_image(bits)) == bits
        assert mirror_image(bits) & 127 == bits >> 42

    def test_the_search_s_bounds_hold_for_every_window(self) -> None:
        for state in late_positions(7, range(24, 36), 20):
            discs = state.mine | state.theirs
            if threats_of(state.mine) & ~discs & discs + BOTTOM:
                continue
            score = exact(1).score(state)
            for beta in range(-18, 20):
                table, work = np.zeros(1 << 12, np.int64), np.zeros(1, WORKSPACE)[0]
                work.node_limit = work.deadline = 1 << 60
                found = bound(state.mine, discs, beta, table, work)
                assert (found >= beta) == (score >= beta)
                assert score >= found if found >= beta else score <= found


class TestTable:
    """Which of its entries are written, and that none outlives ``forget``."""

    LATE = "447416471633414332773637"
    EARLY = LATE[:20]
    """As many discs as a position may have that uses the whole table."""

    def test_late_positions_use_the_first_half_megabyte_of_a_table_of_any_size(self) -> None:
        nodes = set()
        for memory in (1, 16):
            searcher = exact(memory)
            searcher.score(position(self.LATE))
            assert 0 < np.flatnonzero(searcher._table).max() < 1 << LATE_BITS
            nodes.add(searcher.nodes)
        assert len(nodes) == 1

    def test_forgotten_it_is_empty_and_the_next_search_starts_afresh(self) -> None:
        first = {}
        for text in (self.LATE, self.EARLY):
            searcher = exact(1)
            searcher.score(position(text))
            first[text] = searcher.nodes
        searcher = exact(1)
        for text in (self.LATE, self.EARLY, self.LATE, self.EARLY, self.EARLY, self.LATE):
            searcher.forget()
            assert not searcher._table.any()
            before = searcher.nodes
            searcher.score(position(text))
            assert searcher.nodes - before == first[text]

    def test_forgotten_it_has_no_position_of_the_book(self) -> None:
        early = position("4425")
        searcher = Exact(1, Book.of({book_key(play(early, step)): 0 for step in range(7)}))
        searcher.answer(Query(early, Limit(), is_followed=False))
        assert searcher.nodes == 0
        assert searcher._table.any()
        searcher.forget()
        assert not searcher._table.any()

    def test_forgetting_late_positions_leaves_the_rest_of_a_large_table_alone(self) -> None:
        """Regression: clearing 128 MiB evicted the processor's cache, and the next search took ten times as long."""
        searcher = exact(16)
        for _ in range(2):
            searcher.score(position(self.EARLY))
            searcher.forget()
            searcher.score(position(self.LATE))
            searcher._table[-1] = 1  # what no late position writes
            searcher.forget()
            assert np.flatnonzero(searcher._table).tolist() == [len(searcher._table) - 1]
            searcher._table[-1] = 0


class TestPlay:
    @settings(max_examples=25)
    @given(st.integers(0, 2**32))
    def test_the_principal_variation_keeps_what_is_promised(self, seed: int) -> None:
        state = random_position(Random(seed), 20)
        if state is None:
            return
        analysis = shared_exact().analyse(state, Limit(), seed=seed)
        assert analysis.is_proven and analysis.principal_variation[0] == analysis.step
        steps = 0
        for step in analysis.principal_variation:
            assert step in legal_steps(state, 7)
            state = play(state, step)
            steps += 1
        assert is_over(state)
        if analysis.win_distance is None:
            assert payoff(state, analysis.seat) == 0
        else:
            assert steps == abs(analysis.win_distance)
            assert (payoff(state, analysis.seat) > 0) == (analysis.win_distance > 0)

    def test_any_of_the_best_steps_is_played_and_the_seed_settles_which(self) -> None:
        state = position("717732775766522424")
        chosen = {shared_exact().analyse(state, Limit(), seed=seed).step for seed in range(20)}
        assert chosen == {1, 4}
        for seed in range(3):
            first, second = (exact().analyse(state, Limit(), seed=seed) for _ in range(2))
            assert first == replaced(second, first)

    def test_steps_asked_for_and_lines_that_are_not_followed_have_the_same_scores(self) -> None:
        state = position("265713224777")
        analysis = shared_exact().analyse(state, Limit(), only=(0, 2), lines=0)
        assert [(line.step, native_score(line.score, 12)) for line in analysis.lines] == [(2, 0), (0, -2)]
        assert analysis.step == 2 and analysis.is_proven
        followed = shared_exact().answer(Query(state, Limit(), lines=0))
        told = shared_exact().answer(Query(state, Limit(), lines=0, is_followed=False))
        assert {line.step: line.score for line in told.lines} == {line.step: line.score for line in followed.lines}
        assert all(line.principal_variation == (line.step,) and line.is_proven for line in told.lines)
        assert any(len(line.principal_variation) > 1 for line in followed.lines)

    def test_the_best_lines_are_exact(self) -> None:
        analysis = shared_exact().analyse(position("66515424655277"), Limit(), lines=3)
        assert [native_score(line.score, 14) for line in analysis.lines] == [-2, -3, -3]
        assert all(line.is_proven and line.principal_variation[0] == line.step for line in analysis.lines)


HARD = "4444"  # beyond what a test has time for


class TestLimits:
    def test_nodes(self) -> None:
        analysis = exact().analyse(position(HARD), Limit(nodes=5000))
        assert not analysis.is_proven and analysis.nodes <= 5000 + 64
        assert analysis.bounds is not None and analysis.bounds[0] < analysis.bounds[1]
        assert analysis.step in range(7)
        assert analysis == replaced(exact().analyse(position(HARD), Limit(nodes=5000)), analysis)

    def test_what_is_known_holds(self) -> None:
        """However soon it ends, the score lies between the bounds."""
        text, score = "265713224777", 2
        for nodes in (1, 64, 1000, 10_000, 100_000, 300_000):
            analysis = exact().analyse(position(text), Limit(nodes=nodes))
            assert analysis.bounds is not None
            least, most = (native_score(bounds, len(text)) for bounds in analysis.bounds)
            assert least <= score <= most
            assert analysis.is_proven == (least == most)

    def test_a_time_too_short_a_stop_or_a_cancelled_question_end_it(self) -> None:
        searcher, hard = exact(), position(HARD)
        searcher.prepare(hard)
        timed = searcher.analyse(hard, Limit(time=0.05))
        assert not timed.is_proven and timed.step in range(7)
        cancelled = searcher.analyse(hard, Limit(time=60.0), is_cancelled=lambda: True)
        assert cancelled.nodes == 0 and not cancelled.is_proven
        threading.Timer(0.05, searcher.stop).start()
        assert not searcher.analyse(hard, Limit(), lines=0).is_proven

    def test_a_single_step_needs_no_search(self) -> None:
        state = position("111111222222333333555555666666777777")
        assert exact().analyse(state, Limit(depth=1)).step == 3

    def test_live_figures_and_memory(self) -> None:
        searcher = exact(1)
        assert searcher.live() is None
        searcher.analyse(position("44252222713645"), Limit())
        live = searcher.live()
        assert live is not None and live.step == 2 and native_score(live.score, 14) == 3
        assert searcher._table.nbytes == 1 << 20 and exact(3)._table.nbytes == 2 << 20


def test_late_positions_can_be_solved_and_early_ones_by_the_book_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert can_solve(position("265713224777"))
    monkeypatch.setattr(solver, "bundled_book", lambda: Book())
    assert not can_solve(State(0, 0))
    first = {book_key(play(State(0, 0), step)): score for step, score in enumerate((2, 1, 0, -1))}
    monkeypatch.setattr(solver, "bundled_book", lambda: Book.of(first))
    assert can_solve(State(0, 0))


class TestBundledBook:
    def test_answers_the_empty_board(self) -> None:
        """The scores of all columns, as found by James Allen and Victor Allis in 1988 and by every solver since."""
        analysis = Exact(8).analyse(State(0, 0), Limit(nodes=5_000_000), lines=0)
        assert [native_score(line.score, 0) for line in analysis.lines] == [1, 0, 0, -1, -1, -2, -2]
        assert (analysis.step, analysis.is_proven, analysis.win_distance) == (3, True, 41)

    def test_agrees_with_itself(self) -> None:
        """A position is worth what the best of its steps is."""
        book = solver.bundled_book()
        layer, checked = {book_key(State(0, 0)): State(0, 0)}, 0
        is_beyond = False
        while not is_beyond and checked < 300:
            is_beyond = True
            following: dict[int, State] = {}
            for at, state in layer.items():
                children = [play(state, step) for step in legal_steps(state, 7) if not is_over(play(state, step))]
                following.update((book_key(child), child) for child in children)
                discs = (state.mine | state.theirs).bit_count()
                worth = [(42 - discs) // 2 if solver.wins_at_once(c) else book.get(book_key(c)) for c in children]
                if book.get(at) is not None and None not in worth:
                    assert book.get(at) == max(-score for score in worth if score is not None)
                    checked += 1
                    is_beyond = False
            layer = following
        assert checked >= 1

    def test_a_damaged_one_is_reported_and_done_without(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        file = tmp_path / solver.ASSET
        file.parent.mkdir()
        file.write_bytes(solver.BOOK_FILE.read_bytes()[:-1])
        monkeypatch.setattr(solver, "ASSETS", Assets(tmp_path, {}))
        solver.bundled_book.cache_clear()
        try:
            assert Exact(1).analyse(position("44252222713645"), Limit()).is_proven
            assert "connect-four.book is damaged" in caplog.text
        finally:
            solver.bundled_book.cache_clear()

    def test_its_positions_are_asked_by_their_keys_and_it_is_small(self) -> None:
        keys = solver.bundled_book().keys
        assert (np.diff(keys) > 0).all() and key(State(0, 0)) in keys
        assert solver.BOOK_FILE.stat().st_size < 5_000_000


def test_the_game_is_solved_and_others_are_not() -> None:
    assert exact_of(GAME) is solver and is_solved(GAME)
    assert exact_of(GAMES["gomoku"]) is None and not is_solved(GAMES["gomoku"])
