"""Checkers' endings: how they are made and kept, what is looked up, and what may be claimed of it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from papan.ai.evaluation import NO_ENDINGS, NOT_LISTED, STANDARD, turns_to_end
from papan.ai.evaluation.checkers import SELECTIVITY, WEIGHTS, endings
from papan.ai.evaluation.checkers.tables import (
    ASSET,
    MOST_PIECES,
    PIECES_END,
    SLICE_START,
    known_endings,
    most_pieces,
    own_file,
    place_of,
    read_endings,
    slice_size,
    slices,
)
from papan.ai.exact.checkers import (
    Exact,
    TablesError,
    can_solve,
    keep_tables,
    make,
    position_at,
    turns_by_moves,
    turns_of,
)
from papan.ai.learning.weight_files import WeightFileError
from papan.ai.limits import WIN, Limit
from papan.ai.players import situation
from papan.ai.puzzles.closure import Closure
from papan.ai.search.alphabeta import AlphaBeta
from papan.game.base.assets import ASSETS
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import checkers, is_over, key, legal_steps, play, steps_to_draw
from papan.game.rules.checkers import MOST_STEPS, notation, parse, text
from papan.game.rules.checkers.board import QUIET_TURNS, State

WON_IN_29 = "W:WK30,K31:BK5"
DRAWN = "W:WK14,K18:BK1,K5"  # two kings in the double corner hold out


def state_of(position: str) -> State:
    return parse(position, {})


def at(place: int) -> State | None:
    return position_at(NO_ENDINGS, next(size for size in range(2, MOST_PIECES + 1) if place < PIECES_END[size]), place)


def some_positions(number: int, seed: int, pieces: int = 4) -> list[State]:
    """Positions with up to so many pieces, drawn by *seed*, none of them over."""
    random, found = Random(seed), list[State]()
    while len(found) < number:
        state = at(random.randrange(int(PIECES_END[pieces])))
        if state is not None:
            found.append(state)
    return found


def searcher() -> AlphaBeta:
    return AlphaBeta(checkers, WEIGHTS[STANDARD], table_bits=14, endings=endings)


@pytest.fixture(scope="module")
def small() -> np.ndarray:
    return make(2)


class TestPlaces:
    def test_slices_follow_each_other_and_fill_the_tables(self) -> None:
        end = 0
        for pieces in range(2, MOST_PIECES + 1):
            for one in slices(pieces):
                assert SLICE_START[one] == end
                end += slice_size(*one)
            assert PIECES_END[pieces] == end

    def test_of_a_position_is_where_it_comes_from(self) -> None:
        random = Random(3)
        for place in (random.randrange(int(PIECES_END[4])) for _ in range(200)):
            state = at(place)
            if state is not None:
                assert place_of(state) == place

    def test_is_the_same_with_sides_and_colours_exchanged(self) -> None:
        assert place_of(state_of("B:WK30,21:B5,K2")) == place_of(state_of("W:BK3,12:W28,K31"))


class TestMaking:
    def test_two_pieces_are_what_listing_all_that_can_come_says(self, small: np.ndarray) -> None:
        closure, compared = Closure(MOST_STEPS), 0
        for place in reversed(range(0, len(small), 7)):
            state = at(place)
            if state is not None:
                value = closure.value(state)
                assert value is not None
                turns = 0 if value == 0 else abs(value) - 1 if (value > 0) == (state.to_move == 0) else 1 - abs(value)
                assert turns_of(state, small) == turns, text(state)
                compared += 1
        assert compared > 400

    def test_the_bundled_ones_begin_with_them(self, small: np.ndarray) -> None:
        assert most_pieces(small) == 2 and most_pieces(endings()) == 4
        assert np.array_equal(endings()[: len(small)], small)

    def test_of_too_many_pieces_is_refused(self) -> None:
        with pytest.raises(TablesError, match="must be 2 to 6"):
            make(MOST_PIECES + 1)


class TestBundled:
    def test_what_moves_lead_to_comes_to_the_same(self) -> None:
        for state in some_positions(400, seed=5):
            assert turns_by_moves(state, endings()) == turns_of(state, endings()), text(state)

    @pytest.mark.parametrize(
        ("position", "turns"), [(WON_IN_29, 29), (DRAWN, 0), ("B:WK6,K32:B1", -10), ("W:WK30,K31:BK1", 33)]
    )
    def test_known_endings(self, position: str, turns: int) -> None:
        assert turns_of(state_of(position), endings()) == turns

    def test_where_captures_are_to_be_made_nothing_is_listed(self) -> None:
        assert turns_to_end(state_of("B:WK6,K32:B1"), endings()) == NOT_LISTED
        assert turns_to_end(state_of("B:W21,22,23:B5,6"), endings()) == NOT_LISTED
        assert turns_to_end(state_of(DRAWN), NO_ENDINGS) == NOT_LISTED


class TestFile:
    def test_gives_back_what_was_written_and_of_another_size_is_refused(
        self, small: np.ndarray, tmp_path: Path
    ) -> None:
        for name, kept in (("a.npz", small), ("b.npz", small[:-1])):
            with (tmp_path / name).open("wb") as file:
                keep_tables(kept, file)
        assert np.array_equal(read_endings(tmp_path / "a.npz"), small)
        with pytest.raises(WeightFileError, match="no tables"):
            read_endings(tmp_path / "b.npz")

    def test_a_persons_own_are_asked_instead(self, small: np.ndarray, home: Path) -> None:
        own_file().parent.mkdir(parents=True)
        with own_file().open("wb") as file:
            keep_tables(small, file)
        try:
            known_endings.cache_clear()
            assert most_pieces(known_endings()) == 2
            own_file().write_bytes(b"nothing of the kind")
            known_endings.cache_clear()
            assert most_pieces(known_endings()) == 4
        finally:
            known_endings.cache_clear()

    def test_damaged_is_done_without(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(ASSETS, "digests", {**ASSETS.digests, ASSET: "another"})
        monkeypatch.setattr(ASSETS, "_sound", set())
        monkeypatch.setattr(ASSETS, "_damaged", {})
        try:
            known_endings.cache_clear()
            assert len(known_endings()) == 0 and not can_solve(state_of(DRAWN))
            assert searcher().analyse(state_of(DRAWN), Limit(nodes=200)).score != 0.0
        finally:
            known_endings.cache_clear()


class TestExact:
    def test_wins_in_the_fewest_turns_and_holds_out_longest(self) -> None:
        solver, state, turns = Exact(), state_of(WON_IN_29), 29
        while not is_over(state):
            found = solver.analyse(state, Limit())
            assert found.is_proven and abs(found.score) == WIN - turns
            state = play(state, found.step)
            turns -= 0 if state.jumper else 1
        assert turns == 0

    def test_a_line_goes_to_the_end_and_every_step_has_its_value(self) -> None:
        state = state_of(WON_IN_29)
        for step in Exact().analyse(state, Limit()).principal_variation:
            assert step in legal_steps(state, MOST_STEPS)
            state = play(state, step)
        assert is_over(state)
        drawn = state_of(DRAWN)
        lines = Exact().analyse(drawn, Limit(), lines=0).lines
        assert {line.step for line in lines} == set(legal_steps(drawn, MOST_STEPS))
        assert all(line.is_proven for line in lines) and lines[0].score == 0.0

    def test_what_the_counter_may_end_first_is_not_proven(self) -> None:
        for quiet, is_in_time in ((QUIET_TURNS - 29, True), (QUIET_TURNS - 28, False)):
            assert Exact().analyse(state_of(f"{WON_IN_29}:{quiet}"), Limit()).is_proven == is_in_time

    def test_a_third_repetition_is_a_draw_and_may_spoil_a_win(self) -> None:
        state = state_of(f"{WON_IN_29}:8")
        best = Exact().analyse(state, Limit())
        repeated = int(key(play(state, best.step)))
        found = Exact().analyse(state, Limit(), came_twice=[repeated], lines=0)
        line = next(line for line in found.lines if line.step == best.step)
        assert line.score == 0.0 and line.is_proven
        assert not found.is_proven  # what else wins may come to that position, too

    def test_captures_go_on_to_their_end(self) -> None:
        state = state_of("B:W10,K19:BK6")  # takes both
        found = Exact().analyse(state, Limit())
        assert can_solve(state) and found.score == WIN - 1 and len(found.principal_variation) == 2


class TestSearch:
    def test_sees_losses_of_the_other_seat_at_once(self) -> None:
        """Compiled, a byte of the tables was unsigned, and so was what a loss takes."""
        state = state_of("B:WK19:B1,K11,25")
        assert searcher().analyse(state, Limit(nodes=20_000)).score == WIN - 19

    def test_takes_the_tables_word_at_the_first_turn(self) -> None:
        for state in some_positions(60, seed=7):
            turns = turns_of(state, endings())
            found = searcher().analyse(state, Limit(nodes=20_000))
            if turns == 0:
                assert found.score == 0.0 and found.is_proven, text(state)
            elif abs(turns) <= QUIET_TURNS:
                assert found.score == (WIN - turns if turns > 0 else -turns - WIN), text(state)
                assert found.is_proven

    def test_what_is_left_out_makes_no_forced_win_of_what_is_none(self) -> None:
        """Without the tables, which know better: all rules of pruning that suit checkers apply."""
        claimed = 0
        for state in some_positions(60, seed=8):
            search = AlphaBeta(checkers, WEIGHTS[STANDARD], table_bits=14, selectivity=SELECTIVITY)
            found = search.analyse(state, Limit(nodes=20_000))
            if found.is_proven and found.score != 0.0:
                turns = turns_of(state, endings())
                assert turns != 0 and (turns > 0) == (found.score > 0.0), text(state)
                assert WIN - abs(found.score) >= abs(turns), text(state)
                claimed += 1
        assert claimed >= 10

    def test_finds_wins_beyond_its_horizon(self) -> None:
        state = state_of("B:WK30,K31,9:BK5")  # the man is lost, the ending is won
        found = searcher().analyse(state, Limit(nodes=20_000))
        without = AlphaBeta(checkers, WEIGHTS[STANDARD], table_bits=14).analyse(state, Limit(nodes=20_000))
        assert found.is_proven and found.score == Exact().analyse(state, Limit()).score
        assert not without.is_proven

    def test_to_a_fixed_depth_it_does_without(self) -> None:
        state = state_of(WON_IN_29)
        with_tables = searcher().analyse(state, Limit(depth=3))
        without = AlphaBeta(checkers, WEIGHTS[STANDARD], table_bits=14).analyse(state, Limit(depth=3))
        assert (with_tables.step, with_tables.score) == (without.step, without.score)

    def test_claims_no_win_that_the_counter_ends_first(self) -> None:
        state = state_of(f"{WON_IN_29}:{QUIET_TURNS - 20}")
        found = searcher().analyse(state, Limit(nodes=50_000))
        assert steps_to_draw(state) == 20 and not (found.is_proven and found.score > 0.0)

    def test_claims_no_win_that_a_repetition_may_spoil(self) -> None:
        state = state_of(f"{WON_IN_29}:8")
        came_twice = [int(key(play(state, step))) for step in legal_steps(state, MOST_STEPS)]
        found = searcher().analyse(state, Limit(nodes=20_000), came_twice=came_twice)
        assert found.score == 0.0
        other = int(key(state_of("W:WK29,K32:BK5")))
        assert not searcher().analyse(state, Limit(nodes=5_000), came_twice=[other]).is_proven

    def test_a_win_that_was_remembered_is_none_where_the_counter_ends_first(self) -> None:
        """The search's own table knows positions without their draw counter; it claimed the win of the first search."""
        search = AlphaBeta(checkers, WEIGHTS[STANDARD], table_bits=14)
        assert search.analyse(state_of("W:WK22,K23:BK12"), Limit(nodes=200_000)).score == WIN - 7
        found = search.analyse(state_of(f"W:WK22,K23:BK12:{QUIET_TURNS - 6}"), Limit(nodes=20_000))
        assert found.score == 0.0


def test_players_are_told_only_of_what_may_come_again() -> None:
    match = Match.new(GAMES["checkers"], ["", ""], {}, seed=0, position="B:WK32:BK1,9")

    def play_on(*moves: str) -> None:
        for move in moves:
            match.play(next(step for step in match.legal_steps() if notation(match.state, step) == move))

    play_on("1-6", "32-28", "6-1", "28-32", "1-6", "32-28", "6-1")
    assert len(situation(match).came_twice) == 4
    play_on("28-24", "9-14")
    assert situation(match).came_twice == ()
